#ifndef TRAIN_BATCH_H
#define TRAIN_BATCH_H
/* A batch of words, forward and backward. Forward is the machine itself (engine/functional.h); its
 * vectors are copied out as values. Backward runs in floats, straight through every rounding. */
#include "engine/functional.h"
#include "train/net.h"

typedef struct Batch {
    int words, n;                    /* words; positions of all of them */
    int cap;                         /* positions that fit */
    int *letter, *target, *position; /* [n]: letter in, letter out, place in its word */
    Pass *pass;                      /* one word */
    /* [n][D], values */
    float *unit1, *ln1, *q, *k, *v, *concat, *unit2, *ln2, *out;
    float *hidden;             /* [n][F] */
    float *inv1, *inv2;        /* [n] */
    float *score, *exp, *prob; /* [n][H][POSITIONS] */
    float *sum;                /* [n][H] */
    float *logits;             /* [n][OUT_COLS]; after batch_loss the gradient of them */
    /* gradients */
    float *d_out, *d_hidden, *d_ln, *d_concat, *d_q, *d_k, *d_v;
    float *transposed; /* a weight matrix */
    /* the float twin's forward */
    float *emb, *residual1;
} Batch;

void batch_init(Batch *b, const Config *c, int words);
void batch_free(Batch *b);
void batch_clear(Batch *b);
/* The start mark, the letters and the end mark; room for `words` of them. */
void batch_add(Batch *b, const Model *m, const char *word);
/* Fills everything up to the logits. */
void batch_forward(Batch *b, const Net *n);
/* The sum of -log2 p(target) over all positions; logits become d loss / d logits of the mean in
 * nats. */
double batch_loss(Batch *b, const Net *n);
/* The gradient of the mean loss in n->grad. */
void batch_backward(Batch *b, Net *n);

#endif
