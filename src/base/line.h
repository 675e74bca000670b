#ifndef BASE_LINE_H
#define BASE_LINE_H
/* Lines of a stream in bounded memory: a line without an end is refused, not held whole. */
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

enum { LINE_MOST = 1 << 20 }; /* bytes of a line */

typedef struct Lines {
    FILE *f;
    const char *name; /* of the file, for messages */
    Buf line;         /* the present line, without its end (\n or \r\n) */
    int number;       /* of the present line, from 1 */
} Lines;

typedef enum { LINES_END, LINES_LINE, LINES_FAILED } LinesResult;

/* The next line. A UTF-8 mark before the first is passed over; a last line without an end counts.
 * Refused with the line's number: more than LINE_MOST bytes, a zero byte; and what cannot be read.
 */
LinesResult lines_next(Lines *l, Err *err);
void lines_free(Lines *l);

#endif
