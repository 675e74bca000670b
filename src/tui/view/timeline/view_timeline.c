/* Time from left to right:
 *
 * ╭ timeline  token 0  a column is 64 cycles ──────────────────────────────────╮
 * │ cycle    500           0         500       1000      1500      2000         │
 * │ present                          ▼ 500                                      │
 * │ token    0             0────────────────────────────────────────────│1───── │
 * │ top      ATTN_WAIT     │LN│►ATTN_WAIT──────────────────────────────│LN2│FFN │
 * │ smax     SUBTRACT_EXP       │F►S│S│N│F│S│S│N│F│S│S│N│F│S│S│N               │
 * │ marks    ! 64               !!   !!    !!    !!                            │
 * ├ signals ─────────────────────────────────────────────────────────────────────
 * │ valid    0             ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁│▁▁▁▁ │
 * ├ cursor at cycle 500, the present ───────────────────────────────────────────
 * ╰─────────────────────────────────────────────────────────────────────────────╯
 *
 * What is to come is there too, dim: the machine and its host leave nothing open. A film (film.h)
 * keeps what the columns have seen; of those that it has not come to there are dots. While nobody
 * moves the time cursor it is the present.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/units.h"
#include "script/lesson.h"
#include "tui/screen/pane.h"
#include "tui/view/timeline/state_search.h"
#include "tui/view/timeline/timeline_scene.h"

enum {
    MARKS = UNIT_COUNT, /* the row after the FSMs; then the signals */
    FIXED_ROWS,
    VALUE_W = 14,
    SEEK = 1 << 16 /* cycles that e and E look through */
};

/* Shown below the watches. */
static const char *const standard[] = {"valid",       "seq_pos",     "attn.h",         "softmax.i",
                                       "softmax.max", "softmax.sum", "softmax.recip",  "attn.t",
                                       "ln1.inv_std", "ln2.inv_std", "attn.i",         "ffn.i",
                                       "start",       "attn_start",  "attn.smax_start"};
enum { STANDARD = sizeof standard / sizeof *standard };

/* ---- rows ---- */

/* The signal and the element of row k, or false when there are not so many. */
static bool row_signal(const Session *s, int k, Target *t)
{
    const Engine *e = session_engine(s);
    int n = 0;
    const Watch *watches = session_watches(s, &n);
    const char *path = NULL;
    *t = (Target){NULL, 0};
    if (k < UNIT_COUNT)
        t->signal = signal_in(e, units[k].fsm);
    else if (k == MARKS)
        return true;
    else if (k - FIXED_ROWS < n)
        *t = (Target){watches[k - FIXED_ROWS].signal, watches[k - FIXED_ROWS].at};
    else if (k - FIXED_ROWS - n < STANDARD)
        path = standard[k - FIXED_ROWS - n];
    else
        return false;
    if (path)
        t->signal = signal_find(e, path, strlen(path));
    return true;
}

static int row_count(const Session *s)
{
    int n = 0;
    session_watches(s, &n);
    return FIXED_ROWS + n + STANDARD;
}

static void row_name(const Session *s, int k, const Target *t, char *out, size_t size)
{
    if (k <= MARKS)
        snprintf(out, size, "%s", k < MARKS ? units[k].name : "marks");
    else if (t->at >= 0)
        signal_element_name(session_engine(s), t->signal, t->at, out, size);
    else
        snprintf(out, size, "%s", t->signal->path);
}

/* ---- the columns ---- */

static FilmRow film_row_of(const Wave *w)
{
    return (FilmRow){w->kind == WAVE_MARKS ? FILM_MARKS
                     : w->signal           ? FILM_SIGNAL
                                           : FILM_TOKEN,
                     w->signal, w->at};
}

/* The values beside the names: those of the present machine, or of the film at the cursor. */
static void draw_value(const TimelineScene *p, const Wave *w)
{
    const Engine *e = session_engine(p->s);
    char text[64];
    int32_t value = 0;
    FilmRow row = film_row_of(w);
    int kept = p->own->film ? film_row(p->own->film, &row) : -1;
    if (p->value_w == 0 || row.what != FILM_SIGNAL)
        return;
    bool known =
        p->cursor == p->now || (kept >= 0 && film_value(p->own->film, p->cursor, kept, &value));
    if (p->cursor == p->now)
        value = wave_value(w, e);
    if (!known)
        snprintf(text, sizeof text, "…");
    else if (w->kind == WAVE_WRITES)
        snprintf(text, sizeof text, "%s", value ? "stored to" : "-");
    else if (w->signal->type == TYPE_STATE)
        snprintf(text, sizeof text, "%s", signal_state_name(w->signal, value));
    else if (w->signal->type == TYPE_FIXED)
        format_number(e, w->signal, value, p->v->format, text, sizeof text);
    else
        snprintf(text, sizeof text, "%d", (int)value);
    canvas_field(p->c, w->y, p->wave_x - p->value_w, p->value_w - 1, known ? ROLE_TEXT : ROLE_DIM,
                 text + strspn(text, " "));
}

int timeline_column(const TimelineScene *p, int k)
{
    uint64_t start = p->win.start + (uint64_t)k * p->win.per_column;
    return p->own->film ? film_column(p->own->film, start, p->win.per_column) : -1;
}

/* The height that the largest number of an analogue row has. */
static int32_t full_height(const TimelineScene *p, int row)
{
    int32_t full = 0;
    for (int k = 0; k < p->win.columns; k++) {
        int column = timeline_column(p, k);
        int32_t most =
            column < 0 ? 0 : wave_magnitude(wave_extreme(film_seen(p->own->film, column, row)));
        full = most > full ? most : full;
    }
    return full;
}

/* A row from left to right; columns up to `wanted` that are not known yet are dots. */
static void draw_wave(const TimelineScene *p, Wave *w, int wanted)
{
    const TimeWindow *win = &p->win;
    const Engine *e = session_engine(p->s);
    const Film *film = p->own->film;
    FilmRow wave = film_row_of(w);
    int row = film ? film_row(film, &wave) : -1;
    int now = time_inside(win, p->now) ? time_column(win, p->now)
              : p->now < win->start    ? -1
                                       : win->columns;
    if (row >= 0 && w->kind == WAVE_ANALOGUE)
        w->full = full_height(p, row);
    for (int k = 0; k < wanted; k++) {
        int column = row < 0 ? -1 : timeline_column(p, k), x = p->wave_x + k * win->span;
        if (column >= 0) {
            wave_draw(w, film_seen(film, column, row),
                      w->kind == WAVE_STATE ? film_states(film, column, row) : NULL, e, p->c, x,
                      win->span,
                      k < now   ? WAVE_PAST
                      : k > now ? WAVE_FUTURE
                                : WAVE_NOW);
            continue;
        }
        wave_end(w, p->c, x);
        canvas_text(p->c, w->y, x, ROLE_DIM, "·");
    }
    wave_end(w, p->c, p->wave_x + wanted * win->span);
}

/* The last cycle that is looked at: a column beyond the end of what there is to come. */
static uint64_t last_cycle(const Session *s, const TimeWindow *w)
{
    uint64_t end = time_horizon(s) + w->per_column;
    return w->end - 1 < end ? w->end - 1 : end;
}

static void draw_waves(TimelineScene *p)
{
    uint64_t last = last_cycle(p->s, &p->win);
    int wanted = (int)((last + 1 - p->win.start) / p->win.per_column);
    if (p->token.y >= 0)
        draw_wave(p, &p->token, wanted);
    for (int k = 0; k < p->n_rows; k++) {
        draw_wave(p, &p->rows[k], wanted);
        draw_value(p, &p->rows[k]);
    }
}

/* ---- the rows in their places ---- */

static void draw_name(const TimelineScene *p, bool focused, int k, int y)
{
    char name[64];
    Target t;
    row_signal(p->s, k, &t);
    row_name(p->s, k, &t, name, sizeof name);
    Role role = focused && k == p->v->row ? ROLE_CURSOR : k > MARKS ? ROLE_TEXT : ROLE_TITLE;
    int width = text_width(name), room = p->name_w - 1;
    if (room < 1)
        return;
    canvas_field(p->c, y, p->r.x + 2, width < room ? width : room, role, name);
    if (width > room)
        canvas_text(p->c, y, p->r.x + 1 + room, role, "…");
}

static void add_row(TimelineScene *p, int k, int y)
{
    Target t;
    if (p->n_rows == TIMELINE_ROWS || !row_signal(p->s, k, &t))
        return;
    Wave w = {.kind = WAVE_MARKS, .signal = t.signal, .at = t.at, .y = y, .format = p->v->format};
    if (k != MARKS && !t.signal)
        return; /* this variant has no such signal */
    if (k == MARKS && p->v->hidden & LESSON_HIDE_WRAP)
        return;
    if (t.signal)
        w.kind = wave_kind(t.signal, t.at, p->own->analogue);
    p->rows[p->n_rows++] = w;
}

/* Rows: axis, present, token, FSMs, marks, a rule, signals, the foot. The order of what is given up
 * in a small pane is foot, signals, token, present. */
typedef struct Rows {
    int present, token, signals, foot;
} Rows;

static Rows share_rows(int h)
{
    Rows r = {.present = h >= 8, .token = h >= 10, .foot = h >= 17 ? 3 : h >= 13 ? 2 : 0};
    r.signals = h - r.foot - (1 + r.present + r.token + FIXED_ROWS + 1);
    return r;
}

/* A click on a name is one on its row. */
static void name_row(const TimelineScene *p, bool focused, int k, int y)
{
    draw_name(p, focused, k, y);
    canvas_aim(p->c, (Rect){y, p->r.x + 1, 1, p->wave_x - p->r.x - 1}, aim_at(k, -1));
}

/* A click on a wave is one on its cycle. */
static void aim_waves(const TimelineScene *p, int y, int h)
{
    for (int k = 0; k < p->win.columns; k++) {
        uint64_t cycle = p->win.start + (uint64_t)k * p->win.per_column;
        if (time_inside(&p->win, p->cursor) && k == time_column(&p->win, p->cursor))
            cycle = p->cursor; /* it is within the column already */
        canvas_aim(p->c, (Rect){y, p->wave_x + k * p->win.span, h, p->win.span}, AIM_OTHER | cycle);
    }
}

static void draw_inside(TimelineScene *p, Rect in, bool focused)
{
    Rows rows = share_rows(in.h);
    int foot = rows.foot, y = in.y, present = rows.present, token = rows.token;
    int axis = y++;
    int present_y = present ? y++ : -1;
    p->token = (Wave){.kind = WAVE_BUS, .y = token ? y++ : -1};
    int signals = rows.signals;
    for (int k = 0; k < FIXED_ROWS && y + k < in.y + in.h - foot; k++) {
        add_row(p, k, y + k);
        name_row(p, focused, k, y + k);
    }
    y += FIXED_ROWS;
    int all = row_count(p->s) - FIXED_ROWS;
    for (int k = 0; k < signals && p->v->top + k < all; k++) {
        add_row(p, FIXED_ROWS + p->v->top + k, y + 1 + k);
        name_row(p, focused, FIXED_ROWS + p->v->top + k, y + 1 + k);
    }
    if (signals > 0)
        pane_rule(p->c, p->r, y, "signals");

    Rect old = canvas_clip(
        p->c, (Rect){in.y, p->wave_x - p->value_w, in.h - foot, p->wave_w + p->value_w});
    draw_waves(p);
    canvas_clip(p->c, old);
    timeline_draw_axis(p, axis);
    if (present)
        timeline_draw_present(p, present_y);
    if (token && p->name_w)
        canvas_text(p->c, p->token.y, p->r.x + 2, ROLE_TITLE, "token");
    timeline_draw_cursor(p, axis + 1 + present, y - axis - 1 - present);
    timeline_draw_cursor(p, y + 1, signals);
    aim_waves(p, axis + 1 + present, y - axis - 1 - present);
    aim_waves(p, y + 1, signals);
    if (foot)
        timeline_draw_foot(p, in.y + in.h - foot, foot);
}

static uint64_t cursor_of(const Session *s, const ViewState *v)
{
    uint64_t last = time_horizon(s) - 1;
    return !v->pinned ? engine_cycle(session_engine(s)) : v->cycle < last ? v->cycle : last;
}

static void title_of(const TimelineScene *p, char *out, size_t size)
{
    const TimeWindow *w = &p->win;
    if (w->span > 1)
        snprintf(out, size, "timeline  a cycle is %d columns", w->span);
    else if (w->per_column == 1)
        snprintf(out, size, "timeline  a column is 1 cycle");
    else
        snprintf(out, size, "timeline  a column is %llu cycles", (unsigned long long)w->per_column);
    size_t n = strlen(out);
    if (p->v->pinned && p->cursor != p->now)
        snprintf(out + n, size - n, "  cursor stays at %llu: c follows",
                 (unsigned long long)p->cursor);
}

/* Where things are in a pane at r, and which cycles its columns stand for. */
static TimelineScene picture_at(const Session *s, const ViewState *v, Rect r, Canvas *c)
{
    TimelineScene p = {.s = s,
                       .v = v,
                       .own = view_own(v),
                       .c = c,
                       .r = r,
                       .now = engine_cycle(session_engine(s)),
                       .cursor = cursor_of(s, v)};
    p.name_w = r.w >= 60 ? 14 : r.w >= 24 ? 6 : 0;
    p.value_w = r.w >= 60 ? VALUE_W : 0;
    p.wave_x = r.x + 2 + p.name_w + p.value_w;
    p.wave_w = r.x + r.w - 1 - p.wave_x > 0 ? r.x + r.w - 1 - p.wave_x : 1;
    p.zoom = p.own->zoom;
    p.win = time_window(s, &p.zoom, p.cursor, p.wave_w);
    return p;
}

static void free_film(ViewState *v)
{
    TimelineState *own = view_own(v);
    film_free(own->film);
    own->film = NULL;
}

static Film *film_of(const Session *s, ViewState *v)
{
    TimelineState *own = view_own(v);
    if (!own->film)
        own->film = film_new(s);
    return own->film;
}

/* All rows, not just those on screen: scrolling up and down costs nothing. */
static bool work(const Session *s, ViewState *v, Rect r, double seconds)
{
    const TimelineScene p = picture_at(s, v, r, NULL);
    int n = 0, most = row_count(s) + 1;
    FilmRow *rows = xcalloc((size_t)most, sizeof *rows);
    Target t;
    rows[n++].what = FILM_TOKEN;
    for (int k = 0; row_signal(s, k, &t); k++) {
        if (k == MARKS)
            rows[n++].what = FILM_MARKS;
        else if (t.signal) /* this variant has it */
            rows[n++] = (FilmRow){FILM_SIGNAL, t.signal, t.at};
    }
    film_show(film_of(s, v), rows, n, &p.win, last_cycle(s, &p.win),
              p.cursor == p.now ? UINT64_MAX : p.cursor);
    free(rows);
    return film_work(film_of(s, v), seconds);
}

static void place(const Session *s, ViewState *v, Rect r)
{
    const TimelineScene p = picture_at(s, v, r, NULL);
    TimelineState *own = view_own(v);
    Rect in = canvas_inside(r);
    int signals = share_rows(in.h).signals, room = signals > 0 ? signals : 1;
    own->zoom = p.zoom;
    own->step = (int)(p.win.per_column < INT32_MAX ? p.win.per_column : INT32_MAX);
    own->whole = p.win.start == 0 && p.win.end >= time_horizon(s);
    if (in.h < 1 || in.w < 1)
        return;
    v->row = limit(v->row, 0, row_count(s) - 1);
    int from = v->row - FIXED_ROWS, all = row_count(s) - FIXED_ROWS;
    if (from >= 0)
        v->top = limit(v->top, from - room + 1, from);
    v->top = limit(v->top, 0, all > room ? all - room : 0);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    Rect old = canvas_clip(c, r);
    char title[96];
    TimelineScene p = picture_at(s, v, r, c);
    title_of(&p, title, sizeof title);
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_DIM, title);
    } else {
        pane_clip(c, r);
        draw_inside(&p, in, focused);
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

/* To where the row under the cursor changes next (or did last). */
static void seek(Press *p)
{
    const Session *s = p->s;
    ViewState *v = p->v;
    bool backward = press_by(p) < 0;
    uint64_t at = cursor_of(s, v), end = time_horizon(s);
    TimelineScene of = {.s = s, .v = v, .own = view_own(v)};
    add_row(&of, v->row, 0);
    if (of.n_rows == 0 || (backward && at == 0))
        return;
    uint64_t from = backward ? (at > SEEK ? at - SEEK : 0) : at;
    uint64_t to = backward ? at - 1 : at + SEEK < end ? at + SEEK : end;
    FilmRow row = film_row_of(&of.rows[0]);
    v->pinned |= film_seek(film_of(s, v), &row, from, to, backward, &v->cycle);
}

static void move_time(const Session *s, ViewState *v, int columns)
{
    const TimelineState *own = view_own(v);
    uint64_t at = cursor_of(s, v), by = (uint64_t)(own->step > 0 ? own->step : 1);
    by *= (uint64_t)(columns < 0 ? -columns : columns);
    v->pinned = true;
    v->cycle = columns > 0 ? at + by : at > by ? at - by : 0;
    v->cycle = cursor_of(s, v);
}

/* The row of a name, or the cycle of a column. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    uint64_t cycle = aim & ~AIM_OTHER;
    if (!(aim & AIM_OTHER)) {
        aim_move(v, aim);
    } else if (cycle != cursor_of(s, v)) {
        v->pinned = true;
        v->cycle = cycle;
        v->cycle = cursor_of(s, v);
    }
}

static void zoom(Press *p)
{
    TimelineState *own = view_own(p->v);
    if (press_by(p) > 0 && own->whole)
        press_refuse(p, "the whole run is in view: < zooms in, F shows one token");
    else
        own->zoom += press_by(p);
}

static void fit_token(Press *p)
{
    TimelineState *own = view_own(p->v);
    own->zoom = 0;
}

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    v->row = limit(v->row + rows, 0, row_count(p->s) - 1);
    if (cols)
        move_time(p->s, v, cols);
}

static void page(Press *p)
{
    move(p, 0, 10 * press_by(p));
}

static void go_there(Press *p)
{
    press_run(p, "goto %llu", (unsigned long long)cursor_of(p->s, p->v));
    p->v->pinned = false; /* the machine is there now: on with it */
}

static Target target(const Session *s, const ViewState *v)
{
    Target t;
    return row_signal(s, v->row, &t) ? t : (Target){NULL, 0};
}

static bool find(const Session *s, ViewState *v, Target wanted)
{
    Target t;
    for (int k = 0; wanted.signal && row_signal(s, k, &t); k++) {
        if (t.signal == wanted.signal && (t.at < 0 || t.at == wanted.at)) {
            v->row = k;
            return true;
        }
    }
    return false;
}

static void search_lines(const Session *s, const ViewState *v, SearchFeed *f)
{
    StateRow rows[UNIT_COUNT];
    uint64_t at = cursor_of(s, v);
    for (int k = 0; k < UNIT_COUNT; k++) {
        Target t;
        row_signal(s, k, &t);
        rows[k] = (StateRow){units[k].name, t.signal};
    }
    f->here = at * STATE_ROWS + (unsigned)limit(v->row, 0, STATE_ROWS - 1);
    state_search(s, rows, UNIT_COUNT, at, f);
}

/* To where a machine enters a state, and onto its row. */
static void search_go(const Session *s, ViewState *v, uint64_t at, const char *text)
{
    (void)s, (void)text;
    v->cycle = at / STATE_ROWS;
    v->row = (int)(at % STATE_ROWS);
    v->pinned = true;
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "change", "previous, next change of the row", .act = seek},
    {"< >", SENSE_LESS, "zoom", "zoom in, zoom out", .act = zoom},
    {"Enter", SENSE_OPEN, "go there", "go to the cycle of the cursor", .act = go_there},
    {"F", SENSE_OWN, "fit", "fit one token", .act = fit_token},
    {"c", SENSE_FOLLOW, "follow", "the cursor back to the present", .act = view_follow},
    {"H", SENSE_DRAWN, NULL, "numbers as heights, and back",
     .flips = offsetof(TimelineState, analogue)},
    {"PgUp PgDn", SENSE_MOVE, NULL, "ten columns back, on", .act = page},
    {0},
};

const View view_timeline = {
    .name = "timeline",
    .title = "timeline",
    .key = "5",
    .about =
        "What every state machine does over time, and below it signals as a logic analyser shows "
        "them: your watches first, then some of the usual. The value beside a name is the one at "
        "the time cursor (the upright bar). The cursor moves on its own; Enter takes the machine "
        "there. Dim is what is yet to come, dots stand for what is still being simulated. In the "
        "row of marks ! is a saturation, a wrap or a leak "
        "through the mask, and ● a breakpoint. × means: changes too fast to print, zoom in. Try ] "
        "on the row of smax, < to zoom in, and `watch out_emb`.",
    .keys = keys,
    .state_size = sizeof(TimelineState),
    .place_end = offsetof(TimelineState, step),
    .free = free_film,
    .work = work,
    .place = place,
    .draw = draw,
    .point = point,
    .move = move,
    .target = target,
    .find = find,
    .search_lines = search_lines,
    .search_go = search_go,
};
