#include "explorer.h"

#include "tui/view/formats/formats.h"

static void the_top_line_is_exact(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 0  IDLE");
    press(&x, "space s space b");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 2  LN1_WAIT");
    press(&x, "t n");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 1  cycle 2955  LN1_START");
    press(&x, "T p");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 2953  DONE");
    press(&x, "0");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 0  IDLE");
    tui_do(x.tui, "set token_emb[0] 1.5");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 0  IDLE  edited");
    tui_do(x.tui, "undo");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 0  IDLE");
    tui_do(x.tui, "preset minus8");
    assert_string_equal(row(&x, 0), "tokstep  minus8 bridge  token 0  cycle 0  IDLE");
    explorer_close(&x);
}

static void the_warning_of_the_last_edge_names_its_lesson(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, "goto 440");
    assert_string_equal(row(&x, 22),
                        " ! masked position 33 holds exp 1.0: the mask has wrapped (lesson 06)");
    tui_do(x.tui, "preset minus8");
    tui_do(x.tui, "goto 440");
    assert_string_equal(row(&x, 22), "");
    explorer_close(&x);
}

static void a_key_that_does_nothing_points_to_help(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "Q");
    assert_shows(&x, "Q does nothing here; press ? for help");
    press(&x, "space");
    assert_hides(&x, "does nothing");
    explorer_close(&x);
}

static void at_stands_for_what_the_cursor_is_on(void **state)
{
    Explorer x;
    int count = 0;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "2"); /* vectors, on token_emb[0] */
    press(&x, "w");
    const Watch *w = session_watches(x.session, &count);
    assert_int_equal(count, 1);
    assert_string_equal(w[0].signal->path, "token_emb");
    press(&x, "w");
    session_watches(x.session, &count);
    assert_int_equal(count, 0);
    press(&x, "B");
    assert_shows(&x, "breakpoint 1: token_emb[0] changes");
    press(&x, "y");
    assert_shows(&x, "copied: token_emb[0] 0080 0.5");
    assert_string_equal(tui_wishes(x.tui)->copy, "token_emb[0] 0080 0.5");
    tui_granted(x.tui);
    assert_null(tui_wishes(x.tui)->copy);
    explorer_close(&x);
}

static void enter_opens_the_element_in_another_view(void **state)
{
    Explorer x;
    char name[64];
    (void)state;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, "goto 440"); /* the decoder's cursor is on softmax.shifted[34] */
    press(&x, "Enter");
    assert_string_equal(tui_view(x.tui)->name, "vectors");
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "softmax.shifted[34]");
    press(&x, "Enter");
    assert_string_equal(tui_view(x.tui)->name, "softmax");
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "softmax.shifted[34]");
    tui_do(x.tui, "show K[5][7]");
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "K[5][7]");
    press(&x, "3"); /* shows it itself: stays, where Enter would have gone on */
    tui_do(x.tui, "show softmax.exp[3]");
    assert_string_equal(tui_view(x.tui)->name, "softmax");
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "softmax.exp[3]");
    tui_do(x.tui, "show nosuch");
    assert_shows(&x, "nosuch");
    explorer_close(&x);
}

static void the_target_is_of_now_also_when_nothing_was_drawn_in_between(void **state)
{
    Explorer x;
    char name[64];
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "3 Left Left Left Up Up"); /* against the edges of the softmax table */
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "scores[0][0]");
    press(&x, "2");
    tui_do(x.tui, "goto 440"); /* vectors follow what is stored */
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "softmax.shifted[34]");
    int count = 0;
    tui_resize(x.tui, 3, 10, true);
    press(&x, "space w"); /* not unseen */
    session_watches(x.session, &count);
    assert_int_equal(count, 0);
    tui_resize(x.tui, 16, 60, true);
    press(&x, "space w");
    const Watch *w = session_watches(x.session, &count);
    assert_int_equal(count, 1);
    assert_int_equal(w[0].at, 35);
    explorer_close(&x);
}

static void run_mode_goes_at_its_speed_and_any_key_pauses_it(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "r");
    assert_true(tui_running(x.tui) && tui_paced(x.tui));
    assert_shows(&x, "running, 10 cycles/s");
    tui_advance(x.tui, 0.25);
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 2  LN1_WAIT");
    tui_advance(x.tui, 0.25); /* what was owed counts */
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 5  LN1_WAIT");
    press(&x, "+ +");
    assert_shows(&x, "50 cycles/s");
    press(&x, "3"); /* another view looks on */
    assert_true(tui_running(x.tui));
    tui_advance(x.tui, 1);
    press(&x, "space"); /* pauses, and is not a step as well */
    assert_false(tui_running(x.tui));
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 55  LN1_WAIT");
    assert_shows(&x, "stopped at cycle 55");
    tui_do(x.tui, "speed max");
    press(&x, "r");
    assert_false(tui_paced(x.tui));
    press(&x, "C-c");
    assert_false(tui_running(x.tui));
    explorer_close(&x);
}

static void a_run_says_where_it_ended(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, "run until valid == 1");
    assert_true(tui_running(x.tui));
    assert_shows(&x, "running, full speed");
    while (tui_running(x.tui))
        tui_advance(x.tui, 0.01);
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 2953  DONE");
    assert_shows(&x, "until valid == 1");
    explorer_close(&x);
}

static void numbers_theme_speed_and_others_refuse_what_they_do_not_know(void **state)
{
    static const char *const lines[][2] = {
        {"view nosuch", "view nosuch: must be one of decoder"},
        {"theme pink", "theme pink: must be auto, neutral, dark, light, high-contrast or mono"},
        {"speed fast", "speed fast: must be +, -, max or cycles a second"},
        {"speed -5", "speed -5: must be"},
        {"numbers octal", "numbers octal: must be hex, value, both"},
        {"split 9", "split 9: must be auto or 1..4"},
        {"mouse maybe", "mouse maybe: must be on or off"},
        {"cursor softmax.shiftd[1]",
         "softmax.shiftd: no such signal; did you mean softmax.shifted"},
        {"cursor softmax.shifted[128]", "softmax.shifted: index 128 must be 0..127"},
        {"cursor sideways", "cursor sideways: must be up, down, left, right or an element"},
        {"pane 7", "pane 7: must be +1 or -1"},
        {"key Foo", "key Foo: there is no such key"},
        {"frobnicate", "frobnicate: no such command"},
        {"help frobnicate", "help frobnicate: there is no command of that name"},
    };
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Buf out = {0};
        Err err = {0};
        assert_false(tui_exec(x.tui, lines[i][0], &out, &err));
        if (!strstr(err.text, lines[i][1]))
            fail_msg("'%s' says '%s'", lines[i][0], err.text);
        buf_free(&out);
    }
    explorer_close(&x);
}

static void help_opens_pages_and_closes(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "F1");
    assert_shows(&x, "help  lines 1-20 of");
    press(&x, "space");
    assert_shows(&x, "help  lines 20-39 of");
    press(&x, "End space Down PgDn"); /* the end is the end */
    const char *last = strstr(look(&x), "help  lines");
    int from = 0, to = 0, all = 0;
    assert_int_equal(sscanf(last, "help  lines %d-%d of %d", &from, &to, &all), 3);
    assert_int_equal(to, all);
    press(&x, "Home Up");
    assert_shows(&x, "help  lines 1-20 of");
    press(&x, "q");
    assert_hides(&x, "help  lines");
    assert_false(tui_wishes(x.tui)->quit);
    press(&x, "q");
    assert_true(tui_wishes(x.tui)->quit);
    explorer_close(&x);
}

static void too_small_a_window_says_so_calmly(void **state)
{
    static const int sizes[][2] = {{15, 80}, {24, 59}, {4, 20}, {2, 9}, {1, 1}};
    Explorer x;
    (void)state;
    explorer_open(&x, 15, 80);
    assert_shows(&x, "This window is 80x15.");
    assert_shows(&x, "tokstep needs 60x16.");
    assert_shows(&x, "Enlarge it, or press q to leave.");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tui_resize(x.tui, sizes[i][0], sizes[i][1], true);
        assert_hides(&x, "cycle");
        press(&x, "space");
    }
    tui_resize(x.tui, 16, 60, true);
    assert_string_equal(
        row(&x, 0),
        "tokstep  deck bridge  token 0  cycle 0  IDLE"); /* what one does not see does not move */
    press(&x, "q");
    assert_true(tui_wishes(x.tui)->quit);
    explorer_close(&x);
}

static void the_key_line_ends_with_whole_words(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (int cols = 60; cols < 200; cols++) {
        tui_resize(x.tui, 24, cols, true);
        const char *line = row(&x, 23);
        assert_true(text_width(line) <= cols);
        static const char always[] = " ? help  q quit  : console  space/b step  n/p state";
        assert_true(strncmp(line, always, sizeof always - 1) == 0);
    }
    tui_resize(x.tui, 24, 80, true);
    assert_shows(&x, "  n/p state  t/T token  r run  1-9 views\n");
    tui_resize(x.tui, 24, 100, true);
    assert_shows(&x, "  r run  1-9 M L V views");
    explorer_close(&x);
}

static void every_mode_says_how_to_leave_it(void **state)
{
    static const char *const modes[][2] = {
        {"?", " Esc leave help  "}, {":", " Esc leave  "}, {"g", " Esc leave  "}};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        Explorer x;
        explorer_open(&x, MIN_ROWS, MIN_COLS);
        press(&x, modes[i][0]);
        assert_true(strncmp(row(&x, MIN_ROWS - 1), modes[i][1], strlen(modes[i][1])) == 0);
        explorer_close(&x);
    }
}

static void a_fresh_machine_names_what_there_is_to_see(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    assert_string_equal(row(&x, 22), " L lessons  1-9 V other views");
    press(&x, "space");
    assert_string_equal(row(&x, 22), "");
    press(&x, "0"); /* says nothing of its own */
    assert_string_equal(row(&x, 22), " L lessons  1-9 V other views");
    press(&x, "y");
    assert_hides(&x, "other views");
    press(&x, ":");
    assert_hides(&x, "other views");
    press(&x, "Esc z"); /* nothing to enlarge */
    assert_shows(&x, "there is one pane only");
    explorer_close(&x);
}

static void w_says_what_it_did(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "4 Down w");
    assert_shows(&x, "   watching K[1][0] (console: watch lists)\n");
    press(&x, "w");
    assert_shows(&x, "   no longer watching K[1][0]\n");
    explorer_close(&x);
}

static void a_new_machine_says_so(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "space");
    tui_do(x.tui, "preset minus8");
    assert_shows(&x, "   the machine began again at cycle 0\n");
    tui_do(x.tui, "set q[0] 1");
    tui_do(x.tui, "config d_model=32 mask=0xf000");
    assert_shows(&x, "   the machine began again at cycle 0; 1 edit is gone\n");
    assert_shows(&x, "decoder  d_model 32  mask 0xf000 ─");
    tui_do(x.tui, "config"); /* lists, and changes nothing */
    assert_hides(&x, "began again");
    explorer_close(&x);
}

static void cursors_that_stay_say_so(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "5 space space space");
    assert_hides(&x, "cursor stays");
    press(&x, "Right");
    assert_shows(&x, "  cursor stays at 64: c follows");
    press(&x, "Enter space"); /* the machine went there and on: the cursor with it */
    assert_hides(&x, "cursor stays");
    press(&x, "3 Down");
    assert_shows(&x, "  cursor stays: c follows");
    press(&x, "c");
    assert_hides(&x, "cursor stays");
    explorer_close(&x);
}

static void x_says_where_it_shows(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "4 x");
    assert_shows(&x, "numbers as values: this is the heat map, H shows words");
    press(&x, "H x");
    assert_shows(&x, "numbers as hex and value\n");
    explorer_close(&x);
}

static void nothing_shakes_while_stepping(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (int step = 0; step < 300; step++) {
        const Canvas *c = tui_draw(x.tui);
        for (int y = 1; y < 22; y++) { /* the frame stays where it is */
            assert_int_not_equal(c->cells[y * 80].ch, ' ');
            assert_int_not_equal(c->cells[y * 80 + 79].ch, ' ');
        }
        press(&x, step % 3 ? "space" : "n");
    }
    explorer_close(&x);
}

static void the_mouse_focuses_selects_and_scrolls(void **state)
{
    Explorer x;
    char name[64];
    (void)state;
    explorer_open(&x, 60, 200);
    press(&x, "n n n");
    press(&x, "Click@8,130"); /* vectors, upper right */
    assert_shows(&x, "►vectors");
    press(&x, "Click@40,150");
    assert_shows(&x, "►softmax");
    press(&x, "t t t 1 4 Click@7,130"); /* the row of the KV cache under it: K[2] */
    assert_int_equal(tui_draw(x.tui)->cursor_y, 7);
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_int_equal(strncmp(name, "K[2][", 5), 0);
    press(&x, "WheelUp@12,130"); /* three lines, as far as there are */
    assert_int_equal(tui_draw(x.tui)->cursor_y, 5);
    press(&x, "3");
    press(&x, "Click@0,0"); /* nothing there */
    assert_shows(&x, "►softmax");
    explorer_close(&x);
}

static void alt_and_a_key_outside_the_console_is_esc_and_the_key(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "? M-n"); /* leaves help, next state */
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 1  LN1_START");
    explorer_close(&x);
}

static bool keys_are_looked_at(void *context)
{
    (void)context;
    return true;
}

/* With a loop around it the explorer draws what it has; a saved screen has all of it. */
static void a_huge_timeline_is_filled_while_keys_act(void **state)
{
    (void)state;
    Explorer x;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, "config variant=stream");
    press(&x, "5 z > > > > > > > >");
    tui_on_busy(x.tui, keys_are_looked_at, NULL);
    assert_shows(&x, "a column is 234496 cycles");
    assert_shows(&x, "······················  "); /* of 5.8 million cycles */
    assert_true(tui_working(x.tui));
    press(&x, "space");
    assert_shows(&x, "cycle 1  LN1_START");
    assert_true(tui_working(x.tui));
    press(&x, "?"); /* nobody sees it */
    look(&x);
    assert_false(tui_working(x.tui));
    press(&x, "Esc");
    look(&x);
    while (tui_working(x.tui))
        tui_work(x.tui, 0.1);
    assert_hides(&x, "···");
    char *slowly = strdup(look(&x));
    tui_on_busy(x.tui, NULL, NULL);
    press(&x, "F");
    look(&x);
    press(&x, "> > > > > > > >");
    tui_on_busy(x.tui, keys_are_looked_at, NULL);
    buf_clear(&x.text);
    canvas_dump(tui_draw_whole(x.tui), &x.text);
    assert_string_equal(buf_str(&x.text), slowly);
    free(slowly);
    tui_on_busy(x.tui, NULL, NULL);
    press(&x, ">");
    assert_shows(&x, "the whole run is in view: < zooms in, F shows one token");
    explorer_close(&x);
}

static void do_line(Explorer *x, const char *line)
{
    press(x, ":");
    type(x, line);
    press(x, "Enter");
    tui_settle(x->tui);
    press(x, "Esc");
}

static void a_break_puts_the_cursor_on_its_element(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 120);
    press(&x, "2 z");
    do_line(&x, "break softmax.shifted wraps");
    do_line(&x, "run");
    assert_shows(&x, "├ softmax.shifted[1] ─");
    assert_shows(&x, "x[1] - max = 8000 - 003f");
    do_line(&x, "cursor K[0][3]");
    assert_shows(&x, "├ K[0][3] ─");
    press(&x, ":");
    type(&x, "why softmax.exp[1]");
    press(&x, "Enter");
    assert_shows(&x, "softmax.exp[1] 0100 1.0 <- approx_exp(shifted[1])");
    explorer_close(&x);
}

/* Name, old and new, operands come before what a narrow window cuts. */
static void a_stop_is_told_from_old_to_new(void **state)
{
    static const struct {
        const char *condition, *told;
    } stops[] = {
        {"any wraps",
         " ► softmax.shifted[1] 0000 -> 7fc1 127.75390625 <- x[1] - max = 8000 - 003f  !…"},
        {"attn.state == SOFTMAX_STORE",
         " ► attn.state SOFTMAX_RUN -> SOFTMAX_STORE: softmax.valid is 1  (breakpoint 2:…"},
        {"ffn.i == 3",
         " ► ffn.i 2 -> 3 <- i + 1 = 2 + 1  (breakpoint 3: ffn.i == 3)  (the edge of cyc…"},
        {"start == 1", " ► start 0 -> 1: set by the host  (breakpoint 4: start == 1)"},
    };
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        char line[80];
        snprintf(line, sizeof line, "break %s", stops[k].condition);
        do_line(&x, "delete");
        do_line(&x, line);
        press(&x, "r");
        tui_settle(x.tui);
        assert_string_equal(row(&x, 22), stops[k].told);
    }
    explorer_close(&x);
}

/* Every view that shows the state goes there; the formats keep what was typed. */
static void a_break_on_a_state_moves_the_cursor_too(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    ViewState *timeline = x.tui->states[view_index(&view_timeline)];
    const FormatsState *formats = view_own(x.tui->states[view_index(&view_formats)]);
    do_line(&x, "fmt 0.3");
    do_line(&x, "run until ffn.state == LINEAR1");
    int ffn = timeline->row;
    do_line(&x, "rev until softmax.state == SUM");
    assert_int_not_equal(timeline->row, ffn);
    do_line(&x, "rev until ffn.i == 0");
    do_line(&x, "run until ffn.state == LINEAR1");
    assert_int_equal(timeline->row, ffn);
    assert_string_equal(formats->typed, "0.3");
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_is_told_from_old_to_new),
        cmocka_unit_test(a_break_on_a_state_moves_the_cursor_too),
        cmocka_unit_test(a_break_puts_the_cursor_on_its_element),
        cmocka_unit_test(the_top_line_is_exact),
        cmocka_unit_test(the_warning_of_the_last_edge_names_its_lesson),
        cmocka_unit_test(a_key_that_does_nothing_points_to_help),
        cmocka_unit_test(at_stands_for_what_the_cursor_is_on),
        cmocka_unit_test(enter_opens_the_element_in_another_view),
        cmocka_unit_test(the_target_is_of_now_also_when_nothing_was_drawn_in_between),
        cmocka_unit_test(run_mode_goes_at_its_speed_and_any_key_pauses_it),
        cmocka_unit_test(a_run_says_where_it_ended),
        cmocka_unit_test(numbers_theme_speed_and_others_refuse_what_they_do_not_know),
        cmocka_unit_test(help_opens_pages_and_closes),
        cmocka_unit_test(too_small_a_window_says_so_calmly),
        cmocka_unit_test(the_key_line_ends_with_whole_words),
        cmocka_unit_test(every_mode_says_how_to_leave_it),
        cmocka_unit_test(a_fresh_machine_names_what_there_is_to_see),
        cmocka_unit_test(w_says_what_it_did),
        cmocka_unit_test(a_new_machine_says_so),
        cmocka_unit_test(cursors_that_stay_say_so),
        cmocka_unit_test(x_says_where_it_shows),
        cmocka_unit_test(nothing_shakes_while_stepping),
        cmocka_unit_test(the_mouse_focuses_selects_and_scrolls),
        cmocka_unit_test(a_huge_timeline_is_filled_while_keys_act),
        cmocka_unit_test(alt_and_a_key_outside_the_console_is_esc_and_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
