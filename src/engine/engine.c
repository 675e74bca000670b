/* The machine as a whole: memory layout, the clock edge, copy, reset, digest. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/unit.h"

/* Signals that live in `words`: everything that is an array and not a weight. */
static bool in_words(const Signal *s)
{
    return s->kind == KIND_MEMORY || (s->kind == KIND_PIN && signal_rank(s) > 0);
}

static size_t layout(Engine *e)
{
    size_t words = 0;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (!in_words(s) || !signal_exists(e, s))
            continue;
        e->at[id] = (uint32_t)words;
        words += ((size_t)signal_count(e, s) + 7) & ~(size_t)7;
    }
    e->scratch = (uint32_t)words;
    /* the widest edge: a residual, two cache rows or S words, F words or a tile, and single ones */
    size_t S = (size_t)e->config.max_seq_len, F = (size_t)e->config.d_ff;
    size_t D = (size_t)e->config.d_model;
    return words + S + F + 3 * D + ARRAY_MAX + EDGE_WRITES;
}

Engine *engine_new(const Config *c, const Weights *w)
{
    Engine probe = {.config = *c};
    size_t size = sizeof(Engine) + layout(&probe) * sizeof(int16_t);
    Engine *e = xcalloc(1, size);
    e->config = *c;
    e->weights = w;
    e->size = size;
    e->d_head = config_d_head(c);
    e->log2_d = config_log2_d(c);
    systolic_array_init(&e->systolic, c->pe_rows, c->pe_cols, false, NULL);
    e->systolic_before = e->systolic;
    layout(e);
    return e;
}

void engine_free(Engine *e)
{
    free(e);
}

void engine_copy(Engine *dst, const Engine *src)
{
    memcpy(dst, src, src->size);
}

size_t engine_size(const Engine *e)
{
    return e->size;
}

void engine_reset(Engine *e)
{
    e->q = e->before = (Regs){0};
    systolic_array_init(&e->systolic, e->config.pe_rows, e->config.pe_cols, false, NULL);
    e->systolic_before = e->systolic;
    e->cycle = 0;
    e->edge.n_writes = e->edge.n_events = e->edge.used = 0;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        bool keeps = id == SIG_K_CACHE || id == SIG_V_CACHE || s->kind != KIND_MEMORY;
        if (!keeps && signal_exists(e, s))
            memset(e->words + e->at[id], 0, (size_t)signal_count(e, s) * sizeof(int16_t));
    }
}

void port_write(Ports *p, SignalId id, int index, int16_t value)
{
    *port_bulk(p, id, index, 1) = value;
}

int16_t *port_bulk(Ports *p, SignalId id, int index, int count)
{
    Edge *edge = p->edge;
    int16_t *data = p->scratch + edge->used;
    edge->writes[edge->n_writes++] = (Write){id, index, count, edge->used};
    edge->used += count;
    return data;
}

/* The clock edge for memories: new values go in, the old ones stay in scratch for signal_before. */
static void commit_writes(Engine *e)
{
    for (int k = 0; k < e->edge.n_writes; k++) {
        const Write *w = &e->edge.writes[k];
        int16_t *memory = e->words + e->at[w->signal] + w->index;
        int16_t *data = e->words + e->scratch + w->data;
        for (int i = 0; i < w->count; i++) {
            int16_t old = memory[i];
            memory[i] = data[i];
            data[i] = old;
        }
    }
}

/* A unit in IDLE with its start and its flags low would hold, so it is not asked. */
static bool attention_works(const Regs *q)
{
    return (q->attn.state | q->attn.valid | q->attn.smax_start | q->top.attn_start) != 0;
}
static bool feed_forward_works(const Regs *q)
{
    return (q->ffn.state | q->ffn.valid | q->top.ffn_start) != 0;
}

static void stream_next(const Engine *e, const Regs *q, Regs *d, Ports *p)
{
    StreamReads r = {-1, -1, -1, -1, -1, -1, -1};
    multi_head_attention_stream_reads(e, q, &r);
    feed_forward_stream_reads(e, q, &r);
    weight_memory_next(e, &r, &d->stream);
    kv_cache_bram_next(e, q, &r, &d->stream, p);
    if (attention_works(q))
        multi_head_attention_stream_next(e, q, d, p);
    if (feed_forward_works(q))
        feed_forward_stream_next(e, q, d, p);
}

/* The clock edge for the array. It is too large to be copied every clock: like a memory, it changes
 * at the commit. What the last edge has not moved has no other state before it. */
static void commit_array(Engine *e, const ArrayWork *work, Ports *p)
{
    SystolicArray *s = &e->systolic;
    bool moves = work->pins.clear || work->pins.enable;
    if (moves || e->systolic_moved)
        e->systolic_before = *s;
    e->systolic_moved = moves;
    if (!moves)
        return;
    systolic_array_step(s, &work->pins);
    for (int r = 0; r < s->rows && work->pins.enable && !work->pins.clear; r++) {
        for (int c = 0; c < s->cols; c++) {
            const ProcessingElement *pe = &s->pe[r][c];
            int64_t exact = (int64_t)e->systolic_before.pe[r][c].acc + (int32_t)pe->a * pe->w;
            port_event(p, exact != pe->acc, SIG_ARRAY_ACC, r * s->cols + c, EVENT_WRAP);
        }
    }
}

/* Not inlined: engine_step stays small for the other variants (2 % of bridge's speed). */
__attribute__((noinline)) static void array_step(Engine *e, const Regs *q, Regs *d, Ports *p)
{
    ArrayWork work = {0};
    multi_head_attention_array_work(e, q, &work);
    if (!work.pins.clear && !work.pins.enable) /* they take turns; after a poke, attention first */
        feed_forward_array_work(e, q, &work);
    array_usage_next(e, q, &work, &d->array);
    if (attention_works(q))
        multi_head_attention_array_next(e, q, d, p);
    if (feed_forward_works(q))
        feed_forward_array_next(e, q, d, p);
    commit_array(e, &work, p);
}

void engine_step(Engine *e)
{
    Ports p = {&e->edge, e->words + e->scratch};
    e->edge.n_writes = e->edge.n_events = e->edge.used = 0;
    e->before = e->q; /* the current state, for reading; */
    const Regs *q = &e->before;
    Regs *d = &e->q; /* the next one, which holds by default */

    /* any order, same result: each reads the current state only */
    decoder_control_next(e, q, &d->top, &p);
    if (q->ln1.state | q->ln1.valid | q->top.ln1_start)
        layer_norm_next(e, &q->ln1, &d->ln1, &p, SIG_LN1_STATE, q->top.ln1_start);
    if (q->ln2.state | q->ln2.valid | q->top.ln2_start)
        layer_norm_next(e, &q->ln2, &d->ln2, &p, SIG_LN2_STATE, q->top.ln2_start);
    if (q->smax.state | q->smax.valid | q->attn.smax_start)
        softmax_unit_next(e, q, &d->smax, &p);
    if (e->config.variant == VARIANT_STREAM) {
        stream_next(e, q, d, &p);
    } else if (e->config.variant == VARIANT_ARRAY) {
        array_step(e, q, d, &p);
    } else {
        if (attention_works(q))
            multi_head_attention_next(e, q, &d->attn, &p);
        if (feed_forward_works(q))
            feed_forward_next(e, q, &d->ffn, &p);
    }

    commit_writes(e);
    e->cycle++;
}

uint64_t engine_cycle(const Engine *e)
{
    return e->cycle;
}

const Config *engine_config(const Engine *e)
{
    return &e->config;
}

const Weights *engine_weights(const Engine *e)
{
    return e->weights;
}

void engine_set_weights(Engine *e, const Weights *w)
{
    e->weights = w;
}

uint64_t engine_hash(const Engine *e)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a over elements */
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (!signal_exists(e, s))
            continue;
        int n = signal_count(e, s);
        for (int i = 0; i < n; i++)
            h = (h ^ (uint32_t)signal_get(e, s, i)) * 1099511628211u;
    }
    return h;
}

const Write *engine_writes(const Engine *e, int *count)
{
    *count = e->edge.n_writes;
    return e->edge.writes;
}

const Event *engine_events(const Engine *e, int *count)
{
    *count = e->edge.n_events;
    return e->edge.events;
}

int16_t dot_narrow(const int16_t *a, const int16_t *b, int n, int64_t reach, bool *wraps)
{
    int64_t exact = 0;
    if (reach < 65536) { /* |sum| <= 32768 * reach < 2^31: 32 bits hold it */
        int32_t sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i] * b[i];
        exact = sum;
    } else {
        for (int i = 0; i < n; i++)
            exact += (int32_t)a[i] * b[i];
    }
    int16_t y = narrow(low32(exact));
    *wraps = exact >> FRAC_BITS != y;
    return y;
}

int16_t gemv_narrow(const Engine *e, WeightId m, int i, const int16_t *x, bool *wraps)
{
    const Weights *w = e->weights;
    const int16_t *column = w->columns[m] + (size_t)i * (size_t)w->rows[m];
    return dot_narrow(x, column, w->rows[m], w->reach[m][i], wraps);
}
