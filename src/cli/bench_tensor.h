#ifndef CLI_BENCH_TENSOR_H
#define CLI_BENCH_TENSOR_H
/* Figures of the t2 tiles for `tokstep bench`, each beside what limits it, measured in turn.
 * Medians in CPU time; all 0 when there is no room (for a temporary file, 267 MB). */
typedef struct BenchPair {
    double limit, rate; /* bytes a second */
    double ratio;       /* median of the ratios of neighbouring runs */
} BenchPair;

BenchPair bench_t2_unpack(void); /* tiles into 256 MiB of floats; limit: memset of the same */
BenchPair bench_t2_verify(void); /* a cached file of tiles; limit: read in the same windows */

#endif
