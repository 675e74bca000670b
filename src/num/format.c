#include "num/format.h"

#include <math.h>
#include <string.h>

#define IEEE_LIKE(EXP, MAN, BIAS)                                                                  \
    .kind = FORMAT_FLOAT, .bits = 1 + (EXP) + (MAN), .exp_bits = (EXP), .man_bits = (MAN),         \
    .bias = (BIAS), .is_signed = true
#define FIXED(BITS, FRACTION)                                                                      \
    .kind = FORMAT_FIXED, .bits = (BITS), .man_bits = (FRACTION), .is_signed = true

const Format format_table[] = {
    {.name = "q8.8",
     .summary = "the machine's word: two's complement, 8 fraction bits",
     FIXED(16, 8)},
    {.name = "int8", .summary = "two's complement", FIXED(8, 0)},
    {.name = "mxint8", .summary = "two's complement, 6 fraction bits (OCP MX)", FIXED(8, 6)},
    {.name = "fp16",
     .summary = "IEEE binary16",
     IEEE_LIKE(5, 10, 15),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x7e00},
    {.name = "bf16",
     .summary = "the upper half of an fp32",
     IEEE_LIKE(8, 7, 127),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x7fc0},
    {.name = "tf32",
     .summary = "the upper 19 bits of an fp32",
     IEEE_LIKE(8, 10, 127),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x3fe00},
    {.name = "fp32",
     .summary = "IEEE binary32",
     IEEE_LIKE(8, 23, 127),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x7fc00000},
    {.name = "e4m3",
     .summary = "OCP FP8, no inf, one nan of each sign",
     IEEE_LIKE(4, 3, 7),
     .nan_rule = NAN_ALL_ONES,
     .nan_code = 0x7f},
    {.name = "e5m2",
     .summary = "OCP FP8, IEEE-like",
     IEEE_LIKE(5, 2, 15),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x7e},
    {.name = "e3m2", .summary = "OCP MX FP6, no inf or nan", IEEE_LIKE(3, 2, 3), .nan_code = 0x1f},
    {.name = "e2m3", .summary = "OCP MX FP6, no inf or nan", IEEE_LIKE(2, 3, 1), .nan_code = 0x1f},
    {.name = "e2m1", .summary = "OCP MX FP4, no inf or nan", IEEE_LIKE(2, 1, 1), .nan_code = 0x7},
    {.name = "e8m0",
     .summary = "OCP MX scale: powers of two, no sign, no zero",
     .kind = FORMAT_FLOAT,
     .bits = 8,
     .exp_bits = 8,
     .bias = 127,
     .no_zero = true,
     .nan_rule = NAN_ALL_ONES,
     .nan_code = 0xff},
    {.name = "ue4m3",
     .summary = "NVFP4 scale: e4m3 without its sign",
     .kind = FORMAT_FLOAT,
     .bits = 7,
     .exp_bits = 4,
     .man_bits = 3,
     .bias = 7,
     .nan_rule = NAN_ALL_ONES,
     .nan_code = 0x7f},
    {.name = "e4m3fnuz",
     .summary = "FP8 of AMD MI300 and Graphcore: nan where -0 would be",
     IEEE_LIKE(4, 3, 8),
     .nan_rule = NAN_NEGATIVE_ZERO,
     .nan_code = 0x80},
    {.name = "e5m2fnuz",
     .summary = "FP8 of AMD MI300 and Graphcore: nan where -0 would be",
     IEEE_LIKE(5, 2, 16),
     .nan_rule = NAN_NEGATIVE_ZERO,
     .nan_code = 0x80},
    {.name = "e4m3ieee",
     .summary = "IEEE-like FP8 (ml_dtypes float8_e4m3)",
     IEEE_LIKE(4, 3, 7),
     .nan_rule = NAN_IEEE,
     .nan_code = 0x7c},
    {0},
};
_Static_assert(sizeof format_table / sizeof *format_table == FORMAT_COUNT + 1,
               "FORMAT_COUNT (format.h) is the number of rows");

const Format format_ternary = {.name = "ternary",
                               .summary = "the codes of t2: -1, 0, +1",
                               .kind = FORMAT_TERNARY,
                               .bits = 2,
                               .is_signed = true,
                               .nan_code = 1};

const Format *format_find(const char *name)
{
    for (const Format *f = format_table; f->name; f++) {
        if (strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

const char *format_hint(const char *name, char out[SUGGEST_TEXT])
{
    Suggest s;
    suggest_begin(&s, name, strlen(name));
    for (const Format *f = format_table; f->name; f++)
        suggest_offer(&s, f->name);
    return suggest_text(&s, out);
}

static uint32_t low_bits(unsigned n)
{
    return (uint32_t)((UINT64_C(1) << n) - 1);
}

static uint32_t sign_bit(const Format *f)
{
    return f->is_signed ? UINT32_C(1) << (f->bits - 1) : 0;
}

uint32_t format_max_code(const Format *f)
{
    if (f->kind == FORMAT_TERNARY)
        return 2;
    uint32_t all_ones = low_bits(f->bits - (f->is_signed ? 1U : 0U));
    switch (f->nan_rule) {
    case NAN_IEEE:
        return all_ones - low_bits(f->man_bits) - 1;
    case NAN_ALL_ONES:
        return all_ones - 1;
    case NAN_NONE:
    case NAN_NEGATIVE_ZERO:
        break;
    }
    return all_ones;
}

bool format_inf_code(const Format *f, uint32_t *code)
{
    *code = format_max_code(f) + 1;
    return f->nan_rule == NAN_IEEE;
}

static int32_t fixed_integer(const Format *f, uint32_t code)
{
    if (f->kind == FORMAT_TERNARY)
        return code == 3 ? 0 : (int32_t)code - 1;
    return (int32_t)(code & ~sign_bit(f)) - (int32_t)(code & sign_bit(f));
}

static bool is_nan(const Format *f, uint32_t code)
{
    if (f->nan_rule == NAN_NEGATIVE_ZERO)
        return code == sign_bit(f);
    uint32_t inf;
    bool has_inf = format_inf_code(f, &inf);
    return f->nan_rule != NAN_NONE && (code & ~sign_bit(f)) >= inf + has_inf;
}

/* A finite code as +-sig * 2^exp. */
typedef struct Binary {
    bool negative;
    uint32_t sig;
    int32_t exp;
} Binary;

static Binary binary_of(const Format *f, uint32_t code)
{
    if (f->kind != FORMAT_FLOAT) {
        int32_t n = fixed_integer(f, code);
        return (Binary){n < 0, (uint32_t)(n < 0 ? -n : n), -f->man_bits};
    }
    Fields at = format_fields(f, code);
    bool normal = at.exp != 0 || f->no_zero;
    return (Binary){at.sign != 0, at.man | (normal ? UINT32_C(1) << f->man_bits : 0),
                    (int32_t)(normal ? at.exp : 1) - f->bias - f->man_bits};
}

void format_value(const Format *f, uint32_t code, Value *v)
{
    CodeClass c = format_class(f, code);
    Binary b = binary_of(f, code);
    if (c == CLASS_NAN)
        value_set_special(v, VALUE_NAN, b.negative);
    else if (c == CLASS_INF)
        value_set_special(v, VALUE_INF, b.negative);
    else
        value_set_binary(v, b.negative, b.sig, b.exp);
}

double format_to_double(const Format *f, uint32_t code)
{
    CodeClass c = format_class(f, code);
    Binary b = binary_of(f, code);
    double x = c == CLASS_NAN   ? (double)NAN
               : c == CLASS_INF ? (double)INFINITY
                                : ldexp((double)b.sig, b.exp);
    return b.negative && c != CLASS_NAN ? -x : x;
}

CodeClass format_class(const Format *f, uint32_t code)
{
    if (is_nan(f, code))
        return CLASS_NAN;
    if (f->kind != FORMAT_FLOAT) {
        int32_t n = fixed_integer(f, code), max = fixed_integer(f, format_max_code(f));
        return n == 0                                              ? CLASS_ZERO
               : n >= max || n <= -max - (f->kind == FORMAT_FIXED) ? CLASS_MAX
                                                                   : CLASS_NORMAL;
    }
    uint32_t magnitude = code & ~sign_bit(f), max = format_max_code(f);
    if (magnitude > max)
        return CLASS_INF;
    if (magnitude == max)
        return CLASS_MAX;
    if (magnitude >> f->man_bits != 0 || f->no_zero)
        return CLASS_NORMAL;
    return magnitude ? CLASS_SUBNORMAL : CLASS_ZERO;
}

const char *class_name(CodeClass c)
{
    static const char *const names[] = {"zero", "subnormal", "normal", "max", "inf", "nan"};
    return names[c];
}

Fields format_fields(const Format *f, uint32_t code)
{
    Fields at = {.sign_bits = f->kind == FORMAT_FLOAT && f->is_signed, .man_bits = f->man_bits};
    at.exp_bits = (uint8_t)(f->bits - at.sign_bits - at.man_bits);
    at.man = code & low_bits(at.man_bits);
    at.exp = code >> at.man_bits & low_bits(at.exp_bits);
    at.sign = (code & sign_bit(f)) != 0 && at.sign_bits;
    return at;
}

static void print_bits(Buf *b, uint32_t bits, int width)
{
    for (int i = width; i-- > 0;)
        buf_text(b, bits >> i & 1 ? "1" : "0");
}

void format_print_fields(Buf *b, const Format *f, uint32_t code)
{
    Fields at = format_fields(f, code);
    if (at.sign_bits) {
        print_bits(b, at.sign, 1);
        buf_text(b, " ");
    }
    print_bits(b, at.exp, at.exp_bits);
    if (at.man_bits)
        buf_text(b, f->kind == FORMAT_FLOAT ? " " : ".");
    print_bits(b, at.man, at.man_bits);
}

void format_print_code(Buf *b, const Format *f, uint32_t code)
{
    buf_printf(b, "%0*x", format_digits(f), (unsigned)code);
}

bool format_rank(const Format *f, uint32_t code, int64_t *rank)
{
    if (is_nan(f, code))
        return false;
    if (f->kind != FORMAT_FLOAT) {
        *rank = fixed_integer(f, code);
        return true;
    }
    int64_t magnitude = code & ~sign_bit(f);
    *rank = code & sign_bit(f) ? -magnitude : magnitude;
    return true;
}

bool format_at_rank(const Format *f, int64_t rank, uint32_t *code)
{
    if (f->kind == FORMAT_TERNARY) {
        *code = (uint32_t)(rank + 1);
        return rank >= -1 && rank <= 1;
    }
    int64_t max = format_max_code(f);
    if (f->kind == FORMAT_FIXED) {
        *code = (uint32_t)rank & low_bits(f->bits);
        return rank <= max && rank >= -max - 1;
    }
    if (f->nan_rule == NAN_IEEE)
        max++;
    *code = rank < 0 ? (uint32_t)-rank | sign_bit(f) : (uint32_t)rank;
    return rank <= max && rank >= (f->is_signed ? -max : 0);
}

bool format_step(const Format *f, uint32_t code, int step, uint32_t *next)
{
    int64_t rank;
    return format_rank(f, code, &rank) && format_at_rank(f, rank + step, next);
}

bool format_ulp(const Format *f, uint32_t code, Value *ulp)
{
    CodeClass c = format_class(f, code);
    if (c == CLASS_INF || c == CLASS_NAN)
        return false;
    value_set_binary(ulp, false, 1, binary_of(f, code).exp);
    return true;
}
