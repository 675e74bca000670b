#include "tui/loop.h"

#include <signal.h>
#include <string.h>

#include "tui/pace.h"

enum {
    FRAME_MS = 33, /* at most 30 frames a second */
    IDLE_MS = 1000 /* how often the size is asked for without a signal */
};

#define WORK 0.01 /* seconds that views may compute between two looks at the keys */

static void resize(Tui *tui, Term *term)
{
    int rows = 0, cols = 0;
    term_size(term, &rows, &cols);
    tui_resize(tui, rows, cols, term_utf8(term));
    term_redraw(term);
}

static void suspend(Tui *tui, Term *term)
{
    term_suspend(term);
    resize(tui, term);
}

/* What the last key asked of the terminal. */
static void grant(Tui *tui, Term *term, bool *mouse)
{
    const Wishes *w = tui_wishes(tui);
    if (w->mouse != *mouse)
        term_mouse(term, *mouse = w->mouse);
    if (w->copy && !term_copy(term, w->copy))
        tui_say(tui, ROLE_TEXT, "%s (this terminal has no clipboard)", w->copy);
    if (w->forget_keys)
        term_forget_keys(term);
    if (w->redraw)
        term_redraw(term);
    if (w->suspend)
        suspend(tui, term);
    tui_granted(tui);
}

static void handle(Tui *tui, Term *term, TermEvent event, const char *key, const char *paste)
{
    switch (event) {
    case TERM_KEY:
        tui_press(tui, key);
        break;
    case TERM_PASTE:
        tui_paste(tui, paste);
        break;
    case TERM_RESIZE:
        resize(tui, term);
        break;
    case TERM_SUSPEND:
        suspend(tui, term);
        break;
    case TERM_IDLE:
    case TERM_END:
        break;
    }
}

/* The loop's own state that is needed while Lua runs. */
typedef struct Busy {
    Tui *tui;
    Term *term;
} Busy;

/* Lua has been running for a while: keep the screen alive. C-c and Esc stop it; other keys have
 * nothing to act on and are dropped. */
static bool go_on(void *context)
{
    const Busy *b = context;
    char key[KEY_NAME_MAX] = "";
    Buf paste = {0};
    const Canvas *c = tui_draw(b->tui);
    term_draw(b->term, c, tui_wishes(b->tui)->theme, false);
    TermEvent event = term_wait(b->term, 0, key, &paste);
    buf_free(&paste);
    if (event == TERM_RESIZE)
        resize(b->tui, b->term);
    if (event == TERM_SUSPEND || (event == TERM_KEY && strcmp(key, "C-z") == 0))
        suspend(b->tui, b->term);
    if (event == TERM_KEY && strcmp(key, "C-l") == 0)
        term_redraw(b->term);
    bool stop = event == TERM_KEY && (strcmp(key, "C-c") == 0 || strcmp(key, "Esc") == 0);
    return !stop && event != TERM_END && !term_interrupted();
}

/* How long the terminal may be listened to before there is something to do. */
static int time_to_wait(const Tui *tui, bool stale, long since_frame)
{
    long left = FRAME_MS - since_frame;
    if (tui_working(tui) || (tui_running(tui) && !tui_paced(tui)))
        return 0;
    if (stale || tui_running(tui))
        return (int)(left > 0 ? left : 0);
    return IDLE_MS;
}

int tui_loop(Tui *tui, Term *term, const LoopBegin *begin, Err *err)
{
    char key[KEY_NAME_MAX] = "";
    Buf paste = {0};
    bool mouse = false, stale = true;
    int sig = 0;
    Busy busy = {tui, term};
    tui_on_busy(tui, go_on, &busy);
    long drawn = pace_now(NULL) - FRAME_MS;
    Pace pace;
    pace_begin(&pace, pace_now, NULL);
    resize(tui, term);
    if (begin && !begin->run(begin->context, tui, err)) {
        tui_on_busy(tui, NULL, NULL);
        return term_signal() ? term_signal() : -1;
    }
    while (!tui_wishes(tui)->quit && !sig) {
        if (stale && pace_now(NULL) - drawn >= FRAME_MS) {
            const Canvas *c = tui_draw(tui);
            term_draw(term, c, tui_wishes(tui)->theme, tui_wishes(tui)->cursor);
            drawn = pace_now(NULL);
            stale = false;
        }
        TermEvent event =
            term_wait(term, time_to_wait(tui, stale, pace_now(NULL) - drawn), key, &paste);
        if (event == TERM_END)
            break;
        if (term_interrupted()) { /* kill -INT: pauses a run, otherwise leaves */
            sig = tui_running(tui) ? 0 : SIGINT;
            tui_pause(tui);
            stale = true;
        }
        handle(tui, term, event, key, buf_str(&paste));
        grant(tui, term, &mouse);
        stale |= event != TERM_IDLE;
        if (tui_working(tui) && event == TERM_IDLE) { /* keys first */
            tui_work(tui, WORK);
            stale = true;
        }
        long elapsed = pace_elapsed(&pace);
        if (tui_running(tui)) {
            tui_advance(tui, 0.001 * (double)(tui_paced(tui) ? elapsed : FRAME_MS));
            stale = true;
        }
    }
    buf_free(&paste);
    tui_on_busy(tui, NULL, NULL);
    return sig ? sig : term_signal();
}
