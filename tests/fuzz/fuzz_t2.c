/* Tiles of any bytes: every vector form decodes alike, counting and searching agree, and what
 * packs again decodes to the same bits. */
#include "fuzz.h"

#include <string.h>

#include "tensor/kernel.h"
#include "tensor/t2.h"

static void compare_forms(const uint8_t *tile, float *want, float *got)
{
    enum { BYTES = T2_ROWS * T2_COLS * sizeof(float) };
    kernel_portable.unpack(tile, 0, T2_ROWS, want, T2_COLS, false);
    for (size_t i = 1; kernel_at(i); i++) {
        kernel_at(i)->unpack(tile, 0, T2_ROWS, got, T2_COLS, true);
        kernel_at(i)->fence();
        promise(memcmp(want, got, BYTES) == 0);
        promise(kernel_at(i)->clean(tile) == kernel_portable.clean(tile));
    }
}

static void search(const uint8_t *tiles, uint64_t n)
{
    uint64_t found = 0;
    for (T2Place at = {0}; t2_find_reserved(tiles, n, &at); t2_place_next(&at, 1))
        found++;
    promise(found == t2_reserved(tiles, n));
    for (T2Place at = {0}; t2_find_special_scale(tiles, n, &at); t2_place_next(&at, T2_GROUP))
        promise(at.tile < n && at.row < T2_ROWS && at.col % T2_GROUP == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t n = (size + T2_TILE - 1) / T2_TILE;
    if (n == 0)
        return 0;
    uint8_t *tiles = calloc(n, T2_TILE);
    float *want = aligned_alloc(32, T2_ROWS * T2_COLS * sizeof *want);
    float *got = aligned_alloc(32, T2_ROWS * T2_COLS * sizeof *got);
    memcpy(tiles, data, size);
    search(tiles, n);
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *tile = tiles + i * T2_TILE;
        uint8_t again[T2_TILE];
        unsigned row;
        T2PackFault fault;
        TensorStats stats = {0};
        WrongReading wrong[WRONG_READINGS];
        compare_forms(tile, want, got);
        if (t2_pack_tile(want, T2_COLS, again, &row, &fault)) {
            t2_unpack(again, T2_ROWS, T2_COLS, got);
            promise(memcmp(want, got, T2_ROWS * T2_COLS * sizeof *want) == 0);
        }
        stats_tile(&stats, tile);
        wrong_readings(tile, tile[0] % T2_ROWS, tile[1], wrong);
    }
    free(got);
    free(want);
    free(tiles);
    return 0;
}
