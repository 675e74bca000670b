#ifndef TENSOR_PB16I_H
#define TENSOR_PB16I_H
/* pb16i: int4 codes, an int16 magnitude ms per 32 columns, an exponent e_ref per row (t2.md).
 *   weight(n, k) = code(n, k) * ms(n, k / 32) * 2^e_ref(n)
 * The published facts leave the byte order open, so the order is a value here: a layout is a table
 * of offset functions. tokstep's own container is one of them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { PB16I_GROUP = 32, PB16I_HEADER = 16 };

typedef struct Pb16iShape {
    uint64_t rows; /* N */
    uint64_t cols; /* K, a multiple of 32 */
} Pb16iShape;

/* Where things lie, as byte offsets from the start of the image. Offsets need not be in range:
 * pb16i_get checks every one against the image. */
typedef struct Pb16iLayout {
    const char *name;
    void *context; /* handed to every function */
    /* byte of the code of (n, k); *shift = 0 or 4, the nibble's place in it */
    uint64_t (*code)(void *context, const Pb16iShape *s, uint64_t n, uint64_t k, unsigned *shift);
    /* the two bytes, low first, of the magnitude of row n, group k / 32 */
    uint64_t (*ms)(void *context, const Pb16iShape *s, uint64_t n, uint64_t group);
    /* the byte of row n's exponent */
    uint64_t (*e_ref)(void *context, const Pb16iShape *s, uint64_t n);
} Pb16iLayout;

/* "PB16I\0\0\1", u32 N, u32 K, i8 e_ref[N] padded to 4, i16 ms[N][K/32], nibbles [N][K/2]. */
extern const Pb16iLayout pb16i_own;

typedef struct Pb16iCell {
    uint64_t code_at, ms_at, e_at; /* byte offsets in the image */
    unsigned shift;                /* of the nibble */
    int code;                      /* -8..7 */
    int ms;                        /* -32768..32767 */
    int e_ref;                     /* -128..127 */
} Pb16iCell;

bool pb16i_has_magic(const uint8_t *image, size_t size);
/* Check tokstep's own container and take its shape; an additive-min image is refused by name. */
bool pb16i_open(const uint8_t *image, size_t size, Pb16iShape *shape, Err *err);
/* One cell under a layout; false when an offset leaves the image. */
bool pb16i_get(const Pb16iLayout *layout, const uint8_t *image, size_t size,
               const Pb16iShape *shape, uint64_t n, uint64_t k, Pb16iCell *cell, Err *err);
/* f32 bits: the integer code * ms times 2^e_ref, so zero is +0.0. */
uint32_t pb16i_weight(const Pb16iCell *cell);

#endif
