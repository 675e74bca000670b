#ifndef ENGINE_UNITS_H
#define ENGINE_UNITS_H
/* The one list of the machine's FSMs. */
#include "engine/engine.h"

/* In the order of the data. */
enum { UNIT_TOP, UNIT_LN1, UNIT_ATTN, UNIT_SMAX, UNIT_LN2, UNIT_FFN, UNIT_COUNT };

typedef struct Unit {
    const char *name;  /* "attn": its state is attn.state */
    const char *label; /* in a diagram: "Attention"; NULL: it has no box of its own */
    const char *rms;   /* the same with norm rms; NULL: as without */
    SignalId fsm;      /* signal_in(e, fsm) is the one of this machine's variant */
    int boss;          /* the unit that starts it and waits; of the top itself UNIT_TOP */
} Unit;
extern const Unit units[UNIT_COUNT];

/* Its label in this machine. */
const char *unit_label(const Config *c, int unit);
/* The name of the state that a unit is in. */
const char *unit_state(const Engine *e, int unit);
bool unit_is_idle(const Engine *e, int unit);
/* The innermost unit that is not IDLE; the top when all are. */
int unit_at_work(const Engine *e);

#endif
