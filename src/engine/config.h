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
typedef enum { NORM_LAYER, NORM_RMS } NormKind;
typedef enum { FFN_KIND_RELU, FFN_KIND_SWIGLU } FeedForwardKind;

enum { D_MODEL_MOST = 512 };

/* The options of the list in option.c, a field each, and what is no option. */
typedef struct Config {
    int d_model;          /* D: a power of two, 8..512 */
    int n_heads;          /* H: divides D */
    int d_ff;             /* F: 1..2048 */
    int max_seq_len;      /* S: 1..1024 */
    int16_t mask;         /* raw Q8.8 that masked scores hold */
    MaskMode mask_mode;   /* value | exclude */
    ExpMode exp;          /* executed | intended */
    int16_t score_scale;  /* raw Q8.8, 0..0x7fff; follows n_heads unless set */
    int pe_rows, pe_cols; /* R, C of the systolic array: 1..16 */
    Variant variant;      /* which machine */
    NormKind norm;        /* layer | rms: what ln1 and ln2 are */
    FeedForwardKind ffn;  /* relu | swiglu: one linear layer clamped, or two multiplied */
    uint32_t given;       /* a bit per row of the list: config_set has set it */
    const char *preset;   /* the preset it started from: static text */
} Config;

/* A whole machine from a preset of config_presets; false with err naming them otherwise. */
bool config_preset(Config *c, const char *name, Err *err);
/* Set one parameter from text. Values: 0x... is a raw word, a number with a point or A/B a Q8.8
 * value, any other integer an integer (cli.md "run"). The combination is checked by config_check,
 * so that options may come in any order. */
bool config_set(Config *c, const char *key, const char *value, Err *err);
/* Do all parameters keep their rules together? Fills in those that follow others. The message names
 * the parameter, the value and the rule. */
bool config_check(Config *c, Err *err);
/* Is every option the same? The name of the preset does not count. */
bool config_equal(const Config *a, const Config *b);
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

/* The names of the presets, ends with NULL. */
extern const char *const config_presets[];

#endif
