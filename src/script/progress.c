#include "script/progress.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/xdg.h"

enum { PROGRESS_MAX = 1 << 20 };

static bool path_of(const char *id, Buf *path, Err *err)
{
    Buf name = {0};
    buf_printf(&name, "lessons/%s", id);
    bool ok = xdg_path(XDG_STATE, buf_str(&name), path) ||
              err_set(err, "progress: neither XDG_STATE_HOME nor HOME is set");
    buf_free(&name);
    return ok;
}

void progress_read(const char *id, Buf *out)
{
    Buf path = {0};
    if (path_of(id, &path, NULL)) {
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
    bool ok = path_of(id, &path, err) && xdg_make_parents(buf_str(&path), err) &&
              file_create(&file, buf_str(&path), err);
    if (ok) {
        fputs(text, file.stream);
        ok = file_commit(&file, err);
    }
    buf_free(&path);
    return ok;
}
