#ifndef NUM_VALUE_H
#define NUM_VALUE_H
/* An exact number: what was typed, what a code stands for, and what exact arithmetic makes of the
 * two. Nothing here ever passes through a double; an encoder asks for leading bits (value_leading)
 * and for the bits around its last place (value_split).
 *
 * Whoever calls value_init calls value_free; a Value may be set again and again in between. */
#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

typedef enum ValueKind { VALUE_ZERO, VALUE_FINITE, VALUE_INF, VALUE_NAN } ValueKind;

/* |v| = num / den * 10^exp10 * 2^exp2 when kind is VALUE_FINITE; powers are kept apart so that an
 * ordinary decimal costs one machine word, and 1e999999 no memory. */
typedef struct Value {
    ValueKind kind;
    bool negative; /* of zero and nan as well */
    int32_t exp10;
    int32_t exp2;
    mpz_t num; /* > 0 */
    mpz_t den; /* > 0; 1 but for quotients */
} Value;

void value_init(Value *v); /* +0 */
void value_free(Value *v);
void value_copy(Value *to, const Value *from);

/* Zero, inf or nan with a sign. */
void value_set_special(Value *v, ValueKind kind, bool negative);
/* +-sig * 2^exp2; sig 0 gives a zero with the sign. */
void value_set_binary(Value *v, bool negative, uint64_t sig, int32_t exp2);
/* The very number a double holds (Lua's numbers are doubles). */
void value_set_double(Value *v, double x);

static inline bool value_is_finite(const Value *v)
{
    return v->kind <= VALUE_FINITE;
}

/* The first 64 bits of a finite, nonzero value: |v| = (sig + f) * 2^exp with the top bit of sig
 * set and 0 <= f < 1; more tells f > 0. Beyond 2^+-VALUE_FAR, out of every format's sight, only
 * the side of 1 is right: exp is about right and more is set. */
typedef struct Leading {
    uint64_t sig;
    int32_t exp;
    bool more;
} Leading;
enum { VALUE_FAR = 8192 };
Leading value_leading(const Value *v);

/* floor(log2 |v|) of a finite, nonzero value (within a few units beyond 2^+-VALUE_FAR). */
static inline int32_t leading_log2(const Leading *l)
{
    return l->exp + 63;
}

/* |v| / 2^place cut at the point: the low 64 bits of its integer part, the first 64 bits of its
 * fraction, and whether anything nonzero follows. Unless whole is asked for, only as much of it as
 * a comparison of the fraction with 0 and 1/2 needs is right: the integer part when it has fewer
 * than 64 bits, the fraction's first bit, and the rest folded into `fraction` or `more`. */
typedef struct Split {
    uint64_t integer;
    uint64_t fraction;
    bool more;
} Split;
Split value_split(const Value *v, const Leading *l, int32_t place, bool whole);

/* Exact arithmetic on finite values; out may be an operand. b of value_div is not zero. */
void value_add(Value *out, const Value *a, const Value *b);
void value_sub(Value *out, const Value *a, const Value *b);
void value_mul(Value *out, const Value *a, const Value *b);
void value_div(Value *out, const Value *a, const Value *b);

/* -1, 0, 1 as a is below, equal to, above b; inf has its place, -0 equals 0. No operand is nan. */
int value_cmp(const Value *a, const Value *b);
/* The same of |a| and |b|. */
int value_cmp_abs(const Value *a, const Value *b);

/* Near the value, for drawing only: never used to round. */
double value_to_double(const Value *v);

#endif
