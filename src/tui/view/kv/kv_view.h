#ifndef TUI_KV_VIEW_H
#define TUI_KV_VIEW_H
/* The state of the KV cache's pane. */
#include "tui/view/view.h"

typedef struct KvState {
    ViewState v;  /* row: position, col: dimension */
    int of_v;     /* the cursor is in the memory V, else in K */
    int as_words; /* words instead of heat */
} KvState;

#endif
