#ifndef TUI_WAVE_H
#define TUI_WAVE_H
/* One row of a timeline. The cycles of a column are sampled one by one, then the column is drawn;
 * what a row remembers is its present run, so any number of cycles and columns needs no memory. */
#include "session/session.h"
#include "tui/canvas.h"
#include "tui/view.h"

typedef enum {
    WAVE_STATE,    /* an FSM: the state that takes most of the column */
    WAVE_FLAG,     /* low, high, or both within the column */
    WAVE_BUS,      /* a number and where it changes; × where it changes too fast to print */
    WAVE_ANALOGUE, /* a number as a height */
    WAVE_WRITES,   /* a whole vector: when something is stored to it */
    WAVE_MARKS     /* events of the arithmetic (!) and breakpoints (●) */
} WaveKind;

enum { WAVE_STATES = 24 };

typedef struct Wave {
    WaveKind kind;
    const Signal *signal; /* NULL: the value comes from wave_sample_value */
    int at;               /* element; -1: the whole vector */
    int y;                /* row on the canvas */
    NumberFormat format;
    int32_t full; /* analogue: raw value of full height */

    /* the column in the making */
    int samples, changes;
    int counts[WAVE_STATES];
    int32_t last, extreme, low, high;
    bool sampled; /* `last` is of this wave */

    /* the run that goes on */
    bool running, busy, now;
    int run_x, text_x; /* where it began; where its name begins */
    int32_t run_value;
    Role role; /* at its beginning */
    char label[40];
} Wave;

/* How a signal is best drawn. */
WaveKind wave_kind(const Signal *s, int at, bool analogue);
/* What this wave is worth in a cycle. Marks: 1 event, 2 breakpoint, 3 both. */
int32_t wave_value(const Wave *w, const Engine *e);
/* One more cycle of the present column. */
void wave_sample(Wave *w, const Engine *e);
void wave_sample_value(Wave *w, int32_t value);
/* Draw the column at x, `span` cells wide, and begin the next. */
typedef enum { WAVE_PAST, WAVE_NOW, WAVE_FUTURE } WaveTime;
void wave_draw(Wave *w, const Engine *e, Canvas *c, int x, int span, WaveTime time);
/* Call after the last column, which ends before x: the name of the last run is still to be written.
 */
void wave_end(Wave *w, Canvas *c, int x);

#endif
