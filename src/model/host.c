#include "model/host.h"

#include "base/portable_math.h"

static int best_of(const int64_t *logits, int n)
{
    int best = 1;
    for (int v = 2; v < n; v++)
        best = logits[v] > logits[best] ? v : best;
    return best;
}

void host_probabilities(const Model *m, const int16_t *out_emb, double temperature, double *p)
{
    int64_t logits[MODEL_MAX_VOCAB];
    double sum = 0.0;
    model_logits(m, out_emb, logits);
    int64_t max = logits[0];
    for (int v = 1; v < m->vocab_size; v++)
        max = logits[v] > max ? logits[v] : max;
    for (int v = 0; v < m->vocab_size; v++)
        sum += p[v] = portable_exp((double)(logits[v] - max) / 65536.0 / temperature);
    for (int v = 0; v < m->vocab_size; v++)
        p[v] /= sum;
}

void host_top(const Model *m, const int16_t *out_emb, Guess *best, int n)
{
    double p[MODEL_MAX_VOCAB];
    host_probabilities(m, out_emb, 1.0, p);
    for (int i = 0; i < n; i++) {
        best[i] = (Guess){1, -1.0};
        for (int v = 1; v < m->vocab_size; v++) {
            if (p[v] > best[i].p)
                best[i] = (Guess){v, p[v]};
        }
        p[best[i].letter] = -2.0; /* taken */
    }
}

Guess host_reads(const Model *m, const int16_t *words)
{
    double p[MODEL_MAX_VOCAB];
    Guess best;
    host_probabilities(m, words, 1.0, p);
    host_top(m, words, &best, 1);
    best.p = p[0] < 1.0 ? best.p / (1.0 - p[0]) : 0.0;
    return best;
}

/* A uniform draw of [0, 1) that depends on seed and position alone, so that going back in time and
 * forward again finds the same letters (splitmix64). */
static double draw(uint64_t seed, int position)
{
    uint64_t z = seed * 0xd1342543de82ef95u + ((uint64_t)position + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

int host_choose(const Model *m, const int16_t *out_emb, const Choice *choice, int position)
{
    double p[MODEL_MAX_VOCAB] = {0};
    if (choice->temperature <= 0.0) {
        int64_t logits[MODEL_MAX_VOCAB];
        model_logits(m, out_emb, logits);
        return best_of(logits, m->vocab_size);
    }
    host_probabilities(m, out_emb, choice->temperature, p);
    double left = draw(choice->seed, position) * (1.0 - p[0]);
    int v = 1;
    for (; v < m->vocab_size - 1 && left >= p[v]; v++)
        left -= p[v];
    return v;
}
