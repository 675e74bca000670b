#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H
/* The screen as a value: a grid of cells, each a character and a role. Views draw into it; term.c
 * turns it into curses calls, canvas_dump into text for scripts and tests. Drawing outside the grid
 * or the clip rectangle is ignored, so views need no size checks to be safe. Text is UTF-8; where
 * the terminal is not, every character has an ASCII twin of the same width (canvas.c). A wide
 * character takes two cells; where only one of them can be drawn, that one is blank. A
 * combining mark stands in the cell of its letter; what else has no cell of its own (further marks,
 * joiners, bidi controls ...) shows as U+FFFD and never reaches the terminal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/marks.h"
#include "base/buf.h"

/* What a cell means; themes give it colours (screens.md). Every role also has a mark or an
 * attribute, so that nothing depends on colour. */
typedef enum {
    ROLE_TEXT,
    ROLE_DIM,      /* secondary text */
    ROLE_FRAME,    /* lines and boxes */
    ROLE_TITLE,    /* names of panes, headings */
    ROLE_ACTIVE,   /* the unit or state at work: orange, bold, with the mark for active */
    ROLE_CHANGED,  /* changed at the last edge: yellow, underlined */
    ROLE_WRITTEN,  /* being written: blue, with the mark for written */
    ROLE_READ,     /* being read: cyan, with the mark for read */
    ROLE_WARN,     /* suspicious: magenta, with '!' */
    ROLE_MASKED,   /* beyond seq_pos: dim, with the mark for masked */
    ROLE_CURSOR,   /* what the cursor is on: reverse */
    ROLE_KEY,      /* a key in the bottom line and in help */
    ROLE_HEAT_NEG, /* heat of a negative value: 9 roles for magnitude 0..8 follow each other */
    ROLE_HEAT_NEG_LAST = ROLE_HEAT_NEG + 8,
    ROLE_HEAT_POS,
    ROLE_HEAT_POS_LAST = ROLE_HEAT_POS + 8,
    ROLE_COUNT
} Role;

typedef struct Rect {
    int y, x, h, w; /* top left cell, rows, columns */
} Rect;

typedef struct Cell {
    uint32_t ch;   /* Unicode; 0: the second half of the wide character at the left */
    uint16_t mark; /* a combining mark on it; 0: none */
    uint8_t role;
    uint64_t aim; /* what a click on it means (canvas_aim); 0: nothing */
} Cell;

typedef struct Canvas {
    int rows, cols;
    bool utf8;              /* may cells hold more than ASCII? */
    Rect clip;              /* drawing is confined to it */
    int cursor_y, cursor_x; /* where the hardware cursor rests; -1: nowhere */
    Cell *cells;            /* rows * cols */
} Canvas;

/* Zero `Canvas c = {0}` first; resize clears. */
void canvas_resize(Canvas *c, int rows, int cols, bool utf8);
void canvas_clear(Canvas *c);
void canvas_free(Canvas *c);
/* Confine drawing to r (and the grid); returns the old clip for restoring. */
Rect canvas_clip(Canvas *c, Rect r);

/* Draw text at row y, column x; returns the column after it. canvas_field pads or cuts to `width`.
 */
int canvas_text(Canvas *c, int y, int x, Role role, const char *text);
int canvas_textf(Canvas *c, int y, int x, Role role, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
int canvas_field(Canvas *c, int y, int x, int width, Role role, const char *text);
/* Words: those that fit before the right side of the clip rectangle, then an ellipsis. */
int canvas_sentence(Canvas *c, int y, int x, Role role, const char *text);
/* The first of several wordings, parted by newlines, that fits there; else the last as above. */
int canvas_wording(Canvas *c, int y, int x, Role role, const char *texts);
void canvas_put(Canvas *c, int y, int x, Role role, uint32_t ch);
void canvas_fill(Canvas *c, Rect r, Role role, uint32_t ch);
/* Where the hardware cursor rests (screen readers follow it), if it is inside of the clip. */
void canvas_cursor(Canvas *c, int y, int x);
/* Give the cells of r a role and keep their characters (cursor bars, highlights). */
void canvas_role(Canvas *c, Rect r, Role role);

/* The cells of r stand for this, to whoever drew them; what is drawn over them takes it away. */
void canvas_aim(Canvas *c, Rect r, uint64_t aim);

/* A rounded box around r with a title in its top line ("" for none); returns the inside. */
Rect canvas_box(Canvas *c, Rect r, Role role, const char *title);
/* The inside of a box around r; of no size where there is no room for one. */
Rect canvas_inside(Rect r);
/* A line across the box r at row y, joined to its sides, with a title; likewise down at column x,
 * from row y0 to y1 (joined to lines there). */
void canvas_rule(Canvas *c, Rect r, int y, Role role, const char *title);
void canvas_divide(Canvas *c, int x, int y0, int y1, Role role);

/* Magnitude 0..8 of a raw value on a scale where `full` is 8 (nonzero never shows as 0). */
int heat_level(int32_t raw, int32_t full);
/* The glyph of a level (" ▁▂▃▄▅▆▇█") and the role for the sign. */
uint32_t heat_glyph(int level);
Role heat_role(int32_t raw, int level);
void canvas_heat(Canvas *c, int y, int x, int32_t raw, int32_t full);
/* A horizontal bar of part/whole over `width` columns, in eighths; returns the column after. */
int canvas_bar(Canvas *c, int y, int x, int width, Role role, double part, double whole);

/* The text in so many columns: cut where it is longer, with an ellipsis; returns out. */
const char *text_fit(const char *text, int columns, char *out, size_t size);
/* Columns that UTF-8 text takes. */
int text_width(const char *text);
/* Bytes of the character that text (not "") begins with, with a mark on it, and the columns it
 * takes, 1 or 2. */
size_t text_glyph(const char *text, int *columns);

/* The grid as text, a line per row without trailing blanks; and the roles, a letter per cell
 * (tests compare both). */
void canvas_dump(const Canvas *c, Buf *out);
void canvas_dump_roles(const Canvas *c, Buf *out);

#endif
