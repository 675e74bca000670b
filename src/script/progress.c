#include "script/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { PROGRESS_MAX = 1 << 20 };

/* $XDG_STATE_HOME/tokstep/lessons, by default below ~/.local/state. */
static bool directory(Buf *path, Err *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        buf_printf(path, "%s/tokstep/lessons", state);
    else if (home && *home)
        buf_printf(path, "%s/.local/state/tokstep/lessons", home);
    else
        return err_set(err, "progress: neither XDG_STATE_HOME nor HOME is set");
    return true;
}

static bool make_directories(const char *path, Err *err)
{
    char part[4096];
    for (const char *p = path + 1;; p++) {
        if (*p && *p != '/')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)(p - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST && errno != EISDIR)
            return err_set(err, "%s: %s", part, strerror(errno));
        if (!*p)
            return true;
    }
}

void progress_read(const char *id, Buf *out)
{
    Buf path = {0};
    if (directory(&path, NULL)) {
        buf_printf(&path, "/%s", id);
        char *text = file_read_text(buf_str(&path), PROGRESS_MAX, NULL);
        buf_text(out, text ? text : "");
        free(text);
    }
    buf_free(&path);
}

bool progress_write(const char *id, const char *text, Err *err)
{
    Buf path = {0};
    FileOut file;
    bool ok = directory(&path, err) && make_directories(buf_str(&path), err);
    if (ok) {
        buf_printf(&path, "/%s", id);
        ok = file_create(&file, buf_str(&path), err);
    }
    if (ok) {
        fputs(text, file.stream);
        ok = file_commit(&file, err);
    }
    buf_free(&path);
    return ok;
}
