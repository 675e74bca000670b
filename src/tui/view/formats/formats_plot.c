/* Worst relative error of a format, binade by binade: a plot on a logarithmic scale.
 *
 *   100 %    ▐█▆                                               ▂▅█
 *            ▐███▅▂
 *   5.88 %   ▐█████▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇███
 *             2^-11               2^-6        ◆ 1              2^9
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/measure.h"
#include "tui/view/formats/formats.h"

enum { MARGIN = 10 };

double formats_worst(const Format *format, int log2)
{
    Value v;
    value_init(&v);
    format_worst_error(format, log2, &v);
    double x = value_to_double(&v);
    value_free(&v);
    return x;
}

void formats_binades(const Format *format, int *low, int *high)
{
    uint32_t least = format->no_zero ? 0 : 1;
    *low = ilogb(format_to_double(format, least)) - 2;
    *high = ilogb(format_to_double(format, format_max_code(format))) + 3;
}

/* ---- the axis ---- */

BinadeAxis formats_axis(int low, int high, int x, int width)
{
    return (BinadeAxis){low, high, x, width < 1 ? 1 : width};
}

int axis_column(const BinadeAxis *a, int log2)
{
    int b = log2 < a->low ? a->low : log2 >= a->high ? a->high - 1 : log2;
    return a->x + ((b - a->low) * 2 + 1) * a->width / (2 * (a->high - a->low));
}

void axis_span(const BinadeAxis *a, int column, int *from, int *to)
{
    int n = a->high - a->low, at = column - a->x;
    *from = a->low + at * n / a->width;
    *to = a->low + ((at + 1) * n + a->width - 1) / a->width;
    if (*to <= *from)
        *to = *from + 1;
}

static void axis_label(const BinadeAxis *a, Canvas *c, int y, int log2, int mark, int *end)
{
    char text[16];
    snprintf(text, sizeof text, log2 == 0 ? "1" : "2^%d", log2);
    int w = text_width(text), x = axis_column(a, log2) - w / 2;
    if (x + w > a->x + a->width)
        x = a->x + a->width - w;
    if (x < a->x)
        x = a->x;
    if (x <= *end || (mark >= x - 1 && mark <= x + w))
        return;
    canvas_text(c, y, x, ROLE_DIM, text);
    *end = x + w;
}

void axis_labels(const BinadeAxis *a, Canvas *c, int y, const Value *v)
{
    int n = a->high - a->low, end = a->x - 1, step = 1, mark = -9;
    if (v->kind == VALUE_FINITE) {
        Leading l = value_leading(v);
        mark = axis_column(a, leading_log2(&l));
        canvas_put(c, y, mark, ROLE_ACTIVE, 0x25c6); /* ◆ */
    }
    while (step * a->width < n * 10 && step < n)
        step *= 2;
    for (int b = a->low; b < a->high; b++) {
        if (b == a->low || b % step == 0)
            axis_label(a, c, y, b, mark, &end);
    }
}

/* ---- the plot ---- */

static double worst_of(const Format *format, int from, int to)
{
    double worst = 0;
    for (int b = from; b < to; b++) {
        double x = formats_worst(format, b);
        worst = x > worst ? x : worst;
    }
    return worst;
}

static void draw_column(Canvas *c, Rect r, int x, double share, Role role)
{
    int eighths = (int)lround((share < 0 ? 0 : share > 1 ? 1 : share) * r.h * 8);
    for (int y = r.y + r.h - 1; y >= r.y && eighths > 0; y--, eighths -= 8)
        canvas_put(c, y, x, role, heat_glyph(eighths > 8 ? 8 : eighths));
}

static void percent_at(Canvas *c, int y, int x, double share)
{
    char text[24];
    snprintf(text, sizeof text, share < 1e-4 ? "%.2g %%" : "%.3g %%", share * 100);
    canvas_textf(c, y, x, ROLE_DIM, "%9s", text);
}

void formats_draw_plot(const Formats *f, Canvas *c, Rect r)
{
    if (r.h < 2 || r.w < MARGIN + 12)
        return;
    int low = 0, high = 0, value_column = -1;
    formats_binades(f->format, &low, &high);
    Rect plot = {r.y, r.x + MARGIN + 1, r.h - 1, r.w - MARGIN - 2};
    BinadeAxis axis = formats_axis(low, high, plot.x, plot.w);
    if (f->value->kind == VALUE_FINITE) {
        Leading l = value_leading(f->value);
        value_column = axis_column(&axis, leading_log2(&l));
    }
    /* the least error that a binade can have is the floor: an eighth of a cell stands for it */
    double least = 1;
    for (int x = plot.x, from = 0, to = 0; x < plot.x + plot.w; x++) {
        axis_span(&axis, x, &from, &to);
        double worst = worst_of(f->format, from, to);
        least = worst < least ? worst : least;
    }
    double depth = -log2(least) + 1;
    for (int x = plot.x, from = 0, to = 0; x < plot.x + plot.w; x++) {
        axis_span(&axis, x, &from, &to);
        double worst = worst_of(f->format, from, to);
        double share = 1 + log2(worst) / depth;
        Role role = x == value_column ? ROLE_ACTIVE
                    : worst >= 0.999  ? ROLE_WARN
                                      : (Role)(ROLE_HEAT_POS + 5);
        draw_column(c, plot, x, share, role);
    }
    percent_at(c, r.y, r.x, 1);
    if (plot.h > 1)
        percent_at(c, r.y + plot.h - 1, r.x, least);
    axis_labels(&axis, c, r.y + r.h - 1, f->value);
}
