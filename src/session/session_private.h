#ifndef SESSION_SESSION_PRIVATE_H
#define SESSION_SESSION_PRIVATE_H
/* Private to the session room: what session.c, run.c, points.c and journal.c share. */
#include "session/history.h"
#include "session/session.h"

/* Edits in the order they were made; weight edits carry the weights from their cycle on. */
typedef struct Journal {
    Edit *edits;
    Weights **weights; /* per edit: NULL unless it changes a weight */
    int count, cap;
} Journal;

/* Add an edit / take the last one back; `base` are the weights before any edit. */
void journal_add(Journal *j, Edit edit, const Weights *base);
void journal_pop(Journal *j, const Weights *base);
void journal_clear(Journal *j);
/* Make the edits of e's present cycle. */
void journal_apply(const Journal *j, Engine *e);

typedef enum { RUN_FORWARD, RUN_BACKWARD, RUN_TO_CYCLE } RunKind;
typedef struct Run {
    bool active;
    RunKind kind;
    Expr *until;    /* NULL: breakpoints only */
    bool was;       /* was `until` true in the previous cycle? */
    uint64_t end;   /* backward: cycles before it are still to be searched; to a cycle: that one */
    uint64_t begin; /* the cycle it began in */
} Run;

/* A machine for looking elsewhere, and the answer to the last question asked of it. */
typedef struct Scratch {
    Engine *engine;
    Engine *spare;              /* session_spare */
    const Signal *write_signal; /* session_last_write's cache */
    int write_at;
    uint64_t write_now, write_cycle;
} Scratch;

enum { CHANGES_KEPT = 16 };

struct Session {
    Setup setup;
    Weights *weights; /* as loaded */
    int16_t *tokens;  /* token_emb per position; NULL with a model */
    Engine *engine;
    Host host;
    History history;
    Journal journal;
    Scratch *scratch;
    SignalSlot top;                  /* top.state, looked at every clock */
    int32_t idle_state, first_state; /* of it */
    Watch *watches;
    int n_watches;
    Break *breaks;
    bool *break_was; /* per breakpoint: was it true in the previous cycle? */
    int n_breaks, next_break;
    bool deaf;        /* session_deafen */
    bool hush;        /* session_hush */
    const char *held; /* session_hold: why the machine may not move, borrowed; NULL: it may */
    uint64_t n_changes, changed[CHANGES_KEPT]; /* the last ones: the cycle from which each holds */
    Run run;
    int misses; /* runs whose condition never came true */
    char note[272], reason[200];
    const Signal *hit; /* the element that stopped the last run, or NULL */
    int hit_at;
};

/* One clock edge of e with the host's reaction, a keyframe when history is given and wants one, and
 * the edits of the new cycle. */
void session_tick(const Session *s, Engine *e, Host *h, History *history);
void session_replay(const Session *s, uint64_t cycle, Engine *e, Host *h);
/* Will nothing happen any more on e, the session's machine or a copy? IDLE, and start is low. */
bool session_at_end(const Session *s, const Engine *e);

/* A test of one cycle in a search; called with prime = true for the cycle before the first one. */
typedef bool (*SearchTest)(void *context, const Engine *e, const Host *h, bool prime);
/* The last cycle below *end of which test is true, looking through one keyframe's segment; *end
 * moves to what remains to be searched (1: nothing). */
bool session_search_segment(const Session *s, uint64_t *end, SearchTest test, void *context,
                            uint64_t *hit);
/* The same through all of them; *hit is 0 when there is none. */
bool session_search_back(const Session *s, uint64_t end, SearchTest test, void *context,
                         uint64_t *hit);

/* points.c: watches and breakpoints */
void points_free(Session *s);
/* After a restart: parse again, drop what has no meaning any more. */
void points_rebind(Session *s);

#endif
