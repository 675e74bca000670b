#ifndef TESTS_LESSON_TEST_H
#define TESTS_LESSON_TEST_H
/* For tests of lessons: a lesson from its text, in a directory that goes with the test. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "script/lesson.h"
#include "session/command.h"

static char dir[] = "/tmp/tokstep-lesson-XXXXXX";

static inline const char *write_file(const char *name, const char *text)
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

static inline Session *new_session(void)
{
    Setup setup;
    setup_init(&setup);
    assert_true(setup_check(&setup, NULL));
    return session_new(&setup);
}

static inline Lesson *open_limited(const char *text, Session *s, const ScriptLimits *limits,
                                   bool pupil)
{
    ScriptError error = {0};
    Lesson *l = lesson_open(write_file("lesson.lua", text), s, limits, pupil, &error);
    if (!l)
        fail_msg("%s", error.err.text);
    return l;
}

static inline Lesson *open_lesson(const char *text, Session *s, bool pupil)
{
    return open_limited(text, s, &(ScriptLimits){0}, pupil);
}

static inline void act(Lesson *l, const char *verb, const char *text)
{
    ScriptError error = {0};
    if (!lesson_do(l, verb, text, &error))
        fail_msg("%s: %s", verb, error.err.text);
}

static inline void expect_text(const Lesson *l, const char *part)
{
    const char *text = buf_str(&lesson_page(l)->text);
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static inline void expect_page(const Lesson *l, int page, LessonWants wants)
{
    assert_int_equal(lesson_page(l)->page, page);
    assert_int_equal(lesson_page(l)->wants, wants);
}

static inline uint64_t cycle(const Session *s)
{
    return engine_cycle(session_engine(s));
}

static inline int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static inline int remove_dir(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

#endif
