#ifndef TUI_DECODER_VIEW_H
#define TUI_DECODER_VIEW_H
/* Private to view_decoder.c and its parts: what one frame of the decoder view shows, gathered once,
 * and the sections that draw it. Every section keeps to its rectangle and its height is fixed, so
 * that nothing moves while stepping. */
#include "tell/explain.h"
#include "engine/cycle.h"
#include "engine/units.h"
#include "tui/view/view.h"

typedef struct DecoderScene {
    const Session *session;
    const Engine *e;
    const Config *c;
    NumberFormat format;
    bool focused;
    bool discreet; /* a lesson keeps back what wraps, saturates or leaks through the mask */
    bool bet;      /* a lesson wants a bet first on what this clock does */
    int cursor;    /* the operation that the cursor is on */
    int operand;   /* the one of its operands that is chosen, from 1; 0: none */
    int scroll;    /* first line of the last clock and of the watches */
    Operation ops[EXPLAIN_OPS];
    int n_ops;
    uint64_t in_state[UNIT_COUNT]; /* cycles spent in the present state, this one included */
    uint64_t stages[STAGE_COUNT];  /* cycles of this token so far */
    uint64_t elapsed;              /* their sum */
    bool counted;                  /* false: the token is too long to count for every frame */
} DecoderScene;

/* decoder_machine.c: the block diagram (2 rows, or 5 where it has them) and the state strips. */
void decoder_diagram(const DecoderScene *d, Rect r, Canvas *c);
void decoder_strips(const DecoderScene *d, Rect r, Canvas *c);
int decoder_diagram_width(const Config *config, bool tall);
/* The unit that the top FSM starts or waits for; UNIT_TOP when there is none. */
int decoder_unit_at_work(const Engine *e);

/* decoder_clock.c: the coming edge, the operands of the operation under the cursor, the last edge,
 * and the watches. */
void decoder_this_clock(const DecoderScene *d, Rect r, Canvas *c);
void decoder_operands(const DecoderScene *d, Rect r, Canvas *c);
/* "q[0..15]", "wq[][3]": the elements of an operand. */
void decoder_operand_name(const DecoderScene *d, const Operand *o, char *out, size_t size);
/* How many lines the last clock has. */
int decoder_last_lines(const Engine *e);
void decoder_last_clock(const DecoderScene *d, Rect r, Canvas *c);
void decoder_watches(const DecoderScene *d, Rect r, Canvas *c);
/* Is it a counter, a state or a flag (all told on one line)? */
bool decoder_is_control(const Operation *op);

#endif
