/* The commands that change the screen, not the machine. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "session/command.h"
#include "tui/view/formats/formats.h"
#include "tui/input/keys.h"
#include "tui/screen/number.h"
#include "tui/origin.h"
#include "tui/setting_commands.h"
#include "tui/state.h"
#include "tui/view/systolic/systolic.h"
#include "tui/inspect_commands.h"

/* `on`, `off`, or the other one when absent. */
static bool switched(bool was, const Args *a)
{
    return *a->text ? a->value[0].word == 0 : !was;
}

static bool run_view(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    int view = view_find(a->text, err);
    (void)out;
    if (view >= 0)
        tui_show_view(t, view);
    return view >= 0;
}

static bool run_pane(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)out, (void)err;
    panes_next(&t->panes, tui_area(t), a->value[0].word == 1 ? -1 : 1);
    return true;
}

static bool run_zoom(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)err;
    t->panes.zoom = switched(t->panes.zoom, a);
    Panes apart = t->panes;
    Pane panes[PANES_MAX];
    apart.zoom = false;
    if (!*a->text && panes_place(&apart, tui_area(t), panes) == 1)
        buf_text(out, "there is one pane only: it has all the room (| splits)");
    return true;
}

static bool run_split(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    int most = panes_most(tui_area(t));
    (void)err;
    if (!*a->text) {
        int n = panes_split(&t->panes, tui_area(t));
        if (most == 1)
            buf_text(out, "there is room for one pane only");
        else
            buf_printf(out, "%d pane%s", n, n == 1 ? "" : "s");
        return true;
    }
    t->panes.split = a->value[0].word; /* auto is 0 */
    t->panes.zoom = false;
    return true;
}

static bool run_show(void *room, const Args *a, Buf *out, Err *err);

/* Up, down, left, right; or to the view that shows an element. */
static bool run_cursor(void *room, const Args *a, Buf *out, Err *err)
{
    static const char *const keys[] = {"Up", "Down", "Left", "Right"};
    if (a->value[0].word < 0)
        return run_show(room, a, out, err);
    tui_view_key(room, keys[a->value[0].word]);
    return true;
}

static Target target_of(const Args *a)
{
    return (Target){a->value[0].signal, a->value[0].at};
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

static bool run_show(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)out;
    Jump from = jump_here(t);
    bool ok = screen_show(t, a->text, target_of(a), err);
    jump_note(t, &from);
    return ok;
}

/* In the focused view, or else in the first that shows the element; the focus stays. */
static bool run_find(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Target target = target_of(a);
    int here = t->panes.order[t->panes.focus];
    (void)out;
    if (views[here]->find(t->session, t->states[here], target))
        return true;
    for (int i = 0; views[i]; i++) {
        if (views[i]->find(t->session, t->states[i], target))
            return true;
    }
    return err_set(err, "find %s: no view shows it", a->text);
}

/* In every view that shows the element. */
static bool run_highlight(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    bool found = false;
    (void)out;
    for (int i = 0; views[i]; i++)
        found |= views[i]->find(t->session, t->states[i], target_of(a));
    return found || err_set(err, "highlight %s: no view shows it", a->text);
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

static bool run_lesson(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    bool ok = true;
    if (strcmp(a->text, "off") == 0)
        buf_text(out, lua_lesson_off(t) ? "the machine is the one from before the lesson" : "");
    else if (*a->text)
        ok = tui_take_lesson(t, a->text, err);
    else
        list_lessons(out, err, &ok);
    return ok;
}

static bool run_answer(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    bool ok = lua_lesson_do(t, "answer", a->text, err);
    if (ok)
        lesson_reply(t, false, out);
    return ok;
}

static bool run_check(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out;
    return lua_lesson_do(t, "check", NULL, err);
}

static bool run_hint(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a;
    bool ok = lua_lesson_do(t, "hint", NULL, err);
    if (ok)
        lesson_reply(t, true, out);
    return ok;
}

static bool run_solve(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out;
    return lua_lesson_do(t, "skip", NULL, err);
}

static bool run_page(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    static const char *const verbs[] = {"next", "back", "again"};
    (void)out;
    return lua_lesson_do(t, verbs[a->value[0].word], NULL, err);
}

/* The view in focus; where it has nothing that could follow, all that are on screen. */
static bool run_follow(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Pane panes[PANES_MAX];
    Press unsaid;
    (void)a, (void)out, (void)err;
    if (tui_view_key(t, "c"))
        return true;
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++)
        (void)view_press(views[panes[i].view], t->session, t->states[panes[i].view], "c", &unsaid);
    return true;
}

static bool run_phase(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    char command[256] = "";
    const View *v = tui_view(t);
    (void)a;
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

static bool run_enter(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a;
    Jump from = jump_here(t);
    bool ok = open_it(t, out, err);
    jump_note(t, &from);
    return ok;
}

static bool run_unjump(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a;
    return jump_back(t, out, err);
}

static bool run_search(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    return search_begin(t, a->text, out, err);
}

static bool run_numbers(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    ViewState *v = tui_view_state(t);
    char text[48];
    if (!*a->text)
        v->format = v->format + 1 < SHOW_COUNT ? (NumberFormat)(v->format + 1) : SHOW_HEX;
    else if (!number_format_find(a->text, &v->format))
        return err_set(err, "numbers %s: must be hex, value, both or a format (e4m3, fp16 ...)",
                       a->text);
    number_format_text(v->format, text, sizeof text);
    const View *view = tui_view(t);
    const char *note = view->numbers_note ? view->numbers_note(v) : NULL;
    buf_printf(out, "numbers as %s%s%s", text, note ? ": " : "", note ? note : "");
    return true;
}

/* Shows the value in the formats view. */
static bool run_fmt(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    int view = view_index(&view_formats);
    (void)out;
    if (!formats_type(view_own(t->states[view]), a->text, err))
        return false;
    panes_show(&t->panes, tui_area(t), view);
    return true;
}

/* Shows operands in the systolic view. */
static bool run_systolic(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    int view = view_index(&view_systolic);
    (void)out;
    if (!systolic_type(view_own(t->states[view]), a->text, err))
        return false;
    panes_show(&t->panes, tui_area(t), view);
    return true;
}

/* An element, or alone what the view has under its cursor. */
static bool run_copy(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Buf text = {0};
    char line[160];
    const View *view = tui_view(t);
    bool ok;
    snprintf(line, sizeof line, "get %.*s", HEAD(a->text, 150));
    if (*a->text) {
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

static bool run_play(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out;
    if (tui_running(t)) {
        tui_pause(t);
        return true;
    }
    t->paced = true;
    t->owed = 0;
    return session_run(t->session, NULL, err);
}

static bool run_speed(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    char text[32];
    int speed = t->speed;
    if (strcmp(a->text, "+") == 0) {
        speed += speed + 1 < SPEEDS;
    } else if (strcmp(a->text, "-") == 0) {
        speed -= speed > 0;
    } else if (strcmp(a->text, "max") == 0) {
        speed = SPEEDS - 1;
    } else if (*a->text) {
        double wanted = atof(a->text);
        if (wanted < 1 || strspn(a->text, "0123456789") != strlen(a->text))
            return err_set(err, "speed %s: must be +, -, max or cycles a second", a->text);
        for (speed = 0; speed + 2 < SPEEDS && speeds[speed] < wanted;)
            speed++;
    }
    t->speed = speed;
    speed_text(speed, text, sizeof text);
    buf_printf(out, "speed of r: %s\n", text);
    return true;
}

static bool run_key(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    const char *names = a->text;
    (void)out;
    while (*names) {
        size_t len = 0;
        const char *rest = command_word(&names, &len);
        char key[KEY_NAME_MAX];
        snprintf(key, sizeof key, "%.*s", len < sizeof key ? (int)len : 0, names);
        if (!key_is_name(key))
            return key_unknown("key ", names, len, err);
        Mode mode = t->mode;
        t->mode = mode == MODE_CONSOLE ? MODE_PANES
                                       : mode; /* typed in the console, meant for the panes */
        tui_press(t, key);
        if (t->mode == MODE_PANES)
            t->mode = mode;
        names = rest;
    }
    return true;
}

static bool run_console(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out, (void)err;
    if (t->mode != MODE_CONSOLE)
        console_begin(t->console, "");
    tui_set_mode(t, MODE_CONSOLE);
    return true;
}

static bool run_help(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    if (*a->text)
        return commands_help(a->known, a->text, out, err);
    tui_set_mode(t, MODE_HELP);
    return true;
}

static bool run_mouse(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)err;
    t->wishes.mouse = switched(t->wishes.mouse, a);
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

static bool run_screen(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    if (*a->text && strcmp(a->text, "-") != 0) /* no file of that name, as elsewhere */
        return tui_save_screen(t, a->text, err);
    canvas_dump(tui_draw_whole(t), out);
    return true;
}

static bool run_roles(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Buf text = {0};
    bool print = !*a->text || strcmp(a->text, "-") == 0;
    canvas_dump_roles(tui_draw_whole(t), &text);
    bool ok = print || save(&text, a->text, err);
    if (print)
        buf_add(out, text.data, text.len);
    buf_free(&text);
    return ok;
}

static bool run_redraw(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out, (void)err;
    return t->wishes.redraw = true;
}

static bool run_suspend(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out, (void)err;
    return t->wishes.suspend = true;
}

static bool run_quit(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)a, (void)out;
    if (!t->quit_asked && !inspect_may_leave(t, "quit", err)) {
        t->quit_asked = true;
        return false;
    }
    return t->wishes.quit = true;
}

static void offer_views(WordFn add, void *context)
{
    for (int i = 0; views[i]; i++)
        add(context, views[i]->name);
}

/* A command's name and arguments, then what it does. */
/* clang-format off */
const Command screen_commands[] = {
    {"view", {{ARG_TEXT, "VIEW", .offer = offer_views}},
     "show a view, by its name or key", SHOWS_VIEW | NAMES_VIEW, run_view},
    {"pane", {{ARG_WORD, .words = "+1|-1", .optional = true}},
     "focus the next or previous pane", 0, run_pane},
    {"zoom", {{ARG_WORD, .words = "on|off", .optional = true}},
     "the pane in focus takes all", 0, run_zoom},
    {"split", {{ARG_WORD, .words = "auto|1|2|3|4", .must_be = "auto or 1..4", .optional = true}},
     "how many panes; alone: one more, then one", 0, run_split},
    {"cursor", {{ARG_SIGNAL, "NAME[i]", .words = "up|down|left|right",
                 .must_be = "up, down, left, right or an element"}},
     "move the cursor in the pane, or to an element", 0, run_cursor},
    {"enter", {{0}}, "open what the cursor is on", 0, run_enter},
    {"follow", {{0}}, "the pane follows the machine again", 0, run_follow},
    {"phase", {{0}}, "run to the next phase of what the pane shows", 0, run_phase},
    {"show", {{ARG_SIGNAL, .name = "NAME"}},
     "to the view that shows an element, with the cursor on it", SHOWS_VIEW, run_show},
    {"origin", {{ARG_SIGNAL, .name = "NAME"}},
     "to the clock that wrote an element, with the cursor on it", 0, origin_go},
    {"search", {{ARG_SOUGHT, .name = "TEXT|NAME"}},
     "to where the view (help too) has a text; n N go on, Esc ends", ASKED_ONCE, run_search},
    {"unjump", {{0}}, "back to where Enter, show or a search came from", 0, run_unjump},
    {"numbers", {{ARG_TEXT, "FORMAT", .words = "hex|value|both", .optional = true}},
     "how the pane writes numbers; alone: the next way", 0, run_numbers},
    {"find", {{ARG_SIGNAL, .name = "NAME"}},
     "the cursor of a view onto an element; the focus stays", AIMS, run_find},
    {"highlight", {{ARG_SIGNAL, .name = "NAME"}},
     "the cursors of all views onto an element", 0, run_highlight},
    {"lesson", {{ARG_FILE, "NAME", .or_words = "off", .offer = lesson_names, .optional = true}},
     "take a lesson (id or file), leave it, or list", 0, run_lesson},
    {"answer", {{ARG_TEXT, "TEXT", .needs = "the answer"}},
     "answer the lesson's question", ANSWERS, run_answer},
    {"check", {{0}}, "has the lesson's task been done?", 0, run_check},
    {"hint", {{0}}, "the lesson's next hint", 0, run_hint},
    {"page", {{ARG_WORD, .words = "+1|-1|again"}},
     "next or previous page of the lesson, or this one anew", 0, run_page},
    {"solve", {{0}}, "show the answer and go on, where the lesson allows it", 0, run_solve},
    {"fmt", {{ARG_TEXT, .name = "VALUE..."}},
     "a value in every format: 0.5898, nan, bits32:0x3f800000, e4m3:0x7e", SHOWS_VIEW, run_fmt},
    {"systolic", {{ARG_TEXT, "AxB", .or_words = "machine|token|..."}},
     "operands of the array: 1 2; 3 4 x 5 6; 7 8, machine, example, published or token",
     SHOWS_VIEW, run_systolic},
    {"open", {{ARG_FILE, "FILE [NxK]", .or_words = "model", .needs = "a file"}},
     "tensors into the t2 view (raw .t2: with the shape), a model into the machine, a lesson; "
     "model: the built-in one", SHOWS_VIEW, inspect_open},
    {"shape", {{ARG_TEXT, .name = "NxK"}},
     "tell the shape of the tensor, where the file does not", 0, inspect_shape},
    {"tensor", {{ARG_TEXT, "NAME", .or_words = "+1|-1"}},
     "to a tensor of the opened file; a part of a name: the next that has it",
     SHOWS_VIEW, inspect_tensor},
    {"tile", {{ARG_TEXT, .name = "I,J"}},
     "to a tile of the tensor", SHOWS_VIEW, inspect_tile},
    {"seek", {{ARG_TEXT, "ROW,COL|BYTE", .or_words = "reserved|special"}},
     "to a weight, a byte of the file, the next reserved code or special scale",
     SHOWS_VIEW, inspect_seek},
    {"poke", {{ARG_TEXT, .name = "BYTE HEX"}},
     "change bytes of the opened file in memory", 0, inspect_poke},
    {"unpoke", {{0}}, "take the last change back", 0, inspect_unpoke},
    {"revert", {{0}}, "take all changes back", 0, inspect_revert},
    {"write", {{ARG_FILE, .name = "FILE"}},
     "the opened file with its changes, under another name", SAVES, inspect_write},
    {"count", {{0}}, "count codes and scales of the whole tensor", 0, inspect_count},
    {"layout", {{ARG_WORD, .words = "q8a|q8b", .optional = true}},
     "how Q8 chunks are read; alone: the other way", 0, inspect_layout},
    {"group", {{ARG_WORD, .words = "64|128"}},
     "group size of a Q2_0 tensor, where the file leaves it open", 0, inspect_group},
    {"copy", {{ARG_SPAN, "NAME", .optional = true}},
     "copy an element as text (@: what the cursor is on); alone: as `y` does", 0, run_copy},
    {"play", {{0}}, "run at the chosen speed, or pause", 0, run_play},
    {"speed", {{ARG_TEXT, "N", .words = "+|-|max", .optional = true}},
     "speed of play, cycles a second", 0, run_speed},
    {"key", {{ARG_TEXT, .name = "KEY..."}}, "press keys: key Tab Down F1", 0, run_key},
    {"console", {{0}}, "open the console", 0, run_console},
    {"help", {{ARG_COMMAND, "NAME", .optional = true}},
     "help for the pane in focus, or for a command", 0, run_help},
    {"theme", {{ARG_TEXT, "THEME", .offer = setting_themes, .optional = true}},
     "auto, neutral, dark, light, high-contrast or mono; it is remembered", 0, setting_theme},
    {"map", {{ARG_TEXT, "KEY", .optional = true}, {ARG_TEXT, "COMMAND", .optional = true}},
     "give a key a command: map W watch @; alone: which there are", FOR_LATER, setting_map},
    {"unmap", {{ARG_TEXT, "KEY", .needs = "the key"}}, "take it away again", 0, setting_unmap},
    {"mouse", {{ARG_WORD, .words = "on|off", .optional = true}},
     "mouse on or off", 0, run_mouse},
    {"screen", {{ARG_FILE, "FILE", .optional = true}},
     "write the screen as text", SAVES, run_screen},
    {"roles", {{ARG_FILE, "FILE", .optional = true}},
     "write what each cell of the screen means, a letter each", SAVES, run_roles},
    {"redraw", {{0}}, "draw the screen anew", 0, run_redraw},
    {"suspend", {{0}}, "back to the shell; fg returns", 0, run_suspend},
    {"quit", {{0}}, "leave", QUITS, run_quit},
    {0},
};
/* clang-format on */
