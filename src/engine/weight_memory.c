/* The weights of variant stream: a memory bank per matrix and for b1 and b3, each with a registered
 * read. Mirrors rtl/weight_memory.sv.
 *
 * Timing: the word addressed in one cycle is in the bank's read register in the next, and stays
 * there until the bank is read again. wq, wk and wv are read at the same offset in the same cycle,
 * and so are w1 and w3, b1 and b3 (swiglu). The vectors of the layer norms and b2 are registers,
 * seen at once. The host fills all of them over the weight bus before it starts a token; here they
 * are constant. */
#include "engine/unit.h"

static void read_bank(const Engine *e, WeightId m, int at, int16_t *word)
{
    const Weights *w = e->weights;
    if (at >= 0)
        *word = at < w->rows[m] * w->cols[m] ? w->data[m][at] : 0;
}

void weight_memory_next(const Engine *e, const StreamReads *r, StreamRegs *d)
{
    read_bank(e, WEIGHT_WQ, r->qkv, &d->wq);
    read_bank(e, WEIGHT_WK, r->qkv, &d->wk);
    read_bank(e, WEIGHT_WV, r->qkv, &d->wv);
    read_bank(e, WEIGHT_WO, r->o, &d->wo);
    read_bank(e, WEIGHT_W1, r->w1, &d->w1);
    read_bank(e, WEIGHT_B1, r->b1, &d->b1);
    read_bank(e, WEIGHT_W2, r->w2, &d->w2);
    read_bank(e, WEIGHT_W3, r->w1, &d->w3);
    read_bank(e, WEIGHT_B3, r->b1, &d->b3);
}
