/* The systolic array as a value that a script clocks: the engine's own registers. */
#include "engine/systolic_array.h"
#include "script/core.h"

#define ARRAY "tokstep.array"

static SystolicArray *check_array(lua_State *L)
{
    SystolicArray *s = luaL_checkudata(L, 1, ARRAY);
    sandbox_charge(L, (uint64_t)s->rows * (uint64_t)s->cols);
    return s;
}

static int check_size(lua_State *L, int at)
{
    lua_Integer n = luaL_checkinteger(L, at);
    if (n < 1 || n > ARRAY_MAX)
        luaL_error(L, "systolic.array: %s %I: must be 1..%d", at == 1 ? "rows" : "cols",
                   (LUAI_UACINT)n, ARRAY_MAX);
    return (int)n;
}

/* array(ROWS, COLS, LEGACY) */
static int array_new(lua_State *L)
{
    Err err = {0};
    int rows = check_size(L, 1), cols = check_size(L, 2);
    SystolicArray *s = lua_newuserdatauv(L, sizeof *s, 0);
    if (!systolic_array_init(s, rows, cols, lua_toboolean(L, 3), &err))
        return luaL_error(L, "systolic.array: %s", err.text);
    luaL_setmetatable(L, ARRAY);
    return 1;
}

static int array_copy(lua_State *L)
{
    const SystolicArray *s = check_array(L);
    SystolicArray *copy = lua_newuserdatauv(L, sizeof *copy, 0);
    *copy = *s;
    luaL_setmetatable(L, ARRAY);
    return 1;
}

/* Words of the list at `at`, which may be nil, zeros behind its end. */
static void check_words(lua_State *L, int at, int n, int16_t *words)
{
    if (lua_isnoneornil(L, at))
        return;
    luaL_checktype(L, at, LUA_TTABLE);
    luaL_argcheck(L, lua_rawlen(L, at) <= (size_t)n, at, "has more words than the array takes");
    for (int i = 0; i < n; i++) {
        int whole = 1;
        lua_rawgeti(L, at, i + 1);
        lua_Integer word = lua_isnil(L, -1) ? 0 : lua_tointegerx(L, -1, &whole);
        if (!whole || word < INT16_MIN || word > UINT16_MAX)
            luaL_error(L, "array step: an operand is a raw word, -32768..65535");
        words[i] = (int16_t)(uint16_t)word;
        lua_pop(L, 1);
    }
}

/* array_step(X, A, B, ENABLE, CLEAR): one rising edge */
static int array_step(lua_State *L)
{
    SystolicArray *s = check_array(L);
    ArrayPins pins = {.enable = lua_toboolean(L, 4), .clear = lua_toboolean(L, 5)};
    check_words(L, 2, s->rows, pins.a);
    check_words(L, 3, s->cols, pins.w);
    systolic_array_step(s, &pins);
    return 0;
}

/* array_element(X, R, C): the sum and the two operands it passes on */
static int array_element(lua_State *L)
{
    const SystolicArray *s = check_array(L);
    lua_Integer r = luaL_checkinteger(L, 2), c = luaL_checkinteger(L, 3);
    luaL_argcheck(L, r >= 0 && r < s->rows, 2, "no such row of the array");
    luaL_argcheck(L, c >= 0 && c < s->cols, 3, "no such column of the array");
    lua_pushinteger(L, s->pe[r][c].acc);
    lua_pushinteger(L, s->pe[r][c].a);
    lua_pushinteger(L, s->pe[r][c].w);
    return 3;
}

static int array_done(lua_State *L)
{
    lua_pushboolean(L, systolic_array_done(check_array(L)));
    return 1;
}

/* array_size(X): rows, columns */
static int array_size(lua_State *L)
{
    const SystolicArray *s = check_array(L);
    lua_pushinteger(L, s->rows);
    lua_pushinteger(L, s->cols);
    return 2;
}

void core_systolic(lua_State *L)
{
    static const luaL_Reg functions[] = {{"array", array_new},
                                         {"array_copy", array_copy},
                                         {"array_step", array_step},
                                         {"array_element", array_element},
                                         {"array_done", array_done},
                                         {"array_size", array_size},
                                         {NULL, NULL}};
    core_make_type(L, ARRAY, NULL);
    luaL_setfuncs(L, functions, 0);
}
