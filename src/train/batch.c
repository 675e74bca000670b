#include "train/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/portable_math.h"
#include "train/gemm.h"

static float *floats(int rows, int cols)
{
    return xcalloc((size_t)rows * (size_t)cols, sizeof(float));
}

void batch_init(Batch *b, const Config *c, int words)
{
    int D = c->d_model, H = c->n_heads, cap = words * POSITIONS;
    int most = c->d_ff > 2 * D ? c->d_ff : 2 * D;
    *b = (Batch){.cap = cap, .pass = pass_new(c, POSITIONS)};
    b->letter = xcalloc((size_t)cap, sizeof(int));
    b->target = xcalloc((size_t)cap, sizeof(int));
    b->position = xcalloc((size_t)cap, sizeof(int));
    float **vectors[] = {&b->unit1, &b->ln1, &b->q,        &b->k,   &b->v,        &b->concat,
                         &b->unit2, &b->ln2, &b->out,      &b->emb, &b->d_out,    &b->d_ln,
                         &b->d_q,   &b->d_k, &b->d_concat, &b->d_v, &b->residual1};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = floats(cap, D);
    b->hidden = floats(cap, c->d_ff);
    b->d_hidden = floats(cap, c->d_ff);
    b->inv1 = floats(cap, 1);
    b->inv2 = floats(cap, 1);
    b->score = floats(cap, H * POSITIONS);
    b->exp = floats(cap, H * POSITIONS);
    b->prob = floats(cap, H * POSITIONS);
    b->sum = floats(cap, H);
    b->logits = floats(cap, OUT_COLS);
    b->transposed = floats(most, D);
}

void batch_free(Batch *b)
{
    float *all[] = {b->unit1,    b->ln1,    b->q,         b->k,        b->v,         b->concat,
                    b->unit2,    b->ln2,    b->out,       b->emb,      b->d_out,     b->d_ln,
                    b->d_q,      b->d_k,    b->d_v,       b->d_concat, b->residual1, b->hidden,
                    b->d_hidden, b->inv1,   b->inv2,      b->score,    b->exp,       b->prob,
                    b->sum,      b->logits, b->transposed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(b->letter);
    free(b->target);
    free(b->position);
    pass_free(b->pass);
}

void batch_clear(Batch *b)
{
    b->words = b->n = 0;
}

void batch_add(Batch *b, const Model *m, const char *word)
{
    int letter = 0;
    for (int p = 0; p <= (int)strlen(word); p++) {
        int next = word[p] ? model_letter(m, word[p]) : m->vocab_size - 1;
        b->letter[b->n] = letter;
        b->target[b->n] = next;
        b->position[b->n++] = p;
        letter = next;
    }
    b->words++;
}

/* ---- the machine ---- */

static void values(float *to, const int16_t *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (float)from[i] * (1.0f / 256.0f);
}

/* Row p of the pass becomes row `at` of the batch. */
static void copy_row(Batch *b, int at, const Pass *s, int p, const Config *c)
{
    int D = c->d_model, F = c->d_ff, H = c->n_heads, row = H * POSITIONS;
    float *const to[] = {b->unit1, b->ln1, b->q, b->k, b->v, b->concat, b->unit2, b->ln2, b->out};
    const int16_t *const from[] = {s->ln1_unit, s->ln1_out,  s->q,       s->k,      s->v,
                                   s->concat,   s->ln2_unit, s->ln2_out, s->out_emb};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        values(to[i] + at * D, from[i] + p * D, D);
    values(b->hidden + at * F, s->hidden + p * F, F);
    values(b->inv1 + at, s->ln1_inv_std + p, 1);
    values(b->inv2 + at, s->ln2_inv_std + p, 1);
    values(b->score + at * row, s->score + p * row, row);
    values(b->exp + at * row, s->exp + p * row, row);
    values(b->prob + at * row, s->prob + p * row, row);
    for (int h = 0; h < H; h++)
        b->sum[at * H + h] = (float)s->sum[p * H + h] / 256.0f;
}

static void machine_forward(Batch *b, const Net *n)
{
    const Config *c = &n->model->config;
    int16_t token_emb[D_MODEL_MOST];
    for (int at = 0; at < b->n; at++) {
        int p = b->position[at];
        model_embed(n->model, b->letter[at], p, token_emb);
        functional_token(c, n->model->weights, token_emb, p, b->pass);
        copy_row(b, at, b->pass, p, c);
    }
}

/* ---- the float twin ---- */

static void float_layer_norm(const Config *c, const float *x, const float *gamma, const float *beta,
                             float *unit, float *inv, float *y)
{
    int D = c->d_model;
    bool rms = c->norm == NORM_RMS;
    float mean = 0.0f, var = 0.0f;
    for (int i = 0; i < D && !rms; i++)
        mean += x[i];
    mean /= (float)D;
    for (int i = 0; i < D; i++)
        var += (x[i] - mean) * (x[i] - mean);
    *inv = 1.0f / __builtin_sqrtf(var / (float)D + 1.0f / 256.0f);
    for (int i = 0; i < D; i++) {
        unit[i] = (x[i] - mean) * *inv;
        y[i] = gamma[i] * unit[i] + (rms ? 0.0f : beta[i]);
    }
}

static void float_attend(Batch *b, const Config *c, int at, int h)
{
    int D = c->d_model, dh = D / c->n_heads, p = b->position[at], first = at - p;
    int row = (at * c->n_heads + h) * POSITIONS;
    const float *q = b->q + at * D + h * dh;
    float max = -1e30f, sum = 0.0f;
    for (int t = 0; t <= p; t++) {
        const float *k = b->k + (first + t) * D + h * dh;
        float dot = 0.0f;
        for (int d = 0; d < dh; d++)
            dot += q[d] * k[d];
        b->score[row + t] = dot * (float)c->score_scale / 256.0f;
        max = b->score[row + t] > max ? b->score[row + t] : max;
    }
    for (int t = 0; t <= p; t++) {
        b->exp[row + t] = (float)portable_exp((double)(b->score[row + t] - max));
        sum += b->exp[row + t];
    }
    b->sum[at * c->n_heads + h] = sum;
    float *head = b->concat + at * D + h * dh;
    memset(head, 0, (size_t)dh * sizeof *head);
    for (int t = 0; t <= p; t++) {
        b->prob[row + t] = b->exp[row + t] / sum;
        for (int d = 0; d < dh; d++)
            head[d] += b->prob[row + t] * b->v[(first + t) * D + h * dh + d];
    }
}

static void add_rows(float *x, const float *y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

static void add_bias(float *x, const float *bias, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        add_rows(x + r * cols, bias, cols);
}

static void project(const Net *n, int param, const float *x, float *y, int rows, bool add)
{
    gemm(y, x, n->rows[param], 1, net_exact(n, param), rows, n->rows[param], n->cols[param], add);
}

static void float_forward(Batch *b, const Net *n)
{
    const Config *c = &n->model->config;
    int D = c->d_model, F = c->d_ff, N = b->n;
    for (int at = 0; at < N; at++) {
        const float *letter = net_exact(n, PARAM_LETTER) + b->letter[at] * D;
        memcpy(b->emb + at * D, letter, (size_t)D * sizeof(float));
        add_rows(b->emb + at * D, net_exact(n, PARAM_POS) + b->position[at] * D, D);
        float_layer_norm(c, b->emb + at * D, net_exact(n, WEIGHT_LN1_GAMMA),
                         net_exact(n, WEIGHT_LN1_BETA), b->unit1 + at * D, b->inv1 + at,
                         b->ln1 + at * D);
    }
    project(n, WEIGHT_WQ, b->ln1, b->q, N, false);
    project(n, WEIGHT_WK, b->ln1, b->k, N, false);
    project(n, WEIGHT_WV, b->ln1, b->v, N, false);
    for (int at = 0; at < N; at++) {
        for (int h = 0; h < c->n_heads; h++)
            float_attend(b, c, at, h);
    }
    memcpy(b->residual1, b->emb, (size_t)(N * D) * sizeof(float));
    project(n, WEIGHT_WO, b->concat, b->residual1, N, true);
    for (int at = 0; at < N; at++)
        float_layer_norm(c, b->residual1 + at * D, net_exact(n, WEIGHT_LN2_GAMMA),
                         net_exact(n, WEIGHT_LN2_BETA), b->unit2 + at * D, b->inv2 + at,
                         b->ln2 + at * D);
    project(n, WEIGHT_W1, b->ln2, b->hidden, N, false);
    add_bias(b->hidden, net_exact(n, WEIGHT_B1), N, F);
    for (int i = 0; i < N * F; i++)
        b->hidden[i] = b->hidden[i] > 0.0f ? b->hidden[i] : 0.0f;
    memcpy(b->out, b->residual1, (size_t)(N * D) * sizeof(float));
    project(n, WEIGHT_W2, b->hidden, b->out, N, true);
    add_bias(b->out, net_exact(n, WEIGHT_B2), N, D);
}

void batch_forward(Batch *b, const Net *n)
{
    if (n->is_float)
        float_forward(b, n);
    else
        machine_forward(b, n);
    project(n, PARAM_OUT, b->out, b->logits, b->n, false);
}

double batch_loss(Batch *b, const Net *n)
{
    const double per_bit = 1.0 / 0.69314718055994530942;
    int V = n->model->vocab_size;
    double loss = 0.0;
    for (int at = 0; at < b->n; at++) {
        float *z = b->logits + at * OUT_COLS;
        double max = (double)z[0], sum = 0.0, e[OUT_COLS];
        for (int v = 1; v < V; v++)
            max = (double)z[v] > max ? (double)z[v] : max;
        for (int v = 0; v < V; v++)
            sum += e[v] = portable_exp((double)z[v] - max);
        loss += (portable_log(sum) + max - (double)z[b->target[at]]) * per_bit;
        for (int v = 0; v < V; v++)
            z[v] = (float)((e[v] / sum - (v == b->target[at])) / b->n);
        for (int v = V; v < OUT_COLS; v++)
            z[v] = 0.0f;
    }
    return loss;
}
