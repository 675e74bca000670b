#include "num/block.h"

#include <string.h>

const BlockFormat block_table[] = {
    {"mxfp8-e4m3", BLOCK_MX, 32, "e4m3", "e8m0"},
    {"mxfp8-e5m2", BLOCK_MX, 32, "e5m2", "e8m0"},
    {"mxfp6-e3m2", BLOCK_MX, 32, "e3m2", "e8m0"},
    {"mxfp6-e2m3", BLOCK_MX, 32, "e2m3", "e8m0"},
    {"mxfp4", BLOCK_MX, 32, "e2m1", "e8m0"},
    {"mxint8", BLOCK_MX, 32, "mxint8", "e8m0"},
    {"nvfp4", BLOCK_NVFP4, 16, "e2m1", "ue4m3"},
    {"t2", BLOCK_TERNARY, 128, NULL, "fp16"},
    {0},
};

enum { FP32_ONE = 0x3f800000 };
static const Rounding nearest = {0};

const BlockFormat *block_find(const char *name)
{
    for (const BlockFormat *f = block_table; f->name; f++) {
        if (strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

const char *block_hint(const char *name, char out[SUGGEST_TEXT])
{
    Suggest s;
    suggest_begin(&s, name, strlen(name));
    for (const BlockFormat *f = block_table; f->name; f++)
        suggest_offer(&s, f->name);
    return suggest_text(&s, out);
}

const Format *block_element_format(const BlockFormat *f)
{
    return f->element ? format_find(f->element) : &format_ternary;
}

const Format *block_scale_format(const BlockFormat *f)
{
    return format_find(f->scale);
}

bool scale_rule_find(const char *name, ScaleRule *rule)
{
    static const char *const names[] = {"floor", "ceil", "even", "rceil"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *rule = (ScaleRule)i;
            return true;
        }
    }
    return false;
}

/* The largest magnitude; NULL when a value is inf or nan. */
static const Value *largest(const Value *values, size_t count)
{
    const Value *amax = values;
    for (size_t i = 0; i < count; i++) {
        if (!value_is_finite(&values[i]))
            return NULL;
        if (value_cmp_abs(&values[i], amax) > 0)
            amax = &values[i];
    }
    return amax;
}

static bool is_power_of_two(const Leading *l)
{
    return l->sig == UINT64_C(1) << 63 && !l->more;
}

/* log2 of the scale that the rule gives. */
static int32_t mx_exponent(const Format *element, ScaleRule rule, const Value *amax)
{
    Value max;
    value_init(&max);
    format_value(element, format_max_code(element), &max);
    Leading l = value_leading(&max), at = value_leading(amax);
    int32_t exponent = leading_log2(&at) - leading_log2(&l);
    switch (rule) {
    case SCALE_FLOOR:
        break;
    case SCALE_CEIL:
        exponent += !is_power_of_two(&at);
        break;
    case SCALE_EVEN: /* 1.11..1 with m + 1 ones behind the point, or more, rounds up to 2 */
        exponent += ~at.sig >> (62 - element->man_bits) == 0;
        break;
    case SCALE_RCEIL:
        value_div(&max, amax, &max);
        at = value_leading(&max);
        exponent = leading_log2(&at) + !is_power_of_two(&at);
        break;
    }
    value_free(&max);
    return exponent;
}

static uint32_t mx_scale(const Format *element, ScaleRule rule, const Value *amax)
{
    int32_t code = mx_exponent(element, rule, amax) + 127;
    return (uint32_t)(code < 0 ? 0 : code > 0xfe ? 0xfe : code);
}

bool block_tensor_code(const Value *x, uint32_t *code)
{
    Encoded e = format_round(format_find("fp32"), x, &nearest);
    *code = e.code;
    return x->kind == VALUE_FINITE && !x->negative && e.code != 0 && !e.overflow;
}

uint32_t block_tensor_scale(const Value *values, size_t count)
{
    const Value *amax = largest(values, count);
    if (!amax || amax->kind == VALUE_ZERO)
        return FP32_ONE;
    Value scale, range;
    value_init(&scale);
    value_init(&range);
    value_set_binary(&range, false, 448 * 6, 0);
    value_div(&scale, amax, &range);
    scale.negative = false;
    uint32_t code = format_encode(format_find("fp32"), &scale, &nearest);
    value_free(&scale);
    value_free(&range);
    return code ? code : 1; /* the smallest subnormal rather than a scale of zero */
}

/* ue4m3 of amax / 6 / tensor scale */
static uint32_t nvfp4_scale(const Format *element, uint32_t tensor, const Value *amax)
{
    Value scale, by;
    value_init(&scale);
    value_init(&by);
    format_value(element, format_max_code(element), &by);
    value_div(&scale, amax, &by);
    format_value(format_find("fp32"), tensor, &by);
    value_div(&scale, &scale, &by);
    scale.negative = false;
    uint32_t code = format_encode(format_find("ue4m3"), &scale, &nearest);
    value_free(&scale);
    value_free(&by);
    return code;
}

static uint32_t scale_code(const Block *b, const BlockOptions *options, const Value *amax)
{
    const Format *scale = block_scale_format(b->format);
    if (!amax)
        return scale->nan_code;
    if (amax->kind == VALUE_ZERO)
        return 0;
    if (b->format->kind == BLOCK_MX)
        return mx_scale(block_element_format(b->format), options->rule, amax);
    if (b->format->kind == BLOCK_NVFP4)
        return nvfp4_scale(block_element_format(b->format), b->tensor, amax);
    Value magnitude = *amax; /* borrows the limbs */
    magnitude.negative = false;
    return format_encode(scale, &magnitude, &nearest);
}

/* What an element is multiplied by: scale, times the tensor scale. */
static void full_scale(const Block *b, Value *scale)
{
    Value tensor;
    value_init(&tensor);
    format_value(block_scale_format(b->format), b->scale, scale);
    if (scale->kind == VALUE_FINITE && b->tensor != FP32_ONE) {
        format_value(format_find("fp32"), b->tensor, &tensor);
        value_mul(scale, scale, &tensor);
    }
    value_free(&tensor);
}

static float to_float(const Value *v)
{
    const Rounding ieee = {.overflow = OVERFLOW_IEEE};
    uint32_t bits = format_encode(format_find("fp32"), v, &ieee);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* v * (1 / scale) with a kernel's three fp32 roundings: the reason this is written with floats. */
static void multiply_reciprocal(Value *quotient, const Value *v, const Value *scale)
{
    float product = to_float(v) * (1.0F / to_float(scale));
    uint32_t bits;
    memcpy(&bits, &product, sizeof bits);
    format_value(format_find("fp32"), bits, quotient);
}

static void element_quotient(Value *quotient, const Value *v, const Value *scale, bool reciprocal)
{
    if (scale->kind == VALUE_NAN || v->kind == VALUE_NAN)
        value_set_special(quotient, VALUE_NAN, false);
    else if (scale->kind == VALUE_ZERO || v->kind != VALUE_FINITE)
        value_set_special(quotient, v->kind == VALUE_INF ? VALUE_INF : VALUE_ZERO, v->negative);
    else if (reciprocal)
        multiply_reciprocal(quotient, v, scale);
    else
        value_div(quotient, v, scale);
}

bool block_encode(const BlockFormat *f, const BlockOptions *options, const Value *values,
                  size_t count, Block *out, Err *err)
{
    if (count == 0 || count > f->size)
        return err_set(err, "%s: a block has 1 to %d values, not %zu", f->name, f->size, count);
    const Format *element = block_element_format(f);
    *out = (Block){.format = f, .count = (uint8_t)count};
    out->tensor = f->kind == BLOCK_NVFP4 && options->tensor ? options->tensor : FP32_ONE;
    out->scale = scale_code(out, options, largest(values, count));
    Value scale, quotient;
    value_init(&scale);
    value_init(&quotient);
    full_scale(out, &scale);
    for (size_t i = 0; i < count; i++) {
        element_quotient(&quotient, &values[i], &scale, options->reciprocal);
        Encoded e = format_round(element, &quotient, &nearest);
        out->code[i] = e.code;
        out->clamped[i] = e.overflow;
    }
    value_free(&scale);
    value_free(&quotient);
    return true;
}

void block_value(const Block *b, size_t i, Value *v)
{
    Value scale;
    value_init(&scale);
    full_scale(b, &scale);
    format_value(block_element_format(b->format), b->code[i], v);
    if (!value_is_finite(&scale))
        value_set_special(v, VALUE_NAN, false);
    else if (value_is_finite(v))
        value_mul(v, v, &scale);
    value_free(&scale);
}
