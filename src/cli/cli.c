#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_failf(const char *fmt, ...)
{
    Err err;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, ap);
    va_end(ap);
    printable_in_place(err.text, sizeof err.text);
    fprintf(stderr, "tokstep: %s\n", err.text);
    return 2;
}

void cli_put(FILE *f, Printable how, const char *fmt, ...)
{
    Buf raw = {0}, text = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&raw, fmt, ap);
    va_end(ap);
    printable_add(&text, buf_str(&raw), raw.len, how);
    fputs(buf_str(&text), f);
    buf_free(&text);
    buf_free(&raw);
}

void cli_json(json_t *doc, size_t flags)
{
    char *raw = json_dumps(doc, flags);
    Buf text = {0};
    printable_json(&text, raw ? raw : "null");
    puts(buf_str(&text));
    buf_free(&text);
    free(raw);
    json_decref(doc);
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
