/* A key in a view: the arrows move its cursor, the others are rows of its table. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/view.h"

static void answer(Press *p, int what, const char *fmt, va_list ap)
{
    p->what = what;
    vsnprintf(p->text, sizeof p->text, fmt, ap);
}

void press_run(Press *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    answer(p, PRESS_RUN, fmt, ap);
    va_end(ap);
}

void press_ask(Press *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    answer(p, PRESS_ASK, fmt, ap);
    va_end(ap);
}

void press_refuse(Press *p, const char *why)
{
    p->what = PRESS_REFUSE;
    snprintf(p->text, sizeof p->text, "%s", why);
}

void press_leave(Press *p)
{
    p->what = PRESS_LEAVE;
}

int press_by(const Press *p)
{
    return p->nth == 0 ? -1 : 1;
}

void view_follow(const Session *s, ViewState *v, Press *p)
{
    (void)s, (void)p;
    v->pinned = false;
}

/* Which of the blank-separated names it is. */
static int name_index(const char *names, const char *key)
{
    int n = 0;
    for (size_t len = strcspn(names, " "); strncmp(names, key, len) != 0 || key[len]; n++) {
        names += len + 1;
        len = strcspn(names, " ");
    }
    return n;
}

static void press_row(const ViewKey *row, const Session *s, ViewState *v, Press *p)
{
    p->nth = name_index(row->key, p->key);
    if (row->act)
        row->act(s, v, p);
    else if (!row->command)
        press_leave(p);
    else if (row->command[strlen(row->command) - 1] == ' ')
        press_ask(p, "%s", row->command);
    else
        press_run(p, "%s", row->command);
}

bool view_press(const View *view, const Session *s, ViewState *v, const char *key, Press *p)
{
    static const struct {
        const char *names;
        int rows, cols;
    } moves[] = {{"Up k", -1, 0}, {"Down j", 1, 0}, {"Left h", 0, -1}, {"Right l", 0, 1}};
    const ViewKey *now = view->keys_now ? view->keys_now(s, v) : NULL;
    *p = (Press){.key = key};
    for (size_t i = 0; view->move && i < sizeof moves / sizeof *moves; i++) {
        if (key_matches(moves[i].names, key)) {
            view->move(s, v, moves[i].rows, moves[i].cols, p);
            return p->what != PRESS_LEAVE;
        }
    }
    for (const ViewKey *row = now ? now : view->keys; row->key; row++) {
        if (key_matches(row->key, key)) {
            press_row(row, s, v, p);
            return p->what != PRESS_LEAVE;
        }
    }
    return false;
}
