#ifndef ENGINE_FIXED_POINT_H
#define ENGINE_FIXED_POINT_H
/* The arithmetic of the machine, one function per function of rtl/transformer_pkg.sv, in its order
 * (decoder.md section 1). data = signed 16-bit Q8.8, acc = signed 32-bit that wraps. Right shifts
 * of signed values are arithmetic. */
#include <stdbool.h>
#include <stdint.h>

#include "engine/config.h"

enum {
    FRAC_BITS = 8,
    EXP_FLOOR = 4 /* raw: what approx_exp never falls below */
};

/* The low 16 bits, as data; the low 32 bits, as acc. */
static inline int16_t low16(int64_t v)
{
    return (int16_t)(uint16_t)(uint64_t)v;
}
static inline int32_t low32(int64_t v)
{
    return (int32_t)(uint32_t)(uint64_t)v;
}

/* Floors and wraps: 16.0 * 16.0 = 0.0, and (-1/256) * (1/256) = -1/256. */
static inline int16_t fp_mul(int16_t a, int16_t b)
{
    return low16(((int32_t)a * b) >> FRAC_BITS);
}
static inline int16_t fp_sat_add(int16_t a, int16_t b)
{
    int sum = a + b;
    return (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
}
/* acc to data: floors and wraps, does not saturate. */
static inline int16_t narrow(int32_t acc)
{
    return low16(acc >> FRAC_BITS);
}

/* Would the exact result not fit 16 bits? */
static inline bool fp_mul_wraps(int16_t a, int16_t b)
{
    int32_t exact = ((int32_t)a * b) >> FRAC_BITS;
    return exact != (int16_t)exact;
}
static inline bool fp_add_saturates(int16_t a, int16_t b)
{
    int sum = a + b;
    return sum != (int16_t)sum;
}

/* Leading zeros of a 16-bit value, 16 for 0. */
int clz16(uint16_t v);
/* 1/sqrt(x) in Q8.8 by table and one Newton-Raphson step, about 13 bits; x <= 0 gives 1.0. */
int16_t fp_inv_sqrt(int16_t x);
/* About 65536 / s by table and one Newton-Raphson step, 10 bits at worst; s <= 1 gives 0x7fff. */
int16_t reciprocal(uint16_t s);
/* exp by pieces, as the deck's listing executes (`+` binds tighter than `>>>`) or as its comments
 * read. Not monotonic at -1 in either; never 0. */
int16_t approx_exp(int16_t x, ExpMode mode);

/* 1/(1 + e^-x) by four pieces with slopes of powers of two (PLAN): monotonic, off by at most
 * 0.0215; exactly 0 and 1.0 from +-5.0 on (options-a.md section 2). */
int16_t sigmoid(int16_t x);
/* x * sigmoid(x); and that times up, which wraps. */
int16_t silu(int16_t x);
int16_t swiglu(int16_t gate, int16_t up);

/* The pieces of a table look-up refined by one Newton-Raphson step, for those who tell them. */
typedef struct Newton {
    bool looked_up;         /* false: x is too small, the result is a constant */
    int lz;                 /* leading zeros of x: n = x << lz */
    uint16_t n;             /* x normalised: its top bit is set (Q0.16) */
    int k;                  /* table index: the five bits below the top bit */
    uint16_t seed, refined; /* Q2.14: the table's entry, and after the Newton step */
    bool odd;               /* inverse square root: times sqrt(2), as lz - 8 is odd */
    int shift;              /* right shift that ends it */
} Newton;
int16_t fp_inv_sqrt_steps(int16_t x, Newton *steps);
int16_t reciprocal_steps(uint16_t s, Newton *steps);

/* The seed tables, unsigned Q2.14, index 0..31. */
uint16_t rsqrt_table(int k);
uint16_t recip_table(int k);

#endif
