#ifndef TENSOR_CHUNK_H
#define TENSOR_CHUNK_H
/* The Q4NX chunk kinds other than t2, for looking at: tiles of 32 x 256 (ternary.md 4.2). Nothing
 * in a file says which of the known layouts was meant, so every reading is "under layout X". */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/kind.h"

typedef enum ChunkLayout {
    CHUNK_Q4_1,
    CHUNK_Q4_K,
    CHUNK_Q8A,
    CHUNK_Q8B,
    CHUNK_LAYOUTS
} ChunkLayout;

/* Where one weight's parts lie, and what they say. */
typedef struct ChunkCell {
    unsigned code_at, bit; /* byte of the tile and lowest bit of the code in it */
    int code;              /* 0..15, or -128..127 for q8 */
    unsigned scale_at;     /* bf16 scale (q4_k: the row's S) */
    uint16_t scale;
    bool has_zero; /* q4_1: bf16 zero; q4_k: the row's M */
    unsigned zero_at;
    uint16_t zero;
    unsigned sc, mn; /* q4_k: the group's 8-bit factors */
    uint32_t weight; /* f32 bits */
} ChunkCell;

/* "q4_1", "q4_k", "q8a", "q8b". */
const char *chunk_name(ChunkLayout layout);
/* A sentence that names the layout, for "under layout X". */
const char *chunk_help(ChunkLayout layout);
bool chunk_by_name(const char *name, ChunkLayout *layout);
/* Bytes of a tile. */
unsigned chunk_bytes(ChunkLayout layout);

/* May a tile of this kind be read under this layout? Refuses t2 and every other mismatch by name;
 * tensor names the thing. */
bool chunk_as(TensorKind kind, ChunkLayout layout, const char *tensor, Err *err);

/* Weight (r, c) of a tile of chunk_bytes(layout) bytes. */
ChunkCell chunk_cell(ChunkLayout layout, const uint8_t *tile, unsigned r, unsigned c);

/* What a byte of a tile holds, and the first weight that it is about. */
typedef enum ChunkPart {
    CHUNK_CODE,
    CHUNK_SCALE, /* q4_k: sc and S */
    CHUNK_ZERO   /* q4_k: mn and M */
} ChunkPart;

typedef struct ChunkByte {
    ChunkPart part;
    unsigned row, col;
} ChunkByte;
ChunkByte chunk_byte(ChunkLayout layout, unsigned byte);

#endif
