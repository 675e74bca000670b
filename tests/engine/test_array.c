/* Variant array: its tiles, its array edge by edge, and bridge's bits for any weights. */
#include "variant.h"

static void states_are_those_of_the_tiles(void **state)
{
    (void)state;
    Config c = sized(VARIANT_ARRAY, (Size){8, 2, 5, 4, 2, 5});
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

static void usage_is_the_closed_form(const Engine *e)
{
    assert_int_equal(get(e, SIG_ARRAY_USEFUL), config_array_useful(engine_config(e)));
    assert_int_equal(get(e, SIG_ARRAY_SLOTS), config_array_slots(engine_config(e)));
}

static void results_are_those_of_bridge_bit_for_bit(void **state)
{
    (void)state;
    same_bits(VARIANT_ARRAY, (Size){8, 8, 1, 1, 1, 1}, 3000, 1, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){8, 1, 3, 2, 1, 16}, 32767, 2, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){8, 2, 9, 3, 16, 16}, 32767, 7, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){16, 4, 32, 8, 16, 1}, 200, 3, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){32, 2, 9, 5, 3, 7}, 32767, 4, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){64, 4, 256, 128, 4, 4}, 32767, 5, usage_is_the_closed_form);
    same_bits(VARIANT_ARRAY, (Size){128, 16, 40, 3, 2, 11}, 5000, 6, usage_is_the_closed_form);
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
    Config c = sized(VARIANT_ARRAY, (Size){8, 2, 3, 4, 3, 4});
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
    Config c = sized(VARIANT_ARRAY, (Size){8, 2, 3, 2, 3, 4});
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

static void counters_are_in_range(const Engine *e)
{
    static const SignalId counters[] = {SIG_ATTN_I, SIG_ATTN_ARRAY_J, SIG_FFN_I, SIG_FFN_ARRAY_J,
                                        SIG_ARRAY_EDGE};
    static const int most[] = {24, 8 + 15, 8, 8 + 15, 17};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++)
        assert_true(get(e, counters[k]) <= most[k]);
}

static void pokes_do_no_harm(void **state)
{
    (void)state;
    poke_and_step(VARIANT_ARRAY, (Size){8, 2, 3, 2, 2, 16}, counters_are_in_range);
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
