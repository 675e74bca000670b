#include "cli/lesson_class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/t2_json.h"
#include "tui/screen/canvas.h"

enum { HAND_IN_MAX = 1 << 20, NAME_COLUMNS = 24, PAGES_MOST = 1000, QUESTIONS_MOST = 100 };

/* ---- one hand-in, as a row ---- */

/* The next field of a line whose fields are parted by tabs, as JSON. */
static json_t *take_text(const char **p)
{
    size_t n = strcspn(*p, "\t\n");
    json_t *text = t2_json_text_n(*p, n);
    *p += n + ((*p)[n] == '\t');
    return text;
}

static json_t *take_count(const char **p)
{
    size_t n = strcspn(*p, "\t\n");
    json_t *count = json_integer(strtoll(*p, NULL, 10));
    *p += n + ((*p)[n] == '\t');
    return count;
}

static void take_fields(const char *p, json_t *into, const char *const *names, const char *kinds)
{
    for (int i = 0; names[i]; i++)
        json_object_set_new(into, names[i], kinds[i] == 't' ? take_text(&p) : take_count(&p));
}

static void tell(const char *file, int line, const char *why)
{
    if (line)
        cli_put(stderr, PRINTABLE_TEXT, "tokstep: %s: line %d: %s\n", file, line, why);
    else
        cli_put(stderr, PRINTABLE_TEXT, "tokstep: %s: %s\n", file, why);
}

/* The lines of lesson_mark into the row. True when none of the file's was bad. */
static bool take_lines(const char *file, const char *p, json_t *row)
{
    static const char *const head[] = {"name",    "seed",  "date",      "score", "hints",
                                       "seconds", "right", "questions", NULL};
    static const char *const ask[] = {"page",    "question", "result", "tries", "hints",
                                      "seconds", "answer",   "reason", NULL};
    json_t *answers = json_array();
    bool clean = true;
    for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "head\t", 5) == 0)
            take_fields(p + 5, row, head, "tctccccc");
        if (strncmp(p, "bad\t", 4) == 0) {
            const char *why = p + 4;
            json_t *line = take_count(&why), *text = take_text(&why);
            tell(file, (int)json_integer_value(line), json_string_value(text));
            json_decref(line);
            json_decref(text);
            clean = false;
        }
        if (strncmp(p, "ask\t", 4) == 0) {
            json_t *one = json_object();
            take_fields(p + 4, one, ask, "cctccctt");
            json_array_append_new(answers, one);
        }
    }
    json_object_set_new(row, "answers", answers);
    return clean;
}

/* The lesson of a hand-in: the one given, or by its id. */
static Lesson *open_for(const ScriptLimits *limits, const char *lesson, const char *id,
                        ScriptError *error)
{
    Buf path = {0};
    Lesson *l = NULL;
    bool found = lesson_find(lesson ? lesson : id, &path, &error->err);
    if (!found && !lesson)
        err_set(&error->err,
                "%s: there is no such lesson built in; one of your own comes first: tokstep "
                "lesson MINE.lua --grade FILE...",
                id);
    if (found)
        l = lesson_open(buf_str(&path), NULL, limits, false, error);
    if (l && strcmp(lesson_info(l)->id, id) != 0) {
        err_set(&error->err, "is of lesson %s, not of %s", id, lesson_info(l)->id);
        lesson_free(l);
        l = NULL;
    }
    buf_free(&path);
    return l;
}

/* The row of a hand-in, NULL when there is none; *clean: nothing had to be told. */
static json_t *grade_file(const ScriptLimits *limits, const char *lesson, const char *file,
                          bool *clean)
{
    ScriptError error = {0};
    char id[LESSON_ID];
    bool changed = false;
    Buf lines = {0};
    json_t *row = NULL;
    cli_backstop(limits);
    char *text = file_read_text(file, HAND_IN_MAX, &error.err);
    bool known = text && lesson_hand_in_head(text, id, &changed, &error.err);
    Lesson *l = known ? open_for(limits, lesson, id, &error) : NULL;
    if (l && lesson_mark(l, file_name(file), text, &lines, &error)) {
        row = json_pack("{s:o, s:s, s:b}", "file", t2_json_text(file), "lesson", id, "changed",
                        changed);
        *clean = take_lines(file_name(file), buf_str(&lines), row) && !changed;
        if (changed)
            tell(file_name(file), 0, "was changed after tokstep had written it");
    } else if (text) {
        tell(file_name(file), 0, error.err.text);
    } else {
        cli_fail(&error.err);
    }
    lesson_free(l);
    free(text);
    buf_free(&lines);
    return row;
}

/* ---- tables ---- */

static const char *text_of(json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static int count_of(json_t *row, const char *key)
{
    return (int)json_integer_value(json_object_get(row, key));
}

static char sign_of(json_t *answer)
{
    switch (text_of(answer, "result")[0]) {
    case 'r':
        return '+';
    case 'w':
        return '-';
    case 's':
        return 's';
    default:
        return '.';
    }
}

/* The signs of the answers on a page, in their order. */
static void page_signs(json_t *row, int page, Buf *out)
{
    size_t i;
    json_t *answer;
    json_array_foreach(json_object_get(row, "answers"), i, answer)
    {
        if (count_of(answer, "page") == page)
            buf_printf(out, "%c", sign_of(answer));
    }
}

/* Columns of a printable text, cut to those of a name. */
static int fit_name(char *name)
{
    int columns = 0;
    while (*name) {
        int width = 0;
        size_t n = text_glyph(name, &width);
        if (columns + width > NAME_COLUMNS) {
            *name = '\0';
            break;
        }
        columns += width;
        name += n;
    }
    return columns;
}
static char *shown_name(json_t *row)
{
    const char *name = text_of(row, "name");
    return printable(name, strlen(name), PRINTABLE_LINE);
}

static int pages_of(json_t *row)
{
    json_t *answers = json_object_get(row, "answers");
    return count_of(json_array_get(answers, json_array_size(answers) - 1), "page");
}

/* How wide page `page` has to be: the most signs of any row, two at least. */
static int page_width(json_t *rows, int page)
{
    size_t i;
    json_t *row;
    int width = page > 9 ? 2 : 1;
    json_array_foreach(rows, i, row)
    {
        Buf signs = {0};
        page_signs(row, page, &signs);
        width = (int)signs.len > width ? (int)signs.len : width;
        buf_free(&signs);
    }
    return width;
}

/* widths: of the pages, from 1 on */
static void print_row(json_t *row, int name_width, int pages, const int *widths)
{
    char *name = shown_name(row);
    int columns = fit_name(name), seconds = count_of(row, "seconds");
    printf("%s%*s  %-14s %10lld  %3d %%  %5d  %3d:%02d ", name, name_width - columns, "",
           text_of(row, "lesson"), (long long)json_integer_value(json_object_get(row, "seed")),
           count_of(row, "score"), count_of(row, "hints"), seconds / 60, seconds % 60);
    for (int page = 1; page <= pages; page++) {
        Buf signs = {0};
        page_signs(row, page, &signs);
        printf(" %-*s", widths[page], buf_str(&signs));
        buf_free(&signs);
    }
    char *file = printable(text_of(row, "file"), strlen(text_of(row, "file")), PRINTABLE_LINE);
    printf("  %s%s\n", file, json_is_true(json_object_get(row, "changed")) ? "  changed" : "");
    free(file);
    free(name);
}

static void print_text(json_t *rows)
{
    size_t i;
    json_t *row;
    int name_width = 4, pages = 0;
    json_array_foreach(rows, i, row)
    {
        char *name = shown_name(row);
        int columns = fit_name(name);
        name_width = columns > name_width ? columns : name_width;
        pages = pages_of(row) > pages ? pages_of(row) : pages;
        free(name);
    }
    int *widths = xmalloc(((size_t)pages + 1) * sizeof *widths);
    printf("%-*s  %-14s %10s  %5s  hints    time ", name_width, "name", "lesson", "seed", "score");
    for (int page = 1; page <= pages; page++) {
        widths[page] = page_width(rows, page);
        printf(" %-*d", widths[page], page);
    }
    puts("  file");
    json_array_foreach(rows, i, row)
    {
        print_row(row, name_width, pages, widths);
    }
    free(widths);
    puts("a sign a question: + right, - wrong, s shown (key G), . no answer");
}

/* A CSV field; one that a spreadsheet would take for a formula gets a ' in front. */
static void csv_field(const char *text)
{
    bool formula = *text && strchr("=+-@", *text);
    if (!formula && !text[strcspn(text, ",\"\r\n")]) {
        fputs(text, stdout);
        return;
    }
    fputs(formula ? "\"'" : "\"", stdout);
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/* page * QUESTIONS_MOST + question of all questions of all rows, in order, each once. */
static int *all_questions(json_t *rows, int *count)
{
    bool *there = xcalloc((size_t)PAGES_MOST * QUESTIONS_MOST, sizeof *there);
    int *keys = xmalloc((size_t)PAGES_MOST * QUESTIONS_MOST * sizeof *keys);
    size_t i, k;
    json_t *row, *answer;
    *count = 0;
    json_array_foreach(rows, i, row)
    {
        json_array_foreach(json_object_get(row, "answers"), k, answer)
        {
            int page = count_of(answer, "page"), question = count_of(answer, "question");
            if (page < PAGES_MOST && question < QUESTIONS_MOST)
                there[page * QUESTIONS_MOST + question] = true;
        }
    }
    for (int key = 0; key < PAGES_MOST * QUESTIONS_MOST; key++) {
        if (there[key])
            keys[(*count)++] = key;
    }
    free(there);
    return keys;
}

static const char *result_of(json_t *row, int key)
{
    size_t i;
    json_t *answer;
    json_array_foreach(json_object_get(row, "answers"), i, answer)
    {
        if (count_of(answer, "page") == key / QUESTIONS_MOST &&
            count_of(answer, "question") == key % QUESTIONS_MOST)
            return text_of(answer, "result");
    }
    return "";
}

static void print_csv(json_t *rows)
{
    int count = 0;
    int *keys = all_questions(rows, &count);
    size_t i;
    json_t *row;
    fputs("name,lesson,seed,date,score,hints,seconds,changed", stdout);
    for (int k = 0; k < count; k++)
        printf(",%d.%d", keys[k] / QUESTIONS_MOST, keys[k] % QUESTIONS_MOST);
    puts(",file");
    json_array_foreach(rows, i, row)
    {
        char *name = shown_name(row);
        csv_field(name);
        free(name);
        printf(",%s,%lld,", text_of(row, "lesson"),
               (long long)json_integer_value(json_object_get(row, "seed")));
        csv_field(text_of(row, "date"));
        printf(",%d,%d,%d,%s", count_of(row, "score"), count_of(row, "hints"),
               count_of(row, "seconds"),
               json_is_true(json_object_get(row, "changed")) ? "yes" : "no");
        for (int k = 0; k < count; k++)
            printf(",%s", result_of(row, keys[k]));
        putchar(',');
        char *file = printable(text_of(row, "file"), strlen(text_of(row, "file")), PRINTABLE_LINE);
        csv_field(file);
        free(file);
        putchar('\n');
    }
    free(keys);
}

int lesson_grade_files(const ScriptLimits *limits, const char *lesson, const char *const *files,
                       int count, TableForm form, int pass)
{
    json_t *rows = json_array();
    int rc = 0;
    for (int i = 0; i < count; i++) {
        bool clean = true;
        json_t *row = grade_file(limits, lesson, files[i], &clean);
        int bad = !row ? 2 : !clean || count_of(row, "score") < pass ? 1 : 0;
        rc = bad > rc ? bad : rc;
        if (row)
            json_array_append_new(rows, row);
    }
    fflush(stderr);
    if (form == TABLE_JSON)
        t2_json_print(json_pack("{s:O}", "hand_ins", rows));
    else if (json_array_size(rows))
        (form == TABLE_CSV ? print_csv : print_text)(rows);
    json_decref(rows);
    int flushed = cli_flush();
    return flushed ? flushed : rc;
}

int lesson_print_paper(const ScriptLimits *limits, const char *lesson, uint32_t seed,
                       bool solutions)
{
    ScriptError error = {0};
    Buf path = {0}, out = {0};
    cli_backstop(limits);
    if (!lesson_find(lesson, &path, &error.err)) {
        buf_free(&path);
        return cli_fail(&error.err);
    }
    Lesson *l = lesson_open(buf_str(&path), NULL, limits, false, &error);
    bool ok = l && lesson_print(l, seed, solutions, &out, &error);
    if (ok)
        cli_put(stdout, PRINTABLE_TEXT, "%s", buf_str(&out));
    lesson_free(l);
    buf_free(&out);
    buf_free(&path);
    int rc = cli_flush();
    return ok ? rc : cli_script_fail(&error);
}
