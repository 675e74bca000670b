#ifndef TUI_STRIP_H
#define TUI_STRIP_H
/* The lesson's question in two or three lines above the message line, while its pane is not on
 * screen. */
#include "script/lesson.h"
#include "tui/screen/canvas.h"

/* Rows that it takes in a window of so many columns: two, and a third for what has been said of the
 * last answer while the question needs both. */
int strip_rows(const Lesson *lesson, int columns);
/* r: so many rows. The question, and what was said; the keys that answer and that lead back, which
 * are others while the answer is being typed. */
void strip_draw(const Lesson *lesson, bool typing, Rect r, Canvas *c);

#endif
