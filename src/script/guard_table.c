/* table.*: the library's own functions behind a look at how many elements they will touch, since
 * their loops are C. */
#include <stdbool.h>
#include <string.h>

#include "script/sandbox.h"

/* Elements first..last, or an error that names the function. */
static void check_span(lua_State *L, const char *name, lua_Integer first, lua_Integer last)
{
    lua_Unsigned count = last < first ? 0 : (lua_Unsigned)last - (lua_Unsigned)first + 1;
    lua_Unsigned most = strcmp(name, "unpack") == 0 ? UNPACK_MAX : ELEMENTS_MAX;
    if (count > most || (count == 0 && last >= first))
        luaL_error(L, "table.%s: more than %d elements", name, (int)most);
    sandbox_charge(L, count);
}

/* The length of table `at`; one with a length of its own making is refused. */
static lua_Integer plain_length(lua_State *L, const char *name, int at)
{
    luaL_checktype(L, at, LUA_TTABLE);
    if (luaL_getmetafield(L, at, "__len") != LUA_TNIL)
        luaL_error(L, "table.%s: a table with __len is not accepted", name);
    return (lua_Integer)lua_rawlen(L, at);
}

static void check_call(lua_State *L, const char *name)
{
    if (strcmp(name, "move") == 0) {
        check_span(L, name, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    } else if (strcmp(name, "concat") == 0 || strcmp(name, "unpack") == 0) {
        int first = name[0] == 'c' ? 3 : 2;
        lua_Integer to = lua_isnoneornil(L, first + 1) ? plain_length(L, name, 1)
                                                       : luaL_checkinteger(L, first + 1);
        check_span(L, name, luaL_optinteger(L, first, 1), to);
    } else if (strcmp(name, "sort") == 0 || lua_gettop(L) > (name[0] == 'i' ? 2 : 1)) {
        check_span(L, name, 1, plain_length(L, name, 1));
    } else { /* insert and remove at the end */
        plain_length(L, name, 1);
    }
}

/* In the place of the order given, or of `<`: comparing two texts may take as long as they are, and
 * no hook comes between two comparisons in C. upvalue: the order, or nil */
static int order(lua_State *L)
{
    bool less = false;
    sandbox_look(L, 1);
    if (lua_isnil(L, lua_upvalueindex(1))) {
        less = lua_compare(L, 1, 2, LUA_OPLT);
    } else {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);
        lua_call(L, 2, 1);
        less = lua_toboolean(L, -1);
    }
    lua_pushboolean(L, less);
    return 1;
}

static void guard_order(lua_State *L)
{
    if (!lua_isnoneornil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_pushcclosure(L, order, 1);
}

/* upvalues: the function, its name */
static int guarded(lua_State *L)
{
    const char *name = lua_tostring(L, lua_upvalueindex(2));
    check_call(L, name);
    if (strcmp(name, "sort") == 0)
        guard_order(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

void guard_table(lua_State *L)
{
    static const char *const names[] = {"concat", "insert", "move", "remove", "sort", "unpack"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lua_getfield(L, -1, names[i]);
        lua_pushstring(L, names[i]);
        lua_pushcclosure(L, guarded, 2);
        lua_setfield(L, -2, names[i]);
    }
}
