#ifndef TESTS_NUM_NUM_TEST_H
#define TESTS_NUM_NUM_TEST_H
/* Short forms that the tests of num share. */
#include "test.h"

#include "num/encode.h"
#include "num/text.h"

/* v = text, which must be a number. */
static inline void set_text(Value *v, const char *text)
{
    Err err;
    if (!value_parse(v, text, strlen(text), &err))
        fail_msg("%s: %s", text, err.text);
}

static inline uint32_t encode_text(const char *format, const char *text, RoundMode mode,
                                   Overflow overflow)
{
    Value v;
    value_init(&v);
    set_text(&v, text);
    const Rounding rounding = {.mode = mode, .overflow = overflow};
    uint32_t code = format_encode(format_find(format), &v, &rounding);
    value_free(&v);
    return code;
}

static inline void assert_code(const char *format, const char *text, RoundMode mode,
                               Overflow overflow, uint32_t want)
{
    uint32_t got = encode_text(format, text, mode, overflow);
    if (got != want)
        fail_msg("%s of %s: got %x, want %x", format, text, (unsigned)got, (unsigned)want);
}

/* The exact text of a value. */
static inline void assert_text(const Value *v, const char *want)
{
    Buf b = {0};
    value_print(&b, v);
    assert_string_equal(buf_str(&b), want);
    buf_free(&b);
}

/* Calls line(text, name) for every line of GOLDEN formats/PREFIX-NAME.txt; returns their number. */
static inline int each_line(const char *prefix, const char *name,
                            void (*line)(char *text, const char *name))
{
    char path[200];
    snprintf(path, sizeof path, GOLDEN "formats/%s%s.txt", prefix, name);
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is missing", path);
    char *text = NULL;
    size_t size = 0;
    int count = 0;
    for (; getline(&text, &size, f) > 0; count++) {
        text[strcspn(text, "\n")] = '\0';
        line(text, name);
    }
    free(text);
    fclose(f);
    return count;
}

#endif
