#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const char options_help[] =
    "  --preset NAME        deck (default), minus8 or repaired\n"
    "  --set KEY=VALUE      d_model n_heads d_ff max_seq_len mask mask_mode exp score_scale\n"
    "                       pe_rows pe_cols variant; 0x.. raw word, with a point a value\n"
    "  --variant V          the same as --set variant=V\n"
    "  --stimulus S         integration (default) or random:SEED[:AMP[:TAMP]]\n"
    "  --tokens N           how many tokens the host presents\n";

static bool set_pair(Setup *s, const char *pair, Err *err)
{
    char key[32];
    const char *eq = strchr(pair, '=');
    if (!eq || (size_t)(eq - pair) >= sizeof key)
        return err_set(err, "--set %s: must be KEY=VALUE", pair);
    memcpy(key, pair, (size_t)(eq - pair));
    key[eq - pair] = '\0';
    return config_set(&s->config, key, eq + 1, err);
}

bool options_begin(Setup *s, int argc, char **argv, Err *err)
{
    setup_init(s);
    for (int i = 1; i < argc; i++) {
        if (!cli_is(argv[i], "--preset"))
            continue;
        const char *name = cli_value(argc, argv, &i, err);
        if (!name || !config_preset(&s->config, name, err))
            return false;
    }
    return true;
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

int options_take(Setup *s, int argc, char **argv, int *i, Err *err)
{
    static const char *const names[] = {"--preset", "--set", "--variant", "--stimulus", "--tokens"};
    size_t which = 0;
    while (which < 5 && !cli_is(argv[*i], names[which]))
        which++;
    if (which == 5)
        return 0;
    const char *value = cli_value(argc, argv, i, err);
    if (!value)
        return -1;
    bool ok = false;
    switch (which) {
    case 0: /* options_begin has taken it */
        ok = true;
        break;
    case 1:
        ok = set_pair(s, value, err);
        break;
    case 2:
        ok = config_set(&s->config, "variant", value, err);
        break;
    case 3:
        ok = setup_stimulus(s, value, err);
        break;
    default:
        ok = set_tokens(s, value, err);
        break;
    }
    return ok ? 1 : -1;
}

bool options_finish(Setup *s, Err *err)
{
    if (!setup_check(s, err))
        return false;
    const char *remark = config_warning(&s->config);
    if (remark)
        fprintf(stderr, "tokstep: warning: %s\n", remark);
    return true;
}

json_t *options_json(const Config *c)
{
    json_t *config = json_object();
    char text[32];
    for (int i = 0; config_keys[i]; i++) {
        config_text(c, config_keys[i], text, sizeof text);
        json_object_set_new(config, config_keys[i], json_string(text));
    }
    json_object_set_new(config, "preset", json_string(c->preset));
    return config;
}
