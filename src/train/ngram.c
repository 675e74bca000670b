#include "train/ngram.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/portable_math.h"

enum { SYMBOLS = 27, MAX_N = 4 }; /* the boundary of words is 0, a..z are 1..26 */

typedef struct Counts {
    int n;
    uint32_t *gram[MAX_N + 1];    /* [k]: how often a run of k symbols was seen */
    uint32_t *context[MAX_N + 1]; /* [k]: the sum of gram[k] over its last symbol ... */
    uint32_t *kinds[MAX_N + 1];   /* ... and how many different last symbols there were */
} Counts;

static size_t power(int k)
{
    size_t n = 1;
    while (k-- > 0)
        n *= SYMBOLS;
    return n;
}

/* Symbol i of a word, boundaries on both sides. */
static size_t symbol(const char *word, int i)
{
    return i < 0 || !word[i] ? 0 : (size_t)(word[i] - 'a' + 1);
}

/* The run of k symbols that ends with symbol i. */
static size_t run_of(const char *word, int i, int k)
{
    size_t run = 0;
    for (int j = i - k + 1; j <= i; j++)
        run = run * SYMBOLS + symbol(word, j);
    return run;
}

static void count_word(Counts *c, const char *word)
{
    for (int i = 0; i <= (int)strlen(word); i++) {
        for (int k = 1; k <= c->n; k++) {
            size_t run = run_of(word, i, k);
            c->kinds[k][run / SYMBOLS] += c->gram[k][run]++ == 0;
            c->context[k][run / SYMBOLS]++;
        }
    }
}

static double probability(const Counts *c, const char *word, int i)
{
    double p = 1.0 / SYMBOLS;
    for (int k = 1; k <= c->n; k++) {
        size_t run = run_of(word, i, k), before = run / SYMBOLS;
        double kinds = c->kinds[k][before], total = c->context[k][before];
        if (total > 0)
            p = (c->gram[k][run] + kinds * p) / (total + kinds);
    }
    return p;
}

double ngram_bits(const Words *w, int n)
{
    Counts c = {.n = n};
    double bits = 0.0;
    long chars = 0;
    for (int k = 1; k <= n; k++) {
        c.gram[k] = xcalloc(power(k), sizeof(uint32_t));
        c.context[k] = xcalloc(power(k - 1), sizeof(uint32_t));
        c.kinds[k] = xcalloc(power(k - 1), sizeof(uint32_t));
    }
    for (int i = 0; i < w->n_train; i++)
        count_word(&c, w->train[i]);
    for (int i = 0; i < w->n_held; i++) {
        for (int j = 0; j <= (int)strlen(w->held[i]); j++, chars++)
            bits -= portable_log(probability(&c, w->held[i], j)) / 0.69314718055994530942;
    }
    for (int k = 1; k <= n; k++) {
        free(c.gram[k]);
        free(c.context[k]);
        free(c.kinds[k]);
    }
    return bits / (double)chars;
}
