/* The timeline: states and signals over time, the cursor, zoom, marks. */
#include "view_test.h"

static Shot k;

static void open_at(uint64_t cycle)
{
    shot_open(&k, &view_timeline, "deck", "integration");
    session_goto(k.s, cycle);
    shot_draw(&k, 24, 80, true);
}

static void test_a_whole_token_at_first(void **state)
{
    (void)state;
    open_at(500);
    shot_row(&k, 0,
             "╭ timeline  a column is 61 cycles ─────────────────────────────────────────────╮");
    shot_row(&k, 1,
             "│ cycle         500           0               1000            2000             │");
    shot_row(&k, 2,
             "│ present                             ▼ 500                                    │");
    shot_row(&k, 4,
             "│ top           ATTN_WAIT     │LN►ATTN_WAIT───────────────────────────│LN│FFN_││");
    shot_row(&k, 6,
             "│ attn          SOFTMAX_RUN      │►SOFTMAX_RUN───────────────────────││        │");
    shot_row(&k, 7,
             "│ smax          SUBTRACT_EXP       │F►S│S│N│F│S│S│NO│F│S│S│N│F│S│S│NO│         │");
    shot_row(&k, 10,
             "│ marks                             !!!      !!!     !!!      !!!              │");
    shot_row(&k, 15,
             "│ softmax.i     94            0───×××××××××××××××××××××××××××××××××××0─────────│");
    shot_row(&k, 16,
             "│ softmax.max   003f          0000│003f────────────────────────────────────────│");
    shot_has(&k, "cursor at cycle 500, the present");
    shot_has(&k, "! 94 events here; first softmax.shifted[81] wrapped");
    shot_close(&k);
}

static void test_past_present_and_future_are_told_apart(void **state)
{
    (void)state;
    open_at(500); /* column 8 of the waves, which begin at 30 */
    shot_roles(&k, 4, 30, "...AAAAAXAA");
    shot_roles(&k, 16, 30, "........Xddd"); /* softmax.max: text, then dim beyond the present */
    shot_roles(&k, 2, 38, "A.AAA");
    shot_close(&k);
}

static void test_the_picture_stands_still_while_stepping(void **state)
{
    (void)state;
    char before[12][512], after[512];
    open_at(1000);
    for (int row = 0; row < 12; row++)
        copy_row(buf_str(&k.text), row, before[row], sizeof before[row]);
    session_step(k.s, 1);
    shot_draw(&k, 24, 80, true);
    for (int row = 3; row < 12; row++) { /* the token's strips: the same text */
        copy_row(buf_str(&k.text), row, after, sizeof after);
        if (row != 7)
            assert_string_equal(after, before[row]);
    }
    shot_close(&k);
}

static void test_the_cursor_moves_alone_and_Enter_goes_there(void **state)
{
    (void)state;
    open_at(500);
    shot_key(&k, "Right");
    shot_key(&k, "Right");
    shot_draw(&k, 24, 80, true);
    assert_int_equal(engine_cycle(session_engine(k.s)), 500);
    shot_has(&k, "cursor at cycle 622, 122 ahead of the present");
    shot_has(&k, "│ smax          SUM           "); /* the future is known */
    session_step(k.s, 5);
    shot_draw(&k, 24, 80, true);
    shot_has(&k, "cursor at cycle 622, 117 ahead of the present");
    shot_key(&k, "Enter");
    assert_int_equal(engine_cycle(session_engine(k.s)), 622);
    assert_string_equal(
        "SUM", signal_state_name(signal_at(SIG_SMAX_STATE),
                                 signal_get(session_engine(k.s), signal_at(SIG_SMAX_STATE), 0)));
    shot_key(&k, "PgUp");
    assert_int_equal(k.v.cycle, 622 - 10 * 61);
    shot_key(&k, "PgUp"); /* not before reset */
    assert_int_equal(k.v.cycle, 0);
    shot_key(&k, "c");
    session_step(k.s, 1);
    shot_draw(&k, 24, 80, true);
    shot_has(&k, "cursor at cycle 623, the present");
    shot_close(&k);
}

static void test_values_at_the_cursor_are_those_of_the_machine_there(void **state)
{
    (void)state;
    open_at(0);
    for (uint64_t cycle = 100; cycle < 3000; cycle += 313) {
        k.v.pinned = true;
        k.v.cycle = cycle;
        shot_draw(&k, 24, 80, true);
        session_goto(k.s, cycle);
        const Engine *e = session_engine(k.s);
        char want[96];
        const Signal *smax = signal_at(SIG_SMAX_STATE);
        snprintf(want, sizeof want, "│ smax          %-14s",
                 signal_state_name(smax, signal_get(e, smax, 0)));
        shot_has(&k, want);
        snprintf(want, sizeof want, "│ softmax.i     %-14d",
                 signal_get(e, signal_at(SIG_SMAX_I), 0));
        shot_has(&k, want);
        snprintf(want, sizeof want, "│ softmax.sum   %08x      ",
                 (unsigned)signal_get(e, signal_at(SIG_SMAX_SUM), 0));
        shot_has(&k, want);
        session_goto(k.s, 0);
    }
    shot_close(&k);
}

static void test_zoom_from_six_columns_a_cycle_to_all_tokens(void **state)
{
    (void)state;
    open_at(500);
    for (int i = 0; i < 20; i++)
        shot_key(&k, "[");
    shot_draw(&k, 24, 80, true);
    shot_row(&k, 0,
             "╭ timeline  a cycle is 6 columns ──────────────────────────────────────────────╮");
    shot_row(&k, 15,
             "│ softmax.i     94            92────│93───94────95────96────97────98────99──── │");
    shot_key(&k, "]");
    shot_draw(&k, 24, 80, true);
    shot_has(&k, "a column is 1 cycle ─");
    shot_key(&k, "]");
    shot_draw(&k, 24, 80, true);
    shot_has(&k, "a column is 2 cycles ─");
    shot_key(&k, "f");
    shot_draw(&k, 24, 80, true);
    shot_has(&k, "a column is 61 cycles ─");
    for (int i = 0; i < 20; i++) {
        shot_key(&k, "]");
        shot_draw(&k, 24, 80, true);
    }
    /* 128 tokens of 2954 + 4p cycles = 410 624; 61 * 128 a column is one doubling less than enough
     */
    shot_has(&k, "a column is 15616 cycles");
    shot_close(&k);
}

static void test_marks_of_breakpoints_and_watched_signals(void **state)
{
    (void)state;
    open_at(500);
    shot_command(&k, "break smax.state == RECIP");
    shot_command(&k, "watch out_emb");
    shot_command(&k, "watch q[1]");
    shot_draw(&k, 24, 80, true);
    shot_row(&k, 10,
             "│ marks                             !!! ●    !!! ●   !!! ●    !!! ●            │");
    shot_row(&k, 12,
             "│ out_emb       -                                                             ▲│");
    shot_has(&k, "│ q[1]          ffc0          ───│ffc0─");
    k.v.row = 7; /* the first watch */
    assert_ptr_equal(k.view->target(k.s, &k.v).signal, signal_at(SIG_OUT_EMB));
    assert_int_equal(k.view->target(k.s, &k.v).at, -1);
    assert_true(k.view->find(k.s, &k.v, (Target){signal_at(SIG_FFN_STATE), 0}));
    assert_int_equal(k.v.row, 5);
    shot_close(&k);
}

static void test_e_finds_changes_of_the_row_both_ways(void **state)
{
    (void)state;
    open_at(500);
    k.v.row = 3; /* smax: in SUBTRACT_EXP from 405 to 533 */
    shot_key(&k, "E");
    uint64_t began = k.v.cycle;
    shot_key(&k, "e");
    assert_int_equal(k.v.cycle - began, 129);
    session_goto(k.s, began);
    assert_true(signal_changed(session_engine(k.s), signal_at(SIG_SMAX_STATE), 0));
    k.v.pinned = false;
    session_goto(k.s, 0);
    k.v.row = 6; /* marks: the first masked exp that leaks */
    shot_key(&k, "e");
    session_goto(k.s, k.v.cycle);
    int n = 0;
    const Event *events = engine_events(session_engine(k.s), &n);
    assert_int_equal(n, 2);
    assert_int_equal(events[0].index, 1);
    shot_close(&k);
}

static void test_numbers_as_heights(void **state)
{
    (void)state;
    open_at(500);
    shot_key(&k, "a");
    shot_draw(&k, 24, 80, true);
    char row[512];
    copy_row(buf_str(&k.text), 14, row, sizeof row); /* attn.h: 0, 1, 2, 3 of at most 4 */
    assert_non_null(strstr(row, "▂▂▂▂▂▂▂▂▄▄▄▄▄▄▄▄▄▆▆▆▆▆▆▆▆█"));
    shot_close(&k);
}

static void test_every_size(void **state)
{
    (void)state;
    static const int zooms[] = {0, -9, 3};
    shot_open(&k, &view_timeline, "deck", "integration");
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        session_goto(k.s, 100 + 1500 * i);
        k.v.choice = zooms[i];
        k.v.option = i == 2;
        for (int h = 1; h <= 30; h += 1 + (h > 4) * 6) {
            for (int w = 1; w <= 100; w += 1 + (w > 4) * 6) {
                canvas_resize(&k.c, h + 2, w + 2, i != 1);
                canvas_fill(&k.c, (Rect){0, 0, h + 2, w + 2}, ROLE_KEY, '?');
                k.view->draw(k.s, &k.v, (Rect){1, 1, h, w}, true, &k.c);
                for (int x = 0; x < w + 2; x++)
                    assert_int_equal(k.c.cells[(h + 1) * (w + 2) + x].ch, '?');
                for (int y = 0; y < h + 2; y++)
                    assert_int_equal(k.c.cells[y * (w + 2) + w + 1].ch, '?');
            }
        }
    }
    k.v = (ViewState){0};
    session_goto(k.s, 500);
    shot_draw(&k, 1, 1, true);
    assert_string_equal(buf_str(&k.text), "t\n");
    shot_draw(&k, 16, 60, true);
    shot_row(&k, 4, "│ top           ATTN_WAIT     │L►ATTN_WAIT────────────│L│FF│");
    shot_draw(&k, 60, 200, true);
    shot_has(&k, "│FIND_MA►SUBTRA│SUM───│NORMAL│FIND_M│");
    shot_draw(&k, 24, 80, false);
    for (size_t i = 0; i < k.text.len; i++)
        assert_in_range((unsigned char)k.text.data[i], '\n', '~');
    shot_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_token_at_first),
        cmocka_unit_test(test_past_present_and_future_are_told_apart),
        cmocka_unit_test(test_the_picture_stands_still_while_stepping),
        cmocka_unit_test(test_the_cursor_moves_alone_and_Enter_goes_there),
        cmocka_unit_test(test_values_at_the_cursor_are_those_of_the_machine_there),
        cmocka_unit_test(test_zoom_from_six_columns_a_cycle_to_all_tokens),
        cmocka_unit_test(test_marks_of_breakpoints_and_watched_signals),
        cmocka_unit_test(test_e_finds_changes_of_the_row_both_ways),
        cmocka_unit_test(test_numbers_as_heights),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
