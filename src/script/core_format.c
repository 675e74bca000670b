/* Number formats and the machine's arithmetic. Values come as Lua numbers (exactly the double) or
 * as text (exactly the decimal); codes are integers. */
#include <string.h>

#include "engine/fixed_point.h"
#include "engine/option.h"
#include "num/block.h"
#include "num/measure.h"
#include "num/text.h"
#include "script/core.h"

#define SCRATCH "tokstep.scratch"
enum { FORMAT_WORK = 200 };

/* What would leak if a push raised: one for the whole state. */
typedef struct Scratch {
    Value value, stored, error, relative;
    Value values[BLOCK_MAX];
    Block block;
    Buf text;
    Err err;
} Scratch;

static int scratch_gc(lua_State *L)
{
    Scratch *x = luaL_checkudata(L, 1, SCRATCH);
    value_free(&x->value);
    value_free(&x->stored);
    value_free(&x->error);
    value_free(&x->relative);
    for (int i = 0; i < BLOCK_MAX; i++)
        value_free(&x->values[i]);
    buf_free(&x->text);
    return 0;
}

static Scratch *push_scratch(lua_State *L)
{
    Scratch *x = lua_newuserdatauv(L, sizeof *x, 0);
    memset(x, 0, sizeof *x);
    value_init(&x->value);
    value_init(&x->stored);
    value_init(&x->error);
    value_init(&x->relative);
    for (int i = 0; i < BLOCK_MAX; i++)
        value_init(&x->values[i]);
    luaL_newmetatable(L, SCRATCH);
    lua_pushcfunction(L, scratch_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return x;
}

static Scratch *scratch(lua_State *L)
{
    Scratch *x = lua_touserdata(L, lua_upvalueindex(1));
    sandbox_charge(L, FORMAT_WORK);
    buf_clear(&x->text);
    return x;
}

/* ---- arguments ---- */

static const Format *check_format(lua_State *L, int at)
{
    const char *name = luaL_checkstring(L, at);
    const Format *f = format_find(name);
    char hint[SUGGEST_TEXT];
    if (!f)
        luaL_error(L, "%s: no such number format; %sfmt.formats() lists them", name,
                   format_hint(name, hint));
    return f;
}

static uint32_t check_code(lua_State *L, int at, const Format *f)
{
    lua_Integer code = luaL_checkinteger(L, at);
    if (code < 0 && f->kind == FORMAT_FIXED && code >= -((lua_Integer)1 << (f->bits - 1)))
        code &= ((lua_Integer)1 << f->bits) - 1; /* a raw word as signals give it */
    if (code < 0 || code > UINT32_MAX || !format_fits(f, (uint32_t)code))
        luaL_error(L, "%s: a code has %d bits", f->name, f->bits);
    return (uint32_t)code;
}

static void check_value(lua_State *L, int at, Value *v)
{
    Scratch *x = lua_touserdata(L, lua_upvalueindex(1));
    size_t len = 0;
    if (lua_isinteger(L, at)) {
        lua_Integer n = lua_tointeger(L, at);
        value_set_binary(v, n < 0, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 0);
    } else if (lua_type(L, at) == LUA_TNUMBER) {
        value_set_double(v, lua_tonumber(L, at));
    } else {
        const char *text = luaL_checklstring(L, at, &len);
        if (!value_parse(v, text, len, &x->err))
            luaL_error(L, "%s", x->err.text);
    }
}

/* ---- scalars ---- */

/* encode(FORMAT, VALUE, ROUND, OVERFLOW, SEED): code, exact, tie, overflow */
static int encode(lua_State *L)
{
    Scratch *x = scratch(L);
    const Format *f = check_format(L, 1);
    Random random = {(uint64_t)luaL_optinteger(L, 5, 1)};
    Rounding rounding = {.random = &random};
    const char *round = luaL_optstring(L, 3, "ne"), *overflow = luaL_optstring(L, 4, "saturate");
    if (!round_mode_find(round, &rounding.mode))
        return luaL_error(L, "%s: no such rounding", round);
    if (!overflow_find(overflow, &rounding.overflow))
        return luaL_error(L, "%s: no such overflow", overflow);
    check_value(L, 2, &x->value);
    Encoded e = format_round(f, &x->value, &rounding);
    lua_pushinteger(L, e.code);
    lua_pushboolean(L, e.exact);
    lua_pushboolean(L, e.tie);
    lua_pushboolean(L, e.overflow);
    return 4;
}

static int decode(lua_State *L)
{
    scratch(L);
    const Format *f = check_format(L, 1);
    lua_pushnumber(L, format_to_double(f, check_code(L, 2, f)));
    return 1;
}

static int push_text(lua_State *L, const Buf *b)
{
    lua_pushlstring(L, buf_str(b), b->len);
    return 1;
}

static int exact_text(lua_State *L)
{
    Scratch *x = scratch(L);
    const Format *f = check_format(L, 1);
    format_value(f, check_code(L, 2, f), &x->value);
    value_print(&x->text, &x->value);
    return push_text(L, &x->text);
}

static int fields(lua_State *L)
{
    Scratch *x = scratch(L);
    const Format *f = check_format(L, 1);
    format_print_fields(&x->text, f, check_code(L, 2, f));
    return push_text(L, &x->text);
}

static int hex(lua_State *L)
{
    Scratch *x = scratch(L);
    const Format *f = check_format(L, 1);
    format_print_code(&x->text, f, check_code(L, 2, f));
    return push_text(L, &x->text);
}

static int class_of(lua_State *L)
{
    scratch(L);
    const Format *f = check_format(L, 1);
    lua_pushstring(L, class_name(format_class(f, check_code(L, 2, f))));
    return 1;
}

/* step(FORMAT, CODE, +1|-1): the neighbour's code, nil at the end */
static int step(lua_State *L)
{
    uint32_t next = 0;
    scratch(L);
    const Format *f = check_format(L, 1);
    uint32_t code = check_code(L, 2, f);
    lua_Integer by = luaL_checkinteger(L, 3);
    luaL_argcheck(L, by == 1 || by == -1, 3, "must be 1 or -1");
    if (!format_step(f, code, (int)by, &next))
        return 0;
    lua_pushinteger(L, next);
    return 1;
}

/* error(FORMAT, CODE, VALUE): stored - value, and that divided by value; nothing for inf, nan */
static int error_of(lua_State *L)
{
    Scratch *x = scratch(L);
    const Format *f = check_format(L, 1);
    uint32_t code = check_code(L, 2, f);
    check_value(L, 3, &x->value);
    if (!format_error(f, code, &x->value, &x->error, &x->relative))
        return 0;
    lua_pushnumber(L, value_to_double(&x->error));
    lua_pushnumber(L, value_to_double(&x->relative));
    return 2;
}

static int formats(lua_State *L)
{
    lua_createtable(L, FORMAT_COUNT, 0);
    for (int i = 0; format_table[i].name; i++) {
        lua_pushstring(L, format_table[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int bits(lua_State *L)
{
    lua_pushinteger(L, check_format(L, 1)->bits);
    return 1;
}

/* ---- blocks ---- */

static void check_block_options(lua_State *L, int at, BlockOptions *options, Value *v)
{
    const char *rule = NULL;
    if (lua_isnoneornil(L, at))
        return;
    luaL_checktype(L, at, LUA_TTABLE);
    lua_getfield(L, at, "scale");
    rule = luaL_optstring(L, -1, "floor");
    if (!scale_rule_find(rule, &options->rule))
        luaL_error(L, "%s: no such scale rule", rule);
    lua_getfield(L, at, "reciprocal");
    options->reciprocal = lua_toboolean(L, -1);
    lua_getfield(L, at, "tensor_scale");
    if (!lua_isnil(L, -1)) {
        check_value(L, lua_gettop(L), v);
        if (!block_tensor_code(v, &options->tensor))
            luaL_error(L, "tensor_scale: not a positive fp32 number");
    }
    lua_pop(L, 3);
}

static void push_block(lua_State *L, Scratch *x)
{
    const Block *b = &x->block;
    lua_createtable(L, 0, 5);
    lua_pushstring(L, b->format->name);
    lua_setfield(L, -2, "kind");
    lua_pushinteger(L, b->scale);
    lua_setfield(L, -2, "scale");
    lua_pushnumber(L, format_to_double(block_scale_format(b->format), b->scale));
    lua_setfield(L, -2, "scale_value");
    lua_createtable(L, b->count, 0);
    lua_createtable(L, b->count, 0);
    lua_createtable(L, b->count, 0);
    for (int i = 0; i < b->count; i++) {
        block_value(b, (size_t)i, &x->stored);
        lua_pushinteger(L, b->code[i]);
        lua_rawseti(L, -4, i + 1);
        lua_pushnumber(L, value_to_double(&x->stored));
        lua_rawseti(L, -3, i + 1);
        lua_pushboolean(L, b->clamped[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -4, "clamped");
    lua_setfield(L, -3, "values");
    lua_setfield(L, -2, "codes");
}

/* block(KIND, { VALUE... }, OPTIONS) */
static int block(lua_State *L)
{
    Scratch *x = scratch(L);
    const char *name = luaL_checkstring(L, 1);
    const BlockFormat *f = block_find(name);
    BlockOptions options = {0};
    char hint[SUGGEST_TEXT];
    if (!f)
        return luaL_error(L, "%s: no such block format; %s`tokstep fmt --help` names them", name,
                          block_hint(name, hint));
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    size_t count = lua_rawlen(L, 2);
    if (count < 1 || count > f->size)
        return luaL_error(L, "%s: a block has 1..%d values", name, f->size);
    check_block_options(L, 3, &options, &x->value);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        check_value(L, 4, &x->values[i]);
        lua_pop(L, 1);
    }
    if (!block_encode(f, &options, x->values, count, &x->block, &x->err))
        return luaL_error(L, "%s", x->err.text);
    push_block(L, x);
    return 1;
}

/* ---- the machine's arithmetic, on raw words ---- */

static int16_t check_word(lua_State *L, int at)
{
    lua_Integer v = luaL_checkinteger(L, at);
    luaL_argcheck(L, v >= -32768 && v <= 65535, at, "must be a raw 16-bit word");
    return low16(v);
}

static int q88_mul(lua_State *L)
{
    int16_t a = check_word(L, 1), b = check_word(L, 2);
    lua_pushinteger(L, fp_mul(a, b));
    lua_pushboolean(L, fp_mul_wraps(a, b));
    return 2;
}

static int q88_add(lua_State *L)
{
    int16_t a = check_word(L, 1), b = check_word(L, 2);
    lua_pushinteger(L, fp_sat_add(a, b));
    lua_pushboolean(L, fp_add_saturates(a, b));
    return 2;
}

static int q88_sub(lua_State *L)
{
    int exact = check_word(L, 1) - check_word(L, 2);
    lua_pushinteger(L, low16(exact));
    lua_pushboolean(L, exact != low16(exact));
    return 2;
}

static int q88_narrow(lua_State *L)
{
    lua_Integer acc = luaL_checkinteger(L, 1);
    luaL_argcheck(L, acc >= INT32_MIN && acc <= UINT32_MAX, 1, "must be a 32-bit sum");
    lua_pushinteger(L, narrow(low32(acc)));
    return 1;
}

static int q88_exp(lua_State *L)
{
    const char *const *modes = OPTION(exp)->names;
    int16_t x = check_word(L, 1);
    int mode = luaL_checkoption(L, 2, modes[EXP_EXECUTED], modes);
    lua_pushinteger(L, approx_exp(x, (ExpMode)mode));
    return 1;
}

static int q88_inv_sqrt(lua_State *L)
{
    lua_pushinteger(L, fp_inv_sqrt(check_word(L, 1)));
    return 1;
}

static int q88_reciprocal(lua_State *L)
{
    lua_pushinteger(L, reciprocal((uint16_t)check_word(L, 1)));
    return 1;
}

void core_format(lua_State *L)
{
    static const luaL_Reg functions[] = {{"encode", encode},
                                         {"decode", decode},
                                         {"exact_text", exact_text},
                                         {"fields", fields},
                                         {"code_hex", hex},
                                         {"class_of", class_of},
                                         {"step", step},
                                         {"error_of", error_of},
                                         {"formats", formats},
                                         {"bits", bits},
                                         {"block", block},
                                         {"q88_mul", q88_mul},
                                         {"q88_add", q88_add},
                                         {"q88_sub", q88_sub},
                                         {"q88_narrow", q88_narrow},
                                         {"q88_exp", q88_exp},
                                         {"q88_inv_sqrt", q88_inv_sqrt},
                                         {"q88_reciprocal", q88_reciprocal},
                                         {NULL, NULL}};
    push_scratch(L);
    luaL_setfuncs(L, functions, 1);
}
