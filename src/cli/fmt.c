#include "cli/fmt.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/fmt_json.h"
#include "cli/fmt_stream.h"
#include "cli/fmt_table.h"
#include "cli/t2_json.h"
#include "num/text.h"

const char fmt_help[] =
    "tokstep fmt VALUE...                  a value in every format: bits, errors\n"
    "tokstep fmt --bits FORMAT:0xHEX...    what a code stands for\n"
    "tokstep fmt --codes FORMAT            every code of a format of at most 16 bits\n"
    "tokstep fmt --encode FORMAT VALUE...  the code alone, one a line\n"
    "tokstep fmt --encode FORMAT -         the same of a value a line on stdin\n"
    "tokstep fmt --block KIND VALUE...     values that share a scale\n"
    "\n"
    "  --json  the same as one JSON document; values are the nearest doubles\n"
    "\n"
    "VALUE   decimal, fraction (-192/256), hex float (0x1.8p3), inf, nan, fp32 bits\n"
    "        (bits32:0x3f800000); exact, however long, and rounded once\n"
    "FORMAT  {formats}\n"
    "KIND    mxfp8-e4m3 mxfp8-e5m2 mxfp6-e3m2 mxfp6-e2m3 mxfp4 mxint8 (32 values),\n"
    "        nvfp4 (16), t2 (128: ternary, its scale the largest magnitude in fp16)\n"
    "\n"
    "With values and --encode:\n"
    "  --round ne|away|tz|up|down|stochastic\n"
    "        to nearest, ties to even (the default) or away from zero; toward zero,\n"
    "        +inf, -inf; or by chance, with exactly the cut-off part's probability\n"
    "  --seed N\n"
    "        of the generator of stochastic, splitmix64 (default 0)\n"
    "  --overflow saturate|ieee|wrap\n"
    "        the largest value (the default); inf, else nan; the low bits. The last\n"
    "        two mean the same: floats have no low bits, q8.8, int8 and mxint8 no\n"
    "        inf. FP6 and FP4 always saturate\n"
    "\n"
    "With --block, which prints `scale HEX VALUE`, then `i HEX VALUE ERROR` a line:\n"
    "  --scale floor|ceil|even|rceil\n"
    "        how an MX scale follows from the largest magnitude (default floor)\n"
    "  --tensor-scale X|auto\n"
    "        nvfp4: the scale of the whole tensor, as fp32 (default 1); auto is the\n"
    "        largest magnitude / 2688\n"
    "  --reciprocal\n"
    "        nvfp4: multiply by the fp32 reciprocal of the scale, as kernels do;\n"
    "        where that changes a code, `exact HEX VALUE` follows on its line\n";

const char *fmt_shown(const char *text, char buf[FMT_SHOWN])
{
    snprintf(buf, FMT_SHOWN, "%.*s%s", HEAD(text, 40), strlen(text) > 40 ? "..." : "");
    return buf;
}

bool fmt_parse(Value *v, const char *text, Err *err)
{
    Err why;
    char buf[FMT_SHOWN];
    if (value_parse(v, text, strlen(text), &why))
        return true;
    if (format_find(text))
        return err_set(err,
                       "%s: is a format, not a value; fmt --encode %s VALUE... gives its codes",
                       text, text);
    return err_set(err, "%s: %s", *text ? fmt_shown(text, buf) : "''", why.text);
}

/* cli.md: an argument of - and a digit, point, inf or nan is a value. */
static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] != '\0' && !strchr("0123456789.", arg[1]) &&
           strncasecmp(arg + 1, "inf", 3) != 0 && strncasecmp(arg + 1, "nan", 3) != 0;
}

static bool read_option(FmtRequest *r, int argc, char **argv, int *i, Err *err)
{
    static const char *const modes[] = {"--bits", "--codes", "--encode", "--block"};
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"--round", &r->round},
                   {"--seed", &r->seed},
                   {"--overflow", &r->overflow},
                   {"--scale", &r->scale},
                   {"--tensor-scale", &r->tensor}};
    char buf[FMT_SHOWN];
    const char *arg = argv[*i];
    if (strcmp(arg, "--reciprocal") == 0) {
        r->reciprocal = arg;
        return true;
    }
    if (strcmp(arg, "--json") == 0)
        return r->json = true;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        if (!cli_is(arg, modes[m]))
            continue;
        if (r->mode && (r->mode != modes[m] || m > 0))
            return err_set(err, "%s: only one of --bits, --codes, --encode, --block", modes[m]);
        r->mode = modes[m];
        r->mode_arg = cli_value(argc, argv, i, err);
        if (r->mode_arg && m == 0)
            r->args[r->count++] = r->mode_arg;
        return r->mode_arg != NULL;
    }
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        if (cli_is(arg, options[o].name))
            return (*options[o].value = cli_value(argc, argv, i, err)) != NULL;
    }
    return cli_no_option("fmt", fmt_shown(arg, buf), err);
}

static bool read_request(FmtRequest *r, int argc, char **argv, Err *err)
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

/* --encode FORMAT - */
static bool reads_stdin(const FmtRequest *r)
{
    return r->mode && strcmp(r->mode, "--encode") == 0 && r->count == 1 &&
           strcmp(r->args[0], "-") == 0;
}

static bool check_options(const FmtRequest *r, Err *err)
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
           refuse_unless(!r->json || !reads_stdin(r), "", "--json", "values that are arguments",
                         err) &&
           refuse_unless(nvfp4, r->reciprocal, "--reciprocal", "--block nvfp4", err);
}

static bool read_rounding(const FmtRequest *r, Random *random, Rounding *out, Err *err)
{
    char buf[FMT_SHOWN];
    *out = (Rounding){.random = random};
    if (r->round && !round_mode_find(r->round, &out->mode))
        return err_set(err, "--round %s: not one of ne, away, tz, up, down, stochastic",
                       fmt_shown(r->round, buf));
    if (r->overflow && !overflow_find(r->overflow, &out->overflow))
        return err_set(err, "--overflow %s: not one of saturate, ieee, wrap",
                       fmt_shown(r->overflow, buf));
    if (r->seed) {
        char *end = NULL;
        errno = 0;
        random->state = isdigit((unsigned char)*r->seed) ? strtoull(r->seed, &end, 10) : 0;
        if (!end || errno || *end)
            return err_set(err, "--seed %s: not a number from 0 to 2^64 - 1",
                           fmt_shown(r->seed, buf));
    }
    return true;
}

static const Format *find_format(const char *name, Err *err)
{
    char buf[FMT_SHOWN], hint[SUGGEST_TEXT];
    const Format *f = format_find(name);
    if (!f)
        err_set(err, "%s: no such format; %stokstep fmt --help names them", fmt_shown(name, buf),
                format_hint(name, hint));
    return f;
}

/* ---- what each request prints; all of them refuse before the first byte goes out ---- */

bool fmt_need_values(const FmtRequest *r, Err *err)
{
    if (r->count > 0)
        return true;
    return err_set(err, "fmt: %s a value; tokstep fmt --help tells more",
                   r->mode ? "needs" : "give it");
}

/* What a request has made, unless it failed: text or JSON; both are freed. Returns ok. */
static bool answer(const FmtRequest *r, bool ok, Buf *text, json_t *doc)
{
    if (ok && r->json)
        t2_json_print(doc);
    else
        json_decref(doc);
    if (ok && !r->json)
        fputs(buf_str(text), stdout);
    buf_free(text);
    return ok;
}

static bool show_values(const FmtRequest *r, const Rounding *rounding, Err *err)
{
    Value v;
    Buf b = {0};
    json_t *all = json_array();
    value_init(&v);
    bool ok = fmt_need_values(r, err);
    for (int i = 0; ok && i < r->count; i++) {
        if (!(ok = fmt_parse(&v, r->args[i], err)))
            break;
        if (r->json) {
            json_array_append_new(all, fmt_json_value(r->args[i], &v, rounding));
            continue;
        }
        buf_text(&b, i > 0 ? "\n\n" : "");
        fmt_table_value(&b, r->args[i], &v, rounding);
    }
    value_free(&v);
    return answer(r, ok, &b, json_pack("{s:o}", "values", all));
}

static bool read_code(const char *arg, const Format **f, uint32_t *code, Err *err)
{
    char buf[FMT_SHOWN], name[16];
    const char *colon = strchr(arg, ':');
    if (!colon || colon - arg >= (long)sizeof name || strncasecmp(colon, ":0x", 3) != 0)
        return err_set(err, "--bits %s: not FORMAT:0xHEX", fmt_shown(arg, buf));
    snprintf(name, sizeof name, "%.*s", (int)(colon - arg), arg);
    *f = find_format(name, err);
    if (!*f)
        return false;
    const char *digits = colon + 3;
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    if (n == 0 || digits[n])
        return err_set(err, "--bits %s: '%.1s' at character %ld, where a hex digit should be",
                       fmt_shown(arg, buf), digits + n, (long)(digits + n - arg) + 1);
    digits += strspn(digits, "0");
    unsigned long long bits = strlen(digits) > 8 ? ~0ULL : strtoull(digits, NULL, 16);
    *code = (uint32_t)bits;
    if (bits > UINT32_MAX || !format_fits(*f, *code))
        return err_set(err, "--bits %s: %s has %d bits", fmt_shown(arg, buf), (*f)->name,
                       (*f)->bits);
    return true;
}

static bool show_bits(const FmtRequest *r, Err *err)
{
    Buf b = {0};
    json_t *all = json_array();
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        const Format *f = NULL;
        uint32_t code = 0;
        if (!(ok = read_code(r->args[i], &f, &code, err)))
            break;
        if (r->json) {
            json_array_append_new(all, fmt_json_code(f, code));
            continue;
        }
        buf_text(&b, i > 0 ? "\n" : "");
        fmt_table_code(&b, f, code);
    }
    return answer(r, ok, &b, json_pack("{s:o}", "codes", all));
}

static bool show_codes(const FmtRequest *r, Err *err)
{
    char buf[FMT_SHOWN];
    const Format *f = find_format(r->mode_arg, err);
    if (!f)
        return false;
    if (r->count > 0)
        return err_set(err, "%s: --codes takes a format and no values", fmt_shown(r->args[0], buf));
    if (f->bits > 16)
        return err_set(err, "%s: has %d bits, --codes lists at most 16", f->name, f->bits);
    if (r->json) {
        t2_json_print(fmt_json_codes(f));
        return true;
    }
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

static bool show_encoded(const FmtRequest *r, const Rounding *rounding, int *rc, Err *err)
{
    const Format *f = find_format(r->mode_arg, err);
    if (!f || !fmt_need_values(r, err))
        return false;
    if (reads_stdin(r)) {
        *rc = fmt_stream(f, rounding);
        return true;
    }
    Value v;
    Buf b = {0};
    json_t *all = json_array();
    value_init(&v);
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        if (strcmp(r->args[i], "-") == 0)
            ok = err_set(err, "-: reads all values from stdin, no others can follow or precede it");
        else
            ok = fmt_parse(&v, r->args[i], err);
        if (!ok)
            break;
        uint32_t code = format_encode(f, &v, rounding);
        json_array_append_new(all, fmt_json_encoded(r->args[i], f, code));
        format_print_code(&b, f, code);
        buf_text(&b, "\n");
    }
    value_free(&v);
    return answer(r, ok, &b, json_pack("{s:s, s:o}", "format", f->name, "codes", all));
}

static bool run_request(const FmtRequest *r, int *rc, Err *err)
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
    return fmt_block(r, err);
}

bool fmt_words(const char **words, int count, Err *err)
{
    const Rounding rounding = {0};
    int codes = 0;
    for (int i = 0; i < count; i++)
        codes += strchr(words[i], ':') && strncasecmp(words[i], "bits32:", 7) != 0;
    FmtRequest r = {.args = words, .count = count};
    if (codes && codes < count)
        return err_set(err, "fmt: either values or codes (FORMAT:0xHEX)");
    if (count == 0)
        return err_set(err, "fmt: needs a value");
    return codes ? show_bits(&r, err) : show_values(&r, &rounding, err);
}

int fmt_main(int argc, char **argv)
{
    Err err;
    FmtRequest r = {.args = xcalloc((size_t)argc, sizeof *r.args)};
    int rc = 0;
    if (!read_request(&r, argc, argv, &err) || !run_request(&r, &rc, &err))
        rc = cli_fail(&err);
    free(r.args);
    return rc ? rc : cli_flush();
}
