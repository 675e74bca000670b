#ifndef SESSION_EXPLAIN_H
#define SESSION_EXPLAIN_H
/* What the next clock edge will do, in words and with the real operands, read through the signal
 * table alone. The results are computed here from the operands by the functions of fixed_point.h,
 * and a test compares each with what the engine then stores. */
#include "engine/engine.h"
#include "session/session.h"

/* Elements that an operation reads: count of them, `stride` apart. */
typedef struct Operand {
    const Signal *signal;
    int at, count, stride;
} Operand;

enum { EXPLAIN_OPS = 24, EXPLAIN_READS = 6 };

/* One assignment: elements target[at .. at + count - 1] get new values. */
typedef struct Operation {
    const Signal *target;
    int at, count;
    int32_t result;    /* raw value of the first element */
    unsigned events;   /* EventKind bits, of any element */
    char formula[96];  /* symbols: "scores[0][3] <- narrow(q . K[3]) * score_scale" */
    char numbers[160]; /* the same with this clock's operands: "8000 - 0040 = 7fc0" */
    char remark[96];   /* "" or what to notice: "wraps: -128.25 does not fit" */
    Operand reads[EXPLAIN_READS];
    int n_reads;
} Operation;

/* The operations of the coming edge, the most telling first: stores to vectors, then scalar
 * registers, then counters and states. Returns how many (at most EXPLAIN_OPS). */
int explain_clock(const Engine *e, Operation ops[EXPLAIN_OPS]);
/* How element `at` got its present value: the operation of the edge that stored it last, seen from
 * the state before that edge, and the cycle of that edge. False when nothing has stored it yet. */
bool explain_cell(const Session *s, const Signal *signal, int at, Operation *op, uint64_t *cycle);

#endif
