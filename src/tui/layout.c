#include "tui/layout.h"

/* From these sizes on, panes stand side by side, and are stacked. */
enum { WIDE = 140, TALL = 38, MAIN_COLS = 80, MAIN_COLS_MOST = 96, PANE_ROWS = 9 };

void panes_init(Panes *p, int count)
{
    *p = (Panes){.count = count < VIEWS_MAX ? count : VIEWS_MAX};
    for (int i = 0; i < p->count; i++)
        p->order[i] = i;
}

static void swap(Panes *p, int a, int b)
{
    int t = p->order[a];
    p->order[a] = p->order[b];
    p->order[b] = t;
}

void panes_prefer(Panes *p, int pane, int view)
{
    for (int at = 0; at < p->count; at++) {
        if (p->order[at] == view && pane < p->count) {
            swap(p, pane, at);
            return;
        }
    }
}

static int panes_suggested(Rect area)
{
    int across = area.w >= WIDE ? 2 : 1, down = area.h >= TALL ? 2 : 1;
    return across * down;
}

int panes_most(Rect area)
{
    int across = area.w >= WIDE ? 2 : 1, down = area.h >= 2 * PANE_ROWS ? 2 : 1;
    return across * down;
}

static int panes_wanted(const Panes *p, Rect area)
{
    int n = p->zoom ? 1 : p->split ? p->split : panes_suggested(area);
    int most = panes_most(area);
    n = n > most ? most : n;
    return n > p->count ? p->count : n;
}

/* A view that is in focus but off screen takes the place of a side pane. */
static void bring_in(Panes *p, int n)
{
    if (n > 1 && p->focus >= n) {
        swap(p, 1, p->focus);
        p->focus = 1;
    }
}

/* The k-th of n rectangles: side by side when wide (the main view left and, of four, the second one
 * below it), otherwise stacked. */
static Rect place(Rect a, int n, int k)
{
    if (n == 1)
        return a;
    if (a.w < WIDE) {
        int h = a.h / 2;
        return k == 0 ? (Rect){a.y, a.x, a.h - h, a.w} : (Rect){a.y + a.h - h, a.x, h, a.w};
    }
    int left = a.w * 9 / 20;
    left = left < MAIN_COLS ? MAIN_COLS : left > MAIN_COLS_MOST ? MAIN_COLS_MOST : left;
    int right_count = n == 4 ? 2 : n - 1;
    bool is_left = k == 0 || (n == 4 && k == 3);
    int x = is_left ? a.x : a.x + left, w = is_left ? left : a.w - left;
    int rows_here = is_left ? n - right_count : right_count;
    if (rows_here == 1)
        return (Rect){a.y, x, a.h, w};
    int low = a.h / 2;
    bool upper = is_left ? k == 0 : k == 1;
    return upper ? (Rect){a.y, x, a.h - low, w} : (Rect){a.y + a.h - low, x, low, w};
}

int panes_place(Panes *p, Rect area, Pane out[PANES_MAX])
{
    int n = panes_wanted(p, area);
    if (n == 1) {
        out[0] = (Pane){p->order[p->focus], area, true};
        return 1;
    }
    bring_in(p, n);
    for (int k = 0; k < n; k++)
        out[k] = (Pane){p->order[k], place(area, n, k), k == p->focus};
    return n;
}

void panes_show(Panes *p, Rect area, int view)
{
    int n = panes_wanted(p, area), at = 0;
    while (at < p->count && p->order[at] != view)
        at++;
    if (at == p->count)
        return;
    if (n > 1 && at >= n) {
        int pane = p->focus == 0 ? 1 : p->focus;
        swap(p, pane, at);
        at = pane;
    }
    p->focus = at;
}

void panes_next(Panes *p, Rect area, int by)
{
    int n = panes_wanted(p, area);
    if (n > 1)
        p->focus = (p->focus + by % n + n) % n;
    else if (n == 1)
        panes_show(p, area, (p->order[p->focus] + by % p->count + p->count) % p->count);
}

int panes_split(Panes *p, Rect area)
{
    p->zoom = false;
    int n = panes_wanted(p, area), most = panes_most(area);
    most = most > p->count ? p->count : most;
    p->split = n < most ? n + 1 : 1;
    return p->split;
}
