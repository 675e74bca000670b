#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H
/* One investigation of one machine: moving in time, breakpoints, watches, edits. Stepping, running
 * and replaying are one code path. Going back is the nearest keyframe plus replay. Everything above
 * reads it through `const Session *`; only session_exec and the functions that take `Session *`
 * change it. Pointers it hands out live until the next such call. */
#include "base/buf.h"
#include "base/err.h"
#include "engine/engine.h"
#include "session/expr.h"
#include "model/setup.h"

typedef struct Session Session;

/* At cycle 0, token 0 on the pins, start high. The setup has passed setup_check. */
Session *session_new(const Setup *setup);
void session_free(Session *s);
/* Begin again with another setup; watches and breakpoints that still make sense are kept. */
void session_restart(Session *s, const Setup *setup);
/* Begin again with the weights of a model file. */
bool session_open_model(Session *s, const char *path, Err *err);

const Engine *session_engine(const Session *s);
const Setup *session_setup(const Session *s);

/* What the host does beside the machine, and what happened since it presented the token. */
typedef struct Host {
    int token;            /* index of the token on the pins */
    bool presented;       /* start was raised by the host and is not yet taken */
    uint64_t token_start; /* the cycle in which its start is (or was) sampled */
    uint32_t saturations, wraps, mask_leaks, sum_overflows; /* events of this token so far */
    uint8_t letters[SETUP_TEXT]; /* with a model: index in its vocabulary, positions 0..token */
} Host;
const Host *session_host(const Session *s);

/* The session's model and its weights as they were loaded; NULL without a model. */
const Model *session_model(const Session *s);
/* The letter at a position 0..host->token, as a character of the model's vocabulary. */
char session_letter(const Session *s, int position);
/* The position whose out_emb stands in the machine; -1 before the first one is done. */
int session_output(const Session *s);
/* The letter (an index) that the host takes after that position when the text does not say it. */
int session_next(const Session *s);
/* The n most probable letters after that position; false (and nothing written) without a model or
 * when there is none yet. */
bool session_top(const Session *s, Guess *best, int n);

/* Moving; breakpoints matter to runs only. Backward ends at reset, clocks go on for ever, and the
 * moves by states and tokens end where nothing will happen any more (session_note tells of a wedged
 * machine, on which they are not made). */
void session_step(Session *s, uint64_t n);
void session_back(Session *s, uint64_t n); /* at most to cycle 0 */
void session_goto(Session *s, uint64_t cycle);
/* The n-th next (n > 0) or previous (n < 0) cycle in which the top FSM has just changed state. */
void session_move_state(Session *s, int64_t n);
/* To the cycle in which the start of the n-th next or previous token is sampled. Past the last
 * token: to its end. Before the first: to cycle 0. */
void session_move_token(Session *s, int64_t n);

/* Runs are done in slices so that the caller's loop stays alive: begin, then advance until it
 * returns a reason other than RUN_ON. */
typedef enum {
    RUN_ON,          /* slice used up, more to do */
    RUN_BREAK,       /* a breakpoint or the until-condition: session_note says which */
    RUN_END,         /* forward: the host has no more tokens and the machine is IDLE, or wedged */
    RUN_START,       /* backward: arrived at cycle 0 without a hit */
    RUN_ARRIVED,     /* session_run_to: at the cycle asked for */
    RUN_INTERRUPTED, /* session_run_stop */
    RUN_NONE         /* no run is in progress */
} RunState;
/* until: text of a condition, or NULL for breakpoints only. */
bool session_run(Session *s, const char *until, Err *err);
bool session_run_back(Session *s, const char *until, Err *err);
/* Forward to a cycle in slices, deaf to breakpoints (for long steps). */
void session_run_to(Session *s, uint64_t cycle);
RunState session_advance(Session *s, uint64_t cycles);
/* Deaf: runs with a condition of their own pass breakpoints by, neither stopping nor counting. For
 * whoever moves the machine behind the user's back. */
void session_deafen(Session *s, bool deaf);
/* Commands that move the machine are refused with these words (kept by the caller; NULL: no more),
 * but not those of whoever has deafened the session. */
void session_hold(Session *s, const char *why);
/* What `why` tells keeps back that something wraps, saturates or leaks, but not to whoever has
 * deafened the session. */
void session_hush(Session *s, bool hush);
bool session_hushed(const Session *s);
/* Is it not held? Else the words. */
bool session_may_move(const Session *s, Err *err);
bool session_running(const Session *s);
void session_run_stop(Session *s);
/* How many runs have ended because their condition never came true: forward where the host has no
 * more tokens, or a poke has wedged the machine; backward at cycle 0. */
int session_misses(const Session *s);
/* One line on why the last run or command ended where it did; "" when there is nothing to say. */
const char *session_note(const Session *s);
/* The element that stopped the last run (RUN_BREAK), as of the present cycle; false for none. */
bool session_hit(const Session *s, const Signal **signal, int *at);
/* The condition that stopped it, "breakpoint 1: any wraps": session_note without the element. */
const char *session_reason(const Session *s);

/* Visit cycles from..to (inclusive; also beyond the present: the future that the host's tokens lead
 * to) on a scratch machine; the session itself does not move. Stops when visit returns false. For
 * timelines, VCD, searches. */
typedef bool (*SessionVisit)(void *context, const Engine *e, const Host *h);
void session_visit(const Session *s, uint64_t from, uint64_t to, SessionVisit visit, void *context);
/* What element `at` held (raw) one cycle ago; in cycle 0 what it holds. */
int32_t session_before(const Session *s, const Signal *signal, int at);
/* A machine of the same configuration for whoever needs one for a moment (explain_clock), also
 * while visiting; in no particular state. */
Engine *session_spare(const Session *s);
/* The last cycle <= the present one whose preceding edge stored element `at`; 0 when never. */
uint64_t session_last_write(const Session *s, const Signal *signal, int at);

/* Watches: elements (at >= 0) or whole signals (at = -1) to be shown. */
typedef struct Watch {
    const Signal *signal;
    int at;
} Watch;
const Watch *session_watches(const Session *s, int *count);
bool session_watch(Session *s, const char *name, Err *err);
bool session_unwatch(Session *s, const char *name, Err *err);

typedef struct Break {
    int id; /* 1, 2, ... never reused */
    Expr *expr;
    uint64_t hits; /* forward hits of runs */
} Break;
const Break *session_breaks(const Session *s, int *count);
enum { BREAKS_MAX = 256 };
bool session_break(Session *s, const char *text, int *id, Err *err);
bool session_unbreak(Session *s, int id, Err *err);

/* Edits: pokes between clocks, kept in a journal and replayed at their cycle. */
typedef struct Edit {
    uint64_t cycle;
    const Signal *signal;
    int at;
    int32_t before, after; /* raw */
} Edit;
const Edit *session_edits(const Session *s, int *count);
/* Weights too: they change from this cycle on. */
bool session_set(Session *s, const Signal *signal, int at, int32_t raw, Err *err);
bool session_undo(Session *s, Err *err);
/* For those who keep what they have seen: the first cycle that may have become another since *seen,
 * by an edit or an undo; 0 also when the machine has begun again; UINT64_MAX: none. *seen follows.
 */
uint64_t session_changed_since(const Session *s, uint64_t *seen);

#endif
