#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/fixed_point.h"

Model *model_new(const Config *c, const char *vocab)
{
    Model *m = xcalloc(1, sizeof *m);
    size_t D = (size_t)c->d_model, S = (size_t)c->max_seq_len, V = strlen(vocab);
    m->config = *c;
    m->vocab = xstrdup(vocab);
    m->vocab_size = (int)V;
    m->weights = weights_new(c);
    m->letter_emb = xcalloc(V * D, sizeof *m->letter_emb);
    m->pos_emb = xcalloc(S * D, sizeof *m->pos_emb);
    m->out_w = xcalloc(D * V, sizeof *m->out_w);
    return m;
}

void model_free(Model *m)
{
    if (!m)
        return;
    weights_free(m->weights);
    free(m->vocab);
    free(m->letter_emb);
    free(m->pos_emb);
    free(m->out_w);
    free(m);
}

Model *model_copy(const Model *m)
{
    Model *copy = model_new(&m->config, m->vocab);
    for (int t = 0; t < model_tensor_count(m); t++) {
        ModelTensor from = model_tensor(m, t), to = model_tensor(copy, t);
        memcpy(to.words, from.words, (size_t)to.rows * (size_t)to.cols * sizeof *to.words);
    }
    weights_finish(copy->weights);
    return copy;
}

bool model_equal(const Model *a, const Model *b)
{
    if (strcmp(a->vocab, b->vocab) != 0)
        return false;
    if (model_tensor_count(a) != model_tensor_count(b))
        return false;
    for (int t = 0; t < model_tensor_count(a); t++) {
        ModelTensor x = model_tensor(a, t), y = model_tensor(b, t);
        size_t n = (size_t)x.rows * (size_t)x.cols;
        if (x.rows != y.rows || x.cols != y.cols ||
            memcmp(x.words, y.words, n * sizeof *x.words) != 0)
            return false;
    }
    return true;
}

size_t model_size(const Model *m)
{
    size_t words = 0;
    for (int t = 0; t < model_tensor_count(m); t++) {
        ModelTensor x = model_tensor(m, t);
        words += (size_t)x.rows * (size_t)x.cols;
    }
    return 2 * words * sizeof(int16_t); /* matrices by row and by column */
}

int model_tensor_count(const Model *m)
{
    int n = MODEL_HOST_TENSORS;
    for (int k = 0; k < WEIGHT_COUNT; k++)
        n += weights_have(m->weights, k);
    return n;
}

ModelTensor model_tensor(const Model *m, int t)
{
    int D = m->config.d_model, S = m->config.max_seq_len, V = m->vocab_size;
    const Weights *w = m->weights;
    for (int k = 0; k < WEIGHT_COUNT; k++) {
        if (weights_have(w, k) && t-- == 0)
            return (ModelTensor){weight_name((WeightId)k), w->rows[k], w->cols[k],
                                 k >= WEIGHT_MATRICES, w->data[k]};
    }
    const ModelTensor host[] = {{"letter_emb", V, D, false, m->letter_emb},
                                {"pos_emb", S, D, false, m->pos_emb},
                                {"out_w", D, V, false, m->out_w}};
    return host[t];
}

int model_letter(const Model *m, char letter)
{
    const char *at = letter ? strchr(m->vocab, letter) : NULL;
    return at ? (int)(at - m->vocab) : -1;
}

void model_embed(const Model *m, int letter, int position, int16_t *token_emb)
{
    int D = m->config.d_model;
    for (int i = 0; i < D; i++)
        token_emb[i] = fp_sat_add(m->letter_emb[letter * D + i], m->pos_emb[position * D + i]);
}

void model_logits(const Model *m, const int16_t *out_emb, int64_t *logits)
{
    int V = m->vocab_size;
    memset(logits, 0, (size_t)V * sizeof *logits);
    for (int i = 0; i < m->config.d_model; i++) {
        for (int v = 0; v < V; v++)
            logits[v] += (int64_t)out_emb[i] * m->out_w[i * V + v];
    }
}
