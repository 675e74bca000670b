#include "session/setup.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"

void setup_init(Setup *s)
{
    *s = (Setup){.stimulus = STIMULUS_INTEGRATION, .amp = 64, .tamp = 256};
    config_preset(&s->config, "deck", NULL);
}

void setup_copy(Setup *to, const Setup *from)
{
    *to = *from;
    to->model = from->model ? model_copy(from->model) : NULL;
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        WeightPatch *p = &to->patch[m];
        size_t bytes = (size_t)p->rows * (size_t)p->cols * sizeof *p->words;
        if (!p->words)
            continue;
        p->words = memcpy(xmalloc(bytes), p->words, bytes);
        p->path = xstrdup(p->path);
    }
}

void setup_free(Setup *s)
{
    model_free(s->model);
    for (int m = 0; m < WEIGHT_MATRICES; m++)
        patch_free(&s->patch[m]);
    *s = (Setup){0};
}

/* One unsigned decimal of text up to `:` or the end; *rest is what follows the colon, or NULL. */
static bool take_number(const char *text, unsigned long max, unsigned long *out, const char **rest)
{
    char *end = NULL;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *out = strtoul(text, &end, 10);
    if (errno || *out > max || (*end != ':' && *end != '\0'))
        return false;
    *rest = *end == ':' ? end + 1 : NULL;
    return true;
}

bool setup_stimulus(Setup *s, const char *text, Err *err)
{
    static const char random_word[] = "random:";
    if (strcmp(text, "integration") == 0) {
        s->stimulus = STIMULUS_INTEGRATION;
        return true;
    }
    unsigned long seed = 0, amp = 64, tamp = 256;
    const char *rest = text + sizeof random_word - 1;
    bool ok = strncmp(text, random_word, sizeof random_word - 1) == 0;
    ok = ok && take_number(rest, UINT32_MAX, &seed, &rest);
    ok = ok && (!rest || take_number(rest, 32767, &amp, &rest));
    ok = ok && (!rest || take_number(rest, 32767, &tamp, &rest));
    if (!ok || rest)
        return err_set(err,
                       "stimulus %s: must be integration or random:SEED[:AMP[:TAMP]] (seed "
                       "0..4294967295, amplitudes 0..32767)",
                       text);
    s->stimulus = STIMULUS_RANDOM;
    s->seed = (uint32_t)seed;
    s->amp = (int)amp;
    s->tamp = (int)tamp;
    return true;
}

void setup_model(Setup *s, Model *m)
{
    model_free(s->model);
    s->stimulus = STIMULUS_MODEL;
    s->model = m;
    s->config = m->config;
}

bool setup_text(Setup *s, const char *text, Err *err)
{
    const Model *m = setup_model_of(s);
    if (!m)
        return err_set(err, "text: needs a model");
    int last = m->vocab_size - 1;
    for (const char *c = text; *c; c++) {
        int letter = model_letter(m, *c);
        if (letter <= 0 || letter == last)
            return err_set(err, "text %.*s: '%c' is no letter of the model; they are %.*s",
                           HEAD(text, 60), *c < ' ' || *c > '~' ? '?' : *c, last - 1, m->vocab + 1);
    }
    if (strlen(text) >= (size_t)s->config.max_seq_len)
        return err_set(err, "text: %zu letters; with the start mark at most max_seq_len %d",
                       strlen(text), s->config.max_seq_len);
    snprintf(s->text, sizeof s->text, "%s", text);
    return true;
}

/* A model and a patch have sizes of their own. */
static bool check_sizes(const Setup *s, Err *err)
{
    const Model *model = setup_model_of(s);
    const Config *c = &s->config, *m = model ? &model->config : c;
    if (c->d_model != m->d_model || c->d_ff != m->d_ff || c->n_heads != m->n_heads ||
        c->max_seq_len > m->max_seq_len)
        return err_set(err,
                       "the model has d_model %d, n_heads %d, d_ff %d, max_seq_len %d; the machine "
                       "%d, %d, %d, %d",
                       m->d_model, m->n_heads, m->d_ff, m->max_seq_len, c->d_model, c->n_heads,
                       c->d_ff, c->max_seq_len);
    for (int w = 0; w < WEIGHT_MATRICES; w++) {
        const WeightPatch *p = &s->patch[w];
        int rows = w == WEIGHT_W2 ? c->d_ff : c->d_model;
        int cols = w == WEIGHT_W1 ? c->d_ff : c->d_model;
        if (p->words && (p->rows != rows || p->cols != cols))
            return err_set(err, "%s: loaded as [%d, %d], the machine has [%d, %d]",
                           weight_name((WeightId)w), p->rows, p->cols, rows, cols);
    }
    return true;
}

bool setup_check(Setup *s, Err *err)
{
    if (!config_check(&s->config, err) || !check_sizes(s, err))
        return false;
    int S = s->config.max_seq_len, prompt = setup_model_of(s) ? (int)strlen(s->text) : 0;
    if (prompt >= S)
        return err_set(err, "text: %d letters; with the start mark at most max_seq_len %d", prompt,
                       S);
    if (s->tokens > S)
        return err_set(err, "tokens %d: at most max_seq_len %d", s->tokens, S);
    if (s->tokens + prompt > S)
        return err_set(err, "tokens %d after %d letters of text: together at most max_seq_len %d",
                       s->tokens, prompt, S);
    return true;
}

int setup_token_count(const Setup *s)
{
    if (s->tokens <= 0)
        return s->config.max_seq_len;
    if (!setup_model_of(s))
        return s->tokens;
    return s->tokens + (int)strlen(s->text); /* the start mark's output is the first new letter */
}
