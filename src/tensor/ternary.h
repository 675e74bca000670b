#ifndef TENSOR_TERNARY_H
#define TENSOR_TERNARY_H
/* The ternary block formats of ggml and its forks (ternary.md sections 1 and 2): a run of codes
 * along K and one fp16 scale. All codes are given in t2's terms: 0 = -1, 1 = 0, 2 = +1, and
 * 3 = +2, which some of these formats can hold and t2 cannot. */
#include <stdbool.h>
#include <stdint.h>

#include "tensor/kind.h"

enum { TERNARY_MAX_WEIGHTS = 256 };

/* Where the code of one weight is. */
typedef struct TernaryPlace {
    unsigned byte; /* in the block */
    unsigned bit;  /* lowest bit; 0 for trits */
    unsigned bits; /* 2 or 1; 0 for a trit */
    unsigned trit; /* of a trit: 0 is the most significant base-3 digit */
} TernaryPlace;

typedef struct TernaryFormat {
    TensorKind kind;
    uint16_t weights; /* in a block */
    uint16_t bytes;
    uint16_t scale_at; /* byte of the fp16 scale */
    uint16_t codes_at; /* first of the code bytes, codes_end the byte after the last */
    uint16_t codes_end;
    void (*codes)(const uint8_t *block, uint8_t *codes);
    TernaryPlace (*place)(unsigned weight);
    uint16_t
        short_at; /* base-3 kinds: from here on a byte holds four trits, before it five; else 0 */
} TernaryFormat;

/* The format of a block kind; NULL for others. */
const TernaryFormat *ternary_format(TensorKind kind);

/* f32 bits of what codes 0..3 stand for under a scale: -d, 0*d, +d, +2*d. */
void ternary_levels(uint16_t scale, uint32_t weights[4]);

/* Code of weight i of a block, by the element rule (`codes` does the same a block at a time). */
unsigned ternary_code(const TernaryFormat *f, const uint8_t *block, unsigned i);
uint16_t ternary_scale(const TernaryFormat *f, const uint8_t *block);
/* The f32 bits of all weights of a block. */
void ternary_weights(const TernaryFormat *f, const uint8_t *block, uint32_t *weights);

/* How many weights of a block have code 3 (+2): without decoding it. */
unsigned ternary_threes(const TernaryFormat *f, const uint8_t *block);

/* Adding up many blocks of one format: what a base-3 byte holds is looked up. */
typedef struct TernaryCounter {
    const TernaryFormat *f;
    const struct Kernel *kernel;
    uint64_t trits[2][256]; /* digits 0, 1, 2 and `odd` of a byte of 5 or 4 trits, 16 bits each */
} TernaryCounter;
void ternary_counter_init(TernaryCounter *t, const TernaryFormat *f);
/* Codes 0..3 of a block, added to counts; returns its code bytes that no reference encoder writes.
 */
unsigned ternary_count(const TernaryCounter *t, const uint8_t *block, uint64_t counts[4]);

/* Trit n (0..4, most significant first) of a byte: 0, 1 or 2. */
unsigned ternary_trit(uint8_t byte, unsigned n);

#endif
