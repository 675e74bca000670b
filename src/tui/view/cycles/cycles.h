#ifndef TUI_CYCLES_H
#define TUI_CYCLES_H
/* The cycle counter's pane: a machine of its own on sliders, which the user's never learns of. Kept
 * by value in the pane's state, so that drawing allocates nothing. */
#include "tell/cycle_report.h"
#include "tui/screen/canvas.h"

typedef struct CyclesState {
    bool ready;         /* the sliders have been set: to the user's machine, then by keys */
    bool measured;      /* the measured column of the report holds */
    bool secret;        /* a lesson keeps back how far the deck is off */
    int mhz10;          /* the clock, in tenths of a MHz */
    CycleReport report; /* of the machine on the sliders; its config and position are the sliders */
} CyclesState;

/* The sliders (cycles_knobs.c). */
typedef enum {
    KNOB_VARIANT,
    KNOB_D_MODEL,
    KNOB_N_HEADS,
    KNOB_D_FF,
    KNOB_SEQ,
    KNOB_POS,
    KNOB_MHZ,
    KNOB_PE_ROWS, /* these two matter to variant array only */
    KNOB_PE_COLS,
    KNOB_COUNT
} Knob;

int knob_count(const CyclesState *k); /* as many of them as matter */
const char *knob_name(Knob knob);
int knob_value(const CyclesState *k, Knob knob);
void knob_range(const CyclesState *k, Knob knob, int *low, int *high);
void knob_text(const CyclesState *k, Knob knob, char *out, size_t size);
const char *knob_rule(Knob knob);
/* Set it; what does not go with it any more (heads, position) follows. True when nothing had to. */
bool knob_set(CyclesState *k, Knob knob, int value);
/* The next sensible value up (+1) or down (-1), or the very next one when `fine`. */
void knob_step(CyclesState *k, Knob knob, int direction, bool fine);
/* The value at column `at` of `columns`, from the lowest to the highest; and back. */
int knob_at(const CyclesState *k, Knob knob, int at, int columns);
int knob_column(const CyclesState *k, Knob knob, int columns);

/* What a plot shows over the slider under the cursor (cycles_plot.c). */
typedef enum { METRIC_CYCLES, METRIC_RATE, METRIC_FFN, METRIC_COUNT } Metric;
void cycles_plot(const CyclesState *k, Knob over, Metric metric, Rect r, Canvas *c);

static inline double cycles_mhz(const CyclesState *k)
{
    return k->mhz10 / 10.0;
}

#endif
