#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H
/* Which views are on screen, and where. Arithmetic only: knows sizes and numbers of views, not what
 * they draw. The first of `order` is the main view (decoder): it keeps the left side. */
#include <stdbool.h>

#include "tui/screen/canvas.h"

enum { VIEWS_MAX = 16, PANES_MAX = 4, MIN_COLS = 60, MIN_ROWS = 16 };

typedef struct Panes {
    int order[VIEWS_MAX]; /* indices of views; the first ones are on screen */
    int count;            /* how many views there are */
    int focus;            /* index into order */
    int split;            /* panes wanted; 0: as many as the size suggests */
    bool zoom;            /* the pane in focus takes all */
} Panes;

typedef struct Pane {
    int view; /* index of the view */
    Rect rect;
    bool focused;
} Pane;

void panes_init(Panes *p, int count);
/* Give pane 0.. a view before the first frame. */
void panes_prefer(Panes *p, int pane, int view);
/* The panes on screen within `area`; returns how many (0 when there are no views). Brings the view
 * in focus onto the screen. */
int panes_place(Panes *p, Rect area, Pane out[PANES_MAX]);
/* Put a view in focus: where it is, or in place of the pane in focus (never of the main view). */
void panes_show(Panes *p, Rect area, int view);
/* Focus the next (+1) or previous (-1) pane; with one pane on screen, the next view by its number.
 */
void panes_next(Panes *p, Rect area, int by);
/* One more pane than now while there is room, then one; returns how many. */
int panes_split(Panes *p, Rect area);
/* Most panes that fit. */
int panes_most(Rect area);

#endif
