#include "test.h"

#include "base/suggest.h"

static const char *const names[] = {"--signals", "--stimulus", "--set",  "--seed",    "--strings",
                                    "cycles",    "console",    "lesson", "d_model",   "max_seq_len",
                                    "view",      "e4m3",       "e5m2",   "exp",       "expect",
                                    "06-mask",   "attn.state", "q",      "transform", NULL};

static void finds_what_was_meant(void **state)
{
    static const struct {
        const char *typed, *said;
    } cases[] = {
        {"cycels", "did you mean cycles? "},         /* neighbours exchanged */
        {"cycle", "did you mean cycles? "},          /* a beginning, and a letter less */
        {"LESSON", "did you mean lesson? "},         /* another case */
        {"--sginals", "did you mean --signals? "},   /* an option keeps its dashes */
        {"-signals", "did you mean --signals? "},    /* one dash */
        {"--strigns=7", "did you mean --strings? "}, /* with a value */
        {"seq", "did you mean --seed or --set? "},   /* as near, see below */
        {"mask", "did you mean 06-mask? "},          /* a part */
        {"d-model", "did you mean d_model? "},
        {"e4m9", "did you mean e4m3? "},
        {"transformer", "did you mean transform? "},
        {"frobnicate", ""},
        {"x", ""}, /* one letter is not a slip of another */
        {"", ""},
        {"s", ""},
    };
    char out[SUGGEST_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = suggest_from(cases[i].typed, names, out);
        if (strcmp(cases[i].typed, "seq") == 0)
            assert_non_null(strstr(said, "--set"));
        else if (strcmp(said, cases[i].said) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", cases[i].typed, said, cases[i].said);
    }
}

/* A name longer than the table, offered or typed, is none that was meant; neither is one of many.
 */
static void keeps_its_bounds(void **state)
{
    char long_name[200], out[SUGGEST_TEXT];
    Suggest s;
    (void)state;
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    suggest_begin(&s, long_name, strlen(long_name));
    suggest_offer(&s, long_name);
    suggest_offer(&s, "aaaa");
    assert_string_equal(suggest_text(&s, out), "");
    suggest_begin(&s, "ab", 2);
    for (int i = 0; i < 6; i++) {
        char name[8];
        snprintf(name, sizeof name, "ab%d", i);
        suggest_offer(&s, name);
        suggest_offer(&s, name); /* twice is once */
        assert_int_equal(s.count, i + 1);
    }
    assert_string_equal(suggest_text(&s, out), "");
    suggest_begin(&s, "abcdefg", 2); /* of the typed text only the word */
    suggest_offer_n(&s, "abx[3]", 3);
    assert_string_equal(suggest_text(&s, out), "did you mean abx? ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_was_meant),
                                       cmocka_unit_test(keeps_its_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
