/* Objects as text. Lua shows the address of a table, function or userdata: a script has no use for
 * it, and an attacker has. Here objects are numbered in the order in which they are first shown,
 * which is also the same in every run: "table: 1". */
#include <string.h>

#include "script/sandbox.h"

static const char ids_key[] = "tokstep.ids"; /* [object] = number; weak, [0] is the last number */

/* The number of the object at `at`. */
static lua_Integer number_of(lua_State *L, int at)
{
    at = lua_absindex(L, at);
    if (lua_getfield(L, LUA_REGISTRYINDEX, ids_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_createtable(L, 0, 1);
        lua_pushliteral(L, "k");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, ids_key);
    }
    lua_pushvalue(L, at);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_rawgeti(L, -1, 0);
        lua_pushinteger(L, lua_tointeger(L, -1) + 1);
        lua_replace(L, -2);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, 0);
        lua_pushvalue(L, at);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_Integer n = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return n;
}

static bool is_object(lua_State *L, int at)
{
    switch (lua_type(L, at)) {
    case LUA_TTABLE:
    case LUA_TFUNCTION:
    case LUA_TUSERDATA:
    case LUA_TLIGHTUSERDATA:
    case LUA_TTHREAD:
        return true;
    default:
        return false;
    }
}

const char *sandbox_tolstring(lua_State *L, int at, size_t *len)
{
    at = lua_absindex(L, at);
    if (!is_object(L, at))
        return luaL_tolstring(L, at, len);
    if (luaL_getmetafield(L, at, "__tostring") != LUA_TNIL) {
        lua_pop(L, 1);
        return luaL_tolstring(L, at, len);
    }
    luaL_checkstack(L, 8, NULL);
    int type = luaL_getmetafield(L, at, "__name");
    const char *name = type == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, at);
    lua_pushfstring(L, "%s: %I", name, number_of(L, at));
    if (type != LUA_TNIL)
        lua_remove(L, -2);
    return lua_tolstring(L, -1, len);
}

static int guarded_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    sandbox_tolstring(L, 1, NULL);
    return 1;
}

/* %p shows the number, %s what tostring says. */
static void take_argument(lua_State *L, int arg, char *conversion)
{
    bool object = is_object(L, arg), pointer = *conversion == 'p';
    if (pointer && object)
        lua_pushfstring(L, "%I", number_of(L, arg));
    else if (pointer)
        lua_pushliteral(L, "(null)");
    else if (*conversion == 's' && object)
        sandbox_tolstring(L, arg, NULL);
    else
        return;
    lua_replace(L, arg);
    *conversion = 's';
}

/* string.format; upvalue: the library's, which says what is wrong with the format */
static int guarded_format(lua_State *L)
{
    size_t len = 0;
    const char *format = luaL_checklstring(L, 1, &len);
    int top = lua_gettop(L), arg = 1;
    char *copy = memcpy(lua_newuserdatauv(L, len + 1, 0), format, len + 1);
    for (size_t i = 0; i < len; i++) {
        if (copy[i] != '%' || copy[++i] == '%')
            continue;
        i += strspn(copy + i, "-+ #0123456789.");
        if (++arg <= top)
            take_argument(L, arg, &copy[i]);
    }
    lua_pushlstring(L, copy, len);
    lua_replace(L, 1);
    lua_settop(L, top);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, top, LUA_MULTRET);
    return lua_gettop(L);
}

void guard_tostring(lua_State *L)
{
    lua_pushcfunction(L, guarded_tostring);
    lua_setfield(L, -2, "tostring");
}

void guard_format(lua_State *L)
{
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, guarded_format, 1);
    lua_setfield(L, -2, "format");
}
