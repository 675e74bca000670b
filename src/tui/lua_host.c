/* Lua in the explorer: lines of the console, the lesson that is taken, and what they want shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "tui/view/lesson_view.h"
#include "tui/state.h"

void tui_on_busy(Tui *t, bool (*go_on)(void *context), void *context)
{
    t->go_on = go_on;
    t->context = context;
}

/* The loop may come after the script. */
static bool ask_loop(void *context)
{
    const Tui *t = context;
    return !t->go_on || t->go_on(t->context);
}

static ScriptLimits limits_of(Tui *t)
{
    return (ScriptLimits){
        .has_view = view_exists, .commands = screen_commands, .go_on = ask_loop, .context = t};
}

/* The message, with the lines of source around the error where there are any. */
static bool fail(const ScriptError *error, Err *err)
{
    err_set(err, "%.*s", HEAD(error->err.text, 250));
    if (err)
        err->of_script = error->own || error->runaway;
    size_t used = err ? strlen(err->text) : 0;
    if (err && *error->source) /* lines of their own, printable already */
        snprintf(err->text + used, sizeof err->text - used, "\n%.*s", HEAD(error->source, 240));
    return false;
}

static LessonState *lesson_state(Tui *t)
{
    return view_own(t->states[view_index(&view_lesson)]);
}

/* ---- what scripts want shown ---- */

/* A view onto the screen while the lesson keeps the last pane; false when there is one pane only.
 */
static bool put_beside_lesson(Tui *t, int view)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    bool there = false;
    if (n < 2)
        return false;
    for (int i = 0; i < n; i++)
        there |= panes[i].view == view;
    if (!there)
        panes_prefer(&t->panes, n == 2 ? 0 : 1, view);
    panes_prefer(&t->panes, n - 1, view_index(&view_lesson));
    return true;
}

/* The page's element under the cursor of the page's view, wherever that has gone meanwhile. */
static void aim(Tui *t, int view)
{
    Target target = {0};
    const LessonState *l = lesson_state(t);
    if (!t->lesson || l->show != views[view] || !l->cursor[0])
        return;
    if (element_parse(l->cursor, session_engine(t->session), &target.signal, &target.at, NULL))
        (void)views[view]->find(t->session, t->states[view], target);
}

void tui_show_view(Tui *t, int view)
{
    aim(t, view);
    if (t->lesson && tui_view(t) == &view_lesson && views[view] != &view_lesson)
        put_beside_lesson(t, view);
    panes_show(&t->panes, tui_area(t), view);
}

/* With one pane the lesson stays, and says which key shows the view. */
static void show_beside_lesson(Tui *t, int view)
{
    LessonState *state = lesson_state(t);
    if (!put_beside_lesson(t, view))
        snprintf(state->see, sizeof state->see, "%s %s", views[view]->key, views[view]->title);
    panes_show(&t->panes, tui_area(t), view_index(&view_lesson));
}

static void grant(Tui *t, const char *wish, bool lesson)
{
    Buf out = {0};
    Err err = {0};
    const char *args = NULL;
    const Command *c = commands_find(&t->commands, wish, &args);
    int view = command_has(c, NAMES_VIEW) ? view_find(args, NULL) : -1;
    LessonState *state = lesson_state(t);
    if (lesson && command_has(c, AIMS))
        snprintf(state->cursor, sizeof state->cursor, "%.*s", HEAD(args, 63));
    if (lesson && strcmp(wish, "page") == 0) { /* another begins */
        state->see[0] = state->cursor[0] = '\0';
        state->show = NULL;
    } else if (lesson && view >= 0) {
        state->show = views[view];
        show_beside_lesson(t, view);
    } else if (lesson && state->show && state->cursor[0] && command_has(c, AIMS)) {
        aim(t, view_index(state->show));
    } else if (!tui_exec(t, wish, &out, &err)) {
        tui_say(t, ROLE_WARN, "%s", err.text);
    } else if (lesson && command_has(c, SHOWS_VIEW)) {
        view = t->panes.order[t->panes.focus];
        state->show = views[view];
        show_beside_lesson(t, view);
    }
    buf_free(&out);
}

static void grant_all(Tui *t, Script *s, bool lesson)
{
    for (const char *wish = script_wish(s); wish; wish = script_wish(s))
        grant(t, wish, lesson);
}

/* ---- the console ---- */

bool lua_line(Tui *t, const char *line, Buf *out, Err *err)
{
    ScriptError error = {0};
    ScriptLimits limits = limits_of(t);
    if (!t->script)
        t->script = script_new(t->session, &limits, &error);
    if (!t->script)
        return fail(&error, err);
    tui_say(t, ROLE_ACTIVE, "Lua is running; C-c stops it");
    bool ok = script_line(t->script, line, out, &error);
    t->message[0] = '\0';
    grant_all(t, t->script, false);
    return ok || fail(&error, err);
}

/* ---- lessons ---- */

static void show_lesson(Tui *t)
{
    LessonState *state = lesson_state(t);
    state->lesson = t->lesson;
    state->v.top = 0;
    panes_show(&t->panes, tui_area(t), view_index(&view_lesson));
}

/* A lesson is at work: the screen says so if it takes long. */
static void begin_work(Tui *t)
{
    t->lesson_works = true;
    tui_say(t, ROLE_ACTIVE, "the lesson is at work; C-c stops it");
}

static void end_work(Tui *t, Lesson *l)
{
    t->lesson_works = false;
    t->message[0] = '\0';
    if (l && lesson_printed(l)->len) {
        console_print(t->console, ROLE_TEXT, buf_str(lesson_printed(l)));
        buf_clear(lesson_printed(l));
    }
}

void lua_lesson_fit(Tui *t)
{
    Pane panes[PANES_MAX];
    ScriptError error = {0};
    if (!t->lesson || t->lesson_works)
        return;
    (void)lesson_settle(t->lesson, &error);
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++) {
        if (panes[i].view == view_index(&view_lesson))
            lesson_fit(t->lesson, panes[i].rect.w - LESSON_MARGIN, panes[i].rect.h - LESSON_FRAME,
                       &error);
    }
}

static void forget_lesson(Tui *t)
{
    LessonState *state = lesson_state(t);
    lesson_free(t->lesson);
    t->lesson = NULL;
    free(state->list); /* progress has changed: read again */
    *state = (LessonState){.v = state->v};
}

/* Who begins before what the lesson builds on is told so. */
static void say_needs(Tui *t)
{
    Buf first = {0};
    if (lesson_page(t->lesson)->page == 1)
        lesson_needs_first(t->lesson, &first);
    if (first.len)
        tui_say(t, ROLE_TEXT, "this lesson builds on %s: not finished yet", buf_str(&first));
    buf_free(&first);
}

bool tui_take_lesson(Tui *t, const char *name, Err *err)
{
    Buf path = {0};
    ScriptError error = {0};
    ScriptLimits limits = limits_of(t);
    Lesson *l = NULL;
    Mark before;
    bool found = lesson_find(name, &path, err);
    mark_take(&before, t->session);
    begin_work(t);
    if (found)
        l = lesson_open(buf_str(&path), t->session, &limits, true, &error);
    end_work(t, l);
    buf_free(&path);
    if (!l) { /* it may have got far enough to change the machine */
        if (found)
            mark_restore(&before, t->session);
        mark_free(&before);
        return found && fail(&error, err);
    }
    if (t->lesson) /* from one to the next */
        mark_free(&before);
    else
        t->before_lesson = before;
    forget_lesson(t);
    t->lesson = l;
    show_lesson(t);
    grant_all(t, lesson_script(l), true);
    say_needs(t);
    return true;
}

bool tui_hand_in(Tui *t, const char *path, const char *name, Err *err)
{
    ScriptError error = {0};
    return lesson_hand_in(t->lesson, path, name, &error) || fail(&error, err);
}

bool lua_lesson_do(Tui *t, const char *verb, const char *text, Err *err)
{
    ScriptError error = {0};
    if (!t->lesson)
        return err_set(err, "%s: no lesson is being taken; lesson NAME takes one", verb);
    int page = lesson_page(t->lesson)->page;
    LessonState *state = lesson_state(t);
    state->error[0] = '\0';
    begin_work(t);
    bool ok = lesson_do(t->lesson, verb, text, &error);
    end_work(t, t->lesson);
    if (!ok)
        snprintf(state->error, sizeof state->error, "%s\n%s", error.err.text, error.source);
    if (lesson_page(t->lesson)->page != page || tui_strip_rows(t) == 0)
        show_lesson(t);                       /* else the view stays, and the strip tells */
    if (lesson_page(t->lesson)->page == page) /* what is new stands at the end */
        state->v.top = LESSON_END;
    grant_all(t, lesson_script(t->lesson), true);
    return ok || fail(&error, err);
}

bool lua_lesson_off(Tui *t)
{
    bool taken = t->lesson != NULL;
    if (taken) {
        mark_restore(&t->before_lesson, t->session);
        mark_free(&t->before_lesson);
    }
    forget_lesson(t);
    return taken;
}

void lua_free(Tui *t)
{
    if (t->lesson)
        mark_free(&t->before_lesson);
    forget_lesson(t);
    script_free(t->script);
}
