#ifndef SESSION_COMMAND_H
#define SESSION_COMMAND_H
/* The command table: the only way to change an investigation. Keys, console, scripts and lessons
 * all speak this grammar. A row says what a command takes, what it does besides printing (its
 * effects) and who runs it; the parser, completion, help and the refusals come from the rows, and
 * nobody reads an effect out of a line's text. The session's rows are here; a room above has rows
 * of its own, and who executes lines lists the tables that it knows. */
#include "base/suggest.h"
#include "session/session.h"

/* What stands for an argument. */
typedef enum {
    ARG_NONE,      /* the end of the list */
    ARG_WORD,      /* one of its words */
    ARG_COUNT,     /* a whole number */
    ARG_CYCLE,     /* a whole number of clocks */
    ARG_MOVE,      /* +N, -N or N; may be missing, then +1 */
    ARG_SIGNAL,    /* a signal or an element of one */
    ARG_ELEMENT,   /* an element */
    ARG_SPAN,      /* a signal, a part of one or an element */
    ARG_VALUE,     /* a word for the element before it */
    ARG_EXPR,      /* a condition (expr.h) */
    ARG_FILE,      /* the name of a file */
    ARG_PARAMETER, /* KEY=VALUE, one or several */
    ARG_COMMAND,   /* the name of a command */
    ARG_SOUGHT,    /* a signal or any other text */
    ARG_TEXT       /* any text: the command itself knows what it takes */
} ArgKind;

typedef void (*WordFn)(void *context, const char *word);

typedef struct Arg {
    ArgKind kind;
    const char *name;     /* as help writes it: "NAME[i]"; NULL: one of `words` only */
    bool optional;        /* so are all that follow */
    const char *words;    /* words that may stand for it: "on|off"; help writes them before ... */
    const char *or_words; /* ... and these behind the name; "..." in them: there are more */
    const char *lead;     /* a word that may go before it: "until" */
    const char *needs;    /* the refusal where it is missing: "a cycle"; NULL: as of a wrong one */
    const char *must_be;  /* the refusal of a wrong one; NULL: made from its words or its kind */
    void (*offer)(WordFn add, void *context); /* more words, of a table of its own; or NULL */
} Arg;

enum { ARGS_MAX = 3, ARG_TEXT_MAX = 64, COMMAND_TABLES = 2 };

/* What was given for one of them; of the numbers and names those that its kind tells. */
typedef struct ArgValue {
    const char *text; /* "" when it was not given */
    int word;         /* index in `words` and then in `or_words`; -1: none of them */
    uint64_t count;   /* 1 when it was not given */
    int64_t move;     /* the same */
    const Signal *signal;
    int at, span; /* element (-1: all of the signal); of ARG_SPAN the first and how many */
    int32_t raw;
} ArgValue;

typedef struct Commands Commands;

typedef struct Args {
    const char *text; /* all of them, without blanks around; "" for none */
    ArgValue value[ARGS_MAX];
    const Commands *known; /* who executes the line knows these */
    Buf kept;              /* what the texts lie in */
} Args;

/* What a command that succeeds does besides printing. */
enum {
    RESTARTS = 1 << 0,   /* with an argument: begins again at cycle 0, refused as MOVES is */
    MOVES = 1 << 1,      /* the machine, in time: refused while it is held (session_hold) */
    RUNS_UNTIL = 1 << 2, /* its condition may never come true (session_misses) */
    SAVES = 1 << 3,      /* its argument is a file that it writes: not for scripts */
    WATCHES = 1 << 4,
    UNWATCHES = 1 << 5,
    SHOWS_VIEW = 1 << 6,  /* a view gets the focus, each time */
    NAMES_VIEW = 1 << 7,  /* its argument is that view */
    AIMS = 1 << 8,        /* a view's cursor goes to its argument; the focus stays */
    ANSWERS = 1 << 9,     /* a lesson: what is typed is not for the next pupil to find */
    QUITS = 1 << 10,      /* asked twice, it loses what is not saved */
    FOR_LATER = 1 << 11,  /* its argument is a line that is run later: its @ too is meant then */
    ANY_LENGTH = 1 << 12, /* its arguments may be as long as they like */
    ASKED_ONCE = 1 << 13  /* refused at the prompt it is not asked for again */
};

typedef struct Command {
    const char *name;
    Arg args[ARGS_MAX + 1]; /* end with ARG_NONE; the last takes all the rest of the line */
    const char *summary;    /* one line for help */
    unsigned effects;
    /* room: of the table (Commands). Prints go to out. */
    bool (*run)(void *room, const Args *args, Buf *out, Err *err);
} Command;

extern const Command session_commands[]; /* of a Session; ends with a NULL name */

/* The tables that are known, each with the value its commands work on. Where two have a command of
 * the same name, the later table's is meant. */
struct Commands {
    const Session *session; /* has the signals that arguments speak of */
    struct {
        const Command *rows;
        void *room;
    } table[COMMAND_TABLES];
    int count;
};
/* The session's commands, and then those of another room. */
void commands_begin(Commands *all, Session *s);
void commands_add(Commands *all, const Command *rows, void *room);
/* The command that a line begins with, NULL for none; *args (unless NULL): what follows it. */
const Command *commands_find(const Commands *all, const char *line, const char **args);
/* Is there none of its name in a later table? */
bool commands_mean(const Commands *all, const Command *c);
void *commands_room(const Commands *all, const Command *c);
/* What help prints of one of them, or of all when the name is "". */
bool commands_help(const Commands *all, const char *name, Buf *out, Err *err);

/* The row of that name, or NULL. */
const Command *command_find(const Command *rows, const char *word, size_t len);
/* Offer the names, for one that is unknown. */
void command_offer(const Command *rows, Suggest *s);
/* Has it this effect? NULL, no command, has none. */
bool command_has(const Command *c, unsigned effect);
/* What it takes, as help writes it: "[until EXPR]", "NAME VALUE". Returns out. */
const char *command_synopsis(const Command *c, char out[ARG_TEXT_MAX]);
/* The i-th word that may stand for the argument; false behind the last. */
bool arg_word(const Arg *arg, int i, char out[ARG_TEXT_MAX]);
/* Its arguments out of a text; false with err when they are not what it takes. args_free in any
 * case. */
bool args_read(Args *a, const Commands *all, const Command *c, const char *text, Err *err);
void args_free(Args *a);
/* Read its arguments and run it, unless it moves a machine that is held. */
bool command_run(const Commands *all, const Command *c, const char *args, Buf *out, Err *err);

/* One line of the session's: a command word and its arguments. False with err for an unknown
 * command or bad arguments; the session is then as it was. A run it begins goes on in
 * session_advance. */
bool session_exec(Session *s, const char *line, Buf *out, Err *err);
/* Split off the first word: *len is its length, the return value the rest without leading blanks.
 */
const char *command_word(const char **line, size_t *len);

#endif
