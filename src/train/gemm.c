#include "train/gemm.h"

#include <string.h>

/* Eight independent sums; a machine without such registers uses several, with the same bits. */
typedef float Lanes __attribute__((vector_size(32)));

enum { ROWS = 4, WIDTH = 8, COLS = 2 * WIDTH };

/* ROWS x COLS of c in registers, walking k. Cloned for wider machines; no contraction into fused
 * multiply-adds (Makefile), so that all clones agree. */
__attribute__((target_clones("avx2", "default"))) static void
block(float *c, int N, const float *a, int a_row, int a_col, const float *b, int K, bool add)
{
    Lanes sum[ROWS][2];
    for (int m = 0; m < ROWS; m++) {
        memcpy(sum[m], c + m * N, sizeof sum[m]);
        if (!add)
            memset(sum[m], 0, sizeof sum[m]);
    }
    for (int k = 0; k < K; k++) {
        Lanes left, right;
        memcpy(&left, b, sizeof left);
        memcpy(&right, b + WIDTH, sizeof right);
        for (int m = 0; m < ROWS; m++) {
            float x = a[m * a_row];
            sum[m][0] += x * left;
            sum[m][1] += x * right;
        }
        a += a_col;
        b += N;
    }
    for (int m = 0; m < ROWS; m++)
        memcpy(c + m * N, sum[m], sizeof sum[m]);
}

static void one_row(float *c, const float *a, int a_col, const float *b, int K, int N, bool add)
{
    if (!add)
        memset(c, 0, (size_t)N * sizeof *c);
    for (int k = 0; k < K; k++) {
        for (int n = 0; n < N; n++)
            c[n] += a[k * a_col] * b[k * N + n];
    }
}

void gemm(float *c, const float *a, int a_row, int a_col, const float *b, int M, int K, int N,
          bool add)
{
    int m = 0;
    for (; m + ROWS <= M; m += ROWS) {
        for (int n = 0; n < N; n += COLS)
            block(c + m * N + n, N, a + m * a_row, a_row, a_col, b + n, K, add);
    }
    for (; m < M; m++)
        one_row(c + m * N, a + m * a_row, a_col, b, K, N, add);
}
