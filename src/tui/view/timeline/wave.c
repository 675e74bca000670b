#include "tui/view/timeline/wave.h"

#include <stdio.h>
#include <string.h>

WaveKind wave_kind(const Signal *s, int at, bool analogue)
{
    if (at < 0 && signal_rank(s) > 0)
        return WAVE_WRITES;
    if (s->type == TYPE_STATE)
        return WAVE_STATE;
    if (s->type == TYPE_FLAG)
        return WAVE_FLAG;
    return analogue ? WAVE_ANALOGUE : WAVE_BUS;
}

bool wave_stores(const Engine *e, const Signal *s)
{
    int n = 0;
    const Write *writes = engine_writes(e, &n);
    for (int k = 0; k < n; k++) {
        if (writes[k].signal == signal_id(s))
            return true;
    }
    return false;
}

int32_t wave_value(const Wave *w, const Engine *e)
{
    if (w->kind == WAVE_WRITES)
        return wave_stores(e, w->signal);
    return signal_get(e, w->signal, w->at < 0 ? 0 : w->at);
}

int32_t wave_magnitude(int32_t v)
{
    return v < 0 ? (v == INT32_MIN ? INT32_MAX : -v) : v;
}

int32_t wave_extreme(const WaveColumn *seen)
{
    return wave_magnitude(seen->low) > wave_magnitude(seen->high) ? seen->low : seen->high;
}

/* ---- runs: states and numbers with their names in them ---- */

static int32_t longest_state(const uint32_t *counts)
{
    int best = 0;
    for (int k = 1; k < WAVE_STATES; k++)
        best = counts[k] > counts[best] ? k : best;
    return best;
}

static void name_run(Wave *w, const Engine *e)
{
    if (w->kind == WAVE_STATE) {
        const char *name = signal_state_name(w->signal, w->run_value);
        snprintf(w->label, sizeof w->label, "%s", strcmp(name, "IDLE") == 0 ? "" : name);
    } else if (!w->signal) {
        snprintf(w->label, sizeof w->label, "%d", (int)w->run_value);
    } else if (w->signal->type == TYPE_FIXED && w->format == SHOW_VALUE) {
        signal_value(w->signal, w->run_value, w->label, sizeof w->label);
    } else if (w->signal->type == TYPE_FIXED) {
        signal_hex(e, w->signal, w->run_value, w->label, sizeof w->label);
    } else {
        snprintf(w->label, sizeof w->label, "%d", (int)w->run_value);
    }
}

static bool is_idle(const Wave *w)
{
    return w->kind == WAVE_STATE && w->label[0] == '\0';
}

static void begin_run(Wave *w, const Engine *e, int32_t value, int x, bool bar, Role role)
{
    w->run_value = value;
    w->run_x = x;
    w->text_x = bar ? x + 1 : x;
    w->role = role;
    w->running = true;
    w->now = false;
    name_run(w, e);
}

/* The run is over: now it is known whether its name fits. A state's may be cut short, a number's
 * not. */
static void end_run(Wave *w, Canvas *c, int x)
{
    int room = x - w->text_x, length = (int)strlen(w->label);
    if (w->running && (w->kind == WAVE_STATE || length <= room))
        canvas_field(c, w->y, w->text_x,
                     length < room ? length
                     : room > 0    ? room
                                   : 0,
                     w->now ? ROLE_ACTIVE : w->role, w->label);
    w->running = false;
}

void wave_end(Wave *w, Canvas *c, int x)
{
    end_run(w, c, x);
    w->drawn = w->busy = false;
}

/* The run that holds the present cycle stands out from its beginning on. */
static void mark_now(Wave *w, Canvas *c, int x)
{
    if (w->kind != WAVE_STATE || is_idle(w))
        return;
    w->now = true;
    w->text_x = w->run_x + 1;
    canvas_text(c, w->y, w->run_x, ROLE_ACTIVE, MARK_ACTIVE);
    canvas_role(c, (Rect){w->y, w->run_x, 1, x - w->run_x + 1}, ROLE_ACTIVE);
}

/* changes: into the column as well as within it. */
static void draw_run(Wave *w, int32_t value, uint32_t changes, const Engine *e, Canvas *c, int x,
                     int span, WaveTime time)
{
    Role role = time == WAVE_FUTURE ? ROLE_DIM : ROLE_TEXT;
    bool was_busy = w->busy, first = !w->running && !was_busy;
    bool was_idle = !w->running || is_idle(w);
    w->busy = w->kind == WAVE_BUS && changes > 0;
    if (w->kind == WAVE_BUS && (changes > 1 || (changes == 1 && was_busy && span == 1))) {
        end_run(w, c, x);
        canvas_text(c, w->y, x, role, "×"); /* changes faster than can be printed */
        return;
    }
    int at = x;
    if (!w->running || value != w->run_value) {
        end_run(w, c, x);
        bool bar = w->kind == WAVE_STATE || (!first && !was_busy);
        begin_run(w, e, value, x, bar, role);
        if (bar && !(is_idle(w) && was_idle))
            canvas_text(c, w->y, at++, role, "│");
    }
    for (; at < x + span; at++)
        canvas_text(c, w->y, at, w->now ? ROLE_ACTIVE : role, is_idle(w) ? " " : "─");
    if (time == WAVE_NOW)
        mark_now(w, c, x + span - 1);
}

/* ---- the others ---- */

static void draw_flag(const Wave *w, const WaveColumn *seen, Canvas *c, int x, int span, Role role)
{
    for (int k = 0; k < span; k++)
        canvas_text(c, w->y, x + k, role, seen->low != seen->high ? "│" : seen->high ? "█" : "▁");
}

static void draw_marks(const Wave *w, int32_t marks, Canvas *c, int x)
{
    if (marks >= 2)
        canvas_text(c, w->y, x, ROLE_ACTIVE, "●");
    else if (marks == 1)
        canvas_text(c, w->y, x, ROLE_WARN, MARK_WARN);
}

void wave_draw(Wave *w, const WaveColumn *seen, const uint32_t *counts, const Engine *e, Canvas *c,
               int x, int span, WaveTime time)
{
    Role role = time == WAVE_FUTURE ? ROLE_DIM : ROLE_TEXT;
    switch (w->kind) {
    case WAVE_STATE:
    case WAVE_BUS:
        draw_run(w, counts ? longest_state(counts) : seen->last,
                 seen->changes + (w->drawn && seen->first != w->last), e, c, x, span, time);
        break;
    case WAVE_FLAG:
        draw_flag(w, seen, c, x, span, role);
        break;
    case WAVE_ANALOGUE:
        for (int k = 0; k < span; k++)
            canvas_heat(c, w->y, x + k, wave_extreme(seen), w->full);
        break;
    case WAVE_WRITES:
        if (seen->high)
            canvas_text(c, w->y, x, time == WAVE_FUTURE ? ROLE_DIM : ROLE_WRITTEN, MARK_WRITTEN);
        break;
    case WAVE_MARKS:
        draw_marks(w, seen->high, c, x);
        break;
    }
    w->last = seen->last;
    w->drawn = true;
}
