/* Watches and breakpoints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/session_private.h"

const Watch *session_watches(const Session *s, int *count)
{
    *count = s->n_watches;
    return s->watches;
}

static int watch_index(const Session *s, const Signal *signal, int at)
{
    for (int i = 0; i < s->n_watches; i++) {
        if (s->watches[i].signal == signal && s->watches[i].at == at)
            return i;
    }
    return -1;
}

bool session_watch(Session *s, const char *name, Err *err)
{
    Watch w;
    if (!element_parse(name, s->engine, &w.signal, &w.at, err))
        return false;
    if (watch_index(s, w.signal, w.at) >= 0)
        return err_set(err, "watch %s: is watched already", name);
    s->watches = xrealloc(s->watches, ((size_t)s->n_watches + 1) * sizeof *s->watches);
    s->watches[s->n_watches++] = w;
    return true;
}

bool session_unwatch(Session *s, const char *name, Err *err)
{
    Watch w;
    if (!element_parse(name, s->engine, &w.signal, &w.at, err))
        return false;
    int i = watch_index(s, w.signal, w.at);
    if (i < 0)
        return err_set(err, "unwatch %s: is not watched", name);
    memmove(&s->watches[i], &s->watches[i + 1], (size_t)(--s->n_watches - i) * sizeof *s->watches);
    return true;
}

const Break *session_breaks(const Session *s, int *count)
{
    *count = s->n_breaks;
    return s->breaks;
}

bool session_break(Session *s, const char *text, int *id, Err *err)
{
    if (s->n_breaks == BREAKS_MAX)
        return err_set(err, "break: there are %d breakpoints already", BREAKS_MAX);
    Expr *x = expr_parse(text, s->engine, err);
    if (!x)
        return false;
    size_t n = (size_t)s->n_breaks + 1;
    s->breaks = xrealloc(s->breaks, n * sizeof *s->breaks);
    s->break_was = xrealloc(s->break_was, n * sizeof *s->break_was);
    s->break_was[s->n_breaks] = expr_true(x, s->engine);
    s->breaks[s->n_breaks++] = (Break){.id = s->next_break, .expr = x};
    if (id)
        *id = s->next_break;
    s->next_break++;
    return true;
}

static void remove_break(Session *s, int i)
{
    expr_free(s->breaks[i].expr);
    s->n_breaks--;
    size_t behind = (size_t)(s->n_breaks - i);
    memmove(&s->breaks[i], &s->breaks[i + 1], behind * sizeof *s->breaks);
    memmove(&s->break_was[i], &s->break_was[i + 1], behind * sizeof *s->break_was);
}

bool session_unbreak(Session *s, int id, Err *err)
{
    for (int i = 0; i < s->n_breaks; i++) {
        if (s->breaks[i].id == id) {
            remove_break(s, i);
            return true;
        }
    }
    return err_set(err, "delete %d: no such breakpoint", id);
}

void points_free(Session *s)
{
    while (s->n_breaks > 0)
        remove_break(s, s->n_breaks - 1);
    free(s->breaks);
    free(s->break_was);
    free(s->watches);
}

void points_rebind(Session *s)
{
    int kept = 0;
    for (int i = 0; i < s->n_watches; i++) {
        const Watch *w = &s->watches[i];
        const Signal *same = signal_find(s->engine, w->signal->path, strlen(w->signal->path));
        if (same && w->at < signal_count(s->engine, same))
            s->watches[kept++] = (Watch){same, w->at};
    }
    s->n_watches = kept;
    for (int i = s->n_breaks; i-- > 0;) {
        Expr *again = expr_parse(expr_text(s->breaks[i].expr), s->engine, NULL);
        if (!again) {
            remove_break(s, i);
            continue;
        }
        expr_free(s->breaks[i].expr);
        s->breaks[i].expr = again;
        s->breaks[i].hits = 0;
    }
}
