#include "engine/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "base/suggest.h"

#include "engine/fixed_point.h"

static const char *const variant_names[] = {"bridge", "stream", "array", NULL};
static const char *const mask_mode_names[] = {"value", "exclude", NULL};
static const char *const exp_names[] = {"executed", "intended", NULL};

/* One line per parameter: where it lives and what may stand there. */
typedef struct Param {
    const char *key;
    enum { PARAM_INT, PARAM_WORD, PARAM_NAME } kind;
    size_t offset;            /* in Config */
    int low, high;            /* inclusive, raw */
    const char *const *names; /* PARAM_NAME: the spellings, in the order of the enum */
    const char *rule;         /* for messages */
} Param;

#define AT(field) offsetof(Config, field)
static const Param params[] = {
    {"d_model", PARAM_INT, AT(d_model), 8, 512, NULL, "a power of two, 8..512"},
    {"n_heads", PARAM_INT, AT(n_heads), 1, 512, NULL, "a divisor of d_model"},
    {"d_ff", PARAM_INT, AT(d_ff), 1, 2048, NULL, "1..2048"},
    {"max_seq_len", PARAM_INT, AT(max_seq_len), 1, 1024, NULL, "1..1024"},
    {"mask", PARAM_WORD, AT(mask), -32768, 32767, NULL,
     "0x0000..0xffff, an integer -32768..32767 or a value -128.0..127.996"},
    {"mask_mode", PARAM_NAME, AT(mask_mode), 0, 1, mask_mode_names, "value or exclude"},
    {"exp", PARAM_NAME, AT(exp), 0, 1, exp_names, "executed or intended"},
    {"score_scale", PARAM_WORD, AT(score_scale), 0, 32767, NULL, "0x0000..0x7fff"},
    {"pe_rows", PARAM_INT, AT(pe_rows), 1, 16, NULL, "1..16"},
    {"pe_cols", PARAM_INT, AT(pe_cols), 1, 16, NULL, "1..16"},
    {"variant", PARAM_NAME, AT(variant), 0, VARIANT_COUNT - 1, variant_names,
     "bridge, stream or array"},
};
enum { PARAM_COUNT = sizeof params / sizeof *params };

const char *const config_keys[] = {"d_model", "n_heads",   "d_ff",    "max_seq_len",
                                   "mask",    "mask_mode", "exp",     "score_scale",
                                   "pe_rows", "pe_cols",   "variant", NULL};
const char *const config_presets[] = {"deck", "minus8", "repaired", NULL};

static const Param *param_find(const char *key)
{
    for (size_t i = 0; i < PARAM_COUNT; i++) {
        if (strcmp(params[i].key, key) == 0)
            return &params[i];
    }
    return NULL;
}

bool config_is_key(const char *key)
{
    return param_find(key) != NULL;
}

const char *config_variant_name(Variant v)
{
    return variant_names[v];
}

bool config_preset(Config *c, const char *name, Err *err)
{
    static const struct {
        uint16_t mask;
        MaskMode mode;
    } presets[] = {{0x8000, MASK_VALUE}, {0xf800, MASK_VALUE}, {0x8000, MASK_EXCLUDE}};
    for (size_t i = 0; config_presets[i]; i++) { /* in the same order */
        if (strcmp(config_presets[i], name) != 0)
            continue;
        *c = (Config){.d_model = 64,
                      .n_heads = 4,
                      .d_ff = 256,
                      .max_seq_len = 128,
                      .mask = (int16_t)presets[i].mask,
                      .mask_mode = presets[i].mode,
                      .score_scale = 0x0040,
                      .pe_rows = 4,
                      .pe_cols = 4,
                      .preset = config_presets[i]};
        return true;
    }
    char hint[SUGGEST_TEXT];
    return err_set(err, "preset %s: no such preset; %sthere are deck, minus8, repaired",
                   *name ? name : "''", suggest_from(name, config_presets, hint));
}

/* A raw Q8.8 word: 0x... as it is, a value with a point or a fraction (-192/256) rounded to the
 * nearest word, else an integer. */
static bool parse_word(const char *text, int low, int high, int *out)
{
    char *end = NULL;
    errno = 0;
    if (isspace((unsigned char)*text))
        return false;
    if (strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0) {
        unsigned long v = strtoul(text + 2, &end, 16);
        if (!isxdigit((unsigned char)text[2]) || *end || errno || v > 0xffff)
            return false;
        *out = (int16_t)v;
    } else if (strchr(text, '/')) {
        if (!fraction_parse(text, FRAC_BITS, out))
            return false;
    } else if (strchr(text, '.')) {
        double v = strtod(text, &end);
        double raw = v * 256.0;
        if (end == text || *end || !(raw > -40000.0 && raw < 40000.0))
            return false;
        double down = (double)(int)(raw + 65536.0) - 65536.0; /* floor, exact in this range */
        double rest = raw - down;
        int floor_raw = (int)down;
        *out = floor_raw + (rest > 0.5 || (rest == 0.5 && (floor_raw & 1)));
    } else {
        long v = strtol(text, &end, 10);
        if (end == text || *end || errno || v < -65536 || v > 65536)
            return false;
        *out = (int)v;
    }
    return *out >= low && *out <= high;
}

static bool parse_int(const char *text, int *out)
{
    char *end = NULL;
    errno = 0;
    bool hex = strncmp(text, "0x", 2) == 0;
    if (!isdigit((unsigned char)text[0]) && text[0] != '-')
        return false;
    long v = strtol(text, &end, hex ? 16 : 10);
    if (end == text || *end || errno || v < -1000000 || v > 1000000)
        return false;
    *out = (int)v;
    return true;
}

static bool no_parameter(const char *key, Err *err)
{
    char hint[SUGGEST_TEXT];
    return err_set(err,
                   "%s: no such parameter; %sthere are d_model n_heads d_ff max_seq_len mask "
                   "mask_mode exp score_scale pe_rows pe_cols variant",
                   *key ? key : "''", suggest_from(key, config_keys, hint));
}

bool config_set(Config *c, const char *key, const char *value, Err *err)
{
    const Param *p = param_find(key);
    if (!p)
        return no_parameter(key, err);
    char *field = (char *)c + p->offset;
    int v = -1;
    switch (p->kind) {
    case PARAM_WORD:
        if (!parse_word(value, p->low, p->high, &v))
            break;
        *(int16_t *)(void *)field = (int16_t)v;
        c->score_scale_set |= p->offset == AT(score_scale);
        return true;
    case PARAM_INT:
        if (!parse_int(value, &v) || v < p->low || v > p->high)
            break;
        *(int *)(void *)field = v;
        return true;
    case PARAM_NAME:
        for (v = 0; p->names[v] && strcmp(p->names[v], value) != 0; v++)
            continue;
        if (!p->names[v])
            break;
        *(unsigned *)(void *)field = (unsigned)v;
        return true;
    }
    return err_set(err, "%s %s: must be %s", key, *value ? value : "''", p->rule);
}

/* round(256 / sqrt(d_head)): the n with n^2 * d_head nearest to 65536, decided at n + 1/2. */
static int16_t default_score_scale(int d_head)
{
    int n = 0;
    while ((2 * n + 1) * (2 * n + 1) * d_head <= 4 * 65536)
        n++;
    return (int16_t)n;
}

/* Sizes that did not come through config_set are those of a file. */
static bool check_ranges(const Config *c, Err *err)
{
    for (size_t i = 0; i < PARAM_COUNT; i++) {
        const Param *p = &params[i];
        if (p->kind != PARAM_INT)
            continue;
        int v = *(const int *)(const void *)((const char *)c + p->offset);
        if (v < p->low || v > p->high)
            return err_set(err, "%s %d: must be %s", p->key, v, p->rule);
    }
    return true;
}

bool config_check(Config *c, Err *err)
{
    if (!check_ranges(c, err))
        return false;
    if ((c->d_model & (c->d_model - 1)) != 0)
        return err_set(err, "d_model %d: must be a power of two, 8..512", c->d_model);
    if (c->d_model % c->n_heads != 0)
        return err_set(err, "n_heads %d: must divide d_model %d", c->n_heads, c->d_model);
    if (!c->score_scale_set)
        c->score_scale = default_score_scale(config_d_head(c));
    return true;
}

const char *config_warning(const Config *c)
{
    if (c->max_seq_len < 256)
        return NULL;
    return "max_seq_len from 256 up: the softmax sum may exceed 16 bits; reciprocal sees it mod "
           "65536";
}

void config_text(const Config *c, const char *key, char *out, size_t size)
{
    const Param *p = param_find(key);
    const char *field = p ? (const char *)c + p->offset : NULL;
    if (!p)
        snprintf(out, size, "?");
    else if (p->kind == PARAM_INT)
        snprintf(out, size, "%d", *(const int *)(const void *)field);
    else if (p->kind == PARAM_WORD)
        snprintf(out, size, "0x%04x", (unsigned)*(const uint16_t *)(const void *)field);
    else
        snprintf(out, size, "%s", p->names[*(const unsigned *)(const void *)field]);
}
