#ifndef TENSOR_T2_H
#define TENSOR_T2_H
/* The t2 tile: 32 rows x 256 columns of ternary weights in 2176 bytes (t2.md, "The tile").
 *
 *   byte r*64 + c/4, bits 2*(c%4)   code of (r,c): 0 = -1, 1 = 0, 2 = +1, 3 reserved -> +0.0
 *   byte 2048 + r*4 + 2*(c/128)     fp16 scale of (r,c)
 *
 * A tensor is N x K weights (N % 32 == 0, K % 256 == 0), tiles row-major over [N/32][K/256].
 * Nothing here trusts a byte: every byte string decodes. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/half.h"

enum {
    T2_ROWS = 32,
    T2_COLS = 256,
    T2_GROUP = 128,    /* columns that share a scale */
    T2_ROW_BYTES = 64, /* code bytes of a row */
    T2_CODES = 2048,   /* code bytes of a tile; the scales start here */
    T2_TILE = 2176,    /* bytes of a tile */
    T2_RESERVED = 3
};

/* Where a cell lies inside its tile. */
static inline unsigned t2_code_at(unsigned r, unsigned c)
{
    return r * T2_ROW_BYTES + c / 4;
}

static inline unsigned t2_code_bit(unsigned c)
{
    return 2 * (c % 4);
}

static inline unsigned t2_scale_at(unsigned r, unsigned c)
{
    return T2_CODES + r * 4 + 2 * (c / T2_GROUP);
}

static inline unsigned t2_code(const uint8_t *tile, unsigned r, unsigned c)
{
    return (unsigned)tile[t2_code_at(r, c)] >> t2_code_bit(c) & 3u;
}

static inline uint16_t t2_scale(const uint8_t *tile, unsigned r, unsigned c)
{
    return load_le16(tile + t2_scale_at(r, c));
}

/* f32 bits of the weights that codes 0..3 stand for under a scale (t2.md rules 1 and 2):
 * -s, 0*s, +s, and +0.0 for the reserved code. */
void t2_levels(uint16_t scale, uint32_t weights[4]);
/* f32 bits of one weight. */
uint32_t t2_weight(const uint8_t *tile, unsigned r, unsigned c);

/* Is N x K a shape that t2 can hold, and how many bytes does it take? Refuses by name. */
bool t2_bytes(uint64_t rows, uint64_t cols, uint64_t *bytes, Err *err);

/* Decode rows x cols weights into out[rows][cols] (f32). The shape has passed t2_bytes. */
void t2_unpack(const uint8_t *tiles, uint64_t rows, uint64_t cols, float *out);
/* The same for one row r (0..31) of one row of tiles; out[cols]. */
void t2_unpack_row(const uint8_t *tile_row, uint64_t cols, unsigned r, float *out);

/* What pack found against a group of 128 floats; column counts from the group's start. */
typedef struct T2PackFault {
    const char *why;
    unsigned column;
} T2PackFault;

/* One group of 128 floats (bits) -> 32 code bytes and a scale, exactly (t2.md rule 8). */
bool t2_pack_group(const uint32_t *weights, uint8_t *codes, uint16_t *scale, T2PackFault *fault);
/* One tile from 32 rows of floats, `stride` floats apart; on failure row tells which. */
bool t2_pack_tile(const float *in, uint64_t stride, uint8_t *tile, unsigned *row,
                  T2PackFault *fault);

/* How many codes of n_tiles tiles are reserved. */
uint64_t t2_reserved(const uint8_t *tiles, uint64_t n_tiles);

/* A cell of a run of tiles. */
typedef struct T2Place {
    uint64_t tile;
    unsigned row, col; /* inside the tile */
} T2Place;

/* The first reserved code at or after *at (row-major inside a tile), into *at; false: none.
 * To search on, continue with t2_place_next. */
bool t2_find_reserved(const uint8_t *tiles, uint64_t n_tiles, T2Place *at);
/* The first scale at or after *at that is no normal number; col becomes 0 or 128. */
bool t2_find_special_scale(const uint8_t *tiles, uint64_t n_tiles, T2Place *at);
/* The cell (scale: group) after a found one, in the same order. */
void t2_place_next(T2Place *at, unsigned step);

#endif
