/* tokstep trace: a window of any run as a VCD file. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "session/vcd.h"

const char trace_help[] =
    "tokstep trace [OPTIONS] -o FILE.vcd: a VCD file of a run, for GTKWave or Surfer\n\n"
    "  --preset NAME        {presets}\n"
    "  --set KEY=VALUE      {options};\n"
    "                       0x.. raw word, with a point a value\n"
    "  --variant V          the same as --set variant=V\n" STIMULUS_HELP
    "  --tokens N           how many tokens (default 1)\n"
    "  --from C, --to C     the first and the last cycle (default: the whole run)\n"
    "  --signals NAME,...   these signals or elements (q, softmax.exp[37], K);\n"
    "                       default: all but the KV cache and the weights\n"
    "  --strings            states by name instead of bits\n"
    "  --real               the value beside each number with a fraction\n"
    "  -o FILE              the file\n\n"
    "  A clock is 10 time units; hierarchy and names are those of the RTL.\n\n"
    "  tokstep trace --tokens 2 --strings -o run.vcd\n"
    "  tokstep trace --from 400 --to 600 --signals smax.state,softmax.exp[37] \\\n"
    "      --real -o exp.vcd\n";

typedef struct Trace {
    Setup setup;
    VcdOptions vcd;
    Buf signals; /* of all --signals */
    const char *path;
} Trace;

static bool set_cycle(const char *option, const char *text, uint64_t *cycle, Err *err)
{
    char *end = NULL;
    errno = 0;
    *cycle = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || *cycle > INT64_MAX)
        return err_set(err, "trace: %s %s: must be a cycle", option, text);
    return true;
}

static bool take_own(Trace *t, int argc, char **argv, int *i, Err *err)
{
    static const char *const with_value[] = {"--from", "--to", "--signals", "-o"};
    const char *arg = argv[*i], *value = NULL;
    int which = 0;
    if (strcmp(arg, "--strings") == 0 || strcmp(arg, "--real") == 0) {
        *(arg[2] == 's' ? &t->vcd.strings : &t->vcd.real) = true;
        return true;
    }
    while (which < 4 && !cli_is(arg, with_value[which]))
        which++;
    if (which == 4)
        return cli_no_option("trace", arg, err);
    if (!(value = cli_value(argc, argv, i, err)))
        return false;
    if (which < 2)
        return set_cycle(with_value[which], value, which ? &t->vcd.to : &t->vcd.from, err);
    if (which == 2 && !*value)
        return err_set(err, "signals: none are named");
    if (which == 2)
        cli_join(&t->signals, value);
    else
        t->path = value;
    return true;
}

static bool parse_options(Trace *t, int argc, char **argv, Err *err)
{
    if (!options_begin(&t->setup, argc, argv, err))
        return false;
    t->setup.tokens = 1;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(&t->setup, argc, argv, &i, err);
        if (taken < 0 || (!taken && !take_own(t, argc, argv, &i, err)))
            return false;
    }
    if (t->signals.len)
        t->vcd.signals = buf_str(&t->signals);
    if (!t->path)
        return err_set(err, "trace: names no file; -o FILE.vcd does");
    return options_finish(&t->setup, err);
}

int trace_main(int argc, char **argv)
{
    Trace t = {.vcd = {.to = INT64_MAX}};
    Err err;
    bool ok = parse_options(&t, argc, argv, &err);
    if (ok) {
        Session *s = session_new(&t.setup);
        ok = vcd_write(s, &t.vcd, t.path, NULL, &err);
        session_free(s);
    }
    buf_free(&t.signals);
    setup_free(&t.setup);
    return ok ? 0 : cli_fail(&err);
}
