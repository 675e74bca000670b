/* tokstep-train: trains a character model at the machine's own arithmetic. Deterministic: the same
 * options give the same file, byte for byte, on every machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/option.h"
#include "model/words.h"
#include "train/batch.h"
#include "train/ngram.h"
#include "train/ternary.h"

typedef struct Options {
    const char *preset, *norm, *words, *out;
    const char *twin; /* a model whose w2 is to be made ternary; no training then */
    uint64_t seed;
    int epochs, batch;
    float rate;
    bool is_float;
} Options;

static const char usage[] =
    "tokstep-train [OPTIONS] WORDS.txt: trains a character model at the machine's own "
    "arithmetic\n\n"
    "  --preset NAME  repaired (default), minus8 or deck: the mask rule\n"
    "  --norm NAME    layer (default) or rms: what ln1 and ln2 are\n"
    "  --seed N       of the first weights and the order of the words (default 1)\n"
    "  --epochs N     times through the words (default 40)\n"
    "  --batch N      words a step (default 64)\n"
    "  --rate X       highest learning rate (default 0.008)\n"
    "  --float        the twin that rounds nothing and has a true exp: what does Q8.8 cost?\n"
    "  -o FILE        where the model goes (not with --float)\n\n"
    "tokstep-train --twin MODEL -o FILE.t2: the w2 of a model as ternary tiles\n";

/* ---- options ---- */

static bool parse_number(const char *option, const char *text, uint64_t max, uint64_t *n, Err *err)
{
    char *end = NULL;
    errno = 0;
    *n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || *n > max)
        return err_set(err, "%s %s: must be 0..%llu", option, text, (unsigned long long)max);
    return true;
}

static bool parse_rate(const char *text, float *rate, Err *err)
{
    char *end = NULL;
    *rate = strtof(text, &end);
    if (end == text || *end || !(*rate >= 0.0f && *rate <= 1.0f))
        return err_set(err, "--rate %s: must be 0..1", text);
    return true;
}

static bool set_option(Options *o, const char *option, const char *value, Err *err)
{
    uint64_t n = 0;
    bool ok = true;
    if (strcmp(option, "--preset") == 0)
        o->preset = value;
    else if (strcmp(option, "--norm") == 0)
        o->norm = value;
    else if (strcmp(option, "-o") == 0)
        o->out = value;
    else if (strcmp(option, "--twin") == 0)
        o->twin = value;
    else if (strcmp(option, "--rate") == 0)
        ok = parse_rate(value, &o->rate, err);
    else if (strcmp(option, "--seed") == 0)
        ok = parse_number(option, value, UINT64_MAX, &o->seed, err);
    else if (strcmp(option, "--epochs") == 0 && (ok = parse_number(option, value, 10000, &n, err)))
        o->epochs = (int)n;
    else if (strcmp(option, "--batch") == 0 && (ok = parse_number(option, value, 4096, &n, err)))
        o->batch = n ? (int)n : 1;
    else if (ok)
        ok = err_set(err, "%s: no such option", option);
    return ok;
}

static bool parse_options(Options *o, int argc, char **argv, Err *err)
{
    *o = (Options){.preset = "repaired", .seed = 1, .epochs = 40, .batch = 64, .rate = 0.008f};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--float") == 0)
            o->is_float = true;
        else if (argv[i][0] != '-' && !o->words)
            o->words = argv[i];
        else if (i + 1 == argc)
            return err_set(err, "%s: needs a value", argv[i]);
        else if (!set_option(o, argv[i], argv[i + 1], err))
            return false;
        else
            i++;
    }
    if (o->twin)
        return o->out || err_set(err, "--twin: needs -o FILE.t2");
    if (!o->words)
        return err_set(err, "names no list of words");
    return !(o->is_float && o->out) ||
           err_set(err, "-o: the float twin is no model of the machine");
}

/* ---- training ---- */

static void shuffle(const char **words, int n, uint64_t *state)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(draw_bits(state) % (uint64_t)(i + 1));
        const char *t = words[i];
        words[i] = words[j];
        words[j] = t;
    }
}

/* Bits per character over every step-th of the held-out words. */
static double measure(Batch *b, const Net *n, const Words *w, int step, int batch)
{
    double bits = 0.0;
    long chars = 0;
    for (int i = 0; i < w->n_held;) {
        batch_clear(b);
        for (; i < w->n_held && b->words < batch; i += step)
            batch_add(b, n->model, w->held[i]);
        batch_forward(b, n);
        bits += batch_loss(b, n);
        chars += b->n;
    }
    return bits / (double)chars;
}

/* Up over the first steps, then straight down to nothing. */
static float rate_at(const Options *o, int step, int steps)
{
    const int warm = 400;
    if (step < warm)
        return o->rate * (float)step / (float)warm;
    return o->rate * (float)(steps - step) / (float)(steps - warm);
}

/* Once through the words in a new order; the mean bits per character on the way. */
static double train_epoch(const Options *o, Net *n, Batch *b, Words *w, uint64_t *state, int *step)
{
    int steps = (w->n_train + o->batch - 1) / o->batch * o->epochs;
    double bits = 0.0;
    long chars = 0;
    shuffle(w->train, w->n_train, state);
    for (int i = 0; i < w->n_train;) {
        batch_clear(b);
        for (; i < w->n_train && b->words < o->batch; i++)
            batch_add(b, n->model, w->train[i]);
        batch_forward(b, n);
        bits += batch_loss(b, n);
        chars += b->n;
        batch_backward(b, n);
        ++*step;
        net_step(n, rate_at(o, *step, steps), *step);
    }
    return bits / (double)chars;
}

static void train(const Options *o, Net *n, Words *w)
{
    enum { SAMPLE = 8 }; /* the progress line looks at every eighth held-out word */
    Batch b;
    uint64_t state = o->seed + 1;
    int step = 0;
    time_t begin = time(NULL);
    batch_init(&b, &n->model->config, o->batch);
    for (int epoch = 1; epoch <= o->epochs; epoch++) {
        double bits = train_epoch(o, n, &b, w, &state, &step);
        fprintf(stderr, "epoch %d/%d  loss %.4f bits/char  held out about %.4f  %ld s\n", epoch,
                o->epochs, bits, measure(&b, n, w, SAMPLE, o->batch), (long)(time(NULL) - begin));
    }
    printf("held out: bigram %.4f  trigram %.4f  4-gram %.4f  %s %.4f bits/char\n",
           ngram_bits(w, 2), ngram_bits(w, 3), ngram_bits(w, 4),
           o->is_float ? "float twin" : "model", measure(&b, n, w, 1, o->batch));
    batch_free(&b);
}

static bool run(const Options *o, Err *err)
{
    Words words;
    Config c;
    Net net;
    if (!config_preset(&c, o->preset, err) ||
        (o->norm && !config_set(&c, OPTION(norm)->key, o->norm, err)) || !config_check(&c, err) ||
        !words_read(&words, o->words, err))
        return false;
    net_init(&net, &c, o->seed, o->is_float);
    train(o, &net, &words);
    bool ok = !o->out || model_write(net.model, o->out, err);
    net_free(&net);
    words_free(&words);
    return ok;
}

static bool make_twin(const Options *o, Err *err)
{
    Model *m = model_read(o->twin, err);
    bool ok = m && ternary_write(m, o->out, err);
    model_free(m);
    return ok;
}

int main(int argc, char **argv)
{
    Options o;
    Err err;
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return fputs(usage, stdout) < 0;
    if (parse_options(&o, argc, argv, &err) && (o.twin ? make_twin : run)(&o, &err))
        return 0;
    fprintf(stderr, "tokstep-train: %s\n", err.text);
    return 2;
}
