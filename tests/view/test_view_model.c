/* The model view, drawn into canvases: the words and roles that must be right. */
#include "drawn.h"

#include "model/model.h"

static void open_model(Drawn *d, const char *text)
{
    Setup setup;
    Err err = {0};
    *d = (Drawn){.view = &view_model, .state = view_state_new(&view_model)};
    setup_init(&setup);
    Model *m = model_read("assets/words-repaired.safetensors", &err);
    if (!m)
        fail_msg("%s", err.text);
    setup_model(&setup, m);
    assert_true(setup_text(&setup, text, &err) && setup_check(&setup, &err));
    d->session = session_new(&setup);
    setup_free(&setup);
}

static void before_the_first_token(void **state)
{
    (void)state;
    Drawn d;
    open_model(&d, "inter");
    drawn_draw(&d, 21, 80, true);
    drawn_expect(
        &d, 0, "╭ Model  token 0 ^ ────────────────────────────────────────────────────────────╮");
    drawn_expect(
        &d, 1, "│ text ►^inter               in ^ = letter_emb[^] + pos_emb[0]                 │");
    drawn_expect_roles(&d, 1, 7,
                       "AAddddd"); /* the start mark is on the pins, the rest is to come */
    drawn_expect(
        &d, 4, "│ head 0                                                                       │");
    drawn_contains(&d, "next letter: after the first token");
    drawn_close(&d);
}

/* Two heads are this token's, two still the last one's; the guess is after "^in". */
static void heads_at_work(void **state)
{
    (void)state;
    Drawn d;
    open_model(&d, "inter");
    drawn_do(&d, "token +3");
    drawn_do(&d, "run until attn.state == SOFTMAX_PREP and attn.h == 2");
    drawn_draw(&d, 21, 80, true);
    drawn_expect(
        &d, 3, "│           ^   i   n  ►t                                                      │");
    drawn_expect(
        &d, 4, "│ head 0    8   4  84   2                                                      │");
    drawn_expect(
        &d, 6, "│►head 2   37  36  27                                                          │");
    drawn_expect_roles(&d, 6, 10, "ddddddddd");
    drawn_expect_roles(&d, 5, 2, "......");
    drawn_expect_roles(&d, 7, 2, "dddddd"); /* not yet */
    drawn_contains(&d, "├ attention of token 3, percent (dim: still of token 2) ─");
    drawn_contains(&d, "├ next letter after ^in (dim: still of token 2) ─");
    drawn_contains(&d, "├ residual stream (dim: still of token 2) ─");
    drawn_contains(&d, "│ t  23.2 % ███████████████▎ ");
    drawn_close(&d);
}

/* When the token is out, all of it is this token's, and the last stage reads what comes next. */
static void the_token_is_out(void **state)
{
    (void)state;
    Drawn d;
    Guess best;
    char row[64];
    open_model(&d, "inter");
    drawn_do(&d, "token +5");
    drawn_do(&d, "run until valid == 1");
    assert_true(session_top(d.session, &best, 1));
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "├ next letter after ^inter ─");
    drawn_lacks(&d, "still of");
    snprintf(row, sizeof row, "reads %c %3.0f %%", session_model(d.session)->vocab[best.letter],
             best.p * 100.0);
    drawn_contains(&d, row);
    drawn_expect_roles(&d, 9, 2, "A");
    drawn_close(&d);
}

static void generated_letters_and_cursor(void **state)
{
    (void)state;
    Drawn d;
    open_model(&d, "inter");
    drawn_do(&d, "run");
    drawn_draw(&d, 21, 80, true);
    drawn_expect_roles(&d, 1, 7, ".....");
    drawn_expect_roles(&d, 1, 13, "WWAA"); /* the model's own, the last one on the pins */
    drawn_press(&d, "Up Left Left");
    drawn_draw(&d, 21, 80, true);
    Target t = view_model.target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_PROBS));
    assert_int_equal(t.at, session_host(d.session)->token - 2); /* head 0 */
    assert_true(view_model.find(d.session, d.state, (Target){t.signal, 128 + 3}));
    assert_int_equal(d.state->row, 1);
    assert_int_equal(d.state->col, 3);
    assert_false(view_model.find(d.session, d.state, (Target){t.signal, 100}));
    drawn_close(&d);
}

static void typing_a_word(void **state)
{
    (void)state;
    Drawn d;
    Press p;
    open_model(&d, "inter");
    assert_true(view_press(&view_model, d.session, d.state, "e", &p));
    assert_int_equal(p.what, PRESS_ASK);
    assert_string_equal(p.text, "text ");
    drawn_do(&d, "text cat");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "text ►^cat ");
    drawn_close(&d);
}

/* A token at a time: the keys stop where all that is shown is of the token on the pins. */
static void brackets_go_from_token_to_token(void **state)
{
    (void)state;
    Drawn d;
    open_model(&d, "inter");
    for (int token = 0; token < 3; token++) {
        drawn_press(&d, "]");
        drawn_draw(&d, 21, 80, true);
        assert_int_equal(session_host(d.session)->token, token);
        assert_int_equal(session_output(d.session), token);
        drawn_lacks(&d, "still of");
    }
    drawn_contains(&d, "├ next letter after ^in ─");
    drawn_press(&d, "[");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "├ next letter after ^i ─");
    drawn_lacks(&d, "still of");
    drawn_close(&d);
}

/* However long the word: the start mark, the present letter and its mark are seen. */
static void the_start_mark_stays(void **state)
{
    (void)state;
    static const int widths[] = {60, 80};
    char row[400];
    Drawn d;
    open_model(&d, "internationalizationofinternationalizations");
    drawn_do(&d, "token +42");
    drawn_press(&d, "]");
    for (int i = 0; i < 2; i++) {
        drawn_draw(&d, 21, widths[i], true);
        drawn_row(&d.text, 1, row, sizeof row);
        assert_non_null(strstr(row, "│ text ^…"));
        assert_non_null(strstr(row, "►n"));
        drawn_row(&d.text, 3, row, sizeof row);
        assert_non_null(strstr(row, "│         ^ … "));
        assert_non_null(strstr(row, "►n"));
        drawn_contains(&d, "next letter after ^…");
    }
    drawn_press(&d, "Left Left Left"); /* the cursor is seen too, and comes to the start */
    for (int i = 0; i < 50; i++)
        drawn_press(&d, "h");
    drawn_draw(&d, 21, 60, true);
    drawn_row(&d.text, 3, row, sizeof row);
    assert_non_null(strstr(row, "│         ^ i n t e r "));
    drawn_close(&d);
}

static void every_size_and_no_model(void **state)
{
    (void)state;
    Drawn d;
    open_model(&d, "international");
    drawn_every_size(&d, 8, 30);
    drawn_do(&d, "token +12");
    drawn_every_size(&d, 24, 90);
    drawn_close(&d);
    drawn_open(&d, &view_model, "deck", "integration");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "No model");
    drawn_contains(&d, ":open model ");
    drawn_every_size(&d, 5, 20);
    drawn_close(&d);
}

static void a_tall_pane_shows_more_letters(void **state)
{
    (void)state;
    Drawn d;
    char row[400];
    open_model(&d, "inter");
    drawn_do(&d, "token +3");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "│ e   3.1 % ");
    drawn_lacks(&d, "│ a   2.6 % "); /* the eighth */
    drawn_contains(&d, "│ out_emb   rms ");
    drawn_draw(&d, 28, 80, true);
    drawn_contains(&d, "│ a   2.6 % ");
    drawn_contains(&d, "│ o   1.2 % "); /* the fourteenth; behind it the stream as before */
    drawn_row(&d.text, 26, row, sizeof row);
    assert_non_null(strstr(row, "out_emb   rms "));
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_token),
        cmocka_unit_test(heads_at_work),
        cmocka_unit_test(the_token_is_out),
        cmocka_unit_test(generated_letters_and_cursor),
        cmocka_unit_test(a_tall_pane_shows_more_letters),
        cmocka_unit_test(brackets_go_from_token_to_token),
        cmocka_unit_test(the_start_mark_stays),
        cmocka_unit_test(typing_a_word),
        cmocka_unit_test(every_size_and_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
