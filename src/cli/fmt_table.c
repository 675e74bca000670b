#include "cli/fmt_table.h"

#include <string.h>

#include "base/printable.h"
#include "num/measure.h"
#include "num/opinion.h"
#include "num/text.h"

/* fp32 is the width other tools start from, not one of the formats compared. */
static bool is_compared(const Format *f)
{
    return strcmp(f->name, "fp32") != 0;
}

/* Blanks up to a column of the line; one at least, so that a wide cell never touches the next. */
static void pad_to(Buf *b, size_t line, size_t column)
{
    do
        buf_text(b, " ");
    while (b->len - line < column);
}

static void end_line(Buf *b)
{
    while (b->len > 0 && b->data[b->len - 1] == ' ')
        b->data[--b->len] = '\0';
    buf_text(b, "\n");
}

static void print_value_of(Buf *b, const Format *f, uint32_t code, size_t width)
{
    Value v;
    value_init(&v);
    format_value(f, code, &v);
    value_print_short(b, &v, width);
    value_free(&v);
}

static void print_neighbour(Buf *b, const Format *f, uint32_t code, int step, size_t width)
{
    uint32_t next;
    if (format_step(f, code, step, &next))
        print_value_of(b, f, next, width);
    else
        buf_text(b, "-");
}

static void print_class(Buf *b, const Format *f, const Value *v, const Encoded *e,
                        Overflow overflow)
{
    CodeClass c = format_class(f, e->code);
    buf_text(b, class_name(c));
    if (v->kind == VALUE_NAN && c != CLASS_NAN)
        buf_text(b, " no nan");
    if (e->tie)
        buf_text(b, " tie");
    if (e->overflow && c != CLASS_NAN && c != CLASS_INF)
        buf_text(b, f->kind == FORMAT_FIXED && overflow != OVERFLOW_SATURATE && v->kind != VALUE_INF
                        ? " wrapped"
                        : " saturated");
}

static void stored_rows(Buf *b, const Value *v, const Rounding *rounding, const Encoded *encoded)
{
    buf_text(b, "format    hex    bits                   value                   class\n");
    const Encoded *e = encoded;
    for (const Format *f = format_table; f->name; f++, e++) {
        if (!is_compared(f))
            continue;
        size_t line = b->len;
        buf_text(b, f->name);
        pad_to(b, line, 10);
        format_print_code(b, f, e->code);
        pad_to(b, line, 17);
        format_print_fields(b, f, e->code);
        pad_to(b, line, 40);
        print_value_of(b, f, e->code, 22);
        pad_to(b, line, 64);
        print_class(b, f, v, e, rounding->overflow);
        end_line(b);
    }
}

static void print_errors(Buf *b, size_t line, const Format *f, uint32_t code, const Value *v)
{
    Value error, relative, hundred;
    value_init(&error);
    value_init(&relative);
    value_init(&hundred);
    value_set_binary(&hundred, false, 100, 0);
    if (format_error(f, code, v, &error, &relative)) {
        value_print_short(b, &error, 14);
        pad_to(b, line, 26);
        if (relative.kind == VALUE_NAN) {
            buf_text(b, "-");
        } else {
            value_mul(&relative, &relative, &hundred);
            value_print_rounded(b, &relative, 3);
            buf_text(b, " %");
        }
    } else {
        buf_text(b, "-");
        pad_to(b, line, 26);
        buf_text(b, "-");
    }
    value_free(&error);
    value_free(&relative);
    value_free(&hundred);
}

static void error_rows(Buf *b, const Value *v, const Rounding *rounding, const Encoded *encoded)
{
    bool saturates = rounding->overflow == OVERFLOW_SATURATE;
    Rounding other = *rounding;
    other.overflow = saturates ? OVERFLOW_IEEE : OVERFLOW_SATURATE;
    buf_printf(b, "\nformat    error           relative     below           above           %s\n",
               saturates ? "ieee" : "saturate");
    const Encoded *e = encoded;
    for (const Format *f = format_table; f->name; f++, e++) {
        if (!is_compared(f))
            continue;
        size_t line = b->len;
        buf_text(b, f->name);
        pad_to(b, line, 10);
        print_errors(b, line, f, e->code, v);
        pad_to(b, line, 39);
        print_neighbour(b, f, e->code, -1, 14);
        pad_to(b, line, 55);
        print_neighbour(b, f, e->code, 1, 14);
        pad_to(b, line, 71);
        if (e->overflow || v->kind == VALUE_INF)
            format_print_code(b, f, format_encode(f, v, &other));
        end_line(b);
    }
}

static void code_and_value(Buf *b, size_t line, const Format *f, uint32_t code)
{
    buf_text(b, f->name);
    pad_to(b, line, 10);
    format_print_code(b, f, code);
    pad_to(b, line, 17);
    print_value_of(b, f, code, 22);
}

static void opinion_rows(Buf *b, const Value *v, Overflow overflow, const Encoded *encoded)
{
    bool headed = false;
    const Encoded *e = encoded;
    for (const Format *f = format_table; f->name; f++, e++) {
        Opinion o, last = {0};
        for (size_t cursor = 0; opinion_next(f, v, e->code, overflow, &cursor, &o); last = o) {
            if (!headed)
                buf_text(b, "\nwho disagrees\n");
            headed = true;
            size_t line = b->len;
            if (o.refuses)
                buf_printf(b, "%-9s -      refuses", f->name);
            else if (!last.tool || last.refuses || last.code != o.code)
                code_and_value(b, line, f, o.code);
            pad_to(b, line, 40);
            buf_text(b, o.tool);
            end_line(b);
        }
    }
}

static void twice_rows(Buf *b, const Value *v, const Rounding *rounding)
{
    static const char *const vias[] = {"fp32", "fp16"};
    bool headed = false;
    if (rounding->mode == ROUND_STOCHASTIC)
        return;
    for (size_t i = 0; i < sizeof vias / sizeof *vias; i++) {
        const Format *via = format_find(vias[i]);
        for (const Format *f = format_table; f->name; f++) {
            uint32_t once, twice;
            if (f == via || !format_holds(via, f) ||
                !format_rounds_twice(f, via, v, rounding, &once, &twice))
                continue;
            if (!headed)
                buf_text(b, "\nrounded twice\n");
            headed = true;
            size_t line = b->len;
            code_and_value(b, line, f, twice);
            pad_to(b, line, 40);
            buf_printf(b, "through %s; once gives ", vias[i]);
            format_print_code(b, f, once);
            end_line(b);
        }
    }
}

/* OCP leaves directed rounding beyond the range open; IEEE 754 7.4 is what happens here. */
static void directed_note(Buf *b, const Rounding *rounding, const Encoded *encoded)
{
    if (rounding->mode != ROUND_TZ && rounding->mode != ROUND_UP && rounding->mode != ROUND_DOWN)
        return;
    const Encoded *e = encoded;
    for (const Format *f = format_table; f->name; f++, e++) {
        if (e->overflow && (strcmp(f->name, "e4m3") == 0 || strcmp(f->name, "e5m2") == 0))
            buf_printf(b, "\n%s: overflow in a directed mode is unspecified by OCP; IEEE 754 7.4\n",
                       f->name);
    }
}

void fmt_table_value(Buf *b, const char *typed, const Value *v, const Rounding *rounding)
{
    Encoded encoded[FORMAT_COUNT] = {0};
    size_t n = 0;
    for (const Format *f = format_table; f->name; f++)
        encoded[n++] = format_round(f, v, rounding);
    buf_printf(b, "value %.*s%s", HEAD(typed, 60), strlen(typed) > 60 ? "..." : "");
    if (strncmp(typed, "bits32:", 7) == 0 || strpbrk(typed, "xX/")) {
        buf_text(b, " = ");
        value_print_short(b, v, 50);
    }
    buf_text(b, "\n\n");
    stored_rows(b, v, rounding, encoded);
    error_rows(b, v, rounding, encoded);
    opinion_rows(b, v, rounding->overflow, encoded);
    twice_rows(b, v, rounding);
    directed_note(b, rounding, encoded);
}

static void print_interval(Buf *b, const Format *f, uint32_t code)
{
    Interval i;
    interval_init(&i);
    if (format_interval(f, code, OVERFLOW_IEEE, &i)) {
        buf_printf(b, "nearest  %s", i.low_closed ? "[" : "(");
        value_print_short(b, &i.low, 30);
        buf_text(b, ", ");
        value_print_short(b, &i.high, 30);
        buf_printf(b, "%s rounds here\n", i.high_closed ? "]" : ")");
    }
    interval_free(&i);
}

static void print_readings(Buf *b, const Format *f, uint32_t code)
{
    bool headed = false;
    for (const Format *g = format_table; g->name; g++) {
        if (g == f || g->bits != f->bits)
            continue;
        buf_text(b, headed ? "         " : "read as  ");
        headed = true;
        size_t line = b->len;
        buf_text(b, g->name);
        pad_to(b, line, 10);
        print_value_of(b, g, code, 40);
        buf_text(b, "\n");
    }
}

void fmt_table_code(Buf *b, const Format *f, uint32_t code)
{
    Value v;
    value_init(&v);
    format_value(f, code, &v);
    buf_printf(b, "%s 0x", f->name);
    format_print_code(b, f, code);
    buf_printf(b, "  %s\nbits     ", f->summary);
    format_print_fields(b, f, code);
    buf_text(b, "\nvalue    ");
    value_print(b, &v);
    buf_printf(b, "\nclass    %s\n", class_name(format_class(f, code)));
    if (format_ulp(f, code, &v)) {
        buf_text(b, "ulp      ");
        value_print_short(b, &v, 60);
        buf_text(b, "\n");
    }
    buf_text(b, "below    ");
    print_neighbour(b, f, code, -1, 60);
    buf_text(b, "\nabove    ");
    print_neighbour(b, f, code, 1, 60);
    buf_text(b, "\n");
    print_interval(b, f, code);
    print_readings(b, f, code);
    value_free(&v);
}
