#include "tui/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "session/command.h"
#include "tui/input/keys.h"
#include "tui/state.h"

enum { SCRIPT_MAX = 1 << 24 };

static bool run_command(Tui *t, const char *line, FILE *out, Err *err)
{
    Buf b = {0}, shown = {0};
    bool ok = tui_exec(t, line, &b, err);
    tui_settle(t);
    printable_add(&shown, buf_str(&b), b.len, PRINTABLE_TEXT);
    if (shown.len && shown.data[shown.len - 1] != '\n')
        buf_text(&shown, "\n");
    fputs(buf_str(&shown), out);
    buf_free(&shown);
    buf_free(&b);
    return ok;
}

static bool press_keys(Tui *t, const char *line, Err *err)
{
    size_t len = 0;
    char key[KEY_NAME_MAX];
    for (const char *rest = line; *line && !tui_wishes(t)->quit; line = rest) {
        rest = command_word(&line, &len);
        if (len == 0)
            break;
        snprintf(key, sizeof key, "%.*s", len < sizeof key ? (int)len : 0, line);
        if (!key_is_name(key))
            return key_unknown("", line, len, err);
        tui_press(t, key);
        tui_settle(t);
        tui_granted(t);
    }
    return true;
}

static bool run_line(Tui *t, const char *line, FILE *out, Err *err)
{
    line += strspn(line, " \t");
    if (*line == '#')
        return true;
    bool command = *line == ':' && line[1 + strspn(line + 1, " \t")]; /* `:` alone is the key */
    return command ? run_command(t, line + 1, out, err) : press_keys(t, line, err);
}

/* Is this a run whose condition never came true? missed says so. */
static void note_miss(const Tui *t, const char *path, int number, const char *line, int before,
                      Buf *missed)
{
    line += strspn(line, " \t");
    if (*line == ':' && command_has(commands_find(&t->commands, line + 1, NULL), RUNS_UNTIL) &&
        session_misses(t->session) > before)
        buf_printf(missed, "%s: line %d: %.*s: %s\n", file_name(path), number, HEAD(line + 1, 200),
                   session_note(t->session));
}

bool script_run(Tui *t, const char *path, FILE *out, Buf *missed, Err *err)
{
    Err why = {0};
    char *text = file_read_text(path, SCRIPT_MAX, err);
    int number = 0;
    bool ok = true;
    if (!text)
        return false;
    for (char *line = text; ok && line && !tui_wishes(t)->quit;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        number++;
        int misses = session_misses(t->session);
        ok = run_line(t, line, out, &why);
        why.text[strcspn(why.text, "\n")] = '\0'; /* without the lines of source */
        ok = ok || err_set(err, "%s: line %d: %.*s", file_name(path), number, HEAD(why.text, 400));
        note_miss(t, path, number, line, misses, missed);
        line = end ? end + 1 : NULL;
    }
    free(text);
    return ok;
}

bool script_screen(Tui *t, const char *path, FILE *out, Err *err)
{
    if (strcmp(path, "-") != 0)
        return tui_save_screen(t, path, err);
    Buf text = {0};
    canvas_dump(tui_draw_whole(t), &text);
    fwrite(text.data, 1, text.len, out);
    buf_free(&text);
    return true;
}
