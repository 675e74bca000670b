#ifndef TUI_LINEEDIT_H
#define TUI_LINEEDIT_H
/* The line editor: the one file that talks to readline, through its callback interface. Readline is
 * a single line editor whose callbacks carry no context, so there is one `bridge` pointer in
 * lineedit.c, set from lineedit_begin to lineedit_end. */
#include <stdbool.h>

#include "base/buf.h"
#include "session/command.h"

typedef struct LineEdit {
    const Commands *commands; /* what completion knows */
    const char *history;      /* its file, or NULL */
    /* Shows the candidates of Tab; NULL: readline's own way (a terminal). */
    void (*show)(void *context, const char *text);
    void *context;
    /* inside */
    char *line; /* entered, not yet taken */
    bool eof;   /* Ctrl-D on an empty line */
    Buf queue;  /* bytes on their way into readline */
    size_t queue_at;
    int point;   /* the cursor before a search that is not incremental */
    bool sought; /* such a search has had a text: an empty one repeats it */
} LineEdit;

/* For a screen: keys come through lineedit_key, the line is drawn by the caller. */
void lineedit_begin(LineEdit *e, const char *prompt);
void lineedit_end(LineEdit *e);
/* Another prompt for the lines that follow. */
void lineedit_label(const char *prompt);
/* A key by its name; what is no key of readline is ignored. */
void lineedit_key(LineEdit *e, const char *key);
/* Put text at the cursor as if typed; control characters other than tabs become blanks. */
void lineedit_insert(LineEdit *e, const char *text);
/* Is an incremental search going on? */
bool lineedit_searching(void);
/* The line entered since, which the caller frees, or NULL. */
char *lineedit_take(LineEdit *e);
/* Prompt and line as they stand, without characters of no width; *cursor is its column. */
void lineedit_text(Buf *out, int *cursor);

/* For a terminal of its own (`tokstep console`): blocks for a line. NULL at the end of input;
 * *cleared when Ctrl-C threw the line away. The caller frees. */
char *lineedit_read(LineEdit *e, const char *prompt, bool *cleared);
/* Ctrl-C since the last call? (a run in `tokstep console`) */
bool lineedit_interrupted(void);

/* Keep a line for the next time, without the `:` that texts write in front of commands: in memory,
 * and in the file at once; not twice in a row. */
void lineedit_remember(const LineEdit *e, const char *line);
/* $XDG_DATA_HOME/tokstep/history, or below ~/.local/share; "" when there is no home. */
void lineedit_history_path(Buf *out);

#endif
