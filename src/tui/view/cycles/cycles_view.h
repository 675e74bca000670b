#ifndef TUI_CYCLES_VIEW_H
#define TUI_CYCLES_VIEW_H
/* The state of the cycle counter's pane. */
#include "tui/view/cycles/cycles.h"
#include "tui/view/view.h"

typedef struct CyclesPane {
    ViewState v;         /* row: the slider, a Knob; pinned: the sliders were moved */
    int plot;            /* 0: bars, else 1 + the Metric of the sweep */
    CyclesState sliders; /* and what was computed for the machine that they set */
} CyclesPane;

#endif
