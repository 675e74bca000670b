/* Lines of a stream, one at a time (line.h). */
#include "base/line.h"

#include <errno.h>
#include <string.h>

static LinesResult fail(const Lines *l, Err *err, const char *why)
{
    err_set(err, "%s: line %d: %s", l->name, l->number, why);
    return LINES_FAILED;
}

LinesResult lines_next(Lines *l, Err *err)
{
    int ch;
    l->number++;
    buf_clear(&l->line);
    while ((ch = getc_unlocked(l->f)) != EOF && ch != '\n') {
        char byte = (char)ch;
        if (ch == '\0')
            return fail(l, err, "no text: a zero byte");
        if (l->line.len == LINE_MOST)
            return fail(l, err, "longer than 1 MiB");
        buf_add(&l->line, &byte, 1);
    }
    if (ferror(l->f)) {
        err_set(err, "%s: cannot read: %s", l->name, strerror(errno));
        return LINES_FAILED;
    }
    if (ch == EOF && l->line.len == 0)
        return LINES_END;
    buf_add(&l->line, "", 0);
    if (l->line.len && l->line.data[l->line.len - 1] == '\r')
        l->line.data[--l->line.len] = '\0';
    if (l->number == 1 && strncmp(l->line.data, "\xef\xbb\xbf", 3) == 0) {
        memmove(l->line.data, l->line.data + 3, l->line.len - 2);
        l->line.len -= 3;
    }
    return LINES_LINE;
}

void lines_free(Lines *l)
{
    buf_free(&l->line);
}
