#include "tensor/fingerprint.h"

#include <stdio.h>

#include "tensor/half.h"

enum { WINDOW = 8 /* neighbouring exponents: a factor of 256 */ };

/* Share, in percent, of the scales that lie in the best window of neighbouring exponents. The
 * scales of a tensor lie close together; random bits fill a quarter. */
typedef struct Spread {
    uint64_t scales; /* that are not zero */
    unsigned percent;
    unsigned first; /* exponent of the window */
} Spread;

static Spread spread_of(const uint64_t exponents[32], uint64_t zeros)
{
    Spread spread = {0};
    uint64_t most = 0;
    for (unsigned e = 0; e < 32; e++)
        spread.scales += exponents[e];
    spread.scales -= zeros;
    for (unsigned first = 0; first + WINDOW <= 32; first++) {
        uint64_t in = 0;
        for (unsigned e = first; e < first + WINDOW; e++)
            in += exponents[e];
        in -= first ? 0 : zeros;
        if (in > most) {
            most = in;
            spread.first = first;
        }
    }
    if (spread.scales)
        spread.percent = (unsigned)(100.0 * (double)most / (double)spread.scales);
    return spread;
}

/* What the scales are if their bits are judged all together. */
typedef struct Judged {
    Spread read, swapped;
    bool big_endian;
    bool ones_swapped; /* 0x003c stands where there should be 1.0 */
    bool codes;        /* they look like code bytes, most have no pair 11 */
    bool code_scales;  /* 0x5555, 0x5556: eight weights of 0, or seven and a +1 */
} Judged;

/* The low byte of a scale is noise: as the high one it spreads the exponents and gives half of the
 * scales a sign. A share of signs is asked for because powers of two, however far apart, all become
 * subnormals when swapped. */
static bool is_big_endian(const TensorStats *s, const Judged *j)
{
    return j->read.scales >= 32 && j->read.percent < 60 && j->swapped.percent >= 80 &&
           s->negative * 4 >= j->read.scales;
}

/* Ternary codes hold no pair 11; two thirds of true scales or more do, their low byte is noise.
 * Where codes are read as scales, scales are read as codes: there must be some codes 3. */
static bool are_codes(const TensorStats *s, const Judged *j)
{
    return j->read.scales >= 16 && s->no_pair_11 * 4 >= j->read.scales * 3 &&
           j->read.percent < 80 && j->swapped.percent < 80 && s->codes[3] * 300 >= s->weights;
}

/* Is that exponent none of those that nearly all other scales have? */
static bool apart(const Spread *spread, unsigned exponent)
{
    return spread->percent >= 80 &&
           (exponent < spread->first || exponent >= spread->first + WINDOW);
}

static Judged judge(const TensorStats *s)
{
    enum { EXPONENT_0 = 0, EXPONENT_85 = 21 };
    Judged j = {.read = spread_of(s->exponents, s->classes[HALF_ZERO]),
                .swapped = spread_of(s->swapped_exponents, 0)};
    j.big_endian = is_big_endian(s, &j);
    j.codes = !j.big_endian && are_codes(s, &j);
    /* one of many subnormals, or of such scales, is what it says it is */
    j.ones_swapped = s->swapped_scales * 2 > j.read.scales ||
                     (s->swapped_scales && s->swapped_scales * 2 >= s->classes[HALF_SUBNORMAL] &&
                      apart(&j.read, EXPONENT_0));
    j.code_scales = s->code_scales && ((s->codes[3] && s->codes[3] * 256 >= s->weights) ||
                                       apart(&j.read, EXPONENT_85));
    return j;
}

/* Codes 3 in several periods of 34 bytes of each tile, at one place (or two neighbours)? One
 * damaged byte is one period; tiles read two bytes too late have one each. */
static bool periodic(const TensorStats *s)
{
    for (unsigned i = 0; i < STATS_PERIOD; i++) {
        if (s->period[i])
            return s->periods >= 4 * s->tiles &&
                   s->period[i] + s->period[(i + 1) % STATS_PERIOD] == s->codes[3];
    }
    return false;
}

unsigned stats_fingerprints(const TensorStats *s, TensorKind kind,
                            Fingerprint out[FINGERPRINTS_MAX])
{
    const Judged j = judge(s);
    bool trits = kind == KIND_TQ1_0 || kind == KIND_PTQ1_0;
    bool many_3 = s->weights && s->codes[3] * 5 >= s->weights; /* 25 % if random; from 20 % */
    char swapped[sizeof out->cause], codes[sizeof out->cause];
    snprintf(swapped, sizeof swapped,
             "%u %% of them lie within %d exponents when swapped, %u %% as read", j.swapped.percent,
             WINDOW, j.read.percent);
    snprintf(
        codes, sizeof codes,
        "wrong group size or offset: no pair 11 in %.0f %% of them, %.1f %% of the codes are 3",
        j.read.scales ? 100.0 * (double)s->no_pair_11 / (double)j.read.scales : 0,
        s->weights ? 100.0 * (double)s->codes[3] / (double)s->weights : 0);
    const struct {
        bool seen;
        const char *what, *cause;
    } all[] = {
        {j.big_endian, "scale bytes swapped (big-endian)", swapped},
        {j.codes, "scales look like code bytes", codes},
        {j.code_scales && !j.big_endian, "scale 85.3125 or 85.375 (0x5555, 0x5556)",
         "code bytes read as the scale: wrong group size, or d-first and d-last swapped"},
        {j.ones_swapped && !j.big_endian, "scale 3.58e-06 (0x003c)",
         "1.0 with its two bytes swapped: a big-endian scale"},
        {s->stale_groups > 0, "scale zero, codes not",
         "stale codes, amax below 2^-25, or flushed subnormal"},
        {s->classes[HALF_INF] + s->classes[HALF_NAN] > 0 && !j.big_endian && !j.codes,
         "scale inf or NaN", "amax above 65504 when encoded, or 0/0 of an all-zero group"},
        {kind != KIND_PB16I && many_3, "code 3 in a fifth of all codes or more",
         "random data: wrong offset, or not a 2-bit tensor"},
        {kind == KIND_T2 && !many_3 && periodic(s), "code 3 at one place of each 34 bytes",
         "scale bytes of PQ2_0 blocks read as codes"},
        {s->holes > 0, "whole tiles of code 0 with scale 0",
         "a zero-filled hole: zero weights are 0x55"},
        {trits && s->odd_bytes > 0, "base-3 bytes that no reference encoder writes",
         "written by another encoder, or not base-3 data"},
        {kind == KIND_T2 && s->rows > 0 && s->twin_rows == s->rows && s->varied,
         "both scales of every row are equal", "the source had groups of 256: TQ1_0/2_0"},
        {kind == KIND_Q2_0_G64, "size = weights * 0.28125", "id 42 with groups of 64"},
        {kind == KIND_Q2_0_G128, "size = weights * 0.265625", "id 42 with groups of 128"},
        {s->varied && s->classes[HALF_NORMAL] >= 8 && s->low_bits_clear == s->classes[HALF_NORMAL],
         "the low 3 fraction bits of every scale are 0", "the scales went through bf16 once"},
    };
    _Static_assert(sizeof all / sizeof *all == FINGERPRINTS_MAX, "one slot each");
    unsigned n = 0;
    for (unsigned i = 0; i < FINGERPRINTS_MAX; i++) {
        if (!all[i].seen)
            continue;
        snprintf(out[n].seen, sizeof out[n].seen, "%s", all[i].what);
        snprintf(out[n++].cause, sizeof out->cause, "%s", all[i].cause);
    }
    return n;
}
