/* The list of options: what a row says holds for the field it names. */
#include "test.h"

#include "engine/option.h"

static Config deck(void)
{
    Config c;
    assert_true(config_preset(&c, "deck", NULL));
    return c;
}

/* A value that is not the one in c. */
static int another(const Option *o, const Config *c)
{
    return option_get(o, c) == o->low ? o->low + 1 : o->low;
}

static void every_row_is_whole(void **state)
{
    (void)state;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        assert_ptr_equal(option_find(o->key), o);
        assert_ptr_equal(option_of(o->field), o);
        assert_true(o->low < o->high && strlen(o->rule) > 0);
        assert_in_range(strlen(o->help), 1, 50);
        assert_true(o->follows || (o->start >= o->low && o->start <= o->high));
        assert_int_equal(o->names != NULL, o->type == OPTION_MODE);
        for (int v = 0; o->names && v <= o->high; v++)
            assert_non_null(o->names[v]);
        if (o->names)
            assert_null(o->names[o->high + 1]);
        for (int n = 0; n < k; n++) {
            assert_string_not_equal(option_at(n)->key, o->key);
            assert_true(option_at(n)->field != o->field);
        }
    }
    assert_null(option_find("depth"));
    assert_ptr_equal(OPTION(score_scale), option_find("score_scale"));
}

/* The lowest, the highest and the values around them: set, told, set again. */
static void every_key_goes_through_text(void **state)
{
    (void)state;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        const int values[] = {o->low, o->low + 1, o->high - 1, o->high};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            Config c = deck(), again = deck();
            char text[OPTION_CHARS];
            option_put(o, &c, values[i]);
            assert_int_equal(option_get(o, &c), values[i]);
            option_text(o, &c, text);
            assert_true(config_set(&again, o->key, text, NULL));
            assert_int_equal(option_get(o, &again), values[i]);
            assert_true(option_is_set(o, &again));
        }
    }
}

static void beyond_its_range_is_refused(void **state)
{
    (void)state;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        Config c = deck();
        Err err;
        char text[OPTION_CHARS], want[200];
        const char *bad = "nothing";
        for (int side = 0; side < 2 && o->type != OPTION_MODE; side++) {
            snprintf(text, sizeof text, "%d", side ? o->high + 1 : o->low - 1);
            assert_false(config_set(&c, o->key, text, &err));
        }
        assert_false(config_set(&c, o->key, bad, &err));
        snprintf(want, sizeof want, "%s %s: must be %s", o->key, bad, o->rule);
        assert_string_equal(err.text, want);
        Config untouched = deck();
        assert_true(config_equal(&c, &untouched));
    }
    Config c = deck();
    Err err;
    assert_false(config_set(&c, "d_modell", "8", &err));
    Buf want = {0};
    buf_text(&want, "d_modell: no such parameter; did you mean d_model? there are");
    for (int k = 0; option_at(k); k++)
        buf_printf(&want, " %s", option_at(k)->key);
    assert_string_equal(err.text, buf_str(&want));
    buf_free(&want);
    assert_non_null(strstr(err.text,
                           "there are d_model n_heads d_ff max_seq_len mask mask_mode exp "
                           "score_scale pe_rows pe_cols variant"));
}

static void equality_sees_every_option(void **state)
{
    (void)state;
    const Config a = deck();
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        Config b = a;
        option_put(o, &b, another(o, &a));
        assert_false(config_equal(&a, &b));
        option_put(o, &b, option_get(o, &a));
        assert_true(config_equal(&a, &b));
    }
    Config b = a;
    b.preset = "minus8";
    assert_true(config_equal(&a, &b));
}

/* Nothing of one option's field is another's. */
static void fields_lie_apart(void **state)
{
    (void)state;
    for (int k = 0; option_at(k); k++) {
        Config a = deck(), b = a;
        option_put(option_at(k), &b, another(option_at(k), &a));
        for (int n = 0; option_at(n); n++) {
            if (n != k)
                assert_int_equal(option_get(option_at(n), &a), option_get(option_at(n), &b));
        }
        assert_ptr_equal(a.preset, b.preset);
        assert_int_equal(a.given, b.given);
    }
}

static void what_follows_does_so_until_it_is_set(void **state)
{
    (void)state;
    const Option *scale = OPTION(score_scale);
    Config c = deck(), copy = deck();
    assert_int_equal(c.score_scale, 0x40);
    assert_false(option_is_set(scale, &c));
    assert_true(config_set(&c, "n_heads", "16", NULL) && config_check(&c, NULL));
    assert_int_equal(c.score_scale, 0x80);
    assert_true(config_set(&c, "score_scale", "0x80", NULL));
    assert_true(config_set(&c, "n_heads", "4", NULL) && config_check(&c, NULL));
    assert_int_equal(c.score_scale, 0x80);
    assert_int_equal(option_default(scale, &c), 0x40);
    option_copy(scale, &copy, &c); /* with it that it is set */
    assert_true(config_check(&copy, NULL));
    assert_int_equal(copy.score_scale, 0x80);
    const Config fresh = deck();
    option_copy(scale, &copy, &fresh);
    assert_true(config_set(&copy, "n_heads", "1", NULL) && config_check(&copy, NULL));
    assert_int_equal(copy.score_scale, 0x20);
}

static void a_quiet_one_is_told_off_its_default(void **state)
{
    (void)state;
    Option quiet = *OPTION(mask_mode);
    Config c = deck();
    assert_true(option_told(&quiet, &c));
    quiet.quiet = true;
    assert_false(option_told(&quiet, &c));
    c.mask_mode = MASK_EXCLUDE;
    assert_true(option_told(&quiet, &c));
}

static void the_rtl_has_its_parameters(void **state)
{
    (void)state;
    Config c;
    Buf out = {0};
    int value = -1;
    assert_true(config_preset(&c, "repaired", NULL));
    assert_true(config_set(&c, "pe_cols", "7", NULL));
    option_rtl_declare(&c, &out);
    static const char *const lines[] = {"localparam int DModel = 64;\n",
                                        "localparam int MaxSeqLen = 128;\n",
                                        "localparam logic [15:0] Mask = 16'h8000;\n",
                                        "Options = 1'b0 | 1'b1 << OptMaskExclude | 1'b0 << Opt",
                                        "localparam logic [15:0] ScoreScale = 16'h0040;\n",
                                        "localparam int PeCols = 7;\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_non_null(strstr(buf_str(&out), lines[i]));
    for (int k = 0; option_at(k); k++) {
        const char *name = option_at(k)->rtl;
        assert_int_equal(name && !strstr(buf_str(&out), name), 0);
    }
    buf_free(&out);
    assert_true(option_rtl_value(&c, "PeCols-1", 6, &value));
    assert_int_equal(value, 7);
    assert_false(option_rtl_value(&c, "OptMaskExclude", 14, &value));
    assert_false(option_rtl_value(&c, "PeColsX", 7, &value));
    assert_false(option_rtl_value(&c, "PeCol", 5, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(every_key_goes_through_text),
        cmocka_unit_test(beyond_its_range_is_refused),
        cmocka_unit_test(equality_sees_every_option),
        cmocka_unit_test(fields_lie_apart),
        cmocka_unit_test(what_follows_does_so_until_it_is_set),
        cmocka_unit_test(a_quiet_one_is_told_off_its_default),
        cmocka_unit_test(the_rtl_has_its_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
