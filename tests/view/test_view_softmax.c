/* The softmax view: the right head, fresh and stale numbers, where the probability went. */
#include "drawn.h"
#include "tui/view/softmax/softmax_view.h"

enum { BEFORE = 200, SUBTRACTING = 500, AFTER = 2900 };

static Drawn k;

static void at(const char *preset, uint64_t cycle)
{
    drawn_open(&k, &view_softmax, preset, "integration");
    k.unfocused = true;
    session_goto(k.session, cycle);
    drawn_draw(&k, 24, 80, true);
}

static void test_deck_gives_masked_positions_exp_one_each(void **state)
{
    (void)state;
    at("deck", AFTER);
    drawn_expect(
        &k, 0, "╭ softmax  head 3 of 0..3 (following)  token 0 ────────────────────────────────╮");
    for (int t = 1; t <= 11; t++) {
        char want[128];
        snprintf(want, sizeof want, "│ %4d░  8000     7fc1! 0100! 0002    0.8 %% │", t);
        drawn_contains(&k, want);
    }
    drawn_expect(
        &k, 3, "│    0   003f     0000  0100  0002    0.8 % │ 1.0┤                        ◆••• │");
    drawn_expect_roles(&k, 4, 2, "mmmmm");  /* position and mark ░ */
    drawn_expect_roles(&k, 4, 9, "mmmm");   /* score */
    drawn_expect_roles(&k, 4, 18, "!!!!!"); /* shifted */
    drawn_expect_roles(&k, 4, 24, "!!!!!"); /* exp */
    drawn_expect_roles(&k, 4, 30, "mmmm");  /* prob */
    drawn_contains(&k, "│ max 003f  sum 00008000  recip 0002");
    drawn_contains(&k, "│ valid   0.8 %    masked  99.2 %    lost to rounding   0.0 %");
    drawn_contains(&k,
                   "! -128.0 - 0.24609375 wraps to 127.75390625: masked exp is 1.0 (lesson 06)");
    drawn_close(&k);
}

static void test_an_edit_takes_the_place_of_the_remark(void **state)
{
    (void)state;
    at("deck", AFTER);
    drawn_do(&k, "set softmax.exp[5] 0x0003");
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_SMAX_EXP), 5}));
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "! softmax.exp[5] was edited in cycle 2900, was 0100");
    drawn_lacks(&k, "lesson 06");
    drawn_close(&k);
}

static void test_minus8_gives_the_only_valid_position_a_third(void **state)
{
    (void)state;
    at("minus8", AFTER);
    drawn_contains(&k, "│    0   003f     0000  0100  0055   33.2 % │");
    drawn_contains(&k, "│    1░  f800     f7c1  0004  0001    0.4 % │");
    drawn_contains(&k, "│ valid  33.2 %    masked  49.6 %    lost to rounding  17.2 %");
    drawn_contains(&k, "! exp never gets below 4/256: masked positions hold 49.6 % (lesson 06)");
    drawn_close(&k);
}

/* With mask -0.75 the shifted mask lies where approx_exp gives 1/256 (decoder.md section 1). */
static void test_an_exp_below_the_floor_is_told_as_it_is(void **state)
{
    (void)state;
    drawn_open(&k, &view_softmax, "minus8", "integration");
    drawn_do(&k, "config mask=-0.75");
    session_goto(k.session, AFTER);
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k,
                   "! masked positions hold exp 1/256, below the floor of 4/256, and yet not 0");
    drawn_lacks(&k, "never gets below");
    drawn_close(&k);
}

static void test_repaired_leaves_masked_positions_nothing(void **state)
{
    (void)state;
    at("repaired", AFTER);
    drawn_contains(&k, "│    0   003f     0000  0100  0100  100.0 % │");
    drawn_contains(&k, "│    1░  8000     7fc1! 0000  0000    0.0 % │");
    drawn_contains(&k, "│ valid 100.0 %    masked   0.0 %    lost to rounding   0.0 %");
    drawn_contains(&k, "mask_mode exclude: every masked position gets exp 0.");
    drawn_lacks(&k, "lesson 06");
    drawn_close(&k);
}

static void test_the_present_phase_and_entry_are_marked(void **state)
{
    (void)state;
    at("deck", SUBTRACTING);
    assert_int_equal(signal_get(session_engine(k.session), signal_at(SIG_SMAX_I), 0), 94);
    drawn_contains(&k,
                   "FIND_MAX ►SUBTRACT_EXP  SUM  RECIP  NORMALIZE                     94 of 128");
    drawn_contains(&k,
                   "│   93░  8000     7fc1! 0100! 0000          │"); /* just made; no prob yet */
    drawn_contains(&k, "│►  94░  8000     0000  0000  0000          │"); /* zero since reset */
    drawn_contains(&k, "where the exp went so far");
    drawn_contains(&k, "valid   1.1 %    masked  98.9 %"); /* 1 of 94 */
    drawn_expect_roles(&k, 13, 1, "AAAAA");
    drawn_expect_roles(&k, 13, 18, "dddd.");
    drawn_expect_roles(&k, 12, 18, "CCCC!"); /* the last edge stored shifted[93] and exp[93] */
    drawn_expect_roles(&k, 12, 24, "CCCC!");
    drawn_close(&k);
}

static void test_a_head_whose_turn_is_over_is_shown_as_it_stood(void **state)
{
    (void)state;
    const Signal *scores = signal_at(SIG_SCORES), *probs = signal_at(SIG_PROBS);
    drawn_open(&k, &view_softmax, "minus8", "random:7:128:512");
    k.unfocused = true;
    session_goto(k.session, 30000); /* token 10 */
    drawn_do(&k, "run until attn.h == 3 and smax.state == SUBTRACT_EXP");
    drawn_press(&k, "]");
    drawn_press(&k, "]"); /* head 1, while head 3 is at work */
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "Head 1 as it stood at cycle");
    const Engine *e = session_engine(k.session);
    for (int t = 0; t <= 10; t++) {
        char row[512], score[8], prob[8], want[32];
        drawn_row(&k.text, 3 + t, row, sizeof row);
        signal_hex(e, scores, signal_get(e, scores, 128 + t), score, sizeof score);
        signal_hex(e, probs, signal_get(e, probs, 128 + t), prob, sizeof prob);
        snprintf(want, sizeof want, "%4d   %s", t, score);
        assert_non_null(strstr(row, want));
        snprintf(want, sizeof want, "  %s  %5.1f %%", prob, signal_get(e, probs, 128 + t) / 2.56);
        assert_non_null(strstr(row, want));
    }
    drawn_press(&k, "[");
    drawn_press(&k, "["); /* following again */
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "head 3 of 0..3 (following)");
    drawn_close(&k);
}

static void test_a_head_that_waits_shows_no_foreign_numbers(void **state)
{
    (void)state;
    at("deck", SUBTRACTING);
    OWN(k, SoftmaxState)->head = 3;
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "│    0   003f        -     -     -          │");
    drawn_contains(&k, "max -  sum -  recip -");
    drawn_contains(&k, "Head 2 waits");
    drawn_close(&k);
}

static void test_before_attention_it_says_what_to_do_and_f_does_it(void **state)
{
    (void)state;
    at("deck", BEFORE);
    drawn_contains(&k, "Not yet in this token: the scores come first. Key f runs to the softmax.");
    drawn_contains(&k, "valid     - %");
    drawn_press(&k, "f");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "►FIND_MAX");
    drawn_press(&k, "f");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "►SUBTRACT_EXP");
    drawn_close(&k);
}

static void test_a_smaller_score_with_a_larger_exp_is_pointed_out(void **state)
{
    (void)state;
    const Signal *scores = signal_at(SIG_SCORES), *exps = signal_at(SIG_SMAX_EXP);
    bool seen = false;
    drawn_open(&k, &view_softmax, "repaired", "random:7");
    k.unfocused = true;
    k.state->pinned = true;
    for (int token = 1; token < 40 && !seen; token++) {
        drawn_do(&k, "run until top.state == DONE");
        for (k.state->row = 0; k.state->row <= token && !seen; k.state->row++) {
            drawn_draw(&k, 24, 80, true);
            seen = strstr(buf_str(&k.text), "! position") != NULL;
        }
    }
    assert_true(seen);
    int u = 0, t = 0, base = 3 * 128;
    assert_int_equal(sscanf(strstr(buf_str(&k.text), "! position"),
                            "! position %d has a smaller score than %d, yet a larger exp", &u, &t),
                     2);
    const Engine *e = session_engine(k.session);
    assert_true(signal_get(e, scores, base + u) < signal_get(e, scores, base + t));
    assert_true(signal_get(e, exps, u) > signal_get(e, exps, t));
    drawn_close(&k);
}

static void test_the_cursor_names_the_signal_behind_a_cell(void **state)
{
    (void)state;
    at("deck", AFTER);
    OWN(k, SoftmaxState)->head = 2; /* head 1 */
    drawn_press(&k, "Down");
    Target t = k.view->target(k.session, k.state);
    assert_ptr_equal(t.signal, signal_at(SIG_SMAX_X)); /* masked: the mask, not a score */
    assert_int_equal(t.at, 1);
    drawn_press(&k, "Up");
    t = k.view->target(k.session, k.state);
    assert_ptr_equal(t.signal, signal_at(SIG_SCORES));
    assert_int_equal(t.at, 128);
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_PROBS), 2 * 128 + 5}));
    assert_int_equal(OWN(k, SoftmaxState)->head, 3);
    assert_int_equal(k.state->row, 5);
    assert_int_equal(k.view->target(k.session, k.state).at, 2 * 128 + 5);
    assert_false(k.view->find(k.session, k.state, (Target){signal_at(SIG_HIDDEN), 0}));
    drawn_close(&k);
}

static void test_ascii_and_values(void **state)
{
    (void)state;
    at("minus8", AFTER);
    k.state->format = SHOW_VALUE;
    drawn_draw(&k, 24, 120, false);
    for (size_t i = 0; i < k.text.len; i++)
        assert_in_range((unsigned char)k.text.data[i], '\n', '~');
    drawn_contains(&k, "|    0     0.2461     0.0000     1.0000     0.3320   33.2 % |");
    drawn_contains(&k, "|    1:   -8.0000    -8.2461     0.0156     0.0039    0.4 % |");
    drawn_close(&k);
}

static void test_every_size(void **state)
{
    (void)state;
    static const uint64_t cycles[] = {0, 270, SUBTRACTING, 800, AFTER, 2954};
    drawn_open(&k, &view_softmax, "deck", "integration");
    k.unfocused = true;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        session_goto(k.session, cycles[i]);
        drawn_every_size(&k, 30, 100);
    }
    session_goto(k.session, AFTER);
    drawn_as_at_first(&k);
    drawn_draw(&k, 1, 1, true);
    assert_string_equal(buf_str(&k.text), "s\n");
    drawn_draw(&k, 5, 20, true);
    drawn_expect(&k, 2, "│    0   003f     0│");
    drawn_draw(&k, 16, 60, true);
    drawn_expect(&k, 3, "│    0   003f     0000  0100  0002    0.8 %                │");
    drawn_contains(&k, "│ valid   0.8 %    masked  99.2 %");
    drawn_draw(&k, 60, 200, true);
    drawn_contains(&k, "  49░  8000     7fc1! 0100! 0002    0.8 % │");
    drawn_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deck_gives_masked_positions_exp_one_each),
        cmocka_unit_test(test_an_edit_takes_the_place_of_the_remark),
        cmocka_unit_test(test_minus8_gives_the_only_valid_position_a_third),
        cmocka_unit_test(test_an_exp_below_the_floor_is_told_as_it_is),
        cmocka_unit_test(test_repaired_leaves_masked_positions_nothing),
        cmocka_unit_test(test_the_present_phase_and_entry_are_marked),
        cmocka_unit_test(test_a_head_whose_turn_is_over_is_shown_as_it_stood),
        cmocka_unit_test(test_a_head_that_waits_shows_no_foreign_numbers),
        cmocka_unit_test(test_before_attention_it_says_what_to_do_and_f_does_it),
        cmocka_unit_test(test_a_smaller_score_with_a_larger_exp_is_pointed_out),
        cmocka_unit_test(test_the_cursor_names_the_signal_behind_a_cell),
        cmocka_unit_test(test_ascii_and_values),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
