/* Q4NX chunk kinds for looking at: one byte set at a time, at the places ternary.md 4.2 gives. */
#include "golden.h"

#include "tensor/chunk.h"
#include "tensor/half.h"

static const uint16_t bf16_one = 0x3f80;
static const uint16_t bf16_half = 0x3f00;

static void q4_1_is_code_times_scale_plus_zero(void **state)
{
    (void)state;
    uint8_t *tile = calloc(1, 5120);
    /* (17, 40): group 1, index 49; high half of rows: byte 1024 + 2048 + 320 + 0, high nibble */
    store_le16(tile + 98, bf16_half);
    store_le16(tile + 512 + 98, 0xc000); /* -2 */
    tile[1024 + 2048 + 320] = 0xd0;
    ChunkCell c = chunk_cell(CHUNK_Q4_1, tile, 17, 40);
    assert_int_equal(c.code, 13);
    assert_int_equal(c.bit, 4);
    assert_int_equal(c.code_at, 1024 + 2048 + 320);
    assert_int_equal(c.scale_at, 98);
    assert_int_equal(c.zero_at, 610);
    assert_true(f32_value(c.weight) == 4.5f);
    assert_true(f32_value(chunk_cell(CHUNK_Q4_1, tile, 16, 40).weight) == 0);
    free(tile);
}

static void q4_k_has_two_levels(void **state)
{
    (void)state;
    uint8_t *tile = calloc(1, 4736);
    tile[7 * 32 + 30] = 5;            /* sc of group 7, row 30 */
    tile[256 + 7 * 32 + 30] = 3;      /* mn */
    tile[512 + 255 * 16 + 15] = 0x0c; /* rows 30 (low), 31 of column 255 */
    store_le16(tile + 4608 + 60, bf16_half);
    store_le16(tile + 4672 + 60, 0xbf80); /* -1 */
    ChunkCell c = chunk_cell(CHUNK_Q4_K, tile, 30, 255);
    assert_int_equal(c.code, 12);
    assert_true(f32_value(c.weight) == 0.5f * 5 * 12 - 3);
    free(tile);
}

static void the_two_q8_layouts_agree_on_32_places(void **state)
{
    (void)state;
    uint8_t *tile = calloc(1, 8704);
    for (unsigned i = 0; i < 256; i++)
        store_le16(tile + (size_t)i * 2, bf16_one);
    unsigned same = 0;
    bool seen_a[8192] = {false};
    bool seen_b[8192] = {false};
    for (unsigned r = 0; r < 32; r++) {
        for (unsigned c = 0; c < 256; c++) {
            unsigned a = chunk_cell(CHUNK_Q8A, tile, r, c).code_at;
            unsigned b = chunk_cell(CHUNK_Q8B, tile, r, c).code_at;
            assert_true(a >= 512 && a < 8704 && b >= 512 && b < 8704);
            assert_false(seen_a[a - 512] || seen_b[b - 512]);
            seen_a[a - 512] = seen_b[b - 512] = true;
            same += a == b;
            assert_true(a != b || (r < 16 ? c == 0 : c == 255));
        }
    }
    assert_int_equal(same, 32);
    tile[512 + 3 * 32 + 20] = 0x80;
    assert_true(f32_value(chunk_cell(CHUNK_Q8A, tile, 20, 3).weight) == -128);
    tile[512 + 4096 + 512 + 3 * 16 + 4] = 0x7f;
    assert_true(f32_value(chunk_cell(CHUNK_Q8B, tile, 20, 35).weight) == 127);
    free(tile);
}

static void t2_is_refused_by_name_where_a_chunk_is_wanted(void **state)
{
    (void)state;
    Err err;
    for (int i = 0; i < CHUNK_LAYOUTS; i++) {
        assert_false(chunk_as(KIND_T2, (ChunkLayout)i, "w", &err));
        assert_non_null(strstr(err.text, "w is t2"));
        assert_non_null(strstr(err.text, chunk_name((ChunkLayout)i)));
    }
    assert_false(chunk_as(KIND_CHUNK_Q4_K, CHUNK_Q4_1, "w", &err));
    assert_true(chunk_as(KIND_CHUNK_Q4_1, CHUNK_Q4_1, "w", &err));
    assert_true(chunk_as(KIND_CHUNK_Q8, CHUNK_Q8A, "w", &err));
    assert_true(chunk_as(KIND_CHUNK_Q8, CHUNK_Q8B, "w", &err));
}

static void names_and_sizes(void **state)
{
    (void)state;
    static const unsigned bytes[CHUNK_LAYOUTS] = {5120, 4736, 8704, 8704};
    ChunkLayout layout;
    for (int i = 0; i < CHUNK_LAYOUTS; i++) {
        assert_true(chunk_by_name(chunk_name((ChunkLayout)i), &layout));
        assert_int_equal(layout, i);
        assert_int_equal(chunk_bytes(layout), bytes[i]);
    }
    assert_false(chunk_by_name("q4", &layout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q4_1_is_code_times_scale_plus_zero),
        cmocka_unit_test(q4_k_has_two_levels),
        cmocka_unit_test(the_two_q8_layouts_agree_on_32_places),
        cmocka_unit_test(t2_is_refused_by_name_where_a_chunk_is_wanted),
        cmocka_unit_test(names_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
