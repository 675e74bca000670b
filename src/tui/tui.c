/* The explorer's state, its commands and its runs; press.c has the keys. */
#include "tui/tui.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/place.h"
#include "base/printable.h"
#include "session/command.h"
#include "session/story.h"
#include "tui/view/formats/formats.h"
#include "tui/input/keys.h"
#include "tui/inspect_commands.h"
#include "tui/view/rtl_view.h"
#include "tui/state.h"
#include "tui/strip.h"

enum { SLICE = 1 << 14, SCRIPT_SLICE = 1 << 20 };

const double speeds[SPEEDS] = {1,   2,    5,    10,    20,     50,      100,
                               300, 1000, 3000, 10000, 100000, 1000000, 0};

/* ---- life ---- */

/* What stands side by side at first: what happens, on which data, and when. */
static void first_panes(Panes *p)
{
    static const char *const names[PANES_MAX] = {"decoder", "vectors", "softmax", "timeline"};
    for (int pane = 0; pane < PANES_MAX; pane++) {
        for (int i = 0; views[i]; i++) {
            if (strcmp(views[i]->name, names[pane]) == 0)
                panes_prefer(p, pane, i);
        }
    }
}

/* The RTL's source files for the view of them; it says so when there are none. */
static void open_rtl(Tui *t)
{
    Buf dir = {0};
    if (place_dir("rtl", &dir, NULL))
        t->rtl = rtl_open(buf_str(&dir), NULL);
    buf_free(&dir);
    RtlState *view = view_own(t->states[view_index(&view_rtl)]);
    view->rtl = t->rtl;
}

Tui *tui_new(Session *s, Theme theme, const char *history)
{
    Tui *t = xcalloc(1, sizeof *t);
    int count = 0;
    for (; views[count]; count++)
        t->states[count] = view_state_new(views[count]);
    t->session = s;
    t->speed = SPEED_START;
    t->wishes.theme = theme;
    commands_begin(&t->commands, s);
    commands_add(&t->commands, screen_commands, t);
    t->console = console_new(&t->commands, history);
    panes_init(&t->panes, count);
    first_panes(&t->panes);
    open_rtl(t);
    inspect_begin(t);
    canvas_resize(&t->canvas, 24, 80, true);
    return t;
}

void tui_free(Tui *t)
{
    if (!t)
        return;
    lua_free(t);
    for (int i = 0; views[i]; i++)
        view_state_free(views[i], t->states[i]);
    console_free(t->console);
    inspector_close(&t->inspector);
    free(t->matrix_file);
    keymap_free(&t->keymap);
    canvas_free(&t->canvas);
    canvas_free(&t->scratch);
    rtl_close(t->rtl);
    free(t);
}

void tui_resize(Tui *t, int rows, int cols, bool utf8)
{
    canvas_resize(&t->canvas, rows, cols, utf8);
}

const Wishes *tui_wishes(const Tui *t)
{
    return &t->wishes;
}

void tui_granted(Tui *t)
{
    t->wishes.suspend = t->wishes.redraw = t->wishes.forget_keys = false;
    t->wishes.copy = NULL;
}

void tui_say(Tui *t, Role role, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(t->message, sizeof t->message, fmt, ap);
    va_end(ap);
    t->message[strcspn(t->message, "\n")] = '\0';
    t->message_role = role;
}

/* ---- what is in focus ---- */

static Rect whole_area(const Tui *t)
{
    return (Rect){1, 0, t->canvas.rows - 3, t->canvas.cols};
}

int tui_strip_rows(const Tui *t)
{
    enum { STRIP_FROM = 20 };
    Pane panes[PANES_MAX];
    if (!t->lesson || t->canvas.rows < STRIP_FROM)
        return 0;
    Panes as_they_are = t->panes;
    int n = panes_place(&as_they_are, whole_area(t), panes);
    for (int i = 0; i < n; i++) {
        if (views[panes[i].view] == &view_lesson)
            return 0;
    }
    return strip_rows(t->lesson, t->canvas.cols, t->canvas.rows);
}

Rect tui_area(const Tui *t)
{
    Rect r = whole_area(t);
    r.h -= tui_strip_rows(t);
    return r;
}

const View *tui_view(const Tui *t)
{
    return t->panes.count ? views[t->panes.order[t->panes.focus]] : NULL;
}

ViewState *tui_view_state(Tui *t)
{
    return t->states[t->panes.order[t->panes.focus]];
}

/* Where the focused view is drawn; on a window that is too small, as if it were not. */
static Rect focused_rect(Tui *t)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++) {
        if (panes[i].focused && t->canvas.rows >= MIN_ROWS && t->canvas.cols >= MIN_COLS)
            return panes[i].rect;
    }
    return (Rect){0, 0, 21, 80};
}

void tui_draw_view(Tui *t, const Pane *pane, Canvas *c)
{
    views[pane->view]->draw(t->session, t->states[pane->view], pane->rect, pane->focused, c);
    t->draws++;
}

Target tui_target(Tui *t)
{
    const View *v = tui_view(t);
    if (!v || !v->target)
        return (Target){0};
    v->place(t->session, tui_view_state(t), focused_rect(t)); /* it may follow the machine */
    return v->target(t->session, tui_view_state(t));
}

bool tui_target_name(Tui *t, char *out, size_t size, Err *err)
{
    Target target = tui_target(t);
    if (!target.signal)
        return err_set(err, "@: there is no signal under the cursor");
    if (target.at < 0)
        snprintf(out, size, "%s", target.signal->path);
    else
        signal_element_name(session_engine(t->session), target.signal, target.at, out, size);
    return true;
}

void tui_set_mode(Tui *t, Mode mode)
{
    if (mode == MODE_HELP && t->mode != MODE_HELP) {
        t->before_help = t->mode;
        t->help_top = 0;
    }
    t->mode = mode;
}

void tui_follow_cursor(Tui *t)
{
    const View *v = tui_view(t);
    for (int i = 0; v && v != &view_formats && views[i]; i++) {
        if (views[i] == &view_formats)
            formats_follow(view_own(t->states[i]), tui_target(t));
    }
}

/* ---- commands ---- */

bool tui_expand(Tui *t, const char *line, Buf *out, Err *err)
{
    char name[64];
    for (const char *p = line; *p; p++) {
        bool alone = *p == '@' && (p == line || strchr(" \t", p[-1])) && strchr(" \t", p[1]);
        if (alone && !tui_target_name(t, name, sizeof name, err))
            return false;
        buf_add(out, alone ? name : p, alone ? strlen(name) : 1);
    }
    return true;
}

/* Another machine has been put in the place of the old one. */
static void say_begun_again(int edits, Buf *out)
{
    buf_text(out, "the machine began again at cycle 0");
    if (edits)
        buf_printf(out, "; %d edit%s gone", edits, edits == 1 ? " is" : "s are");
}

static bool exec_expanded(Tui *t, const char *line, Buf *out, Err *err)
{
    const char *args = NULL;
    int edits = 0;
    const Command *c = commands_find(&t->commands, line, &args);
    if (!c || commands_room(&t->commands, c) != t) {
        t->paced = false;     /* a run that begins here goes as fast as it can */
        t->message[0] = '\0'; /* of another state of the machine */
    }
    if (!c)
        return lua_line(t, line, out, err);
    session_edits(t->session, &edits);
    if (!command_run(&t->commands, c, args, out, err))
        return false;
    if (command_has(c, RESTARTS) && *args)
        say_begun_again(edits, out);
    return true;
}

bool tui_exec(Tui *t, const char *line, Buf *out, Err *err)
{
    Buf b = {0};
    tui_follow_cursor(t);
    lesson_hold(t);
    line += strspn(line, " \t");
    line += *line == ':'; /* as texts write commands */
    const Command *c = commands_find(&t->commands, line, NULL);
    if (!command_has(c, QUITS))
        t->quit_asked = false;
    bool ok = command_has(c, FOR_LATER)
                  ? exec_expanded(t, line, out, err)
                  : tui_expand(t, line, &b, err) && exec_expanded(t, buf_str(&b), out, err);
    buf_free(&b);
    return ok;
}

bool tui_do_line(Tui *t, const char *line)
{
    Buf out = {0};
    Err err = {0};
    bool ok = tui_exec(t, line, &out, &err);
    if (!ok)
        tui_say(t, ROLE_WARN, "%s", err.text);
    else if (out.len)
        tui_say(t, ROLE_TEXT, "%s", buf_str(&out));
    buf_free(&out);
    return ok;
}

void tui_do(Tui *t, const char *line)
{
    (void)tui_do_line(t, line);
}

/* ---- runs ---- */

bool tui_running(const Tui *t)
{
    return session_running(t->session);
}

bool tui_paced(const Tui *t)
{
    return t->paced && speeds[t->speed] > 0;
}

void speed_text(int speed, char *out, size_t size)
{
    if (speeds[speed] > 0)
        snprintf(out, size, "%.0f cycle%s/s", speeds[speed], speeds[speed] > 1 ? "s" : "");
    else
        snprintf(out, size, "full speed");
}

/* Every view's cursor goes to the element that stopped the run, and the message tells its story:
 * what happened to it first, as a narrow window cuts the end. */
static void show_hit(Tui *t)
{
    const Session *s = t->session;
    StopStyle style = {.discreet = (tui_hidden_remarks(t) & LESSON_HIDE_WRAP) != 0};
    Target target = {0};
    Buf story = {0};
    if (!session_hit(s, &target.signal, &target.at))
        return;
    for (int i = 0; views[i]; i++) {
        /* typed numbers do not go for a counter, a flag or a state */
        if (target.signal->type == TYPE_FIXED || views[i] != &view_formats)
            (void)views[i]->find(s, t->states[i], target);
    }
    if (t->mode == MODE_CONSOLE && story_stop(s, &style, &story))
        console_print(t->console, ROLE_TEXT, buf_str(&story));
    style.reason = session_reason(s);
    style.columns = tui_message_columns(t);
    if (story_stop(s, &style, &story))
        tui_say(t, ROLE_ACTIVE, "%s", buf_str(&story));
    buf_free(&story);
}

static void say_where_it_ended(Tui *t, RunState why)
{
    const char *note = session_note(t->session);
    if (why == RUN_ON || why == RUN_NONE || !*note)
        return;
    tui_say(t, ROLE_ACTIVE, "%s", note);
    if (t->mode == MODE_CONSOLE)
        console_print(t->console, ROLE_ACTIVE, note);
    if (why == RUN_BREAK)
        show_hit(t);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void tui_advance(Tui *t, double seconds)
{
    RunState why = RUN_ON;
    if (tui_paced(t)) {
        t->owed += seconds * speeds[t->speed];
        double whole = floor(t->owed);
        t->owed -= whole;
        if (whole > 0)
            why = session_advance(t->session, (uint64_t)whole);
    } else {
        for (double end = now_seconds() + seconds; why == RUN_ON && now_seconds() < end;)
            why = session_advance(t->session, SLICE);
    }
    say_where_it_ended(t, why);
}

void tui_settle(Tui *t)
{
    RunState why = RUN_ON;
    if (!tui_running(t))
        return;
    while (why == RUN_ON)
        why = session_advance(t->session, SCRIPT_SLICE);
    say_where_it_ended(t, why);
}

void tui_pause(Tui *t)
{
    if (!tui_running(t))
        return;
    session_run_stop(t->session);
    tui_say(t, ROLE_TEXT, "%s", session_note(t->session));
}
