/* Feed forward: two linear layers and a ReLU, or with swiglu a third layer beside the first
 * (variant bridge). Mirrors rtl/feed_forward.sv.
 *
 * Timing: IDLE samples start; LINEAR1 F + 1 (one hidden unit a cycle), RELU 1 (clamps hidden in
 * place), LINEAR2 D + 1 (one output a cycle), DONE 1 with valid. Swiglu: LINEAR1 makes hidden[i],
 * the gate, and up[i]; SWIGLU F + 1 instead of RELU (hidden[i] becomes silu of the gate times up).
 * All bias adds and the product with up wrap. */
#include "engine/unit.h"

/* out[i] = low16(column i of m times x, narrowed, plus bias[i]) */
static void linear(const Engine *e, WeightId m, WeightId bias, SignalId x, SignalId out, int i,
                   Ports *p)
{
    bool wraps = false;
    int16_t y = gemv_narrow(e, m, i, engine_words(e, x), &wraps);
    int16_t b = e->weights->data[bias][i];
    port_event(p, wraps || fp_add_saturates(y, b), out, i, EVENT_WRAP);
    port_write(p, out, i, low16(y + b));
}

void relu(const Engine *e, Ports *p)
{
    int F = e->config.d_ff;
    const int16_t *hidden = engine_words(e, SIG_HIDDEN);
    int16_t *clamped = port_bulk(p, SIG_HIDDEN, 0, F);
    for (int i = 0; i < F; i++)
        clamped[i] = hidden[i] > 0 ? hidden[i] : 0;
}

bool swiglu_next(const Engine *e, const FeedForwardRegs *q, FeedForwardRegs *d, Ports *p)
{
    bool more = q->i < e->config.d_ff;
    if (more) {
        int16_t gate = engine_words(e, SIG_HIDDEN)[q->i], up = engine_words(e, SIG_UP)[q->i];
        port_event(p, fp_mul_wraps(silu(gate), up), SIG_HIDDEN, q->i, EVENT_WRAP);
        port_write(p, SIG_HIDDEN, q->i, swiglu(gate, up));
    }
    d->i = more ? (uint16_t)(q->i + 1) : 0;
    return !more;
}

void feed_forward_next(const Engine *e, const Regs *all, FeedForwardRegs *d, Ports *p)
{
    const FeedForwardRegs *q = &all->ffn;
    d->valid = 0;
    switch ((FeedForwardState)q->state) {
    case FFN_IDLE:
        if (all->top.ffn_start) {
            d->i = 0;
            d->state = FFN_LINEAR1;
        }
        break;
    case FFN_LINEAR1:
        if (q->i < e->config.d_ff) {
            linear(e, WEIGHT_W1, WEIGHT_B1, SIG_LN2_OUT, SIG_HIDDEN, q->i, p);
            if (has_swiglu(e))
                linear(e, WEIGHT_W3, WEIGHT_B3, SIG_LN2_OUT, SIG_UP, q->i, p);
            d->i = (uint16_t)(q->i + 1);
        } else {
            d->i = 0;
            d->state = has_swiglu(e) ? FFN_SWIGLU : FFN_RELU;
        }
        break;
    case FFN_RELU:
        relu(e, p);
        d->state = FFN_LINEAR2;
        break;
    case FFN_LINEAR2:
        if (q->i < e->config.d_model) {
            linear(e, WEIGHT_W2, WEIGHT_B2, SIG_HIDDEN, SIG_FFN_OUT, q->i, p);
            d->i = (uint16_t)(q->i + 1);
        } else {
            d->i = 0;
            d->valid = 1;
            d->state = FFN_DONE;
        }
        break;
    case FFN_SWIGLU:
        if (swiglu_next(e, q, d, p))
            d->state = FFN_LINEAR2;
        break;
    case FFN_DONE:
        d->state = FFN_IDLE;
        break;
    }
}
