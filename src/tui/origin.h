#ifndef TUI_ORIGIN_H
#define TUI_ORIGIN_H
/* Where a word came from. */
#include "session/command.h"

/* `origin NAME`: to the view that shows an element, and to the cycle whose edge stored its present
 * word, or before which it was edited; the decoder's cursor goes to the operation that stores it.
 * One that no clock wrote (a weight, a pin, nothing yet) is shown where the machine stands, and
 * out says so. The way back is one jump. */
bool origin_go(void *room, const Args *a, Buf *out, Err *err);

#endif
