#ifndef TENSOR_TILE_H
#define TENSOR_TILE_H
/* A part of a tensor that fits a screen: 32 rows x 256 columns with the bytes that hold them. For
 * t2 and the Q4NX chunks that is the tile as stored; of block kinds and pb16i the same window of
 * rows and columns (less at the edges); of everything else a page of plain bytes. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/cell.h"
#include "tensor/chunk.h"
#include "tensor/container.h"
#include "tensor/ternary.h"

enum { TILE_ROWS = 32, TILE_COLS = 256, TILE_LINE = 16, TILE_PAGE = 4096 };

typedef enum TileForm { TILE_T2, TILE_BLOCKS, TILE_PB16I, TILE_CHUNK, TILE_BYTES } TileForm;

typedef struct Tile {
    const Container *c;
    const Tensor *t;
    TileForm form;
    const TernaryFormat *format; /* TILE_BLOCKS */
    ChunkLayout layout;          /* TILE_CHUNK: the reading */
    uint64_t i, j, down, across; /* its place in the grid of tiles, and the grid's size */
    uint64_t row0, col0;         /* first cell, in the tensor */
    unsigned rows, cols;         /* cells; 0 of TILE_BYTES */
    uint64_t at;                 /* first byte in the file (block kinds: of its first row) */
    uint64_t bytes;              /* how many, if they lie together; else 0 */
    unsigned lines;              /* of up to TILE_LINE bytes */
} Tile;

/* Tiles of a tensor whose shape is known; 0 when it has no byte. q8: how to read Q8 chunks. */
uint64_t tile_count(const Tensor *t);
/* Tile `index` < tile_count, counted row by row. c and t stay the caller's. */
Tile tile_at(const Container *c, const Tensor *t, ChunkLayout q8, uint64_t index);

/* Consecutive bytes of the file that belong to the tile. */
typedef struct TileRun {
    uint64_t at;
    unsigned n;
} TileRun;
TileRun tile_line(const Tile *tile, unsigned line);
/* The line that holds a byte of the file; false when the byte is not of this tile. */
bool tile_line_of(const Tile *tile, uint64_t at, unsigned *line);
/* The tile of a tensor that holds a byte of the file; false when the tensor does not. */
bool tile_of_byte(const Container *c, const Tensor *t, ChunkLayout q8, uint64_t at,
                  uint64_t *index);

/* What a byte of the tile is, and the first weight (in the tile) that it is about. */
typedef enum TileField {
    FIELD_CODE,
    FIELD_SCALE,
    FIELD_ZERO,
    FIELD_EXPONENT,
    FIELD_PLAIN
} TileField;
typedef struct TileByte {
    TileField field;
    unsigned row, col;
    bool odd; /* holds a code 3 (t2: reserved), or belongs to a scale that is no normal number */
} TileByte;
TileByte tile_byte(const Tile *tile, uint64_t at);

/* A weight of the tile. */
typedef struct TileCell {
    TensorCell cell; /* of a chunk: code, bit, bits, code_at, scale_at, scale and weight */
    ChunkCell chunk; /* TILE_CHUNK */
    int level;       /* the code as a number: -1, 0, +1, +2; 0..15; -128..127 */
    bool odd;        /* code 3 of t2 or blocks; pb16i: not -1, 0, +1 */
} TileCell;
TileCell tile_cell(const Tile *tile, unsigned row, unsigned col);

#endif
