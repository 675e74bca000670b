/* Where a word came from: back along the data, one store at a time. */
#include "tui/origin.h"

#include <stdio.h>

#include "session/story.h"
#include "tui/jump.h"
#include "tui/state.h"

/* The cycle to go to; false, with the reason in out, when there is none. */
static bool written_in(Tui *t, Target to, const char *name, uint64_t *cycle, Buf *out)
{
    Operation op;
    const Edit *edit = story_edit(t->session, to.signal, to.at);
    if (edit) {
        *cycle = edit->cycle;
        buf_printf(out, "%s was edited by hand, before this clock", name);
    } else if (to.signal->kind == KIND_WEIGHT)
        buf_printf(out, "%s is a weight: it was there before the first clock", name);
    else if (to.signal->kind == KIND_PIN)
        buf_printf(out, "%s is a pin: the host sets it", name);
    else if (story_edge(t->session, to.signal, to.at, &op, cycle)) {
        buf_printf(out, "%s: this clock's edge stores it", name);
        return true;
    } else
        buf_printf(out, "%s: nothing has stored it yet", name);
    return edit != NULL;
}

/* The cursors of all views on screen, and of the decoder: there it is the operation. */
static void find_on_screen(Tui *t, Target to)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    for (int i = 0; i < n; i++)
        views[panes[i].view]->find(t->session, t->states[panes[i].view], to);
    views[0]->find(t->session, t->states[0], to);
}

bool origin_go(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Target to = {a->value[0].signal, a->value[0].at};
    uint64_t cycle = 0;
    Buf said = {0};
    char line[40];
    Jump from = jump_here(t);
    bool moves = written_in(t, to, a->text, &cycle, &said);
    snprintf(line, sizeof line, "goto %llu", (unsigned long long)cycle);
    bool ok = !moves || tui_exec(t, line, out, err);
    if (ok) {
        find_on_screen(t, to);
        bool shown = screen_show(t, a->text, to, NULL);
        jump_note(t, &from);
        buf_clear(out);
        buf_printf(out, "%s%s%s", buf_str(&said), shown ? "" : "; no view shows it",
                   moves && jump_shown(t) ? "; Backspace goes back" : "");
    }
    buf_free(&said);
    return ok;
}
