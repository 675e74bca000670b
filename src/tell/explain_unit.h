#ifndef TELL_EXPLAIN_UNIT_H
#define TELL_EXPLAIN_UNIT_H
/* Private to explain*.c: how the rules of a unit tell what its state does. A unit's rules are a
 * table from state names to functions; a new variant adds its FSM and a table. A rule knows only
 * what the machine does not say of itself: formula, operands, remark. It never computes a result:
 * results and events are read from the edge, and registers that no rule tells are told anyway. */
#include "engine/fixed_point.h"
#include "tell/explain.h"

typedef struct Told {
    const Signal *signal;
    int at, count;
} Told;

typedef struct Explain {
    const Engine *e;    /* before the edge */
    const Engine *next; /* behind it */
    const Config *c;
    SignalId fsm;        /* the FSM whose state is being told */
    const Signal *focus; /* tell this element alone where a whole range is stored, or NULL */
    int focus_at;
    Operation *ops;
    Told told[EXPLAIN_OPS]; /* what the operations tell of, also where one element is in focus */
    int n;
} Explain;

typedef struct ExplainRule {
    const char *state;        /* NULL ends a table */
    void (*tell)(Explain *x); /* NULL: nothing but the state and what no rule tells changes */
    const char *leaves;       /* why the FSM leaves it, unless `tell` has told; NULL: no reason */
} ExplainRule;

extern const ExplainRule explain_top_rules[], explain_layer_norm_rules[], explain_attention_rules[],
    explain_softmax_rules[], explain_feed_forward_rules[], explain_attention_stream_rules[],
    explain_feed_forward_stream_rules[], explain_attention_array_rules[],
    explain_feed_forward_array_rules[];
/* What has no FSM: the read registers and the cache of variant stream. */
void explain_stream_memories(Explain *x);
/* And the systolic array of variant array. */
void explain_array(Explain *x);
/* States that variants share. */
void explain_write_cache(Explain *x);
void explain_score(Explain *x);
void explain_softmax_store(Explain *x);
void explain_weighted_sum(Explain *x);
void explain_softmax_prep(Explain *x);
void explain_relu(Explain *x);
void explain_swiglu(Explain *x);

/* The raw value of an element, at present and behind the edge. */
static inline int32_t now(const Explain *x, SignalId id, int at)
{
    return signal_get(x->e, signal_at(id), at);
}
static inline int32_t after(const Explain *x, SignalId id, int at)
{
    return signal_get(x->next, signal_at(id), at);
}
/* Its low 16 bits, for "%04x". */
static inline unsigned hex16(int32_t raw)
{
    return (uint16_t)raw;
}

/* Has the machine an up projection? */
static inline bool explain_has_up(const Explain *x)
{
    return signal_exists(x->e, signal_at(SIG_UP));
}

/* Announce one assignment, with the result and the events of the edge. The second announces count
 * of them in one cycle: *k is the first element that is told, relative to `first` (0, or the one in
 * focus); op->count how many from there. */
Operation *op_store(Explain *x, SignalId target, int at);
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
/* A step of an operation has that exact result (in 1/256). Of one that wraps or saturates, the
 * first step that does not fit 16 bits is the remark. */
void op_step(Operation *op, int64_t exact);
/* Of how many elements that it stores has the edge noted the event? */
int op_count_events(const Explain *x, const Operation *op, EventKind kind);

/* What needs a reason, or its place in the order; all else is told without a rule. Of a counter:
 * its new value, when it changes (else NULL); or what is told without a rule, at this place. Of a
 * flag: that it is raised, when it is. */
Operation *op_counter(Explain *x, SignalId counter, const char *why);
void op_change(Explain *x, SignalId counter);
void op_flag(Explain *x, SignalId flag, const char *why);
/* Why the FSM in hand leaves its state, when it does. */
void op_state(Explain *x, const char *why);
/* Is it then in the state of that name? */
bool goes_to(const Explain *x, const char *state);

/* A dot product as the hardware forms it. */
typedef struct Span {
    SignalId id;
    int at, stride;
} Span;
typedef struct Dot {
    int64_t exact; /* the sum of products, unlimited */
    /* its largest terms: "00fe*0040 [5] + ff02*0013 [9] + 62 more = 0000a3f1 >> 8" */
    char text[96];
} Dot;
Dot dot_of(const Explain *x, Span a, Span b, int n);
/* Its operands as reads of op; what it loses as the remark. */
void op_dot(Operation *op, const Dot *dot, Span a, Span b, int n);

#endif
