#ifndef TUI_THEME_H
#define TUI_THEME_H
/* What each role looks like in each theme. Knows colour numbers and attributes, not curses: term.c
 * turns them into curses calls, help.c explains them. */
#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/canvas.h"

typedef enum {
    THEME_NEUTRAL, /* readable on black and on white: when it is not known which it is */
    THEME_DARK,
    THEME_LIGHT,
    THEME_HIGH_CONTRAST,
    THEME_MONO,
    THEME_COUNT
} Theme;

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4, ATTR_DIM = 8 };

typedef struct Style {
    int16_t colour256; /* of 256 colours; -1: the terminal's own */
    int8_t colour8;    /* of the 8 ANSI colours; -1: the terminal's own */
    uint8_t attrs;     /* ATTR_* bits; all there is in mono */
    int8_t behind8; /* of 8 colours: 1 + what the text stands on; 0: on the screen's background */
} Style;

Style theme_style(Theme theme, Role role);

/* How a terminal is told colours: by number (the same 8 begin longer palettes) or as 0xRRGGBB. */
typedef enum { COLOURS_8, COLOURS_256, COLOURS_DIRECT } ColourDepth;
typedef struct Paint {
    int fore, back; /* -1: the terminal's own */
} Paint;
Paint theme_paint(Theme theme, Role role, ColourDepth depth);
/* Entry 0..255 of xterm's palette as 0xRRGGBB: what the first 16 are is up to the user. */
uint32_t theme_palette(int colour256);

const char *theme_name(Theme theme);
/* By its name, or "auto": what COLORFGBG says of the background, else neutral. */
bool theme_find(const char *name, Theme *theme);
extern const char theme_list[]; /* the names, for messages */

/* The attributes in words: "bold, underlined"; "plain" for none. */
void attrs_text(unsigned attrs, char *out, size_t size);

#endif
