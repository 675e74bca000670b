#ifndef TUI_PANE_H
#define TUI_PANE_H
/* Drawing inside a box: text that is too long stops before the right side. */
#include "tui/screen/canvas.h"

/* Confine drawing to the box r without its right side; returns the old clip. */
static inline Rect pane_clip(Canvas *c, Rect r)
{
    return canvas_clip(c, (Rect){r.y, r.x, r.h, r.w - 1});
}

/* A line across the box r from side to side while drawing is so confined. */
static inline void pane_rule(Canvas *c, Rect r, int y, const char *title)
{
    Rect old = canvas_clip(c, r);
    canvas_rule(c, r, y, ROLE_FRAME, title);
    canvas_clip(c, old);
}

#endif
