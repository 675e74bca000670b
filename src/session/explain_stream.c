/* What variant stream does where it differs: the states of its attention and feed forward, and its
 * memories. Speaks of src/engine/multi_head_attention_stream.c, feed_forward_stream.c,
 * kv_cache_bram.c and weight_memory.c. */
#include <string.h>

#include "session/explain_unit.h"

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
    int64_t exact = (int64_t)now(x, acc, 0) + (int32_t)a * b;
    Operation *op = op_store(x, acc, 0, low32(exact));
    op_formula(op, "acc + %s[%d] * %s", signal_at(vector)->path, k, name);
    op_numbers(op, "%08x + %04x*%04x", (unsigned)now(x, acc, 0), hex16(a), hex16(b));
    if (k < n)
        op_read(op, vector, k, 1, 1);
    op_read(op, factor, at, 1, 1);
    if (exact == op->result)
        return;
    op->events |= EVENT_WRAP;
    op_remark(op, "the sum wraps in 32 bits");
}

/* Element j of n is done: on to j + 1, or after the last to `then`. */
static void next_element(Explain *x, SignalId j, int n, const char *then)
{
    if (now(x, j, 0) < n - 1) {
        op_count_up(x, j);
        return;
    }
    op_set_counter(x, j, 0, "");
    op_state(x, then, "the sum is complete");
}

static void clear_sum(Explain *x, SignalId acc)
{
    op_set_counter(x, acc, 0, "cleared for the next sum");
}

/* vector[k] = narrow(acc) */
static void store(Explain *x, SignalId vector, int n, int k, SignalId acc)
{
    int32_t sum = now(x, acc, 0);
    if (k < n) {
        Operation *op = op_store(x, vector, k, narrow(sum));
        op_formula(op, "narrow(%s)", strrchr(signal_at(acc)->path, '.') + 1);
        op_numbers(op, "%08x >> 8", (unsigned)sum);
        op_read(op, acc, 0, 1, 1);
        op_fits(op, sum >> FRAC_BITS, EVENT_WRAP);
    }
    clear_sum(x, acc);
}

/* Item `index` of n is done: on to the next in state `same`, or after the last to `then`. */
static void next_item(Explain *x, SignalId index, int n, const char *same, const char *then)
{
    if (now(x, index, 0) < n - 1) {
        op_count_up(x, index);
        op_state(x, same, "");
        return;
    }
    op_set_counter(x, index, 0, "");
    op_state(x, then, "that was the last one");
}

/* ---- attention ---- */

static void attention_idle(Explain *x)
{
    static const SignalId counters[] = {SIG_ATTN_I, SIG_ATTN_H,   SIG_ATTN_T,     SIG_ATTN_J,
                                        SIG_ATTN_D, SIG_ATTN_ACC, SIG_ATTN_ACC_K, SIG_ATTN_ACC_V};
    if (!now(x, SIG_ATTN_START, 0))
        return;
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        op_set_counter(x, counters[k], 0, "");
    op_state(x, "PROJ_ADDR", "attn_start is 1");
}

static void proj_addr(Explain *x)
{
    op_state(x, "PROJ_QKV", "element 0 of the column is addressed");
}

static void proj_qkv(Explain *x)
{
    int D = x->c->d_model, j = now(x, SIG_ATTN_J, 0);
    multiply(x, SIG_ATTN_ACC, SIG_LN1_OUT, D, j, SIG_BANK_WQ, 0, "bank.wq");
    multiply(x, SIG_ATTN_ACC_K, SIG_LN1_OUT, D, j, SIG_BANK_WK, 0, "bank.wk");
    multiply(x, SIG_ATTN_ACC_V, SIG_LN1_OUT, D, j, SIG_BANK_WV, 0, "bank.wv");
    next_element(x, SIG_ATTN_J, D, "PROJ_STORE");
}

static void proj_store(Explain *x)
{
    int D = x->c->d_model, i = now(x, SIG_ATTN_I, 0);
    store(x, SIG_Q, D, i, SIG_ATTN_ACC);
    store(x, SIG_K, D, i, SIG_ATTN_ACC_K);
    store(x, SIG_V, D, i, SIG_ATTN_ACC_V);
    next_item(x, SIG_ATTN_I, D, "PROJ_ADDR", "WRITE_CACHE");
}

static void write_cache(Explain *x)
{
    op_state(x, "SCORE_ADDR", "the cache writes k and v on its own");
}

static void score_addr(Explain *x)
{
    op_state(x, "SCORE", "element 0 of K's row is addressed");
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
    next_element(x, SIG_ATTN_J, dh, "SCORE_STORE");
}

static void next_head(Explain *x, const char *same, const char *then)
{
    next_item(x, SIG_ATTN_H, x->c->n_heads, same, then);
}

static void score_store(Explain *x)
{
    int S = x->c->max_seq_len, t = now(x, SIG_ATTN_T, 0), at = now(x, SIG_ATTN_H, 0) * S + t;
    int32_t acc = now(x, SIG_ATTN_ACC, 0);
    int16_t product = narrow(acc), scale = x->c->score_scale;
    if (at < x->c->n_heads * S) {
        Operation *op = op_store(x, SIG_SCORES, at, fp_mul(product, scale));
        op_formula(op, "narrow(acc) * score_scale");
        op_numbers(op, "%08x >> 8 = %04x; *%04x >> 8", (unsigned)acc, hex16(product), hex16(scale));
        op_read(op, SIG_ATTN_ACC, 0, 1, 1);
        op_fits(op, acc >> FRAC_BITS, EVENT_WRAP);
        op_fits(op, ((int32_t)product * scale) >> FRAC_BITS, EVENT_WRAP);
    }
    clear_sum(x, SIG_ATTN_ACC);
    if (!own_position(x)) {
        op_count_up(x, SIG_ATTN_T);
        op_state(x, "SCORE_ADDR", "the next position");
        return;
    }
    op_set_counter(x, SIG_ATTN_T, 0, "this head's scores are complete");
    next_head(x, "SCORE_ADDR", "SOFTMAX_PREP");
}

static void softmax_store(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0), S = x->c->max_seq_len;
    if (h < x->c->n_heads)
        op_copy(x, SIG_PROBS, h * S, S, SIG_SMAX_PROB);
    next_head(x, "SOFTMAX_PREP", "WSUM_ADDR");
}

static void wsum_addr(Explain *x)
{
    op_state(x, "WEIGHTED_SUM", "position 0 of V's column is addressed");
}

static void weighted_sum(Explain *x)
{
    int S = x->c->max_seq_len, n = x->c->n_heads * S;
    int at = now(x, SIG_ATTN_H, 0) * S + now(x, SIG_ATTN_T, 0);
    int d = now(x, SIG_ATTN_H, 0) * config_d_head(x->c) + now(x, SIG_ATTN_D, 0);
    if (!own_position(x)) {
        multiply(x, SIG_ATTN_ACC, SIG_PROBS, n, at, SIG_CACHE_V_WORD, 0, "cache.v_word");
        op_count_up(x, SIG_ATTN_T);
        return;
    }
    if (d < x->c->d_model)
        multiply(x, SIG_ATTN_ACC, SIG_PROBS, n, at, SIG_V, d, "v, the register");
    op_set_counter(x, SIG_ATTN_T, 0, "");
    op_state(x, "WSUM_STORE", "the sum is complete");
}

static void wsum_store(Explain *x)
{
    int dh = config_d_head(x->c), d = now(x, SIG_ATTN_D, 0);
    store(x, SIG_HEAD, x->c->d_model, now(x, SIG_ATTN_H, 0) * dh + d, SIG_ATTN_ACC);
    if (d < dh - 1) {
        op_count_up(x, SIG_ATTN_D);
        op_state(x, "WSUM_ADDR", "the next dimension");
        return;
    }
    op_set_counter(x, SIG_ATTN_D, 0, "this head is complete");
    next_head(x, "WSUM_ADDR", "CONCAT");
}

static void concat(Explain *x)
{
    Operation *op = op_copy(x, SIG_CONCAT, 0, x->c->d_model, SIG_HEAD);
    if (op->count > 1)
        op_formula(op, "head[0..%d], side by side", x->c->n_heads - 1);
    op_state(x, "OPROJ_ADDR", "");
}

static void oproj_addr(Explain *x)
{
    op_state(x, "OUTPUT_PROJ", "element 0 of the column is addressed");
}

static void output_proj(Explain *x)
{
    int D = x->c->d_model;
    multiply(x, SIG_ATTN_ACC, SIG_CONCAT, D, now(x, SIG_ATTN_J, 0), SIG_BANK_WO, 0, "bank.wo");
    next_element(x, SIG_ATTN_J, D, "OPROJ_STORE");
}

static void oproj_store(Explain *x)
{
    int D = x->c->d_model, i = now(x, SIG_ATTN_I, 0);
    store(x, SIG_ATTN_OUT, D, i, SIG_ATTN_ACC);
    if (i >= D - 1)
        op_flag(x, SIG_ATTN_VALID, "attn_out is complete");
    next_item(x, SIG_ATTN_I, D, "OPROJ_ADDR", "DONE");
}

const ExplainRule explain_attention_stream_rules[] = {
    {"IDLE", attention_idle},
    {"PROJ_ADDR", proj_addr},
    {"PROJ_QKV", proj_qkv},
    {"PROJ_STORE", proj_store},
    {"WRITE_CACHE", write_cache},
    {"SCORE_ADDR", score_addr},
    {"SCORE", score},
    {"SCORE_STORE", score_store},
    {"SOFTMAX_PREP", explain_softmax_prep},
    {"SOFTMAX_RUN", explain_softmax_run},
    {"SOFTMAX_STORE", softmax_store},
    {"WSUM_ADDR", wsum_addr},
    {"WEIGHTED_SUM", weighted_sum},
    {"WSUM_STORE", wsum_store},
    {"CONCAT", concat},
    {"OPROJ_ADDR", oproj_addr},
    {"OUTPUT_PROJ", output_proj},
    {"OPROJ_STORE", oproj_store},
    {"DONE", explain_done},
    {NULL, NULL},
};

/* ---- feed forward ---- */

static void feed_forward_idle(Explain *x)
{
    if (!now(x, SIG_FFN_START, 0))
        return;
    op_set_counter(x, SIG_FFN_I, 0, "");
    op_set_counter(x, SIG_FFN_J, 0, "");
    op_set_counter(x, SIG_FFN_ACC, 0, "");
    op_state(x, "L1_B1_ADDR", "ffn_start is 1");
}

static void l1_b1_addr(Explain *x)
{
    op_state(x, "L1_ADDR", "b1 is addressed");
}

static void l1_addr(Explain *x)
{
    Operation *op = op_store(x, SIG_FFN_BIAS, 0, now(x, SIG_BANK_B1, 0));
    op_formula(op, "bank.b1");
    op_read(op, SIG_BANK_B1, 0, 1, 1);
    op_state(x, "LINEAR1", "element 0 of the column is addressed");
}

static void linear1(Explain *x)
{
    int D = x->c->d_model;
    multiply(x, SIG_FFN_ACC, SIG_LN2_OUT, D, now(x, SIG_FFN_J, 0), SIG_BANK_W1, 0, "bank.w1");
    next_element(x, SIG_FFN_J, D, "L1_STORE");
}

/* out[i] = narrow(acc) + bias */
static void store_biased(Explain *x, SignalId out, int n, SignalId bias, int at)
{
    int32_t acc = now(x, SIG_FFN_ACC, 0);
    int16_t y = narrow(acc), b = (int16_t)now(x, bias, at);
    int i = now(x, SIG_FFN_I, 0);
    if (i < n) {
        Operation *op = op_store(x, out, i, low16(y + b));
        op_formula(op, "narrow(acc) + %s", signal_at(bias)->path);
        op_numbers(op, "%08x >> 8 = %04x; + %04x", (unsigned)acc, hex16(y), hex16(b));
        op_read(op, SIG_FFN_ACC, 0, 1, 1);
        op_read(op, bias, at, 1, 1);
        op_fits(op, acc >> FRAC_BITS, EVENT_WRAP);
        op_fits(op, y + b, EVENT_WRAP);
    }
    clear_sum(x, SIG_FFN_ACC);
}

static void l1_store(Explain *x)
{
    store_biased(x, SIG_HIDDEN, x->c->d_ff, SIG_FFN_BIAS, 0);
    next_item(x, SIG_FFN_I, x->c->d_ff, "L1_B1_ADDR", "RELU");
}

static void relu(Explain *x)
{
    explain_relu(x);
    op_state(x, "L2_ADDR", "");
}

static void l2_addr(Explain *x)
{
    op_state(x, "LINEAR2", "element 0 of the column is addressed");
}

static void linear2(Explain *x)
{
    int F = x->c->d_ff;
    multiply(x, SIG_FFN_ACC, SIG_HIDDEN, F, now(x, SIG_FFN_J, 0), SIG_BANK_W2, 0, "bank.w2");
    next_element(x, SIG_FFN_J, F, "L2_STORE");
}

static void l2_store(Explain *x)
{
    int D = x->c->d_model, i = now(x, SIG_FFN_I, 0);
    store_biased(x, SIG_FFN_OUT, D, signal_weight(WEIGHT_B2), i % D);
    if (i >= D - 1)
        op_flag(x, SIG_FFN_VALID, "ffn_out is complete");
    next_item(x, SIG_FFN_I, D, "L2_ADDR", "DONE");
}

const ExplainRule explain_feed_forward_stream_rules[] = {
    {"IDLE", feed_forward_idle},
    {"L1_B1_ADDR", l1_b1_addr},
    {"L1_ADDR", l1_addr},
    {"LINEAR1", linear1},
    {"L1_STORE", l1_store},
    {"RELU", relu},
    {"L2_ADDR", l2_addr},
    {"LINEAR2", linear2},
    {"L2_STORE", l2_store},
    {"DONE", explain_done},
    {NULL, NULL},
};

/* ---- memories ---- */

/* A read register takes the word at offset `at` of a memory; `used` says when it is used. */
static void read_word(Explain *x, SignalId word, SignalId memory, int at)
{
    const Signal *s = signal_at(memory);
    char name[64] = "0";
    bool inside = at < signal_count(x->e, s);
    Operation *op = op_store(x, word, 0, inside ? now(x, memory, at) : 0);
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

static void feed_forward_reads(Explain *x, const char *state)
{
    int D = x->c->d_model, F = x->c->d_ff, i = now(x, SIG_FFN_I, 0);
    int j = now(x, SIG_FFN_J, 0) + 1;
    bool first_1 = strcmp(state, "L1_ADDR") == 0, first_2 = strcmp(state, "L2_ADDR") == 0;
    if (strcmp(state, "L1_B1_ADDR") == 0)
        read_word(x, SIG_BANK_B1, signal_weight(WEIGHT_B1), i);
    else if (first_1 || (strcmp(state, "LINEAR1") == 0 && j < D))
        read_word(x, SIG_BANK_W1, signal_weight(WEIGHT_W1), (first_1 ? 0 : j) * F + i);
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
        Operation *op = op_store(x, cache[k], pos * D + d, now(x, row[k], d));
        op_formula(op, "%s[%d]", signal_at(row[k])->path, d);
        op_read(op, row[k], d, 1, 1);
        op_remark(op, "row seq_pos = %d, element %d", pos, d);
    }
    bool last = d >= D - 1, goes_on = begins || (writing && !last);
    if (last)
        op_set_counter(x, SIG_CACHE_D, 0, "");
    else if (writing)
        op_count_up(x, SIG_CACHE_D);
    if (writing || goes_on) {
        Operation *op = op_store(x, SIG_CACHE_WRITING, 0, goes_on);
        op_formula(op, goes_on ? "1" : "0");
        op_remark(op, begins ? "a row begins" : goes_on ? "goes on" : "the row is complete");
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
