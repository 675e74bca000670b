/* The base functions that must not be as they are (peers.md 5.2), and the whole environment. */
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "script/sandbox.h"

/* ---- pcall, xpcall: a kill is not to be caught ---- */

static int finish_pcall(lua_State *L, int status, lua_KContext skip)
{
    sandbox_reraise(L);
    sandbox_charge(L, 10);
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - (int)skip;
    sandbox_own_words(L);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

static int guarded_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
    return finish_pcall(L, status, 0);
}

/* In front of the script's handler: the error of a kill is raised in the hook, where hooks are
 * off, and a handler would run unobserved. */
static int guarded_handler(lua_State *L)
{
    if (!sandbox_killed(sandbox_of(L))) {
        lua_settop(L, 1);
        sandbox_own_words(L);
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);
        lua_call(L, 1, 1);
    }
    return 1;
}

static int guarded_xpcall(lua_State *L)
{
    int n = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2); /* f handler true f args... */
    int status = lua_pcallk(L, n - 2, LUA_MULTRET, 2, 2, finish_pcall);
    return finish_pcall(L, status, 2);
}

/* ---- metatables, chunks ---- */

/* Finalizers run with hooks off. (A __gc added to a metatable later has no effect.) */
static int guarded_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "setmetatable: __gc is not available to scripts");
    }
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

/* load(TEXT [, NAME [, MODE [, ENV]]]): text only, of bounded length. */
static int guarded_load(lua_State *L)
{
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *name = luaL_optstring(L, 2, "=load");
    bool has_env = !lua_isnone(L, 4);
    lua_settop(L, 4);
    if (len > SOURCE_MAX)
        return luaL_error(L, "load: more than %d KiB of source text", SOURCE_MAX >> 10);
    sandbox_charge(L, len);
    if (sandbox_is_library(name))
        return luaL_error(L, "load: that name belongs to the library");
    if (luaL_loadbufferx(L, text, len, name, "t") != LUA_OK) {
        sandbox_plain_message(L);
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    if (has_env) {
        lua_pushvalue(L, 4);
        if (!lua_setupvalue(L, -2, 1))
            lua_pop(L, 1);
    }
    return 1;
}

static int memory_count(lua_State *L)
{
    static const char *const options[] = {"count", NULL};
    luaL_checkoption(L, 1, "count", options);
    lua_pushnumber(L, (lua_Number)lua_gc(L, LUA_GCCOUNT, 0) +
                          (lua_Number)lua_gc(L, LUA_GCCOUNTB, 0) / 1024);
    return 1;
}

static void copy_names(lua_State *L, int from, int to, const char *const *names)
{
    from = lua_absindex(L, from);
    to = lua_absindex(L, to);
    for (; *names; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, to, *names);
    }
}

void guard_base(lua_State *L)
{
    static const luaL_Reg functions[] = {{"pcall", guarded_pcall},
                                         {"xpcall", guarded_xpcall},
                                         {"setmetatable", guarded_setmetatable},
                                         {"load", guarded_load},
                                         {"collectgarbage", memory_count},
                                         {NULL, NULL}};
    static const char *const long_texts[] = {"rawequal", "tonumber", NULL};
    luaL_setfuncs(L, functions, 0);
    guard_tostring(L);
    guard_charged(L, long_texts);
}

/* ---- the environment ---- */

/* The library `name` by its opener, as a new value on the stack; nothing of it is global. */
static void open_library(lua_State *L, lua_CFunction opener)
{
    lua_pushcfunction(L, opener);
    lua_call(L, 0, 1);
}

static void add_os(lua_State *L, int env, bool trusted)
{
    static const char *const harmless[] = {"clock", "time", NULL};
    open_library(L, luaopen_os);
    if (!trusted) {
        lua_newtable(L);
        copy_names(L, -2, -1, harmless);
    }
    lua_setfield(L, env, "os");
    if (trusted) {
        open_library(L, luaopen_io);
        lua_setfield(L, env, "io");
    }
}

/* randomseed([N]); upvalue: the library's, which without N takes the time and an address, and tells
 * both. */
static int guarded_randomseed(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_pushinteger(L, 1);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* The same numbers every time: a lesson must not depend on luck. */
static void add_math(lua_State *L, int env)
{
    open_library(L, luaopen_math);
    lua_getfield(L, -1, "randomseed");
    lua_pushcclosure(L, guarded_randomseed, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "randomseed");
    lua_call(L, 0, 0);
    lua_setfield(L, env, "math");
}

void sandbox_open(Sandbox *box, bool trusted)
{
    static const char *const harmless[] = {
        "assert", "error",  "getmetatable", "ipairs", "next",     "pairs", "rawequal",
        "rawlen", "select", "tonumber",     "type",   "_VERSION", NULL};
    lua_State *L = sandbox_lua(box);
    lua_newtable(L);
    int env = lua_gettop(L);
    open_library(L, luaopen_base); /* fills the globals, which scripts never see */
    copy_names(L, -1, env, harmless);
    lua_settop(L, env);
    guard_base(L);
    guard_coroutine(L);
    lua_setfield(L, env, "coroutine");
    open_library(L, luaopen_table);
    guard_table(L);
    lua_setfield(L, env, "table");
    open_library(L, luaopen_string);
    guard_string(L);
    lua_setfield(L, env, "string");
    open_library(L, luaopen_utf8);
    guard_utf8(L);
    lua_setfield(L, env, "utf8");
    add_math(L, env);
    add_os(L, env, trusted);
    lua_settop(L, env);
    lua_pushvalue(L, env);
    lua_setfield(L, env, "_G");
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
