/* A JSON text read member by member: what is taken, and where a bad one is wrong. */
#include "test.h"

#include "tensor/json_text.h"

typedef struct Seen {
    JsonText json;
    char text[256]; /* KEY@PLACE=LENGTH of each member */
} Seen;

static bool see(void *context, char *key)
{
    Seen *s = context;
    size_t n = strlen(s->text);
    uint64_t length = json_text_length(&s->json, 100);
    snprintf(s->text + n, sizeof s->text - n, "%s@%d=%d ", key, (int)s->json.key_at, (int)length);
    free(key);
    json_t *v = json_text_value(&s->json);
    json_decref(v);
    return v != NULL;
}

static bool walk(Seen *s, const char *text, size_t n)
{
    *s = (Seen){.json = {.text = text, .n = n}};
    return json_text_members(&s->json, see, s) && json_text_end(&s->json);
}

static void members_in_order(void **state)
{
    (void)state;
    static const char text[] =
        " { \"a\" : [1, \"]\\\"}\", {}] ,\"\\u00e9\\\\\":{\"x\":[[]]},\n\"a\":-1.5}\t\r";
    Seen s;
    assert_true(walk(&s, text, sizeof text - 1));
    assert_string_equal(s.text, "a@3=15 \xc3\xa9\\@26=10 a@49=4 ");
    assert_true(walk(&s, "{}", 2));
    assert_string_equal(s.text, "");
}

static void bad_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
        int at;
    } bad[] = {
        {"", "'{' expected near end of file", 0},
        {"[]", "'{' expected near '[]'", 0},
        {"{", "string expected near end of file", 1},
        {"{\"a\"}", "':' expected near '}'", 4},
        {"{\"a\":}", "value expected near '}'", 5},
        {"{\"a\":1", "'}' expected near end of file", 6},
        {"{\"a\":1 2}", "'}' expected near '2}'", 7},
        {"{\"a\":1,}", "string expected near '}'", 7},
        {"{\"a\":1}{}", "end of file expected near '{}'", 7},
        {"{a:1}", "string expected near 'a:1}'", 1},
        {"{\"a\":01}", "invalid token near '0'", 6},
        {"{\"a\":[1}", "']' expected near '}'", 8},
        {"{\"a\":{\"b\":1,\"b\":2}}", "duplicate object key near '\"b\"'", 15},
        {"{\"a\":\"", "premature end of input near '\"'", 6},
        {"{\"\\ud800\":1}", "invalid Unicode '\\uD800'", 9},
        {"{\"\\u0000\":1}", "\\u0000 is not allowed without JSON_ALLOW_NUL", 9},
        {"{\"\xc0\x80\":1}", "unable to decode byte 0xc0 near '\"'", 2},
        {"{\"a\n\":1}", "unexpected newline near '\"a'", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Seen s;
        assert_false(walk(&s, bad[i].text, strlen(bad[i].text)));
        assert_ptr_equal(strstr(s.json.why, bad[i].why), s.json.why); /* jansson tells more */
        assert_int_equal(s.json.why_at, bad[i].at);
    }
    Seen s;
    assert_false(walk(&s, "{}\0", 3)); /* a NUL is no end */
    assert_int_equal(s.json.why_at, 2);
}

/* Every cut of a text is refused, none is read past its end. */
static void cut_texts(void **state)
{
    (void)state;
    static const char text[] = "{\"a\\\"\":[1,\"\\\\\"],\"b\":{\"c\":null}}";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *cut = malloc(n ? n : 1); /* its end is watched by the sanitised tests */
        memcpy(cut, text, n);
        Seen s;
        assert_false(walk(&s, cut, n));
        assert_true(s.json.why[0]);
        assert_in_range(s.json.why_at, 0, n);
        free(cut);
    }
}

static void a_length_has_a_limit(void **state)
{
    (void)state;
    JsonText j = {.text = "  [1,2,3]  ", .n = 11};
    assert_int_equal(json_text_length(&j, 7), 7);
    assert_true(json_text_length(&j, 6) > 6);
    assert_int_equal(json_text_peek(&j), '[');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_in_order),
        cmocka_unit_test(bad_texts),
        cmocka_unit_test(cut_texts),
        cmocka_unit_test(a_length_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
