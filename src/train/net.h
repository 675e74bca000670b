#ifndef TRAIN_NET_H
#define TRAIN_NET_H
/* What is trained: every tensor of the model as floats (values, not raw), its gradient and the
 * optimiser's moments, in one array each. The machine's words are these rounded to Q8.8. */
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* The machine's weights first, as WeightId; then the host's tensors. */
typedef enum {
    PARAM_LETTER = WEIGHT_COUNT,
    PARAM_POS,
    PARAM_OUT, /* columns padded to OUT_COLS */
    PARAM_COUNT
} ParamId;

enum { OUT_COLS = 32, POSITIONS = 25 }; /* logits are padded; start mark and 24 letters */

typedef struct Net {
    Model *model; /* words: the shadow rounded, after net_round */
    size_t count; /* floats in each of the next five */
    float *shadow, *grad, *moment1, *moment2;
    float *exact; /* what the backward pass multiplies with: the words as values */
    size_t at[PARAM_COUNT], size[PARAM_COUNT];
    int rows[PARAM_COUNT], cols[PARAM_COUNT];
    bool is_float; /* the twin without rounding: exact = shadow */
} Net;

/* Fresh weights drawn from the seed. */
void net_init(Net *n, const Config *c, uint64_t seed, bool is_float);
void net_free(Net *n);
static inline float *net_grad(Net *n, int param)
{
    return n->grad + n->at[param];
}
static inline const float *net_exact(const Net *n, int param)
{
    return n->exact + n->at[param];
}
/* The model's words from the shadow: nearest, ties to even, within the limits. */
void net_round(Net *n);
/* One step of Adam at learning rate `rate`; step counts from 1. The gradient's norm is clipped to
 * 1. */
void net_step(Net *n, float rate, int step);

/* The generator of everything random in training (splitmix64). */
uint64_t draw_bits(uint64_t *state);

#endif
