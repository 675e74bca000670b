#ifndef TUI_SETTING_COMMANDS_H
#define TUI_SETTING_COMMANDS_H
/* Inside of screen_commands.c: the commands for what users set up to their taste. As
 * ScreenCommand.run. */
#include "tui/tui.h"

bool setting_theme(Tui *t, const char *args, Buf *out, Err *err);
bool setting_map(Tui *t, const char *args, Buf *out, Err *err);
bool setting_unmap(Tui *t, const char *args, Buf *out, Err *err);

#endif
