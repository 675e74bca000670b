#include "tensor/ternary.h"

#include "tensor/half.h"
#include "tensor/t2.h"

unsigned ternary_trit(uint8_t byte, unsigned n)
{
    static const uint8_t power[5] = {1, 3, 9, 27, 81};
    uint8_t v = (uint8_t)(byte * power[n]); /* modulo 256: the higher digits fall away */
    return v * 3u >> 8;
}

/* A stage of a base-3 format: trit n of byte m of `bytes` bytes is element first + n*bytes + m. */
typedef struct TritStage {
    uint16_t first; /* element */
    uint8_t at;     /* byte */
    uint8_t bytes;
    uint8_t trits;
} TritStage;

static const TritStage tq1_stages[3] = {{0, 0, 32, 5}, {160, 32, 16, 5}, {240, 48, 4, 4}};
static const TritStage ptq1_stages[3] = {{0, 0, 16, 5}, {80, 16, 8, 5}, {120, 24, 2, 4}};

static void trit_codes(const TritStage stages[3], const uint8_t *block, uint8_t *codes)
{
    for (unsigned s = 0; s < 3; s++) {
        for (unsigned n = 0; n < stages[s].trits; n++) {
            for (unsigned m = 0; m < stages[s].bytes; m++)
                *codes++ = (uint8_t)ternary_trit(block[stages[s].at + m], n);
        }
    }
}

static TernaryPlace trit_place(const TritStage stages[3], unsigned weight)
{
    unsigned s = weight >= stages[2].first ? 2 : weight >= stages[1].first ? 1 : 0;
    unsigned i = weight - stages[s].first;
    return (TernaryPlace){.byte = stages[s].at + i % stages[s].bytes, .trit = i / stages[s].bytes};
}

/* A reference encoder stores ceil(q * 256 / 243) of five trits; the fifth of a short byte is 0. */
static bool is_odd_byte(uint8_t byte, unsigned trits)
{
    unsigned q = 0;
    for (unsigned n = 0; n < 5; n++)
        q = q * 3 + (n < trits ? ternary_trit(byte, n) : 0);
    return (q * 256 + 242) / 243 != byte;
}

static unsigned trit_odd_bytes(const TritStage stages[3], const uint8_t *block)
{
    unsigned odd = 0;
    for (unsigned s = 0; s < 3; s++) {
        for (unsigned m = 0; m < stages[s].bytes; m++)
            odd += is_odd_byte(block[stages[s].at + m], stages[s].trits);
    }
    return odd;
}

static void tq1_codes(const uint8_t *block, uint8_t *codes)
{
    trit_codes(tq1_stages, block, codes);
}

static TernaryPlace tq1_place(unsigned weight)
{
    return trit_place(tq1_stages, weight);
}

static unsigned tq1_odd_bytes(const uint8_t *block)
{
    return trit_odd_bytes(tq1_stages, block);
}

static void ptq1_codes(const uint8_t *block, uint8_t *codes)
{
    trit_codes(ptq1_stages, block, codes);
}

static TernaryPlace ptq1_place(unsigned weight)
{
    return trit_place(ptq1_stages, weight);
}

static unsigned ptq1_odd_bytes(const uint8_t *block)
{
    return trit_odd_bytes(ptq1_stages, block);
}

/* TQ2_0 keeps elements 32 apart in one byte. */
static TernaryPlace tq2_place(unsigned weight)
{
    return (TernaryPlace){
        .byte = 32 * (weight / 128) + weight % 32, .bit = 2 * (weight % 128 / 32), .bits = 2};
}

static void tq2_codes(const uint8_t *block, uint8_t *codes)
{
    for (unsigned i = 0; i < 256; i++) {
        TernaryPlace p = tq2_place(i);
        codes[i] = block[p.byte] >> p.bit & 3;
    }
}

/* Q2_0 and PQ2_0: the scale first, then four consecutive codes per byte. */
static TernaryPlace q2_place(unsigned weight)
{
    return (TernaryPlace){.byte = 2 + weight / 4, .bit = 2 * (weight % 4), .bits = 2};
}

static void q2_codes(const uint8_t *block, uint8_t *codes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        codes[i] = block[2 + i / 4] >> 2 * (i % 4) & 3;
}

static void q2_codes64(const uint8_t *block, uint8_t *codes)
{
    q2_codes(block, codes, 64);
}

static void q2_codes128(const uint8_t *block, uint8_t *codes)
{
    q2_codes(block, codes, 128);
}

static TernaryPlace q1_place(unsigned weight)
{
    return (TernaryPlace){.byte = 2 + weight / 8, .bit = weight % 8, .bits = 1};
}

static void q1_codes(const uint8_t *block, uint8_t *codes)
{
    for (unsigned i = 0; i < 128; i++)
        codes[i] = block[2 + i / 8] >> i % 8 & 1 ? 2 : 0; /* a bit is a sign: never zero */
}

static const TernaryFormat formats[] = {
    {KIND_TQ1_0, 256, 54, 52, 0, 52, tq1_codes, tq1_place, tq1_odd_bytes},
    {KIND_TQ2_0, 256, 66, 64, 0, 64, tq2_codes, tq2_place, NULL},
    {KIND_PTQ1_0, 128, 28, 26, 0, 26, ptq1_codes, ptq1_place, ptq1_odd_bytes},
    {KIND_PQ2_0, 128, 34, 0, 2, 34, q2_codes128, q2_place, NULL},
    {KIND_Q2_0_G64, 64, 18, 0, 2, 18, q2_codes64, q2_place, NULL},
    {KIND_Q2_0_G128, 128, 34, 0, 2, 34, q2_codes128, q2_place, NULL},
    {KIND_Q1_0, 128, 18, 0, 2, 18, q1_codes, q1_place, NULL},
};

const TernaryFormat *ternary_format(TensorKind kind)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].kind == kind)
            return &formats[i];
    }
    return NULL;
}

void ternary_levels(uint16_t scale, uint32_t weights[4])
{
    t2_levels(scale, weights);
    uint32_t d = weights[2];
    weights[3] = d == F32_NAN ? d : f32_bits(2 * f32_value(d)); /* exact: f32 reaches far above */
}

unsigned ternary_code(const TernaryFormat *f, const uint8_t *block, unsigned i)
{
    TernaryPlace p = f->place(i);
    switch (p.bits) {
    case 0:
        return ternary_trit(block[p.byte], p.trit);
    case 1:
        return block[p.byte] >> p.bit & 1 ? 2 : 0;
    default:
        return block[p.byte] >> p.bit & 3u;
    }
}

uint16_t ternary_scale(const TernaryFormat *f, const uint8_t *block)
{
    return load_le16(block + f->scale_at);
}

void ternary_weights(const TernaryFormat *f, const uint8_t *block, uint32_t *weights)
{
    uint32_t levels[4];
    ternary_levels(ternary_scale(f, block), levels);
    for (unsigned i = 0; i < f->weights; i++)
        weights[i] = levels[ternary_code(f, block, i)];
}
