#ifndef SESSION_EXPLAIN_H
#define SESSION_EXPLAIN_H
/* What the next clock edge will do, in words and with the real operands, read through the signal
 * table alone. The results are computed here from the operands by the functions of fixed_point.h,
 * and a test compares each with what the engine then stores. All text is ASCII. */
#include "engine/engine.h"
#include "session/session.h"

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
 * that a unit loads anew. Returns how many (at most EXPLAIN_OPS). */
int explain_clock(const Engine *e, Operation ops[EXPLAIN_OPS]);
/* The one of them that stores element `at`, told for that element alone; false when none does. */
bool explain_element(const Engine *e, const Signal *signal, int at, Operation *op);
/* How element `at` got its present value: the operation of the edge that stored it last, seen from
 * the state before that edge, and the cycle which that edge ended (go there to watch it). False
 * when nothing has stored it yet. A later edit shows as op->result differing from the present
 * value. */
bool explain_cell(const Session *s, const Signal *signal, int at, Operation *op, uint64_t *cycle);

/* The edit that gave element `at` its present value; NULL when an edge stored it since. */
const Edit *explain_edit(const Session *s, const Signal *signal, int at);

/* Does it read that element? Does it write it? */
bool operation_reads(const Operation *op, const Signal *signal, int at);
bool operation_writes(const Operation *op, const Signal *signal, int at);
/* Forget that something wraps, saturates or leaks through the mask: a lesson keeps it back. */
void operation_hush(Operation *op);
/* "softmax.exp[37]", "K[3][0..63]": what it stores to. Returns the length written. */
int operation_target(const Engine *e, const Operation *op, char *out, size_t size);
/* "softmax.exp[37] <- approx_exp(shifted[37]) = ...  ! remark", appended. */
void explain_text(const Engine *e, const Operation *op, Buf *out);
/* How the element got its value, one line: name, word, value, the operation and the cycle of its
 * edge; or that it was edited, set by the host, or never stored. */
void explain_story(const Session *s, const Signal *signal, int at, Buf *out);
/* How a stop is told. */
typedef struct StopStyle {
    const char *reason; /* to be told too, or NULL */
    int columns;   /* where the operands would end behind so many, they come without the formula,
                      and the value rounded; 0: there is room for everything */
    bool discreet; /* hushed */
} StopStyle;
/* The element that stopped the last run, one line: "q[5] 0012 -> ff80 -0.5", the operation, its
 * remark, the reason, the cycle of its edge. Numbers as words with the value now, counters in
 * decimal, states by name. out becomes it; false when no element did. */
bool explain_stop(const Session *s, const StopStyle *style, Buf *out);
/* A raw Q8.8 number as a short decimal, exact to four places: "-128.25", "0.0039". */
int explain_value(int64_t raw, char *out, size_t size);

#endif
