/* The three columns of the cycle counter: numbers of decoder.md sections 4, 5 and 8, and the closed
 * forms against a machine that is stepped. */
#include "test.h"

#include <math.h>

#include "tell/cycle_report.h"

static Config config_of(const char *options)
{
    Config c;
    Err err = {0};
    char text[160], *save = NULL;
    assert_true(config_preset(&c, "deck", &err));
    snprintf(text, sizeof text, "%s", options);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        if (!config_set(&c, word, value, &err))
            fail_msg("%s", err.text);
    }
    if (!config_check(&c, &err))
        fail_msg("%s", err.text);
    return c;
}

static void check_row(const CycleReport *r, Stage s, uint64_t formula, uint64_t deck)
{
    if (r->rows[s].formula != formula || r->rows[s].deck != deck)
        fail_msg("%s: formula %llu (not %llu), deck %llu (not %llu)", stage_name(&r->config, s),
                 (unsigned long long)r->rows[s].formula, (unsigned long long)formula,
                 (unsigned long long)r->rows[s].deck, (unsigned long long)deck);
}

static void bridge_at_position_64_against_the_deck(void **state)
{
    (void)state;
    Config c = config_of("");
    CycleReport r = cycle_report(&c, 64);
    check_row(&r, STAGE_LN1, 197, 242);
    check_row(&r, STAGE_LN2, 197, 242);
    check_row(&r, STAGE_QKV, 65, 192);
    check_row(&r, STAGE_CACHE, 1, 0);
    check_row(&r, STAGE_SCORE, 265, 4096);
    check_row(&r, STAGE_SOFTMAX, 2080, 2680);
    check_row(&r, STAGE_WEIGHTED_SUM, 5, 4096);
    check_row(&r, STAGE_OUT_PROJ, 65, 4096);
    check_row(&r, STAGE_RESIDUAL1, 1, 0);
    check_row(&r, STAGE_RESIDUAL2, 1, 0);
    check_row(&r, STAGE_FFN_LINEAR1, 257, 16384);
    check_row(&r, STAGE_ACTIVATION, 1, 16);
    check_row(&r, STAGE_FFN_LINEAR2, 65, 16384);
    check_row(&r, STAGE_CONTROL, 9, 20);
    assert_int_equal(r.total.formula, 3209);
    assert_int_equal(r.total.deck, 48448);
    assert_int_equal(r.total.measured, 0);
    cycle_measure(&r);
    assert_int_equal(r.total.measured, 3209);
    assert_int_equal(r.rows[STAGE_SOFTMAX].measured, 2080);
}

static void stream_costs_15_times_bridge(void **state)
{
    (void)state;
    Config c = config_of("");
    c.variant = VARIANT_STREAM;
    assert_int_equal(cycle_report(&c, 0).total.formula, 44864);
    CycleReport r = cycle_report(&c, 64);
    assert_int_equal(r.total.formula, 53568);
    check_row(&r, STAGE_QKV, 64 * 66, 192);
    check_row(&r, STAGE_SCORE, 4 * 65 * 18, 4096);
    check_row(&r, STAGE_WEIGHTED_SUM, 64 * 67 + 1, 4096);
    check_row(&r, STAGE_OUT_PROJ, 64 * 66, 4096);
    check_row(&r, STAGE_FFN_LINEAR1, 256 * 67, 16384);
    check_row(&r, STAGE_FFN_LINEAR2, 64 * 258, 16384);
    check_row(&r, STAGE_CONTROL, 9, 20);
}

/* 48 tiles of q, k and v, 16 of wo and 64 of w1 take 64 + 4 cycles each, 16 of w2 256 + 4; a tile
 * works on all of them but its store. */
static void a_gemv_fills_one_row_of_the_array(void **state)
{
    (void)state;
    Config c = config_of("variant=array");
    CycleReport r = cycle_report(&c, 0);
    check_row(&r, STAGE_QKV, 48 * 68, 192);
    check_row(&r, STAGE_OUT_PROJ, 16 * 68, 4096);
    check_row(&r, STAGE_FFN_LINEAR1, 64 * 68, 16384);
    check_row(&r, STAGE_FFN_LINEAR2, 16 * 260, 16384);
    check_row(&r, STAGE_SCORE, 9, 64);
    assert_int_equal(r.total.formula, 15365);
    assert_int_equal(cycle_report(&c, 64).total.formula, 15365 + 4 * 64);
    assert_int_equal(r.useful.formula, 4 * 64 * 64 + 2 * 64 * 256);
    assert_int_equal(r.slots.formula, 16 * (128 * 67 + 16 * 259));
    assert_true(fabs(cycle_utilisation(r.useful.formula, r.slots.formula) - 0.241509) < 1e-6);
    c.pe_rows = 1; /* the other rows cost nothing but themselves */
    r = cycle_report(&c, 0);
    assert_int_equal(r.total.formula, 15365);
    assert_int_equal(r.slots.formula, 4 * (128 * 67 + 16 * 259));
    c = config_of("");
    assert_int_equal(cycle_report(&c, 0).slots.formula, 0);
    assert_true(cycle_utilisation(0, 0) == 0);
}

static void what_is_measured_is_what_the_closed_form_says(void **state)
{
    static const struct {
        const char *options;
        int pos;
    } cases[] = {{"", 0},
                 {"", 127},
                 {"d_model=8 n_heads=8 d_ff=1 max_seq_len=1", 0},
                 {"d_model=32 n_heads=2 d_ff=5 max_seq_len=7", 6},
                 {"d_model=16 n_heads=4 d_ff=32 max_seq_len=8 mask_mode=exclude", 3},
                 {"d_model=8 n_heads=2 d_ff=5 max_seq_len=3 pe_rows=1 pe_cols=1", 2},
                 {"d_model=8 n_heads=2 d_ff=5 max_seq_len=3 pe_rows=2 pe_cols=16", 0},
                 {"d_model=16 n_heads=2 d_ff=9 max_seq_len=4 pe_rows=16 pe_cols=7", 1},
                 {"ffn=swiglu d_ff=170", 3},
                 {"ffn=swiglu norm=rms d_model=8 n_heads=1 d_ff=5 max_seq_len=3 pe_cols=3", 1},
                 {"norm=rms", 127},
                 {"norm=rms d_model=8 n_heads=1 d_ff=5 max_seq_len=3 exp=intended", 1}};
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            Config c = config_of(cases[k].options);
            c.variant = (Variant)v;
            CycleReport r = cycle_report(&c, cases[k].pos);
            cycle_measure(&r);
            uint64_t sum = 0;
            for (int s = 0; s < STAGE_COUNT; s++) {
                assert_int_equal(r.rows[s].measured, r.rows[s].formula);
                sum += r.rows[s].measured;
            }
            assert_int_equal(r.total.measured, r.total.formula);
            assert_int_equal(sum, r.total.measured);
            assert_int_equal(r.useful.measured, r.useful.formula);
            assert_int_equal(r.slots.measured, r.slots.formula);
        }
    }
}

/* options-a.md section 9: the token's cycles at the defaults; the deck knows no such machine. */
static void rmsnorm_saves_a_pass_and_the_deck_has_no_column(void **state)
{
    static const uint64_t totals[VARIANT_COUNT] = {2823, 44734, 15235};
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Config c = config_of("norm=rms");
        c.variant = (Variant)v;
        CycleReport r = cycle_report(&c, 0);
        check_row(&r, STAGE_LN1, 132, 0);
        check_row(&r, STAGE_LN2, 132, 0);
        assert_int_equal(r.total.formula, totals[v]);
        assert_int_equal(r.total.deck, 0);
        for (int s = 0; s < STAGE_COUNT; s++)
            assert_int_equal(r.rows[s].deck, 0);
    }
}

/* options-a.md section 9, at the default sizes but d_ff 170. */
static void swiglu_takes_a_pass_more_and_a_third_matrix(void **state)
{
    static const uint64_t totals[VARIANT_COUNT] = {3037, 33768, 15587};
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Config c = config_of("ffn=swiglu d_ff=170");
        c.variant = (Variant)v;
        CycleReport r = cycle_report(&c, 0);
        check_row(&r, STAGE_ACTIVATION, 171, 0);
        assert_string_equal(stage_name(&c, STAGE_ACTIVATION), "swiglu");
        assert_int_equal(r.total.formula, totals[v]);
        assert_int_equal(r.total.deck, 0);
    }
    Config c = config_of("ffn=swiglu d_ff=170 variant=array");
    assert_int_equal(cycle_report(&c, 0).useful.formula, 4 * 64 * 64 + 3 * 64 * 170);
    c = config_of("");
    assert_string_equal(stage_name(&c, STAGE_ACTIVATION), "relu");
}

static void time_rate_and_memory(void **state)
{
    (void)state;
    Config c = config_of("");
    assert_true(fabs(cycle_latency_ms(24000, 29.2) - 0.8219178) < 1e-6);
    assert_true(fabs(cycle_tokens_per_s(24000, 29.2) - 1216.6667) < 1e-3);
    assert_true(fabs(cycle_latency_ms(3209, 29.2) - 0.1098973) < 1e-6);
    assert_int_equal(cycle_kv_bytes(&c), 32768);
    assert_int_equal(cycle_kv_bytes_deck(&c), 4096);
}

static void every_stage_is_listed_once(void **state)
{
    int seen[STAGE_COUNT] = {0};
    (void)state;
    for (int k = 0; k < STAGE_COUNT; k++)
        assert_int_equal(seen[cycle_stages[k]]++, 0);
}

/* The values of a sweep, blanks between. */
static void assert_values(const char *text, const char *wanted)
{
    CycleSweep w;
    Err err = {0};
    char all[200] = "";
    int value = 0;
    if (!cycle_sweep_parse(&w, text, &err))
        fail_msg("%s", err.text);
    for (int i = 0; cycle_sweep_value(&w, i, &value); i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%d", i ? " " : "", value);
    assert_string_equal(all, wanted);
}

static void sweeps_add_multiply_or_list_and_say_what_is_illegal(void **state)
{
    (void)state;
    CycleSweep w;
    CycleReport r;
    Err err = {0};
    Config c = config_of("");
    int pos = 64;
    assert_values("d_model=8:512:x2", "8 16 32 64 128 256 512");
    assert_values("d_ff=1:9:x3", "1 3 9");
    assert_values("pos=0:9:4", "0 4 8");
    assert_values("pos=127,0,64,0", "127 0 64 0");
    assert_values("n_heads=4", "4");
    assert_true(cycle_sweep_parse(&w, "d_model=128,96", &err));
    assert_true(cycle_sweep_apply(&w, 128, &c, &pos, &err));
    assert_true(cycle_sweep_report(&c, pos, &r, &err));
    assert_int_equal(r.config.d_model, 128);
    assert_int_equal(r.total.formula, config_cycles(&r.config, VARIANT_BRIDGE, 64));
    assert_true(cycle_sweep_apply(&w, 96, &c, &pos, &err));
    assert_false(cycle_sweep_report(&c, pos, &r, &err));
    assert_string_equal(err.text, "d_model 96: must be a power of two, 8..512");
    assert_true(cycle_sweep_apply(&w, 64, &c, &pos, &err));
    assert_true(cycle_sweep_parse(&w, "pos=0:9:4", &err));
    assert_true(cycle_sweep_apply(&w, 8, &c, &pos, &err));
    assert_true(cycle_sweep_report(&c, pos, &r, &err));
    assert_int_equal(r.total.formula, 2953 + 4 * 8);
    assert_true(cycle_sweep_parse(&w, "max_seq_len=16:64:16", &err));
    assert_true(cycle_sweep_apply(&w, 64, &c, &pos, &err));
    assert_false(cycle_sweep_report(&c, 64, &r, &err));
    assert_string_equal(err.text, "pos 64: must be 0..63, below max_seq_len");
    char many[300] = "pos=1"; /* 65 values */
    for (int i = 0; i < 64; i++)
        strcat(many, ",1");
    assert_false(cycle_sweep_parse(&w, many, &err));
    static const char *const bad[] = {"",
                                      "d_model",
                                      "d_model=8:16",
                                      "mask=0:9:1",
                                      "d_model=16:8:1",
                                      "d_model=8:16:0",
                                      "d_ff=8:9:x1",
                                      "d_ff=0:9:x2",
                                      "pos=0:9:1x",
                                      "pos=-1:9:1",
                                      "pos=0:9999999:1",
                                      "pos=1,",
                                      "pos=,1",
                                      "pos=1,,2",
                                      "pos=",
                                      "pos=1,2:3:1",
                                      "pos=1,99999999999999999999",
                                      "pos_and_much_more=1:2:1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(cycle_sweep_parse(&w, bad[k], &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridge_at_position_64_against_the_deck),
        cmocka_unit_test(stream_costs_15_times_bridge),
        cmocka_unit_test(a_gemv_fills_one_row_of_the_array),
        cmocka_unit_test(what_is_measured_is_what_the_closed_form_says),
        cmocka_unit_test(rmsnorm_saves_a_pass_and_the_deck_has_no_column),
        cmocka_unit_test(swiglu_takes_a_pass_more_and_a_third_matrix),
        cmocka_unit_test(time_rate_and_memory),
        cmocka_unit_test(every_stage_is_listed_once),
        cmocka_unit_test(sweeps_add_multiply_or_list_and_say_what_is_illegal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
