/* The two stimuli of decoder.md section 7: what the host loads as weights and presents as tokens.
 */
#include <string.h>

#include "base/mem.h"
#include "model/setup.h"

static void fill(int16_t *v, int n, int16_t value)
{
    for (int i = 0; i < n; i++)
        v[i] = value;
}

static void integration_weights(const Config *c, Weights *w)
{
    int D = c->d_model, F = c->d_ff;
    for (int i = 0; i < D; i++) {
        int at = i * D + i;
        w->data[WEIGHT_WQ][at] = w->data[WEIGHT_WK][at] = w->data[WEIGHT_WV][at] = 0x0040;
        w->data[WEIGHT_WO][at] = 0x0080;
    }
    for (int i = 0; i < F && weights_have(w, WEIGHT_W3); i++)
        w->data[WEIGHT_W3][(i % D) * F + i] = 0x0100;
    for (int i = 0; i < F; i++) {
        w->data[WEIGHT_W1][(i % D) * F + i] = 0x0020;
        w->data[WEIGHT_W2][i * D + i % D] = 0x0020;
    }
    fill(w->data[WEIGHT_B1], F, 0x0010);
    fill(w->data[WEIGHT_LN1_GAMMA], D, 0x0100);
    fill(w->data[WEIGHT_LN2_GAMMA], D, 0x0100);
}

static void integration_token(int position, int D, int16_t *x)
{
    for (int i = 0; i < D; i++) {
        if (position % 2 == 0)
            x[i] = i % 2 == 0 ? 0x0080 : -0x0080;
        else
            x[i] = i % 3 == 0 ? 0x0100 : 0;
    }
}

/* The generator: each draw first advances, then takes the upper half. */
static int16_t draw(uint32_t *x, int low, int high)
{
    *x = *x * 1664525u + 1013904223u;
    return (int16_t)(low + (int)((*x >> 16) % (uint32_t)(high - low + 1)));
}

/* A vector that the machine lacks is drawn and dropped: an option changes no word but its own. */
static void draw_element(Weights *w, WeightId m, int i, uint32_t *x, int low, int high)
{
    int16_t word = draw(x, low, high);
    if (weights_have(w, m))
        w->data[m][i] = word;
}

static void random_weights(const Setup *s, Weights *w, uint32_t *x)
{
    int D = s->config.d_model, F = s->config.d_ff, amp = s->amp;
    for (int at = 0; at < D * D; at++) {
        for (int m = WEIGHT_WQ; m <= WEIGHT_WO; m++)
            w->data[m][at] = draw(x, -amp, amp);
    }
    for (int at = 0; at < D * F; at++)
        w->data[WEIGHT_W1][at] = draw(x, -amp, amp);
    for (int i = 0; i < F; i++) {
        w->data[WEIGHT_B1][i] = draw(x, -32, 32);
        for (int j = 0; j < D; j++)
            w->data[WEIGHT_W2][i * D + j] = draw(x, -amp, amp);
    }
    for (int i = 0; i < D; i++) {
        w->data[WEIGHT_LN1_GAMMA][i] = draw(x, 128, 384);
        draw_element(w, WEIGHT_LN1_BETA, i, x, -64, 64);
        w->data[WEIGHT_LN2_GAMMA][i] = draw(x, 128, 384);
        draw_element(w, WEIGHT_LN2_BETA, i, x, -64, 64);
        w->data[WEIGHT_B2][i] = draw(x, -32, 32);
    }
}

/* Of a layer's second generator (options-a.md section 10): what decoder.md does not draw. */
static void random_up(const Setup *s, Weights *w)
{
    int D = s->config.d_model, F = s->config.d_ff;
    uint32_t x = s->seed + 0x9e3779b9u;
    for (int at = 0; at < D * F && weights_have(w, WEIGHT_W3); at++)
        w->data[WEIGHT_W3][at] = draw(&x, -s->amp, s->amp);
    for (int i = 0; i < F && weights_have(w, WEIGHT_B3); i++)
        w->data[WEIGHT_B3][i] = draw(&x, -32, 32);
}

static void apply_patches(const Setup *s, Weights *w)
{
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        size_t n = (size_t)w->rows[m] * (size_t)w->cols[m];
        if (s->patch[m].words)
            memcpy(w->data[m], s->patch[m].words, n * sizeof *w->data[m]);
    }
}

static Weights *model_weights(const Setup *s)
{
    Weights *w = weights_copy(s->model->weights);
    apply_patches(s, w);
    weights_finish(w);
    return w;
}

Weights *stimulus_make(const Setup *s, int16_t **tokens)
{
    int D = s->config.d_model, n = setup_token_count(s);
    *tokens = NULL;
    if (s->stimulus == STIMULUS_MODEL)
        return model_weights(s);
    Weights *w = weights_new(&s->config);
    uint32_t x = s->seed;
    *tokens = xcalloc((size_t)n * (size_t)D, sizeof **tokens);
    if (s->stimulus == STIMULUS_RANDOM) {
        random_weights(s, w, &x);
        random_up(s, w);
    } else {
        integration_weights(&s->config, w);
    }
    for (int p = 0; p < n; p++) {
        int16_t *token = *tokens + (size_t)p * (size_t)D;
        if (s->stimulus == STIMULUS_INTEGRATION)
            integration_token(p, D, token);
        for (int i = 0; s->stimulus == STIMULUS_RANDOM && i < D; i++)
            token[i] = draw(&x, -s->tamp, s->tamp);
    }
    apply_patches(s, w);
    weights_finish(w);
    return w;
}
