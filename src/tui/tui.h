#ifndef TUI_TUI_H
#define TUI_TUI_H
/* The explorer as a value: keys and command lines go in, a canvas comes out. Knows no terminal: the
 * loop (loop.c) and the script driver (script.c) feed it. */
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "session/command.h"
#include "tui/screen/canvas.h"
#include "tui/screen/theme.h"

typedef struct Tui Tui;

/* The session is borrowed. history: file of the console's history, or NULL for none. */
Tui *tui_new(Session *s, Theme theme, const char *history);
void tui_free(Tui *t);

void tui_resize(Tui *t, int rows, int cols, bool utf8);
/* Draw the present state; the canvas is the Tui's own, valid until the next call. With a loop that
 * goes on (tui_on_busy), views that have much to compute are shown as far as they have come. */
const Canvas *tui_draw(Tui *t);
/* The same when all of it is computed. */
const Canvas *tui_draw_whole(Tui *t);
/* Have the views on screen anything left to compute? As of the last tui_draw or tui_work. */
bool tui_working(const Tui *t);
/* Let them go on with it for about so many seconds. */
void tui_work(Tui *t, double seconds);

/* Open a file by its kind (t2.md rule 9): tensors in the t2 view, a model in the machine, a .lua
 * file as a lesson. out: what it is, and warnings. rows x cols: the shape where a file does not
 * tell it, or 0. */
typedef enum { OPENED_TENSORS, OPENED_MODEL, OPENED_LESSON } Opened;
bool tui_open(Tui *t, const char *path, uint64_t rows, uint64_t cols, Opened *what, Buf *out,
              Err *err);
/* Does tui_open take it as a lesson? By its name alone. */
bool tui_opens_lesson(const char *path);
/* What the t2 view shows until a file is opened: this one, if it is there. */
void tui_offer_tensors(Tui *t, const char *path, uint64_t rows, uint64_t cols);

/* Run the console commands of a file, a line each (# comments): refusals go into the console with
 * the number of their line, and the screen says so. False when it cannot be read. */
bool tui_init(Tui *t, const char *path, Err *err);
/* The same with $XDG_CONFIG_HOME/tokstep/init, if there is one. */
void tui_init_default(Tui *t);
/* From now on `theme` keeps its choice in this file (borrowed). */
void tui_remember_theme(Tui *t, const char *path);
/* What was chosen so; false when nothing was. */
bool tui_remembered_theme(const char *path, Theme *theme);

/* The screen as text into a file. */
bool tui_save_screen(Tui *t, const char *path, Err *err);

/* One key by its name (keys.h). */
void tui_press(Tui *t, const char *key);
/* Text pasted into the terminal: into the console's line, never executed by itself. */
void tui_paste(Tui *t, const char *text);
/* The screen's own commands (of a Tui): they change the screen, not the machine. */
extern const Command screen_commands[];
/* One command line: of the screen, of the session, or Lua. What it prints goes to out. */
bool tui_exec(Tui *t, const char *line, Buf *out, Err *err);
/* The same, and the screen says how it went (as for keys). */
void tui_do(Tui *t, const char *line);

/* While Lua runs, `go_on` is asked every 20 ms: it may draw, and says no to stop it. */
void tui_on_busy(Tui *t, bool (*go_on)(void *context), void *context);
/* Take a lesson: its page stands beside the views. */
bool tui_take_lesson(Tui *t, const char *name, Err *err);
/* What the pupil does in it goes into that file too, as a hand-in with that name. */
bool tui_hand_in(Tui *t, const char *path, const char *name, Err *err);

/* A run in progress: let it go on for `seconds`, at the speed of `play` or, for other runs, as fast
 * as it goes. */
bool tui_running(const Tui *t);
bool tui_paced(const Tui *t); /* ... slow enough that there is time to wait */
void tui_advance(Tui *t, double seconds);
/* Let it go on to its end (scripts). */
void tui_settle(Tui *t);
void tui_pause(Tui *t);

/* What the user asked of the program around; the loop looks after each key. */
typedef struct Wishes {
    bool quit, suspend, redraw;
    bool forget_keys; /* what is waiting to be read was typed for a prompt that has closed */
    bool mouse;       /* wanted state */
    bool cursor;      /* wanted state: shown, as a line is being edited */
    Theme theme;      /* wanted state */
    const char *copy; /* text for the clipboard, NULL for none; taken back with tui_copied */
} Wishes;
const Wishes *tui_wishes(const Tui *t);
/* The wish was granted (suspend, redraw, copy, forget_keys). */
void tui_granted(Tui *t);

/* Say something on the message line until the next key. */
void tui_say(Tui *t, Role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
