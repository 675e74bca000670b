#ifndef TUI_EXP_PLOT_H
#define TUI_EXP_PLOT_H
/* The exp by pieces as a picture, -4.0 to 0.5: what the machine computes as a filled area, the true
 * exp as dots over it, on request the other reading of the listing, and one marked argument. */
#include "engine/config.h"
#include "tui/screen/canvas.h"

typedef struct ExpPlot {
    ExpMode mode; /* what this machine executes: the area */
    bool other;   /* draw the other reading too */
    bool marked;  /* mark the point (x, y) */
    int16_t x, y; /* raw Q8.8; x outside the picture is marked at its edge */
} ExpPlot;

void exp_plot(Canvas *c, Rect r, const ExpPlot *p);

#endif
