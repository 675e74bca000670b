/* The smallest screen, 60x16: sentences are shorter there, not cut off; lists stop at a whole item
 * and say that there is more. */
#include "drawn.h"

#include "tui/view/formats/formats.h"
#include "tui/view/rtl_view.h"

static Drawn d;
static Rtl *rtl;

typedef struct Case {
    const View *view;
    const char *config, *until, *shown;
} Case;

static const Case cases[] = {
    {&view_kv, NULL, "attn.state == SOFTMAX_RUN",
     "│ Rows 0..0: k and v of every token so far, made once. "},
    {&view_kv, NULL, "top.state == LN1_WAIT", "│ Row 0 is written after k and v are made: key f. "},
    {&view_kv, NULL, "attn.state == WRITE_CACHE",
     "│ ▲ row 0 of K and of V: 64 words each, on one edge "},
    {&view_kv, NULL, "attn.state == SCORE and attn.h == 2",
     "│ · score: q[32..47] times K[0][32..47] "},
    {&view_kv, NULL, "attn.state == WEIGHTED_SUM and attn.h == 1",
     "│ · head 1: V[0..0][16..31], each row times its probability│"},
    {&view_softmax, NULL, "top.state == LN1_WAIT",
     "│ Not yet: the scores come first. Key f runs to it. "},
    {&view_softmax, NULL, "smax.state == SUM", "│ ! -128.0 - 0.24609375 wraps: masked exp is 1.0 "},
    {&view_softmax, "mask_mode=exclude", "smax.state == SUM",
     "│ mask_mode exclude: every masked position gets exp 0. "},
    {&view_softmax, "mask=-8.0", "smax.state == SUM",
     "│ ! exp is never below 4/256: masked ones hold 66.5 % "},
    {&view_vectors, NULL, "top.state == LN1_START",
     "│ 0080    0.5000  set by the host while the machine is IDLE│"},
    {&view_cycles, NULL, "top.state == LN1_START", "─ ! the deck says 40384: 14x ─"},
    {&view_decoder, "variant=array", "array.edge == 2",
     "│ attn.j ← 3   array.edge ← 3   array.useful ← 12   … "},
    {&view_decoder, "variant=array", "array.edge == 2",
     "│ acc[0..3][0.… ←  acc[0][0] + a_in * w_in        00003f80 │"},
    {&view_decoder, "variant=stream", "attn.state == PROJ_ADDR",
     "│ attn.state ← PROJ_QKV (element 0 of the column is …"},
    {&view_rtl, NULL, "smax.state == SUBTRACT_EXP",
     "│ ►  92┃       if (at == IndexW'(k)) shifted_d[k] = shifte…│"},
};

static void open_case(const Case *c)
{
    char command[120];
    drawn_open(&d, c->view, "deck", "integration");
    if (c->view == &view_rtl)
        OWN(d, RtlState)->rtl = rtl;
    if (c->config) {
        snprintf(command, sizeof command, "config %s", c->config);
        drawn_do(&d, command);
    }
    snprintf(command, sizeof command, "run until %s", c->until);
    drawn_do(&d, command);
    drawn_draw(&d, 13, 60, true);
}

static void test_sentences_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_case(&cases[i]);
        drawn_contains(&d, cases[i].shown);
        drawn_close(&d);
    }
}

static void test_a_cell_s_story_is_whole(void **state)
{
    (void)state;
    open_case(&(Case){&view_vectors, NULL, "top.state == LN1_START", ""});
    assert_true(view_vectors.find(d.session, d.state, (Target){signal_at(SIG_FFN_OUT), 3}));
    drawn_draw(&d, 13, 60, true);
    drawn_contains(&d, "│ 0000    0.0000  still as at power-up ");
    drawn_close(&d);
}

/* A warning counts more than an error, and no number is shown by half. */
static void test_formats_in_few_columns(void **state)
{
    (void)state;
    drawn_open(&d, &view_formats, "deck", "integration");
    snprintf(OWN(d, FormatsState)->typed, sizeof OWN(d, FormatsState)->typed, "200.1");
    drawn_draw(&d, 13, 60, true);
    drawn_contains(&d, "├ in ─ hex  sign exp mantissa  value ──────── error ───────┤");
    drawn_contains(&d, "│►q8.8 7fff 01111111.11111111  127.99609375   ! saturated  │");
    drawn_contains(&d, "│ fp16 5a41 0 10110 1001000001 200.125        +0.025       │");
    drawn_contains(&d, "│ beyond the range; wrapped it would be c81a = -55.8984375 │");
    drawn_draw(&d, 20, 79, true);
    drawn_contains(&d, "127.99609375   -72.1      -36 %     ! saturated│");
    drawn_draw(&d, 21, 120, true);
    drawn_contains(&d, "│ beyond the range, which ends at 127.99609375; wrapped it would be c81a = "
                       "-55.8984375 ");
    snprintf(OWN(d, FormatsState)->typed, sizeof OWN(d, FormatsState)->typed, "0.001953125");
    drawn_draw(&d, 13, 60, true);
    drawn_contains(&d, "│►q8.8 0000 00000000.00000000  0              ! 0, a tie   │");
    drawn_contains(&d, "│ a tie: the even code wins ");
    drawn_close(&d);
}

/* Source too long for the pane loses the branch's indentation first; the rest comes with >. */
static void test_source_goes_sideways(void **state)
{
    (void)state;
    open_case(&(Case){&view_rtl, NULL, "attn.state == OUTPUT_PROJ", ""});
    drawn_contains(&d, "┃       acc = acc + mul32(concat_q[j], wo[{LogD'(j)…│");
    drawn_press(&d, "> > >");
    drawn_draw(&d, 13, 60, true);
    drawn_contains(&d, "┃ …oncat_q[j], wo[{LogD'(j), column}]);");
    drawn_contains(&d, "┃ … "); /* the `end` under it, all of it gone */
    drawn_press(&d, "< < < <");
    drawn_draw(&d, 13, 60, true);
    drawn_contains(&d, "┃       acc = acc + mul32(concat_q[j], wo[{LogD'(j)…│");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "┃           else if (last_operand) state_d = S_OPROJ_DRAIN;");
    drawn_draw(&d, 21, 100, true);
    drawn_contains(&d, "            acc = acc + mul32(concat_q[j], wo[{LogD'(j), column}]);");
    drawn_close(&d);
}

static void test_long_counts_keep_away_from_the_states(void **state)
{
    (void)state;
    open_case(&(Case){&view_decoder, "variant=stream", "ffn.state == LINEAR2", ""});
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "►FFN_WAIT …   cycle 17156/33667 │");
    drawn_close(&d);
}

static int open_files(void **state)
{
    (void)state;
    rtl = rtl_open("rtl", NULL);
    return rtl ? 0 : -1;
}

static int close_files(void **state)
{
    (void)state;
    rtl_close(rtl);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences_are_whole),
        cmocka_unit_test(test_a_cell_s_story_is_whole),
        cmocka_unit_test(test_formats_in_few_columns),
        cmocka_unit_test(test_source_goes_sideways),
        cmocka_unit_test(test_long_counts_keep_away_from_the_states),
    };
    return cmocka_run_group_tests(tests, open_files, close_files);
}
