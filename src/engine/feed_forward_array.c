/* Feed forward, its two products on the systolic array (variant array). Mirrors
 * rtl/feed_forward_array.sv.
 *
 * Timing: IDLE samples start; per tile of C hidden units: LINEAR1 D (an operand enters the array),
 * L1_DRAIN C - 1 (zeros enter), L1_STORE 1; RELU 1; per tile of C outputs: LINEAR2 F, L2_DRAIN
 * C - 1, L2_STORE 1; DONE 1 with valid. Swiglu: w1 and w3 side by side are 2F outputs, hidden and
 * then up; SWIGLU F + 1 instead of RELU. i is the tile's first output, j counts its edges. A
 * *_STORE cycle stores the narrowed sums of row 0 plus the bias, both wrapping, and clears the
 * array. An array of one column needs no *_DRAIN. */
#include "engine/unit.h"

/* Outputs of LINEAR1. */
static int outputs1(const Engine *e)
{
    return has_swiglu(e) ? 2 * e->config.d_ff : e->config.d_ff;
}

void feed_forward_array_work(const Engine *e, const Regs *q, ArrayWork *work)
{
    switch ((FeedForwardArrayState)q->ffn.state) {
    case FFNA_LINEAR1:
        tile_feed(e, SIG_LN2_OUT, WEIGHT_W1, outputs1(e), q->ffn.i, q->array.ffn_j, work);
        break;
    case FFNA_LINEAR2:
        tile_feed(e, SIG_HIDDEN, WEIGHT_W2, e->config.d_model, q->ffn.i, q->array.ffn_j, work);
        break;
    case FFNA_L1_DRAIN:
    case FFNA_L2_DRAIN:
        work->pins.enable = true;
        break;
    case FFNA_L1_STORE:
    case FFNA_L2_STORE:
        work->pins.clear = true;
        break;
    case FFNA_IDLE:
    case FFNA_RELU:
    case FFNA_DONE:
    case FFNA_SWIGLU:
        break;
    }
}

/* out[k] = sum of a column plus bias[k], in a vector of n whose element 0 is output `first` of the
 * layer; the tile begins with output i. */
static void store(const Engine *e, SignalId out, WeightId bias, int n, int first, int i, Ports *p)
{
    int begin = i > first ? i - first : 0, end = i + e->config.pe_cols - first;
    end = end < n ? end : n;
    if (begin >= end) /* nothing of it in this tile */
        return;
    int16_t *stored = port_bulk(p, out, begin, end - begin);
    for (int k = begin; k < end; k++) {
        bool wraps = false;
        int16_t y = tile_sum(e, first + k - i, &wraps), b = e->weights->data[bias][k];
        port_event(p, wraps || fp_add_saturates(y, b), out, k, EVENT_WRAP);
        stored[k - begin] = low16(y + b);
    }
}

/* An edge of a tile with K operands: it enters `drain` behind the last operand and `full` behind
 * the last edge. */
static void edge(const Engine *e, const Regs *all, Regs *d, int K, FeedForwardArrayState drain,
                 FeedForwardArrayState full)
{
    if (tile_edge(e, K, all->array.ffn_j, &d->array.ffn_j))
        d->ffn.state = (uint8_t)full;
    else if (d->array.ffn_j >= K)
        d->ffn.state = (uint8_t)drain;
}

void feed_forward_array_next(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const FeedForwardRegs *q = &all->ffn;
    int D = e->config.d_model, F = e->config.d_ff;

    d->ffn.valid = 0;
    switch ((FeedForwardArrayState)q->state) {
    case FFNA_IDLE:
        if (all->top.ffn_start) {
            d->ffn.i = d->array.ffn_j = 0;
            d->ffn.state = FFNA_LINEAR1;
        }
        break;
    case FFNA_LINEAR1:
    case FFNA_L1_DRAIN:
        edge(e, all, d, D, FFNA_L1_DRAIN, FFNA_L1_STORE);
        break;
    case FFNA_L1_STORE:
        store(e, SIG_HIDDEN, WEIGHT_B1, F, 0, q->i, p);
        if (has_swiglu(e))
            store(e, SIG_UP, WEIGHT_B3, F, F, q->i, p);
        d->array.ffn_j = 0;
        d->ffn.state = FFNA_LINEAR1;
        if (tile_next(e, outputs1(e), q->i, &d->ffn.i))
            d->ffn.state = has_swiglu(e) ? FFNA_SWIGLU : FFNA_RELU;
        break;
    case FFNA_RELU:
        relu(e, p);
        d->ffn.state = FFNA_LINEAR2;
        break;
    case FFNA_SWIGLU:
        if (swiglu_next(e, q, &d->ffn, p))
            d->ffn.state = FFNA_LINEAR2;
        break;
    case FFNA_LINEAR2:
    case FFNA_L2_DRAIN:
        edge(e, all, d, F, FFNA_L2_DRAIN, FFNA_L2_STORE);
        break;
    case FFNA_L2_STORE:
        store(e, SIG_FFN_OUT, WEIGHT_B2, D, 0, q->i, p);
        d->array.ffn_j = 0;
        d->ffn.valid = tile_next(e, D, q->i, &d->ffn.i);
        d->ffn.state = d->ffn.valid ? FFNA_DONE : FFNA_LINEAR2;
        break;
    case FFNA_DONE:
        d->ffn.state = FFNA_IDLE;
        break;
    }
}
