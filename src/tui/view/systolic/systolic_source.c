/* The operands of the systolic view: examples, typed ones, and those of the decoder's present
 * stage. */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "engine/cycle.h"
#include "tell/look.h"
#include "tui/view/systolic/systolic.h"

enum { EXAMPLE_K = 8 };

static const char *const words[] = {"example", "published", "token", "machine"};

/* ---- the examples ---- */

/* Q8.8 words of different sizes and signs; every one differs from its neighbours. */
static void fill_example(Product *p, int m)
{
    p->m = m;
    p->k = EXAMPLE_K;
    p->n = p->cols;
    for (int i = 0; i < p->m * p->k; i++)
        p->a[i] = (int16_t)((i * 37 % 101 - 50) * 8);
    for (int i = 0; i < p->k * p->n; i++)
        p->b[i] = (int16_t)((i * 29 % 97 - 48) * 6);
}

/* ---- the machine ---- */

typedef struct Origin {
    const Engine *e;
    SignalId a, b;
    int a_from; /* first element of A, whose one row lies in a vector */
    int b_from; /* B[k][n] is element b_from + k * b_row + n * b_col */
    int b_row, b_col;
    int matrix; /* columns of a weight matrix; those beyond are in the next one; 0: no matrix */
    int k, n;
    char about[120];
} Origin;

static int32_t word_at(const Origin *o, SignalId id, int at)
{
    return signal_get(o->e, signal_at(id), at);
}

/* The block of `cols` that holds index i of 0..n-1: where it begins and how wide it is. */
static int block_of(int i, int n, int cols, int *width)
{
    int from = limit(i, 0, n - 1) / cols * cols;
    *width = n - from < cols ? n - from : cols;
    return from;
}

/* x times the columns of a weight matrix around column i. */
static void gemv(Origin *o, SignalId x, WeightId w, int k, int n, int i, int cols)
{
    SignalId weights = (SignalId)(SIG_WEIGHTS + w);
    int from = block_of(i, n, cols, &o->n);
    o->a = x;
    o->b = weights;
    o->b_from = from;
    o->b_row = n;
    o->b_col = 1;
    o->k = k;
    snprintf(o->about, sizeof o->about, "%s x %s, columns %d..%d", signal_at(x)->path,
             signal_at(weights)->path, from, from + o->n - 1);
}

/* Variant array makes several matrices of n columns side by side: a tile may begin in one and end
 * in another. */
static void gemv_side_by_side(Origin *o, SignalId x, WeightId w, int count, int k, int n, int i,
                              int cols)
{
    gemv(o, x, w, k, count * n, i, cols);
    o->b_row = o->matrix = n;
    int used = snprintf(o->about, sizeof o->about, "%s x", signal_at(x)->path);
    for (int m = 0; m < count; m++)
        used += snprintf(o->about + used, sizeof o->about - (size_t)used, " %s",
                         weight_name(weight_beside(w, m)));
    snprintf(o->about + used, sizeof o->about - (size_t)used, " side by side, columns %d..%d",
             o->b_from, o->b_from + o->n - 1);
}

/* q of a head times K of several positions. */
static void scores(Origin *o, const Config *c, int pos, int cols)
{
    int h = limit(look_value(o->e, "attn.h"), 0, c->n_heads - 1), dh = config_d_head(c);
    int from = block_of(look_value(o->e, "attn.t"), pos + 1, cols, &o->n);
    o->a = SIG_Q;
    o->b = SIG_K_CACHE;
    o->a_from = h * dh;
    o->b_from = from * c->d_model + h * dh;
    o->b_row = 1;
    o->b_col = c->d_model;
    o->k = dh;
    snprintf(o->about, sizeof o->about, "head %d: q x K of positions %d..%d", h, from,
             from + o->n - 1);
}

/* A head's probabilities times V, some of its dimensions. */
static void weighted_sum(Origin *o, const Config *c, int pos, int cols)
{
    int h = limit(look_value(o->e, "attn.h"), 0, c->n_heads - 1), dh = config_d_head(c);
    int from = block_of(look_value(o->e, "attn.d"), dh, cols, &o->n);
    o->a = SIG_PROBS;
    o->b = SIG_V_CACHE;
    o->a_from = h * c->max_seq_len;
    o->b_from = h * dh + from;
    o->b_row = c->d_model;
    o->b_col = 1;
    o->k = pos + 1;
    snprintf(o->about, sizeof o->about, "head %d: probs x V, dimensions %d..%d", h, from,
             from + o->n - 1);
}

/* The stage whose product is at work, or else the next one to come. */
static Stage product_stage(const Engine *e, bool *at_work)
{
    static const Stage next[STAGE_COUNT] = {
        [STAGE_LN1] = STAGE_QKV,
        [STAGE_CACHE] = STAGE_SCORE,
        [STAGE_SOFTMAX] = STAGE_WEIGHTED_SUM,
        [STAGE_RESIDUAL1] = STAGE_FFN_LINEAR1,
        [STAGE_LN2] = STAGE_FFN_LINEAR1,
        [STAGE_ACTIVATION] = STAGE_FFN_LINEAR2,
        [STAGE_RESIDUAL2] = STAGE_QKV,
    };
    static const char *const feed_forward_ahead[] = {"LN2_START", "FFN_START", "FFN_WAIT"};
    Stage s = stage_of(e);
    *at_work = s == STAGE_QKV || s == STAGE_SCORE || s == STAGE_WEIGHTED_SUM ||
               s == STAGE_OUT_PROJ || s == STAGE_FFN_LINEAR1 || s == STAGE_FFN_LINEAR2;
    if (*at_work)
        return s;
    for (size_t i = 0; s == STAGE_CONTROL && i < 3; i++) {
        if (look_in(e, "top.state", feed_forward_ahead[i]))
            return STAGE_FFN_LINEAR1;
    }
    return s == STAGE_CONTROL ? STAGE_QKV : next[s];
}

static Origin origin_of(const Engine *e, int cols)
{
    const Config *c = engine_config(e);
    const Weights *w = engine_weights(e);
    int D = c->d_model, F = c->d_ff, i = look_value(e, "attn.i"), j = look_value(e, "ffn.i");
    int pos = look_value(e, "seq_pos");
    bool at_work = false;
    Stage stage = product_stage(e, &at_work);
    Origin o = {.e = e};
    if (stage == STAGE_SCORE)
        scores(&o, c, pos, cols);
    else if (stage == STAGE_WEIGHTED_SUM)
        weighted_sum(&o, c, pos, cols);
    else if (stage == STAGE_OUT_PROJ)
        gemv(&o, SIG_CONCAT, WEIGHT_WO, D, D, i, cols);
    else if (stage == STAGE_FFN_LINEAR1 && c->variant == VARIANT_ARRAY &&
             weights_have(w, WEIGHT_W3))
        gemv_side_by_side(&o, SIG_LN2_OUT, WEIGHT_W1, 2, D, F, j, cols);
    else if (stage == STAGE_FFN_LINEAR1)
        gemv(&o, SIG_LN2_OUT, WEIGHT_W1, D, F, j, cols);
    else if (stage == STAGE_FFN_LINEAR2)
        gemv(&o, SIG_HIDDEN, WEIGHT_W2, F, D, j, cols);
    else if (c->variant == VARIANT_ARRAY)
        gemv_side_by_side(&o, SIG_LN1_OUT, WEIGHT_WQ, 3, D, D, at_work ? i : 0, cols);
    else
        gemv(&o, SIG_LN1_OUT, WEIGHT_WQ, D, D, at_work ? i : 0, cols);
    bool elsewhere = c->variant == VARIANT_ARRAY && systolic_machine_edge(e) < 0;
    size_t used = strlen(o.about);
    snprintf(o.about + used, sizeof o.about - used, "  (%s, %s)", stage_name(c, stage),
             !at_work    ? "the next product"
             : elsewhere ? "not on the array"
                         : "at work now");
    return o;
}

int systolic_machine_edge(const Engine *e)
{
    bool at_work = false;
    Stage stage = product_stage(e, &at_work);
    if (engine_config(e)->variant != VARIANT_ARRAY || !at_work)
        return -1;
    if (stage == STAGE_QKV || stage == STAGE_OUT_PROJ)
        return look_value(e, "attn.j");
    if (stage == STAGE_FFN_LINEAR1 || stage == STAGE_FFN_LINEAR2)
        return look_value(e, "ffn.j");
    return -1;
}

static int16_t weight_at(const Origin *o, int k, int n)
{
    int at = o->b_from + n * o->b_col, beyond = o->matrix ? at / o->matrix : 0;
    SignalId id = o->b;
    if (beyond)
        id = signal_weight(weight_beside((WeightId)((int)id - SIG_WEIGHTS), beyond));
    return (int16_t)word_at(o, id, at - beyond * o->matrix + k * o->b_row);
}

static void fill_machine(const Engine *e, Product *p, char *about, size_t size)
{
    Origin o = origin_of(e, p->cols);
    p->m = 1;
    p->k = limit(o.k, 1, PRODUCT_DIM);
    p->n = o.n;
    for (int k = 0; k < p->k; k++) {
        p->a[k] = (int16_t)word_at(&o, o.a, o.a_from + k);
        for (int n = 0; n < p->n; n++)
            p->b[k * p->n + n] = weight_at(&o, k, n);
    }
    snprintf(about, size, "%s", o.about);
}

/* ---- typed ---- */

/* "A x B" into its two parts. */
static bool split_typed(const char *text, char a[SYSTOLIC_TYPED_MAX], const char **b)
{
    for (const char *x = text; (x = strpbrk(x, "x*")) != NULL; x++) {
        bool alone = x > text && strchr(" ;\t", x[-1]) && strchr(" \t", x[1]) && x[1];
        if (!alone)
            continue;
        snprintf(a, SYSTOLIC_TYPED_MAX, "%.*s", (int)(x - text), text);
        *b = x + 1;
        return true;
    }
    return false;
}

static bool parse_typed(const char *text, bool q88, Product *p, Err *err)
{
    char a[SYSTOLIC_TYPED_MAX];
    const char *b = NULL;
    return split_typed(text, a, &b)
               ? product_parse(p, a, b, q88, "A", "B", err)
               : err_set(err,
                         "systolic %.*s: must be A x B (1 2; 3 4 x 5 6; 7 8), example, "
                         "published, token or machine",
                         HEAD(text, 60));
}

bool systolic_type(SystolicState *y, const char *text, Err *err)
{
    Product p = {.rows = 1, .cols = 1};
    int source = SYSTOLIC_TYPED;
    for (int i = 0; i < SYSTOLIC_TYPED; i++) {
        if (strcmp(text, words[i]) == 0)
            source = i;
    }
    if (source == SYSTOLIC_TYPED) {
        bool q88 = strchr(text, '.') != NULL;
        if (strlen(text) >= SYSTOLIC_TYPED_MAX)
            return err_set(err, "systolic: at most %d characters", SYSTOLIC_TYPED_MAX - 1);
        if (!parse_typed(text, q88, &p, err))
            return false;
        snprintf(y->typed, sizeof y->typed, "%s", text);
        y->typed_values = q88;
    }
    y->chosen = true;
    y->source = source;
    y->edge = y->tile = 0;
    y->v.pinned = false;
    y->v.format = source == SYSTOLIC_PUBLISHED || (source == SYSTOLIC_TYPED && !y->typed_values)
                      ? SHOW_VALUE
                      : SHOW_HEX;
    return true;
}

SystolicSource systolic_source(const Session *s, const SystolicState *v)
{
    bool array = engine_config(session_engine(s))->variant == VARIANT_ARRAY;
    return array && !v->chosen ? SYSTOLIC_MACHINE : (SystolicSource)v->source;
}

void systolic_operands(const Session *s, const SystolicState *v, Product *p, bool *q88, char *about,
                       size_t size)
{
    *q88 = true;
    switch (systolic_source(s, v)) {
    case SYSTOLIC_MACHINE:
        fill_machine(session_engine(s), p, about, size);
        return;
    case SYSTOLIC_TOKEN:
        fill_example(p, 1);
        snprintf(about, size, "one token: a vector times a matrix keeps one row of %d busy",
                 p->rows);
        return;
    case SYSTOLIC_PUBLISHED:
        *q88 = false;
        p->rows = p->cols = 2; /* the array that the example was published for */
        parse_typed("1 2; 3 4 x 5 6; 7 8", false, p, NULL);
        snprintf(about, size, "[[1,2],[3,4]] x [[5,6],[7,8]] = [[19,22],[43,50]]");
        return;
    case SYSTOLIC_TYPED:
        *q88 = v->typed_values;
        if (parse_typed(v->typed, v->typed_values, p, NULL)) {
            snprintf(about, size, "as typed: %d x %d times %d x %d", p->m, p->k, p->k, p->n);
            return;
        }
        break;
    default:
        break;
    }
    *q88 = true;
    fill_example(p, p->rows);
    snprintf(about, size, "an example: %d tokens at once, A %d x %d, B %d x %d", p->m, p->m, p->k,
             p->k, p->n);
}
