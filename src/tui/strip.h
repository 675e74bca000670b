#ifndef TUI_STRIP_H
#define TUI_STRIP_H
/* The lesson's question in two lines above the message line, while its pane is not on screen. */
#include "script/lesson.h"
#include "tui/canvas.h"

/* r: two rows (less is not drawn). The question, and what has been said of the last answer; the keys
 * that answer and that lead back. */
void strip_draw(const Lesson *lesson, Rect r, Canvas *c);

#endif
