/* What the top FSM's states do: start the units one after the other, add the residuals. Speaks of
 * src/engine/decoder_control.c. */
#include "tell/explain_unit.h"

/* out = a + b, all elements in one cycle */
static void residual(Explain *x, SignalId a, SignalId b, SignalId out)
{
    int k = 0;
    Operation *op = op_range(x, out, 0, x->c->d_model, &k);
    int16_t left = (int16_t)now(x, a, k), right = (int16_t)now(x, b, k);
    op_formula(op, "saturate(%s + %s)", signal_at(a)->path, signal_at(b)->path);
    op_numbers(op, "%04x + %04x", hex16(left), hex16(right));
    op_read(op, a, k, op->count, 1);
    op_read(op, b, k, op->count, 1);
    if (op->count == 1) {
        op_step(op, left + right);
        return;
    }
    int saturated = op_count_events(x, op, EVENT_SATURATE);
    if (saturated)
        op_remark(op, "%d of %d elements saturate", saturated, op->count);
    op_remark(op, "all %d elements in this cycle", op->count);
}

static void ln1_start(Explain *x)
{
    op_flag(x, SIG_LN1_START, "layer norm 1 will see it");
}

static void attn_start(Explain *x)
{
    op_flag(x, SIG_ATTN_START, "attention will see it");
}

static void residual1(Explain *x)
{
    residual(x, SIG_TOKEN_EMB, SIG_ATTN_OUT, SIG_RESIDUAL1);
}

static void ln2_start(Explain *x)
{
    op_flag(x, SIG_LN2_START, "layer norm 2 will see it");
}

static void ffn_start(Explain *x)
{
    op_flag(x, SIG_FFN_START, "the feed forward will see it");
}

static void residual2(Explain *x)
{
    residual(x, SIG_RESIDUAL1, SIG_FFN_OUT, SIG_OUT_EMB);
    op_flag(x, SIG_VALID, "out_emb will be complete");
}

const ExplainRule explain_top_rules[] = {
    {"IDLE", NULL, "start is 1"},           {"LN1_START", ln1_start, NULL},
    {"LN1_WAIT", NULL, "ln1.valid is 1"},   {"ATTN_START", attn_start, NULL},
    {"ATTN_WAIT", NULL, "attn.valid is 1"}, {"RESIDUAL1", residual1, NULL},
    {"LN2_START", ln2_start, NULL},         {"LN2_WAIT", NULL, "ln2.valid is 1"},
    {"FFN_START", ffn_start, NULL},         {"FFN_WAIT", NULL, "ffn.valid is 1"},
    {"RESIDUAL2", residual2, NULL},         {NULL, NULL, NULL},
};
