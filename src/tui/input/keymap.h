#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H
/* Keys of the user's own (`map`): each runs a command in the panes, before the key table is asked.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/input/keys.h"

typedef struct MappedKey {
    char key[KEY_NAME_MAX];
    char *command;
} MappedKey;

typedef struct KeyMap {
    MappedKey *all;
    int count;
} KeyMap;

/* Give `key` a command, in place of one that it has had. Refused: no such key, and `:`, without
 * which nothing could be taken back. */
bool keymap_set(KeyMap *m, const char *key, const char *command, Err *err);
/* Take it away again; refused when the key has none. */
bool keymap_unset(KeyMap *m, const char *key, Err *err);
/* The command of a key, or NULL. */
const char *keymap_find(const KeyMap *m, const char *key);
/* "KEY COMMAND" a line. */
void keymap_list(const KeyMap *m, Buf *out);
void keymap_free(KeyMap *m);

#endif
