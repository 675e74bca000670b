/* t2 tiles and files of tensors. A tile is a value of 2176 bytes that a script may poke; files are
 * read through the readers of the tensor room and never written. */
#include <stdlib.h>
#include <string.h>

#include "script/core.h"
#include "tensor/cell.h"
#include "tensor/convert.h"
#include "tensor/t2.h"
#include "tensor/verify.h"

#define TILE   "tokstep.tile"
#define TENSOR "tokstep.tensor"
#define LAYOUT "tokstep.layout"

enum { TILE_WORK = 20, OFFSETS_MAX = 1 << 20 };

static void set_int(lua_State *L, const char *key, lua_Integer v)
{
    lua_pushinteger(L, v);
    lua_setfield(L, -2, key);
}

static void set_weight(lua_State *L, const char *key, uint32_t bits)
{
    lua_pushnumber(L, f32_value(bits));
    lua_setfield(L, -2, key);
}

static unsigned check_below(lua_State *L, int at, lua_Integer limit, const char *what)
{
    lua_Integer v = luaL_checkinteger(L, at);
    if (v < 0 || v >= limit)
        luaL_error(L, "%s %I: must be 0..%I", what, v, limit - 1);
    return (unsigned)v;
}

/* ---- tiles ---- */

static uint8_t *push_tile(lua_State *L)
{
    uint8_t *tile = lua_newuserdatauv(L, T2_TILE, 0);
    luaL_setmetatable(L, TILE);
    return tile;
}

static uint8_t *check_tile(lua_State *L)
{
    sandbox_charge(L, TILE_WORK);
    return luaL_checkudata(L, 1, TILE);
}

/* tile([BYTES]): all weights 0 under scale 1.0, or 2176 bytes */
static int tile_new(lua_State *L)
{
    size_t len = T2_TILE;
    const char *bytes = luaL_optlstring(L, 1, NULL, &len);
    if (bytes && len != T2_TILE)
        return luaL_error(L, "t2.tile: a tile has %d bytes", T2_TILE);
    uint8_t *tile = push_tile(L);
    if (bytes) {
        memcpy(tile, bytes, T2_TILE);
        return 1;
    }
    memset(tile, 0x55, T2_CODES);
    for (int at = T2_CODES; at < T2_TILE; at += 2) {
        tile[at] = 0x00;
        tile[at + 1] = 0x3c;
    }
    return 1;
}

static int tile_byte(lua_State *L)
{
    const uint8_t *tile = check_tile(L);
    lua_pushinteger(L, tile[check_below(L, 2, T2_TILE, "byte")]);
    return 1;
}

static int tile_bytes(lua_State *L)
{
    lua_pushlstring(L, (const char *)check_tile(L), T2_TILE);
    return 1;
}

/* tile_poke(T, AT, BYTE): the old byte */
static int tile_poke(lua_State *L)
{
    uint8_t *tile = check_tile(L);
    unsigned at = check_below(L, 2, T2_TILE, "byte"), value = check_below(L, 3, 256, "value");
    lua_pushinteger(L, tile[at]);
    tile[at] = (uint8_t)value;
    return 1;
}

static void check_cell(lua_State *L, unsigned *r, unsigned *c)
{
    *r = check_below(L, 2, T2_ROWS, "row");
    *c = check_below(L, 3, T2_COLS, "column");
}

static int tile_code(lua_State *L)
{
    unsigned r = 0, c = 0;
    const uint8_t *tile = check_tile(L);
    check_cell(L, &r, &c);
    lua_pushinteger(L, t2_code(tile, r, c));
    return 1;
}

static int tile_scale(lua_State *L)
{
    unsigned r = 0, c = 0;
    const uint8_t *tile = check_tile(L);
    check_cell(L, &r, &c);
    lua_pushinteger(L, t2_scale(tile, r, c));
    return 1;
}

static int tile_weight(lua_State *L)
{
    unsigned r = 0, c = 0;
    const uint8_t *tile = check_tile(L);
    check_cell(L, &r, &c);
    lua_pushnumber(L, f32_value(t2_weight(tile, r, c)));
    return 1;
}

/* tile_where(R, C): byte and bit of the code, byte of the scale */
static int tile_where(lua_State *L)
{
    unsigned r = 0, c = 0;
    check_tile(L);
    check_cell(L, &r, &c);
    lua_pushinteger(L, t2_code_at(r, c));
    lua_pushinteger(L, t2_code_bit(c));
    lua_pushinteger(L, t2_scale_at(r, c));
    return 3;
}

/* tile_wrong(T, R, C): what decoders with known bugs show there */
static int tile_wrong(lua_State *L)
{
    unsigned r = 0, c = 0;
    WrongReading readings[WRONG_READINGS];
    const uint8_t *tile = check_tile(L);
    check_cell(L, &r, &c);
    wrong_readings(tile, r, c, readings);
    lua_createtable(L, WRONG_READINGS, 0);
    for (int i = 0; i < WRONG_READINGS; i++) {
        lua_createtable(L, 0, 4);
        lua_pushstring(L, readings[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, readings[i].bug);
        lua_setfield(L, -2, "bug");
        set_weight(L, "weight", readings[i].weight);
        lua_pushboolean(L, readings[i].differs);
        lua_setfield(L, -2, "differs");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* tile_reserved(T): { row, col } of each reserved code */
static int tile_reserved(lua_State *L)
{
    const uint8_t *tile = check_tile(L);
    T2Place at = {0};
    sandbox_charge(L, T2_CODES);
    lua_newtable(L);
    for (int n = 1; t2_find_reserved(tile, 1, &at); n++) {
        lua_createtable(L, 0, 2);
        set_int(L, "row", at.row);
        set_int(L, "col", at.col);
        lua_rawseti(L, -2, n);
        t2_place_next(&at, 1);
    }
    return 1;
}

/* ---- files ---- */

typedef struct TensorFile {
    Container container;
    bool open;
    Tensor tensor;
} TensorFile;

static int tensor_gc(lua_State *L)
{
    TensorFile *f = luaL_checkudata(L, 1, TENSOR);
    if (f->open)
        container_close(&f->container);
    f->open = false;
    return 0;
}

static TensorFile *check_tensor(lua_State *L)
{
    TensorFile *f = luaL_checkudata(L, 1, TENSOR);
    luaL_argcheck(L, f->open, 1, "the file is closed");
    sandbox_charge(L, TILE_WORK);
    return f;
}

static bool open_container(Container *c, const char *name, Err *err)
{
    Buf path = {0};
    core_path(name, &path);
    bool ok = container_open(c, buf_str(&path), err);
    buf_free(&path);
    return ok;
}

/* open(PATH, NAME or nil, ROWS, COLS): rows 0: as the file says */
static int tensor_open(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1), *name = luaL_optstring(L, 2, NULL);
    lua_Integer rows = luaL_optinteger(L, 3, 0), cols = luaL_optinteger(L, 4, 0);
    Err err = {0};
    luaL_argcheck(L, rows >= 0 && cols >= 0, 3, "a shape is two numbers");
    TensorFile *f = lua_newuserdatauv(L, sizeof *f, 0);
    *f = (TensorFile){0};
    luaL_setmetatable(L, TENSOR);
    if (!open_container(&f->container, path, &err))
        return core_raise(L, &err);
    f->open = true;
    const Tensor *t = container_find(&f->container, name, &err);
    if (!t || !tensor_shaped(&f->container, t, (uint64_t)rows, (uint64_t)cols, &f->tensor, &err))
        return core_raise(L, &err);
    sandbox_charge(L, f->container.count * 10);
    return 1;
}

static int tensor_info(lua_State *L)
{
    const TensorFile *f = check_tensor(L);
    lua_createtable(L, 0, 7);
    lua_pushstring(L, f->tensor.name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, kind_name(f->tensor.kind));
    lua_setfield(L, -2, "kind");
    set_int(L, "rows", (lua_Integer)f->tensor.rows);
    set_int(L, "cols", (lua_Integer)f->tensor.cols);
    set_int(L, "offset", (lua_Integer)f->tensor.offset);
    set_int(L, "size", (lua_Integer)f->tensor.size);
    lua_newtable(L);
    for (size_t i = 0; i < f->container.count; i++) {
        lua_pushstring(L, f->container.tensors[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "tensors");
    return 1;
}

/* tensor_tile(F, I, J): a copy, to be poked */
static int tensor_tile(lua_State *L)
{
    const TensorFile *f = check_tensor(L);
    if (f->tensor.kind != KIND_T2)
        return luaL_error(L, "%s: is %s, which has no t2 tiles", f->tensor.name,
                          kind_name(f->tensor.kind));
    uint64_t across = f->tensor.cols / T2_COLS;
    uint64_t i = check_below(L, 2, (lua_Integer)(f->tensor.rows / T2_ROWS), "tile row");
    uint64_t j = check_below(L, 3, (lua_Integer)across, "tile column");
    uint8_t *tile = push_tile(L);
    memcpy(tile, tensor_bytes(&f->container, &f->tensor) + (i * across + j) * T2_TILE, T2_TILE);
    return 1;
}

/* tensor_cell(F, ROW, COL): all about one weight of a ternary tensor */
static int tensor_cell_of(lua_State *L)
{
    const TensorFile *f = check_tensor(L);
    Err err = {0};
    TensorCell cell;
    unsigned row = check_below(L, 2, (lua_Integer)f->tensor.rows, "row");
    unsigned col = check_below(L, 3, (lua_Integer)f->tensor.cols, "column");
    if (!tensor_cell(&f->container, &f->tensor, row, col, &cell, &err))
        return core_raise(L, &err);
    lua_createtable(L, 0, 8);
    set_int(L, "code", cell.code);
    set_int(L, "code_at", (lua_Integer)cell.code_at);
    set_int(L, "bit", cell.bit);
    set_int(L, "scale", cell.scale);
    set_int(L, "scale_at", (lua_Integer)cell.scale_at);
    set_int(L, "e_ref", cell.e_ref);
    set_weight(L, "weight", cell.weight);
    lua_pushboolean(L, cell.reserved);
    lua_setfield(L, -2, "reserved");
    return 1;
}

/* tensor_verify(F): how many codes 3, how many scales that are inf or nan */
static int tensor_verify(lua_State *L)
{
    const TensorFile *f = check_tensor(L);
    VerifyReport report;
    Err err = {0};
    if (!verify_knows(f->tensor.kind))
        return luaL_error(L, "%s: nothing to verify in %s", f->tensor.name,
                          kind_name(f->tensor.kind));
    if (!verify_tensor(&f->container, &f->tensor, &report, &err))
        return core_raise(L, &err);
    sandbox_charge(L, f->tensor.size / 64);
    lua_pushinteger(L, (lua_Integer)report.code_3);
    lua_pushinteger(L, (lua_Integer)report.nonfinite);
    return 2;
}

/* ---- conversion ---- */

/* A pb16i image in an order of the script's: every offset, asked for beforehand, so that no Lua
 * runs inside the converter. */
typedef struct Offsets {
    Pb16iShape shape;
    uint64_t *code;  /* [rows][cols]: byte * 2 + (1: the high nibble) */
    uint64_t *ms;    /* [rows][cols / 32] */
    uint64_t *e_ref; /* [rows] */
    uint64_t all[];
} Offsets;

static uint64_t code_offset(void *context, const Pb16iShape *s, uint64_t n, uint64_t k,
                            unsigned *shift)
{
    const Offsets *o = context;
    uint64_t at = o->code[n * s->cols + k];
    *shift = at & 1 ? 4 : 0;
    return at >> 1;
}

static uint64_t ms_offset(void *context, const Pb16iShape *s, uint64_t n, uint64_t group)
{
    return ((const Offsets *)context)->ms[n * (s->cols / PB16I_GROUP) + group];
}

static uint64_t e_offset(void *context, const Pb16iShape *s, uint64_t n)
{
    (void)s;
    return ((const Offsets *)context)->e_ref[n];
}

/* Call function `key` of the table at 1 with n and k; its first result, and the second or 0. */
static uint64_t ask_offset(lua_State *L, const char *key, uint64_t n, uint64_t k,
                           lua_Integer *shift)
{
    lua_getfield(L, 1, key);
    lua_pushinteger(L, (lua_Integer)n);
    lua_pushinteger(L, (lua_Integer)k);
    lua_call(L, 2, 2);
    lua_Integer at = luaL_checkinteger(L, -2);
    *shift = luaL_optinteger(L, -1, 0);
    lua_pop(L, 2);
    if (at < 0 || at > INT64_MAX / 2 || (*shift != 0 && *shift != 4))
        luaL_error(L, "t2.layout: %s(%I, %I): must give a byte offset and a shift of 0 or 4", key,
                   (lua_Integer)n, (lua_Integer)k);
    return (uint64_t)at;
}

/* layout(TABLE of code, ms, e_ref; ROWS, COLS) */
static int layout_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer rows = luaL_checkinteger(L, 2), cols = luaL_checkinteger(L, 3), shift = 0;
    luaL_argcheck(L, rows > 0 && rows <= OFFSETS_MAX, 2, "must be a number of rows");
    luaL_argcheck(L, cols > 0 && cols % PB16I_GROUP == 0 && cols <= OFFSETS_MAX / rows, 3,
                  "must be a multiple of 32, and rows * columns at most 2^20");
    uint64_t N = (uint64_t)rows, K = (uint64_t)cols, groups = K / PB16I_GROUP;
    Offsets *o = lua_newuserdatauv(L, sizeof *o + (N * K + N * groups + N) * 8, 0);
    o->shape = (Pb16iShape){N, K};
    o->code = o->all;
    o->ms = o->code + N * K;
    o->e_ref = o->ms + N * groups;
    for (uint64_t n = 0; n < N; n++) {
        o->e_ref[n] = ask_offset(L, "e_ref", n, 0, &shift);
        for (uint64_t g = 0; g < groups; g++)
            o->ms[n * groups + g] = ask_offset(L, "ms", n, g, &shift);
        for (uint64_t k = 0; k < K; k++) {
            uint64_t at = ask_offset(L, "code", n, k, &shift);
            o->code[n * K + k] = 2 * at + (shift == 4);
        }
    }
    luaL_setmetatable(L, LAYOUT);
    return 1;
}

static Pb16iLayout layout_of(Offsets *o)
{
    return (Pb16iLayout){"layout", o, code_offset, ms_offset, e_offset};
}

/* layout_cell(LAYOUT, IMAGE, N, K) */
static int layout_cell(lua_State *L)
{
    Offsets *o = luaL_checkudata(L, 1, LAYOUT);
    size_t size = 0;
    const char *image = luaL_checklstring(L, 2, &size);
    unsigned n = check_below(L, 3, (lua_Integer)o->shape.rows, "row");
    unsigned k = check_below(L, 4, (lua_Integer)o->shape.cols, "column");
    Pb16iLayout layout = layout_of(o);
    Pb16iCell cell;
    Err err = {0};
    sandbox_charge(L, TILE_WORK);
    if (!pb16i_get(&layout, (const uint8_t *)image, size, &o->shape, n, k, &cell, &err))
        return core_raise(L, &err);
    lua_createtable(L, 0, 4);
    set_int(L, "code", cell.code);
    set_int(L, "ms", cell.ms);
    set_int(L, "e_ref", cell.e_ref);
    set_weight(L, "weight", pb16i_weight(&cell));
    return 1;
}

static TensorKind check_kind(lua_State *L, int at)
{
    const char *name = luaL_checkstring(L, at);
    for (int kind = KIND_TQ1_0; kind <= KIND_Q1_0; kind++) {
        if (strcmp(kind_name((TensorKind)kind), name) == 0)
            return (TensorKind)kind;
    }
    luaL_error(L, "t2.convert: %s is no ternary block format", name);
    return KIND_UNKNOWN;
}

/* Push the tiles and what became of the weights. */
static int convert(lua_State *L, const ConvertSource *source, bool clamp)
{
    char *tiles = NULL;
    size_t size = 0;
    Err err = {0};
    ConvertReport report = {0};
    bool ok = convert_check(source, &err);
    FILE *out = ok ? open_memstream(&tiles, &size) : NULL;
    if (out) {
        ok = convert_to_t2(source, clamp, out, &report, &err);
        ok = fclose(out) == 0 && ok;
    }
    if (!ok || !out) {
        free(tiles);
        return core_raise(L, &err);
    }
    luaL_Buffer b; /* the copy may fail to fit: then `tiles` must not be lost */
    if (!sandbox_reserve(sandbox_of(L), size)) {
        free(tiles);
        return luaL_error(L, "t2.convert: no memory left for %d bytes", (int)size);
    }
    sandbox_release(sandbox_of(L), size);
    char *copy = luaL_buffinitsize(L, &b, size);
    memcpy(copy, tiles, size);
    free(tiles);
    luaL_pushresultsize(&b, size);
    lua_createtable(L, 0, 3);
    set_int(L, "weights", (lua_Integer)report.weights);
    set_int(L, "clamped", (lua_Integer)report.clamped);
    set_int(L, "different", (lua_Integer)report.different);
    return 2;
}

/* convert(KIND, ROWS, COLS, BYTES, CLAMP) */
static int convert_blocks(lua_State *L)
{
    size_t size = 0;
    ConvertSource source = {.label = "bytes", .kind = check_kind(L, 1)};
    source.rows = (uint64_t)luaL_checkinteger(L, 2);
    source.cols = (uint64_t)luaL_checkinteger(L, 3);
    source.bytes = (const uint8_t *)luaL_checklstring(L, 4, &size);
    source.size = size;
    sandbox_charge(L, size);
    return convert(L, &source, lua_toboolean(L, 5));
}

/* layout_convert(LAYOUT, IMAGE) */
static int layout_convert(lua_State *L)
{
    Offsets *o = luaL_checkudata(L, 1, LAYOUT);
    size_t size = 0;
    const char *image = luaL_checklstring(L, 2, &size);
    Pb16iLayout layout = layout_of(o);
    ConvertSource source = {.label = "image",
                            .kind = KIND_PB16I,
                            .rows = o->shape.rows,
                            .cols = o->shape.cols,
                            .bytes = (const uint8_t *)image,
                            .size = size,
                            .layout = &layout};
    sandbox_charge(L, o->shape.rows * o->shape.cols);
    return convert(L, &source, false);
}

/* ---- the table ---- */

void core_t2(lua_State *L)
{
    static const luaL_Reg functions[] = {{"tile", tile_new},
                                         {"tile_byte", tile_byte},
                                         {"tile_bytes", tile_bytes},
                                         {"tile_poke", tile_poke},
                                         {"tile_code", tile_code},
                                         {"tile_scale", tile_scale},
                                         {"tile_weight", tile_weight},
                                         {"tile_where", tile_where},
                                         {"tile_wrong", tile_wrong},
                                         {"tile_reserved", tile_reserved},
                                         {"tensor_open", tensor_open},
                                         {"tensor_info", tensor_info},
                                         {"tensor_tile", tensor_tile},
                                         {"tensor_cell", tensor_cell_of},
                                         {"tensor_verify", tensor_verify},
                                         {"convert", convert_blocks},
                                         {"layout", layout_new},
                                         {"layout_cell", layout_cell},
                                         {"layout_convert", layout_convert},
                                         {NULL, NULL}};
    core_make_type(L, TILE, NULL);
    core_make_type(L, TENSOR, tensor_gc);
    core_make_type(L, LAYOUT, NULL);
    luaL_setfuncs(L, functions, 0);
}
