/* What went wrong in the field and what is right: every row of formats.md sections 3 and 4, and
 * the edges of its 1.1, 1.2 and 1.6 that are of the same kinds. */
#include "num_test.h"

typedef struct Row {
    const char *format, *text;
    RoundMode mode;
    Overflow overflow;
    uint32_t want;
    const char *source;
} Row;

#define SAT  OVERFLOW_SATURATE
#define IEEE OVERFLOW_IEEE

/* 2^-40 behind a tie and its kind are written as the exact decimals they are. */
static const Row rows[] = {
    /* 3a: finite values */
    {"e4m3", "1.8131605", ROUND_NE, SAT, 0x3f, "onnxruntime#16938"},
    {"e4m3", "232.03683398099045", ROUND_NE, SAT, 0x77, "bitstring#342"},
    {"e5m2", "1.125", ROUND_NE, SAT, 0x3c, "triton#11753"},
    {"e4m3", "1.0625001", ROUND_NE, SAT, 0x39, "triton#10846"},
    {"e4m3", "1.0625", ROUND_NE, SAT, 0x38, "the tie itself"},
    {"fp16", "0x1.0020000001p0", ROUND_NE, SAT, 0x3c01, "tinygrad#18071"},
    {"fp16", "1.00048828125", ROUND_NE, SAT, 0x3c00, "the tie itself"},
    {"fp16", "1.000488281250000000000000000000000000000000000001", ROUND_NE, SAT, 0x3c01,
     "1e-48 on"},
    {"fp16", "bits32:0x33000001", ROUND_NE, SAT, 0x0001, "numpy#12721"},
    {"fp16", "bits32:0x33000000", ROUND_NE, SAT, 0x0000, "the tie itself"},
    {"fp16", "2.98023223876953191e-8", ROUND_NE, SAT, 0x0001, "float16#952"},
    {"fp16", "2.98023223876953125e-8", ROUND_NE, SAT, 0x0000, "fast_float#300"},
    {"fp16", "0.4999999902343750", ROUND_NE, SAT, 0x3800, "h5py#819"},
    {"bf16", "bits32:0x3E89CCD5", ROUND_NE, SAT, 0x3e8a, "universal#1133"},
    {"bf16", "3.14", ROUND_NE, SAT, 0x4049, "tt-metal#27171"},
    {"bf16", "6.6461399789245764e+35", ROUND_TZ, SAT, 0x7aff, "gfloat#49"},
    {"e4m3", "0.000538887", ROUND_NE, SAT, 0x00, "Float8s.jl#22"},
    {"e2m1", "0.25", ROUND_NE, SAT, 0, "aiter#3992"},
    {"e2m1", "1.25", ROUND_NE, SAT, 2, "aiter#3992"},
    {"e2m1", "2.5", ROUND_NE, SAT, 4, "aiter#3992"},
    {"e2m1", "5.0", ROUND_NE, SAT, 6, "aiter#3992"},
    {"e2m1", "0.75", ROUND_NE, SAT, 2, "half down is wrong"},
    {"e2m1", "1.75", ROUND_NE, SAT, 4, "half down is wrong"},
    {"e2m1", "3.5", ROUND_NE, SAT, 6, "half down is wrong"},
    {"e2m1", "-1.25", ROUND_NE, SAT, 0xa, "aiter#974: -0.625 / 2^-1"},
    {"e2m1", "0.25000006", ROUND_NE, SAT, 1, "tt-metal#51971"},
    {"e4m3", "256", ROUND_NE, SAT, 0x78, "tilelang-metax#140"},
    /* 3b: overflow, inf, saturation */
    {"e4m3", "500", ROUND_NE, IEEE, 0x7f, "universal#1302"},
    {"e5m2", "58000", ROUND_NE, IEEE, 0x7b, "universal#1351"},
    {"e5m2", "61440", ROUND_NE, IEEE, 0x7c, "universal#1351"},
    {"e5m2", "61439.99999999999999999999", ROUND_NE, IEEE, 0x7b, "just below"},
    {"e4m3", "672", ROUND_NE, SAT, 0x7e, "saturn-vectors#101"},
    {"e4m3", "464.5", ROUND_NE, SAT, 0x7e, "Model-Optimizer#1397"},
    {"e4m3", "464.5", ROUND_NE, IEEE, 0x7f, "pytorch#178817"},
    {"e4m3", "-464.5", ROUND_NE, IEEE, 0xff, "its sign stays"},
    {"e4m3fnuz", "inf", ROUND_NE, IEEE, 0x80, "onnx#6220"},
    {"e4m3fnuz", "-inf", ROUND_NE, IEEE, 0x80, "onnx#6220"},
    {"fp16", "65600", ROUND_NE, IEEE, 0x7c00, "tt-metal#57215"},
    {"fp16", "98304", ROUND_NE, IEEE, 0x7c00, "tt-metal#57215"},
    {"fp16", "131072", ROUND_NE, IEEE, 0x7c00, "tt-metal#57215"},
    {"fp16", "65520", ROUND_NE, IEEE, 0x7c00, "tt-metal#57215"},
    {"fp16", "65519.999999999999999999", ROUND_NE, IEEE, 0x7bff, "just below"},
    {"e4m3", "bits32:0x5BF80000", ROUND_TZ, IEEE, 0x7e, "riscv-isa-sim#2284"},
    {"bf16", "bits32:0x7F7FFFFF", ROUND_NE, IEEE, 0x7f80, "gorse#1240"},
    {"e4m3", "464", ROUND_NE, IEEE, 0x7e, "ml_dtypes#260"},
    {"e4m3", "465", ROUND_NE, IEEE, 0x7f, "ml_dtypes#260"},
    {"e4m3", "4.25", ROUND_NE, SAT, 0x48, "ml_dtypes#221"},
    /* 3c: nan, -0 */
    {"bf16", "bits32:0x7F800001", ROUND_NE, IEEE, 0x7fc0, "runtime#130583"},
    {"bf16", "bits32:0x7FFFFFFF", ROUND_NE, IEEE, 0x7fc0, "a carry into the sign"},
    {"fp16", "bits32:0x7F800001", ROUND_NE, IEEE, 0x7e00, "universal#1303"},
    {"e4m3", "bits32:0xFF800001", ROUND_NE, SAT, 0x7f, "a nan loses its sign"},
    {"e4m3fnuz", "-1e-7", ROUND_NE, SAT, 0x00, "onnx#5764"},
    {"e4m3fnuz", "-0", ROUND_NE, SAT, 0x00, "onnx#5764"},
    {"e5m2fnuz", "-1e-30", ROUND_NE, SAT, 0x00, "onnx#5764"},
    {"e5m2fnuz", "-0", ROUND_TZ, IEEE, 0x00, "onnx#5764"},
    {"e4m3", "-0.0", ROUND_NE, SAT, 0x80, "torch-xpu-ops#2951"},
    {"e8m0", "-1.0", ROUND_NE, IEEE, 0xff, "llvm#223286"},
    {"e8m0", "-1.0", ROUND_NE, SAT, 0x00, "llvm#223286"},
    {"e8m0", "0x1p-130", ROUND_NE, IEEE, 0x00, "gfloat#62"},
    {"e8m0", "bits32:0x00400000", ROUND_NE, SAT, 0x00, "1.2: an fp32 subnormal"},
    {"e8m0", "bits32:0x005fffff", ROUND_NE, SAT, 0x00, "1.2: below the midpoint"},
    {"e8m0", "bits32:0x00600000", ROUND_NE, SAT, 0x01, "1.2: the midpoint, up"},
    {"e8m0", "3", ROUND_NE, SAT, 0x81, "1.2: ties up, not to the even code"},
    {"e8m0", "1.5", ROUND_NE, SAT, 0x80, "1.2"},
    {"e8m0", "1.0000000000000000000001", ROUND_UP, SAT, 0x80, "CUDA constructors"},
    {"e8m0", "1.9999999999999999999999", ROUND_TZ, SAT, 0x7f, "PTX .rz"},
    /* 3d: the rounding that is not by chance */
    {"e5m2", "bits32:0x38900000", ROUND_NE, SAT, 0x04, "oneDNN#2903"},
    /* 4: things to try */
    {"q8.8", "0.5898", ROUND_NE, SAT, 0x0097, "section 4"},
    {"q8.8", "200", ROUND_NE, SAT, 0x7fff, "section 4"},
    {"q8.8", "200", ROUND_NE, OVERFLOW_WRAP, 0xc800, "section 4"},
    {"e4m3", "200", ROUND_NE, SAT, 0x74, "section 4"},
    {"fp16", "200", ROUND_NE, SAT, 0x5a40, "section 4"},
    {"bf16", "200", ROUND_NE, SAT, 0x4348, "section 4"},
    {"q8.8", "1e-4", ROUND_NE, SAT, 0x0000, "section 4"},
    {"e4m3", "1e-4", ROUND_NE, SAT, 0x00, "section 4"},
    {"e2m1", "1e-4", ROUND_NE, SAT, 0x0, "section 4"},
    {"e5m2", "1e-4", ROUND_NE, SAT, 0x07, "section 4"},
    {"fp16", "1e-6", ROUND_NE, SAT, 0x0011, "section 4"},
    {"q8.8", "0.001953125", ROUND_NE, SAT, 0x0000, "zero ends at 2^-9"},
    {"q8.8", "0.0019531250000000000001", ROUND_NE, SAT, 0x0001, "zero ends at 2^-9"},
    /* 1.1: rounding edges */
    {"tf32", "bits32:0x7f7fefff", ROUND_NE, IEEE, 0x3fbff, "below max + half an ulp"},
    {"tf32", "bits32:0x7f7ff000", ROUND_NE, IEEE, 0x3fc00, "max + half an ulp"},
    {"tf32", "1.00048828125", ROUND_AWAY, SAT, 0x1fc01, "1.4: cvt.rna"},
    {"tf32", "1.00048828125", ROUND_NE, SAT, 0x1fc00, "1.4: AMD CK"},
    {"tf32", "bits32:0x3f801fff", ROUND_TZ, SAT, 0x1fc00, "1.4: 13 bits dropped"},
    {"bf16", "0x1p-134", ROUND_NE, SAT, 0x0000, "1.1"},
    {"bf16", "0x1.000000000000000000000001p-134", ROUND_NE, SAT, 0x0001, "1.1"},
    {"e3m2", "inf", ROUND_NE, IEEE, 0x1f, "FP6 clamps"},
    {"e2m3", "-inf", ROUND_NE, IEEE, 0x3f, "FP6 clamps"},
    {"e2m1", "nan", ROUND_NE, IEEE, 0x7, "1.6: +max"},
    {"e2m1", "-nan", ROUND_NE, IEEE, 0x7, "1.6: +max"},
    {"q8.8", "nan", ROUND_NE, IEEE, 0x0000, "1.6"},
    {"ue4m3", "-1e-300", ROUND_NE, SAT, 0x00, "1.6"},
    {"ue4m3", "-1e-300", ROUND_NE, IEEE, 0x7f, "1.6"},
    /* 1.6: directed overflow follows IEEE 754 7.4 */
    {"fp16", "1e9", ROUND_TZ, IEEE, 0x7bff, "7.4"},
    {"fp16", "1e9", ROUND_DOWN, IEEE, 0x7bff, "7.4"},
    {"fp16", "1e9", ROUND_UP, IEEE, 0x7c00, "7.4"},
    {"fp16", "-1e9", ROUND_UP, IEEE, 0xfbff, "7.4"},
    {"fp16", "-1e9", ROUND_DOWN, IEEE, 0xfc00, "7.4"},
    {"fp16", "65504.0000000000000001", ROUND_UP, IEEE, 0x7c00, "7.4"},
    {"fp16", "65504.0000000000000001", ROUND_UP, SAT, 0x7bff, "7.4"},
    {"fp16", "inf", ROUND_TZ, IEEE, 0x7c00, "an infinity is exact"},
    {"e4m3fnuz", "-0.0001", ROUND_DOWN, SAT, 0x81, "down from zero"},
    /* wrapping keeps the low bits of integers of any length */
    {"q8.8", "18446744073709551616.00390625", ROUND_NE, OVERFLOW_WRAP, 0x0001, "2^64 + 2^-8"},
    {"q8.8", "-18446744073709551616.00390625", ROUND_NE, OVERFLOW_WRAP, 0xffff, "and negative"},
    {"q8.8", "18446744073709551616.001953125", ROUND_NE, OVERFLOW_WRAP, 0x0000, "its tie, even"},
    {"q8.8", "18446744073709551616.0019531250000000000000000001", ROUND_NE, OVERFLOW_WRAP, 0x0001,
     "just above"},
    {"q8.8", "1e999999", ROUND_NE, OVERFLOW_WRAP, 0x0000, "a multiple of 2^16"},
    {"int8", "123456789012345678901234567890", ROUND_NE, OVERFLOW_WRAP, 0xd2, "mod 256"},
    /* beyond everything */
    {"bf16", "1e999999", ROUND_NE, IEEE, 0x7f80, "far"},
    {"bf16", "-1e-999999", ROUND_NE, IEEE, 0x8000, "far"},
    {"bf16", "-1e-999999", ROUND_DOWN, IEEE, 0x8001, "far"},
    {"bf16", "0x1p-999999", ROUND_UP, IEEE, 0x0001, "far"},
};

static void values_round_to_the_right_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        uint32_t got = encode_text(r->format, r->text, r->mode, r->overflow);
        if (got != r->want)
            fail_msg("%s: %s of %s: got %x, want %x", r->source, r->format, r->text, (unsigned)got,
                     (unsigned)r->want);
    }
}

typedef struct Decoding {
    const char *format;
    uint32_t code;
    const char *want;
} Decoding;

static void codes_decode_to_the_right_value(void **state)
{
    (void)state;
    static const Decoding decodings[] = {
        {"e4m3", 0x7f, "nan"},         /* mlx#4135 */
        {"e4m3", 0xff, "nan"},         /* mlx#4164 */
        {"e4m3", 0x01, "0.001953125"}, /* b12x#388 */
        {"e4m3", 0x02, "0.00390625"},  /* 1bit-MONSTER#300 */
        {"e4m3", 0x03, "0.005859375"}, /* both columns of that report are wrong */
        {"e4m3", 0x04, "0.0078125"},
        {"e4m3", 0x05, "0.009765625"},
        {"e4m3", 0x06, "0.01171875"},
        {"e4m3", 0x07, "0.013671875"},
        {"e8m0", 0xff, "nan"}, /* llvm#214919, arch-com#848 */
        {"e4m3", 0x7e, "448"}, /* floatexplorer */
        {"e4m3fnuz", 0x7e, "224"},
        {"e4m3ieee", 0x7e, "nan"},
        {"e4m3", 0x80, "-0"},
        {"e4m3fnuz", 0x80, "nan"},
        {"e4m3ieee", 0x80, "-0"},
        {"fp16", 0x0001, "0.000000059604644775390625"},
        {"fp16", 0x0011, "0.000001013278961181640625"},
        {"tf32", 0x3fbff, "340116213421465348979261631549233168384"},
    };
    for (size_t i = 0; i < sizeof decodings / sizeof *decodings; i++) {
        Value v;
        value_init(&v);
        format_value(format_find(decodings[i].format), decodings[i].code, &v);
        assert_text(&v, decodings[i].want);
        value_free(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_round_to_the_right_code),
        cmocka_unit_test(codes_decode_to_the_right_value),
    };
    return cmocka_run_group_tests_name("num reports", tests, NULL, NULL);
}
