#include "cli/fmt_stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/cli.h"
#include "num/text.h"

enum { CHUNK = 1 << 16, LINE_MAX_BYTES = 2 * TEXT_MAX }; /* blanks and all */

typedef struct Stream {
    const Format *format;
    const Rounding *rounding;
    Value value;
    unsigned long long line;
    size_t out_len;
    char out[CHUNK];
    char in[CHUNK + LINE_MAX_BYTES];
} Stream;

static bool flush_codes(Stream *s, Err *err)
{
    errno = 0;
    bool ok = fwrite(s->out, 1, s->out_len, stdout) == s->out_len && fflush(stdout) == 0;
    s->out_len = 0;
    return ok || err_set(err, "stdout: cannot write: %s", strerror(errno ? errno : EIO));
}

static bool encode_line(Stream *s, const char *text, size_t len, Err *err)
{
    static const char hex[] = "0123456789abcdef";
    s->line++;
    Err why;
    if (len > LINE_MAX_BYTES)
        return err_set(err, "stdin: line %llu: more than %d characters", s->line, TEXT_MAX);
    if (!value_parse(&s->value, text, len, &why))
        return err_set(err, "stdin: line %llu: %s", s->line, why.text);
    uint32_t code = format_encode(s->format, &s->value, s->rounding);
    if (s->out_len + 16 > sizeof s->out && !flush_codes(s, err))
        return false;
    for (int shift = 4 * format_digits(s->format); shift > 0;) {
        shift -= 4;
        s->out[s->out_len++] = hex[code >> shift & 0xf];
    }
    s->out[s->out_len++] = '\n';
    return true;
}

/* Encode the whole lines of in[0..len) and move the rest to its start; sets *len to its length. */
static bool encode_lines(Stream *s, size_t *len, Err *err)
{
    const char *at = s->in, *end = s->in + *len, *newline;
    while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
        if (!encode_line(s, at, (size_t)(newline - at), err))
            return false;
        at = newline + 1;
    }
    *len = (size_t)(end - at);
    if (*len > LINE_MAX_BYTES) /* refused, however it goes on */
        return encode_line(s, at, *len, err);
    memmove(s->in, at, *len);
    return true;
}

int fmt_stream(const Format *f, const Rounding *rounding)
{
    Stream *s = xmalloc(sizeof *s);
    s->format = f;
    s->rounding = rounding;
    s->line = 0;
    s->out_len = 0;
    value_init(&s->value);
    Err err, lost;
    size_t len = 0;
    ssize_t got;
    bool ok = true;
    while (ok && (got = read(STDIN_FILENO, s->in + len, CHUNK)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            ok = err_set(&err, "stdin: cannot read: %s", strerror(errno));
            break;
        }
        len += (size_t)got;
        /* whoever feeds us line by line gets answers line by line */
        ok = encode_lines(s, &len, &err) && flush_codes(s, &err);
    }
    if (ok && len > 0)
        ok = encode_line(s, s->in, len, &err);
    if (!flush_codes(s, &lost)) { /* the codes before a bad line count more than the line */
        ok = false;
        err = lost;
    }
    value_free(&s->value);
    free(s);
    return ok ? 0 : cli_fail(&err);
}
