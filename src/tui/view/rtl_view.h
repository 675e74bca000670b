#ifndef TUI_RTL_VIEW_H
#define TUI_RTL_VIEW_H
/* The state of the RTL view's pane. */
#include "tell/rtl.h"
#include "tui/view/view.h"

typedef struct RtlState {
    ViewState v;    /* row: the line of the file */
    int unit;       /* 0 follows the machine, 1..UNIT_COUNT a unit, above that a file */
    int columns;    /* of source that the pane has room for: a search brings its match into them */
    const Rtl *rtl; /* the files, read once, borrowed; NULL: there are none */
} RtlState;

#endif
