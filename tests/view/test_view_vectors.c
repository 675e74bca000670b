/* The vectors view: the right elements with the right marks, statistics, and the story of a cell.
 */
#include "drawn.h"
#include "tui/view/vectors/vectors_scene.h"

extern const View view_vectors;

static void it_follows_what_the_coming_edge_stores(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "deck", "integration");
    d.state->format = SHOW_BOTH;
    drawn_do(&d, "run until smax.state == SUBTRACT_EXP and softmax.i == 37");
    drawn_draw(&d, 22, 80, true);
    static const char *const rows[] = {
        "╭ vectors ─────────────────────────────────────────────────────────────────────╮",
        "│ softmax.shifted [128]  x - max, wrapping                           following │",
        "│ min 0.0000 [0]  max 127.7539 [1]  zeros 92  mean 35.9308                     │",
        "├ heat map, full height 127.7539 ──────────────────────────────────────────────┤",
        "│        0               8               16              24                    │",
        "│    0    ░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█░█       │",
        "│   32▲ ░█░█░█░█ █▲ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░ ░        │",
    };
    for (int y = 0; y < 7; y++)
        drawn_expect(&d, y, rows[y]);
    drawn_expect(
        &d, 15, "│   36▲  7fc1  127.7539 ▲0000    0.0000 ░0000    0.0000 ░0000    0.0000        │");
    drawn_expect_roles(&d, 15, 8, "CCCC");   /* what the last edge changed */
    drawn_expect_roles(&d, 15, 24, "WXXXX"); /* to be stored; the cursor */
    drawn_expect_roles(&d, 15, 40, "mmmmm");
    drawn_expect(
        &d, 16, "├ softmax.shifted[37] ─────────────────────────────────────────────────────────┤");
    drawn_expect(
        &d, 17, "│ 0000    0.0000  nothing has stored it yet: still as at power-up              │");
    drawn_expect(
        &d, 20, "│ ▲ the coming edge stores 7fc1 = x[37] - max                                  │");
    drawn_close(&d);
}

static void a_cell_tells_formula_numbers_and_cycle(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "deck", "random:5:300:32767");
    drawn_do(&d, "run until attn.state == PROJ_QKV");
    drawn_do(&d, "step 20");
    drawn_draw(&d, 22, 80, true);
    drawn_press(&d, "Left");
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 1, "│ q [64]  query: ln1_out . wq                            c follows the machine │");
    drawn_expect(
        &d, 5, "│    0▲  █ ▆-▇-▅-▆ ▅ ▂ ▃-▄-█ ▃-█-█ ▄ ▇-▂-▇ ▃-█-█▲                              │");
    drawn_expect(
        &d, 17, "│ 84c6 -123.2266  stored by the edge that ended cycle 220                      │");
    drawn_expect(
        &d, 18, "│ narrow(ln1_out . wq[][19])                                                   │");
    drawn_expect(
        &d, 19, "│ = 409d*0126 [29] + 2d8e*ff1c [62] + 62 more = 0084c60a >> 8                  │");
    drawn_expect(
        &d, 20, "│ ! wraps: 132.7734 does not fit in 16 bits                                    │");
    drawn_do(&d, "set q[19] 0x1234");
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 20, "│ ! edited in cycle 221, was 84c6                                              │");
    drawn_close(&d);
}

static void extremes_and_every_kind_of_origin(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "deck", "integration");
    d.state->format = SHOW_BOTH;
    drawn_do(&d, "run until smax.state == FIND_MAX");
    assert_true(view_vectors.find(d.session, d.state, (Target){signal_at(SIG_SMAX_X), 5}));
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 2, "│ min -128.0000 [1]  max 0.2461 [0]  ! 127 at the limit  zeros 0               │");
    drawn_contains(&d, " !8000 -128.0000");
    drawn_contains(&d, "│ mask ");
    drawn_contains(&d, "│ 5 > seq_pos 0: masked");
    assert_true(view_vectors.find(d.session, d.state, (Target){signal_at(SIG_TOKEN_EMB), 2}));
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "set by the host");
    assert_true(view_vectors.find(d.session, d.state,
                                  (Target){signal_at(SIG_WEIGHTS + WEIGHT_W1), 65 * 256 / 2}));
    drawn_draw(&d, 22, 80, true);
    drawn_contains(&d, "a weight: constant");
    drawn_contains(&d, "├ w1[32][128] ");
    assert_false(view_vectors.find(d.session, d.state, (Target){signal_at(SIG_SMAX_I), 0}));
    drawn_close(&d);
}

static void keys_choose_vectors_and_move(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "deck", "integration");
    drawn_do(&d, "token +1");
    drawn_draw(&d, 22, 80, true);
    Target t = view_vectors.target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_TOKEN_EMB)); /* IDLE: nothing to follow */
    drawn_press(&d, "] ] ] ] ] ]");
    drawn_draw(&d, 22, 80, true); /* K: a matrix, so Down is one row */
    drawn_press(&d, "Down Down Right");
    t = view_vectors.target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_K_CACHE));
    assert_int_equal(t.at, 2 * 64 + 1);
    drawn_press(&d, "Up Up Up"); /* stops at the edge */
    assert_int_equal(view_vectors.target(d.session, d.state).at, 1);
    drawn_press(&d, "[ [ [ [ [ [ [");
    assert_ptr_equal(view_vectors.target(d.session, d.state).signal,
                     signal_at(SIG_WEIGHTS + WEIGHT_B2));
    drawn_press(&d, "]");
    assert_ptr_equal(view_vectors.target(d.session, d.state).signal, signal_at(SIG_TOKEN_EMB));
    drawn_press(&d, "H");
    d.state->format = SHOW_HEX;
    drawn_draw(&d, 22, 80, true);
    drawn_expect(
        &d, 3, "├ words in hex ────────────────────────────────────────────────────────────────┤");
    drawn_expect(
        &d, 5, "│    0   0100  0000  0000  0100  0000  0000  0100  0000                        │");
    drawn_press(&d, "c");
    drawn_do(&d, "run until ffn.state == LINEAR1");
    drawn_draw(&d, 22, 80, true);
    assert_ptr_equal(view_vectors.target(d.session, d.state).signal, signal_at(SIG_HIDDEN));
    drawn_close(&d);
}

/* A cycle that touches no vector shows the one touched last, from wherever one comes to it. */
static void following_shows_the_same_from_everywhere(void **state)
{
    static const struct {
        const char *until;
        SignalId shown;
    } cases[] = {{"top.state == LN1_START", SIG_TOKEN_EMB},
                 {"attn.state == SCORE and attn.t == 1", SIG_SCORES},
                 {"smax.state == IDLE and attn.state == SOFTMAX_RUN", SIG_SMAX_X},
                 {"top.state == DONE", SIG_OUT_EMB}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Drawn d;
        char command[96];
        drawn_open(&d, &view_vectors, "deck", "integration");
        drawn_do(&d, "token +1");
        snprintf(command, sizeof command, "run until %s", cases[i].until);
        drawn_do(&d, command);
        drawn_draw(&d, 22, 80, true); /* for the first time */
        assert_ptr_equal(view_vectors.target(d.session, d.state).signal, signal_at(cases[i].shown));
        drawn_do(&d, "run until ffn.state == LINEAR1");
        drawn_draw(&d, 22, 80, true);
        drawn_do(&d, "token -1");
        drawn_do(&d, "token +1");
        drawn_do(&d, command);
        drawn_draw(&d, 22, 80, true);
        assert_ptr_equal(view_vectors.target(d.session, d.state).signal, signal_at(cases[i].shown));
        drawn_close(&d);
    }
}

static void the_list_stands_beside_a_wide_panel(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "deck", "integration");
    drawn_do(&d, "run until attn.state == PROJ_QKV");
    drawn_draw(&d, 57, 120, false);
    drawn_contains(&d, "| . ln1_out                 64 ");
    drawn_contains(&d, "| ^ q                       64 ");
    drawn_contains(&d, "| . wq                   64x64 ");
    drawn_contains(&d, "|   w2                  256x64 ");
    drawn_close(&d);
}

static void any_size_is_drawn_within_its_bounds(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_vectors, "minus8", "random:4:9000:9000");
    drawn_do(&d, "run until attn.state == WEIGHTED_SUM");
    drawn_every_size(&d, 30, 100);
    drawn_draw(&d, 60, 200, true);
    drawn_draw(&d, 1, 1, true);
    OWN(d, VectorsState)->as_words = 1;
    drawn_every_size(&d, 12, 40);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_what_the_coming_edge_stores),
        cmocka_unit_test(a_cell_tells_formula_numbers_and_cycle),
        cmocka_unit_test(extremes_and_every_kind_of_origin),
        cmocka_unit_test(keys_choose_vectors_and_move),
        cmocka_unit_test(following_shows_the_same_from_everywhere),
        cmocka_unit_test(the_list_stands_beside_a_wide_panel),
        cmocka_unit_test(any_size_is_drawn_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
