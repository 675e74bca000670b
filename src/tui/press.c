/* Keys: what each does in the panes, at a prompt, in the console and in help. A key of the panes
 * goes to the user's map, the mouse, the lesson (Enter), the common table, the views' letters and
 * at last to the view in focus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"
#include "tui/input/keys.h"
#include "tui/state.h"

/* A command that ends in a blank waits for its argument: one line of the console asks for it. */
static bool is_incomplete(const char *command)
{
    size_t n = strlen(command);
    return n > 0 && command[n - 1] == ' ';
}

void tui_prompt(Tui *t, const char *command)
{
    const char *args = NULL;
    const Command *c = commands_find(&t->commands, command, &args);
    char label[48];
    t->answering = t->lesson && command_has(c, ANSWERS);
    if (t->answering) {
        snprintf(label, sizeof label, ": %s ", c->name);
        console_ask(t->console, label, args);
    } else {
        console_begin(t->console, command);
    }
    t->prompt_over = t->mode == MODE_HELP ? MODE_HELP : MODE_PANES;
    tui_set_mode(t, MODE_PROMPT);
}

bool tui_view_key(Tui *t, const char *key)
{
    Press p;
    const View *v = tui_view(t);
    if (!v || !view_press(v, t->session, tui_view_state(t), key, &p))
        return false;
    if (p.what == PRESS_REFUSE)
        tui_say(t, ROLE_TEXT, "%s", p.text);
    else if (p.what == PRESS_ASK)
        tui_prompt(t, p.text);
    else if (p.what == PRESS_RUN)
        tui_do(t, p.text);
    return true;
}

/* Commands that succeed without a word in scripts; whoever pressed a key wants an answer. */
static void say_watched(Tui *t, const char *command, Buf *out)
{
    const Command *c = commands_find(&t->commands, command, NULL);
    if (command_has(c, WATCHES))
        tui_expand(t, "watching @ (console: watch lists)", out, NULL);
    else if (command_has(c, UNWATCHES))
        tui_expand(t, "no longer watching @", out, NULL);
}

/* A key of the table: its command, or the prompt with the command to be completed. */
static void run_key(Tui *t, const Key *k)
{
    Buf out = {0};
    Err err = {0};
    if (is_incomplete(k->command)) {
        tui_prompt(t, k->command);
        return;
    }
    bool ok = tui_exec(t, k->command, &out, &err);
    const char *done = k->command;
    if (!ok && k->again)
        ok = tui_exec(t, done = k->again, &out, NULL);
    if (ok && out.len == 0)
        say_watched(t, done, &out);
    if (!ok)
        tui_say(t, ROLE_WARN, "%s", err.text);
    else if (out.len)
        tui_say(t, ROLE_TEXT, "%s", buf_str(&out));
    buf_free(&out);
}

/* A key of the user's own; false when it is none. */
static bool mapped_key(Tui *t, const char *key)
{
    const char *command = t->in_mapped ? NULL : keymap_find(&t->keymap, key);
    if (!command)
        return false;
    char *kept = xstrdup(command); /* it may map its own key anew */
    t->in_mapped = true;
    tui_do(t, kept);
    t->in_mapped = false;
    free(kept);
    return true;
}

/* A common key that means something else in this view: formats flips the bit with f, t2 goes to a
 * place with /, the lesson turns back with Backspace. */
static bool is_own_key(const View *v, const char *key)
{
    for (const ViewKey *k = v ? v->keys : NULL; k && k->key; k++) {
        bool own = k->sense == SENSE_OWN || k->sense == SENSE_SEARCH || k->sense == SENSE_BACK;
        if (own && key_matches(k->key, key))
            return true;
    }
    return false;
}

static void pane_key(Tui *t, const char *key)
{
    if (search_key(t, key))
        return;
    if (mapped_key(t, key) || mouse_press(t, key) ||
        (strcmp(key, "Enter") == 0 && lesson_enter(t)) || (strcmp(key, "i") == 0 && lesson_hint(t)))
        return;
    if (is_own_key(tui_view(t), key) && tui_view_key(t, key))
        return;
    const Key *k = key_find(key);
    if (k) {
        run_key(t, k);
        return;
    }
    for (int i = 0; views[i]; i++) {
        if (strcmp(views[i]->key, key) == 0) {
            tui_show_view(t, i);
            return;
        }
    }
    if (tui_view_key(t, key))
        return;
    if (strcmp(key, "Esc") == 0)
        t->panes.zoom = false;
    else if (strcmp(key, "C-c") == 0)
        tui_say(t, ROLE_TEXT, "nothing is running; q leaves, ? helps");
    else
        tui_say(t, ROLE_TEXT, "%s does nothing here; press ? for help", key);
}

/* `/text`: no command, it searches what has scrolled by. */
static void search_scrollback(Tui *t, const char *text)
{
    Buf out = {0};
    Err err = {0};
    if (search_console(t, text, &out, &err))
        tui_say(t, ROLE_TEXT, "%s", buf_str(&out));
    else
        tui_say(t, ROLE_WARN, "%s", err.text);
    buf_free(&out);
}

/* n and N while a search goes on and nothing is typed; what else is typed ends it. */
static bool console_search_key(Tui *t, const char *key)
{
    if (t->mode != MODE_CONSOLE || !search_active(t))
        return false;
    if (console_line_empty(t->console) && search_key(t, key))
        return true;
    if (!key_matches("PgUp PgDn", key))
        t->search.place = SEARCH_OFF;
    return false;
}

static void run_console_line(Tui *t, char *line)
{
    Buf out = {0};
    Err err = {0};
    char echo[300];
    if (*line == '/') {
        search_scrollback(t, line + 1);
        return;
    }
    snprintf(echo, sizeof echo, ": %.*s", HEAD(line, 290));
    console_print(t->console, ROLE_KEY, echo);
    if (line[strspn(line, " \t")] && !tui_exec(t, line, &out, &err))
        console_print(t->console, ROLE_WARN, err.text);
    if (out.len)
        console_print(t->console, ROLE_TEXT, buf_str(&out));
    buf_free(&out);
}

static void console_key(Tui *t, const char *key)
{
    bool one_line = t->mode == MODE_PROMPT;
    int y = 0, x = 0;
    if (key_mouse(key, "WheelUp", &y, &x))
        key = "PgUp";
    else if (key_mouse(key, "WheelDown", &y, &x))
        key = "PgDn";
    if (strcmp(key, "C-z") == 0) {
        t->wishes.suspend = true;
        return;
    }
    if (strcmp(key, "C-l") == 0) {
        t->wishes.redraw = true;
        return;
    }
    if ((one_line && lesson_scroll(t, key)) || console_search_key(t, key))
        return;
    Mode under = one_line ? t->prompt_over : MODE_PANES;
    if (!console_press(t->console, key) || (one_line && strcmp(key, "C-c") == 0))
        t->mode = under; /* help: on the page where it was */
    char *line = console_take(t->console);
    if (!line)
        return;
    if (one_line) {
        t->mode = under;
        if (t->answering)
            lesson_take_answer(t, line);
        else if (!tui_do_line(t, line) &&
                 !command_has(commands_find(&t->commands, line, NULL), ASKED_ONCE))
            tui_prompt(t, line); /* what is typed next mends it */
    } else {
        run_console_line(t, line);
    }
    free(line);
}

static void help_key(Tui *t, const char *key)
{
    if (search_key(t, key))
        return;
    if (strcmp(key, "/") == 0)
        tui_prompt(t, "search ");
    else if (key_matches("q Esc ? F1 Enter C-c", key))
        t->mode = t->before_help;
    else if (strcmp(key, "C-z") == 0)
        t->wishes.suspend = true;
    else if (strcmp(key, "C-l") == 0)
        t->wishes.redraw = true;
    else
        help_scroll(t, key);
}

/* Keys that leave a run alone: its speed, and which panes look on. */
static bool key_looks_only(const char *key)
{
    for (int i = 0; views[i]; i++) {
        if (strcmp(views[i]->key, key) == 0)
            return true;
    }
    return key_matches("+ - Tab S-Tab z | _ C-l C-z", key);
}

/* Where nothing can be shown, keys must not do anything unseen. */
static void too_small_key(Tui *t, const char *key)
{
    if (strcmp(key, "C-z") == 0)
        t->wishes.suspend = true;
    else if (strcmp(key, "C-l") == 0)
        t->wishes.redraw = true;
    else if (strcmp(key, "q") == 0)
        tui_do(t, "quit");
}

bool tui_too_small(const Tui *t)
{
    return t->canvas.cols < MIN_COLS || t->canvas.rows < MIN_ROWS;
}

void tui_press(Tui *t, const char *key)
{
    bool editing = t->mode == MODE_CONSOLE || t->mode == MODE_PROMPT;
    bool mapped = t->mode == MODE_PANES && keymap_find(&t->keymap, key);
    if (key[0] == 'M' && key[1] == '-' && !editing && !mapped) { /* Esc, and a key soon after */
        tui_press(t, "Esc");
        key += 2;
    }
    t->message[0] = '\0';
    if (!editing && strcmp(key, "q") != 0)
        t->quit_asked = false;
    tui_follow_cursor(t);
    if (tui_running(t) && !(t->mode == MODE_PANES && key_looks_only(key))) {
        tui_pause(t);
        return;
    }
    if (tui_too_small(t)) {
        too_small_key(t, key);
        return;
    }
    switch (t->mode) {
    case MODE_PANES:
        pane_key(t, key);
        break;
    case MODE_CONSOLE:
    case MODE_PROMPT:
        console_key(t, key);
        break;
    case MODE_HELP:
        help_key(t, key);
        break;
    }
}

void tui_paste(Tui *t, const char *text)
{
    t->message[0] = '\0';
    if (tui_too_small(t))
        return;
    if (t->mode == MODE_CONSOLE || t->mode == MODE_PROMPT)
        console_paste(t->console, text);
    else
        tui_say(t, ROLE_TEXT, "pasted text goes into the console: press : first");
}
