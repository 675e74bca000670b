/* The sliders of the cycle counter: names, ranges, steps. */
#include <stdio.h>

#include "engine/option.h"
#include "tui/view/cycles/cycles.h"

enum { MHZ10_MOST = 20000 };

/* Most set an option of the machine on the sliders. */
static const Option *option_of_knob(Knob knob)
{
    switch (knob) {
    case KNOB_VARIANT:
        return OPTION(variant);
    case KNOB_D_MODEL:
        return OPTION(d_model);
    case KNOB_N_HEADS:
        return OPTION(n_heads);
    case KNOB_D_FF:
        return OPTION(d_ff);
    case KNOB_SEQ:
        return OPTION(max_seq_len);
    case KNOB_PE_ROWS:
        return OPTION(pe_rows);
    case KNOB_PE_COLS:
        return OPTION(pe_cols);
    case KNOB_POS:
    case KNOB_MHZ:
    case KNOB_COUNT:
        break;
    }
    return NULL;
}

int knob_count(const CyclesState *k)
{
    return k->report.config.variant == VARIANT_ARRAY ? KNOB_COUNT : KNOB_PE_ROWS;
}

const char *knob_name(Knob knob)
{
    const Option *o = option_of_knob(knob);
    return o ? o->key : knob == KNOB_POS ? "pos" : "MHz";
}

const char *knob_rule(Knob knob)
{
    const Option *o = option_of_knob(knob);
    return o ? o->help : knob == KNOB_POS ? "the token's, below max_seq_len" : "the clock";
}

int knob_value(const CyclesState *k, Knob knob)
{
    const Option *o = option_of_knob(knob);
    return o ? option_get(o, &k->report.config) : knob == KNOB_POS ? k->report.pos : k->mhz10;
}

void knob_range(const CyclesState *k, Knob knob, int *low, int *high)
{
    const Config *c = &k->report.config;
    const Option *o = option_of_knob(knob);
    *low = o ? o->low : knob == KNOB_POS ? 0 : 1;
    *high = o ? o->high : knob == KNOB_POS ? c->max_seq_len - 1 : MHZ10_MOST;
    if (knob == KNOB_N_HEADS)
        *high = c->d_model;
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

bool knob_set(CyclesState *k, Knob knob, int value)
{
    Config c = k->report.config;
    int low = 0, high = 0, pos = k->report.pos;
    knob_range(k, knob, &low, &high);
    value = value < low ? low : value > high ? high : value;
    if (option_of_knob(knob))
        option_put(option_of_knob(knob), &c, value);
    else
        *(knob == KNOB_POS ? &pos : &k->mhz10) = value;
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
