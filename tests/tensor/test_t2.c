/* Tiles: addresses, decoding, packing, searching, and the vector forms against the portable one. */
#include "golden.h"

#include <math.h>

#include "tensor/cell.h"
#include "tensor/kernel.h"
#include "tensor/t2.h"

static void corners_are_where_the_format_says(void **state)
{
    (void)state;
    static const struct {
        unsigned r, c, byte, bit, scale;
    } corners[] = {
        {0, 0, 0, 0, 2048},  {0, 127, 31, 6, 2048},    {0, 128, 32, 0, 2050},
        {1, 0, 64, 0, 2052}, {31, 255, 2047, 6, 2174},
    };
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        assert_int_equal(t2_code_at(corners[i].r, corners[i].c), corners[i].byte);
        assert_int_equal(t2_code_bit(corners[i].c), corners[i].bit);
        assert_int_equal(t2_scale_at(corners[i].r, corners[i].c), corners[i].scale);
    }
}

static void shapes_that_t2_cannot_hold_are_refused_by_name(void **state)
{
    (void)state;
    uint64_t bytes;
    Err err;
    assert_true(t2_bytes(17408, 5120, &bytes, &err));
    assert_int_equal(bytes, 23674880);
    assert_false(t2_bytes(32, 2688, &bytes, &err));
    assert_non_null(strstr(err.text, "K is 2688"));
    assert_false(t2_bytes(33, 256, &bytes, &err));
    assert_non_null(strstr(err.text, "N is 33"));
    assert_false(t2_bytes(0, 256, &bytes, &err));
    assert_false(t2_bytes(32, 0, &bytes, &err));
    assert_false(t2_bytes(UINT64_C(1) << 60, UINT64_C(1) << 60, &bytes, &err));
    assert_false(t2_bytes(UINT64_C(1) << 31, UINT64_C(1) << 31, &bytes, &err)); /* * 4 wraps */
}

static void check_unpack(const char *tiles_name, const char *floats_name, uint64_t n, uint64_t k)
{
    size_t size;
    size_t want_size;
    uint8_t *tiles = golden(tiles_name, &size);
    uint8_t *want = golden(floats_name, &want_size);
    assert_int_equal(size, n / 32 * (k / 256) * T2_TILE);
    assert_int_equal(want_size, n * k * 4);
    float *out = malloc(want_size);
    t2_unpack(tiles, n, k, out);
    assert_memory_equal(out, want, want_size);
    for (uint64_t r = 0; r < n; r++) {
        float row[512];
        t2_unpack_row(tiles + r / 32 * (k / 256) * T2_TILE, k, r % 32, row);
        assert_memory_equal(row, want + r * k * 4, k * 4);
    }
    free(out);
    free(want);
    free(tiles);
}

static void golden_tiles_decode_to_golden_floats_bit_for_bit(void **state)
{
    (void)state;
    check_unpack("mixed-64x512.t2", "mixed-64x512.f32", 64, 512);
    check_unpack("reserved-64x512.t2", "reserved-64x512.f32", 64, 512);
    check_unpack("special-32x256.t2", "special-32x256.f32", 32, 256);
}

/* A tile of pseudo-random bytes; every fourth scale is one of the special ones. */
static void random_tile(uint8_t *tile, uint32_t seed)
{
    static const uint16_t special[8] = {0, 0x8000, 0x0001, 0x8011, 0x7c00, 0xfc00, 0x7e01, 0xfdff};
    for (unsigned i = 0; i < T2_TILE; i++) {
        seed = seed * 1664525 + 1013904223;
        tile[i] = (uint8_t)(seed >> 24);
    }
    for (unsigned i = 0; i < 16; i++)
        store_le16(tile + T2_CODES + (size_t)i * 8, special[i % 8]);
}

static void every_vector_form_gives_the_portable_bits(void **state)
{
    (void)state;
    uint8_t *tile = malloc(T2_TILE);
    float *want = malloc(T2_ROWS * T2_COLS * sizeof *want);
    float *got = aligned_alloc(32, (T2_ROWS * T2_COLS + 8) * sizeof *got);
    size_t forms = 0;
    for (; kernel_at(forms); forms++) {
        const Kernel *k = kernel_at(forms);
        for (uint32_t seed = 0; seed < 200; seed++) {
            random_tile(tile, seed);
            kernel_portable.unpack(tile, 0, T2_ROWS, want, T2_COLS, false);
            for (unsigned way = 0; way < 3; way++) { /* cached, streamed, misaligned */
                float *out = got + (way == 2);
                memset(got, 0xa5, T2_ROWS * T2_COLS * sizeof *got);
                k->unpack(tile, 0, T2_ROWS, out, T2_COLS, way == 1);
                k->fence();
                assert_memory_equal(out, want, T2_ROWS * T2_COLS * sizeof *want);
            }
            uint64_t counts[4] = {1, 2, 3, 4};
            uint64_t want_counts[4] = {1, 2, 3, 4};
            k->count(tile, T2_CODES, counts);
            kernel_portable.count(tile, T2_CODES, want_counts);
            assert_memory_equal(counts, want_counts, sizeof counts);
            assert_int_equal(k->clean(tile), kernel_portable.clean(tile));
        }
        for (unsigned c = 0; c < T2_COLS; c++) { /* one reserved code alone, anywhere */
            memset(tile, 0xaa, T2_TILE);
            assert_true(k->clean(tile));
            tile[t2_code_at(c % 32, c)] |= (uint8_t)(3 << t2_code_bit(c));
            assert_false(k->clean(tile));
        }
        for (unsigned h = 0; h < 65536; h++) { /* one scale alone; 7bff and its like are finite */
            memset(tile, 0x66, T2_CODES);
            memset(tile + T2_CODES, 0xbb, T2_TILE - T2_CODES);
            store_le16(tile + t2_scale_at(h % 32, h % 256), (uint16_t)h);
            assert_int_equal(k->clean(tile), (h & 0x7c00) != 0x7c00);
        }
    }
    assert_ptr_equal(kernel_best(), kernel_at(forms - 1));
    free(got);
    free(want);
    free(tile);
}

static void portable_counts_are_right(void **state)
{
    (void)state;
    uint8_t bytes[8] = {0x1b, 0xff, 0x00, 0x55, 0xaa, 0xe4, 0x03, 0x40}; /* 1b: codes 3 2 1 0 */
    uint64_t counts[4] = {0};
    kernel_portable.count(bytes, sizeof bytes, counts);
    assert_int_equal(counts[0], 1 + 4 + 1 + 3 + 3);
    assert_int_equal(counts[1], 1 + 4 + 1 + 1);
    assert_int_equal(counts[2], 1 + 4 + 1);
    assert_int_equal(counts[3], 1 + 4 + 1 + 1);
}

static void levels_of_every_scale_are_code_times_scale(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        uint32_t w[4];
        t2_levels((uint16_t)h, w);
        float s = f32_value(half_to_f32((uint16_t)h));
        for (int code = 0; code < 3; code++) {
            volatile float product = (float)(code - 1) * s; /* IEEE at run time */
            uint32_t want = product != product ? F32_NAN : f32_bits(product);
            assert_int_equal(w[code], want);
        }
        assert_int_equal(w[3], 0);
    }
}

static void reserved_codes_are_counted_and_found(void **state)
{
    (void)state;
    size_t size;
    uint8_t *tiles = golden("reserved-64x512.t2", &size);
    static const T2Place want[] = {{0, 0, 0}, {0, 5, 130}, {3, 1, 1}, {3, 31, 255}};
    assert_int_equal(t2_reserved(tiles, 4), 4);
    T2Place at = {0};
    for (size_t i = 0; i < 4; i++) {
        assert_true(t2_find_reserved(tiles, 4, &at));
        assert_int_equal(at.tile, want[i].tile);
        assert_int_equal(at.row, want[i].row);
        assert_int_equal(at.col, want[i].col);
        t2_place_next(&at, 1);
    }
    assert_false(t2_find_reserved(tiles, 4, &at));
    free(tiles);
}

static void special_scales_are_found_in_order(void **state)
{
    (void)state;
    size_t size;
    uint8_t *tile = golden("special-32x256.t2", &size);
    unsigned found = 0;
    T2Place at = {0, 0, 5}; /* inside group 0 of row 0: that scale has gone by */
    while (t2_find_special_scale(tile, 1, &at)) {
        assert_int_not_equal(half_class(t2_scale(tile, at.row, at.col)), HALF_NORMAL);
        assert_int_equal(at.col % T2_GROUP, 0);
        found++;
        t2_place_next(&at, T2_GROUP);
    }
    assert_int_equal(found, 12); /* 2 nan, 2 inf, 5 subnormal, 4 zero, less the one skipped */
    free(tile);
}

/* ---- pack ---- */

static void fill(float *group, float even, float odd)
{
    for (unsigned i = 0; i < T2_GROUP; i++)
        group[i] = i % 2 ? odd : even;
}

static bool pack(const float *group, uint8_t *codes, uint16_t *scale, T2PackFault *fault)
{
    uint32_t bits[T2_GROUP];
    memcpy(bits, group, sizeof bits);
    return t2_pack_group(bits, codes, scale, fault);
}

static void pack_takes_the_sign_of_the_scale_from_the_zeros(void **state)
{
    (void)state;
    float g[T2_GROUP];
    uint8_t codes[32];
    uint16_t scale;
    T2PackFault fault;
    fill(g, 1.5f, 0.0f);
    assert_true(pack(g, codes, &scale, &fault));
    assert_int_equal(scale, 0x3e00);
    assert_int_equal(codes[0], 0x66); /* 2 1 2 1 */
    fill(g, 1.5f, -0.0f);
    assert_true(pack(g, codes, &scale, &fault));
    assert_int_equal(scale, 0xbe00);
    assert_int_equal(codes[0], 0x44); /* 0 1 0 1 */
    fill(g, -0x1p-24f, 0x1p-24f);
    assert_true(pack(g, codes, &scale, &fault));
    assert_int_equal(scale, 0x0001);
    assert_int_equal(codes[31], 0x88); /* 0 2 0 2 */
    fill(g, 0.0f, 0.0f);
    assert_true(pack(g, codes, &scale, &fault));
    assert_int_equal(scale, 0);
    assert_int_equal(codes[0], 0x55);
    fill(g, -0.0f, -0.0f);
    assert_true(pack(g, codes, &scale, &fault));
    assert_int_equal(scale, 0x8000);
    assert_int_equal(codes[31], 0x55);
}

static void pack_refuses_what_is_not_exact(void **state)
{
    (void)state;
    static const struct {
        float even, odd, at_100;
        unsigned column;
        const char *why;
    } bad[] = {
        {1, 0, 2, 100, "second magnitude"}, {1, 0, -0.0f, 100, "+0.0 and -0.0"},
        {1, 1, INFINITY, 100, "finite"},    {0.1f, 0, 0, 0, "not exact in fp16"},
        {-0.0f, 0, 0, 1, "+0.0 and -0.0"},  {70000, 70000, 70000, 0, "not exact in fp16"},
        {0, 0, 0x1p-25f, 100, "not exact"}, {1, -1, 1.0009765625f, 100, "second magnitude"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        float g[T2_GROUP];
        uint8_t codes[32];
        uint16_t scale;
        T2PackFault fault;
        fill(g, bad[i].even, bad[i].odd);
        g[100] = bad[i].at_100;
        assert_false(pack(g, codes, &scale, &fault));
        assert_int_equal(fault.column, bad[i].column);
        assert_non_null(strstr(fault.why, bad[i].why));
    }
}

static void pack_of_golden_floats_gives_the_golden_tile(void **state)
{
    (void)state;
    static const char *const names[] = {"q1_0-32x256.t2", "pb16i-32x256.t2", "tq-32x256.t2"};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        uint8_t *want = golden(names[i], &size);
        float *floats = malloc(32 * 256 * sizeof *floats);
        float *again = malloc(32 * 256 * sizeof *again);
        uint8_t *tile = malloc(T2_TILE);
        unsigned row;
        T2PackFault fault;
        t2_unpack(want, 32, 256, floats);
        assert_true(t2_pack_tile(floats, 256, tile, &row, &fault));
        t2_unpack(tile, 32, 256, again);
        assert_memory_equal(again, floats, 32 * 256 * sizeof *floats);
        free(tile);
        free(again);
        free(floats);
        free(want);
    }
}

/* ---- what wrong decoders show ---- */

static float reading(const WrongReading *w, const char *name, bool *differs)
{
    for (unsigned i = 0; i < WRONG_READINGS; i++) {
        if (strcmp(w[i].name, name) == 0) {
            *differs = w[i].differs;
            return f32_value(w[i].weight);
        }
    }
    fail_msg("no reading %s", name);
    return 0;
}

static void wrong_decoders_show_their_bugs(void **state)
{
    (void)state;
    uint8_t *tile = malloc(T2_TILE);
    WrongReading w[WRONG_READINGS];
    bool differs;
    for (unsigned i = 0; i < T2_CODES; i++)
        tile[i] = 0x5b; /* codes 3 2 1 1 */
    for (unsigned i = 0; i < 64; i++)
        store_le16(tile + T2_CODES + (size_t)i * 2, (uint16_t)(0x3c00 + i));
    wrong_readings(tile, 0, 0, w);
    assert_true(reading(w, "code - 1", &differs) == 2.0f && differs);
    assert_true(reading(w, "bytes swapped", &differs) == 0.0f && !differs);
    wrong_readings(tile, 0, 1, w);
    assert_true(reading(w, "code - 1", &differs) == 1.0f && !differs);
    assert_true((double)reading(w, "bytes swapped", &differs) == 0x3c * 0x1p-24 && differs);
    store_le16(tile + t2_scale_at(3, 0), 0x0011);
    wrong_readings(tile, 3, 1, w);
    assert_true(reading(w, "subnormal flushed", &differs) == 0.0f && differs);
    store_le16(tile + t2_scale_at(3, 0), 0x3c04);
    wrong_readings(tile, 3, 1, w);
    assert_true(reading(w, "scale as bf16", &differs) == 1.0f && differs);
    /* scale (3, g0) read at half 3 instead of half 6: row 1, group 1 */
    assert_true(reading(w, "scale index g*32 + r", &differs) ==
                    f32_value(half_to_f32(0x3c00 + 3)) &&
                differs);
    tile[t2_code_at(5, 128)] = 0x54; /* column 128: -1; column 0 stays reserved */
    wrong_readings(tile, 5, 128, w);
    assert_true(reading(w, "group term forgotten", &differs) == 0.0f && differs);
    store_le16(tile + t2_scale_at(3, 0), 0x7e00);
    wrong_readings(tile, 3, 1, w);
    assert_int_equal(w[0].weight, F32_NAN);
    assert_false(w[0].differs);
    free(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_where_the_format_says),
        cmocka_unit_test(shapes_that_t2_cannot_hold_are_refused_by_name),
        cmocka_unit_test(golden_tiles_decode_to_golden_floats_bit_for_bit),
        cmocka_unit_test(every_vector_form_gives_the_portable_bits),
        cmocka_unit_test(portable_counts_are_right),
        cmocka_unit_test(levels_of_every_scale_are_code_times_scale),
        cmocka_unit_test(reserved_codes_are_counted_and_found),
        cmocka_unit_test(special_scales_are_found_in_order),
        cmocka_unit_test(pack_takes_the_sign_of_the_scale_from_the_zeros),
        cmocka_unit_test(pack_refuses_what_is_not_exact),
        cmocka_unit_test(pack_of_golden_floats_gives_the_golden_tile),
        cmocka_unit_test(wrong_decoders_show_their_bugs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
