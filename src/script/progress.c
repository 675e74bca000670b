#include "script/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xdg.h"

enum { PROGRESS_MAX = 1 << 20, SEED_CHARS = 24 };

/* seed: "" for the one taken last */
static bool path_of(const char *key, const char *seed, Buf *path, Err *err)
{
    Buf name = {0};
    buf_printf(&name, "lessons/%s%s%s", key, *seed ? "." : "", seed);
    bool ok = xdg_path(XDG_STATE, buf_str(&name), path) ||
              err_set(err, "progress: neither XDG_STATE_HOME nor HOME is set");
    buf_free(&name);
    return ok;
}

static void read_file(const char *key, const char *seed, Buf *out)
{
    Buf path = {0};
    if (path_of(key, seed, &path, NULL)) {
        char *text = file_read_text(buf_str(&path), PROGRESS_MAX, NULL);
        buf_text(out, text ? text : "");
        free(text);
    }
    buf_free(&path);
}

/* The digits behind `seed` at the beginning; "" when there are none. */
static void seed_of(const char *text, char seed[SEED_CHARS])
{
    bool there = strncmp(text, "seed ", 5) == 0;
    snprintf(seed, SEED_CHARS, "%.*s", there ? (int)strspn(text + 5, "0123456789") : 0,
             there ? text + 5 : "");
}

void progress_read(const char *key, Buf *out)
{
    read_file(key, "", out);
}

void progress_read_seed(const char *key, uint32_t seed, Buf *out)
{
    char wanted[SEED_CHARS], last[SEED_CHARS];
    snprintf(wanted, sizeof wanted, "%u", (unsigned)seed);
    read_file(key, "", out);
    seed_of(buf_str(out), last);
    if (strcmp(last, wanted) == 0)
        return;
    buf_clear(out);
    read_file(key, wanted, out);
}

/* What is kept of another seed than `seed` makes room, under a name of its own. */
static bool set_aside(const char *key, const char *path, const char *seed, Err *err)
{
    Buf last = {0}, aside = {0};
    char other[SEED_CHARS];
    progress_read(key, &last);
    seed_of(buf_str(&last), other);
    bool ok = !*other || strcmp(other, seed) == 0 ||
              (path_of(key, other, &aside, err) &&
               (rename(path, buf_str(&aside)) == 0 || err_set(err, "%s: cannot rename it", path)));
    buf_free(&last);
    buf_free(&aside);
    return ok;
}

bool progress_write(const char *key, const char *text, Err *err)
{
    Buf path = {0}, aside = {0};
    FileOut file;
    char seed[SEED_CHARS];
    seed_of(text, seed);
    bool ok = path_of(key, "", &path, err) && xdg_make_parents(buf_str(&path), err) &&
              set_aside(key, buf_str(&path), seed, err) && file_create(&file, buf_str(&path), err);
    if (ok) {
        fputs(text, file.stream);
        ok = file_commit(&file, err);
    }
    if (ok && *seed && path_of(key, seed, &aside, NULL))
        (void)unlink(buf_str(&aside)); /* older, if it is there */
    buf_free(&aside);
    buf_free(&path);
    return ok;
}
