/* The mouse: a click focuses the pane under it and selects there, the wheel scrolls. What a cell
 * stands for was told when it was drawn; beside such cells the nearest one is meant. */
#include <stdlib.h>

#include "tui/input/keys.h"
#include "tui/state.h"

enum {
    WHEEL_LINES = 3,
    FAR = 1 << 20,
    ROW_WEIGHT = 8 /* a row counts as so many columns */
};

/* The pane at a cell, in focus from now on; false where there is none. */
static bool focus_at(Tui *t, int y, int x, Pane *out)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++) {
        const Rect *r = &panes[i].rect;
        if (y >= r->y && y < r->y + r->h && x >= r->x && x < r->x + r->w) {
            panes_show(&t->panes, tui_area(t), panes[i].view);
            *out = panes[i];
            return true;
        }
    }
    return false;
}

/* What the cell nearest to this one in the pane stands for; 0: none of them stands for anything. */
static uint64_t nearest_aim(const Canvas *c, Rect r, int y, int x)
{
    int best = FAR;
    uint64_t aim = 0;
    for (int row = r.y; row < r.y + r.h; row++) {
        for (int col = r.x; col < r.x + r.w; col++) {
            uint64_t here = c->cells[row * c->cols + col].aim;
            int distance = ROW_WEIGHT * abs(row - y) + abs(col - x);
            if (here && distance < best) {
                best = distance;
                aim = here;
            }
        }
    }
    return aim;
}

static void click(Tui *t, int y, int x)
{
    Pane p;
    if (!focus_at(t, y, x, &p))
        return;
    const View *v = views[p.view];
    ViewState *state = t->states[p.view];
    v->place(t->session, state, p.rect);
    canvas_resize(&t->scratch, t->canvas.rows, t->canvas.cols, t->canvas.utf8);
    tui_draw_view(t, &p, &t->scratch);
    uint64_t aim = nearest_aim(&t->scratch, p.rect, y, x);
    if (aim && v->point)
        v->point(t->session, state, aim);
    else if (aim)
        aim_move(state, aim);
}

static void wheel(Tui *t, int y, int x, const char *key)
{
    Pane p;
    for (int i = 0; i < WHEEL_LINES && focus_at(t, y, x, &p); i++)
        tui_view_key(t, key);
}

bool mouse_press(Tui *t, const char *key)
{
    int y = 0, x = 0;
    if (key_mouse(key, "Click", &y, &x))
        click(t, y, x);
    else if (key_mouse(key, "WheelUp", &y, &x))
        wheel(t, y, x, "Up");
    else if (key_mouse(key, "WheelDown", &y, &x))
        wheel(t, y, x, "Down");
    else
        return false;
    return true;
}
