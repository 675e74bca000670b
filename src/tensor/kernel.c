#include "tensor/kernel.h"

#include <string.h>

#include "tensor/t2.h"

#define EVEN_BITS 0x5555555555555555u

static void unpack_portable(const uint8_t *tile, unsigned r0, unsigned n, float *out,
                            uint64_t stride, bool stream)
{
    (void)stream;
    for (unsigned r = r0; r < r0 + n; r++, out += stride) {
        for (unsigned c = 0; c < T2_COLS; c += T2_GROUP) {
            uint32_t levels[4];
            t2_levels(t2_scale(tile, r, c), levels);
            const uint8_t *codes = tile + t2_code_at(r, c);
            for (unsigned i = 0; i < T2_GROUP / 4; i++) {
                uint32_t w[4] = {levels[codes[i] & 3], levels[codes[i] >> 2 & 3],
                                 levels[codes[i] >> 4 & 3], levels[codes[i] >> 6]};
                memcpy(out + c + (size_t)i * 4, w, sizeof w);
            }
        }
    }
}

static uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static bool clean_portable(const uint8_t *tile)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < T2_CODES; i += 8) {
        uint64_t v = load64(tile + i);
        any |= v & v >> 1;
    }
    uint64_t carries = 0; /* four scales at a time: only an exponent of 31 carries */
    for (unsigned i = T2_CODES; i < T2_TILE; i += 8)
        carries |= (load64(tile + i) & 0x7c007c007c007c00u) + 0x0400040004000400u;
    return !(any & EVEN_BITS) && !(carries & 0x8000800080008000u);
}

static void count_portable(const uint8_t *bytes, size_t n, uint64_t counts[4])
{
    uint64_t odd = 0;  /* codes 1 and 3 */
    uint64_t high = 0; /* codes 2 and 3 */
    uint64_t both = 0; /* code 3 */
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v = load64(bytes + i);
        odd += (uint64_t)__builtin_popcountll(v & EVEN_BITS);
        high += (uint64_t)__builtin_popcountll(v >> 1 & EVEN_BITS);
        both += (uint64_t)__builtin_popcountll(v & v >> 1 & EVEN_BITS);
    }
    counts[0] += (uint64_t)n * 4 - odd - high + both;
    counts[1] += odd - both;
    counts[2] += high - both;
    counts[3] += both;
}

static void fence_portable(void)
{
}

const Kernel kernel_portable = {"portable", unpack_portable, clean_portable, count_portable,
                                fence_portable};

const Kernel *kernel_at(size_t i)
{
    if (i == 0)
        return &kernel_portable;
    const Kernel *k = kernel_x86(i - 1);
    return k ? k : kernel_arm(i - 1);
}

const Kernel *kernel_best(void)
{
    const Kernel *best = &kernel_portable;
    for (size_t i = 1; kernel_at(i); i++)
        best = kernel_at(i);
    return best;
}
