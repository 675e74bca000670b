/* `tokstep lesson`: lists, runs, checks and grades lessons. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/explore.h"
#include "cli/lesson_class.h"
#include "cli/lesson_json.h"
#include "cli/t2_json.h"
#include "script/lesson.h"
#include "tui/views.h"

const char lesson_help[] =
    "tokstep lesson                      the lessons: id, title, minutes, progress,\n"
    "                                    and what each is about\n"
    "tokstep lesson NAME|FILE [OPTIONS]  take it, in the explorer (NAME: an id, its\n"
    "                                    number or a word of it: 06-mask, 6, mask;\n"
    "                                    options: the explorer's)\n"
    "  --seed S                          with the numbers of pupil S (else the last\n"
    "                                    ones, first of the clock); each S has\n"
    "                                    progress of its own\n"
    "  --hand-in FILE [--name NAME]      write what is done into FILE after each\n"
    "                                    step; it goes on where FILE or this account\n"
    "                                    left it; a FILE that is another's is\n"
    "                                    refused (NAME: else that of $USER)\n"
    "tokstep lesson --grade FILE...      one table of hand-ins, judged again by the\n"
    "                                    machine; 1 if a file was changed, 2 if one\n"
    "                                    is none. A lesson of your own:\n"
    "                                    tokstep lesson MINE.lua --grade FILE...\n"
    "  --csv, --json                     for a spreadsheet, for a program\n"
    "tokstep lesson NAME|FILE --print [--seed S] [--solutions]\n"
    "                                    as Markdown, with the numbers of pupil S\n"
    "                                    (default 1)\n"
    "tokstep lesson --check [NAME|FILE...]\n"
    "                                    play all or those with their own solutions,\n"
    "                                    no screen\n"
    "tokstep lesson NAME|FILE --answers FILE [--pass PERCENT]\n"
    "                                    grade: FILE has `PAGE ANSWER` or\n"
    "                                    `PAGE.QUESTION ANSWER` a line, `seed N` for\n"
    "                                    a pupil's own numbers, # comments. A task's\n"
    "                                    answer is a console command or Lua, several\n"
    "                                    lines if need be; one that never ends is\n"
    "                                    wrong, one that cannot be read is told (1),\n"
    "                                    the others count\n"
    "  --hand-in FILE [--name NAME]      write them as a hand-in too\n"
    "  --cpu S, --mem MIB                limits of one lesson, as for tokstep lua\n"
    "  --json                            the list, --check or --answers as one JSON\n"
    "                                    document\n\n"
    "Exit 1 when an expectation does not hold, a lesson fails or runs away, or the\n"
    "score is below PERCENT (default 100; of --grade 0).\n";

enum { ANSWERS_MAX = 1 << 20 };

typedef struct LessonArgs {
    ScriptLimits limits;
    bool check, json, csv, grade, print, solutions;
    const char *answers;
    LessonPupil pupil;
    int pass;
    const char **names;
    int count;
    int before_grade; /* of the names, those before --grade */
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

static bool parse_seed(const char *value, LessonPupil *pupil, Err *err)
{
    char *end = NULL;
    if (!value)
        return false;
    unsigned long long n = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    if (!end || *end || n > UINT32_MAX)
        return err_set(err, "--seed %.*s: must be 0..%u", HEAD(value, 40), (unsigned)UINT32_MAX);
    pupil->seed = (uint32_t)n;
    return pupil->seeded = true;
}

/* An option that says whose lesson it is: 1 taken, 0 not one, -1 refused. */
static int take_pupil(LessonPupil *pupil, int argc, char **argv, int *i, Err *err)
{
    bool seed = cli_is(argv[*i], "--seed"), name = cli_is(argv[*i], "--name");
    if (!seed && !name && !cli_is(argv[*i], "--hand-in"))
        return 0;
    const char *value = cli_value(argc, argv, i, err);
    if (seed)
        return parse_seed(value, pupil, err) ? 1 : -1;
    *(name ? &pupil->name : &pupil->hand_in) = value;
    if (value && !*value)
        err_set(err, "%s: cannot be empty", name ? "--name" : "--hand-in");
    return value && *value ? 1 : -1;
}

/* An option that is a word alone. */
static bool take_flag(LessonArgs *a, const char *option)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--check", &a->check}, {"--json", &a->json},   {"--csv", &a->csv},
                 {"--grade", &a->grade}, {"--print", &a->print}, {"--solutions", &a->solutions}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(option, flags[i].name) != 0)
            continue;
        if (flags[i].flag == &a->grade && !a->grade)
            a->before_grade = a->count;
        return *flags[i].flag = true;
    }
    return false;
}

static bool take_option(LessonArgs *a, int argc, char **argv, int *i, Err *err)
{
    const char *option = argv[*i];
    int taken = take_pupil(&a->pupil, argc, argv, i, err);
    if (taken || take_flag(a, option))
        return taken >= 0;
    if (cli_is(option, "--answers"))
        return (a->answers = cli_value(argc, argv, i, err)) != NULL;
    if (cli_is(option, "--pass"))
        return parse_pass(cli_value(argc, argv, i, err), &a->pass, err);
    if (cli_is(option, "--cpu") || cli_is(option, "--mem")) {
        const char *value = cli_value(argc, argv, i, err);
        return value && cli_limit(option, value, &a->limits, err);
    }
    if (cli_is_explorers(option))
        return err_set(err,
                       "%.*s: is for taking a lesson: not with --print, --check, --grade, "
                       "--answers or --json",
                       (int)strcspn(option, "="), option);
    return cli_no_option("lesson", option, err);
}

/* Do the options go together? */
static bool check_args(const LessonArgs *a, Err *err)
{
    int works = a->check + a->grade + a->print + (a->answers != NULL);
    if (works > 1)
        return err_set(err, "lesson: one of --check, --answers, --grade and --print");
    if (a->pass >= 0 && !a->answers && !a->grade)
        return err_set(err, "--pass: needs --answers or --grade");
    if (a->csv && (!a->grade || a->json))
        return err_set(err, a->grade ? "lesson: either --csv or --json" : "--csv: needs --grade");
    if (a->solutions && !a->print)
        return err_set(err, "--solutions: needs --print");
    if ((a->pupil.hand_in || a->pupil.name) && !a->answers)
        return err_set(err, "--%s: needs a lesson that is taken, or --answers",
                       a->pupil.hand_in ? "hand-in" : "name");
    if (a->pupil.name && !a->pupil.hand_in)
        return err_set(err, "--name: needs --hand-in");
    if (a->pupil.seeded && !a->print)
        return err_set(err, a->answers ? "--seed: is a line `seed N` of the answers"
                                       : "--seed: needs a lesson that is taken, or --print");
    if ((a->answers || a->print) && a->count != 1)
        return err_set(err, "%s: needs the name of one lesson", a->print ? "--print" : "--answers");
    if (a->grade && (a->before_grade > 1 || a->count == a->before_grade))
        return err_set(err, a->before_grade > 1 ? "--grade: one lesson stands before it"
                                                : "--grade: needs the hand-ins, FILE...");
    if (a->json && (a->print || (!works && a->count)))
        return err_set(err, "--json: is for the list, --check, --answers and --grade");
    if (!works && a->count)
        return err_set(err, "%s: comes before the options", a->names[0]);
    return true;
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
    return check_args(a, err);
}

/* ---- list ---- */

static void progress_text(const LessonInfo *info, char *out, size_t size)
{
    if (info->finished && info->score >= 0)
        snprintf(out, size, "done, %d %%", info->score);
    else if (info->finished)
        snprintf(out, size, "done");
    else if (info->page == 0)
        snprintf(out, size, "-");
    else
        snprintf(out, size, "page %d of %d", info->page, info->pages);
}

/* What does not fit a line of 80 columns ends behind a word. */
static void print_about(const char *about)
{
    enum { ABOUT_MOST = 75 };
    int n = printable_head(about, ABOUT_MOST);
    bool cut = about[n] != '\0';
    for (int end = n - 4; cut && end > 0; end--) {
        if (about[end] == ' ') {
            n = end;
            break;
        }
    }
    cli_put(stdout, PRINTABLE_TEXT, "    %.*s%s\n", n, about, cut ? " ..." : "");
}

/* Has the list its lines on a terminal, the next prompt below them? Elsewhere there is room. */
static bool has_room(int lines)
{
    struct winsize w;
    return !isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_row == 0 ||
           lines < w.ws_row;
}

static void print_info(const LessonInfo *info, bool with_about)
{
    char progress[40];
    progress_text(info, progress, sizeof progress);
    cli_put(stdout, PRINTABLE_TEXT, "%-16s %-38s %3d min  %s\n", info->id, info->title,
            info->minutes, progress); /* 79 columns at "page 10 of 10" */
    if (info->about[0] && with_about)
        print_about(info->about);
    if (info->needs[0] && with_about)
        cli_put(stdout, PRINTABLE_TEXT, "    builds on %.*s\n", HEAD(info->needs, 65));
}

static int list(const LessonArgs *a)
{
    LessonInfo *lessons = NULL;
    ScriptError error = {0};
    int count = 0;
    bool ok = lesson_list(&lessons, &count, &error);
    json_t *all = json_array();
    bool with_about = has_room(2 * count);
    for (int i = 0; i < count && (ok || i + 1 < count); i++) {
        if (a->json)
            json_array_append_new(all, lesson_json_info(&lessons[i]));
        else
            print_info(&lessons[i], with_about);
    }
    if (!a->json && !with_about)
        puts("What each is about: tokstep lesson | less");
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
    cli_put(stderr, PRINTABLE_TEXT, "tokstep: %s\n%s", error->err.text, error->source);
    return 1;
}

/* What does not hold: a line each. */
static void report_failures(const Buf *out)
{
    fflush(stdout);
    for (const char *p = buf_str(out); *p; p += strcspn(p, "\n") + 1)
        cli_put(stderr, PRINTABLE_TEXT, "tokstep: %.*s\n", (int)strcspn(p, "\n"), p);
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

static const char *pupil_name(const LessonPupil *pupil)
{
    const char *user = getenv("USER");
    return pupil->name ? pupil->name : user && *user ? user : "nobody";
}

/* A line each, with the file in front. */
static void tell_lines(const char *file, const Buf *lines)
{
    for (const char *p = buf_str(lines); *p; p += strcspn(p, "\n") + 1)
        cli_put(stderr, PRINTABLE_TEXT, "tokstep: %s: %.*s\n", file, (int)strcspn(p, "\n"), p);
}

static int grade(const LessonArgs *a)
{
    ScriptError error = {0};
    Buf path = {0}, out = {0}, told = {0};
    LessonScore score = {0};
    int rc = 2, pass = a->pass < 0 ? 100 : a->pass;
    Lesson *l = NULL;
    cli_backstop(&a->limits);
    char *answers = file_read_text(a->answers, ANSWERS_MAX, &error.err);
    if (answers && lesson_find(a->names[0], &path, &error.err))
        l = lesson_open(buf_str(&path), NULL, &a->limits, false, &error);
    bool ok = l && lesson_grade(l, a->answers, answers, &score, &out, &told, &error);
    if (ok && a->pupil.hand_in)
        ok = lesson_answers_hand_in(l, pupil_name(&a->pupil), a->answers, answers, a->pupil.hand_in,
                                    &error);
    if (ok) {
        tell_lines(file_name(a->answers), &told);
        if (a->json)
            t2_json_print(lesson_json_grade(lesson_info(l)->id, &out, &told, &score, pass));
        else
            cli_put(stdout, PRINTABLE_TEXT, "%s%d of %d questions are right\nscore %d %%\n",
                    buf_str(&out), score.right, score.questions, score.percent);
        rc = cli_flush();
        rc = rc ? rc : score.percent < pass || told.len;
    } else {
        rc = cli_script_fail(&error);
    }
    lesson_free(l);
    free(answers);
    buf_free(&path);
    buf_free(&out);
    buf_free(&told);
    return rc;
}

/* ---- taken ---- */

/* Is the lesson to be taken: a name first, and nothing that needs no screen? */
static bool is_taken(int argc, char **argv)
{
    static const char *const others[] = {"--check", "--json",  "--csv",       "--answers",
                                         "--grade", "--print", "--solutions", NULL};
    for (int i = 1; i < argc; i++) {
        for (int k = 0; others[k]; k++) {
            if (cli_is(argv[i], others[k]))
                return false;
        }
    }
    return argc > 1 && argv[1][0] != '-';
}

typedef struct Taken {
    const char *name;
    LessonPupil pupil;
} Taken;

static bool begin_lesson(void *context, Tui *tui, Err *err)
{
    const Taken *taken = context;
    return tui_take_lesson(tui, taken->name, err) &&
           (!taken->pupil.hand_in ||
            tui_hand_in(tui, taken->pupil.hand_in, pupil_name(&taken->pupil), err));
}

/* Told before the terminal is looked at. */
static bool prepare_lesson(const Taken *taken, Err *err)
{
    Buf path = {0};
    ScriptError error = {0};
    LessonPupil pupil = taken->pupil;
    bool ok = lesson_find(taken->name, &path, &error.err);
    if (ok && pupil.name && !pupil.hand_in)
        ok = err_set(&error.err, "--name: needs --hand-in");
    pupil.name = pupil_name(&pupil);
    ok = ok && lesson_prepare(buf_str(&path), &pupil, &error);
    if (!ok)
        *err = error.err;
    buf_free(&path);
    return ok;
}

/* What says whose lesson it is is taken out; the rest is the explorer's. */
static int take_lesson(int argc, char **argv)
{
    Taken taken = {.name = argv[1]};
    Err err = {0};
    int left = 2;
    for (int i = 2; i < argc; i++) {
        int first = i, own = take_pupil(&taken.pupil, argc, argv, &i, &err);
        if (own < 0)
            return cli_fail(&err);
        if (own == 0)
            argv[left++] = argv[first];
    }
    if (!prepare_lesson(&taken, &err))
        return cli_fail(&err);
    ExploreTarget target = {.begin = begin_lesson,
                            .context = &taken,
                            .command = "lesson",
                            .runs = true,
                            .instead = "--print, --answers, --check and --script work without one "
                                       "(tokstep lesson --help)"};
    return explore_on(left - 1, argv + 1, &target); /* argv[1]: as the program's name */
}

int lesson_main(int argc, char **argv)
{
    LessonArgs a = {.limits.has_view = view_exists};
    Err err = {0};
    if (is_taken(argc, argv))
        return take_lesson(argc, argv);
    if (!parse(&a, argc, argv, &err))
        return cli_fail(&err);
    if (a.answers)
        return grade(&a);
    if (a.check)
        return check(&a);
    if (a.print)
        return lesson_print_paper(&a.limits, a.names[0], a.pupil.seeded ? a.pupil.seed : 1,
                                  a.solutions);
    if (a.grade)
        return lesson_grade_files(&a.limits, a.before_grade ? a.names[0] : NULL,
                                  a.names + a.before_grade, a.count - a.before_grade,
                                  a.csv    ? TABLE_CSV
                                  : a.json ? TABLE_JSON
                                           : TABLE_TEXT,
                                  a.pass);
    return list(&a);
}
