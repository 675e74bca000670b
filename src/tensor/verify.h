#ifndef TENSOR_VERIFY_H
#define TENSOR_VERIFY_H
/* A pass over a ternary tensor for what no encoder writes: reserved codes, inf and NaN scales
 * (t2.md rules 1 and 2). Streams; a 6.8 GB tensor takes a megabyte. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/container.h"

enum { VERIFY_PLACES = 8 };

/* One finding, in the tensor's own grid of tiles (t2) or its rows and columns (blocks). */
typedef struct VerifyPlace {
    uint64_t tile_row, tile_col; /* t2; without a shape a column of tiles */
    uint64_t row, col;           /* inside the tile (t2), in the tensor (blocks) */
    uint64_t byte;               /* of the file */
    unsigned bit;                /* lowest bit of the code */
    uint16_t scale;              /* of a scale: its bits */
} VerifyPlace;

typedef struct VerifyReport {
    bool tiles;                             /* t2: code 3 is reserved; blocks: code 3 is +2 */
    uint64_t code_3;                        /* how many ... */
    VerifyPlace code_places[VERIFY_PLACES]; /* ... and the first of them */
    uint64_t nonfinite;                     /* scales that are inf or NaN */
    VerifyPlace scale_places[VERIFY_PLACES];
} VerifyReport;

/* Does verify know this kind: t2 and the block formats? */
bool verify_knows(TensorKind kind);
bool verify_tensor(const Container *c, const Tensor *t, VerifyReport *report, Err *err);
/* The refusal of a tensor with reserved codes (of which there is one at least), the first few
 * named; what a loader answers by default. Returns false. */
bool verify_refuse(const Container *c, const Tensor *t, const VerifyReport *report, Err *err);

#endif
