/* The commands that change the screen, not the machine. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "session/command.h"
#include "tui/formats.h"
#include "tui/keys.h"
#include "tui/number.h"
#include "tui/origin.h"
#include "tui/setting_commands.h"
#include "tui/state.h"
#include "tui/systolic.h"
#include "tui/inspect_commands.h"

/* `on`, `off`, or the other one when absent. */
static bool parse_switch(const char *args, const char *what, bool *value, Err *err)
{
    if (*args && strcmp(args, "on") != 0 && strcmp(args, "off") != 0)
        return err_set(err, "%s %s: must be on or off", what, args);
    *value = *args ? strcmp(args, "on") == 0 : !*value;
    return true;
}

static bool run_view(Tui *t, const char *args, Buf *out, Err *err)
{
    int view = view_find(args, err);
    (void)out;
    if (view >= 0)
        tui_show_view(t, view);
    return view >= 0;
}

static bool run_pane(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)out;
    if (*args && strcmp(args, "+1") != 0 && strcmp(args, "-1") != 0)
        return err_set(err, "pane %s: must be +1 or -1", args);
    panes_next(&t->panes, tui_area(t), *args == '-' ? -1 : 1);
    return true;
}

static bool run_zoom(Tui *t, const char *args, Buf *out, Err *err)
{
    if (!parse_switch(args, "zoom", &t->panes.zoom, err))
        return false;
    Panes apart = t->panes;
    Pane panes[PANES_MAX];
    apart.zoom = false;
    if (!*args && panes_place(&apart, tui_area(t), panes) == 1)
        buf_text(out, "there is one pane only: it has all the room (| splits)");
    return true;
}

static bool run_split(Tui *t, const char *args, Buf *out, Err *err)
{
    int most = panes_most(tui_area(t));
    if (!*args) {
        int n = panes_split(&t->panes, tui_area(t));
        if (most == 1)
            buf_text(out, "there is room for one pane only");
        else
            buf_printf(out, "%d pane%s", n, n == 1 ? "" : "s");
        return true;
    }
    if (strcmp(args, "auto") != 0 &&
        !(isdigit((unsigned char)*args) && !args[1] && *args >= '1' && *args <= '4'))
        return err_set(err, "split %s: must be auto or 1..%d", args, PANES_MAX);
    t->panes.split = *args == 'a' ? 0 : *args - '0';
    t->panes.zoom = false;
    return true;
}

static bool run_show(Tui *t, const char *args, Buf *out, Err *err);

/* Up, down, left, right; or to the view that shows an element. */
static bool run_cursor(Tui *t, const char *args, Buf *out, Err *err)
{
    static const char *const words[] = {"up", "down", "left", "right"};
    static const char *const names[] = {"Up", "Down", "Left", "Right"};
    (void)out;
    for (int i = 0; i < 4; i++) {
        if (strcmp(args, words[i]) == 0) {
            tui_view_key(t, names[i]);
            return true;
        }
    }
    Target target = {0};
    if (!element_parse(args, session_engine(t->session), &target.signal, &target.at, err))
        return !strpbrk(args, ".[") && /* meant as an element: its own reason is told */
               err_set(err, "cursor %s: must be up, down, left, right or an element", args);
    return run_show(t, args, out, err);
}

/* Put a view's cursor on the target, if it shows it. */
static bool find_in(Tui *t, int view, Target target)
{
    if (!views[view]->find(t->session, t->states[view], target))
        return false;
    panes_show(&t->panes, tui_area(t), view);
    return true;
}

/* To another view if one shows the element; the main view, which changes with every clock, is asked
 * after the others. */
static bool show_elsewhere(Tui *t, const char *name, Target target, Err *err)
{
    int count = t->panes.count, here = t->panes.order[t->panes.focus];
    for (int k = 1; k <= count; k++) {
        if (k % count != here && find_in(t, k % count, target))
            return true;
    }
    return find_in(t, here, target) || err_set(err, "show %s: no view shows it", name);
}

bool screen_show(Tui *t, const char *name, Target target, Err *err)
{
    return find_in(t, t->panes.order[t->panes.focus], target) ||
           show_elsewhere(t, name, target, err);
}

static bool run_show(Tui *t, const char *args, Buf *out, Err *err)
{
    Target target = {0};
    (void)out;
    if (!element_parse(args, session_engine(t->session), &target.signal, &target.at, err))
        return false;
    Jump from = jump_here(t);
    bool ok = screen_show(t, args, target, err);
    jump_note(t, &from);
    return ok;
}

/* In the focused view, or else in the first that shows the element; the focus stays. */
static bool run_find(Tui *t, const char *args, Buf *out, Err *err)
{
    Target target = {0};
    int here = t->panes.order[t->panes.focus];
    (void)out;
    if (!element_parse(args, session_engine(t->session), &target.signal, &target.at, err))
        return false;
    if (views[here]->find(t->session, t->states[here], target))
        return true;
    for (int i = 0; views[i]; i++) {
        if (views[i]->find(t->session, t->states[i], target))
            return true;
    }
    return err_set(err, "find %s: no view shows it", args);
}

/* In every view that shows the element. */
static bool run_highlight(Tui *t, const char *args, Buf *out, Err *err)
{
    Target target = {0};
    bool found = false;
    (void)out;
    if (!element_parse(args, session_engine(t->session), &target.signal, &target.at, err))
        return false;
    for (int i = 0; views[i]; i++)
        found |= views[i]->find(t->session, t->states[i], target);
    return found || err_set(err, "highlight %s: no view shows it", args);
}

/* ---- lessons ---- */

static void list_lessons(Buf *out, Err *err, bool *ok)
{
    LessonInfo *list = NULL;
    ScriptError error = {0};
    int count = 0;
    *ok = lesson_list(&list, &count, &error);
    for (int i = 0; *ok && i < count; i++)
        buf_printf(out, "%-16s %-32s %3d min  %s\n", list[i].id, list[i].title, list[i].minutes,
                   list[i].finished ? "done"
                   : list[i].page   ? "begun"
                                    : "");
    if (!*ok)
        *err = error.err;
    free(list);
}

static bool run_lesson(Tui *t, const char *args, Buf *out, Err *err)
{
    bool ok = true;
    if (strcmp(args, "off") == 0)
        buf_text(out, lua_lesson_off(t) ? "the machine is the one from before the lesson" : "");
    else if (*args)
        ok = tui_take_lesson(t, args, err);
    else
        list_lessons(out, err, &ok);
    return ok;
}

static bool run_answer(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)out;
    if (!*args)
        return err_set(err, "answer: needs the answer");
    return lua_lesson_do(t, "answer", args, err);
}

static bool run_check(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out;
    return lua_lesson_do(t, "check", NULL, err);
}

static bool run_hint(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out;
    return lua_lesson_do(t, "hint", NULL, err);
}

static bool run_solve(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out;
    return lua_lesson_do(t, "skip", NULL, err);
}

static bool run_page(Tui *t, const char *args, Buf *out, Err *err)
{
    static const char *const words[] = {"+1", "-1", "again"};
    static const char *const verbs[] = {"next", "back", "again"};
    (void)out;
    for (int i = 0; i < 3; i++) {
        if (strcmp(args, words[i]) == 0)
            return lua_lesson_do(t, verbs[i], NULL, err);
    }
    return err_set(err, "page %s: must be +1, -1 or again", args);
}

/* The view in focus; where it has nothing that could follow, all that are on screen. */
static bool run_follow(Tui *t, const char *args, Buf *out, Err *err)
{
    Pane panes[PANES_MAX];
    Press unsaid;
    (void)args, (void)out, (void)err;
    if (tui_view_key(t, "c"))
        return true;
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++)
        (void)view_press(views[panes[i].view], t->session, t->states[panes[i].view], "c", &unsaid);
    return true;
}

static bool run_phase(Tui *t, const char *args, Buf *out, Err *err)
{
    char command[256] = "";
    const View *v = tui_view(t);
    (void)args;
    (v && v->phase ? v->phase : view_decoder.phase)(t->session, command, sizeof command);
    if (command[0])
        return tui_exec(t, command, out, err);
    buf_text(out, "the machine stands still: there is no next phase");
    return true;
}

/* What Enter means in the view; otherwise to the element under the cursor in another view. */
static bool open_it(Tui *t, Buf *out, Err *err)
{
    char name[64];
    Target target = {0};
    if (tui_view_key(t, "Enter"))
        return true;
    if (tui_target_name(t, name, sizeof name, NULL))
        return element_parse(name, session_engine(t->session), &target.signal, &target.at, err) &&
               show_elsewhere(t, name, target, err);
    buf_text(out, "there is nothing to open here");
    return true;
}

static bool run_enter(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args;
    Jump from = jump_here(t);
    bool ok = open_it(t, out, err);
    jump_note(t, &from);
    return ok;
}

static bool run_unjump(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args;
    return jump_back(t, out, err);
}

static bool run_search(Tui *t, const char *args, Buf *out, Err *err)
{
    return search_begin(t, args, out, err);
}

static bool run_numbers(Tui *t, const char *args, Buf *out, Err *err)
{
    ViewState *v = tui_view_state(t);
    char text[48];
    if (!*args)
        v->format = v->format + 1 < SHOW_COUNT ? (NumberFormat)(v->format + 1) : SHOW_HEX;
    else if (!number_format_find(args, &v->format))
        return err_set(err, "numbers %s: must be hex, value, both or a format (e4m3, fp16 ...)",
                       args);
    number_format_text(v->format, text, sizeof text);
    const View *view = tui_view(t);
    const char *note = view->numbers_note ? view->numbers_note(v) : NULL;
    buf_printf(out, "numbers as %s%s%s", text, note ? ": " : "", note ? note : "");
    return true;
}

/* Shows the value in the formats view. */
static bool run_fmt(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)out;
    for (int i = 0; views[i]; i++) {
        if (views[i] != &view_formats)
            continue;
        if (!formats_type(view_own(t->states[i]), args, err))
            return false;
        panes_show(&t->panes, tui_area(t), i);
    }
    return true;
}

/* Shows operands in the systolic view. */
static bool run_systolic(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)out;
    for (int i = 0; views[i]; i++) {
        if (views[i] != &view_systolic)
            continue;
        if (!systolic_type(view_own(t->states[i]), args, err))
            return false;
        panes_show(&t->panes, tui_area(t), i);
    }
    return true;
}

/* An element, or alone what the view has under its cursor. */
static bool run_copy(Tui *t, const char *args, Buf *out, Err *err)
{
    Buf text = {0};
    char line[160];
    const View *view = tui_view(t);
    bool ok;
    snprintf(line, sizeof line, "get %.*s", HEAD(args, 150));
    if (*args) {
        ok = session_exec(t->session, line, &text, err);
    } else {
        if (view && view->copy)
            view->copy(t->session, tui_view_state(t), &text);
        ok = text.len > 0 || err_set(err, "copy: there is nothing under the cursor");
    }
    if (!ok) {
        buf_free(&text);
        return false;
    }
    snprintf(t->copied, sizeof t->copied, "%s", buf_str(&text));
    t->copied[strcspn(t->copied, "\n")] = '\0';
    t->wishes.copy = t->copied;
    buf_printf(out, "copied: %s\n", t->copied);
    buf_free(&text);
    return true;
}

static bool run_play(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out;
    if (tui_running(t)) {
        tui_pause(t);
        return true;
    }
    t->paced = true;
    t->owed = 0;
    return session_run(t->session, NULL, err);
}

static bool run_speed(Tui *t, const char *args, Buf *out, Err *err)
{
    char text[32];
    int speed = t->speed;
    if (strcmp(args, "+") == 0) {
        speed += speed + 1 < SPEEDS;
    } else if (strcmp(args, "-") == 0) {
        speed -= speed > 0;
    } else if (strcmp(args, "max") == 0) {
        speed = SPEEDS - 1;
    } else if (*args) {
        double wanted = atof(args);
        if (wanted < 1 || strspn(args, "0123456789") != strlen(args))
            return err_set(err, "speed %s: must be +, -, max or cycles a second", args);
        for (speed = 0; speed + 2 < SPEEDS && speeds[speed] < wanted;)
            speed++;
    }
    t->speed = speed;
    speed_text(speed, text, sizeof text);
    buf_printf(out, "speed of r: %s\n", text);
    return true;
}

static bool run_key(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)out;
    while (*args) {
        size_t len = 0;
        const char *rest = command_word(&args, &len);
        char key[KEY_NAME_MAX];
        snprintf(key, sizeof key, "%.*s", len < sizeof key ? (int)len : 0, args);
        if (!key_is_name(key))
            return key_unknown("key ", args, len, err);
        Mode mode = t->mode;
        t->mode = mode == MODE_CONSOLE ? MODE_PANES
                                       : mode; /* typed in the console, meant for the panes */
        tui_press(t, key);
        if (t->mode == MODE_PANES)
            t->mode = mode;
        args = rest;
    }
    return true;
}

static bool run_console(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out, (void)err;
    if (t->mode != MODE_CONSOLE)
        console_begin(t->console, "");
    tui_set_mode(t, MODE_CONSOLE);
    return true;
}

static bool run_help(Tui *t, const char *args, Buf *out, Err *err)
{
    if (!*args) {
        tui_set_mode(t, MODE_HELP);
        return true;
    }
    for (const ScreenCommand *c = screen_commands; c->name; c++) {
        if (strcmp(c->name, args) == 0) {
            buf_printf(out, "%s %-*s %s\n", c->name, 24 - (int)strlen(c->name), c->args,
                       c->summary);
            return true;
        }
    }
    char line[160];
    snprintf(line, sizeof line, "help %.*s", HEAD(args, 150));
    return session_exec(t->session, line, out, err);
}

static bool run_mouse(Tui *t, const char *args, Buf *out, Err *err)
{
    if (!parse_switch(args, "mouse", &t->wishes.mouse, err))
        return false;
    buf_printf(out, "mouse %s\n",
               t->wishes.mouse ? "on: click selects, wheel scrolls, Shift-drag marks text" : "off");
    return true;
}

static bool save(const Buf *text, const char *path, Err *err)
{
    FileOut file;
    if (!file_create(&file, path, err))
        return false;
    fwrite(text->data, 1, text->len, file.stream);
    return file_commit(&file, err);
}

bool tui_save_screen(Tui *t, const char *path, Err *err)
{
    Buf text = {0};
    canvas_dump(tui_draw_whole(t), &text);
    bool ok = save(&text, path, err);
    buf_free(&text);
    return ok;
}

static bool run_screen(Tui *t, const char *args, Buf *out, Err *err)
{
    if (*args && strcmp(args, "-") != 0) /* no file of that name, as elsewhere */
        return tui_save_screen(t, args, err);
    canvas_dump(tui_draw_whole(t), out);
    return true;
}

static bool run_roles(Tui *t, const char *args, Buf *out, Err *err)
{
    Buf text = {0};
    bool print = !*args || strcmp(args, "-") == 0;
    canvas_dump_roles(tui_draw_whole(t), &text);
    bool ok = print || save(&text, args, err);
    if (print)
        buf_add(out, text.data, text.len);
    buf_free(&text);
    return ok;
}

static bool run_redraw(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out, (void)err;
    return t->wishes.redraw = true;
}

static bool run_suspend(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out, (void)err;
    return t->wishes.suspend = true;
}

static bool run_quit(Tui *t, const char *args, Buf *out, Err *err)
{
    (void)args, (void)out;
    if (!t->quit_asked && !inspect_may_leave(t, "quit", err)) {
        t->quit_asked = true;
        return false;
    }
    return t->wishes.quit = true;
}

const ScreenCommand screen_commands[] = {
    {"view", "VIEW", "show a view, by its name or key", run_view},
    {"pane", "[+1|-1]", "focus the next or previous pane", run_pane},
    {"zoom", "[on|off]", "the pane in focus takes all", run_zoom},
    {"split", "[auto|1|2|3|4]", "how many panes; alone: one more, then one", run_split},
    {"cursor", "up|down|left|right|NAME[i]", "move the cursor in the pane, or to an element",
     run_cursor},
    {"enter", "", "open what the cursor is on", run_enter},
    {"follow", "", "the pane follows the machine again", run_follow},
    {"phase", "", "run to the next phase of what the pane shows", run_phase},
    {"show", "NAME", "to the view that shows an element, with the cursor on it", run_show},
    {"origin", "NAME", "to the clock that wrote an element, with the cursor on it", origin_go},
    {"search", "TEXT|NAME", "to where the view (help too) has a text; n N go on, Esc ends",
     run_search},
    {"unjump", "", "back to where Enter, show or a search came from", run_unjump},
    {"numbers", "[hex|value|both|FORMAT]", "how the pane writes numbers; alone: the next way",
     run_numbers},
    {"find", "NAME", "the cursor of a view onto an element; the focus stays", run_find},
    {"highlight", "NAME", "the cursors of all views onto an element", run_highlight},
    {"lesson", "[NAME|off]", "take a lesson (id or file), leave it, or list", run_lesson},
    {"answer", "TEXT", "answer the lesson's question", run_answer},
    {"check", "", "has the lesson's task been done?", run_check},
    {"hint", "", "the lesson's next hint", run_hint},
    {"page", "+1|-1|again", "next or previous page of the lesson, or this one anew", run_page},
    {"solve", "", "show the answer and go on, where the lesson allows it", run_solve},
    {"fmt", "VALUE...", "a value in every format: 0.5898, nan, bits32:0x3f800000, e4m3:0x7e",
     run_fmt},
    {"systolic", "AxB|machine|token|...",
     "operands of the array: 1 2; 3 4 x 5 6; 7 8, machine, example, published or token",
     run_systolic},
    {"open", "FILE [NxK]|model",
     "tensors into the t2 view (raw .t2: with the shape), a model into the machine, a lesson; "
     "model: the built-in one",
     inspect_open},
    {"shape", "NxK", "tell the shape of the tensor, where the file does not", inspect_shape},
    {"tensor", "NAME|+1|-1",
     "to a tensor of the opened file; a part of a name: the next that has it", inspect_tensor},
    {"tile", "I,J", "to a tile of the tensor", inspect_tile},
    {"seek", "ROW,COL|BYTE|reserved|special",
     "to a weight, a byte of the file, the next reserved code or special scale", inspect_seek},
    {"poke", "BYTE HEX", "change bytes of the opened file in memory", inspect_poke},
    {"unpoke", "", "take the last change back", inspect_unpoke},
    {"revert", "", "take all changes back", inspect_revert},
    {"write", "FILE", "the opened file with its changes, under another name", inspect_write},
    {"count", "", "count codes and scales of the whole tensor", inspect_count},
    {"layout", "[q8a|q8b]", "how Q8 chunks are read; alone: the other way", inspect_layout},
    {"group", "64|128", "group size of a Q2_0 tensor, where the file leaves it open",
     inspect_group},
    {"copy", "[NAME]", "copy an element as text (@: what the cursor is on); alone: as `y` does",
     run_copy},
    {"play", "", "run at the chosen speed, or pause", run_play},
    {"speed", "[+|-|max|N]", "speed of play, cycles a second", run_speed},
    {"key", "KEY...", "press keys: key Tab Down F1", run_key},
    {"console", "", "open the console", run_console},
    {"help", "[NAME]", "help for the pane in focus, or for a command", run_help},
    {"theme", "[THEME]", "auto, neutral, dark, light, high-contrast or mono; it is remembered",
     setting_theme},
    {"map", "[KEY COMMAND]", "give a key a command: map W watch @; alone: which there are",
     setting_map},
    {"unmap", "KEY", "take it away again", setting_unmap},
    {"mouse", "[on|off]", "mouse on or off", run_mouse},
    {"screen", "[FILE]", "write the screen as text", run_screen},
    {"roles", "[FILE]", "write what each cell of the screen means, a letter each", run_roles},
    {"redraw", "", "draw the screen anew", run_redraw},
    {"suspend", "", "back to the shell; fg returns", run_suspend},
    {"quit", "", "leave", run_quit},
    {0},
};
