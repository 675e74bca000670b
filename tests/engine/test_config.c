/* Parameters: rules, spellings, messages. */
#include "test.h"

#include "engine/config.h"
#include "engine/cycle.h"

static Config deck(void)
{
    Config c;
    assert_true(config_preset(&c, "deck", NULL));
    return c;
}

static void presets_hold_their_mask(void **state)
{
    (void)state;
    Config c = deck();
    assert_int_equal(c.mask, -32768);
    assert_int_equal(c.mask_mode, MASK_VALUE);
    assert_true(config_preset(&c, "minus8", NULL));
    assert_int_equal(c.mask, -2048);
    assert_true(config_preset(&c, "repaired", NULL));
    assert_int_equal(c.mask, -32768);
    assert_int_equal(c.mask_mode, MASK_EXCLUDE);
    Err err;
    assert_false(config_preset(&c, "fixed", &err));
    assert_string_equal(err.text, "preset fixed: no such preset; there are deck, minus8, repaired");
}

static void words_values_and_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int raw;
    } ok[] = {{"0x8000", -32768},      {"0xF800", -2048}, {"-8.0", -2048},    {"-128.0", -32768},
              {"0.5898", 151},         {"-2048", -2048},  {"0.001953125", 0}, {"0.005859375", 2},
              {"127.99609375", 32767}, {"32767", 32767},  {"-192/256", -192}, {"1/3", 85},
              {"-1/512", 0},           {"3/512", 2},      {"127/1", 32512}};
    for (size_t i = 0; i < sizeof ok / sizeof *ok; i++) {
        Config c = deck();
        assert_true(config_set(&c, "mask", ok[i].text, NULL));
        assert_int_equal(c.mask, ok[i].raw);
    }
    static const char *const bad[] = {"",      "0x",    "0x12345", "128.0", "-128.1", "x",  "1.5x",
                                      "32768", "nan",   "0x1g",    " 1",    "1/0",    "1/", "/2",
                                      "1/-2",  "128/1", "1.5/2",   "1/2/3", "0x1/2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Config c = deck();
        Err err;
        assert_false(config_set(&c, "mask", bad[i], &err));
        assert_non_null(strstr(err.text, "mask"));
    }
}

static void illegal_parameters_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *part;
    } bad[] = {{"d_model", "7", "8..512"},      {"d_model", "48", "power of two"},
               {"d_model", "1024", "8..512"},   {"n_heads", "3", "divide"},
               {"n_heads", "0", "divisor"},     {"d_ff", "0", "1..2048"},
               {"d_ff", "2049", "1..2048"},     {"max_seq_len", "1025", "1..1024"},
               {"max_seq_len", "0", "1..1024"}, {"mask_mode", "none", "exclude"},
               {"exp", "true", "intended"},     {"score_scale", "0x8000", "0x7fff"},
               {"score_scale", "-1", "0x7fff"}, {"pe_rows", "17", "1..16"},
               {"pe_cols", "0", "1..16"},       {"variant", "fast", "bridge"},
               {"depth", "3", "d_model"},       {"d_model", "64x", "power of two"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Config c = deck();
        Err err = {0};
        bool ok = config_set(&c, bad[i].key, bad[i].value, &err) && config_check(&c, &err);
        assert_false(ok);
        assert_non_null(strstr(err.text, bad[i].key));
        assert_non_null(strstr(err.text, bad[i].part));
    }
}

static void score_scale_follows_the_heads(void **state)
{
    (void)state;
    static const struct {
        const char *heads;
        int scale;
    } want[] = {{"1", 0x20},  {"2", 0x2d},  {"4", 0x40},  {"8", 0x5b},
                {"16", 0x80}, {"32", 0xb5}, {"64", 0x100}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        Config c = deck();
        assert_true(config_set(&c, "n_heads", want[i].heads, NULL));
        assert_true(config_check(&c, NULL));
        assert_int_equal(c.score_scale, want[i].scale);
    }
    Config c = deck();
    assert_true(config_set(&c, "score_scale", "0x0033", NULL));
    assert_true(config_set(&c, "n_heads", "8", NULL));
    assert_true(config_check(&c, NULL));
    assert_int_equal(c.score_scale, 0x33);
}

/* A file's sizes do not come through config_set. */
static void the_check_knows_every_range(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        int value;
        const char *why;
    } bad[] = {{offsetof(Config, d_model), 4, "d_model 4: must be"},
               {offsetof(Config, d_model), 1024, "d_model 1024: must be"},
               {offsetof(Config, d_model), 24, "d_model 24: must be a power of two"},
               {offsetof(Config, n_heads), 0, "n_heads 0: must be"},
               {offsetof(Config, n_heads), 3, "n_heads 3: must divide d_model 64"},
               {offsetof(Config, d_ff), 2049, "d_ff 2049: must be 1..2048"},
               {offsetof(Config, max_seq_len), 0, "max_seq_len 0: must be 1..1024"},
               {offsetof(Config, pe_rows), 17, "pe_rows 17: must be 1..16"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Config c = deck();
        Err err = {0};
        *(int *)(void *)((char *)&c + bad[i].offset) = bad[i].value;
        assert_false(config_check(&c, &err));
        if (!strstr(err.text, bad[i].why))
            fail_msg("%s: %s", bad[i].why, err.text);
    }
}

static void closed_forms(void **state)
{
    (void)state;
    Config c = deck();
    assert_int_equal(config_cycles(&c, VARIANT_BRIDGE, 0), 2953);
    assert_int_equal(config_cycles(&c, VARIANT_BRIDGE, 64), 3209);
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 0), 44864);
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 64), 53568);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_hold_their_mask),
        cmocka_unit_test(words_values_and_integers),
        cmocka_unit_test(illegal_parameters_are_named),
        cmocka_unit_test(score_scale_follows_the_heads),
        cmocka_unit_test(the_check_knows_every_range),
        cmocka_unit_test(closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
