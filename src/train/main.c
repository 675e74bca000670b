/* tokstep-train: trains a character model at the machine's own arithmetic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "train/batch.h"
#include "session/words.h"

typedef struct Options {
    const char *preset, *words, *out;
    uint64_t seed;
    int epochs, batch;
    float rate;
    bool is_float;
} Options;

static const char usage[] =
    "tokstep-train [--preset repaired|minus8|deck] [--seed N] [--epochs N] [--batch WORDS]\n"
    "              [--rate X] [--float] [-o MODEL] WORDS.txt\n";

static void shuffle(const char **words, int n, uint64_t *state)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(draw_bits(state) % (uint64_t)(i + 1));
        const char *t = words[i];
        words[i] = words[j];
        words[j] = t;
    }
}

/* Bits per character over every step-th of the words. */
static double measure(Batch *b, const Net *n, const char *const *words, int count, int step,
                      int batch)
{
    double bits = 0.0;
    long chars = 0;
    for (int i = 0; i < count;) {
        batch_clear(b);
        for (; i < count && b->words < batch; i += step)
            batch_add(b, n->model, words[i]);
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

static void train(const Options *o, Net *n, Words *w)
{
    Batch b;
    uint64_t state = o->seed + 1;
    int per_epoch = (w->n_train + o->batch - 1) / o->batch, steps = per_epoch * o->epochs, step = 0;
    batch_init(&b, &n->model->config, o->batch);
    time_t begin = time(NULL);
    for (int epoch = 1; epoch <= o->epochs; epoch++) {
        double bits = 0.0;
        long chars = 0;
        shuffle(w->train, w->n_train, &state);
        for (int i = 0; i < w->n_train;) {
            batch_clear(&b);
            for (; i < w->n_train && b.words < o->batch; i++)
                batch_add(&b, n->model, w->train[i]);
            batch_forward(&b, n);
            bits += batch_loss(&b, n);
            chars += b.n;
            batch_backward(&b, n);
            net_step(n, rate_at(o, ++step, steps), step);
        }
        fprintf(stderr, "epoch %d/%d  train %.4f  held out %.4f bits/char  %ld s\n", epoch,
                o->epochs, bits / (double)chars,
                measure(&b, n, w->held, w->n_held, epoch == o->epochs ? 1 : 8, o->batch),
                (long)(time(NULL) - begin));
    }
    batch_free(&b);
}

int main(int argc, char **argv)
{
    Options o = {.preset = "repaired", .seed = 1, .epochs = 40, .batch = 64, .rate = 0.004f};
    Err err = {0};
    Words words;
    Config c;
    Net net;
    for (int i = 1; i < argc; i++) {
        const char *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--float") == 0)
            o.is_float = true;
        else if (argv[i][0] != '-')
            o.words = argv[i];
        else if (!v)
            return fputs(usage, stderr), 2;
        else if (strcmp(argv[i], "--preset") == 0)
            o.preset = argv[++i];
        else if (strcmp(argv[i], "--seed") == 0)
            o.seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--epochs") == 0)
            o.epochs = atoi(argv[++i]);
        else if (strcmp(argv[i], "--batch") == 0)
            o.batch = atoi(argv[++i]);
        else if (strcmp(argv[i], "--rate") == 0)
            o.rate = strtof(argv[++i], NULL);
        else if (strcmp(argv[i], "-o") == 0)
            o.out = argv[++i];
        else
            return fputs(usage, stderr), 2;
    }
    if (!o.words || !config_preset(&c, o.preset, &err) || !config_check(&c, &err) ||
        !words_read(&words, o.words, &err)) {
        fprintf(stderr, "tokstep-train: %s\n", err.text);
        return 2;
    }
    net_init(&net, &c, o.seed, o.is_float);
    train(&o, &net, &words);
    if (o.out && !model_write(net.model, o.out, &err)) {
        fprintf(stderr, "tokstep-train: %s\n", err.text);
        return 2;
    }
    net_free(&net);
    words_free(&words);
    return 0;
}
