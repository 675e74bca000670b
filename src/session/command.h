#ifndef SESSION_COMMAND_H
#define SESSION_COMMAND_H
/* The command table: the only way to change an investigation. Keys, console, scripts and lessons
 * all speak this grammar; help and completion come from the table. */
#include "base/suggest.h"
#include "session/session.h"

typedef struct SessionCommand {
    const char *name;
    const char *args;    /* "[N]", "EXPR", "" */
    const char *summary; /* one line for help */
    /* argument text without surrounding blanks ("" when absent); prints go to out */
    bool (*run)(Session *s, const char *args, Buf *out, Err *err);
    bool moves; /* the machine, to another cycle */
} SessionCommand;

extern const SessionCommand session_commands[]; /* ends with a NULL name */

/* One line: a command word and its arguments. False with err for an unknown command or bad
 * arguments; the session is then as it was. A run it begins goes on in session_advance. */
bool session_exec(Session *s, const char *line, Buf *out, Err *err);
/* Offer the commands' names for one that is unknown. */
void command_offer(Suggest *s);
/* Is the line a `run` or `rev`? For who must know whether its condition came true. */
bool command_is_run(const char *line);
/* Split off the first word: *len is its length, the return value the rest without leading blanks.
 */
const char *command_word(const char **line, size_t *len);

#endif
