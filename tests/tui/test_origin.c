/* Where a word came from: Enter on an operand, O, `origin`, and the way back. */
#include "explorer.h"

static Explorer open_on(const char *first, const char *until)
{
    Explorer x;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, first);
    tui_do(x.tui, until);
    tui_settle(x.tui);
    press(&x, "1");
    return x;
}

static void assert_at(Explorer *x, uint64_t cycle, const char *name)
{
    char target[64];
    assert_int_equal(engine_cycle(session_engine(x->session)), cycle);
    assert_true(tui_target_name(x->tui, target, sizeof target, NULL));
    assert_string_equal(target, name);
}

/* decoder.md section 9: LN1 takes 3D+5, PROJ_QKV D+1 cycles: the score's K[0] is written by the
 * edge of cycle 266, k[0] by that of 201, ln1_out[0] by that of 133. */
static void enter_walks_back_from_store_to_store(void **state)
{
    (void)state;
    Explorer x = open_on("preset deck", "run until attn.state == SCORE");
    assert_at(&x, 267, "scores[0][0]");
    press(&x, "Right");
    assert_at(&x, 267, "q[0]");
    press(&x, "Right Right Right"); /* there are two */
    assert_at(&x, 267, "K[0][0]");
    assert_shows(&x, "this clock: operand 2 of 2, K[0][0..15]: O goes to its origin");
    press(&x, "Enter");
    assert_at(&x, 266, "K[0][0]");
    assert_shows(&x, "K[0][0]: this clock's edge stores it; Backspace goes back");
    press(&x, "Right Enter");
    assert_at(&x, 201, "k[0]");
    press(&x, "Right Enter");
    assert_at(&x, 133, "ln1_out[0]");
    press(&x, "BS");
    assert_at(&x, 201, "ln1_out[0]"); /* the operand that was chosen there */
    press(&x, "BS BS");
    assert_at(&x, 267, "K[0][0]");
    press(&x, "Left Left");
    assert_at(&x, 267, "scores[0][0]");
    explorer_close(&x);
}

/* The operation stores a row; what is followed is one word of it. */
static void an_element_of_a_row_is_followed_alone(void **state)
{
    (void)state;
    Explorer x = open_on("preset deck", "run until attn.state == SCORE");
    tui_do(x.tui, "cursor K[0][20]");
    press(&x, "O");
    assert_at(&x, 266, "K[0][20]");
    press(&x, "1 Right");
    assert_at(&x, 266, "k[20]");
    press(&x, "Enter");
    assert_at(&x, 221, "k[20]");
    press(&x, "space Right"); /* a choice lasts a cycle */
    assert_at(&x, 222, "ln1_out[0]");
    explorer_close(&x);
}

static void what_no_clock_wrote_is_shown_where_it_is(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"origin wq[3][5]", "wq[3][5] is a weight: it was there before the first clock"},
        {"origin token_emb[2]", "token_emb[2] is a pin: the host sets it"},
        {"origin probs[0][0]", "probs[0][0]: nothing has stored it yet"},
    };
    Explorer x = open_on("preset deck", "goto 100");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        tui_do(x.tui, lines[i][0]);
        assert_shows(&x, lines[i][1]);
        assert_at(&x, 100, lines[i][0] + strlen("origin "));
    }
    tui_do(x.tui, "origin nothing[3]");
    assert_shows(&x, "nothing");
    assert_hides(&x, "goes back");
    explorer_close(&x);
}

static void an_edit_is_an_origin(void **state)
{
    (void)state;
    Explorer x = open_on("preset deck", "goto 300");
    tui_do(x.tui, "set q[7] 0x0123");
    tui_do(x.tui, "goto 900");
    tui_do(x.tui, "origin q[7]");
    assert_at(&x, 300, "q[7]");
    assert_shows(&x, "q[7] was edited by hand, before this clock; Backspace goes back");
    press(&x, "BS");
    assert_int_equal(engine_cycle(session_engine(x.session)), 900);
    explorer_close(&x);
}

/* In the array a tile's sums are stored together; registers have origins too. */
static void other_variants_and_registers(void **state)
{
    (void)state;
    Explorer x = open_on("config preset=deck variant=array", "run until attn.state == SCORE");
    uint64_t before = engine_cycle(session_engine(x.session));
    press(&x, "Right Enter");
    assert_true(engine_cycle(session_engine(x.session)) < before);
    assert_shows(&x, "q[0]: this clock's edge stores it");
    tui_do(x.tui, "run until smax.state == RECIP");
    tui_settle(x.tui);
    tui_do(x.tui, "origin softmax.max");
    assert_shows(&x, "softmax.max: this clock's edge stores it");
    explorer_close(&x);
}

static void without_operands_enter_shows_the_element(void **state)
{
    (void)state;
    Explorer x = open_on("preset deck", "goto 0");
    press(&x, "Right");
    assert_shows(&x, "this operation has no operands to choose from");
    tui_do(x.tui, "goto 203");
    press(&x, "1 Enter");
    assert_int_equal(x.tui->panes.order[x.tui->panes.focus], view_find("vectors", NULL));
    assert_at(&x, 203, "q[2]");
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enter_walks_back_from_store_to_store),
        cmocka_unit_test(an_element_of_a_row_is_followed_alone),
        cmocka_unit_test(what_no_clock_wrote_is_shown_where_it_is),
        cmocka_unit_test(an_edit_is_an_origin),
        cmocka_unit_test(other_variants_and_registers),
        cmocka_unit_test(without_operands_enter_shows_the_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
