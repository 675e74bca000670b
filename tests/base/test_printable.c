/* Foreign text is shown, never obeyed; lines are bounded. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/line.h"
#include "base/printable.h"

static void what_acts_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line, *multi, *name, *typed;
    } cases[] = {
        {"plain", "plain", "plain", "plain", "plain"},
        {"a\x1b[2J", "a\\x1b[2J", "a\\x1b[2J", "a\\x1b[2J", "a\\x1b[2J"},
        {"a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd", "a\nb\tc\\x0dd", "a\\x0ab\\x09c\\x0dd",
         "a\\x0ab\\x09c\\x0dd"},
        {"\x7f\xc2\x9b\x31m", "\\x7f\\xc2\\x9b1m", "\\x7f\\xc2\\x9b1m", "\\x7f\\xc2\\x9b1m",
         "\\x7f\\xc2\\x9b1m"},
        {"\xe2\x80\xaex\xe2\x81\xa6", "\\xe2\\x80\\xaex\\xe2\\x81\\xa6",
         "\\xe2\\x80\\xaex\\xe2\\x81\\xa6", "\\xe2\\x80\\xaex\\xe2\\x81\\xa6",
         "\\xe2\\x80\\xaex\\xe2\\x81\\xa6"},
        {"\xe6\xbc\xa2\xc3\xa4", "\xe6\xbc\xa2\xc3\xa4", "\xe6\xbc\xa2\xc3\xa4",
         "\xe6\xbc\xa2\xc3\xa4", "\xe6\xbc\xa2\xc3\xa4"},
        {"e\xcc\x81", "e\xcc\x81", "e\xcc\x81", "e\\xcc\\x81", "e\\xcc\\x81"},     /* a mark */
        {"\xe9t\xe9", "\\xe9t\\xe9", "\\xe9t\\xe9", "\\xe9t\\xe9", "\\xe9t\\xe9"}, /* Latin-1 */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80",
         "\\xed\\xa0\\x80"},
        {"a\\x41", "a\\x41", "a\\x41", "a\\x5cx41", "a\\x41"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const want[] = {cases[k].line, cases[k].multi, cases[k].name, cases[k].typed};
        for (int how = PRINTABLE_LINE; how <= PRINTABLE_TYPED; how++) {
            char *got = printable(cases[k].text, strlen(cases[k].text), (Printable)how);
            assert_string_equal(got, want[how]);
            free(got);
        }
    }
}

static void json_has_its_own_escapes(void **state)
{
    (void)state;
    Buf b = {0};
    printable_json(&b, "{\"a\\u001b\": \"\x7f\xc2\x9b\xe2\x80\xae\xe6\xbc\xa2\"}");
    assert_string_equal(buf_str(&b), "{\"a\\u001b\": \"\\u007f\\u009b\\u202e\xe6\xbc\xa2\"}");
    buf_clear(&b);
    printable_json(&b, "\"\xf0\x9f\xbf\xbe\xef\xbf\xbe\xf0\x9f\x98\x80\""); /* U+1FFFE, U+FFFE */
    assert_string_equal(buf_str(&b), "\"\\ud83f\\udffe\\ufffe\xf0\x9f\x98\x80\"");
    buf_free(&b);
}

static void a_cut_leaves_whole_characters(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa4\xe6\xbc\xa2\xf0\x9f\x98\x80z"; /* 1, 2, 3 and 4 bytes */
    static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};
    for (size_t n = 0; n < sizeof cuts / sizeof *cuts; n++)
        assert_int_equal(printable_cut(text, n), cuts[n]);
    assert_int_equal(printable_head(text, 5), 3);
    assert_int_equal(printable_head("ab", 5), 2);
}

static void messages_are_printable(void **state)
{
    (void)state;
    Err err;
    char longest[700];
    assert_false(err_set(&err, "%s: no such file", "x\x1b]0;title\x07"));
    assert_string_equal(err.text, "x\\x1b]0;title\\x07: no such file");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest + sizeof err.text - 3, "\xe6\xbc\xa2\x1b", 4); /* cut within the character */
    err_set(&err, "%s", longest);
    assert_int_equal(strlen(err.text), sizeof err.text - 3);
    memset(longest, 0x1b, sizeof longest - 1); /* four times as long */
    err_set(&err, "%s", longest);
    assert_true(strlen(err.text) < sizeof err.text);
    assert_memory_equal(err.text, "\\x1b\\x1b", 8);
}

static FILE *file_of(const char *text, size_t n)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    fwrite(text, 1, n, f);
    rewind(f);
    return f;
}

static void lines_are_bounded(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "first\r\n\nlast";
    Err err;
    Lines l = {.f = file_of(text, sizeof text - 1), .name = "f"};
    static const char *const want[] = {"first", "", "last"};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lines_next(&l, &err), LINES_LINE);
        assert_string_equal(buf_str(&l.line), want[k]);
        assert_int_equal(l.number, k + 1);
    }
    assert_int_equal(lines_next(&l, &err), LINES_END);
    fclose(l.f);
    lines_free(&l);

    char *big = malloc(LINE_MOST + 2);
    assert_non_null(big);
    memset(big, 'x', LINE_MOST + 2);
    l = (Lines){.f = file_of(big, LINE_MOST), .name = "big"};
    assert_int_equal(lines_next(&l, &err), LINES_LINE);
    fclose(l.f);
    lines_free(&l);
    l = (Lines){.f = file_of(big, LINE_MOST + 2), .name = "big"};
    assert_int_equal(lines_next(&l, &err), LINES_FAILED);
    assert_string_equal(err.text, "big: line 1: longer than 1 MiB");
    fclose(l.f);
    lines_free(&l);
    free(big);

    l = (Lines){.f = file_of("a\nb\0c\n", 6), .name = "z"};
    assert_int_equal(lines_next(&l, &err), LINES_LINE);
    assert_int_equal(lines_next(&l, &err), LINES_FAILED);
    assert_string_equal(err.text, "z: line 2: no text: a zero byte");
    fclose(l.f);
    lines_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_acts_is_escaped),
        cmocka_unit_test(json_has_its_own_escapes),
        cmocka_unit_test(a_cut_leaves_whole_characters),
        cmocka_unit_test(messages_are_printable),
        cmocka_unit_test(lines_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
