#ifndef TELL_RTL_H
#define TELL_RTL_H
/* The SystemVerilog source beside the machine: which lines an FSM executes in the present cycle.
 * The map from states to lines is made from the tags in the files (rtl/transformer_pkg.sv tells how
 * they are written), the path through a branch by evaluating its conditions on the machine's
 * signals. */
#include "engine/engine.h"

typedef struct Rtl Rtl;

/* Read all *.sv of a directory. NULL with err set when it holds none or one cannot be read. */
Rtl *rtl_open(const char *dir, Err *err);
void rtl_close(Rtl *r);

/* The files by name, and their lines (from 0), without line ends. */
int rtl_files(const Rtl *r);
const char *rtl_file_name(const Rtl *r, int file); /* "softmax_unit.sv" */
int rtl_lines(const Rtl *r, int file);
const char *rtl_line(const Rtl *r, int file, int line);

/* Where the branch of a state is written: from its label to its end. */
typedef struct RtlBranch {
    int file;
    int first, last;
} RtlBranch;
/* False when the state has no tag. */
bool rtl_branch(const Rtl *r, const Engine *e, SignalId fsm, int state, RtlBranch *b);

/* What the present cycle does with a line of the branch. */
typedef enum {
    RTL_PLAIN,   /* no statement: a label, an end, a comment */
    RTL_SKIPPED, /* behind a condition that does not hold */
    RTL_RUNS,    /* executes */
    RTL_SOME,    /* executes in some turns of a loop, as the data will have it */
    RTL_TRUE,    /* a condition that holds; what stands on the same line executes */
    RTL_FALSE    /* a condition that does not */
} RtlUse;
/* The branch of the FSM's present state and the use of each of its lines (uses[0] is b->first);
 * at most `max` lines are told. */
bool rtl_cycle(const Rtl *r, const Engine *e, SignalId fsm, RtlBranch *b, RtlUse *uses, int max);

/* The register that a line of an FSM's file names first (q_d[column] is q at the present column),
 * and the value of a name in it; false when there is none. */
bool rtl_register(const Rtl *r, const Engine *e, SignalId fsm, int line, SignalId *signal, int *at);
/* "i_q 5  seq_pos 3": the scalars that a line reads, through wires too, with their values. */
void rtl_values(const Rtl *r, const Engine *e, SignalId fsm, int line, char *out, size_t size);

#endif
