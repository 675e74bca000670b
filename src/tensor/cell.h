#ifndef TENSOR_CELL_H
#define TENSOR_CELL_H
/* One weight of a ternary tensor with everything an inspector shows of it: its code, its scale,
 * where both are in the file, and what decoders with known bugs would make of it. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/container.h"

typedef struct TensorCell {
    uint64_t row, col;  /* in the tensor */
    uint64_t code_at;   /* byte of the file that holds the code */
    unsigned bit, bits; /* lowest bit and width of the code in it; bits 0: a base-3 digit */
    unsigned trit;      /* of a base-3 digit: 0 is the most significant */
    int code;           /* t2's terms (0 = -1, 1 = 0, 2 = +1, 3); pb16i: -8..7 */
    bool reserved;      /* t2 code 3 */
    uint64_t scale_at;  /* first byte of the scale (pb16i: of ms) */
    uint16_t scale;     /* its bits (pb16i: ms) */
    int e_ref;          /* pb16i only */
    uint32_t weight;    /* f32 bits */
} TensorCell;

/* The tensor has its shape (tensor_shaped) and is t2, a block kind or pb16i. */
bool tensor_cell(const Container *c, const Tensor *t, uint64_t row, uint64_t col, TensorCell *cell,
                 Err *err);

/* A decoder with a bug that somebody shipped (ternary.md section 7), at one cell of a t2 tile. */
typedef struct WrongReading {
    const char *name; /* "subnormal flushed" */
    const char *bug;  /* what it does, in a line */
    uint32_t weight;  /* f32 bits it shows */
    bool differs;     /* from the right weight, in any bit */
} WrongReading;

enum { WRONG_READINGS = 6 };

void wrong_readings(const uint8_t *tile, unsigned r, unsigned c, WrongReading out[WRONG_READINGS]);

#endif
