#include "tui/jump.h"

#include <stdio.h>
#include <string.h>

#include "tui/state.h"

Jump jump_here(Tui *t)
{
    (void)tui_target(t); /* the cursor may follow the machine */
    const ViewState *v = tui_view_state(t);
    return (Jump){.view = t->panes.order[t->panes.focus],
                  .row = v->row,
                  .col = v->col,
                  .top = v->top,
                  .left = v->left,
                  .choice = v->choice,
                  .option = v->option,
                  .pinned = v->pinned,
                  .time_cursor = v->cycle,
                  .clock = engine_cycle(session_engine(t->session))};
}

static bool same_cursor(const Jump *a, const Jump *b)
{
    return a->view == b->view && a->row == b->row && a->choice == b->choice &&
           a->option == b->option && (a->time_cursor == b->time_cursor || !a->pinned);
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
    if (last && same_cursor(last, from) && last->clock == from->clock && last->col == from->col)
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
        return err_set(err, "unjump: no jump to go back from (Enter, show and / make them)");
    Jump to = j->all[j->count - 1];
    snprintf(line, sizeof line, "goto %llu", (unsigned long long)to.clock);
    if (to.to_clock && !tui_exec(t, line, out, err))
        return false;
    j->count--;
    panes_show(&t->panes, tui_area(t), to.view);
    ViewState *v = tui_view_state(t);
    v->row = to.row, v->col = to.col, v->top = to.top, v->left = to.left;
    v->choice = to.choice, v->option = to.option;
    v->pinned = to.pinned, v->cycle = to.time_cursor;
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
