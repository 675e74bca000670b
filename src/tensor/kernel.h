#ifndef TENSOR_KERNEL_H
#define TENSOR_KERNEL_H
/* The inner loops of t2, one set per instruction set with identical results; private to the room
 * (and to its tests, which compare every set with the portable one bit for bit). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Kernel {
    const char *name;
    /* Decode rows r0 .. r0+n-1 of a tile to out, rows `stride` floats apart; `stream` promises
     * 32-byte alignment of every row and asks to write around the caches. */
    void (*unpack)(const uint8_t *tile, unsigned r0, unsigned n, float *out, uint64_t stride,
                   bool stream);
    /* Has a tile neither a reserved code nor an inf or NaN scale? */
    bool (*clean)(const uint8_t *tile);
    /* Adds to counts[code] for each code in n bytes; n is a multiple of 8. */
    void (*count)(const uint8_t *bytes, size_t n, uint64_t counts[4]);
    /* Makes streamed stores visible. */
    void (*fence)(void);
} Kernel;

/* The fastest set this processor runs. */
const Kernel *kernel_best(void);
/* The sets this processor runs, slowest (portable) first; NULL past the end. */
const Kernel *kernel_at(size_t i);

extern const Kernel kernel_portable;
/* Best vector set of the processor family, or NULL: simd_x86.c or simd_arm.c. */
const Kernel *kernel_x86(size_t i);
const Kernel *kernel_arm(size_t i);

#endif
