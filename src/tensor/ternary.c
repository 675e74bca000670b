#include "tensor/ternary.h"

#include <string.h>

#include "tensor/half.h"
#include "tensor/kernel.h"
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

static void tq1_codes(const uint8_t *block, uint8_t *codes)
{
    trit_codes(tq1_stages, block, codes);
}

static TernaryPlace tq1_place(unsigned weight)
{
    return trit_place(tq1_stages, weight);
}

static void ptq1_codes(const uint8_t *block, uint8_t *codes)
{
    trit_codes(ptq1_stages, block, codes);
}

static TernaryPlace ptq1_place(unsigned weight)
{
    return trit_place(ptq1_stages, weight);
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
    {KIND_TQ1_0, 256, 54, 52, 0, 52, tq1_codes, tq1_place, 48},
    {KIND_TQ2_0, 256, 66, 64, 0, 64, tq2_codes, tq2_place, 0},
    {KIND_PTQ1_0, 128, 28, 26, 0, 26, ptq1_codes, ptq1_place, 24},
    {KIND_PQ2_0, 128, 34, 0, 2, 34, q2_codes128, q2_place, 0},
    {KIND_Q2_0_G64, 64, 18, 0, 2, 18, q2_codes64, q2_place, 0},
    {KIND_Q2_0_G128, 128, 34, 0, 2, 34, q2_codes128, q2_place, 0},
    {KIND_Q1_0, 128, 18, 0, 2, 18, q1_codes, q1_place, 0},
};

/* The pairs of bits that are both 1. */
unsigned ternary_threes(const TernaryFormat *f, const uint8_t *block)
{
    unsigned threes = 0;
    if (f->place(0).bits != 2)
        return 0; /* trits and signs have no code 3 */
    for (unsigned i = f->codes_at; i < f->codes_end; i += 8) {
        uint64_t v;
        memcpy(&v, block + i, sizeof v);
        v &= v >> 1 & 0x5555555555555555u;
        threes += v ? (unsigned)__builtin_popcountll(v) : 0;
    }
    return threes;
}

void ternary_counter_init(TernaryCounter *t, const TernaryFormat *f)
{
    *t = (TernaryCounter){.f = f, .kernel = kernel_best()};
    for (unsigned byte = 0; f->short_at && byte < 256; byte++) {
        for (unsigned trits = 4; trits <= 5; trits++) {
            uint64_t *held = &t->trits[trits == 4][byte];
            for (unsigned n = 0; n < trits; n++)
                *held += (uint64_t)1 << 16 * ternary_trit((uint8_t)byte, n);
            *held += is_odd_byte((uint8_t)byte, trits) ? (uint64_t)1 << 48 : 0;
        }
    }
}

static unsigned count_trits(const TernaryCounter *t, const uint8_t *block, uint64_t counts[4])
{
    uint64_t held[2] = {0}; /* two sums that do not wait for each other */
    for (unsigned i = 0; i < t->f->short_at; i += 2) {
        held[0] += t->trits[0][block[i]];
        held[1] += t->trits[0][block[i + 1]];
    }
    for (unsigned i = t->f->short_at; i < t->f->codes_end; i++)
        held[0] += t->trits[1][block[i]];
    held[0] += held[1]; /* at most 256 in each field */
    for (unsigned code = 0; code < 3; code++)
        counts[code] += held[0] >> 16 * code & 0xffff;
    return (unsigned)(held[0] >> 48);
}

unsigned ternary_count(const TernaryCounter *t, const uint8_t *block, uint64_t counts[4])
{
    const TernaryFormat *f = t->f;
    if (f->short_at)
        return count_trits(t, block, counts);
    size_t n = (size_t)(f->codes_end - f->codes_at);
    if (f->place(0).bits == 2) {
        t->kernel->count(block + f->codes_at, n, counts);
        return 0;
    }
    unsigned positive = 0;
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t v;
        memcpy(&v, block + f->codes_at + i, sizeof v);
        positive += (unsigned)__builtin_popcountll(v);
    }
    counts[0] += f->weights - positive;
    counts[2] += positive;
    return 0;
}

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
