/* A machine's parameters as a whole: presets, the rules together, equality. What one option is
 * stands in option.c. */
#include "engine/config.h"

#include <string.h>

#include "base/suggest.h"
#include "engine/option.h"

/* ---- presets: what they set besides the options' start values ---- */

static void preset_deck(Config *c)
{
    (void)c; /* the start values are its own */
}
static void preset_minus8(Config *c)
{
    c->mask = (int16_t)0xf800;
}
static void preset_repaired(Config *c)
{
    c->mask_mode = MASK_EXCLUDE;
}

const char *const config_presets[] = {"deck", "minus8", "repaired", NULL};
static void (*const preset_set[])(Config *) = {preset_deck, preset_minus8, preset_repaired};
_Static_assert(sizeof preset_set / sizeof *preset_set + 1 ==
                   sizeof config_presets / sizeof *config_presets,
               "in the same order");

bool config_preset(Config *c, const char *name, Err *err)
{
    Buf names = {0};
    char hint[SUGGEST_TEXT];
    for (int i = 0; config_presets[i]; i++) {
        if (strcmp(config_presets[i], name) != 0)
            continue;
        *c = (Config){.preset = config_presets[i]};
        for (int k = 0; option_at(k); k++)
            option_put(option_at(k), c, option_at(k)->start);
        preset_set[i](c);
        return config_check(c, err);
    }
    for (int i = 0; config_presets[i]; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", config_presets[i]);
    err_set(err, "preset %s: no such preset; %sthere are %s", *name ? name : "''",
            suggest_from(name, config_presets, hint), buf_str(&names));
    buf_free(&names);
    return false;
}

/* ---- one parameter ---- */

static bool no_parameter(const char *key, Err *err)
{
    const char *keys[OPTION_MOST + 1] = {NULL};
    char hint[SUGGEST_TEXT];
    Buf list = {0};
    for (int k = 0; option_at(k); k++) {
        keys[k] = option_at(k)->key;
        buf_printf(&list, " %s", keys[k]);
    }
    err_set(err, "%s: no such parameter; %sthere are%s", *key ? key : "''",
            suggest_from(key, keys, hint), buf_str(&list));
    buf_free(&list);
    return false;
}

bool config_set(Config *c, const char *key, const char *value, Err *err)
{
    const Option *o = option_find(key);
    int raw = 0;
    if (!o)
        return no_parameter(key, err);
    if (!option_parse(o, value, &raw))
        return err_set(err, "%s %s: must be %s", key, *value ? value : "''", o->rule);
    option_put(o, c, raw);
    option_mark_set(o, c);
    return true;
}

/* ---- all of them ---- */

/* Sizes that did not come through config_set are those of a file. */
static bool check_ranges(const Config *c, Err *err)
{
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        int v = option_get(o, c);
        if (o->type == OPTION_NUMBER && (v < o->low || v > o->high))
            return err_set(err, "%s %d: must be %s", o->key, v, o->rule);
    }
    return true;
}

bool config_check(Config *c, Err *err)
{
    if (!check_ranges(c, err))
        return false;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        if (!option_is_set(o, c)) /* of those further up, which keep their rules */
            option_put(o, c, option_default(o, c));
        if (o->fits && !o->fits(c, err))
            return false;
    }
    return true;
}

bool config_equal(const Config *a, const Config *b)
{
    for (int k = 0; option_at(k); k++) {
        if (option_get(option_at(k), a) != option_get(option_at(k), b))
            return false;
    }
    return true;
}

const char *config_warning(const Config *c)
{
    if (c->max_seq_len < 256)
        return NULL;
    return "max_seq_len from 256 up: the softmax sum may exceed 16 bits; reciprocal sees it mod "
           "65536";
}

const char *config_variant_name(Variant v)
{
    return OPTION(variant)->names[v];
}
