/* A key in a view: the arrows move its cursor, the others are rows of its table. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/view/view.h"

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

void view_follow(Press *p)
{
    p->v->pinned = false;
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

static void press_row(const ViewKey *row, Press *p)
{
    p->nth = name_index(row->key, p->key);
    if (row->act)
        row->act(p);
    else if (row->flips)
        *(int *)((char *)p->v + row->flips) ^= 1;
    else if (!row->command)
        press_leave(p);
    else if (row->command[strlen(row->command) - 1] == ' ')
        press_ask(p, "%s", row->command);
    else
        press_run(p, "%s", row->command);
}

/* Does the key move the cursor of the view? So far then. */
static bool is_move(const View *view, const char *key, int *rows, int *cols)
{
    static const struct {
        const char *names;
        int rows, cols, pages;
    } moves[] = {{"Up k", -1, 0, 0},   {"Down j", 1, 0, 0}, {"Left h", 0, -1, 0},
                 {"Right l", 0, 1, 0}, {"PgUp", 0, 0, -1},  {"PgDn", 0, 0, 1}};
    for (size_t i = 0; view->move && i < sizeof moves / sizeof *moves; i++) {
        *rows = moves[i].rows + moves[i].pages * view->page;
        *cols = moves[i].cols;
        if ((*rows || *cols) && key_matches(moves[i].names, key))
            return true;
    }
    return false;
}

bool view_press(const View *view, const Session *s, ViewState *v, const char *key, Press *p)
{
    int rows = 0, cols = 0;
    const ViewKey *now = view->keys_now ? view->keys_now(s, v) : NULL;
    *p = (Press){.s = s, .v = v, .key = key};
    if (is_move(view, key, &rows, &cols)) {
        view->move(p, rows, cols);
        return p->what != PRESS_LEAVE;
    }
    for (const ViewKey *row = now ? now : view->keys; row->key; row++) {
        if (key_matches(row->key, key)) {
            press_row(row, p);
            return p->what != PRESS_LEAVE;
        }
    }
    return false;
}
