/* Containers opened through the one door: what they hold, every cell of every golden tensor
 * against golden floats, statistics. (Malformed files: tests/cli/.) */
#include "golden.h"

#include <unistd.h>

#include "tensor/cell.h"
#include "tensor/container.h"
#include "tensor/half.h"
#include "tensor/stats.h"
#include "tensor/t2.h"
#include "tensor/verify.h"

/* Every cell of a 32x256 tensor has the weight of the golden tile, and is where it says. */
static void check_cells(const Container *c, const Tensor *t, const char *tile_name)
{
    size_t size;
    uint8_t *tile = golden(tile_name, &size);
    Err err;
    assert_int_equal(t->rows, 32);
    assert_int_equal(t->cols, 256);
    for (unsigned row = 0; row < 32; row++) {
        for (unsigned col = 0; col < 256; col++) {
            TensorCell cell;
            assert_true(tensor_cell(c, t, row, col, &cell, &err));
            assert_int_equal(cell.weight, t2_weight(tile, row, col));
            assert_in_range(cell.code_at, t->offset, t->offset + t->size - 1);
            assert_in_range(cell.scale_at, t->offset, t->offset + t->size - 2);
            if (cell.bits == 2)
                assert_int_equal(c->map.data[cell.code_at] >> cell.bit & 3, cell.code);
            if (t->kind != KIND_PB16I)
                assert_int_equal(load_le16(c->map.data + cell.scale_at), cell.scale);
        }
    }
    TensorCell cell;
    assert_false(tensor_cell(c, t, 32, 0, &cell, &err));
    assert_false(tensor_cell(c, t, 0, 256, &cell, &err));
    free(tile);
}

static void five_types_in_a_gguf(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        TensorKind kind;
        uint64_t offset, size;
        const char *tile;
    } want[] = {
        {"blk.0.ffn_up.weight", KIND_TQ1_0, 384, 1728, "tq-32x256.t2"},
        {"blk.0.ffn_down.weight", KIND_TQ2_0, 2112, 2112, "tq-32x256.t2"},
        {"blk.1.ffn_up.weight", KIND_PTQ1_0, 4224, 1792, "g128-32x256.t2"},
        {"blk.1.ffn_down.weight", KIND_PQ2_0, 6016, 2176, "g128-32x256.t2"},
        {"output.weight", KIND_Q2_0_G64, 8192, 2304, "g128-32x256.t2"},
    };
    Container c = golden_container("five-types.gguf");
    assert_int_equal(c.kind, CONTAINER_GGUF);
    assert_int_equal(c.version, 3);
    assert_int_equal(c.count, 5);
    assert_string_equal(c.architecture, "tokstep");
    for (size_t i = 0; i < 5; i++) {
        Err err;
        const Tensor *t = container_find(&c, want[i].name, &err);
        assert_non_null(t);
        assert_int_equal(t->kind, want[i].kind);
        assert_int_equal(t->offset, want[i].offset);
        assert_int_equal(t->size, want[i].size);
        check_cells(&c, t, want[i].tile);
    }
    container_close(&c);
}

static void id_42_is_decided_by_the_offsets(void **state)
{
    (void)state;
    Container c = golden_container("id42-g128.gguf");
    Tensor t;
    Err err;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(c.tensors[i].kind, KIND_Q2_0_G128);
        check_cells(&c, &c.tensors[i], "g128-32x256.t2");
    }
    assert_true(tensor_grouped(&c, &c.tensors[0], 128, &t, &err));
    assert_false(tensor_grouped(&c, &c.tensors[0], 64, &t, &err));
    assert_non_null(strstr(err.text, "groups of 128, not 64"));
    container_close(&c);
}

static void q4nx_shapes(void **state)
{
    (void)state;
    Container c = golden_container("two-tensors.q4nx");
    Err err;
    Tensor t;
    assert_int_equal(c.kind, CONTAINER_Q4NX);
    assert_string_equal(container_meta(&c, "format"), "q4nx");
    const Tensor *cube = container_find(&c, "model.layers.0.mlp.down_proj.weight", &err);
    check_cells(&c, cube, "g128-32x256.t2");
    assert_false(tensor_shaped(&c, cube, 64, 256, &t, &err));
    const Tensor *flat = container_find(&c, "model.layers.0.mlp.up_proj.weight", &err);
    assert_int_equal(flat->rows, 0);
    assert_int_equal(tensor_tiles(flat), 4);
    assert_false(tensor_shaped(&c, flat, 0, 0, &t, &err));
    assert_non_null(strstr(err.text, "--shape"));
    assert_false(tensor_shaped(&c, flat, 64, 256, &t, &err));
    assert_false(tensor_shaped(&c, flat, 64, 500, &t, &err));
    assert_true(tensor_shaped(&c, flat, 64, 512, &t, &err));
    size_t size;
    uint8_t *want = golden("mixed-64x512.f32", &size);
    for (unsigned i = 0; i < 64 * 512; i++) {
        TensorCell cell;
        uint32_t bits;
        assert_true(tensor_cell(&c, &t, i / 512, i % 512, &cell, &err));
        memcpy(&bits, want + (size_t)i * 4, 4);
        assert_int_equal(cell.weight, bits);
    }
    free(want);
    assert_null(container_find(&c, NULL, &err));
    assert_non_null(strstr(err.text, "holds 2 tensors"));
    assert_null(container_find(&c, "nothing", &err));
    container_close(&c);
}

static void pb16i_is_a_container_too(void **state)
{
    (void)state;
    Container c = golden_container("pb16i-32x256.bin");
    assert_int_equal(c.kind, CONTAINER_PB16I);
    check_cells(&c, &c.tensors[0], "pb16i-32x256.t2");
    container_close(&c);
}

static void figures_of_the_reserved_file(void **state)
{
    (void)state;
    Container c = golden_container("reserved-64x512.t2");
    Err err;
    TensorStats s;
    assert_true(stats_tensor(&s, &c, c.tensors, NULL, &err));
    /* counted with another program from the bytes */
    assert_int_equal(s.weights, 32768);
    assert_int_equal(s.codes[0], 10937);
    assert_int_equal(s.codes[1], 10970);
    assert_int_equal(s.codes[2], 10857);
    assert_int_equal(s.codes[3], 4);
    assert_int_equal(s.scales, 256);
    TensorStats by_tile = {0};
    for (size_t i = 0; i < 4; i++)
        stats_tile(&by_tile, c.map.data + i * T2_TILE);
    assert_memory_equal(by_tile.codes, s.codes, sizeof s.codes);
    assert_memory_equal(by_tile.classes, s.classes, sizeof s.classes);
    assert_int_equal(by_tile.bf16_exact, s.bf16_exact);
    VerifyReport v;
    assert_true(verify_tensor(&c, c.tensors, &v, &err));
    assert_int_equal(v.code_3, 4);
    assert_int_equal(v.code_places[3].byte, 3 * T2_TILE + 2047);
    assert_int_equal(v.code_places[3].bit, 6);
    assert_int_equal(v.code_places[3].tile_row, 3); /* no shape: a column of tiles */
    assert_int_equal(v.code_places[3].tile_col, 0);
    Tensor t;
    assert_true(tensor_shaped(&c, c.tensors, 64, 512, &t, &err));
    assert_true(verify_tensor(&c, &t, &v, &err));
    assert_int_equal(v.code_places[3].tile_row, 1);
    assert_int_equal(v.code_places[3].tile_col, 1);
    assert_int_equal(v.nonfinite, 0);
    assert_false(verify_refuse(&c, &t, &v, &err));
    assert_non_null(strstr(err.text, "4 reserved codes: tile 0,0 row 0 col 0 bit 0, at byte 0"));
    container_close(&c);
}

static void names_are_printable(void **state)
{
    (void)state;
    char path[] = "/tmp/tokstep-test-XXXXXX.safetensors";
    int fd = mkstemps(path, 12);
    assert_true(fd >= 0);
    static const char json[] = "{\"a\\u001b[1m\\\\\\u00e9\\u0085\":{\"dtype\":\"U8\","
                               "\"shape\":[0],\"data_offsets\":[0,0]}}";
    uint64_t n = sizeof json - 1;
    assert_int_equal(write(fd, &n, 8), 8);
    assert_int_equal(write(fd, json, n), n);
    close(fd);
    Container c;
    Err err;
    assert_true(container_open(&c, path, &err));
    assert_string_equal(c.tensors[0].name, "a\\x1b[1m\\x5c\xc3\xa9\\xc2\\x85");
    container_close(&c);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_types_in_a_gguf),
        cmocka_unit_test(id_42_is_decided_by_the_offsets),
        cmocka_unit_test(q4nx_shapes),
        cmocka_unit_test(pb16i_is_a_container_too),
        cmocka_unit_test(figures_of_the_reserved_file),
        cmocka_unit_test(names_are_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
