#ifndef TUI_TERM_H
#define TUI_TERM_H
/* The terminal: alone (with term_keys.c) in talking to curses. Canvas in, keys by name out. One
 * terminal at a time (curses has one screen); signals arrive as flags that term_wait reports. */
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/screen/canvas.h"
#include "tui/input/keys.h"
#include "tui/screen/theme.h"

typedef struct Term Term;

/* Takes over the terminal: keys from stdin, or from /dev/tty when stdin is none. Refused when there
 * is no terminal, or TERM says it cannot place the cursor. ascii: draw ASCII even where the locale
 * is UTF-8. */
Term *term_open(bool ascii, Err *err);
/* Gives it back: screen, cursor, colours, modes. */
void term_close(Term *t);

void term_size(const Term *t, int *rows, int *cols);
bool term_utf8(const Term *t);
/* Bring the screen to show the canvas; sends only what differs. The cursor rests where the canvas
 * has it (screen readers follow it), and is shown when asked for. */
void term_draw(Term *t, const Canvas *c, Theme theme, bool cursor);
/* The next draw sends everything. */
void term_redraw(Term *t);
void term_mouse(Term *t, bool on);
/* Text into the clipboard of the terminal (OSC 52); false when it is not known to have one. */
bool term_copy(Term *t, const char *text);
/* Drop what has been typed and not read yet. */
void term_forget_keys(Term *t);
/* Stop as Ctrl-Z does; returns when the shell says fg. */
void term_suspend(Term *t);

typedef enum {
    TERM_IDLE,    /* time is up */
    TERM_KEY,     /* a key: its name is in key */
    TERM_PASTE,   /* bracketed paste: its text is in paste */
    TERM_RESIZE,  /* the size is, or may be, another */
    TERM_SUSPEND, /* SIGTSTP came from outside */
    TERM_END      /* the terminal is gone, or a signal asks to leave (term_signal) */
} TermEvent;
TermEvent term_wait(Term *t, int milliseconds, char key[KEY_NAME_MAX], Buf *paste);
/* The signal that came to end the program (SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 ...), 0 for none. */
int term_signal(void);
/* SIGINT since the last call? (a run is then paused instead of leaving) */
bool term_interrupted(void);

#endif
