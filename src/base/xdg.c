#include "base/xdg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

bool xdg_path(XdgKind kind, const char *name, Buf *path)
{
    static const char *const variables[] = {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"};
    static const char *const below_home[] = {".config", ".local/share", ".local/state"};
    const char *base = getenv(variables[kind]), *home = getenv("HOME");
    if (base && *base == '/')
        buf_printf(path, "%s/tokstep/%s", base, name);
    else if (home && *home == '/')
        buf_printf(path, "%s/%s/tokstep/%s", home, below_home[kind], name);
    else
        return false;
    return true;
}

bool xdg_make_parents(const char *path, Err *err)
{
    char *part = xstrdup(path);
    bool ok = true;
    for (char *p = strchr(part + 1, '/'); ok && p; p = strchr(p + 1, '/')) {
        *p = '\0';
        ok = mkdir(part, 0700) == 0 || errno == EEXIST || errno == EISDIR ||
             err_set(err, "%s: %s", part, strerror(errno));
        *p = '/';
    }
    free(part);
    return ok;
}
