#ifndef ENGINE_CONFIG_H
#define ENGINE_CONFIG_H
/* The parameters of the machine (decoder.md section 2): names, defaults, rules, presets. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef enum { VARIANT_BRIDGE, VARIANT_STREAM, VARIANT_ARRAY, VARIANT_COUNT } Variant;
typedef enum { MASK_VALUE, MASK_EXCLUDE } MaskMode;
typedef enum { EXP_EXECUTED, EXP_INTENDED } ExpMode;

typedef struct Config {
    int d_model;          /* D: a power of two, 8..512 */
    int n_heads;          /* H: divides D */
    int d_ff;             /* F: 1..2048 */
    int max_seq_len;      /* S: 1..1024 */
    int16_t mask;         /* raw Q8.8 that masked scores hold */
    MaskMode mask_mode;   /* value | exclude */
    ExpMode exp;          /* executed | intended */
    int16_t score_scale;  /* raw Q8.8, 0..0x7fff; follows n_heads unless score_scale_set */
    bool score_scale_set; /* given by the user */
    int pe_rows, pe_cols; /* R, C of the systolic array: 1..16 */
    Variant variant;      /* which machine */
    const char *preset;   /* the preset it started from: static text */
} Config;

/* Preset "deck", "minus8" or "repaired"; false with err naming those three otherwise. */
bool config_preset(Config *c, const char *name, Err *err);
/* Set one parameter from text. Values: 0x... is a raw word, a number with a point or A/B a Q8.8
 * value, any other integer an integer (cli.md "run"). The combination is checked by config_check,
 * so that options may come in any order. */
bool config_set(Config *c, const char *key, const char *value, Err *err);
/* Is it one of the parameters that config_set knows? */
bool config_is_key(const char *key);
/* Do all parameters keep their rules together? Fills in score_scale. The message names the
 * parameter, the value and the rule. */
bool config_check(Config *c, Err *err);
/* A remark on a legal but suspicious configuration (max_seq_len from 256 up), or NULL. */
const char *config_warning(const Config *c);

static inline int config_d_head(const Config *c)
{
    return c->d_model / c->n_heads;
}
static inline int config_log2_d(const Config *c)
{
    return __builtin_ctz((unsigned)c->d_model);
}
const char *config_variant_name(Variant v);

/* The parameter names in the order of decoder.md section 2, ends with NULL (completion, --help). */
extern const char *const config_keys[];
/* The names of the presets, ends with NULL. */
extern const char *const config_presets[];
/* Print parameter `key` as text ("64", "0x8000", "exclude") into out. */
void config_text(const Config *c, const char *key, char *out, size_t size);

#endif
