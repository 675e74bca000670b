/* Softmax by pieces: max, exp of the differences, sum, reciprocal by table, product. Mirrors
 * rtl/softmax_unit.sv.
 *
 * Timing, n = S entries: IDLE samples start and loads max = x[0], i = 1; FIND_MAX n cycles,
 * SUBTRACT_EXP n + 1, SUM n + 1, RECIP 1, NORMALIZE n + 1, DONE 1 with valid. The difference to the
 * maximum wraps in 16 bits: with a mask of -128.0 and a positive maximum every masked entry comes
 * out as a large positive number, so its exp is 1.0. In mask mode `exclude` entries beyond seq_pos
 * get exp = 0. */
#include "engine/unit.h"

static void subtract_exp(const Engine *e, const SoftmaxRegs *q, Ports *p)
{
    int i = q->i;
    int16_t x = engine_words(e, SIG_SMAX_X)[i];
    int16_t shifted = low16(x - q->max);
    int16_t value = approx_exp(shifted, e->config.exp);
    bool masked = i > e->in.seq_pos;
    if (masked && e->config.mask_mode == MASK_EXCLUDE)
        value = 0;
    port_event(p, shifted != x - q->max, SIG_SMAX_SHIFTED, i, EVENT_WRAP);
    port_event(p, masked && value > EXP_FLOOR, SIG_SMAX_EXP, i, EVENT_MASK_LEAK);
    port_write(p, SIG_SMAX_SHIFTED, i, shifted);
    port_write(p, SIG_SMAX_EXP, i, value);
}

static void normalize(const Engine *e, const SoftmaxRegs *q, Ports *p)
{
    int16_t value = engine_words(e, SIG_SMAX_EXP)[q->i];
    port_event(p, q->sum && fp_mul_wraps(value, q->recip), SIG_SMAX_PROB, q->i, EVENT_WRAP);
    port_write(p, SIG_SMAX_PROB, q->i, q->sum ? fp_mul(value, q->recip) : 0);
}

void softmax_unit_next(const Engine *e, const Regs *all, SoftmaxRegs *d, Ports *p)
{
    const SoftmaxRegs *q = &all->smax;
    bool more = q->i < e->config.max_seq_len;

    d->valid = 0;
    switch ((SoftmaxState)q->state) {
    case SMAX_IDLE:
        if (all->attn.smax_start) {
            d->state = SMAX_FIND_MAX;
            d->max = engine_words(e, SIG_SMAX_X)[0];
            d->i = 1;
        }
        return;
    case SMAX_FIND_MAX:
        if (more) {
            int16_t x = engine_words(e, SIG_SMAX_X)[q->i];
            d->max = x > q->max ? x : q->max;
        } else {
            d->state = SMAX_SUBTRACT_EXP;
        }
        break;
    case SMAX_SUBTRACT_EXP:
        if (more) {
            subtract_exp(e, q, p);
        } else {
            d->sum = 0;
            d->state = SMAX_SUM;
        }
        break;
    case SMAX_SUM:
        if (more) {
            d->sum = low32((int64_t)q->sum + engine_words(e, SIG_SMAX_EXP)[q->i]);
            port_event(p, (uint32_t)d->sum > 0xffff, SIG_SMAX_SUM, 0, EVENT_SUM_OVERFLOW);
        } else {
            d->state = SMAX_RECIP;
        }
        break;
    case SMAX_RECIP:
        d->recip = reciprocal((uint16_t)q->sum);
        d->state = SMAX_NORMALIZE;
        return;
    case SMAX_NORMALIZE:
        if (more) {
            normalize(e, q, p);
        } else {
            d->valid = 1;
            d->state = SMAX_DONE;
        }
        break;
    case SMAX_DONE:
        d->state = SMAX_IDLE;
        return;
    }
    d->i = more ? (uint16_t)(q->i + 1) : 0;
}
