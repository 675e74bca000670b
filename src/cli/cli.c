#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cli_failf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("tokstep: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return 2;
}

int cli_fail(const Err *err)
{
    return cli_failf("%s", err->text);
}

bool cli_is(const char *arg, const char *option)
{
    size_t n = strlen(option);
    return strncmp(arg, option, n) == 0 && (arg[n] == '\0' || arg[n] == '=');
}

const char *cli_value(int argc, char **argv, int *i, Err *err)
{
    const char *eq = strchr(argv[*i], '=');
    if (eq)
        return eq + 1;
    if (*i + 1 >= argc) {
        err_set(err, "%s: needs a value", argv[*i]);
        return NULL;
    }
    return argv[++*i];
}

void cli_join(Buf *list, const char *more)
{
    if (list->len)
        buf_text(list, ",");
    buf_text(list, more);
}

int cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    int why = errno;
    if (!why && write(STDOUT_FILENO, "\n", 1) < 0) /* an earlier write failed, errno is gone: */
        why = errno;                               /* the next one tells the reason again */
    return cli_failf("stdout: cannot write: %s", why ? strerror(why) : "a part of it is lost");
}
