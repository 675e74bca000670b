#ifndef SESSION_MARK_H
#define SESSION_MARK_H
/* A place in an investigation to come back to: the machine's parameters, the edits and the cycle.
 * Watches and breakpoints are not part of it. */
#include "session/session.h"

typedef struct Mark {
    Setup setup; /* with copies of model and patches */
    uint64_t cycle;
    Edit *edits;
    int count;
} Mark;

void mark_take(Mark *mark, const Session *s);
void mark_free(Mark *mark);
/* Bytes that a mark of the session would hold. */
size_t mark_size(const Session *s);

/* Has the session the parameters of the mark? Edits and cycle may be others. */
bool mark_same_setup(const Mark *mark, const Session *s);
/* How many of the mark's edits are the session's first ones. */
int mark_same_edits(const Mark *mark, const Session *s);
/* Back to the mark, with a machine that begins again where its parameters are others. */
void mark_restore(const Mark *mark, Session *s);

#endif
