#ifndef TENSOR_HALF_H
#define TENSOR_HALF_H
/* IEEE fp16 and bf16 scales in integer arithmetic only: every conversion is exact or says no.
 * Values are carried as the 32 bits of a float so that -0.0 and NaN keep their identity. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define F32_NAN  0x7fc00000u /* the one NaN that is ever written */
#define F32_SIGN 0x80000000u
#define F32_INF  0x7f800000u

typedef enum HalfClass { HALF_ZERO, HALF_SUBNORMAL, HALF_NORMAL, HALF_INF, HALF_NAN } HalfClass;

/* sign | exponent | fraction of an fp16, as stored. */
typedef struct HalfFields {
    unsigned sign;     /* 1 bit */
    unsigned exponent; /* 5 bits, bias 15 */
    unsigned fraction; /* 10 bits */
} HalfFields;

static inline HalfFields half_fields(uint16_t h)
{
    return (HalfFields){.sign = h >> 15u, .exponent = (h >> 10u) & 31u, .fraction = h & 1023u};
}

static inline HalfClass half_class(uint16_t h)
{
    HalfFields f = half_fields(h);
    if (f.exponent == 31)
        return f.fraction ? HALF_NAN : HALF_INF;
    if (f.exponent > 0)
        return HALF_NORMAL;
    return f.fraction ? HALF_SUBNORMAL : HALF_ZERO;
}

const char *half_class_name(HalfClass c);

/* The fp16 whose value is that of the finite f32 bits; false when there is none. */
bool half_from_f32(uint32_t bits, uint16_t *h);
/* The fp16 whose value is magnitude * 2^exponent (sign +); false when there is none. */
bool half_from_scaled(uint32_t magnitude, int exponent, uint16_t *h);
/* f32 bits of value * 2^exponent, rounded to nearest even; too large gives infinity. */
uint32_t f32_from_scaled(int32_t value, int exponent);

/* Would bf16 hold this fp16 unchanged? Inf counts as yes, NaN as no. */
bool half_is_bf16(uint16_t h);
/* f32 bits of the fp16 rounded to bf16 (to nearest even). */
uint32_t half_as_bf16(uint16_t h);
/* |bf16(h) - h| / |h|; 0 for zero, inf and NaN. */
double half_bf16_error(uint16_t h);

static inline uint16_t load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline void store_le16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

/* f32 bits of an fp16, subnormals included; any NaN becomes F32_NAN. */
static inline uint32_t half_to_f32(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t exponent = (h >> 10) & 31u;
    uint32_t fraction = h & 1023u;
    if (exponent == 31)
        return fraction ? F32_NAN : sign | F32_INF;
    if (exponent > 0)
        return sign | (exponent + 112) << 23 | fraction << 13;
    if (fraction == 0)
        return sign;
    uint32_t top = 31 - (uint32_t)__builtin_clz(fraction); /* value = fraction * 2^-24 */
    return sign | (top + 103) << 23 | ((fraction << (23 - top)) & 0x7fffffu);
}

static inline uint32_t bf16_to_f32(uint16_t b)
{
    return (uint32_t)b << 16;
}

static inline float f32_value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t f32_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

#endif
