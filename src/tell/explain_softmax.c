/* What the softmax's states do. Speaks of src/engine/softmax_unit.c. */
#include "tell/explain_unit.h"

static bool more(const Explain *x)
{
    return now(x, SIG_SMAX_I, 0) < x->c->max_seq_len;
}

static void idle(Explain *x)
{
    if (!now(x, SIG_ATTN_SMAX_START, 0))
        return;
    Operation *op = op_store(x, SIG_SMAX_MAX, 0);
    op_formula(op, "x[0]");
    op_read(op, SIG_SMAX_X, 0, 1, 1);
    op_counter(x, SIG_SMAX_I, ""); /* not "i + 1": it begins with element 1 */
}

static void find_max(Explain *x)
{
    if (!more(x))
        return;
    int i = now(x, SIG_SMAX_I, 0);
    int32_t value = now(x, SIG_SMAX_X, i), max = now(x, SIG_SMAX_MAX, 0);
    Operation *op = op_store(x, SIG_SMAX_MAX, 0);
    op_formula(op, "the larger of x[%d] and max", i);
    op_numbers(op, "%04x %s %04x", hex16(value), value > max ? ">" : "<=", hex16(max));
    op_remark(op, value > max ? "a new maximum" : "");
    op_read(op, SIG_SMAX_X, i, 1, 1);
    op_read(op, SIG_SMAX_MAX, 0, 1, 1);
}

/* Which piece of the exponential, with its numbers (decoder.md section 1). */
static void tell_piece(Operation *op, int16_t shifted, ExpMode mode)
{
    unsigned v = hex16(shifted);
    const char *floored = op->result == EXP_FLOOR ? ", not positive" : "";
    if (shifted >= 0)
        op_numbers(op, "%04x >= 0: 1.0", v);
    else if (shifted > -0x0100)
        op_numbers(op, "-1 < %04x < 0: 0100 + %04x", v, v);
    else if (shifted <= -0x0400)
        op_numbers(op, "%04x <= -4: the floor", v);
    else if (mode == EXP_EXECUTED && shifted > -0x0200)
        op_numbers(op, "-2 < %04x <= -1: (%04x + 0160) >> 1%s", v, v,
                   shifted + 0x0160 < 2 ? floored : "");
    else if (mode == EXP_EXECUTED)
        op_numbers(op, "-4 < %04x <= -2: (%04x + 0220) >> 2%s", v, v,
                   shifted + 0x0220 < 4 ? floored : "");
    else if (shifted > -0x0200)
        op_numbers(op, "-2 < %04x <= -1: 0060 + ((%04x + 0100) >> 1)%s", v, v,
                   0x60 + ((shifted + 0x0100) >> 1) <= 0 ? floored : "");
    else
        op_numbers(op, "-4 < %04x <= -2: 0020 + ((%04x + 0200) >> 2)%s", v, v,
                   0x20 + ((shifted + 0x0200) >> 2) <= 0 ? floored : "");
}

static void tell_exp(Explain *x, int i, int16_t shifted, bool wrapped)
{
    bool masked = i > now(x, SIG_SEQ_POS, 0);
    char value[40];
    if (masked && x->c->mask_mode == MASK_EXCLUDE) {
        Operation *op = op_store(x, SIG_SMAX_EXP, i);
        op_formula(op, "0");
        op_remark(op, "%d > seq_pos: excluded", i);
        return;
    }
    Operation *op = op_store(x, SIG_SMAX_EXP, i);
    op_formula(op, "approx_exp(shifted[%d])", i);
    tell_piece(op, shifted, x->c->exp);
    if (!masked)
        return;
    explain_value(op->result, value, sizeof value);
    if (op->events & EVENT_MASK_LEAK)
        op_remark(op, "masked position %d keeps exp %s%s", i, value,
                  wrapped ? ": the mask has wrapped" : "");
    op_remark(op, "masked, and still exp %s", value);
}

static void subtract_exp(Explain *x)
{
    if (!more(x)) {
        op_formula(op_store(x, SIG_SMAX_SUM, 0), "0");
        return;
    }
    int i = now(x, SIG_SMAX_I, 0);
    int32_t value = now(x, SIG_SMAX_X, i), max = now(x, SIG_SMAX_MAX, 0);
    Operation *op = op_store(x, SIG_SMAX_SHIFTED, i);
    op_formula(op, "x[%d] - max", i);
    op_numbers(op, "%04x - %04x", hex16(value), hex16(max));
    op_step(op, value - max);
    op_read(op, SIG_SMAX_X, i, 1, 1);
    op_read(op, SIG_SMAX_MAX, 0, 1, 1);
    tell_exp(x, i, (int16_t)op->result, op->events & EVENT_WRAP);
}

static void sum(Explain *x)
{
    if (!more(x))
        return;
    int i = now(x, SIG_SMAX_I, 0);
    int32_t total = now(x, SIG_SMAX_SUM, 0), value = now(x, SIG_SMAX_EXP, i);
    Operation *op = op_store(x, SIG_SMAX_SUM, 0);
    op_formula(op, "sum + exp[%d]", i);
    op_numbers(op, "%08x + %04x", (unsigned)total, hex16(value));
    if (op->events & EVENT_SUM_OVERFLOW)
        op_remark(op, "above ffff: reciprocal will see %04x", hex16(op->result));
    op_read(op, SIG_SMAX_SUM, 0, 1, 1);
    op_read(op, SIG_SMAX_EXP, i, 1, 1);
}

static void recip(Explain *x)
{
    int32_t total = now(x, SIG_SMAX_SUM, 0);
    uint16_t in = (uint16_t)total;
    Newton n;
    Operation *op = op_store(x, SIG_SMAX_RECIP, 0);
    reciprocal_steps(in, &n);
    op_formula(op, "reciprocal(sum[15:0])");
    if (!n.looked_up)
        op_numbers(op, "%04x: a constant for sum <= 1/256", in);
    else
        op_numbers(op, "%04x: clz %d, RECIP[%d] %04x, Newton %04x, >> %d", in, n.lz, n.k, n.seed,
                   n.refined, n.shift);
    if ((uint32_t)total > 0xffff)
        op_remark(op, "the sum %x is cut to 16 bits", (unsigned)total);
    op_remark(op, "about 65536 / sum");
    op_read(op, SIG_SMAX_SUM, 0, 1, 1);
}

static void normalize(Explain *x)
{
    if (!more(x)) {
        op_flag(x, SIG_SMAX_VALID, "the probabilities are complete");
        return;
    }
    int i = now(x, SIG_SMAX_I, 0);
    int16_t value = (int16_t)now(x, SIG_SMAX_EXP, i), inverse = (int16_t)now(x, SIG_SMAX_RECIP, 0);
    bool any = now(x, SIG_SMAX_SUM, 0) != 0;
    Operation *op = op_store(x, SIG_SMAX_PROB, i);
    op_read(op, SIG_SMAX_SUM, 0, 1, 1);
    if (any) {
        op_formula(op, "exp[%d] * recip", i);
        op_numbers(op, "%04x*%04x >> 8", hex16(value), hex16(inverse));
        op_step(op, ((int32_t)value * inverse) >> FRAC_BITS);
        op_read(op, SIG_SMAX_EXP, i, 1, 1);
        op_read(op, SIG_SMAX_RECIP, 0, 1, 1);
    } else {
        op_formula(op, "0");
        op_remark(op, "sum is 0: nothing to share out");
    }
}

static const char through[] = "i has reached max_seq_len";

const ExplainRule explain_softmax_rules[] = {
    {"IDLE", idle, "smax_start is 1"},
    {"FIND_MAX", find_max, through},
    {"SUBTRACT_EXP", subtract_exp, through},
    {"SUM", sum, through},
    {"RECIP", recip, NULL},
    {"NORMALIZE", normalize, through},
    {NULL, NULL, NULL},
};
