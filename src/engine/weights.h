#ifndef ENGINE_WEIGHTS_H
#define ENGINE_WEIGHTS_H
/* The constant weights of a machine, raw Q8.8. Matrices are [in][out], row-major (decoder.md
 * section 3); shared by every copy of an engine, never written while one runs. */
#include <stdint.h>

#include "engine/config.h"

/* In the order of the weight bus (decoder.md section 5). */
typedef enum {
    WEIGHT_WQ,
    WEIGHT_WK,
    WEIGHT_WV,
    WEIGHT_WO,
    WEIGHT_W1,
    WEIGHT_W2,
    WEIGHT_W3,
    WEIGHT_LN1_GAMMA,
    WEIGHT_LN1_BETA,
    WEIGHT_LN2_GAMMA,
    WEIGHT_LN2_BETA,
    WEIGHT_B1,
    WEIGHT_B2,
    WEIGHT_B3,
    WEIGHT_COUNT,
    WEIGHT_MATRICES = WEIGHT_W3 + 1
} WeightId;

typedef struct Weights {
    int rows[WEIGHT_COUNT], cols[WEIGHT_COUNT]; /* a vector has one row */
    int16_t *data[WEIGHT_COUNT];                /* row-major */
    /* Built by weights_finish from data, for the matrices: */
    int16_t *columns[WEIGHT_MATRICES]; /* column-major: column i at columns[m] + i * rows */
    int64_t *reach[WEIGHT_MATRICES];   /* sum of |w| down column i: can its dot product wrap? */
} Weights;

/* Has the machine this one? What it lacks has no elements. */
static inline bool weights_have(const Weights *w, int m)
{
    return w->cols[m] > 0;
}

/* The shape of one in a machine, which may have none of it (a column count of 0). */
void weights_shape(const Config *c, WeightId m, int *rows, int *cols);
/* All zero, sized for c. The caller frees it with weights_free. */
Weights *weights_new(const Config *c);
/* A copy, to be edited and finished. */
Weights *weights_copy(const Weights *w);
/* Call after the last change of data and before an engine uses them. */
void weights_finish(Weights *w);
void weights_free(Weights *w);

/* Variant array has matrices side by side, wq wk wv and w1 w3: the k-th from m on. */
static inline WeightId weight_beside(WeightId m, int k)
{
    return m == WEIGHT_W1 && k > 0 ? WEIGHT_W3 : (WeightId)((int)m + k);
}

/* "wq", "ln1_gamma", ... */
const char *weight_name(WeightId id);

#endif
