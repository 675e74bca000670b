#ifndef TUI_STRIP_H
#define TUI_STRIP_H
/* The lesson's question in a few lines above the message line, while its pane is not on
 * screen. */
#include "script/lesson.h"
#include "tui/screen/canvas.h"

/* Rows that it takes in a window of that size: two, or as many as the question and what was said
 * need, up to two rows in seven. */
int strip_rows(const Lesson *lesson, int columns, int screen_rows);
/* r: so many rows. The question, and what was said; the keys that answer and that lead back, which
 * are others while the answer is being typed. */
void strip_draw(const Lesson *lesson, bool typing, Rect r, Canvas *c);

#endif
