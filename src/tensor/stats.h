#ifndef TENSOR_STATS_H
#define TENSOR_STATS_H
/* What is in a ternary tensor: histograms of codes and scales, and the evidence for the
 * fingerprints (tensor/fingerprint.h). */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "tensor/container.h"
#include "tensor/tile.h"

enum { STATS_PERIOD = 34 /* bytes of a PQ2_0 block */ };

typedef struct TensorStats {
    uint64_t weights;
    uint64_t codes[4];              /* -1, 0, +1, code 3; of pb16i: -1, 0, +1, any other */
    uint64_t scales;                /* fp16 scales seen ... */
    uint64_t classes[5];            /* ... by HalfClass */
    uint64_t negative;              /* ... sign bit set */
    uint64_t exponents[32];         /* ... by biased exponent */
    uint64_t swapped_exponents[32]; /* those not zero, with their two bytes swapped */
    uint64_t no_pair_11;            /* those not zero in which, read as codes, none is 3 */
    uint64_t bf16_exact;            /* ... that bf16 holds */
    double worst_bf16;              /* largest relative error if made bf16 */
    uint64_t low_bits_clear;        /* normal scales with the low 3 fraction bits 0 */
    uint64_t code_scales;           /* 0x5555 or 0x5556: code bytes read as a scale */
    uint64_t swapped_scales;        /* 0x003c: 1.0 with its bytes swapped */
    uint64_t stale_groups;          /* scale zero, codes not */
    uint64_t tiles, holes;          /* t2 tiles; all code 0 with scale 0 */
    uint64_t rows, twin_rows;       /* t2 rows of a tile; both scales equal */
    uint16_t a_scale;               /* one of them ... */
    bool varied;                    /* ... and there are others */
    uint64_t period[STATS_PERIOD];  /* code 3 by byte position modulo 34 ... */
    uint64_t periods;               /* ... and in how many such periods there is one */
    uint64_t trit_bytes, odd_bytes; /* base-3 bytes; those no reference encoder writes */
} TensorStats;

/* Add one t2 tile; *s starts zeroed. */
void stats_tile(TensorStats *s, const uint8_t *tile);
/* Add what a tile of any kind shows: codes and scales, as far as the kind has them. */
void stats_window(TensorStats *s, const Tile *tile);
/* A whole tensor, streamed: t2 and block kinds; pb16i by its codes only. Other kinds give zeros. */
bool stats_tensor(TensorStats *s, const Container *c, const Tensor *t, const Progress *progress,
                  Err *err);

#endif
