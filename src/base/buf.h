#ifndef BASE_BUF_H
#define BASE_BUF_H
/* A growing byte buffer. `Buf b = {0}` is empty; text is kept NUL-terminated (not counted in len).
 */
#include <stdarg.h>
#include <stddef.h>

typedef struct Buf {
    char *data; /* NULL while empty */
    size_t len; /* bytes used */
    size_t cap; /* bytes allocated */
} Buf;

void buf_add(Buf *b, const void *bytes, size_t n);
void buf_text(Buf *b, const char *text);
void buf_vprintf(Buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void buf_printf(Buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The text so far; "" while empty. Valid until the next change. */
const char *buf_str(const Buf *b);
void buf_clear(Buf *b); /* keeps the memory */
void buf_free(Buf *b);

#endif
