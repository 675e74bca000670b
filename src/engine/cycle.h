#ifndef ENGINE_CYCLE_H
#define ENGINE_CYCLE_H
/* Where the cycles of a token go: the stages of the cycle counter (cli.md "cycles"), which stage a
 * cycle belongs to, and the closed forms of decoder.md sections 4 and 5, and of README for variant
 * array. Each form stands once, in the table of cycle.c. */
#include "engine/engine.h"

typedef enum {
    STAGE_LN1,
    STAGE_QKV,
    STAGE_CACHE,
    STAGE_SCORE,
    STAGE_SOFTMAX,      /* PREP and STORE included */
    STAGE_WEIGHTED_SUM, /* concatenation included */
    STAGE_OUT_PROJ,
    STAGE_RESIDUAL1,
    STAGE_LN2,
    STAGE_FFN_LINEAR1,
    STAGE_ACTIVATION, /* RELU, or SWIGLU in its place */
    STAGE_FFN_LINEAR2,
    STAGE_RESIDUAL2,
    STAGE_CONTROL, /* IDLE and *_START of the top, IDLE and DONE of attention and feed forward */
    STAGE_COUNT
} Stage;

/* "ln1", "qkv", ... as in cli.md; STAGE_ACTIVATION goes by what this machine does in it. */
const char *stage_name(const Config *c, Stage s);
/* The stage that the present cycle belongs to. */
Stage stage_of(const Engine *e);
/* Cycles of a stage in a token at position p, in variant v whatever c->variant says. */
uint64_t stage_cycles(const Config *c, Variant v, int p, Stage s);
/* Cycles from the one that samples start to the one with valid high, at position p: the stages'
 * sum. */
uint64_t config_cycles(const Config *c, Variant v, int p);
/* Cycles that an FSM (SIG_ATTN_STATE, ... whatever the variant) spends in `state` each time, at
 * position p; 0 for IDLE, which lasts until start. */
uint64_t state_cycles(const Config *c, SignalId fsm, const char *state, int p);

/* Variant array. Products of a token that the systolic array makes, and those that it has room for
 * (R * C on each edge that it is enabled). */
uint64_t config_array_useful(const Config *c);
uint64_t config_array_slots(const Config *c);

#endif
