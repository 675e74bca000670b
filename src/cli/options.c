#include "base/place.h"
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli.h"

const char options_help[] =
    "  --preset NAME        repaired (default) or minus8, each with its model, or\n"
    "                       deck, with the deck's own stimulus\n"
    "  --set KEY=VALUE      {options};\n"
    "                       0x.. raw word, with a point a value\n"
    "  --set ffn_w2=t2:FILE a weight matrix from ternary tiles; --reserved\n"
    "                       refuse|zero\n"
    "  --variant V          the same as --set variant=V\n" STIMULUS_HELP
    "  --tokens N           how many tokens the host presents\n"
    "  --model FILE         a character model; --text TEXT: it goes on from there,\n"
    "                       --tokens N letters, the most probable ones or, with\n"
    "                       --temperature T [--seed S], drawn\n";

/* The value of the last `option` in argv; NULL when it is not there. */
static const char *find_option(int argc, char **argv, const char *option)
{
    const char *value = NULL;
    for (int i = 1; i < argc; i++) {
        if (cli_is(argv[i], option))
            value = cli_value(argc, argv, &i, NULL);
    }
    return value;
}

static bool reserved_is_zero(int argc, char **argv, bool *zero, Err *err)
{
    const char *value = find_option(argc, argv, "--reserved");
    *zero = value && strcmp(value, "zero") == 0;
    if (!value || *zero || strcmp(value, "refuse") == 0)
        return true;
    return err_set(err, "--reserved %s: must be refuse or zero", value);
}

static bool set_pair(Setup *s, const char *pair, int argc, char **argv, Err *err)
{
    char key[32];
    const char *eq = strchr(pair, '=');
    if (!eq || eq == pair || (size_t)(eq - pair) >= sizeof key)
        return err_set(err, "--set %s: must be KEY=VALUE", pair);
    memcpy(key, pair, (size_t)(eq - pair));
    key[eq - pair] = '\0';
    bool zero = false;
    return reserved_is_zero(argc, argv, &zero, err) && setup_set(s, key, eq + 1, zero, err);
}

static bool load_model(Setup *s, const char *path, Err *err)
{
    Model *m = model_read(path, err);
    if (m)
        setup_model(s, m);
    return m != NULL;
}

static bool begin(Setup *s, int argc, char **argv, const char *model, Err *err)
{
    const char *preset = find_option(argc, argv, "--preset");
    setup_init(s);
    return (!model || load_model(s, model, err)) && (!preset || setup_preset(s, preset, err));
}

bool options_begin(Setup *s, int argc, char **argv, Err *err)
{
    return begin(s, argc, argv, find_option(argc, argv, "--model"), err);
}

/* Is it KEY=VALUE of an option that a model is made for: sizes, ... ? */
static bool sets_model_option(const char *pair)
{
    size_t len = strcspn(pair, "=");
    for (int k = 0; pair[len] && option_at(k); k++) {
        const Option *o = option_at(k);
        if (o->in_model && strlen(o->key) == len && strncmp(o->key, pair, len) == 0)
            return true;
    }
    return false;
}

/* Does argv choose what the small model cannot have: a stimulus, or sizes of its own? */
static bool wants_no_model(int argc, char **argv)
{
    if (find_option(argc, argv, "--stimulus"))
        return true;
    for (int i = 1; i < argc; i++) {
        const char *pair = cli_is(argv[i], "--set") ? cli_value(argc, argv, &i, NULL) : NULL;
        if (pair && sets_model_option(pair))
            return true;
    }
    return false;
}

bool options_begin_explorer(Setup *s, int argc, char **argv, Err *err)
{
    const char *preset = find_option(argc, argv, "--preset");
    Buf path = {0};
    if (find_option(argc, argv, "--model") || wants_no_model(argc, argv))
        return options_begin(s, argc, argv, err);
    bool found = model_asset(preset ? preset : "repaired", &path);
    bool ok = begin(s, argc, argv, found ? buf_str(&path) : NULL, err);
    if (ok && found && !find_option(argc, argv, "--tokens"))
        ok = setup_text(s, "inter", err);
    buf_free(&path);
    return ok;
}

static bool set_tokens(Setup *s, const char *text, Err *err)
{
    char *end = NULL;
    errno = 0;
    unsigned long n = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    if (!end || *end || errno || n < 1 || n > 1024)
        return err_set(err, "--tokens %s: must be 1..1024", text);
    s->tokens = (int)n;
    return true;
}

/* Without a model there is nothing to draw: a seed is rather meant for the stimulus. */
static bool needs_model(const Setup *s, const char *option, Err *err)
{
    return setup_model_of(s) || err_set(err, "%s: needs a model", option);
}

static bool set_temperature(Setup *s, const char *text, Err *err)
{
    char *end = NULL;
    if (!needs_model(s, "--temperature", err))
        return false;
    double t = isdigit((unsigned char)*text) || *text == '.' ? strtod(text, &end) : -1.0;
    if (!end || *end || !isfinite(t) || t < 0.0 || t > 100.0)
        return err_set(err, "--temperature %s: must be 0 (the most probable letter) to 100", text);
    s->choice.temperature = t;
    return true;
}

static bool set_seed(Setup *s, const char *text, Err *err)
{
    char *end = NULL;
    if (!needs_model(s, "--seed", err))
        return false;
    errno = 0;
    s->choice.seed = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    return (end && !*end && !errno) ||
           err_set(err, "--seed %s: must be a whole number below 2^64", text);
}

typedef enum {
    OPTION_BEGUN, /* options_begin has taken it */
    OPTION_PRESET,
    OPTION_RESERVED,
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_STIMULUS,
    OPTION_TOKENS,
    OPTION_TEXT,
    OPTION_TEMPERATURE,
    OPTION_SEED
} OptionKind;

static bool take(Setup *s, OptionKind kind, const char *value, int argc, char **argv, Err *err)
{
    bool zero;
    Config preset;
    switch (kind) {
    case OPTION_BEGUN:
        return true;
    case OPTION_PRESET: /* the last one has been taken; the others must be presets too */
        return config_preset(&preset, value, err);
    case OPTION_RESERVED:
        return reserved_is_zero(argc, argv, &zero, err);
    case OPTION_SET:
        return set_pair(s, value, argc, argv, err);
    case OPTION_VARIANT:
        return config_set(&s->config, OPTION(variant)->key, value, err);
    case OPTION_STIMULUS:
        return !setup_model_of(s)
                   ? setup_stimulus(s, value, err)
                   : err_set(err, "--stimulus %s: a model has tokens of its own", value);
    case OPTION_TOKENS:
        return set_tokens(s, value, err);
    case OPTION_TEXT:
        return setup_text(s, value, err);
    case OPTION_TEMPERATURE:
        return set_temperature(s, value, err);
    case OPTION_SEED:
        return set_seed(s, value, err);
    }
    return false;
}

int options_take(Setup *s, int argc, char **argv, int *i, Err *err)
{
    static const struct {
        const char *name;
        OptionKind kind;
    } options[] = {
        {"--preset", OPTION_PRESET},           {"--model", OPTION_BEGUN},
        {"--reserved", OPTION_RESERVED},       {"--set", OPTION_SET},
        {"--variant", OPTION_VARIANT},         {"--stimulus", OPTION_STIMULUS},
        {"--tokens", OPTION_TOKENS},           {"--text", OPTION_TEXT},
        {"--temperature", OPTION_TEMPERATURE}, {"--seed", OPTION_SEED},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (!cli_is(argv[*i], options[k].name))
            continue;
        const char *value = cli_value(argc, argv, i, err);
        return value && take(s, options[k].kind, value, argc, argv, err) ? 1 : -1;
    }
    return 0;
}

/* What tile files made of matrices. */
static void report_patches(const Setup *s)
{
    Buf line = {0};
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        buf_clear(&line);
        setup_report_patch(s, (WeightId)m, &line);
        if (line.len)
            cli_put(stderr, PRINTABLE_TEXT, "tokstep: %s", buf_str(&line));
    }
    buf_free(&line);
}

bool options_finish(Setup *s, Err *err)
{
    if (!setup_check(s, err))
        return false;
    const char *remark = config_warning(&s->config);
    if (remark)
        fprintf(stderr, "tokstep: warning: %s\n", remark);
    report_patches(s);
    return true;
}

void options_json_put(json_t *object, const Option *o, const Config *c)
{
    char text[OPTION_CHARS];
    option_text(o, c, text);
    json_object_set_new(object, o->key,
                        o->type == OPTION_NUMBER ? json_integer(option_get(o, c))
                                                 : json_string(text));
}

json_t *options_json(const Config *c)
{
    json_t *config = json_object();
    for (int k = 0; option_at(k); k++) {
        if (option_told(option_at(k), c))
            options_json_put(config, option_at(k), c);
    }
    json_object_set_new(config, "preset", json_string(c->preset));
    return config;
}
