/* The decoder view, drawn into canvases: the words and roles that must be right, and that nothing
 * moves while stepping. */
#include "drawn.h"

#include "tell/look.h"

extern const View view_decoder;
#define WRAPPED "run until smax.state == SUBTRACT_EXP and softmax.i == 37"

static void the_wrapped_mask_on_80_columns(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, WRAPPED);
    d.state->format = SHOW_BOTH;
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "│!▲ shifted[36]      0000 → 7fc1   127.7539 │");
    d.state->format = SHOW_HEX;
    drawn_draw(&d, 22, 80, true);
    static const char *const rows[22] = {
        "╭ decoder ─────────────────────────────────────────────────────────────────────╮",
        "│ token_emb ┬─►[ LN1 ]─►[►Attention ]─►(+)─┬─►[ LN2 ]─►[ FFN ]─►(+)─► out_emb  │",
        "│           ╰───────────────────────────╯  ╰─────────────────────╯             │",
        "│ top   IDLE LN1_START LN1_WAIT ATTN_START►ATTN_WAIT …      cycle  244 of 2227 │",
        "│ attn …►SOFTMAX_RUN SOFTMAX_STORE WEIGHTED_SUM …            cycle  167 of 518 │",
        "│ smax  IDLE FIND_MAX►SUBTRACT_EXP SUM RECIP NORMALIZE DONE  cycle   38 of 129 │",
        "├ this clock ── ! masked position 37 keeps exp 1.0: the mask has wrapped ──────┤",
        "│!softmax.shifted[37]  ←  x[37] - max = 8000 - 003f      =     7fc1   127.7539 │",
        "│   ! wraps: -128.2461 does not fit in 16 bits                                 │",
        "│!softmax.exp[37]      ←  approx_exp(shifted[37])        =     0100     1.0000 │",
        "│   7fc1 >= 0: 1.0   ! masked position 37 keeps exp 1.0: the mask has wrapped  │",
        "│                                                                              │",
        "│ softmax.i ← 38                                                               │",
        "├ last clock ───────────────────────────────┬ watches ─────────────────────────┤",
        "│!▲ softmax.shifted[36]         0000 → 7fc1 │ none (w adds one)                │",
        "│!▲ softmax.exp[36]             0000 → 0100 │                                  │",
        "│   softmax.i                       36 → 37 │                                  │",
        "│                                           │                                  │",
        "├ cycles in this token ─────────────────────┴──────────────────────────────────┤",
        "│ softmax       167 of 2080  before: score 9 cache 1 qkv 65 ln1 197            │",
        "│ 443 of 2953    ████████▍░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  15% │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
    };
    for (int y = 0; y < 22; y++)
        drawn_expect(&d, y, rows[y]);
    drawn_expect_roles(&d, 1, 24, "AAAAAAAAAAAAA"); /* the unit at work */
    drawn_expect_roles(&d, 3, 42, "AAAAAAAAAA");    /* >ATTN_WAIT */
    drawn_expect_roles(&d, 7, 1, "!X");           /* event; the cursor is on the first operation */
    drawn_expect_roles(&d, 7, 40, "RRRRRRRRRRR"); /* the operands */
    drawn_expect_roles(&d, 7, 63, "WWWW");        /* the word to be stored */
    drawn_expect_roles(&d, 8, 4, "!!!!!!!");
    drawn_expect_roles(&d, 14, 32, "CCCC");
    drawn_close(&d);
}

static void dot_products_and_starts(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    d.state->format = SHOW_HEX;
    drawn_do(&d, "step 1");
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 7, "│ top.state ← LN1_WAIT                                                         │");
    drawn_expect(
        &d, 8, "│ ln1_start ← 1 (layer norm 1 will see it)                                     │");
    drawn_expect(
        &d, 20, "│ 1 of 2953      ▏░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   0% │");
    drawn_do(&d, "step 209");
    drawn_draw(&d, 22, 80, false);
    drawn_expect(
        &d, 7, "| q[9]                 <- narrow(ln1_out . wq[][9])      =     ffc0    -0.2500 |");
    drawn_expect(
        &d, 8, "|   ff02*0040 [9] + 63 zero = ffffc080 >> 8                                    |");
    drawn_expect(
        &d, 12, "| attn.i <- 10                                                                 |");
    drawn_expect(
        &d, 14, "| ^ q[8]                       0000 -> 003f | none (w adds one)                |");
    drawn_expect(
        &d, 17, "|   attn.i                           8 -> 9 |                                  |");
    drawn_do(&d, "step 5000"); /* into token 1; then to the very end */
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, " of 2957 ");
    drawn_close(&d);
}

static void edits_are_not_laid_to_the_edge(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, WRAPPED);
    drawn_do(&d, "set softmax.exp[36] 0");
    drawn_do(&d, "set attn.state IDLE");
    d.state->format = SHOW_HEX;
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "│!▲ softmax.exp[36]      0000 → 0000 edited │");
    drawn_contains(&d, "│!  attn.state    SOFTMAX_RUN → IDLE edited │");
    drawn_do(&d, "step 1"); /* the next edge is the machine's own */
    drawn_draw(&d, 22, 80, true);
    assert_null(strstr(buf_str(&d.text), "edited"));
    drawn_close(&d);
}

static void a_machine_that_an_edit_has_wedged(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, "run until attn.state == SCORE");
    drawn_do(&d, "set attn.state IDLE");
    drawn_do(&d, "step 3000");
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "│ ! nothing, for ever: top waits in ATTN_WAIT for attn, ");
    drawn_contains(&d, "│   which is IDLE: nothing will start it ");
    drawn_contains(&d, "│ 3267 of 2953 ");
    drawn_contains(&d, "█ late │");
    drawn_close(&d);
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, "run until smax.state == SUM");
    drawn_do(&d, "set smax.state IDLE");
    drawn_do(&d, "step 1"); /* the counter's last step */
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "│ ! nothing, for ever: attn waits in SOFTMAX_RUN for smax, ");
    drawn_close(&d);
}

static void watches_and_number_formats(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, WRAPPED);
    drawn_do(&d, "watch softmax.max");
    drawn_do(&d, "watch top.state");
    drawn_do(&d, "watch K");
    drawn_do(&d, "watch softmax.exp[36]");
    drawn_do(&d, "watch attn.h");
    d.state->format = SHOW_HEX;
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 7, "│!softmax.shifted[37]  ←  x[37] - max = 8000 - 003f      =     7fc1   127.7539 │");
    drawn_expect(
        &d, 13, "├ last clock ───────────────────────────────┬ watches ──────── +1 more: PgDn ──┤");
    drawn_expect(
        &d, 14, "│!▲ softmax.shifted[36]         0000 → 7fc1 │ softmax.max                 003f │");
    drawn_expect(
        &d, 15, "│!▲ softmax.exp[36]             0000 → 0100 │ top.state              ATTN_WAIT │");
    drawn_expect(
        &d, 16, "│   softmax.i                       36 → 37 │ K                     8192 words │");
    drawn_press(&d, "PgDn PgDn PgDn"); /* as far as there is something */
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 13, "├ last clock ───────────────────────────────┬ watches ──────── +1 more: PgUp ──┤");
    drawn_expect(
        &d, 14, "│!▲ softmax.shifted[36]         0000 → 7fc1 │ top.state              ATTN_WAIT │");
    drawn_expect(
        &d, 17, "│                                           │ attn.h                         0 │");
    d.state->format = SHOW_VALUE;
    drawn_do(&d, "step 1");
    drawn_draw(&d, 22, 80, true); /* another cycle begins at the top */
    drawn_expect(
        &d, 14, "│!▲ softmax.shifted[37]   0.0000 → 127.7539 │ softmax.max               0.2461 │");
    drawn_close(&d);
}

static void a_tall_pane_shows_boxes_operands_and_every_stage(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, "run until attn.state == SCORE");
    drawn_draw(&d, 57, 100, true);
    drawn_contains(&d, "│►Attention     │");
    drawn_contains(&d, "│ SCORE         │");
    drawn_contains(&d, "├ what goes into scores[0][0] ─");
    drawn_contains(&d, "│ q[0..15]              ");
    drawn_contains(&d, "│ their products        ");
    drawn_contains(&d, "│  qkv               65 of 65  ");
    drawn_contains(&d, "│ ►score              0 of 9  ");
    drawn_contains(&d, "│  softmax            0 of 2080");
    drawn_close(&d);
}

static void nothing_moves_while_stepping(void **state)
{
    static const int sizes[][2] = {{22, 80}, {57, 100}, {14, 60}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Drawn d;
        drawn_open(&d, &view_decoder, "deck", "random:3:9000:32767");
        char first[128] = "";
        for (int n = 0; n < 270; n++) {
            char rules[128] = "", row[2048];
            drawn_draw(&d, sizes[k][0], sizes[k][1], true);
            for (int y = 0; y < sizes[k][0]; y++) {
                drawn_row(&d.text, y, row, sizeof row);
                rules[y] = strncmp(row, "├", 3) == 0 ? '-' : '.';
            }
            if (n == 0)
                memcpy(first, rules, sizeof first);
            assert_string_equal(rules, first);
            session_step(d.session, 11);
        }
        drawn_close(&d);
    }
}

static void small_panes_show_what_matters_most(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, WRAPPED);
    drawn_draw(&d, 14, 60, true);
    drawn_expect(&d, 5, "│!shifted[37]   ←  x[37] - max = 8000 - 003f    =     7fc1 │");
    drawn_draw(&d, 5, 20, true);
    drawn_expect(&d, 3, "│!shifted[37] 7fc1 │");
    drawn_draw(&d, 1, 12, true);
    drawn_expect(&d, 0, "ATTN_WAIT");
    drawn_draw(&d, 1, 1, true);
    drawn_expect(&d, 0, "A");
    drawn_every_size(&d, 30, 100);
    drawn_close(&d);
}

static void the_cursor_chooses_an_operation(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, WRAPPED);
    drawn_draw(&d, 22, 80, true);
    Target t = view_decoder.target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_SMAX_SHIFTED));
    assert_int_equal(t.at, 37);
    drawn_press(&d, "Down j");
    t = view_decoder.target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_SMAX_I));
    drawn_press(&d, "Down Down Down");
    drawn_draw(&d, 22, 80, true); /* clamped to the last one */
    drawn_expect_roles(&d, 12, 2, "XXXXXXXXX");
    assert_true(view_decoder.find(d.session, d.state, (Target){signal_at(SIG_SMAX_EXP), 37}));
    assert_int_equal(d.state->row, 1);
    assert_false(view_decoder.find(d.session, d.state, (Target){signal_at(SIG_SMAX_EXP), 38}));
    drawn_close(&d);
}

/* A key of the view as the explorer takes it: its command runs to the end. */
static void go(Drawn *d, const char *key, const char *state)
{
    char text[64];
    Press p;
    const Engine *e = session_engine(d->session);
    assert_true(view_press(&view_decoder, d->session, d->state, key, &p));
    if (p.what == PRESS_RUN)
        drawn_do(d, p.text);
    snprintf(text, sizeof text, "%s %s %s", look_state(e, "top.state"), look_state(e, "attn.state"),
             look_state(e, "smax.state"));
    assert_string_equal(text, state);
}

static void inner_states_one_after_the_other(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, "run until top.state == ATTN_START");
    go(&d, "N", "ATTN_WAIT IDLE IDLE");
    go(&d, "N", "ATTN_WAIT PROJ_QKV IDLE");
    go(&d, "N", "ATTN_WAIT WRITE_CACHE IDLE");
    go(&d, "N", "ATTN_WAIT SCORE IDLE");
    go(&d, "N", "ATTN_WAIT SOFTMAX_PREP IDLE");
    go(&d, "N", "ATTN_WAIT SOFTMAX_RUN IDLE");
    go(&d, "N", "ATTN_WAIT SOFTMAX_RUN FIND_MAX");
    go(&d, "N", "ATTN_WAIT SOFTMAX_RUN SUBTRACT_EXP");
    go(&d, "P", "ATTN_WAIT SOFTMAX_RUN FIND_MAX");
    go(&d, "P", "ATTN_WAIT SOFTMAX_RUN IDLE");
    go(&d, "P", "ATTN_WAIT SOFTMAX_PREP IDLE");
    drawn_close(&d);
}

/* Nothing more is asked of the machine: waiting for nothing is no part of the token. */
static void behind_the_last_token_nothing_counts_on(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_decoder, "deck", "integration");
    drawn_do(&d, "config d_model=8 n_heads=1 d_ff=1 max_seq_len=1");
    drawn_do(&d, "run until valid == 1");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "│ control         9 of 9     before: residual2 1 ");
    drawn_do(&d, "step 30");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "│ control         9 of 9     before: residual2 1 ");
    drawn_contains(&d, "│ 117 of 117     █");
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wrapped_mask_on_80_columns),
        cmocka_unit_test(dot_products_and_starts),
        cmocka_unit_test(edits_are_not_laid_to_the_edge),
        cmocka_unit_test(a_machine_that_an_edit_has_wedged),
        cmocka_unit_test(watches_and_number_formats),
        cmocka_unit_test(a_tall_pane_shows_boxes_operands_and_every_stage),
        cmocka_unit_test(nothing_moves_while_stepping),
        cmocka_unit_test(small_panes_show_what_matters_most),
        cmocka_unit_test(the_cursor_chooses_an_operation),
        cmocka_unit_test(inner_states_one_after_the_other),
        cmocka_unit_test(behind_the_last_token_nothing_counts_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
