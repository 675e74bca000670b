/* Lesson files and what a person calls them: an id, its number, its beginning or one of its words.
 */
#include "script/lesson_files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/place.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "script/lesson.h"

static bool is_lesson_file(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".lua") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **lesson_files(const char *dir, int *count)
{
    char **names = NULL;
    DIR *d = opendir(dir);
    *count = 0;
    for (struct dirent *entry; d && (entry = readdir(d)) != NULL;) {
        if (!is_lesson_file(entry->d_name))
            continue;
        names = xrealloc(names, (size_t)(*count + 1) * sizeof *names);
        names[(*count)++] = xstrdup(entry->d_name);
    }
    if (d)
        closedir(d);
    if (names)
        qsort(names, (size_t)*count, sizeof *names, compare_names);
    return names;
}

void lesson_files_free(char **names, int count)
{
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* ---- names ---- */

typedef enum { FIT_NONE, FIT_WORD, FIT_NUMBER, FIT_EXACT } Fit; /* the better, the higher */

/* The number that text begins with, without zeros in front; *len its digits. */
static const char *number_of(const char *text, size_t *len)
{
    while (text[0] == '0' && isdigit((unsigned char)text[1]))
        text++;
    *len = strspn(text, "0123456789");
    return text;
}

/* How well `name` says 06-mask: 06-mask.lua itself, 6 or 06, mask or 06-m. */
static Fit fit(const char *name, const char *file)
{
    size_t len = strlen(name), n = 0, m = 0;
    if (len == 0)
        return FIT_NONE;
    if (strncmp(file, name, len) == 0 && strcmp(file + len, ".lua") == 0)
        return FIT_EXACT;
    const char *number = number_of(name, &n), *own = number_of(file, &m);
    if (n > 0 && !number[n])
        return n == m && strncmp(number, own, n) == 0 ? FIT_NUMBER : FIT_NONE;
    for (const char *word = file; word; word = strchr(word, '-')) {
        word += word > file;
        if (strncasecmp(word, name, len) == 0 && strlen(word) - 4 >= len)
            return FIT_WORD;
    }
    return FIT_NONE;
}

/* The ids that fit as well, commas between. */
static void list_fits(const char *name, Fit best, char **names, int count, Buf *out)
{
    for (int i = 0; i < count; i++) {
        if (fit(name, names[i]) == best)
            buf_printf(out, "%s%.*s", out->len ? ", " : "", (int)strlen(names[i]) - 4, names[i]);
    }
}

static bool no_lesson(const char *name, char **names, int count, Err *err)
{
    Suggest s;
    char hint[SUGGEST_TEXT];
    suggest_begin(&s, name, strlen(name));
    for (int i = 0; i < count; i++) {
        const char *end = names[i] + strlen(names[i]) - 4;
        for (const char *word = names[i]; word && word < end; word = strchr(word, '-')) {
            word += word > names[i]; /* from each of its words on */
            suggest_offer_n(&s, word, (size_t)(end - word));
        }
    }
    return err_set(err, "%.*s: there is no such lesson; %s`tokstep lesson` lists them",
                   HEAD(*name ? name : "''", 100), suggest_text(&s, hint));
}

static bool find_named(const char *dir, const char *name, Buf *path, Err *err)
{
    int count = 0, found = 0;
    Fit best = FIT_NONE;
    Buf fits = {0};
    char **names = lesson_files(dir, &count);
    for (int i = 0; i < count; i++) {
        Fit f = fit(name, names[i]);
        if (f == FIT_NONE || f < best)
            continue;
        found = f > best ? 1 : found + 1;
        best = f;
        buf_clear(path);
        buf_printf(path, "%s/%s", dir, names[i]);
    }
    if (found > 1)
        list_fits(name, best, names, count, &fits);
    bool ok = found == 1 || (found ? err_set(err, "%.*s: %d lessons fit: %.*s", HEAD(name, 100),
                                             found, HEAD(buf_str(&fits), 350))
                                   : no_lesson(name, names, count, err));
    lesson_files_free(names, count);
    buf_free(&fits);
    return ok;
}

bool lesson_find(const char *name, Buf *path, Err *err)
{
    if (strchr(name, '/') || is_lesson_file(name)) {
        buf_clear(path);
        buf_text(path, name);
        return access(name, R_OK) == 0 || err_set(err, "%s: there is no such file", name);
    }
    Buf dir = {0};
    bool ok = place_dir("lessons", &dir, err) && find_named(buf_str(&dir), name, path, err);
    buf_free(&dir);
    return ok;
}

bool lesson_id_taken(const char *id, const char *path)
{
    Buf own = {0};
    char name[LESSON_ID + 8];
    struct stat a, b;
    snprintf(name, sizeof name, "%s.lua", id);
    bool taken = place_file("lessons", name, &own) && stat(buf_str(&own), &a) == 0 &&
                 (stat(path, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino);
    buf_free(&own);
    return taken;
}

bool lesson_next(const char *id, char next[LESSON_ID])
{
    Buf dir = {0};
    int count = 0, at = 0;
    char **names = place_dir("lessons", &dir, NULL) ? lesson_files(buf_str(&dir), &count) : NULL;
    while (at < count && fit(id, names[at]) != FIT_EXACT)
        at++;
    bool found = at + 1 < count;
    if (found)
        snprintf(next, LESSON_ID, "%.*s", (int)strlen(names[at + 1]) - 4, names[at + 1]);
    lesson_files_free(names, count);
    buf_free(&dir);
    return found;
}

void lesson_names(void (*add)(void *context, const char *name), void *context)
{
    Buf dir = {0};
    int count = 0;
    if (!place_dir("lessons", &dir, NULL)) {
        buf_free(&dir);
        return;
    }
    char **names = lesson_files(buf_str(&dir), &count);
    for (int i = 0; i < count; i++) {
        names[i][strlen(names[i]) - 4] = '\0'; /* without .lua */
        add(context, names[i]);
    }
    lesson_files_free(names, count);
    buf_free(&dir);
}
