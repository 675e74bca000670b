#include "tensor/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"

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

bool reader_goes_on(const Container *c, uint64_t at, Err *err)
{
    return progress_go_on(c->progress, at, c->map.size, err);
}

bool reader_warns(Container *c, WarnKind kind)
{
    c->warnings[kind].count += c->warnings[kind].count > 0;
    return c->warnings[kind].count > 0;
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

void *reader_room(void *list, size_t count, size_t size)
{
    if (count & (count - 1)) /* full at powers of two */
        return list;
    return xrealloc(list, (count ? count * 2 : 1) * size);
}

Tensor *reader_add(Container *c)
{
    c->tensors = reader_room(c->tensors, c->count, sizeof *c->tensors);
    Tensor *t = &c->tensors[c->count++];
    memset(t, 0, sizeof *t);
    return t;
}

void reader_dims(Tensor *t, unsigned n)
{
    t->n_dims = n;
    t->dims = n ? xcalloc(n, sizeof *t->dims) : NULL;
}

char *reader_name(const uint8_t *bytes, size_t n)
{
    char *name = printable(bytes, n, PRINTABLE_NAME);
    return xrealloc(name, strlen(name) + 1); /* a table has many: none keeps more than it needs */
}

char *reader_typed_name(const char *name)
{
    return printable(name, strlen(name), PRINTABLE_TYPED);
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
