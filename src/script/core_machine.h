#ifndef SCRIPT_CORE_MACHINE_H
#define SCRIPT_CORE_MACHINE_H
/* What the files of machines share: core_machine.c (life, commands), core_read.c (reading),
 * core_mark.c (places to come back to). */
#include "script/core.h"
#include "session/session.h"

typedef struct Machine {
    Session *session;
    bool owned;
    size_t reserved;
    Buf out; /* what the last command printed */
    Err err;
} Machine;

enum { CYCLE_WORK = 2 }; /* units of a cycle at the default sizes */

/* The machine that is the first argument, and its engine. */
Machine *core_check_machine(lua_State *L);
const Engine *core_check_engine(lua_State *L);

#endif
