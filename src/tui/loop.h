#ifndef TUI_LOOP_H
#define TUI_LOOP_H
/* The explorer on a terminal, until the user leaves. */
#include "base/err.h"
#include "tui/term.h"
#include "tui/tui.h"

/* Returns 0, or the signal that asked to leave. */
int tui_loop(Tui *tui, Term *term);

#endif
