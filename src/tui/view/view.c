/* What all views have: a state, and places that a click may mean. */
#include "tui/view/view.h"

#include <stdlib.h>

#include "base/mem.h"

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
