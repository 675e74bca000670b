#include "base/place.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool place_dir(const char *name, Buf *path, Err *err)
{
    /* installed; then the sources of build/tokstep, build/debug/tokstep, build/tests/ROOM/test_x */
    static const char *const places[] = {"../share/tokstep", "..", "../..", "../../..",
                                         "../../../.."};
    char program[PATH_MAX];
    struct stat st;
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        buf_clear(path);
        buf_printf(path, "%.*s/%s/%s", (int)(slash - program), program, places[i], name);
        if (stat(buf_str(path), &st) == 0 && S_ISDIR(st.st_mode))
            return true;
    }
    return err_set(err, "%s: there is no such directory where the program was built or installed",
                   name);
}
