#include "train/ternary.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "tensor/t2.h"

/* The fp16 nearest to sum / 128 raw Q8.8 words, ties to even: sum has at most 22 bits. */
static uint16_t scale_of(uint32_t sum)
{
    int exponent = -15, shift = 0; /* value = sum * 2^-15 */
    while (sum >> shift >= 2048)
        shift++;
    if (shift) {
        uint32_t half_unit = 1u << (shift - 1), rest = sum & (2 * half_unit - 1);
        sum >>= shift;
        sum += rest > half_unit || (rest == half_unit && (sum & 1));
        exponent += shift;
    }
    uint16_t half = 0;
    half_from_scaled(sum, exponent, &half);
    return half;
}

/* One group of 128 weights of output n, inputs k .. k + 127, into its tile. */
static void write_group(const Weights *w, uint8_t *tiles, int n, int k)
{
    const int16_t *column = w->columns[WEIGHT_W2] + n * w->rows[WEIGHT_W2] + k;
    unsigned r = (unsigned)(n % T2_ROWS), c0 = (unsigned)(k % T2_COLS);
    uint8_t *tile = tiles + (n / T2_ROWS * (w->rows[WEIGHT_W2] / T2_COLS) + k / T2_COLS) * T2_TILE;
    uint32_t sum = 0;
    for (int i = 0; i < T2_GROUP; i++)
        sum += (uint32_t)abs(column[i]);
    store_le16(tile + t2_scale_at(r, c0), scale_of(sum));
    for (unsigned i = 0; i < T2_GROUP; i++) {
        bool is_zero = (uint32_t)abs(column[i]) * 2 * T2_GROUP <= sum; /* |w| <= mean / 2 */
        unsigned code = is_zero ? 1 : column[i] < 0 ? 0 : 2;
        tile[t2_code_at(r, c0 + i)] |= (uint8_t)(code << t2_code_bit(c0 + i));
    }
}

bool ternary_write(const Model *m, const char *path, Err *err)
{
    const Weights *w = m->weights;
    int K = w->rows[WEIGHT_W2], N = w->cols[WEIGHT_W2];
    uint64_t bytes = 0;
    FileOut out;
    if (!t2_bytes((uint64_t)N, (uint64_t)K, &bytes, err) || !file_create(&out, path, err))
        return false;
    uint8_t *tiles = xcalloc(1, bytes);
    for (int n = 0; n < N; n++) {
        for (int k = 0; k < K; k += T2_GROUP)
            write_group(w, tiles, n, k);
    }
    fwrite(tiles, 1, bytes, out.stream);
    free(tiles);
    return file_commit(&out, err);
}
