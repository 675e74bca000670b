/* Runs, forward and backward, in slices. A cycle is a hit of a condition when the condition is true
 * of it and was not of the cycle before (a pulse: whenever it is true), so that forward and
 * backward runs stop in the same cycles. */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "engine/cycle.h"
#include "session/session_private.h"

static void prime(Session *s)
{
    if (s->run.until)
        s->run.was = expr_true(s->run.until, s->engine);
    for (int i = 0; i < s->n_breaks; i++)
        s->break_was[i] = expr_true(s->breaks[i].expr, s->engine);
}

/* All conditions of one cycle; which = -1 for the until-condition, else the index of a breakpoint.
 */
static bool any_hit(Session *s, const Engine *e, int *which)
{
    bool hit = false;
    int n_breaks = s->deaf && s->run.until ? 0 : s->n_breaks;
    for (int i = n_breaks; i-- > 0;) {
        if (expr_hits(s->breaks[i].expr, e, &s->break_was[i])) {
            *which = i;
            hit = true;
        }
    }
    if (s->run.until && expr_hits(s->run.until, e, &s->run.was)) {
        *which = -1;
        hit = true;
    }
    return hit;
}

static bool begin(Session *s, RunKind kind, const char *until, Err *err)
{
    Expr *x = NULL;
    if (until && *until && !(x = expr_parse(until, s->engine, err)))
        return false;
    expr_free(s->run.until);
    uint64_t now = engine_cycle(s->engine);
    s->run = (Run){.active = true, .kind = kind, .until = x, .end = now, .begin = now};
    s->note[0] = '\0';
    s->hit = NULL;
    prime(s);
    return true;
}

void session_hold(Session *s, const char *why)
{
    s->held = why;
}

void session_hush(Session *s, bool hush)
{
    s->hush = hush;
}

bool session_hushed(const Session *s)
{
    return s->hush && !s->deaf;
}

bool session_may_move(const Session *s, Err *err)
{
    return !s->held || s->deaf || err_set(err, "%s", s->held);
}

bool session_run(Session *s, const char *until, Err *err)
{
    if (!session_may_move(s, err))
        return false;
    return begin(s, RUN_FORWARD, until, err);
}

bool session_run_back(Session *s, const char *until, Err *err)
{
    return begin(s, RUN_BACKWARD, until, err);
}

void session_run_to(Session *s, uint64_t cycle)
{
    begin(s, RUN_TO_CYCLE, NULL, NULL);
    s->run.end = cycle;
}

void session_deafen(Session *s, bool deaf)
{
    s->deaf = deaf;
}

bool session_running(const Session *s)
{
    return s->run.active;
}

void session_run_stop(Session *s)
{
    if (s->run.active)
        snprintf(s->note, sizeof s->note, "stopped at cycle %llu",
                 (unsigned long long)engine_cycle(s->engine));
    s->run.active = false;
}

static RunState finish(Session *s, RunState why, const char *note)
{
    s->run.active = false;
    snprintf(s->note, sizeof s->note, "%s", note);
    return why;
}

/* The element that the condition came true of; one that it does not name is told. */
static void note_element(Session *s, const Expr *x, char *note, size_t size)
{
    bool named = true;
    char name[64] = "";
    if (!expr_element(x, s->engine, &s->hit, &s->hit_at, &named))
        s->hit = NULL;
    else if (!named)
        signal_element_name(s->engine, s->hit, s->hit_at, name, sizeof name);
    snprintf(note, size, "%s%s%s", s->reason, *name ? ": " : "", name);
}

static RunState stop_at_hit(Session *s, int which)
{
    char note[sizeof s->note];
    const Break *b = which < 0 ? NULL : &s->breaks[which];
    const Expr *x = b ? b->expr : s->run.until;
    int n = b ? snprintf(s->reason, sizeof s->reason, "breakpoint %d: ", b->id)
              : snprintf(s->reason, sizeof s->reason, "until ");
    snprintf(s->reason + n, sizeof s->reason - (size_t)n, "%.*s", HEAD(expr_text(x), 150));
    note_element(s, x, note, sizeof note);
    if (b && s->run.kind == RUN_FORWARD)
        s->breaks[which].hits++;
    return finish(s, RUN_BREAK, note);
}

/* The run comes to the end of what there is; a condition that it waited for has never come true. */
static RunState finish_at_end(Session *s, RunState why, const char *end)
{
    char note[200];
    snprintf(note, sizeof note, "%s%s", s->run.until ? "never came true: " : "", end);
    s->misses += s->run.until != NULL;
    return finish(s, why, note);
}

int session_misses(const Session *s)
{
    return s->misses;
}

/* No token takes longer than the closed form says: a cycle by which, in more than twice that time,
 * the end of this one has come. */
static uint64_t deadline(const Session *s)
{
    const Config *c = &s->setup.config;
    uint64_t begin = s->run.begin, token = s->host.token_start;
    return (token > begin ? token : begin) + 2 * config_cycles(c, c->variant, c->max_seq_len - 1);
}

static RunState advance_forward(Session *s, uint64_t cycles)
{
    for (uint64_t due = deadline(s); cycles > 0; cycles--) {
        int which = 0;
        if (session_at_end(s, s->engine)) {
            char end[64];
            snprintf(end, sizeof end, "no more tokens after cycle %llu",
                     (unsigned long long)engine_cycle(s->engine));
            return finish_at_end(s, RUN_END, end);
        }
        session_tick(s, s->engine, &s->host, &s->history);
        if (any_hit(s, s->engine, &which))
            return stop_at_hit(s, which);
        if (engine_cycle(s->engine) <= due)
            continue;
        due = deadline(s); /* of the token that has begun since, if one has */
        if (engine_cycle(s->engine) > due)
            return finish_at_end(s, RUN_END, "wedged: a token that does not end");
    }
    return RUN_ON;
}

static RunState advance_to(Session *s, uint64_t cycles)
{
    uint64_t now = engine_cycle(s->engine), left = s->run.end > now ? s->run.end - now : 0;
    if (session_at_end(s, s->engine))
        return finish(s, RUN_END, "no more tokens: nothing happens from here on");
    session_step(s, left < cycles ? left : cycles);
    return left <= cycles ? finish(s, RUN_ARRIVED, "") : RUN_ON;
}

typedef struct BackTest {
    Session *session;
    int which; /* of the last hit seen */
} BackTest;

static bool back_test(void *context, const Engine *e, const Host *h, bool primes)
{
    BackTest *t = context;
    int which = 0;
    (void)h;
    bool hit = any_hit(t->session, e, &which);
    if (primes)
        return false;
    if (hit)
        t->which = which;
    return hit;
}

static RunState advance_backward(Session *s)
{
    BackTest t = {s, 0};
    uint64_t hit = 0;
    if (s->run.end > 1 && session_search_segment(s, &s->run.end, back_test, &t, &hit)) {
        session_goto(s, hit);
        return stop_at_hit(s, t.which);
    }
    if (s->run.end > 1)
        return RUN_ON;
    session_goto(s, 0);
    return finish_at_end(s, RUN_START, "back at cycle 0: no hit before");
}

RunState session_advance(Session *s, uint64_t cycles)
{
    if (!s->run.active)
        return RUN_NONE;
    switch (s->run.kind) {
    case RUN_FORWARD:
        return advance_forward(s, cycles);
    case RUN_BACKWARD:
        return advance_backward(s);
    case RUN_TO_CYCLE:
        return advance_to(s, cycles);
    }
    return RUN_NONE;
}
