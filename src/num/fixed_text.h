#ifndef NUM_FIXED_TEXT_H
#define NUM_FIXED_TEXT_H
/* A value that somebody types for a word of the machine. */
#include <stdbool.h>
#include <stdint.h>

/* The raw word of `bits` (2..32) bits with `frac` fraction bits nearest to the number in text (as
 * value_parse reads them), ties to even, rounded once. False when it is none, or does not fit. */
bool fixed_parse(const char *text, int bits, int frac, int32_t *raw);

#endif
