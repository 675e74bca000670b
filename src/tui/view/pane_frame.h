#ifndef TUI_PANE_FRAME_H
#define TUI_PANE_FRAME_H
/* What every pane's frame has in common: the keys in its lower side, and how the one looks that
 * takes the keys. */
#include "tui/screen/canvas.h"
#include "tui/view/view.h"

/* One key and its word into the lower side of the box r from column x on (r.x + 1 at first); the
 * column behind it, or x when there is no room. listens: a key pressed now would reach it. */
int pane_key_word(Canvas *c, Rect r, int x, const char *key, const char *word, bool listens);
/* The words of the table's keys into the lower side of the box r, as many as there is room for.
 * Nothing where the view has written there itself. taken: a key that does something else now, or
 * NULL. */
void pane_keys_draw(Canvas *c, Rect r, const ViewKey *keys, bool listens, const char *taken);
/* The box r takes the keys: a mark before its title, and its lines as what is active. */
void pane_focus_draw(Canvas *c, Rect r);

#endif
