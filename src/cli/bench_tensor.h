#ifndef CLI_BENCH_TENSOR_H
#define CLI_BENCH_TENSOR_H
/* Figures of the t2 tiles for `tokstep bench`, each beside what limits it, measured in turn.
 * Medians in CPU time; all 0 when there is no room (for a temporary file, 267 MB). */
#include <stdbool.h>

#include "tensor/kind.h"

typedef struct BenchPair {
    double limit, rate; /* bytes a second, or as said */
    double ratio;       /* median of the ratios of neighbouring runs */
} BenchPair;

BenchPair bench_t2_unpack(void); /* tiles into 256 MiB of floats; limit: memset of the same */
BenchPair bench_t2_verify(void); /* a cached file of tiles; limit: read in the same windows */
/* 32 MiB of blocks of a kind and as many bytes of t2 tiles, verified or (sum) counted for `t2
 * info`: rate and limit (that of t2) in weights a second. */
BenchPair bench_blocks(TensorKind kind, bool sum);

#endif
