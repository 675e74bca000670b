/* Tiles of every kind, byte for byte and cell for cell; searching; edits in memory. */
#include "golden.h"

#include "tensor/find.h"
#include "tensor/stats.h"
#include "tensor/tile.h"

static Container c;

static Tensor open_golden(const char *name, const char *tensor, uint64_t rows, uint64_t cols)
{
    char path[256];
    Tensor t;
    Err err = {0};
    snprintf(path, sizeof path, T2_GOLDEN "%s", name);
    if (!container_open(&c, path, &err))
        fail_msg("%s", err.text);
    const Tensor *found = container_find(&c, tensor, &err);
    assert_non_null(found);
    if (!tensor_shaped(&c, found, rows, cols, &t, &err))
        fail_msg("%s", err.text);
    return t;
}

static void chunk_byte_is_the_inverse_of_chunk_cell(void **state)
{
    (void)state;
    uint8_t *tile = calloc(1, 8704);
    for (int l = 0; l < CHUNK_LAYOUTS; l++) {
        ChunkLayout layout = (ChunkLayout)l;
        for (unsigned r = 0; r < TILE_ROWS; r++) {
            for (unsigned col = 0; col < TILE_COLS; col++) {
                ChunkCell cell = chunk_cell(layout, tile, r, col);
                ChunkByte b = chunk_byte(layout, cell.code_at);
                assert_int_equal(b.part, CHUNK_CODE);
                assert_int_equal(b.row, l == CHUNK_Q8A || l == CHUNK_Q8B ? r : r & ~1u);
                assert_int_equal(b.col, col);
                b = chunk_byte(layout, cell.scale_at + 1);
                assert_int_equal(b.part, CHUNK_SCALE);
                assert_int_equal(b.row, r);
                assert_int_equal(b.col, l == CHUNK_Q4_K ? 0 : col / 32 * 32);
                if (cell.has_zero)
                    assert_int_equal(chunk_byte(layout, cell.zero_at).part, CHUNK_ZERO);
            }
        }
    }
    ChunkByte mn = chunk_byte(CHUNK_Q4_K, 256 + 7 * 32 + 30);
    assert_int_equal(mn.part, CHUNK_ZERO);
    assert_int_equal(mn.row, 30);
    assert_int_equal(mn.col, 224);
    free(tile);
}

/* Every byte of the tile is in one line, and is what its cells say it is. */
static void check_tile(const Tile *tile, uint64_t expected_bytes)
{
    uint64_t bytes = 0;
    unsigned line;
    for (unsigned i = 0; i < tile->lines; i++) {
        TileRun run = tile_line(tile, i);
        assert_in_range(run.n, 1, TILE_LINE);
        bytes += run.n;
        for (unsigned k = 0; k < run.n; k++) {
            assert_true(tile_line_of(tile, run.at + k, &line));
            assert_int_equal(line, i);
            TileByte b = tile_byte(tile, run.at + k);
            TileCell cell = tile_cell(tile, b.row, b.col);
            if (b.field == FIELD_CODE)
                assert_true(cell.cell.code_at == run.at + k);
            else if (b.field == FIELD_SCALE)
                assert_true(run.at + k - cell.cell.scale_at < 2);
        }
    }
    assert_int_equal(bytes, expected_bytes);
    for (unsigned r = 0; r < tile->rows; r++) {
        for (unsigned col = 0; col < tile->cols; col++) {
            TileCell cell = tile_cell(tile, r, col);
            assert_true(tile_line_of(tile, cell.cell.code_at, &line));
            assert_int_equal(tile_byte(tile, cell.cell.code_at).field, FIELD_CODE);
            assert_true(tile_line_of(tile, cell.cell.scale_at, &line));
            assert_int_equal(tile_byte(tile, cell.cell.scale_at).field, FIELD_SCALE);
        }
    }
}

static void every_byte_of_every_kind_has_its_place(void **state)
{
    static const struct {
        const char *file, *tensor;
        uint64_t rows, cols, tiles, bytes;
    } files[] = {
        {"mixed-64x512.t2", NULL, 64, 512, 4, 2176},
        {"pb16i-32x256.bin", NULL, 0, 0, 1, 32 * (128 + 16 + 1)},
        {"five-types.gguf", "blk.0.ffn_up.weight", 0, 0, 1, 32 * 54},
        {"five-types.gguf", "blk.0.ffn_down.weight", 0, 0, 1, 32 * 66},
        {"five-types.gguf", "blk.1.ffn_up.weight", 0, 0, 1, 32 * 56},
        {"five-types.gguf", "blk.1.ffn_down.weight", 0, 0, 1, 32 * 68},
        {"id42-g128.gguf", "b.weight", 0, 0, 1, 32 * 68},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Tensor t = open_golden(files[i].file, files[i].tensor, files[i].rows, files[i].cols);
        assert_int_equal(tile_count(&t), files[i].tiles);
        for (uint64_t k = 0; k < files[i].tiles; k++) {
            Tile tile = tile_at(&c, &t, CHUNK_Q8A, k);
            uint64_t index;
            check_tile(&tile, files[i].bytes);
            assert_true(tile_of_byte(&c, &t, CHUNK_Q8A, tile_line(&tile, 5).at, &index));
            assert_int_equal(index, k);
        }
        container_close(&c);
    }
}

/* ternary.md section 0, "Corner checks", of the tile in row 1, column 1. */
static void corners_of_a_t2_tile(void **state)
{
    (void)state;
    Tensor t = open_golden("mixed-64x512.t2", NULL, 64, 512);
    Tile tile = tile_at(&c, &t, CHUNK_Q8A, 3);
    assert_int_equal(tile.i, 1);
    assert_int_equal(tile.j, 1);
    assert_int_equal(tile.row0, 32);
    assert_int_equal(tile.col0, 256);
    assert_int_equal(tile.at, 3 * 2176);
    TileCell cell = tile_cell(&tile, 31, 255);
    assert_int_equal(cell.cell.code_at, 3 * 2176 + 2047);
    assert_int_equal(cell.cell.bit, 6);
    assert_int_equal(cell.cell.scale_at, 3 * 2176 + 2174);
    TileByte b = tile_byte(&tile, 3 * 2176 + 2052 + 3);
    assert_int_equal(b.field, FIELD_SCALE);
    assert_int_equal(b.row, 1);
    assert_int_equal(b.col, 128);
    uint64_t index;
    assert_false(tile_of_byte(&c, &t, CHUNK_Q8A, 4 * 2176, &index));
    container_close(&c);
}

/* The README of the golden files: code 3 at (0,0) (5,130) (33,257) (63,511). */
static void the_four_reserved_codes_are_found_in_turn(void **state)
{
    static const uint64_t places[][2] = {{5, 130}, {33, 257}, {63, 511}, {0, 0}};
    (void)state;
    Tensor t = open_golden("reserved-64x512.t2", NULL, 64, 512);
    uint64_t row = 0, col = 0;
    bool wrapped = false;
    Err err = {0};
    for (int i = 0; i < 4; i++) {
        assert_true(tensor_find(&c, &t, FIND_RESERVED, &row, &col, &wrapped, NULL, &err));
        assert_int_equal(row, places[i][0]);
        assert_int_equal(col, places[i][1]);
        assert_int_equal(wrapped, i == 3);
    }
    container_close(&c);
}

/* ... and scales inf, -inf, two NaNs, -0, 0, -2^-24 in group 0 of rows 0..6 of special-32x256. */
static void special_scales_are_found_in_turn(void **state)
{
    (void)state;
    Tensor t = open_golden("special-32x256.t2", NULL, 32, 256);
    uint64_t row = 31, col = 255;
    bool wrapped = false;
    Err err = {0};
    for (uint64_t i = 0; i <= 6; i++) {
        assert_true(tensor_find(&c, &t, FIND_SPECIAL, &row, &col, &wrapped, NULL, &err));
        assert_int_equal(row, i);
        assert_int_equal(col, 0);
    }
    container_close(&c);
    t = open_golden("five-types.gguf", "blk.0.ffn_down.weight", 0, 0);
    row = col = 0;
    assert_true(tensor_find(&c, &t, FIND_SPECIAL, &row, &col, &wrapped, NULL, &err));
    assert_false(tensor_find(&c, &t, FIND_RESERVED, &row, &col, &wrapped, NULL, &err));
    assert_non_null(strstr(err.text, "has no code 3"));
    container_close(&c);
    t = open_golden("pb16i-32x256.bin", NULL, 0, 0);
    assert_false(tensor_find(&c, &t, FIND_RESERVED, &row, &col, &wrapped, NULL, &err));
    container_close(&c);
}

/* Of a tensor of one tile, the tile has what the tensor has. */
static void a_tile_counts_as_the_tensor_does(void **state)
{
    static const char *const names[] = {"blk.0.ffn_up.weight", "blk.0.ffn_down.weight",
                                        "blk.1.ffn_up.weight", "blk.1.ffn_down.weight"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        Tensor t = open_golden("five-types.gguf", names[i], 0, 0);
        TensorStats whole, tile = {0};
        Tile first = tile_at(&c, &t, CHUNK_Q8A, 0);
        Err err = {0};
        assert_true(stats_tensor(&whole, &c, &t, NULL, &err));
        stats_window(&tile, &first);
        assert_int_equal(tile.weights, 32 * 256);
        assert_memory_equal(tile.codes, whole.codes, sizeof tile.codes);
        assert_memory_equal(tile.exponents, whole.exponents, sizeof tile.exponents);
        assert_int_equal(tile.bf16_exact, whole.bf16_exact);
        assert_int_equal(tile.odd_bytes, whole.odd_bytes);
        container_close(&c);
    }
}

static void an_edit_is_seen_by_every_reader_and_not_by_the_file(void **state)
{
    (void)state;
    Tensor t = open_golden("mixed-64x512.t2", NULL, 64, 512);
    Err err = {0};
    uint8_t before[4], after[4], all[8704], again[8704];
    assert_true(file_read_at(&c.map, 4094, before, sizeof before, &err));
    assert_true(file_read_at(&c.map, 0, all, sizeof all, &err));
    /* both sides of a page */
    assert_true(file_poke(&c.map, 4095, 0x5b, &err));
    assert_true(file_poke(&c.map, 4096, 0xff, &err));
    assert_true(file_read_at(&c.map, 4094, after, sizeof after, &err));
    assert_int_equal(after[0], before[0]);
    assert_int_equal(after[1], 0x5b);
    assert_int_equal(after[2], 0xff);
    assert_int_equal(after[3], before[3]);
    assert_int_equal(c.map.data[4096], 0xff);
    file_forget(&c.map, 0, c.map.size);
    assert_int_equal(c.map.data[4096], 0xff);
    uint64_t row = 0, col = 0;
    bool wrapped = false;
    assert_true(tensor_find(&c, &t, FIND_RESERVED, &row, &col, &wrapped, NULL, &err));
    /* byte 4095 is byte 1919 of tile (0,1): row 29, columns 252..255; 5b holds code 3 first */
    assert_int_equal(row, 29);
    assert_int_equal(col, 256 + 252);
    assert_false(file_poke(&c.map, 8704, 0, &err));
    assert_non_null(strstr(err.text, "no byte 8704, the file has 8704"));
    assert_true(file_poke(&c.map, 4095, before[1], &err));
    assert_true(file_poke(&c.map, 4096, before[2], &err));
    assert_true(file_read_at(&c.map, 0, again, sizeof again, &err));
    assert_memory_equal(all, again, sizeof all);
    container_close(&c);
    open_golden("mixed-64x512.t2", NULL, 64, 512);
    assert_memory_equal(all, c.map.data, sizeof all);
    container_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunk_byte_is_the_inverse_of_chunk_cell),
        cmocka_unit_test(every_byte_of_every_kind_has_its_place),
        cmocka_unit_test(corners_of_a_t2_tile),
        cmocka_unit_test(the_four_reserved_codes_are_found_in_turn),
        cmocka_unit_test(special_scales_are_found_in_turn),
        cmocka_unit_test(a_tile_counts_as_the_tensor_does),
        cmocka_unit_test(an_edit_is_seen_by_every_reader_and_not_by_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
