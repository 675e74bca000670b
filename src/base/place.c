#include "base/place.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A build tree has directories of these names too (build/tests/rtl): what tokstep is made of lies
 * where its Lua lies. */
static bool is_at(const char *root, const char *name, Buf *path)
{
    struct stat st;
    buf_clear(path);
    buf_printf(path, "%slua/accel.lua", root);
    if (access(buf_str(path), R_OK) != 0)
        return false;
    buf_clear(path);
    buf_printf(path, "%s%s", root, name);
    return stat(buf_str(path), &st) == 0 && S_ISDIR(st.st_mode);
}

bool place_dir(const char *name, Buf *path, Err *err)
{
    /* installed; then the sources of build/tokstep, build/debug/tokstep, build/tests/ROOM/test_x */
    static const char *const places[] = {"../share/tokstep", "..", "../..", "../../..",
                                         "../../../.."};
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        char root[PATH_MAX + 32];
        snprintf(root, sizeof root, "%.*s/%s/", (int)(slash - program), program, places[i]);
        if (is_at(root, name, path))
            return true;
    }
    if (is_at("", name, path)) /* built elsewhere: beside the sources that it runs from */
        return true;
    return err_set(err, "%s: there is no such directory where the program was built or installed",
                   name);
}

bool place_file(const char *dir, const char *name, Buf *path)
{
    if (!place_dir(dir, path, NULL))
        return false;
    buf_printf(path, "/%s", name);
    return access(buf_str(path), R_OK) == 0;
}
