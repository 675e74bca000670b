/* Multi-head attention with the KV cache and one softmax shared by the heads (variant bridge).
 * Mirrors rtl/multi_head_attention.sv.
 *
 * Timing: IDLE samples start; PROJ_QKV D + 1 (one column of q, k and v a cycle), WRITE_CACHE 1,
 * SCORE H(p + 2) + 1 (one score a cycle, an extra cycle per head, one at the end), per head
 * SOFTMAX_PREP 1, SOFTMAX_RUN 4S + 6, SOFTMAX_STORE 1; WEIGHTED_SUM H + 1 (a head a cycle, the last
 * concatenates), OUTPUT_PROJ D + 1, DONE 1 with valid. K[p] and V[p] are visible to this token's
 * own scores. */
#include <string.h>

#include "engine/unit.h"

static void project(const Engine *e, int i, Ports *p)
{
    static const struct {
        WeightId matrix;
        SignalId out;
    } columns[] = {{WEIGHT_WQ, SIG_Q}, {WEIGHT_WK, SIG_K}, {WEIGHT_WV, SIG_V}};
    const int16_t *x = engine_words(e, SIG_LN1_OUT);
    for (int k = 0; k < 3; k++) {
        bool wraps = false;
        port_write(p, columns[k].out, i, gemv_narrow(e, columns[k].matrix, i, x, &wraps));
        port_event(p, wraps, columns[k].out, i, EVENT_WRAP);
    }
}

void write_cache(const Engine *e, Ports *p)
{
    int D = e->config.d_model;
    int row = e->in.seq_pos * D;
    size_t bytes = (size_t)D * sizeof(int16_t);
    memcpy(port_bulk(p, SIG_K_CACHE, row, D), engine_words(e, SIG_K), bytes);
    memcpy(port_bulk(p, SIG_V_CACHE, row, D), engine_words(e, SIG_V), bytes);
}

static void score(const Engine *e, const AttentionRegs *q, Ports *p)
{
    int dh = e->d_head;
    const int16_t *query = engine_words(e, SIG_Q) + q->h * dh;
    const int16_t *key = engine_words(e, SIG_K_CACHE) + q->t * e->config.d_model + q->h * dh;
    bool wraps = false;
    int16_t product = dot_narrow(query, key, dh, REACH_UNKNOWN, &wraps);
    int at = q->h * e->config.max_seq_len + q->t;
    wraps = wraps || fp_mul_wraps(product, e->config.score_scale);
    port_event(p, wraps, SIG_SCORES, at, EVENT_WRAP);
    port_write(p, SIG_SCORES, at, fp_mul(product, e->config.score_scale));
}

void softmax_prep(const Engine *e, int h, Ports *p)
{
    int S = e->config.max_seq_len;
    if (h >= e->config.n_heads) /* only a poke can make it so */
        return;
    const int16_t *scores = engine_words(e, SIG_SCORES) + h * S;
    int16_t *x = port_bulk(p, SIG_SMAX_X, 0, S);
    for (int t = 0; t < S; t++)
        x[t] = t <= e->in.seq_pos ? scores[t] : e->config.mask;
}

void softmax_store(const Engine *e, int h, Ports *p)
{
    int S = e->config.max_seq_len;
    if (h >= e->config.n_heads) /* only a poke can make it so */
        return;
    memcpy(port_bulk(p, SIG_PROBS, h * S, S), engine_words(e, SIG_SMAX_PROB),
           (size_t)S * sizeof(int16_t));
}

/* One head: head[h][d] = sum over t <= p of probs[h][t] * V[t][h * dh + d]. */
static void weighted_sum(const Engine *e, int h, Ports *p)
{
    int dh = e->d_head, D = e->config.d_model, last = e->in.seq_pos;
    const int16_t *probs = engine_words(e, SIG_PROBS) + h * e->config.max_seq_len;
    const int16_t *values = engine_words(e, SIG_V_CACHE) + h * dh;
    int64_t sum[D_MODEL_MOST] = {0};
    for (int t = 0; t <= last; t++) {
        for (int d = 0; d < dh; d++)
            sum[d] += (int32_t)probs[t] * values[t * D + d];
    }
    int16_t *head = port_bulk(p, SIG_HEAD, h * dh, dh);
    for (int d = 0; d < dh; d++) {
        head[d] = narrow(low32(sum[d]));
        port_event(p, sum[d] >> FRAC_BITS != head[d], SIG_HEAD, h * dh + d, EVENT_WRAP);
    }
}

bool scores_next(const Engine *e, const AttentionRegs *q, AttentionRegs *d, Ports *p)
{
    if (q->h == e->config.n_heads) {
        d->h = 0;
        return true;
    }
    if (q->t > e->in.seq_pos) {
        d->t = 0;
        d->h = (uint16_t)(q->h + 1);
    } else {
        score(e, q, p);
        d->t = (uint16_t)(q->t + 1);
    }
    return false;
}

bool weighted_sum_next(const Engine *e, const AttentionRegs *q, AttentionRegs *d, Ports *p)
{
    int D = e->config.d_model;
    if (q->h < e->config.n_heads) {
        weighted_sum(e, q->h, p);
        d->h = (uint16_t)(q->h + 1);
        return false;
    }
    memcpy(port_bulk(p, SIG_CONCAT, 0, D), engine_words(e, SIG_HEAD), (size_t)D * sizeof(int16_t));
    d->h = 0;
    return true;
}

static void output_proj_next(const Engine *e, const AttentionRegs *q, AttentionRegs *d, Ports *p)
{
    if (q->i < e->config.d_model) {
        bool wraps = false;
        int16_t y = gemv_narrow(e, WEIGHT_WO, q->i, engine_words(e, SIG_CONCAT), &wraps);
        port_write(p, SIG_ATTN_OUT, q->i, y);
        port_event(p, wraps, SIG_ATTN_OUT, q->i, EVENT_WRAP);
        d->i = (uint16_t)(q->i + 1);
        return;
    }
    d->i = 0;
    d->valid = 1;
    d->state = ATTN_DONE;
}

void multi_head_attention_next(const Engine *e, const Regs *all, AttentionRegs *d, Ports *p)
{
    const AttentionRegs *q = &all->attn;
    d->valid = 0;
    d->smax_start = 0;
    switch ((AttentionState)q->state) {
    case ATTN_IDLE:
        if (all->top.attn_start) {
            d->i = d->h = d->t = 0;
            d->state = ATTN_PROJ_QKV;
        }
        break;
    case ATTN_PROJ_QKV:
        if (q->i < e->config.d_model) {
            project(e, q->i, p);
            d->i = (uint16_t)(q->i + 1);
        } else {
            d->i = 0;
            d->state = ATTN_WRITE_CACHE;
        }
        break;
    case ATTN_WRITE_CACHE:
        write_cache(e, p);
        d->state = ATTN_SCORE;
        break;
    case ATTN_SCORE:
        if (scores_next(e, q, d, p))
            d->state = ATTN_SOFTMAX_PREP;
        break;
    case ATTN_SOFTMAX_PREP:
        softmax_prep(e, q->h, p);
        d->smax_start = 1;
        d->state = ATTN_SOFTMAX_RUN;
        break;
    case ATTN_SOFTMAX_RUN:
        if (all->smax.valid)
            d->state = ATTN_SOFTMAX_STORE;
        break;
    case ATTN_SOFTMAX_STORE:
        softmax_store(e, q->h, p);
        d->h = (uint16_t)(q->h + 1);
        d->state = ATTN_SOFTMAX_PREP;
        if (d->h >= e->config.n_heads) {
            d->h = 0;
            d->state = ATTN_WEIGHTED_SUM;
        }
        break;
    case ATTN_WEIGHTED_SUM:
        if (weighted_sum_next(e, q, d, p))
            d->state = ATTN_OUTPUT_PROJ;
        break;
    case ATTN_OUTPUT_PROJ:
        output_proj_next(e, q, d, p);
        break;
    case ATTN_DONE:
        d->state = ATTN_IDLE;
        break;
    }
}
