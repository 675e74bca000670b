/* Fingerprints: each named where it is seen, and only there; misread tensors by the statistics of
 * their scales. */
#include "golden.h"

#include <unistd.h>

#include "tensor/fingerprint.h"
#include "tensor/half.h"
#include "tensor/t2.h"
#include "tensor/ternary.h"

static bool has_print(const TensorStats *s, TensorKind kind, const char *part)
{
    Fingerprint prints[FINGERPRINTS_MAX];
    unsigned n = stats_fingerprints(s, kind, prints);
    for (unsigned i = 0; i < n; i++) {
        if (strstr(prints[i].seen, part))
            return true;
    }
    return false;
}

static void plain_tile(uint8_t *tile)
{
    memset(tile, 0x66, T2_CODES); /* codes 2 1 2 1 */
    for (unsigned i = 0; i < 64; i++)
        store_le16(tile + T2_CODES + (size_t)i * 2, (uint16_t)(0x2e60 + i * 3));
}

static TensorStats stats_of(const uint8_t *tile)
{
    TensorStats s = {0};
    stats_tile(&s, tile);
    return s;
}

static void fingerprints_are_named_when_seen_and_only_then(void **state)
{
    (void)state;
    uint8_t tile[T2_TILE];
    Fingerprint prints[FINGERPRINTS_MAX];
    plain_tile(tile);
    TensorStats s = stats_of(tile);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);

    store_le16(tile + T2_CODES + 6, 0x5556); /* far from all others */
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "85.3125"));
    for (unsigned i = 0; i < 64; i++) /* among its like it is a scale */
        store_le16(tile + T2_CODES + (size_t)i * 2, (uint16_t)(0x5000 + i * 24));
    store_le16(tile + T2_CODES + 6, 0x5556);
    s = stats_of(tile);
    assert_false(has_print(&s, KIND_T2, "85.3125"));
    plain_tile(tile);
    store_le16(tile + T2_CODES, 0x5556);
    memset(tile + 1000, 0xff, 8); /* nor beside codes that cannot be: 32 of 8192 */
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "85.3125"));
    plain_tile(tile);
    store_le16(tile + T2_CODES + 6, 0x003c); /* far from all others */
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "3.58e-06"));
    for (unsigned n = 0; n < 2; n++) /* one of several subnormals is one */
        store_le16(tile + T2_CODES + (size_t)n * 8 + 64, (uint16_t)(0x0031 + n * 77));
    s = stats_of(tile);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);
    plain_tile(tile);
    store_le16(tile + T2_CODES, 0x8000);
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "scale zero"));
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 1);
    memset(tile, 0x55, T2_ROW_BYTES / 2); /* now an honest group of zeros */
    s = stats_of(tile);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);
    store_le16(tile + T2_CODES, 0x7c00);
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "inf or NaN"));

    memset(tile, 0, sizeof tile);
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "code 0 with scale 0"));
    plain_tile(tile);
    for (unsigned i = 0; i < T2_CODES; i++)
        tile[i] = (uint8_t)(i * 97 + (i >> 3) * 31);
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "a fifth"));
    plain_tile(tile);
    for (unsigned i = 1; i < T2_CODES; i += 34)
        tile[i] = 0x2e; /* the high byte of 0.1 */
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "one place of each 34"));
    tile[20] = 0xc0;
    s = stats_of(tile);
    assert_false(has_print(&s, KIND_T2, "one place of each 34"));
    plain_tile(tile);
    tile[77] = 0xff; /* one damaged byte: four codes 3, but of one period */
    s = stats_of(tile);
    assert_int_equal(s.codes[3], 4);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);
    for (unsigned i = 0; i < 3; i++)
        stats_tile(&s, tile); /* ... of each tile */
    assert_int_equal(s.periods, 4);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);

    plain_tile(tile);
    for (unsigned i = 0; i < 64; i += 2)
        memcpy(tile + T2_CODES + (size_t)i * 2 + 2, tile + T2_CODES + (size_t)i * 2, 2);
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "both scales of every row"));
    for (unsigned i = 0; i < 64; i++)
        store_le16(tile + T2_CODES + (size_t)i * 2, (uint16_t)(0x2e60 + i * 8));
    s = stats_of(tile);
    assert_true(has_print(&s, KIND_T2, "low 3 fraction bits"));
}

static void fingerprints_of_golden_files(void **state)
{
    (void)state;
    TensorStats s;
    Err err;
    Container c = golden_container("tq-32x256.t2");
    assert_true(stats_tensor(&s, &c, c.tensors, NULL, &err));
    assert_true(has_print(&s, KIND_T2, "both scales of every row"));
    container_close(&c);
    c = golden_container("g128-32x256.t2");
    assert_true(stats_tensor(&s, &c, c.tensors, NULL, &err));
    assert_false(has_print(&s, KIND_T2, "both scales of every row"));
    container_close(&c);
    c = golden_container("five-types.gguf");
    for (size_t i = 0; i < 5; i++) {
        assert_true(stats_tensor(&s, &c, &c.tensors[i], NULL, &err));
        assert_int_equal(s.odd_bytes, 0);
        assert_int_equal(s.weights, 8192);
        assert_int_equal(s.codes[3], 0);
    }
    assert_true(has_print(&s, c.tensors[4].kind, "0.28125"));
    /* the same bytes under the wrong group: scales read from codes */
    Tensor wrong = c.tensors[3];
    wrong.kind = KIND_Q2_0_G64;
    wrong.size = 120 * 18;
    assert_true(stats_tensor(&s, &c, &wrong, NULL, &err));
    assert_true(s.codes[3] > 0);
    container_close(&c);
}

/* ---- misread tensors, made of varied scales and codes ---- */

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Ternary codes of n bytes; a share of `zeros` in 256 is code 1, the rest 0 and 2. */
static void noise_codes(uint8_t *bytes, unsigned n, unsigned zeros, uint32_t *seed)
{
    for (unsigned i = 0; i < 4 * n; i++) {
        unsigned code = noise(seed) % 256 < zeros ? 1 : noise(seed) & 2;
        bytes[i / 4] = (uint8_t)((i % 4 ? bytes[i / 4] : 0) | code << i % 4 * 2);
    }
}

/* Scales between 2^-6 and 2^-2, fractions at random. */
static uint16_t noise_scale(uint32_t *seed)
{
    return (uint16_t)(0x2400 + noise(seed) % 0x1000);
}

static void swap_bytes(uint8_t *p)
{
    uint8_t low = p[0];
    p[0] = p[1];
    p[1] = low;
}

/* n blocks of codes and a scale, one after the other. */
static void noise_blocks(uint8_t *out, TensorKind kind, unsigned n, unsigned zeros, bool swapped,
                         uint32_t seed)
{
    const TernaryFormat *f = ternary_format(kind);
    for (unsigned i = 0; i < n; i++, out += f->bytes) {
        noise_codes(out + f->codes_at, f->codes_end - f->codes_at, zeros, &seed);
        store_le16(out + f->scale_at, noise_scale(&seed));
        if (swapped)
            swap_bytes(out + f->scale_at);
    }
}

/* Figures of bytes read as blocks of the kind. */
static TensorStats stats_as(const uint8_t *bytes, size_t size, TensorKind kind)
{
    char path[] = "/tmp/tokstep-test-XXXXXX";
    int fd = mkstemp(path);
    Container c = {.path = path};
    Tensor t = {.name = "t", .kind = kind, .size = size};
    TensorStats s;
    Err err;
    assert_true(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
    assert_true(file_map(&c.map, path, &err));
    unlink(path);
    assert_true(stats_tensor(&s, &c, &t, NULL, &err));
    file_unmap(&c.map);
    return s;
}

static void swapped_scales_are_seen_by_their_spread(void **state)
{
    (void)state;
    static const TensorKind kinds[] = {KIND_TQ1_0, KIND_TQ2_0,    KIND_PTQ1_0,
                                       KIND_PQ2_0, KIND_Q2_0_G64, KIND_Q2_0_G128};
    static uint8_t bytes[64 * 66];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (unsigned swapped = 0; swapped < 2; swapped++) {
            noise_blocks(bytes, kinds[i], 64, 85, swapped, (uint32_t)i);
            TensorStats s = stats_as(bytes, 64u * ternary_format(kinds[i])->bytes, kinds[i]);
            assert_int_equal(s.scales, 64);
            assert_int_equal(has_print(&s, kinds[i], "big-endian"), swapped);
        }
    }
    uint8_t tile[T2_TILE];
    Fingerprint prints[FINGERPRINTS_MAX];
    uint32_t seed = 7;
    plain_tile(tile);
    for (unsigned i = 0; i < 64; i++) {
        store_le16(tile + T2_CODES + (size_t)i * 2, noise_scale(&seed));
        swap_bytes(tile + T2_CODES + (size_t)i * 2);
    }
    store_le16(tile + T2_CODES, 0x7c2d); /* 0x2d7c; as read a NaN, of no amax */
    TensorStats s = stats_of(tile);
    assert_true(s.classes[HALF_NAN] > 0);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 1);
    assert_string_equal(prints[0].seen, "scale bytes swapped (big-endian)");
    unsigned when_swapped, as_read;
    assert_int_equal(sscanf(prints[0].cause,
                            "%u %% of them lie within 8 exponents when swapped, %u %% as read",
                            &when_swapped, &as_read),
                     2);
    assert_int_equal(when_swapped, 100);
    assert_in_range(as_read, 25, 50);
    for (unsigned i = 0; i < 64; i++) /* powers of two, far apart: subnormals when swapped */
        store_le16(tile + T2_CODES + (size_t)i * 2, (uint16_t)((i % 30 + 1) << 10));
    s = stats_of(tile);
    assert_false(has_print(&s, KIND_T2, "big-endian"));
    for (unsigned i = 0; i < 64; i++) /* any number whatever, of both signs */
        store_le16(tile + T2_CODES + (size_t)i * 2,
                   (uint16_t)((i + 1) * 0x0431 % 0x7c00 | i % 2 << 15));
    s = stats_of(tile);
    assert_int_equal(stats_fingerprints(&s, KIND_T2, prints), 0);
}

static void a_wrong_group_is_seen_by_scales_like_codes(void **state)
{
    (void)state;
    static uint8_t bytes[9216];
    for (uint32_t seed = 0; seed < 20; seed++) {
        unsigned zeros = 60 + seed * 5; /* to 61 % */
        noise_blocks(bytes, KIND_Q2_0_G64, 128, zeros, false, seed);
        TensorStats s = stats_as(bytes, 128 * 18, KIND_Q2_0_G64);
        assert_false(has_print(&s, KIND_Q2_0_G64, "code bytes"));
        s = stats_as(bytes, 67 * 34, KIND_Q2_0_G128);
        assert_true(has_print(&s, KIND_Q2_0_G128, "code bytes"));
        assert_false(has_print(&s, KIND_Q2_0_G128, "big-endian"));
        noise_blocks(bytes, KIND_Q2_0_G128, 64, zeros, false, seed);
        s = stats_as(bytes, 64 * 34, KIND_Q2_0_G128);
        assert_false(has_print(&s, KIND_Q2_0_G128, "code bytes"));
        s = stats_as(bytes, 120 * 18, KIND_Q2_0_G64);
        assert_true(has_print(&s, KIND_Q2_0_G64, "code bytes"));
        assert_false(has_print(&s, KIND_Q2_0_G64, "big-endian"));
    }
    /* codes 3 alone, which these formats may hold, are no evidence */
    noise_blocks(bytes, KIND_Q2_0_G128, 64, 85, false, 1);
    memset(bytes + 2, 0xff, 32);
    TensorStats s = stats_as(bytes, 64 * 34, KIND_Q2_0_G128);
    assert_int_equal(s.codes[3], 128);
    assert_false(has_print(&s, KIND_Q2_0_G128, "code bytes"));
}

/* Nothing but what their makers put there is found in the golden tensors. */
static void varied_golden_scales_are_not_suspected(void **state)
{
    static const char *const names[] = {
        "g128-32x256.t2",     "mixed-64x512.t2",   "pb16i-32x256.t2", "q1_0-32x256.t2",
        "reserved-64x512.t2", "special-32x256.t2", "tq-32x256.t2",    "tq2_0-clamped-32x256.t2",
        "five-types.gguf",    "id42-g128.gguf",    "two-tensors.q4nx"};
    static const char *const never[] = {"big-endian", "code bytes", "85.3125", "3.58e-06",
                                        "code 3"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Container c = golden_container(names[i]);
        for (size_t t = 0; t < c.count; t++) {
            TensorStats s;
            Err err;
            assert_true(stats_tensor(&s, &c, &c.tensors[t], NULL, &err));
            for (size_t k = 0; k < sizeof never / sizeof *never; k++)
                assert_false(has_print(&s, c.tensors[t].kind, never[k]));
            assert_int_equal(has_print(&s, c.tensors[t].kind, "inf or NaN"),
                             strcmp(names[i], "special-32x256.t2") == 0);
        }
        container_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints_are_named_when_seen_and_only_then),
        cmocka_unit_test(fingerprints_of_golden_files),
        cmocka_unit_test(swapped_scales_are_seen_by_their_spread),
        cmocka_unit_test(a_wrong_group_is_seen_by_scales_like_codes),
        cmocka_unit_test(varied_golden_scales_are_not_suspected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
