/* A tile of a GEMV on the systolic array (variant array): what attention and feed forward have in
 * common. Mirrors rtl/gemv_tile.sv; the counter is in their registers here.
 *
 * Timing: one vector times a matrix fills row 0 of the array only. Element j of the vector enters
 * it on edge j of the tile, together with row j of the matrix, of which a tile has C columns;
 * column c is c edges late, so its sum of K products is final after K + c edges: C - 1 edges with
 * zeros follow the operands. A *_STORE cycle then takes the C sums and clears the array. */
#include "engine/unit.h"

void tile_feed(const Engine *e, SignalId x, WeightId m, int n, int i, int j, ArrayWork *work)
{
    const Weights *w = e->weights;
    int cols = w->cols[m];
    work->pins.enable = true;
    if (j >= w->rows[m]) /* only a poke can make it so */
        return;
    work->pins.a[0] = engine_words(e, x)[j];
    for (int c = 0; c < e->config.pe_cols && i + c < n; c++) {
        WeightId matrix = weight_beside(m, (i + c) / cols);
        int column = (i + c) % cols;
        work->pins.w[c] = w->data[matrix][j * cols + column];
        work->columns = c + 1;
    }
}

bool tile_edge(const Engine *e, int K, uint16_t j, uint16_t *next)
{
    int edges = K + e->config.pe_cols - 1;
    bool last = j >= edges - 1;
    *next = (uint16_t)(last ? edges : j + 1);
    return last;
}

int16_t tile_sum(const Engine *e, int c, bool *wraps)
{
    int32_t acc = e->systolic.pe[0][c].acc;
    *wraps = acc >> FRAC_BITS != narrow(acc);
    return narrow(acc);
}

bool tile_next(const Engine *e, int n, uint16_t i, uint16_t *next)
{
    bool last = i + e->config.pe_cols >= n;
    *next = (uint16_t)(last ? 0 : i + e->config.pe_cols);
    return last;
}
