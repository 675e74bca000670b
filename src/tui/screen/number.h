#ifndef TUI_NUMBER_H
#define TUI_NUMBER_H
/* Numbers as panes show them. */
#include "engine/engine.h"
#include "num/format.h"

/* How a pane writes numbers; SHOW_COUNT + i: as entry i of format_table holds them. */
typedef enum { SHOW_HEX, SHOW_VALUE, SHOW_BOTH, SHOW_COUNT } NumberFormat;

/* Words of `numbers`: hex, value, both, or a format's name. */
bool number_format_find(const char *word, NumberFormat *f);
/* "hex", "values", "hex and value", "e4m3: code and value". */
void number_format_text(NumberFormat f, char *out, size_t size);
/* The format whose codes are shown; NULL for hex, value and both. */
const Format *number_format_codes(NumberFormat f);

/* A number in the pane's format, its width fixed by that: "-0.3008", "ffb3"; of a format the code
 * and the value that it stands for, rounded to nearest and saturated: "74 192.0000". */
int format_width(NumberFormat f);
void format_number(const Engine *e, const Signal *s, int32_t raw, NumberFormat f, char *out,
                   size_t size);
/* The value of a raw word of a TYPE_FIXED signal, exactly, as a short decimal. */
void q88_text(int32_t raw, char *out, size_t size);

#endif
