#ifndef TUI_COMPLETION_H
#define TUI_COMPLETION_H
/* What may be typed next on a command line. */
#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"

/* Every word that may stand at byte `start` of `line` goes to add, whatever has been typed of it;
 * screen: the commands of the explorer's screen too. False when a file name is expected there. */
typedef void (*WordFn)(void *context, const char *word);
bool complete_words(const Session *s, bool screen, const char *line, size_t start, WordFn add,
                    void *context);

/* Does more of the same word follow: KEY=, or a vector, whose index may come? */
bool complete_goes_on(const Session *s, const char *word);

#endif
