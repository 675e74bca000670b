#include "engine/weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const names[WEIGHT_COUNT] = {
    "wq",        "wk",       "wv",        "wo",       "w1", "w2", "w3",
    "ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta", "b1", "b2", "b3"};

const char *weight_name(WeightId id)
{
    return names[id];
}

static size_t size_of(const Weights *w, int m)
{
    return (size_t)w->rows[m] * (size_t)w->cols[m];
}

static Weights *allocate(const int *rows, const int *cols)
{
    Weights *w = xcalloc(1, sizeof *w);
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        w->rows[m] = rows[m];
        w->cols[m] = cols[m];
        w->data[m] = xcalloc(size_of(w, m), sizeof *w->data[m]);
        if (m >= WEIGHT_MATRICES)
            continue;
        w->columns[m] = xcalloc(size_of(w, m), sizeof *w->columns[m]);
        w->reach[m] = xcalloc((size_t)cols[m], sizeof *w->reach[m]);
    }
    return w;
}

void weights_shape(const Config *c, WeightId m, int *rows, int *cols)
{
    int D = c->d_model, F = c->d_ff;
    int beta = c->norm == NORM_LAYER ? D : 0, gate = c->ffn == FFN_KIND_SWIGLU ? F : 0;
    const int all_rows[WEIGHT_COUNT] = {D, D, D, D, D, F, D, 1, 1, 1, 1, 1, 1, 1};
    const int all_cols[WEIGHT_COUNT] = {D, D, D, D, F, D, gate, D, beta, D, beta, F, D, gate};
    *rows = all_rows[m];
    *cols = all_cols[m];
}

Weights *weights_new(const Config *c)
{
    int rows[WEIGHT_COUNT], cols[WEIGHT_COUNT];
    for (int m = 0; m < WEIGHT_COUNT; m++)
        weights_shape(c, (WeightId)m, &rows[m], &cols[m]);
    return allocate(rows, cols);
}

Weights *weights_copy(const Weights *from)
{
    Weights *w = allocate(from->rows, from->cols);
    for (int m = 0; m < WEIGHT_COUNT; m++)
        memcpy(w->data[m], from->data[m], size_of(w, m) * sizeof *w->data[m]);
    weights_finish(w);
    return w;
}

void weights_finish(Weights *w)
{
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        int rows = w->rows[m], cols = w->cols[m];
        for (int i = 0; i < cols; i++) {
            int64_t reach = 0;
            for (int j = 0; j < rows; j++) {
                int16_t v = w->data[m][(size_t)j * (size_t)cols + (size_t)i];
                w->columns[m][(size_t)i * (size_t)rows + (size_t)j] = v;
                reach += abs(v);
            }
            w->reach[m][i] = reach;
        }
    }
}

void weights_free(Weights *w)
{
    if (!w)
        return;
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        free(w->data[m]);
        if (m < WEIGHT_MATRICES) {
            free(w->columns[m]);
            free(w->reach[m]);
        }
    }
    free(w);
}
