/* The cursor of the t2 view to a cell, a byte, or the next code or scale of a kind. */
#include <inttypes.h>

#include "tui/view/t2/t2_scene.h"

bool t2_seek_cell(T2State *k, uint64_t row, uint64_t col, Err *err)
{
    const Inspector *in = k->in;
    const Tensor *t = &in->tensors[k->tensor];
    if (row >= t->rows || col >= t->cols)
        return err_set(err,
                       "tensor %s is %" PRIu64 "x%" PRIu64 ": no row %" PRIu64 " column %" PRIu64,
                       t->name, t->rows, t->cols, row, col);
    uint64_t across = (t->cols + TILE_COLS - 1) / TILE_COLS;
    k->tile = row / TILE_ROWS * across + col / TILE_COLS;
    k->v.row = (int)(row % TILE_ROWS);
    k->v.col = (int)(col % TILE_COLS);
    k->on_bytes = false;
    k->v.pinned = true;
    return true;
}

/* The tensor that holds the byte; the present one if it does. */
static bool tensor_of_byte(T2State *k, uint64_t at)
{
    const Inspector *in = k->in;
    size_t n = in->c.count;
    for (size_t past = 0; past < n; past++) {
        size_t i = (k->tensor + past) % n;
        uint64_t tile;
        if (tile_of_byte(&in->c, &in->tensors[i], in->q8, at, &tile)) {
            k->tensor = i;
            k->tile = tile;
            return true;
        }
    }
    return false;
}

bool t2_seek_byte(T2State *k, uint64_t at, Err *err)
{
    const Inspector *in = k->in;
    unsigned line;
    if (at >= in->c.map.size)
        return err_set(err, "no byte %" PRIu64 ", the file has %zu", at, in->c.map.size);
    if (!tensor_of_byte(k, at))
        return err_set(err, "byte %" PRIu64 " belongs to no tensor: data starts at %" PRIu64, at,
                       in->c.data_offset);
    Tile tile = tile_at(&in->c, &in->tensors[k->tensor], in->q8, k->tile);
    if (!tile_line_of(&tile, at, &line))
        return err_set(err, "byte %" PRIu64 " holds no weight: it is header or padding", at);
    k->on_bytes = true;
    k->at = at;
    k->v.pinned = true;
    return true;
}

bool t2_seek(T2State *k, const char *text, Err *err)
{
    uint64_t row, col;
    if (inspector_two_numbers(text, ',', &row, &col))
        return t2_seek_cell(k, row, col, err);
    if (inspector_parse_number(text, &row))
        return t2_seek_byte(k, row, err);
    return err_set(err, "seek %s: must be ROW,COLUMN of the tensor or a BYTE of the file", text);
}

bool t2_find(T2State *k, FindWhat what, bool *wrapped, const Progress *progress, Err *err)
{
    const Inspector *in = k->in;
    const Tensor *t = &in->tensors[k->tensor];
    if (!tile_count(t))
        return err_set(err, "tensor %s is empty", t->name);
    Tile tile = tile_at(&in->c, t, in->q8, k->tile);
    uint64_t row = tile.row0 + (uint64_t)k->v.row, col = tile.col0 + (uint64_t)k->v.col;
    return tensor_find(&in->c, t, what, &row, &col, wrapped, progress, err) &&
           t2_seek_cell(k, row, col, err);
}
