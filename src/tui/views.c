#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "tui/formats.h"
#include "tui/layout.h"
#include "tui/systolic.h"
#include "tui/t2_scene.h"
#include "tui/view.h"

/* In the order of their keys: the first is the main view, which keeps the left side. */
const View *const views[] = {
    &view_decoder,  &view_vectors, &view_softmax, &view_kv,     &view_timeline,
    &view_systolic, &view_formats, &view_t2,      &view_cycles, &view_model,
    &view_lesson,   &view_rtl,     NULL,
};
_Static_assert(sizeof views / sizeof *views - 1 <= VIEWS_MAX, "VIEWS_MAX (layout.h) is too small");

ViewState *view_state_new(const View *v)
{
    return xcalloc(1, v->state_size ? v->state_size : sizeof(ViewState));
}

void view_state_free(const View *v, ViewState *state)
{
    if (state && v->free)
        v->free(state);
    free(state);
}

enum { AIM_COL_BITS = 31 };
#define AIM_CELL (UINT64_C(1) << 62)

uint64_t aim_at(int row, int col)
{
    return AIM_CELL | (uint64_t)row << AIM_COL_BITS | (uint64_t)(col + 1);
}

int aim_row(uint64_t aim)
{
    return (int)((aim & (AIM_CELL - 1)) >> AIM_COL_BITS);
}

int aim_col(uint64_t aim)
{
    return (int)(aim & ((UINT64_C(1) << AIM_COL_BITS) - 1)) - 1;
}

bool aim_move(ViewState *v, uint64_t aim)
{
    int row = aim_row(aim), col = aim_col(aim) < 0 ? v->col : aim_col(aim);
    bool moves = row != v->row || col != v->col;
    v->row = row;
    v->col = col;
    return moves;
}

int view_index(const View *v)
{
    int i = 0;
    while (views[i] != v)
        i++;
    return i;
}

int view_find(const char *name, Err *err)
{
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; views[i]; i++) {
        if (strcmp(name, views[i]->name) == 0 || strcmp(name, views[i]->key) == 0)
            return i;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 views[i]->name);
        if (used >= sizeof names)
            used = sizeof names - 1;
    }
    Suggest near;
    char hint[SUGGEST_TEXT];
    suggest_begin(&near, name, strlen(name));
    for (int i = 0; views[i]; i++)
        suggest_offer(&near, views[i]->name);
    err_set(err, "view %s: %smust be one of %s", name, suggest_text(&near, hint), names);
    return -1;
}

bool view_exists(const char *name, Err *err)
{
    return view_find(name, err) >= 0;
}
