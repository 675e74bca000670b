#ifndef TUI_THEME_H
#define TUI_THEME_H
/* What each role looks like in each theme. Knows colour numbers and attributes, not curses: term.c
 * turns them into curses calls, help.c explains them. */
#include <stdbool.h>
#include <stdint.h>

#include "tui/canvas.h"

typedef enum { THEME_DARK, THEME_LIGHT, THEME_HIGH_CONTRAST, THEME_MONO, THEME_COUNT } Theme;

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4, ATTR_DIM = 8 };

typedef struct Style {
    int16_t colour256; /* of 256 colours; -1: the terminal's own */
    int8_t colour8;    /* of the 8 ANSI colours; -1: the terminal's own */
    uint8_t attrs;     /* ATTR_* bits; all there is in mono */
} Style;

Style theme_style(Theme theme, Role role);
/* Background of the whole screen in that many colours; -1: the terminal's own. */
int theme_background(Theme theme, int colours);
const char *theme_name(Theme theme);
/* "dark", "light", "high-contrast" or "mono"; false for anything else. */
bool theme_find(const char *name, Theme *theme);
extern const char theme_list[]; /* the names, for messages */

/* The attributes in words: "bold, underlined"; "plain" for none. */
void attrs_text(unsigned attrs, char *out, size_t size);

#endif
