/* A lesson in the explorer, as its pupil meets it. */
#include "explorer.h"

#include <unistd.h>

#include "session/mark.h"

static char state_dir[] = "/tmp/tokstep-test-XXXXXX";

static int own_progress(void **state)
{
    (void)state;
    return mkdtemp(state_dir) ? setenv("XDG_STATE_HOME", state_dir, 1) : -1;
}

static int remove_progress(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", state_dir);
    return system(command);
}

static void run(Explorer *x, const char *line)
{
    Buf out = {0};
    Err err = {0};
    if (!tui_exec(x->tui, line, &out, &err))
        fail_msg("%s: %s", line, err.text);
    buf_free(&out);
}

static void after_a_wrong_answer_the_next_is_typed_at_once(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    run(&x, "lesson 02");
    press(&x, "i Enter");
    type(&x, "0x0096");
    press(&x, "Enter");
    assert_int_equal(x.tui->mode, MODE_PROMPT);
    assert_shows(&x, "0x0096: ");
    assert_shows(&x, "hint: ");
    assert_string_equal(row(&x, 22), " : answer");
    type(&x, "one"); /* no answer at all */
    press(&x, "Enter");
    assert_shows(&x, "one: a raw word in hex is wanted");
    assert_string_equal(row(&x, 22), " : answer");
    type(&x, "0x0097");
    press(&x, "Enter");
    assert_int_equal(x.tui->mode, MODE_PANES);
    assert_shows(&x, "Right.");
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    explorer_close(&x);
}

/* The page's own lesson: two questions and a task, on a view with an element under its cursor. */
static const char *strip_lesson(const char *id)
{
    static char path[100];
    snprintf(path, sizeof path, "%s/%s.lua", state_dir, id);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "return lesson { id = '%s', title = 'S', minutes = 1,\n", id);
    fputs("  page { say = 'Look.', show = 'vectors', cursor = 'out_emb[5]',\n"
          "    ask { number = 'How many heads has the machine?', answer = 4,\n"
          "          hint = { 'softmax has one each' } },\n"
          "    ask { number = 'And what is 2 + 3?', answer = 5 },\n"
          "    task = 'Go to cycle 7.', auto = 'goto 7',\n"
          "    check = function(m) return m.cycle == 7, 'not there' end },\n"
          "  page { say = 'The end.' } }\n",
          f);
    fclose(f);
    return path;
}

static void the_question_stays_while_a_view_is_looked_at(void **state)
{
    Explorer x;
    char line[140];
    (void)state;
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "lesson %s", strip_lesson("strip"));
    run(&x, line);
    assert_shows(&x, "2 shows vectors, L returns");
    press(&x, "2");
    assert_shows(&x, "├ out_emb[5] ─");
    assert_shows(&x, "lesson strip is open: L");
    assert_shows(&x, " ? How many heads has the machine? ");
    assert_shows(&x, "strip, page 1 of 2  L back");
    press(&x, "Enter"); /* answers in whatever pane */
    type(&x, "hint");
    press(&x, "Enter");
    assert_shows(&x, "hint: softmax has one each");
    assert_string_equal(row(&x, 22), " : answer");
    type(&x, "3");
    press(&x, "Enter");
    assert_shows(&x, "3: that is not it");
    type(&x, "4"); /* right: the next question is open at once */
    press(&x, "Enter");
    assert_shows(&x, " ? And what is 2 + 3? ");
    assert_string_equal(row(&x, 22), " : answer");
    type(&x, "5");
    press(&x, "Enter");
    assert_int_equal(x.tui->mode, MODE_PANES);
    assert_true(tui_wishes(x.tui)->forget_keys);
    assert_shows(&x, " > Go to cycle 7. ");
    assert_shows(&x, "Enter checks");
    press(&x, "Enter");
    assert_shows(&x, "Not yet: not there");
    press(&x, "n"); /* the machine moves: the cursor of the view goes on */
    run(&x, "goto 7");
    press(&x, "1 2"); /* ... and is where the page wants it when one comes back */
    assert_shows(&x, "├ out_emb[5] ─");
    press(&x, "Enter");
    assert_shows(&x, "All is done on this page.");
    press(&x, "Enter"); /* to the page first: it may say why */
    assert_hides(&x, "is open: L");
    assert_shows(&x, "Enter next page");
    explorer_close(&x);
}

/* Whatever is done to the line, it is an answer, and the keys that are letters now are not offered.
 */
static void nothing_typed_for_the_prompt_is_a_command(void **state)
{
    static const char *const lines[] = {"quit", "goto 9", ":goto 9", "answer 4", "split 4"};
    Explorer x;
    char line[140], said[80];
    (void)state;
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "lesson %s", strip_lesson("typed"));
    run(&x, line);
    assert_shows(&x, "i hint  [ back");
    press(&x, "Enter");
    assert_hides(&x, "i hint  [ back");
    assert_hides(&x, "L returns");
    assert_shows(&x, "Esc leave, for keys and :  Enter answer  hint Enter a hint");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        press(&x, "C-u BS BS");
        assert_string_equal(row(&x, 22), " : answer");
        type(&x, lines[i]);
        press(&x, "Enter");
        snprintf(said, sizeof said, "%s: %s", lines[i],
                 *lines[i] == ':' ? "Esc leaves the question; then : takes commands"
                                  : "a whole number is wanted");
        assert_shows(&x, said);
        assert_int_equal(x.tui->mode, MODE_PROMPT);
    }
    assert_false(tui_wishes(x.tui)->quit);
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    tui_paste(x.tui, "5\ngoto 9\n"); /* the line after it goes nowhere */
    press(&x, "Enter Enter");
    assert_shows(&x, "answer: needs the answer");
    press(&x, "Esc :");
    assert_string_equal(
        row(&x, 20),
        "│ :                                                                            │");
    press(&x, "Up");
    assert_hides(&x, "goto 9"); /* and none is remembered */
    explorer_close(&x);
}

/* A choice whose options do not fit the first line. */
static void the_strip_keeps_all_options_beside_what_was_said(void **state)
{
    static char path[100];
    Explorer x;
    char line[140];
    (void)state;
    snprintf(path, sizeof path, "%s/choice.lua", state_dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("return lesson { id = 'choice', title = 'C', minutes = 1, page { commit = true,\n"
          "  ask { number = 'How many?', answer = 4 },\n"
          "  ask { choice = 'In which of its states does the machine spend most of the clocks?',\n"
          "        options = { 'LN1_WAIT', 'ATTN_WAIT', 'FFN_WAIT' }, answer = 2 } } }\n",
          f);
    fclose(f);
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "lesson %s", path);
    run(&x, line);
    press(&x, "1 :");
    type(&x, "m:step(3)"); /* the bet is to come first, in Lua too */
    press(&x, "Enter");
    assert_shows(&x, "first your bet");
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    press(&x, "Esc Enter");
    type(&x, "many");
    press(&x, "Enter");
    assert_shows(&x, "many: a whole number is wanted");
    type(&x, "4");
    press(&x, "Enter");
    assert_shows(&x, "Right.");
    assert_shows(&x, "1 LN1_WAIT  2 ATTN_WAIT  3 FFN_WAIT");
    assert_shows(&x, "Esc, L back");
    press(&x, "Esc");
    assert_hides(&x, "Esc, L back");
    explorer_close(&x);
}

/* At 80x24 nothing is cut off: what is to be typed, what was said. */
static void the_strip_takes_the_rows_that_it_needs(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    run(&x, "lesson 06");
    press(&x, "2");
    run(&x, "answer 0.99");
    assert_string_equal(
        row(&x, 21),
        "   0.99: the machine will not agree: go there and look                   L back");
    for (int i = 0; i < 60 && lesson_page(x.tui->lesson)->page < 9; i++)
        run(&x, "solve");
    press(&x, "3");
    assert_string_equal(
        row(&x, 19),
        " > Find a mask (`:config mask=-3.0` begins again with that one)    Enter checks");
    assert_string_equal(row(&x, 20),
                        "   with which position 0 gets more than 0.6, then `:run until");
    assert_string_equal(
        row(&x, 21),
        "   attn.state == SOFTMAX_STORE`.                   06-mask, page 9 of 9  L back");
    explorer_close(&x);
}

/* What was right stands above the question that comes then, as of the one before. */
static void right_is_said_of_the_question_that_was_answered(void **state)
{
    Explorer x;
    char line[140];
    (void)state;
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "lesson %s", strip_lesson("above"));
    run(&x, line);
    run(&x, "answer 4");
    assert_string_equal(
        row(&x, 4),
        "│ ? How many heads has the machine?                                            │");
    assert_string_equal(
        row(&x, 5),
        "│ = 4  Right.                                                                  │");
    assert_string_equal(
        row(&x, 7),
        "│ ? And what is 2 + 3?                                                         │");
    assert_string_equal(
        row(&x, 9),
        "│                                                                              │");
    press(&x, "2");
    assert_string_equal(
        row(&x, 20),
        " = 4  Right.                                                      Enter answers");
    assert_string_equal(
        row(&x, 21),
        " ? And what is 2 + 3?                                above, page 1 of 2  L back");
    run(&x, "answer 9");
    assert_string_equal(
        row(&x, 20),
        " ? And what is 2 + 3?                                             Enter answers");
    assert_string_equal(
        row(&x, 21),
        "   9: that is not it                                 above, page 1 of 2  L back");
    run(&x, "answer 5");
    press(&x, "Enter");
    assert_shows(&x, "Not yet: not there");
    press(&x, "space"); /* another machine: what was said of that one is over */
    assert_hides(&x, "Not yet");
    press(&x, "Enter L");
    assert_shows(&x, "│ Not yet: not there");
    run(&x, "set q[0] 5");
    assert_hides(&x, "Not yet");
    press(&x, "Enter");
    run(&x, "undo");
    assert_hides(&x, "Not yet");
    run(&x, "goto 7");
    press(&x, "Enter");
    assert_shows(&x, "Enter next page");
    press(&x, "Enter");
    assert_shows(&x, "Enter to the end"); /* no page comes */
    assert_hides(&x, "next page");
    explorer_close(&x);
}

static void the_list_has_numbers_and_a_mark_at_its_cursor(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "L");
    assert_shows(&x, "│ ► 00  Keys, help, undo ");
    assert_shows(&x, "│   06  The mask that wrapped ");
    press(&x, "Down");
    assert_shows(&x, "│   00  Keys, help, undo ");
    assert_shows(&x, "│ ► 01  One token through twelve states ");
    explorer_close(&x);
}

/* On a wide screen the page stands beside the view: Enter turns it from there. */
static void enter_turns_the_page_from_a_view_beside_it(void **state)
{
    Explorer x;
    char line[140];
    (void)state;
    explorer_open(&x, 60, 200);
    snprintf(line, sizeof line, "lesson %s", strip_lesson("wide"));
    run(&x, line);
    press(&x, "Tab Tab");
    run(&x, "answer 4");
    run(&x, "answer 5");
    run(&x, "goto 7");
    press(&x, "2 Enter");
    assert_shows(&x, "Enter next page");
    press(&x, "2");
    assert_true(strcmp(tui_view(x.tui)->name, "vectors") == 0);
    press(&x, "Enter");
    assert_shows(&x, "page 2 of 2");
    explorer_close(&x);
}

static void a_narrow_title_says_that_a_lesson_is_open(void **state)
{
    Explorer x;
    char line[140];
    (void)state;
    explorer_open(&x, 16, 60);
    snprintf(line, sizeof line, "lesson %s", strip_lesson("narrow"));
    run(&x, line);
    run(&x, "goto 200");
    assert_hides(&x, "lesson: L");
    press(&x, "2");
    assert_string_equal(row(&x, 0), "tokstep  deck bridge  token 0  cycle 200  ATTN_WAIT  L");
    explorer_close(&x);
}

static void lines_above_are_announced_and_scrolled_under_the_prompt(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 16, 80);
    run(&x, "lesson 05");
    press(&x, "i i i");
    assert_shows(&x, " above ");
    press(&x, "Enter PgUp PgUp PgUp");
    assert_int_equal(x.tui->mode, MODE_PROMPT);
    assert_shows(&x, "page 1 of ");
    assert_hides(&x, " above ");
    press(&x, "PgDn PgDn");
    assert_shows(&x, " above ");
    assert_string_equal(row(&x, 14), " : answer");
    explorer_close(&x);
}

/* hide = "wrap": neither the clock's lines nor the frame nor the message tell that the mask wraps.
 */
static void a_page_keeps_back_what_would_give_it_away(void **state)
{
    char path[100], line[140];
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        Explorer x;
        snprintf(path, sizeof path, "%s/hide%d.lua", state_dir, hidden);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(
            f,
            "return lesson { id = 'hide%d', title = 'H', minutes = 1, page { say = 'Look.', %s\n"
            "  ask { number = 'n', answer = 4 } } }\n",
            hidden, hidden ? "hide = 'wrap'," : "");
        fclose(f);
        explorer_open(&x, 24, 80);
        snprintf(line, sizeof line, "lesson %s", path);
        run(&x, line);
        run(&x, "goto 409");
        press(&x, "1");
        assert_shows(&x, "SUBTRACT_EXP");
        if (hidden) {
            assert_hides(&x, "wraps:");
            assert_hides(&x, "masked position");
            assert_hides(&x, "│!");
        } else {
            assert_shows(&x, "wraps: -128.2461 does not fit");
            assert_shows(&x, "! masked position");
            assert_shows(&x, "│!▲ softmax.shifted");
        }
        explorer_close(&x);
    }
}

static void escape_leaves_the_prompt_for_a_look(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    run(&x, "lesson 00");
    press(&x, "Enter 9 9 Enter");
    assert_shows(&x, "99: that is not it");
    press(&x, "Esc");
    assert_int_equal(x.tui->mode, MODE_PANES);
    assert_shows(&x, "99: that is not it");
    press(&x, "space");
    assert_int_equal(engine_cycle(session_engine(x.session)), 1);
    explorer_close(&x);
}

static void answers_are_not_in_the_history(void **state)
{
    char path[100];
    char kept[200] = "";
    (void)state;
    Explorer x = {0};
    explorer_open(&x, 24, 80);
    tui_free(x.tui);
    snprintf(path, sizeof path, "%s/history", state_dir);
    x.tui = tui_new(x.session, THEME_DARK, path);
    run(&x, "lesson 02");
    press(&x, ":");
    static const char *const lines[] = {":get start", "answer 0x0097", " :answer 5", "answers = 3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        type(&x, lines[i]);
        press(&x, "Enter");
    }
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    kept[fread(kept, 1, sizeof kept - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(kept, "get start\nanswers = 3\n");
    press(&x, "Up Up");
    assert_shows(&x, ": get start");
    explorer_close(&x);
}

static void leaving_puts_back_the_machine_from_before(void **state)
{
    Explorer x;
    Mark before;
    int count = 0;
    (void)state;
    explorer_open(&x, 24, 80);
    run(&x, "preset minus8");
    run(&x, "step 11");
    run(&x, "set token_emb[1] 0x1234");
    run(&x, "goto 300");
    uint64_t hash = engine_hash(session_engine(x.session));
    mark_take(&before, x.session);
    run(&x, "lesson 11"); /* it has a model */
    assert_non_null(session_model(x.session));
    run(&x, "lesson 05"); /* from one to the next */
    run(&x, "step 5");
    assert_false(mark_same_setup(&before, x.session));
    press(&x, "o");
    assert_shows(&x, "the machine is the one from before the lesson");
    assert_true(mark_same_setup(&before, x.session));
    assert_int_equal(engine_cycle(session_engine(x.session)), 300);
    assert_true(engine_hash(session_engine(x.session)) == hash);
    session_edits(x.session, &count);
    assert_int_equal(count, 1);
    run(&x, "lesson off"); /* nothing is left to put back */
    assert_int_equal(engine_cycle(session_engine(x.session)), 300);
    mark_free(&before);
    explorer_close(&x);
}

static void a_lesson_that_fails_to_open_leaves_the_machine_alone(void **state)
{
    Explorer x;
    char path[100], line[120];
    (void)state;
    snprintf(path, sizeof path, "%s/bad.lua", state_dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("return lesson { id = 'bad', title = 'x', page { say = 'x',\n"
          "  init = function(m) m:step(9) error('no') end } }\n",
          f);
    fclose(f);
    explorer_open(&x, 24, 80);
    run(&x, "config mask=-3.0");
    run(&x, "step 40");
    uint64_t hash = engine_hash(session_engine(x.session));
    snprintf(line, sizeof line, "lesson %s", path);
    Buf out = {0};
    assert_false(tui_exec(x.tui, line, &out, NULL));
    assert_true(engine_hash(session_engine(x.session)) == hash);
    assert_int_equal(engine_cycle(session_engine(x.session)), 40);
    buf_free(&out);
    explorer_close(&x);
}

int main(void)
{
    setenv("INPUTRC", "/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_wrong_answer_the_next_is_typed_at_once),
        cmocka_unit_test(a_page_keeps_back_what_would_give_it_away),
        cmocka_unit_test(the_question_stays_while_a_view_is_looked_at),
        cmocka_unit_test(nothing_typed_for_the_prompt_is_a_command),
        cmocka_unit_test(the_strip_keeps_all_options_beside_what_was_said),
        cmocka_unit_test(the_strip_takes_the_rows_that_it_needs),
        cmocka_unit_test(right_is_said_of_the_question_that_was_answered),
        cmocka_unit_test(the_list_has_numbers_and_a_mark_at_its_cursor),
        cmocka_unit_test(enter_turns_the_page_from_a_view_beside_it),
        cmocka_unit_test(a_narrow_title_says_that_a_lesson_is_open),
        cmocka_unit_test(lines_above_are_announced_and_scrolled_under_the_prompt),
        cmocka_unit_test(escape_leaves_the_prompt_for_a_look),
        cmocka_unit_test(answers_are_not_in_the_history),
        cmocka_unit_test(leaving_puts_back_the_machine_from_before),
        cmocka_unit_test(a_lesson_that_fails_to_open_leaves_the_machine_alone),
    };
    return cmocka_run_group_tests(tests, own_progress, remove_progress);
}
