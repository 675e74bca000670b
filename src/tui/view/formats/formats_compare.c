/* Two formats side by side: range and step of each, which is finer in which binade, and how they
 * read one another's codes.
 *
 *   e4m3  largest 448    least 0.001953125   step at 1 0.125     here 192 (-4 %)
 *   fp16  largest 65504  least 2^-24         step at 1 2^-10     here 200 (exact)
 *   2^-26 ▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼◆▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼▼ 2^18
 *   ▲ e4m3 is finer   ▼ fp16 is finer   = the same   ░ both lose it
 */
#include <math.h>
#include <stdio.h>

#include "num/measure.h"
#include "num/text.h"
#include "tui/view/formats/formats.h"

/* A number that is short as a decimal, or a power of two. */
static void short_text(const Value *v, char out[TEXT_SIZE])
{
    formats_text(v, 14, out);
    if (v->kind != VALUE_FINITE || (out[0] != '~' && text_width(out) <= 9))
        return;
    Leading l = value_leading(v);
    if (l.sig == UINT64_C(1) << 63 && !l.more) {
        snprintf(out, TEXT_SIZE, "2^%d", leading_log2(&l));
    } else if (out[0] == '~') {
        Buf b = {0};
        value_print_rounded(&b, v, 4);
        snprintf(out, TEXT_SIZE, "~%s", buf_str(&b));
        buf_free(&b);
    }
}

static int labelled(Canvas *c, int y, int x, const char *label, int width, const char *text)
{
    x = canvas_text(c, y, x, ROLE_DIM, label);
    return canvas_field(c, y, x + 1, width, ROLE_TEXT, text) + 1;
}

static void draw_facts(const Formats *f, Canvas *c, int y, int x, Role role, const Format *format)
{
    char text[TEXT_SIZE], relative[TEXT_SIZE];
    Value v, share;
    value_init(&v);
    value_init(&share);
    x = canvas_field(c, y, x, 9, role, format->name);
    format_value(format, format_max_code(format), &v);
    short_text(&v, text);
    x = labelled(c, y, x, "max", 13, text);
    format_value(format, format->no_zero ? 0 : 1, &v);
    short_text(&v, text);
    x = labelled(c, y, x, "least", 11, text);
    const Encoded *e = formats_encoded(f, format);
    formats_code_text(format, e->code, 14, text);
    x = canvas_text(c, y, x, ROLE_DIM, "here ");
    x = canvas_text(c, y, x, ROLE_TEXT, text);
    if (format_error(format, e->code, f->value, &v, &share) && v.kind != VALUE_ZERO &&
        share.kind == VALUE_FINITE) {
        formats_percent(&share, true, relative);
        canvas_textf(c, y, x, ROLE_DIM, " (%s)", relative);
    }
    value_free(&v);
    value_free(&share);
}

/* ---- which is finer where ---- */

static double worst_in(const Format *format, int from, int to)
{
    double worst = 0;
    for (int b = from; b < to; b++) {
        double x = formats_worst(format, b);
        worst = x > worst ? x : worst;
    }
    return worst;
}

static void draw_strip(const Formats *f, Canvas *c, int y, Rect r, const Format *other)
{
    int low = 0, high = 0, low2 = 0, high2 = 0;
    char text[16];
    formats_binades(f->format, &low, &high);
    formats_binades(other, &low2, &high2);
    low = low2 < low ? low2 : low;
    high = high2 > high ? high2 : high;
    snprintf(text, sizeof text, "2^%d", high - 1);
    BinadeAxis axis = formats_axis(low, high, r.x + 8, r.w - 8 - text_width(text) - 1);
    canvas_textf(c, y, r.x, ROLE_DIM, "2^%d", low);
    canvas_text(c, y, axis.x + axis.width + 1, ROLE_DIM, text);
    for (int x = axis.x, from = 0, to = 0; x < axis.x + axis.width; x++) {
        axis_span(&axis, x, &from, &to);
        double mine = worst_in(f->format, from, to), theirs = worst_in(other, from, to);
        if (mine >= 0.999 && theirs >= 0.999)
            canvas_text(c, y, x, ROLE_MASKED, MARK_MASKED);
        else if (mine < theirs)
            canvas_put(c, y, x, ROLE_EXPONENT_FIELD, 0x25b2); /* ▲ */
        else if (mine > theirs)
            canvas_put(c, y, x, ROLE_MANTISSA_FIELD, 0x25bc); /* ▼ */
        else
            canvas_put(c, y, x, ROLE_DIM, '=');
    }
    if (f->value->kind != VALUE_FINITE)
        return;
    Leading l = value_leading(f->value);
    canvas_put(c, y, axis_column(&axis, leading_log2(&l)), ROLE_ACTIVE, 0x25c6); /* ◆ */
}

static void draw_legend(const Formats *f, Canvas *c, int y, int x, const Format *other)
{
    x = canvas_textf(c, y, x, ROLE_EXPONENT_FIELD, "▲ %s is finer", f->format->name);
    x = canvas_textf(c, y, x + 3, ROLE_MANTISSA_FIELD, "▼ %s is finer", other->name);
    x = canvas_text(c, y, x + 3, ROLE_DIM, "= as fine");
    x = canvas_text(c, y, x + 3, ROLE_MASKED, "░ both lose all");
    canvas_text(c, y, x + 3, ROLE_ACTIVE, "◆ value");
}

/* ---- the same bits ---- */

static bool read_the_same(const Format *a, const Format *b, uint32_t code)
{
    CodeClass ca = format_class(a, code), cb = format_class(b, code);
    if (ca == CLASS_NAN || cb == CLASS_NAN)
        return ca == cb;
    double x = format_to_double(a, code), y = format_to_double(b, code);
    return x == y && signbit(x) == signbit(y);
}

static void draw_same_bits(const Formats *f, Canvas *c, int y, int x, const Format *other)
{
    enum { COUNTED = 16 };
    const Format *mine = f->format;
    uint32_t code = formats_encoded(f, mine)->code;
    char a[TEXT_SIZE], b[TEXT_SIZE];
    if (mine->bits != other->bits)
        return;
    formats_code_text(mine, code, 20, a);
    formats_code_text(other, code, 20, b);
    x = canvas_textf(c, y, x, ROLE_TEXT, "code %0*x is %s in %s, %s in %s", format_digits(mine),
                     (unsigned)code, a, mine->name, b, other->name);
    if (mine->bits > COUNTED)
        return;
    unsigned differ = 0, all = 1u << mine->bits;
    for (unsigned k = 0; k < all; k++)
        differ += !read_the_same(mine, other, k);
    canvas_textf(c, y, x + 2, ROLE_DIM, "(%u of %u codes differ)", differ, all);
}

void formats_draw_compare(const Formats *f, Canvas *c, Rect r)
{
    const Format *other = formats_other(f->state);
    if (r.h < 1 || r.w < 40)
        return;
    if (other == f->format) {
        canvas_textf(c, r.y, r.x + 1, ROLE_DIM,
                     "%s is the format to compare with; move the cursor to another one, or press = "
                     "on it",
                     other->name);
        return;
    }
    Rect old = canvas_clip(c, r);
    bool same_bits = f->format->bits == other->bits;
    int strip = r.y + 2;
    draw_facts(f, c, r.y, r.x + 1, ROLE_EXPONENT_FIELD, f->format);
    draw_facts(f, c, r.y + 1, r.x + 1, ROLE_MANTISSA_FIELD, other);
    draw_strip(f, c, strip, (Rect){r.y, r.x + 1, r.h, r.w - 2}, other);
    if (!same_bits || r.h > 4)
        draw_legend(f, c, strip + 1, r.x + 1, other);
    if (same_bits)
        draw_same_bits(f, c, r.h > 4 ? strip + 2 : strip + 1, r.x + 1, other);
    c->clip = old;
}
