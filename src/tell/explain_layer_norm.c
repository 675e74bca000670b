/* What the states of layer norm 1 and 2 do. Speaks of src/engine/layer_norm.c. */
#include "tell/explain_unit.h"

#include <stdio.h>
#include <string.h>

/* Both instances list their signals in the same order: the one in hand is that of x->fsm. */
static SignalId of(const Explain *x, SignalId ln1_signal)
{
    return (SignalId)(x->fsm + (ln1_signal - SIG_LN1_STATE));
}

static bool is_ln1(const Explain *x)
{
    return x->fsm == SIG_LN1_STATE;
}

static SignalId input(const Explain *x)
{
    return is_ln1(x) ? SIG_TOKEN_EMB : SIG_RESIDUAL1;
}

static int index_of(const Explain *x)
{
    return now(x, of(x, SIG_LN1_I), 0);
}

static void clear_acc(Explain *x)
{
    op_formula(op_store(x, of(x, SIG_LN1_ACC), 0), "0");
}

static void idle(Explain *x)
{
    if (!now(x, is_ln1(x) ? SIG_LN1_START : SIG_LN2_START, 0))
        return;
    clear_acc(x);
    op_state(x, is_ln1(x) ? "ln1_start is 1" : "ln2_start is 1");
}

/* acc >> log2 d_model, into target */
static Operation *average(Explain *x, SignalId target)
{
    int32_t acc = now(x, of(x, SIG_LN1_ACC), 0);
    int shift = config_log2_d(x->c);
    Operation *op = op_store(x, target, 0);
    op_formula(op, "acc >> %d", shift);
    op_numbers(op, "%08x >> %d", (unsigned)acc, shift);
    op_remark(op, "divides by %d, rounding down", x->c->d_model);
    op_read(op, of(x, SIG_LN1_ACC), 0, 1, 1);
    return op;
}

static void mean(Explain *x)
{
    int i = index_of(x);
    if (i >= x->c->d_model) {
        average(x, of(x, SIG_LN1_MEAN));
        clear_acc(x);
        return;
    }
    int32_t acc = now(x, of(x, SIG_LN1_ACC), 0), value = now(x, input(x), i);
    Operation *op = op_store(x, of(x, SIG_LN1_ACC), 0);
    op_formula(op, "acc + %s[%d]", signal_at(input(x))->path, i);
    op_numbers(op, "%08x + %04x", (unsigned)acc, hex16(value));
    op_read(op, of(x, SIG_LN1_ACC), 0, 1, 1);
    op_read(op, input(x), i, 1, 1);
}

static bool is_rms(const Explain *x)
{
    return x->c->norm == NORM_RMS;
}

/* acc + c*c, where c is told as `what` */
static Operation *add_square(Explain *x, int16_t c, const char *what)
{
    int32_t acc = now(x, of(x, SIG_LN1_ACC), 0);
    Operation *op = op_store(x, of(x, SIG_LN1_ACC), 0);
    op_formula(op, "acc + square of %s", what);
    op_numbers(op, "%08x + (%04x*%04x >> 8 = %04x)", (unsigned)acc, hex16(c), hex16(c),
               hex16(fp_mul(c, c)));
    op_step(op, ((int32_t)c * c) >> FRAC_BITS);
    op_read(op, of(x, SIG_LN1_ACC), 0, 1, 1);
    return op;
}

/* RMSNorm: nothing is subtracted, nothing stored. */
static void square(Explain *x, int i)
{
    char what[32];
    snprintf(what, sizeof what, "%s[%d]", signal_at(input(x))->path, i);
    op_read(add_square(x, (int16_t)now(x, input(x), i), what), input(x), i, 1, 1);
}

static void center(Explain *x, int i)
{
    int32_t value = now(x, input(x), i), average_now = now(x, of(x, SIG_LN1_MEAN), 0);
    Operation *op = op_store(x, of(x, SIG_LN1_CENTERED), i);
    int16_t c = (int16_t)op->result;
    op_formula(op, "%s[%d] - mean", signal_at(input(x))->path, i);
    op_numbers(op, "%04x - %04x", hex16(value), hex16(average_now));
    op_step(op, value - average_now);
    op_read(op, input(x), i, 1, 1);
    op_read(op, of(x, SIG_LN1_MEAN), 0, 1, 1);
    add_square(x, c, "it");
}

static void inverse_root(Explain *x, int16_t var)
{
    int16_t in = low16(var + 1);
    Newton n;
    Operation *op = op_store(x, of(x, SIG_LN1_INV_STD), 0);
    fp_inv_sqrt_steps(in, &n);
    op_formula(op, "fp_inv_sqrt(var + 1)");
    if (!n.looked_up)
        op_numbers(op, "%04x: a constant for x <= 1/256", hex16(in));
    else
        op_numbers(op, "%04x: clz %d, RSQRT[%d] %04x, Newton %04x, %s>> %d", hex16(in), n.lz, n.k,
                   n.seed, n.refined, n.odd ? "*sqrt2 " : "", n.shift);
}

static void variance(Explain *x)
{
    int i = index_of(x);
    if (i < x->c->d_model) {
        (is_rms(x) ? square : center)(x, i);
        return;
    }
    Operation *op = average(x, of(x, SIG_LN1_VAR));
    inverse_root(x, (int16_t)op->result);
    clear_acc(x);
}

static void add_beta(Explain *x, Operation *op, int i, int16_t scaled)
{
    SignalId beta_id = signal_weight(is_ln1(x) ? WEIGHT_LN1_BETA : WEIGHT_LN2_BETA);
    int16_t beta = (int16_t)now(x, beta_id, i);
    size_t used = strlen(op->numbers);
    op_formula(op, "gamma*centered*inv_std + beta");
    snprintf(op->numbers + used, sizeof op->numbers - used, "; %04x + %04x", hex16(scaled),
             hex16(beta));
    op_step(op, scaled + beta);
    op_read(op, beta_id, i, 1, 1);
}

static void normalize_element(Explain *x, int i)
{
    SignalId gamma_id = signal_weight(is_ln1(x) ? WEIGHT_LN1_GAMMA : WEIGHT_LN2_GAMMA);
    SignalId factor = is_rms(x) ? input(x) : of(x, SIG_LN1_CENTERED);
    int16_t gamma = (int16_t)now(x, gamma_id, i), c = (int16_t)now(x, factor, i);
    int16_t inv = (int16_t)now(x, of(x, SIG_LN1_INV_STD), 0);
    int16_t unit = fp_mul(c, inv), scaled = fp_mul(gamma, unit);

    Operation *op = op_store(x, of(x, SIG_LN1_OUT), i);
    op_formula(op, "gamma*%s*inv_std", signal_at(factor)->path);
    op_numbers(op, "%04x*%04x >> 8 = %04x; %04x*%04x >> 8 = %04x", hex16(c), hex16(inv),
               hex16(unit), hex16(gamma), hex16(unit), hex16(scaled));
    op_step(op, ((int32_t)c * inv) >> FRAC_BITS);
    op_step(op, ((int32_t)gamma * unit) >> FRAC_BITS);
    op_read(op, factor, i, 1, 1);
    op_read(op, of(x, SIG_LN1_INV_STD), 0, 1, 1);
    op_read(op, gamma_id, i, 1, 1);
    if (!is_rms(x))
        add_beta(x, op, i, scaled);
}

static void normalize(Explain *x)
{
    int i = index_of(x);
    if (i >= x->c->d_model) {
        op_flag(x, of(x, SIG_LN1_VALID), is_ln1(x) ? "ln1_out is complete" : "ln2_out is complete");
        return;
    }
    normalize_element(x, i);
}

static const char through[] = "i has reached d_model";

const ExplainRule explain_layer_norm_rules[] = {
    {"IDLE", idle, NULL},
    {"MEAN", mean, through},
    {"VARIANCE", variance, through},
    {"NORMALIZE", normalize, through},
    {NULL, NULL, NULL},
};
