#ifndef NUM_OPINION_H
#define NUM_OPINION_H
/* Who disagrees: what named tools store for a value where it is not the code that was stored here.
 * formats.md 1.2 is the source of every line. */
#include "num/encode.h"

typedef struct Opinion {
    const char *tool; /* "CUDA constructors" */
    bool refuses;     /* it raises an error; code means nothing */
    uint32_t code;
} Opinion;

/* The next opinion on v in f that is not `ours`, the code that v became here under the overflow
 * policy; *cursor starts at 0. False when there are no more. */
bool opinion_next(const Format *f, const Value *v, uint32_t ours, Overflow overflow, size_t *cursor,
                  Opinion *out);

#endif
