/* What the feed forward's states do (variant bridge). Speaks of src/engine/feed_forward.c. */
#include "tell/explain_unit.h"

/* out[i] = column i of matrix m ([rows][cols]) times in, plus bias[i] */
static void linear(Explain *x, SignalId out, WeightId m, WeightId bias, SignalId in, int rows,
                   int cols)
{
    int i = now(x, SIG_FFN_I, 0);
    Span a = {in, 0, 1}, b = {signal_weight(m), i, cols};
    Dot dot = dot_of(x, a, b, rows);
    int16_t y = narrow(low32(dot.exact)), offset = (int16_t)now(x, signal_weight(bias), i);
    Operation *op = op_store(x, out, i);
    op_formula(op, "narrow(%s . %s[][%d]) + %s", signal_at(in)->path, weight_name(m), i,
               weight_name(bias));
    op_numbers(op, "%s = %04x; + %04x", dot.text, hex16(y), hex16(offset));
    op_dot(op, &dot, a, b, rows);
    op_step(op, y + offset);
    op_read(op, signal_weight(bias), i, 1, 1);
}

static void linear1(Explain *x)
{
    int D = x->c->d_model, F = x->c->d_ff;
    if (now(x, SIG_FFN_I, 0) >= F)
        return;
    linear(x, SIG_HIDDEN, WEIGHT_W1, WEIGHT_B1, SIG_LN2_OUT, D, F);
    if (explain_has_up(x))
        linear(x, SIG_UP, WEIGHT_W3, WEIGHT_B3, SIG_LN2_OUT, D, F);
}

/* hidden[i], the gate, becomes silu of it times up[i]. */
void explain_swiglu(Explain *x)
{
    int i = now(x, SIG_FFN_I, 0);
    if (i >= x->c->d_ff)
        return;
    int16_t gate = (int16_t)now(x, SIG_HIDDEN, i), up = (int16_t)now(x, SIG_UP, i);
    int16_t s = sigmoid(gate), bent = silu(gate);
    Operation *op = op_store(x, SIG_HIDDEN, i);
    op_formula(op, "silu(hidden[%d])*up[%d]", i, i);
    op_numbers(op, "%04x*sigmoid %04x >> 8 = %04x; %04x*%04x >> 8", hex16(gate), hex16(s),
               hex16(bent), hex16(bent), hex16(up));
    op_step(op, ((int32_t)bent * up) >> FRAC_BITS);
    op_read(op, SIG_HIDDEN, i, 1, 1);
    op_read(op, SIG_UP, i, 1, 1);
}

void explain_relu(Explain *x)
{
    int k = 0, negative = 0;
    Operation *op = op_range(x, SIG_HIDDEN, 0, x->c->d_ff, &k);
    int32_t value = now(x, SIG_HIDDEN, k);
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

static void linear2(Explain *x)
{
    if (now(x, SIG_FFN_I, 0) < x->c->d_model)
        linear(x, SIG_FFN_OUT, WEIGHT_W2, WEIGHT_B2, SIG_HIDDEN, x->c->d_ff, x->c->d_model);
    else
        op_flag(x, SIG_FFN_VALID, "ffn_out is complete");
}

const ExplainRule explain_feed_forward_rules[] = {
    {"IDLE", NULL, "ffn_start is 1"},
    {"LINEAR1", linear1, "i has reached d_ff"},
    {"RELU", explain_relu, NULL},
    {"SWIGLU", explain_swiglu, "i has reached d_ff"},
    {"LINEAR2", linear2, "i has reached d_model"},
    {NULL, NULL, NULL},
};
