/* The number line of the formats view, zoomed to the neighbours of the stored value:
 *
 *      160            176            192            208            224
 *   ────┼──────────────┼──────[━━━━━━━●━━━━━━━◆───────┼──────────────┼────
 *                                             ▲ 200
 *    a tie: half-way between 192 and 208, the even code wins
 *
 * Heavy: what rounds to the stored value; a bracket takes its end in, a parenthesis leaves it out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/measure.h"
#include "tui/view/formats/formats.h"

enum { SIDE = 2 }; /* neighbours drawn on each side */

typedef struct Line {
    const Formats *f;
    const Format *format;
    uint32_t code;
    int64_t rank;
    Value here, ulp;
    Rect r;
    int middle;
    double scale; /* columns an ulp takes */
} Line;

/* How many ulps v lies right of the stored value. */
static double distance(const Line *l, const Value *v)
{
    if (v->kind == VALUE_INF)
        return v->negative ? -HUGE_VAL : HUGE_VAL;
    Value d;
    value_init(&d);
    value_error(&d, &l->here, v); /* cheap for values far off as well */
    if (d.kind == VALUE_FINITE) {
        d.negative = !d.negative;
        value_div(&d, &d, &l->ulp);
    }
    double x = value_to_double(&d);
    value_free(&d);
    return x;
}

/* The column of v; beyond the line: one outside of it. */
static int column(const Line *l, const Value *v)
{
    double x = distance(l, v) * l->scale;
    if (x < l->r.x - l->middle)
        return l->r.x - 1;
    if (x > l->r.x + l->r.w - 1 - l->middle)
        return l->r.x + l->r.w;
    return l->middle + (int)lround(x);
}

/* ---- what rounds to the stored value ---- */

static void neighbour(const Line *l, int step, Value *v)
{
    uint32_t next;
    if (format_step(l->format, l->code, step, &next))
        format_value(l->format, next, v);
    else
        value_set_special(v, VALUE_INF, step < 0);
}

/* format_interval under the rounding mode of the view. */
static void rounding_interval(const Line *l, Interval *i)
{
    RoundMode mode = l->f->rounding.mode;
    format_interval(l->format, l->code, l->f->rounding.overflow, i);
    if (mode == ROUND_NE || mode == ROUND_STOCHASTIC)
        return;
    if (mode == ROUND_TZ && l->rank != 0)
        mode = l->rank > 0 ? ROUND_DOWN : ROUND_UP;
    i->low_closed = mode == ROUND_DOWN || (mode == ROUND_AWAY && l->rank > 0);
    i->high_closed = mode == ROUND_UP || (mode == ROUND_AWAY && l->rank < 0);
    if (mode == ROUND_AWAY)
        return;
    neighbour(l, -1, &i->low);
    neighbour(l, 1, &i->high);
    if (mode == ROUND_DOWN)
        value_copy(&i->low, &l->here);
    if (mode == ROUND_UP)
        value_copy(&i->high, &l->here);
}

/* The heavy line below the ticks, or what ends it, above them. */
static void draw_interval(const Line *l, Canvas *c, int y, bool ends)
{
    Interval i;
    interval_init(&i);
    rounding_interval(l, &i);
    int from = column(l, &i.low), to = column(l, &i.high), end = l->r.x + l->r.w - 1;
    bool cut_low = from<l->r.x, cut_high = to> end;
    from = cut_low ? l->r.x : from;
    to = cut_high ? end : to;
    if (ends) {
        canvas_put(c, y, from, ROLE_READ, cut_low ? 0x25c4 /* ◄ */ : i.low_closed ? '[' : '(');
        canvas_put(c, y, to, ROLE_READ, cut_high ? 0x25ba /* ► */ : i.high_closed ? ']' : ')');
    } else {
        for (int x = from; x <= to; x++)
            canvas_put(c, y, x, ROLE_READ, 0x2501); /* ━ */
    }
    interval_free(&i);
}

/* ---- the grid ---- */

/* A label centred over its tick, unless it would touch what is there. */
static void draw_label(const Line *l, Canvas *c, int y, int x, Role role, const char *text,
                       int taken[2])
{
    int w = text_width(text), from = x - w / 2;
    if (from < l->r.x)
        from = l->r.x;
    if (from + w > l->r.x + l->r.w)
        from = l->r.x + l->r.w - w;
    bool touches = taken[0] <= taken[1] && from <= taken[1] + 1 && from + w >= taken[0];
    if (from < l->r.x || touches)
        return;
    canvas_text(c, y, from, role, text);
    taken[0] = taken[0] > taken[1] || from < taken[0] ? from : taken[0];
    taken[1] = from + w > taken[1] ? from + w : taken[1];
}

static void draw_grid(const Line *l, Canvas *c, int y)
{
    char text[TEXT_SIZE];
    int taken[2] = {1, 0}; /* an empty span */
    Value v;
    value_init(&v);
    formats_code_text(l->format, l->code, 14, text);
    draw_label(l, c, y, l->middle, ROLE_TITLE, text, taken);
    for (int k = 1; k <= SIDE; k++) {
        for (int side = -1; side <= 1; side += 2) {
            uint32_t code;
            if (!format_at_rank(l->format, l->rank + side * k, &code))
                continue;
            format_value(l->format, code, &v);
            int x = column(l, &v);
            if (v.kind == VALUE_INF || x < l->r.x || x >= l->r.x + l->r.w)
                continue;
            canvas_put(c, y + 1, x, ROLE_TEXT, 0x253c); /* ┼ */
            formats_code_text(l->format, code, 14, text);
            draw_label(l, c, y, x, ROLE_DIM, text, taken);
        }
    }
    value_free(&v);
}

/* The value's place, and its number below. */
static void draw_value(const Line *l, Canvas *c, int y)
{
    if (l->f->value->kind == VALUE_NAN)
        return;
    char text[TEXT_SIZE];
    int x = column(l, l->f->value), end = l->r.x + l->r.w;
    formats_text(l->f->value, 24, text);
    int w = text_width(text);
    if (x < l->r.x) {
        x = canvas_text(c, y + 1, l->r.x, ROLE_ACTIVE, "◄ ");
        canvas_text(c, y + 1, x, ROLE_ACTIVE, text);
    } else if (x >= end) {
        canvas_text(c, y + 1, end - 2 - w, ROLE_ACTIVE, text);
        canvas_text(c, y + 1, end - 2, ROLE_ACTIVE, " ►");
    } else {
        canvas_put(c, y, x, ROLE_ACTIVE, 0x25c6);     /* ◆ */
        canvas_put(c, y + 1, x, ROLE_ACTIVE, 0x25b2); /* ▲ */
        canvas_text(c, y + 1, x + 2 + w <= end ? x + 2 : x - 1 - w, ROLE_ACTIVE, text);
    }
}

/* ---- in words ---- */

static void tie_words(const Formats *f, char *out, size_t size)
{
    static const char *const wins[] = {"the even code wins", "the one away from zero wins",
                                       "rounding toward zero", "rounding up", "rounding down"};
    char low[TEXT_SIZE], high[TEXT_SIZE];
    uint32_t code = formats_encoded(f, f->format)->code, next;
    Value v;
    value_init(&v);
    format_value(f->format, code, &v);
    int step = value_cmp(f->value, &v) > 0 ? 1 : -1;
    value_free(&v);
    RoundMode mode = f->rounding.mode;
    if (!format_step(f->format, code, step, &next) || format_class(f->format, next) == CLASS_INF) {
        formats_code_text(f->format, code, 20, low);
        snprintf(out, size, "a tie between %s and a next value that is none%s", low,
                 mode == ROUND_NE ? ": the even code wins" : "");
        return;
    }
    formats_code_text(f->format, step > 0 ? code : next, 20, low);
    formats_code_text(f->format, step > 0 ? next : code, 20, high);
    const char *winner = f->format->no_zero && mode == ROUND_NE
                             ? "e8m0 takes the upper one"
                             : wins[mode > ROUND_DOWN ? 0 : mode];
    snprintf(out, size, "a tie, half-way between %s and %s: %s\na tie: %s", low, high, winner,
             winner);
}

static void beyond_words(const Formats *f, char *out, size_t size)
{
    char max[TEXT_SIZE], text[TEXT_SIZE];
    const Format *format = f->format;
    bool saturates = f->rounding.overflow == OVERFLOW_SATURATE;
    Rounding other = f->rounding;
    other.overflow = saturates ? OVERFLOW_IEEE : OVERFLOW_SATURATE;
    uint32_t code = format_encode(format, f->value, &other);
    formats_code_text(format, format_max_code(format), 20, max);
    formats_code_text(format, code, 20, text);
    const char *lacks = formats_lacks(f->value, format);
    const char *otherwise = !saturates                     ? "saturated"
                            : format->kind == FORMAT_FIXED ? "wrapped"
                                                           : "by ieee rules";
    if (lacks) {
        snprintf(out, size, "%s has no %s; %s it would be %0*x = %s", format->name, lacks,
                 saturates ? "by ieee rules" : "saturated", format_digits(format), (unsigned)code,
                 text);
        return;
    }
    if (code == formats_encoded(f, format)->code)
        snprintf(out, size, "beyond the range: %s always clamps, here at +-%s", format->name, max);
    else
        snprintf(out, size,
                 "beyond the range, which ends at %s; %s it would be %0*x = %s\n"
                 "beyond the range; %s it would be %0*x = %s",
                 max, otherwise, format_digits(format), (unsigned)code, text, otherwise,
                 format_digits(format), (unsigned)code, text);
}

static void nan_words(const Formats *f, char *out, size_t size)
{
    const Encoded *e = formats_encoded(f, f->format);
    if (format_class(f->format, e->code) == CLASS_NAN)
        snprintf(out, size, "not a number: it has no place on the line");
    else
        snprintf(out, size,
                 "%s has no nan: this code stands in for it, and tools differ (below)\n"
                 "%s has no nan: this code stands in for it",
                 f->format->name, f->format->name);
}

static void interval_words(const Line *l, char *out, size_t size)
{
    char low[TEXT_SIZE], high[TEXT_SIZE];
    Interval i;
    interval_init(&i);
    rounding_interval(l, &i);
    formats_text(&i.low, 22, low);
    formats_text(&i.high, 22, high);
    if (l->rank == 0 && !l->format->no_zero && l->format->is_signed)
        snprintf(out, size, "what lies between %s and %s becomes 0\n%s .. %s becomes 0", low, high,
                 low, high);
    else
        snprintf(out, size, "what lies between %s and %s becomes %0*x\n%s .. %s becomes %0*x", low,
                 high, format_digits(l->format), (unsigned)l->code, low, high,
                 format_digits(l->format), (unsigned)l->code);
    interval_free(&i);
}

static void words(const Line *l, char *out, size_t size)
{
    const Formats *f = l->f;
    const Encoded *e = formats_encoded(f, l->format);
    bool beyond = e->overflow || (f->value->kind == VALUE_INF && !e->exact) ||
                  formats_lacks(f->value, l->format);
    if (f->value->kind == VALUE_NAN)
        nan_words(f, out, size);
    else if (formats_loses_sign(f, l->format))
        snprintf(out, size, "%s has no -0: the sign is lost", l->format->name);
    else if (e->exact)
        snprintf(out, size, "exact: %s holds this very value", l->format->name);
    else if (beyond)
        beyond_words(f, out, size);
    else if (e->tie)
        tie_words(f, out, size);
    else
        interval_words(l, out, size);
}

void formats_draw_line(const Formats *f, Canvas *c, Rect r)
{
    if (r.h < 1 || r.w < 8)
        return;
    char text[6 * TEXT_SIZE];
    const Encoded *e = formats_encoded(f, f->format);
    Rect in = {r.y, r.x + 1, r.h, r.w - 2};
    Line l = {.f = f, .format = f->format, .code = e->code, .r = in, .middle = in.x + in.w / 2};
    l.scale = (0.5 * in.w - 1) / (SIDE + 0.25);
    value_init(&l.here);
    value_init(&l.ulp);
    format_value(l.format, l.code, &l.here);
    bool placed = format_ulp(l.format, l.code, &l.ulp) && format_rank(l.format, l.code, &l.rank);
    Rect old = canvas_clip(c, r);
    if (placed) {
        for (int x = in.x; x < in.x + in.w; x++)
            canvas_put(c, r.y + 1, x, ROLE_FRAME, 0x2500); /* ─ */
        draw_interval(&l, c, r.y + 1, false);
        draw_grid(&l, c, r.y);
        draw_interval(&l, c, r.y + 1, true);
        canvas_put(c, r.y + 1, l.middle, ROLE_TITLE, 0x25cf); /* ● */
        draw_value(&l, c, r.y + 1);
    }
    words(&l, text, sizeof text);
    canvas_wording(c, r.y + 3, in.x, e->tie ? ROLE_ACTIVE : ROLE_DIM, text);
    c->clip = old;
    value_free(&l.here);
    value_free(&l.ulp);
}
