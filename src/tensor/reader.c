#include "tensor/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"

bool reader_fail(const Container *c, uint64_t at, Err *err, const char *fmt, ...)
{
    char why[320];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    err_set(err, "%s: %s, at byte %" PRIu64, c->path, why, at);
    if (err)
        err->of_content = true;
    return false;
}

void reader_warn(Container *c, WarnKind kind, const char *fmt, ...)
{
    ContainerWarning *w = &c->warnings[kind];
    if (w->count++ > 0)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->text, sizeof w->text, fmt, ap);
    va_end(ap);
}

Tensor *reader_add(Container *c)
{
    if ((c->count & (c->count - 1)) == 0) { /* full at powers of two */
        size_t room = c->count ? c->count * 2 : 1;
        c->tensors = xrealloc(c->tensors, room * sizeof *c->tensors);
    }
    Tensor *t = &c->tensors[c->count++];
    memset(t, 0, sizeof *t);
    return t;
}

/* Length of the well-formed UTF-8 character at p (no C1 controls, no surrogates), 0 if none. */
static size_t utf8_length(const uint8_t *p, size_t n)
{
    static const struct {
        uint8_t lo, hi, second_lo, second_hi, length;
    } forms[] = {
        {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (p[0] < forms[i].lo || p[0] > forms[i].hi)
            continue;
        if (n < forms[i].length || p[1] < forms[i].second_lo || p[1] > forms[i].second_hi)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++) {
            if ((p[k] & 0xc0) != 0x80)
                return 0;
        }
        return forms[i].length;
    }
    return 0;
}

/* Does the well-formed character at p take columns of its own? Bidi controls turn the text around
 * them, joiners and marks hide: two names would look alike. */
static bool shows(const uint8_t *p, size_t length)
{
    uint32_t ch = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        ch = ch << 6 | (p[i] & 0x3f);
    return glyph_width(ch) > 0;
}

/* `plain` is an ASCII character that stays as it is although names escape it, 0 for none. */
static char *escaped(const uint8_t *bytes, size_t n, char plain)
{
    Buf b = {0};
    buf_add(&b, "", 0);
    for (size_t i = 0; i < n;) {
        bool ascii = bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '\\';
        size_t length =
            ascii || (plain && bytes[i] == (uint8_t)plain) ? 1 : utf8_length(bytes + i, n - i);
        if (length && shows(bytes + i, length)) {
            buf_add(&b, bytes + i, length);
            i += length;
            continue;
        }
        for (size_t end = i + (length ? length : 1); i < end; i++)
            buf_printf(&b, "\\x%02x", bytes[i]);
    }
    return b.data;
}

char *reader_name(const uint8_t *bytes, size_t n)
{
    return escaped(bytes, n, '\0');
}

char *reader_typed_name(const char *name)
{
    return escaped((const uint8_t *)name, strlen(name), '\\');
}

static int name_order(const void *a, const void *b)
{
    const Tensor *const *x = a;
    const Tensor *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static int offset_order(const void *a, const void *b)
{
    const Tensor *x = *(const Tensor *const *)a;
    const Tensor *y = *(const Tensor *const *)b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return 0;
}

static Tensor **sorted(const Container *c, int (*order)(const void *, const void *))
{
    Tensor **list = xmalloc(c->count * sizeof *list);
    for (size_t i = 0; i < c->count; i++)
        list[i] = &c->tensors[i];
    if (c->count)
        qsort(list, c->count, sizeof *list, order);
    return list;
}

Tensor **reader_by_name(const Container *c, Err *err)
{
    Tensor **list = sorted(c, name_order);
    for (size_t i = 1; i < c->count; i++) {
        if (strcmp(list[i - 1]->name, list[i]->name) == 0) {
            reader_fail(c, list[i]->offset, err, "two tensors are named '%s'", list[i]->name);
            free(list);
            return NULL;
        }
    }
    return list;
}

Tensor **reader_by_offset(const Container *c)
{
    return sorted(c, offset_order);
}
