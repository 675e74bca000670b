#ifndef TUI_STATE_H
#define TUI_STATE_H
/* Inside of the explorer: shared by tui.c (keys), frame.c (drawing), help.c and screen_commands.c.
 */
#include "script/lesson.h"
#include "session/mark.h"
#include "tell/rtl.h"
#include "tui/input/console.h"
#include "tui/view/t2/inspector.h"
#include "tui/jump.h"
#include "tui/input/keymap.h"
#include "tui/layout.h"
#include "tui/search.h"
#include "tui/tui.h"
#include "tui/views.h"

/* Where keys go. */
typedef enum {
    MODE_PANES,
    MODE_CONSOLE, /* the console's pane is open */
    MODE_PROMPT,  /* one line of it, on the message line (`g`) */
    MODE_HELP
} Mode;

struct Tui {
    Session *session;  /* borrowed */
    Commands commands; /* what a line may say */
    Rtl *rtl;          /* for the RTL view; NULL when its files were not found */
    Canvas canvas;
    Canvas scratch;      /* nobody sees it: what a click lies on, help as a text */
    unsigned long draws; /* of views, so far: a click is to draw one (tests) */
    Panes panes;
    ViewState *states[VIEWS_MAX]; /* of each view, by its index */
    Mode mode, before_help;
    Mode prompt_over; /* what a prompt lies over: the panes or help */
    Jumps jumps;
    Search search;
    int help_top;   /* first line of help on screen */
    int help_page;  /* lines that one page took when drawn last */
    int help_lines; /* lines there are */
    Console *console;
    bool working;      /* views on screen have something left to compute */
    bool paced;        /* the run in progress follows `speed` */
    int speed;         /* index of speeds[] */
    double owed;       /* cycles of a paced run not yet made */
    char message[512]; /* until the next key; "" for none */
    Role message_role;
    Wishes wishes;
    KeyMap keymap;          /* the user's own keys */
    bool in_mapped;         /* one of them is being run: `key` means the keys of the table */
    const char *theme_file; /* where `theme` keeps its choice, borrowed; NULL: nowhere */
    bool quit_asked;        /* `quit` was refused because edits get lost, and is the last word */
    Inspector inspector;    /* the opened file of tensors, which the t2 view shows */
    char *matrix_file;      /* of the machine's matrix that it last opened by itself */
    char copied[256];       /* what wishes.copy points to */
    Script *script;         /* of the console, made when first needed */
    Lesson *lesson;         /* NULL: none is taken */
    Mark before_lesson;     /* with a lesson: the machine as it was before */
    bool lesson_works;      /* its Lua is running */
    bool answering;         /* the prompt's line is an answer to the lesson, whatever it says */
    bool (*go_on)(void *context); /* tui_on_busy */
    void *context;
};

/* Is there no room to show anything? */
bool tui_too_small(const Tui *t);
/* A lesson whose pane is not on screen keeps its question in so many rows above the message line.
 */
int tui_strip_rows(const Tui *t);
/* Rows of the screen that the panes may use. */
Rect tui_area(const Tui *t);
/* The view that has the focus, and its state; NULL when there is no view at all. */
const View *tui_view(const Tui *t);
ViewState *tui_view_state(Tui *t);
/* Draw a view into r of a canvas. */
void tui_draw_view(Tui *t, const Pane *pane, Canvas *c);
/* The formats view looks at what the cursor of the pane in focus is on. */
void tui_follow_cursor(Tui *t);
/* What the cursor of the focused view is on, as of now. */
Target tui_target(Tui *t);
/* Spell what the cursor is on: "exp[37]". */
bool tui_target_name(Tui *t, char *out, size_t size, Err *err);
void tui_set_mode(Tui *t, Mode mode);
/* Execute a line and say what it says; false when it was refused. */
bool tui_do_line(Tui *t, const char *line);
/* The line with each word `@` replaced by what the cursor is on. */
bool tui_expand(Tui *t, const char *line, Buf *out, Err *err);
/* The prompt, with the beginning of a command to be completed. */
void tui_prompt(Tui *t, const char *command);
/* A key for the view in focus: moves its cursor, or runs the command it answers with. */
bool tui_view_key(Tui *t, const char *key);

extern const double speeds[]; /* cycles a second; 0: as fast as it goes, the last one */
enum { SPEEDS = 14, SPEED_START = 3 };
void speed_text(int speed, char *out, size_t size);

/* What the lesson's page wants kept back: LESSON_HIDE_... */
unsigned tui_hidden_remarks(const Tui *t);
/* Room for a message. */
int tui_message_columns(const Tui *t);

/* ---- Lua and lessons (lua_host.c) ---- */

/* A line that is no command. */
bool lua_line(Tui *t, const char *line, Buf *out, Err *err);
/* A verb of lesson.h; what it wants shown is shown. */
bool lua_lesson_do(Tui *t, const char *verb, const char *text, Err *err);
/* Leave the lesson, if there is one: the machine that was there before it is put back. */
bool lua_lesson_off(Tui *t);
/* What the lesson draws in characters gets the width of its pane. */
void lua_lesson_fit(Tui *t);
/* Put a view in focus; one asked for from the lesson's pane comes beside it. */
void tui_show_view(Tui *t, int view);
void lua_free(Tui *t);

/* ---- keys of a lesson (lesson_keys.c) ---- */

/* Until the pupil's bet is placed, where the page wants one, the machine stands. */
void lesson_hold(Tui *t);
/* Enter, in whatever pane, does what the lesson's page says; false when it says nothing. */
bool lesson_enter(Tui *t);
/* What was typed for the prompt's question: an answer, or `hint`, or `?`. */
void lesson_take_answer(Tui *t, const char *answer);
/* `i` in a pane beside the lesson's: its next hint; false where there is no lesson beside. */
bool lesson_hint(Tui *t);
/* In the console, what the lesson said to an answer, or its hint; appended. */
void lesson_reply(const Tui *t, bool hint, Buf *out);
/* PgUp and PgDn scroll the lesson's text under an open prompt; false for other keys. */
bool lesson_scroll(Tui *t, const char *key);

/* A key of the mouse in the panes; false when it is none (mouse.c). */
bool mouse_press(Tui *t, const char *key);
/* The help of the focused view into r, from line t->help_top on (help.c). */
void help_draw(Tui *t, Rect r);
void help_scroll(Tui *t, const char *key);
/* For a search: its lines, with their numbers; to one of them; where that is on screen. */
void help_feed(Tui *t, SearchFeed *f);
void help_to(Tui *t, int line);
Rect help_line(const Tui *t, int line);

/* To a view that shows the element `name`, the focused one first, with the cursor on it. */
bool screen_show(Tui *t, const char *name, Target target, Err *err);

#endif
