#ifndef TUI_SOFTMAX_VIEW_H
#define TUI_SOFTMAX_VIEW_H
/* The state of the softmax view's pane. */
#include "tui/view/view.h"

typedef struct SoftmaxState {
    ViewState v;   /* row: position, col: of the table */
    int head;      /* from 1; 0: the one at work */
    int other_exp; /* the other reading of exp is plotted too */
} SoftmaxState;

#endif
