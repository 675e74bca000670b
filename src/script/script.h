#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H
/* Lua with the whole API, sandboxed: scripts, lines of the console, lessons (lesson.h). The only
 * room that knows lua.h. Lua changes the machine through session_exec alone, and never draws: what
 * it wants to be shown it leaves as commands, which the explorer fetches. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "session/command.h"

typedef struct Script Script;

typedef struct ScriptLimits {
    double cpu;    /* seconds of its own for each entry from outside; 0: 10 */
    size_t memory; /* bytes; 0: 64 MiB */
    bool trusted;  /* io and os as well */
    /* Is there a view of this name, and if not, which are there? NULL: any may be named. */
    bool (*has_view)(const char *name, Err *err);
    const Command *commands; /* the host's own, to suggest for one unknown; NULL: it has none */
    /* Asked every 20 ms while Lua runs: go on? May draw and read keys. NULL: go on. */
    bool (*go_on)(void *context);
    void *context;
} ScriptLimits;

typedef struct ScriptError {
    Err err;          /* "FILE:LINE: why", or only why */
    bool runaway;     /* stopped: time, memory, or the host's wish */
    bool own;         /* the script's own: it does not compile, fails, or ran away */
    char source[480]; /* the line, the one before and the one after, numbered; "" when unknown */
} ScriptError;

/* The session is borrowed; NULL: one of its own, with the defaults. The library is read from
 * `lua/` (base/place.h). NULL with the error when it cannot be loaded. */
Script *script_new(Session *s, const ScriptLimits *limits, ScriptError *error);
void script_free(Script *s);

/* Run a file; args become `...` and the global `arg`. print goes to stdout. A file that returns a
 * lesson is refused: nobody has taken it. */
bool script_file(Script *s, const char *path, int argc, char **argv, ScriptError *error);
/* One line typed at a console: an expression's values, or what a statement prints, go to out. */
bool script_line(Script *s, const char *line, Buf *out, ScriptError *error);

/* Commands for the screen ("view softmax", "find exp[3]") that Lua has left since the last call;
 * NULL when there are no more. Valid until the next call. */
const char *script_wish(Script *s);

/* The reference of the API as Markdown: lua/API.md is this. */
bool script_reference(Script *s, Buf *out, ScriptError *error);

#endif
