/* tokstep cycles: what one token costs, per stage: measured, by the closed form, by the deck. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "tell/cycle_report.h"

const char cycles_help[] =
    "tokstep cycles [OPTIONS]: the cycles of one token, a row per stage\n\n"
    "  STAGE MEASURED FORMULA DECK: measured by stepping one token on the machine,\n"
    "  by the closed form, by the deck's estimator (- where it has no such stage);\n"
    "  then the total, latency and tokens a second\n\n"
    "  --set KEY=VALUE      {sizes} ..., as for tokstep run\n"
    "  --preset NAME        {presets}\n"
    "  --variant V          bridge (default), stream or array; of array also the\n"
    "                       products that it needs, those its systolic array had\n"
    "                       room for, and their ratio\n"
    "  --pos P              position of the token, 0 (default) .. max_seq_len-1\n"
    "  --mhz F              clock, 29.2 by default\n"
    "  --sweep KEY=LO:HI:STEP, --sweep KEY=LO:HI:xFACTOR, --sweep KEY=V,V,...\n"
    "                       KEY=VALUE MEASURED FORMULA DECK: the totals, a row per\n"
    "                       legal value of {numbers} or pos; twice: all pairs, "
    "KEY=VALUE,KEY=VALUE\n"
    "  --csv                comma-separated, with a line of names\n"
    "  --json               the same facts as one JSON document\n\n"
    "  tokstep cycles --pos 64\n"
    "  tokstep cycles --sweep d_model=8:512:x2\n"
    "  tokstep cycles --sweep d_model=16,64,256 --sweep pos=0,64,127 --csv\n";

enum { SWEEPS = 2 };

typedef struct Cycles {
    Setup setup;
    int pos;
    double mhz;
    CycleSweep sweep[SWEEPS]; /* the first changes slowest */
    int sweeps;               /* 0: one report */
    bool json, csv;
    bool aligned; /* for a person at a terminal */
} Cycles;

/* ---- text ---- */

static void cell(const Cycles *o, const char *text)
{
    if (o->csv)
        printf(",%s", strcmp(text, "-") == 0 ? "" : text);
    else
        printf(o->aligned ? " %12s" : " %s", text);
}

static void first_cell(const Cycles *o, const char *text)
{
    printf(!o->aligned ? "%s" : o->sweeps > 1 ? "%-28s" : "%-16s", text);
}

static void cycles_cell(const Cycles *o, bool known, uint64_t cycles)
{
    char text[24];
    snprintf(text, sizeof text, known ? "%" PRIu64 : "-", cycles);
    cell(o, text);
}

static void print_row(const Cycles *o, const char *name, const CycleRow *row)
{
    first_cell(o, name);
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
    first_cell(o, name);
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, cycles[k] ? "%.*f" : "-", decimals, figure(cycles[k], o->mhz));
        cell(o, text);
    }
    putchar('\n');
}

static void print_header(const Cycles *o, const char *first)
{
    if (!o->aligned && !o->csv)
        return;
    first_cell(o, first);
    cell(o, "measured");
    cell(o, "formula");
    cell(o, o->csv ? "deck" : "the deck");
    putchar('\n');
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
    first_cell(o, "utilisation");
    cell(o, measured);
    cell(o, formula);
    cell(o, "-");
    putchar('\n');
}

static void print_report(const Cycles *o, const CycleReport *r)
{
    print_header(o, "stage");
    for (int k = 0; k < STAGE_COUNT; k++)
        print_row(o, stage_name(&r->config, cycle_stages[k]), &r->rows[cycle_stages[k]]);
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
    return json_pack("{s:f, s:f, s:o}", "measured", figure(total->measured, mhz), "formula",
                     figure(total->formula, mhz), "deck",
                     total->deck ? json_real(figure(total->deck, mhz)) : json_null());
}

static json_t *report_json(const Cycles *o, const CycleReport *r)
{
    json_t *rows = json_array();
    for (int k = 0; k < STAGE_COUNT; k++) {
        json_t *row = json_pack("{s:s}", "stage", stage_name(&r->config, cycle_stages[k]));
        json_t *cycles = cycles_json(&r->rows[cycle_stages[k]]);
        json_object_update(row, cycles);
        json_decref(cycles);
        json_array_append_new(rows, row);
    }
    json_t *doc =
        json_pack("{s:o, s:s, s:i, s:o, s:o, s:f, s:o, s:o}", "config", options_json(&r->config),
                  OPTION(variant)->key, config_variant_name(r->config.variant), "pos", r->pos,
                  "rows", rows, "total", cycles_json(&r->total), "mhz", o->mhz, "latency_ms",
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
    cli_json(doc, JSON_COMPACT | JSON_REAL_PRECISION(12));
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

/* What comes out of a sweep. */
typedef struct SweepRun {
    const Cycles *options;
    json_t *reports;
    int values[SWEEPS]; /* of the row */
    int rows, skipped;
    Err first; /* why the first one was skipped */
} SweepRun;

static void print_sweep_row(const SweepRun *run, const CycleReport *r)
{
    const Cycles *o = run->options;
    char name[64], keys[64];
    int n = 0, k = 0;
    for (int i = 0; i < o->sweeps; i++) {
        const char *comma = i ? "," : "";
        k += snprintf(keys + k, sizeof keys - (size_t)k, "%s%s", comma, o->sweep[i].key);
        n += snprintf(name + n, sizeof name - (size_t)n, "%s%s%s%d", comma,
                      o->csv ? "" : o->sweep[i].key, o->csv ? "" : "=", run->values[i]);
    }
    if (run->rows == 0)
        print_header(o, o->csv ? keys : "total of a token");
    print_row(o, name, &r->total);
}

static void sweep_row(SweepRun *run, const Config *c, int pos)
{
    CycleReport r;
    Err err;
    if (!cycle_sweep_report(c, pos, &r, &err)) {
        if (run->skipped++ == 0)
            run->first = err;
        return;
    }
    cycle_measure(&r);
    if (run->options->json)
        json_array_append_new(run->reports, report_json(run->options, &r));
    else
        print_sweep_row(run, &r);
    run->rows++;
}

/* All values of sweep `which` and of those behind it. */
static void sweep_from(SweepRun *run, int which, const Config *c, int pos)
{
    const CycleSweep *w = &run->options->sweep[which];
    for (int i = 0; cycle_sweep_value(w, i, &run->values[which]); i++) {
        Config at = *c;
        int at_pos = pos;
        Err err;
        if (!cycle_sweep_apply(w, run->values[which], &at, &at_pos, &err)) {
            if (run->skipped++ == 0)
                run->first = err;
        } else if (which + 1 < run->options->sweeps) {
            sweep_from(run, which + 1, &at, at_pos);
        } else {
            sweep_row(run, &at, at_pos);
        }
    }
}

static json_t *sweep_names(const Cycles *o)
{
    return o->sweeps == 1 ? json_string(o->sweep[0].key)
                          : json_pack("[ss]", o->sweep[0].key, o->sweep[1].key);
}

static int run_sweep(const Cycles *o)
{
    SweepRun run = {.options = o, .reports = json_array()};
    sweep_from(&run, 0, &o->setup.config, o->pos);
    if (o->json && run.rows)
        print_json(json_pack("{s:o, s:O}", "sweep", sweep_names(o), "reports", run.reports));
    json_decref(run.reports);
    if (run.rows == 0)
        return cli_failf("cycles: --sweep: no legal value: %s", run.first.text);
    if (run.skipped)
        fprintf(stderr, "tokstep: note: %d value%s skipped: %s\n", run.skipped,
                run.skipped == 1 ? "" : "s", run.first.text);
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

static bool set_sweep(Cycles *o, const char *text, Err *err)
{
    Err why;
    if (o->sweeps == SWEEPS)
        return err_set(err, "cycles: --sweep %s: two at most", text);
    CycleSweep *w = &o->sweep[o->sweeps];
    if (!cycle_sweep_parse(w, text, &why))
        return err_set(err, "cycles: --%.*s", HEAD(why.text, 490));
    if (o->sweeps && strcmp(w->key, o->sweep[0].key) == 0)
        return err_set(err, "cycles: --sweep %s: there is one of %s already", text, w->key);
    o->sweeps++;
    return true;
}

/* The cycle counter has a token of its own: no stimulus, no number of tokens. */
static bool take_own(Cycles *o, int argc, char **argv, int *i, Err *err)
{
    const char *arg = argv[*i], *value = NULL;
    bool pos = cli_is(arg, "--pos"), mhz = cli_is(arg, "--mhz"), sweep = cli_is(arg, "--sweep");
    if (strcmp(arg, "--json") == 0)
        return o->json = true;
    if (strcmp(arg, "--csv") == 0)
        return o->csv = true;
    if (!pos && !mhz && !sweep)
        return cli_no_option("cycles", arg, err);
    if (!(value = cli_value(argc, argv, i, err)))
        return false;
    if (sweep)
        return set_sweep(o, value, err);
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
    if (o->json && o->csv)
        return err_set(err, "cycles: either --csv or --json");
    o->aligned = o->aligned && !o->csv;
    return o->sweeps || cycle_pos_check(&o->setup.config, o->pos, err);
}

int cycles_main(int argc, char **argv)
{
    Cycles o = {.mhz = 29.2, .aligned = isatty(STDOUT_FILENO)};
    Err err;
    bool ok = parse_options(&o, argc, argv, &err);
    int rc = !ok ? cli_fail(&err) : o.sweeps ? run_sweep(&o) : run_once(&o);
    setup_free(&o.setup);
    return rc;
}
