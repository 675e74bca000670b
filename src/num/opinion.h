#ifndef NUM_OPINION_H
#define NUM_OPINION_H
/* Who disagrees: what named tools store for a value where it is not what tokstep stores (nearest,
 * saturating). formats.md 1.2 is the source of every line. */
#include "num/encode.h"

typedef struct Opinion {
    const char *tool; /* "CUDA constructors" */
    bool refuses;     /* it raises an error; code means nothing */
    uint32_t code;
} Opinion;

/* The next opinion on v in f that differs; *cursor starts at 0. False when there are no more. */
bool opinion_next(const Format *f, const Value *v, size_t *cursor, Opinion *out);

#endif
