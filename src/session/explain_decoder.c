/* What the top FSM's states do: start the units one after the other, add the residuals. Speaks of
 * src/engine/decoder_control.c. */
#include <stdio.h>

#include "session/explain_unit.h"

static void idle(Explain *x)
{
    if (now(x, SIG_START, 0))
        op_state(x, "LN1_START", "start is 1");
}

static void ln1_start(Explain *x)
{
    op_flag(x, SIG_LN1_START, "layer norm 1 will see it");
    op_state(x, "LN1_WAIT", "");
}

static void ln1_wait(Explain *x)
{
    if (now(x, SIG_LN1_VALID, 0))
        op_state(x, "ATTN_START", "ln1.valid is 1");
}

static void attn_start(Explain *x)
{
    op_flag(x, SIG_ATTN_START, "attention will see it");
    op_state(x, "ATTN_WAIT", "");
}

static void attn_wait(Explain *x)
{
    if (now(x, SIG_ATTN_VALID, 0))
        op_state(x, "RESIDUAL1", "attn.valid is 1");
}

/* out = a + b, all elements in one cycle */
static void residual(Explain *x, SignalId a, SignalId b, SignalId out)
{
    int k = 0, saturated = 0;
    Operation *op = op_range(x, out, 0, x->c->d_model, &k);
    int16_t left = (int16_t)now(x, a, k), right = (int16_t)now(x, b, k);
    op->result = fp_sat_add(left, right);
    op_formula(op, "saturate(%s + %s)", signal_at(a)->path, signal_at(b)->path);
    op_numbers(op, "%04x + %04x", hex16(left), hex16(right));
    op_read(op, a, k, op->count, 1);
    op_read(op, b, k, op->count, 1);
    if (op->count == 1) {
        op_fits(op, left + right, EVENT_SATURATE);
        return;
    }
    for (int i = 0; i < op->count; i++)
        saturated += fp_add_saturates((int16_t)now(x, a, i), (int16_t)now(x, b, i));
    op->events = saturated ? EVENT_SATURATE : 0;
    if (saturated)
        op_remark(op, "%d of %d elements saturate", saturated, op->count);
    op_remark(op, "all %d elements in this cycle", op->count);
}

static void residual1(Explain *x)
{
    residual(x, SIG_TOKEN_EMB, SIG_ATTN_OUT, SIG_RESIDUAL1);
    op_state(x, "LN2_START", "");
}

static void ln2_start(Explain *x)
{
    op_flag(x, SIG_LN2_START, "layer norm 2 will see it");
    op_state(x, "LN2_WAIT", "");
}

static void ln2_wait(Explain *x)
{
    if (now(x, SIG_LN2_VALID, 0))
        op_state(x, "FFN_START", "ln2.valid is 1");
}

static void ffn_start(Explain *x)
{
    op_flag(x, SIG_FFN_START, "the feed forward will see it");
    op_state(x, "FFN_WAIT", "");
}

static void ffn_wait(Explain *x)
{
    if (now(x, SIG_FFN_VALID, 0))
        op_state(x, "RESIDUAL2", "ffn.valid is 1");
}

static void residual2(Explain *x)
{
    residual(x, SIG_RESIDUAL1, SIG_FFN_OUT, SIG_OUT_EMB);
    op_flag(x, SIG_VALID, "out_emb will be complete");
    op_state(x, "DONE", "");
}

const ExplainRule explain_top_rules[] = {
    {"IDLE", idle},
    {"LN1_START", ln1_start},
    {"LN1_WAIT", ln1_wait},
    {"ATTN_START", attn_start},
    {"ATTN_WAIT", attn_wait},
    {"RESIDUAL1", residual1},
    {"LN2_START", ln2_start},
    {"LN2_WAIT", ln2_wait},
    {"FFN_START", ffn_start},
    {"FFN_WAIT", ffn_wait},
    {"RESIDUAL2", residual2},
    {"DONE", explain_done},
    {NULL, NULL},
};
