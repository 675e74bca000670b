/* Lessons without a pupil: what --check finds, what is refused, and how answers are graded. */
#include "script/lesson_test.h"

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
    {"a wrong choice that is none",
     "ask { choice = 'n', options = { 'a', 'b' }, answer = 'b', wrong = { 'a', 'zzz' } }",
     "lesson.lua:3: page 1: the wrong answer zzz cannot even be read: one of 1..2 is wanted"},
    {"a wrong choice that is right",
     "ask { choice = 'n', options = { 'a', 'b' }, answer = 'b', wrong = 'b' }",
     "lesson.lua:3: page 1: the wrong answer b is accepted"},
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

/* Needed lessons are looked for beside the file, by name and by id, and among the program's own. */
static void test_needs(void **state)
{
    (void)state;
    ScriptError error = {0};
    LessonCheck result;
    Buf out = {0};
    write_file("other.lua", "return lesson { id = 'its-id', title = 'x', page { say = 'x' } }");
    write_file("by-name.lua", "error('not run')");
    Lesson *l = open_lesson("-- x\nreturn lesson { id = 'x', title = 'x', page { say = 'x' },\n"
                            "needs = { 'nosuch', 'its-id', 'by-name', '00-keys', 'other-id' } }",
                            NULL, false);
    assert_true(lesson_check(l, &result, &out, &error));
    assert_int_equal(result.failures, 2);
    const char *text = strstr(buf_str(&out), "lesson.lua:2: needs nosuch: there is no such lesson");
    assert_non_null(text);
    assert_non_null(strstr(text, "lesson.lua:2: needs other-id: there is no such lesson"));
    buf_free(&out);
    lesson_free(l);
}

/* The views are those of the host: only it knows them. */
static bool has_view(const char *name, Err *err)
{
    return strcmp(name, "vectors") == 0 || err_set(err, "view %s: only vectors here", name);
}

static const Broken unseen[] = {
    {"show", "say = 'x',\nshow = 'nosuch'", "lesson.lua:2: page: show: view nosuch: only vectors"},
    {"screen.show in init",
     "say = 'x', show = 'vectors',\ninit = function()\n"
     "screen.show('vectors') screen.show('t2') end",
     "lesson.lua:5: view t2: only vectors here"},
};

static void test_views(void **state)
{
    (void)state;
    char text[1000];
    const ScriptLimits limits = {.has_view = has_view};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        ScriptError error = {0};
        snprintf(text, sizeof text, "return lesson { id = 'x', title = 'x',\npage {\n%s } }",
                 unseen[i].page);
        const char *path = write_file("lesson.lua", text);
        assert_null(lesson_open(path, NULL, &limits, false, &error));
        if (!strstr(error.err.text, unseen[i].why))
            fail_msg("%s: %s", unseen[i].name, error.err.text);
        lesson_free(open_lesson(text, NULL, false)); /* a host without views takes any */
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
     "lesson.lua:1: lesson: needs an id of letters, digits, -"},
    {"title of two lines", "return lesson { id = 'x', title = 'a\\nb', page { say = 'x' } }",
     "lesson.lua:1: lesson: needs a title, one line"},
    {"minutes", "return lesson { id = 'x', title = 'x', minutes = 0 / 0, page { say = 'x' } }",
     "lesson.lua:1: lesson: minutes is a whole number"},
    {"minutes before now",
     "return lesson {\nid = 'x', title = 'x', minutes = -10, page { say = 'x' } }",
     "lesson.lua:1: lesson: minutes is a whole number from 1 to 999"},
    {"needs", "return lesson { id = 'x', title = 'x', needs = { 1 }, page { say = 'x' } }",
     "lesson.lua:1: lesson: needs is a list of ids"},
    {"setup", "return lesson { id = 'x', title = 'x', setup = { nope = 1 }, page { say = 'x' } }",
     "lesson.lua:1: nope: no such parameter"},
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
    LessonScore score = {0};
    Buf told = {0};
    assert_true(lesson_grade(l, "a.txt",
                             "1 97\n1 -0.25\n1 c\n2 9\n# x\n2 goto 100\n2 while true do end\n"
                             "2 m:step(1)\n3 7\n",
                             &score, &out, &told, &error));
    assert_int_equal(score.percent, 67); /* by question: 4 of 6 */
    assert_int_equal(score.right, 4);
    assert_int_equal(score.questions, 6);
    assert_string_equal(buf_str(&out),
                        "1 ok\n"
                        "2 wrong a.txt:7: while true do end: stopped: it ran for more than 0.1 s\n"
                        "3 wrong 7: that is not it\n");
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", "2 9\n2 pcall(function() while true do end end)\n3 7\n",
                             &score, &out, &told, &error));
    assert_non_null(
        strstr(buf_str(&out), "a.txt:2: pcall(function() while true do end end): stopped"));
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", "2 9\n2 x = ('x'):rep(6e7) .. 'x'\n3 7\n", &score, &out,
                             &told, &error));
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
        LessonScore score = {0};
        Buf told = {0};
        Lesson *l = open_lesson(lesson_text, NULL, false);
        snprintf(answers, sizeof answers, "1 97\n1 -0.25\n1 c\n2 9\n2 %s\n3 7\n", cheats[i]);
        if (!lesson_grade(l, "a.txt", answers, &score, &out, &told, &error))
            fail_msg("%s: %s", cheats[i], error.err.text);
        assert_int_equal(score.right, 4);
        assert_non_null(strstr(buf_str(&out), "3 wrong 7: that is not it"));
        assert_int_equal(lesson_printed(l)->len, 0);
        buf_free(&out);
        lesson_free(l);
    }
}

/* As people write them: a question's number, a colon, a command as texts write it, Lua over several
 * lines; and what is none costs nothing else. */
static const char answer_lines[] = "seed abc\n1.2 -0.25\nseed 7\nseed 8\n1: 97\nwhat is this\n"
                                   "1.2 5\n1.4 5\n1.3: c\n9 1\n2.1 9\n2 :goto 90\n"
                                   "2 for i = 1, 10 do\n2.2   m:step(1)\n2 end\n3 7\n";

static void test_grade(void **state)
{
    (void)state;
    ScriptError error = {0};
    Buf out = {0};
    LessonScore score = {0};
    Buf told = {0};
    Lesson *l = open_limited(lesson_text, NULL, &(ScriptLimits){.cpu = 1}, false);
    assert_true(lesson_grade(l, "a.txt",
                             "# x\n1 97\n1 -0.25\n1 c\n2 9\n2 goto 99\n2 m:step(1)\n3 7\n", &score,
                             &out, &told, &error));
    assert_int_equal(score.percent, 83); /* 5 of 6 */
    assert_string_equal(buf_str(&out), "1 ok\n2 ok\n3 wrong 7: that is not it\n");
    buf_clear(&out);
    assert_true(
        lesson_grade(l, "a.txt", "1 97\n1 1\n1 c\n2 8\n2 goto 100\n", &score, &out, &told, &error));
    assert_int_equal(score.right, 3); /* 1.1, 1.3 and the task of page 2 */
    assert_non_null(strstr(
        buf_str(&out), "1 wrong 1: that is not it (question 2: value)\n2 wrong 8: the machine"));
    assert_non_null(strstr(buf_str(&out), "(question 1: What will ln1.i be?)"));
    assert_non_null(strstr(buf_str(&out), "\n3 wrong no answer\n"));
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", "2 9\n2 goto 9\n", &score, &out, &told, &error));
    assert_non_null(strstr(buf_str(&out), "\n2 wrong cycle 9 (the task)\n"));
    buf_clear(&out);
    grade_runaways(l);
    assert_false(lesson_grade(l, "a.txt", "9 1\n", &score, &out, &told, &error));
    assert_non_null(strstr(error.err.text, "line 1: there is no page 9"));
    assert_int_equal(told.len, 0);
    buf_clear(&out);
    assert_true(lesson_grade(l, "a.txt", answer_lines, &score, &out, &told, &error));
    assert_string_equal(buf_str(&told), "line 1: seed abc: must be 0..4294967295\n"
                                        "line 4: seed 8: there is one already; seed 7 counts\n"
                                        "line 6: must be PAGE ANSWER or PAGE.QUESTION ANSWER\n"
                                        "line 7: 1.2: a second answer; the first one counts\n"
                                        "line 8: 1.4: there is no such question\n"
                                        "line 10: there is no page 9\n");
    assert_non_null(strstr(buf_str(&out), "1 ok\n2 ok\n3 wrong 7"));
    buf_free(&told);
    buf_free(&out);
    lesson_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_lesson), cmocka_unit_test(test_needs),
        cmocka_unit_test(test_views),     cmocka_unit_test(test_cheats),
        cmocka_unit_test(test_grade),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
