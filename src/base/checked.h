#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H
/* Overflow-safe arithmetic on sizes that come from a file: false when the result does not fit. */
#include <stdbool.h>
#include <stdint.h>

static inline bool checked_add(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool checked_mul(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

#endif
