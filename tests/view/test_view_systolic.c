/* The systolic view: the picture on known operands, the machine's products against what the machine
 * then stores, every size. */
#include "drawn.h"

#include "engine/fixed_point.h"
#include "tui/view/systolic/systolic.h"

static Drawn d;

static void keys(const char *names)
{
    drawn_press(&d, names);
}

static void draw(int rows, int cols)
{
    drawn_draw(&d, rows, cols, true);
}

static void type(const char *text)
{
    Err err = {0};
    if (!systolic_type(view_own(d.state), text, &err))
        fail_msg("%s", err.text);
}

static void test_the_published_product_edge_by_edge(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "integration");
    type("published");
    draw(21, 80);
    drawn_expect(
        &d, 0, "╭ systolic 2 x 2  K 2  edge 0 of 0..3  fill ───────────────────────────────────╮");
    drawn_contains(&d, "├ [[1,2],[3,4]] x [[5,6],[7,8]] = [[19,22],[43,50]] ─");
    drawn_contains(&d, "PE 0,0  wavefront 0  acc += a * w   0001 * 0005 = 1 * 5");
    drawn_contains(&d, "acc 00000000 + 00000005 = 00000005");
    drawn_contains(&d, "done 0: rises on edge 2; the last sum is final on edge 3");
    keys(". .");
    draw(21, 80);
    drawn_contains(&d, " edge 2 of 0..3  drain ");
    drawn_contains(&d, "3 of 4 PEs multiply: 75 %");
    drawn_contains(&d, "MACs 4 of 8   utilisation 50.0 %");
    keys(". Down Right"); /* edge 2 has passed: 19 22 43 18, and done */
    draw(21, 80);
    drawn_contains(&d, "! done 1 since edge 2, but sums change up to edge 3: it knows no K");
    drawn_contains(&d, "PE 1,1  wavefront 1  acc += a * w   0004 * 0008 = 4 * 8");
    drawn_contains(&d, "acc 00000012 + 00000020 = 00000032");
    keys(".");
    draw(21, 80);
    drawn_contains(&d, " after edge 3  final ");
    drawn_contains(&d, "done 1 since edge 2; the last sum became final on edge 3");
    drawn_contains(&d, "finished: all sums are final");
    drawn_contains(&d, "acc 00000032 = 50");
    keys(". . ."); /* there is nothing beyond */
    keys(", D");
    draw(21, 80);
    drawn_contains(&d, " edge 3 of 0..3 ");
    drawn_contains(&d, "legacy done 0: rises on edge 3; the last sum is final on edge 3");
    drawn_close(&d);
}

static void test_the_screen_in_the_fill(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "╭ systolic 4 x 4  K 8  edge 5 of 0..13  fill ──────────────────────────────────╮",
        "│                                   b0          b1          b2          b3     │",
        "│                                               0066        00a2        00de   │",
        "│                                   ffb8        fff4        0030       │006c│  │",
        "│                                   ff46        ff82       │ffbe│      │fffa│  │",
        "│                                   011a       │ff10│      │ff4c│      │ff88│  │",
        "│                                      ↓           ↓           ↓           ↓   │",
        "│   a0      0038 ff10 0110 → ►5 00018870→►4 ffffeaa0→►3 00003390→►2 fffef170   │",
        "│                                      ↓           ↓           ↓           ↓   │",
        "│   a1 0000 fed8 00d8│ffb0│→ ►4 fffe7190→►3 ffff9fd0→►2 ffffe5c0→►1 000141c0   │",
        "│                                      ↓           ↓           ↓           ↓   │",
        "│   a2 fea0 00a0│ff78│0178│→ ►3 ffff3310→►2 ffff7c30→►1 00004560→►0 00000000   │",
        "│                                      ↓           ↓           ↓           ↓   │",
        "│   a3 0068│ff40│0140│0018│→ ►2 ffffaae0→►1 ffff9520→►0 00000000→   00000000   │",
        "├ an example: 4 tokens at once, A 4 x 8, B 8 x 4 ──────────────────────────────┤",
        "│ ▁▁▂▂▃▃▅▅▇▇████████▇▇▅▅▃▃▂▂▁▁  15 of 16 PEs multiply: 94 %                    │",
        "│ fill        steady drain      MACs 33 of 128   utilisation 57.1 %            │",
        "│ done 0: rises on edge 6; the last sum is final on edge 13                    │",
        "│ PE 0,0  wavefront 5  acc += a * w   0110 * 011a = 1.0625 * 1.1015625         │",
        "│         acc 00018870 + 00012ba0 = 0002b410                                   │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
    };
    drawn_open(&d, &view_systolic, "deck", "integration");
    d.state->format = SHOW_HEX;
    keys(". . . . .");
    draw(21, 80);
    for (int y = 0; y < 21; y++)
        drawn_expect(&d, y, rows[y]);
    /* the mark, the wavefront's own shade, the sum under the cursor; the next one has just changed
     */
    drawn_expect_roles(&d, 7, 29, "AE.XXXXXXXXRAH.CCCCCCCCRAF.");
    drawn_expect_roles(&d, 13, 29, "AI.CCCCCCCCRAG.CCCCCCCCRAE.........d...dddddddd");
    keys("Home");
    draw(21, 80);
    drawn_contains(&d, " edge 0 of 0..13  fill ");
    keys("End");
    draw(21, 80);
    drawn_contains(&d, " after edge 13  final ");
    drawn_close(&d);
}

static void test_an_edge_back_is_the_same_picture(void **state)
{
    (void)state;
    char before[8192];
    drawn_open(&d, &view_systolic, "deck", "integration");
    keys(". . . . . .");
    draw(40, 120);
    snprintf(before, sizeof before, "%s", buf_str(&d.text));
    keys(". . . , , ,");
    draw(40, 120);
    assert_string_equal(buf_str(&d.text), before);
    drawn_close(&d);
}

static void test_one_token_fills_one_row(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "integration");
    keys("o o . . . . .");
    draw(28, 100);
    drawn_contains(&d, "one token: a vector times a matrix keeps one row of 4 busy");
    drawn_contains(&d, "4 of 16 PEs multiply: 25 %");
    drawn_contains(&d, "1 at once uses 14.3 % of the array, 4 at once 57.1 %");
    keys("Down");
    draw(28, 100);
    drawn_contains(&d, "PE 1,0  ░ padding: outside of this product");
    drawn_close(&d);
}

static void test_typed_operands_and_their_tiles(void **state)
{
    (void)state;
    Err err;
    drawn_open(&d, &view_systolic, "deck", "integration");
    type("1 2; 3 4; 5 6; 7 8; 9 10 x 1; -1");
    draw(24, 80);
    drawn_contains(&d, " K 2  tile 1 of 2  edge 0 ");
    drawn_contains(&d, "as typed: 5 x 2 times 2 x 1");
    keys("> End");
    draw(24, 80);
    drawn_contains(&d, " tile 2 of 2  after edge 7  final ");
    drawn_contains(&d, "acc ffffffff = -1");
    type("0.5 -0.25 x 2;4");
    assert_int_equal(d.state->format, SHOW_HEX);
    draw(24, 80);
    drawn_contains(&d, "0080 * 0200 = 0.5 * 2");
    assert_false(systolic_type(view_own(d.state), "1 2 3", &err));
    assert_string_equal(err.text, "systolic 1 2 3: must be A x B (1 2; 3 4 x 5 6; 7 8), example, "
                                  "published, token or machine");
    assert_false(systolic_type(view_own(d.state), "1 2 x 3", &err));
    assert_string_equal(err.text, "A is 1 x 2, B is 1 x 1: a column of A for each row of B");
    assert_int_equal(OWN(d, SystolicState)->source, SYSTOLIC_TYPED); /* as it was */
    drawn_contains(&d, "0080 * 0200");
    drawn_close(&d);
}

static void test_a_sum_that_wraps_is_marked(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "integration");
    type("-32768 -32768 x -32768;-32768");
    keys(".");
    draw(24, 80);
    drawn_contains(&d, "acc 40000000 + 40000000 = 80000000  ! wraps: more than 32 bits");
    keys(".");
    draw(24, 80);
    drawn_contains(&d, "x80000000"); /* -2147483648 is too long for the column */
    drawn_close(&d);
}

/* The product that the view shows, run to its end: sum c of the first row. */
static int32_t machine_sum(int c, char *about, size_t size)
{
    static Product p;
    SystolicArray s;
    SystolicState v = {.source = SYSTOLIC_MACHINE};
    bool q88 = false;
    p.rows = 4;
    p.cols = 4;
    systolic_operands(d.session, &v, &p, &q88, about, size);
    assert_true(q88);
    product_run(&p, 0, product_edges(&p), &s);
    return s.pe[0][c].acc;
}

static int16_t word(SignalId id, int at)
{
    return (int16_t)signal_get(session_engine(d.session), signal_at(id), at);
}

static void test_the_machine_s_products_are_what_it_stores(void **state)
{
    (void)state;
    char about[160];
    drawn_open(&d, &view_systolic, "repaired", "random:7");
    drawn_do(&d, "goto 7000"); /* behind QKV of token 2 */
    drawn_do(&d, "run until attn.state == PROJ_QKV and attn.i == 5");
    int32_t sum = machine_sum(2, about, sizeof about);
    assert_string_equal(about, "ln1_out x wq, columns 4..7  (qkv, at work now)");
    drawn_do(&d, "step 10");
    assert_int_equal(narrow(sum), word(SIG_Q, 6));

    drawn_do(&d, "run until attn.state == SCORE and attn.h == 2 and attn.t == 0");
    sum = machine_sum(1, about, sizeof about);
    assert_string_equal(about, "head 2: q x K of positions 0..3  (score, at work now)");
    drawn_do(&d, "step 5");
    const Config *c = engine_config(session_engine(d.session));
    assert_int_equal(fp_mul(narrow(sum), c->score_scale), word(SIG_SCORES, 2 * 128 + 1));

    drawn_do(&d, "run until attn.state == WEIGHTED_SUM and attn.h == 1");
    sum = machine_sum(3, about, sizeof about);
    assert_string_equal(about, "head 1: probs x V, dimensions 0..3  (weighted_sum, at work now)");
    drawn_do(&d, "step 5");
    assert_int_equal(narrow(sum), word(SIG_CONCAT, 16 + 3));

    drawn_do(&d, "run until attn.state == OUTPUT_PROJ and attn.i == 60");
    sum = machine_sum(0, about, sizeof about);
    assert_string_equal(about, "concat x wo, columns 60..63  (out_proj, at work now)");
    drawn_do(&d, "step 5");
    assert_int_equal(narrow(sum), word(SIG_ATTN_OUT, 60));

    drawn_do(&d, "run until top.state == FFN_START");
    sum = machine_sum(1, about, sizeof about);
    assert_string_equal(about, "ln2_out x w1, columns 0..3  (ffn_linear1, the next product)");
    drawn_do(&d, "run until ffn.state == RELU");
    int16_t b1 = word((SignalId)(SIG_WEIGHTS + WEIGHT_B1), 1);
    assert_int_equal(low16(narrow(sum) + b1), word(SIG_HIDDEN, 1));

    drawn_do(&d, "run until ffn.state == LINEAR2");
    sum = machine_sum(3, about, sizeof about);
    assert_string_equal(about, "hidden x w2, columns 0..3  (ffn_linear2, at work now)");
    drawn_do(&d, "run until top.state == DONE");
    int16_t b2 = word((SignalId)(SIG_WEIGHTS + WEIGHT_B2), 3);
    assert_int_equal(low16(narrow(sum) + b2), word(SIG_FFN_OUT, 3));
    drawn_close(&d);
}

/* q, k and v side by side: with five columns the second tile begins in q and ends in k. */
static void test_the_array_s_tile_is_what_it_stores(void **state)
{
    (void)state;
    char about[160];
    static Product p;
    SystolicState v = {.source = SYSTOLIC_MACHINE};
    SystolicArray s;
    bool q88 = false;
    drawn_open(&d, &view_systolic, "deck", "random:1");
    drawn_do(&d, "config variant=array d_model=8 n_heads=2 d_ff=6 max_seq_len=4 pe_cols=5");
    drawn_do(&d, "run until attn.state == PROJ_QKV and attn.i == 5");
    p.rows = 4;
    p.cols = 5;
    systolic_operands(d.session, &v, &p, &q88, about, sizeof about);
    assert_string_equal(about, "ln1_out x wq wk wv side by side, columns 5..9  (qkv, at work now)");
    product_run(&p, 0, product_edges(&p), &s);
    drawn_do(&d, "run until attn.state == PROJ_STORE");
    for (int c = 0; c < 5; c++)
        assert_int_equal(signal_get(session_engine(d.session), signal_at(SIG_ARRAY_ACC), c),
                         s.pe[0][c].acc);
    drawn_do(&d, "step");
    assert_int_equal(narrow(s.pe[0][2].acc), word(SIG_Q, 7));
    assert_int_equal(narrow(s.pe[0][4].acc), word(SIG_K, 1));
    drawn_close(&d);
}

/* In variant array the picture is the machine's own array, without a key. */
static void test_the_machine_s_array_is_live(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "random:1");
    drawn_do(&d, "config variant=array");
    drawn_do(&d, "run until attn.state == PROJ_QKV and attn.i == 8");
    draw(21, 80);
    drawn_contains(&d, "╭ systolic 4 x 4  K 64  live  edge 0 of 0..66  fill ─");
    drawn_contains(&d, "├ ln1_out x wq wk wv side by side, columns 8..11  (qkv, at work now) ─");
    char want[40], before[8192];
    for (int edge = 1; edge < 67; edge++) { /* clocks of the decoder are edges of the array */
        drawn_do(&d, "step");
        draw(21, 80);
        snprintf(want, sizeof want, " edge %d of 0..66 ", edge);
        drawn_contains(&d, want);
        for (int c = 0; c < 4; c++) {
            const Signal *acc = signal_at(SIG_ARRAY_ACC);
            snprintf(want, sizeof want, "%08x",
                     (unsigned)signal_get(session_engine(d.session), acc, c));
            drawn_contains(&d, want);
        }
    }
    drawn_do(&d, "step");
    draw(21, 80);
    assert_string_equal(signal_state_name(signal_at(SIG_ATTN_ARRAY_STATE),
                                          signal_get(session_engine(d.session),
                                                     signal_at(SIG_ATTN_ARRAY_STATE), 0)),
                        "PROJ_STORE");
    drawn_contains(&d, " live  after edge 66  final ");
    drawn_contains(&d, "MACs 256 of 256   utilisation 23.9 %"); /* as the machine counts it */
    draw(30, 120);
    drawn_contains(&d, "1 at once uses 23.9 % of the array, 4 at once 91.4 %");
    drawn_do(&d, "step");
    draw(21, 80);
    drawn_contains(&d, " live  edge 0 of 0..66  fill ");
    drawn_contains(&d, " columns 12..15  (qkv, at work now) ");
    drawn_do(&d, "step 9");
    draw(21, 80);
    snprintf(before, sizeof before, "%s", buf_str(&d.text));
    drawn_do(&d, "step 30");
    drawn_do(&d, "back 30");
    draw(21, 80);
    assert_string_equal(buf_str(&d.text), before);
    drawn_do(&d, "set array.acc[0][2] 0x0badcafe"); /* the registers, not what they should hold */
    draw(21, 80);
    drawn_contains(&d, "0badcafe");
    drawn_close(&d);
}

/* Its edges can be looked at while the machine stands, or goes on; c returns to it. */
static void test_the_live_picture_is_held_and_let_go(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "random:1");
    drawn_do(&d, "config variant=array d_ff=5");
    drawn_do(&d, "run until ffn.state == LINEAR2");
    drawn_do(&d, "step 3");
    draw(21, 80);
    drawn_contains(&d, " K 5  live  edge 3 of 0..7 ");
    drawn_contains(&d, "├ hidden x w2, columns 0..3  (ffn_linear2, at work now) ─");
    drawn_lacks(&d, "c follow");
    keys(",");
    draw(21, 80);
    drawn_contains(&d, " K 5  edge 2 of 0..7 ");
    drawn_do(&d, "step");
    draw(21, 80);
    drawn_contains(&d, " K 5  edge 2 of 0..7 ");
    keys("c");
    draw(21, 80);
    drawn_contains(&d, " live  edge 4 of 0..7 ");
    keys("Right");
    Target t = d.view->target(d.session, d.state);
    assert_ptr_equal(t.signal, signal_at(SIG_ARRAY_ACC));
    assert_int_equal(t.at, 1);
    keys("o");
    draw(21, 80);
    drawn_contains(&d, "├ an example: 4 tokens at once, ");
    assert_null(d.view->target(d.session, d.state).signal);
    assert_true(d.view->find(d.session, d.state, (Target){signal_at(SIG_ARRAY_ACC), 4 * 2 + 3}));
    draw(21, 80);
    drawn_contains(&d, " live  edge 4 of 0..7 ");
    drawn_contains(&d, "PE 2,3  ░ padding");
    drawn_do(&d, "run until attn.state == SCORE"); /* these products are made elsewhere */
    draw(21, 80);
    drawn_contains(&d, "(score, not on the array)");
    drawn_lacks(&d, " live ");
    draw(14, 60);
    drawn_contains(&d, "├ head 0: q x K of positions 0..1 ─");
    drawn_close(&d);
    drawn_open(&d, &view_systolic, "deck", "random:1"); /* bridge has no array */
    type("machine");
    drawn_do(&d, "run until attn.state == PROJ_QKV");
    drawn_do(&d, "step 3");
    draw(21, 80);
    drawn_lacks(&d, " live ");
    drawn_contains(&d, " edge 0 of 0..69 ");
    assert_null(d.view->target(d.session, d.state).signal);
    assert_false(d.view->find(d.session, d.state, (Target){signal_at(SIG_ARRAY_ACC), 0}));
    drawn_close(&d);
}

static void test_every_size(void **state)
{
    (void)state;
    drawn_open(&d, &view_systolic, "deck", "random:3");
    for (int source = 0; source < SYSTOLIC_TYPED; source++) {
        OWN(d, SystolicState)->source = source;
        OWN(d, SystolicState)->edge = 2 + source;
        d.state->format = source % 2 ? SHOW_VALUE : SHOW_HEX;
        drawn_every_size(&d, 26, 100);
    }
    drawn_close(&d);
    drawn_open(&d, &view_systolic, "deck", "random:3");
    drawn_do(&d, "config pe_rows=16");
    drawn_do(&d, "config pe_cols=16");
    OWN(d, SystolicState)->edge = 20;
    d.state->row = 15;
    drawn_every_size(&d, 26, 100);
    draw(12, 60); /* rows scroll with the cursor */
    drawn_contains(&d, "│   a15");
    drawn_close(&d);
    static const char *const odd[] = {"pe_rows=1 pe_cols=1", "pe_rows=16 pe_cols=16",
                                      "pe_rows=16 pe_cols=1"};
    for (int i = 0; i < 3; i++) {
        char config[120];
        drawn_open(&d, &view_systolic, "deck", "random:3");
        snprintf(config, sizeof config,
                 "config variant=array d_model=8 n_heads=1 d_ff=1 max_seq_len=1 %s", odd[i]);
        drawn_do(&d, config);
        drawn_do(&d, "run until ffn.state == LINEAR2");
        drawn_do(&d, "step");
        drawn_every_size(&d, 26, 70);
        drawn_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_published_product_edge_by_edge),
        cmocka_unit_test(test_the_screen_in_the_fill),
        cmocka_unit_test(test_an_edge_back_is_the_same_picture),
        cmocka_unit_test(test_one_token_fills_one_row),
        cmocka_unit_test(test_typed_operands_and_their_tiles),
        cmocka_unit_test(test_a_sum_that_wraps_is_marked),
        cmocka_unit_test(test_the_machine_s_products_are_what_it_stores),
        cmocka_unit_test(test_the_array_s_tile_is_what_it_stores),
        cmocka_unit_test(test_the_machine_s_array_is_live),
        cmocka_unit_test(test_the_live_picture_is_held_and_let_go),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
