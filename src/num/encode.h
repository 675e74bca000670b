#ifndef NUM_ENCODE_H
#define NUM_ENCODE_H
/* Rounding an exact value into a format, once. What happens at every edge is formats.md 1.6. */
#include "num/format.h"
#include "num/value.h"

typedef enum RoundMode {
    ROUND_NE,        /* nearest, ties to the even code (e8m0: ties up) */
    ROUND_AWAY,      /* nearest, ties away from zero */
    ROUND_TZ,        /* toward zero */
    ROUND_UP,        /* toward +inf */
    ROUND_DOWN,      /* toward -inf */
    ROUND_STOCHASTIC /* up with exactly the probability of the cut-off fraction */
} RoundMode;

/* What becomes of a value beyond the largest finite one, and of infinities. Floats without inf and
 * nan always clamp; the other two policies are the same for a given format: ieee is the word for
 * floats (inf, else nan), wrap for fixed point (the low bits stay). */
typedef enum Overflow { OVERFLOW_SATURATE, OVERFLOW_IEEE, OVERFLOW_WRAP } Overflow;

/* splitmix64: one 64-bit word a draw, any seed is a good one. */
typedef struct Random {
    uint64_t state;
} Random;
uint64_t random_next(Random *r);

/* {0} is nearest-even, saturating. */
typedef struct Rounding {
    RoundMode mode;
    Overflow overflow;
    Random *random; /* ROUND_STOCHASTIC only, advanced when a value has a fraction to decide */
} Rounding;

/* The words of the command line and of Lua: "ne" "away" ..., "saturate" ... */
bool round_mode_find(const char *name, RoundMode *mode);
bool overflow_find(const char *name, Overflow *overflow);

typedef struct Encoded {
    uint32_t code;
    bool exact;    /* the code stands for the very value (a nan for a nan) */
    bool tie;      /* half-way between two neighbours, or at the edge of overflow */
    bool overflow; /* beyond the range: saturated, wrapped, or gone to inf or nan */
} Encoded;

/* Round v into f. v may be anything, inf and nan included. */
Encoded format_round(const Format *f, const Value *v, const Rounding *rounding);

/* The code alone. */
static inline uint32_t format_encode(const Format *f, const Value *v, const Rounding *rounding)
{
    return format_round(f, v, rounding).code;
}

#endif
