/* Lessons: pages that can be entered again, answers in several spellings, hints, skips, progress;
 * check and grade. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "script/lesson.h"
#include "session/command.h"

static char dir[] = "/tmp/tokstep-lesson-XXXXXX";

static const char *write_file(const char *name, const char *text)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static const char lesson_text[] =
    "return lesson { id = 'test', title = 'Test', minutes = 3,\n"
    "  page { say = [[\n"
    "      One\n"
    "      paragraph.\n"
    "\n"
    "      Two.]],\n"
    "    ask { number = 'hex', format = 'hex', answer = 0x97, hint = { 'h1', 'h2' },\n"
    "          because = 'so it is', mistake = function(g) if g == 0x96 then return 'cut' end end "
    "},\n"
    "    ask { number = 'value', format = 'value', answer = -0.25, tolerance = 0.01 },\n"
    "    ask { choice = 'which', options = { 'a b', 'c' }, answer = 'c' } },\n"
    "  page { init = function(m) m:goto_(10) end,\n"
    "    ask { predict = 'ln1.i', after = 'step 2', format = 'int' },\n"
    "    task = 'go', check = function(m) return m.cycle == 100, 'cycle ' .. m.cycle end,\n"
    "    auto = 'goto 100', because = 'done so' },\n"
    "  page { skip = 'locked', set = { preset = 'minus8' },\n"
    "    init = function(m, v) v.n = v.random(1, 1000) m:set('token_emb[0]', v.n) end,\n"
    "    ask { number = 'n', answer = function(m) return m.token_emb[0] end } },\n"
    "  page { play = 'play' },\n"
    "  page { say = 'end' },\n"
    "}\n";

static Session *new_session(void)
{
    Setup setup;
    setup_init(&setup);
    assert_true(setup_check(&setup, NULL));
    return session_new(&setup);
}

static Lesson *open_limited(const char *text, Session *s, const ScriptLimits *limits, bool pupil)
{
    ScriptError error = {0};
    Lesson *l = lesson_open(write_file("lesson.lua", text), s, limits, pupil, &error);
    if (!l)
        fail_msg("%s", error.err.text);
    return l;
}

static Lesson *open_lesson(const char *text, Session *s, bool pupil)
{
    return open_limited(text, s, &(ScriptLimits){0}, pupil);
}

static void act(Lesson *l, const char *verb, const char *text)
{
    ScriptError error = {0};
    if (!lesson_do(l, verb, text, &error))
        fail_msg("%s: %s", verb, error.err.text);
}

static void expect_text(const Lesson *l, const char *part)
{
    const char *text = buf_str(&lesson_page(l)->text);
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void expect_page(const Lesson *l, int page, LessonWants wants)
{
    assert_int_equal(lesson_page(l)->page, page);
    assert_int_equal(lesson_page(l)->wants, wants);
}

static uint64_t cycle(const Session *s)
{
    return engine_cycle(session_engine(s));
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
    expect_text(l, "r= 0x0097\ntso it is");
    act(l, "answer", "-1/3");
    expect_text(l, "w-1/3: that is not it");
    act(l, "answer", "0xffc0");
    expect_text(l, "r= -0.25");
    act(l, "answer", "3");
    expect_text(l, "one of 1..2 is wanted");
    act(l, "answer", "A B");
    expect_text(l, "wa b: that is not it");
    act(l, "answer", "b");
    expect_page(l, 1, LESSON_NEXT);
    lesson_free(l);
    session_free(s);
}

static const char *const spellings[][2] = {{"0x97", "ok"},        {"97", "ok"},    {"0097", "ok"},
                                           {"0X0097", "ok"},      {"00 97", "ok"}, {"98", "no"},
                                           {"151/256", "ok"},     {"0.59", "no"},  {"", "no"},
                                           {"0x123456789", "no"}, {"-97", "no"}};

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

static void skip_to(Lesson *l, int page)
{
    for (int i = 0; i < 20 && lesson_page(l)->page < page; i++)
        act(l, "skip", NULL);
    assert_int_equal(lesson_page(l)->page, page);
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

typedef struct Broken {
    const char *name, *page, *why;
} Broken;

/* Broken on purpose: found by check, each with its line. */
static const Broken broken[] = {
    {"wrong answer accepted", "ask { number = 'n', answer = 5, wrong = { 6, 5 } }",
     "lesson.lua:3: page 1: the wrong answer 5 is accepted"},
    {"tolerance too wide",
     "ask { number = 'n', format = 'value', answer = 1.5, tolerance = 1, wrong = 2 }",
     "lesson.lua:3: page 1: the wrong answer 2 is accepted"},
    {"solution that does not solve",
     "say = 'x', check = function(m) return m.cycle == 5, 'why' end, auto = 'step 4'",
     "lesson.lua:2: page 1: its own solution does not pass: why"},
    {"check that always holds", "say = 'x', check = function() return true end, auto = 'step'",
     "lesson.lua:2: page 1: the check holds before anything has been done"},
    {"a vector for an answer", "ask { predict = 'out_emb', after = 'step' }",
     "lesson.lua:3: page 1: out_emb: needs the index of one element"},
    {"no number for an answer", "ask { number = 'n', answer = function() end }",
     "lesson.lua:3: page 1: its answer is a nil, not a number"},
    {"a state for a number", "ask { predict = 'top.state', format = 'value', after = 'step' }",
     "lesson.lua:3: page 1: its answer is a string, not a number"},
    {"a cursor on nothing", "say = 'x', cursor = 'nope[0]'",
     "lesson.lua:2: page 1: nope: no such signal"},
    {"a highlight on nothing", "say = 'x', highlight = { 'q[0]', 'nope[0]' }",
     "lesson.lua:2: page 1: nope: no such signal"},
    {"init that adds up", "say = 'x', init = function(m, v) v.n = (v.n or 0) + 1 m:step(v.n) end",
     "lesson.lua:2: page 1: entered again, the machine is another one"},
};

static void test_broken(void **state)
{
    (void)state;
    char text[1000];
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        ScriptError error = {0};
        LessonCheck result;
        Buf out = {0};
        snprintf(text, sizeof text, "return lesson { id = 'x', title = 'x',\npage {\n%s } }",
                 broken[i].page);
        Lesson *l = open_lesson(text, NULL, false);
        assert_true(lesson_check(l, &result, &out, &error));
        assert_int_equal(result.failures, 1);
        if (!strstr(buf_str(&out), broken[i].why))
            fail_msg("%s: %s", broken[i].name, buf_str(&out));
        buf_free(&out);
        lesson_free(l);
    }
}

/* What is no lesson at all is refused, with the line. */
static const Broken refused[] = {
    {"unknown field", "say = 'x', chekc = 1", "lesson.lua:2: page: no such field: chekc"},
    {"wrong type", "say = 5", "lesson.lua:2: page: say cannot be a number"},
    {"nothing said", "", "lesson.lua:2: page: says nothing"},
    {"check without solution", "check = function() end",
     "lesson.lua:2: page: a check needs `auto`, its solution"},
    {"question without answer", "ask { number = 'n' }", "lesson.lua:3: ask: needs an answer"},
    {"prediction without moment", "ask { predict = 'q[0]' }", "lesson.lua:3: ask: a prediction"},
    {"predicted function without question", "ask { predict = function() end }",
     "lesson.lua:3: ask: a prediction of a function needs"},
    {"a hint that is no text", "ask { number = 'n', answer = 1, hint = { 'a', {} } }",
     "lesson.lua:3: ask: hint: its text 2 cannot be a table"},
    {"an option that is no text", "ask { choice = 'n', answer = 1, options = { true, 'b' } }",
     "lesson.lua:3: ask: options: its text 1 cannot be a boolean"},
    {"no such parameter", "say = 'x', set = { nope = 1 }", "lesson.lua:2: nope: no such parameter"},
    {"no such file", "say = 'x', set = { file = { 'nope.t2', shape = { 32, 256 } } }",
     "lesson.lua:2: nope.t2: No such file"},
    {"a file without its list", "say = 'x', set = { file = 'nope.t2' }",
     "lesson.lua:2: page: file is { \"NAME\""},
    {"random from above", "say = 'x', init = function(m, v) v.random(5, 1) end",
     "lesson.lua:3: random: 5 is above 1"},
    {"error in init", "say = 'x', init = function(m)\nreturn m.nothing.x end",
     "lesson.lua:4: machine has no nothing"},
};

static void test_refused(void **state)
{
    (void)state;
    char text[1000];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ScriptError error = {0};
        snprintf(text, sizeof text, "return lesson { id = 'x', title = 'x',\npage {\n%s } }",
                 refused[i].page);
        const char *path = write_file("lesson.lua", text);
        assert_null(lesson_open(path, NULL, &(ScriptLimits){0}, false, &error));
        if (!strstr(error.err.text, refused[i].why))
            fail_msg("%s: %s", refused[i].name, error.err.text);
    }
}

/* What is wrong in the lesson's own fields. */
static const Broken headless[] = {
    {"id", "return lesson { id = '../x', title = 'x', page { say = 'x' } }",
     "lesson.lua: lesson: needs an id of letters, digits, -"},
    {"title of two lines", "return lesson { id = 'x', title = 'a\\nb', page { say = 'x' } }",
     "lesson.lua: lesson: needs a title, one line"},
    {"minutes", "return lesson { id = 'x', title = 'x', minutes = 0 / 0, page { say = 'x' } }",
     "lesson.lua: lesson: minutes is a whole number"},
    {"needs", "return lesson { id = 'x', title = 'x', needs = { 1 }, page { say = 'x' } }",
     "lesson.lua: lesson: needs is a list of ids"},
    {"setup", "return lesson { id = 'x', title = 'x', setup = { nope = 1 }, page { say = 'x' } }",
     "lesson.lua: nope: no such parameter"},
};

static void test_no_lesson(void **state)
{
    (void)state;
    ScriptError error = {0};
    const char *path = write_file("lesson.lua", "return 5");
    assert_null(lesson_open(path, NULL, &(ScriptLimits){0}, false, &error));
    assert_non_null(strstr(error.err.text, "lesson.lua: this is no lesson"));
    for (size_t i = 0; i < sizeof headless / sizeof *headless; i++) {
        path = write_file("lesson.lua", headless[i].page);
        assert_null(lesson_open(path, NULL, &(ScriptLimits){0}, false, &error));
        if (!strstr(error.err.text, headless[i].why))
            fail_msg("%s: %s", headless[i].name, error.err.text);
    }
    path = write_file("lesson.lua", "while true do end");
    assert_null(lesson_open(path, NULL, &(ScriptLimits){.cpu = 0.1}, false, &error));
    assert_true(error.runaway);
    assert_non_null(strstr(error.err.text, "lesson.lua:1: stopped"));
}

/* Answers that never end, or need too much memory: told with their place, the others count. */
static void grade_runaways(Lesson *l)
{
    ScriptError error = {0};
    Buf out = {0};
    int percent = 0;
    assert_true(lesson_grade(l, "a.txt",
                             "1 97\n1 -0.25\n1 c\n2 9\n# x\n2 goto 100\n2 while true do end\n"
                             "2 m:step(1)\n3 7\n",
                             &percent, &out, &error));
    assert_int_equal(percent, 33);
    assert_string_equal(buf_str(&out),
                        "1 ok\n"
                        "2 wrong a.txt:7: while true do end: stopped: it ran for more than 0.1 s\n"
                        "3 wrong 7: that is not it\n");
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", "2 9\n2 pcall(function() while true do end end)\n3 7\n",
                             &percent, &out, &error));
    assert_non_null(
        strstr(buf_str(&out), "a.txt:2: pcall(function() while true do end end): stopped"));
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", "2 9\n2 x = ('x'):rep(6e7) .. 'x'\n3 7\n", &percent, &out,
                             &error));
    assert_non_null(
        strstr(buf_str(&out), "a.txt:2: x = ('x'):rep(6e7) .. 'x': it needs more than"));
    assert_non_null(strstr(buf_str(&out), "\n3 wrong 7: that is not it\n"));
    buf_free(&out);
}

/* What judges cannot be exchanged: not by the libraries, not by load, not by a metatable. */
static const char *const cheats[] = {"math.abs = function() return 0 end",
                                     "string.find = print",
                                     "load('math.abs = print')()",
                                     "load('math.abs = print', 'x', 't', _G)()",
                                     "_G.math.abs = print",
                                     "_ENV.math.abs = print",
                                     "getmetatable(systolic.product({{1}}, {{1}})).x = 1",
                                     "q88.mul = print",
                                     "m = nil",
                                     "print = nil",
                                     "print('score 100 %')"};

static void test_cheats(void **state)
{
    (void)state;
    char answers[300];
    for (size_t i = 0; i < sizeof cheats / sizeof *cheats; i++) {
        ScriptError error = {0};
        Buf out = {0};
        int percent = 0;
        Lesson *l = open_lesson(lesson_text, NULL, false);
        snprintf(answers, sizeof answers, "1 97\n1 -0.25\n1 c\n2 9\n2 %s\n3 7\n", cheats[i]);
        if (!lesson_grade(l, "a.txt", answers, &percent, &out, &error))
            fail_msg("%s: %s", cheats[i], error.err.text);
        assert_int_equal(percent, 33);
        assert_non_null(strstr(buf_str(&out), "3 wrong 7: that is not it"));
        assert_int_equal(lesson_printed(l)->len, 0);
        buf_free(&out);
        lesson_free(l);
    }
}

static void test_grade(void **state)
{
    (void)state;
    ScriptError error = {0};
    Buf out = {0};
    int percent = 0;
    Lesson *l = open_limited(lesson_text, NULL, &(ScriptLimits){.cpu = 1}, false);
    assert_true(lesson_grade(l, "a.txt",
                             "# x\n1 97\n1 -0.25\n1 c\n2 9\n2 goto 99\n2 m:step(1)\n3 7\n",
                             &percent, &out, &error));
    assert_int_equal(percent, 66);
    assert_string_equal(buf_str(&out), "1 ok\n2 ok\n3 wrong 7: that is not it\n");
    buf_clear(&out);
    assert_true(
        lesson_grade(l, "a.txt", "1 97\n1 1\n1 c\n2 8\n2 goto 100\n", &percent, &out, &error));
    assert_int_equal(percent, 0);
    assert_non_null(strstr(buf_str(&out), "1 wrong 1: that is not it\n2 wrong 8: the machine"));
    assert_non_null(strstr(buf_str(&out), "\n3 wrong no answer\n"));
    buf_clear(&out);
    grade_runaways(l);
    assert_false(lesson_grade(l, "a.txt", "9 1\n", &percent, &out, &error));
    assert_non_null(strstr(error.err.text, "line 1: there is no page 9"));
    assert_false(lesson_grade(l, "a.txt", "1 97\nx\n", &percent, &out, &error));
    assert_non_null(strstr(error.err.text, "line 2: must be PAGE ANSWER"));
    buf_free(&out);
    lesson_free(l);
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),         cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_letters),         cmocka_unit_test(test_machine),
        cmocka_unit_test(test_locked_and_play), cmocka_unit_test(test_progress),
        cmocka_unit_test(test_broken),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_lesson),       cmocka_unit_test(test_grade),
        cmocka_unit_test(test_breakpoints),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_texts_and_plots), cmocka_unit_test(test_reached),
        cmocka_unit_test(test_cheats),          cmocka_unit_test(test_middle),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
