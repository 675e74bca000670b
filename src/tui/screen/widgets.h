#ifndef TUI_WIDGETS_H
#define TUI_WIDGETS_H
/* Text helpers of panes, help and console. */
#include <stddef.h>

#include "base/buf.h"

/* Append the text with blanks for its tabs, up to each eighth column of a line. */
void text_untab(const char *text, Buf *out);

/* The next line of *text that fits `width` columns, broken at a blank where there is one, into out;
 * *text moves on. Returns out, or NULL at the end. */
const char *text_wrap(const char **text, int width, char *out, size_t size);

#endif
