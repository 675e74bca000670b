#include "test.h"

#include "tui/screen/canvas.h"

static const char *dump(const Canvas *c)
{
    static Buf b;
    buf_clear(&b);
    canvas_dump(c, &b);
    return buf_str(&b);
}

static const char *roles(const Canvas *c)
{
    static Buf b;
    buf_clear(&b);
    canvas_dump_roles(c, &b);
    return buf_str(&b);
}

static void text_is_cut_at_every_edge(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 2, 4, true);
    assert_int_equal(canvas_text(&c, 0, -2, ROLE_TEXT, "abcd"), 2);
    assert_int_equal(canvas_text(&c, 1, 2, ROLE_TEXT, "wxyz"), 6);
    canvas_text(&c, -1, 0, ROLE_TEXT, "no");
    canvas_text(&c, 2, 0, ROLE_TEXT, "no");
    assert_string_equal(dump(&c), "cd\n  wx\n");
    canvas_free(&c);
}

static void the_clip_confines_all_drawing_and_is_restored(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 3, 6, true);
    Rect old = canvas_clip(&c, (Rect){1, 1, 1, 3});
    canvas_fill(&c, (Rect){0, 0, 3, 6}, ROLE_WARN, 'x');
    canvas_clip(&c, old);
    canvas_put(&c, 0, 0, ROLE_TEXT, 'o');
    assert_string_equal(dump(&c), "o\n xxx\n\n");
    assert_string_equal(roles(&c), "......\n.!!!..\n......\n");
    canvas_free(&c);
}

static void where_there_is_no_utf8_each_character_has_a_twin_of_the_same_width(void **state)
{
    Canvas u = {0}, a = {0};
    const char *text = "╭─╮│►▲·░█−→…";
    (void)state;
    canvas_resize(&u, 1, 20, true);
    canvas_resize(&a, 1, 20, false);
    assert_int_equal(canvas_text(&u, 0, 0, ROLE_TEXT, text),
                     canvas_text(&a, 0, 0, ROLE_TEXT, text));
    assert_string_equal(dump(&a), "+-+|>^.:@->~\n");
    canvas_free(&u);
    canvas_free(&a);
}

static void broken_utf8_and_control_characters_become_question_marks(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 1, 12, true);
    canvas_text(&c, 0, 0, ROLE_TEXT,
                "a\xff"
                "b\x1b[2J\xe2\x94");
    assert_string_equal(dump(&c), "a?b?[2J?\n");
    assert_int_equal(text_width("a\xff"
                                "b"),
                     3);
    canvas_free(&c);
}

static void a_field_pads_and_cuts_to_its_width(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 2, 8, true);
    assert_int_equal(canvas_field(&c, 0, 0, 5, ROLE_READ, "abc"), 5);
    assert_int_equal(canvas_field(&c, 1, 0, 2, ROLE_READ, "abc"), 2);
    assert_string_equal(roles(&c), "RRRRR...\nRR......\n");
    canvas_free(&c);
}

static void a_box_has_round_corners_a_title_and_an_inside(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 4, 12, true);
    Rect in = canvas_box(&c, (Rect){0, 0, 4, 12}, ROLE_FRAME, "kv");
    canvas_rule(&c, (Rect){0, 0, 4, 12}, 2, ROLE_FRAME, "");
    assert_string_equal(dump(&c), "╭ kv ──────╮\n│          │\n├──────────┤\n╰──────────╯\n");
    assert_int_equal(in.y, 1);
    assert_int_equal(in.x, 1);
    assert_int_equal(in.h, 2);
    assert_int_equal(in.w, 10);
    canvas_free(&c);
}

static void a_title_never_breaks_the_corner(void **state)
{
    Canvas c = {0};
    (void)state;
    for (int w = 1; w < 12; w++) {
        canvas_resize(&c, 2, w, true);
        canvas_box(&c, (Rect){0, 0, 2, w}, ROLE_FRAME, "a long title");
        if (w >= 2)
            assert_int_equal(c.cells[w - 1].ch, 0x256e);
    }
    canvas_free(&c);
}

static void heat_never_hides_a_value_that_is_not_zero(void **state)
{
    (void)state;
    assert_int_equal(heat_level(0, 32767), 0);
    assert_int_equal(heat_level(1, 32767), 1);
    assert_int_equal(heat_level(-1, 32767), 1);
    assert_int_equal(heat_level(32767, 32767), 8);
    assert_int_equal(heat_level(-32768, 32767), 8);
    assert_int_equal(heat_level(INT32_MIN, 256), 8);
    assert_int_equal(heat_level(128, 256), 4);
    assert_int_equal(heat_role(-5, 3), ROLE_HEAT_NEG + 3);
    assert_int_equal(heat_role(5, 8), ROLE_HEAT_POS_LAST);
    assert_int_equal(heat_glyph(8), 0x2588);
    assert_int_equal(heat_glyph(0), ' ');
}

static void a_bar_counts_in_eighths(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 4, 4, true);
    canvas_bar(&c, 0, 0, 4, ROLE_ACTIVE, 5, 8);      /* 2.5 columns */
    canvas_bar(&c, 1, 0, 4, ROLE_ACTIVE, 1, 100000); /* a trace still shows */
    canvas_bar(&c, 2, 0, 4, ROLE_ACTIVE, 9, 8);      /* never longer than it is wide */
    canvas_bar(&c, 3, 0, 4, ROLE_ACTIVE, 0, 0);
    assert_string_equal(dump(&c), "██▌\n▏\n████\n\n");
    canvas_free(&c);
}

static void a_canvas_is_at_least_one_cell(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 0, -3, true);
    canvas_text(&c, 0, 0, ROLE_TEXT, "xy");
    assert_string_equal(dump(&c), "x\n");
    canvas_free(&c);
}

static void sentences_end_with_whole_words(void **state)
{
    static const struct {
        int width;
        const char *shown;
    } cases[] = {{15, "the mask wraps\n"}, {14, "the mask wraps\n"}, {13, "the mask …\n"},
                 {10, "the mask …\n"},     {9, "the …\n"},           {4, "…\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Canvas c = {0};
        Buf text = {0};
        canvas_resize(&c, 1, 20, true);
        canvas_clip(&c, (Rect){0, 0, 1, cases[i].width});
        canvas_sentence(&c, 0, 0, ROLE_TEXT, "the mask wraps");
        canvas_dump(&c, &text);
        assert_string_equal(buf_str(&text), cases[i].shown);
        buf_free(&text);
        canvas_free(&c);
    }
}

static void a_shorter_wording_is_taken_where_the_longer_has_no_room(void **state)
{
    static const struct {
        int width;
        const char *shown;
    } cases[] = {{20, "the mask wraps\n"},
                 {14, "the mask wraps\n"},
                 {13, "it wraps\n"},
                 {8, "it wraps\n"},
                 {7, "it …\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Canvas c = {0};
        Buf text = {0};
        canvas_resize(&c, 1, 20, true);
        canvas_clip(&c, (Rect){0, 0, 1, cases[i].width});
        canvas_wording(&c, 0, 0, ROLE_TEXT, "the mask wraps\nit wraps");
        canvas_dump(&c, &text);
        assert_string_equal(buf_str(&text), cases[i].shown);
        buf_free(&text);
        canvas_free(&c);
    }
}

#define WIDE   "\xe9\x87\x8d" /* U+91CD, two columns */
#define MARK   "u\xcc\x88"    /* u and a combining diaeresis */
#define BIDI   "\xe2\x80\xae" /* U+202E */
#define HIDDEN "\xe2\x80\x8b" /* U+200B */
#define STANDS "\xef\xbf\xbd" /* U+FFFD */

static void wide_characters_take_two_cells(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 2, 6, true);
    assert_int_equal(canvas_text(&c, 0, 0, ROLE_READ, "a" WIDE "b"), 4);
    assert_int_equal(canvas_text(&c, 1, 0, ROLE_READ, WIDE WIDE WIDE), 6);
    assert_int_equal(text_width("a" WIDE "b"), 4);
    assert_string_equal(dump(&c), "a" WIDE "b\n" WIDE WIDE WIDE "\n");
    assert_string_equal(roles(&c), "RRRR..\nRRRRRR\n");
    canvas_free(&c);
}

static void half_a_wide_character_is_a_blank(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 4, 6, true);
    canvas_text(&c, 0, 5, ROLE_TEXT, WIDE); /* beyond the right edge */
    canvas_put(&c, 0, 0, ROLE_TEXT, '|');
    canvas_text(&c, 1, -1, ROLE_TEXT, WIDE "b");
    assert_int_equal(canvas_field(&c, 2, 0, 4, ROLE_READ, "abc" WIDE), 4);
    canvas_text(&c, 2, 4, ROLE_TEXT, "|");
    Rect old = canvas_clip(&c, (Rect){3, 1, 1, 3});
    canvas_text(&c, 3, 0, ROLE_TEXT, WIDE WIDE WIDE);
    canvas_clip(&c, old);
    canvas_put(&c, 3, 5, ROLE_TEXT, '|');
    assert_string_equal(dump(&c), "|\n b\nabc |\n  " WIDE " |\n");
    canvas_free(&c);
}

static void overwriting_one_half_blanks_the_other(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 4, 5, true);
    for (int y = 0; y < 4; y++)
        canvas_text(&c, y, 0, ROLE_TEXT, WIDE WIDE "|");
    canvas_put(&c, 0, 0, ROLE_TEXT, 'x');
    canvas_put(&c, 1, 1, ROLE_TEXT, 'x');
    canvas_text(&c, 2, 1, ROLE_TEXT, WIDE); /* a half of each */
    Rect old = canvas_clip(&c, (Rect){3, 3, 1, 1});
    canvas_fill(&c, (Rect){3, 0, 1, 5}, ROLE_TEXT, 'x'); /* its other half is outside */
    canvas_clip(&c, old);
    assert_string_equal(dump(&c), "x " WIDE "|\n x" WIDE "|\n " WIDE " |\n" WIDE " x|\n");
    canvas_free(&c);
}

static void what_has_no_cell_of_its_own_never_goes_out(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 2, 12, true);
    assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, MARK BIDI HIDDEN "\xc2\x9b|"), 5);
    assert_int_equal(text_width(MARK BIDI HIDDEN "\xc2\x9b|"), 5);
    canvas_put(&c, 1, 0, ROLE_TEXT, 0x200d);
    canvas_put(&c, 1, 1, ROLE_TEXT, 0x9b);
    assert_string_equal(dump(&c), MARK STANDS STANDS STANDS "|\n" STANDS STANDS "\n");
    canvas_free(&c);
}

static void ascii_has_the_same_widths(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 1, 12, false);
    assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "a" WIDE MARK BIDI "|"), 6);
    assert_string_equal(dump(&c), "a????|\n");
    canvas_free(&c);
}

static void sentences_count_columns(void **state)
{
    Canvas c = {0};
    (void)state;
    canvas_resize(&c, 2, 9, true);
    canvas_sentence(&c, 0, 0, ROLE_TEXT, "a " WIDE WIDE " b");   /* 8 columns */
    canvas_sentence(&c, 1, 0, ROLE_TEXT, "a " WIDE WIDE " bcd"); /* 10 */
    assert_string_equal(dump(&c), "a " WIDE WIDE " b\na " WIDE WIDE " …\n");
    canvas_free(&c);
}

static void a_mark_stands_in_the_cell_of_its_letter(void **state)
{
    Canvas c = {0};
    Buf b = {0};
    int columns = 0;
    (void)state;
    assert_int_equal(text_width("e\u0301tude"), 5);
    assert_int_equal(text_glyph("e\u0301t", &columns), 3);
    assert_int_equal(columns, 1);
    canvas_resize(&c, 4, 6, true);
    assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "e\u0301t|"), 3);
    assert_int_equal(canvas_text(&c, 1, 0, ROLE_TEXT, "a\u0302\u0301|"), 3); /* one a letter */
    assert_int_equal(canvas_text(&c, 2, 0, ROLE_TEXT, "\u0301|"), 2);        /* on none */
    assert_int_equal(canvas_text(&c, 3, 0, ROLE_TEXT, "a\u202eb|"), 4);      /* no mark */
    canvas_dump(&c, &b);
    assert_string_equal(buf_str(&b), "e\u0301t|\na\u0302\ufffd|\n\ufffd|\na\ufffdb|\n");
    canvas_text(&c, 0, 0, ROLE_TEXT, "e");
    assert_int_equal(c.cells[0].mark, 0);
    canvas_resize(&c, 1, 6, false);
    assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "e\u0301t|"), 3);
    buf_clear(&b);
    canvas_dump(&c, &b);
    assert_string_equal(buf_str(&b), "?t|\n");
    buf_free(&b);
    canvas_free(&c);
}

static void what_is_too_long_ends_in_an_ellipsis(void **state)
{
    char out[20], small[6];
    Canvas c = {0};
    Buf b = {0};
    (void)state;
    assert_string_equal(text_fit("tensor", 6, out, sizeof out), "tensor");
    assert_string_equal(text_fit("tensors", 6, out, sizeof out), "tenso…");
    assert_string_equal(text_fit("漢字漢字", 6, out, sizeof out), "漢字…");
    assert_string_equal(text_fit("e\u0301tude", 3, out, sizeof out), "e\u0301t…");
    assert_string_equal(text_fit("abc", 0, out, sizeof out), "");
    assert_string_equal(text_fit("abcdefgh", 8, small, sizeof small), "ab…");
    canvas_resize(&c, 2, 12, true);
    canvas_box(&c, (Rect){0, 0, 2, 12}, ROLE_FRAME, "a long title");
    canvas_dump(&c, &b);
    assert_string_equal(buf_str(&b), "╭ a long … ╮\n╰──────────╯\n");
    buf_free(&b);
    canvas_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_end_with_whole_words),
        cmocka_unit_test(a_shorter_wording_is_taken_where_the_longer_has_no_room),
        cmocka_unit_test(text_is_cut_at_every_edge),
        cmocka_unit_test(the_clip_confines_all_drawing_and_is_restored),
        cmocka_unit_test(where_there_is_no_utf8_each_character_has_a_twin_of_the_same_width),
        cmocka_unit_test(broken_utf8_and_control_characters_become_question_marks),
        cmocka_unit_test(a_field_pads_and_cuts_to_its_width),
        cmocka_unit_test(a_box_has_round_corners_a_title_and_an_inside),
        cmocka_unit_test(a_title_never_breaks_the_corner),
        cmocka_unit_test(heat_never_hides_a_value_that_is_not_zero),
        cmocka_unit_test(a_bar_counts_in_eighths),
        cmocka_unit_test(a_canvas_is_at_least_one_cell),
        cmocka_unit_test(wide_characters_take_two_cells),
        cmocka_unit_test(half_a_wide_character_is_a_blank),
        cmocka_unit_test(overwriting_one_half_blanks_the_other),
        cmocka_unit_test(what_has_no_cell_of_its_own_never_goes_out),
        cmocka_unit_test(ascii_has_the_same_widths),
        cmocka_unit_test(sentences_count_columns),
        cmocka_unit_test(a_mark_stands_in_the_cell_of_its_letter),
        cmocka_unit_test(what_is_too_long_ends_in_an_ellipsis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
