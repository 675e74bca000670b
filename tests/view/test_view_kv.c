/* The KV cache view: what is written and read, where, and how much there is of it. */
#include "drawn.h"
#include "tui/view/kv/kv_view.h"

static Drawn k;

static void test_the_size_is_32_kib_at_the_defaults(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "integration");
    k.unfocused = true;
    drawn_draw(&k, 24, 80, true);
    drawn_expect(
        &k, 0, "╭ KV cache  K  position 0 of 0..127  token 0 ──────────────────────────────────╮");
    drawn_expect(
        &k, 1, "│ K and V: 2 * 128 positions * 64 dimensions * 2 bytes = 32 KiB (16 KiB each)  │");
    drawn_expect(
        &k, 2, "│ pos  word head 0          │head 1          │head 2          │head 3          │");
    drawn_expect(
        &k, 3, "│           0       8       │16      24      │32      40      │48      56      │");
    drawn_expect(
        &k, 4, "│   0░ 0000 row of this token: WRITE_CACHE fills it                            │");
    drawn_expect(
        &k, 5, "│   1░ 0040 never written: nothing reads beyond position 0                     │");
    drawn_expect(
        &k, 6, "│   2░ 0080                 │                │                │                │");
    drawn_contains(&k, "Row 0 is written once k and v of this token are made. Key f leads there.");
    drawn_close(&k);
}

static void test_the_row_being_written_is_marked_and_then_changed(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "random:5");
    k.unfocused = true;
    drawn_do(&k, "run until attn.state == WRITE_CACHE");
    drawn_draw(&k, 24, 80, true);
    drawn_expect(
        &k, 2, "│ pos  word head 0▲▲▲▲▲▲▲▲▲▲│head 1▲▲▲▲▲▲▲▲▲▲│head 2▲▲▲▲▲▲▲▲▲▲│head 3▲▲▲▲▲▲▲▲▲▲│");
    drawn_expect(
        &k, 4, "│   0▲ 0000 ▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲│▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲│▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲│▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲▲│");
    drawn_expect_roles(&k, 4, 1, "WWWWW.dddd.WWWWWWWWWWWWWWWWfWW");
    drawn_contains(&k, "▲ k and v go into row 0 of K and of V: 64 words each, on one edge");
    drawn_contains(&k, "not yet written: WRITE_CACHE of this token does it");
    drawn_do(&k, "step");
    drawn_draw(&k, 24, 80, true);
    drawn_expect_roles(&k, 4, 12,
                       "RRRRRRRRRRRRRRRRfCCCC"); /* head 0 is read now, the rest has changed */
    drawn_close(&k);
}

/* Each machine has its own states before WRITE_CACHE; the row counts from then on only. */
static void test_the_row_is_not_written_while_any_machine_projects(void **state)
{
    (void)state;
    static const char *const variants[] = {"config variant=bridge", "config variant=stream",
                                           "config variant=array"};
    static const char *const projecting[] = {"run until attn.state == PROJ_QKV",
                                             "run until attn.state == PROJ_STORE",
                                             "run until attn.state == PROJ_DRAIN"};
    static const char *const blank = "Row 0 is written once k and v of this token are made.";
    for (int v = 0; v < 3; v++) {
        drawn_open(&k, &view_kv, "deck", "random:5");
        drawn_do(&k, variants[v]);
        drawn_do(&k, projecting[v]);
        drawn_draw(&k, 24, 80, true);
        drawn_contains(&k, blank);
        drawn_do(&k, "run until attn.state == SCORE");
        drawn_draw(&k, 24, 80, true);
        assert_null(strstr(buf_str(&k.text), blank));
        drawn_close(&k);
    }
}

static void test_score_reads_one_head_of_one_row_of_K(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "random:5");
    k.unfocused = true;
    drawn_do(&k, "goto 15000"); /* token 5 */
    drawn_do(&k, "run until attn.state == SCORE and attn.h == 2 and attn.t == 1");
    const Engine *e = session_engine(k.session);
    int pos = signal_get(e, signal_at(SIG_SEQ_POS), 0);
    assert_in_range(pos, 2, 10);
    drawn_draw(&k, 24, 80, true);
    drawn_expect(
        &k, 2, "│ pos  word head 0          │head 1          │head 2··········│head 3          │");
    drawn_expect_roles(&k, 5, 46, "RRRRRRRRRRRRRRRR");
    drawn_expect_roles(&k, 5, 1, "RRRRR.dddd");
    drawn_contains(&k, "· score of head 2, position 1: q[32..47] times K[1][32..47]");
    char want[64];
    int32_t raw = signal_get(e, signal_at(SIG_K_CACHE), 64 + 32);
    snprintf(want, sizeof want, "├ K[1][32]  head 2, dimension 0 of it ─");
    drawn_contains(&k, want);
    snprintf(want, sizeof want, "│ holds %04x = ", (unsigned)raw & 0xffff);
    drawn_contains(&k, want);
    snprintf(want, sizeof want, "│ word 1*64 + 32 = 0x0060   bytes 0x00c0 %02x, 0x00c1 %02x ",
             (unsigned)raw & 0xff, (unsigned)raw >> 8 & 0xff);
    drawn_contains(&k, want);
    drawn_contains(&k, "│ written by the edge that ended cycle 3220, in token 1 ");
    drawn_close(&k);
}

static void test_weighted_sum_reads_all_live_rows_of_V(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "repaired", "random:9");
    k.unfocused = true;
    drawn_do(&k, "goto 6000"); /* token 2 */
    drawn_do(&k, "run until attn.state == WEIGHTED_SUM and attn.h == 1");
    drawn_press(&k, "v");
    drawn_draw(&k, 24, 80, true);
    assert_int_equal(signal_get(session_engine(k.session), signal_at(SIG_SEQ_POS), 0), 2);
    for (int row = 0; row <= 2; row++) {
        drawn_expect_roles(&k, 4 + row, 1, "RRRRR");
        drawn_expect_roles(&k, 4 + row, 28, "fRRRRRRRRRRRRRRRRf");
    }
    drawn_expect_roles(&k, 7, 1, "mmmmm");
    drawn_contains(&k, "· head 1: V[0..2][16..31], each row times its probability");
    drawn_close(&k);
}

/* Variant stream's memories have one port: a word a cycle is addressed, and one is written. */
static void test_stream_touches_a_word_a_cycle(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "repaired", "random:5");
    k.unfocused = true;
    drawn_do(&k, "config variant=stream d_model=8 n_heads=2 d_ff=4 max_seq_len=8");
    drawn_do(&k, "token +1");
    drawn_do(&k, "run until cache.writing == 1");
    drawn_do(&k, "step 3"); /* elements 0..2 of row 1 are there; head 0 meets position 0 */
    drawn_draw(&k, 24, 80, true);
    drawn_expect_roles(&k, 4, 1, "RRRRR");
    drawn_expect_roles(&k, 5, 1, "WWWWW");
    drawn_expect_roles(&k, 4, 15, "R");
    drawn_expect_roles(&k, 5, 14, "CWfmmmm");
    drawn_contains(&k, "▲ k[3] and v[3] go into row 1   · K[0][3] is addressed");
    drawn_contains(&k, "├ K[0][3]  head 0, dimension 3 of it ─");
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_K_CACHE), 8 + 4}));
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "not yet written: WRITE_CACHE of this token does it");
    drawn_press(&k, "c");
    drawn_do(&k, "run until attn.h == 1 and attn.t == 0 and attn.state == SCORE");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "· K[0][5] is addressed; next cycle: times q[5]");
    drawn_lacks(&k, "▲");
    drawn_do(&k, "run until attn.t == 1 and attn.state == SCORE");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "· K[1][5] is addressed; used is register k: this token's own");
    drawn_do(&k, "run until attn.h == 1 and attn.d == 2 and attn.state == WSUM_ADDR");
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "· V[0][6] is addressed; next cycle: times probs[1][0]");
    drawn_expect_roles(&k, 4, 1, "....."); /* K stands left, V right */
    drawn_expect_roles(&k, 4, 41, "RRRRR");
    drawn_expect_roles(&k, 5, 41, ".....");
    drawn_close(&k);
}

/* f goes from what is done with the cache to the next such thing, in few keys in every machine. */
static void test_a_phase_is_a_key_in_every_machine(void **state)
{
    (void)state;
    static const char *const variants[] = {"config variant=bridge", "config variant=stream",
                                           "config variant=array"};
    static const char *const states[][7] = {
        {"PROJ_QKV", "WRITE_CACHE", "SCORE", "SOFTMAX_PREP", "WEIGHTED_SUM", "OUTPUT_PROJ", "DONE"},
        {"PROJ_ADDR", "WRITE_CACHE", "SCORE_ADDR", "SOFTMAX_PREP", "WSUM_ADDR", "OPROJ_ADDR",
         "DONE"},
        {"PROJ_QKV", "WRITE_CACHE", "SCORE", "SOFTMAX_PREP", "WEIGHTED_SUM", "OUTPUT_PROJ", "DONE"},
    };
    for (int v = 0; v < 3; v++) {
        drawn_open(&k, &view_kv, "deck", "random:5");
        drawn_do(&k, variants[v]);
        const Engine *e = session_engine(k.session);
        const Signal *attn = signal_in(e, SIG_ATTN_STATE);
        for (int token = 0; token < 2; token++) {
            for (int i = 0; i < 7; i++) {
                drawn_press(&k, "f");
                assert_string_equal(signal_state_name(attn, signal_get(e, attn, 0)), states[v][i]);
            }
            assert_int_equal(session_host(k.session)->token, token);
        }
        drawn_close(&k);
    }
}

static void test_heat_is_on_a_scale_of_a_power_of_two(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "integration");
    k.unfocused = true;
    session_goto(k.session, 2900);
    drawn_draw(&k, 24, 80, true);
    /* 0.246 of 0.25: nearly full blocks; signs by role */
    drawn_expect(
        &k, 4, "│   0  0000 ████████████████│████████████████│████████████████│████████████████│");
    drawn_expect_roles(&k, 4, 12, "IiIiIiIiIiIiIiIif");
    drawn_contains(&k, "holds 003f = 0.24609375     full block: 0.25");
    drawn_close(&k);
}

static void test_words_scroll_sideways_with_the_cursor(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "random:5");
    k.unfocused = true;
    session_goto(k.session, 6100);
    const Engine *e = session_engine(k.session);
    drawn_draw(&k, 24, 80, true); /* the cursor is on the row of this token, 2 */
    drawn_press(&k, "H");
    for (int i = 0; i < 63; i++)
        drawn_press(&k, "Right");
    drawn_press(&k, "Up");
    drawn_draw(&k, 24, 80, true);
    Target t = k.view->target(k.session, k.state);
    assert_ptr_equal(t.signal, signal_at(SIG_K_CACHE));
    assert_int_equal(t.at, 64 + 63);
    for (int dim = 55; dim < 64; dim++) {
        char hex[8];
        signal_hex(e, t.signal, signal_get(e, t.signal, 64 + dim), hex, sizeof hex);
        drawn_contains(&k, hex);
    }
    drawn_contains(&k, "├ K[1][63]  head 3, dimension 15 of it ─");
    drawn_close(&k);
}

static void test_find_and_pokes_beyond_the_present_position(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "integration");
    k.unfocused = true;
    session_goto(k.session, 2900);
    drawn_do(&k, "set V[7][20] 0x0123");
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_V_CACHE), 7 * 64 + 20}));
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "├ V[7][20]  head 1, dimension 4 of it");
    drawn_contains(&k, "holds 0123 = 1.13671875");
    drawn_contains(&k, "! edited in cycle 2900, was 0000");
    drawn_do(&k, "set V[0][20] 0x0456"); /* written by an edge before */
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_V_CACHE), 20}));
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "! edited in cycle 2900, was ");
    drawn_lacks(&k, "written by the edge");
    assert_true(k.view->find(k.session, k.state, (Target){signal_at(SIG_V_CACHE), 7 * 64 + 21}));
    drawn_draw(&k, 24, 80, true);
    drawn_contains(&k, "never written: as it was at power-up");
    drawn_expect_roles(&k, 4 + 7, 1, "mmmmm");
    assert_false(k.view->find(k.session, k.state, (Target){signal_at(SIG_K), 0}));
    drawn_close(&k);
}

static void test_wide_panes_show_both_memories(void **state)
{
    (void)state;
    drawn_open(&k, &view_kv, "deck", "random:5");
    k.unfocused = true;
    session_goto(k.session, 2900);
    drawn_draw(&k, 60, 200, true);
    drawn_contains(&k, "KV cache  K and V  position 0 of 0..127");
    char row[2048];
    drawn_row(&k.text, 2, row, sizeof row);
    assert_non_null(strstr(strstr(row, "head 3") + 6, "head 3"));
    drawn_close(&k);
}

static void test_every_size(void **state)
{
    (void)state;
    static const uint64_t cycles[] = {0, 266, 267, 2355, 2354, 6100};
    drawn_open(&k, &view_kv, "deck", "random:5");
    k.unfocused = true;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        session_goto(k.session, cycles[i]);
        OWN(k, KvState)->as_words = i % 2 ? 1 : 0;
        drawn_every_size(&k, 30, 100);
    }
    session_goto(k.session, 2900);
    drawn_as_at_first(&k);
    drawn_draw(&k, 1, 1, true);
    assert_string_equal(buf_str(&k.text), "K\n");
    drawn_draw(&k, 5, 20, true);
    drawn_expect(&k, 1, "│ pos  head 0      │");
    drawn_draw(&k, 16, 60, false);
    drawn_expect(&k, 3, "|           0       8       |16      24      |32      40   |");
    for (size_t i = 0; i < k.text.len; i++)
        assert_in_range((unsigned char)k.text.data[i], '\n', '~');
    drawn_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_size_is_32_kib_at_the_defaults),
        cmocka_unit_test(test_the_row_being_written_is_marked_and_then_changed),
        cmocka_unit_test(test_the_row_is_not_written_while_any_machine_projects),
        cmocka_unit_test(test_score_reads_one_head_of_one_row_of_K),
        cmocka_unit_test(test_weighted_sum_reads_all_live_rows_of_V),
        cmocka_unit_test(test_stream_touches_a_word_a_cycle),
        cmocka_unit_test(test_a_phase_is_a_key_in_every_machine),
        cmocka_unit_test(test_heat_is_on_a_scale_of_a_power_of_two),
        cmocka_unit_test(test_words_scroll_sideways_with_the_cursor),
        cmocka_unit_test(test_find_and_pokes_beyond_the_present_position),
        cmocka_unit_test(test_wide_panes_show_both_memories),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
