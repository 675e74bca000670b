#ifndef TUI_STATE_SEARCH_H
#define TUI_STATE_SEARCH_H
/* For the timeline's search: the states that machines enter over time, as lines "attn SCORE". */
#include "session/session.h"
#include "tui/screen/search_feed.h"

enum { STATE_ROWS = 8 }; /* a place: the cycle times this, plus the machine's row */

typedef struct StateRow {
    const char *label;
    const Signal *signal; /* NULL: this variant has no such machine */
} StateRow;

/* Feeds each entry into a state in the whole run or, where that is long, around a cycle. */
void state_search(const Session *s, const StateRow *rows, int n, uint64_t around, SearchFeed *f);

#endif
