#include "tensor/t2.h"

#include <inttypes.h>

#include "base/checked.h"
#include "tensor/kernel.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, ".f32 files are little-endian floats");

void t2_levels(uint16_t scale, uint32_t weights[4])
{
    uint32_t s = half_to_f32(scale);
    bool finite = (s & F32_INF) != F32_INF;
    weights[0] = s == F32_NAN ? F32_NAN : s ^ F32_SIGN;
    weights[1] = finite ? s & F32_SIGN : F32_NAN; /* 0 * inf is NaN */
    weights[2] = s;
    weights[3] = 0;
}

uint32_t t2_weight(const uint8_t *tile, unsigned r, unsigned c)
{
    uint32_t weights[4];
    t2_levels(t2_scale(tile, r, c), weights);
    return weights[t2_code(tile, r, c)];
}

bool t2_bytes(uint64_t rows, uint64_t cols, uint64_t *bytes, Err *err)
{
    if (rows == 0 || rows % T2_ROWS)
        return err_set(err, "t2 needs N %% 32 == 0, N is %" PRIu64, rows);
    if (cols == 0 || cols % T2_COLS)
        return err_set(err, "t2 needs K %% 256 == 0, K is %" PRIu64, cols);
    uint64_t tiles;
    uint64_t floats;
    if (!checked_mul(rows / T2_ROWS, cols / T2_COLS, &tiles) ||
        !checked_mul(tiles, T2_TILE, bytes) || !checked_mul(tiles, T2_ROWS * T2_COLS * 4, &floats))
        return err_set(err, "shape %" PRIu64 "x%" PRIu64 " is too large", rows, cols);
    return true;
}

void t2_unpack_row(const uint8_t *tile_row, uint64_t cols, unsigned r, float *out)
{
    const Kernel *kernel = kernel_best();
    for (uint64_t c = 0; c < cols; c += T2_COLS, tile_row += T2_TILE)
        kernel->unpack(tile_row, r, 1, out + c, 0, false);
}

void t2_unpack(const uint8_t *tiles, uint64_t rows, uint64_t cols, float *out)
{
    const Kernel *kernel = kernel_best();
    /* an output far beyond the caches is written around them, as memset does */
    bool stream = rows * cols * sizeof *out > 16u << 20 && (uintptr_t)out % 32 == 0;
    for (uint64_t r = 0; r < rows; r += T2_ROWS) {
        for (uint64_t c = 0; c < cols; c += T2_COLS, tiles += T2_TILE)
            kernel->unpack(tiles, 0, T2_ROWS, out + r * cols + c, cols, stream);
    }
    kernel->fence();
}

bool t2_pack_group(const uint32_t *weights, uint8_t *codes, uint16_t *scale, T2PackFault *fault)
{
    uint32_t magnitude = 0;
    bool plus_zero = false;
    bool minus_zero = false;
    for (unsigned i = 0; i < T2_GROUP; i++) {
        uint32_t m = weights[i] & ~F32_SIGN;
        *fault = (T2PackFault){NULL, i};
        if (m >= F32_INF)
            fault->why = "not a finite number";
        else if (m && magnitude && m != magnitude)
            fault->why = "a second magnitude in its group of 128";
        else if (m && !magnitude && !half_from_f32(m, scale))
            fault->why = "not exact in fp16";
        if (!m && (weights[i] ? plus_zero : minus_zero))
            fault->why = "+0.0 and -0.0 in one group of 128";
        if (fault->why)
            return false;
        magnitude = m ? m : magnitude;
        plus_zero |= weights[i] == 0;
        minus_zero |= weights[i] == F32_SIGN;
    }
    *scale = magnitude ? *scale : 0;
    *scale = (uint16_t)(*scale | (minus_zero ? 0x8000u : 0u));
    uint32_t levels[4];
    t2_levels(*scale, levels);
    for (unsigned i = 0; i < T2_GROUP; i += 4) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 4; k++) {
            uint32_t w = weights[i + k];
            unsigned code = (w & ~F32_SIGN) == 0 ? 1 : w == levels[2] ? 2 : 0;
            byte |= code << (2 * k);
        }
        codes[i / 4] = (uint8_t)byte;
    }
    return true;
}

bool t2_pack_tile(const float *in, uint64_t stride, uint8_t *tile, unsigned *row,
                  T2PackFault *fault)
{
    for (unsigned r = 0; r < T2_ROWS; r++) {
        for (unsigned c = 0; c < T2_COLS; c += T2_GROUP) {
            uint32_t bits[T2_GROUP];
            memcpy(bits, in + r * stride + c, sizeof bits);
            uint16_t scale;
            if (!t2_pack_group(bits, tile + t2_code_at(r, c), &scale, fault)) {
                *row = r;
                fault->column += c;
                return false;
            }
            store_le16(tile + t2_scale_at(r, c), scale);
        }
    }
    return true;
}

/* The usual tile has none: only the others are counted. */
static uint64_t tile_reserved(const Kernel *kernel, const uint8_t *tile)
{
    uint64_t counts[4] = {0};
    if (!kernel->clean(tile))
        kernel->count(tile, T2_CODES, counts);
    return counts[T2_RESERVED];
}

uint64_t t2_reserved(const uint8_t *tiles, uint64_t n_tiles)
{
    const Kernel *kernel = kernel_best();
    uint64_t total = 0;
    for (uint64_t t = 0; t < n_tiles; t++)
        total += tile_reserved(kernel, tiles + t * T2_TILE);
    return total;
}

void t2_place_next(T2Place *at, unsigned step)
{
    at->col += step;
    if (at->col >= T2_COLS) {
        at->col = 0;
        at->row++;
    }
    if (at->row >= T2_ROWS) {
        at->row = 0;
        at->tile++;
    }
}

bool t2_find_reserved(const uint8_t *tiles, uint64_t n_tiles, T2Place *at)
{
    const Kernel *kernel = kernel_best();
    T2Place p = *at;
    while (p.tile < n_tiles) {
        const uint8_t *tile = tiles + p.tile * T2_TILE;
        if (p.row == 0 && p.col == 0 && tile_reserved(kernel, tile) == 0) {
            p.tile++;
            continue;
        }
        if (t2_code(tile, p.row, p.col) == T2_RESERVED) {
            *at = p;
            return true;
        }
        t2_place_next(&p, 1);
    }
    return false;
}

bool t2_find_special_scale(const uint8_t *tiles, uint64_t n_tiles, T2Place *at)
{
    T2Place p = *at;
    if (p.col % T2_GROUP)
        t2_place_next(&p, T2_GROUP - p.col % T2_GROUP);
    for (; p.tile < n_tiles; t2_place_next(&p, T2_GROUP)) {
        if (half_class(t2_scale(tiles + p.tile * T2_TILE, p.row, p.col)) != HALF_NORMAL) {
            *at = p;
            return true;
        }
    }
    return false;
}
