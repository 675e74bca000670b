#ifndef TELL_SOFTMAX_HEAD_H
#define TELL_SOFTMAX_HEAD_H
/* The softmax of one head as far as it has come in the present token: which of the numbers in the
 * registers are its own already, where they lead, and what is remarkable about them. One softmax
 * unit serves all heads in turn (decoder.md section 4). */
#include "engine/engine.h"

enum { SOFTMAX_SCORE, SOFTMAX_SHIFTED, SOFTMAX_EXP, SOFTMAX_PROB, SOFTMAX_COLUMNS };

typedef struct SoftmaxHead {
    const Engine *e;
    int head, S, pos;
    int held;  /* head whose numbers of this token the unit holds, or -1 */
    int index; /* entry that the present phase works on, or -1 */
    /* how far this head has come: entries made, registers set */
    int scores, shifted, probs;
    bool max, sum, recip;
} SoftmaxHead;

int softmax_held(const Engine *e);
/* The head that attention works on, or did last; 0 before that. */
int softmax_at_work(const Engine *e);
void softmax_look(SoftmaxHead *h, const Engine *e, int head);

/* Entry t of a column, raw; is it of this head and token; is it a masked position; did score - max
 * lose its sign; does it hold more than the floor although it is masked? */
int32_t softmax_entry(const SoftmaxHead *h, int column, int t);
bool softmax_known(const SoftmaxHead *h, int column, int t);
bool softmax_masked(const SoftmaxHead *h, int t);
bool softmax_wraps(const SoftmaxHead *h, int t);
bool softmax_leaks(const SoftmaxHead *h, int t);

/* What valid and masked positions hold: of the probabilities, or while there are none of the exps.
 */
typedef struct SoftmaxShares {
    bool final;                   /* of the probabilities */
    int64_t valid, masked, whole; /* raw; whole: 1.0, or the sum of the exps */
} SoftmaxShares;
SoftmaxShares softmax_shares(const SoftmaxHead *h);
double softmax_percent(const SoftmaxShares *s, int64_t part);

/* One line: what the present phase does (past: the head is shown as it stood). */
void softmax_phase(const SoftmaxHead *h, bool past, char *out, size_t size);
/* One line: the most telling thing to notice, entry t being looked at; "" for nothing. True when it
 * is something wrong. */
bool softmax_remark(const SoftmaxHead *h, const SoftmaxShares *s, int t, char *out, size_t size);

#endif
