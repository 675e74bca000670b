#ifndef TUI_TIME_WINDOW_H
#define TUI_TIME_WINDOW_H
/* Which cycles the columns of a timeline stand for. */
#include "session/session.h"

typedef struct TimeWindow {
    uint64_t start, end; /* first cycle; after the last */
    uint64_t per_column; /* cycles */
    int span, columns;   /* cells of a column; columns on screen */
} TimeWindow;

/* Cycles until the host has nothing more to say, the present one included. */
uint64_t time_horizon(const Session *s);
/* Zoom 0: the token around `focus`. Negative: finer, a power of two of cycles a column, at last
 * several cells a cycle. Positive: twice, four times ... as many cycles. *zoom is brought into its
 * range: no further out than where the whole run is visible. Windows move on by half their width,
 * so that the picture stands still while one steps. */
TimeWindow time_window(const Session *s, int *zoom, uint64_t focus, int columns);

static inline int time_column(const TimeWindow *w, uint64_t cycle)
{
    return (int)((cycle - w->start) / w->per_column);
}
static inline bool time_inside(const TimeWindow *w, uint64_t cycle)
{
    return cycle >= w->start && cycle < w->end;
}

#endif
