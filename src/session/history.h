#ifndef SESSION_HISTORY_H
#define SESSION_HISTORY_H
/* Keyframes: copies of the machine and the host at some cycles, from which any cycle is replayed. A
 * keyframe stands before the edits of its cycle. Memory is bounded: when the budget is used up,
 * every second keyframe is dropped and the distance doubles. */
#include "session/session.h"

typedef struct Keyframe {
    uint64_t cycle;
    Host host;
    Engine *engine;
} Keyframe;

typedef struct History {
    Keyframe *frames; /* by cycle, ascending; the first is cycle 0 and stays */
    int count, cap;
    uint64_t interval; /* cycles between keyframes */
    int max_frames;    /* budget / size of a copy */
} History;

void history_init(History *h, const Engine *e, const Host *host);
void history_free(History *h);
/* Offer the machine as a keyframe; taken when it is far enough beyond the last one. */
void history_offer(History *h, const Engine *e, const Host *host);
/* Is `cycle` one that history_offer would take? Cheap: for the stepping loop. */
static inline bool history_wants(const History *h, uint64_t cycle)
{
    return cycle >= h->frames[h->count - 1].cycle + h->interval;
}
/* The last keyframe at or before cycle. */
const Keyframe *history_find(const History *h, uint64_t cycle);
/* Forget keyframes after `cycle`: the past there has been edited. */
void history_cut(History *h, uint64_t cycle);

#endif
