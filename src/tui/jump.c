#include "tui/jump.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tui/state.h"

/* Bytes of the view's own place, behind what all views have. */
static size_t place_size(int view)
{
    size_t end = views[view]->place_end;
    assert(end <= sizeof(ViewState) + JUMP_PLACE);
    return end ? end - sizeof(ViewState) : 0;
}

Jump jump_here(Tui *t)
{
    (void)tui_target(t); /* the cursor may follow the machine */
    const ViewState *v = tui_view_state(t);
    Jump here = {.view = t->panes.order[t->panes.focus],
                 .at = *v,
                 .clock = engine_cycle(session_engine(t->session))};
    memcpy(here.place, v + 1, place_size(here.view));
    return here;
}

static bool same_cursor(const Jump *a, const Jump *b)
{
    return a->view == b->view && a->at.row == b->at.row &&
           memcmp(a->place, b->place, sizeof a->place) == 0 &&
           (a->at.cycle == b->at.cycle || !a->at.pinned);
}

/* The view's state goes back there; what is no place of it stays. */
static void put_back(ViewState *v, const Jump *to)
{
    ViewState now = *v;
    *v = to->at;
    v->format = now.format;
    v->hidden = now.hidden;
    memcpy(v + 1, to->place, place_size(to->view));
}

void jump_note(Tui *t, const Jump *from)
{
    Jumps *j = &t->jumps;
    Jump now = jump_here(t);
    if (t->lesson_works || views[from->view] == &view_lesson)
        return;
    bool moved = now.clock != from->clock || tui_running(t);
    if (same_cursor(from, &now) && !moved)
        return;
    const Jump *last = j->count ? &j->all[j->count - 1] : NULL;
    if (last && same_cursor(last, from) && last->clock == from->clock &&
        last->at.col == from->at.col)
        return; /* a key's command has noted it already */
    if (j->count == JUMPS_MAX)
        memmove(j->all, j->all + 1, (size_t)--j->count * sizeof *j->all);
    j->all[j->count] = *from;
    j->all[j->count++].to_clock = moved;
}

bool jump_back(Tui *t, Buf *out, Err *err)
{
    Jumps *j = &t->jumps;
    char line[40];
    if (j->count == 0)
        return err_set(
            err, "there is no jump to go back from: Enter, O, :show, :cursor and / make them");
    Jump to = j->all[j->count - 1];
    snprintf(line, sizeof line, "goto %llu", (unsigned long long)to.clock);
    if (to.to_clock && !tui_exec(t, line, out, err))
        return false;
    j->count--;
    panes_show(&t->panes, tui_area(t), to.view);
    put_back(tui_view_state(t), &to);
    buf_clear(out);
    buf_printf(out, "back in %s", views[to.view]->title);
    if (to.to_clock)
        buf_printf(out, ", in cycle %llu", (unsigned long long)to.clock);
    if (j->count)
        buf_printf(out, "; %d more", j->count);
    return true;
}

bool jump_shown(const Tui *t)
{
    return t->jumps.count > 0 && tui_view(t) != &view_lesson;
}
