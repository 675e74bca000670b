#include "model/setup.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/printable.h"
#include "engine/option.h"

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

static bool take_preset(Setup *s, const char *name, bool all, Err *err)
{
    Config c;
    if (!config_preset(&c, name, err))
        return false;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        bool of_model = setup_model_of(s) && o->in_model;
        if (of_model || !(all || o->in_preset))
            option_copy(o, &c, &s->config);
    }
    s->config = c;
    return true;
}

bool setup_preset(Setup *s, const char *name, Err *err)
{
    return take_preset(s, name, true, err);
}

bool setup_preset_over(Setup *s, const char *name, Err *err)
{
    return take_preset(s, name, false, err);
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

/* The letters of a model for a message: "a-z", so that they fit one. */
static void letter_ranges(const Model *m, Buf *out)
{
    const char *p = m->vocab + 1, *end = m->vocab + m->vocab_size - 1;
    while (p < end) {
        const char *last = p;
        while (last + 1 < end && last[1] == *last + 1)
            last++;
        if (last - p < 2)
            last = p;
        buf_add(out, p, 1);
        if (last > p)
            buf_printf(out, "-%c", *last);
        p = last + 1;
    }
}

static bool no_letter(const Model *m, const char *text, char letter, Err *err)
{
    Buf letters = {0};
    letter_ranges(m, &letters);
    err_set(err, "text %.*s: '%c' is no letter of the model (%s)", HEAD(text, 24),
            letter < ' ' || letter > '~' ? '?' : letter, buf_str(&letters));
    buf_free(&letters);
    return false;
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
            return no_letter(m, text, *c, err);
    }
    if (strlen(text) >= (size_t)s->config.max_seq_len)
        return err_set(err, "text: %zu letters; with the start mark at most max_seq_len %d",
                       strlen(text), s->config.max_seq_len);
    snprintf(s->text, sizeof s->text, "%s", text);
    return true;
}

/* A shorter cache does for a model too. */
static bool fits_model(const Option *o, const Config *c, const Config *model)
{
    int is = option_get(o, c), must = option_get(o, model);
    return !o->in_model || is == must || (o == OPTION(max_seq_len) && is < must);
}

/* "the model has d_model 64, n_heads 4, ...; the machine 32, 4, ..." */
static bool refuse_machine(const Config *c, const Config *model, Err *err)
{
    Buf has = {0}, is = {0};
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        char text[OPTION_CHARS];
        if (!o->in_model || !(option_told(o, c) || option_told(o, model)))
            continue;
        option_text(o, model, text);
        buf_printf(&has, "%s%s %s", has.len ? ", " : "", o->key, text);
        option_text(o, c, text);
        buf_printf(&is, "%s%s", is.len ? ", " : "", text);
    }
    err_set(err, "the model has %s; the machine %s", buf_str(&has), buf_str(&is));
    buf_free(&has);
    buf_free(&is);
    return false;
}

static bool check_model(const Setup *s, Err *err)
{
    const Model *model = setup_model_of(s);
    for (int k = 0; model && option_at(k); k++) {
        if (!fits_model(option_at(k), &s->config, &model->config))
            return refuse_machine(&s->config, &model->config, err);
    }
    return true;
}

/* A patch has sizes of its own. */
static bool check_patches(const Setup *s, Err *err)
{
    const Config *c = &s->config;
    for (int w = 0; w < WEIGHT_MATRICES; w++) {
        const WeightPatch *p = &s->patch[w];
        int rows = 0, cols = 0;
        weights_shape(c, (WeightId)w, &rows, &cols);
        if (p->words && cols == 0)
            return err_set(err, "%s: loaded, but this machine has none", weight_name((WeightId)w));
        if (p->words && (p->rows != rows || p->cols != cols))
            return err_set(err, "%s: loaded as [%d, %d], the machine has [%d, %d]",
                           weight_name((WeightId)w), p->rows, p->cols, rows, cols);
    }
    return true;
}

bool setup_check(Setup *s, Err *err)
{
    if (!config_check(&s->config, err) || !check_model(s, err) || !check_patches(s, err))
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
