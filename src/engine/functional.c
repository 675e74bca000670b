#include "engine/functional.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/fixed_point.h"

static int16_t *words(int rows, int cols)
{
    return xcalloc((size_t)rows * (size_t)cols, sizeof(int16_t));
}

Pass *pass_new(const Config *c, int rows)
{
    int D = c->d_model, all = c->n_heads * rows;
    Pass *p = xcalloc(1, sizeof *p);
    p->rows = rows;
    int16_t **vectors[] = {&p->ln1_unit, &p->ln1_out, &p->q,        &p->k,
                           &p->v,        &p->concat,  &p->attn_out, &p->residual1,
                           &p->ln2_unit, &p->ln2_out, &p->ffn_out,  &p->out_emb};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = words(rows, D);
    p->hidden = words(rows, c->d_ff);
    p->up = words(rows, c->ffn == FFN_KIND_SWIGLU ? c->d_ff : 0);
    p->ln1_inv_std = words(rows, 1);
    p->ln2_inv_std = words(rows, 1);
    p->score = words(rows, all);
    p->exp = words(rows, all);
    p->prob = words(rows, all);
    p->sum = xcalloc((size_t)rows * (size_t)c->n_heads, sizeof *p->sum);
    return p;
}

void pass_free(Pass *p)
{
    if (!p)
        return;
    int16_t *all[] = {p->ln1_unit,    p->ln1_out,  p->q,         p->k,        p->v,
                      p->concat,      p->attn_out, p->residual1, p->ln2_unit, p->ln2_out,
                      p->hidden,      p->up,       p->ffn_out,   p->out_emb,  p->ln1_inv_std,
                      p->ln2_inv_std, p->score,    p->exp,       p->prob};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(p->sum);
    free(p);
}

/* A 32-bit accumulator that wraps. */
static int32_t dot(const int16_t *a, const int16_t *b, int n)
{
    uint32_t acc = 0;
    for (int i = 0; i < n; i++)
        acc += (uint32_t)((int32_t)a[i] * b[i]);
    return (int32_t)acc;
}

static void project(const Weights *w, WeightId m, const int16_t *x, int16_t *y)
{
    int rows = w->rows[m];
    for (int i = 0; i < w->cols[m]; i++)
        y[i] = narrow(dot(x, w->columns[m] + (size_t)i * (size_t)rows, rows));
}

static void layer_norm(const Config *c, const int16_t *x, const int16_t *gamma, const int16_t *beta,
                       int16_t *unit, int16_t *inv_std, int16_t *y)
{
    int D = c->d_model, shift = config_log2_d(c);
    bool rms = c->norm == NORM_RMS;
    int32_t acc = 0;
    for (int i = 0; i < D && !rms; i++)
        acc += x[i];
    int16_t mean = low16(acc >> shift);
    acc = 0;
    for (int i = 0; i < D; i++) {
        unit[i] = low16(x[i] - mean);
        acc += fp_mul(unit[i], unit[i]);
    }
    *inv_std = fp_inv_sqrt(low16(low16(acc >> shift) + 1));
    for (int i = 0; i < D; i++) {
        unit[i] = fp_mul(unit[i], *inv_std);
        y[i] = fp_sat_add(fp_mul(gamma[i], unit[i]), rms ? 0 : beta[i]);
    }
}

/* What the S - 1 - p masked positions do to the softmax: max before, sum after. */
static int32_t masked_sum(const Config *c, int p, int16_t max)
{
    int n = c->max_seq_len - 1 - p;
    if (c->mask_mode == MASK_EXCLUDE)
        return 0;
    return n * approx_exp(low16(c->mask - max), c->exp);
}

static void attend(const Config *c, const int16_t *q, int p, int h, Pass *out)
{
    int D = c->d_model, dh = D / c->n_heads;
    size_t row = (size_t)p * (size_t)(c->n_heads * out->rows) + (size_t)(h * out->rows);
    int16_t *score = out->score + row, *e = out->exp + row, *prob = out->prob + row;
    int16_t max = p + 1 < c->max_seq_len ? c->mask : INT16_MIN;
    for (int t = 0; t <= p; t++) {
        score[t] = fp_mul(narrow(dot(q + h * dh, out->k + t * D + h * dh, dh)), c->score_scale);
        max = score[t] > max ? score[t] : max;
    }
    int32_t sum = masked_sum(c, p, max);
    for (int t = 0; t <= p; t++) {
        e[t] = approx_exp(low16(score[t] - max), c->exp);
        sum += e[t];
    }
    out->sum[p * c->n_heads + h] = sum;
    int16_t recip = reciprocal((uint16_t)sum);
    for (int t = 0; t <= p; t++)
        prob[t] = sum ? fp_mul(e[t], recip) : 0;
    for (int d = h * dh; d < (h + 1) * dh; d++) {
        uint32_t acc = 0;
        for (int t = 0; t <= p; t++)
            acc += (uint32_t)((int32_t)prob[t] * out->v[t * D + d]);
        out->concat[p * D + d] = narrow((int32_t)acc);
    }
}

/* The bias wraps. */
static void linear(const Weights *w, WeightId m, WeightId bias, const int16_t *x, int16_t *y)
{
    project(w, m, x, y);
    for (int i = 0; i < w->cols[m]; i++)
        y[i] = low16(y[i] + w->data[bias][i]);
}

/* `up` is used by swiglu only. */
static void feed_forward(const Config *c, const Weights *w, const int16_t *x, int16_t *hidden,
                         int16_t *up, int16_t *y)
{
    bool gated = c->ffn == FFN_KIND_SWIGLU;
    linear(w, WEIGHT_W1, WEIGHT_B1, x, hidden);
    if (gated)
        linear(w, WEIGHT_W3, WEIGHT_B3, x, up);
    for (int i = 0; i < c->d_ff; i++)
        hidden[i] = gated ? swiglu(hidden[i], up[i]) : hidden[i] > 0 ? hidden[i] : (int16_t)0;
    linear(w, WEIGHT_W2, WEIGHT_B2, hidden, y);
}

void functional_token(const Config *c, const Weights *w, const int16_t *token_emb, int p, Pass *out)
{
    int D = c->d_model, F = c->d_ff, at = p * D;
    int16_t *ln1 = out->ln1_out + at, *ln2 = out->ln2_out + at, *residual1 = out->residual1 + at;
    layer_norm(c, token_emb, w->data[WEIGHT_LN1_GAMMA], w->data[WEIGHT_LN1_BETA],
               out->ln1_unit + at, &out->ln1_inv_std[p], ln1);
    project(w, WEIGHT_WQ, ln1, out->q + at);
    project(w, WEIGHT_WK, ln1, out->k + at);
    project(w, WEIGHT_WV, ln1, out->v + at);
    for (int h = 0; h < c->n_heads; h++)
        attend(c, out->q + at, p, h, out);
    project(w, WEIGHT_WO, out->concat + at, out->attn_out + at);
    for (int i = 0; i < D; i++)
        residual1[i] = fp_sat_add(token_emb[i], out->attn_out[at + i]);
    layer_norm(c, residual1, w->data[WEIGHT_LN2_GAMMA], w->data[WEIGHT_LN2_BETA],
               out->ln2_unit + at, &out->ln2_inv_std[p], ln2);
    int16_t *up = c->ffn == FFN_KIND_SWIGLU ? out->up + p * F : NULL;
    feed_forward(c, w, ln2, out->hidden + p * F, up, out->ffn_out + at);
    for (int i = 0; i < D; i++)
        out->out_emb[at + i] = fp_sat_add(residual1[i], out->ffn_out[at + i]);
}
