#ifndef SCRIPT_PROGRESS_H
#define SCRIPT_PROGRESS_H
/* Where a pupil is in a lesson: text files in the XDG state directory, replaced as a whole after
 * every step. `KEY` is that of the seed taken last, `KEY.SEED` of the others: several pupils may
 * share an account. */
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* The text kept for a lesson, of whatever seed was last; empty when there is none yet. */
void progress_read(const char *key, Buf *out);
/* The text kept for that seed; empty when there is none. */
void progress_read_seed(const char *key, uint32_t seed, Buf *out);
/* Keeps a text that begins with `seed N`; what is there of another seed is set aside. */
bool progress_write(const char *key, const char *text, Err *err);

#endif
