#ifndef BASE_GLYPH_H
#define BASE_GLYPH_H
/* How wide a character is in a terminal. The program's own table and not wcwidth of libc, whose
 * answers hang on the locale: names and screens as text are the same everywhere. */
#include <stdint.h>

/* Columns of a code point: 2 for wide ones (East Asian, emoji), 1 for others; 0 for what has no
 * cell of its own (combining marks, joiners, bidi controls, soft hyphen), -1 for controls,
 * surrogates and what is no character. */
int glyph_width(uint32_t ch);

#endif
