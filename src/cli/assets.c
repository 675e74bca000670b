#include "cli/assets.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

bool asset_find(const char *name, Buf *path)
{
    static const char *const places[] = {"../assets", "../share/tokstep/assets", "../../assets"};
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return false;
    program[n] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        buf_clear(path);
        buf_printf(path, "%s/%s/%s", program, places[i], name);
        if (access(buf_str(path), R_OK) == 0)
            return true;
    }
    return false;
}
