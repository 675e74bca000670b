#ifndef TUI_SETTING_COMMANDS_H
#define TUI_SETTING_COMMANDS_H
/* Inside of screen_commands.c: the commands for what users set up to their taste. As
 * Command.run. */
#include "tui/tui.h"

bool setting_theme(void *room, const Args *a, Buf *out, Err *err);
/* The words that `theme` takes. */
void setting_themes(WordFn add, void *context);
bool setting_map(void *room, const Args *a, Buf *out, Err *err);
bool setting_unmap(void *room, const Args *a, Buf *out, Err *err);

#endif
