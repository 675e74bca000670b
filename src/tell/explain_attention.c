/* What the states of attention do (variant bridge). Speaks of src/engine/multi_head_attention.c. */
#include "tell/explain_unit.h"

/* out[i] = column i of matrix m times in */
static void project(Explain *x, SignalId out, WeightId m, SignalId in, int i)
{
    Span a = {in, 0, 1}, b = {signal_weight(m), i, x->c->d_model};
    Dot dot = dot_of(x, a, b, x->c->d_model);
    Operation *op = op_store(x, out, i);
    op_formula(op, "narrow(%s . %s[][%d])", signal_at(in)->path, weight_name(m), i);
    op_numbers(op, "%s", dot.text);
    op_dot(op, &dot, a, b, x->c->d_model);
}

static void proj_qkv(Explain *x)
{
    int i = now(x, SIG_ATTN_I, 0);
    if (i >= x->c->d_model)
        return;
    project(x, SIG_Q, WEIGHT_WQ, SIG_LN1_OUT, i);
    project(x, SIG_K, WEIGHT_WK, SIG_LN1_OUT, i);
    project(x, SIG_V, WEIGHT_WV, SIG_LN1_OUT, i);
}

Operation *op_copy(Explain *x, SignalId target, int first, int count, SignalId from)
{
    int k = 0;
    Operation *op = op_range(x, target, first, count, &k);
    if (op->count == count && count > 1)
        op_formula(op, "%s[0..%d]", signal_at(from)->path, count - 1);
    else if (from == SIG_HEAD)
        op_formula(op, "head[%d][%d]", k / config_d_head(x->c), k % config_d_head(x->c));
    else
        op_formula(op, "%s[%d]", signal_at(from)->path, k);
    op_read(op, from, k, op->count, 1);
    return op;
}

void explain_write_cache(Explain *x)
{
    static const SignalId cache[2] = {SIG_K_CACHE, SIG_V_CACHE}, row[2] = {SIG_K, SIG_V};
    int D = x->c->d_model, pos = now(x, SIG_SEQ_POS, 0);
    for (int k = 0; k < 2; k++) {
        Operation *op = op_copy(x, cache[k], pos * D, D, row[k]);
        op_remark(op, "row seq_pos = %d, words %d..%d", pos, pos * D, pos * D + D - 1);
    }
}

void explain_score(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0), t = now(x, SIG_ATTN_T, 0);
    int dh = config_d_head(x->c);
    if (h >= x->c->n_heads)
        return;
    if (t > now(x, SIG_SEQ_POS, 0)) {
        op_counter(x, SIG_ATTN_T, "this head's scores are complete");
        return;
    }
    Span a = {SIG_Q, h * dh, 1}, b = {SIG_K_CACHE, t * x->c->d_model + h * dh, 1};
    Dot dot = dot_of(x, a, b, dh);
    int16_t product = narrow(low32(dot.exact)), scale = x->c->score_scale;
    Operation *op = op_store(x, SIG_SCORES, h * x->c->max_seq_len + t);
    op_formula(op, "narrow(q . K[%d]) * score_scale", t);
    op_numbers(op, "%s = %04x; *%04x >> 8", dot.text, hex16(product), hex16(scale));
    op_dot(op, &dot, a, b, dh);
    op_step(op, ((int32_t)product * scale) >> FRAC_BITS);
}

void explain_softmax_prep(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0), S = x->c->max_seq_len, pos = now(x, SIG_SEQ_POS, 0), k = 0;
    if (h < x->c->n_heads) {
        Operation *op = op_range(x, SIG_SMAX_X, 0, S, &k);
        bool valid = k <= pos;
        if (op->count == 1 && !valid)
            op_formula(op, "mask");
        else if (op->count == 1 || pos == 0)
            op_formula(op, "scores[%d][%d]%s", h, k, op->count == 1 ? "" : ", then mask");
        else
            op_formula(op, "scores[%d][0..%d]%s", h, pos, pos + 1 < S ? ", then mask" : "");
        if (op->count == 1)
            op_remark(op, valid ? "%d <= seq_pos %d" : "%d > seq_pos %d: masked", k, pos);
        else if (pos + 1 < S)
            op_remark(op, "mask %04x at positions %d..%d", hex16(x->c->mask), pos + 1, S - 1);
        if (valid)
            op_read(op, SIG_SCORES, h * S + k, op->count == 1 ? 1 : pos + 1, 1);
    }
    op_flag(x, SIG_ATTN_SMAX_START, "the softmax will see it");
}

void explain_softmax_store(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0), S = x->c->max_seq_len;
    if (h < x->c->n_heads)
        op_copy(x, SIG_PROBS, h * S, S, SIG_SMAX_PROB);
    op_state(x, goes_to(x, "SOFTMAX_PREP") ? "the next head" : "that was the last head");
}

/* Element k of head h, told; does it or any of the others of this cycle lose bits? */
static void weigh(Explain *x, int h)
{
    int dh = config_d_head(x->c), D = x->c->d_model, n = now(x, SIG_SEQ_POS, 0) + 1, k = 0;
    Operation *op = op_range(x, SIG_HEAD, h * dh, dh, &k);
    Span a = {SIG_PROBS, h * x->c->max_seq_len, 1}, b = {SIG_V_CACHE, h * dh + k, D};
    Dot dot = dot_of(x, a, b, n);
    op_formula(op, "narrow(probs[%d] . V[][%d])", h, h * dh + k);
    op_numbers(op, "%s", dot.text);
    if (op->count == 1) {
        op_dot(op, &dot, a, b, n);
        return;
    }
    op_read(op, a.id, a.at, n, 1);
    op_read_block(op, b.id, b.at, n, D, dh);
    int wrapped = op_count_events(x, op, EVENT_WRAP);
    if (wrapped)
        op_remark(op, "%d of %d elements wrap", wrapped, dh);
    op_remark(op, "%d such sums in this cycle, one told", dh);
}

void explain_weighted_sum(Explain *x)
{
    int h = now(x, SIG_ATTN_H, 0);
    if (h < x->c->n_heads) {
        weigh(x, h);
        return;
    }
    Operation *op = op_copy(x, SIG_CONCAT, 0, x->c->d_model, SIG_HEAD);
    if (op->count > 1)
        op_formula(op, "head[0..%d], side by side", x->c->n_heads - 1);
}

static void output_proj(Explain *x)
{
    int i = now(x, SIG_ATTN_I, 0);
    if (i < x->c->d_model)
        project(x, SIG_ATTN_OUT, WEIGHT_WO, SIG_CONCAT, i);
    else
        op_flag(x, SIG_ATTN_VALID, "attn_out is complete");
}

const ExplainRule explain_attention_rules[] = {
    {"IDLE", NULL, "attn_start is 1"},
    {"PROJ_QKV", proj_qkv, "i has reached d_model"},
    {"WRITE_CACHE", explain_write_cache, NULL},
    {"SCORE", explain_score, "every head has its scores"},
    {"SOFTMAX_PREP", explain_softmax_prep, NULL},
    {"SOFTMAX_RUN", NULL, "softmax.valid is 1"},
    {"SOFTMAX_STORE", explain_softmax_store, NULL},
    {"WEIGHTED_SUM", explain_weighted_sum, "every head has its sum"},
    {"OUTPUT_PROJ", output_proj, "i has reached d_model"},
    {NULL, NULL, NULL},
};
