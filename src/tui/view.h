#ifndef TUI_VIEW_H
#define TUI_VIEW_H
/* A view: a pure function from the session and its own state to cells. One file view_NAME.c each,
 * one line each in the table of views.c. */
#include "session/rtl.h"
#include "script/lesson.h"
#include "session/session.h"
#include "tui/canvas.h"
#include "tui/cycles.h"
#include "tui/keys.h"
#include "tui/search_feed.h"

/* How a pane writes numbers; SHOW_COUNT + i: as entry i of format_table holds them (number.h). */
typedef enum { SHOW_HEX, SHOW_VALUE, SHOW_BOTH, SHOW_COUNT } NumberFormat;

/* What the cursor is on, for `w`, `B`, `y`, Enter and the formats view. */
typedef struct Target {
    const Signal *signal; /* NULL: nothing */
    int at;
} Target;

/* What the formats view looks at: numbers that were typed, a code whose bits were flipped, or,
 * while there is neither, the wire under the cursor of another pane (formats.h). */
enum { TYPED_MAX = 500 };
typedef struct FormatsState {
    char typed[TYPED_MAX]; /* one number or several, as typed; "" for none */
    int element;           /* which of them */
    bool flipped;          /* `code` of entry `flipped_in` of format_table stands for the value */
    int flipped_in;
    uint32_t code;
    Target followed;
    int other;                /* the format to compare with: 1 + its index; 0: bf16, of bf16 fp16 */
    int block, scale_rule;    /* kind of block and rule of its scale, by index */
    bool reciprocal;          /* nvfp4 multiplies as kernels do */
    int round_mode, overflow; /* RoundMode, Overflow */
} FormatsState;

/* What the systolic view looks at (systolic.h): which operands, and where in time it is, unless it
 * follows the machine's array (ViewState.pinned: it does not). */
typedef struct SystolicState {
    bool chosen;           /* by the user; otherwise the machine's products where it has an array */
    int source;            /* SystolicSource */
    char typed[TYPED_MAX]; /* "A x B" as typed; "" for none */
    bool typed_values;     /* its numbers are values, not integers */
    int tile, edge;        /* the edge that comes next; 0 is the first */
    bool legacy_done;
} SystolicState;

/* Where the t2 view is in the opened file. */
struct Inspector;
typedef struct T2State {
    const struct Inspector *in; /* the opened file, borrowed from the explorer; NULL: none */
    size_t tensor;              /* index */
    uint64_t tile;              /* of the tensor, counted row by row; the cell is row, col */
    bool on_bytes;              /* the cursor is in the bytes: on ... */
    uint64_t at;                /* ... this one of the file; row, col follow it */
} T2State;
/* Scrolled so that the last line shows. */
enum { LESSON_END = 1 << 20 };
/* What of a lesson's pane is not text: frame and a blank on each side, two lines of frame. */
enum { LESSON_MARGIN = 4, LESSON_FRAME = 2 };
/* The lesson that is taken, or the list of those there are. */
typedef struct LessonState {
    const Lesson *lesson; /* NULL: the list */
    LessonInfo *list;     /* read when the list is first shown; tui.c frees it */
    int count;
    bool listed;
    char why[200];    /* why it could not be read */
    char error[1000]; /* of the lesson itself, with the lines of its source around it */
    char see[40]; /* the view that the page talks about and that is not on screen: "2 vectors" */
    const struct View *show; /* the view that the page wants looked at, or NULL ... */
    bool answering;          /* the prompt is open: keys are letters of an answer */
    char cursor[64];         /* ... and the element that its cursor goes to, "" for none */
} LessonState;

/* What belongs to a pane, not to the machine: kept between frames, changed by keys. */
typedef struct ViewState {
    int row, col;        /* the cursor, in the view's own coordinates (view clamps them) */
    int top, left;       /* first visible row / column */
    int choice;          /* which of several things is shown: vector, head, K or V, zoom ... */
    int option;          /* a second choice: which curve, heat map or words ... */
    bool pinned;         /* the cursor stays where the user put it; else it follows the machine */
    uint64_t cycle;      /* pinned in time: the cycle that the time cursor is on */
    NumberFormat format; /* `x` cycles hex / value / both */
    FormatsState formats;
    CyclesState cycles; /* the cycle counter's */
    SystolicState systolic;
    const Rtl *rtl; /* the RTL view's files, read once; NULL: there are none */
    T2State t2;
    LessonState lesson;
    unsigned hidden;   /* remarks that a lesson's page wants kept back: LESSON_HIDE_... */
    struct Film *film; /* the timeline's; made when first needed, tui.c frees it */
} ViewState;

typedef struct ViewKey {
    const char *key;  /* as in scripts, one or several: "h", "Left Right", "[ ]" */
    KeySense sense;   /* what it means wherever it is used (keys.h) */
    const char *word; /* for the pane's lower side, the most useful first; NULL: not there */
    const char *help; /* what it does here */
} ViewKey;

typedef struct View {
    const char *name;    /* console word: "decoder", "kv" */
    const char *title;   /* for the pane's frame and the key line: "KV cache" */
    const char *key;     /* the digit or letter that opens it */
    const char *about;   /* a paragraph for `?`: what one sees, what to try */
    const ViewKey *keys; /* its own keys beside the common ones, ends with a NULL key */
    /* Called before draw: may allocate and compute what draw shows; NULL when there is nothing. */
    void (*prepare)(const Session *s, ViewState *v);
    /* What may take longer than a frame (allocates too): go on with it for about so many seconds,
     * at least for some milliseconds (INFINITY: to its end), for a pane at r. True: there is more
     * to do; draw shows how far it has come. NULL when nothing takes long. */
    bool (*work)(const Session *s, ViewState *v, Rect r, double seconds);
    /* Draw into r (frame included). Must cope with any size, 1x1 up: degrade, never rubbish. */
    void (*draw)(const Session *s, ViewState *v, Rect r, bool focused, Canvas *c);
    /* A key that the common table does not take (arrows, h j k l, Enter come here too); true: used.
     * It changes only v, or returns a console command to be executed in `command` (may stay "");
     * one that ends in a blank is first completed on the message line; "!" and a sentence says why
     * the key has nothing to do. */
    bool (*press)(const Session *s, ViewState *v, const char *key, char *command, size_t size);
    /* The command that runs to the next phase of what the view shows; absent: of the unit at work.
     */
    void (*phase)(const Session *s, char *command, size_t size);
    /* What the cursor is on: an element that this machine has, or nothing. Called at any time, also
     * after the sizes of the machine have changed and before anything is drawn. */
    Target (*target)(const Session *s, const ViewState *v);
    /* What `y` copies where the cursor is on no element of the machine: a line; absent: nothing. */
    void (*copy)(const Session *s, ViewState *v, Buf *out);
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

extern const View view_decoder, view_vectors, view_softmax, view_kv, view_timeline, view_cycles,
    view_model, view_lesson, view_rtl;
extern const View *const views[]; /* ends with NULL; in the order of the keys */
/* The index of a view. */
int view_index(const View *v);
/* The index of a view by its name or key; -1 with the error that says which there are. */
int view_find(const char *name, Err *err);
/* Is there a view of this name? (ScriptLimits.has_view) */
bool view_exists(const char *name, Err *err);

static inline int limit(int x, int low, int high)
{
    return x > high ? high : x < low ? low : x;
}

/* Shared by the views (widgets.c): a number in the pane's format, fixed width; "-0.3008", "ffb3".
 */
int format_width(NumberFormat f);
void format_number(const Engine *e, const Signal *s, int32_t raw, NumberFormat f, char *out,
                   size_t size);
/* The value of a raw word of a TYPE_FIXED signal, exactly, as a short decimal. */
void q88_text(int32_t raw, char *out, size_t size);

#endif
