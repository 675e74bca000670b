#include "tui/view/vectors/vectors_scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- which vectors there are ---- */

/* In the order in which data flows; what is not named here comes after it. */
static const SignalId flow[] = {
    SIG_TOKEN_EMB,
    SIG_LN1_CENTERED,
    SIG_LN1_OUT,
    SIG_Q,
    SIG_K,
    SIG_V,
    SIG_K_CACHE,
    SIG_V_CACHE,
    SIG_SCORES,
    SIG_SMAX_X,
    SIG_SMAX_SHIFTED,
    SIG_SMAX_EXP,
    SIG_SMAX_PROB,
    SIG_PROBS,
    SIG_HEAD,
    SIG_CONCAT,
    SIG_ATTN_OUT,
    SIG_RESIDUAL1,
    SIG_LN2_CENTERED,
    SIG_LN2_OUT,
    SIG_HIDDEN,
    SIG_FFN_OUT,
    SIG_OUT_EMB,
};
enum { FLOW = sizeof flow / sizeof *flow };

static bool is_vector(const Engine *e, const Signal *s)
{
    return signal_rank(s) > 0 && signal_exists(e, s);
}

static bool in_flow(SignalId id)
{
    for (int k = 0; k < FLOW; k++) {
        if (flow[k] == id)
            return true;
    }
    return false;
}

/* The n-th vector, or NULL. */
const Signal *vector_at(const Engine *e, int n)
{
    for (int k = 0; k < FLOW + SIG_COUNT; k++) {
        SignalId id = k < FLOW ? flow[k] : (SignalId)(k - FLOW);
        if ((k < FLOW || !in_flow(id)) && is_vector(e, signal_at(id)) && n-- == 0)
            return signal_at(id);
    }
    return NULL;
}

int vector_index(const Engine *e, const Signal *s)
{
    const Signal *v = NULL;
    for (int n = 0; (v = vector_at(e, n)) != NULL; n++) {
        if (v == s)
            return n;
    }
    return -1;
}

int vector_count(const Engine *e)
{
    int n = 0;
    while (vector_at(e, n))
        n++;
    return n;
}

/* ---- one frame ---- */

static bool moves(const VectorsState *v, const Engine *e, const Signal *s, int at,
                  VectorsState *out)
{
    *out = *v;
    out->vector = vector_index(e, s);
    out->v.row = at;
    return out->vector >= 0;
}

/* To what an edge stores, or else reads; stays where it is when that is no vector. */
static void follow(const Engine *e, const Operation *ops, int n, VectorsState *v)
{
    VectorsState moved;
    for (int k = 0; k < n; k++) {
        bool found = moves(v, e, ops[k].target, ops[k].at, &moved);
        for (int r = 0; r < ops[k].n_reads && !found; r++)
            found = moves(v, e, ops[k].reads[r].signal, ops[k].reads[r].at, &moved);
        if (found) {
            *v = moved;
            return;
        }
    }
}

typedef struct Following {
    const Session *session;
    VectorsState *moved;
} Following;

static bool follow_cycle(void *context, const Engine *e, const Host *h)
{
    const Following *f = context;
    Operation ops[EXPLAIN_OPS];
    (void)h;
    follow(e, ops, explain_clock(e, session_spare(f->session), ops), f->moved);
    return true;
}

/* To what the coming edge touches; where that is no vector, to what the edges before it have
 * touched in this token, which begins with its embedding: the same picture from wherever one comes
 * here. */
static void follow_machine(const Session *s, VectorsState *v)
{
    enum { LOOK_BACK = 16 }; /* cycles; the machine at work is never so long without a vector */
    const Engine *e = session_engine(s);
    Operation ops[EXPLAIN_OPS];
    uint64_t now = engine_cycle(e), start = session_host(s)->token_start;
    bool begins = now <= start + LOOK_BACK;
    uint64_t from = begins ? start : now - LOOK_BACK;
    VectorsState moved = *v;
    moved.vector = -1;
    follow(e, ops, explain_clock(e, session_spare(s), ops), &moved);
    if (moved.vector < 0 && from < now)
        session_visit(s, from, now - 1, follow_cycle, &(Following){s, &moved});
    if (moved.vector >= 0 || (begins && moves(v, e, signal_at(SIG_TOKEN_EMB), 0, &moved)))
        *v = moved;
}

void vectors_settle(const Session *s, VectorsState *v)
{
    const Engine *e = session_engine(s);
    int vectors = vector_count(e);
    if (!v->v.pinned)
        follow_machine(s, v);
    v->vector = limit(v->vector, 0, vectors - 1);
    v->v.row = limit(v->v.row, 0, signal_count(e, vector_at(e, v->vector)) - 1);
}

void vectors_gather(const Session *s, const VectorsState *v, bool focused, VectorScene *d)
{
    memset(d, 0, sizeof *d);
    d->session = s;
    d->e = session_engine(s);
    d->focused = focused;
    d->format = v->v.format;
    d->hidden = v->v.hidden;
    d->n_ops = explain_clock(d->e, session_spare(s), d->ops);
    d->s = vector_at(d->e, v->vector);
    d->count = signal_count(d->e, d->s);
    d->rank = signal_rank(d->s);
    d->cols = signal_dim(d->e, d->s, d->rank - 1);
    d->at = v->v.row;
}

int32_t vectors_value(const VectorScene *d, int at)
{
    return signal_get(d->e, d->s, at);
}

static bool is_extreme(int32_t raw)
{
    return raw == INT16_MAX || raw == INT16_MIN;
}

static bool is_masked(const VectorScene *d, int at)
{
    bool positions = d->s->dim[d->rank - 1] == EXT_S;
    return positions && at % d->cols > signal_get(d->e, signal_at(SIG_SEQ_POS), 0);
}

bool vectors_written(const VectorScene *d, int at)
{
    bool found = false;
    for (int k = 0; k < d->n_ops && !found; k++)
        found = operation_writes(&d->ops[k], d->s, at);
    return found;
}

bool vectors_read(const VectorScene *d, int at)
{
    bool found = false;
    for (int k = 0; k < d->n_ops && !found; k++)
        found = operation_reads(&d->ops[k], d->s, at);
    return found;
}

VectorLook vectors_look(const VectorScene *d, int at)
{
    if (vectors_written(d, at))
        return (VectorLook){ROLE_WRITTEN, MARK_WRITTEN};
    if (is_extreme(vectors_value(d, at)))
        return (VectorLook){ROLE_WARN, MARK_WARN};
    if (engine_cycle(d->e) && signal_changed(d->e, d->s, at))
        return (VectorLook){ROLE_CHANGED, " "};
    if (vectors_read(d, at))
        return (VectorLook){ROLE_READ, MARK_READ};
    if (is_masked(d, at))
        return (VectorLook){ROLE_MASKED, MARK_MASKED};
    return (VectorLook){ROLE_TEXT, " "};
}

VectorStats vectors_stats(const VectorScene *d)
{
    VectorStats s = {.min = vectors_value(d, 0), .max = vectors_value(d, 0)};
    int64_t sum = 0;
    for (int at = 0; at < d->count; at++) {
        int32_t v = vectors_value(d, at);
        sum += v;
        s.zeros += v == 0;
        s.extremes += is_extreme(v);
        if (v < s.min) {
            s.min = v;
            s.min_at = at;
        }
        if (v > s.max) {
            s.max = v;
            s.max_at = at;
        }
    }
    s.mean = (double)sum / d->count / 256.0;
    s.full = abs(s.min) > abs(s.max) ? abs(s.min) : abs(s.max);
    return s;
}
