#ifndef CLI_BENCH_TENSOR_H
#define CLI_BENCH_TENSOR_H
/* Figures of the t2 tiles for `tokstep bench`, and of the machine beside which they are read. All
 * are medians in CPU time; 0 when there is no room for a temporary file. */

double bench_memset(void);    /* GB/s into 256 MiB */
double bench_t2_unpack(void); /* Gweights/s into the same 256 MiB */
double bench_read(void);      /* GB/s of a cached file, a window at a time */
double bench_t2_verify(void); /* GB/s of the same file, the same windows */

#endif
