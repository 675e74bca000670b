#include "tell/cycle_report.h"
#include "engine/cycle.h"
#include "engine/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

const Stage cycle_stages[STAGE_COUNT] = {
    STAGE_LN1,         STAGE_LN2,          STAGE_QKV,         STAGE_CACHE,     STAGE_SCORE,
    STAGE_SOFTMAX,     STAGE_WEIGHTED_SUM, STAGE_OUT_PROJ,    STAGE_RESIDUAL1, STAGE_RESIDUAL2,
    STAGE_FFN_LINEAR1, STAGE_ACTIVATION,   STAGE_FFN_LINEAR2, STAGE_CONTROL};

/* The deck's estimator speaks of the deck's machine. */
static bool deck_estimates(const Config *c)
{
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        if (o->beyond_deck && option_get(o, c) != option_default(o, c))
            return false;
    }
    return true;
}

/* The estimator of the deck's interactive page, term by term; its total is their sum. It counts 128
 * softmax entries whatever max_seq_len is. */
static uint64_t deck_cycles(const Config *c, int pos, Stage s)
{
    uint64_t D = (uint64_t)c->d_model, F = (uint64_t)c->d_ff, H = (uint64_t)c->n_heads;
    uint64_t dh = D / H, length = pos > 1 ? (uint64_t)pos : 1;
    switch (s) {
    case STAGE_LN1:
    case STAGE_LN2:
        return 3 * D + 50;
    case STAGE_QKV:
        return 3 * D;
    case STAGE_SCORE:
    case STAGE_WEIGHTED_SUM:
        return H * length * dh;
    case STAGE_SOFTMAX:
        return H * (5 * 128 + 30);
    case STAGE_OUT_PROJ:
        return D * D;
    case STAGE_FFN_LINEAR1:
    case STAGE_FFN_LINEAR2:
        return D * F;
    case STAGE_ACTIVATION:
        return 16;
    case STAGE_CONTROL:
        return 20;
    case STAGE_CACHE:
    case STAGE_RESIDUAL1:
    case STAGE_RESIDUAL2:
    case STAGE_COUNT:
        break;
    }
    return 0;
}

CycleReport cycle_report(const Config *c, int pos)
{
    CycleReport r = {.config = *c, .pos = pos};
    bool deck = deck_estimates(c);
    for (int k = 0; k < STAGE_COUNT; k++) {
        CycleRow *row = &r.rows[k];
        row->formula = stage_cycles(c, c->variant, pos, (Stage)k);
        row->deck = deck ? deck_cycles(c, pos, (Stage)k) : 0;
        r.total.deck += row->deck;
    }
    r.total.formula = config_cycles(c, c->variant, pos);
    if (c->variant == VARIANT_ARRAY) {
        r.useful.formula = config_array_useful(c);
        r.slots.formula = config_array_slots(c);
    }
    return r;
}

void cycle_measure(CycleReport *r)
{
    /* what the weights are makes no difference to the time they take */
    Weights *w = weights_new(&r->config);
    weights_finish(w);
    Engine *e = engine_new(&r->config, w);
    signal_set(e, signal_at(SIG_SEQ_POS), 0, r->pos, NULL);
    signal_set(e, signal_at(SIG_START), 0, 1, NULL);
    for (int k = 0; k < STAGE_COUNT; k++)
        r->rows[k].measured = 0;
    while (!signal_get(e, signal_at(SIG_VALID), 0)) {
        r->rows[stage_of(e)].measured++;
        engine_step(e);
    }
    r->total.measured = engine_cycle(e);
    if (r->config.variant == VARIANT_ARRAY) {
        r->useful.measured = (uint32_t)signal_get(e, signal_at(SIG_ARRAY_USEFUL), 0);
        r->slots.measured = (uint32_t)signal_get(e, signal_at(SIG_ARRAY_SLOTS), 0);
    }
    engine_free(e);
    weights_free(w);
}

double cycle_utilisation(uint64_t useful, uint64_t slots)
{
    return slots ? (double)useful / (double)slots : 0;
}

double cycle_latency_ms(uint64_t cycles, double mhz)
{
    return (double)cycles / (1e3 * mhz);
}

double cycle_tokens_per_s(uint64_t cycles, double mhz)
{
    return 1e6 * mhz / (double)cycles;
}

uint64_t cycle_kv_bytes(const Config *c)
{
    return 2 * (uint64_t)c->max_seq_len * (uint64_t)c->d_model * sizeof(int16_t);
}

uint64_t cycle_kv_bytes_deck(const Config *c)
{
    return cycle_kv_bytes(c) / 8;
}

/* ---- sweeps ---- */

/* What can be swept: the options that are numbers, and the position. */
static const char position_key[] = "pos";

/* Their names into keys, which ends with NULL; how many there are. */
static int sweep_keys(const char *keys[OPTION_MOST + 2])
{
    int n = 0;
    for (int k = 0; option_at(k); k++) {
        if (option_at(k)->type == OPTION_NUMBER)
            keys[n++] = option_at(k)->key;
    }
    keys[n++] = position_key;
    keys[n] = NULL;
    return n;
}

static bool no_sweep(const char *text, const char *const *keys, int n, Err *err)
{
    Buf list = {0};
    char hint[SUGGEST_TEXT];
    for (int k = 0; k < n; k++)
        buf_printf(&list, "%s%s", keys[k], k + 2 < n ? ", " : k + 2 == n ? " or " : "");
    err_set(err, "sweep %s: %smust be of %s", text, suggest_from(text, keys, hint), buf_str(&list));
    buf_free(&list);
    return false;
}

/* A whole number at *text, ended by `end`; *text moves behind that. */
static bool take_number(const char **text, char end, int *n)
{
    char *stop = NULL;
    errno = 0;
    long v = isdigit((unsigned char)**text) ? strtol(*text, &stop, 10) : -1;
    if (!stop || *stop != end || errno || v > 1000000)
        return false;
    *n = (int)v;
    *text = stop + (end != '\0');
    return true;
}

static bool parse_range(CycleSweep *w, const char *p)
{
    if (!take_number(&p, ':', &w->low) || !take_number(&p, ':', &w->high))
        return false;
    w->times = *p == 'x';
    p += w->times;
    return take_number(&p, '\0', &w->step) && w->step >= 1 + w->times && w->low <= w->high &&
           (!w->times || w->low > 0);
}

static bool parse_list(CycleSweep *w, const char *p)
{
    while (w->count < SWEEP_LIST && take_number(&p, ',', &w->list[w->count]))
        w->count++;
    return w->count < SWEEP_LIST && take_number(&p, '\0', &w->list[w->count++]);
}

bool cycle_sweep_parse(CycleSweep *w, const char *text, Err *err)
{
    const char *eq = strchr(text, '=');
    const char *keys[OPTION_MOST + 2];
    int n = sweep_keys(keys);
    *w = (CycleSweep){0};
    snprintf(w->key, sizeof w->key, "%.*s", eq ? (int)(eq - text) : 0, text);
    int k = 0;
    while (keys[k] && strcmp(keys[k], w->key) != 0)
        k++;
    if (!eq || !keys[k])
        return no_sweep(text, keys, n, err);
    if (strchr(eq, ':') ? parse_range(w, eq + 1) : parse_list(w, eq + 1))
        return true;
    return err_set(
        err,
        "sweep %s: must be KEY=LO:HI:STEP, KEY=LO:HI:xFACTOR or KEY=V,V,... (at most %d), "
        "LO at most HI, STEP from 1, FACTOR from 2 (and LO from 1)",
        text, SWEEP_LIST);
}

bool cycle_sweep_value(const CycleSweep *w, int i, int *value)
{
    if (w->count) {
        *value = i < w->count ? w->list[i] : 0;
        return i < w->count;
    }
    int64_t v = w->times ? w->low : w->low + (int64_t)i * w->step;
    for (; w->times && i > 0 && v <= w->high; i--)
        v *= w->step;
    *value = v <= w->high ? (int)v : 0;
    return v <= w->high;
}

bool cycle_sweep_apply(const CycleSweep *w, int value, Config *c, int *pos, Err *err)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    if (strcmp(w->key, position_key) != 0)
        return config_set(c, w->key, text, err);
    *pos = value;
    return true;
}

bool cycle_sweep_report(const Config *c, int pos, CycleReport *r, Err *err)
{
    Config at = *c;
    if (!config_check(&at, err) || !cycle_pos_check(&at, pos, err))
        return false;
    *r = cycle_report(&at, pos);
    return true;
}

bool cycle_pos_check(const Config *c, int pos, Err *err)
{
    if (pos >= 0 && pos < c->max_seq_len)
        return true;
    return err_set(err, "pos %d: must be 0..%d, below max_seq_len", pos, c->max_seq_len - 1);
}
