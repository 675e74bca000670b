/* Multi-head attention, its four products on the systolic array (variant array). Mirrors
 * rtl/multi_head_attention.sv with OnArray.
 *
 * Timing: IDLE samples start; per tile of C of the 3D columns of q, k and v side by side: PROJ_QKV
 * D (an operand enters the array), PROJ_DRAIN C - 1 (zeros enter), PROJ_STORE 1; WRITE_CACHE 1,
 * SCORE H(p + 2) + 1, per head SOFTMAX_PREP 1, SOFTMAX_RUN 4S + 6, SOFTMAX_STORE 1, WEIGHTED_SUM
 * H + 1, all as in bridge; per tile of C of the D columns of attn_out: OUTPUT_PROJ D, OPROJ_DRAIN
 * C - 1, OPROJ_STORE 1; DONE 1 with valid. i is the tile's first column, j counts its edges. A
 * *_STORE cycle stores the narrowed sums of row 0 and clears the array. An array of one column
 * needs no *_DRAIN. */
#include "engine/unit.h"

void multi_head_attention_array_work(const Engine *e, const Regs *q, ArrayWork *work)
{
    int D = e->config.d_model;
    switch ((AttentionArrayState)q->attn.state) {
    case ATTA_PROJ_QKV:
        tile_feed(e, SIG_LN1_OUT, WEIGHT_WQ, 3 * D, q->attn.i, q->array.j, work);
        break;
    case ATTA_OUTPUT_PROJ:
        tile_feed(e, SIG_CONCAT, WEIGHT_WO, D, q->attn.i, q->array.j, work);
        break;
    case ATTA_PROJ_DRAIN:
    case ATTA_OPROJ_DRAIN:
        work->pins.enable = true;
        break;
    case ATTA_PROJ_STORE:
    case ATTA_OPROJ_STORE:
        work->pins.clear = true;
        break;
    case ATTA_IDLE:
    case ATTA_WRITE_CACHE:
    case ATTA_SCORE:
    case ATTA_SOFTMAX_PREP:
    case ATTA_SOFTMAX_RUN:
    case ATTA_SOFTMAX_STORE:
    case ATTA_WEIGHTED_SUM:
    case ATTA_DONE:
        break;
    }
}

/* Output i + c of each column c, of n in the vectors from `first` on, D each: a write per vector.
 */
static void store(const Engine *e, SignalId first, int n, int i, Ports *p)
{
    int D = e->config.d_model;
    int end = i + e->config.pe_cols < n ? i + e->config.pe_cols : n;
    for (int out = i, count = 0; out < end; out += count) {
        SignalId vector = (SignalId)((int)first + out / D);
        int at = out % D;
        count = end - out < D - at ? end - out : D - at;
        int16_t *y = port_bulk(p, vector, at, count);
        for (int k = 0; k < count; k++) {
            bool wraps = false;
            y[k] = tile_sum(e, out - i + k, &wraps);
            port_event(p, wraps, vector, at + k, EVENT_WRAP);
        }
    }
}

/* An edge of a tile: it enters `drain` behind the last operand and `full` behind the last edge. */
static void edge(const Engine *e, const Regs *all, Regs *d, AttentionArrayState drain,
                 AttentionArrayState full)
{
    if (tile_edge(e, e->config.d_model, all->array.j, &d->array.j))
        d->attn.state = (uint8_t)full;
    else if (d->array.j >= e->config.d_model)
        d->attn.state = (uint8_t)drain;
}

void multi_head_attention_array_next(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const AttentionRegs *q = &all->attn;
    int D = e->config.d_model;

    d->attn.valid = 0;
    d->attn.smax_start = 0;
    switch ((AttentionArrayState)q->state) {
    case ATTA_IDLE:
        if (all->top.attn_start) {
            d->attn.i = d->attn.h = d->attn.t = d->array.j = 0;
            d->attn.state = ATTA_PROJ_QKV;
        }
        break;
    case ATTA_PROJ_QKV:
    case ATTA_PROJ_DRAIN:
        edge(e, all, d, ATTA_PROJ_DRAIN, ATTA_PROJ_STORE);
        break;
    case ATTA_PROJ_STORE:
        store(e, SIG_Q, 3 * D, q->i, p); /* q, k and v follow each other in the table */
        d->array.j = 0;
        d->attn.state = tile_next(e, 3 * D, q->i, &d->attn.i) ? ATTA_WRITE_CACHE : ATTA_PROJ_QKV;
        break;
    case ATTA_WRITE_CACHE:
        write_cache(e, p);
        d->attn.state = ATTA_SCORE;
        break;
    case ATTA_SCORE:
        if (scores_next(e, q, &d->attn, p))
            d->attn.state = ATTA_SOFTMAX_PREP;
        break;
    case ATTA_SOFTMAX_PREP:
        softmax_prep(e, q->h, p);
        d->attn.smax_start = 1;
        d->attn.state = ATTA_SOFTMAX_RUN;
        break;
    case ATTA_SOFTMAX_RUN:
        if (all->smax.valid)
            d->attn.state = ATTA_SOFTMAX_STORE;
        break;
    case ATTA_SOFTMAX_STORE:
        softmax_store(e, q->h, p);
        d->attn.h = (uint16_t)(q->h + 1);
        d->attn.state = ATTA_SOFTMAX_PREP;
        if (d->attn.h >= e->config.n_heads) {
            d->attn.h = 0;
            d->attn.state = ATTA_WEIGHTED_SUM;
        }
        break;
    case ATTA_WEIGHTED_SUM:
        if (weighted_sum_next(e, q, &d->attn, p))
            d->attn.state = ATTA_OUTPUT_PROJ;
        break;
    case ATTA_OUTPUT_PROJ:
    case ATTA_OPROJ_DRAIN:
        edge(e, all, d, ATTA_OPROJ_DRAIN, ATTA_OPROJ_STORE);
        break;
    case ATTA_OPROJ_STORE:
        store(e, SIG_ATTN_OUT, D, q->i, p);
        d->array.j = 0;
        d->attn.valid = tile_next(e, D, q->i, &d->attn.i);
        d->attn.state = d->attn.valid ? ATTA_DONE : ATTA_OUTPUT_PROJ;
        break;
    case ATTA_DONE:
        d->attn.state = ATTA_IDLE;
        break;
    }
}
