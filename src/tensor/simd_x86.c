/* SSE2 and AVX2 forms of the t2 loops. The four possible weights of a group sit in registers;
 * AVX2 selects among them with the code bits themselves, SSE2 by comparing. */
#include "tensor/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "tensor/t2.h"

static void fence(void)
{
    _mm_sfence();
}

static void group_sse2(const uint8_t *codes, const uint32_t levels[4], float *out, bool stream)
{
    const __m128i mask = _mm_setr_epi32(3, 3 << 2, 3 << 4, 3 << 6);
    const __m128i one = _mm_setr_epi32(1, 1 << 2, 1 << 4, 1 << 6);
    const __m128i two = _mm_slli_epi32(one, 1);
    const __m128i level0 = _mm_set1_epi32((int)levels[0]);
    const __m128i level1 = _mm_set1_epi32((int)levels[1]);
    const __m128i level2 = _mm_set1_epi32((int)levels[2]);
    for (unsigned i = 0; i < T2_GROUP / 4; i++, out += 4) {
        __m128i code = _mm_and_si128(_mm_set1_epi32(codes[i]), mask);
        __m128i w0 = _mm_and_si128(_mm_cmpeq_epi32(code, _mm_setzero_si128()), level0);
        __m128i w1 = _mm_and_si128(_mm_cmpeq_epi32(code, one), level1);
        __m128i w2 = _mm_and_si128(_mm_cmpeq_epi32(code, two), level2);
        __m128 w = _mm_castsi128_ps(_mm_or_si128(_mm_or_si128(w0, w1), w2));
        if (stream)
            _mm_stream_ps(out, w);
        else
            _mm_storeu_ps(out, w);
    }
}

static void unpack_sse2(const uint8_t *tile, unsigned r0, unsigned n, float *out, uint64_t stride,
                        bool stream)
{
    for (unsigned r = r0; r < r0 + n; r++, out += stride) {
        for (unsigned c = 0; c < T2_COLS; c += T2_GROUP) {
            uint32_t levels[4];
            t2_levels(t2_scale(tile, r, c), levels);
            group_sse2(tile + t2_code_at(r, c), levels, out + c, stream);
        }
    }
}

static bool clean_sse2(const uint8_t *tile)
{
    const __m128i infinite = _mm_set1_epi16(0x7c00);
    __m128i codes = _mm_setzero_si128();
    __m128i scales = _mm_setzero_si128();
    for (unsigned i = 0; i < T2_CODES; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(tile + i));
        codes = _mm_or_si128(codes, _mm_and_si128(v, _mm_srli_epi64(v, 1)));
    }
    for (unsigned i = T2_CODES; i < T2_TILE; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(tile + i));
        v = _mm_cmpeq_epi16(_mm_and_si128(v, infinite), infinite);
        scales = _mm_or_si128(scales, v);
    }
    __m128i any = _mm_or_si128(_mm_and_si128(codes, _mm_set1_epi8(0x55)), scales);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff;
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline void store_avx2(float *out, __m256 levels, __m256i code, bool stream)
{
    __m256 w = _mm256_permutevar_ps(levels, code); /* looks at the low two bits only */
    if (stream)
        _mm256_stream_ps(out, w);
    else
        _mm256_storeu_ps(out, w);
}

AVX2 static inline void group_avx2(const uint8_t *codes, const uint32_t levels[4], float *out,
                                   bool stream)
{
    const __m256i low = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    const __m256i high = _mm256_setr_epi32(16, 18, 20, 22, 24, 26, 28, 30);
    __m128 four;
    memcpy(&four, levels, sizeof four);
    __m256 both = _mm256_set_m128(four, four);
    for (unsigned i = 0; i < T2_GROUP; i += 16) {
        int word;
        memcpy(&word, codes + i / 4, sizeof word);
        __m256i v = _mm256_set1_epi32(word);
        store_avx2(out + i, both, _mm256_srlv_epi32(v, low), stream);
        store_avx2(out + i + 8, both, _mm256_srlv_epi32(v, high), stream);
    }
}

AVX2 static void unpack_avx2(const uint8_t *tile, unsigned r0, unsigned n, float *out,
                             uint64_t stride, bool stream)
{
    for (unsigned r = r0; r < r0 + n; r++, out += stride) {
        for (unsigned c = 0; c < T2_COLS; c += T2_GROUP) {
            uint32_t levels[4];
            t2_levels(t2_scale(tile, r, c), levels);
            group_avx2(tile + t2_code_at(r, c), levels, out + c, stream);
        }
    }
}

AVX2 static inline __m256i pairs_avx2(const uint8_t *p)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return _mm256_and_si256(v, _mm256_srli_epi64(v, 1));
}

AVX2 static inline __m256i nonfinite_avx2(const uint8_t *p)
{
    const __m256i infinite = _mm256_set1_epi16(0x7c00);
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return _mm256_cmpeq_epi16(_mm256_and_si256(v, infinite), infinite);
}

AVX2 static bool clean_avx2(const uint8_t *tile)
{
    __m256i codes = _mm256_setzero_si256();
    __m256i scales = _mm256_setzero_si256();
    for (unsigned i = 0; i < T2_CODES; i += 128) { /* four that do not wait for each other */
        __m256i ab = _mm256_or_si256(pairs_avx2(tile + i), pairs_avx2(tile + i + 32));
        __m256i cd = _mm256_or_si256(pairs_avx2(tile + i + 64), pairs_avx2(tile + i + 96));
        codes = _mm256_or_si256(codes, _mm256_or_si256(ab, cd));
    }
    for (unsigned i = T2_CODES; i < T2_TILE; i += 32)
        scales = _mm256_or_si256(scales, nonfinite_avx2(tile + i));
    return _mm256_testz_si256(codes, _mm256_set1_epi8(0x55)) && _mm256_testz_si256(scales, scales);
}

__attribute__((target("popcnt"))) static void count_popcnt(const uint8_t *bytes, size_t n,
                                                           uint64_t counts[4])
{
    const uint64_t even = 0x5555555555555555u;
    uint64_t odd = 0;
    uint64_t high = 0;
    uint64_t both = 0;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v;
        memcpy(&v, bytes + i, sizeof v);
        odd += (uint64_t)__builtin_popcountll(v & even);
        high += (uint64_t)__builtin_popcountll(v >> 1 & even);
        both += (uint64_t)__builtin_popcountll(v & v >> 1 & even);
    }
    counts[0] += (uint64_t)n * 4 - odd - high + both;
    counts[1] += odd - both;
    counts[2] += high - both;
    counts[3] += both;
}

static void count_sse2(const uint8_t *bytes, size_t n, uint64_t counts[4])
{
    kernel_portable.count(bytes, n, counts);
}

static const Kernel kernel_sse2 = {"sse2", unpack_sse2, clean_sse2, count_sse2, fence};
static const Kernel kernel_avx2 = {"avx2", unpack_avx2, clean_avx2, count_popcnt, fence};

const Kernel *kernel_x86(size_t i)
{
    if (i == 0)
        return &kernel_sse2; /* part of every x86-64 */
    return i == 1 && __builtin_cpu_supports("avx2") ? &kernel_avx2 : NULL;
}

#else

const Kernel *kernel_x86(size_t i)
{
    (void)i;
    return NULL;
}

#endif
