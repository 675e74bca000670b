/* A sweep: one figure of the machine on the sliders, over all values of one of them, by the closed
 * forms. The column of the present value is marked. */
#include <math.h>
#include <stdio.h>

#include "tui/view/cycles/cycles.h"

enum { LABEL_W = 7 };

static double ffn_share(const CyclesState *k, bool deck)
{
    static const Stage stages[] = {STAGE_FFN_LINEAR1, STAGE_ACTIVATION, STAGE_FFN_LINEAR2};
    double part = 0;
    for (int i = 0; i < 3; i++) {
        const CycleRow *row = &k->report.rows[stages[i]];
        part += (double)(deck ? row->deck : row->formula);
    }
    return 100 * part / (double)(deck ? k->report.total.deck : k->report.total.formula);
}

static double metric_of(const CyclesState *k, Metric metric)
{
    if (metric == METRIC_FFN)
        return ffn_share(k, false);
    if (metric == METRIC_RATE)
        return cycle_tokens_per_s(k->report.total.formula, cycles_mhz(k));
    return (double)k->report.total.formula;
}

/* The machine at one column; false where it would not be legal with the other sliders. */
static bool machine_at(const CyclesState *k, Knob over, int at, int columns, CyclesState *there)
{
    *there = *k;
    return knob_set(there, over, knob_at(k, over, at, columns));
}

static double highest(const CyclesState *k, Knob over, Metric metric, int columns)
{
    CyclesState there;
    double most = 0;
    for (int x = 0; x < columns; x++) {
        if (machine_at(k, over, x, columns, &there))
            most = fmax(most, metric_of(&there, metric));
    }
    return metric == METRIC_FFN ? 100 : most;
}

static void label(double value, Metric metric, char *out, size_t size)
{
    if (metric == METRIC_FFN)
        snprintf(out, size, "%.0f %%", value);
    else if (value >= 1e6)
        snprintf(out, size, "%.1fM", value / 1e6);
    else if (value >= 1e4)
        snprintf(out, size, "%.0fk", value / 1e3);
    else
        snprintf(out, size, "%.0f", value);
}

static void draw_column(int x, Rect r, double share, Role role, Canvas *c)
{
    int eighths = (int)(share * r.h * 8 + 0.5);
    eighths = eighths < 1 ? 1 : eighths;
    for (int y = r.h - 1; y >= 0 && eighths > 0; y--, eighths -= 8)
        canvas_put(c, r.y + y, x, role, heat_glyph(eighths));
}

static void draw_axes(const CyclesState *k, Knob over, Metric metric, double most, Rect r,
                      Canvas *c)
{
    char text[24], low[24], high[24];
    CyclesState end = *k;
    int from = 0, to = 0;
    label(most, metric, text, sizeof text);
    canvas_textf(c, r.y, r.x - LABEL_W, ROLE_DIM, "%*s", LABEL_W - 1, text);
    canvas_textf(c, r.y + r.h - 1, r.x - LABEL_W, ROLE_DIM, "%*s", LABEL_W - 1, "0");
    for (int y = 0; y < r.h; y++)
        canvas_put(c, r.y + y, r.x - 1, ROLE_FRAME, y == 0 || y == r.h - 1 ? 0x2524 : 0x2502);
    knob_range(k, over, &from, &to);
    knob_set(&end, over, from);
    knob_text(&end, over, low, sizeof low);
    knob_set(&end, over, to);
    knob_text(&end, over, high, sizeof high);
    int x = canvas_text(c, r.y + r.h, r.x, ROLE_DIM, low);
    int at = r.x + r.w - text_width(high);
    if (at > x)
        canvas_text(c, r.y + r.h, at, ROLE_DIM, high);
}

void cycles_plot(const CyclesState *k, Knob over, Metric metric, Rect r, Canvas *c)
{
    static const char *const names[METRIC_COUNT] = {"cycles", "tokens/s", "FFN share"};
    Rect old = canvas_clip(c, r);
    Rect area = {r.y + 1, r.x + LABEL_W, r.h - 2, r.w - LABEL_W};
    int x = canvas_textf(c, r.y, r.x + 1, ROLE_TITLE, "%s over %s", names[metric], knob_name(over));
    bool deck_too = metric == METRIC_FFN && k->report.total.deck;
    if (deck_too)
        canvas_text(c, r.y, x + 2, ROLE_WARN, "• the deck");
    if (area.h > 0 && area.w > 0) {
        CyclesState there;
        double most = highest(k, over, metric, area.w);
        int present = knob_at(k, over, knob_column(k, over, area.w), area.w);
        for (int i = 0; i < area.w; i++) {
            if (!machine_at(k, over, i, area.w, &there))
                continue;
            bool here = knob_at(k, over, i, area.w) == present;
            draw_column(area.x + i, area, metric_of(&there, metric) / most,
                        here ? ROLE_ACTIVE : ROLE_READ, c);
            int deck = deck_too ? (int)(ffn_share(&there, true) / 100 * area.h) : 0;
            if (deck_too)
                canvas_put(c, area.y + area.h - 1 - deck, area.x + i, ROLE_WARN, 0x2022); /* • */
        }
        draw_axes(k, over, metric, most, area, c);
    }
    canvas_clip(c, old);
}
