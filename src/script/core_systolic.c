/* Matrix products on the systolic array: values, looked at edge by edge. */
#include "script/core.h"
#include "session/product.h"

#define PRODUCT "tokstep.product"
enum { EDGE_WORK = 4 }; /* units of an element and an edge */

/* product(A, B, ROWS, COLS, Q88, LEGACY): A and B as text, "1 2; 3 4" */
static int product_new(lua_State *L)
{
    Err err = {0};
    const char *a = luaL_checkstring(L, 1), *b = luaL_checkstring(L, 2);
    lua_Integer rows = luaL_optinteger(L, 3, 4), cols = luaL_optinteger(L, 4, 4);
    luaL_argcheck(L, rows >= 1 && rows <= ARRAY_MAX, 3, "rows must be 1..16");
    luaL_argcheck(L, cols >= 1 && cols <= ARRAY_MAX, 4, "cols must be 1..16");
    Product *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (Product){.rows = (int)rows, .cols = (int)cols, .legacy_done = lua_toboolean(L, 6)};
    luaL_setmetatable(L, PRODUCT);
    sandbox_charge(L, sizeof *p / 16);
    if (!product_parse(p, a, b, lua_toboolean(L, 5), "a", "b", &err))
        return luaL_error(L, "systolic: %s", err.text);
    return 1;
}

static const Product *check_product(lua_State *L)
{
    return luaL_checkudata(L, 1, PRODUCT);
}

static int check_index(lua_State *L, int at, int count, const char *what)
{
    lua_Integer v = luaL_optinteger(L, at, 0);
    if (v < 0 || v >= count)
        luaL_error(L, "systolic: %s %I: must be 0..%d", what, v, count - 1);
    return (int)v;
}

static void set_int(lua_State *L, const char *key, lua_Integer v)
{
    lua_pushinteger(L, v);
    lua_setfield(L, -2, key);
}

/* Rows of the array as a list of lists, element by element. */
static void push_grid(lua_State *L, const SystolicArray *s, const char *key)
{
    lua_createtable(L, s->rows, 0);
    for (int r = 0; r < s->rows; r++) {
        lua_createtable(L, s->cols, 0);
        for (int c = 0; c < s->cols; c++) {
            lua_pushinteger(L, s->pe[r][c].acc);
            lua_rawseti(L, -2, c + 1);
        }
        lua_rawseti(L, -2, r + 1);
    }
    lua_setfield(L, -2, key);
}

/* product_state(P, EDGES, TILE): the array after so many enabled edges of a tile */
static int product_state(lua_State *L)
{
    const Product *p = check_product(L);
    int edges = check_index(L, 2, product_edges(p) + PRODUCT_DIM, "edges");
    int tile = check_index(L, 3, product_tiles(p), "tile");
    SystolicArray s;
    sandbox_charge(L, (uint64_t)(edges + 1) * (uint64_t)(p->rows * p->cols * EDGE_WORK));
    product_run(p, tile, edges, &s);
    lua_createtable(L, 0, 5);
    push_grid(L, &s, "sums");
    lua_pushboolean(L, systolic_array_done(&s));
    lua_setfield(L, -2, "done");
    lua_pushboolean(L, edges >= product_edges(p));
    lua_setfield(L, -2, "final");
    lua_pushstring(L, product_phase_name(product_phase(p, edges)));
    lua_setfield(L, -2, "phase");
    set_int(L, "busy", product_busy(p, tile, edges));
    return 1;
}

/* product_cost(P): tiles, edges, macs, slots; the edges of one tile */
static int product_costs(lua_State *L)
{
    const Product *p = check_product(L);
    ProductCost cost = product_cost(p);
    lua_createtable(L, 0, 6);
    set_int(L, "tiles", cost.tiles);
    set_int(L, "edges", (lua_Integer)cost.edges);
    set_int(L, "macs", (lua_Integer)cost.macs);
    set_int(L, "slots", (lua_Integer)cost.slots);
    set_int(L, "tile_edges", product_edges(p));
    return 1;
}

void core_systolic(lua_State *L)
{
    static const luaL_Reg functions[] = {{"product", product_new},
                                         {"product_state", product_state},
                                         {"product_cost", product_costs},
                                         {NULL, NULL}};
    luaL_newmetatable(L, PRODUCT);
    lua_pushliteral(L, "product");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
