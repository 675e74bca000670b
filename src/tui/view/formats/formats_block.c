/* Values that share a scale: codes, which were clamped, and the error of each.
 *
 *   mxfp4  32 values share 7d = 0.25 (floor)   clamped 3 of 32 (9.38 %)   worst error 25 %
 *   codes  7! 3  1  0  2  4  5  1  0  7! 6  1  2  ...
 *   error  ▂  ▁     ▃  ...
 *   [0] 7.9 -> 7 = 6   -1.9 (-24.1 %)  ! clamped
 *   floor 25 %  ceil 20 %  even 20 %  rceil 20 %
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/measure.h"
#include "num/text.h"
#include "tui/view/formats/formats.h"

static const char *const rule_names[] = {"floor", "ceil", "even", "rceil"};
enum { RULES = 4, LABEL = 8 };

static int clamped_count(const Block *b)
{
    int n = 0;
    for (int i = 0; i < b->count; i++)
        n += b->clamped[i];
    return n;
}

/* |stored - v| / |v|; 0 for exact ones, 1 where a value is lost or nothing was there to be off. */
static double relative_error(const Block *b, int i, const Value *v)
{
    Value stored, error;
    value_init(&stored);
    value_init(&error);
    block_value(b, (size_t)i, &stored);
    double x = 1;
    if (value_is_finite(&stored) && value_is_finite(v)) {
        value_error(&error, &stored, v);
        if (error.kind == VALUE_ZERO)
            x = 0;
        else if (v->kind == VALUE_FINITE) {
            value_div(&error, &error, v);
            x = fabs(value_to_double(&error));
        }
    }
    value_free(&stored);
    value_free(&error);
    return x;
}

/* Root of the mean square error over that of the values: what the block loses as a whole. All of
 * it relative to the largest value, which may be beyond a double; a nan when there is a nan or inf
 * among them. */
static double noise(const Formats *f, const Block *b)
{
    double signal = 0, off = 0;
    const Value *amax = &f->values[0];
    Value x;
    for (int i = 0; i < b->count; i++) {
        if (!value_is_finite(&f->values[i]))
            return (double)NAN;
        if (value_cmp_abs(&f->values[i], amax) > 0)
            amax = &f->values[i];
    }
    if (amax->kind == VALUE_ZERO)
        return 0;
    value_init(&x);
    for (int i = 0; i < b->count; i++) {
        value_div(&x, &f->values[i], amax);
        double v = value_to_double(&x);
        block_value(b, (size_t)i, &x);
        value_error(&x, &x, &f->values[i]);
        value_div(&x, &x, amax);
        double d = value_to_double(&x);
        signal += v * v;
        off += d * d;
    }
    value_free(&x);
    return sqrt(off / signal);
}

/* " 3.1 %", or nothing when it is not known. */
static int draw_noise(const Formats *f, const Block *b, Canvas *c, int y, int x, const char *label)
{
    double share = noise(f, b);
    return isnan(share) ? x : canvas_textf(c, y, x, ROLE_DIM, "%s %.3g %%", label, 100 * share);
}

static bool encode(const Formats *f, ScaleRule rule, bool reciprocal, Block *out)
{
    const BlockFormat *format = &block_table[f->state->block];
    size_t count = (size_t)(f->count < format->size ? f->count : format->size);
    BlockOptions options = {.rule = rule, .reciprocal = reciprocal};
    if (format->kind == BLOCK_NVFP4) {
        Value amax;
        value_init(&amax);
        formats_largest(f, &amax);
        options.tensor = block_tensor_scale(&amax, 1);
        value_free(&amax);
    }
    return block_encode(format, &options, f->values, count, out, NULL);
}

static void draw_summary(const Formats *f, const Block *b, Canvas *c, int y, int x)
{
    const BlockFormat *format = b->format;
    char text[TEXT_SIZE];
    int clamped = clamped_count(b);
    formats_code_text(block_scale_format(format), b->scale, 14, text);
    x = canvas_text(c, y, x, ROLE_TITLE, format->name);
    x = canvas_textf(c, y, x, ROLE_TEXT, "  %d value%s, scale %0*x = %s", b->count,
                     b->count == 1 ? "" : "s", format_digits(block_scale_format(format)),
                     (unsigned)b->scale, text);
    if (format->kind == BLOCK_MX)
        x = canvas_textf(c, y, x, ROLE_DIM, " (%s)", rule_names[f->state->scale_rule]);
    if (format->kind == BLOCK_NVFP4) {
        double tensor = format_to_double(format_find("fp32"), b->tensor);
        x = canvas_textf(c, y, x, ROLE_DIM, ", tensor ~%.3g", tensor);
    }
    x = canvas_textf(c, y, x + 2, clamped ? ROLE_WARN : ROLE_DIM, "%sclamped %d/%d = %.3g %%",
                     clamped ? "! " : "", clamped, b->count, 100.0 * clamped / b->count);
    draw_noise(f, b, c, y, x + 2, "rms");
}

/* ---- the elements ---- */

static int cell_width(const Block *b)
{
    return format_digits(block_element_format(b->format)) + 1;
}

static void draw_element(const Formats *f, const Block *b, Canvas *c, int y, int x, int i)
{
    static const char ternary[] = "-0+0"; /* code 3 is reserved and never encoded */
    const Format *element = block_element_format(b->format);
    Role role = b->clamped[i] ? ROLE_WARN : ROLE_TEXT;
    double error = relative_error(b, i, &f->values[i]);
    int level = error <= 0 ? 0 : error >= 1 ? 8 : 1 + (int)(error * 7);
    if (i == f->at)
        role = ROLE_ACTIVE;
    if (element == &format_ternary)
        canvas_put(c, y, x, role, (uint32_t)ternary[b->code[i] & 3]);
    else
        canvas_textf(c, y, x, role, "%0*x", format_digits(element), (unsigned)b->code[i]);
    if (b->clamped[i])
        canvas_text(c, y, x + format_digits(element), ROLE_WARN, MARK_WARN);
    for (int k = 0; k < format_digits(element); k++)
        canvas_put(c, y + 1, x + k, (Role)(ROLE_HEAT_POS + level), heat_glyph(level));
}

/* As many lines of elements as fit, the one looked at among them; returns the rows used. */
static int draw_elements(const Formats *f, const Block *b, Canvas *c, Rect r)
{
    int w = cell_width(b), per_line = (r.w - LABEL) / w, lines = r.h / 2;
    if (per_line < 1 || lines < 1)
        return 0;
    int need = (b->count + per_line - 1) / per_line, top = 0;
    lines = lines < need ? lines : need;
    if (f->at / per_line >= lines)
        top = f->at / per_line - lines + 1;
    for (int k = 0; k < lines; k++) {
        int first = (top + k) * per_line, y = r.y + 2 * k;
        canvas_textf(c, y, r.x, ROLE_DIM, "[%d]", f->first + first);
        canvas_text(c, y + 1, r.x, ROLE_DIM, "error");
        for (int i = first; i < b->count && i < first + per_line; i++)
            draw_element(f, b, c, y, r.x + LABEL + (i - first) * w, i);
    }
    return 2 * lines;
}

static void draw_chosen(const Formats *f, const Block *b, Canvas *c, int y, int x)
{
    char from[TEXT_SIZE], to[TEXT_SIZE], off[TEXT_SIZE];
    const Value *v = &f->values[f->at];
    Value stored, error;
    if (f->at >= b->count)
        return;
    value_init(&stored);
    value_init(&error);
    block_value(b, (size_t)f->at, &stored);
    formats_text(v, 16, from);
    formats_text(&stored, 16, to);
    x = canvas_textf(c, y, x, ROLE_ACTIVE, "[%d] ", f->first + f->at);
    x = canvas_textf(c, y, x, ROLE_TEXT, "%s → %0*x × scale = %s", from,
                     format_digits(block_element_format(b->format)), (unsigned)b->code[f->at], to);
    if (value_is_finite(v) && value_is_finite(&stored)) {
        value_error(&error, &stored, v);
        formats_signed_text(&error, 4, off);
        x = canvas_textf(c, y, x, ROLE_DIM, "  error %s", off);
        if (v->kind == VALUE_FINITE) {
            value_div(&error, &error, v);
            formats_percent(&error, true, off);
            x = canvas_textf(c, y, x, ROLE_DIM, " (%s)", off);
        }
    }
    if (b->clamped[f->at])
        canvas_text(c, y, x + 2, ROLE_WARN, "! clamped");
    value_free(&stored);
    value_free(&error);
}

/* ---- the other ways ---- */

static void draw_rules(const Formats *f, Canvas *c, int y, int x)
{
    Block b;
    x = canvas_text(c, y, x, ROLE_DIM, "scale by ");
    for (int k = 0; k < RULES && encode(f, (ScaleRule)k, false, &b); k++) {
        bool used = k == f->state->scale_rule;
        int clamped = clamped_count(&b);
        char text[TEXT_SIZE];
        x = canvas_textf(c, y, x, used ? ROLE_ACTIVE : ROLE_TEXT, "%s%s", used ? MARK_ACTIVE : "",
                         rule_names[k]);
        formats_code_text(block_scale_format(b.format), b.scale, 14, text);
        x = canvas_textf(c, y, x, ROLE_DIM, " %02x", (unsigned)b.scale);
        x = draw_noise(f, &b, c, y, x, "");
        if (clamped)
            x = canvas_textf(c, y, x, ROLE_WARN, " !%d", clamped);
        x += 3;
    }
}

static void draw_reciprocal(const Formats *f, Canvas *c, int y, int x)
{
    Block divided, multiplied;
    int differ = 0;
    if (!encode(f, SCALE_FLOOR, false, &divided) || !encode(f, SCALE_FLOOR, true, &multiplied))
        return;
    for (int i = 0; i < divided.count; i++)
        differ += divided.code[i] != multiplied.code[i];
    x = canvas_text(c, y, x, ROLE_TEXT,
                    f->state->reciprocal ? "times the reciprocal, as kernels do"
                                         : "divided by the scale, exactly");
    canvas_textf(c, y, x + 2, differ ? ROLE_WARN : ROLE_DIM, "%s%d code%s differ%s (u: the other)",
                 differ ? "! " : "", differ, differ == 1 ? "" : "s", differ == 1 ? "s" : "");
}

void formats_draw_block(const Formats *f, Canvas *c, Rect r)
{
    Block b;
    const FormatsState *s = f->state;
    if (r.h < 1 || r.w < LABEL + 4 || !encode(f, (ScaleRule)s->scale_rule, s->reciprocal, &b))
        return;
    Rect old = canvas_clip(c, r);
    int x = r.x + 1, y = r.y + 1, other = r.h >= 5 && b.format->kind != BLOCK_TERNARY;
    draw_summary(f, &b, c, r.y, x);
    y += draw_elements(f, &b, c, (Rect){y, x, r.h - 2 - other, r.w - 2});
    if (y < r.y + r.h)
        draw_chosen(f, &b, c, y++, x);
    if (other && b.format->kind == BLOCK_MX)
        draw_rules(f, c, y, x);
    else if (other)
        draw_reciprocal(f, c, y, x);
    c->clip = old;
}
