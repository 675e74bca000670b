/* Blocks: the examples of formats.md 1.5, the edges of 1.6, NVFP4's reciprocal, t2. */
#include "num_test.h"

#include "num/block.h"

/* Encode the blank-separated values; the caller looks at *out. */
static void encode(const char *kind, const BlockOptions *options, const char *values, Block *out)
{
    Value v[BLOCK_MAX];
    size_t count = 0;
    char *copy = strdup(values);
    for (char *text = strtok(copy, " "); text; text = strtok(NULL, " ")) {
        value_init(&v[count]);
        set_text(&v[count++], text);
    }
    assert_true(block_encode(block_find(kind), options, v, count, out, NULL));
    for (size_t i = 0; i < count; i++)
        value_free(&v[i]);
    free(copy);
}

static void assert_element(const Block *b, size_t i, uint32_t code, const char *value)
{
    Value v;
    value_init(&v);
    block_value(b, i, &v);
    assert_int_equal(b->code[i], code);
    assert_text(&v, value);
    value_free(&v);
}

static void scale_rules_differ_as_in_the_spec(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *value;
        ScaleRule rule;
        uint32_t scale, code;
        const char *stored;
        bool clamped;
    } rows[] = {
        {"mxfp8-e4m3", "957", SCALE_FLOOR, 0x80, 0x7e, "896", true}, /* microxcaling#4 */
        {"mxfp8-e4m3", "957", SCALE_EVEN, 0x80, 0x7e, "896", true},
        {"mxfp8-e4m3", "957", SCALE_CEIL, 0x81, 0x77, "960", false},
        {"mxfp8-e4m3", "957", SCALE_RCEIL, 0x81, 0x77, "960", false},
        {"mxfp4", "7", SCALE_FLOOR, 0x7f, 0x7, "6", true},
        {"mxfp4", "7", SCALE_CEIL, 0x80, 0x6, "8", false},
        {"mxfp4", "7", SCALE_EVEN, 0x80, 0x6, "8", false},
        {"mxfp4", "7", SCALE_RCEIL, 0x80, 0x6, "8", false},
        {"mxfp4", "-6", SCALE_RCEIL, 0x7f, 0xf, "-6", false},
        {"mxfp4", "6.000000000000000000000000001", SCALE_RCEIL, 0x80, 0x5, "6", false},
        {"mxfp8-e5m2", "bits32:0x42FFFFFF", SCALE_FLOOR, 0x76, 0x7b, "112", true}, /* ao#436 */
        {"mxfp8-e5m2", "bits32:0x42FFFFFF", SCALE_EVEN, 0x77, 0x78, "128", false},
        {"mxfp8-e5m2", "bits32:0x42FFFFFF", SCALE_CEIL, 0x77, 0x78, "128", false},
        {"mxfp8-e5m2", "bits32:0x42FFFFFF", SCALE_RCEIL, 0x77, 0x78, "128", false},
        /* the trap of log2f: one ulp below 8 is still in [4, 8) */
        {"mxint8", "bits32:0x40FFFFFF", SCALE_FLOOR, 0x81, 0x7f, "7.9375", true},
        {"mxint8", "1.984375", SCALE_RCEIL, 0x7f, 0x7f, "1.984375", false},
        {"mxint8", "-2", SCALE_FLOOR, 0x80, 0xc0, "-2", false},
        {"mxfp4", "1e300", SCALE_FLOOR, 0xfe, 0x7, "1020847100762815390390123822295304634368",
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Block b;
        encode(rows[i].kind, &(const BlockOptions){.rule = rows[i].rule}, rows[i].value, &b);
        if (b.scale != rows[i].scale)
            fail_msg("%s of %s: scale %x", rows[i].kind, rows[i].value, (unsigned)b.scale);
        assert_element(&b, 0, rows[i].code, rows[i].stored);
        assert_int_equal(b.clamped[0], rows[i].clamped);
    }
}

static void zeros_nans_and_tiny_blocks(void **state)
{
    (void)state;
    static const char *const kinds[] = {"mxfp8-e4m3", "mxfp8-e5m2", "mxfp6-e3m2", "mxfp6-e2m3",
                                        "mxfp4",      "mxint8",     "nvfp4",      "t2"};
    Block b;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        encode(kinds[i], &(const BlockOptions){0}, "0 0 0", &b);
        assert_int_equal(b.scale, 0);
        assert_element(&b, 2, strcmp(kinds[i], "t2") == 0, "0");
        encode(kinds[i], &(const BlockOptions){0}, "1 nan -2", &b);
        assert_int_equal(b.scale, block_scale_format(b.format)->nan_code);
        Value v;
        value_init(&v);
        block_value(&b, 0, &v);
        assert_text(&v, "nan");
        value_free(&v);
        encode(kinds[i], &(const BlockOptions){0}, "1 2 -inf", &b);
        assert_int_equal(b.scale, block_scale_format(b.format)->nan_code);
    }
    encode("mxfp4", &(const BlockOptions){0}, "1e-60 -0", &b);
    assert_int_equal(b.scale, 0);
    assert_element(&b, 0, 0x0, "0");
    assert_element(&b, 1, 0x8, "-0");
}

static void nvfp4_reciprocal_moves_a_tie(void **state)
{
    (void)state;
    /* arch-com#905: x = 0x3CC3FFFF, scale code 07 (7 * 2^-9): 1.74999986 by division */
    const char *values = "bits32:0x3CC3FFFF 0.08203125";
    Block b;
    encode("nvfp4", &(const BlockOptions){0}, values, &b);
    assert_int_equal(b.scale, 0x07);
    assert_element(&b, 0, 0x3, "0.0205078125");
    encode("nvfp4", &(const BlockOptions){.reciprocal = true}, values, &b);
    assert_int_equal(b.scale, 0x07);
    assert_element(&b, 0, 0x4, "0.02734375");
    assert_element(&b, 1, 0x7, "0.08203125");
}

static void nvfp4_has_two_levels(void **state)
{
    (void)state;
    Block b;
    BlockOptions options = {.tensor = 0x3f000000}; /* 0.5 */
    encode("nvfp4", &options, "3 -1.5 0.75", &b);
    assert_int_equal(b.scale, 0x38); /* 3 / 6 / 0.5 = 1 */
    assert_element(&b, 0, 0x7, "3");
    assert_element(&b, 1, 0xd, "-1.5");
    assert_element(&b, 2, 0x3, "0.75");
    options.tensor = 0;
    encode("nvfp4", &options, "5000", &b); /* the scale saturates, then the element */
    assert_int_equal(b.scale, 0x7e);
    assert_element(&b, 0, 0x7, "2688");
    assert_true(b.clamped[0]);

    Value v[2];
    value_init(&v[0]);
    value_init(&v[1]);
    assert_int_equal(block_tensor_scale(v, 2), 0x3f800000);
    set_text(&v[1], "-2688");
    assert_int_equal(block_tensor_scale(v, 2), 0x3f800000);
    set_text(&v[1], "-1");
    assert_int_equal(block_tensor_scale(v, 2), 0x39c30c31); /* 1 / 2688 in fp32 */
    value_free(&v[0]);
    value_free(&v[1]);
}

static void t2_holds_ternary_values_without_loss(void **state)
{
    (void)state;
    Block b;
    encode("t2", &(const BlockOptions){0}, "-0.75 0 0.75 0.37 -0.38 0.375", &b);
    assert_int_equal(b.scale, 0x3a00);
    assert_element(&b, 0, 0, "-0.75");
    assert_element(&b, 1, 1, "0");
    assert_element(&b, 2, 2, "0.75");
    assert_element(&b, 3, 1, "0");
    assert_element(&b, 4, 0, "-0.75");
    assert_element(&b, 5, 1, "0");
    encode("t2", &(const BlockOptions){0}, "0x1p-24 -0x1p-24", &b);
    assert_int_equal(b.scale, 0x0001);
    assert_element(&b, 1, 0, "-0.000000059604644775390625");
    b.code[0] = 3; /* reserved: zero, never twice the scale */
    assert_element(&b, 0, 3, "0");
}

static void a_block_has_its_size(void **state)
{
    (void)state;
    Value v[BLOCK_MAX + 1];
    Err err;
    Block b;
    for (int i = 0; i <= BLOCK_MAX; i++)
        value_init(&v[i]);
    for (const BlockFormat *f = block_table; f->name; f++) {
        assert_true(block_encode(f, &(const BlockOptions){0}, v, f->size, &b, &err));
        assert_false(block_encode(f, &(const BlockOptions){0}, v, f->size + 1U, &b, &err));
        assert_non_null(strstr(err.text, f->name));
        assert_false(block_encode(f, &(const BlockOptions){0}, v, 0, &b, &err));
    }
    for (int i = 0; i <= BLOCK_MAX; i++)
        value_free(&v[i]);
}

static void a_tensor_scale_is_a_positive_fp32(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool taken;
        uint32_t code;
    } rows[] = {{"1", true, 0x3f800000},
                {"1e-45", true, 1},
                {"340282346638528859811704183484516925440", true, 0x7f7fffff},
                {"1e39", false, 0},
                {"1e-46", false, 0},
                {"0", false, 0},
                {"-1", false, 0},
                {"inf", false, 0},
                {"nan", false, 0}};
    Value v;
    value_init(&v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t code = 0;
        set_text(&v, rows[i].text);
        if (block_tensor_code(&v, &code) != rows[i].taken)
            fail_msg("%s", rows[i].text);
        if (rows[i].taken)
            assert_int_equal(code, rows[i].code);
    }
    value_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scale_rules_differ_as_in_the_spec),
        cmocka_unit_test(zeros_nans_and_tiny_blocks),
        cmocka_unit_test(nvfp4_reciprocal_moves_a_tie),
        cmocka_unit_test(nvfp4_has_two_levels),
        cmocka_unit_test(t2_holds_ternary_values_without_loss),
        cmocka_unit_test(a_block_has_its_size),
        cmocka_unit_test(a_tensor_scale_is_a_positive_fp32),
    };
    return cmocka_run_group_tests_name("num block", tests, NULL, NULL);
}
