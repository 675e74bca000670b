#include "num/encode.h"

#include <string.h>

#define HALF (UINT64_C(1) << 63)

uint64_t random_next(Random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int name_index(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

bool round_mode_find(const char *name, RoundMode *mode)
{
    static const char *const names[] = {"ne", "away", "tz", "up", "down", "stochastic", NULL};
    int i = name_index(names, name);
    *mode = (RoundMode)(i < 0 ? 0 : i);
    return i >= 0;
}

bool overflow_find(const char *name, Overflow *overflow)
{
    static const char *const names[] = {"saturate", "ieee", "wrap", NULL};
    int i = name_index(names, name);
    *overflow = (Overflow)(i < 0 ? 0 : i);
    return i >= 0;
}

/* Is a random number in [0, 1) below the fraction of |v| / 2^place? Drawn word by word until the
 * two differ, so the probability is the fraction itself, however many bits it has. */
static bool random_is_below(const Value *v, const Leading *l, int32_t place, Random *random)
{
    for (;; place -= 64) {
        Split s = value_split(v, l, place, true);
        uint64_t drawn = random_next(random);
        if (drawn != s.fraction)
            return drawn < s.fraction;
        if (!s.more)
            return false;
    }
}

/* |v| / 2^place, the low 64 bits of its integer part, and whether it rounds up from there. */
typedef struct Rounded {
    uint64_t cut;
    bool up;
} Rounded;

static Rounded round_at(const Format *f, const Value *v, const Leading *l, int32_t place,
                        const Rounding *rounding, Encoded *out)
{
    /* Only wrapping can see an integer part that does not fit its word. */
    bool whole = leading_log2(l) - place > 62 && rounding->overflow != OVERFLOW_SATURATE;
    Split s = value_split(v, l, place, whole);
    bool inexact = s.fraction != 0 || s.more;
    bool up = false;
    out->exact = !inexact;
    out->tie = s.fraction == HALF && !s.more;
    switch (rounding->mode) {
    case ROUND_NE:
        up = s.fraction >= HALF && (!out->tie || f->no_zero || (s.integer & 1));
        break;
    case ROUND_AWAY:
        up = s.fraction >= HALF;
        break;
    case ROUND_TZ:
        break;
    case ROUND_UP:
        up = inexact && !v->negative;
        break;
    case ROUND_DOWN:
        up = inexact && v->negative;
        break;
    case ROUND_STOCHASTIC:
        up = inexact && random_is_below(v, l, place, rounding->random);
        break;
    }
    return (Rounded){s.integer, up};
}

/* ---- fixed point ---- */

static uint32_t fixed_code(const Format *f, int64_t n)
{
    if (f->kind == FORMAT_TERNARY)
        return (uint32_t)(n + 1);
    return (uint32_t)n & (uint32_t)((UINT64_C(1) << f->bits) - 1);
}

static int64_t fixed_limit(const Format *f, bool negative)
{
    if (f->kind == FORMAT_TERNARY)
        return negative ? -1 : 1;
    int64_t max = format_max_code(f);
    return negative ? -max - 1 : max;
}

static void encode_fixed(const Format *f, const Value *v, const Rounding *rounding, Encoded *out)
{
    int64_t limit = fixed_limit(f, v->negative);
    Leading l = value_leading(v);
    Rounded r = round_at(f, v, &l, -f->man_bits, rounding, out);
    uint64_t magnitude = r.cut + r.up;
    bool wide = leading_log2(&l) + f->man_bits > 62;
    uint64_t room = (uint64_t)(v->negative ? -limit : limit);
    out->overflow = wide || magnitude > room;
    if (!out->overflow || (rounding->overflow != OVERFLOW_SATURATE && f->kind == FORMAT_FIXED))
        out->code = fixed_code(f, (int64_t)(v->negative ? 0 - magnitude : magnitude));
    else
        out->code = fixed_code(f, limit);
    out->exact = out->exact && !out->overflow;
    out->tie = out->tie && !wide && r.cut <= room;
}

/* ---- floating point ---- */

static uint32_t with_sign(const Format *f, uint32_t magnitude, bool negative)
{
    return magnitude | (uint32_t)(f->is_signed && negative) << (f->bits - 1);
}

/* What stands for a magnitude beyond the range when it does not saturate. */
static uint32_t beyond_code(const Format *f, bool negative)
{
    uint32_t inf;
    if (format_inf_code(f, &inf))
        return with_sign(f, inf, negative);
    return f->nan_rule == NAN_NEGATIVE_ZERO ? f->nan_code : with_sign(f, f->nan_code, negative);
}

static void overflow_float(const Format *f, bool negative, const Rounding *rounding, Encoded *out)
{
    bool clamps = rounding->overflow == OVERFLOW_SATURATE || f->nan_rule == NAN_NONE;
    out->code = clamps ? with_sign(f, format_max_code(f), negative) : beyond_code(f, negative);
    out->overflow = true;
    out->exact = false;
}

static void encode_zero(const Format *f, const Value *v, const Rounding *rounding, Encoded *out)
{
    if (f->no_zero) {
        out->code = rounding->overflow == OVERFLOW_SATURATE ? 0 : f->nan_code;
        out->overflow = true;
        return;
    }
    bool keeps_sign = v->negative && f->kind == FORMAT_FLOAT && f->nan_rule != NAN_NEGATIVE_ZERO;
    out->exact = true;
    out->code = f->kind == FORMAT_FLOAT ? with_sign(f, 0, keeps_sign) : fixed_code(f, 0);
}

static void encode_inf(const Format *f, bool negative, const Rounding *rounding, Encoded *out)
{
    uint32_t inf;
    if (f->kind != FORMAT_FLOAT) { /* clamps even where finite values wrap */
        out->code = fixed_code(f, fixed_limit(f, negative));
        out->overflow = true;
    } else if (format_inf_code(f, &inf) && rounding->overflow != OVERFLOW_SATURATE) {
        out->code = with_sign(f, inf, negative);
        out->exact = true;
    } else {
        overflow_float(f, negative, rounding, out);
    }
}

static void encode_float(const Format *f, const Value *v, const Rounding *rounding, Encoded *out)
{
    Leading l = value_leading(v);
    int32_t exp = leading_log2(&l), exp_min = (f->no_zero ? 0 : 1) - f->bias;
    if (exp < exp_min) {
        if (f->no_zero) { /* below 2^-127 there is nothing to round to */
            out->overflow = true;
            return;
        }
        exp = exp_min;
    }
    Rounded r = round_at(f, v, &l, exp - f->man_bits, rounding, out);
    /* The implied bit of a normal number counts into the exponent field, and so does a carry. */
    uint64_t below = (uint64_t)(exp + f->bias - (f->no_zero ? 0 : 1)) << f->man_bits;
    uint64_t cut = below + r.cut - f->no_zero, magnitude = cut + r.up;
    uint32_t max = format_max_code(f);
    out->tie = out->tie && cut <= max;
    if (magnitude <= max) {
        bool fnuz_zero = magnitude == 0 && f->nan_rule == NAN_NEGATIVE_ZERO;
        out->code = with_sign(f, (uint32_t)magnitude, v->negative && !fnuz_zero);
        return;
    }
    overflow_float(f, v->negative, rounding, out);
    bool toward_zero =
        rounding->mode == ROUND_TZ || rounding->mode == (v->negative ? ROUND_UP : ROUND_DOWN);
    if (toward_zero) /* IEEE 754 7.4 */
        out->code = with_sign(f, max, v->negative);
}

Encoded format_round(const Format *f, const Value *v, const Rounding *rounding)
{
    Encoded out = {0};
    if (v->kind == VALUE_NAN) {
        out.code = f->nan_code;
        out.exact = f->nan_rule != NAN_NONE;
    } else if (v->negative && !f->is_signed) { /* e8m0 and ue4m3 take even -0 for out of range */
        out.code = rounding->overflow == OVERFLOW_SATURATE ? 0 : f->nan_code;
        out.overflow = true;
    } else if (v->kind == VALUE_ZERO) {
        encode_zero(f, v, rounding, &out);
    } else if (v->kind == VALUE_INF) {
        encode_inf(f, v->negative, rounding, &out);
    } else if (f->kind == FORMAT_FLOAT) {
        encode_float(f, v, rounding, &out);
    } else {
        encode_fixed(f, v, rounding, &out);
    }
    return out;
}
