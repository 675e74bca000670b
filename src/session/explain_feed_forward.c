/* What the feed forward's states do (variant bridge). Speaks of src/engine/feed_forward.c. */
#include "session/explain_unit.h"

static void idle(Explain *x)
{
    if (!now(x, SIG_FFN_START, 0))
        return;
    op_set_counter(x, SIG_FFN_I, 0, "");
    op_state(x, "LINEAR1", "ffn_start is 1");
}

/* out[i] = column i of matrix m ([rows][cols]) times in, plus bias[i] */
static void linear(Explain *x, SignalId out, WeightId m, WeightId bias, SignalId in, int rows,
                   int cols)
{
    int i = now(x, SIG_FFN_I, 0);
    Span a = {in, 0, 1}, b = {signal_weight(m), i, cols};
    Dot dot = dot_of(x, a, b, rows);
    int16_t offset = (int16_t)now(x, signal_weight(bias), i);
    Operation *op = op_store(x, out, i, low16(dot.y + offset));
    op_formula(op, "narrow(%s . %s[][%d]) + %s", signal_at(in)->path, weight_name(m), i,
               weight_name(bias));
    op_numbers(op, "%s = %04x; + %04x", dot.text, hex16(dot.y), hex16(offset));
    op_dot(op, &dot, a, b, rows);
    op_fits(op, dot.y + offset, EVENT_WRAP);
    op_read(op, signal_weight(bias), i, 1, 1);
    op_count_up(x, SIG_FFN_I);
}

static void linear1(Explain *x)
{
    if (now(x, SIG_FFN_I, 0) < x->c->d_ff) {
        linear(x, SIG_HIDDEN, WEIGHT_W1, WEIGHT_B1, SIG_LN2_OUT, x->c->d_model, x->c->d_ff);
        return;
    }
    op_set_counter(x, SIG_FFN_I, 0, "");
    op_state(x, "RELU", "i has reached d_ff");
}

void explain_relu(Explain *x)
{
    int k = 0, negative = 0;
    Operation *op = op_range(x, SIG_HIDDEN, 0, x->c->d_ff, &k);
    int32_t value = now(x, SIG_HIDDEN, k);
    op->result = value > 0 ? value : 0;
    op_formula(op, "max(0, hidden[%d])", k);
    op_numbers(op, "max(0, %04x)", hex16(value));
    op_read(op, SIG_HIDDEN, k, op->count, 1);
    for (int i = k; i < k + op->count; i++)
        negative += now(x, SIG_HIDDEN, i) < 0;
    if (op->count > 1)
        op_remark(op, "all in this cycle: %d of %d are negative and become 0", negative, op->count);
    else if (negative)
        op_remark(op, "negative: becomes 0");
}

static void relu(Explain *x)
{
    explain_relu(x);
    op_state(x, "LINEAR2", "");
}

static void linear2(Explain *x)
{
    if (now(x, SIG_FFN_I, 0) < x->c->d_model) {
        linear(x, SIG_FFN_OUT, WEIGHT_W2, WEIGHT_B2, SIG_HIDDEN, x->c->d_ff, x->c->d_model);
        return;
    }
    op_flag(x, SIG_FFN_VALID, "ffn_out is complete");
    op_set_counter(x, SIG_FFN_I, 0, "");
    op_state(x, "DONE", "i has reached d_model");
}

const ExplainRule explain_feed_forward_rules[] = {
    {"IDLE", idle},       {"LINEAR1", linear1},   {"RELU", relu},
    {"LINEAR2", linear2}, {"DONE", explain_done}, {NULL, NULL},
};
