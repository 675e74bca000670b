/* Facts of formats.md 1.1 from the table alone; errors, intervals, worst cases, double rounding,
 * and who disagrees. */
#include "num_test.h"

#include "num/measure.h"
#include "num/opinion.h"

static void facts_of_the_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bits, finite, nans;
        uint32_t max_code;
        const char *max;
    } rows[] = {
        {"q8.8", 16, 65536, 0, 0x7fff, "127.99609375"},
        {"int8", 8, 256, 0, 0x7f, "127"},
        {"mxint8", 8, 256, 0, 0x7f, "1.984375"},
        {"fp16", 16, 63488, 2046, 0x7bff, "65504"},
        {"bf16", 16, 65280, 254, 0x7f7f, "338953138925153547590470800371487866880"},
        {"tf32", 19, 522240, 2046, 0x3fbff, "340116213421465348979261631549233168384"},
        {"e4m3", 8, 254, 2, 0x7e, "448"},
        {"e5m2", 8, 248, 6, 0x7b, "57344"},
        {"e3m2", 6, 64, 0, 0x1f, "28"},
        {"e2m3", 6, 64, 0, 0x1f, "7.5"},
        {"e2m1", 4, 16, 0, 0x7, "6"},
        {"e8m0", 8, 255, 1, 0xfe, "170141183460469231731687303715884105728"},
        {"ue4m3", 7, 127, 1, 0x7e, "448"},
        {"e4m3fnuz", 8, 255, 1, 0x7f, "240"},
        {"e5m2fnuz", 8, 255, 1, 0x7f, "57344"},
        {"e4m3ieee", 8, 240, 14, 0x77, "240"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Format *f = format_find(rows[i].name);
        int finite = 0, nans = 0;
        for (uint32_t code = 0; code >> f->bits == 0; code++) {
            CodeClass c = format_class(f, code);
            finite += c < CLASS_INF;
            nans += c == CLASS_NAN;
        }
        Value v;
        value_init(&v);
        format_value(f, format_max_code(f), &v);
        assert_text(&v, rows[i].max);
        value_free(&v);
        assert_int_equal(f->bits, rows[i].bits);
        assert_int_equal(finite, rows[i].finite);
        assert_int_equal(nans, rows[i].nans);
        assert_int_equal(format_max_code(f), rows[i].max_code);
    }
}

static void fields_are_cut_where_the_format_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t code;
        const char *want;
    } rows[] = {
        {"q8.8", 0xc800, "11001000.00000000"},
        {"int8", 0x81, "10000001"},
        {"mxint8", 0x41, "01.000001"},
        {"fp16", 0x5a40, "0 10110 1001000000"},
        {"bf16", 0xc348, "1 10000110 1001000"},
        {"tf32", 0x3fbff, "0 11111110 1111111111"},
        {"e4m3", 0x7e, "0 1111 110"},
        {"e2m1", 0xf, "1 11 1"},
        {"e8m0", 0x7f, "01111111"},
        {"ue4m3", 0x7e, "1111 110"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf b = {0};
        format_print_fields(&b, format_find(rows[i].name), rows[i].code);
        assert_string_equal(b.data, rows[i].want);
        buf_free(&b);
    }
}

static void classes_name_the_codes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t code;
        CodeClass want;
    } rows[] = {
        {"q8.8", 0x8000, CLASS_MAX},       {"q8.8", 0x8001, CLASS_NORMAL},
        {"q8.8", 0x7fff, CLASS_MAX},       {"fp16", 0x8000, CLASS_ZERO},
        {"fp16", 0x83ff, CLASS_SUBNORMAL}, {"fp16", 0x0400, CLASS_NORMAL},
        {"fp16", 0xfbff, CLASS_MAX},       {"fp16", 0xfc00, CLASS_INF},
        {"fp16", 0xfc01, CLASS_NAN},       {"e4m3", 0xfe, CLASS_MAX},
        {"e4m3fnuz", 0x80, CLASS_NAN},     {"e4m3fnuz", 0xff, CLASS_MAX},
        {"e8m0", 0x00, CLASS_NORMAL},      {"e8m0", 0xfe, CLASS_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(format_class(format_find(rows[i].name), rows[i].code), rows[i].want);
}

static void assert_rounded(const Value *v, const char *want)
{
    Buf b = {0};
    value_print_rounded(&b, v, 6);
    assert_string_equal(b.data, want);
    buf_free(&b);
}

static void errors_are_exact_and_signed(void **state)
{
    (void)state;
    static const char *const rows[][4] = {
        {"e4m3", "200", "-8", "-0.04"},
        {"e4m3", "-200", "8", "-0.04"},
        {"q8.8", "0.5898", "0.00004375", "0.0000741777"},
        {"e2m1", "1e-4", "-0.0001", "-1"},
        {"fp16", "200", "0", "0"},
        {"e8m0", "3", "1", "0.333333"},
    };
    Value v, error, relative;
    value_init(&v);
    value_init(&error);
    value_init(&relative);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Format *f = format_find(rows[i][0]);
        set_text(&v, rows[i][1]);
        assert_true(
            format_error(f, format_encode(f, &v, &(const Rounding){0}), &v, &error, &relative));
        assert_text(&error, rows[i][2]);
        assert_rounded(&relative, rows[i][3]);
    }
    set_text(&v, "1e999999");
    assert_true(format_error(format_find("e4m3"), 0x7e, &v, &error, &relative));
    assert_rounded(&error, "-1e+999999");
    assert_rounded(&relative, "-1");
    set_text(&v, "0");
    assert_true(format_error(format_find("e8m0"), 0, &v, &error, &relative));
    assert_int_equal(relative.kind, VALUE_NAN);
    set_text(&v, "inf");
    assert_false(format_error(format_find("e4m3"), 0x7e, &v, &error, &relative));
    value_free(&v);
    value_free(&error);
    value_free(&relative);
}

static void intervals_end_at_the_ties(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t code;
        Overflow overflow;
        const char *low, *high;
        bool low_closed, high_closed;
    } rows[] = {
        {"e4m3", 0x7e, OVERFLOW_IEEE, "432", "464", true, true},
        {"e4m3", 0x7e, OVERFLOW_SATURATE, "432", "inf", true, false},
        {"fp16", 0x7bff, OVERFLOW_IEEE, "65488", "65520", false, false},
        {"e5m2", 0xfb, OVERFLOW_IEEE, "-61440", "-53248", false, false},
        {"e2m1", 0x0, OVERFLOW_IEEE, "-0.25", "0.25", true, true},
        {"e2m1", 0x7, OVERFLOW_IEEE, "5", "inf", false, false},
        {"e2m1", 0x9, OVERFLOW_IEEE, "-0.75", "-0.25", false, false},
        {"q8.8", 0x7fff, OVERFLOW_WRAP, "127.994140625", "127.998046875", false, false},
        {"q8.8", 0x8000, OVERFLOW_SATURATE, "-inf", "-127.998046875", false, true},
        {"e8m0", 0x80, OVERFLOW_IEEE, "1.5", "3", true, false},
        {"ue4m3", 0x00, OVERFLOW_IEEE, "0", "0.0009765625", true, true},
    };
    Interval got;
    interval_init(&got);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(
            format_interval(format_find(rows[i].name), rows[i].code, rows[i].overflow, &got));
        assert_text(&got.low, rows[i].low);
        assert_text(&got.high, rows[i].high);
        assert_int_equal(got.low_closed, rows[i].low_closed);
        assert_int_equal(got.high_closed, rows[i].high_closed);
    }
    assert_false(format_interval(format_find("e5m2"), 0x7c, OVERFLOW_IEEE, &got));
    interval_free(&got);
}

/* Both ends of every interval, and what lies 2^-100 inside and outside them. */
static void intervals_agree_with_the_encoder(void **state)
{
    (void)state;
    Interval got;
    Value tiny, v;
    interval_init(&got);
    value_init(&tiny);
    value_init(&v);
    value_set_binary(&tiny, false, 1, -240);
    const Rounding ieee = {.overflow = OVERFLOW_IEEE};
    for (const Format *f = format_table; f->name; f++) {
        for (uint32_t code = 1; f->bits <= 8 && code >> f->bits == 0; code++) {
            if (format_class(f, code) == CLASS_ZERO ||
                !format_interval(f, code, OVERFLOW_IEEE, &got) || got.low.kind == VALUE_INF ||
                got.high.kind == VALUE_INF)
                continue;
            assert_int_equal(format_encode(f, &got.low, &ieee) == code, got.low_closed);
            assert_int_equal(format_encode(f, &got.high, &ieee) == code, got.high_closed);
            value_add(&v, &got.low, &tiny);
            assert_int_equal(format_encode(f, &v, &ieee), code);
            value_sub(&v, &got.high, &tiny);
            assert_int_equal(format_encode(f, &v, &ieee), code);
            value_sub(&v, &got.low, &tiny);
            assert_int_not_equal(format_encode(f, &v, &ieee), code);
            value_add(&v, &got.high, &tiny);
            assert_int_not_equal(format_encode(f, &v, &ieee), code);
        }
    }
    interval_free(&got);
    value_free(&tiny);
    value_free(&v);
}

static void worst_errors_are_those_of_the_spec(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int log2;
        int num, den;
    } rows[] = {
        {"fp16", 0, 1, 2049},   {"bf16", 5, 1, 257},  {"tf32", -3, 1, 2049}, {"e4m3", 0, 1, 17},
        {"e5m2", 3, 1, 9},      {"e3m2", 0, 1, 9},    {"e2m3", 1, 1, 17},    {"e2m1", 1, 1, 5},
        {"e4m3fnuz", 2, 1, 17}, {"e4m3", 8, 1, 8},  /* clamps from 448 to 512 */
        {"e2m1", 2, 1, 4},                          /* from 6 to 8 */
        {"e2m3", 2, 1, 16},     {"e4m3", -9, 1, 3}, /* 1.5 of the smallest step */
        {"e4m3", -10, 1, 1},    {"e4m3", -20, 1, 1},  {"q8.8", -9, 1, 1},    {"q8.8", 0, 1, 513},
        {"e8m0", 4, 1, 3},      {"e8m0", -128, 1, 1},
    };
    Value got, num, den;
    value_init(&got);
    value_init(&num);
    value_init(&den);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        format_worst_error(format_find(rows[i].name), rows[i].log2, &got);
        value_set_binary(&num, false, (uint64_t)rows[i].num, 0);
        value_set_binary(&den, false, (uint64_t)rows[i].den, 0);
        value_div(&num, &num, &den);
        if (value_cmp(&got, &num) != 0)
            fail_msg("%s at 2^%d: %.9g", rows[i].name, rows[i].log2, value_to_double(&got));
    }
    value_free(&got);
    value_free(&num);
    value_free(&den);
}

static void rounding_twice_is_detected(void **state)
{
    (void)state;
    static const struct {
        const char *name, *via, *text;
        bool differs;
        uint32_t once, twice;
    } rows[] = {
        {"e4m3", "fp16", "1.0625001", true, 0x39, 0x38},
        {"e4m3", "fp32", "1.0625001", false, 0x39, 0x39},
        {"e4m3", "fp32", "1.06250001", true, 0x39, 0x38},
        {"fp16", "fp32", "1.00048828125000000001", true, 0x3c01, 0x3c00},
        {"e2m1", "fp32", "0.25000006", false, 1, 1},
        {"e2m1", "fp32", "0.250000001", true, 1, 0},
    };
    Value v;
    value_init(&v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t once, twice;
        set_text(&v, rows[i].text);
        bool differs = format_rounds_twice(format_find(rows[i].name), format_find(rows[i].via), &v,
                                           &(const Rounding){0}, &once, &twice);
        assert_int_equal(differs, rows[i].differs);
        assert_int_equal(once, rows[i].once);
        assert_int_equal(twice, rows[i].twice);
    }
    /* in the mode asked for: what rounds up from a tie made by the first step, toward zero does not
     */
    const Rounding tz = {.mode = ROUND_TZ}, away = {.mode = ROUND_AWAY};
    uint32_t once, twice;
    set_text(&v, "1.0624999999");
    assert_false(
        format_rounds_twice(format_find("e4m3"), format_find("fp32"), &v, &tz, &once, &twice));
    assert_int_equal(once, 0x38);
    assert_true(
        format_rounds_twice(format_find("e4m3"), format_find("fp32"), &v, &away, &once, &twice));
    assert_int_equal(once, 0x38);
    assert_int_equal(twice, 0x39);
    value_free(&v);
    assert_true(format_holds(format_find("fp32"), format_find("e8m0")));
    assert_true(format_holds(format_find("fp16"), format_find("e5m2")));
    assert_true(format_holds(format_find("fp32"), format_find("q8.8")));
    assert_false(format_holds(format_find("fp16"), format_find("q8.8")));
    assert_false(format_holds(format_find("fp16"), format_find("bf16")));
    assert_false(format_holds(format_find("fp16"), format_find("e8m0")));
}

/* All opinions as one line "TOOL CODE; ...": those that are not what `rounding` stores. */
static void assert_opinions_on(const char *format, const char *text, Rounding rounding,
                               const char *want)
{
    const Format *f = format_find(format);
    Value v;
    Buf b = {0};
    Opinion o;
    value_init(&v);
    set_text(&v, text);
    uint32_t ours = format_encode(f, &v, &rounding);
    for (size_t cursor = 0; opinion_next(f, &v, ours, rounding.overflow, &cursor, &o);) {
        buf_printf(&b, "%s ", o.tool);
        if (o.refuses)
            buf_text(&b, "refuses");
        else
            format_print_code(&b, f, o.code);
        buf_text(&b, "; ");
    }
    assert_string_equal(buf_str(&b), want);
    buf_free(&b);
    value_free(&v);
}

static void assert_opinions(const char *format, const char *text, const char *want)
{
    assert_opinions_on(format, text, (Rounding){0}, want);
}

static void opinions_name_the_tools_that_differ(void **state)
{
    (void)state;
    assert_opinions("e4m3", "1", "");
    assert_opinions("e4m3", "200", "round half away 75; ");
    assert_opinions("e4m3", "465", "ml_dtypes; ONNX saturate=0 7f; PyTorch before 2.13 7f; ");
    assert_opinions("e4m3", "464", ""); /* half away overflows, and saturates to the same */
    assert_opinions("e2m1", "nan",
                    "ml_dtypes 8; numerics-explained, quant.exposed 0; gfloat refuses; ");
    assert_opinions("e2m1", "-nan",
                    "ml_dtypes 0; numerics-explained, quant.exposed 0; gfloat refuses; ");
    assert_opinions("e8m0", "3", "PTX .rz, ONNX down 80; gfloat (tie to even code) 80; ");
    assert_opinions("e8m0", "1.25", "CUDA constructors, PTX .rp 80; ONNX up (its default) 80; ");
    assert_opinions("e8m0", "0", "ml_dtypes ff; ");
    assert_opinions("e4m3fnuz", "-1e-7", "onnx#5764 (sign kept: nan) 80; ");
    assert_opinions("e4m3fnuz", "inf", "ml_dtypes; ONNX, saturate=1 too 80; ");
    assert_opinions("e4m3", "nan", "");
    assert_opinions("e4m3", "bits32:0xffc00000", "ml_dtypes ff; ");
    assert_opinions("e5m2", "nan", "PyTorch, CUDA 7f; ");
    assert_opinions("e3m2", "nan",
                    "ml_dtypes 20; numerics-explained, quant.exposed 00; gfloat refuses; ");
}

static void opinions_differ_from_what_is_stored(void **state)
{
    (void)state;
    const Rounding ieee = {.overflow = OVERFLOW_IEEE}, tz = {.mode = ROUND_TZ};
    assert_opinions_on("e4m3", "465", ieee,
                       "CUDA constructors; ONNX saturate=1 7e; PyTorch from 2.13 7e; ");
    assert_opinions_on("e4m3", "-inf", ieee, "CUDA constructors; ONNX saturate=1 fe; ");
    assert_opinions_on("e4m3", "464", ieee, "round half away 7f; ");
    assert_opinions_on("e4m3fnuz", "300", ieee, "ONNX saturate=1 7f; ");
    assert_opinions_on(
        "e8m0", "0", ieee,
        "CUDA constructors, PTX .rp 00; PTX .rz, ONNX down 00; ONNX up (its default) "
        "00; gfloat (tie to even code) 00; ");
    assert_opinions_on("bf16", "3.14", tz, "round half away 4049; IEEE 754 conversion 4049; ");
    assert_opinions_on("e2m1", "2.75", tz, "round half away 5; CUDA constructors, ml_dtypes 5; ");
    assert_opinions_on("q8.8", "200", (Rounding){.overflow = OVERFLOW_WRAP}, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_the_table),
        cmocka_unit_test(fields_are_cut_where_the_format_says),
        cmocka_unit_test(classes_name_the_codes),
        cmocka_unit_test(errors_are_exact_and_signed),
        cmocka_unit_test(intervals_end_at_the_ties),
        cmocka_unit_test(intervals_agree_with_the_encoder),
        cmocka_unit_test(worst_errors_are_those_of_the_spec),
        cmocka_unit_test(rounding_twice_is_detected),
        cmocka_unit_test(opinions_name_the_tools_that_differ),
        cmocka_unit_test(opinions_differ_from_what_is_stored),
    };
    return cmocka_run_group_tests_name("num measure", tests, NULL, NULL);
}
