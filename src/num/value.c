#include "num/value.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 U128;

enum { POW5_MAX = 27 }; /* 5^27 is the last power of five in 64 bits */

static const uint64_t pow5[POW5_MAX + 1] = {
    1U,
    5U,
    25U,
    125U,
    625U,
    3125U,
    15625U,
    78125U,
    390625U,
    1953125U,
    9765625U,
    48828125U,
    244140625U,
    1220703125U,
    6103515625U,
    30517578125U,
    152587890625U,
    762939453125U,
    3814697265625U,
    19073486328125U,
    95367431640625U,
    476837158203125U,
    2384185791015625U,
    11920928955078125U,
    59604644775390625U,
    298023223876953125U,
    1490116119384765625U,
    7450580596923828125U,
};

void value_init(Value *v)
{
    *v = (Value){.kind = VALUE_ZERO};
    mpz_init(v->num);
    mpz_init_set_ui(v->den, 1);
}

void value_free(Value *v)
{
    mpz_clear(v->num);
    mpz_clear(v->den);
}

void value_copy(Value *to, const Value *from)
{
    to->kind = from->kind;
    to->negative = from->negative;
    to->exp10 = from->exp10;
    to->exp2 = from->exp2;
    mpz_set(to->num, from->num);
    mpz_set(to->den, from->den);
}

void value_set_special(Value *v, ValueKind kind, bool negative)
{
    v->kind = kind;
    v->negative = negative;
}

void value_set_binary(Value *v, bool negative, uint64_t sig, int32_t exp2)
{
    v->kind = sig ? VALUE_FINITE : VALUE_ZERO;
    v->negative = negative;
    v->exp10 = 0;
    v->exp2 = exp2;
    mpz_import(v->num, 1, -1, sizeof sig, 0, 0, &sig);
    mpz_set_ui(v->den, 1);
}

void value_set_double(Value *v, double x)
{
    bool negative = signbit(x) != 0;
    if (isnan(x) || isinf(x)) {
        value_set_special(v, isnan(x) ? VALUE_NAN : VALUE_INF, negative);
        return;
    }
    int exp;
    double fraction = frexp(fabs(x), &exp); /* 53 bits behind the point */
    value_set_binary(v, negative, (uint64_t)ldexp(fraction, 53), exp - 53);
}

/* floor(log2 |v|), two units off at most. */
static int64_t log2_estimate(const Value *v)
{
    int64_t bits = (int64_t)mpz_sizeinbase(v->num, 2) - (int64_t)mpz_sizeinbase(v->den, 2);
    return bits + v->exp2 + (int64_t)v->exp10 * 33219281 / 10000000;
}

static void multiply_pow5(mpz_t z, uint32_t exponent)
{
    if (exponent == 0)
        return;
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 5, exponent);
    mpz_mul(z, z, power);
    mpz_clear(power);
}

/* num / den = |v| * 2^shift as integers with the powers multiplied out. */
static void fraction_of(mpz_t num, mpz_t den, const Value *v, int64_t shift)
{
    mpz_set(num, v->num);
    mpz_set(den, v->den);
    if (v->exp10 >= 0)
        multiply_pow5(num, (uint32_t)v->exp10);
    else
        multiply_pow5(den, (uint32_t)-v->exp10);
    shift += (int64_t)v->exp2 + v->exp10;
    if (shift >= 0)
        mpz_mul_2exp(num, num, (mp_bitcnt_t)shift);
    else
        mpz_mul_2exp(den, den, (mp_bitcnt_t)-shift);
}

/* z = floor(|v| * 2^shift); returns whether anything was cut off. */
static bool floor_scaled(mpz_t z, const Value *v, int64_t shift)
{
    mpz_t den;
    mpz_init(den);
    fraction_of(z, den, v, shift);
    bool cut = false;
    if (mpz_cmp_ui(den, 1) != 0) {
        mpz_tdiv_qr(z, den, z, den);
        cut = mpz_sgn(den) != 0;
    }
    mpz_clear(den);
    return cut;
}

static uint64_t low_word(const mpz_t z)
{
    uint64_t word = 0;
    mpz_t low;
    mpz_init(low);
    mpz_tdiv_r_2exp(low, z, 64);
    mpz_export(&word, NULL, -1, sizeof word, 0, 0, low);
    mpz_clear(low);
    return word;
}

static Leading leading_of_wide(U128 wide, int32_t exp)
{
    uint64_t high = (uint64_t)(wide >> 64);
    if (high == 0) {
        int zeros = __builtin_clzll((uint64_t)wide);
        return (Leading){.sig = (uint64_t)wide << zeros, .exp = exp - zeros};
    }
    int zeros = __builtin_clzll(high);
    wide <<= zeros;
    return (Leading){
        .sig = (uint64_t)(wide >> 64), .exp = exp + 64 - zeros, .more = (uint64_t)wide != 0};
}

/* n / d, both of 64 bits, to 64 bits. */
static Leading leading_of_quotient(uint64_t n, uint64_t d, int32_t exp)
{
    int n_zeros = __builtin_clzll(n), d_zeros = __builtin_clzll(d);
    n <<= n_zeros;
    d <<= d_zeros;
    int shift = n >= d ? 63 : 64; /* either way the quotient has exactly 64 bits */
    U128 wide = (U128)n << shift;
    return (Leading){
        .sig = (uint64_t)(wide / d), .exp = exp - shift - n_zeros + d_zeros, .more = wide % d != 0};
}

static Leading leading_exact(const Value *v)
{
    int64_t estimate = log2_estimate(v);
    if (estimate > VALUE_FAR || estimate < -VALUE_FAR)
        return (Leading){.sig = UINT64_C(1) << 63, .exp = (int32_t)estimate - 63, .more = true};
    int64_t shift = 70 - estimate;
    mpz_t z;
    mpz_init(z);
    bool more = floor_scaled(z, v, shift);
    mp_bitcnt_t drop = mpz_sizeinbase(z, 2) - 64;
    more = more || mpz_scan1(z, 0) < drop;
    mpz_tdiv_q_2exp(z, z, drop);
    Leading l = {.sig = low_word(z), .exp = (int32_t)((int64_t)drop - shift), .more = more};
    mpz_clear(z);
    return l;
}

Leading value_leading(const Value *v)
{
    assert(v->kind == VALUE_FINITE);
    bool small = mpz_sizeinbase(v->num, 2) <= 64 && mpz_cmp_ui(v->den, 1) == 0 &&
                 v->exp10 >= -POW5_MAX && v->exp10 <= POW5_MAX;
    if (!small)
        return leading_exact(v);
    uint64_t n = 0;
    mpz_export(&n, NULL, -1, sizeof n, 0, 0, v->num);
    int32_t exp = v->exp2 + v->exp10;
    return v->exp10 >= 0 ? leading_of_wide((U128)n * pow5[v->exp10], exp)
                         : leading_of_quotient(n, pow5[-v->exp10], exp);
}

static Split split_leading(const Leading *l, int64_t shift)
{
    if (shift <= 0)
        return (Split){.integer = shift > -64 ? l->sig << -shift : 0, .more = l->more};
    if (shift < 64)
        return (Split){l->sig >> shift, l->sig << (64 - shift), l->more};
    if (shift == 64)
        return (Split){0, l->sig, l->more};
    if (shift < 128)
        return (Split){0, l->sig >> (shift - 64), l->more || l->sig << (128 - shift) != 0};
    return (Split){.more = true};
}

static Split split_exact(const Value *v, int32_t place)
{
    /* A whole multiple of 2^(place + 64) needs no arithmetic, however far away it is. */
    int64_t twos = (int64_t)v->exp2 + v->exp10 - place;
    if (v->exp10 >= 0 && twos >= 64 && mpz_cmp_ui(v->den, 1) == 0)
        return (Split){0};
    mpz_t z;
    mpz_init(z);
    Split s = {.more = floor_scaled(z, v, 64 - (int64_t)place)};
    s.fraction = low_word(z);
    mpz_tdiv_q_2exp(z, z, 64);
    s.integer = low_word(z);
    mpz_clear(z);
    return s;
}

Split value_split(const Value *v, const Leading *l, int32_t place, bool whole)
{
    int64_t shift = (int64_t)place - l->exp;
    if (!l->more || shift >= 64 || (shift > 0 && !whole))
        return split_leading(l, shift);
    return split_exact(v, place);
}

/* out = num / den with the sign; takes the limbs, leaves both cleared. */
static void set_fraction(Value *out, bool negative, mpz_t num, mpz_t den)
{
    out->kind = mpz_sgn(num) ? VALUE_FINITE : VALUE_ZERO;
    out->negative = negative;
    out->exp10 = out->exp2 = 0;
    mpz_swap(out->num, num);
    mpz_swap(out->den, den);
    mpz_clear(num);
    mpz_clear(den);
}

/* a without the powers of ten and two that a and b share; borrows the limbs of a. What is left of
 * the exponents is not negative, so that sums of decimals are sums of integers. */
static Value take_out_common(const Value *a, const Value *b)
{
    Value left = *a;
    left.exp10 -= a->exp10 < b->exp10 ? a->exp10 : b->exp10;
    left.exp2 -= a->exp2 < b->exp2 ? a->exp2 : b->exp2;
    return left;
}

void value_add(Value *out, const Value *a, const Value *b)
{
    assert(value_is_finite(a) && value_is_finite(b));
    if (b->kind == VALUE_ZERO || a->kind == VALUE_ZERO) {
        bool negative = a->negative && b->negative;
        value_copy(out, a->kind == VALUE_ZERO ? b : a);
        if (out->kind == VALUE_ZERO)
            out->negative = negative;
        return;
    }
    mpz_t num, den, b_num, b_den;
    mpz_inits(num, den, b_num, b_den, NULL);
    Value at = take_out_common(a, b), b_at = take_out_common(b, a);
    fraction_of(num, den, &at, 0);
    fraction_of(b_num, b_den, &b_at, 0);
    if (a->negative)
        mpz_neg(num, num);
    if (b->negative)
        mpz_neg(b_num, b_num);
    mpz_mul(num, num, b_den);
    mpz_mul(b_num, b_num, den);
    mpz_add(num, num, b_num);
    mpz_mul(den, den, b_den);
    mpz_clears(b_num, b_den, NULL);
    bool negative = mpz_sgn(num) < 0;
    mpz_abs(num, num);
    int32_t tens = a->exp10 - at.exp10, twos = a->exp2 - at.exp2;
    set_fraction(out, negative, num, den);
    out->exp10 = tens;
    out->exp2 = twos;
}

void value_sub(Value *out, const Value *a, const Value *b)
{
    Value minus_b = *b; /* borrows the limbs of b; only the sign is its own */
    minus_b.negative = !b->negative;
    value_add(out, a, &minus_b);
}

void value_mul(Value *out, const Value *a, const Value *b)
{
    assert(value_is_finite(a) && value_is_finite(b));
    bool negative = a->negative != b->negative;
    if (a->kind == VALUE_ZERO || b->kind == VALUE_ZERO) {
        value_set_special(out, VALUE_ZERO, negative);
        return;
    }
    mpz_mul(out->num, a->num, b->num);
    mpz_mul(out->den, a->den, b->den);
    out->kind = VALUE_FINITE;
    out->negative = negative;
    out->exp10 = a->exp10 + b->exp10;
    out->exp2 = a->exp2 + b->exp2;
}

void value_div(Value *out, const Value *a, const Value *b)
{
    assert(value_is_finite(a) && b->kind == VALUE_FINITE);
    bool negative = a->negative != b->negative;
    if (a->kind == VALUE_ZERO) {
        value_set_special(out, VALUE_ZERO, negative);
        return;
    }
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    mpz_mul(num, a->num, b->den);
    mpz_mul(den, a->den, b->num);
    int32_t tens = a->exp10 - b->exp10, twos = a->exp2 - b->exp2;
    set_fraction(out, negative, num, den);
    out->exp10 = tens;
    out->exp2 = twos;
}

int value_cmp_abs(const Value *a, const Value *b)
{
    assert(a->kind != VALUE_NAN && b->kind != VALUE_NAN);
    if (a->kind != b->kind || a->kind != VALUE_FINITE)
        return (a->kind > b->kind) - (a->kind < b->kind);
    int64_t gap = log2_estimate(a) - log2_estimate(b);
    if (gap > 8 || gap < -8)
        return gap > 0 ? 1 : -1;
    mpz_t num, den, b_num, b_den;
    mpz_inits(num, den, b_num, b_den, NULL);
    Value at = take_out_common(a, b), b_at = take_out_common(b, a);
    fraction_of(num, den, &at, 0);
    fraction_of(b_num, b_den, &b_at, 0);
    mpz_mul(num, num, b_den);
    mpz_mul(b_num, b_num, den);
    int order = mpz_cmp(num, b_num);
    mpz_clears(num, den, b_num, b_den, NULL);
    return (order > 0) - (order < 0);
}

int value_cmp(const Value *a, const Value *b)
{
    if (a->kind == VALUE_ZERO && b->kind == VALUE_ZERO)
        return 0;
    bool a_below = a->negative && a->kind != VALUE_ZERO;
    bool b_below = b->negative && b->kind != VALUE_ZERO;
    if (a_below != b_below)
        return a_below ? -1 : 1;
    return a_below ? value_cmp_abs(b, a) : value_cmp_abs(a, b);
}

double value_to_double(const Value *v)
{
    double x = 0.0;
    if (v->kind == VALUE_NAN)
        x = (double)NAN;
    else if (v->kind == VALUE_INF)
        x = (double)INFINITY;
    else if (v->kind == VALUE_FINITE) {
        Leading l = value_leading(v);
        x = ldexp((double)l.sig, l.exp);
    }
    return v->negative ? -x : x;
}
