#ifndef SESSION_STORY_H
#define SESSION_STORY_H
/* The story of an element: the edge or the edit that gave it the value it has. */
#include "tell/explain.h"
#include "session/session.h"

/* The operation of the edge that stored element `at` last, seen from the state before that edge,
 * and the cycle which that edge ended (go there to watch it). False when nothing has stored it yet.
 * A later edit shows as op->result differing from the present value. */
bool story_edge(const Session *s, const Signal *signal, int at, Operation *op, uint64_t *cycle);
/* The edit that gave element `at` its present value; NULL when an edge stored it since. */
const Edit *story_edit(const Session *s, const Signal *signal, int at);
/* How the element got its value, one line: name, word, value, the operation and the cycle of its
 * edge; or that it was edited, set by the host, or never stored. Appended. */
void story_text(const Session *s, const Signal *signal, int at, Buf *out);
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
bool story_stop(const Session *s, const StopStyle *style, Buf *out);

#endif
