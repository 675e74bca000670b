#ifndef NUM_FORMAT_H
#define NUM_FORMAT_H
/* The number formats: one table entry each, everything else is generic over it (formats.md 1.1).
 * A code is the stored bits, right-aligned in a uint32_t; every function here expects one that fits
 * the format (format_fits). Rounding into a format is encode.h. */
#include "base/buf.h"
#include "base/suggest.h"
#include "num/value.h"

typedef enum FormatKind {
    FORMAT_FLOAT,  /* [sign] exponent mantissa */
    FORMAT_FIXED,  /* two's complement times 2^-man_bits */
    FORMAT_TERNARY /* 0 -1, 1 0, 2 +1, 3 reserved and 0: the codes of t2 */
} FormatKind;

typedef enum NanRule {
    NAN_NONE,         /* no nan, no inf: conversions always clamp if it is a float */
    NAN_IEEE,         /* top exponent: mantissa 0 is inf, the others are nan */
    NAN_ALL_ONES,     /* exponent and mantissa all ones; no inf */
    NAN_NEGATIVE_ZERO /* where -0 would be; no inf (the FNUZ formats) */
} NanRule;

typedef struct Format {
    const char *name;
    const char *summary; /* one line for people */
    FormatKind kind;
    uint8_t bits; /* of the whole code */
    uint8_t exp_bits;
    uint8_t man_bits; /* FORMAT_FIXED: bits behind the point */
    uint8_t bias;
    bool is_signed;
    bool no_zero; /* exponent 0 is a power of two like the others (e8m0) */
    NanRule nan_rule;
    uint32_t nan_code; /* what a nan is stored as; without nans: what stands in for it */
} Format;

/* Every scalar format, in the order of formats.md 1.1, then a NULL name. */
enum { FORMAT_COUNT = 17 };
extern const Format format_table[];          /* format.c checks the count */
extern const Format format_ternary;          /* the element of t2; not in the table */
const Format *format_find(const char *name); /* NULL when there is none */
/* "did you mean e4m3? " of a name that is none (base/suggest.h). */
const char *format_hint(const char *name, char out[SUGGEST_TEXT]);

static inline bool format_fits(const Format *f, uint32_t code)
{
    return f->bits >= 32 || code >> f->bits == 0;
}

/* Hex digits of a code. */
static inline int format_digits(const Format *f)
{
    return (f->bits + 3) / 4;
}

/* The largest finite code; as magnitude bits, without a sign, for floats. */
uint32_t format_max_code(const Format *f);
/* The infinity without a sign; false if the format has none. */
bool format_inf_code(const Format *f, uint32_t *code);

/* What the code stands for: v is set to it, exactly. */
void format_value(const Format *f, uint32_t code, Value *v);
/* The same as a double, which holds every value of every format here exactly. */
double format_to_double(const Format *f, uint32_t code);

typedef enum CodeClass {
    CLASS_ZERO,
    CLASS_SUBNORMAL,
    CLASS_NORMAL,
    CLASS_MAX, /* the largest finite magnitude of its sign */
    CLASS_INF,
    CLASS_NAN
} CodeClass;
CodeClass format_class(const Format *f, uint32_t code);
const char *class_name(CodeClass c); /* "zero" ... "nan" */

/* A code cut into fields; widths may be 0. Fixed point: exponent = integer bits with the sign bit,
 * mantissa = fraction bits. */
typedef struct Fields {
    uint8_t sign_bits, exp_bits, man_bits;
    uint32_t sign, exp, man;
} Fields;
Fields format_fields(const Format *f, uint32_t code);
/* Append the bits by field: "0 1111 110", fixed point "00000000.10010111". */
void format_print_fields(Buf *b, const Format *f, uint32_t code);
/* Append the code in hex, padded to format_digits. */
void format_print_code(Buf *b, const Format *f, uint32_t code);

/* The place of a code among the values of its format: +-0 at 0, the next larger value one higher,
 * inf behind the maximum. False for nan. */
bool format_rank(const Format *f, uint32_t code, int64_t *rank);
/* The code of a rank; false when the format ends before it. */
bool format_at_rank(const Format *f, int64_t rank, uint32_t *code);
/* The next larger (step 1) or smaller (step -1) value, which may be inf; false at the end. */
bool format_step(const Format *f, uint32_t code, int step, uint32_t *next);

/* The distance to the next value away from zero (at the maximum: from the last one, as if the
 * grid went on). False for inf and nan. */
bool format_ulp(const Format *f, uint32_t code, Value *ulp);

#endif
