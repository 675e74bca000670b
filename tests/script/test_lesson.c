/* Lessons as a pupil meets them: answers in several spellings, pages that can be entered again,
 * hints, skips, breakpoints, progress. */
#include "script/lesson_test.h"

static void skip_to(Lesson *l, int page)
{
    for (int i = 0; i < 20 && lesson_page(l)->page < page; i++)
        act(l, "skip", NULL);
    assert_int_equal(lesson_page(l)->page, page);
}

static void test_answers(void **state)
{
    (void)state;
    Session *s = new_session();
    Lesson *l = open_lesson(lesson_text, s, false);
    assert_string_equal(lesson_info(l)->id, "test");
    assert_int_equal(lesson_info(l)->minutes, 3);
    expect_page(l, 1, LESSON_ANSWER);
    expect_text(l, "tOne paragraph.\nt\ntTwo.");
    act(l, "answer", "0x96");
    expect_text(l, "w0x96: cut");
    act(l, "answer", "nonsense");
    expect_text(l, "tnonsense: a raw word in hex is wanted");
    act(l, "hint", NULL);
    expect_text(l, "hhint: h1");
    assert_null(strstr(buf_str(&lesson_page(l)->text), "h2"));
    act(l, "next", NULL);
    expect_page(l, 1, LESSON_ANSWER);
    act(l, "answer", "0.58984375");
    expect_text(l, "r= 0x0097  Right.\ntso it is");
    act(l, "answer", "-1/3");
    expect_text(l, "w-1/3: that is not it");
    act(l, "answer", "0xffc0");
    expect_text(l, "r= -0.25");
    act(l, "answer", "3");
    expect_text(l, "one of 1..2 is wanted");
    act(l, "answer", "A B");
    expect_text(l, "wa b: that is not it");
    act(l, "answer", "b"); /* is no number of an option: pages speak of A, B and C */
    expect_text(l, "tb: one of 1..2 is wanted");
    act(l, "answer", "2");
    expect_page(l, 1, LESSON_NEXT);
    lesson_free(l);
    session_free(s);
}

static const char *const spellings[][2] = {
    {"0x97", "ok"},  {"97", "ok"},       {"0097", "ok"},  {"0X0097", "ok"}, {"00 97", "ok"},
    {"98", "no"},    {"151/256", "ok"},  {"0.59", "no"},  {"", "no"},       {"0x123456789", "no"},
    {"-97", "no"},   {"0.5898", "ok"},   {"0.590", "ok"}, {"0.5899", "no"}, {"0.58984", "ok"},
    {"0.586", "no"}, {"+151/256", "ok"}, {"97.0", "no"},  {"97%", "no"},    {"0x97 %", "no"},
};

static void test_spellings(void **state)
{
    (void)state;
    Session *s = new_session();
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        Lesson *l = open_lesson(lesson_text, s, false);
        act(l, "answer", spellings[i][0]);
        bool ok = strstr(buf_str(&lesson_page(l)->text), "r= 0x0097") != NULL;
        if (ok != (spellings[i][1][0] == 'o'))
            fail_msg("'%s': %s", spellings[i][0], buf_str(&lesson_page(l)->text));
        lesson_free(l);
    }
    session_free(s);
}

/* Numbers as screens write them: roundings, shares, separators; and what only looks like them. */
static const char number_text[] =
    "return lesson { id = 'numbers', title = 'Numbers', page {\n"
    "  ask { predict = 'out_emb[0]', format = 'value', after = 'run until valid == 1' },\n"
    "  ask { number = 'share', answer = 0.1328125, format = 'value' },\n"
    "  ask { number = 'cycles', answer = 2953 },\n"
    "  ask { number = 'percent', answer = 83.8808, format = 'value' },\n"
    "  ask { number = 'whole percent', answer = 84 },\n"
    "  ask { number = 'state', answer = 'SCORE', format = 'state' },\n"
    "  ask { number = '0.5898?', answer = 0x97, format = 'word' },\n"
    "  ask { number = 'wrapped', answer = 0xc800, format = 'hex' },\n"
    "  ask { number = 'least', answer = 0x8000, format = 'hex' },\n"
    "  ask { number = 'ffc0?', answer = -0.25, format = 'decimal' },\n"
    "  ask { number = 'cost', answer = 1.652, format = 'value' } } }\n";
static const struct {
    int ask;
    const char *text, *said;
} numbers[] = {
    {0, "0.5898", "Right, rounded: it is exactly 0.58984375."},
    {0, "0.58984375", "r= 0.58984375  Right.\n"},
    {0, "0097", "r= 0.58984375  Right.\n"},
    {0, "0.590", "exactly 0.58984375"},
    {0, "0.59", "t0.59: right so far: more places, please (three)"},
    {0, "0.6", "right so far"},
    {0, "0.5", "will not agree"},
    {0, "0,5898", "exactly 0.58984375"},
    {0, "0,59", "right so far"},
    {0, "0.5859", "will not agree"},
    {0, "0.5897", "will not agree"},
    {1, "13.3%", "exactly 0.1328125"},
    {1, "13.28125 %", "  Right.\n"},
    {1, "0.1328", "exactly 0.1328125"},
    {1, "14%", "that is not it"},
    {2, "2 953", "r= 2953  Right.\n"},
    {2, "2,953", "  Right.\n"},
    {2, "0xb89", "  Right.\n"},
    {2, "2952.9", "a whole number is wanted"},
    {3, "83.9", "exactly 83.8808"},
    {3, "83.88 %", "exactly 83.8808"},
    {3, "84", "that is not it"},
    {3, "83.8", "that is not it"},
    {3, "84.0", "that is not it"},
    {3, "83,9", "exactly 83.8808"},
    {4, "84 %", "  Right.\n"},
    {4, "84", "  Right.\n"},
    {4, "85%", "that is not it"},
    {5, "s_score", "r= SCORE  Right.\n"},
    {5, "scores", "that is not it"},
    {10, "1,652", "t1,652: use a point for the decimals: 1.652"},
    {10, "1.652", "Right."},
    {10, "1.7", "right so far: more places, please (three digits or more)"},
    {10, "1,651", "that is not it"},
    {2, "2,9530", "a whole number is wanted"},
    {7, "200.5", "or its value with three places at least"},
    {7, "0.6", "or its value with three places at least"},
    {6, "0x97", "Right."},
    {6, "0097", "Right."},
    {6, "0.5898", "a raw word in hex is wanted"},
    {6, "151/256", "a raw word in hex is wanted"},
    {6, "0x96", "that is not it"},
    {7, "200.0", "a raw word in hex is wanted"},
    {7, "c800", "Right."},
    {7, "-56.0", "Right."},
    {8, "128.0", "a raw word in hex is wanted"},
    {8, "-128.0", "Right."},
    {9, "ffc0", "a number is wanted"},
    {9, "0xffc0", "a number is wanted"},
    {9, "-1/4", "Right."},
};

static void test_numbers_read_off_the_screen(void **state)
{
    (void)state;
    Session *s = new_session();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Lesson *l = open_lesson(number_text, s, false);
        for (int k = 0; k < numbers[i].ask; k++)
            act(l, "skip", NULL);
        act(l, "answer", numbers[i].text);
        if (!strstr(buf_str(&lesson_page(l)->text), numbers[i].said))
            fail_msg("%s: %s", numbers[i].text, buf_str(&lesson_page(l)->text));
        lesson_free(l);
    }
    session_free(s);
}

/* The text of an option is an answer before it is anything else, and no command is one. */
static const char option_text[] =
    "return lesson { id = 'options', title = 'Options', page {\n"
    "  ask { choice = 'which key?', options = { '?', 'hint', ':' }, answer = 1, hint = 'H' },\n"
    "  ask { predict = 'top.state', after = 'step', hint = 'H' },\n"
    "  ask { predict = 'out_emb[0]', text = 'Predict:', after = 'step', hint = 'H' },\n"
    "  ask { predict = 'out_emb[0]', text = 'Now (in hex)', after = 'step' },\n"
    "  ask { number = 'A word?', format = 'hex', answer = 5 },\n"
    "  ask { number = 'A number?', answer = 5 } } }\n";
static const struct {
    int ask;
    const char *text, *said;
} options[] = {
    {0, "?", "r= ?  Right."},
    {0, "hint", "whint: that is not it"},
    {0, ":", "w:: that is not it"},
    {0, ":get start", "t:get start: Esc leaves the question; then : takes commands"},
    {1, "?", "hhint: H"},
    {1, "hint", "hhint: H"},
    {1, ":get start", "t:get start: Esc leaves the question; then : takes commands"},
    {2, "?", "hhint: H"},
    {2, " :get q", "t :get q: Esc leaves the question"},
    {2, "x", "a? Predict (hex):\n"},
    {3, "x", "a? Now (in hex)\n"},
    {4, "x", "a? A word? (hex)\n"},
    {4, "0.02", "t0.02: a raw word in hex is wanted, like 0x00c8, or its value with three places"},
    {4, "0.020", "r= 0x0005  Right."},
    {5, "x", "a? A number?\n"},
};

static void test_options_and_what_is_no_answer(void **state)
{
    (void)state;
    Session *s = new_session();
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        Lesson *l = open_lesson(option_text, s, false);
        for (int k = 0; k < options[i].ask; k++)
            act(l, "skip", NULL);
        act(l, "answer", options[i].text);
        if (!strstr(buf_str(&lesson_page(l)->text), options[i].said))
            fail_msg("%d %s: %s", options[i].ask, options[i].text, buf_str(&lesson_page(l)->text));
        lesson_free(l);
    }
    session_free(s);
}

static void expect_said(const Lesson *l, const char *said)
{
    assert_string_equal(buf_str(&lesson_page(l)->said), said);
}

/* What was said last, for who does not show the page: and which question it is said of. */
static void test_said(void **state)
{
    (void)state;
    Session *s = new_session();
    Lesson *l = open_lesson(lesson_text, s, false);
    expect_said(l, "");
    act(l, "hint", NULL);
    expect_said(l, "h hint: h1");
    act(l, "answer", "x y");
    assert_non_null(strstr(buf_str(&lesson_page(l)->said), "t x y: a raw word"));
    act(l, "answer", "0x96");
    expect_said(l, "w 0x96: cut");
    act(l, "answer", "0.5898");
    expect_said(l, "r<= 0x0097  Right.");
    expect_text(l, "r= 0x0097  Right.\ntso it is\nt\na? value\n");
    act(l, "skip", NULL);
    expect_said(l, "t<The answer is -0.25.");
    expect_text(l, "r= -0.25 (shown)\nt\na? which\n");
    assert_null(strstr(buf_str(&lesson_page(l)->text), "Right"));
    lesson_free(l);
    session_free(s);
}

/* "Not yet" is of the machine as it stood: any change of it takes that away, and nothing else. */
static void test_not_yet(void **state)
{
    (void)state;
    static const char *const changes[] = {"step", "set q[0] 5", "undo", "config mask=-3.0"};
    Session *s = new_session();
    Buf out = {0};
    ScriptError error = {0};
    Lesson *l = open_lesson(lesson_text, s, false);
    skip_to(l, 2);
    act(l, "answer", "9");
    assert_true(session_exec(s, "set token_emb[0] 7", &out, NULL));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        act(l, "check", NULL);
        assert_true(lesson_settle(l, &error));
        expect_text(l, "wNot yet: cycle ");
        assert_int_equal(buf_str(&lesson_page(l)->said)[0], 'w');
        assert_true(session_exec(s, changes[i], &out, NULL));
        assert_true(lesson_settle(l, &error));
        if (strstr(buf_str(&lesson_page(l)->text), "Not yet"))
            fail_msg("after %s: %s", changes[i], buf_str(&lesson_page(l)->text));
        expect_said(l, "");
    }
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* A page that sets words says that `edited` is its doing; one that leaves them does not. */
static void test_edited(void **state)
{
    (void)state;
    static const char text[] =
        "return lesson { id = 'e', title = 'E',\n"
        "  page { say = 'plain', init = function(m) m:configure{} end },\n"
        "  page { say = 'set', init = function(m) m:set('q[0]', 5) end },\n"
        "  page { say = 'I have `edited` it', init = function(m) m.q[0] = 6 end },\n"
        "  page { play = 'played', init = function(m) m.q[0] = 7 end } }\n";
    Session *s = new_session();
    Buf out = {0};
    Lesson *l = open_lesson(text, s, false);
    assert_true(session_exec(s, "set q[1] 5", &out, NULL));
    act(l, "hint", NULL);
    expect_text(l, "tplain\n");
    act(l, "next", NULL);
    expect_text(l, "tset (`edited` in the top line: by this page.)\n");
    act(l, "next", NULL);
    expect_text(l, "tI have `edited` it\n");
    act(l, "next", NULL);
    expect_text(l, "t(`edited` in the top line: by this page.)\nt\naplayed");
    act(l, "back", NULL);
    act(l, "back", NULL);
    act(l, "back", NULL);
    expect_text(l, "tplain\n");
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* A letter of the model, read when the machine has come there and not before. */
static const char letter_text[] =
    "return lesson { id = 'letters', title = 'Letters', setup = { model = 'repaired', text = 'q' "
    "},\n"
    "  page { ask { predict = function(m) return m.guesses[1].letter end, format = 'letter',\n"
    "    text = 'next?', after = function(m) m:to_token(1) m:until_('valid == 1') end } },\n"
    "  page { say = function(m) return m.letters end },\n"
    "}\n";
static const char *const letters[][2] = {{"u", "r= u"},
                                         {" U ", "r= u"},
                                         {"'u'", "r= u"},
                                         {"e", "we: "},
                                         {"uu", "tuu: one letter is wanted"}};

static void test_letters(void **state)
{
    (void)state;
    Session *s = new_session();
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        Lesson *l = open_lesson(letter_text, s, false);
        expect_text(l, "? next?");
        act(l, "answer", letters[i][0]);
        expect_text(l, letters[i][1]);
        lesson_free(l);
    }
    Lesson *l = open_lesson(letter_text, s, false);
    act(l, "skip", NULL);
    act(l, "next", NULL);
    expect_text(l, "t^q");
    lesson_free(l);
    session_free(s);
}

/* A prediction moves the machine only when it is right; pages restore what they found. */
static void test_machine(void **state)
{
    (void)state;
    Session *s = new_session();
    Buf out = {0};
    Lesson *l = open_lesson(lesson_text, s, false);
    skip_to(l, 2);
    assert_int_equal(cycle(s), 10);
    act(l, "answer", "3");
    assert_int_equal(cycle(s), 10);
    expect_text(l, "w3: the machine will not agree");
    assert_true(session_exec(s, "goto 50", &out, NULL)); /* went to look, and did not come back */
    act(l, "answer", "3");
    assert_int_equal(cycle(s), 50);
    act(l, "answer", "9");
    assert_int_equal(cycle(s), 12);
    expect_page(l, 2, LESSON_CHECK);
    act(l, "check", NULL);
    expect_text(l, "wNot yet: cycle 12");
    assert_true(session_exec(s, "goto 100", &out, NULL));
    act(l, "check", NULL);
    expect_text(l, "r= done\ntdone so");
    uint64_t hash = engine_hash(session_engine(s));
    act(l, "next", NULL);
    assert_string_equal(session_setup(s)->config.preset, "minus8");
    assert_int_equal(cycle(s), 0);
    act(l, "back", NULL); /* the page begins where it began */
    assert_string_equal(session_setup(s)->config.preset, "deck");
    assert_int_equal(cycle(s), 10);
    expect_page(l, 2, LESSON_NEXT);
    assert_true(session_exec(s, "goto 100", &out, NULL));
    assert_true(hash == engine_hash(session_engine(s)));
    act(l, "next", NULL); /* and its successor where it was first entered */
    assert_string_equal(session_setup(s)->config.preset, "minus8");
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

static void test_locked_and_play(void **state)
{
    (void)state;
    Session *s = new_session();
    Buf out = {0};
    Lesson *l = open_lesson(lesson_text, s, false);
    skip_to(l, 3);
    act(l, "skip", NULL);
    act(l, "next", NULL);
    expect_page(l, 3, LESSON_ANSWER);
    expect_text(l, "goes on when this page is solved");
    char answer[16];
    snprintf(answer, sizeof answer, "%d",
             signal_get(session_engine(s), signal_at(SIG_TOKEN_EMB), 0));
    act(l, "answer", answer);
    act(l, "next", NULL);
    expect_page(l, 4, LESSON_NEXT);
    uint64_t hash = engine_hash(session_engine(s));
    assert_true(session_exec(s, "step 500", &out, NULL));
    assert_true(session_exec(s, "set q[0] 5", &out, NULL));
    act(l, "next", NULL); /* what was played with is put back */
    assert_true(hash == engine_hash(session_engine(s)));
    act(l, "next", NULL);
    assert_true(lesson_page(l)->finished);
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* The pupil's breakpoints do not stop the lesson's own moves, and stop the pupil's again. */
static void test_breakpoints(void **state)
{
    (void)state;
    static const char text[] =
        "return lesson { id = 'b', title = 'B',\n"
        "  page { ask { predict = 'top.state', after = 'run until valid == 1' } },\n"
        "  page { say = 'y', init = function(m) m:configure{} m:until_('valid == 1') end } }\n";
    Session *s = new_session();
    Buf out = {0};
    Lesson *l = open_lesson(text, s, false);
    assert_true(session_exec(s, "break top.state == LN1_WAIT", &out, NULL));
    act(l, "answer", "DONE");
    expect_text(l, "r= DONE");
    act(l, "next", NULL);
    expect_page(l, 2, LESSON_NEXT);
    assert_int_equal(cycle(s), 2953);
    assert_true(session_exec(s, "goto 0", &out, NULL));
    assert_true(session_run(s, "valid == 1", NULL));
    while (session_advance(s, 1000) == RUN_ON) {
    }
    assert_int_equal(cycle(s), 2);
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* Parameters that the pupil has changed are the lesson's again on the next page. */
static void test_parameters(void **state)
{
    (void)state;
    static const char text[] =
        "return lesson { id = 'p', title = 'P', page { say = 'x', set = { score_scale = 5 } },\n"
        "  page { say = 'y', init = function(m) m:configure{} end } }\n";
    Session *s = new_session();
    Buf out = {0};
    Lesson *l = open_lesson(text, s, false);
    assert_true(session_exec(s, "config d_model=32", &out, NULL));
    act(l, "next", NULL);
    assert_int_equal(session_setup(s)->config.d_model, 64);
    assert_int_equal(session_setup(s)->config.score_scale, 5);
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* A text stays what it was when it was read, and a plot follows its pane. */
static void test_texts_and_plots(void **state)
{
    (void)state;
    static const char text[] = "return lesson { id = 't', title = 'T', page {\n"
                               "  say = function(m) return 'cycle ' .. m.cycle end,\n"
                               "  plot = function() screen.plot{ title = 'p', height = 8, width = "
                               "30, {0, 0}, {1, 1} } end,\n"
                               "  ask { number = 'n', answer = 1 } } }\n";
    Session *s = new_session();
    Buf out = {0};
    ScriptError error = {0};
    Lesson *l = open_lesson(text, s, false);
    expect_text(l, "t          +------------------------------\n"); /* as its author said: 30 */
    assert_true(session_exec(s, "goto 9", &out, NULL));
    assert_true(lesson_fit(l, 40, 19, &error));
    expect_text(l, "t          +-----------------------------\n"); /* 40 less 11 */
    expect_text(l, "t        1 |                            *\n");
    assert_null(strstr(buf_str(&lesson_page(l)->text), "several"));
    act(l, "answer", "1.e30");
    act(l, "answer", "1");
    expect_text(l, "tcycle 0\n");
    int rows = 0;
    for (const char *p = buf_str(&lesson_page(l)->text); (p = strstr(p, " |")) != NULL; p++)
        rows++;
    assert_int_equal(rows, 6); /* of a pane of 19, which has to show a question too */
    buf_free(&out);
    lesson_free(l);
    session_free(s);
}

/* A mark that is covered by another is not lost without a note. */
static void test_points_that_meet(void **state)
{
    (void)state;
    Session *s = new_session();
    Lesson *l =
        open_lesson("return lesson { id = 't', title = 'T', page { say = 'x', plot = function()"
                    "\n screen.plot{ height = 3, width = 20, series = {\n"
                    "  A = { {0, 0}, {1, 1}, {1, 1} }, B = { {0, 0}, {1, 0} } } } end } }\n",
                    s, false);
    expect_text(l, "t* A   o B   & several\nt        1 |                   *\nt          |\n"
                   "t        0 |&                  o\n");
    lesson_free(l);
    session_free(s);
}

/* Left in the middle of a page, it goes on there: with what was answered, and the machine where it
 * was. */
static void test_middle(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", dir, 1);
    static const char text[] =
        "return lesson { id = 'middle', title = 'M', page {\n"
        "  ask { predict = 'top.state', text = function(m) return 'at ' .. m.cycle end,\n"
        "    after = 'step 5', because = 'so' },\n"
        "  ask { predict = 'ln1.i', after = 'step 2' },\n"
        "  task = 'go', check = function(m) return m.cycle == 9, 'no' end, auto = 'goto 9' },\n"
        "  page { say = 'end' } }\n";
    Session *s = new_session();
    Lesson *l = open_lesson(text, s, true);
    act(l, "answer", "LN1_WAIT");
    lesson_free(l);
    l = open_lesson(text, s, true);
    expect_page(l, 1, LESSON_ANSWER);
    expect_text(l, "a? at 0\nr= LN1_WAIT\ntso\n");
    assert_int_equal(cycle(s), 5);
    act(l, "answer", "4");
    expect_page(l, 1, LESSON_CHECK);
    act(l, "skip", NULL);
    lesson_free(l);
    l = open_lesson(text, s, true);
    expect_page(l, 1, LESSON_NEXT);
    act(l, "next", NULL);
    assert_int_equal(cycle(s), 9);
    lesson_free(l);
    session_free(s);
}

/* Back on an earlier page, finished, and begun again: what was reached and done stays. */
static void test_reached(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", dir, 1);
    static const char text[] =
        "return lesson { id = 'reached', title = 'R',\n"
        "  page { ask { choice = 'c', options = { 'it has finished', 'page 3 of 3' }, answer = 1 } "
        "},\n"
        "  page { ask { predict = 'top.state', text = function(m) return 'at ' .. m.cycle end,\n"
        "    after = 'step 5' } }, page { say = 'end' } }\n";
    Session *s = new_session();
    Lesson *l = open_lesson(text, s, true);
    act(l, "answer", "1");
    act(l, "next", NULL);
    act(l, "answer", "LN1_WAIT");
    act(l, "next", NULL);
    act(l, "back", NULL);
    act(l, "back", NULL);
    lesson_free(l);
    l = open_lesson(text, s, true);
    expect_page(l, 1, LESSON_NEXT);
    expect_text(l, "r= it has finished");
    act(l, "next", NULL);
    expect_page(l, 2, LESSON_NEXT);
    expect_text(l, "a? at 0");
    expect_text(l, "r= LN1_WAIT");
    assert_int_equal(cycle(s), 0);
    act(l, "next", NULL);
    assert_int_equal(cycle(s), 5); /* where the page before had led */
    act(l, "next", NULL);
    assert_true(lesson_page(l)->finished);
    act(l, "back", NULL);
    assert_false(lesson_page(l)->finished);
    act(l, "next", NULL);
    act(l, "next", NULL);
    lesson_free(l);
    l = open_lesson(text, s, true); /* begins again, and is still done */
    expect_page(l, 1, LESSON_ANSWER);
    act(l, "answer", "2");
    lesson_free(l);
    l = open_lesson(text, s, true);
    assert_true(lesson_info(l)->finished);
    lesson_free(l);
    session_free(s);
}

static void test_progress(void **state)
{
    (void)state;
    char path[200];
    setenv("XDG_STATE_HOME", dir, 1);
    Session *s = new_session();
    Lesson *l = open_lesson(lesson_text, s, true);
    skip_to(l, 3);
    int n = signal_get(session_engine(s), signal_at(SIG_TOKEN_EMB), 0);
    lesson_free(l);
    snprintf(path, sizeof path, "%s/tokstep/lessons/test", dir);
    char *text = file_read_text(path, 10000, NULL);
    assert_non_null(text);
    assert_non_null(strstr(text, "page 3 of 5\n"));
    free(text);
    l = open_lesson(lesson_text, s, true); /* the same page, the same numbers, the same machine */
    expect_page(l, 3, LESSON_ANSWER);
    assert_int_equal(signal_get(session_engine(s), signal_at(SIG_TOKEN_EMB), 0), n);
    act(l, "back", NULL);
    expect_page(l, 2, LESSON_NEXT);
    assert_int_equal(cycle(s), 10);
    lesson_free(l);
    chmod(path, 0400);
    snprintf(path, sizeof path, "%s/none", dir);
    write_file("none", "");
    setenv("XDG_STATE_HOME", path, 1); /* a file: progress cannot be kept */
    l = open_lesson(lesson_text, s, true);
    ScriptError error = {0};
    assert_false(lesson_do(l, "hint", NULL, &error));
    assert_non_null(strstr(error.err.text, "none"));
    lesson_free(l);
    session_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_numbers_read_off_the_screen),
        cmocka_unit_test(test_options_and_what_is_no_answer),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_not_yet),
        cmocka_unit_test(test_edited),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_locked_and_play),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_texts_and_plots),
        cmocka_unit_test(test_points_that_meet),
        cmocka_unit_test(test_middle),
        cmocka_unit_test(test_reached),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
