/* The journal of edits: applied when a replay passes their cycle, taken back in reverse order. */
#include <stdlib.h>

#include "base/mem.h"
#include "session/session_private.h"

/* Does edit a of the journal come into force before edit b? */
static bool precedes(const Journal *j, int a, int b)
{
    return j->edits[a].cycle != j->edits[b].cycle ? j->edits[a].cycle < j->edits[b].cycle : a < b;
}

/* The weights in force just before edit i. */
static const Weights *weights_before(const Journal *j, int i, const Weights *base)
{
    int last = -1;
    for (int k = 0; k < j->count; k++) {
        if (j->weights[k] && k != i && precedes(j, k, i) && (last < 0 || precedes(j, last, k)))
            last = k;
    }
    return last < 0 ? base : j->weights[last];
}

/* Build the weights that are missing, in the order they come into force. */
static void rebuild(Journal *j, const Weights *base)
{
    for (int done = 0; done < j->count; done++) {
        int next = -1; /* the earliest that is still to be built */
        for (int k = 0; k < j->count; k++) {
            bool due = j->edits[k].signal->kind == KIND_WEIGHT && !j->weights[k];
            if (due && (next < 0 || precedes(j, k, next)))
                next = k;
        }
        if (next < 0)
            return;
        const Edit *edit = &j->edits[next];
        Weights *w = weights_copy(weights_before(j, next, base));
        w->data[signal_id(edit->signal) - SIG_WEIGHTS][edit->at] = (int16_t)edit->after;
        weights_finish(w);
        j->weights[next] = w;
    }
}

static void forget_weights_from(Journal *j, uint64_t cycle)
{
    for (int k = 0; k < j->count; k++) {
        if (j->weights[k] && j->edits[k].cycle >= cycle) {
            weights_free(j->weights[k]);
            j->weights[k] = NULL;
        }
    }
}

void journal_add(Journal *j, Edit edit, const Weights *base)
{
    if (j->count == j->cap) {
        j->cap = j->cap ? 2 * j->cap : 8;
        j->edits = xrealloc(j->edits, (size_t)j->cap * sizeof *j->edits);
        j->weights = xrealloc(j->weights, (size_t)j->cap * sizeof *j->weights);
    }
    j->edits[j->count] = edit;
    j->weights[j->count++] = NULL;
    if (edit.signal->kind == KIND_WEIGHT) {
        forget_weights_from(j, edit.cycle);
        rebuild(j, base);
    }
}

void journal_pop(Journal *j, const Weights *base)
{
    Edit edit = j->edits[j->count - 1];
    if (edit.signal->kind == KIND_WEIGHT)
        forget_weights_from(j, edit.cycle);
    j->count--;
    if (edit.signal->kind == KIND_WEIGHT)
        rebuild(j, base);
}

void journal_clear(Journal *j)
{
    forget_weights_from(j, 0);
    free(j->edits);
    free(j->weights);
    *j = (Journal){0};
}

void journal_apply(const Journal *j, Engine *e)
{
    for (int k = 0; k < j->count; k++) {
        const Edit *edit = &j->edits[k];
        if (edit->cycle != engine_cycle(e))
            continue;
        if (j->weights[k])
            engine_set_weights(e, j->weights[k]);
        else
            signal_set(e, edit->signal, edit->at, edit->after, NULL);
    }
}
