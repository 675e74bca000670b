/* The view of the RTL: the branch of the present state, what executes in it, units and files,
 * sizes. */
#include "drawn.h"
#include "tui/view/rtl_view.h"

static Drawn d;
static Rtl *rtl;

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

static void open_view(const char *preset, const char *stimulus)
{
    drawn_open(&d, &view_rtl, preset, stimulus);
    OWN(d, RtlState)->rtl = rtl;
}

static void draw(int rows, int cols)
{
    drawn_draw(&d, rows, cols, true);
}

/* The row of the screen that holds text; the test fails when none does. */
static int row_of(const char *text)
{
    char row[2048];
    for (int y = 0; y < d.canvas.rows; y++) {
        drawn_row(&d.text, y, row, sizeof row);
        if (strstr(row, text))
            return y;
    }
    fail_msg("no \"%s\" in\n%s", text, buf_str(&d.text));
    return -1;
}

static void test_the_lines_of_a_score(void **state)
{
    (void)state;
    open_view("deck", "integration");
    drawn_do(&d, "run until attn.state == SCORE");
    draw(21, 80);
    drawn_expect(
        &d, 0, "╭ RTL  multi_head_attention.sv  attn SCORE ────────────────────────────────────╮");
    drawn_expect(
        &d, 1, "│ ►top ATTN_WAIT            ln1 IDLE                ►attn SCORE                │");
    drawn_expect(
        &d, 2, "│  smax IDLE                ln2 IDLE                 ffn IDLE                  │");
    int label = row_of("S_SCORE: begin");
    assert_int_equal(label, 6);
    int y = row_of("if (h_q == HeadW'(NHeads)) begin  false  h_q 0");
    assert_int_equal(y, label + 1);
    y = row_of("end else if (t_q > seq_pos) begin  false  t_q 0  seq_pos 0");
    assert_int_equal(y, label + 4);
    y = row_of("score = fp_mul(narrow(acc), ScoreScale);");
    drawn_expect_roles(&d, y, 2, "AAAAAA"); /* mark, number, bar */
    drawn_expect_roles(&d, y, 19, "AAAAAAAAAAAAAAAAAA");
    y = row_of("state_d = S_SOFTMAX_PREP;");
    drawn_expect_roles(&d, y, 2, ".ddddA"); /* in the branch, not executing */
    drawn_expect_roles(&d, y, 19, "...............");
    y = row_of("state_d     = S_SCORE;"); /* another branch */
    drawn_expect_roles(&d, y, 17, "ddddddddddddddd");
    drawn_close(&d);
}

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int lines = 0;
    assert_non_null(f);
    for (int c = 0; (c = getc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    return lines;
}

static void test_it_follows_the_innermost_unit(void **state)
{
    (void)state;
    open_view("deck", "integration");
    draw(21, 80);
    drawn_contains(&d, "RTL  decoder_control.sv  top IDLE ");
    drawn_contains(&d, "if (start) state_d = S_LN1_START;  true   start 1");
    drawn_do(&d, "run until ln1.state == VARIANCE");
    draw(21, 80);
    drawn_contains(&d, "RTL  layer_norm.sv  ln1 VARIANCE ");
    drawn_do(&d, "run until smax.state == FIND_MAX");
    draw(21, 80);
    drawn_contains(&d, "RTL  softmax_unit.sv  smax FIND_MAX ");
    drawn_press(&d, "h"); /* the unit before it */
    draw(21, 80);
    drawn_contains(&d, "RTL  multi_head_attention.sv  attn SOFTMAX_RUN ");
    drawn_contains(&d, "if (smax_valid) state_d = S_SOFTMAX_STORE;  false");
    drawn_press(&d, "Left Left Left"); /* ln1, top, the last of the files */
    draw(21, 80);
    char title[64];
    snprintf(title, sizeof title, "RTL  weight_memory.sv  %d lines",
             lines_of("rtl/weight_memory.sv"));
    drawn_contains(&d, title);
    drawn_press(&d, "c");
    draw(21, 80);
    drawn_contains(&d, "RTL  softmax_unit.sv  smax FIND_MAX ");
    drawn_close(&d);
}

static void test_the_stream_has_its_own_sources(void **state)
{
    (void)state;
    open_view("deck", "integration");
    drawn_do(&d, "config variant=stream");
    drawn_do(&d, "run until attn.state == PROJ_STORE");
    draw(30, 110);
    drawn_contains(&d, "RTL  multi_head_attention_stream.sv  attn PROJ_STORE ");
    drawn_contains(&d, "if (last_column) state_d = S_WRITE_CACHE;");
    int y = row_of("else             state_d = S_PROJ_ADDR;");
    drawn_expect_roles(&d, y, 2, "A");
    drawn_close(&d);
}

static void test_the_cursor_names_a_register(void **state)
{
    (void)state;
    open_view("deck", "integration");
    drawn_do(&d, "run until attn.state == PROJ_QKV and attn.i == 9");
    draw(21, 80);
    int top = d.state->top;
    drawn_press(&d, "Down Down Down Down Down Down");
    draw(21, 80);
    assert_int_equal(d.state->top, top);
    char name[40];
    Target t = view_rtl.target(d.session, d.state);
    signal_element_name(session_engine(d.session), t.signal, t.at, name, sizeof name);
    assert_string_equal(name, "q[9]"); /* if (column == LogD'(k)) q_d[k] = narrow(acc) */
    drawn_press(&d, "End");
    draw(21, 80);
    drawn_contains(&d, "endmodule");
    drawn_press(&d, "c");
    draw(21, 80);
    drawn_contains(&d, "S_PROJ_QKV: begin");
    assert_true(view_rtl.find(d.session, d.state, (Target){signal_at(SIG_FFN_STATE), 0}));
    draw(21, 80);
    drawn_contains(&d, "RTL  feed_forward.sv  ffn IDLE ");
    drawn_close(&d);
}

static void test_without_files_it_says_so(void **state)
{
    (void)state;
    Press p;
    drawn_open(&d, &view_rtl, "deck", "integration");
    draw(21, 80);
    drawn_contains(&d, "! rtl/ is neither beside the sources nor installed");
    assert_false(view_press(&view_rtl, d.session, d.state, "Down", &p));
    assert_null(view_rtl.target(d.session, d.state).signal);
    drawn_close(&d);
}

/* As drawn_every_size, but the source itself may hold a '?'. */
static void every_size(int rows, int cols)
{
    for (int h = 1; h <= rows; h++) {
        for (int w = 1; w <= cols; w++) {
            Canvas *c = &d.canvas;
            canvas_resize(c, h + 3, w + 5, false);
            canvas_fill(c, (Rect){0, 0, h + 3, w + 5}, ROLE_KEY, '@');
            canvas_fill(c, (Rect){1, 2, h, w}, ROLE_TEXT, ' ');
            view_rtl.place(d.session, d.state, (Rect){1, 2, h, w});
            view_rtl.draw(d.session, d.state, (Rect){1, 2, h, w}, h % 2 != 0, c);
            for (int i = 0; i < c->rows * c->cols; i++) {
                int y = i / c->cols, x = i % c->cols;
                bool outside = y < 1 || y > h || x < 2 || x >= w + 2;
                if (outside && (c->cells[i].ch != '@' || c->cells[i].role != ROLE_KEY))
                    fail_msg("%dx%d: draws outside, at %d,%d", h, w, y - 1, x - 2);
                assert_in_range(c->cells[i].ch, ' ', '~');
            }
        }
    }
}

static void test_every_size(void **state)
{
    (void)state;
    static const char *const places[] = {"attn.state == SCORE", "smax.state == SUM",
                                         "ffn.state == RELU"};
    open_view("deck", "random:3");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char command[64];
        snprintf(command, sizeof command, "run until %s", places[i]);
        drawn_do(&d, command);
        every_size(26, 100);
    }
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_lines_of_a_score),
        cmocka_unit_test(test_it_follows_the_innermost_unit),
        cmocka_unit_test(test_the_stream_has_its_own_sources),
        cmocka_unit_test(test_the_cursor_names_a_register),
        cmocka_unit_test(test_without_files_it_says_so),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, open_files, close_files);
}
