/* tokstep bench: measured figures, medians of several runs, a line each. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/bench_screen.h"
#include "cli/bench_tensor.h"
#include "cli/cli.h"
#include "session/session.h"

const char bench_help[] =
    "tokstep bench [NAME] [--json]: figures of this machine, medians of several\n"
    "runs, in CPU time\n\n"
    "  cycles_per_s          bridge at the defaults, every clock stepped, three\n"
    "                        watches active\n"
    "  tokens_per_s          the same run in tokens\n"
    "  stream_cycles_per_s   the same of variant stream\n"
    "  step_back_ms          the slowest of 200 steps back, anywhere in 128 tokens\n"
    "  memset_gbytes_s       256 MiB of memory filled\n"
    "  t2_unpack_gweights_s  ternary tiles decoded into the same 256 MiB of floats\n"
    "  t2_unpack_ratio       bytes written by it, beside memset in the same moment\n"
    "  read_gbytes_s         a cached file of 267 MB read\n"
    "  t2_verify_gbytes_s    the same file of tiles verified\n"
    "  t2_verify_ratio       the two rates of the same moment\n"
    "  tq1_0_verify_gweights_s, tq1_0_verify_ratio, tq1_0_info_gweights_s,\n"
    "  tq1_0_info_ratio\n"
    "                        32 MiB of such blocks verified, and counted for t2\n"
    "                        info; beside t2 in the same moment, a weight; also\n"
    "                        tq2_0, ptq1_0, pq2_0, q2_0\n"
    "  frame_ms              a 200x60 frame of the explorer, drawn into cells\n"
    "  startup_ms            start of the program to its first 200x60 screen as\n"
    "                        text, wall time\n";

enum { RUNS = 7 };

/* CPU time of this process: what is measured runs in one thread, and machines are shared. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

static Session *open_deck(Variant variant, int tokens)
{
    Setup setup;
    setup_init(&setup);
    setup.config.variant = variant;
    setup.tokens = tokens;
    setup_check(&setup, NULL);
    return session_new(&setup);
}

/* `count` tokens of the sequence (0: all) with three conditions evaluated after every clock edge.
 * Returns cycles per second; *tokens the same in tokens. */
static double run_watched(Variant variant, int count, double *tokens)
{
    double rates[RUNS], token_rates[RUNS];
    for (int r = 0; r < RUNS; r++) {
        Session *s = open_deck(variant, count);
        session_break(s, "softmax.sum > 0x7fffff", NULL, NULL);
        session_break(s, "q[3] == 0x3039", NULL, NULL);
        session_break(s, "ffn_out[5] > 100.0", NULL, NULL);
        session_run(s, NULL, NULL);
        double begin = seconds();
        while (session_advance(s, 100000) == RUN_ON)
            continue;
        double spent = seconds() - begin;
        rates[r] = (double)engine_cycle(session_engine(s)) / spent;
        token_rates[r] = (double)setup_token_count(session_setup(s)) / spent;
        session_free(s);
    }
    *tokens = median(token_rates, RUNS);
    return median(rates, RUNS);
}

static void bridge(double *out)
{
    out[0] = run_watched(VARIANT_BRIDGE, 0, &out[1]);
}

static void stream(double *out)
{
    double tokens = 0;
    out[0] = run_watched(VARIANT_STREAM, 10, &tokens);
}

static void step_back(double *out)
{
    double worst[RUNS];
    Session *s = open_deck(VARIANT_BRIDGE, 0);
    session_run(s, NULL, NULL);
    while (session_advance(s, 100000) == RUN_ON)
        continue;
    uint64_t end = engine_cycle(session_engine(s));
    for (int r = 0; r < RUNS; r++) {
        worst[r] = 0;
        for (uint64_t i = 0; i < 200; i++) {
            session_goto(s, (i * 2654435761u + (uint64_t)r * 977) % end + 1);
            double begin = seconds();
            session_back(s, 1);
            double spent = 1e3 * (seconds() - begin);
            if (spent > worst[r])
                worst[r] = spent;
        }
    }
    session_free(s);
    out[0] = median(worst, RUNS);
}

static void unpack(double *out)
{
    BenchPair pair = bench_t2_unpack();
    out[0] = pair.limit / 1e9;
    out[1] = pair.rate / sizeof(float) / 1e9;
    out[2] = pair.ratio;
}

static void verify(double *out)
{
    BenchPair pair = bench_t2_verify();
    out[0] = pair.limit / 1e9;
    out[1] = pair.rate / 1e9;
    out[2] = pair.ratio;
}

static void blocks(TensorKind kind, double *out)
{
    BenchPair verified = bench_blocks(kind, false), summed = bench_blocks(kind, true);
    out[0] = verified.rate / 1e9;
    out[1] = verified.ratio;
    out[2] = summed.rate / 1e9;
    out[3] = summed.ratio;
}

static void tq1_0(double *out)
{
    blocks(KIND_TQ1_0, out);
}

static void tq2_0(double *out)
{
    blocks(KIND_TQ2_0, out);
}

static void ptq1_0(double *out)
{
    blocks(KIND_PTQ1_0, out);
}

static void pq2_0(double *out)
{
    blocks(KIND_PQ2_0, out);
}

static void q2_0(double *out)
{
    blocks(KIND_Q2_0_G128, out);
}

static void frame(double *out)
{
    out[0] = bench_frame();
}

static void startup(double *out)
{
    out[0] = bench_startup();
}

#define BLOCKS(name)                                                                               \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {#name "_verify_gweights_s", "Gweights/s"}, {#name "_verify_ratio", "of t2 a weight"}, \
                {#name "_info_gweights_s", "Gweights/s"},                                          \
            {                                                                                      \
#name "_info_ratio", "of t2 a weight"                                              \
            }                                                                                      \
        }                                                                                          \
    }
/* What is measured in one go, and the figures that come of it. */
enum { MAX_FIGURES = 4 };
static const struct {
    void (*measure)(double *out);
    struct {
        const char *name, *unit;
    } figures[MAX_FIGURES];
} measurements[] = {
    {bridge, {{"cycles_per_s", "cycles/s"}, {"tokens_per_s", "tokens/s"}}},
    {stream, {{"stream_cycles_per_s", "cycles/s"}}},
    {step_back, {{"step_back_ms", "ms"}}},
    {unpack,
     {{"memset_gbytes_s", "GB/s"},
      {"t2_unpack_gweights_s", "Gweights/s"},
      {"t2_unpack_ratio", "of memset"}}},
    {verify,
     {{"read_gbytes_s", "GB/s"}, {"t2_verify_gbytes_s", "GB/s"}, {"t2_verify_ratio", "of read"}}},
    BLOCKS(tq1_0),
    BLOCKS(tq2_0),
    BLOCKS(ptq1_0),
    BLOCKS(pq2_0),
    BLOCKS(q2_0),
    {frame, {{"frame_ms", "ms"}}},
    {startup, {{"startup_ms", "ms"}}},
};
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

static void tell(json_t *doc, const char *name, const char *unit, double value)
{
    if (doc)
        json_object_set_new(doc, name, json_pack("{s:f, s:s}", "value", value, "unit", unit));
    else
        printf("%s %.*f %s\n", name, value < 1000 ? 3 : 0, value, unit);
    fflush(stdout);
}

/* The figures of measurement m, or the one called `only`; is it there? */
static bool measure(int m, const char *only, json_t *doc)
{
    double values[MAX_FIGURES] = {0};
    bool wanted[MAX_FIGURES] = {0};
    bool any = false;
    for (int i = 0; i < MAX_FIGURES; i++) {
        const char *name = measurements[m].figures[i].name;
        wanted[i] = name && (!only || strcmp(only, name) == 0);
        any = any || wanted[i];
    }
    if (any)
        measurements[m].measure(values);
    for (int i = 0; i < MAX_FIGURES; i++) {
        if (wanted[i])
            tell(doc, measurements[m].figures[i].name, measurements[m].figures[i].unit, values[i]);
    }
    return any;
}

static int no_figure(const char *name)
{
    Suggest s;
    char hint[SUGGEST_TEXT];
    suggest_begin(&s, name, strlen(name));
    for (int m = 0; m < MEASUREMENTS; m++) {
        for (int i = 0; i < MAX_FIGURES && measurements[m].figures[i].name; i++)
            suggest_offer(&s, measurements[m].figures[i].name);
    }
    return cli_failf("bench: %s: no such figure; %stokstep bench --help lists them", name,
                     suggest_text(&s, hint));
}

int bench_main(int argc, char **argv)
{
    const char *only = NULL;
    bool as_json = false, found = false;
    Err err;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            as_json = true;
        else if (argv[i][0] == '-' || only) {
            cli_no_option("bench", argv[i], &err);
            return cli_fail(&err);
        } else
            only = argv[i];
    }
    json_t *doc = as_json ? json_object() : NULL;
    for (int m = 0; m < MEASUREMENTS; m++)
        found |= measure(m, only, doc);
    if (as_json && found)
        cli_json(doc, JSON_COMPACT);
    else
        json_decref(doc);
    return found ? cli_flush() : no_figure(only);
}
