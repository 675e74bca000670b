#include "tui/view/t2/t2_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/half.h"
#include "tell/look.h"

/* ---- the cursor ---- */

static uint64_t clamp(uint64_t value, uint64_t count)
{
    return value < count ? value : count ? count - 1 : 0;
}

static unsigned clamp_cell(int value, unsigned count)
{
    return value < 0 ? 0 : (unsigned)clamp((uint64_t)value, count);
}

/* Column i of w1, w2 or w3 is row i of the tensor: variant bridge reads it whole, stream word by
 * word, array word j of as many columns as it has; there w3's follow w1's. */
static T2Reading reading_of(const Inspector *in, const Session *s)
{
    const Engine *e = session_engine(s);
    T2Reading none = {0};
    if (!in->of_machine ||
        !look_in(e, "ffn.state", in->matrix == WEIGHT_W2 ? "LINEAR2" : "LINEAR1"))
        return none;
    const Config *c = engine_config(e);
    uint64_t count = in->tensors[0].rows,
             wide = c->variant == VARIANT_ARRAY ? (uint64_t)c->pe_cols : 1;
    bool behind = in->matrix == WEIGHT_W3 && c->variant == VARIANT_ARRAY;
    int64_t from = (int64_t)look_value(e, "ffn.i") - (behind ? c->d_ff : 0);
    int64_t to = from + (int64_t)wide < (int64_t)count ? from + (int64_t)wide : (int64_t)count;
    from = from > 0 ? from : 0;
    if (from >= to)
        return none;
    return (T2Reading){.now = true,
                       .row = (uint64_t)from,
                       .rows = (uint64_t)(to - from),
                       .col = c->variant == VARIANT_BRIDGE ? -1 : look_value(e, "ffn.j")};
}

bool t2_is_read(const T2Reading *at, uint64_t row, uint64_t col)
{
    return at->now && row >= at->row && row - at->row < at->rows &&
           (at->col < 0 || (uint64_t)at->col == col);
}

static void follow(const T2Reading *at, const Tensor *t, T2State *v)
{
    uint64_t across = t->cols / TILE_COLS;
    uint64_t col = at->col < 0 ? 0 : clamp((uint64_t)at->col, t->cols);
    v->tensor = 0;
    v->tile = at->row / TILE_ROWS * across + col / TILE_COLS;
    v->on_bytes = false;
    v->v.row = (int)(at->row % TILE_ROWS);
    v->v.col = (int)(col % TILE_COLS);
}

static void place_bytes(T2Scene *k, T2State *v)
{
    unsigned line;
    if (k->tile.form == TILE_BYTES)
        v->on_bytes = true; /* there is nothing else */
    if (v->on_bytes && !tile_line_of(&k->tile, v->at, &line))
        v->at = tile_line(&k->tile, 0).at;
    k->at = v->at;
    k->byte = tile_byte(&k->tile, k->at);
}

/* The cell of the byte: the one it was on if that one lies in it, else the first. */
static void cell_of_byte(T2Scene *k, T2State *v)
{
    TileCell now = tile_cell(&k->tile, k->row, k->col);
    if (t2_is_tied(k, &now))
        return;
    v->v.row = (int)(k->row = k->byte.row);
    v->v.col = (int)(k->col = k->byte.col);
}

bool t2_settle(T2Scene *k, const Session *s, T2State *v)
{
    const Inspector *in = v->in;
    *k = (T2Scene){.in = in, .state = v};
    if (!in || !inspector_is_open(in))
        return false;
    k->engine = session_engine(s);
    k->reading = reading_of(in, s);
    if (k->reading.now && !v->v.pinned)
        follow(&k->reading, &in->tensors[0], v);
    v->tensor = (size_t)clamp(v->tensor, in->c.count);
    k->t = &in->tensors[v->tensor];
    uint64_t count = tile_count(k->t);
    v->tile = clamp(v->tile, count);
    if (!count)
        return true;
    k->tile = tile_at(&in->c, k->t, in->q8, v->tile);
    k->has_cell = k->tile.rows > 0;
    k->row = clamp_cell(v->v.row, k->tile.rows);
    k->col = clamp_cell(v->v.col, k->tile.cols);
    v->v.row = (int)k->row;
    v->v.col = (int)k->col;
    if (v->on_bytes || !k->has_cell) {
        place_bytes(k, v);
        if (k->has_cell)
            cell_of_byte(k, v);
    }
    if (k->has_cell) {
        k->cell = tile_cell(&k->tile, k->row, k->col);
        k->machine = t2_machine_weight(v);
        k->is_read = t2_is_read(&k->reading, k->cell.cell.row, k->cell.cell.col);
    }
    if (!v->on_bytes) {
        k->at = k->cell.cell.code_at;
        k->byte = tile_byte(&k->tile, k->at);
    }
    return true;
}

bool t2_scene(T2Scene *k, const Session *s, const T2State *v)
{
    T2State now = *v;
    bool open = t2_settle(k, s, &now);
    k->state = v;
    return open;
}

/* The tensor holds the matrix transposed: its row is the matrix's column. */
Target t2_machine_weight(const T2State *v)
{
    const Inspector *in = v->in;
    if (!in || !inspector_is_open(in) || !in->of_machine || v->tensor != 0)
        return (Target){NULL, 0};
    const Tensor *t = &in->tensors[0];
    uint64_t across = t->cols / TILE_COLS;
    uint64_t row = v->tile / across * TILE_ROWS + (uint64_t)v->v.row;
    uint64_t col = v->tile % across * TILE_COLS + (uint64_t)v->v.col;
    return (Target){signal_at((SignalId)(SIG_WEIGHTS + (int)in->matrix)),
                    (int)(col * t->rows + row)};
}

bool t2_is_tied(const T2Scene *k, const TileCell *cell)
{
    const Tile *tile = &k->tile;
    switch (k->byte.field) {
    case FIELD_CODE:
        return cell->cell.code_at == k->at;
    case FIELD_SCALE:
        if (tile->form == TILE_CHUNK && tile->layout == CHUNK_Q4_K && k->at - tile->at < 512)
            return cell->cell.row % TILE_ROWS == k->byte.row &&
                   cell->cell.col % TILE_COLS / 32 == k->byte.col / 32;
        return k->at - cell->cell.scale_at < 2;
    case FIELD_ZERO:
        return cell->cell.row % TILE_ROWS == k->byte.row &&
               (tile->layout == CHUNK_Q4_K && k->at - tile->at >= 512
                    ? true
                    : cell->cell.col % TILE_COLS / 32 == k->byte.col / 32);
    case FIELD_EXPONENT:
        return cell->cell.row % TILE_ROWS == k->byte.row;
    default:
        return false;
    }
}

/* ---- text ---- */

uint32_t t2_glyph(const Tile *tile, const TileCell *cell, Role *role)
{
    int level = cell->level;
    if (tile->form == TILE_CHUNK && tile->t->kind == KIND_CHUNK_Q8) {
        int heat = heat_level(level, 127);
        *role = heat_role(level, heat);
        return heat_glyph(heat);
    }
    if (tile->form == TILE_CHUNK) {
        *role = heat_role(1, heat_level(level, 15));
        return (uint32_t) "0123456789abcdef"[level & 15];
    }
    if (level >= -1 && level <= 1) {
        *role = level < 0   ? (Role)ROLE_HEAT_NEG_LAST
                : level > 0 ? (Role)ROLE_HEAT_POS_LAST
                            : ROLE_DIM;
        return level < 0 ? 0x2212 : level > 0 ? '+' : '0'; /* − */
    }
    *role = ROLE_WARN;
    if (tile->form == TILE_T2)
        return '?';
    return (uint32_t)('0' + abs(level)); /* +2 of block kinds; a digit of pb16i */
}

void t2_number_text(uint32_t f32, char *out, size_t size)
{
    float value = f32_value(f32);
    if (isnan(value)) {
        snprintf(out, size, "nan");
        return;
    }
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(out, size, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            return;
    }
}

void t2_weight_text(NumberFormat format, uint32_t f32, char *out, size_t size)
{
    char number[32];
    t2_number_text(f32, number, sizeof number);
    if (format == SHOW_HEX)
        snprintf(out, size, "%08" PRIx32, f32);
    else if (format == SHOW_VALUE)
        snprintf(out, size, "%s", number);
    else
        snprintf(out, size, "%-15s %08" PRIx32, number, f32);
}

void t2_size_text(uint64_t bytes, char *out, size_t size)
{
    if (bytes < 100000)
        snprintf(out, size, "%" PRIu64 " B", bytes);
    else if (bytes < 1000000000)
        snprintf(out, size, "%.1f MB", (double)bytes * 1e-6);
    else
        snprintf(out, size, "%.2f GB", (double)bytes * 1e-9);
}
