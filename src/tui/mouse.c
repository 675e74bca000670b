/* The mouse: a click focuses the pane under it and selects there, the wheel scrolls. Views need not
 * know of it: the cursor walks to the clicked cell as the arrow keys would take it. */
#include <stdlib.h>
#include <string.h>

#include "tui/keys.h"
#include "tui/state.h"

enum {
    WHEEL_LINES = 3,
    WALK_MOST = 500,
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

/* How far what the view marks as its cursor is from the cell. */
static int cursor_distance(Tui *t, const Pane *p, int y, int x)
{
    Canvas *c = &t->canvas;
    int best = FAR;
    canvas_clear(c);
    views[p->view]->draw(t->session, t->states[p->view], p->rect, true, c);
    for (int row = p->rect.y; row < p->rect.y + p->rect.h; row++) {
        for (int col = p->rect.x; col < p->rect.x + p->rect.w; col++) {
            int d = ROW_WEIGHT * abs(row - y) + abs(col - x);
            if (c->cells[row * c->cols + col].role == ROLE_CURSOR && d < best)
                best = d;
        }
    }
    return best;
}

/* One key; taken back when it does not lead nearer. */
static bool walk(Tui *t, const Pane *p, const char *key, int y, int x, int *distance)
{
    char command[256] = "";
    const View *v = views[p->view];
    ViewState *state = t->states[p->view], *before = view_state_new(v);
    size_t size = v->state_size ? v->state_size : sizeof *state;
    memcpy(before, state, size);
    bool nearer = v->press(t->session, state, key, command, sizeof command);
    int now = nearer ? cursor_distance(t, p, y, x) : *distance;
    nearer = nearer && now < *distance && !command[0];
    if (nearer)
        *distance = now;
    else
        memcpy(state, before, size);
    free(before);
    return nearer;
}

static void click(Tui *t, int y, int x)
{
    static const char *const keys[] = {"Down", "Up", "Right", "Left"};
    Pane p;
    if (!focus_at(t, y, x, &p))
        return;
    int distance = cursor_distance(t, &p, y, x), tried = 0;
    if (distance == FAR && walk(t, &p, "Down", y, x, &distance)) /* the first key brings it up */
        tried = 0;
    for (int steps = 0, k = 0; distance > 0 && tried < 4 && steps < WALK_MOST; steps++) {
        if (walk(t, &p, keys[k], y, x, &distance)) {
            tried = 0;
        } else {
            k = (k + 1) % 4;
            tried++;
        }
    }
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
