/* A class: hand-ins (what a pupil did, as a text file), their grading, lessons on paper. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/printable.h"
#include "script/excerpt.h"
#include "script/lesson_private.h"

static const char first_line[] = "tokstep hand-in 1\n";

/* ---- writing ---- */

/* FNV-1a over the text: tells that a line was changed by hand, no more than that. */
static uint64_t sum_of(const char *text, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325U;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\r') /* as mail programs add it */
            sum = (sum ^ (uint8_t)text[i]) * 0x100000001b3U;
    }
    return sum;
}

static void add_head(Buf *text, const char *name)
{
    char date[32];
    time_t now = time(NULL);
    struct tm local;
    buf_printf(text, "%sname %s\n", first_line, name);
    if (localtime_r(&now, &local) && strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local))
        buf_printf(text, "date %s\n", date);
}

static bool write_text(const char *path, const char *name, const Buf *lines, Err *err)
{
    Buf text = {0};
    FileOut file;
    add_head(&text, name);
    buf_add(&text, buf_str(lines), lines->len);
    buf_printf(&text, "sum %016llx\n", (unsigned long long)sum_of(buf_str(&text), text.len));
    bool ok = file_create(&file, path, err);
    if (ok) {
        fwrite(text.data, 1, text.len, file.stream);
        ok = file_commit(&file, err);
    }
    buf_free(&text);
    return ok;
}

bool lesson_write_hand_in(Lesson *l, ScriptError *error)
{
    Buf lines = {0};
    if (!l->hand_in)
        return true;
    bool ok = lesson_call(l, "lesson_hand_in", false, NULL, NULL, &lines, error) &&
              write_text(l->hand_in, l->name, &lines, &error->err);
    buf_free(&lines);
    return ok;
}

char *lesson_clean_name(const char *name)
{
    char *clean = xstrdup(name);
    excerpt_clean(clean);
    for (size_t n = strlen(clean); n > 0 && clean[n - 1] == ' '; n--)
        clean[n - 1] = '\0';
    return clean;
}

bool lesson_hand_in(Lesson *l, const char *path, const char *name, ScriptError *error)
{
    free(l->hand_in);
    free(l->name);
    l->hand_in = xstrdup(path);
    l->name = lesson_clean_name(name);
    return lesson_write_hand_in(l, error);
}

bool lesson_answers_hand_in(Lesson *l, const char *name, const char *file, const char *answers,
                            const char *path, ScriptError *error)
{
    Buf lines = {0};
    bool ok = lesson_call(l, "lesson_answers", true, file, answers, &lines, error);
    ok = ok && !lesson_refused(&lines, &error->err);
    char *clean = lesson_clean_name(name);
    ok = ok && lesson_may_replace(l, clean, path, buf_str(&lines), error);
    ok = ok && write_text(path, clean, &lines, &error->err);
    free(clean);
    buf_free(&lines);
    return ok;
}

/* ---- reading ---- */

/* Blanks at the ends of lines go: editors and mail programs add and remove them. */
static void trim_lines(char *text)
{
    char *out = text;
    for (const char *p = text; *p;) {
        size_t n = strspn(p, " \t\r");
        bool ends = p[n] == '\n' || !p[n];
        if (!ends)
            n = n ? n : 1;
        if (!ends)
            memmove(out, p, n);
        out += ends ? 0 : n;
        p += n;
        if (*p == '\n')
            *out++ = *p++;
    }
    *out = '\0';
}

/* Is the last line, and the only one of its kind, the sum over those above? */
static bool has_its_sum(const char *text)
{
    const char *sum = strstr(text, "\nsum ");
    size_t digits = sum ? strspn(sum + 5, "0123456789abcdef") : 0;
    return sum && strtoull(sum + 5, NULL, 16) == sum_of(text, (size_t)(sum + 1 - text)) &&
           !sum[5 + digits + strspn(sum + 5 + digits, " \t\r\n")];
}

bool lesson_hand_in_head(char *text, char id[LESSON_ID], bool *changed, Err *err)
{
    *changed = !has_its_sum(text);
    trim_lines(text);
    *changed = *changed && !has_its_sum(text);
    size_t n = strcspn(text, "\n");
    if (strncmp(text, first_line, strlen("tokstep hand-in ")) != 0)
        return err_set(err, "is no hand-in: it does not begin with `tokstep hand-in`");
    if (n != strlen(first_line) - 1 || strncmp(text, first_line, n) != 0)
        return err_set(err, "is a hand-in of another version of tokstep");
    const char *lesson = strstr(text, "\nlesson ");
    size_t len = lesson ? strcspn(lesson + 8, "\n") : 0;
    if (len == 0 || len >= LESSON_ID)
        return err_set(err, "does not say of which lesson it is (a line `lesson ID`)");
    snprintf(id, LESSON_ID, "%.*s", (int)len, lesson + 8);
    return true;
}

bool lesson_mark(Lesson *l, const char *file, const char *text, Buf *out, ScriptError *error)
{
    l->script->out = &l->printed; /* a pupil may print anything, a grade too */
    bool ok = lesson_call(l, "lesson_mark", true, file, text, out, error);
    buf_clear(&l->printed);
    return ok;
}

bool lesson_print(Lesson *l, uint32_t seed, bool solutions, Buf *out, ScriptError *error)
{
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)seed);
    return lesson_call(l, "lesson_print", true, number, solutions ? "solutions" : "", out, error);
}
