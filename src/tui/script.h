#ifndef TUI_SCRIPT_H
#define TUI_SCRIPT_H
/* The explorer driven by a file, with no terminal (cli.md "scripts"). */
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "tui/tui.h"

/* Lines beginning with ':' are commands, whose output goes to out; other lines are names of keys;
 * '#' begins a comment line. Runs are waited for; missed gets a line for each whose condition never
 * came true. Stops at `quit`. False at the first line that fails: "PATH: line N: why". */
bool script_run(Tui *t, const char *path, FILE *out, Buf *missed, Err *err);
/* The screen as text into a file, or to out when path is "-". */
bool script_screen(Tui *t, const char *path, FILE *out, Err *err);

#endif
