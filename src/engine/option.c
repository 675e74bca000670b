/* The options of the machine: a row each. One more is a field of Config (and the enum of its
 * values), a row here, and the units that do what it says; the rest of the program reads the row.
 */
#include "engine/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "engine/fixed_point.h"

static const char *const variants[] = {"bridge", "stream", "array", NULL};
static const char *const mask_modes[] = {"value", "exclude", NULL};
static const char *const exps[] = {"executed", "intended", NULL};
static const char *const norms[] = {"layer", "rms", NULL};
static const char *const ffns[] = {"relu", "swiglu", NULL};

/* ---- rules between options ---- */

static bool d_model_fits(const Config *c, Err *err)
{
    return (c->d_model & (c->d_model - 1)) == 0 ||
           err_set(err, "d_model %d: must be %s", c->d_model, OPTION(d_model)->rule);
}

static bool n_heads_fits(const Config *c, Err *err)
{
    return c->d_model % c->n_heads == 0 ||
           err_set(err, "n_heads %d: must divide d_model %d", c->n_heads, c->d_model);
}

/* round(256 / sqrt(d_head)): the n with n^2 * d_head nearest to 65536, decided at n + 1/2. */
static int usual_score_scale(const Config *c)
{
    int n = 0;
    while ((2 * n + 1) * (2 * n + 1) * config_d_head(c) <= 4 * 65536)
        n++;
    return n;
}

/* ---- the list, in the order in which options are told and their rules are checked ---- */

/* clang-format off */
#define NUMBER(name, low, high) #name, OPTION_NUMBER, offsetof(Config, name), low, high
#define WORD(name, low, high)   #name, OPTION_WORD, offsetof(Config, name), low, high
#define MODE(name, list)        #name, OPTION_MODE, offsetof(Config, name), 0, \
                                (int)(sizeof (list) / sizeof *(list)) - 2, .names = (list)
static const Option options[] = {
    {NUMBER(d_model, 8, D_MODEL_MOST), .start = 64, .rule = "a power of two, 8..512",
     .fits = d_model_fits, .in_model = true, .has_dimension = true, .in_golden = true,
     .rtl = "DModel", .help = "a power of two, 8..512"},
    {NUMBER(n_heads, 1, D_MODEL_MOST), .start = 4, .rule = "a divisor of d_model",
     .fits = n_heads_fits, .in_model = true, .in_golden = true,
     .rtl = "NHeads", .title = "heads", .help = "a divisor of d_model"},
    {NUMBER(d_ff, 1, 2048), .start = 256, .rule = "1..2048",
     .in_model = true, .has_dimension = true, .in_golden = true,
     .rtl = "DFf", .help = "hidden units, 1..2048"},
    {NUMBER(max_seq_len, 1, 1024), .start = 128, .rule = "1..1024",
     .in_model = true, .has_dimension = true, .in_golden = true,
     .rtl = "MaxSeqLen", .title = "seq", .help = "positions, 1..1024"},
    {WORD(mask, -32768, 32767), .start = -32768,
     .rule = "0x0000..0xffff, an integer -32768..32767 or a value -128.0..127.996",
     .in_preset = true, .in_golden = true,
     .rtl = "Mask", .help = "what masked scores hold"},
    {MODE(mask_mode, mask_modes), .rule = "value or exclude",
     .in_preset = true, .in_golden = true,
     .rtl = "OptMaskExclude", .help = "what masked positions count"},
    {MODE(exp, exps), .rule = "executed or intended",
     .in_preset = true, .in_golden = true,
     .rtl = "OptExpIntended", .help = "approx_exp as it runs or as its comments read"},
    {WORD(score_scale, 0, 32767), .follows = usual_score_scale, .rule = "0x0000..0x7fff",
     .in_golden = true,
     .rtl = "ScoreScale", .help = "about 1/sqrt(d_head) unless set"},
    {NUMBER(pe_rows, 1, 16), .start = 4, .rule = "1..16",
     .rtl = "PeRows", .help = "of the array, 1..16"},
    {NUMBER(pe_cols, 1, 16), .start = 4, .rule = "1..16",
     .rtl = "PeCols", .help = "of the array, 1..16"},
    {MODE(variant, variants), .rule = "bridge, stream or array",
     .title = "", .help = "which machine"},
    {MODE(norm, norms), .rule = "layer or rms",
     .in_preset = true, .in_model = true, .in_golden = true, .beyond_deck = true, .quiet = true,
     .rtl = "OptNormRms", .help = "layer norm, or RMSNorm: no mean, no beta"},
    {MODE(ffn, ffns), .rule = "relu or swiglu",
     .in_preset = true, .in_model = true, .in_golden = true, .beyond_deck = true, .quiet = true,
     .rtl = "OptFfnSwiglu", .help = "ReLU, or silu(gate) * up, with a third matrix"},
};
/* clang-format on */
enum { OPTIONS = sizeof options / sizeof *options };
_Static_assert((int)OPTIONS <= (int)OPTION_MOST, "Config.given has a bit for each");
_Static_assert(sizeof variants / sizeof *variants == VARIANT_COUNT + 1, "a name for each");

const Option *option_at(int k)
{
    return k < OPTIONS ? &options[k] : NULL;
}

const Option *option_find(const char *key)
{
    for (int k = 0; k < OPTIONS; k++) {
        if (strcmp(options[k].key, key) == 0)
            return &options[k];
    }
    return NULL;
}

const Option *option_of(size_t field)
{
    int k = 0;
    while (options[k].field != field) /* every field that OPTION() can name has a row */
        k++;
    return &options[k];
}

/* ---- values ---- */

int option_get(const Option *o, const Config *c)
{
    const char *field = (const char *)c + o->field;
    switch (o->type) {
    case OPTION_NUMBER:
        return *(const int *)(const void *)field;
    case OPTION_WORD:
        return *(const int16_t *)(const void *)field;
    case OPTION_MODE:
        break;
    }
    return (int)*(const unsigned *)(const void *)field;
}

void option_put(const Option *o, Config *c, int raw)
{
    char *field = (char *)c + o->field;
    switch (o->type) {
    case OPTION_NUMBER:
        *(int *)(void *)field = raw;
        break;
    case OPTION_WORD:
        *(int16_t *)(void *)field = (int16_t)raw;
        break;
    case OPTION_MODE:
        *(unsigned *)(void *)field = (unsigned)raw;
        break;
    }
}

static uint32_t given_bit(const Option *o)
{
    return 1u << (o - options);
}

void option_mark_set(const Option *o, Config *c)
{
    c->given |= given_bit(o);
}

bool option_is_set(const Option *o, const Config *c)
{
    return !o->follows || (c->given & given_bit(o));
}

void option_copy(const Option *o, Config *to, const Config *from)
{
    option_put(o, to, option_get(o, from));
    to->given = (to->given & ~given_bit(o)) | (from->given & given_bit(o));
}

int option_default(const Option *o, const Config *c)
{
    return o->follows ? o->follows(c) : o->start;
}

bool option_told(const Option *o, const Config *c)
{
    return !o->quiet || option_get(o, c) != option_default(o, c);
}

void option_text(const Option *o, const Config *c, char out[OPTION_CHARS])
{
    int raw = option_get(o, c);
    if (o->type == OPTION_NUMBER)
        snprintf(out, OPTION_CHARS, "%d", raw);
    else if (o->type == OPTION_WORD)
        snprintf(out, OPTION_CHARS, "0x%04x", (unsigned)(uint16_t)raw);
    else
        snprintf(out, OPTION_CHARS, "%s", o->names[raw]);
}

/* ---- as people write them ---- */

/* A raw Q8.8 word: 0x... as it is, a value with a point or a fraction (-192/256) rounded to the
 * nearest word, else an integer. */
static bool parse_word(const char *text, int *out)
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
    return true;
}

static bool parse_number(const char *text, int *out)
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

static bool parse_mode(const Option *o, const char *text, int *out)
{
    for (*out = 0; o->names[*out]; (*out)++) {
        if (strcmp(o->names[*out], text) == 0)
            return true;
    }
    return false;
}

bool option_parse(const Option *o, const char *text, int *raw)
{
    bool is = o->type == OPTION_WORD     ? parse_word(text, raw)
              : o->type == OPTION_NUMBER ? parse_number(text, raw)
                                         : parse_mode(o, text, raw);
    return is && *raw >= o->low && *raw <= o->high;
}

/* ---- as the RTL has them ---- */

bool option_is_bit(const Option *o)
{
    return o->rtl && o->type == OPTION_MODE;
}

void option_rtl_declare(const Config *c, Buf *out)
{
    Buf bits = {0};
    for (const Option *o = options; o < options + OPTIONS; o++) {
        int raw = option_get(o, c);
        if (option_is_bit(o))
            buf_printf(&bits, " | 1'b%d << %s", raw != 0, o->rtl);
        else if (o->rtl && o->type == OPTION_NUMBER)
            buf_printf(out, "localparam int %s = %d;\n", o->rtl, raw);
        else if (o->rtl)
            buf_printf(out, "localparam logic [15:0] %s = 16'h%04x;\n", o->rtl,
                       (unsigned)(uint16_t)raw);
    }
    buf_printf(out, "localparam logic [OptBits-1:0] Options = 1'b0%s;\n", buf_str(&bits));
    buf_free(&bits);
}

bool option_rtl_value(const Config *c, const char *name, size_t len, int *value)
{
    for (const Option *o = options; o < options + OPTIONS; o++) {
        if (!o->rtl || option_is_bit(o) || strlen(o->rtl) != len || memcmp(o->rtl, name, len) != 0)
            continue;
        *value = option_get(o, c);
        return true;
    }
    return false;
}
