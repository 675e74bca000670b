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
    "tokstep bench [NAME] [--json]: figures of this machine, medians of several runs, in CPU "
    "time\n\n"
    "  cycles_per_s       bridge at the defaults, every clock stepped, three watches active\n"
    "  stream_cycles_per_s  the same of variant stream\n"
    "  tokens_per_s       tokens through the same machine, the same way\n"
    "  step_back_ms       the slowest of 200 steps back, anywhere in 128 tokens\n"
    "  memset_gbytes_s    256 MiB of memory filled\n"
    "  t2_unpack_gweights_s  ternary tiles decoded into the same 256 MiB of floats\n"
    "  read_gbytes_s      a cached file of 267 MB read\n"
    "  t2_verify_gbytes_s the same file of tiles verified\n"
    "  frame_ms           a 200x60 frame of the explorer, drawn into cells\n"
    "  startup_ms         start of the program to its first 200x60 screen as text, wall time\n";

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

static double cycles_per_s(void)
{
    double tokens = 0;
    return run_watched(VARIANT_BRIDGE, 0, &tokens);
}

static double stream_cycles_per_s(void)
{
    double tokens = 0;
    return run_watched(VARIANT_STREAM, 10, &tokens);
}

static double tokens_per_s(void)
{
    double tokens = 0;
    run_watched(VARIANT_BRIDGE, 0, &tokens);
    return tokens;
}

static double step_back_ms(void)
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
    return median(worst, RUNS);
}

static const struct {
    const char *name, *unit;
    double (*measure)(void);
} figures[] = {
    {"cycles_per_s", "cycles/s", cycles_per_s},
    {"stream_cycles_per_s", "cycles/s", stream_cycles_per_s},
    {"tokens_per_s", "tokens/s", tokens_per_s},
    {"step_back_ms", "ms", step_back_ms},
    {"memset_gbytes_s", "GB/s", bench_memset},
    {"t2_unpack_gweights_s", "Gweights/s", bench_t2_unpack},
    {"read_gbytes_s", "GB/s", bench_read},
    {"t2_verify_gbytes_s", "GB/s", bench_t2_verify},
    {"frame_ms", "ms", bench_frame},
    {"startup_ms", "ms", bench_startup},
};
enum { FIGURES = sizeof figures / sizeof *figures };

int bench_main(int argc, char **argv)
{
    const char *only = NULL;
    bool as_json = false, found = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            as_json = true;
        else if (argv[i][0] == '-' || only)
            return cli_failf("bench: %s: no such option; tokstep bench --help lists them", argv[i]);
        else
            only = argv[i];
    }
    json_t *doc = json_object();
    for (int i = 0; i < FIGURES; i++) {
        if (only && strcmp(only, figures[i].name) != 0)
            continue;
        found = true;
        double value = figures[i].measure();
        if (as_json)
            json_object_set_new(doc, figures[i].name,
                                json_pack("{s:f, s:s}", "value", value, "unit", figures[i].unit));
        else
            printf("%s %.*f %s\n", figures[i].name, value < 1000 ? 3 : 0, value, figures[i].unit);
        fflush(stdout);
    }
    if (as_json && found) {
        json_dumpf(doc, stdout, JSON_COMPACT);
        putchar('\n');
    }
    json_decref(doc);
    return found ? cli_flush()
                 : cli_failf("bench: %s: no such figure; tokstep bench --help lists them", only);
}
