#include "model/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/portable_math.h"
#include "engine/functional.h"

struct Score {
    const Setup *setup;
    Weights *weights;
    Pass *pass;
    double bits;
    uint64_t chars;
};

Score *score_new(const Setup *setup)
{
    int16_t *tokens = NULL; /* a model has none */
    Score *s = xcalloc(1, sizeof *s);
    s->setup = setup;
    s->weights = stimulus_make(setup, &tokens);
    return s;
}

/* Room for n positions: words are short, max_seq_len may not be. */
static void reserve(Score *s, int n)
{
    if (s->pass && s->pass->rows >= n)
        return;
    pass_free(s->pass);
    s->pass = pass_new(&s->setup->config, n < 32 ? 32 : n);
}

void score_free(Score *s)
{
    if (!s)
        return;
    weights_free(s->weights);
    pass_free(s->pass);
    free(s);
}

bool score_word(Score *s, const char *word)
{
    static const double ln2 = 0.69314718055994530942;
    const Model *m = s->setup->model;
    const Config *c = &s->setup->config;
    int n = (int)strlen(word), end = m->vocab_size - 1, letter = 0;
    int16_t token_emb[D_MODEL_MOST];
    double p[MODEL_MAX_VOCAB];
    if (n >= c->max_seq_len)
        return false;
    for (int i = 0; i < n; i++) {
        int at = model_letter(m, word[i]);
        if (at <= 0 || at == end)
            return false;
    }
    reserve(s, n + 1);
    for (int i = 0; i <= n; i++) {
        int next = i < n ? model_letter(m, word[i]) : end;
        model_embed(m, letter, i, token_emb);
        functional_token(c, s->weights, token_emb, i, s->pass);
        host_probabilities(m, s->pass->out_emb + i * c->d_model, 1.0, p);
        s->bits -= portable_log(p[next] > 1e-300 ? p[next] : 1e-300) / ln2;
        letter = next;
    }
    s->chars += (uint64_t)n + 1;
    return true;
}

double score_bits(const Score *s)
{
    return s->bits;
}

uint64_t score_chars(const Score *s)
{
    return s->chars;
}
