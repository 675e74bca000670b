#include "tui/view/timeline/film.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

enum { SLICE = 2048 /* clock edges between two looks at the clock */ };
#define NEVER UINT64_MAX

typedef struct Row {
    FilmRow row;
    bool in_engine; /* slot is how to read it */
    SignalSlot slot;
    int states; /* an FSM: which one of the film's; else -1 */
} Row;

typedef struct Column {
    uint32_t cycles; /* sampled, from its first one on */
    uint32_t events;
    Event first_event;
} Column;

/* The columns of a window: column k, row r is seen[k * rows + r]. */
typedef struct Strip {
    Column *columns;
    WaveColumn *seen;
    uint32_t *states;
} Strip;

struct Film {
    const Session *session;
    Probe *probe;
    Row *rows;
    int n_rows, n_states;
    bool anew;              /* the machine may be of another size: the slots do not hold */
    int breaks[BREAKS_MAX]; /* their ids */
    bool was[BREAKS_MAX];   /* was it true in the cycle before `next`? */
    int n_breaks;
    uint64_t next; /* the cycle that can be sampled at once; NEVER: none */

    TimeWindow w;
    int wanted; /* columns, from the left */
    Strip now, spare;
    int cap; /* columns that there is room for */

    uint64_t cursor, valued; /* the cycle asked for; the one that `values` are of, NEVER: none */
    int32_t *values;
};

Film *film_new(const Session *s)
{
    Film *f = xcalloc(1, sizeof *f);
    f->session = s;
    f->probe = probe_new(s);
    f->next = f->valued = NEVER;
    return f;
}

static void strip_free(Strip *s)
{
    free(s->columns);
    free(s->seen);
    free(s->states);
    *s = (Strip){0};
}

void film_free(Film *f)
{
    if (!f)
        return;
    strip_free(&f->now);
    strip_free(&f->spare);
    probe_free(f->probe);
    free(f->rows);
    free(f->values);
    free(f);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- what is kept ---- */

static uint64_t column_start(const Film *f, int k)
{
    return f->w.start + (uint64_t)k * f->w.per_column;
}

static void forget_from(Film *f, uint64_t cycle)
{
    for (int k = 0; k < f->w.columns && f->cap; k++) {
        if (column_start(f, k) + f->w.per_column > cycle)
            f->now.columns[k].cycles = 0;
    }
    if (f->valued != NEVER && f->valued >= cycle)
        f->valued = NEVER;
    if (f->next != NEVER && f->next >= cycle)
        f->next = NEVER;
}

static void strip_make(Strip *s, int columns, int rows, int states)
{
    strip_free(s);
    s->columns = xcalloc((size_t)columns, sizeof *s->columns);
    s->seen = xcalloc((size_t)columns * (size_t)rows, sizeof *s->seen);
    s->states = xcalloc((size_t)columns * (size_t)states * WAVE_STATES + 1, sizeof *s->states);
}

static void make_room(Film *f, int columns)
{
    if (columns <= f->cap)
        return;
    Strip old = f->now;
    f->now = (Strip){0};
    strip_make(&f->now, columns, f->n_rows, f->n_states);
    strip_make(&f->spare, columns, f->n_rows, f->n_states);
    if (f->cap) {
        size_t n = (size_t)f->cap;
        memcpy(f->now.columns, old.columns, n * sizeof *old.columns);
        memcpy(f->now.seen, old.seen, n * (size_t)f->n_rows * sizeof *old.seen);
        memcpy(f->now.states, old.states,
               n * (size_t)f->n_states * WAVE_STATES * sizeof *old.states);
    }
    strip_free(&old);
    f->cap = columns;
}

static bool same_row(const FilmRow *a, const FilmRow *b)
{
    return a->what == b->what && a->signal == b->signal && a->at == b->at;
}

int film_row(const Film *f, const FilmRow *row)
{
    for (int r = 0; r < f->n_rows; r++) {
        if (same_row(&f->rows[r].row, row))
            return r;
    }
    return -1;
}

static bool is_store(const FilmRow *row)
{
    return row->what == FILM_SIGNAL && row->at < 0 && signal_rank(row->signal) > 0;
}

static Row make_row(const FilmRow *row, const Engine *e)
{
    Row made = {.row = *row, .states = -1};
    if (row->what != FILM_SIGNAL || is_store(row))
        return made;
    made.slot = signal_slot(e, row->signal, row->at < 0 ? 0 : row->at);
    made.in_engine = made.slot.offset >= 0;
    return made;
}

/* Rows that are no longer asked for do no harm; they go when another one comes. */
static void set_rows(Film *f, const FilmRow *rows, int n)
{
    bool anew = f->anew;
    f->anew = false;
    for (int r = 0; r < n && !anew; r++)
        anew = film_row(f, &rows[r]) < 0;
    if (!anew)
        return;
    free(f->rows);
    free(f->values);
    f->rows = xcalloc((size_t)n, sizeof *f->rows);
    f->values = xcalloc((size_t)n, sizeof *f->values);
    f->n_rows = n;
    f->n_states = 0;
    for (int r = 0; r < n; r++) {
        f->rows[r] = make_row(&rows[r], session_engine(f->session));
        if (rows[r].what == FILM_SIGNAL && rows[r].signal->type == TYPE_STATE)
            f->rows[r].states = f->n_states++;
    }
    strip_free(&f->now);
    strip_free(&f->spare);
    f->cap = 0;
    f->valued = f->next = NEVER;
}

static void set_breaks(Film *f)
{
    int n = 0;
    const Break *breaks = session_breaks(f->session, &n);
    bool same = n == f->n_breaks;
    for (int k = 0; k < n; k++) {
        same = same && f->breaks[k] == breaks[k].id;
        f->breaks[k] = breaks[k].id;
    }
    f->n_breaks = n;
    if (!same)
        forget_from(f, 0);
}

/* ---- from one window to the next ---- */

static WaveColumn joined(const WaveColumn *a, const WaveColumn *b)
{
    return (WaveColumn){.first = a->first,
                        .last = b->last,
                        .low = a->low < b->low ? a->low : b->low,
                        .high = a->high > b->high ? a->high : b->high,
                        .changes = a->changes + b->changes + (a->last != b->first)};
}

/* Column k of the strip goes on with column j of another. */
static void join(Film *f, Strip *to, int k, const Strip *from, int j)
{
    size_t rows = (size_t)f->n_rows, states = (size_t)f->n_states * WAVE_STATES;
    Column *a = &to->columns[k];
    const Column *b = &from->columns[j];
    WaveColumn *seen = to->seen + (size_t)k * rows;
    const WaveColumn *more = from->seen + (size_t)j * rows;
    bool first = a->cycles == 0;
    for (size_t r = 0; r < rows; r++)
        seen[r] = first ? more[r] : joined(&seen[r], &more[r]);
    uint32_t *counts = to->states + (size_t)k * states;
    for (size_t i = 0; i < states; i++)
        counts[i] = (first ? 0 : counts[i]) + from->states[(size_t)j * states + i];
    if (first || a->events == 0)
        a->first_event = b->first_event;
    a->events = (first ? 0 : a->events) + b->events;
    a->cycles += b->cycles;
}

/* Columns of the new window that begin with old ones take them over. */
static void set_window(Film *f, const TimeWindow *w)
{
    const TimeWindow old = f->w;
    int known = f->cap ? old.columns : 0;
    make_room(f, w->columns);
    f->w = *w;
    if (old.start == w->start && old.per_column == w->per_column && old.columns == w->columns)
        return;
    Strip to = f->spare;
    for (int k = 0; k < w->columns; k++) {
        uint64_t start = column_start(f, k);
        to.columns[k].cycles = 0;
        if (!known || start < old.start || (start - old.start) % old.per_column ||
            w->per_column % old.per_column)
            continue;
        uint64_t from = (start - old.start) / old.per_column;
        uint64_t end = from + w->per_column / old.per_column;
        for (uint64_t j = from; j < end && j < (uint64_t)known; j++) {
            if (f->now.columns[j].cycles > 0)
                join(f, &to, k, &f->now, (int)j);
            if (f->now.columns[j].cycles < old.per_column)
                break;
        }
    }
    f->spare = f->now;
    f->now = to;
}

static void sync(Film *f)
{
    uint64_t from = probe_sync(f->probe);
    if (from != NEVER)
        forget_from(f, from);
    f->anew |= from == 0;
}

void film_show(Film *f, const FilmRow *rows, int n, const TimeWindow *w, uint64_t last,
               uint64_t cursor)
{
    sync(f);
    set_rows(f, rows, n);
    set_breaks(f);
    set_window(f, w);
    uint64_t columns = last < w->start ? 0 : (last + 1 - w->start) / w->per_column;
    f->wanted = columns < (uint64_t)w->columns ? (int)columns : w->columns;
    f->cursor = cursor;
}

/* ---- the work ---- */

static int32_t marks(Film *f, const Engine *e)
{
    int events = 0, n = 0;
    const Break *breaks = session_breaks(f->session, &n);
    engine_events(e, &events);
    int32_t mark = events > 0;
    for (int k = 0; k < n; k++)
        mark |= expr_hits(breaks[k].expr, e, &f->was[k]) ? 2 : 0;
    return mark;
}

/* Marks: of consecutive cycles only, the breakpoints have a memory. */
static inline int32_t value_of(Film *f, const Row *row)
{
    const Engine *e = probe_engine(f->probe);
    if (row->in_engine)
        return slot_get(e, &row->slot);
    if (row->row.what == FILM_TOKEN)
        return probe_host(f->probe)->token;
    if (row->row.what == FILM_MARKS)
        return marks(f, e);
    if (is_store(&row->row))
        return wave_stores(e, row->row.signal);
    return signal_get(e, row->row.signal, row->row.at < 0 ? 0 : row->row.at);
}

static void note_values(Film *f)
{
    for (int r = 0; r < f->n_rows; r++)
        f->values[r] = f->rows[r].row.what == FILM_MARKS ? 0 : value_of(f, &f->rows[r]);
    f->valued = f->cursor;
}

static void note_events(Column *column, const Engine *e)
{
    int n = 0;
    const Event *events = engine_events(e, &n);
    if (n > 0 && column->events == 0)
        column->first_event = events[0];
    column->events += (uint32_t)n;
}

/* The probe's cycle into column k. */
static void sample(Film *f, int k)
{
    Column *column = &f->now.columns[k];
    const Engine *e = probe_engine(f->probe);
    WaveColumn *seen = f->now.seen + (size_t)k * (size_t)f->n_rows;
    uint32_t *counts = f->now.states + (size_t)k * (size_t)f->n_states * WAVE_STATES;
    bool first = column->cycles++ == 0;
    if (first) {
        column->events = 0;
        memset(counts, 0, (size_t)f->n_states * WAVE_STATES * sizeof *counts);
    }
    note_events(column, e);
    for (int r = 0; r < f->n_rows; r++) {
        const Row *row = &f->rows[r];
        WaveColumn *w = &seen[r];
        int32_t value = value_of(f, row);
        if (first) {
            *w = (WaveColumn){value, value, value, value, 0};
        } else if (value != w->last) {
            w->last = value;
            w->low = value < w->low ? value : w->low;
            w->high = value > w->high ? value : w->high;
            w->changes++;
        }
        if (row->states >= 0 && value >= 0 && value < WAVE_STATES)
            counts[row->states * WAVE_STATES + value]++;
    }
    if (engine_cycle(e) == f->cursor)
        note_values(f);
    f->next = engine_cycle(e) + 1;
}

/* The column to go on with, at the cycle *at; -1 when all that is wanted is known. */
static int open_column(const Film *f, uint64_t *at)
{
    for (int k = 0; k < f->wanted; k++) {
        uint32_t cycles = f->now.columns[k].cycles;
        if (cycles < f->w.per_column) {
            *at = column_start(f, k) + cycles;
            return k;
        }
    }
    return -1;
}

/* The probe at a cycle, and the breakpoints know the one before. */
static bool arrive(Film *f, uint64_t at, uint64_t *ticks)
{
    uint64_t before = at ? at - 1 : 0;
    if (at == 0 || f->next != at || !probe_is_at(f->probe, before)) {
        if (!probe_seek(f->probe, before, ticks))
            return false;
        memset(f->was, 0, sizeof f->was);
        if (at > 0)
            (void)marks(f, probe_engine(f->probe));
    }
    if (at > 0)
        probe_tick(f->probe);
    return true;
}

/* One slice; false: nothing is left to do. */
static bool work_slice(Film *f)
{
    uint64_t ticks = SLICE, at = 0;
    int k = open_column(f, &at);
    if (f->cursor != NEVER && f->valued != f->cursor && (k < 0 || f->cursor < at)) {
        if (probe_seek(f->probe, f->cursor, &ticks))
            note_values(f);
        return true;
    }
    if (k < 0)
        return false;
    if (!arrive(f, at, &ticks))
        return true;
    sample(f, k);
    for (; ticks > 0; ticks--) {
        if (f->now.columns[k].cycles == f->w.per_column &&
            (++k == f->wanted || f->now.columns[k].cycles > 0))
            break;
        probe_tick(f->probe);
        sample(f, k);
    }
    return true;
}

bool film_work(Film *f, double seconds)
{
    double end = now_seconds() + seconds;
    while (work_slice(f)) {
        if (now_seconds() >= end)
            return true;
    }
    return false;
}

bool film_seek(Film *f, const FilmRow *row, uint64_t from, uint64_t to, bool last, uint64_t *found)
{
    uint64_t ticks = UINT64_MAX;
    bool hit = false, pulses = row->what == FILM_MARKS || is_store(row);
    int32_t before = 0;
    sync(f);
    Row r = make_row(row, session_engine(f->session));
    f->next = NEVER; /* the breakpoints' memory is needed here */
    memset(f->was, 0, sizeof f->was);
    probe_seek(f->probe, from, &ticks);
    for (uint64_t cycle = from; cycle <= to && !(hit && !last); cycle++) {
        if (cycle > from)
            probe_tick(f->probe);
        int32_t value = value_of(f, &r);
        if (cycle > from && value != before && !(pulses && value == 0)) {
            *found = cycle;
            hit = true;
        }
        before = value;
    }
    return hit;
}

/* ---- looking ---- */

int film_column(const Film *f, uint64_t start, uint64_t cycles)
{
    if (!f->cap || cycles != f->w.per_column || start < f->w.start || start >= f->w.end ||
        (start - f->w.start) % cycles)
        return -1;
    uint64_t k = (start - f->w.start) / cycles;
    return f->now.columns[k].cycles == cycles ? (int)k : -1;
}

const WaveColumn *film_seen(const Film *f, int column, int row)
{
    return f->now.seen + (size_t)column * (size_t)f->n_rows + row;
}

const uint32_t *film_states(const Film *f, int column, int row)
{
    if (f->rows[row].states < 0)
        return NULL;
    return f->now.states +
           ((size_t)column * (size_t)f->n_states + (size_t)f->rows[row].states) * WAVE_STATES;
}

uint32_t film_events(const Film *f, int column, Event *first)
{
    *first = f->now.columns[column].first_event;
    return f->now.columns[column].events;
}

bool film_value(const Film *f, uint64_t cursor, int row, int32_t *value)
{
    *value = f->values[row];
    return f->valued == cursor;
}

uint64_t film_ticks(const Film *f)
{
    return probe_ticks(f->probe);
}
