/* The timeline: states and signals over time, the cursor, zoom, marks. */
#include "drawn.h"
#include "tui/view/timeline/timeline_view.h"

static Drawn k;

static void open_at(uint64_t cycle)
{
    drawn_open(&k, &view_timeline, "deck", "integration");
    k.unfocused = true;
    session_goto(k.session, cycle);
    drawn_draw(&k, 24, 80, true);
}

static void test_a_whole_token_at_first(void **state)
{
    (void)state;
    open_at(500);
    drawn_expect(
        &k, 0, "╭ timeline  a column is 61 cycles ─────────────────────────────────────────────╮");
    drawn_expect(
        &k, 1, "│ cycle         500           0               1000            2000             │");
    drawn_expect(
        &k, 2, "│ present                             ▼ 500                                    │");
    drawn_expect(
        &k, 4, "│ top           ATTN_WAIT     │LN►ATTN_WAIT───────────────────────────│LN│FFN_││");
    drawn_expect(
        &k, 6, "│ attn          SOFTMAX_RUN      │►SOFTMAX_RUN───────────────────────││        │");
    drawn_expect(
        &k, 7, "│ smax          SUBTRACT_EXP       │F►S│S│N│F│S│S│NO│F│S│S│N│F│S│S│NO│         │");
    drawn_expect(
        &k, 10, "│ marks                             !!!      !!!     !!!      !!!              │");
    drawn_expect(
        &k, 15, "│ softmax.i     94            0───×××××××××××××××××××××××××××××××××××0─────────│");
    drawn_expect(
        &k, 16, "│ softmax.max   003f          0000│003f────────────────────────────────────────│");
    drawn_contains(&k, "cursor at cycle 500, the present");
    drawn_contains(&k, "! 94 events here; first softmax.shifted[81] wrapped");
    drawn_close(&k);
}

static void test_past_present_and_future_are_told_apart(void **state)
{
    (void)state;
    open_at(500); /* column 8 of the waves, which begin at 30 */
    drawn_expect_roles(&k, 4, 30, "...AAAAAXAA");
    drawn_expect_roles(&k, 16, 30,
                       "........Xddd"); /* softmax.max: text, then dim beyond the present */
    drawn_expect_roles(&k, 2, 38, "A.AAA");
    drawn_close(&k);
}

static void test_the_picture_stands_still_while_stepping(void **state)
{
    (void)state;
    char before[12][512], after[512];
    open_at(1000);
    for (int row = 0; row < 12; row++)
        drawn_row(&k.text, row, before[row], sizeof before[row]);
    session_step(k.session, 1);
    drawn_draw(&k, 24, 80, true);
    for (int row = 3; row < 12; row++) { /* the token's strips: the same text */
        drawn_row(&k.text, row, after, sizeof after);
        if (row != 7)
            assert_string_equal(after, before[row]);
    }
    drawn_close(&k);
}

static void test_the_cursor_moves_alone_and_Enter_goes_there(void **state)
{
    (void)state;
    open_at(500);
    drawn_press(&k, "Right");
    drawn_press(&k, "Right");
    drawn_draw(&k, 24, 80, true);
    assert_int_equal(engine_cycle(session_engine(k.session)), 500);
    drawn_contains(&k, "cursor at cycle 622, 122 ahead of the present");
    drawn_contains(&k, "│ smax          SUM           "); /* the future is known */
    session_step(k.session, 5);
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "cursor at cycle 622, 117 ahead of the present");
    drawn_press(&k, "Enter");
    assert_int_equal(engine_cycle(session_engine(k.session)), 622);
    assert_string_equal("SUM", signal_state_name(signal_at(SIG_SMAX_STATE),
                                                 signal_get(session_engine(k.session),
                                                            signal_at(SIG_SMAX_STATE), 0)));
    drawn_press(&k, "PgUp");
    assert_int_equal(k.state->cycle, 622 - 10 * 61);
    drawn_press(&k, "PgUp"); /* not before reset */
    assert_int_equal(k.state->cycle, 0);
    drawn_press(&k, "c");
    session_step(k.session, 1);
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "cursor at cycle 623, the present");
    drawn_close(&k);
}

static void test_values_at_the_cursor_are_those_of_the_machine_there(void **state)
{
    (void)state;
    open_at(0);
    for (uint64_t cycle = 100; cycle < 3000; cycle += 313) {
        k.state->pinned = true;
        k.state->cycle = cycle;
        drawn_draw(&k, 24, 80, true);
        session_goto(k.session, cycle);
        const Engine *e = session_engine(k.session);
        char want[96];
        const Signal *smax = signal_at(SIG_SMAX_STATE);
        snprintf(want, sizeof want, "│ smax          %-14s",
                 signal_state_name(smax, signal_get(e, smax, 0)));
        drawn_contains(&k, want);
        snprintf(want, sizeof want, "│ softmax.i     %-14d",
                 signal_get(e, signal_at(SIG_SMAX_I), 0));
        drawn_contains(&k, want);
        snprintf(want, sizeof want, "│ softmax.sum   %08x      ",
                 (unsigned)signal_get(e, signal_at(SIG_SMAX_SUM), 0));
        drawn_contains(&k, want);
        session_goto(k.session, 0);
    }
    drawn_close(&k);
}

static void test_zoom_from_six_columns_a_cycle_to_all_tokens(void **state)
{
    (void)state;
    open_at(500);
    for (int i = 0; i < 20; i++)
        drawn_press(&k, "<");
    drawn_draw(&k, 24, 80, true);
    drawn_expect(
        &k, 0, "╭ timeline  a cycle is 6 columns ──────────────────────────────────────────────╮");
    drawn_expect(
        &k, 15, "│ softmax.i     94            92────│93───94────95────96────97────98────99──── │");
    drawn_press(&k, ">");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "a column is 1 cycle ─");
    drawn_press(&k, ">");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "a column is 2 cycles ─");
    drawn_press(&k, "F");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "a column is 61 cycles ─");
    for (int i = 0; i < 20; i++) {
        drawn_press(&k, ">");
        drawn_draw(&k, 24, 80, true);
    }
    /* 128 tokens of 2954 + 4p cycles = 410 624; 61 * 128 a column is one doubling less than enough
     */
    drawn_contains(&k, "a column is 15616 cycles");
    drawn_close(&k);
}

static void test_marks_of_breakpoints_and_watched_signals(void **state)
{
    (void)state;
    open_at(500);
    drawn_do(&k, "break smax.state == RECIP");
    drawn_do(&k, "watch out_emb");
    drawn_do(&k, "watch q[1]");
    drawn_draw(&k, 24, 80, true);
    drawn_expect(
        &k, 10, "│ marks                             !!! ●    !!! ●   !!! ●    !!! ●            │");
    drawn_expect(
        &k, 12, "│ out_emb       -                                                             ▲│");
    drawn_contains(&k, "│ q[1]          ffc0          ───│ffc0─");
    k.state->row = 7; /* the first watch */
    assert_ptr_equal(k.view->target(k.session, k.state).signal, signal_at(SIG_OUT_EMB));
    assert_int_equal(k.view->target(k.session, k.state).at, -1);
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_FFN_STATE), 0}));
    assert_int_equal(k.state->row, 5);
    drawn_close(&k);
}

static void test_brackets_find_changes_of_the_row_both_ways(void **state)
{
    (void)state;
    open_at(500);
    k.state->row = 3; /* smax: in SUBTRACT_EXP from 405 to 533 */
    drawn_press(&k, "[");
    uint64_t began = k.state->cycle;
    drawn_press(&k, "]");
    assert_int_equal(k.state->cycle - began, 129);
    session_goto(k.session, began);
    assert_true(signal_changed(session_engine(k.session), signal_at(SIG_SMAX_STATE), 0));
    k.state->pinned = false;
    session_goto(k.session, 0);
    k.state->row = 6; /* marks: the first masked exp that leaks */
    drawn_press(&k, "]");
    session_goto(k.session, k.state->cycle);
    int n = 0;
    const Event *events = engine_events(session_engine(k.session), &n);
    assert_int_equal(n, 2);
    assert_int_equal(events[0].index, 1);
    drawn_close(&k);
}

static void test_numbers_as_heights(void **state)
{
    (void)state;
    open_at(500);
    drawn_press(&k, "H");
    drawn_draw(&k, 24, 80, true);
    char row[512];
    drawn_row(&k.text, 14, row, sizeof row); /* attn.h: 0, 1, 2, 3 of at most 4 */
    assert_non_null(strstr(row, "▂▂▂▂▂▂▂▂▄▄▄▄▄▄▄▄▄▆▆▆▆▆▆▆▆█"));
    drawn_close(&k);
}

static void test_every_size(void **state)
{
    (void)state;
    static const int zooms[] = {0, -9, 3};
    drawn_open(&k, &view_timeline, "deck", "integration");
    k.unfocused = true;
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        session_goto(k.session, 100 + 1500 * i);
        OWN(k, TimelineState)->zoom = zooms[i];
        OWN(k, TimelineState)->analogue = i == 2;
        for (int h = 1; h <= 30; h += 1 + (h > 4) * 6) {
            for (int w = 1; w <= 100; w += 1 + (w > 4) * 6) {
                canvas_resize(&k.canvas, h + 2, w + 2, i != 1);
                canvas_fill(&k.canvas, (Rect){0, 0, h + 2, w + 2}, ROLE_KEY, '?');
                k.view->work(k.session, k.state, (Rect){1, 1, h, w}, INFINITY);
                k.view->place(k.session, k.state, (Rect){1, 1, h, w});
                k.view->draw(k.session, k.state, (Rect){1, 1, h, w}, true, &k.canvas);
                for (int x = 0; x < w + 2; x++)
                    assert_int_equal(k.canvas.cells[(h + 1) * (w + 2) + x].ch, '?');
                for (int y = 0; y < h + 2; y++)
                    assert_int_equal(k.canvas.cells[y * (w + 2) + w + 1].ch, '?');
            }
        }
    }
    TimelineState *own = view_own(k.state);
    *own = (TimelineState){.film = own->film};
    session_goto(k.session, 500);
    drawn_draw(&k, 1, 1, true);
    assert_string_equal(buf_str(&k.text), "t\n");
    drawn_draw(&k, 16, 60, true);
    drawn_expect(&k, 4, "│ top           ATTN_WAIT     │L►ATTN_WAIT────────────│L│FF│");
    drawn_draw(&k, 60, 200, true);
    drawn_contains(&k, "│FIND_MA►SUBTRA│SUM───│NORMAL│FIND_M│");
    drawn_draw(&k, 24, 80, false);
    for (size_t i = 0; i < k.text.len; i++)
        assert_in_range((unsigned char)k.text.data[i], '\n', '~');
    drawn_close(&k);
}

static void test_a_label_of_the_axis_is_whole_or_left_out(void **state)
{
    (void)state;
    char row[512];
    drawn_open(&k, &view_timeline, "deck", "integration");
    drawn_do(&k, "config variant=stream");
    for (int zoom = 0; zoom <= 14; zoom++) {
        for (int width = 70; width < 100; width++) {
            OWN(k, TimelineState)->zoom = zoom;
            canvas_resize(&k.canvas, 20, width, true); /* draws nothing but what stands around */
            film_free(OWN(k, TimelineState)->film);
            OWN(k, TimelineState)->film = NULL;
            k.view->place(k.session, k.state, (Rect){0, 0, 20, width});
            k.view->draw(k.session, k.state, (Rect){0, 0, 20, width}, true, &k.canvas);
            buf_clear(&k.text);
            canvas_dump(&k.canvas, &k.text);
            drawn_row(&k.text, 1, row, sizeof row);
            unsigned long long last = 0, step = 0, labels = 0;
            const char *p = strstr(row, "cycle") + 5;
            p += strspn(p, " ") + 1; /* the cursor's cycle: 0 */
            for (char *end; (p += strspn(p, " ")), *p >= '0' && *p <= '9'; p = end) {
                unsigned long long at = strtoull(p, &end, 10);
                step = labels == 1 ? at : step;
                assert_int_equal(at, labels * step);
                last = at;
                labels++;
            }
            assert_true(labels >= 2 && last > 0);
        }
    }
    drawn_close(&k);
}

static void test_nothing_is_further_out_than_the_whole_run(void **state)
{
    Press p;
    (void)state;
    open_at(500);
    for (int i = 0; i < 8; i++) {
        assert_true(view_press(k.view, k.session, k.state, ">", &p));
        assert_int_equal(p.what, PRESS_DONE);
        drawn_draw(&k, 24, 80, true);
    }
    drawn_contains(&k, "a column is 15616 cycles");
    assert_true(view_press(k.view, k.session, k.state, ">", &p));
    assert_int_equal(p.what, PRESS_REFUSE);
    assert_string_equal(p.text, "the whole run is in view: < zooms in, F shows one token");
    drawn_press(&k, "<"); /* at once, however often it was asked to go further out */
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "a column is 7808 cycles");
    drawn_close(&k);
}

/* A pane that has not come to its columns draws dots there, and no value that it does not know. */
static void test_what_is_not_known_yet_is_dim_dots(void **state)
{
    (void)state;
    Rect r = {0, 0, 24, 80};
    open_at(500);
    k.state->pinned = true;
    k.state->cycle = 100000;
    OWN(k, TimelineState)->zoom = 6;
    canvas_resize(&k.canvas, 24, 80, true);
    k.view->work(k.session, k.state, r, 0); /* one slice of 2048 cycles: not a column */
    k.view->place(k.session, k.state, r);
    k.view->draw(k.session, k.state, r, false, &k.canvas);
    buf_clear(&k.text);
    buf_clear(&k.roles);
    canvas_dump(&k.canvas, &k.text);
    canvas_dump_roles(&k.canvas, &k.roles);
    drawn_expect(
        &k, 4, "│ top           …             ·················································│");
    drawn_expect_roles(&k, 4, 30, "dddddddd");
    drawn_contains(&k, "This column has not been simulated yet.");
    while (k.view->work(k.session, k.state, r, 0))
        ;
    buf_clear(&k.text);
    k.view->place(k.session, k.state, r);
    k.view->draw(k.session, k.state, r, false, &k.canvas);
    canvas_dump(&k.canvas, &k.text);
    drawn_lacks(&k, "···");
    drawn_lacks(&k, "…");
    drawn_close(&k);
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
        cmocka_unit_test(test_brackets_find_changes_of_the_row_both_ways),
        cmocka_unit_test(test_numbers_as_heights),
        cmocka_unit_test(test_a_label_of_the_axis_is_whole_or_left_out),
        cmocka_unit_test(test_nothing_is_further_out_than_the_whole_run),
        cmocka_unit_test(test_what_is_not_known_yet_is_dim_dots),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
