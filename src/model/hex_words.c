/* $readmemh as simulators read it (IEEE 1800 21.4), strict where they leave a memory unknown: a
 * word that is told twice, or not at all, is an error. */
#include "model/hex_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"

typedef struct HexReader {
    const char *path;
    const char *p;
    int line;
    size_t at;     /* where the next word goes */
    size_t told;   /* words so far */
    uint8_t *seen; /* a flag a word */
    size_t n;
    int16_t *words;
    Err *err;
} HexReader;

static bool fail(HexReader *r, const char *what, size_t length)
{
    return err_set(r->err, "%s: %.*s%s, line %d", r->path,
                   length > 20 ? (int)printable_cut(r->p, 20) : (int)length, r->p, what, r->line);
}

/* Over blanks and comments; false when a comment has no end. */
static bool skip(HexReader *r)
{
    for (;;) {
        if (strncmp(r->p, "//", 2) == 0) {
            r->p += strcspn(r->p, "\n");
        } else if (strncmp(r->p, "/*", 2) == 0) {
            const char *end = strstr(r->p + 2, "*/");
            if (!end)
                return fail(r, " has no end", 2);
            for (; r->p < end + 2; r->p++)
                r->line += *r->p == '\n';
        } else if (isspace((unsigned char)*r->p)) {
            r->line += *r->p++ == '\n';
        } else {
            return true;
        }
    }
}

/* Hex digits with `_` behind the first, at most `most` digits; moves *text behind them. */
static bool take_digits(const char **text, int most, unsigned long *value)
{
    int digits = 0;
    const char *p = *text;
    *value = 0;
    for (; isxdigit((unsigned char)*p) || (*p == '_' && digits > 0); p++) {
        if (*p == '_')
            continue;
        digits++;
        *value = *value << 4 | (unsigned long)(isdigit((unsigned char)*p)
                                                   ? *p - '0'
                                                   : tolower((unsigned char)*p) - 'a' + 10);
        if (digits > most)
            return false;
    }
    bool ends =
        !*p || isspace((unsigned char)*p) || strncmp(p, "//", 2) == 0 || strncmp(p, "/*", 2) == 0;
    *text = p;
    return digits > 0 && ends;
}

static bool take(HexReader *r)
{
    unsigned long value = 0;
    bool address = *r->p == '@';
    const char *p = r->p + address;
    size_t length = strcspn(r->p, " \t\r\n");
    if (!take_digits(&p, address ? 8 : 4, &value))
        return fail(r, address ? " is no address" : " is no word of 1 to 4 hex digits", length);
    if (address && value >= r->n)
        return fail(r, " is behind the last word", length);
    if (address) {
        r->at = value;
    } else if (r->at < r->n && r->seen[r->at]) {
        return err_set(r->err, "%s: word %zu is told twice, line %d", r->path, r->at, r->line);
    } else {
        if (r->at < r->n) {
            r->seen[r->at] = 1;
            r->words[r->at] = (int16_t)(uint16_t)value;
        }
        r->at++;
        r->told++;
    }
    r->p = p;
    return true;
}

static bool read_all(HexReader *r)
{
    while (skip(r)) {
        if (!*r->p)
            return true;
        if (!take(r))
            return false;
    }
    return false;
}

bool hex_words_read(const char *text, const char *path, int16_t *words, size_t n, Err *err)
{
    HexReader r = {.path = path, .p = text, .line = 1, .n = n, .words = words, .err = err};
    r.seen = xcalloc(n, 1);
    bool ok = read_all(&r);
    const uint8_t *gap = ok && r.told == n ? memchr(r.seen, 0, n) : NULL;
    if (ok && r.told != n)
        ok = err_set(err, "%s: %zu words, must be %zu", path, r.told, n);
    else if (gap)
        ok = err_set(err, "%s: word %td is not told", path, gap - r.seen);
    free(r.seen);
    return ok;
}
