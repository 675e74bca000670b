#ifndef TUI_INSPECT_COMMANDS_H
#define TUI_INSPECT_COMMANDS_H
/* The commands that open, search and edit a file of tensors (rows of screen_commands, run as
 * Command.run). */
#include "tui/state.h"

bool inspect_open(void *room, const Args *a, Buf *out, Err *err);
bool inspect_shape(void *room, const Args *a, Buf *out, Err *err);
bool inspect_group(void *room, const Args *a, Buf *out, Err *err);
bool inspect_layout(void *room, const Args *a, Buf *out, Err *err);
bool inspect_tensor(void *room, const Args *a, Buf *out, Err *err);
bool inspect_tile(void *room, const Args *a, Buf *out, Err *err);
bool inspect_seek(void *room, const Args *a, Buf *out, Err *err);
bool inspect_poke(void *room, const Args *a, Buf *out, Err *err);
bool inspect_unpoke(void *room, const Args *a, Buf *out, Err *err);
bool inspect_revert(void *room, const Args *a, Buf *out, Err *err);
bool inspect_write(void *room, const Args *a, Buf *out, Err *err);
bool inspect_count(void *room, const Args *a, Buf *out, Err *err);

/* Once, before the first frame. */
void inspect_begin(Tui *t);
/* False while there are edits that no file has; `what` is refused for their sake. */
bool inspect_may_leave(const Tui *t, const char *what, Err *err);
/* Before a frame: count a small tensor that came into view. */
void inspect_settle(Tui *t);

#endif
