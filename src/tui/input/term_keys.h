#ifndef TUI_TERM_KEYS_H
#define TUI_TERM_KEYS_H
/* Inside of term.c: what the terminal sends, as names of keys. */
#include <curses.h>

#include "tui/input/keys.h"
#include "tui/input/term.h"

/* Codes that term.c defines for the marks around pasted text. Curses numbers the extended keys of a
 * terminal's description from KEY_MAX on; a description has no room for 4096 of them (32 KiB in
 * all, each takes 8 bytes or more). */
enum { KEY_PASTE_ON = KEY_MAX + 0x1000, KEY_PASTE_OFF };

/* The next key, resize or paste that has come (never waits for one), else TERM_IDLE; *any: was
 * there anything at all? Sequences that curses does not know are skipped. */
TermEvent term_key(WINDOW *window, char key[KEY_NAME_MAX], Buf *paste, bool *any);

#endif
