#ifndef TRAIN_GEMM_H
#define TRAIN_GEMM_H
/* Products of float matrices, every sum in ascending k: the same bits on every machine. */

/* c[m][n] = (add ? c[m][n] : 0) + sum over k < K of a[m][k] * b[k][n]. a is read at
 * a[m * a_row + k * a_col] (swap the two strides for its transpose), b is row-major [K][N], c
 * [M][N]; N is a multiple of 16. */
#include <stdbool.h>

void gemm(float *c, const float *a, int a_row, int a_col, const float *b, int M, int K, int N,
          bool add);

#endif
