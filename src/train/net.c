#include "train/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/fixed_point.h"

static const float limit = 8.0f; /* weights stay within: no sum of the machine comes near a wrap */

uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* About normal with deviation 1: twelve uniform draws. */
static float draw(uint64_t *state)
{
    float sum = -6.0f;
    for (int i = 0; i < 12; i++)
        sum += (float)(draw_bits(state) >> 40) * 0x1p-24f;
    return sum;
}

static void layout(Net *n, const Config *c)
{
    const Weights *w = n->model->weights;
    for (int p = 0; p < PARAM_COUNT; p++) {
        if (p < WEIGHT_COUNT) {
            n->rows[p] = w->rows[p];
            n->cols[p] = w->cols[p];
        } else {
            n->rows[p] = p == PARAM_LETTER ? n->model->vocab_size
                         : p == PARAM_POS  ? POSITIONS
                                           : c->d_model;
            n->cols[p] = p == PARAM_OUT ? OUT_COLS : c->d_model;
        }
        n->size[p] = (size_t)n->rows[p] * (size_t)n->cols[p];
        n->at[p] = n->count;
        n->count += n->size[p];
    }
}

static void fill(Net *n, int param, float deviation, uint64_t *state)
{
    for (size_t i = 0; i < n->size[param]; i++)
        n->shadow[n->at[param] + i] = deviation * draw(state);
}

static void fill_all(Net *n, uint64_t seed)
{
    static const float deviation[PARAM_COUNT] = {
        [WEIGHT_WQ] = 0.125f,  [WEIGHT_WK] = 0.125f, [WEIGHT_WV] = 0.125f,
        [WEIGHT_WO] = 0.125f,  [WEIGHT_W1] = 0.125f, [WEIGHT_W2] = 0.0625f,
        [PARAM_LETTER] = 0.7f, [PARAM_POS] = 0.3f,   [PARAM_OUT] = 0.0625f,
    };
    for (int p = 0; p < PARAM_COUNT; p++)
        fill(n, p, deviation[p], &seed);
    for (int i = 0; i < n->cols[WEIGHT_LN1_GAMMA]; i++) {
        n->shadow[n->at[WEIGHT_LN1_GAMMA] + (size_t)i] = 1.0f;
        n->shadow[n->at[WEIGHT_LN2_GAMMA] + (size_t)i] = 1.0f;
    }
}

/* cos(k * pi / 16) */
static float cosine(int k)
{
    static const float quarter[9] = {1.0f,        0.98078528f, 0.92387953f,
                                     0.83146961f, 0.70710678f, 0.55557023f,
                                     0.38268343f, 0.19509032f, 0.0f};
    k = k & 31;
    k = k > 16 ? 32 - k : k;
    return k > 8 ? -quarter[16 - k] : quarter[k];
}

static float *cell(Net *n, int param, int r, int c)
{
    return n->shadow + n->at[param] + r * n->cols[param] + c;
}

/* Positions as eight turning hands in the first PLACE columns, where letters are faint: the dot
 * product of two of them is 8 at distance 0 and 0 at any other below 16. */
enum { PLACE = 16, HANDS = PLACE / 2 };

static void place_positions(Net *n)
{
    for (int r = 0; r < n->rows[PARAM_LETTER]; r++) {
        for (int i = 0; i < PLACE; i++)
            *cell(n, PARAM_LETTER, r, i) *= 0.1f;
    }
    for (int p = 0; p < POSITIONS; p++) {
        for (int i = 0; i < n->cols[PARAM_POS]; i++)
            *cell(n, PARAM_POS, p, i) *= 0.1f;
        for (int i = 0; i < HANDS; i++) {
            *cell(n, PARAM_POS, p, 2 * i) = cosine((2 * i + 1) * p);
            *cell(n, PARAM_POS, p, 2 * i + 1) = cosine((2 * i + 1) * p - 8);
        }
    }
}

/* Head h starts out looking at the letter h + 1 before: its query turns the hands back. Training
 * finds such heads by itself, in many more epochs. Needs d_head = PLACE. */
static void place_head(Net *n, int h)
{
    const float gain = 1.1f;
    int first = PLACE * h;
    for (int r = 0; r < n->rows[WEIGHT_WQ]; r++) {
        for (int i = 0; i < PLACE; i++) {
            *cell(n, WEIGHT_WQ, r, first + i) *= 0.1f;
            *cell(n, WEIGHT_WK, r, first + i) *= 0.1f;
        }
    }
    for (int i = 0; i < HANDS; i++) {
        int turn = -(2 * i + 1) * (h + 1), x = 2 * i, y = 2 * i + 1;
        *cell(n, WEIGHT_WK, x, first + x) = gain;
        *cell(n, WEIGHT_WK, y, first + y) = gain;
        *cell(n, WEIGHT_WQ, x, first + x) = gain * cosine(turn);
        *cell(n, WEIGHT_WQ, x, first + y) = gain * cosine(turn - 8);
        *cell(n, WEIGHT_WQ, y, first + x) = -gain * cosine(turn - 8);
        *cell(n, WEIGHT_WQ, y, first + y) = gain * cosine(turn);
    }
}

void net_init(Net *n, const Config *c, uint64_t seed, bool is_float)
{
    *n = (Net){.model = model_new(c, "^abcdefghijklmnopqrstuvwxyz$"), .is_float = is_float};
    layout(n, c);
    n->shadow = xcalloc(n->count, sizeof(float));
    n->grad = xcalloc(n->count, sizeof(float));
    n->moment1 = xcalloc(n->count, sizeof(float));
    n->moment2 = xcalloc(n->count, sizeof(float));
    n->exact = xcalloc(n->count, sizeof(float));
    fill_all(n, seed);
    place_positions(n);
    for (int h = 0; h < c->n_heads; h++)
        place_head(n, h);
    net_round(n);
}

void net_free(Net *n)
{
    model_free(n->model);
    free(n->shadow);
    free(n->grad);
    free(n->moment1);
    free(n->moment2);
    free(n->exact);
}

static int16_t round_word(float value)
{
    float scaled = value * 256.0f;
    int down = (int)scaled - (scaled < (float)(int)scaled); /* floor */
    float rest = scaled - (float)down;
    return (int16_t)(down + (rest > 0.5f || (rest == 0.5f && (down & 1))));
}

static int16_t *words_of(Net *n, int param)
{
    Model *m = n->model;
    return param < WEIGHT_COUNT    ? m->weights->data[param]
           : param == PARAM_LETTER ? m->letter_emb
           : param == PARAM_POS    ? m->pos_emb
                                   : m->out_w;
}

void net_round(Net *n)
{
    for (int p = 0; p < PARAM_COUNT; p++) {
        int16_t *words = words_of(n, p);
        int cols = p == PARAM_OUT ? n->model->vocab_size : n->cols[p]; /* out_w is not padded */
        for (int r = 0; r < n->rows[p]; r++) {
            for (int i = 0; i < cols; i++) {
                size_t at = n->at[p] + (size_t)(r * n->cols[p] + i);
                int16_t word = round_word(n->shadow[at]);
                words[r * cols + i] = word;
                n->exact[at] = n->is_float ? n->shadow[at] : (float)word / 256.0f;
            }
        }
    }
    weights_finish(n->model->weights);
}

static float clip_factor(const Net *n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n->count; i++)
        sum += (double)n->grad[i] * (double)n->grad[i];
    return sum > 1.0 ? (float)(1.0 / __builtin_sqrt(sum)) : 1.0f;
}

static float power(double base, int n)
{
    double result = 1.0;
    for (; n > 0; n >>= 1, base *= base)
        result *= n & 1 ? base : 1.0;
    return (float)result;
}

void net_step(Net *n, float rate, int step)
{
    const float b1 = 0.9f, b2 = 0.99f, tiny = 1e-8f, decay = 0.03f;
    float scale = clip_factor(n);
    float fix1 = 1.0f / (1.0f - power(0.9, step)), fix2 = 1.0f / (1.0f - power(0.99, step));
    for (size_t i = 0; i < n->count; i++) {
        float g = n->grad[i] * scale;
        n->moment1[i] = b1 * n->moment1[i] + (1.0f - b1) * g;
        n->moment2[i] = b2 * n->moment2[i] + (1.0f - b2) * g * g;
        float root = __builtin_sqrtf(n->moment2[i] * fix2); /* correctly rounded by IEEE 754 */
        float x =
            n->shadow[i] * (1.0f - rate * decay) - rate * n->moment1[i] * fix1 / (root + tiny);
        n->shadow[i] = x > limit ? limit : x < -limit ? -limit : x;
    }
    net_round(n);
}
