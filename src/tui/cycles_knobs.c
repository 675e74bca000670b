/* The sliders of the cycle counter: names, ranges, steps. */
#include <stdio.h>

#include "tui/cycles.h"

enum { MHZ10_MOST = 20000 };

static const struct {
    const char *name, *rule;
} knobs[KNOB_COUNT] = {
    [KNOB_VARIANT] = {"variant", "which machine"},
    [KNOB_D_MODEL] = {"d_model", "a power of two, 8..512"},
    [KNOB_N_HEADS] = {"n_heads", "a divisor of d_model"},
    [KNOB_D_FF] = {"d_ff", "hidden units, 1..2048"},
    [KNOB_SEQ] = {"max_seq_len", "positions, 1..1024"},
    [KNOB_POS] = {"pos", "the token's, below max_seq_len"},
    [KNOB_MHZ] = {"MHz", "the clock"},
    [KNOB_PE_ROWS] = {"pe_rows", "of the array, 1..16"},
    [KNOB_PE_COLS] = {"pe_cols", "of the array, 1..16"},
};

int knob_count(const CyclesState *k)
{
    return k->report.config.variant == VARIANT_ARRAY ? KNOB_COUNT : KNOB_PE_ROWS;
}

const char *knob_name(Knob knob)
{
    return knobs[knob].name;
}

const char *knob_rule(Knob knob)
{
    return knobs[knob].rule;
}

int knob_value(const CyclesState *k, Knob knob)
{
    const Config *c = &k->report.config;
    const int values[KNOB_COUNT] = {(int)c->variant, c->d_model,     c->n_heads,
                                    c->d_ff,         c->max_seq_len, k->report.pos,
                                    k->mhz10,        c->pe_rows,     c->pe_cols};
    return values[knob];
}

void knob_range(const CyclesState *k, Knob knob, int *low, int *high)
{
    const Config *c = &k->report.config;
    const int lows[KNOB_COUNT] = {VARIANT_BRIDGE, 8, 1, 1, 1, 0, 1, 1, 1};
    const int highs[KNOB_COUNT] = {VARIANT_COUNT - 1,  512,        c->d_model, 2048, 1024,
                                   c->max_seq_len - 1, MHZ10_MOST, 16,         16};
    *low = lows[knob];
    *high = highs[knob];
}

void knob_text(const CyclesState *k, Knob knob, char *out, size_t size)
{
    int value = knob_value(k, knob);
    if (knob == KNOB_VARIANT)
        snprintf(out, size, "%s", config_variant_name((Variant)value));
    else if (knob == KNOB_MHZ)
        snprintf(out, size, "%d.%d", value / 10, value % 10);
    else
        snprintf(out, size, "%d", value);
}

static void put(CyclesState *k, Config *c, int *pos, Knob knob, int value)
{
    switch (knob) {
    case KNOB_VARIANT:
        c->variant = (Variant)value;
        break;
    case KNOB_D_MODEL:
        c->d_model = value;
        break;
    case KNOB_N_HEADS:
        c->n_heads = value;
        break;
    case KNOB_D_FF:
        c->d_ff = value;
        break;
    case KNOB_SEQ:
        c->max_seq_len = value;
        break;
    case KNOB_POS:
        *pos = value;
        break;
    case KNOB_MHZ:
        k->mhz10 = value;
        break;
    case KNOB_PE_ROWS:
        c->pe_rows = value;
        break;
    case KNOB_PE_COLS:
        c->pe_cols = value;
        break;
    case KNOB_COUNT:
        break;
    }
}

bool knob_set(CyclesState *k, Knob knob, int value)
{
    Config c = k->report.config;
    int low = 0, high = 0, pos = k->report.pos;
    knob_range(k, knob, &low, &high);
    put(k, &c, &pos, knob, value < low ? low : value > high ? high : value);
    bool fits = c.n_heads <= c.d_model && pos < c.max_seq_len;
    c.n_heads = c.n_heads > c.d_model ? c.d_model : c.n_heads;
    pos = pos >= c.max_seq_len ? c.max_seq_len - 1 : pos;
    config_check(&c, NULL); /* score_scale follows; all else is legal by now */
    if (knob != KNOB_MHZ) {
        k->report = cycle_report(&c, pos);
        k->measured = false;
    }
    return fits;
}

/* 0 1 2 3 4 6 8 12 16 24 ...: powers of two and what lies half-way. */
static int ladder(int value, int direction)
{
    if (direction > 0 ? value < 4 : value <= 4)
        return value + direction;
    int p = 4;
    while (direction > 0 ? 2 * p <= value : 2 * p < value)
        p *= 2;
    int half = p + p / 2;
    if (direction > 0)
        return value < half ? half : 2 * p;
    return value > half ? half : p;
}

static bool is_power(Knob knob)
{
    return knob == KNOB_D_MODEL || knob == KNOB_N_HEADS;
}

void knob_step(CyclesState *k, Knob knob, int direction, bool fine)
{
    int value = knob_value(k, knob), next = value + direction;
    if (is_power(knob))
        next = direction > 0 ? 2 * value : value / 2;
    else if (knob == KNOB_MHZ && !fine)
        next = value + 10 * direction;
    else if (!fine && (knob == KNOB_D_FF || knob == KNOB_SEQ || knob == KNOB_POS))
        next = ladder(value, direction);
    knob_set(k, knob, next);
}

static int log2_of(int value)
{
    int n = 0;
    while (value > 1) {
        value /= 2;
        n++;
    }
    return n;
}

int knob_at(const CyclesState *k, Knob knob, int at, int columns)
{
    int low = 0, high = 0;
    knob_range(k, knob, &low, &high);
    if (is_power(knob))
        return low << at * (log2_of(high / low) + 1) / columns;
    if (high - low < columns)
        return low + at * (high - low + 1) / columns;
    return low + (int)((int64_t)at * (high - low) / (columns > 1 ? columns - 1 : 1));
}

int knob_column(const CyclesState *k, Knob knob, int columns)
{
    int best = 0, value = knob_value(k, knob);
    for (int at = 1; at < columns; at++) {
        if (knob_at(k, knob, at, columns) <= value)
            best = at;
    }
    while (best > 0 && knob_at(k, knob, best - 1, columns) == knob_at(k, knob, best, columns))
        best--; /* the first of a wide one */
    return best;
}
