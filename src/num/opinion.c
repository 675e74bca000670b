#include "num/opinion.h"

#include <string.h>

typedef enum When { WHEN_NUMBER, WHEN_NAN, WHEN_NEGATIVE_NAN, WHEN_MINUS_ZERO, WHEN_INF } When;
typedef enum Answer {
    ANSWER_ROUNDS,    /* rounds its own way: mode and overflow */
    ANSWER_MODE,      /* a mode, no tool: under the overflow policy of the one who asks */
    ANSWER_STORES,    /* stores a fixed code */
    ANSWER_EVEN_CODE, /* e8m0 with ties to the even code */
    ANSWER_REFUSES
} Answer;

typedef struct Fact {
    const char *formats; /* names between blanks; NULL: every float that is narrower than fp32 */
    When when;
    const char *tool;
    Answer answer;
    RoundMode mode;
    Overflow overflow;
    uint32_t code;
} Fact;

#define ROUNDS(MODE, OVERFLOW) ANSWER_ROUNDS, ROUND_##MODE, OVERFLOW_##OVERFLOW, 0
#define MODE(MODE)             ANSWER_MODE, ROUND_##MODE, OVERFLOW_SATURATE, 0
#define STORES(CODE)           ANSWER_STORES, ROUND_NE, OVERFLOW_SATURATE, CODE
#define REFUSES                ANSWER_REFUSES, ROUND_NE, OVERFLOW_SATURATE, 0
#define EVEN_CODE              ANSWER_EVEN_CODE, ROUND_NE, OVERFLOW_SATURATE, 0

static const Fact facts[] = {
    /* finite values and zeros */
    {NULL, WHEN_NUMBER, "round half away", MODE(AWAY)},
    {" q8.8 int8 mxint8 ", WHEN_NUMBER, "round half away (C roundf)", MODE(AWAY)},
    {" bf16 ", WHEN_NUMBER, "truncation (tt-metal#27171)", ROUNDS(TZ, SATURATE)},
    {" tf32 ", WHEN_NUMBER, "PTX cvt.rna, CUTLASS", ROUNDS(AWAY, IEEE)},
    {" tf32 ", WHEN_NUMBER, "raw fp32 bits (13 dropped)", ROUNDS(TZ, IEEE)},
    {" tf32 ", WHEN_NUMBER, "AMD CK", ROUNDS(NE, IEEE)},
    {" fp16 bf16 ", WHEN_NUMBER, "IEEE 754 conversion", ROUNDS(NE, IEEE)},
    {" e4m3 e5m2 ", WHEN_NUMBER, "CUDA constructors; ONNX saturate=1", ROUNDS(NE, SATURATE)},
    {" e4m3 ", WHEN_NUMBER, "PyTorch from 2.13", ROUNDS(NE, SATURATE)},
    {" e4m3 e5m2 ", WHEN_NUMBER, "ml_dtypes; ONNX saturate=0", ROUNDS(NE, IEEE)},
    {" e4m3 ", WHEN_NUMBER, "PyTorch before 2.13", ROUNDS(NE, IEEE)},
    {" e5m2 ", WHEN_NUMBER, "PyTorch", ROUNDS(NE, IEEE)},
    {" e4m3fnuz e5m2fnuz e4m3ieee ", WHEN_NUMBER, "ml_dtypes", ROUNDS(NE, IEEE)},
    {" e4m3fnuz e5m2fnuz ", WHEN_NUMBER, "ONNX saturate=1", ROUNDS(NE, SATURATE)},
    {" e3m2 e2m3 e2m1 ", WHEN_NUMBER, "CUDA constructors, ml_dtypes", ROUNDS(NE, SATURATE)},
    {" q8.8 int8 mxint8 ", WHEN_NUMBER, "nearest and wrap", ROUNDS(NE, WRAP)},
    {" q8.8 ", WHEN_NUMBER, "floor and wrap (>>> in RTL)", ROUNDS(DOWN, WRAP)},
    {" q8.8 int8 mxint8 ", WHEN_NUMBER, "a C cast (truncates)", ROUNDS(TZ, WRAP)},
    {" e8m0 ", WHEN_NUMBER, "CUDA constructors, PTX .rp", ROUNDS(UP, SATURATE)},
    {" e8m0 ", WHEN_NUMBER, "PTX .rz, ONNX down", ROUNDS(TZ, SATURATE)},
    {" e8m0 ", WHEN_NUMBER, "ONNX up (its default)", ROUNDS(UP, SATURATE)},
    {" e8m0 ", WHEN_NUMBER, "ml_dtypes", ROUNDS(NE, IEEE)},
    {" e8m0 ", WHEN_NUMBER, "gfloat (tie to even code)", EVEN_CODE},
    {" e4m3fnuz e5m2fnuz ", WHEN_MINUS_ZERO, "onnx#5764 (sign kept: nan)", STORES(0x80)},
    /* infinities */
    {" fp16 bf16 tf32 ", WHEN_INF, "IEEE 754 conversion", ROUNDS(NE, IEEE)},
    {" e4m3 e5m2 ", WHEN_INF, "CUDA constructors; ONNX saturate=1", ROUNDS(NE, SATURATE)},
    {" e4m3 e5m2 ", WHEN_INF, "ml_dtypes, PyTorch; ONNX saturate=0", ROUNDS(NE, IEEE)},
    {" e4m3fnuz e5m2fnuz ", WHEN_INF, "ml_dtypes; ONNX, saturate=1 too", STORES(0x80)},
    {" e4m3ieee ", WHEN_INF, "ml_dtypes", ROUNDS(NE, IEEE)},
    /* nan */
    {" e4m3 ", WHEN_NEGATIVE_NAN, "ml_dtypes", STORES(0xff)},
    {" e5m2 ", WHEN_NAN, "PyTorch, CUDA", STORES(0x7f)},
    {" e2m1 ", WHEN_NAN, "ml_dtypes", STORES(0x8)},
    {" e2m1 ", WHEN_NEGATIVE_NAN, "ml_dtypes", STORES(0x0)},
    {" e3m2 e2m3 ", WHEN_NAN, "ml_dtypes", STORES(0x20)},
    {" e3m2 e2m3 ", WHEN_NEGATIVE_NAN, "ml_dtypes", STORES(0x00)},
    {" e3m2 e2m3 e2m1 ", WHEN_NAN, "numerics-explained, quant.exposed", STORES(0x0)},
    {" e3m2 e2m3 e2m1 ", WHEN_NAN, "gfloat", REFUSES},
};
enum { FACT_COUNT = sizeof facts / sizeof *facts };

static bool mentions(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += n) {
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    }
    return false;
}

static bool applies(const Fact *fact, const Format *f, const Value *v)
{
    bool fits = false;
    switch (fact->when) {
    case WHEN_NUMBER:
        fits = value_is_finite(v);
        break;
    case WHEN_NAN: /* ml_dtypes alone looks at the sign; its lines for both come in pairs */
        fits = v->kind == VALUE_NAN && !(v->negative && strcmp(fact->tool, "ml_dtypes") == 0);
        break;
    case WHEN_NEGATIVE_NAN:
        fits = v->kind == VALUE_NAN && v->negative;
        break;
    case WHEN_MINUS_ZERO: { /* whatever is negative and becomes zero */
        fits = value_is_finite(v) && v->negative && format_encode(f, v, &(const Rounding){0}) == 0;
        break;
    }
    case WHEN_INF:
        fits = v->kind == VALUE_INF;
        break;
    }
    bool narrow = f->kind == FORMAT_FLOAT && f->bits < 32 && !f->no_zero;
    return fits && (fact->formats ? mentions(fact->formats, f->name) : narrow);
}

static uint32_t even_code(const Format *f, const Value *v)
{
    Encoded up = format_round(f, v, &(const Rounding){0});
    return up.tie && up.code % 2 ? up.code - 1 : up.code;
}

static uint32_t answer_code(const Fact *fact, const Format *f, const Value *v, Overflow overflow)
{
    Rounding rounding = {.mode = fact->mode, .overflow = fact->overflow};
    switch (fact->answer) {
    case ANSWER_MODE:
        rounding.overflow = overflow;
        break;
    case ANSWER_ROUNDS:
        break;
    case ANSWER_EVEN_CODE:
        return even_code(f, v);
    case ANSWER_STORES:
    case ANSWER_REFUSES:
        return fact->code;
    }
    return format_encode(f, v, &rounding);
}

bool opinion_next(const Format *f, const Value *v, uint32_t ours, Overflow overflow, size_t *cursor,
                  Opinion *out)
{
    while (*cursor < FACT_COUNT) {
        const Fact *fact = &facts[(*cursor)++];
        if (!applies(fact, f, v))
            continue;
        *out = (Opinion){.tool = fact->tool,
                         .refuses = fact->answer == ANSWER_REFUSES,
                         .code = answer_code(fact, f, v, overflow)};
        if (out->refuses || out->code != ours)
            return true;
    }
    return false;
}
