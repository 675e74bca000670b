/* Variant array: its tiles, its array edge by edge, and bridge's bits for any weights. */
#include "test.h"

#include "base/buf.h"
#include "engine/engine.h"

static uint32_t draw(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static int between(uint32_t *x, int low, int high)
{
    return low + (int)(draw(x) % (uint32_t)(high - low + 1));
}

static Config config(Variant v, int d_model, int n_heads, int d_ff, int max_seq_len, int rows,
                     int cols)
{
    Config c;
    Err err;
    assert_true(config_preset(&c, "deck", &err));
    c.d_model = d_model;
    c.n_heads = n_heads;
    c.d_ff = d_ff;
    c.max_seq_len = max_seq_len;
    c.pe_rows = rows;
    c.pe_cols = cols;
    c.variant = v;
    assert_true(config_check(&c, &err));
    return c;
}

static Weights *random_weights(const Config *c, uint32_t *x, int amp)
{
    Weights *w = weights_new(c);
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        for (int i = 0; i < w->rows[m] * w->cols[m]; i++)
            w->data[m][i] = (int16_t)between(x, -amp, amp);
    }
    weights_finish(w);
    return w;
}

static int get(const Engine *e, SignalId id)
{
    return signal_get(e, signal_in(e, id), 0);
}

static void present(Engine *e, const int16_t *token, int position)
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

static void runs_close(Runs *r, const Engine *e)
{
    if (r->length > 0)
        buf_printf(&r->text, "%s%s*%d", r->text.len ? " " : "",
                   signal_state_name(signal_in(e, r->fsm), r->state), r->length);
    r->length = 0;
}

static void runs_see(Runs *r, const Engine *e)
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

static uint64_t run_token(Engine *e, Runs *attention, Runs *feed_forward)
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

static void states_are_those_of_the_tiles(void **state)
{
    (void)state;
    Config c = config(VARIANT_ARRAY, 8, 2, 5, 4, 2, 5);
    uint32_t x = 1;
    Weights *w = random_weights(&c, &x, 100);
    Engine *e = engine_new(&c, w);
    int16_t token[8] = {1, 2, 3};
    Runs attention = {.fsm = SIG_ATTN_STATE, .start = SIG_ATTN_START, .valid = SIG_ATTN_VALID};
    Runs feed_forward = {.fsm = SIG_FFN_STATE, .start = SIG_FFN_START, .valid = SIG_FFN_VALID};
    present(e, token, 1);
    run_token(e, &attention, &feed_forward);
    /* 24 columns of q, k and v in tiles of 5, then 8 of attn_out */
    assert_string_equal(
        buf_str(&attention.text),
        "IDLE*1 PROJ_QKV*8 PROJ_DRAIN*4 PROJ_STORE*1 PROJ_QKV*8 PROJ_DRAIN*4 PROJ_STORE*1 "
        "PROJ_QKV*8 PROJ_DRAIN*4 PROJ_STORE*1 PROJ_QKV*8 PROJ_DRAIN*4 PROJ_STORE*1 "
        "PROJ_QKV*8 PROJ_DRAIN*4 PROJ_STORE*1 WRITE_CACHE*1 SCORE*7 "
        "SOFTMAX_PREP*1 SOFTMAX_RUN*22 SOFTMAX_STORE*1 SOFTMAX_PREP*1 SOFTMAX_RUN*22 "
        "SOFTMAX_STORE*1 WEIGHTED_SUM*3 OUTPUT_PROJ*8 OPROJ_DRAIN*4 OPROJ_STORE*1 "
        "OUTPUT_PROJ*8 OPROJ_DRAIN*4 OPROJ_STORE*1 DONE*1");
    assert_string_equal(buf_str(&feed_forward.text),
                        "IDLE*1 LINEAR1*8 L1_DRAIN*4 L1_STORE*1 RELU*1 LINEAR2*5 L2_DRAIN*4 "
                        "L2_STORE*1 LINEAR2*5 L2_DRAIN*4 L2_STORE*1 DONE*1");
    buf_free(&attention.text);
    buf_free(&feed_forward.text);
    engine_free(e);
    weights_free(w);
}

/* Every vector that both have, after every token; K and V too. */
static void compare(const Engine *bridge, const Engine *array)
{
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (s->kind != KIND_MEMORY)
            continue;
        for (int i = 0; i < signal_count(bridge, s); i++) {
            if (signal_get(bridge, s, i) != signal_get(array, s, i))
                fail_msg("%s[%d]", s->path, i);
        }
    }
}

typedef struct Size {
    int d_model, n_heads, d_ff, max_seq_len, rows, cols;
} Size;

static Config sized(Variant v, Size s)
{
    return config(v, s.d_model, s.n_heads, s.d_ff, s.max_seq_len, s.rows, s.cols);
}

static void same_bits(Size size, int amp, uint32_t seed)
{
    Config bridge = sized(VARIANT_BRIDGE, size), array = sized(VARIANT_ARRAY, size);
    Weights *w = random_weights(&bridge, &seed, amp);
    Engine *a = engine_new(&bridge, w), *b = engine_new(&array, w);
    int16_t token[512];
    for (int p = 0; p < size.max_seq_len && p < 3; p++) {
        for (int i = 0; i < size.d_model; i++)
            token[i] = (int16_t)between(&seed, -amp, amp);
        present(a, token, p);
        present(b, token, p);
        assert_int_equal(run_token(a, NULL, NULL), config_cycles(&bridge, VARIANT_BRIDGE, p));
        assert_int_equal(run_token(b, NULL, NULL), config_cycles(&array, VARIANT_ARRAY, p));
        assert_int_equal(get(b, SIG_ARRAY_USEFUL), config_array_useful(&array));
        assert_int_equal(get(b, SIG_ARRAY_SLOTS), config_array_slots(&array));
        compare(a, b);
    }
    engine_free(a);
    engine_free(b);
    weights_free(w);
}

static void results_are_those_of_bridge_bit_for_bit(void **state)
{
    (void)state;
    same_bits((Size){8, 8, 1, 1, 1, 1}, 3000, 1);
    same_bits((Size){8, 1, 3, 2, 1, 16}, 32767, 2);
    same_bits((Size){8, 2, 9, 3, 16, 16}, 32767, 7);
    same_bits((Size){16, 4, 32, 8, 16, 1}, 200, 3);
    same_bits((Size){32, 2, 9, 5, 3, 7}, 32767, 4);
    same_bits((Size){64, 4, 256, 128, 4, 4}, 32767, 5);
    same_bits((Size){128, 16, 40, 3, 2, 11}, 5000, 6);
}

static const Signal *wait_for(Engine *e, const char *state)
{
    const Signal *fsm = signal_in(e, SIG_ATTN_STATE);
    while (strcmp(signal_state_name(fsm, signal_get(e, fsm, 0)), state) != 0)
        engine_step(e);
    return fsm;
}

/* PE(0,c) makes product k on edge c + k of the tile; no other row ever holds a sum. */
static void row_0_sums_column_by_column(void **state)
{
    (void)state;
    Config c = config(VARIANT_ARRAY, 8, 2, 3, 4, 3, 4);
    uint32_t x = 9;
    Weights *w = random_weights(&c, &x, 900);
    Engine *e = engine_new(&c, w);
    const Signal *acc = signal_at(SIG_ARRAY_ACC), *a = signal_at(SIG_ARRAY_A);
    int16_t token[8] = {300, -200, 100, -50, 25, -12, 6, -3};
    present(e, token, 2);
    wait_for(e, "PROJ_STORE");
    engine_step(e);
    for (int k = 0; k < 12; k++) /* cleared */
        assert_int_equal(signal_get(e, acc, k), 0);
    for (int edge = 0; edge < 8 + 3; edge++) { /* the second tile: columns 4 .. 7 of q */
        assert_int_equal(get(e, SIG_ATTN_J), edge);
        assert_int_equal(get(e, SIG_ATTN_I), 4);
        engine_step(e);
        for (int col = 0; col < 4; col++) {
            int32_t sum = 0;
            for (int k = 0; k + col <= edge && k < 8; k++)
                sum +=
                    signal_get(e, signal_at(SIG_LN1_OUT), k) * w->data[WEIGHT_WQ][k * 8 + 4 + col];
            assert_int_equal(signal_get(e, acc, col), sum);
        }
        assert_int_equal(signal_before(e, acc, 0) != signal_get(e, acc, 0), edge < 8);
        assert_int_equal(signal_get(e, a, 0),
                         edge < 8 ? signal_get(e, signal_at(SIG_LN1_OUT), edge) : 0);
        for (int k = 4; k < 12; k++)
            assert_int_equal(signal_get(e, acc, k), 0);
    }
    engine_step(e); /* PROJ_STORE; WRITE_CACHE comes later: an array that rests has no change */
    wait_for(e, "SCORE");
    engine_step(e);
    for (int k = 0; k < 12; k++)
        assert_false(signal_changed(e, acc, k));
    engine_free(e);
    weights_free(w);
}

static void skew_registers_are_a_triangle(void **state)
{
    (void)state;
    Config c = config(VARIANT_ARRAY, 8, 2, 3, 2, 3, 4);
    uint32_t x = 3;
    char name[80];
    Err err;
    Weights *w = random_weights(&c, &x, 900);
    Engine *e = engine_new(&c, w);
    const Signal *west = signal_at(SIG_ARRAY_WEST), *north = signal_at(SIG_ARRAY_NORTH);
    assert_int_equal(signal_count(e, west), 9);
    assert_int_equal(signal_count(e, north), 16);
    assert_true(signal_has_element(e, north, 3 * 4 + 2));
    assert_false(signal_has_element(e, north, 3 * 4 + 3));
    assert_true(signal_set(e, west, 2 * 3 + 1, -77, &err));
    assert_int_equal(signal_get(e, west, 2 * 3 + 1), -77);
    assert_int_equal(signal_get(e, west, 2 * 3), 0);
    assert_false(signal_set(e, west, 1 * 3 + 1, 5, &err));
    assert_string_equal(err.text, "array.west[1][1]: no such register; line n has n of them");
    signal_element_rtl(e, north, 3 * 4 + 2, name, sizeof name);
    assert_string_equal(name, "u_array.gen_north[3].u_skew.gen_line.line_q[2*16+:16]");
    signal_element_rtl(e, signal_at(SIG_ARRAY_ACC), 2 * 4 + 1, name, sizeof name);
    assert_string_equal(name, "u_array.gen_row[2].gen_col[1].u_pe.acc_q");
    engine_free(e);
    weights_free(w);
}

/* Whatever a poke leaves in the registers, the machine goes on within its memories, and every index
 * and state within its range. */
static void pokes_do_no_harm(void **state)
{
    (void)state;
    Config c = config(VARIANT_ARRAY, 8, 2, 3, 2, 2, 16);
    uint32_t x = 11;
    Weights *w = random_weights(&c, &x, 32767);
    Engine *e = engine_new(&c, w);
    for (int round = 0; round < 100000; round++) {
        const Signal *s = signal_at((SignalId)(draw(&x) % SIG_WEIGHTS));
        if (signal_exists(e, s) && s->kind != KIND_MEMORY)
            (void)signal_set(e, s, (int)(draw(&x) % (uint32_t)signal_count(e, s)),
                             (int32_t)(draw(&x) % 30), NULL);
        engine_step(e);
        static const SignalId counters[] = {SIG_ATTN_I, SIG_ATTN_ARRAY_J, SIG_FFN_I,
                                            SIG_FFN_ARRAY_J, SIG_ARRAY_EDGE};
        static const int most[] = {24, 8 + 15, 8, 8 + 15, 17};
        for (size_t k = 0; k < sizeof most / sizeof *most; k++)
            assert_true(get(e, counters[k]) <= most[k]);
    }
    engine_reset(e);
    int16_t token[8] = {1};
    present(e, token, 1);
    assert_int_equal(run_token(e, NULL, NULL), config_cycles(&c, VARIANT_ARRAY, 1));
    engine_free(e);
    weights_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_the_tiles),
        cmocka_unit_test(results_are_those_of_bridge_bit_for_bit),
        cmocka_unit_test(row_0_sums_column_by_column),
        cmocka_unit_test(skew_registers_are_a_triangle),
        cmocka_unit_test(pokes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
