#include "tensor/half.h"

#include <math.h>

const char *half_class_name(HalfClass c)
{
    static const char *const names[] = {"zero", "subnormal", "normal", "inf", "nan"};
    return names[c];
}

bool half_from_scaled(uint32_t magnitude, int exponent, uint16_t *h)
{
    if (magnitude == 0) {
        *h = 0;
        return true;
    }
    int low = __builtin_ctz(magnitude);
    int top = 31 - __builtin_clz(magnitude);
    /* binary places of the highest and lowest set bit */
    int high_place = top + exponent;
    int low_place = low + exponent;
    if (top - low > 10 || high_place > 15 || low_place < -24)
        return false;
    uint32_t odd = magnitude >> low;
    if (high_place < -14) {
        *h = (uint16_t)(odd << (low_place + 24));
        return true;
    }
    uint32_t fraction = (odd << (10 - (top - low))) & 1023u;
    *h = (uint16_t)((uint32_t)(high_place + 15) << 10 | fraction);
    return true;
}

bool half_from_f32(uint32_t bits, uint16_t *h)
{
    uint32_t exponent = (bits >> 23) & 255u;
    uint32_t fraction = bits & 0x7fffffu;
    if (exponent == 255)
        return false;
    bool fits = exponent ? half_from_scaled(fraction | 0x800000u, (int)exponent - 150, h)
                         : half_from_scaled(fraction, -149, h);
    if (fits)
        *h = (uint16_t)(*h | (bits >> 16 & 0x8000u));
    return fits;
}

uint32_t f32_from_scaled(int32_t value, int exponent)
{
    /* a double holds every int32 exactly, so the only rounding is the last one */
    return f32_bits((float)ldexp((double)value, exponent));
}

bool half_is_bf16(uint16_t h)
{
    return half_class(h) != HALF_NAN && (half_to_f32(h) & 0xffffu) == 0;
}

uint32_t half_as_bf16(uint16_t h)
{
    uint32_t bits = half_to_f32(h);
    return (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
}

double half_bf16_error(uint16_t h)
{
    HalfClass c = half_class(h);
    if (c != HALF_NORMAL && c != HALF_SUBNORMAL)
        return 0;
    double exact = f32_value(half_to_f32(h));
    return fabs((f32_value(half_as_bf16(h)) - exact) / exact);
}
