/* Files of $readmemh: as simulators read them, each word told once. */
#include "test.h"

#include <string.h>

#include "model/hex_words.h"

static void words_and_comments(void **state)
{
    (void)state;
    static const char *const same[] = {
        "0001\n00ff\nabcd\n8000\n",
        "1 ff ABCD 8000",
        "// head\n0001 // one\n/* two\nlines */ 00ff\r\nab_cd/**/8_0_0_0\n",
        "@0\n0001 00ff\n@2 abcd @0003\n8000\n",
        "@2 abcd 8000 @0 0001 00ff", /* blocks in any order */
        "@0_0 0001 00ff abcd//x\n8000",
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        Err err;
        int16_t words[4] = {7, 7, 7, 7};
        if (!hex_words_read(same[k], "f", words, 4, &err))
            fail_msg("%zu: %s", k, err.text);
        assert_int_equal(words[0], 1);
        assert_int_equal(words[1], 0xff);
        assert_int_equal((uint16_t)words[2], 0xabcd);
        assert_int_equal(words[3], -32768);
    }
}

static void what_leaves_a_memory_unknown_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"1 2 3", "f: 3 words, must be 4"},
        {"1 2 3 4 5", "f: 5 words, must be 4"},
        {"1 2\n00001 4", "f: 00001 is no word of 1 to 4 hex digits, line 2"},
        {"1 2\n_1 4", "f: _1 is no word of 1 to 4 hex digits, line 2"},
        {"1 xx 3 4", "f: xx is no word of 1 to 4 hex digits, line 1"},
        {"1 2 3\n/* 4", "f: /* has no end, line 2"},
        {"@0 1 2 @1 3 4", "f: word 1 is told twice, line 1"},
        {"@0 1 2\n@3 4 5", "f: word 2 is not told"},
        {"@4 1 2 3 4", "f: @4 is behind the last word, line 1"},
        {"@ 1 2 3 4", "f: @ is no address, line 1"},
        {"@123456789 1", "f: @123456789 is no address, line 1"},
        {"1 2 3 abcdefghijklmnopqrs\xc3\xa4z",
         "f: abcdefghijklmnopqrs is no word of 1 to 4 hex digits, line 1"},
        {"1 2 3 \x1b[2J", "f: \\x1b[2J is no word of 1 to 4 hex digits, line 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Err err;
        int16_t words[4];
        assert_false(hex_words_read(cases[k].text, "f", words, 4, &err));
        assert_string_equal(err.text, cases[k].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_comments),
        cmocka_unit_test(what_leaves_a_memory_unknown_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
