/* What users set up to their taste: the theme, keys of their own, and the file `init`. */
#include "tui/setting_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xdg.h"
#include "session/command.h"
#include "tui/state.h"

enum { INIT_MAX = 1 << 20 };

/* ---- the theme ---- */

void tui_remember_theme(Tui *t, const char *path)
{
    t->theme_file = path;
}

bool tui_remembered_theme(const char *path, Theme *theme)
{
    char *text = file_read_text(path, 64, NULL);
    if (!text)
        return false;
    text[strcspn(text, "\r\n")] = '\0';
    bool known = theme_find(text, theme);
    free(text);
    return known;
}

static bool keep_theme(const char *path, const char *name, Err *err)
{
    FileOut file;
    if (!xdg_make_parents(path, err) || !file_create(&file, path, err))
        return false;
    fprintf(file.stream, "%s\n", name);
    return file_commit(&file, err);
}

void setting_themes(WordFn add, void *context)
{
    add(context, "auto");
    for (int i = 0; i < THEME_COUNT; i++)
        add(context, theme_name((Theme)i));
}

bool setting_theme(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Err why = {0};
    if (!*a->text) {
        buf_printf(out, "theme %s; there are %s\n", theme_name(t->wishes.theme), theme_list);
        return true;
    }
    if (!theme_find(a->text, &t->wishes.theme))
        return err_set(err, "theme %s: must be %s", a->text, theme_list);
    if (t->theme_file && !keep_theme(t->theme_file, a->text, &why))
        buf_printf(out, "theme %s, not remembered: %s\n", theme_name(t->wishes.theme), why.text);
    return true;
}

/* ---- keys ---- */

bool setting_map(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    const char *key = a->value[0].text, *command = a->value[1].text;
    command += *command == ':'; /* as texts write commands */
    if (!*key) {
        keymap_list(&t->keymap, out);
        buf_text(out, t->keymap.count ? "" : "no key is mapped: map KEY COMMAND\n");
        return true;
    }
    if (strlen(key) >= KEY_NAME_MAX)
        return key_unknown("map ", key, strlen(key), err);
    if (!*command)
        return err_set(err, "map %s: needs the command that the key runs", key);
    return keymap_set(&t->keymap, key, command, err);
}

bool setting_unmap(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)out;
    return keymap_unset(&t->keymap, a->text, err);
}

/* ---- init ---- */

/* Refusals go into the console, each with the number of its line. */
static bool run_line(Tui *t, const char *path, int number, const char *line)
{
    Buf out = {0}, told = {0};
    Err err = {0};
    bool ok = tui_exec(t, line, &out, &err);
    if (!ok)
        buf_printf(&told, "%s: line %d: %s", path, number, err.text);
    console_print(t->console, ok ? ROLE_TEXT : ROLE_WARN, buf_str(ok ? &out : &told));
    buf_free(&out);
    buf_free(&told);
    return ok;
}

static void say_refused(Tui *t, int refused, int first)
{
    if (refused == 1)
        tui_say(t, ROLE_WARN, "init: line %d was refused; : shows why", first);
    else if (refused > 1)
        tui_say(t, ROLE_WARN, "init: %d lines were refused, the first is %d; : shows why", refused,
                first);
}

bool tui_init(Tui *t, const char *path, Err *err)
{
    int number = 0, refused = 0, first = 0;
    char *text = file_read_text(path, INIT_MAX, err);
    if (!text)
        return false;
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        line += strspn(line, " \t");
        number++;
        if (*line && *line != '#' && !run_line(t, path, number, line)) {
            first = refused++ ? first : number;
        }
        line = end ? end + 1 : NULL;
    }
    free(text);
    say_refused(t, refused, first);
    return true;
}

void tui_init_default(Tui *t)
{
    Buf path = {0};
    Err err = {0};
    bool there = xdg_path(XDG_CONFIG, "init", &path) && access(buf_str(&path), F_OK) == 0;
    if (there && !tui_init(t, buf_str(&path), &err))
        tui_say(t, ROLE_WARN, "%s", err.text);
    buf_free(&path);
}
