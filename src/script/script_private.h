#ifndef SCRIPT_SCRIPT_PRIVATE_H
#define SCRIPT_SCRIPT_PRIVATE_H
/* What script.c and lesson.c share. */
#include "script/sandbox.h"
#include "script/script.h"

struct Script {
    Sandbox *box;
    Session *session; /* the machine of the scripts */
    Session *own;     /* NULL when it is borrowed */
    Buf *out;         /* what print appends to; NULL: stdout */
    char **wishes;
    int n_wishes, next_wish;
    bool (*has_view)(const char *name, Err *err); /* ScriptLimits */
    const Command *commands;                      /* the same */
    bool in_lesson; /* what moves the machine is the lesson, not its user */
};

/* Compile a file; the chunk stays on the stack. */
bool script_load_file(Script *s, const char *path, ScriptError *error);
/* core.FUNCTION([lesson, m,] args...): its result as text is appended to out (may be NULL). */
bool script_call(Script *s, const char *function, bool with_lesson, const char *const *args,
                 Buf *out, ScriptError *error);

#endif
