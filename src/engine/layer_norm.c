/* Layer norm without a divider: mean, variance, 1/sqrt by table; or RMSNorm (NORM_RMS), which is
 * that with mean 0 and beta 0. Mirrors rtl/layer_norm.sv.
 *
 * Timing: start is sampled in IDLE; then MEAN, VARIANCE and NORMALIZE take D + 1 cycles each
 * (element i in the cycle with index i, the extra cycle commits mean / var and inv_std / valid);
 * valid is 1 in DONE, one cycle. RMSNorm has no MEAN, and var is the mean square; without a
 * centered copy it reads x until NORMALIZE ends. Two instances: ln1 reads token_emb, ln2
 * residual1. */
#include "engine/unit.h"

/* Both instances list their signals in the same order: add the distance from ln1's. */
static SignalId of(SignalId first, SignalId ln1_signal)
{
    return (SignalId)(first + (ln1_signal - SIG_LN1_STATE));
}

static bool is_rms(const Engine *e)
{
    return e->config.norm == NORM_RMS;
}

static const int16_t *input(const Engine *e, SignalId first)
{
    return engine_words(e, first == SIG_LN1_STATE ? SIG_TOKEN_EMB : SIG_RESIDUAL1);
}

/* x - mean, stored; RMSNorm takes x as it is. */
static int16_t center(const Engine *e, const LayerNormRegs *q, Ports *p, SignalId first)
{
    int16_t x = input(e, first)[q->i], c = low16(x - q->mean);
    if (is_rms(e))
        return x;
    port_event(p, c != x - q->mean, of(first, SIG_LN1_CENTERED), q->i, EVENT_WRAP);
    port_write(p, of(first, SIG_LN1_CENTERED), q->i, c);
    return c;
}

static void normalize(const Engine *e, const LayerNormRegs *q, Ports *p, SignalId first)
{
    bool is_ln1 = first == SIG_LN1_STATE, rms = is_rms(e);
    const int16_t *centered = rms ? input(e, first) : engine_words(e, of(first, SIG_LN1_CENTERED));
    int16_t gamma = e->weights->data[is_ln1 ? WEIGHT_LN1_GAMMA : WEIGHT_LN2_GAMMA][q->i];
    int16_t beta = rms ? 0 : e->weights->data[is_ln1 ? WEIGHT_LN1_BETA : WEIGHT_LN2_BETA][q->i];
    int16_t c = centered[q->i];
    int16_t unit = fp_mul(c, q->inv_std);
    int16_t scaled = fp_mul(gamma, unit);
    SignalId out = of(first, SIG_LN1_OUT);
    port_event(p, fp_mul_wraps(c, q->inv_std) || fp_mul_wraps(gamma, unit), out, q->i, EVENT_WRAP);
    port_event(p, fp_add_saturates(scaled, beta), out, q->i, EVENT_SATURATE);
    port_write(p, out, q->i, fp_sat_add(scaled, beta));
}

void layer_norm_next(const Engine *e, const LayerNormRegs *q, LayerNormRegs *d, Ports *p,
                     SignalId first, bool start)
{
    bool more = q->i < e->config.d_model;

    d->valid = 0;
    switch ((LayerNormState)q->state) {
    case LN_IDLE:
        if (start) {
            d->state = is_rms(e) ? LN_VARIANCE : LN_MEAN;
            d->i = 0;
            d->acc = 0;
        }
        return;
    case LN_MEAN:
        if (more) {
            d->acc = low32((int64_t)q->acc + input(e, first)[q->i]);
            break;
        }
        d->mean = low16(q->acc >> e->log2_d);
        d->acc = 0;
        d->state = LN_VARIANCE;
        break;
    case LN_VARIANCE:
        if (more) {
            int16_t c = center(e, q, p, first);
            port_event(p, fp_mul_wraps(c, c), of(first, SIG_LN1_ACC), 0, EVENT_WRAP);
            d->acc = low32((int64_t)q->acc + fp_mul(c, c));
            break;
        }
        d->var = low16(q->acc >> e->log2_d);
        d->inv_std = fp_inv_sqrt(low16(d->var + 1));
        d->acc = 0;
        d->state = LN_NORMALIZE;
        break;
    case LN_NORMALIZE:
        if (more) {
            normalize(e, q, p, first);
            break;
        }
        d->valid = 1;
        d->state = LN_DONE;
        break;
    case LN_DONE:
        d->state = LN_IDLE;
        return;
    }
    d->i = more ? (uint16_t)(q->i + 1) : 0;
}
