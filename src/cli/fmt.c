#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/fmt_stream.h"
#include "cli/fmt_table.h"
#include "num/block.h"
#include "num/text.h"

const char fmt_help[] =
    "tokstep fmt VALUE...                 a value in every format: bits, error, neighbours\n"
    "tokstep fmt --bits FORMAT:0xHEX...   what a code stands for\n"
    "tokstep fmt --codes FORMAT           every code of a format of at most 16 bits\n"
    "tokstep fmt --encode FORMAT VALUE... the code alone, one a line; - reads values from stdin\n"
    "tokstep fmt --block KIND VALUE...    values that share a scale\n"
    "\n"
    "VALUE     decimal, hex float (0x1.8p3), inf, nan, or an fp32 pattern bits32:0x3f800000.\n"
    "          It is exact, however long, and rounded once.\n"
    "FORMAT    q8.8 int8 mxint8 fp16 bf16 tf32 fp32 e4m3 e5m2 e3m2 e2m3 e2m1 e8m0 ue4m3\n"
    "          e4m3fnuz e5m2fnuz e4m3ieee\n"
    "KIND      mxfp8-e4m3 mxfp8-e5m2 mxfp6-e3m2 mxfp6-e2m3 mxfp4 mxint8 (32 values)\n"
    "          nvfp4 (16), t2 (128: ternary, scale = the largest magnitude in fp16)\n"
    "\n"
    "With VALUE... and --encode:\n"
    "  --round ne|away|tz|up|down|stochastic\n"
    "                 nearest, ties to even (the default) or away from zero; toward zero, +inf,\n"
    "                 -inf; or by chance, with exactly the probability of the cut-off part\n"
    "  --seed N       of the generator for stochastic, splitmix64 (default 0)\n"
    "  --overflow saturate|ieee|wrap\n"
    "                 the largest value (the default); inf, else nan; or, in q8.8, int8 and\n"
    "                 mxint8, the low bits. wrap and ieee mean the same: what the format does\n"
    "                 when nothing saturates. FP6 and FP4 always saturate\n"
    "With --block:\n"
    "  --scale floor|ceil|even|rceil   how an MX scale follows from the largest magnitude\n"
    "  --tensor-scale X|auto           nvfp4: the second scale, as fp32 (default 1; auto: the\n"
    "                                  largest magnitude / 2688)\n"
    "  --reciprocal   nvfp4: multiply by the fp32 reciprocal of the scale, as kernels do; where\n"
    "                 that changes a code, the exact one follows\n"
    "It prints `scale HEX VALUE`, then `i HEX VALUE ERROR` a line.\n";

/* What was asked for; options are remembered by name so that one without effect is refused. */
typedef struct Request {
    const char *mode;     /* "--bits" "--codes" "--encode" "--block" or NULL */
    const char *mode_arg; /* its value; of --bits the first one is among args as well */
    const char *round, *seed, *overflow, *scale, *tensor, *reciprocal;
    char **args; /* values, in order */
    int count;
} Request;

/* An argument as an error line can show it: short, and one line. */
static const char *shown(const char *text, char buf[64])
{
    snprintf(buf, 64, "%.40s%s", text, strlen(text) > 40 ? "..." : "");
    for (char *c = buf; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return buf;
}

static bool parse_arg(Value *v, const char *text, Err *err)
{
    Err why;
    char buf[64];
    if (value_parse(v, text, strlen(text), &why))
        return true;
    return err_set(err, "%s: %s", *text ? shown(text, buf) : "''", why.text);
}

/* cli.md: an argument of - and a digit, point, inf or nan is a value. */
static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] != '\0' && !strchr("0123456789.", arg[1]) &&
           strncasecmp(arg + 1, "inf", 3) != 0 && strncasecmp(arg + 1, "nan", 3) != 0;
}

static bool read_option(Request *r, int argc, char **argv, int *i, Err *err)
{
    static const char *const modes[] = {"--bits", "--codes", "--encode", "--block"};
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"--round", &r->round},       {"--seed", &r->seed},
                   {"--overflow", &r->overflow}, {"--scale", &r->scale},
                   {"--tensor-scale", &r->tensor}};
    char buf[64];
    const char *arg = argv[*i];
    if (strcmp(arg, "--reciprocal") == 0) {
        r->reciprocal = arg;
        return true;
    }
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        if (!cli_is(arg, modes[m]))
            continue;
        if (r->mode && (r->mode != modes[m] || m > 0))
            return err_set(err, "%s: only one of --bits, --codes, --encode, --block", modes[m]);
        r->mode = modes[m];
        r->mode_arg = cli_value(argc, argv, i, err);
        if (r->mode_arg && m == 0)
            r->args[r->count++] = (char *)(uintptr_t)r->mode_arg;
        return r->mode_arg != NULL;
    }
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        if (cli_is(arg, options[o].name))
            return (*options[o].value = cli_value(argc, argv, i, err)) != NULL;
    }
    return err_set(err, "%s: no such option; tokstep fmt --help lists them", shown(arg, buf));
}

static bool read_request(Request *r, int argc, char **argv, Err *err)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (!options || !is_option(argv[i]))
            r->args[r->count++] = argv[i];
        else if (!read_option(r, argc, argv, &i, err))
            return false;
    }
    return true;
}

static bool refuse_unless(bool belongs, const char *value, const char *option, const char *where,
                          Err *err)
{
    return belongs || !value || err_set(err, "%s: is for %s", option, where);
}

static bool check_options(const Request *r, Err *err)
{
    bool rounds = !r->mode || strcmp(r->mode, "--encode") == 0;
    bool block = r->mode && strcmp(r->mode, "--block") == 0;
    bool nvfp4 = block && strcmp(r->mode_arg, "nvfp4") == 0;
    bool mx = block && strncmp(r->mode_arg, "mx", 2) == 0;
    bool stochastic = r->round && strcmp(r->round, "stochastic") == 0;
    return refuse_unless(rounds, r->round, "--round", "values and --encode", err) &&
           refuse_unless(rounds, r->overflow, "--overflow", "values and --encode", err) &&
           refuse_unless(rounds && stochastic, r->seed, "--seed", "--round stochastic", err) &&
           refuse_unless(mx, r->scale, "--scale", "--block with an MX format", err) &&
           refuse_unless(nvfp4, r->tensor, "--tensor-scale", "--block nvfp4", err) &&
           refuse_unless(nvfp4, r->reciprocal, "--reciprocal", "--block nvfp4", err);
}

static bool read_rounding(const Request *r, Random *random, Rounding *out, Err *err)
{
    char buf[64];
    *out = (Rounding){.random = random};
    if (r->round && !round_mode_find(r->round, &out->mode))
        return err_set(err, "--round %s: not one of ne, away, tz, up, down, stochastic",
                       shown(r->round, buf));
    if (r->overflow && !overflow_find(r->overflow, &out->overflow))
        return err_set(err, "--overflow %s: not one of saturate, ieee, wrap",
                       shown(r->overflow, buf));
    if (r->seed) {
        char *end;
        errno = 0;
        random->state = strtoull(r->seed, &end, 10);
        if (errno || *end || end == r->seed || r->seed[0] == '-')
            return err_set(err, "--seed %s: not a number from 0 to 2^64 - 1", shown(r->seed, buf));
    }
    return true;
}

static const Format *find_format(const char *name, Err *err)
{
    char buf[64];
    const Format *f = format_find(name);
    if (!f)
        err_set(err, "%s: no such format; tokstep fmt --help names them", shown(name, buf));
    return f;
}

/* ---- what each request prints; all of them refuse before the first byte goes out ---- */

static bool need_values(const Request *r, Err *err)
{
    if (r->count > 0)
        return true;
    return err_set(err, "fmt: %s a value; tokstep fmt --help tells more",
                   r->mode ? "needs" : "give it");
}

static bool show_values(const Request *r, const Rounding *rounding, Err *err)
{
    Value v;
    Buf b = {0};
    value_init(&v);
    bool ok = need_values(r, err);
    for (int i = 0; ok && i < r->count; i++) {
        ok = parse_arg(&v, r->args[i], err);
        if (ok) {
            if (i > 0)
                buf_text(&b, "\n\n");
            fmt_table_value(&b, r->args[i], &v, rounding);
        }
    }
    if (ok)
        fputs(buf_str(&b), stdout);
    buf_free(&b);
    value_free(&v);
    return ok;
}

static bool read_code(const char *arg, const Format **f, uint32_t *code, Err *err)
{
    char buf[64], name[16];
    const char *colon = strchr(arg, ':');
    if (!colon || colon - arg >= (long)sizeof name || strncasecmp(colon, ":0x", 3) != 0)
        return err_set(err, "--bits %s: not FORMAT:0xHEX", shown(arg, buf));
    snprintf(name, sizeof name, "%.*s", (int)(colon - arg), arg);
    *f = find_format(name, err);
    if (!*f)
        return false;
    const char *digits = colon + 3;
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    if (n == 0 || digits[n])
        return err_set(err, "--bits %s: '%.1s' at character %ld, where a hex digit should be",
                       shown(arg, buf), digits + n, (long)(digits + n - arg) + 1);
    digits += strspn(digits, "0");
    unsigned long long bits = strlen(digits) > 8 ? ~0ULL : strtoull(digits, NULL, 16);
    *code = (uint32_t)bits;
    if (bits > UINT32_MAX || !format_fits(*f, *code))
        return err_set(err, "--bits %s: %s has %d bits", shown(arg, buf), (*f)->name, (*f)->bits);
    return true;
}

static bool show_bits(const Request *r, Err *err)
{
    Buf b = {0};
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        const Format *f;
        uint32_t code;
        ok = read_code(r->args[i], &f, &code, err);
        if (ok) {
            if (i > 0)
                buf_text(&b, "\n");
            fmt_table_code(&b, f, code);
        }
    }
    if (ok)
        fputs(buf_str(&b), stdout);
    buf_free(&b);
    return ok;
}

static bool show_codes(const Request *r, Err *err)
{
    char buf[64];
    const Format *f = find_format(r->mode_arg, err);
    if (!f)
        return false;
    if (r->count > 0)
        return err_set(err, "%s: --codes takes a format and no values", shown(r->args[0], buf));
    if (f->bits > 16)
        return err_set(err, "%s: has %d bits, --codes lists at most 16", f->name, f->bits);
    Value v;
    Buf line = {0};
    value_init(&v);
    for (uint32_t code = 0; code < UINT32_C(1) << f->bits; code++) {
        buf_clear(&line);
        format_print_code(&line, f, code);
        buf_text(&line, " ");
        format_value(f, code, &v);
        value_print(&line, &v);
        puts(line.data);
    }
    buf_free(&line);
    value_free(&v);
    return true;
}

static bool show_encoded(const Request *r, const Rounding *rounding, int *rc, Err *err)
{
    const Format *f = find_format(r->mode_arg, err);
    if (!f || !need_values(r, err))
        return false;
    if (r->count == 1 && strcmp(r->args[0], "-") == 0) {
        *rc = fmt_stream(f, rounding);
        return true;
    }
    Value v;
    Buf b = {0};
    value_init(&v);
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        if (strcmp(r->args[i], "-") == 0)
            ok = err_set(err, "-: reads all values from stdin, no others can follow or precede it");
        else
            ok = parse_arg(&v, r->args[i], err);
        if (ok) {
            format_print_code(&b, f, format_encode(f, &v, rounding));
            buf_text(&b, "\n");
        }
    }
    if (ok)
        fputs(buf_str(&b), stdout);
    buf_free(&b);
    value_free(&v);
    return ok;
}

/* ---- blocks ---- */

static bool read_tensor_scale(const Request *r, const Value *values, size_t count, uint32_t *code,
                              Err *err)
{
    if (!r->tensor)
        return true;
    if (strcmp(r->tensor, "auto") == 0) {
        *code = block_tensor_scale(values, count);
        return true;
    }
    Value x;
    value_init(&x);
    bool ok = parse_arg(&x, r->tensor, err);
    if (ok) {
        *code = format_encode(format_find("fp32"), &x, &(const Rounding){0});
        if (x.kind != VALUE_FINITE || x.negative || *code == 0)
            ok = err_set(err, "--tensor-scale %s: not a positive fp32 number", r->tensor);
    }
    value_free(&x);
    return ok;
}

/* The error, in full while it is short enough to read. */
static void print_block_error(Buf *b, const Value *stored, const Value *v)
{
    enum { READABLE = 64, DIGITS = 17 };
    Value error;
    Buf text = {0};
    value_init(&error);
    if (value_is_finite(stored) && value_is_finite(v))
        value_sub(&error, stored, v);
    else
        value_set_special(&error, VALUE_NAN, false);
    value_print_short(&text, &error, READABLE);
    if (*buf_str(&text) == '~') {
        buf_clear(&text);
        value_print_rounded(&text, &error, DIGITS);
    }
    buf_text(b, buf_str(&text));
    buf_free(&text);
    value_free(&error);
}

static void print_element(Buf *b, const Block *block, size_t i, Value *stored)
{
    format_print_code(b, block_element_format(block->format), block->code[i]);
    buf_text(b, " ");
    block_value(block, i, stored);
    value_print(b, stored);
}

static void print_block(Buf *b, const Block *block, const Block *divided, const Value *values)
{
    const Format *scale = block_scale_format(block->format);
    Value v;
    value_init(&v);
    buf_text(b, "scale ");
    format_print_code(b, scale, block->scale);
    buf_text(b, " ");
    format_value(scale, block->scale, &v);
    value_print(b, &v);
    buf_text(b, "\n");
    for (size_t i = 0; i < block->count; i++) {
        buf_printf(b, "%zu ", i);
        print_element(b, block, i, &v);
        buf_text(b, " ");
        print_block_error(b, &v, &values[i]);
        if (divided->code[i] != block->code[i]) {
            buf_text(b, " exact ");
            print_element(b, divided, i, &v);
        }
        buf_text(b, "\n");
    }
    value_free(&v);
}

static bool encode_block(const Request *r, const BlockFormat *f, const Value *values, Err *err)
{
    char buf[64];
    size_t count = (size_t)r->count;
    BlockOptions options = {0}, exact;
    if (r->scale && !scale_rule_find(r->scale, &options.rule))
        return err_set(err, "--scale %s: not one of floor, ceil, even, rceil",
                       shown(r->scale, buf));
    if (!read_tensor_scale(r, values, count, &options.tensor, err))
        return false;
    exact = options;
    options.reciprocal = r->reciprocal != NULL;
    Block block, divided;
    if (!block_encode(f, &options, values, count, &block, err) ||
        !block_encode(f, &exact, values, count, &divided, err))
        return false;
    Buf b = {0};
    print_block(&b, &block, &divided, values);
    fputs(buf_str(&b), stdout);
    buf_free(&b);
    return true;
}

static bool show_block(const Request *r, Err *err)
{
    char buf[64];
    const BlockFormat *f = block_find(r->mode_arg);
    if (!f)
        return err_set(err, "%s: no such block format; tokstep fmt --help names them",
                       shown(r->mode_arg, buf));
    if (!need_values(r, err))
        return false;
    Value *values = xcalloc((size_t)r->count, sizeof *values);
    bool ok = true;
    for (int i = 0; i < r->count; i++) {
        value_init(&values[i]);
        ok = ok && parse_arg(&values[i], r->args[i], err);
    }
    ok = ok && encode_block(r, f, values, err);
    for (int i = 0; i < r->count; i++)
        value_free(&values[i]);
    free(values);
    return ok;
}

static bool run_request(const Request *r, int *rc, Err *err)
{
    Random random = {0};
    Rounding rounding;
    if (!check_options(r, err) || !read_rounding(r, &random, &rounding, err))
        return false;
    if (!r->mode)
        return show_values(r, &rounding, err);
    if (strcmp(r->mode, "--bits") == 0)
        return show_bits(r, err);
    if (strcmp(r->mode, "--codes") == 0)
        return show_codes(r, err);
    if (strcmp(r->mode, "--encode") == 0)
        return show_encoded(r, &rounding, rc, err);
    return show_block(r, err);
}

int fmt_main(int argc, char **argv)
{
    Err err;
    Request r = {.args = xcalloc((size_t)argc, sizeof *r.args)};
    int rc = 0;
    if (!read_request(&r, argc, argv, &err) || !run_request(&r, &rc, &err))
        rc = cli_fail(&err);
    free(r.args);
    return rc ? rc : cli_flush();
}
