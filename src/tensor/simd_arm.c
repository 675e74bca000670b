/* NEON form of the t2 loops: a byte-table look-up selects the weight of each code. */
#include "tensor/kernel.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#include "tensor/t2.h"

static void group_neon(const uint8_t *codes, const uint32_t levels[4], float *out)
{
    static const int32_t shifts[4] = {0, -2, -4, -6};
    const int32x4_t shift = vld1q_s32(shifts);
    const uint8x16_t table = vreinterpretq_u8_u32(vld1q_u32(levels));
    for (unsigned i = 0; i < T2_GROUP / 4; i++, out += 4) {
        uint32x4_t code = vandq_u32(vshlq_u32(vdupq_n_u32(codes[i]), shift), vdupq_n_u32(3));
        /* code c picks bytes 4c .. 4c+3 of the table */
        uint32x4_t index = vmlaq_n_u32(vdupq_n_u32(0x03020100u), code, 0x04040404u);
        vst1q_f32(out, vreinterpretq_f32_u8(vqtbl1q_u8(table, vreinterpretq_u8_u32(index))));
    }
}

static void unpack_neon(const uint8_t *tile, unsigned r0, unsigned n, float *out, uint64_t stride,
                        bool stream)
{
    (void)stream; /* no such hint worth its while here */
    for (unsigned r = r0; r < r0 + n; r++, out += stride) {
        for (unsigned c = 0; c < T2_COLS; c += T2_GROUP) {
            uint32_t levels[4];
            t2_levels(t2_scale(tile, r, c), levels);
            group_neon(tile + t2_code_at(r, c), levels, out + c);
        }
    }
}

static bool clean_neon(const uint8_t *tile)
{
    const uint16x8_t infinite = vdupq_n_u16(0x7c00);
    uint8x16_t codes = vdupq_n_u8(0);
    uint16x8_t scales = vdupq_n_u16(0);
    for (unsigned i = 0; i < T2_CODES; i += 16) {
        uint8x16_t v = vld1q_u8(tile + i);
        codes = vorrq_u8(codes, vandq_u8(v, vshrq_n_u8(v, 1)));
    }
    for (unsigned i = T2_CODES; i < T2_TILE; i += 16) {
        uint16x8_t v = vreinterpretq_u16_u8(vld1q_u8(tile + i));
        scales = vorrq_u16(scales, vceqq_u16(vandq_u16(v, infinite), infinite));
    }
    return vmaxvq_u8(vandq_u8(codes, vdupq_n_u8(0x55))) == 0 && vmaxvq_u16(scales) == 0;
}

static void count_neon(const uint8_t *bytes, size_t n, uint64_t counts[4])
{
    kernel_portable.count(bytes, n, counts);
}

static void fence_neon(void)
{
}

static const Kernel kernel_neon = {"neon", unpack_neon, clean_neon, count_neon, fence_neon};

const Kernel *kernel_arm(size_t i)
{
    return i == 0 ? &kernel_neon : NULL;
}

#else

const Kernel *kernel_arm(size_t i)
{
    (void)i;
    return NULL;
}

#endif
