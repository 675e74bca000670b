#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H
/* Work that takes seconds on a file of gigabytes asks every megabyte or more often whether to go
 * on. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

typedef struct Progress {
    bool (*go_on)(void *context, uint64_t done, uint64_t all); /* bytes; false: stop */
    void *context;
} Progress;

/* False with err "stopped ..." when the one who waits wants it; NULL: nobody waits. */
static inline bool progress_go_on(const Progress *p, uint64_t done, uint64_t all, Err *err)
{
    return !p || p->go_on(p->context, done, all) ||
           err_set(err, "stopped after %.0f %%", all ? 100.0 * (double)done / (double)all : 100.0);
}

#endif
