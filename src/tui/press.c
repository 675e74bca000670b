/* Keys: what each does in the panes, at a prompt, in the console and in help. A key of the panes
 * goes to the user's map, the mouse, the lesson (Enter), the common table, the views' letters and
 * at last to the view in focus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"
#include "tui/keys.h"
#include "tui/state.h"

/* A command that ends in a blank waits for its argument: one line of the console asks for it. */
static bool is_incomplete(const char *command)
{
    size_t n = strlen(command);
    return n > 0 && command[n - 1] == ' ';
}

static void prompt(Tui *t, const char *command)
{
    console_begin(t->console, command);
    tui_set_mode(t, MODE_PROMPT);
}

bool tui_view_key(Tui *t, const char *key)
{
    char command[256] = "";
    const View *v = tui_view(t);
    if (!v || !v->press(t->session, tui_view_state(t), key, command, sizeof command))
        return false;
    if (command[0] == '!')
        tui_say(t, ROLE_TEXT, "%s", command + 1);
    else if (is_incomplete(command))
        prompt(t, command);
    else if (command[0])
        tui_do(t, command);
    return true;
}

/* Commands that succeed without a word in scripts; whoever pressed a key wants an answer. */
static void say_watched(Tui *t, const char *command, Buf *out)
{
    if (strcmp(command, "watch @") == 0)
        tui_expand(t, "watching @ (console: watch lists)", out, NULL);
    else if (strcmp(command, "unwatch @") == 0)
        tui_expand(t, "no longer watching @", out, NULL);
}

/* A key of the table: its command, or the prompt with the command to be completed. */
static void run_key(Tui *t, const Key *k)
{
    Buf out = {0};
    Err err = {0};
    if (is_incomplete(k->command)) {
        prompt(t, k->command);
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

/* Enter does what the lesson's page says it does, in whatever pane. */
static bool lesson_enter(Tui *t)
{
    if (!t->lesson || t->lesson_works || tui_view(t) == &view_lesson)
        return false;
    LessonWants wants = lesson_page(t->lesson)->wants;
    if (wants == LESSON_ANSWER)
        prompt(t, "answer ");
    else if (wants == LESSON_CHECK)
        tui_do(t, "check");
    return wants != LESSON_NEXT;
}

static void pane_key(Tui *t, const char *key)
{
    const Key *k = key_find(key);
    if (mapped_key(t, key) || mouse_press(t, key) || (strcmp(key, "Enter") == 0 && lesson_enter(t)))
        return;
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

static void run_console_line(Tui *t, char *line)
{
    Buf out = {0};
    Err err = {0};
    char echo[300];
    snprintf(echo, sizeof echo, ": %.*s", HEAD(line, 290));
    console_print(t->console, ROLE_KEY, echo);
    if (line[strspn(line, " \t")] && !tui_exec(t, line, &out, &err))
        console_print(t->console, ROLE_WARN, err.text);
    if (out.len)
        console_print(t->console, ROLE_TEXT, buf_str(&out));
    buf_free(&out);
}

/* A line of the prompt that answers the lesson: `answer TEXT`. */
static const char *answer_in(const Tui *t, const char *line)
{
    return t->lesson && strncmp(line, "answer ", 7) == 0 ? line + 7 + strspn(line + 7, " ") : NULL;
}

/* The prompt's answer, or `hint`, or `?`. While the page has a question left the prompt stays open:
 * for another try, or for the next question. */
static void take_answer(Tui *t, const char *answer)
{
    char line[300];
    int page = lesson_page(t->lesson)->page;
    bool hint = strcmp(answer, "hint") == 0 || strcmp(answer, "?") == 0;
    snprintf(line, sizeof line, "answer %.*s", HEAD(answer, 290));
    if (!tui_do_line(t, hint ? "hint" : line) && !hint) { /* refused as a line: to be mended */
        prompt(t, line);
        return;
    }
    const LessonPage *now = t->lesson ? lesson_page(t->lesson) : NULL;
    if (now && now->page == page && now->wants == LESSON_ANSWER)
        prompt(t, "answer ");
    else
        t->wishes.forget_keys = true; /* what was typed ahead was meant for the prompt */
}

/* PgUp and PgDn scroll the lesson's text under an open prompt. */
static bool prompt_scrolls(Tui *t, const char *key)
{
    int by = strcmp(key, "PgUp") == 0 ? -10 : strcmp(key, "PgDn") == 0 ? 10 : 0;
    if (by == 0 || !t->lesson)
        return false;
    for (int i = 0; views[i]; i++) {
        ViewState *v = &t->states[i];
        if (views[i] == &view_lesson)
            v->top = v->top + by < 0 ? 0 : v->top + by;
    }
    return true;
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
    if (one_line && prompt_scrolls(t, key))
        return;
    if (!console_press(t->console, key) || (one_line && strcmp(key, "C-c") == 0))
        tui_set_mode(t, MODE_PANES);
    char *line = console_take(t->console);
    if (!line)
        return;
    if (one_line) {
        tui_set_mode(t, MODE_PANES);
        if (answer_in(t, line))
            take_answer(t, answer_in(t, line));
        else if (!tui_do_line(t, line)) /* what is typed next mends it */
            prompt(t, line);
    } else {
        run_console_line(t, line);
    }
    free(line);
}

static void help_key(Tui *t, const char *key)
{
    if (key_matches("q Esc ? F1 Enter C-c", key))
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
    if (key[0] == 'M' && key[1] == '-' && !editing) { /* Esc and a key in quick succession */
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
