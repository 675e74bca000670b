#include "num/measure.h"

void interval_init(Interval *i)
{
    value_init(&i->low);
    value_init(&i->high);
}

void interval_free(Interval *i)
{
    value_free(&i->low);
    value_free(&i->high);
}

void value_error(Value *error, const Value *stored, const Value *v)
{
    int32_t log2 = 0;
    if (v->kind == VALUE_FINITE) {
        Leading l = value_leading(v);
        log2 = leading_log2(&l);
    }
    if (log2 > VALUE_FAR || (log2 < -VALUE_FAR && stored->kind == VALUE_ZERO)) {
        value_copy(error, v);
        error->negative = !v->negative;
    } else if (log2 < -VALUE_FAR) {
        value_copy(error, stored);
    } else {
        value_sub(error, stored, v);
    }
}

bool format_error(const Format *f, uint32_t code, const Value *v, Value *error, Value *relative)
{
    format_value(f, code, relative);
    if (!value_is_finite(v) || !value_is_finite(relative))
        return false;
    value_error(error, relative, v);
    if (error->kind == VALUE_ZERO) {
        value_set_special(error, VALUE_ZERO, false);
        value_set_special(relative, VALUE_ZERO, false);
    } else if (v->kind == VALUE_ZERO) {
        value_set_special(relative, VALUE_NAN, false);
    } else {
        value_div(relative, error, v);
    }
    return true;
}

void value_midpoint(Value *out, const Value *a, const Value *b)
{
    value_add(out, a, b);
    out->exp2--;
}

/* The end of the interval of `code` toward step: half-way to the next value, or where the format
 * ends half an ulp further on, or inf where everything beyond comes back. */
static void interval_end(const Format *f, uint32_t code, int step, bool clamps, Value *end)
{
    uint32_t next;
    Value here;
    value_init(&here);
    format_value(f, code, &here);
    bool last = !format_step(f, code, step, &next) || format_class(f, next) == CLASS_INF;
    if (!last) {
        format_value(f, next, end);
        value_midpoint(end, end, &here);
    } else if (step < 0 && !f->is_signed) {
        value_set_special(end, VALUE_ZERO, false);
    } else if (clamps) {
        value_set_special(end, VALUE_INF, step < 0);
    } else {
        Value ulp;
        value_init(&ulp);
        format_ulp(f, code, &ulp);
        ulp.negative = step < 0;
        ulp.exp2--;
        value_add(end, &here, &ulp);
        value_free(&ulp);
    }
    value_free(&here);
}

bool format_interval(const Format *f, uint32_t code, Overflow overflow, Interval *out)
{
    CodeClass c = format_class(f, code);
    if (c == CLASS_INF || c == CLASS_NAN)
        return false;
    bool clamps = overflow == OVERFLOW_SATURATE ||
                  (f->kind == FORMAT_FLOAT && f->nan_rule == NAN_NONE) || f->kind == FORMAT_TERNARY;
    interval_end(f, code, -1, clamps, &out->low);
    interval_end(f, code, 1, clamps, &out->high);
    int64_t rank = 0;
    format_rank(f, code, &rank);
    bool even = rank % 2 == 0;
    bool at_zero = out->low.kind == VALUE_ZERO;
    out->low_closed = f->no_zero ? !at_zero : even;
    out->high_closed = !f->no_zero && even;
    out->low_closed = out->low_closed && out->low.kind != VALUE_INF;
    out->high_closed = out->high_closed && out->high.kind != VALUE_INF;
    return true;
}

/* relative = (b - a) / divisor */
static void gap_over(Value *relative, const Value *a, const Value *b, const Value *divisor)
{
    value_sub(relative, b, a);
    value_div(relative, relative, divisor);
}

void format_worst_error(const Format *f, int log2, Value *relative)
{
    Value low, high, max, code_low, code_high;
    value_init(&low);
    value_init(&high);
    value_init(&max);
    value_init(&code_low);
    value_init(&code_high);
    value_set_binary(&low, false, 1, log2);
    value_set_binary(&high, false, 1, log2 + 1);
    format_value(f, format_max_code(f), &max);
    value_set_special(relative, VALUE_ZERO, false);

    const Rounding down = {.mode = ROUND_DOWN};
    uint32_t below = format_encode(f, &low, &down), above;
    bool inside = format_step(f, below, 1, &above) && format_class(f, above) != CLASS_INF;
    if (inside) { /* the error grows up to the first tie and is smaller, relative to v, after it */
        format_value(f, below, &code_low);
        format_value(f, above, &code_high);
        value_midpoint(&code_high, &code_low, &code_high);
        /* below e8m0's first code all goes up, below half of the others' first all goes down */
        const Value *worst = value_cmp(&code_low, &low) > 0     ? &low
                             : value_cmp(&code_high, &high) > 0 ? &high
                                                                : &code_high;
        gap_over(relative, &code_low, worst, worst);
        relative->negative = false;
    }
    if (value_cmp(&max, &high) < 0) {
        gap_over(&code_low, &max, &high, &high);
        if (value_cmp(&code_low, relative) > 0)
            value_copy(relative, &code_low);
    }
    value_free(&low);
    value_free(&high);
    value_free(&max);
    value_free(&code_low);
    value_free(&code_high);
}

/* A format has no holes but those of its grid: bits of a significand, smallest step, largest. */
bool format_holds(const Format *via, const Format *f)
{
    int via_bits = via->kind == FORMAT_FLOAT ? via->man_bits + 1 : via->bits - 1;
    int bits = f->kind == FORMAT_FLOAT ? f->man_bits + 1 : f->bits - 1;
    Value mine, theirs;
    value_init(&mine);
    value_init(&theirs);
    format_ulp(f, f->no_zero ? 0 : 1, &mine);
    format_ulp(via, via->no_zero ? 0 : 1, &theirs);
    bool holds = bits <= via_bits && value_cmp(&theirs, &mine) <= 0;
    format_value(f, format_max_code(f), &mine);
    format_value(via, format_max_code(via), &theirs);
    holds = holds && value_cmp(&mine, &theirs) <= 0;
    value_free(&mine);
    value_free(&theirs);
    return holds;
}

bool format_rounds_twice(const Format *f, const Format *via, const Value *v,
                         const Rounding *rounding, uint32_t *once, uint32_t *twice)
{
    *once = format_encode(f, v, rounding);
    Value middle;
    value_init(&middle);
    format_value(via, format_encode(via, v, rounding), &middle);
    *twice = format_encode(f, &middle, rounding);
    value_free(&middle);
    return *once != *twice;
}
