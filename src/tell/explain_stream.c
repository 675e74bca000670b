/* What variant stream does where it differs: the states of its attention and feed forward, and its
 * memories. Speaks of src/engine/multi_head_attention_stream.c, feed_forward_stream.c,
 * kv_cache_bram.c and weight_memory.c. */
#include <string.h>

#include "tell/explain_unit.h"

/* Element k of a vector of n; what lies beyond (only a poke leads there) reads as 0. */
static int16_t element(const Explain *x, SignalId id, int n, int k)
{
    return k < n ? (int16_t)now(x, id, k) : (int16_t)0;
}

/* acc += vector[k] * factor, told with the name of the factor. */
static void multiply(Explain *x, SignalId acc, SignalId vector, int n, int k, SignalId factor,
                     int at, const char *name)
{
    int16_t a = element(x, vector, n, k), b = (int16_t)now(x, factor, at);
    Operation *op = op_store(x, acc, 0);
    op_formula(op, "acc + %s[%d] * %s", signal_at(vector)->path, k, name);
    op_numbers(op, "%08x + %04x*%04x", (unsigned)now(x, acc, 0), hex16(a), hex16(b));
    if (k < n)
        op_read(op, vector, k, 1, 1);
    op_read(op, factor, at, 1, 1);
    if (op->events & EVENT_WRAP)
        op_remark(op, "the sum wraps in 32 bits");
}

static void clear_sum(Explain *x, SignalId acc)
{
    op_counter(x, acc, "cleared for the next sum");
}

/* vector[k] = narrow(acc) */
static void store(Explain *x, SignalId vector, int n, int k, SignalId acc)
{
    int32_t sum = now(x, acc, 0);
    if (k < n) {
        Operation *op = op_store(x, vector, k);
        op_formula(op, "narrow(%s)", strrchr(signal_at(acc)->path, '.') + 1);
        op_numbers(op, "%08x >> 8", (unsigned)sum);
        op_read(op, acc, 0, 1, 1);
        op_step(op, sum >> FRAC_BITS);
    }
    clear_sum(x, acc);
}

/* The FSM goes on to state `then` behind the last item, and round again before. */
static void next_item(Explain *x, const char *then)
{
    op_state(x, goes_to(x, then) ? "that was the last one" : "");
}

/* ---- attention ---- */

static void proj_qkv(Explain *x)
{
    int D = x->c->d_model, j = now(x, SIG_ATTN_J, 0);
    multiply(x, SIG_ATTN_ACC, SIG_LN1_OUT, D, j, SIG_BANK_WQ, 0, "bank.wq");
    multiply(x, SIG_ATTN_ACC_K, SIG_LN1_OUT, D, j, SIG_BANK_WK, 0, "bank.wk");
    multiply(x, SIG_ATTN_ACC_V, SIG_LN1_OUT, D, j, SIG_BANK_WV, 0, "bank.wv");
}

static void proj_store(Explain *x)
{
    int D = x->c->d_model, i = now(x, SIG_ATTN_I, 0);
    store(x, SIG_Q, D, i, SIG_ATTN_ACC);
    store(x, SIG_K, D, i, SIG_ATTN_ACC_K);
    store(x, SIG_V, D, i, SIG_ATTN_ACC_V);
    next_item(x, "WRITE_CACHE");
}

/* The token's own row may not be in the cache yet: it comes from the registers. */
static bool own_position(const Explain *x)
{
    return now(x, SIG_ATTN_T, 0) >= now(x, SIG_SEQ_POS, 0);
}

static void score(Explain *x)
{
    int D = x->c->d_model, dh = config_d_head(x->c);
    int k = now(x, SIG_ATTN_H, 0) * dh + now(x, SIG_ATTN_J, 0);
    if (!own_position(x))
        multiply(x, SIG_ATTN_ACC, SIG_Q, D, k, SIG_CACHE_K_WORD, 0, "cache.k_word");
    else if (k < D)
        multiply(x, SIG_ATTN_ACC, SIG_Q, D, k, SIG_K, k, "k, the register");
}

static void score_store(Explain *x)
{
    int S = x->c->max_seq_len, t = now(x, SIG_ATTN_T, 0), at = now(x, SIG_ATTN_H, 0) * S + t;
    int32_t acc = now(x, SIG_ATTN_ACC, 0);
    int16_t product = narrow(acc), scale = x->c->score_scale;
    if (at < x->c->n_heads * S) {
        Operation *op = op_store(x, SIG_SCORES, at);
        op_formula(op, "narrow(acc) * score_scale");
        op_numbers(op, "%08x >> 8 = %04x; *%04x >> 8", (unsigned)acc, hex16(product), hex16(scale));
        op_read(op, SIG_ATTN_ACC, 0, 1, 1);
        op_step(op, acc >> FRAC_BITS);
        op_step(op, ((int32_t)product * scale) >> FRAC_BITS);
    }
    clear_sum(x, SIG_ATTN_ACC);
    if (!own_position(x)) {
        op_state(x, "the next position");
        return;
    }
    op_counter(x, SIG_ATTN_T, "this head's scores are complete");
    next_item(x, "SOFTMAX_PREP");
}

static void softmax_store(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0), S = x->c->max_seq_len;
    if (h < x->c->n_heads)
        op_copy(x, SIG_PROBS, h * S, S, SIG_SMAX_PROB);
    next_item(x, "WSUM_ADDR");
}

static void weighted_sum(Explain *x)
{
    int S = x->c->max_seq_len, n = x->c->n_heads * S;
    int at = now(x, SIG_ATTN_H, 0) * S + now(x, SIG_ATTN_T, 0);
    int d = now(x, SIG_ATTN_H, 0) * config_d_head(x->c) + now(x, SIG_ATTN_D, 0);
    if (!own_position(x))
        multiply(x, SIG_ATTN_ACC, SIG_PROBS, n, at, SIG_CACHE_V_WORD, 0, "cache.v_word");
    else if (d < x->c->d_model)
        multiply(x, SIG_ATTN_ACC, SIG_PROBS, n, at, SIG_V, d, "v, the register");
}

static void wsum_store(Explain *x)
{
    int dh = config_d_head(x->c), d = now(x, SIG_ATTN_D, 0);
    store(x, SIG_HEAD, x->c->d_model, now(x, SIG_ATTN_H, 0) * dh + d, SIG_ATTN_ACC);
    if (d < dh - 1) {
        op_state(x, "the next dimension");
        return;
    }
    op_counter(x, SIG_ATTN_D, "this head is complete");
    next_item(x, "CONCAT");
}

static void concat(Explain *x)
{
    Operation *op = op_copy(x, SIG_CONCAT, 0, x->c->d_model, SIG_HEAD);
    if (op->count > 1)
        op_formula(op, "head[0..%d], side by side", x->c->n_heads - 1);
}

static void output_proj(Explain *x)
{
    int D = x->c->d_model;
    multiply(x, SIG_ATTN_ACC, SIG_CONCAT, D, now(x, SIG_ATTN_J, 0), SIG_BANK_WO, 0, "bank.wo");
}

static void oproj_store(Explain *x)
{
    store(x, SIG_ATTN_OUT, x->c->d_model, now(x, SIG_ATTN_I, 0), SIG_ATTN_ACC);
    op_flag(x, SIG_ATTN_VALID, "attn_out is complete");
    next_item(x, "DONE");
}

static const char complete[] = "the sum is complete";
static const char column[] = "element 0 of the column is addressed";

const ExplainRule explain_attention_stream_rules[] = {
    {"IDLE", NULL, "attn_start is 1"},
    {"PROJ_ADDR", NULL, column},
    {"PROJ_QKV", proj_qkv, complete},
    {"PROJ_STORE", proj_store, NULL},
    {"WRITE_CACHE", NULL, "the cache writes k and v on its own"},
    {"SCORE_ADDR", NULL, "element 0 of K's row is addressed"},
    {"SCORE", score, complete},
    {"SCORE_STORE", score_store, NULL},
    {"SOFTMAX_PREP", explain_softmax_prep, NULL},
    {"SOFTMAX_RUN", NULL, "softmax.valid is 1"},
    {"SOFTMAX_STORE", softmax_store, NULL},
    {"WSUM_ADDR", NULL, "position 0 of V's column is addressed"},
    {"WEIGHTED_SUM", weighted_sum, complete},
    {"WSUM_STORE", wsum_store, NULL},
    {"CONCAT", concat, NULL},
    {"OPROJ_ADDR", NULL, column},
    {"OUTPUT_PROJ", output_proj, complete},
    {"OPROJ_STORE", oproj_store, NULL},
    {NULL, NULL, NULL},
};

/* ---- feed forward ---- */

static void l1_addr(Explain *x)
{
    Operation *op = op_store(x, SIG_FFN_BIAS, 0);
    op_formula(op, "bank.b1");
    op_read(op, SIG_BANK_B1, 0, 1, 1);
    if (!explain_has_up(x))
        return;
    op = op_store(x, SIG_FFN_BIAS_UP, 0);
    op_formula(op, "bank.b3");
    op_read(op, SIG_BANK_B3, 0, 1, 1);
}

static void linear1(Explain *x)
{
    int D = x->c->d_model;
    int j = now(x, SIG_FFN_J, 0);
    multiply(x, SIG_FFN_ACC, SIG_LN2_OUT, D, j, SIG_BANK_W1, 0, "bank.w1");
    if (explain_has_up(x))
        multiply(x, SIG_FFN_ACC_UP, SIG_LN2_OUT, D, j, SIG_BANK_W3, 0, "bank.w3");
}

/* out[i] = narrow(acc) + bias */
static void store_biased(Explain *x, SignalId out, int n, SignalId sum, SignalId bias, int at)
{
    int32_t acc = now(x, sum, 0);
    int16_t y = narrow(acc), b = (int16_t)now(x, bias, at);
    int i = now(x, SIG_FFN_I, 0);
    if (i < n) {
        Operation *op = op_store(x, out, i);
        op_formula(op, "narrow(%s) + %s", strrchr(signal_at(sum)->path, '.') + 1,
                   signal_at(bias)->path);
        op_numbers(op, "%08x >> 8 = %04x; + %04x", (unsigned)acc, hex16(y), hex16(b));
        op_read(op, sum, 0, 1, 1);
        op_read(op, bias, at, 1, 1);
        op_step(op, acc >> FRAC_BITS);
        op_step(op, y + b);
    }
    clear_sum(x, sum);
}

static void l1_store(Explain *x)
{
    store_biased(x, SIG_HIDDEN, x->c->d_ff, SIG_FFN_ACC, SIG_FFN_BIAS, 0);
    if (explain_has_up(x))
        store_biased(x, SIG_UP, x->c->d_ff, SIG_FFN_ACC_UP, SIG_FFN_BIAS_UP, 0);
    next_item(x, explain_has_up(x) ? "SWIGLU" : "RELU");
}

static void linear2(Explain *x)
{
    int F = x->c->d_ff;
    multiply(x, SIG_FFN_ACC, SIG_HIDDEN, F, now(x, SIG_FFN_J, 0), SIG_BANK_W2, 0, "bank.w2");
}

static void l2_store(Explain *x)
{
    int D = x->c->d_model;
    store_biased(x, SIG_FFN_OUT, D, SIG_FFN_ACC, signal_weight(WEIGHT_B2),
                 now(x, SIG_FFN_I, 0) % D);
    op_flag(x, SIG_FFN_VALID, "ffn_out is complete");
    next_item(x, "DONE");
}

const ExplainRule explain_feed_forward_stream_rules[] = {
    {"IDLE", NULL, "ffn_start is 1"},
    {"L1_B1_ADDR", NULL, "b1 is addressed"},
    {"L1_ADDR", l1_addr, column},
    {"LINEAR1", linear1, complete},
    {"L1_STORE", l1_store, NULL},
    {"RELU", explain_relu, NULL},
    {"SWIGLU", explain_swiglu, "i has reached d_ff"},
    {"L2_ADDR", NULL, column},
    {"LINEAR2", linear2, complete},
    {"L2_STORE", l2_store, NULL},
    {NULL, NULL, NULL},
};

/* ---- memories ---- */

/* A read register takes the word at offset `at` of a memory; `used` says when it is used. */
static void read_word(Explain *x, SignalId word, SignalId memory, int at)
{
    const Signal *s = signal_at(memory);
    char name[64] = "0";
    bool inside = at < signal_count(x->e, s);
    Operation *op = op_store(x, word, 0);
    if (inside) {
        signal_element_name(x->e, s, at, name, sizeof name);
        op_read(op, memory, at, 1, 1);
    }
    op_formula(op, "%s", name);
    op_remark(op, "addressed in this cycle, used in the next");
}

/* What attention addresses, as the offset of element k of its operand. */
static void attention_reads(Explain *x, const char *state)
{
    static const SignalId banks[] = {SIG_BANK_WQ, SIG_BANK_WK, SIG_BANK_WV};
    int D = x->c->d_model, dh = config_d_head(x->c), i = now(x, SIG_ATTN_I, 0);
    int head = now(x, SIG_ATTN_H, 0) * dh, t = now(x, SIG_ATTN_T, 0);
    int j = now(x, SIG_ATTN_J, 0) + 1, d = now(x, SIG_ATTN_D, 0);
    bool first_q = strcmp(state, "PROJ_ADDR") == 0, first_o = strcmp(state, "OPROJ_ADDR") == 0;
    bool first_k = strcmp(state, "SCORE_ADDR") == 0, first_v = strcmp(state, "WSUM_ADDR") == 0;
    if (first_q || (strcmp(state, "PROJ_QKV") == 0 && j < D)) {
        for (int m = 0; m < 3; m++)
            read_word(x, banks[m], signal_weight((WeightId)(WEIGHT_WQ + m)),
                      (first_q ? 0 : j) * D + i);
    } else if (first_o || (strcmp(state, "OUTPUT_PROJ") == 0 && j < D)) {
        read_word(x, SIG_BANK_WO, signal_weight(WEIGHT_WO), (first_o ? 0 : j) * D + i);
    } else if (first_k || (strcmp(state, "SCORE") == 0 && j < dh)) {
        read_word(x, SIG_CACHE_K_WORD, SIG_K_CACHE, t * D + head + (first_k ? 0 : j));
    } else if (first_v || (strcmp(state, "WEIGHTED_SUM") == 0 && t < now(x, SIG_SEQ_POS, 0))) {
        read_word(x, SIG_CACHE_V_WORD, SIG_V_CACHE, (first_v ? 0 : t + 1) * D + head + d);
    }
}

/* A word of the gate's bank, and of the up projection's. */
static void read_both(Explain *x, const SignalId banks[2], const WeightId weights[2], int at)
{
    for (int k = 0; k < 1 + explain_has_up(x); k++)
        read_word(x, banks[k], signal_weight(weights[k]), at);
}

static void feed_forward_reads(Explain *x, const char *state)
{
    int D = x->c->d_model, F = x->c->d_ff, i = now(x, SIG_FFN_I, 0);
    int j = now(x, SIG_FFN_J, 0) + 1;
    bool first_1 = strcmp(state, "L1_ADDR") == 0, first_2 = strcmp(state, "L2_ADDR") == 0;
    if (strcmp(state, "L1_B1_ADDR") == 0)
        read_both(x, (SignalId[]){SIG_BANK_B1, SIG_BANK_B3}, (WeightId[]){WEIGHT_B1, WEIGHT_B3}, i);
    else if (first_1 || (strcmp(state, "LINEAR1") == 0 && j < D))
        read_both(x, (SignalId[]){SIG_BANK_W1, SIG_BANK_W3}, (WeightId[]){WEIGHT_W1, WEIGHT_W3},
                  (first_1 ? 0 : j) * F + i);
    else if (first_2 || (strcmp(state, "LINEAR2") == 0 && j < F))
        read_word(x, SIG_BANK_W2, signal_weight(WEIGHT_W2), (first_2 ? 0 : j) * D + i);
}

/* Element d of k and v goes into the row of this token. */
static void cache_write(Explain *x, bool begins)
{
    static const SignalId cache[2] = {SIG_K_CACHE, SIG_V_CACHE}, row[2] = {SIG_K, SIG_V};
    int D = x->c->d_model, d = now(x, SIG_CACHE_D, 0), pos = now(x, SIG_SEQ_POS, 0);
    bool writing = now(x, SIG_CACHE_WRITING, 0) != 0;
    for (int k = 0; k < 2 && writing && d < D; k++) {
        Operation *op = op_store(x, cache[k], pos * D + d);
        op_formula(op, "%s[%d]", signal_at(row[k])->path, d);
        op_read(op, row[k], d, 1, 1);
        op_remark(op, "row seq_pos = %d, element %d", pos, d);
    }
    if (writing || after(x, SIG_CACHE_WRITING, 0)) {
        Operation *op = op_store(x, SIG_CACHE_WRITING, 0);
        op_formula(op, op->result ? "1" : "0");
        op_remark(op, begins ? "a row begins" : op->result ? "goes on" : "the row is complete");
    }
}

static const char *state_of(const Explain *x, SignalId fsm)
{
    return signal_state_name(signal_at(fsm), now(x, fsm, 0));
}

void explain_stream_memories(Explain *x)
{
    const char *attention = state_of(x, SIG_ATTN_STREAM_STATE);
    attention_reads(x, attention);
    feed_forward_reads(x, state_of(x, SIG_FFN_STREAM_STATE));
    cache_write(x, strcmp(attention, "WRITE_CACHE") == 0);
}
