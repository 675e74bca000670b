/* tokstep cycles: what one token costs, per stage: measured, by the closed form, by the deck. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "session/cycle_report.h"

const char cycles_help[] =
    "tokstep cycles [OPTIONS]: the cycles of one token, a row per stage\n\n"
    "  STAGE MEASURED FORMULA DECK: measured by stepping one token on the machine, by the closed\n"
    "  form, by the deck's estimator (- where it has no such stage); then the total, latency and\n"
    "  tokens a second\n\n"
    "  --set KEY=VALUE      d_model n_heads d_ff max_seq_len ..., as for tokstep run\n"
    "  --preset NAME        deck (default), minus8 or repaired\n"
    "  --variant V          bridge (default), stream or array; of array also the products that it\n"
    "                       needs, those its systolic array had room for, and their ratio\n"
    "  --pos P              position of the token, 0 (default) .. max_seq_len-1\n"
    "  --mhz F              clock, 29.2 by default\n"
    "  --sweep KEY=LO:HI:STEP, --sweep KEY=LO:HI:xFACTOR\n"
    "                       KEY=VALUE MEASURED FORMULA DECK: the totals, a row per legal value of\n"
    "                       d_model n_heads d_ff max_seq_len pe_rows pe_cols or pos\n"
    "  --json               the same facts as one JSON document\n\n"
    "  tokstep cycles --pos 64\n"
    "  tokstep cycles --sweep d_model=8:512:x2\n";

typedef struct Cycles {
    Setup setup;
    int pos;
    double mhz;
    const char *sweep; /* NULL: one report */
    bool json;
    bool aligned; /* for a person at a terminal */
} Cycles;

/* ---- text ---- */

static void cell(const Cycles *o, const char *text)
{
    printf(o->aligned ? " %12s" : " %s", text);
}

static void cycles_cell(const Cycles *o, bool known, uint64_t cycles)
{
    char text[24];
    snprintf(text, sizeof text, known ? "%" PRIu64 : "-", cycles);
    cell(o, text);
}

static void print_row(const Cycles *o, const char *name, const CycleRow *row)
{
    printf(o->aligned ? "%-16s" : "%s", name);
    cycles_cell(o, true, row->measured);
    cycles_cell(o, true, row->formula);
    cycles_cell(o, row->deck != 0, row->deck);
    putchar('\n');
}

static void print_figures(const Cycles *o, const char *name, const CycleRow *total,
                          double (*figure)(uint64_t, double), int decimals)
{
    const uint64_t cycles[] = {total->measured, total->formula, total->deck};
    char text[40];
    printf(o->aligned ? "%-16s" : "%s", name);
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%.*f", decimals, figure(cycles[k], o->mhz));
        cell(o, text);
    }
    putchar('\n');
}

static void print_header(const Cycles *o, const char *first)
{
    if (o->aligned)
        printf("%-16s %12s %12s %12s\n", first, "measured", "formula", "the deck");
}

static void print_utilisation(const Cycles *o, const CycleReport *r)
{
    const CycleRow *useful = &r->useful, *slots = &r->slots;
    char measured[24], formula[24];
    print_row(o, "array_useful", useful);
    print_row(o, "array_slots", slots);
    snprintf(measured, sizeof measured, "%.4f",
             cycle_utilisation(useful->measured, slots->measured));
    snprintf(formula, sizeof formula, "%.4f", cycle_utilisation(useful->formula, slots->formula));
    printf(o->aligned ? "%-16s" : "%s", "utilisation");
    cell(o, measured);
    cell(o, formula);
    cell(o, "-");
    putchar('\n');
}

static void print_report(const Cycles *o, const CycleReport *r)
{
    print_header(o, "stage");
    for (int k = 0; k < STAGE_COUNT; k++)
        print_row(o, stage_name(cycle_stages[k]), &r->rows[cycle_stages[k]]);
    print_row(o, "total", &r->total);
    print_figures(o, "latency_ms", &r->total, cycle_latency_ms, 4);
    print_figures(o, "tokens_per_s", &r->total, cycle_tokens_per_s, 1);
    if (r->config.variant == VARIANT_ARRAY)
        print_utilisation(o, r);
}

/* ---- JSON ---- */

static json_t *cycles_json(const CycleRow *row)
{
    return json_pack("{s:I, s:I, s:o}", "measured", (json_int_t)row->measured, "formula",
                     (json_int_t)row->formula, "deck",
                     row->deck ? json_integer((json_int_t)row->deck) : json_null());
}

static json_t *figures_json(const CycleRow *total, double mhz, double (*figure)(uint64_t, double))
{
    return json_pack("{s:f, s:f, s:f}", "measured", figure(total->measured, mhz), "formula",
                     figure(total->formula, mhz), "deck", figure(total->deck, mhz));
}

static json_t *report_json(const Cycles *o, const CycleReport *r)
{
    json_t *rows = json_array();
    for (int k = 0; k < STAGE_COUNT; k++) {
        json_t *row = json_pack("{s:s}", "stage", stage_name(cycle_stages[k]));
        json_t *cycles = cycles_json(&r->rows[cycle_stages[k]]);
        json_object_update(row, cycles);
        json_decref(cycles);
        json_array_append_new(rows, row);
    }
    json_t *doc =
        json_pack("{s:o, s:s, s:i, s:o, s:o, s:f, s:o, s:o}", "config", options_json(&r->config),
                  "variant", config_variant_name(r->config.variant), "pos", r->pos, "rows", rows,
                  "total", cycles_json(&r->total), "mhz", o->mhz, "latency_ms",
                  figures_json(&r->total, o->mhz, cycle_latency_ms), "tokens_per_s",
                  figures_json(&r->total, o->mhz, cycle_tokens_per_s));
    if (r->config.variant == VARIANT_ARRAY) {
        json_object_set_new(doc, "array_useful", cycles_json(&r->useful));
        json_object_set_new(doc, "array_slots", cycles_json(&r->slots));
    }
    return doc;
}

static void print_json(json_t *doc)
{
    json_dumpf(doc, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(doc);
}

/* ---- one report, or a sweep ---- */

static int run_once(const Cycles *o)
{
    CycleReport r = cycle_report(&o->setup.config, o->pos);
    cycle_measure(&r);
    if (o->json)
        print_json(report_json(o, &r));
    else
        print_report(o, &r);
    return cli_flush();
}

static int run_sweep(const Cycles *o)
{
    CycleSweep w;
    CycleReport r;
    Err err, first = {0};
    int rows = 0, skipped = 0;
    if (!cycle_sweep_parse(&w, o->sweep, &err))
        return cli_failf("cycles: --%s", err.text);
    json_t *reports = json_array();
    for (int v = w.low; v <= w.high; v = cycle_sweep_next(&w, v)) {
        if (!cycle_sweep_report(&w, v, &o->setup.config, o->pos, &r, &err)) {
            if (skipped++ == 0)
                first = err;
            continue;
        }
        cycle_measure(&r);
        if (rows++ == 0 && !o->json)
            print_header(o, "total of a token");
        if (o->json) {
            json_array_append_new(reports, report_json(o, &r));
        } else {
            char name[32];
            snprintf(name, sizeof name, "%s=%d", w.key, v);
            print_row(o, name, &r.total);
        }
    }
    if (o->json && rows)
        print_json(json_pack("{s:s, s:O}", "sweep", w.key, "reports", reports));
    json_decref(reports);
    if (rows == 0)
        return cli_failf("cycles: --sweep %s: no legal value: %s", o->sweep, first.text);
    if (skipped)
        fprintf(stderr, "tokstep: note: %d value%s skipped: %s\n", skipped, skipped == 1 ? "" : "s",
                first.text);
    return cli_flush();
}

/* ---- options ---- */

static bool set_pos(Cycles *o, const char *text, Err *err)
{
    char *end = NULL;
    errno = 0;
    long v = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
    if (!end || *end || errno || v > 1023)
        return err_set(err, "cycles: --pos %s: must be 0..max_seq_len-1", text);
    o->pos = (int)v;
    return true;
}

#define MHZ_LEAST 0.001
#define MHZ_MOST  1e6

static bool set_mhz(Cycles *o, const char *text, Err *err)
{
    char *end = NULL;
    o->mhz = isdigit((unsigned char)*text) || *text == '.' ? strtod(text, &end) : 0;
    if (!end || *end || !(o->mhz >= MHZ_LEAST && o->mhz <= MHZ_MOST))
        return err_set(err, "cycles: --mhz %s: must be a frequency in MHz, 0.001 to 1000000", text);
    return true;
}

/* The cycle counter has a token of its own: no stimulus, no number of tokens. */
static bool take_own(Cycles *o, int argc, char **argv, int *i, Err *err)
{
    const char *arg = argv[*i], *value = NULL;
    bool pos = cli_is(arg, "--pos"), mhz = cli_is(arg, "--mhz"), sweep = cli_is(arg, "--sweep");
    if (cli_is(arg, "--json") && arg[6] == '\0') {
        o->json = true;
        return true;
    }
    if (!pos && !mhz && !sweep)
        return cli_no_option("cycles", arg, err);
    if (!(value = cli_value(argc, argv, i, err)))
        return false;
    if (sweep)
        o->sweep = value;
    return pos ? set_pos(o, value, err) : mhz ? set_mhz(o, value, err) : true;
}

static bool parse_options(Cycles *o, int argc, char **argv, Err *err)
{
    if (!options_begin(&o->setup, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        bool token = cli_is(argv[i], "--stimulus") || cli_is(argv[i], "--tokens");
        int taken = token ? 0 : options_take(&o->setup, argc, argv, &i, err);
        if (taken < 0 || (!taken && !take_own(o, argc, argv, &i, err)))
            return false;
    }
    if (!options_finish(&o->setup, err))
        return false;
    return o->sweep || cycle_pos_check(&o->setup.config, o->pos, err);
}

int cycles_main(int argc, char **argv)
{
    Cycles o = {.mhz = 29.2, .aligned = isatty(STDOUT_FILENO)};
    Err err;
    bool ok = parse_options(&o, argc, argv, &err);
    int rc = !ok ? cli_fail(&err) : o.sweep ? run_sweep(&o) : run_once(&o);
    setup_free(&o.setup);
    return rc;
}
