/* `tokstep lesson`: lists, runs, checks and grades lessons. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/explore.h"
#include "cli/lesson_json.h"
#include "cli/t2_json.h"
#include "script/lesson.h"
#include "tui/view.h"

const char lesson_help[] =
    "tokstep lesson                      the lessons: id, title, minutes, progress\n"
    "tokstep lesson NAME|FILE [OPTIONS]  take it, in the explorer (NAME: an id, its number or a\n"
    "                                    word of it: 06-mask, 6, mask; options: the explorer's)\n"
    "tokstep lesson --check [NAME|FILE...]\n"
    "                                    play all or those with their own solutions, no screen\n"
    "tokstep lesson NAME|FILE --answers FILE [--pass PERCENT]\n"
    "                                    grade: FILE has `PAGE ANSWER` a line, `seed N` for a\n"
    "                                    pupil's own numbers, # comments. A task's answer is a\n"
    "                                    console command or Lua, several lines if need be;\n"
    "                                    one that never ends is wrong, the others count\n"
    "  --cpu S, --mem MIB                limits of one lesson, as for tokstep lua\n"
    "  --json                            the list, --check or --answers as one JSON document\n\n"
    "Exit 1 when an expectation does not hold, a lesson fails or runs away, or the score is below\n"
    "PERCENT (default 100).\n";

enum { ANSWERS_MAX = 1 << 20 };

typedef struct LessonArgs {
    ScriptLimits limits;
    bool check, json;
    const char *answers;
    int pass;
    const char **names;
    int count;
} LessonArgs;

static bool parse_pass(const char *value, int *pass, Err *err)
{
    char *end = NULL;
    long v = value ? strtol(value, &end, 10) : -1;
    if (!value)
        return false;
    if (end == value || *end || v < 0 || v > 100)
        return err_set(err, "--pass %s: must be 0..100", value);
    *pass = (int)v;
    return true;
}

static bool take_option(LessonArgs *a, int argc, char **argv, int *i, Err *err)
{
    const char *option = argv[*i];
    if (strcmp(option, "--check") == 0)
        return a->check = true;
    if (strcmp(option, "--json") == 0)
        return a->json = true;
    if (cli_is(option, "--answers"))
        return (a->answers = cli_value(argc, argv, i, err)) != NULL;
    if (cli_is(option, "--pass"))
        return parse_pass(cli_value(argc, argv, i, err), &a->pass, err);
    if (cli_is(option, "--cpu") || cli_is(option, "--mem")) {
        const char *value = cli_value(argc, argv, i, err);
        return value && cli_limit(option, value, &a->limits, err);
    }
    return err_set(err, "lesson: %s: no such option; tokstep lesson --help lists them", option);
}

static bool parse(LessonArgs *a, int argc, char **argv, Err *err)
{
    a->pass = -1;
    a->names = (const char **)argv; /* names move to the front */
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            a->names[a->count++] = argv[i];
        else if (!take_option(a, argc, argv, &i, err))
            return false;
    }
    if (a->check && a->answers)
        return err_set(err, "lesson: either --check or --answers");
    if (a->pass >= 0 && !a->answers)
        return err_set(err, "--pass: needs --answers");
    if (a->answers && a->count != 1)
        return err_set(err, "--answers: needs the name of one lesson");
    if (!a->check && !a->answers && a->json && a->count)
        return err_set(err, "--json: is for the list, --check and --answers");
    if (!a->check && !a->answers && a->count)
        return err_set(err, "%s: comes before the options", a->names[0]);
    return true;
}

/* ---- list ---- */

static void progress_text(const LessonInfo *info, char *out, size_t size)
{
    if (info->finished)
        snprintf(out, size, "done");
    else if (info->page == 0)
        snprintf(out, size, "-");
    else
        snprintf(out, size, "page %d of %d", info->page, info->pages);
}

static void print_info(const LessonInfo *info)
{
    char progress[40];
    progress_text(info, progress, sizeof progress);
    printf("%-16s %-38s %3d min  %s\n", info->id, info->title, info->minutes,
           progress); /* 79 columns at "page 10 of 10" */
}

static int list(const LessonArgs *a)
{
    LessonInfo *lessons = NULL;
    ScriptError error = {0};
    int count = 0;
    bool ok = lesson_list(&lessons, &count, &error);
    json_t *all = json_array();
    for (int i = 0; i < count && (ok || i + 1 < count); i++) {
        if (a->json)
            json_array_append_new(all, lesson_json_info(&lessons[i]));
        else
            print_info(&lessons[i]);
    }
    if (a->json && ok)
        t2_json_print(json_pack("{s:O}", "lessons", all));
    json_decref(all);
    free(lessons);
    int rc = cli_flush();
    return ok ? rc : cli_script_fail(&error);
}

/* ---- check ---- */

/* A lesson's error is a failed check: its line and the lines around it. */
static int report(const ScriptError *error)
{
    fflush(stdout);
    fprintf(stderr, "tokstep: %s\n%s", error->err.text, error->source);
    return 1;
}

/* What does not hold: a line each. */
static void report_failures(const Buf *out)
{
    fflush(stdout);
    for (const char *p = buf_str(out); *p; p += strcspn(p, "\n") + 1)
        fprintf(stderr, "tokstep: %.*s\n", (int)strcspn(p, "\n"), p);
}

/* all: takes the result as JSON; NULL: it is printed. */
static int check_one(const LessonArgs *a, const char *path, json_t *all)
{
    ScriptError error = {0};
    LessonCheck result;
    Buf out = {0};
    cli_backstop(&a->limits);
    Lesson *l = lesson_open(path, NULL, &a->limits, false, &error);
    bool done = l && lesson_check(l, &result, &out, &error);
    int rc = !done ? report(&error) : result.failures ? 1 : 0;
    if (done && rc)
        report_failures(&out);
    if (all)
        json_array_append_new(all, done ? lesson_json_check(lesson_info(l)->id, &result, &out)
                                        : lesson_json_failed(path, &error));
    else if (rc == 0)
        printf("%-16s ok  %d pages, %d questions, %d of them predictions\n", lesson_info(l)->id,
               result.pages, result.questions, result.predictions);
    fflush(stdout);
    buf_free(&out);
    lesson_free(l);
    return rc;
}

static int check_all(const LessonArgs *a, json_t *all)
{
    LessonInfo *lessons = NULL;
    ScriptError error = {0};
    int count = 0, rc = 0;
    if (!lesson_list(&lessons, &count, &error)) {
        free(lessons);
        return report(&error);
    }
    for (int i = 0; i < count; i++)
        rc |= check_one(a, lessons[i].path, all);
    free(lessons);
    return rc;
}

static int check(const LessonArgs *a)
{
    Buf path = {0};
    Err err = {0};
    json_t *all = a->json ? json_array() : NULL;
    int rc = a->count ? 0 : check_all(a, all);
    for (int i = 0; i < a->count && rc != 2; i++)
        rc = lesson_find(a->names[i], &path, &err) ? rc | check_one(a, buf_str(&path), all)
                                                   : cli_fail(&err);
    if (all && rc != 2)
        t2_json_print(json_pack("{s:b, s:O}", "ok", rc == 0, "lessons", all));
    json_decref(all);
    buf_free(&path);
    int flushed = cli_flush();
    return flushed ? flushed : rc;
}

/* ---- grade ---- */

static int grade(const LessonArgs *a)
{
    ScriptError error = {0};
    Buf path = {0}, out = {0};
    int percent = 0, rc = 2, pass = a->pass < 0 ? 100 : a->pass;
    Lesson *l = NULL;
    cli_backstop(&a->limits);
    char *answers = file_read_text(a->answers, ANSWERS_MAX, &error.err);
    if (answers && lesson_find(a->names[0], &path, &error.err))
        l = lesson_open(buf_str(&path), NULL, &a->limits, false, &error);
    if (l && lesson_grade(l, a->answers, answers, &percent, &out, &error)) {
        if (a->json)
            t2_json_print(lesson_json_grade(lesson_info(l)->id, &out, percent, pass));
        else
            printf("%sscore %d %%\n", buf_str(&out), percent);
        rc = cli_flush();
        rc = rc ? rc : percent < pass;
    } else {
        rc = cli_script_fail(&error);
    }
    lesson_free(l);
    free(answers);
    buf_free(&path);
    buf_free(&out);
    return rc;
}

/* Is the lesson to be taken: a name first, and nothing that needs no screen? */
static bool is_taken(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0 || strcmp(argv[i], "--json") == 0 ||
            cli_is(argv[i], "--answers"))
            return false;
    }
    return argc > 1 && argv[1][0] != '-';
}

static bool is_found(const char *name, Err *err)
{
    Buf path = {0};
    bool found = lesson_find(name, &path, err);
    buf_free(&path);
    return found;
}

static bool begin_lesson(void *context, Tui *tui, Err *err)
{
    return tui_take_lesson(tui, context, err);
}

int lesson_main(int argc, char **argv)
{
    LessonArgs a = {.limits.has_view = view_exists};
    Err err = {0};
    if (is_taken(argc, argv)) {
        if (!is_found(argv[1], &err)) /* told before the terminal is looked at */
            return cli_fail(&err);
        ExploreTarget target = {.begin = begin_lesson, .context = argv[1], .runs = true};
        return explore_on(argc - 1, argv + 1, &target); /* argv[1]: as the program's name */
    }
    if (!parse(&a, argc, argv, &err))
        return cli_fail(&err);
    if (a.answers)
        return grade(&a);
    if (a.check)
        return check(&a);
    return list(&a);
}
