#ifndef TUI_JUMP_H
#define TUI_JUMP_H
/* The way back of jumps: where Enter, `show`, or a search came from, the last sixteen of them. */
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/view/view.h"

typedef struct Tui Tui;

enum { JUMPS_MAX = 16 };

/* A view, its cursor and scroll, and the cycle that the machine was in. */
enum { JUMP_PLACE = 16 };
typedef struct Jump {
    int view;                        /* index */
    ViewState at;                    /* but for what is no place: how numbers are written ... */
    unsigned char place[JUMP_PLACE]; /* what its own state has behind that up to View.place_end */
    uint64_t clock;                  /* the machine's cycle */
    bool to_clock;                   /* the jump moved the machine: the way back does too */
} Jump;

/* The newest last; where there is no more room the oldest is forgotten. */
typedef struct Jumps {
    Jump all[JUMPS_MAX];
    int count;
} Jumps;

/* Where the explorer stands: the view in focus, with its cursor brought up to date. */
Jump jump_here(Tui *t);
/* After something that may have been a jump: `from` is kept when the view, its cursor or the
 * machine's cycle is now another (the lesson's own moves and its pane are none). */
void jump_note(Tui *t, const Jump *from);
/* Back to where the last one came from; out says where that is. */
bool jump_back(Tui *t, Buf *out, Err *err);
/* Is there a way back that Backspace takes? (In the lesson's pane it turns the page.) */
bool jump_shown(const Tui *t);

#endif
