#ifndef TUI_WAVE_H
#define TUI_WAVE_H
/* One row of a timeline: what its columns have seen (film.h keeps it), drawn from left to right.
 * What a row remembers while it is drawn is its present run. */
#include "session/session.h"
#include "tui/screen/canvas.h"
#include "tui/view/view.h"

typedef enum {
    WAVE_STATE,    /* an FSM: the state that takes most of the column */
    WAVE_FLAG,     /* low, high, or both within the column */
    WAVE_BUS,      /* a number and where it changes; × where it changes too fast to print */
    WAVE_ANALOGUE, /* a number as a height */
    WAVE_WRITES,   /* a whole vector: when something is stored to it */
    WAVE_MARKS     /* events of the arithmetic (!) and breakpoints (●) */
} WaveKind;

enum { WAVE_STATES = 24 };

/* What a row was worth in the cycles of one column. */
typedef struct WaveColumn {
    int32_t first, last, low, high; /* of marks: 1 event, 2 breakpoint, 3 both */
    uint32_t changes;               /* from one cycle of the column to the next */
} WaveColumn;

typedef struct Wave {
    WaveKind kind;
    const Signal *signal; /* NULL: token, marks */
    int at;               /* element; -1: the whole vector */
    int y;                /* row on the canvas */
    NumberFormat format;
    int32_t full; /* analogue: raw value of full height */

    int32_t last; /* of the column drawn last */
    bool drawn;   /* there is one, and it is the neighbour */

    /* the run that goes on */
    bool running, busy, now;
    int run_x, text_x; /* where it began; where its name begins */
    int32_t run_value;
    Role role; /* at its beginning */
    char label[40];
} Wave;

/* How a signal is best drawn. */
WaveKind wave_kind(const Signal *s, int at, bool analogue);
/* What the wave of a signal is worth in the machine's cycle. */
int32_t wave_value(const Wave *w, const Engine *e);
/* Did the last edge store into this memory? */
bool wave_stores(const Engine *e, const Signal *s);
/* Of the lowest and the highest: the one further from zero. */
int32_t wave_extreme(const WaveColumn *seen);
int32_t wave_magnitude(int32_t value);
/* Draw the next column at x, `span` cells wide. counts: of an FSM, the cycles in each of its
 * WAVE_STATES; else NULL. */
typedef enum { WAVE_PAST, WAVE_NOW, WAVE_FUTURE } WaveTime;
void wave_draw(Wave *w, const WaveColumn *seen, const uint32_t *counts, const Engine *e, Canvas *c,
               int x, int span, WaveTime time);
/* Call after the last column, and before one of which nothing is known; x: where the columns end.
 * The name of the last run is still to be written. */
void wave_end(Wave *w, Canvas *c, int x);

#endif
