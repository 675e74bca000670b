#ifndef TUI_LOOP_H
#define TUI_LOOP_H
/* The explorer on a terminal, until the user leaves. */
#include "base/err.h"
#include "tui/input/term.h"
#include "tui/tui.h"

/* What is to be done before the first key, with the terminal alive. */
typedef struct LoopBegin {
    bool (*run)(void *context, Tui *tui, Err *err);
    void *context;
} LoopBegin;

/* Returns 0, the signal that asked to leave, or -1 with the error when `begin` (may be NULL) has
 * failed. */
int tui_loop(Tui *tui, Term *term, const LoopBegin *begin, Err *err);

#endif
