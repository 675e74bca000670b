/* coroutine.*, from scratch: resume and wrap pass a kill on, and neither they nor close run the
 * pending __close handlers of a coroutine that was killed in its hook (where hooks stay off). */
#include <lualib.h>
#include <string.h>

#include "script/sandbox.h"

static lua_State *check_coroutine(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    return co;
}

static const char *status_of(lua_State *L, lua_State *co)
{
    lua_Debug ar;
    if (L == co)
        return "running";
    switch (lua_status(co)) {
    case LUA_YIELD:
        return "suspended";
    case LUA_OK:
        if (lua_getstack(co, 0, &ar))
            return "normal";
        return lua_gettop(co) == 0 ? "dead" : "suspended";
    default:
        return "dead";
    }
}

/* Move n arguments over and run co; the number of results, or -1 with the error on L's stack. */
static int resume(lua_State *L, lua_State *co, int n)
{
    int results = 0;
    const char *state = status_of(L, co);
    if (strcmp(state, "suspended") != 0) {
        lua_pushfstring(L, "cannot resume %s coroutine", L == co ? "non-suspended" : state);
        return -1;
    }
    if (!lua_checkstack(co, n)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, co, n);
    lua_State *before = sandbox_switch(sandbox_of(L), co);
    int status = lua_resume(co, L, n, &results);
    sandbox_switch(sandbox_of(L), before);
    sandbox_reraise(L);
    sandbox_charge(L, 10);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        sandbox_own_words(L);
        return -1;
    }
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(co, results);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(co, L, results);
    return results;
}

static int co_create(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

static int co_resume(lua_State *L)
{
    lua_State *co = check_coroutine(L);
    int results = resume(L, co, lua_gettop(L) - 1);
    lua_pushboolean(L, results >= 0);
    lua_insert(L, results >= 0 ? -(results + 1) : -2);
    return results >= 0 ? results + 1 : 2;
}

static int close_coroutine(lua_State *L, lua_State *co)
{
    lua_State *before = sandbox_switch(sandbox_of(L), co);
    int status = lua_resetthread(co);
    sandbox_switch(sandbox_of(L), before);
    sandbox_reraise(L);
    return status;
}

static int wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int results = resume(L, co, lua_gettop(L));
    if (results >= 0)
        return results;
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD && close_coroutine(L, co) != LUA_OK) {
        lua_xmove(co, L, 1); /* the error, or the one of a __close handler */
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int co_wrap(lua_State *L)
{
    co_create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static int co_yield (lua_State *L)
{
    return lua_yield(L, lua_gettop(L));
}

static int co_status(lua_State *L)
{
    lua_pushstring(L, status_of(L, check_coroutine(L)));
    return 1;
}

static int co_running(lua_State *L)
{
    int is_main = lua_pushthread(L);
    lua_pushboolean(L, is_main);
    return 2;
}

static int co_isyieldable(lua_State *L)
{
    lua_State *co = lua_isnone(L, 1) ? L : check_coroutine(L);
    lua_pushboolean(L, lua_isyieldable(co));
    return 1;
}

static int co_close(lua_State *L)
{
    lua_State *co = check_coroutine(L);
    const char *status = status_of(L, co);
    if (strcmp(status, "dead") != 0 && strcmp(status, "suspended") != 0)
        return luaL_error(L, "cannot close a %s coroutine", status);
    if (close_coroutine(L, co) == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushboolean(L, 0);
    lua_xmove(co, L, 1);
    return 2;
}

void guard_coroutine(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"create", co_create}, {"resume", co_resume},           {"yield", co_yield },
        {"wrap", co_wrap},     {"status", co_status},           {"running", co_running},
        {"close", co_close},   {"isyieldable", co_isyieldable}, {NULL, NULL}};
    luaL_newlib(L, functions);
}
