#include "engine/fixed_point.h"

/* round(2^14 / sqrt(0.5 + k/64 + 1/128)): the middle of each segment. */
static const uint16_t rsqrt_seed[32] = {
    22992, 22646, 22315, 21999, 21695, 21404, 21124, 20855, 20596, 20346, 20106,
    19873, 19649, 19431, 19221, 19018, 18821, 18630, 18444, 18264, 18090, 17920,
    17755, 17594, 17438, 17285, 17137, 16992, 16851, 16714, 16579, 16448,
};

/* round(2^14 / (0.5 + k/64)): the left edge of each segment. */
static const uint16_t recip_seed[32] = {
    32768, 31775, 30840, 29959, 29127, 28340, 27594, 26887, 26214, 25575, 24966,
    24385, 23831, 23302, 22795, 22310, 21845, 21400, 20972, 20560, 20165, 19784,
    19418, 19065, 18725, 18396, 18079, 17772, 17476, 17190, 16913, 16644,
};

uint16_t rsqrt_table(int k)
{
    return rsqrt_seed[k];
}

uint16_t recip_table(int k)
{
    return recip_seed[k];
}

int clz16(uint16_t v)
{
    return v ? __builtin_clz(v) - 16 : 16;
}

static int16_t clamp_positive(uint32_t v, uint32_t least)
{
    return (int16_t)(v > 0x7fff ? 0x7fff : v < least ? least : v);
}

int16_t fp_inv_sqrt_steps(int16_t x, Newton *steps)
{
    *steps = (Newton){0};
    if (x <= 0)
        return 0x0100;
    if (x == 1)
        return 0x1000;
    int lz = clz16((uint16_t)x);
    uint32_t n = (uint16_t)((uint32_t)x << lz);
    int k = (n >> 10) & 31;
    uint32_t r0 = rsqrt_seed[k];
    /* Newton-Raphson: r1 = r0 * (3 - n * r0^2) / 2 */
    uint32_t s = ((r0 * r0) >> 14) & 0xffff;
    uint32_t p = (n * s) >> 16;
    uint32_t t = (uint16_t)(49152u - p);
    uint32_t r1 = ((r0 * t) >> 15) & 0x7fff;
    int e = lz - FRAC_BITS; /* the value is n * 2^-e */
    bool odd = (e & 1) != 0;
    uint32_t a = odd ? (r1 * 23170u) >> 14 : r1; /* 23170 = sqrt(2) in Q2.14 */
    int sh = 6 - (odd ? (e - 1) / 2 : e / 2);
    *steps = (Newton){true, lz, (uint16_t)n, k, (uint16_t)r0, (uint16_t)r1, odd, sh};
    return clamp_positive((a & 0xffff) >> sh, 1);
}

int16_t fp_inv_sqrt(int16_t x)
{
    Newton steps;
    return fp_inv_sqrt_steps(x, &steps);
}

int16_t reciprocal_steps(uint16_t s, Newton *steps)
{
    *steps = (Newton){0};
    if (s <= 1)
        return 0x7fff;
    int lz = clz16(s);
    uint32_t n = (uint16_t)((uint32_t)s << lz);
    int k = (n >> 10) & 31;
    uint32_t r0 = recip_seed[k];
    /* Newton-Raphson: r1 = r0 * (2 - n * r0) */
    uint32_t p = (n * r0) >> 16;
    uint32_t c = 32768u - p;
    uint32_t r1 = (uint32_t)(((uint64_t)r0 * c) >> 14) & 0xffff;
    *steps = (Newton){true, lz, (uint16_t)n, k, (uint16_t)r0, (uint16_t)r1, false, 14 - lz};
    return clamp_positive(r1 >> (14 - lz), 0);
}

int16_t reciprocal(uint16_t s)
{
    Newton steps;
    return reciprocal_steps(s, &steps);
}

int16_t approx_exp(int16_t x, ExpMode mode)
{
    int v = 0;
    if (x >= 0)
        return 0x0100;
    if (x > -0x0100)
        return (int16_t)(0x0100 + x);
    if (x <= -0x0400)
        return EXP_FLOOR;
    if (mode == EXP_EXECUTED)
        v = x > -0x0200 ? (x + 0x0160) >> 1 : (x + 0x0220) >> 2;
    else
        v = x > -0x0200 ? 0x60 + ((x + 0x0100) >> 1) : 0x20 + ((x + 0x0200) >> 2);
    return (int16_t)(v > 0 ? v : EXP_FLOOR);
}

int16_t sigmoid(int16_t x)
{
    int a = x < 0 ? -x : x, s = 256;
    if (a < 256)
        s = (a >> 2) + 128;
    else if (a < 608)
        s = (a >> 3) + 160;
    else if (a < 1280)
        s = (a >> 5) + 216;
    return (int16_t)(x >= 0 ? s : 256 - s);
}

int16_t silu(int16_t x)
{
    return fp_mul(x, sigmoid(x));
}

int16_t swiglu(int16_t gate, int16_t up)
{
    return fp_mul(silu(gate), up);
}
