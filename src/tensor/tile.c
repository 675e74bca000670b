#include "tensor/tile.h"

#include "tensor/half.h"
#include "tensor/pb16i.h"
#include "tensor/t2.h"

static TileForm form_of(const Tensor *t)
{
    if (t->kind == KIND_T2)
        return TILE_T2;
    if (t->kind == KIND_PB16I)
        return TILE_PB16I;
    if (kind_is_chunk(t->kind))
        return TILE_CHUNK;
    return ternary_format(t->kind) ? TILE_BLOCKS : TILE_BYTES;
}

static uint64_t parts(uint64_t whole, unsigned part)
{
    return whole / part + (whole % part != 0);
}

static bool has_bytes(const Tensor *t)
{
    return t->size > 0 && (form_of(t) == TILE_BYTES || (t->rows > 0 && t->cols > 0));
}

static void grid_of(const Tensor *t, uint64_t *down, uint64_t *across)
{
    bool plain = form_of(t) == TILE_BYTES;
    *down = plain ? parts(t->size, TILE_PAGE) : parts(t->rows, TILE_ROWS);
    *across = plain ? 1 : parts(t->cols, TILE_COLS);
}

uint64_t tile_count(const Tensor *t)
{
    uint64_t down, across;
    if (!has_bytes(t))
        return 0;
    grid_of(t, &down, &across);
    return down * across;
}

static unsigned clip(uint64_t have, uint64_t from, unsigned most)
{
    return have - from < most ? (unsigned)(have - from) : most;
}

static ChunkLayout layout_of(TensorKind kind, ChunkLayout q8)
{
    return kind == KIND_CHUNK_Q8 ? q8 : kind == KIND_CHUNK_Q4_K ? CHUNK_Q4_K : CHUNK_Q4_1;
}

/* ---- bytes that do not lie together: a run per row, or several ---- */

static unsigned row_bytes(const Tile *tile)
{
    return tile->cols / tile->format->weights * tile->format->bytes;
}

/* Bytes from one row of the tensor to the next. */
static uint64_t row_stride(const Tile *tile)
{
    return tile->t->cols / tile->format->weights * tile->format->bytes;
}

static uint64_t row_at(const Tile *tile, unsigned row)
{
    return tile->at + row * row_stride(tile);
}

/* The three runs of a pb16i row: codes, magnitudes, the exponent. */
static TileRun pb16i_run(const Tile *tile, unsigned row, unsigned part)
{
    const Pb16iShape s = {tile->t->rows, tile->t->cols};
    unsigned shift;
    uint64_t n = tile->row0 + row;
    uint64_t base = tile->t->offset;
    if (part == 0)
        return (TileRun){base + pb16i_own.code(NULL, &s, n, tile->col0, &shift), tile->cols / 2};
    if (part == 1)
        return (TileRun){base + pb16i_own.ms(NULL, &s, n, tile->col0 / PB16I_GROUP),
                         tile->cols / PB16I_GROUP * 2};
    return (TileRun){base + pb16i_own.e_ref(NULL, &s, n), 1};
}

static unsigned lines_of(unsigned n)
{
    return (n + TILE_LINE - 1) / TILE_LINE;
}

static unsigned row_lines(const Tile *tile)
{
    if (tile->form == TILE_BLOCKS)
        return lines_of(row_bytes(tile));
    return lines_of(tile->cols / 2) + lines_of(tile->cols / PB16I_GROUP * 2) + 1;
}

static TileRun line_of_run(TileRun run, unsigned line)
{
    unsigned from = line * TILE_LINE;
    return (TileRun){run.at + from, run.n - from < TILE_LINE ? run.n - from : TILE_LINE};
}

/* ---- the tile ---- */

Tile tile_at(const Container *c, const Tensor *t, ChunkLayout q8, uint64_t index)
{
    Tile tile = {.c = c, .t = t, .form = form_of(t), .format = ternary_format(t->kind)};
    grid_of(t, &tile.down, &tile.across);
    tile.i = index / tile.across;
    tile.j = index % tile.across;
    tile.layout = layout_of(t->kind, q8);
    tile.at = t->offset;
    if (tile.form == TILE_BYTES) {
        tile.at += tile.i * TILE_PAGE;
        tile.bytes = clip(t->size, tile.i * TILE_PAGE, TILE_PAGE);
        tile.lines = lines_of((unsigned)tile.bytes);
        return tile;
    }
    tile.row0 = tile.i * TILE_ROWS;
    tile.col0 = tile.j * TILE_COLS;
    tile.rows = clip(t->rows, tile.row0, TILE_ROWS);
    tile.cols = clip(t->cols, tile.col0, TILE_COLS);
    if (tile.form == TILE_T2 || tile.form == TILE_CHUNK) {
        tile.bytes = tile.form == TILE_T2 ? T2_TILE : chunk_bytes(tile.layout);
        tile.at += index * tile.bytes;
        tile.lines = (unsigned)tile.bytes / TILE_LINE;
        return tile;
    }
    if (tile.form == TILE_BLOCKS)
        tile.at +=
            tile.row0 * row_stride(&tile) + tile.col0 / tile.format->weights * tile.format->bytes;
    else
        tile.at = pb16i_run(&tile, 0, 0).at;
    tile.lines = tile.rows * row_lines(&tile);
    return tile;
}

TileRun tile_line(const Tile *tile, unsigned line)
{
    if (tile->bytes)
        return line_of_run((TileRun){tile->at, (unsigned)tile->bytes}, line);
    unsigned row = line / row_lines(tile);
    line %= row_lines(tile);
    if (tile->form == TILE_BLOCKS)
        return line_of_run((TileRun){row_at(tile, row), row_bytes(tile)}, line);
    for (unsigned part = 0;; part++) {
        TileRun run = pb16i_run(tile, row, part);
        if (line < lines_of(run.n))
            return line_of_run(run, line);
        line -= lines_of(run.n);
    }
}

bool tile_line_of(const Tile *tile, uint64_t at, unsigned *line)
{
    for (*line = 0; *line < tile->lines; ++*line) {
        TileRun run = tile_line(tile, *line);
        if (at >= run.at && at - run.at < run.n)
            return true;
    }
    return false;
}

/* The tensor's row and column that a byte of blocks or pb16i is about. */
static void cell_of_byte(const Tensor *t, uint64_t at, uint64_t *row, uint64_t *col)
{
    const TernaryFormat *f = ternary_format(t->kind);
    if (f) {
        uint64_t stride = t->cols / f->weights * f->bytes;
        *row = at / stride;
        *col = at % stride / f->bytes * f->weights;
        return;
    }
    const Pb16iShape s = {t->rows, t->cols};
    unsigned shift;
    uint64_t e = pb16i_own.e_ref(NULL, &s, 0);
    uint64_t ms = pb16i_own.ms(NULL, &s, 0, 0);
    uint64_t codes = pb16i_own.code(NULL, &s, 0, 0, &shift);
    uint64_t groups = t->cols / PB16I_GROUP;
    *row = *col = 0;
    if (at >= codes) {
        *row = (at - codes) / (t->cols / 2);
        *col = (at - codes) % (t->cols / 2) * 2;
    } else if (at >= ms) {
        *row = (at - ms) / 2 / groups;
        *col = (at - ms) / 2 % groups * PB16I_GROUP;
    } else if (at >= e) {
        *row = at - e < t->rows ? at - e : t->rows - 1; /* the padding: the last row */
    }
}

bool tile_of_byte(const Container *c, const Tensor *t, ChunkLayout q8, uint64_t at, uint64_t *index)
{
    if (at < t->offset || at - t->offset >= t->size || !tile_count(t))
        return false;
    uint64_t row, col;
    Tile first = tile_at(c, t, q8, 0);
    if (first.form == TILE_BYTES) {
        *index = (at - t->offset) / TILE_PAGE;
    } else if (first.bytes) {
        *index = (at - t->offset) / first.bytes;
    } else {
        cell_of_byte(t, at - t->offset, &row, &col);
        *index = row / TILE_ROWS * first.across + col / TILE_COLS;
    }
    return *index < tile_count(t);
}

/* ---- bytes ---- */

static bool is_special(uint16_t half)
{
    return half_class(half) != HALF_NORMAL;
}

static bool has_code_3(uint8_t byte)
{
    return (byte & byte >> 1 & 0x55u) != 0;
}

static TileByte t2_byte(const Tile *tile, unsigned b)
{
    const uint8_t *bytes = tile->c->map.data + tile->at;
    if (b < T2_CODES)
        return (TileByte){FIELD_CODE, b / T2_ROW_BYTES, b % T2_ROW_BYTES * 4, has_code_3(bytes[b])};
    unsigned k = b - T2_CODES;
    return (TileByte){FIELD_SCALE, k / 4, k % 4 / 2 * T2_GROUP,
                      is_special(load_le16(bytes + (b & ~1u)))};
}

static TileByte block_byte(const Tile *tile, uint64_t at)
{
    const TernaryFormat *f = tile->format;
    unsigned row = (unsigned)((at - tile->at) / row_stride(tile));
    unsigned in_row = (unsigned)(at - row_at(tile, row));
    unsigned b = in_row % f->bytes;
    const uint8_t *block = tile->c->map.data + at - b;
    TileByte out = {FIELD_CODE, row, in_row / f->bytes * f->weights, false};
    if (b >= f->scale_at && b < f->scale_at + 2u) {
        out.field = FIELD_SCALE;
        out.odd = is_special(ternary_scale(f, block));
        return out;
    }
    bool found = false;
    for (unsigned i = 0; i < f->weights; i++) {
        if (f->place(i).byte != b)
            continue;
        out.col += found ? 0 : i;
        found = true;
        out.odd |= ternary_code(f, block, i) == 3;
    }
    return out;
}

static TileByte pb16i_byte(const Tile *tile, uint64_t at)
{
    static const TileField fields[] = {FIELD_CODE, FIELD_SCALE, FIELD_EXPONENT};
    static const unsigned weights[] = {2, PB16I_GROUP, 0}; /* per byte; per two bytes */
    for (unsigned row = 0; row < tile->rows; row++) {
        for (unsigned part = 0; part < 3; part++) {
            TileRun run = pb16i_run(tile, row, part);
            if (at < run.at || at - run.at >= run.n)
                continue;
            unsigned b = (unsigned)(at - run.at);
            unsigned col = weights[part] * (part == 1 ? b / 2 : b);
            bool odd =
                part == 0 && (tile_cell(tile, row, col).odd || tile_cell(tile, row, col + 1).odd);
            return (TileByte){fields[part], row, col, odd};
        }
    }
    return (TileByte){FIELD_PLAIN, 0, 0, false};
}

static TileByte chunk_byte_of(const Tile *tile, unsigned b)
{
    static const TileField fields[] = {
        [CHUNK_CODE] = FIELD_CODE, [CHUNK_SCALE] = FIELD_SCALE, [CHUNK_ZERO] = FIELD_ZERO};
    ChunkByte part = chunk_byte(tile->layout, b);
    return (TileByte){fields[part.part], part.row, part.col, false};
}

TileByte tile_byte(const Tile *tile, uint64_t at)
{
    switch (tile->form) {
    case TILE_T2:
        return t2_byte(tile, (unsigned)(at - tile->at));
    case TILE_BLOCKS:
        return block_byte(tile, at);
    case TILE_PB16I:
        return pb16i_byte(tile, at);
    case TILE_CHUNK:
        return chunk_byte_of(tile, (unsigned)(at - tile->at));
    default:
        return (TileByte){FIELD_PLAIN, 0, 0, false};
    }
}

/* ---- cells ---- */

static TileCell chunk_tile_cell(const Tile *tile, unsigned row, unsigned col)
{
    ChunkCell k = chunk_cell(tile->layout, tile->c->map.data + tile->at, row, col);
    TensorCell cell = {.row = tile->row0 + row,
                       .col = tile->col0 + col,
                       .code_at = tile->at + k.code_at,
                       .bit = k.bit,
                       .bits = tile->t->kind == KIND_CHUNK_Q8 ? 8 : 4,
                       .code = k.code,
                       .scale_at = tile->at + k.scale_at,
                       .scale = k.scale,
                       .weight = k.weight};
    return (TileCell){.cell = cell, .chunk = k, .level = k.code};
}

TileCell tile_cell(const Tile *tile, unsigned row, unsigned col)
{
    TileCell out = {0};
    if (tile->form == TILE_CHUNK)
        return chunk_tile_cell(tile, row, col);
    if (!tensor_cell(tile->c, tile->t, tile->row0 + row, tile->col0 + col, &out.cell, NULL))
        return out; /* a page of bytes has no cells */
    bool pb16i = tile->form == TILE_PB16I;
    out.level = pb16i ? out.cell.code : out.cell.code - 1;
    out.odd = out.level < -1 || out.level > 1;
    return out;
}
