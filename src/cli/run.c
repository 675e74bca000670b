/* tokstep run: steps tokens with no screen and prints them. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/golden.h"
#include "cli/options.h"
#include "session/session.h"

const char run_help[] =
    "tokstep run [OPTIONS]: steps tokens with no screen and prints a line per token\n\n"
    "  --preset NAME        {presets}\n"
    "  --set KEY=VALUE      {options};\n"
    "                       0x.. raw word, with a point a value\n"
    "  --variant V          the same as --set variant=V\n" STIMULUS_HELP
    "  --tokens N           how many tokens (default 1); with a model the letters to\n"
    "                       be added\n"
    "  --model FILE         a character model: a line per token with its letter and\n"
    "                       the next, then the whole text; it ends early when the\n"
    "                       end mark is chosen\n"
    "  --text TEXT          the letters it goes on from (default none)\n"
    "  --temperature T      0: the most probable letter (default); 1: as the model\n"
    "                       draws\n"
    "  --seed S             of the draws (default 0)\n"
    "  --set ffn_w2=t2:FILE a weight matrix from ternary tiles (--reserved\n"
    "                       refuse|zero)\n"
    "  --golden             the lines of a golden vector file\n"
    "  --dump SIGNAL[@STATE],...\n"
    "                       also the elements of signals, when valid is high or when\n"
    "                       the top FSM leaves STATE\n"
    "  --json               the same facts as one JSON document\n\n"
    "  tokstep run --preset minus8 --tokens 3\n"
    "  tokstep run --stimulus random:7 --dump softmax.max,scores@ATTN_WAIT\n"
    "  tokstep run --model assets/words-repaired.safetensors --text trans --tokens 9\n";

enum { MAX_DUMPS = 64 };

typedef struct Dump {
    char text[64]; /* as given, for JSON */
    const Signal *signal;
    int at;        /* -1: all elements */
    int32_t state; /* -1: when valid is high */
    Buf lines;     /* of the present token */
    json_t *words; /* the same as JSON */
} Dump;

typedef struct Run {
    Setup setup;
    bool golden, json;
    Buf dump_list; /* of all --dump */
    Dump dumps[MAX_DUMPS];
    int n_dumps;
    Session *session;
    Session *bridge; /* the same stimulus on bridge, for state lists; NULL: session is bridge */
    json_t *tokens;  /* --json */
    Buf text;        /* with a model: its letters so far */
} Run;

static int top_state(const Engine *e)
{
    return signal_get(e, signal_at(SIG_TOP_STATE), 0);
}

static bool parse_dump(Dump *d, const Engine *e, Err *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s", d->text);
    char *state = strchr(name, '@');
    d->state = -1;
    if (state) {
        *state++ = '\0';
        if (!raw_parse(state, e, signal_at(SIG_TOP_STATE), &d->state, err))
            return false;
    }
    return element_parse(name, e, &d->signal, &d->at, err);
}

/* Named twice is dumped once. */
static bool is_double(const Run *r, const Dump *d)
{
    for (int i = 0; i < r->n_dumps; i++) {
        const Dump *other = &r->dumps[i];
        if (other->signal == d->signal && other->at == d->at && other->state == d->state)
            return true;
    }
    return false;
}

static bool parse_dumps(Run *r, Err *err)
{
    const char *list = buf_str(&r->dump_list);
    while (*list) {
        size_t n = strcspn(list, ",");
        if (r->n_dumps == MAX_DUMPS || n == 0 || n >= sizeof r->dumps[0].text)
            return err_set(err, "--dump %.*s: must be SIGNAL[@STATE],... (at most %d)",
                           HEAD(list, 40), MAX_DUMPS);
        Dump *d = &r->dumps[r->n_dumps];
        *d = (Dump){0};
        memcpy(d->text, list, n);
        if (!parse_dump(d, session_engine(r->session), err))
            return false;
        r->n_dumps += !is_double(r, d);
        list += n;
        if (*list == ',' && !*++list)
            return err_set(err, "--dump %s: ends with a comma", buf_str(&r->dump_list));
    }
    return true;
}

static void capture(Dump *d, const Engine *e)
{
    char name[64], hex[16];
    int first = d->at < 0 ? 0 : d->at;
    int end = d->at < 0 ? signal_count(e, d->signal) : d->at + 1;
    buf_clear(&d->lines);
    json_decref(d->words);
    d->words = json_array();
    for (int i = first; i < end; i++) {
        signal_element_name(e, d->signal, i, name, sizeof name);
        signal_hex(e, d->signal, signal_get(e, d->signal, i), hex, sizeof hex);
        buf_printf(&d->lines, "%s%s %s\n", name, signal_rank(d->signal) ? "" : "[0]", hex);
        json_array_append_new(d->words, json_string(hex));
    }
}

static json_t *words_of(const Engine *e, const Signal *s)
{
    json_t *words = json_array();
    char hex[16];
    for (int i = 0; i < signal_count(e, s); i++) {
        signal_hex(e, s, signal_get(e, s, i), hex, sizeof hex);
        json_array_append_new(words, json_string(hex));
    }
    return words;
}

/* Step one cycle and note the dumps whose state the top FSM has just left. */
static void step_and_capture(Run *r)
{
    const Engine *e = session_engine(r->session);
    int before = top_state(e);
    session_step(r->session, 1);
    for (int i = 0; i < r->n_dumps; i++) {
        if (r->dumps[i].state == before && top_state(e) != before)
            capture(&r->dumps[i], e);
    }
}

/* From the cycle that samples start to the one in which valid is high. */
static void step_to_valid(Run *r, GoldenToken *g)
{
    const Engine *e = session_engine(r->session);
    do {
        if (g)
            golden_cycle(g, e);
        step_and_capture(r);
    } while (!signal_get(e, signal_at(SIG_VALID), 0));
    for (int i = 0; i < r->n_dumps; i++) {
        if (r->dumps[i].state < 0)
            capture(&r->dumps[i], e);
    }
}

static void print_golden(Run *r, int token, Buf *out)
{
    GoldenToken g, b;
    const Engine *e = session_engine(r->session);
    golden_begin(&g);
    golden_begin(&b);
    step_to_valid(r, &g);
    golden_close(&g);
    if (r->bridge) {
        const Engine *be = session_engine(r->bridge);
        do {
            golden_cycle(&b, be);
            session_step(r->bridge, 1);
        } while (!signal_get(be, signal_at(SIG_VALID), 0));
        golden_close(&b);
        session_step(r->bridge, 1);
    }
    golden_print(&g, e, r->bridge ? &b : &g, token, out);
    golden_free(&g);
    golden_free(&b);
}

/* The letter that follows position `token`: given by the text, or what the model makes of out_emb.
 */
static void print_letter(Run *r, int token, unsigned long long cycles, Buf *out)
{
    const Model *m = session_model(r->session);
    const char *text = session_setup(r->session)->text;
    bool given = token < (int)strlen(text);
    const char *what = given ? "given" : "next";
    char letter[2] = {session_letter(r->session, token)};
    char next[2] = {given ? text[token] : m->vocab[session_next(r->session)]};
    if (*next != m->vocab[m->vocab_size - 1])
        buf_add(&r->text, next, 1);
    if (r->json)
        json_array_append_new(
            r->tokens, json_pack("{s:i, s:s, s:I, s:s, s:o}", "token", token, "letter", letter,
                                 "cycles", (json_int_t)cycles, what, next, "out_emb",
                                 words_of(session_engine(r->session), signal_at(SIG_OUT_EMB))));
    else
        buf_printf(out, "token %d letter %s cycles %llu %s %s\n", token, letter, cycles, what,
                   next);
}

static void print_token(Run *r, int token, Buf *out)
{
    const Engine *e = session_engine(r->session);
    uint64_t begin = session_host(r->session)->token_start;
    step_to_valid(r, NULL);
    unsigned long long cycles = engine_cycle(e) - begin;
    if (session_model(r->session)) {
        print_letter(r, token, cycles, out);
        return;
    }
    if (r->json) {
        json_array_append_new(r->tokens, json_pack("{s:i, s:I, s:o}", "token", token, "cycles",
                                                   (json_int_t)cycles, "out_emb",
                                                   words_of(e, signal_at(SIG_OUT_EMB))));
        return;
    }
    buf_printf(out, "token %d cycles %llu out_emb", token, cycles);
    for (int i = 0; i < signal_count(e, signal_at(SIG_OUT_EMB)); i++)
        buf_printf(out, " %04x", (unsigned)(uint16_t)signal_get(e, signal_at(SIG_OUT_EMB), i));
    buf_text(out, "\n");
}

/* The dumps of a token; DONE is left on the edge after valid. */
static void print_dumps(Run *r, int token, Buf *out)
{
    json_t *all = json_object();
    step_and_capture(r);
    for (int i = 0; i < r->n_dumps; i++) {
        buf_add(out, buf_str(&r->dumps[i].lines), r->dumps[i].lines.len);
        json_object_set(all, r->dumps[i].text, r->dumps[i].words);
    }
    if (r->json && r->n_dumps > 0)
        json_object_set(json_array_get(r->tokens, (size_t)token), "dump", all);
    json_decref(all);
}

static int print_json(const Run *r)
{
    json_t *stimulus =
        r->setup.stimulus == STIMULUS_INTEGRATION ? json_string("integration")
        : r->setup.stimulus == STIMULUS_MODEL
            ? json_string("model")
            : json_sprintf("random:%u:%d:%d", (unsigned)r->setup.seed, r->setup.amp, r->setup.tamp);
    json_t *doc = json_pack("{s:o, s:o, s:O}", "config", options_json(&r->setup.config), "stimulus",
                            stimulus, "tokens", r->tokens);
    if (setup_model_of(&r->setup))
        json_object_set_new(doc, "text", json_string(buf_str(&r->text)));
    cli_json(doc, JSON_COMPACT);
    return cli_flush();
}

static int run_tokens(Run *r)
{
    Buf out = {0};
    int rc = 0;
    r->tokens = json_array();
    if (r->golden)
        golden_header(&r->setup, &out);
    int count = setup_token_count(&r->setup);
    for (int token = 0; token < count && session_host(r->session)->token == token && rc == 0;
         token++) {
        if (r->golden)
            print_golden(r, token, &out);
        else
            print_token(r, token, &out);
        print_dumps(r, token, &out);
        if (!r->json)
            fwrite(buf_str(&out), 1, out.len, stdout);
        buf_clear(&out);
        rc = ferror(stdout) ? cli_flush() : 0;
    }
    if (rc == 0 && setup_model_of(&r->setup) && !r->json)
        printf("text %s\n", buf_str(&r->text));
    if (rc == 0)
        rc = r->json ? print_json(r) : cli_flush();
    buf_free(&out);
    buf_free(&r->text);
    json_decref(r->tokens);
    return rc;
}

static bool parse_options(Run *r, int argc, char **argv, Err *err)
{
    if (!options_begin(&r->setup, argc, argv, err))
        return false;
    r->setup.tokens = 1;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(&r->setup, argc, argv, &i, err);
        if (taken < 0)
            return false;
        if (taken)
            continue;
        const char *value = NULL;
        if (strcmp(argv[i], "--golden") == 0)
            r->golden = true;
        else if (strcmp(argv[i], "--json") == 0)
            r->json = true;
        else if (!cli_is(argv[i], "--dump"))
            return cli_no_option("run", argv[i], err);
        else if (!(value = cli_value(argc, argv, &i, err)))
            return false;
        else if (!*value)
            return err_set(err, "--dump '': must be SIGNAL[@STATE],...");
        else
            cli_join(&r->dump_list, value);
    }
    if (r->golden && r->json)
        return err_set(err, "run: --golden and --json exclude each other");
    if (r->golden && setup_model_of(&r->setup))
        return err_set(err, "run: --golden: vectors are of a stimulus, not of a model");
    return options_finish(&r->setup, err);
}

static int run_all(Run *r, Err *err)
{
    r->session = session_new(&r->setup);
    if (r->golden && r->setup.config.variant != VARIANT_BRIDGE) {
        Setup bridge = r->setup;
        bridge.config.variant = VARIANT_BRIDGE;
        r->bridge = session_new(&bridge);
    }
    int rc = parse_dumps(r, err) ? run_tokens(r) : cli_fail(err);
    for (int i = 0; i < r->n_dumps; i++) {
        buf_free(&r->dumps[i].lines);
        json_decref(r->dumps[i].words);
    }
    session_free(r->bridge);
    session_free(r->session);
    return rc;
}

int run_main(int argc, char **argv)
{
    Run *r = xcalloc(1, sizeof *r);
    Err err;
    int rc = parse_options(r, argc, argv, &err) ? run_all(r, &err) : cli_fail(&err);
    buf_free(&r->dump_list);
    setup_free(&r->setup);
    free(r);
    return rc;
}
