#ifndef TUI_CONSOLE_H
#define TUI_CONSOLE_H
/* The `:` console: what has been typed and answered, and the line being edited (lineedit.c). It
 * runs nothing itself: console_take hands the lines to the explorer. */
#include "session/command.h"
#include "tui/screen/canvas.h"
#include "tui/screen/search_feed.h"

typedef struct Console Console;

/* commands: what its lines may say, borrowed. history: its file or NULL. */
Console *console_new(const Commands *commands, const char *history);
void console_free(Console *c);

/* Start a line with this text in it. */
void console_begin(Console *c, const char *text);
/* The same behind words of the caller's that cannot be edited; the line is not remembered. */
void console_ask(Console *c, const char *asks, const char *text);
/* A key; false when it means "leave". */
bool console_press(Console *c, const char *key);
/* Pasted text: its first line goes where the cursor is, each further one into the line after Enter.
 */
void console_paste(Console *c, const char *text);
/* A line that was entered, or NULL; it is remembered, unless it answers a lesson. The caller frees
 * it. */
char *console_take(Console *c);

/* Is nothing typed? */
bool console_line_empty(const Console *c);
/* For a search: the lines of output, the oldest first; scroll so that one is the last on screen. */
void console_feed(const Console *c, SearchFeed *f);
void console_to(Console *c, int line);

/* Add output, a line or several. */
void console_print(Console *c, Role role, const char *text);
/* Output above, the line at the bottom of r (its frame included), and the cursor in it. */
void console_draw(const Console *c, Canvas *canvas, Rect r);
/* Only the line, at row y, columns x .. x + width - 1. */
void console_draw_line(const Console *c, Canvas *canvas, int y, int x, int width);

#endif
