/* Multi-head attention, one element of each dot product a cycle (variant stream). Mirrors
 * rtl/multi_head_attention_stream.sv.
 *
 * Timing: IDLE samples start; per column i < D: PROJ_ADDR 1, PROJ_QKV D (q, k and v together: three
 * multipliers), PROJ_STORE 1; WRITE_CACHE 1; per head and position t <= p: SCORE_ADDR 1, SCORE dh,
 * SCORE_STORE 1; per head SOFTMAX_PREP 1, SOFTMAX_RUN 4S + 6, SOFTMAX_STORE 1; per head and d < dh:
 * WSUM_ADDR 1, WEIGHTED_SUM p + 1, WSUM_STORE 1; CONCAT 1; per column OPROJ_ADDR 1, OUTPUT_PROJ D,
 * OPROJ_STORE 1; DONE 1 with valid. An *_ADDR cycle addresses element 0; work cycle j uses the word
 * addressed before it and addresses element j + 1; a *_STORE cycle stores the narrowed sum and
 * clears it. While this token's row of the cache is still being written, position p comes from the
 * k and v registers: always. */
#include <string.h>

#include "engine/unit.h"

/* Element k of a vector of n; 0 beyond, where only a poke can lead. */
static int16_t element(const Engine *e, SignalId id, int n, int k)
{
    return k < n ? engine_words(e, id)[k] : 0;
}

static void store(SignalId id, int n, int k, int32_t acc, Ports *p)
{
    if (k >= n)
        return;
    port_event(p, acc >> FRAC_BITS != narrow(acc), id, k, EVENT_WRAP);
    port_write(p, id, k, narrow(acc));
}

void multi_head_attention_stream_reads(const Engine *e, const Regs *q, StreamReads *r)
{
    const AttentionRegs *a = &q->attn;
    int D = e->config.d_model, j = q->stream.j, head = a->h * e->d_head;
    switch ((AttentionStreamState)a->state) {
    case ATTS_PROJ_ADDR:
        r->qkv = a->i;
        break;
    case ATTS_PROJ_QKV:
        r->qkv = j + 1 < D ? (j + 1) * D + a->i : -1;
        break;
    case ATTS_SCORE_ADDR:
        r->k = a->t * D + head;
        break;
    case ATTS_SCORE:
        r->k = j + 1 < e->d_head ? a->t * D + head + j + 1 : -1;
        break;
    case ATTS_WSUM_ADDR:
        r->v = head + q->stream.d;
        break;
    case ATTS_WEIGHTED_SUM:
        r->v = a->t < e->in.seq_pos ? (a->t + 1) * D + head + q->stream.d : -1;
        break;
    case ATTS_OPROJ_ADDR:
        r->o = a->i;
        break;
    case ATTS_OUTPUT_PROJ:
        r->o = j + 1 < D ? (j + 1) * D + a->i : -1;
        break;
    case ATTS_IDLE:
    case ATTS_PROJ_STORE:
    case ATTS_WRITE_CACHE:
    case ATTS_SCORE_STORE:
    case ATTS_SOFTMAX_PREP:
    case ATTS_SOFTMAX_RUN:
    case ATTS_SOFTMAX_STORE:
    case ATTS_WSUM_STORE:
    case ATTS_CONCAT:
    case ATTS_OPROJ_STORE:
    case ATTS_DONE:
        break;
    }
}

/* Count j to n; true in the last cycle, which leaves it at 0. */
static bool last_element(const StreamRegs *q, StreamRegs *d, int n)
{
    bool last = q->j >= n - 1;
    d->j = (uint16_t)(last ? 0 : q->j + 1);
    return last;
}

static void proj_qkv(const Engine *e, const StreamRegs *q, StreamRegs *d, Ports *p)
{
    int16_t x = element(e, SIG_LN1_OUT, e->config.d_model, q->j);
    port_event(p, accumulate(&d->acc, x, q->wq), SIG_ATTN_ACC, 0, EVENT_WRAP);
    port_event(p, accumulate(&d->acc_k, x, q->wk), SIG_ATTN_ACC_K, 0, EVENT_WRAP);
    port_event(p, accumulate(&d->acc_v, x, q->wv), SIG_ATTN_ACC_V, 0, EVENT_WRAP);
}

static void proj_store(const Engine *e, const Regs *q, Regs *d, Ports *p)
{
    int D = e->config.d_model;
    store(SIG_Q, D, q->attn.i, q->stream.acc, p);
    store(SIG_K, D, q->attn.i, q->stream.acc_k, p);
    store(SIG_V, D, q->attn.i, q->stream.acc_v, p);
    d->stream.acc = d->stream.acc_k = d->stream.acc_v = 0;
}

static void score(const Engine *e, const Regs *q, StreamRegs *d, Ports *p)
{
    int k = q->attn.h * e->d_head + q->stream.j, D = e->config.d_model;
    bool own = q->attn.t >= e->in.seq_pos; /* not yet in the cache */
    int16_t key = own ? element(e, SIG_K, D, k) : q->stream.cache_k_word;
    port_event(p, accumulate(&d->acc, element(e, SIG_Q, D, k), key), SIG_ATTN_ACC, 0, EVENT_WRAP);
}

static void score_store(const Engine *e, const Regs *q, Regs *d, Ports *p)
{
    int32_t acc = q->stream.acc;
    int16_t product = narrow(acc), scale = e->config.score_scale;
    int S = e->config.max_seq_len, at = q->attn.h * S + q->attn.t;
    if (at < e->config.n_heads * S) {
        port_event(p, acc >> FRAC_BITS != product || fp_mul_wraps(product, scale), SIG_SCORES, at,
                   EVENT_WRAP);
        port_write(p, SIG_SCORES, at, fp_mul(product, scale));
    }
    d->stream.acc = 0;
}

static void weighted_sum(const Engine *e, const Regs *q, StreamRegs *d, Ports *p)
{
    int S = e->config.max_seq_len, D = e->config.d_model;
    int16_t prob = element(e, SIG_PROBS, e->config.n_heads * S, q->attn.h * S + q->attn.t);
    bool own = q->attn.t >= e->in.seq_pos;
    int16_t value =
        own ? element(e, SIG_V, D, q->attn.h * e->d_head + q->stream.d) : q->stream.cache_v_word;
    port_event(p, accumulate(&d->acc, prob, value), SIG_ATTN_ACC, 0, EVENT_WRAP);
}

/* To state `same` with the next head, or after the last one to state `then` with head 0. */
static void next_head(const Engine *e, const AttentionRegs *q, AttentionRegs *d,
                      AttentionStreamState same, AttentionStreamState then)
{
    bool last = q->h >= e->config.n_heads - 1;
    d->h = (uint16_t)(last ? 0 : q->h + 1);
    d->state = (uint8_t)(last ? then : same);
}

static void score_states(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const AttentionRegs *q = &all->attn;
    if (q->state == ATTS_SCORE_ADDR) {
        d->attn.state = ATTS_SCORE;
    } else if (q->state == ATTS_SCORE) {
        score(e, all, &d->stream, p);
        if (last_element(&all->stream, &d->stream, e->d_head))
            d->attn.state = ATTS_SCORE_STORE;
    } else {
        score_store(e, all, d, p);
        d->attn.state = ATTS_SCORE_ADDR;
        d->attn.t = (uint16_t)(q->t + 1);
        if (q->t >= e->in.seq_pos) {
            d->attn.t = 0;
            next_head(e, q, &d->attn, ATTS_SCORE_ADDR, ATTS_SOFTMAX_PREP);
        }
    }
}

static void weighted_sum_states(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const AttentionRegs *q = &all->attn;
    int dh = e->d_head, D = e->config.d_model;
    if (q->state == ATTS_WSUM_ADDR) {
        d->attn.state = ATTS_WEIGHTED_SUM;
    } else if (q->state == ATTS_WEIGHTED_SUM) {
        weighted_sum(e, all, &d->stream, p);
        bool last = q->t >= e->in.seq_pos;
        d->attn.t = (uint16_t)(last ? 0 : q->t + 1);
        d->attn.state = last ? ATTS_WSUM_STORE : ATTS_WEIGHTED_SUM;
    } else {
        store(SIG_HEAD, D, q->h * dh + all->stream.d, all->stream.acc, p);
        d->stream.acc = 0;
        d->attn.state = ATTS_WSUM_ADDR;
        d->stream.d = (uint16_t)(all->stream.d + 1);
        if (all->stream.d >= dh - 1) {
            d->stream.d = 0;
            next_head(e, q, &d->attn, ATTS_WSUM_ADDR, ATTS_CONCAT);
        }
    }
}

/* To state `same` with the next column, or after the last one to state `then` with column 0. */
static void next_column(const Engine *e, const AttentionRegs *q, AttentionRegs *d,
                        AttentionStreamState same, AttentionStreamState then)
{
    bool last = q->i >= e->config.d_model - 1;
    d->i = (uint16_t)(last ? 0 : q->i + 1);
    d->state = (uint8_t)(last ? then : same);
}

static void output_proj(const Engine *e, const StreamRegs *q, StreamRegs *d, Ports *p)
{
    int16_t x = element(e, SIG_CONCAT, e->config.d_model, q->j);
    port_event(p, accumulate(&d->acc, x, q->wo), SIG_ATTN_ACC, 0, EVENT_WRAP);
}

void multi_head_attention_stream_next(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const AttentionRegs *q = &all->attn;
    int D = e->config.d_model;

    d->attn.valid = 0;
    d->attn.smax_start = 0;
    switch ((AttentionStreamState)q->state) {
    case ATTS_IDLE:
        if (all->top.attn_start) {
            d->attn.i = d->attn.h = d->attn.t = d->stream.j = d->stream.d = 0;
            d->stream.acc = d->stream.acc_k = d->stream.acc_v = 0;
            d->attn.state = ATTS_PROJ_ADDR;
        }
        break;
    case ATTS_PROJ_ADDR:
        d->attn.state = ATTS_PROJ_QKV;
        break;
    case ATTS_PROJ_QKV:
        proj_qkv(e, &all->stream, &d->stream, p);
        if (last_element(&all->stream, &d->stream, D))
            d->attn.state = ATTS_PROJ_STORE;
        break;
    case ATTS_PROJ_STORE:
        proj_store(e, all, d, p);
        next_column(e, q, &d->attn, ATTS_PROJ_ADDR, ATTS_WRITE_CACHE);
        break;
    case ATTS_WRITE_CACHE: /* the cache begins to write */
        d->attn.state = ATTS_SCORE_ADDR;
        break;
    case ATTS_SCORE_ADDR:
    case ATTS_SCORE:
    case ATTS_SCORE_STORE:
        score_states(e, all, d, p);
        break;
    case ATTS_SOFTMAX_PREP:
        softmax_prep(e, q->h, p);
        d->attn.smax_start = 1;
        d->attn.state = ATTS_SOFTMAX_RUN;
        break;
    case ATTS_SOFTMAX_RUN:
        if (all->smax.valid)
            d->attn.state = ATTS_SOFTMAX_STORE;
        break;
    case ATTS_SOFTMAX_STORE:
        softmax_store(e, q->h, p);
        next_head(e, q, &d->attn, ATTS_SOFTMAX_PREP, ATTS_WSUM_ADDR);
        break;
    case ATTS_WSUM_ADDR:
    case ATTS_WEIGHTED_SUM:
    case ATTS_WSUM_STORE:
        weighted_sum_states(e, all, d, p);
        break;
    case ATTS_CONCAT:
        memcpy(port_bulk(p, SIG_CONCAT, 0, D), engine_words(e, SIG_HEAD),
               (size_t)D * sizeof(int16_t));
        d->attn.state = ATTS_OPROJ_ADDR;
        break;
    case ATTS_OPROJ_ADDR:
        d->attn.state = ATTS_OUTPUT_PROJ;
        break;
    case ATTS_OUTPUT_PROJ:
        output_proj(e, &all->stream, &d->stream, p);
        if (last_element(&all->stream, &d->stream, D))
            d->attn.state = ATTS_OPROJ_STORE;
        break;
    case ATTS_OPROJ_STORE:
        store(SIG_ATTN_OUT, D, q->i, all->stream.acc, p);
        d->stream.acc = 0;
        next_column(e, q, &d->attn, ATTS_OPROJ_ADDR, ATTS_DONE);
        d->attn.valid = d->attn.state == ATTS_DONE;
        break;
    case ATTS_DONE:
        d->attn.state = ATTS_IDLE;
        break;
    }
}
