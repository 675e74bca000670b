#ifndef TUI_FILM_H
#define TUI_FILM_H
/* What the columns of a timeline have seen: kept between frames, filled in slices. Memory is that
 * of the columns of one window (twice, to move from one window to the next), whatever they span. */
#include "session/probe.h"
#include "tui/view/timeline/time_window.h"
#include "tui/view/timeline/wave.h"

/* A row: an element, a whole vector (at < 0: when something is stored to it), or one that the film
 * makes itself. */
typedef struct FilmRow {
    enum { FILM_SIGNAL, FILM_TOKEN, FILM_MARKS } what;
    const Signal *signal; /* of FILM_SIGNAL */
    int at;
} FilmRow;

typedef struct Film Film;
/* The session is borrowed; it may be freed first. */
Film *film_new(const Session *s);
void film_free(Film *f);

/* What is to be seen from now on: rows, a window, the cycles 0..last of it, the values in cycle
 * `cursor` (UINT64_MAX: none are). Columns that are known stay or are put together where the new
 * window allows it; what edits, a restart, other breakpoints or a new row have made untrue goes. */
void film_show(Film *f, const FilmRow *rows, int n, const TimeWindow *w, uint64_t last,
               uint64_t cursor);
/* Go on with it for about so many seconds, at least a slice of some milliseconds (INFINITY: to the
 * end). True: there is more to do. */
bool film_work(Film *f, double seconds);

/* A column, from a cycle on with so many cycles; -1 when it is not known (yet). */
int film_column(const Film *f, uint64_t start, uint64_t cycles);
/* A row's index, -1 when it is not kept. */
int film_row(const Film *f, const FilmRow *row);
const WaveColumn *film_seen(const Film *f, int column, int row);
/* Of the row of an FSM: cycles in each of WAVE_STATES; else NULL. */
const uint32_t *film_states(const Film *f, int column, int row);
/* Events of the arithmetic in a column; *first is the first of them. */
uint32_t film_events(const Film *f, int column, Event *first);
/* A row's value in the cycle of the cursor; false when it is not known (yet). */
bool film_value(const Film *f, uint64_t cursor, int row, int32_t *value);

/* The first cycle after `from`, or the last one up to `to`, in which the row has changed; of marks
 * and stores, in which there is another one. False (*found stays): none in from..to. */
bool film_seek(Film *f, const FilmRow *row, uint64_t from, uint64_t to, bool last, uint64_t *found);
/* Clock edges simulated since film_new. */
uint64_t film_ticks(const Film *f);

#endif
