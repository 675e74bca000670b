/* Every line of tests/golden/formats: codes, encodings, rounding modes, blocks. */
#include "num_test.h"

#include "num/block.h"

static uint32_t hex(const char *text)
{
    char *end;
    unsigned long code = strtoul(text, &end, 16);
    assert_true(end != text && *end == '\0');
    return (uint32_t)code;
}

/* The line, written by us. */
static void check_code(char *line, const char *name)
{
    const Format *f = format_find(name);
    Value v;
    Buf b = {0};
    value_init(&v);
    uint32_t code = hex(strtok(line, " "));
    format_value(f, code, &v);
    value_print(&b, &v);
    assert_string_equal(b.data, strtok(NULL, " "));
    buf_free(&b);
    value_free(&v);
}

static void codes_have_their_exact_values(void **state)
{
    (void)state;
    static const char *const names[] = {"int8",  "mxint8",   "e4m3",     "e5m2",
                                        "e3m2",  "e2m3",     "e2m1",     "e8m0",
                                        "ue4m3", "e4m3fnuz", "e5m2fnuz", "e4m3ieee"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int count = each_line("codes-", names[i], check_code);
        assert_int_equal(count, 1 << format_find(names[i])->bits);
    }
}

static void check_encoding(char *line, const char *name)
{
    const char *text = strtok(line, " ");
    uint32_t ieee = hex(strtok(NULL, " ")), saturated = hex(strtok(NULL, " "));
    assert_code(name, text, ROUND_NE, OVERFLOW_IEEE, ieee);
    assert_code(name, text, ROUND_NE, OVERFLOW_WRAP, ieee);
    assert_code(name, text, ROUND_NE, OVERFLOW_SATURATE, saturated);
}

static void encodings_are_the_golden_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"q8.8", "int8",  "mxint8",   "fp16",     "bf16",
                                        "e4m3", "e5m2",  "e3m2",     "e2m3",     "e2m1",
                                        "e8m0", "ue4m3", "e4m3fnuz", "e5m2fnuz", "e4m3ieee"};
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += each_line("encode-", names[i], check_encoding);
    assert_true(count > 2700);
}

static void check_rounding(char *line, const char *name)
{
    const char *text = strtok(line, " ");
    for (RoundMode mode = ROUND_NE; mode <= ROUND_DOWN; mode++)
        assert_code(name, text, mode, OVERFLOW_SATURATE, hex(strtok(NULL, " ")));
}

static void rounding_modes_are_the_golden_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"q8.8", "fp16", "bf16", "e4m3", "e5m2", "e2m1"};
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += each_line("rounding-", names[i], check_rounding);
    assert_true(count > 300);
}

static void check_block(char *line, const char *name)
{
    (void)name;
    const BlockFormat *f = block_find(strtok(line, " "));
    const char *rule = strtok(NULL, " "), *scale = strtok(NULL, " "), *codes = strtok(NULL, " ");
    BlockOptions options = {0};
    if (f->kind == BLOCK_NVFP4)
        options.tensor = encode_text("fp32", rule, ROUND_NE, OVERFLOW_IEEE);
    else
        assert_true(scale_rule_find(rule, &options.rule));
    assert_string_equal(strtok(NULL, " "), ":");
    Value values[BLOCK_MAX];
    size_t count = 0;
    for (const char *text; (text = strtok(NULL, " ")); count++) {
        value_init(&values[count]);
        set_text(&values[count], text);
    }
    Block block;
    Buf got = {0};
    assert_true(block_encode(f, &options, values, count, &block, NULL));
    assert_int_equal(block.scale, hex(scale));
    for (size_t i = 0; i < count; i++)
        format_print_code(&got, block_element_format(f), block.code[i]);
    assert_string_equal(got.data, codes);
    buf_free(&got);
    for (size_t i = 0; i < count; i++)
        value_free(&values[i]);
}

static void blocks_are_the_golden_ones(void **state)
{
    (void)state;
    assert_int_equal(each_line("", "blocks", check_block), 56);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_their_exact_values),
        cmocka_unit_test(encodings_are_the_golden_ones),
        cmocka_unit_test(rounding_modes_are_the_golden_ones),
        cmocka_unit_test(blocks_are_the_golden_ones),
    };
    return cmocka_run_group_tests_name("num golden", tests, NULL, NULL);
}
