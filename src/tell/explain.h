#ifndef TELL_EXPLAIN_H
#define TELL_EXPLAIN_H
/* What the next clock edge will do, in words and with the real operands, read through the signal
 * table alone. Results and events are those of the edge itself, made on a spare machine; formulas,
 * operands and remarks are told by rules. All text is ASCII. */
#include "base/buf.h"
#include "engine/engine.h"

/* Elements that an operation reads: `count` runs of `width` elements, `stride` apart. */
typedef struct Operand {
    const Signal *signal;
    int at, count, stride, width;
} Operand;

enum { EXPLAIN_OPS = 48, EXPLAIN_READS = 6 };

/* One assignment: elements target[at .. at + count - 1] get new values. */
typedef struct Operation {
    const Signal *target;
    int at, count;
    int32_t result;    /* raw value of the first element */
    unsigned events;   /* EventKind bits, of any element */
    char formula[96];  /* right side in symbols: "narrow(q . K[3]) * score_scale" */
    char numbers[160]; /* the same with this clock's operands: "8000 - 0040"; "" for constants */
    char remark[96];   /* "" or what to notice: "wraps: -128.25 does not fit in 16 bits" */
    Operand reads[EXPLAIN_READS];
    int n_reads;
} Operation;

/* The operations of the coming edge, the most telling first: stores to vectors, then scalar
 * registers, then counters, states and flags. What keeps its value is left out, but for registers
 * that a unit loads anew. `next` is a spare machine of the same configuration, which the edge is
 * made on. Returns how many (at most EXPLAIN_OPS). */
int explain_clock(const Engine *e, Engine *next, Operation ops[EXPLAIN_OPS]);
/* The one of them that stores element `at`, told for that element alone; false when none does. */
bool explain_element(const Engine *e, Engine *next, const Signal *signal, int at, Operation *op);

/* Does it read that element? Does it write it? */
bool operation_reads(const Operation *op, const Signal *signal, int at);
bool operation_writes(const Operation *op, const Signal *signal, int at);
/* Forget that something wraps, saturates or leaks through the mask: a lesson keeps it back. */
void operation_hush(Operation *op);
/* "softmax.exp[37]", "K[3][0..63]": what it stores to. Returns the length written. */
int operation_target(const Engine *e, const Operation *op, char *out, size_t size);
/* "softmax.exp[37] <- approx_exp(shifted[37]) = ...  ! remark", appended; the second: all behind
 * the target. */
void explain_text(const Engine *e, const Operation *op, Buf *out);
void explain_formula(const Operation *op, Buf *out);
/* A raw Q8.8 number as a short decimal, exact to four places: "-128.25", "0.0039". */
int explain_value(int64_t raw, char *out, size_t size);

#endif
