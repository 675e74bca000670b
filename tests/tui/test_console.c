#include "explorer.h"

#include <unistd.h>

#include "tui/input/completion.h"

typedef struct Words {
    char text[8192]; /* " word word " */
} Words;

static void add(void *context, const char *word)
{
    Words *w = context;
    size_t n = strlen(w->text);
    snprintf(w->text + n, sizeof w->text - n, "%s ", word);
}

static bool offers(const Words *w, const char *word)
{
    char padded[80];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(w->text, padded) != NULL;
}

/* What may follow `line`. */
static Words words_after(const Commands *commands, const char *line, bool *file)
{
    Words w = {" "};
    *file = !complete_words(commands, line, strlen(line), add, &w);
    return w;
}

static void completion_follows_the_grammar(void **state)
{
    static const struct {
        const char *line, *yes, *no;
    } cases[] = {
        {"", "step", "top.state"},
        {"", "zoom", "softmax.exp"},
        {"  ", "run", "until"},
        {"run ", "until", "zoom"},
        {"run until ", "top.state", "until"},
        {"run until top.state ", "==", "DONE"},
        {"run until top.state == ", "ATTN_WAIT", "top.state"},
        {"run until top.state ==", "ATTN_WAIT", "top.state"},
        {"run until smax.state == ", "FIND_MAX", "ATTN_WAIT"},
        {"break softmax.exp ", "wraps", "FIND_MAX"},
        {"break softmax.exp[3] ", "changes", "FIND_MAX"},
        {"break softmax.exp wraps ", "and", "softmax.exp"},
        {"break softmax.exp wraps and ", "valid", "and"},
        {"break seq_pos == ", "", "DONE"},
        {"break ", "any", "changes"},
        {"run until valid == 1 and any ", "wraps", "changes"},
        {"run until any saturates ", "or", "wraps"},
        {"watch ", "ln1.mean", "step"},
        {"search ", "ln1.mean", "step"},
        {"get ", "wq", "step"},
        {"set ", "token_emb", "step"},
        {"set top.state ", "LN1_WAIT", "token_emb"},
        {"view ", "decoder", "top.state"},
        {"theme ", "high-contrast", "decoder"},
        {"lesson ", "02-q88", "top.state"},
        {"lesson ", "off", "02-q88.lua"},
        {"preset ", "minus8", "top.state"},
        {"config ", "mask_mode=", "top.state"},
        {"config mask_mode=", "exclude", "mask_mode="},
        {"config exp=", "intended", "exclude"},
        {"config d_model=32 variant=", "bridge", "exclude"},
        {"mouse ", "off", "max"},
        {"help ", "goto", "top.state"},
        {"numbers ", "both", "on"},
        {"  get ", "wq", "step"},
        {"run until top.state == DONE ", "", "until"},
        {"cursor ", "down", "Down"},
        {"cursor ", "ln1.mean", "step"},
        {"tensor ", "+1", "top.state"},
        {"seek ", "special", "BYTE"},
        {"systolic ", "machine", "..."},
        {"vcd out.vcd ", "", "top.state"},
        {"map W ", "", "top.state"},
        {"step ", "", "N"},
        {"nope ", "", "top.state"},
    };
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool file = false;
        Words w = words_after(&x.tui->commands, cases[i].line, &file);
        if ((*cases[i].yes && !offers(&w, cases[i].yes)) || offers(&w, cases[i].no))
            fail_msg("'%s' offers:%s", cases[i].line, w.text);
        assert_false(file);
    }
    explorer_close(&x);
}

static void without_a_screen_its_commands_are_not_offered(void **state)
{
    Explorer x;
    Commands plain;
    bool file = false;
    (void)state;
    explorer_open(&x, 24, 80);
    commands_begin(&plain, x.session);
    Words w = words_after(&plain, "", &file);
    assert_true(offers(&w, "step") && offers(&w, "help"));
    assert_false(offers(&w, "zoom"));
    words_after(&x.tui->commands, "screen ", &file);
    assert_true(file);
    explorer_close(&x);
}

static void lines_are_edited_and_answered(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, ":");
    type(&x, "sexp 3");
    press(&x, "Left Left Left Left BS t"); /* "stxp 3" */
    press(&x, "Right Del BS e End Enter");
    assert_shows(&x, "step 3");
    press(&x, "C-a C-k");
    type(&x, "get start");
    press(&x, "Enter");
    assert_shows(&x, "│ start 0 0");
    type(&x, "bogus");
    press(&x, "Enter");
    assert_shows(&x, "bogus: no such command");
    press(&x, "Up Up");
    assert_shows(&x, ": get start");
    press(&x, "Esc");
    assert_hides(&x, "console ──");
    explorer_close(&x);
}

static void the_cursor_stays_visible_in_a_long_line(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, ":");
    for (int i = 0; i < 300; i++) {
        tui_press(x.tui, i % 10 ? "\xc3\xa9" : "7");
        const Canvas *c = tui_draw(x.tui);
        assert_true(c->cursor_x > 0 && c->cursor_x < 79);
        assert_true(tui_wishes(x.tui)->cursor);
    }
    press(&x, "Home");
    assert_int_equal(tui_draw(x.tui)->cursor_x, 4);
    press(&x, "Esc");
    tui_draw(x.tui);
    assert_false(tui_wishes(x.tui)->cursor);
    explorer_close(&x);
}

static void tab_completes_and_lists(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, ":");
    type(&x, "wat");
    press(&x, "Tab");
    type(&x, "ffn_o");
    press(&x, "Tab");
    assert_shows(&x, ": watch ffn_out");
    press(&x, "C-u");
    type(&x, "set resid");
    press(&x, "Tab");
    type(&x, "[0] 5"); /* an index may follow: no blank came */
    assert_shows(&x, ": set residual1[0] 5");
    press(&x, "C-u");
    type(&x, "config d_m");
    press(&x, "Tab");
    type(&x, "8");
    assert_shows(&x, ": config d_model=8");
    press(&x, "C-u");
    type(&x, "get sta");
    press(&x, "Tab");
    type(&x, "x");
    assert_shows(&x, ": get start x");
    press(&x, "C-u");
    type(&x, "get ffn");
    press(&x, "Tab");
    assert_shows(&x, "ffn.i  ffn.state  ffn.valid  ffn_out  ffn_start");
    explorer_close(&x);
}

static void pasted_lines_wait_for_enter_one_by_one(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    tui_paste(x.tui, "q\nq\n");
    assert_false(tui_wishes(x.tui)->quit);
    assert_shows(&x, "press : first");
    press(&x, ":");
    tui_paste(x.tui, "step 2\r\nstep 3\rget\tstart");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 0  IDLE");
    press(&x, "Enter");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 2  LN1_WAIT");
    assert_shows(&x, ": step 3");
    press(&x, "Enter Enter");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 5  LN1_WAIT");
    assert_shows(&x, "start 0 0");
    explorer_close(&x);
}

/* Tabs stay what they are, in quotes too, and are drawn as a terminal does. */
static void tabs_are_drawn_up_to_their_columns(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, ":");
    tui_paste(x.tui, "\tget\tq[0]\n#'a\tb'\nprint('abc\td', 'x')\n");
    assert_shows(&x, " :       get     q[0]");
    press(&x, "Enter");
    assert_shows(&x, "q[0] 0000 0.0");
    press(&x, "Left Left BS X"); /* the cursor stands behind the tab it takes away */
    assert_shows(&x, " : #'aXb'");
    press(&x, "BS");
    tui_paste(x.tui, "\t");
    press(&x, "Enter");
    assert_shows(&x, "│ 3 ");
    tui_paste(x.tui, "print('abc\td', 'x')\n");
    press(&x, "Enter");
    assert_shows(&x, "│ abc     d       x ");
    tui_paste(x.tui, "break q[0]\t== 5\t");
    press(&x, "Enter");
    assert_shows(&x, "breakpoint 1: q[0] == 5");
    explorer_close(&x);
}

static void g_asks_for_the_cycle_on_the_message_line(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "g");
    assert_string_equal(row(&x, 22), " : goto");
    press(&x, "Esc g");
    type(&x, "440");
    press(&x, "Enter");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 440  ATTN_WAIT");
    press(&x, "g");
    type(&x, "x");
    press(&x, "Enter");
    assert_shows(&x, "goto x: must be a whole number");
    assert_string_equal(row(&x, 22), " : goto x");
    press(&x, "C-c space");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 441  ATTN_WAIT");
    explorer_close(&x);
}

/* Cursor and what scrolls out at the left count columns, not characters. */
static void wide_characters_move_the_cursor_by_two(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 60);
    press(&x, "g");
    tui_paste(x.tui, "\xe9\x87\x8d"
                     "u\xcc\x88");
    assert_string_equal(row(&x, 22), " : goto \xe9\x87\x8du?");
    assert_int_equal(tui_draw(x.tui)->cursor_x, 1 + 7 + 2 + 1 + 1);
    press(&x, "Left"); /* over the letter with its mark */
    assert_int_equal(tui_draw(x.tui)->cursor_x, 1 + 7 + 2);
    press(&x, "Left");
    assert_int_equal(tui_draw(x.tui)->cursor_x, 1 + 7);
    press(&x, "End");
    for (int i = 0; i < 30; i++) {
        tui_paste(x.tui, "\xe9\x87\x8d");
        const Canvas *c = tui_draw(x.tui);
        assert_in_range(c->cursor_x, 1, 58);
        assert_int_equal(c->cells[22 * 60 + c->cursor_x - 1].ch, 0); /* behind the last one */
    }
    explorer_close(&x);
}

static void output_scrolls_and_the_oldest_is_let_go(void **state)
{
    Explorer x;
    char line[40];
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, ":");
    for (int i = 0; i < 1200; i++) {
        snprintf(line, sizeof line, "speed %d", i + 1);
        Console *c = x.tui->console;
        console_print(c, ROLE_TEXT, line);
    }
    assert_shows(&x, "speed 1200");
    press(&x, "PgUp");
    assert_hides(&x, "speed 1200");
    assert_shows(&x, "scrolled back");
    for (int i = 0; i < 400; i++)
        press(&x, "PgUp");
    assert_shows(&x, "speed 2");
    for (int i = 0; i < 400; i++)
        press(&x, "PgDn");
    assert_shows(&x, "speed 1200");
    explorer_close(&x);
}

static void the_history_outlives_the_explorer_without_doubles(void **state)
{
    char dir[] = "/tmp/tokstep-test-XXXXXX", path[64];
    Setup setup;
    Err err = {0};
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/new/history", dir); /* its directory is made */
    setup_init(&setup);
    assert_true(setup_check(&setup, &err));
    Explorer x = {.session = session_new(&setup)};
    x.tui = tui_new(x.session, THEME_DARK, path);
    press(&x, ":");
    for (int i = 0; i < 3; i++) {
        type(&x, i == 0 ? "get start" : "hash");
        press(&x, "Enter");
    }
    press(&x, "Up Up"); /* hash, once, then get start */
    assert_shows(&x, ": get start");
    tui_free(x.tui);
    x.tui = tui_new(x.session, THEME_DARK, path);
    press(&x, ": Up");
    assert_shows(&x, ": hash");
    press(&x, "Up");
    assert_shows(&x, ": get start");
    explorer_close(&x);
    unlink(path);
    snprintf(path, sizeof path, "%s/new", dir);
    rmdir(path);
    rmdir(dir);
}

/* What was typed, the cursor and the prompt are back, however a search or an argument is left. */
static void searches_that_are_broken_off_leave_the_line(void **state)
{
    (void)state;
    static const char *const ways[] = {"M-p x C-g", "M-n C-g", "M-p BS", "M-n Enter", "M-5 C-g"};
    Explorer x;
    explorer_open(&x, 24, 80);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        press(&x, ":");
        type(&x, "get cycle");
        press(&x, "Left Left");
        press(&x, ways[i]);
        type(&x, "_");
        assert_shows(&x, ": get cyc_le");
        press(&x, "Esc");
    }
    explorer_close(&x);
}

int main(void)
{
    setenv("INPUTRC", "/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(completion_follows_the_grammar),
        cmocka_unit_test(without_a_screen_its_commands_are_not_offered),
        cmocka_unit_test(lines_are_edited_and_answered),
        cmocka_unit_test(the_cursor_stays_visible_in_a_long_line),
        cmocka_unit_test(tab_completes_and_lists),
        cmocka_unit_test(tabs_are_drawn_up_to_their_columns),
        cmocka_unit_test(pasted_lines_wait_for_enter_one_by_one),
        cmocka_unit_test(g_asks_for_the_cycle_on_the_message_line),
        cmocka_unit_test(wide_characters_move_the_cursor_by_two),
        cmocka_unit_test(output_scrolls_and_the_oldest_is_let_go),
        cmocka_unit_test(the_history_outlives_the_explorer_without_doubles),
        cmocka_unit_test(searches_that_are_broken_off_leave_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
