/* The conductor: LN1, attention, residual, LN2, feed forward, residual. Mirrors
 * rtl/decoder_control.sv, which all tops share.
 *
 * Timing: start is sampled in IDLE only; each *_START state raises one start flag, which its unit
 * sees in the first cycle of *_WAIT; *_WAIT ends when the unit's valid is high. valid is 1 in DONE,
 * one cycle; out_emb changes on the edge that ends RESIDUAL2 and holds. */
#include "engine/unit.h"

static void residual(const Engine *e, SignalId a, SignalId b, SignalId out, Ports *p)
{
    const int16_t *x = engine_words(e, a), *y = engine_words(e, b);
    int16_t *sum = port_bulk(p, out, 0, e->config.d_model);
    for (int i = 0; i < e->config.d_model; i++) {
        sum[i] = fp_sat_add(x[i], y[i]);
        port_event(p, fp_add_saturates(x[i], y[i]), out, i, EVENT_SATURATE);
    }
}

void decoder_control_next(const Engine *e, const Regs *all, TopRegs *d, Ports *p)
{
    const TopRegs *q = &all->top;
    TopState next = TOP_IDLE;

    d->ln1_start = d->attn_start = d->ln2_start = d->ffn_start = 0;
    d->valid = 0;
    switch ((TopState)q->state) {
    case TOP_IDLE:
        next = e->in.start ? TOP_LN1_START : TOP_IDLE;
        break;
    case TOP_LN1_START:
        d->ln1_start = 1;
        next = TOP_LN1_WAIT;
        break;
    case TOP_LN1_WAIT:
        next = all->ln1.valid ? TOP_ATTN_START : TOP_LN1_WAIT;
        break;
    case TOP_ATTN_START:
        d->attn_start = 1;
        next = TOP_ATTN_WAIT;
        break;
    case TOP_ATTN_WAIT:
        next = all->attn.valid ? TOP_RESIDUAL1 : TOP_ATTN_WAIT;
        break;
    case TOP_RESIDUAL1:
        residual(e, SIG_TOKEN_EMB, SIG_ATTN_OUT, SIG_RESIDUAL1, p);
        next = TOP_LN2_START;
        break;
    case TOP_LN2_START:
        d->ln2_start = 1;
        next = TOP_LN2_WAIT;
        break;
    case TOP_LN2_WAIT:
        next = all->ln2.valid ? TOP_FFN_START : TOP_LN2_WAIT;
        break;
    case TOP_FFN_START:
        d->ffn_start = 1;
        next = TOP_FFN_WAIT;
        break;
    case TOP_FFN_WAIT:
        next = all->ffn.valid ? TOP_RESIDUAL2 : TOP_FFN_WAIT;
        break;
    case TOP_RESIDUAL2:
        residual(e, SIG_RESIDUAL1, SIG_FFN_OUT, SIG_OUT_EMB, p);
        d->valid = 1;
        next = TOP_DONE;
        break;
    case TOP_DONE:
        next = TOP_IDLE;
        break;
    }
    d->state = (uint8_t)next;
}
