#include "tui/view/timeline/state_search.h"

#include <stdio.h>

#include "tui/view/timeline/time_window.h"

enum { REACH = 1 << 16 }; /* cycles before and behind: they take no time to simulate */

typedef struct Walk {
    SearchFeed *f;
    const StateRow *rows;
    int n;
    bool begun; /* `was` holds the states of the cycle before */
    int32_t was[STATE_ROWS];
} Walk;

static bool look(void *context, const Engine *e, const Host *h)
{
    Walk *w = context;
    (void)h;
    for (int k = 0; k < w->n; k++) {
        const Signal *s = w->rows[k].signal;
        char line[64];
        int32_t state = s ? signal_get(e, s, 0) : 0;
        if (s && w->begun && state != w->was[k]) {
            snprintf(line, sizeof line, "%s %s", w->rows[k].label, signal_state_name(s, state));
            search_feed(w->f, engine_cycle(e) * STATE_ROWS + (unsigned)k, line);
        }
        w->was[k] = state;
    }
    w->begun = true;
    return true;
}

void state_search(const Session *s, const StateRow *rows, int n, uint64_t around, SearchFeed *f)
{
    Walk w = {.f = f, .rows = rows, .n = n < STATE_ROWS ? n : STATE_ROWS};
    uint64_t last = time_horizon(s) - 1;
    uint64_t block = around / REACH; /* the count stands still while the cursor moves in it */
    uint64_t from = block > 0 ? (block - 1) * REACH : 0;
    uint64_t to = (block + 2) * REACH - 1 < last ? (block + 2) * REACH - 1 : last;
    if (from > 0 || to < last)
        snprintf(f->range, sizeof f->range, "in cycles %llu-%llu", (unsigned long long)from,
                 (unsigned long long)to);
    session_visit(s, from, to, look, &w);
}
