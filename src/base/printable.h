#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H
/* Foreign text on its way to a terminal or a message: whatever could act on the terminal or hide
 * stands as \xNN. Escaped are control characters, DEL, C1, what is no UTF-8, line separators and
 * the characters that turn text around (bidi); all else stays as it is. Every printer of text that
 * is not the program's own goes through here. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

typedef enum {
    PRINTABLE_LINE,  /* one line: \n and \t are escaped too */
    PRINTABLE_TEXT,  /* \n and \t stay */
    PRINTABLE_NAME,  /* one line; what has no column of its own (marks, joiners) and \ are escaped:
                        two names that look alike are the same */
    PRINTABLE_TYPED, /* a name that somebody typed: as NAME, but \ stays */
} Printable;

/* Append n bytes as printable text. */
void printable_add(Buf *b, const void *bytes, size_t n, Printable how);
/* The same in fresh memory. */
char *printable(const void *bytes, size_t n, Printable how);
/* Append a JSON document of valid UTF-8: what would be escaped in text stands as \uNNNN, as JSON
 * has it (controls below 20 are its writer's business). */
void printable_json(Buf *b, const char *json);
/* Make a buffer of `size` bytes printable where it stands (LINE); what does not fit is cut at the
 * end of a character. */
void printable_in_place(char *text, size_t size);
/* The longest length <= n at which a text of at least n bytes can be cut without leaving a part of
 * a character. */
size_t printable_cut(const char *text, size_t n);
/* For "%.*s": at most so many bytes of text, whole characters. */
#define HEAD(text, most) printable_head(text, most), text
int printable_head(const char *text, int most);

#endif
