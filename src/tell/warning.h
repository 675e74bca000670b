#ifndef TELL_WARNING_H
#define TELL_WARNING_H
/* What a learner should notice about the last edge. */
#include "engine/engine.h"

/* Does the event still tell the truth? (An edit may have overtaken it.) */
typedef bool WarningHolds(const void *context, const Event *event);
/* The last edge's suspicious events in words, the worst first, "" when there were none. */
void warning_text(const Engine *e, WarningHolds *holds, const void *context, char *out,
                  size_t size);
/* The lesson about an event of that signal: "06". */
const char *warning_lesson(const Engine *e, SignalId id, int index);

#endif
