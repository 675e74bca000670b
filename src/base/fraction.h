#ifndef BASE_FRACTION_H
#define BASE_FRACTION_H
/* A value told as a fraction of whole numbers: -192/256. */
#include <stdbool.h>
#include <stdint.h>

/* Is text A/B with whole numbers, B > 0? Then *raw = A/B with `frac` (0..31) fraction bits, rounded
 * to nearest, ties to even. False also beyond 2^31 in either, or when it does not fit in *raw. */
bool fraction_parse(const char *text, int frac, int32_t *raw);

#endif
