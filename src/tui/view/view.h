#ifndef TUI_VIEW_H
#define TUI_VIEW_H
/* A view: `place` brings its state up to date, `draw` is a pure function from it and the session to
 * cells. One file view_NAME.c each, one line each in the table of views.c. */
#include "base/limit.h"
#include "session/session.h"
#include "tui/screen/canvas.h"
#include "tui/input/keys.h"
#include "tui/screen/number.h"
#include "tui/screen/search_feed.h"

/* What the cursor is on, for `w`, `B`, `y`, Enter and the formats view. */
typedef struct Target {
    const Signal *signal; /* NULL: nothing */
    int at;
} Target;

/* What belongs to a pane, not to the machine: kept between frames, changed by keys. This much all
 * views have; one that has more puts this first in a struct of its own (View.state_size). */
typedef struct ViewState {
    int row, col;        /* the cursor, in the view's own coordinates (view clamps them) */
    int top, left;       /* first visible row / column */
    bool pinned;         /* the cursor stays where the user put it; else it follows the machine */
    uint64_t cycle;      /* pinned in time: the cycle that the time cursor is on */
    NumberFormat format; /* `x` cycles hex / value / both */
    unsigned hidden;     /* remarks that a lesson's page wants kept back: LESSON_HIDE_... */
} ViewState;

/* The view's own struct around it, as const as it is. */
#define view_own(v)                                                                                \
    _Generic((v), ViewState * : view_own_state, const ViewState * : view_own_const)(v)
static inline void *view_own_state(ViewState *v)
{
    return v;
}
static inline const void *view_own_const(const ViewState *v)
{
    return v;
}

/* What a cell stands for: a place of the cursor (a column of -1: any), or, with AIM_OTHER, whatever
 * the view means by the rest of the number. */
#define AIM_OTHER (UINT64_C(1) << 63)
uint64_t aim_at(int row, int col);
int aim_row(uint64_t aim);
int aim_col(uint64_t aim);
/* The cursor there; false when it was there already. */
bool aim_move(ViewState *v, uint64_t aim);

/* A key that was pressed in a view, and what comes of it besides a change of the view's state. */
typedef struct Press {
    const Session *s;
    ViewState *v; /* of the view */
    const char *key;
    int nth; /* which of its row's names, from 0 */
    enum {
        PRESS_DONE,
        PRESS_RUN,    /* text is a console command, to be executed */
        PRESS_ASK,    /* ... to be completed on the message line first */
        PRESS_REFUSE, /* text says why the key has nothing to do */
        PRESS_LEAVE   /* it is no key of the view as it is now */
    } what;
    char text[256];
} Press;
void press_run(Press *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void press_ask(Press *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void press_refuse(Press *p, const char *why);
void press_leave(Press *p);
/* What `c` does in most views: the cursor follows the machine again. */
void view_follow(Press *p);
/* Of a pair: back -1, on 1. */
int press_by(const Press *p);

typedef struct ViewKey {
    const char *key;  /* as in scripts, one or several: "h", "Left Right", "[ ]" */
    KeySense sense;   /* what it means wherever it is used (keys.h) */
    const char *word; /* for the pane's lower side, the most useful first; NULL: not there */
    const char *help; /* what it does here; NULL: told elsewhere */
    /* What it does: a function, which changes p->v alone and says in p what else is to be done; */
    void (*act)(Press *p);
    const char *command; /* or a command that it runs; a blank at its end: is completed first; */
    size_t flips;        /* or an int of the view's own state that is 0 or 1, by its offset */
} ViewKey;
#define KEY_MOVES .act = NULL /* View.move does it */

typedef struct View {
    const char *name;    /* console word: "decoder", "kv" */
    const char *title;   /* for the pane's frame and the key line: "KV cache" */
    const char *key;     /* the digit or letter that opens it */
    const char *about;   /* a paragraph for `?`: what one sees, what to try */
    const ViewKey *keys; /* its own keys beside the common ones, ends with a NULL key */
    size_t state_size;   /* of its own state; 0: it has a ViewState only */
    size_t place_end;    /* what of that tells what is shown ends here: a jump keeps it (jump.h) */
    /* Free what the state holds, not the state itself; NULL when it holds nothing. */
    void (*free)(ViewState *v);
    /* Bring the cursor and what is in sight to where they belong in a pane at r: into range, and,
     * while it follows the machine, onto what that does. Called before draw and target; but for
     * keys, it alone writes the state. */
    void (*place)(const Session *s, ViewState *v, Rect r);
    /* Called before draw: may allocate and compute what draw shows; NULL when there is nothing. */
    void (*prepare)(const Session *s, ViewState *v);
    /* What may take longer than a frame (allocates too): go on with it for about so many seconds,
     * at least for some milliseconds (INFINITY: to its end), for a pane at r. True: there is more
     * to do; draw shows how far it has come. NULL when nothing takes long. */
    bool (*work)(const Session *s, ViewState *v, Rect r, double seconds);
    /* Draw into r (frame included), as placed there. Must cope with any size, 1x1 up: degrade,
     * never rubbish. The cells that a click may select are told what they are (canvas_aim). */
    void (*draw)(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c);
    /* The cursor to what was drawn with this aim; NULL: aim_move does it. */
    void (*point)(const Session *s, ViewState *v, uint64_t aim);
    /* The keys while there is nothing for those of `keys` to act on, or NULL; absent: always they.
     */
    const ViewKey *(*keys_now)(const Session *s, const ViewState *v);
    /* The arrows and h j k l: the cursor so many rows down and columns on. */
    void (*move)(Press *p, int rows, int cols);
    int page; /* rows that PgUp and PgDn move by; 0: they are in the table, or nothing */
    /* The command that runs to the next phase of what the view shows; absent: of the unit at work.
     */
    void (*phase)(const Session *s, char *command, size_t size);
    /* What the cursor is on: an element that this machine has, or nothing. Called at any time, also
     * after the sizes of the machine have changed and before anything is drawn. */
    Target (*target)(const Session *s, const ViewState *v);
    /* What `y` copies where the cursor is on no element of the machine: a line; absent: nothing. */
    void (*copy)(const Session *s, const ViewState *v, Buf *out);
    /* Why another way of writing numbers (`x`) does not show at present, NULL when it does; absent:
     * it always shows. */
    const char *(*numbers_note)(const ViewState *v);
    /* Put the cursor on an element (Enter on a watch, lessons); false when it is not shown here. */
    bool (*find)(const Session *s, ViewState *v, Target target);
    /* What `/` searches: the view's lines, fed with their places, and the place of the cursor; and
     * the cursor to one of these places, with the text in sight. Both absent: there is nothing to
     * search. */
    void (*search_lines)(const Session *s, const ViewState *v, SearchFeed *f);
    void (*search_go)(const Session *s, ViewState *v, uint64_t at, const char *text);
} View;

/* A key that the common table does not take: *p says what is to be done; false when it is no key of
 * the view. */
bool view_press(const View *view, const Session *s, ViewState *v, const char *key, Press *p);
/* A state as at the beginning, and away with it. */
ViewState *view_state_new(const View *v);
void view_state_free(const View *v, ViewState *state);
#endif
