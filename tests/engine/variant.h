#ifndef TESTS_ENGINE_VARIANT_H
#define TESTS_ENGINE_VARIANT_H
/* Drives a variant with random weights and tokens: alone, its states told as runs, and beside
 * bridge, which must come to the same bits. */
#include "test.h"

#include "base/buf.h"
#include "engine/cycle.h"
#include "engine/engine.h"

static inline uint32_t draw(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static inline int between(uint32_t *x, int low, int high)
{
    return low + (int)(draw(x) % (uint32_t)(high - low + 1));
}

typedef struct Size {
    int d_model, n_heads, d_ff, max_seq_len;
    int rows, cols; /* of the systolic array; 0: as the preset has them */
} Size;

static inline Config sized(Variant v, Size s)
{
    Config c;
    Err err;
    assert_true(config_preset(&c, "deck", &err));
    c.d_model = s.d_model;
    c.n_heads = s.n_heads;
    c.d_ff = s.d_ff;
    c.max_seq_len = s.max_seq_len;
    c.pe_rows = s.rows ? s.rows : c.pe_rows;
    c.pe_cols = s.cols ? s.cols : c.pe_cols;
    c.variant = v;
    assert_true(config_check(&c, &err));
    return c;
}

static inline Weights *random_weights(const Config *c, uint32_t *x, int amp)
{
    Weights *w = weights_new(c);
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        for (int i = 0; i < w->rows[m] * w->cols[m]; i++)
            w->data[m][i] = (int16_t)between(x, -amp, amp);
    }
    weights_finish(w);
    return w;
}

static inline int get(const Engine *e, SignalId id)
{
    return signal_get(e, signal_in(e, id), 0);
}

static inline void present(Engine *e, const int16_t *token, int position)
{
    for (int i = 0; i < engine_config(e)->d_model; i++)
        assert_true(signal_set(e, signal_at(SIG_TOKEN_EMB), i, token[i], NULL));
    assert_true(signal_set(e, signal_at(SIG_SEQ_POS), 0, position, NULL));
    assert_true(signal_set(e, signal_at(SIG_START), 0, 1, NULL));
}

/* One unit's states as runs, from the cycle that samples its start to its DONE. */
typedef struct Runs {
    SignalId fsm, start, valid;
    bool in;
    int state, length;
    Buf text;
} Runs;

static inline void runs_close(Runs *r, const Engine *e)
{
    if (r->length > 0)
        buf_printf(&r->text, "%s%s*%d", r->text.len ? " " : "",
                   signal_state_name(signal_in(e, r->fsm), r->state), r->length);
    r->length = 0;
}

static inline void runs_see(Runs *r, const Engine *e)
{
    r->in = r->in || get(e, r->start);
    if (!r->in)
        return;
    int state = get(e, r->fsm);
    if (state != r->state)
        runs_close(r, e);
    r->state = state;
    r->length++;
    if (!get(e, r->valid))
        return;
    runs_close(r, e);
    r->in = false;
}

static inline uint64_t run_token(Engine *e, Runs *attention, Runs *feed_forward)
{
    uint64_t begin = engine_cycle(e);
    while (!get(e, SIG_VALID)) {
        if (attention) {
            runs_see(attention, e);
            runs_see(feed_forward, e);
        }
        engine_step(e);
        assert_true(signal_set(e, signal_at(SIG_START), 0, 0, NULL));
    }
    uint64_t cycles = engine_cycle(e) - begin;
    engine_step(e);
    return cycles;
}

/* Every vector that both have, after every token; K and V too. */
static inline void compare(const Engine *bridge, const Engine *other)
{
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (s->kind != KIND_MEMORY)
            continue;
        for (int i = 0; i < signal_count(bridge, s); i++) {
            if (signal_get(bridge, s, i) != signal_get(other, s, i))
                fail_msg("%s[%d]", s->path, i);
        }
    }
}

/* The first tokens through bridge and variant v: the same bits, each in its closed form's cycles.
 * What v alone must hold after a token is also_check's (or NULL). */
static inline void same_bits(Variant v, Size size, int amp, uint32_t seed,
                             void (*also_check)(const Engine *e))
{
    Config bridge = sized(VARIANT_BRIDGE, size), other = sized(v, size);
    Weights *w = random_weights(&bridge, &seed, amp);
    Engine *a = engine_new(&bridge, w), *b = engine_new(&other, w);
    int16_t token[512];
    for (int p = 0; p < size.max_seq_len && p < 4; p++) {
        for (int i = 0; i < size.d_model; i++)
            token[i] = (int16_t)between(&seed, -amp, amp);
        present(a, token, p);
        present(b, token, p);
        assert_int_equal(run_token(a, NULL, NULL), config_cycles(&bridge, VARIANT_BRIDGE, p));
        assert_int_equal(run_token(b, NULL, NULL), config_cycles(&other, v, p));
        if (also_check)
            also_check(b);
        compare(a, b);
    }
    engine_free(a);
    engine_free(b);
    weights_free(w);
}

/* Whatever a poke leaves in the registers, the machine goes on within its memories; hold_after is
 * asked after every step (or NULL). In the end a reset machine takes a token as ever. */
static inline void poke_and_step(Variant v, Size size, void (*hold_after)(const Engine *e))
{
    Config c = sized(v, size);
    uint32_t x = 11;
    Weights *w = random_weights(&c, &x, 32767);
    Engine *e = engine_new(&c, w);
    for (int round = 0; round < 100000; round++) {
        const Signal *s = signal_at((SignalId)(draw(&x) % SIG_WEIGHTS));
        if (signal_exists(e, s) && s->kind != KIND_MEMORY)
            (void)signal_set(e, s, (int)(draw(&x) % (uint32_t)signal_count(e, s)),
                             (int32_t)(draw(&x) % 30), NULL);
        engine_step(e);
        if (hold_after)
            hold_after(e);
    }
    engine_reset(e);
    int16_t token[512] = {1};
    present(e, token, 1);
    assert_int_equal(run_token(e, NULL, NULL), config_cycles(&c, v, 1));
    engine_free(e);
    weights_free(w);
}

#endif
