#ifndef TUI_COMPLETION_H
#define TUI_COMPLETION_H
/* What may be typed next on a command line. */
#include <stdbool.h>
#include <stddef.h>

#include "session/command.h"

/* Every word of a command that may stand at byte `start` of `line` goes to add, whatever has been
 * typed of it. False when a file name is expected there. */
bool complete_words(const Commands *commands, const char *line, size_t start, WordFn add,
                    void *context);

/* Does more of the same word follow: KEY=, or a vector, whose index may come? */
bool complete_goes_on(const Session *s, const char *word);

#endif
