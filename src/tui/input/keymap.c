#include "tui/input/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { KEYS_MAX = 200 };

static MappedKey *find(const KeyMap *m, const char *key)
{
    for (int i = 0; i < m->count; i++) {
        if (strcmp(m->all[i].key, key) == 0)
            return &m->all[i];
    }
    return NULL;
}

bool keymap_set(KeyMap *m, const char *key, const char *command, Err *err)
{
    MappedKey *k = find(m, key);
    if (!key_is_name(key))
        return key_unknown("map ", key, strlen(key), err);
    if (strcmp(key, ":") == 0)
        return err_set(err, "map %s: stays the console", key);
    if (!k && m->count == KEYS_MAX)
        return err_set(err, "map %s: there are %d already", key, KEYS_MAX);
    if (!k) {
        m->all = xrealloc(m->all, (size_t)(m->count + 1) * sizeof *m->all);
        k = &m->all[m->count++];
        *k = (MappedKey){0};
        snprintf(k->key, sizeof k->key, "%s", key);
    }
    free(k->command);
    k->command = xstrdup(command);
    return true;
}

bool keymap_unset(KeyMap *m, const char *key, Err *err)
{
    MappedKey *k = find(m, key);
    if (!k)
        return err_set(err, "unmap %s: this key is not mapped (map lists)", key);
    free(k->command);
    *k = m->all[--m->count];
    return true;
}

const char *keymap_find(const KeyMap *m, const char *key)
{
    const MappedKey *k = find(m, key);
    return k ? k->command : NULL;
}

void keymap_list(const KeyMap *m, Buf *out)
{
    for (int i = 0; i < m->count; i++)
        buf_printf(out, "%-8s %s\n", m->all[i].key, m->all[i].command);
}

void keymap_free(KeyMap *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->all[i].command);
    free(m->all);
    *m = (KeyMap){0};
}
