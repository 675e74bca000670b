/* The engine's side of the co-simulation (make cosim; tests/rtl/cosim.bash runs both sides).
 *
 *   cosim files DIR OPTIONS   config.svh, probe.svh and tokens.hex for tests/rtl/tb_cosim.sv
 *   cosim check OPTIONS       steps the engine beside the bench's trace on stdin and compares
 *   cosim states              "VARIANT UNIT.STATE" for every FSM state of the signal table
 *   cosim registers OPTIONS   where every register, vector and weight of the table is in the RTL
 *   cosim parameters OPTIONS  the part of config.svh that is the machine's
 *   cosim options             "KEY VALUE ..." for every option of the machine; of modes the values
 *
 * OPTIONS are those of `tokstep run`. The probe is generated from the signal table, so a name that
 * the RTL does not have is a compile error there, and every signal of the table is compared.
 *
 * The trace, one line each, in the order of events:
 *   r              reset
 *   t I X          pin token_emb[I] is X from now on
 *   c N X...       clock edge N: the pins start and seq_pos that it sampled, then every register
 *                  after it, in the order of the table
 *   m ID I X       after that edge, element I of memory (or weight) ID has changed to X
 *   f              every element of every memory follows as m lines (after reset and with valid)
 *   d              the end
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "engine/option.h"
#include "engine/cycle.h"
#include "engine/engine.h"
#include "tell/rtl.h"
#include "model/setup.h"

enum { FAR_TOKEN_UP_TO = 16 }; /* small machines first get a token at the last position */

/* What is compared: everything in the table that this machine has. */
static bool is_register(const Engine *e, const Signal *s)
{
    return s->kind == KIND_REGISTER && signal_exists(e, s);
}
static bool is_memory(const Engine *e, const Signal *s)
{
    return s->kind == KIND_MEMORY && signal_exists(e, s);
}
static bool is_cache(SignalId id)
{
    return id == SIG_K_CACHE || id == SIG_V_CACHE;
}

/* ---- files for the bench ---- */

static void write_parameters(const Config *c, FILE *out)
{
    Buf parameters = {0};
    option_rtl_declare(c, &parameters);
    fputs(buf_str(&parameters), out);
    buf_free(&parameters);
}

static void write_config(const Setup *s, FILE *out)
{
    const Config *c = &s->config;
    uint64_t second = config_cycles(c, c->variant, 1);
    bool restart = s->tokens > 1; /* reset somewhere in the second token, then present it again */
    fprintf(out, "// generated\n%s",
            c->variant == VARIANT_STREAM  ? "`define VARIANT_STREAM\n"
            : c->variant == VARIANT_ARRAY ? "`define VARIANT_ARRAY\n"
                                          : "");
    write_parameters(c, out);
    fprintf(out, "localparam int Tokens = %d;\n", s->tokens);
    fprintf(out, "localparam int ResetAfter = %" PRIu64 ";\n",
            restart ? 1 + (s->seed * 2654435761u >> 8) % (second - 1) : 0);
    fprintf(out, "localparam bit FarToken = 1'b%d;\n", c->max_seq_len <= FAR_TOKEN_UP_TO);
}

static void write_registers(const Engine *e, FILE *out)
{
    Buf format = {0}, values = {0};
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        for (int at = 0; is_register(e, s) && at < signal_count(e, s); at++) {
            char rtl[80];
            if (!signal_has_element(e, s, at))
                continue;
            signal_element_rtl(e, s, at, rtl, sizeof rtl);
            buf_text(&format, " %h");
            buf_printf(&values, ",\n             dut.%s", rtl);
        }
    }
    fprintf(out,
            "  task automatic print_registers;\n"
            "    $display(\"c %%0d %%h %%h%s\", cycle, start, seq_pos%s);\n  endtask\n",
            buf_str(&format), buf_str(&values));
    buf_free(&format);
    buf_free(&values);
}

/* A vector: one flat packed array, compared as a whole, printed by element. */
static void write_vector(const Engine *e, SignalId id, FILE *out)
{
    const Signal *s = signal_at(id);
    int n = signal_count(e, s);
    fprintf(out, "  logic [%d:0][15:0] shadow_%d;\n", n - 1, id);
    fprintf(out,
            "  task automatic print_%d(input bit full);\n"
            "    if (full || dut.%s !== shadow_%d) begin\n"
            "      for (int n = 0; n < %d; n++) begin\n"
            "        if (full || dut.%s[n] !== shadow_%d[n]) $display(\"m %d %%0d %%h\", n, "
            "dut.%s[n]);\n"
            "      end\n"
            "      shadow_%d = dut.%s;\n"
            "    end\n"
            "  endtask\n",
            id, s->rtl, id, n, s->rtl, id, id, s->rtl, id, s->rtl);
}

/* K or V of stream: a memory of words. What its write port says before the edge is printed after
 * it. */
static void write_words(const Engine *e, SignalId id, FILE *out)
{
    const Signal *s = signal_at(id);
    const char *rtl = signal_rtl(e, s);
    int bram = (int)(strrchr(rtl, '.') - rtl);
    fprintf(out,
            "  logic written_%d;\n  int   at_%d;\n"
            "  task automatic sample_%d;\n"
            "    written_%d = dut.%.*s.write_a;\n"
            "    at_%d = 32'(dut.%.*s.addr_a);\n"
            "  endtask\n"
            "  task automatic print_%d(input bit full);\n"
            "    if (full) begin\n"
            "      for (int n = 0; n < %d; n++) $display(\"m %d %%0d %%h\", n, dut.%s[n]);\n"
            "    end else if (written_%d) begin\n"
            "      $display(\"m %d %%0d %%h\", at_%d, dut.%s[at_%d]);\n"
            "    end\n"
            "  endtask\n",
            id, id, id, id, bram, rtl, id, bram, rtl, id, signal_count(e, s), id, rtl, id, id, id,
            rtl, id);
}

/* K or V of bridge: a memory of rows. */
static void write_rows(const Engine *e, SignalId id, FILE *out)
{
    const Signal *s = signal_at(id);
    int rows = signal_dim(e, s, 0), cols = signal_dim(e, s, 1);
    fprintf(out, "  logic [%d:0][15:0] shadow_%d [0:%d];\n  logic [%d:0][15:0] row_%d, old_%d;\n",
            cols - 1, id, rows - 1, cols - 1, id, id);
    fprintf(out,
            "  task automatic print_%d(input bit full);\n"
            "    for (int t = 0; t < %d; t++) begin\n"
            "      row_%d = dut.%s[t];\n"
            "      old_%d = shadow_%d[t];\n"
            "      if (full || row_%d !== old_%d) begin\n"
            "        for (int n = 0; n < %d; n++) begin\n"
            "          if (full || row_%d[n] !== old_%d[n]) $display(\"m %d %%0d %%h\", t * %d + "
            "n, row_%d[n]);\n"
            "        end\n"
            "        shadow_%d[t] = row_%d;\n"
            "      end\n"
            "    end\n"
            "  endtask\n",
            id, rows, id, s->rtl, id, id, id, id, cols, id, id, id, cols, id, id, id);
}

static void write_weights(const Engine *e, FILE *out)
{
    fprintf(out, "  task automatic print_weights;\n");
    for (int id = SIG_WEIGHTS; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (!signal_exists(e, s))
            continue;
        fprintf(out,
                "    for (int n = 0; n < %d; n++) $display(\"m %d %%0d %%h\", n, dut.%s[n]);\n",
                signal_count(e, s), id, signal_rtl(e, s));
    }
    fprintf(out, "  endtask\n");
}

static void write_probe(const Engine *e, FILE *out)
{
    Buf calls = {0}, samples = {0};
    fprintf(out, "  // generated from the signal table\n");
    write_registers(e, out);
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        if (!is_memory(e, signal_at((SignalId)id)))
            continue;
        buf_printf(&calls, "    print_%d(full);\n", id);
        bool words = is_cache((SignalId)id) && engine_config(e)->variant == VARIANT_STREAM;
        if (words) {
            buf_printf(&samples, "    sample_%d();\n", id);
            write_words(e, (SignalId)id, out);
        } else if (is_cache((SignalId)id)) {
            write_rows(e, (SignalId)id, out);
        } else {
            write_vector(e, (SignalId)id, out);
        }
    }
    fprintf(out, "  task automatic sample_ports;\n%s  endtask\n", buf_str(&samples));
    fprintf(out, "  task automatic print_memories(input bit full);\n%s  endtask\n",
            buf_str(&calls));
    write_weights(e, out);
    buf_free(&samples);
    buf_free(&calls);
}

static void write_tokens(const Setup *s, const int16_t *tokens, FILE *out)
{
    for (int i = 0; i < s->tokens * s->config.d_model; i++)
        fprintf(out, "%04x\n", (unsigned)(uint16_t)tokens[i]);
}

static FILE *create(const char *dir, const char *name)
{
    Buf path = {0};
    buf_printf(&path, "%s/%s", dir, name);
    FILE *f = fopen(buf_str(&path), "w");
    if (!f) {
        fprintf(stderr, "cosim: %s: %s\n", buf_str(&path), strerror(errno));
        exit(2);
    }
    buf_free(&path);
    return f;
}

static int write_files(const Setup *s, const Engine *e, const int16_t *tokens, const char *dir)
{
    FILE *config = create(dir, "config.svh"), *probe = create(dir, "probe.svh");
    FILE *hex = create(dir, "tokens.hex");
    write_config(s, config);
    write_probe(e, probe);
    write_tokens(s, tokens, hex);
    return fclose(config) || fclose(probe) || fclose(hex) ? 2 : 0;
}

/* ---- lock step ---- */

typedef struct Check {
    Engine *e;
    int16_t *rtl[SIG_WEIGHTS]; /* memories as the trace has them */
    uint64_t words_due;        /* of a full dump: not yet seen */
    uint64_t token_start;      /* cycle that sampled start */
    uint64_t compared, cycles;
    int tokens;
    bool done, told; /* the end was seen; the failure has been explained */
} Check;

/* The first difference ends the run. */
static bool differ(Check *c, const Signal *s, int at, const char *rtl)
{
    char name[64], hex[16];
    signal_element_name(c->e, s, at, name, sizeof name);
    signal_hex(c->e, s, signal_get(c->e, s, at), hex, sizeof hex);
    printf("first difference: cycle %" PRIu64 ", %s: engine %s, rtl %s\n", engine_cycle(c->e), name,
           hex, rtl);
    c->told = true;
    return false;
}

static bool compare(Check *c, const Signal *s, int at, const char *rtl)
{
    char *end = NULL;
    unsigned long v = strtoul(rtl, &end, 16);
    int width = signal_width(c->e, s);
    uint32_t mask = width >= 32 ? UINT32_MAX : (1u << width) - 1;
    c->compared++;
    if (*end || end == rtl || (uint32_t)v != ((uint32_t)signal_get(c->e, s, at) & mask))
        return differ(c, s, at, rtl);
    return true;
}

/* Everything that the last edge stored into the engine's memories must have arrived in the RTL's
 * too: the trace tells only what changed there. */
static bool check_writes(Check *c)
{
    int n = 0;
    const Write *w = engine_writes(c->e, &n);
    for (int k = 0; k < n; k++) {
        const Signal *s = signal_at(w[k].signal);
        for (int i = w[k].index; i < w[k].index + w[k].count; i++) {
            char hex[16];
            c->compared++;
            if (c->rtl[w[k].signal][i] == (int16_t)signal_get(c->e, s, i))
                continue;
            snprintf(hex, sizeof hex, "%04x", (unsigned)(uint16_t)c->rtl[w[k].signal][i]);
            return differ(c, s, i, hex);
        }
    }
    return true;
}

static bool take_memory(Check *c, const char *line)
{
    int id = 0, at = 0;
    char value[40];
    if (sscanf(line, "m %d %d %39s", &id, &at, value) != 3 || id < 0 || id >= SIG_COUNT)
        return false;
    const Signal *s = signal_at((SignalId)id);
    if (at < 0 || at >= signal_count(c->e, s) || !compare(c, s, at, value))
        return false;
    if (id < SIG_WEIGHTS)
        c->rtl[id][at] = (int16_t)signal_get(c->e, s, at);
    if (c->words_due > 0)
        c->words_due--;
    return true;
}

static bool count_token(Check *c, bool was_idle)
{
    const Config *config = engine_config(c->e);
    int p = signal_get(c->e, signal_at(SIG_SEQ_POS), 0);
    if (was_idle && signal_get(c->e, signal_at(SIG_START), 0))
        c->token_start = engine_cycle(c->e) - 1;
    if (!signal_get(c->e, signal_at(SIG_VALID), 0))
        return true;
    uint64_t took = engine_cycle(c->e) - c->token_start,
             formula = config_cycles(config, config->variant, p);
    c->tokens++;
    if (took == formula)
        return true;
    printf("position %d took %" PRIu64 " cycles, the closed form says %" PRIu64 "\n", p, took,
           formula);
    c->told = true;
    return false;
}

static bool take_clock(Check *c, char *line)
{
    char *save = NULL;
    strtok_r(line, " \n", &save);
    const char *cycle = strtok_r(NULL, " \n", &save);
    bool was_idle = signal_get(c->e, signal_at(SIG_TOP_STATE), 0) == 0;
    for (int id = SIG_START; id <= SIG_SEQ_POS; id++) {
        const char *pin = strtok_r(NULL, " \n", &save);
        if (!pin ||
            !signal_set(c->e, signal_at((SignalId)id), 0, (int32_t)strtol(pin, NULL, 16), NULL))
            return false;
    }
    engine_step(c->e);
    c->cycles++;
    if (!cycle || strtoull(cycle, NULL, 10) != engine_cycle(c->e))
        return false;
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        for (int at = 0; is_register(c->e, s) && at < signal_count(c->e, s); at++) {
            if (!signal_has_element(c->e, s, at))
                continue;
            const char *value = strtok_r(NULL, " \n", &save);
            if (!value || !compare(c, s, at, value))
                return false;
        }
    }
    return count_token(c, was_idle);
}

static uint64_t memory_words(const Engine *e)
{
    uint64_t words = 0;
    for (int id = 0; id < SIG_WEIGHTS; id++)
        words += is_memory(e, signal_at((SignalId)id))
                     ? (uint64_t)signal_count(e, signal_at((SignalId)id))
                     : 0;
    return words;
}

static bool take_line(Check *c, char *line)
{
    int at = 0;
    unsigned value = 0;
    if (line[0] == 'm')
        return take_memory(c, line);
    if (c->words_due > 0) /* the full dump is short */
        return false;
    if (line[0] == 'f') {
        c->words_due = memory_words(c->e);
        return true;
    }
    if (!check_writes(c)) /* all m lines of the last edge have been seen */
        return false;
    switch (line[0]) {
    case 'r':
        engine_reset(c->e);
        return true;
    case 't':
        return sscanf(line, "t %d %x", &at, &value) == 2 && at < engine_config(c->e)->d_model &&
               signal_set(c->e, signal_at(SIG_TOKEN_EMB), at, (int32_t)value, NULL);
    case 'c':
        return take_clock(c, line);
    case 'd':
        c->done = true;
        return true;
    default:
        return strncmp(line, "- ", 2) == 0; /* Verilator's notice of $finish */
    }
}

static int check_trace(Engine *e)
{
    Check c = {.e = e};
    char *line = NULL, copy[120];
    size_t size = 0;
    bool ok = true;
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        if (is_memory(e, signal_at((SignalId)id)))
            c.rtl[id] = xcalloc((size_t)signal_count(e, signal_at((SignalId)id)), sizeof(int16_t));
    }
    while (ok && getline(&line, &size, stdin) > 0) {
        snprintf(copy, sizeof copy, "%s", line);
        ok = take_line(&c, line);
        if (!ok && !c.told)
            printf("cosim: stopped at trace line: %.100s\n", copy);
    }
    if (ok && !c.done)
        printf("cosim: the simulation ended early, after cycle %" PRIu64 "\n", engine_cycle(e));
    ok = ok && c.done;
    if (ok)
        printf("%s: %d tokens, %" PRIu64 " cycles, %" PRIu64 " values compared, 0 differences\n",
               config_variant_name(engine_config(e)->variant), c.tokens, c.cycles, c.compared);
    for (int id = 0; id < SIG_WEIGHTS; id++)
        free(c.rtl[id]);
    free(line);
    return ok ? 0 : 1;
}

/* ---- lists for the tests of tags and completeness ---- */

static int list_states(void)
{
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        size_t unit = strcspn(s->path, ".");
        for (int v = 0; s->type == TYPE_STATE && v < VARIANT_COUNT; v++) {
            for (int k = 0; (s->variants >> v & 1) && s->names[k]; k++)
                printf("%s %.*s.%s\n", config_variant_name((Variant)v), (int)unit, s->path,
                       s->names[k]);
        }
    }
    return 0;
}

static int list_options(void)
{
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        printf("%s", o->key);
        for (int v = 0; o->names && o->names[v]; v++)
            printf(" %s", o->names[v]);
        printf("\n");
    }
    return 0;
}

static int list_registers(const Engine *e)
{
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (signal_exists(e, s) && s->kind != KIND_PIN)
            printf("%s\n", signal_rtl(e, s));
    }
    return 0;
}

static bool parse(Setup *s, int argc, char **argv, Err *err)
{
    if (!options_begin(s, argc, argv, err))
        return false;
    s->tokens = 1;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(s, argc, argv, &i, err);
        if (taken < 0)
            return false;
        if (!taken)
            return err_set(err, "%s: no such option", argv[i]);
    }
    return setup_check(s, err);
}

int main(int argc, char **argv)
{
    Setup setup;
    Err err;
    const char *action = argc > 1 ? argv[1] : "";
    int skip = strcmp(action, "files") == 0 ? 2 : 1;
    if (strcmp(action, "states") == 0)
        return list_states();
    if (strcmp(action, "options") == 0)
        return list_options();
    if (argc <= skip || !parse(&setup, argc - skip, argv + skip, &err))
        return fprintf(stderr, "cosim: %s\n",
                       argc <= skip ? "usage: see tests/rtl/cosim.c" : err.text),
               2;

    if (strcmp(action, "parameters") == 0) {
        write_parameters(&setup.config, stdout);
        return 0;
    }
    int16_t *tokens = NULL;
    Weights *w = stimulus_make(&setup, &tokens);
    Engine *e = engine_new(&setup.config, w);
    int rc = 2;
    if (strcmp(action, "files") == 0)
        rc = write_files(&setup, e, tokens, argv[2]);
    else if (strcmp(action, "check") == 0)
        rc = check_trace(e);
    else if (strcmp(action, "registers") == 0)
        rc = list_registers(e);
    engine_free(e);
    weights_free(w);
    free(tokens);
    return rc;
}
