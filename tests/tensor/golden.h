#ifndef TESTS_TENSOR_GOLDEN_H
#define TESTS_TENSOR_GOLDEN_H
/* The golden t2 files and hex strings, as bytes in memory of exactly their size, so that the
 * sanitizers see a read past the end. */
#include "test.h"

#include "base/file.h"
#include "tensor/container.h"

#define T2_GOLDEN GOLDEN "t2/"

static inline uint8_t *golden(const char *name, size_t *size)
{
    char path[256];
    FileMap m;
    Err err;
    snprintf(path, sizeof path, T2_GOLDEN "%s", name);
    assert_true(file_map(&m, path, &err));
    uint8_t *copy = malloc(m.size);
    assert_non_null(copy);
    memcpy(copy, m.data, m.size);
    *size = m.size;
    file_unmap(&m);
    return copy;
}

/* Bytes of a hex text; blanks are skipped, "xNN" repeats the last byte NN times in all. */
static inline size_t unhex(const char *text, uint8_t *out)
{
    size_t n = 0;
    while (*text) {
        if (*text == ' ') {
            text++;
        } else if (*text == 'x') {
            char *end;
            unsigned long times = strtoul(text + 1, &end, 10);
            memset(out + n, out[n - 1], times - 1);
            n += times - 1;
            text = end;
        } else {
            char digits[3] = {text[0], text[1], 0};
            out[n++] = (uint8_t)strtoul(digits, NULL, 16);
            text += 2;
        }
    }
    return n;
}

static inline Container golden_container(const char *name)
{
    char path[256];
    Container c;
    Err err;
    snprintf(path, sizeof path, T2_GOLDEN "%s", name);
    if (!container_open(&c, path, &err))
        fail_msg("%s", err.text);
    return c;
}

#endif
