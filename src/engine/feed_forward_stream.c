/* Feed forward, one element of each dot product a cycle (variant stream). Mirrors
 * rtl/feed_forward_stream.sv.
 *
 * Timing: IDLE samples start; per hidden unit L1_B1_ADDR 1 (addresses b1[i]), L1_ADDR 1 (latches
 * it, addresses element 0 of w1), LINEAR1 D, L1_STORE 1; RELU 1; per output L2_ADDR 1, LINEAR2 F,
 * L2_STORE 1; DONE 1 with valid. Swiglu: w3 and b3 run beside w1 and b1, for up; SWIGLU F + 1
 * instead of RELU. Work cycle j uses the word addressed before it and addresses
 * element j + 1; a *_STORE cycle stores the narrowed sum plus the bias, both wrapping, and clears
 * the sum. */
#include "engine/unit.h"

void feed_forward_stream_reads(const Engine *e, const Regs *q, StreamReads *r)
{
    int D = e->config.d_model, F = e->config.d_ff, i = q->ffn.i, j = q->stream.ffn_j;
    switch ((FeedForwardStreamState)q->ffn.state) {
    case FFNS_L1_B1_ADDR:
        r->b1 = i;
        break;
    case FFNS_L1_ADDR:
        r->w1 = i;
        break;
    case FFNS_LINEAR1:
        r->w1 = j + 1 < D ? (j + 1) * F + i : -1;
        break;
    case FFNS_L2_ADDR:
        r->w2 = i;
        break;
    case FFNS_LINEAR2:
        r->w2 = j + 1 < F ? (j + 1) * D + i : -1;
        break;
    case FFNS_IDLE:
    case FFNS_L1_STORE:
    case FFNS_RELU:
    case FFNS_L2_STORE:
    case FFNS_DONE:
    case FFNS_SWIGLU:
        break;
    }
}

/* Swiglu: the product for up, beside that for the gate. */
static void multiply_up(const Engine *e, const StreamRegs *q, StreamRegs *d, Ports *p)
{
    int16_t a = q->ffn_j < e->config.d_model ? engine_words(e, SIG_LN2_OUT)[q->ffn_j] : 0;
    port_event(p, accumulate(&d->ffn_acc_up, a, q->w3), SIG_FFN_ACC_UP, 0, EVENT_WRAP);
}

/* One product of vector x of n elements with a word; true in the last cycle. */
static bool multiply(const Engine *e, const StreamRegs *q, StreamRegs *d, SignalId x, int n,
                     int16_t word, Ports *p)
{
    int16_t a = q->ffn_j < n ? engine_words(e, x)[q->ffn_j] : 0; /* a poke may lead beyond */
    bool last = q->ffn_j >= n - 1;
    port_event(p, accumulate(&d->ffn_acc, a, word), SIG_FFN_ACC, 0, EVENT_WRAP);
    d->ffn_j = (uint16_t)(last ? 0 : q->ffn_j + 1);
    return last;
}

/* out[i] = acc narrowed + bias, in a vector of n */
static void store_sum(int32_t acc, SignalId out, int i, int n, int16_t bias, Ports *p)
{
    int16_t y = narrow(acc);
    if (i >= n) /* only a poke can make it so */
        return;
    port_event(p, acc >> FRAC_BITS != y || fp_add_saturates(y, bias), out, i, EVENT_WRAP);
    port_write(p, out, i, low16(y + bias));
}

/* The sum goes to out[i]; true after the last of n elements. */
static bool store(const Regs *q, Regs *d, SignalId out, int n, int16_t bias, Ports *p)
{
    int i = q->ffn.i;
    bool last = i >= n - 1;
    store_sum(q->stream.ffn_acc, out, i, n, bias, p);
    d->stream.ffn_acc = 0;
    d->ffn.i = (uint16_t)(last ? 0 : i + 1);
    return last;
}

void feed_forward_stream_next(const Engine *e, const Regs *all, Regs *d, Ports *p)
{
    const StreamRegs *q = &all->stream;
    int D = e->config.d_model, F = e->config.d_ff;
    bool last = false;

    d->ffn.valid = 0;
    switch ((FeedForwardStreamState)all->ffn.state) {
    case FFNS_IDLE:
        if (all->top.ffn_start) {
            d->ffn.i = d->stream.ffn_j = 0;
            d->stream.ffn_acc = d->stream.ffn_acc_up = 0;
            d->ffn.state = FFNS_L1_B1_ADDR;
        }
        break;
    case FFNS_L1_B1_ADDR:
        d->ffn.state = FFNS_L1_ADDR;
        break;
    case FFNS_L1_ADDR:
        d->stream.ffn_bias = q->b1;
        d->stream.ffn_bias_up = q->b3;
        d->ffn.state = FFNS_LINEAR1;
        break;
    case FFNS_LINEAR1:
        if (has_swiglu(e))
            multiply_up(e, q, &d->stream, p);
        if (multiply(e, q, &d->stream, SIG_LN2_OUT, D, q->w1, p))
            d->ffn.state = FFNS_L1_STORE;
        break;
    case FFNS_L1_STORE:
        last = store(all, d, SIG_HIDDEN, F, q->ffn_bias, p);
        if (has_swiglu(e))
            store_sum(q->ffn_acc_up, SIG_UP, all->ffn.i, F, q->ffn_bias_up, p);
        d->stream.ffn_acc_up = 0;
        d->ffn.state = !last ? FFNS_L1_B1_ADDR : has_swiglu(e) ? FFNS_SWIGLU : FFNS_RELU;
        break;
    case FFNS_RELU:
        relu(e, p);
        d->ffn.state = FFNS_L2_ADDR;
        break;
    case FFNS_SWIGLU:
        if (swiglu_next(e, &all->ffn, &d->ffn, p))
            d->ffn.state = FFNS_L2_ADDR;
        break;
    case FFNS_L2_ADDR:
        d->ffn.state = FFNS_LINEAR2;
        break;
    case FFNS_LINEAR2:
        if (multiply(e, q, &d->stream, SIG_HIDDEN, F, q->w2, p))
            d->ffn.state = FFNS_L2_STORE;
        break;
    case FFNS_L2_STORE:
        last = store(all, d, SIG_FFN_OUT, D, e->weights->data[WEIGHT_B2][all->ffn.i % D], p);
        d->ffn.valid = last;
        d->ffn.state = last ? FFNS_DONE : FFNS_L2_ADDR;
        break;
    case FFNS_DONE:
        d->ffn.state = FFNS_IDLE;
        break;
    }
}
