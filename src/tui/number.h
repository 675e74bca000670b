#ifndef TUI_NUMBER_H
#define TUI_NUMBER_H
/* Numbers of panes in any format: what format_number of view.h is made of. */
#include "num/format.h"
#include "tui/view.h"

/* Words of `numbers`: hex, value, both, or a format's name. */
bool number_format_find(const char *word, NumberFormat *f);
/* "hex", "values", "hex and value", "e4m3: code and value". */
void number_format_text(NumberFormat f, char *out, size_t size);
/* The format whose codes are shown; NULL for hex, value and both. */
const Format *number_format_codes(NumberFormat f);

/* The number in `format`, rounded to nearest and saturated: its code and the value that this
 * stands for, "74 192.0000". Its width is fixed by the format. */
int number_width(const Format *format);
void number_text(const Signal *s, int32_t raw, const Format *format, char *out, size_t size);

#endif
