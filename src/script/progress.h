#ifndef SCRIPT_PROGRESS_H
#define SCRIPT_PROGRESS_H
/* Where a pupil is in a lesson: a text file per lesson in the XDG state directory, replaced as a
 * whole after every step. */
#include "base/buf.h"
#include "base/err.h"

/* The text kept for a lesson; empty when there is none yet. */
void progress_read(const char *id, Buf *out);
bool progress_write(const char *id, const char *text, Err *err);

#endif
