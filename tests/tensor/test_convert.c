/* Conversions: every golden source gives its golden tiles; what cannot be exact is refused with
 * the rule, the count and the first place. */
#include "golden.h"

#include <unistd.h>

#include "tensor/convert.h"
#include "tensor/half.h"
#include "tensor/t2.h"

typedef struct Result {
    bool ok;
    uint8_t tiles[4 * T2_TILE];
    size_t size;
    ConvertReport report;
    Err err;
} Result;

static void run(Result *r, TensorKind kind, uint64_t rows, uint64_t cols, const uint8_t *bytes,
                size_t size, bool clamp)
{
    const ConvertSource s = {.label = "x",
                             .kind = kind,
                             .rows = rows,
                             .cols = cols,
                             .bytes = bytes,
                             .size = size,
                             .layout = &pb16i_own};
    FILE *out = tmpfile();
    assert_non_null(out);
    r->ok = convert_to_t2(&s, clamp, out, &r->report, &r->err);
    rewind(out);
    r->size = fread(r->tiles, 1, sizeof r->tiles, out);
    fclose(out);
}

static void check(TensorKind kind, const char *source, const char *tiles, bool clamp)
{
    size_t size;
    size_t want_size;
    uint8_t *bytes = golden(source, &size);
    uint8_t *want = golden(tiles, &want_size);
    Result r;
    run(&r, kind, 32, 256, bytes, size, clamp);
    assert_true(r.ok);
    assert_int_equal(r.size, want_size);
    assert_memory_equal(r.tiles, want, want_size);
    assert_true(clamp || r.report.different == 0);
    assert_int_equal(r.report.source_bytes, size);
    assert_int_equal(r.report.weights, 8192);
    free(want);
    free(bytes);
}

static void golden_sources_give_golden_tiles(void **state)
{
    (void)state;
    check(KIND_TQ1_0, "tq1_0-32x256.bin", "tq-32x256.t2", false);
    check(KIND_TQ2_0, "tq2_0-32x256.bin", "tq-32x256.t2", false);
    check(KIND_PTQ1_0, "ptq1_0-32x256.bin", "g128-32x256.t2", false);
    check(KIND_PQ2_0, "pq2_0-32x256.bin", "g128-32x256.t2", false);
    check(KIND_Q2_0_G64, "q2_0g64-32x256.bin", "g128-32x256.t2", false);
    check(KIND_Q2_0_G128, "q2_0g128-32x256.bin", "g128-32x256.t2", false);
    check(KIND_Q1_0, "q1_0-32x256.bin", "q1_0-32x256.t2", false);
    check(KIND_PB16I, "pb16i-32x256.bin", "pb16i-32x256.t2", false);
    check(KIND_TQ2_0, "tq2_0-code3-32x256.bin", "tq2_0-clamped-32x256.t2", true);
}

static void code_3_is_refused_or_clamped_and_counted(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden("tq2_0-code3-32x256.bin", &size);
    Result r;
    run(&r, KIND_TQ2_0, 32, 256, bytes, size, false);
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "code 3"));
    assert_non_null(strstr(r.err.text, ": 2 times"));
    assert_non_null(strstr(r.err.text, "at byte 277"));
    run(&r, KIND_TQ2_0, 32, 256, bytes, size, true);
    assert_true(r.ok);
    assert_int_equal(r.report.clamped, 2);
    assert_int_equal(r.report.different, 2);
    free(bytes);
}

static void inf_and_nan_scales_are_refused_in_every_format(void **state)
{
    (void)state;
    static const struct {
        TensorKind kind;
        const char *file;
        unsigned scale_at; /* of the last block */
    } rows[] = {
        {KIND_TQ1_0, "tq1_0-32x256.bin", 1726},      {KIND_TQ2_0, "tq2_0-32x256.bin", 2110},
        {KIND_PTQ1_0, "ptq1_0-32x256.bin", 1790},    {KIND_PQ2_0, "pq2_0-32x256.bin", 2142},
        {KIND_Q2_0_G64, "q2_0g64-32x256.bin", 2286}, {KIND_Q1_0, "q1_0-32x256.bin", 1134},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size;
        uint8_t *bytes = golden(rows[i].file, &size);
        static const uint16_t bad[] = {0x7c00, 0xfc00, 0x7c01, 0xffff};
        for (size_t k = 0; k < 4; k++) {
            store_le16(bytes + rows[i].scale_at, bad[k]);
            Result r;
            run(&r, rows[i].kind, 32, 256, bytes, size, true);
            assert_false(r.ok);
            char place[32];
            snprintf(place, sizeof place, "at byte %u", rows[i].scale_at);
            assert_non_null(strstr(r.err.text, "inf or NaN"));
            assert_non_null(strstr(r.err.text, place));
        }
        free(bytes);
    }
}

static void shapes_that_do_not_divide_are_refused(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden("ptq1_0-32x256.bin", &size);
    Result r;
    run(&r, KIND_PTQ1_0, 32, 128, bytes, 32 * 28, false);
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "K is 128"));
    run(&r, KIND_PTQ1_0, 16, 256, bytes, 16 * 56, false);
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "N is 16"));
    run(&r, KIND_PTQ1_0, 32, 256, bytes, size - 1, false);
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "takes 1792 bytes, here are 1791"));
    free(bytes);
}

/* ---- Q2_0 of group 64 ---- */

enum { G64_ROW = 72 };

/* Set the pair (block, block + 1) of row 0: scales and, for zeros, all codes 1. */
static void set_half(uint8_t *bytes, unsigned block, uint16_t scale, int fill)
{
    store_le16(bytes + (size_t)block * 18, scale);
    if (fill >= 0)
        memset(bytes + (size_t)block * 18 + 2, fill, 16);
}

static void pairs_of_64_share_a_scale_or_a_half_is_zero(void **state)
{
    (void)state;
    static const struct {
        uint16_t scale[2];
        int fill[2]; /* code bytes; 0x55 = zeros */
        bool ok;
        uint16_t want;
    } rows[] = {
        {{0x3c00, 0x3c00}, {0x66, 0x66}, true, 0x3c00},
        {{0x3c00, 0x3800}, {0x66, 0x66}, false, 0},
        {{0x3c00, 0x3800}, {0x55, 0x66}, true, 0x3800},
        {{0x3c00, 0x3800}, {0x66, 0x55}, true, 0x3c00},
        {{0x3c00, 0xb800}, {0x55, 0x66}, false, 0}, /* +0.0 would become -0.0 */
        {{0xbc00, 0xb800}, {0x55, 0x66}, true, 0xb800},
        {{0x8000, 0x3c00}, {0x55, 0x66}, false, 0},
        {{0x0000, 0x3c00}, {0x55, 0x66}, true, 0x3c00},
        {{0x3c00, 0x3800}, {0x55, 0x55}, true, 0x3c00},
        {{0x0000, 0x8000}, {0x66, 0x66}, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size;
        uint8_t *bytes = golden("q2_0g64-32x256.bin", &size);
        assert_int_equal(size, 32 * G64_ROW);
        set_half(bytes, 2, rows[i].scale[0], rows[i].fill[0]); /* columns 128..191 */
        set_half(bytes, 3, rows[i].scale[1], rows[i].fill[1]);
        Result r;
        run(&r, KIND_Q2_0_G64, 32, 256, bytes, size, false);
        assert_int_equal(r.ok, rows[i].ok);
        if (r.ok) {
            assert_int_equal(r.report.different, 0);
            assert_int_equal(t2_scale(r.tiles, 0, 128), rows[i].want);
        } else {
            assert_non_null(strstr(r.err.text, "two scales"));
            assert_non_null(strstr(r.err.text, "row 0 column 128"));
        }
        free(bytes);
    }
}

/* ---- pb16i ---- */

enum { E_REF = 16, MS = E_REF + 32, CODES = MS + 32 * 8 * 2 };

static void set_nibble(uint8_t *image, unsigned n, unsigned k, int code)
{
    uint8_t *b = image + CODES + n * 128 + k / 2;
    *b = (uint8_t)(k % 2 ? (*b & 0x0f) | (code & 15) << 4 : (*b & 0xf0) | (code & 15));
}

static void set_ms(uint8_t *image, unsigned n, unsigned group, int ms)
{
    store_le16(image + MS + ((size_t)n * 8 + group) * 2, (uint16_t)ms);
}

/* Row 0, columns 0..127 of the golden image with new numbers; the rest stays. */
static uint8_t *image(const int ms[4], int e_ref, size_t *size)
{
    uint8_t *bytes = golden("pb16i-32x256.bin", size);
    assert_int_equal(*size, CODES + 32 * 128);
    for (unsigned k = 0; k < 128; k++)
        set_nibble(bytes, 0, k, (int)(k % 3) - 1);
    for (unsigned g = 0; g < 4; g++)
        set_ms(bytes, 0, g, ms[g]);
    for (unsigned g = 4; g < 8; g++)
        set_ms(bytes, 0, g, 1);
    bytes[E_REF] = (uint8_t)e_ref;
    return bytes;
}

static void pb16i_groups_convert_or_say_why(void **state)
{
    (void)state;
    static const struct {
        int ms[4];
        int e_ref;
        const char *why; /* NULL: converts */
        uint16_t want;
    } rows[] = {
        {{3, 3, 3, 3}, 0, NULL, 0x4200},
        {{-3, -3, -3, -3}, 0, NULL, 0x4200}, /* |ms|, codes negated */
        {{3, -3, 3, -3}, 0, NULL, 0x4200},
        {{3, 0, 3, 3}, 0, NULL, 0x4200}, /* ms = 0 is all zeros */
        {{0, 0, 0, 0}, 5, NULL, 0x0000},
        {{1, 1, 1, 1}, -24, NULL, 0x0001},
        {{-32768, -32768, -32768, -32768}, 0, NULL, 0x7800},
        {{2047, 2047, 2047, 2047}, 5, NULL, 0x7bff},
        {{3, 3, 5, 3}, 0, "magnitudes", 0},
        {{2049, 2049, 2049, 2049}, 0, "exact in fp16", 0},
        {{1, 1, 1, 1}, -25, "exact in fp16", 0},
        {{1, 1, 1, 1}, 16, "exact in fp16", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size;
        uint8_t *bytes = image(rows[i].ms, rows[i].e_ref, &size);
        Result r;
        run(&r, KIND_PB16I, 32, 256, bytes, size, false);
        assert_int_equal(r.ok, rows[i].why == NULL);
        if (r.ok) {
            assert_int_equal(r.report.different, 0);
            assert_int_equal(t2_scale(r.tiles, 0, 0), rows[i].want);
            int sign = rows[i].ms[0] < 0 ? -1 : rows[i].ms[0] > 0;
            for (unsigned k = 0; k < 32; k++)
                assert_int_equal(t2_code(r.tiles, 0, k), 1 + sign * ((int)(k % 3) - 1));
        } else {
            assert_non_null(strstr(r.err.text, rows[i].why));
            assert_non_null(strstr(r.err.text, "row 0 column"));
        }
        free(bytes);
    }
}

static void pb16i_codes_beyond_ternary_are_counted(void **state)
{
    (void)state;
    static const int ms[4] = {3, 3, 3, 3};
    size_t size;
    uint8_t *bytes = image(ms, 0, &size);
    set_nibble(bytes, 0, 5, 2);
    set_nibble(bytes, 0, 6, -8);
    Result r;
    run(&r, KIND_PB16I, 32, 256, bytes, size, true);
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "not -1, 0 or +1: 2 times, first in row 0 column 5"));
    free(bytes);
}

static void pb16i_weights_are_integers_times_a_power_of_two(void **state)
{
    (void)state;
    Pb16iCell cell = {.code = -1, .ms = 3, .e_ref = -2};
    assert_int_equal(pb16i_weight(&cell), f32_bits(-0.75f));
    cell = (Pb16iCell){.code = 0, .ms = -5, .e_ref = 0};
    assert_int_equal(pb16i_weight(&cell), 0); /* +0.0: an integer has no -0 */
    cell = (Pb16iCell){.code = -8, .ms = -32768, .e_ref = 127};
    assert_int_equal(pb16i_weight(&cell), 0x7f800000);
    cell = (Pb16iCell){.code = 1, .ms = 1, .e_ref = -128};
    assert_int_equal(pb16i_weight(&cell), 0x00200000);
}

/* Another byte order, the way a script would describe it: codes first, odd column low, then ms,
 * then e_ref, with offsets from a table handed in as context. */
static uint64_t other_code(void *context, const Pb16iShape *s, uint64_t n, uint64_t k,
                           unsigned *shift)
{
    const uint64_t *base = context;
    *shift = k % 2 ? 0 : 4;
    return base[0] + n * (s->cols / 2) + k / 2;
}

static uint64_t other_ms(void *context, const Pb16iShape *s, uint64_t n, uint64_t group)
{
    const uint64_t *base = context;
    return base[1] + (group * s->rows + n) * 2;
}

static uint64_t other_e_ref(void *context, const Pb16iShape *s, uint64_t n)
{
    const uint64_t *base = context;
    (void)s;
    return base[2] + n;
}

static void another_layout_reads_the_same_weights(void **state)
{
    (void)state;
    size_t size;
    uint8_t *own = golden("pb16i-32x256.bin", &size);
    uint64_t base[3] = {0, 4096, 4096 + 512};
    uint8_t *other = calloc(1, 4096 + 512 + 32);
    for (unsigned n = 0; n < 32; n++) {
        for (unsigned i = 0; i < 128; i++) {
            uint8_t b = own[CODES + n * 128 + i];
            other[n * 128 + i] = (uint8_t)(b << 4 | b >> 4);
        }
        for (unsigned g = 0; g < 8; g++)
            memcpy(other + 4096 + ((size_t)g * 32 + n) * 2, own + MS + ((size_t)n * 8 + g) * 2, 2);
        other[4096 + 512 + n] = own[E_REF + n];
    }
    const Pb16iLayout layout = {"other", base, other_code, other_ms, other_e_ref};
    ConvertSource s = {.label = "x",
                       .kind = KIND_PB16I,
                       .rows = 32,
                       .cols = 256,
                       .bytes = other,
                       .size = 4096 + 512 + 32,
                       .layout = &layout};
    FILE *out = tmpfile();
    ConvertReport report;
    Err err;
    uint8_t tile[T2_TILE];
    size_t want_size;
    uint8_t *want = golden("pb16i-32x256.t2", &want_size);
    assert_true(convert_to_t2(&s, false, out, &report, &err));
    rewind(out);
    assert_int_equal(fread(tile, 1, T2_TILE, out), T2_TILE);
    assert_memory_equal(tile, want, T2_TILE);
    base[2] = 4096 + 512 + 1; /* the last exponent now lies past the end */
    assert_false(convert_to_t2(&s, false, out, &report, &err));
    assert_non_null(strstr(err.text, "outside the image"));
    base[1] = UINT64_MAX - 10;
    assert_false(convert_to_t2(&s, false, out, &report, &err));
    fclose(out);
    free(want);
    free(other);
    free(own);
}

static void summary_line(void **state)
{
    (void)state;
    Buf line = {0};
    convert_summary(&(ConvertReport){.weights = 8192, .source_bytes = 2112, .t2_bytes = 2176},
                    &line);
    assert_string_equal(buf_str(&line),
                        "1 images, 8192 weights: 2112 B -> 2176 B (2.1250 b/w), 1/1 bit-exact");
    buf_clear(&line);
    convert_summary(
        &(ConvertReport){
            .weights = 89128960, .source_bytes = 50135040, .t2_bytes = 23674880, .different = 1},
        &line);
    assert_string_equal(buf_str(&line), "1 images, 89128960 weights: 0.05 GB -> 0.02 GB "
                                        "(2.1250 b/w), 0/1 bit-exact");
    buf_clear(&line);
    convert_summary(
        &(ConvertReport){.weights = 37647040, .source_bytes = 9999999, .t2_bytes = 10000000},
        &line);
    assert_non_null(strstr(buf_str(&line), "9999999 B -> 0.01 GB"));
    buf_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_sources_give_golden_tiles),
        cmocka_unit_test(code_3_is_refused_or_clamped_and_counted),
        cmocka_unit_test(inf_and_nan_scales_are_refused_in_every_format),
        cmocka_unit_test(shapes_that_do_not_divide_are_refused),
        cmocka_unit_test(pairs_of_64_share_a_scale_or_a_half_is_zero),
        cmocka_unit_test(pb16i_groups_convert_or_say_why),
        cmocka_unit_test(pb16i_codes_beyond_ternary_are_counted),
        cmocka_unit_test(pb16i_weights_are_integers_times_a_power_of_two),
        cmocka_unit_test(another_layout_reads_the_same_weights),
        cmocka_unit_test(summary_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
