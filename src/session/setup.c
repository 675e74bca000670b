#include "session/setup.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void setup_init(Setup *s)
{
    *s = (Setup){.stimulus = STIMULUS_INTEGRATION, .amp = 64, .tamp = 256};
    config_preset(&s->config, "deck", NULL);
}

/* One unsigned decimal of text up to `:` or the end; *rest is what follows the colon, or NULL. */
static bool take_number(const char *text, unsigned long max, unsigned long *out, const char **rest)
{
    char *end = NULL;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *out = strtoul(text, &end, 10);
    if (errno || *out > max || (*end != ':' && *end != '\0'))
        return false;
    *rest = *end == ':' ? end + 1 : NULL;
    return true;
}

bool setup_stimulus(Setup *s, const char *text, Err *err)
{
    static const char random_word[] = "random:";
    if (strcmp(text, "integration") == 0) {
        s->stimulus = STIMULUS_INTEGRATION;
        return true;
    }
    unsigned long seed = 0, amp = 64, tamp = 256;
    const char *rest = text + sizeof random_word - 1;
    bool ok = strncmp(text, random_word, sizeof random_word - 1) == 0;
    ok = ok && take_number(rest, UINT32_MAX, &seed, &rest);
    ok = ok && (!rest || take_number(rest, 32767, &amp, &rest));
    ok = ok && (!rest || take_number(rest, 32767, &tamp, &rest));
    if (!ok || rest)
        return err_set(err,
                       "stimulus %s: must be integration or random:SEED[:AMP[:TAMP]] (seed "
                       "0..4294967295, amplitudes 0..32767)",
                       text);
    s->stimulus = STIMULUS_RANDOM;
    s->seed = (uint32_t)seed;
    s->amp = (int)amp;
    s->tamp = (int)tamp;
    return true;
}

bool setup_check(Setup *s, Err *err)
{
    if (!config_check(&s->config, err))
        return false;
    if (s->tokens > s->config.max_seq_len)
        return err_set(err, "tokens %d: at most max_seq_len %d", s->tokens, s->config.max_seq_len);
    return true;
}

int setup_token_count(const Setup *s)
{
    return s->tokens > 0 ? s->tokens : s->config.max_seq_len;
}
