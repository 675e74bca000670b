/* 1.0│·                                  ·▆██
 *    │                                 ·▃███◆     area   the pieces, in eighths of a row
 * 0.5┤                             · ·▆█████     ·      the true exp
 *    │                 · · ▂▁    ·▃████████     ○      the other reading
 * 0.0┼────────┴────────┴────────┴────────┴──     ◆      the argument at hand
 *     -4      -3       -2       -1       0              */
#include "tui/view/softmax/exp_plot.h"

#include <math.h>

#include "engine/fixed_point.h"

enum { LEFT = -1024, RIGHT = 128, ONE = 256, AXIS_W = 4, AXIS_H = 2 };

/* The raw argument at a column of the plot, and the column of an argument. */
static int16_t argument(int col, int w)
{
    return (int16_t)(LEFT + (col * (RIGHT - LEFT) + (w - 1) / 2) / (w > 1 ? w - 1 : 1));
}
static int column(int x, int w)
{
    int inside = x < LEFT ? LEFT : x > RIGHT ? RIGHT : x;
    return ((inside - LEFT) * (w - 1) + (RIGHT - LEFT) / 2) / (RIGHT - LEFT);
}

/* The row, counted from the top, in which a point of that height lies. */
static int row_of(int height, int h)
{
    int row = h - 1 - height * h / (ONE + 1);
    return row < 0 ? 0 : row >= h ? h - 1 : row;
}

static void area(Canvas *c, int y, int x, int h, int height)
{
    int eighths = (height * h * 8 + ONE / 2) / ONE;
    if (height > 0 && eighths == 0)
        eighths = 1;
    for (int row = h - 1; row >= 0 && eighths > 0; row--, eighths -= 8)
        canvas_put(c, y + row, x, ROLE_HEAT_POS + 5, heat_glyph(eighths));
}

static void axes(Canvas *c, Rect r, int w, int h)
{
    static const char *const names[] = {"-4", "-3", "-2", "-1", "0"};
    int x = r.x + AXIS_W, bottom = r.y + h;
    for (int y = r.y; y < bottom; y++)
        canvas_text(c, y, x - 1, ROLE_FRAME, y == r.y || y == r.y + h / 2 ? "┤" : "│");
    canvas_text(c, r.y, r.x, ROLE_DIM, "1.0");
    if (h >= 5)
        canvas_text(c, r.y + h / 2, r.x, ROLE_DIM, "0.5");
    canvas_text(c, bottom, r.x, ROLE_DIM, "0.0");
    canvas_text(c, bottom, x - 1, ROLE_FRAME, "└");
    for (int col = 0; col < w; col++)
        canvas_text(c, bottom, x + col, ROLE_FRAME, "─");
    for (int k = 0; k < 5; k++) {
        int at = x + column(LEFT + k * ONE, w);
        if (k > 0)
            canvas_text(c, bottom, at, ROLE_FRAME, "┴");
        canvas_text(c, bottom + 1, k == 0 ? at : at - text_width(names[k]) + 1, ROLE_DIM, names[k]);
    }
}

void exp_plot(Canvas *c, Rect r, const ExpPlot *p)
{
    int w = r.w - AXIS_W, h = r.h - AXIS_H;
    ExpMode other = p->mode == EXP_EXECUTED ? EXP_INTENDED : EXP_EXECUTED;
    if (w < 8 || h < 3)
        return;
    Rect old = canvas_clip(c, r);
    int x = r.x + AXIS_W;
    axes(c, r, w, h);
    for (int col = 0; col < w; col++) {
        int16_t at = argument(col, w);
        area(c, r.y, x + col, h, approx_exp(at, p->mode));
        int truth = at > 0 ? ONE : (int)(exp((double)at / ONE) * ONE);
        canvas_text(c, r.y + row_of(truth, h), x + col, ROLE_TEXT, "•");
        if (p->other)
            canvas_text(c, r.y + row_of(approx_exp(at, other), h), x + col, ROLE_READ, "○");
    }
    if (p->marked)
        canvas_text(c, r.y + row_of(p->y, h), x + column(p->x, w), ROLE_ACTIVE, "◆");
    canvas_clip(c, old);
}
