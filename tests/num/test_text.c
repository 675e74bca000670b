/* Reading and printing values. */
#include "num_test.h"

static void refused(const char *text, size_t len, const char *why)
{
    Value v;
    Err err = {0};
    value_init(&v);
    if (value_parse(&v, text, len, &err))
        fail_msg("'%s' is taken for a number", text);
    if (!strstr(err.text, why))
        fail_msg("'%s': '%s' does not say '%s'", text, err.text, why);
    value_free(&v);
}

static void garbage_is_refused_with_its_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", "ends at character 1"},
        {"  ", "ends at character 3"},
        {"1.2.3", "'.' at character 4"},
        {"0x", "ends at character 3"},
        {"0x.p1", "'p' at character 4"},
        {"0xg", "'g' at character 3"},
        {"0x1p", "ends at character 5"},
        {"0x1p+", "ends at character 6"},
        {"1e", "ends at character 3"},
        {"1e-", "ends at character 4"},
        {"1e5.5", "'.' at character 4"},
        {"1e1234567", "more than 6 digits at character 3"},
        {"1e-0000001", "more than 6 digits at character 4"},
        {"0x1p1234567", "more than 6 digits at character 5"},
        {".", "ends at character 2"},
        {"-", "ends at character 2"},
        {"--1", "'-' at character 2"},
        {"+-1", "'-' at character 2"},
        {"1 2", "0x20 at character 2"},
        {"1,5", "',' at character 2"},
        {"infinit", "'i' at character 4"},
        {"nan(7)", "'(' at character 4"},
        {"one", "'o' at character 1"},
        {"e5", "'e' at character 1"},
        {"1f", "'f' at character 2"},
        {"bits32:", "ends at character 8"},
        {"bits32:0x", "ends at character 10"},
        {"bits32:0x123456789", "'9' at character 18"},
        {"bits32:0x12g", "'g' at character 12"},
        {"bits32:1", "'1' at character 8"},
        {"1/", "ends at character 3, where a digit"},
        {"/2", "'/' at character 1"},
        {"1/-2", "'-' at character 3, where a digit"},
        {"1/2/3", "'/' at character 4, where the end"},
        {"1.5/2", "'/' at character 4, where the end"},
        {"1e3/2", "'/' at character 4, where the end"},
        {"1/.5", "'.' at character 3, where a digit"},
        {"1/2.5", "'.' at character 4, where the end"},
        {"1/2e1", "'e' at character 4, where the end"},
        {"1/0x2", "'x' at character 4, where the end"},
        {"0x1/2", "'/' at character 4, where the end"},
        {"1 /2", "0x20 at character 2"},
        {"-1/00", "a division by zero at character 4"},
        {"1\x07", "0x07 at character 2"},
        {"\xc3\xa9", "0xc3 at character 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refused(rows[i][0], strlen(rows[i][0]), rows[i][1]);
    refused("1\0002", 3, "0x00 at character 2");
}

static void long_tokens_and_exponents_are_refused(void **state)
{
    (void)state;
    char text[TEXT_MAX + 2];
    memset(text, '7', sizeof text);
    refused(text, TEXT_MAX + 1, "more than 4096 characters");
    memcpy(text, "1e", 2);
    refused(text, 402, "more than 6 digits");
    memset(text, '7', sizeof text);
    Value v;
    value_init(&v);
    assert_true(value_parse(&v, text, TEXT_MAX, NULL));
    text[0] = ' '; /* blanks around the token do not count, the CR of a CRLF is one */
    text[TEXT_MAX + 1] = '\r';
    assert_true(value_parse(&v, text, TEXT_MAX + 2, NULL));
    value_free(&v);
}

static void numbers_have_their_exact_text(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"0", "0"},
        {"-0", "-0"},
        {"-0x0p5", "-0"},
        {"0e999999", "0"},
        {"+1", "1"},
        {" 1.50\r", "1.5"},
        {"\t-.5e1 ", "-5"},
        {"5.", "5"},
        {"00012", "12"},
        {"1e3", "1000"},
        {"1E+3", "1000"},
        {"12.5e-3", "0.0125"},
        {"0x10", "16"},
        {"0X1.8P3", "12"},
        {"-0x.1p0", "-0.0625"},
        {"0x1p-20", "0.00000095367431640625"},
        {"0x123456789abcdef01234", "85968058283706962416180"},
        {"123456789012345678901234567890.0625", "123456789012345678901234567890.0625"},
        {"0.1000000000000000000000000000000000000001",
         "0.1000000000000000000000000000000000000001"},
        {"inf", "inf"},
        {"-INFINITY", "-inf"},
        {"NaN", "nan"},
        {"-nan", "nan"},
        {"bits32:0x3f800000", "1"},
        {"bits32:0x1", "0.00000000000000000000000000000000000000000000140129846432481707092372958"
                       "32899161312802619418765157717570682838897910826858606014866381883621215820"
                       "3125"},
        {"bits32:0xff800000", "-inf"},
        {"bits32:0x7fc12345", "nan"},
        {"BITS32:0X80000000", "-0"},
    };
    Value v;
    value_init(&v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_text(&v, rows[i][0]);
        assert_text(&v, rows[i][1]);
    }
    value_free(&v);
}

static void quotients_print_exactly_or_not_at_all(void **state)
{
    (void)state;
    Value a, b;
    Buf text = {0};
    value_init(&a);
    value_init(&b);
    set_text(&a, "3");
    set_text(&b, "-40");
    value_div(&b, &a, &b);
    assert_text(&b, "-0.075");
    value_div(&b, &b, &a);
    assert_text(&b, "-0.025");
    value_div(&b, &b, &a);
    assert_false(value_print(&text, &b));
    assert_int_equal(text.len, 0);
    value_print_rounded(&text, &b, 4);
    assert_string_equal(text.data, "-0.008333");
    buf_free(&text);
    value_free(&a);
    value_free(&b);
}

static void rounded_text_is_rounded_half_to_even(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int digits;
        const char *want;
    } rows[] = {
        {"99.57", 3, "99.6"},
        {"99.96", 3, "100"},
        {"99.95", 3, "100"},
        {"99.949999", 3, "99.9"},
        {"9.9996", 4, "10"},
        {"1.25", 2, "1.2"},
        {"1.35", 2, "1.4"},
        {"1.2500000000000000000001", 2, "1.3"},
        {"-123456", 3, "-123000"},
        {"0.000012345", 3, "0.0000123"},
        {"0.0000012345", 3, "1.23e-06"},
        {"1e10", 5, "1e+10"},
        {"12345678901", 3, "1.23e+10"},
        {"9.995e-999999", 3, "1e-999998"},
        {"1.005e999999", 3, "1e+999999"},
        {"0x1p-1000", 5, "9.3326e-302"},
        {"1", 17, "1"},
    };
    Value v;
    Buf b = {0};
    value_init(&v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_text(&v, rows[i].text);
        buf_clear(&b);
        value_print_rounded(&b, &v, rows[i].digits);
        assert_string_equal(b.data, rows[i].want);
    }
    buf_free(&b);
    value_free(&v);
}

static void short_text_fits_and_says_when_it_is_rounded(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"0.001953125", "0.001953125"},
        {"12345678901234", "12345678901234"},
        {"123456789012345", "~1.2345679e+14"},
        {"0x1p-20", "~9.5367432e-07"},
        {"-0x1p-20", "~-9.536743e-07"},
        {"1e999999", "~1e+999999"},
        {"-inf", "-inf"},
    };
    Value v;
    Buf b = {0};
    value_init(&v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_text(&v, rows[i][0]);
        buf_clear(&b);
        value_print_short(&b, &v, 14);
        assert_string_equal(b.data, rows[i][1]);
    }
    buf_free(&b);
    value_free(&v);
}

static void values_compare_exactly(void **state)
{
    (void)state;
    static const char *const ascending[] = {"-inf",
                                            "-1e999999",
                                            "-2",
                                            "-1.00000000000000000000000000001",
                                            "-1",
                                            "-1e-999999",
                                            "0",
                                            "1e-999999",
                                            "0x1p-999999",
                                            "0.1",
                                            "0.10000000000000000000000000000000001",
                                            "1e30",
                                            "1000000000000000000000000000001",
                                            "0x1p999999",
                                            "1e999998",
                                            "1e999999",
                                            "inf"};
    enum { COUNT = sizeof ascending / sizeof *ascending };
    Value v[COUNT];
    for (int i = 0; i < COUNT; i++) {
        value_init(&v[i]);
        set_text(&v[i], ascending[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++)
            assert_int_equal(value_cmp(&v[i], &v[j]), (i > j) - (i < j));
    }
    for (int i = 0; i < COUNT; i++)
        value_free(&v[i]);
}

static void a_double_is_the_very_number_it_holds(void **state)
{
    (void)state;
    Value v;
    value_init(&v);
    value_set_double(&v, 0.1);
    assert_text(&v, "0.1000000000000000055511151231257827021181583404541015625");
    value_set_double(&v, -0.0);
    assert_text(&v, "-0");
    value_set_double(&v, -1.0 / 0.0);
    assert_text(&v, "-inf");
    set_text(&v, "0x1p-1074");
    assert_true(value_to_double(&v) == 0x1p-1074);
    value_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(garbage_is_refused_with_its_position),
        cmocka_unit_test(long_tokens_and_exponents_are_refused),
        cmocka_unit_test(numbers_have_their_exact_text),
        cmocka_unit_test(quotients_print_exactly_or_not_at_all),
        cmocka_unit_test(rounded_text_is_rounded_half_to_even),
        cmocka_unit_test(short_text_fits_and_says_when_it_is_rounded),
        cmocka_unit_test(values_compare_exactly),
        cmocka_unit_test(a_double_is_the_very_number_it_holds),
    };
    return cmocka_run_group_tests_name("num text", tests, NULL, NULL);
}
