#include "cli/fmt_json.h"

#include <string.h>

#include "cli/t2_json.h"
#include "num/measure.h"
#include "num/opinion.h"

static json_t *code_of(const Format *f, uint32_t code)
{
    return t2_json_hex(code, format_digits(f));
}

static json_t *value_of(const Format *f, uint32_t code)
{
    return t2_json_number(format_to_double(f, code));
}

static json_t *number_of(const Value *v)
{
    return t2_json_number(value_to_double(v));
}

static json_t *bits_of(const Format *f, uint32_t code)
{
    Buf b = {0};
    format_print_fields(&b, f, code);
    json_t *text = json_string(buf_str(&b));
    buf_free(&b);
    return text;
}

/* The value before or behind a code; null at the end. */
static json_t *neighbour(const Format *f, uint32_t code, int step)
{
    uint32_t next;
    return format_step(f, code, step, &next) ? value_of(f, next) : json_null();
}

static void set_errors(json_t *row, const Format *f, uint32_t code, const Value *v)
{
    Value error, relative;
    value_init(&error);
    value_init(&relative);
    bool known = format_error(f, code, v, &error, &relative);
    json_object_set_new(row, "error", known ? number_of(&error) : json_null());
    json_object_set_new(row, "relative",
                        known && relative.kind != VALUE_NAN ? number_of(&relative) : json_null());
    value_free(&error);
    value_free(&relative);
}

/* What named tools store instead: code null where they refuse. */
static json_t *opinions(const Format *f, const Value *v, uint32_t code, Overflow overflow)
{
    json_t *all = json_array();
    Opinion o;
    for (size_t cursor = 0; opinion_next(f, v, code, overflow, &cursor, &o);)
        json_array_append_new(all, json_pack("{s:s, s:o}", "tool", o.tool, "code",
                                             o.refuses ? json_null() : code_of(f, o.code)));
    return all;
}

/* Where rounding through a wider format first gives another code. */
static json_t *twice(const Format *f, const Value *v, const Rounding *rounding)
{
    static const char *const vias[] = {"fp32", "fp16"};
    json_t *all = json_array();
    for (size_t i = 0; rounding->mode != ROUND_STOCHASTIC && i < 2; i++) {
        const Format *via = format_find(vias[i]);
        uint32_t once, both;
        if (f != via && format_holds(via, f) &&
            format_rounds_twice(f, via, v, rounding, &once, &both))
            json_array_append_new(
                all, json_pack("{s:s, s:o}", "through", vias[i], "code", code_of(f, both)));
    }
    return all;
}

static json_t *stored(const Format *f, const Value *v, const Rounding *rounding)
{
    Encoded e = format_round(f, v, rounding);
    json_t *row = json_pack("{s:s, s:o, s:o, s:o, s:s, s:b, s:b, s:b}", "format", f->name, "code",
                            code_of(f, e.code), "bits", bits_of(f, e.code), "value",
                            value_of(f, e.code), "class", class_name(format_class(f, e.code)),
                            "exact", e.exact, "tie", e.tie, "overflow", e.overflow);
    set_errors(row, f, e.code, v);
    json_object_set_new(row, "below", neighbour(f, e.code, -1));
    json_object_set_new(row, "above", neighbour(f, e.code, 1));
    json_object_set_new(row, "opinions", opinions(f, v, e.code, rounding->overflow));
    json_object_set_new(row, "twice", twice(f, v, rounding));
    return row;
}

json_t *fmt_json_value(const char *typed, const Value *v, const Rounding *rounding)
{
    json_t *rows = json_array();
    for (const Format *f = format_table; f->name; f++) {
        if (strcmp(f->name, "fp32") != 0) /* the width other tools start from */
            json_array_append_new(rows, stored(f, v, rounding));
    }
    return json_pack("{s:o, s:o, s:o}", "typed", t2_json_text(typed), "value", number_of(v),
                     "formats", rows);
}

/* What rounds to the nearest code: low, high, and whether the ends belong to it. */
static json_t *interval_of(const Format *f, uint32_t code)
{
    Interval i;
    interval_init(&i);
    json_t *range = json_null();
    if (format_interval(f, code, OVERFLOW_IEEE, &i))
        range = json_pack("{s:o, s:b, s:o, s:b}", "low", number_of(&i.low), "low_closed",
                          i.low_closed, "high", number_of(&i.high), "high_closed", i.high_closed);
    interval_free(&i);
    return range;
}

static json_t *readings(const Format *f, uint32_t code)
{
    json_t *all = json_array();
    for (const Format *g = format_table; g->name; g++) {
        if (g != f && g->bits == f->bits)
            json_array_append_new(
                all, json_pack("{s:s, s:o}", "format", g->name, "value", value_of(g, code)));
    }
    return all;
}

json_t *fmt_json_code(const Format *f, uint32_t code)
{
    Value ulp;
    value_init(&ulp);
    bool known = format_ulp(f, code, &ulp);
    json_t *doc = json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "format", f->name, "code",
        code_of(f, code), "summary", f->summary, "bits", bits_of(f, code), "value",
        value_of(f, code), "class", class_name(format_class(f, code)), "ulp",
        known ? number_of(&ulp) : json_null(), "below", neighbour(f, code, -1), "above",
        neighbour(f, code, 1), "nearest", interval_of(f, code), "read_as", readings(f, code));
    value_free(&ulp);
    return doc;
}

json_t *fmt_json_codes(const Format *f)
{
    json_t *all = json_array();
    for (uint32_t code = 0; code < UINT32_C(1) << f->bits; code++)
        json_array_append_new(
            all, json_pack("{s:o, s:o}", "code", code_of(f, code), "value", value_of(f, code)));
    return json_pack("{s:s, s:o}", "format", f->name, "codes", all);
}

json_t *fmt_json_encoded(const char *typed, const Format *f, uint32_t code)
{
    return json_pack("{s:o, s:o}", "typed", t2_json_text(typed), "code", code_of(f, code));
}

static json_t *element(const Block *b, size_t i)
{
    Value v;
    value_init(&v);
    block_value(b, i, &v);
    json_t *e =
        json_pack("{s:o, s:o}", "code", code_of(block_element_format(b->format), b->code[i]),
                  "value", number_of(&v));
    value_free(&v);
    return e;
}

static json_t *error_of(const Block *b, size_t i, const Value *v)
{
    Value stored_value, error;
    value_init(&stored_value);
    value_init(&error);
    block_value(b, i, &stored_value);
    bool known = value_is_finite(&stored_value) && value_is_finite(v);
    if (known)
        value_error(&error, &stored_value, v);
    json_t *number = known ? number_of(&error) : json_null();
    value_free(&stored_value);
    value_free(&error);
    return number;
}

json_t *fmt_json_block(const Block *block, const Block *divided, const Value *values)
{
    const Format *scale = block_scale_format(block->format);
    json_t *all = json_array();
    for (size_t i = 0; i < block->count; i++) {
        json_t *e = element(block, i);
        json_object_set_new(e, "error", error_of(block, i, &values[i]));
        if (divided->code[i] != block->code[i])
            json_object_set_new(e, "exact", element(divided, i));
        json_array_append_new(all, e);
    }
    return json_pack("{s:s, s:{s:o, s:o}, s:o, s:o}", "block", block->format->name, "scale", "code",
                     code_of(scale, block->scale), "value", value_of(scale, block->scale),
                     "tensor_scale", value_of(format_find("fp32"), block->tensor), "elements", all);
}
