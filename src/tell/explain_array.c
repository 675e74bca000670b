/* What variant array does where it differs: the states of its attention and feed forward, the
 * systolic array, and its counters. Speaks of src/engine/multi_head_attention_array.c,
 * feed_forward_array.c, gemv_tile.c, systolic_array.c and array_usage.c. */
#include <string.h>

#include "tell/explain_unit.h"

/* ---- tiles ---- */

/* An edge of a tile: the FSM goes on when the last operand has entered, and to state `full` behind
 * the last edge. */
static void edge(Explain *x, SignalId j, const char *full)
{
    op_change(x, j);
    op_state(x, goes_to(x, full) ? "the sums of row 0 are final"
                                 : "the last operand has entered; column c lags by c edges");
}

/* vector[at ..] = `count` sums from column c on, narrowed, plus bias (WEIGHT_COUNT: none) */
static void store(Explain *x, SignalId vector, int at, int count, int c, WeightId bias)
{
    int k = 0;
    Operation *op = op_range(x, vector, at, count, &k);
    bool biased = bias < WEIGHT_COUNT;
    int32_t acc = now(x, SIG_ARRAY_ACC, c + k);
    op_formula(op, "narrow(array.acc[0][%d])%s%s", c + k, biased ? " + " : "",
               biased ? weight_name(bias) : "");
    if (biased)
        op_numbers(op, "%08x >> 8 = %04x; + %04x", (unsigned)acc, hex16(narrow(acc)),
                   hex16(now(x, signal_weight(bias), at + k)));
    else
        op_numbers(op, "%08x >> 8", (unsigned)acc);
    op_read(op, SIG_ARRAY_ACC, c + k, op->count, 1);
    if (biased)
        op_read(op, signal_weight(bias), at + k, op->count, 1);
    if (op->count == 1) {
        op_step(op, acc >> FRAC_BITS);
        op_step(op, narrow(acc) + (biased ? now(x, signal_weight(bias), at + k) : 0));
        return;
    }
    int wrapped = op_count_events(x, op, EVENT_WRAP);
    if (wrapped)
        op_remark(op, "%d of %d elements wrap", wrapped, count);
    op_remark(op, "%d columns in this cycle, one told", count);
}

/* The tile at i is stored: on to the next one, unless it was the last. */
static void next_tile(Explain *x, SignalId i, SignalId j)
{
    bool last = after(x, i, 0) == 0;
    op_counter(x, j, "");
    op_counter(x, i, last ? "" : "first column of the next tile");
    op_state(x, last ? "that was the last tile" : "the next tile");
}

/* ---- attention ---- */

static void proj_edge(Explain *x)
{
    edge(x, SIG_ATTN_ARRAY_J, "PROJ_STORE");
}

static void oproj_edge(Explain *x)
{
    edge(x, SIG_ATTN_ARRAY_J, "OPROJ_STORE");
}

/* n outputs in the vectors from `first` on, D each: what a tile has of each vector. */
static void store_columns(Explain *x, SignalId first, int n)
{
    int D = x->c->d_model, i = now(x, SIG_ATTN_ARRAY_I, 0);
    int end = i + x->c->pe_cols < n ? i + x->c->pe_cols : n;
    for (int out = i, count = 0; out < end; out += count) {
        int at = out % D;
        count = end - out < D - at ? end - out : D - at;
        store(x, (SignalId)((int)first + out / D), at, count, out - i, WEIGHT_COUNT);
    }
}

static void proj_store(Explain *x)
{
    store_columns(x, SIG_Q, 3 * x->c->d_model);
    next_tile(x, SIG_ATTN_ARRAY_I, SIG_ATTN_ARRAY_J);
}

static void oproj_store(Explain *x)
{
    store_columns(x, SIG_ATTN_OUT, x->c->d_model);
    op_flag(x, SIG_ATTN_VALID, "attn_out is complete");
    next_tile(x, SIG_ATTN_ARRAY_I, SIG_ATTN_ARRAY_J);
}

const ExplainRule explain_attention_array_rules[] = {
    {"IDLE", NULL, "attn_start is 1"},
    {"PROJ_QKV", proj_edge, NULL},
    {"PROJ_DRAIN", proj_edge, NULL},
    {"PROJ_STORE", proj_store, NULL},
    {"WRITE_CACHE", explain_write_cache, NULL},
    {"SCORE", explain_score, "every head has its scores"},
    {"SOFTMAX_PREP", explain_softmax_prep, NULL},
    {"SOFTMAX_RUN", NULL, "softmax.valid is 1"},
    {"SOFTMAX_STORE", explain_softmax_store, NULL},
    {"WEIGHTED_SUM", explain_weighted_sum, "every head has its sum"},
    {"OUTPUT_PROJ", oproj_edge, NULL},
    {"OPROJ_DRAIN", oproj_edge, NULL},
    {"OPROJ_STORE", oproj_store, NULL},
    {NULL, NULL, NULL},
};

/* ---- feed forward ---- */

static void l1_edge(Explain *x)
{
    edge(x, SIG_FFN_ARRAY_J, "L1_STORE");
}

static void l2_edge(Explain *x)
{
    edge(x, SIG_FFN_ARRAY_J, "L2_STORE");
}

/* What the tile has of a vector of n whose element 0 is output `first` of the layer. */
static void store_biased(Explain *x, SignalId out, WeightId bias, int n, int first)
{
    int i = now(x, SIG_FFN_I, 0), end = i + x->c->pe_cols - first;
    int begin = i > first ? i - first : 0;
    end = end < n ? end : n;
    if (begin < end)
        store(x, out, begin, end - begin, first + begin - i, bias);
}

static void l1_store(Explain *x)
{
    int F = x->c->d_ff;
    store_biased(x, SIG_HIDDEN, WEIGHT_B1, F, 0);
    if (explain_has_up(x))
        store_biased(x, SIG_UP, WEIGHT_B3, F, F);
    next_tile(x, SIG_FFN_I, SIG_FFN_ARRAY_J);
}

static void l2_store(Explain *x)
{
    op_flag(x, SIG_FFN_VALID, "ffn_out is complete");
    store_biased(x, SIG_FFN_OUT, WEIGHT_B2, x->c->d_model, 0);
    next_tile(x, SIG_FFN_I, SIG_FFN_ARRAY_J);
}

const ExplainRule explain_feed_forward_array_rules[] = {
    {"IDLE", NULL, "ffn_start is 1"},
    {"LINEAR1", l1_edge, NULL},
    {"L1_DRAIN", l1_edge, NULL},
    {"L1_STORE", l1_store, NULL},
    {"RELU", explain_relu, NULL},
    {"LINEAR2", l2_edge, NULL},
    {"SWIGLU", explain_swiglu, "i has reached d_ff"},
    {"L2_DRAIN", l2_edge, NULL},
    {"L2_STORE", l2_store, NULL},
    {NULL, NULL, NULL},
};

/* ---- the array ---- */

/* What a unit asks of the array in this cycle. An operand enters while feeds. */
typedef struct Feed {
    bool clear, enable, feeds;
    SignalId vector;
    WeightId matrix; /* the first of those side by side */
    int i, j, n, K;  /* first column and edge of the tile; outputs and operands in all */
} Feed;

static Feed feed_of(const char *state, const Feed *feeding, int count, const char *const *states)
{
    for (int k = 0; k < count; k++) {
        Feed f = feeding[k];
        f.enable = f.feeds = strcmp(state, states[k]) == 0;
        f.feeds = f.feeds && f.j < f.K;
        if (f.enable)
            return f;
    }
    size_t len = strlen(state);
    bool drains = len > 6 && strcmp(state + len - 6, "_DRAIN") == 0;
    bool stores = strcmp(state, "PROJ_STORE") == 0 || strcmp(state, "OPROJ_STORE") == 0 ||
                  strcmp(state, "L1_STORE") == 0 || strcmp(state, "L2_STORE") == 0;
    Feed f = feeding[strstr(state, "OPROJ") || strstr(state, "L2") ? 1 : 0];
    f.enable = drains;
    f.clear = stores;
    return f;
}

static Feed present_feed(const Explain *x)
{
    static const char *const attention[] = {"PROJ_QKV", "OUTPUT_PROJ"};
    static const char *const feed_forward[] = {"LINEAR1", "LINEAR2"};
    int D = x->c->d_model, F = x->c->d_ff;
    int i = now(x, SIG_ATTN_ARRAY_I, 0), j = now(x, SIG_ATTN_ARRAY_J, 0);
    const Feed a[] = {
        {.vector = SIG_LN1_OUT, .matrix = WEIGHT_WQ, .i = i, .j = j, .n = 3 * D, .K = D},
        {.vector = SIG_CONCAT, .matrix = WEIGHT_WO, .i = i, .j = j, .n = D, .K = D}};
    int fi = now(x, SIG_FFN_I, 0), fj = now(x, SIG_FFN_ARRAY_J, 0);
    int linear1 = explain_has_up(x) ? 2 * F : F;
    const Feed f[] = {
        {.vector = SIG_LN2_OUT, .matrix = WEIGHT_W1, .i = fi, .j = fj, .n = linear1, .K = D},
        {.vector = SIG_HIDDEN, .matrix = WEIGHT_W2, .i = fi, .j = fj, .n = D, .K = F}};
    const Signal *attn = signal_at(SIG_ATTN_ARRAY_STATE), *ffn = signal_at(SIG_FFN_ARRAY_STATE);
    Feed feed = feed_of(signal_state_name(attn, signal_get(x->e, attn, 0)), a, 2, attention);
    if (!feed.enable && !feed.clear)
        feed = feed_of(signal_state_name(ffn, signal_get(x->e, ffn, 0)), f, 2, feed_forward);
    return feed;
}

/* A word on its way into an element or a skew register: where it comes from, and what it is. */
typedef struct Word {
    SignalId from; /* SIG_COUNT: zero */
    int at;
    int16_t value;
} Word;

static Word word_of(const Explain *x, SignalId from, int at)
{
    return (Word){from, at, from < SIG_COUNT ? (int16_t)now(x, from, at) : (int16_t)0};
}

/* What the host presents to row r and to column c. */
static Word row_in(const Explain *x, const Feed *f, int r)
{
    return word_of(x, f->feeds && r == 0 ? f->vector : SIG_COUNT, f->j);
}

static Word column_in(const Explain *x, const Feed *f, int c)
{
    int cols = signal_dim(x->e, signal_at(signal_weight(f->matrix)), 1);
    bool used = f->feeds && f->i + c < f->n;
    SignalId matrix = signal_weight(weight_beside(f->matrix, (f->i + c) / cols));
    return word_of(x, used ? matrix : SIG_COUNT, f->j * cols + (f->i + c) % cols);
}

static Word from_west(const Explain *x, const Feed *f, int r, int c)
{
    int R = x->c->pe_rows, C = x->c->pe_cols;
    if (c > 0)
        return word_of(x, SIG_ARRAY_A, r * C + c - 1);
    return r > 0 ? word_of(x, SIG_ARRAY_WEST, r * R + r - 1) : row_in(x, f, 0);
}

static Word from_north(const Explain *x, const Feed *f, int r, int c)
{
    int C = x->c->pe_cols;
    if (r > 0)
        return word_of(x, SIG_ARRAY_W, (r - 1) * C + c);
    return c > 0 ? word_of(x, SIG_ARRAY_NORTH, c * C + c - 1) : column_in(x, f, 0);
}

static void tell_word(const Explain *x, Operation *op, Word w)
{
    char name[64] = "0";
    if (w.from < SIG_COUNT) {
        signal_element_name(x->e, signal_at(w.from), w.at, name, sizeof name);
        op_read(op, w.from, w.at, 1, 1);
    }
    op_formula(op, "%s", name);
}

/* Elements whose two operands are the token's and a weight: column c of row 0 has number j - c. */
static int busy(const Explain *x, const Feed *f)
{
    int n = 0;
    for (int c = 0; c < x->c->pe_cols && f->i + c < f->n; c++)
        n += f->j - c >= 0 && f->j - c < f->K;
    return n;
}

static void multiply(Explain *x, const Feed *f)
{
    int C = x->c->pe_cols, all = x->c->pe_rows * C, k = 0;
    Operation *op = op_range(x, SIG_ARRAY_ACC, 0, all, &k);
    Word a = from_west(x, f, k / C, k % C), w = from_north(x, f, k / C, k % C);
    op_formula(op, "acc[%d][%d] + a_in * w_in", k / C, k % C);
    op_numbers(op, "%08x + %04x*%04x", (unsigned)now(x, SIG_ARRAY_ACC, k), hex16(a.value),
               hex16(w.value));
    if (a.from < SIG_COUNT)
        op_read(op, a.from, a.at, 1, 1);
    if (w.from < SIG_COUNT)
        op_read(op, w.from, w.at, 1, 1);
    int wrapped = op_count_events(x, op, EVENT_WRAP);
    if (wrapped)
        op_remark(op, "%d of %d sums wrap in 32 bits", wrapped, op->count);
    if (op->count > 1)
        op_remark(op, "%d of the %d elements have both operands", busy(x, f), all);
}

static void pass_on(Explain *x, const Feed *f)
{
    int R = x->c->pe_rows, C = x->c->pe_cols, k = 0;
    Operation *op = op_range(x, SIG_ARRAY_A, 0, R * C, &k);
    tell_word(x, op, from_west(x, f, k / C, k % C));
    op_remark(op, "to the east");
    op = op_range(x, SIG_ARRAY_W, 0, R * C, &k);
    tell_word(x, op, from_north(x, f, k / C, k % C));
    op_remark(op, "to the south");
}

/* Line n of `lines` has n registers; `in` is what enters it. */
static void skew(Explain *x, const Feed *f, SignalId line, int lines,
                 Word (*in)(const Explain *, const Feed *, int))
{
    int k = 0;
    if (lines < 2)
        return;
    Operation *op = op_range(x, line, lines, (lines - 1) * lines, &k);
    int n = 1 + k / lines, i = k % lines;
    if (i >= n)
        tell_word(x, op, word_of(x, SIG_COUNT, 0)); /* there is no such register */
    else
        tell_word(x, op, i > 0 ? word_of(x, line, n * lines + i - 1) : in(x, f, n));
    op_remark(op, "line n delays by n edges");
}

static void clear(Explain *x)
{
    static const SignalId arrays[] = {SIG_ARRAY_ACC, SIG_ARRAY_A, SIG_ARRAY_W, SIG_ARRAY_WEST,
                                      SIG_ARRAY_NORTH};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) {
        const Signal *s = signal_at(arrays[n]);
        int k = 0;
        Operation *op = op_range(x, arrays[n], 0, signal_count(x->e, s), &k);
        op_formula(op, "0");
        op_remark(op, "cleared for the next tile");
    }
}

/* What a counter gains, or that it begins again. */
static void count(Explain *x, SignalId counter, const char *why)
{
    bool begins = now(x, SIG_LN1_START, 0) != 0;
    Operation *op = op_counter(x, counter, begins ? "a token begins" : why);
    if (!op || begins)
        return;
    uint32_t before = (uint32_t)now(x, counter, 0), gain = (uint32_t)op->result - before;
    op_formula(op, "%s + %u", strrchr(op->target->path, '.') + 1, (unsigned)gain);
    op_numbers(op, "%u + %u", (unsigned)before, (unsigned)gain);
}

void explain_array(Explain *x)
{
    Feed f = present_feed(x);
    if (f.clear) {
        clear(x);
    } else if (f.enable) {
        multiply(x, &f);
        pass_on(x, &f);
        skew(x, &f, SIG_ARRAY_WEST, x->c->pe_rows, row_in);
        skew(x, &f, SIG_ARRAY_NORTH, x->c->pe_cols, column_in);
    }
    op_change(x, SIG_ARRAY_EDGE);
    count(x, SIG_ARRAY_USEFUL, "outputs that the entering operand is for");
    count(x, SIG_ARRAY_SLOTS, "elements of the array");
}
