/* The backward pass: every rounding is passed straight through, values are the machine's own. */
#include <string.h>

#include "train/batch.h"
#include "train/gemm.h"

/* d_w = x^T . d_y, and d_x (+)= d_y . w^T. */
static void back_project(Batch *b, Net *n, int param, const float *x, const float *d_y, float *d_x,
                         bool add)
{
    int rows = n->rows[param], cols = n->cols[param];
    const float *w = net_exact(n, param);
    gemm(net_grad(n, param), x, 1, rows, d_y, rows, b->n, cols, false);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < cols; i++)
            b->transposed[i * rows + r] = w[r * cols + i];
    }
    gemm(d_x, d_y, cols, 1, b->transposed, b->n, cols, rows, add);
}

static void sum_rows(float *sum, const float *d, int rows, int cols)
{
    memset(sum, 0, (size_t)cols * sizeof *sum);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < cols; i++)
            sum[i] += d[r * cols + i];
    }
}

/* Through y = gamma * unit + beta and unit = (x - mean) * inv; adds to d_x. RMSNorm has neither
 * mean nor beta. */
static void back_layer_norm(Net *n, int gamma, int beta, const float *unit, const float *inv,
                            const float *d_y, float *d_x, int rows)
{
    int D = n->cols[gamma];
    bool rms = n->model->config.norm == NORM_RMS;
    const float *g = net_exact(n, gamma);
    float *d_gamma = net_grad(n, gamma);
    sum_rows(net_grad(n, beta), d_y, rows, n->cols[beta]);
    memset(d_gamma, 0, (size_t)D * sizeof *d_gamma);
    for (int r = 0; r < rows; r++, unit += D, d_y += D, d_x += D) {
        float mean = 0.0f, slope = 0.0f;
        for (int i = 0; i < D; i++) {
            d_gamma[i] += d_y[i] * unit[i];
            mean += d_y[i] * g[i];
            slope += d_y[i] * g[i] * unit[i];
        }
        mean = rms ? 0.0f : mean / (float)D;
        slope /= (float)D;
        for (int i = 0; i < D; i++)
            d_x[i] += inv[r] * (d_y[i] * g[i] - mean - unit[i] * slope);
    }
}

/* Through one head of one position: concat -> scores -> q, k; and v. */
static void back_attend(Batch *b, const Net *n, int at, int h)
{
    const float floor = -2.2f; /* exp is 4/256 from -2.113 down */
    const Config *c = &n->model->config;
    int D = c->d_model, dh = D / c->n_heads, p = b->position[at], column = h * dh;
    int first = (at - p) * D + column; /* of the word's K and V */
    int row = (at * c->n_heads + h) * POSITIONS;
    const float *d_head = b->d_concat + at * D + column, *e = b->exp + row;
    float d_prob[POSITIONS], d_score[POSITIONS];
    float sum = b->sum[at * c->n_heads + h], mean = 0.0f, rest = 0.0f;
    int max = 0;
    for (int t = 0; t <= p; t++) {
        const float *v = b->v + first + t * D;
        float *d_v = b->d_v + first + t * D;
        d_prob[t] = 0.0f;
        for (int d = 0; d < dh; d++) {
            d_prob[t] += d_head[d] * v[d];
            d_v[d] += b->prob[row + t] * d_head[d];
        }
        mean += d_prob[t] * e[t];
        max = b->score[row + t] > b->score[row + max] ? t : max;
    }
    mean /= sum;
    /* The slope of exp is taken to be exp, as if the pieces were the curve: their own slopes are 0
     * below -1.4 and would leave a head that looks elsewhere without a way back. A score that has
     * reached the floor is pushed no further down: it would grow until its sum wraps. */
    for (int t = 0; t <= p; t++) {
        d_score[t] = e[t] / sum * (d_prob[t] - mean);
        bool at_floor = b->score[row + t] - b->score[row + max] < floor;
        if (at_floor && d_score[t] > 0.0f)
            d_score[t] = 0.0f;
        rest += t == max ? 0.0f : d_score[t];
    }
    d_score[max] = -rest; /* the maximum is subtracted from all */
    float scale = (float)c->score_scale / 256.0f;
    for (int t = 0; t <= p; t++) {
        float d_dot = d_score[t] * scale;
        const float *q = b->q + at * D + column, *k = b->k + first + t * D;
        float *d_q = b->d_q + at * D + column, *d_k = b->d_k + first + t * D;
        for (int d = 0; d < dh; d++) {
            d_q[d] += d_dot * k[d];
            d_k[d] += d_dot * q[d];
        }
    }
}

static void back_attention(Batch *b, Net *n, float *d_x)
{
    int D = n->model->config.d_model;
    size_t bytes = (size_t)(b->n * D) * sizeof(float);
    back_project(b, n, WEIGHT_WO, b->concat, d_x, b->d_concat, false);
    memset(b->d_q, 0, bytes);
    memset(b->d_k, 0, bytes);
    memset(b->d_v, 0, bytes);
    for (int at = 0; at < b->n; at++) {
        for (int h = 0; h < n->model->config.n_heads; h++)
            back_attend(b, n, at, h);
    }
    back_project(b, n, WEIGHT_WQ, b->ln1, b->d_q, b->d_ln, false);
    back_project(b, n, WEIGHT_WK, b->ln1, b->d_k, b->d_ln, true);
    back_project(b, n, WEIGHT_WV, b->ln1, b->d_v, b->d_ln, true);
    back_layer_norm(n, WEIGHT_LN1_GAMMA, WEIGHT_LN1_BETA, b->unit1, b->inv1, b->d_ln, d_x, b->n);
}

static void back_feed_forward(Batch *b, Net *n, float *d_x)
{
    int F = n->model->config.d_ff;
    sum_rows(net_grad(n, WEIGHT_B2), d_x, b->n, n->cols[WEIGHT_B2]);
    back_project(b, n, WEIGHT_W2, b->hidden, d_x, b->d_hidden, false);
    for (int i = 0; i < b->n * F; i++)
        b->d_hidden[i] = b->hidden[i] > 0.0f ? b->d_hidden[i] : 0.0f;
    sum_rows(net_grad(n, WEIGHT_B1), b->d_hidden, b->n, F);
    back_project(b, n, WEIGHT_W1, b->ln2, b->d_hidden, b->d_ln, false);
    back_layer_norm(n, WEIGHT_LN2_GAMMA, WEIGHT_LN2_BETA, b->unit2, b->inv2, b->d_ln, d_x, b->n);
}

static void back_embedding(const Batch *b, Net *n, const float *d_x)
{
    int D = n->model->config.d_model;
    memset(net_grad(n, PARAM_LETTER), 0, n->size[PARAM_LETTER] * sizeof(float));
    memset(net_grad(n, PARAM_POS), 0, n->size[PARAM_POS] * sizeof(float));
    for (int at = 0; at < b->n; at++) {
        float *letter = net_grad(n, PARAM_LETTER) + b->letter[at] * D;
        float *pos = net_grad(n, PARAM_POS) + b->position[at] * D;
        for (int i = 0; i < D; i++) {
            letter[i] += d_x[at * D + i];
            pos[i] += d_x[at * D + i];
        }
    }
}

void batch_backward(Batch *b, Net *n)
{
    back_project(b, n, PARAM_OUT, b->out, b->logits, b->d_out, false);
    back_feed_forward(b, n, b->d_out);
    back_attention(b, n, b->d_out);
    back_embedding(b, n, b->d_out);
}
