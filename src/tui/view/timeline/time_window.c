#include "tui/view/timeline/time_window.h"

#include <assert.h>

#include "engine/cycle.h"
#include "tell/look.h"

enum {
    WIDE_SPAN = 6, /* cells of a cycle at the finest zoom */
    NEAR = 1 << 16 /* cycles that take no time to simulate */
};

uint64_t time_horizon(const Session *s)
{
    const Setup *setup = session_setup(s);
    uint64_t now = engine_cycle(session_engine(s)), n = 1;
    for (int p = 0; p < setup_token_count(setup); p++)
        n += config_cycles(&setup->config, setup->config.variant, p) + 1;
    return n > now ? n : now + 1;
}

/* The token on the pins in a cycle. */
typedef struct TokenAt {
    uint64_t start;
    int pos;
} TokenAt;

static bool note_token(void *context, const Engine *e, const Host *h)
{
    *(TokenAt *)context = (TokenAt){h->token_start, look_value(e, "seq_pos")};
    return false;
}

/* The token in the past as it was, in the future by the closed form. Only a poke or a model's end
 * mark put that wrong, so then the near future is looked at; further out the columns begin
 * elsewhere, and what they show is still what happens there. */
static TokenAt token_at(const Session *s, uint64_t cycle)
{
    const Engine *e = session_engine(s);
    const Config *c = engine_config(e);
    const Host *h = session_host(s);
    uint64_t now = engine_cycle(e);
    TokenAt token = {h->token_start, look_value(e, "seq_pos")};
    int edits = 0;
    session_edits(s, &edits);
    bool regular = edits == 0 && !session_model(s);
    if (cycle == now || (edits == 0 && token.start <= cycle && cycle < now))
        return token;
    if (cycle < now || (!regular && cycle - now <= NEAR)) {
        session_visit(s, cycle, cycle, note_token, &token);
        return token;
    }
    for (int p = h->token; p + 1 < setup_token_count(session_setup(s)); p++) {
        uint64_t next = token.start + config_cycles(c, c->variant, p) + 1;
        if (next > cycle)
            break;
        token = (TokenAt){next, p + 1};
    }
    return token;
}

TimeWindow time_window(const Session *s, int *zoom, uint64_t focus, int columns)
{
    const Config *c = engine_config(session_engine(s));
    uint64_t all = time_horizon(s), cols = columns > 0 ? (uint64_t)columns : 1;
    TokenAt token = token_at(s, focus);
    uint64_t length = config_cycles(c, c->variant, token.pos) + 1;
    uint64_t whole = length > cols ? (length + cols - 1) / cols : 1; /* cycles a column */
    TimeWindow w = {.start = token.start, .per_column = whole, .span = 1, .columns = (int)cols};
    if (*zoom < 0) {
        int steps = 0;
        while ((uint64_t)2 << steps < whole)
            steps++;
        *zoom = *zoom < -steps - 2 ? -steps - 2 : *zoom;
        int fine = steps + *zoom + 1;
        w.per_column = fine >= 0 ? (uint64_t)1 << fine : 1;
        w.span = fine >= 0 ? 1 : WIDE_SPAN;
        w.columns = (int)cols / w.span > 0 ? (int)cols / w.span : 1;
    }
    while (*zoom > 0 && (*zoom > 40 || whole << *zoom > UINT32_MAX ||
                         whole << (*zoom - 1) >= (all + cols - 1) / cols))
        (*zoom)--;
    if (*zoom > 0)
        w.per_column = whole << *zoom;
    assert(w.per_column > 0);
    if (*zoom != 0) {
        uint64_t page = w.per_column * (uint64_t)w.columns, half = page / 2 ? page / 2 : 1;
        uint64_t begin = focus / half * half;
        w.start = page >= all ? 0 : begin > page / 4 ? begin - page / 4 : 0;
        w.start -= w.start % w.per_column;
    }
    w.end = w.start + w.per_column * (uint64_t)w.columns;
    return w;
}
