#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H
/* The machine: a plain value that steps one clock at a time (decoder.md section 4). Everything in
 * it is read through the signal table; pins are set between clocks with signal_set. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/config.h"
#include "engine/signals.h"
#include "engine/weights.h"

/* Powered up and out of reset: cycle 0, every state IDLE, vectors and K/V 0, pins 0. The config has
 * passed config_check; the weights are finished, sized for it and outlive the engine. */
Engine *engine_new(const Config *c, const Weights *w);
void engine_free(Engine *e);
/* dst becomes src (same config), down to the last edge's writes and events. */
void engine_copy(Engine *dst, const Engine *src);
size_t engine_size(const Engine *e); /* bytes that a copy moves */

/* rst_n low for a moment: states IDLE, registers and vectors 0, K/V and pins as they were. The
 * cycle count starts again at 0. */
void engine_reset(Engine *e);
/* One rising clock edge: the next state is computed from the current one, then committed. */
void engine_step(Engine *e);

uint64_t engine_cycle(const Engine *e); /* clock edges since reset */
const Config *engine_config(const Engine *e);
const Weights *engine_weights(const Engine *e);
void engine_set_weights(Engine *e, const Weights *w);
/* 64-bit digest of every signal but the weights, and nothing else. */
uint64_t engine_hash(const Engine *e);

/* What the last edge stored into memories: element index, index + 1, ... count of them. */
typedef struct Write {
    SignalId signal;
    int index; /* row-major */
    int count;
    int data; /* engine room: where the values (after commit: the old ones) wait */
} Write;
const Write *engine_writes(const Engine *e, int *count);

/* What the last edge's arithmetic did that a learner should see. */
typedef enum {
    EVENT_SATURATE = 1,    /* fp_sat_add clamped */
    EVENT_WRAP = 2,        /* the exact result did not fit: high bits were lost */
    EVENT_MASK_LEAK = 4,   /* a masked position holds exp above the floor of 4/256 */
    EVENT_SUM_OVERFLOW = 8 /* the sum left 16 bits: reciprocal sees it mod 65536 */
} EventKind;
typedef struct Event {
    SignalId signal;
    int index;
    unsigned kinds; /* EventKind bits */
} Event;
const Event *engine_events(const Engine *e, int *count);

#endif
