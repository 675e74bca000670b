#ifndef TUI_INSPECT_COMMANDS_H
#define TUI_INSPECT_COMMANDS_H
/* The commands that open, search and edit a file of tensors (rows of screen_commands). */
#include "tui/state.h"

bool inspect_open(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_shape(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_group(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_layout(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_tensor(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_tile(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_seek(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_poke(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_unpoke(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_revert(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_write(Tui *t, const char *args, Buf *out, Err *err);
bool inspect_count(Tui *t, const char *args, Buf *out, Err *err);

/* Once, before the first frame. */
void inspect_begin(Tui *t);
/* False while there are edits that no file has; `what` is refused for their sake. */
bool inspect_may_leave(const Tui *t, const char *what, Err *err);
/* Before a frame: count a small tensor that came into view. */
void inspect_settle(Tui *t);

#endif
