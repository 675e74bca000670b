/* Marks: places in an investigation to come back to - parameters, edits and cycle. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "script/core_machine.h"

#define MARK "tokstep.mark"

typedef struct Mark {
    Setup setup;
    uint64_t cycle;
    Edit *edits;
    int count;
    size_t reserved; /* of the sandbox's memory */
} Mark;

static int mark_gc(lua_State *L)
{
    Mark *mark = luaL_checkudata(L, 1, MARK);
    free(mark->edits);
    mark->edits = NULL;
    setup_free(&mark->setup);
    sandbox_release(sandbox_of(L), mark->reserved);
    mark->reserved = 0;
    return 0;
}

/* mark(m) */
static int machine_mark(lua_State *L)
{
    const Session *s = core_check_machine(L)->session;
    int count = 0;
    const Edit *edits = session_edits(s, &count);
    const Model *m = session_model(s);
    size_t size = (m ? model_size(m) : 0) + (size_t)count * sizeof *edits;
    Mark *mark = lua_newuserdatauv(L, sizeof *mark, 0);
    *mark = (Mark){.cycle = engine_cycle(session_engine(s)), .count = count};
    luaL_setmetatable(L, MARK);
    if (!sandbox_reserve(sandbox_of(L), size))
        return luaL_error(L, "mark: no memory left for its model and edits");
    mark->reserved = size;
    sandbox_charge(L, size / 64);
    setup_copy(&mark->setup, session_setup(s));
    if (count) {
        mark->edits = xmalloc((size_t)count * sizeof *edits);
        memcpy(mark->edits, edits, (size_t)count * sizeof *edits);
    }
    return 1;
}

static bool same_setup(const Setup *a, const Setup *b)
{
    char left[32], right[32];
    for (int i = 0; config_keys[i]; i++) {
        config_text(&a->config, config_keys[i], left, sizeof left);
        config_text(&b->config, config_keys[i], right, sizeof right);
        if (strcmp(left, right) != 0)
            return false;
    }
    const Model *m = setup_model_of(a), *n = setup_model_of(b);
    return strcmp(a->config.preset, b->config.preset) == 0 && a->stimulus == b->stimulus &&
           (!m || model_equal(m, n)) && strcmp(a->text, b->text) == 0 && a->seed == b->seed &&
           a->amp == b->amp && a->tamp == b->tamp && a->tokens == b->tokens;
}

/* same_setup(m, MARK): are the parameters those of the mark? */
static int machine_same_setup(lua_State *L)
{
    const Session *s = core_session(L);
    const Mark *mark = luaL_checkudata(L, 2, MARK);
    lua_pushboolean(L, same_setup(session_setup(s), &mark->setup));
    return 1;
}

static bool same_edit(const Edit *a, const Edit *b)
{
    return a->cycle == b->cycle && a->signal == b->signal && a->at == b->at && a->after == b->after;
}

/* restore(m, MARK): its setup, its edits, its cycle */
static int machine_restore(lua_State *L)
{
    Session *s = core_check_machine(L)->session;
    const Mark *mark = luaL_checkudata(L, 2, MARK);
    int count = 0, same = 0;
    session_run_stop(s);
    if (!same_setup(session_setup(s), &mark->setup))
        session_restart(s, &mark->setup);
    const Edit *edits = session_edits(s, &count);
    while (same < count && same < mark->count && same_edit(&edits[same], &mark->edits[same]))
        same++;
    for (; count > same; count--)
        session_undo(s, NULL);
    for (int i = same; i < mark->count; i++) {
        session_goto(s, mark->edits[i].cycle);
        session_set(s, mark->edits[i].signal, mark->edits[i].at, mark->edits[i].after, NULL);
    }
    session_goto(s, mark->cycle);
    sandbox_charge(L, 1000);
    return 0;
}

void core_mark(lua_State *L)
{
    static const luaL_Reg functions[] = {{"mark", machine_mark},
                                         {"restore", machine_restore},
                                         {"same_setup", machine_same_setup},
                                         {NULL, NULL}};
    core_make_type(L, MARK, mark_gc);
    luaL_setfuncs(L, functions, 0);
}
