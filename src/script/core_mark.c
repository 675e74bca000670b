/* Marks for Lua: places in an investigation to come back to (session/mark.h). */
#include "script/core_machine.h"
#include "session/mark.h"

#define MARK "tokstep.mark"

typedef struct LuaMark {
    Mark mark;
    size_t reserved; /* of the sandbox's memory */
} LuaMark;

static int mark_gc(lua_State *L)
{
    LuaMark *m = luaL_checkudata(L, 1, MARK);
    mark_free(&m->mark);
    sandbox_release(sandbox_of(L), m->reserved);
    m->reserved = 0;
    return 0;
}

/* mark(m) */
static int machine_mark(lua_State *L)
{
    const Session *s = core_check_machine(L)->session;
    size_t size = mark_size(s);
    LuaMark *m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = (LuaMark){0};
    luaL_setmetatable(L, MARK);
    if (!sandbox_reserve(sandbox_of(L), size))
        return luaL_error(L, "mark: no memory left for its model and edits");
    m->reserved = size;
    sandbox_charge(L, size / 64);
    mark_take(&m->mark, s);
    return 1;
}

/* same_setup(m, MARK): are the parameters those of the mark? */
static int machine_same_setup(lua_State *L)
{
    const Session *s = core_session(L);
    const LuaMark *m = luaL_checkudata(L, 2, MARK);
    lua_pushboolean(L, mark_same_setup(&m->mark, s));
    return 1;
}

/* restore(m, MARK): its setup, its edits, its cycle */
static int machine_restore(lua_State *L)
{
    Session *s = core_check_machine(L)->session;
    const LuaMark *m = luaL_checkudata(L, 2, MARK);
    mark_restore(&m->mark, s);
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
