#ifndef SESSION_EXPLAIN_UNIT_H
#define SESSION_EXPLAIN_UNIT_H
/* Private to explain*.c: how the rules of a unit tell what its state does. A unit's rules are a
 * table from state names to functions; a new variant adds its FSM and a table. */
#include "engine/fixed_point.h"
#include "session/explain.h"

typedef struct Explain {
    const Engine *e;
    const Config *c;
    SignalId fsm;        /* the FSM whose state is being told */
    const Signal *focus; /* tell this element alone where a whole range is stored, or NULL */
    int focus_at;
    Operation *ops;
    int n;
} Explain;

typedef struct ExplainRule {
    const char *state; /* NULL ends a table */
    void (*tell)(Explain *x);
} ExplainRule;

extern const ExplainRule explain_top_rules[], explain_layer_norm_rules[], explain_attention_rules[],
    explain_softmax_rules[], explain_feed_forward_rules[], explain_attention_stream_rules[],
    explain_feed_forward_stream_rules[], explain_attention_array_rules[],
    explain_feed_forward_array_rules[];
/* What has no FSM: the read registers and the cache of variant stream. */
void explain_stream_memories(Explain *x);
/* And the systolic array of variant array. */
void explain_array(Explain *x);
/* States that variants share. explain_relu leaves the next state to the caller. */
void explain_write_cache(Explain *x);
void explain_score(Explain *x);
void explain_softmax_store(Explain *x);
void explain_weighted_sum(Explain *x);
void explain_softmax_prep(Explain *x);
void explain_softmax_run(Explain *x);
void explain_relu(Explain *x);
void explain_done(Explain *x);

/* The present raw value of an element. */
static inline int32_t now(const Explain *x, SignalId id, int at)
{
    return signal_get(x->e, signal_at(id), at);
}
/* Its low 16 bits, for "%04x". */
static inline unsigned hex16(int32_t raw)
{
    return (uint16_t)raw;
}

/* Announce one assignment. The second announces count of them in one cycle: *k is the first element
 * that is told, relative to `first` (0, or the one in focus); op->count how many from there. */
Operation *op_store(Explain *x, SignalId target, int at, int32_t result);
Operation *op_range(Explain *x, SignalId target, int first, int count, int *k);
/* target[first ..] = from, all in one cycle */
Operation *op_copy(Explain *x, SignalId target, int first, int count, SignalId from);
void op_formula(Operation *op, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void op_numbers(Operation *op, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The first remark stays. */
void op_remark(Operation *op, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void op_read(Operation *op, SignalId id, int at, int count, int stride);
/* count runs of width elements */
void op_read_block(Operation *op, SignalId id, int at, int count, int stride, int width);
/* Does `exact` (in 1/256) fit 16 bits? If not: the event, and a remark. */
void op_fits(Operation *op, int64_t exact, unsigned event);

/* Counters, states and flags. */
void op_count_up(Explain *x, SignalId counter);
void op_set_counter(Explain *x, SignalId counter, int32_t value, const char *why);
void op_flag(Explain *x, SignalId flag, const char *why);
/* The FSM in hand goes to the state of that name. */
void op_state(Explain *x, const char *state, const char *why);

/* A dot product as the hardware forms it. */
typedef struct Span {
    SignalId id;
    int at, stride;
} Span;
typedef struct Dot {
    int64_t exact; /* the sum of products, unlimited */
    int32_t acc;   /* in the 32-bit accumulator */
    int16_t y;     /* narrowed: acc >> 8, low 16 bits */
    char
        text[96]; /* its largest terms: "00fe*0040 [5] + ff02*0013 [9] + 62 more = 0000a3f1 >> 8" */
} Dot;
Dot dot_of(const Explain *x, Span a, Span b, int n);
/* Its operands as reads of op, its wrap as an event with a remark. */
void op_dot(Operation *op, const Dot *dot, Span a, Span b, int n);

#endif
