#ifndef NUM_BLOCK_H
#define NUM_BLOCK_H
/* Formats whose values share a scale (formats.md 1.5): the OCP MX ones, NVFP4 in two levels, and
 * the ternary group of t2. A value is element * scale, in NVFP4 * tensor scale as well. Rules at
 * the edges: formats.md 1.6. */
#include "base/err.h"
#include "num/encode.h"

enum { BLOCK_MAX = 128 };

typedef enum BlockKind {
    BLOCK_MX,     /* scale e8m0 by a ScaleRule, elements v / scale */
    BLOCK_NVFP4,  /* scale ue4m3 of amax / max / tensor scale, tensor scale fp32 */
    BLOCK_TERNARY /* scale fp16 of amax, elements -1 0 +1 */
} BlockKind;

typedef struct BlockFormat {
    const char *name;
    BlockKind kind;
    uint8_t size;                /* values that share a scale */
    const char *element, *scale; /* names of formats */
} BlockFormat;

extern const BlockFormat block_table[]; /* ends with a NULL name */
const BlockFormat *block_find(const char *name);
/* As format_hint, of the blocks' names. */
const char *block_hint(const char *name, char out[SUGGEST_TEXT]);
const Format *block_element_format(const BlockFormat *f);
const Format *block_scale_format(const BlockFormat *f);

/* How an MX scale 2^k is chosen from the largest magnitude amax and the element's emax, max and
 * mantissa bits m. */
typedef enum ScaleRule {
    SCALE_FLOOR, /* k = floor(log2 amax) - emax: OCP */
    SCALE_CEIL,  /* k = ceil(log2 amax) - emax */
    SCALE_EVEN,  /* FLOOR of amax rounded to m bits, half up */
    SCALE_RCEIL  /* the smallest 2^k >= amax / max */
} ScaleRule;
bool scale_rule_find(const char *name, ScaleRule *rule); /* "floor" "ceil" "even" "rceil" */

/* {0} is FLOOR, tensor scale 1, exact division. */
typedef struct BlockOptions {
    ScaleRule rule;  /* MX */
    uint32_t tensor; /* NVFP4: fp32 code of the tensor scale, positive and finite; 0 is 1.0 */
    bool reciprocal; /* NVFP4: fp32 x * (1 / scale) as kernels do */
} BlockOptions;

typedef struct Block {
    const BlockFormat *format;
    uint8_t count;
    uint32_t scale;           /* code */
    uint32_t tensor;          /* fp32 code; 1.0 but for NVFP4 */
    uint32_t code[BLOCK_MAX]; /* of the elements */
    bool clamped[BLOCK_MAX];  /* v / scale was beyond the element's range */
} Block;

/* Encode count values (1 .. f->size). */
bool block_encode(const BlockFormat *f, const BlockOptions *options, const Value *values,
                  size_t count, Block *out, Err *err);
/* What element i stands for, exactly; nan under a nan scale. */
void block_value(const Block *b, size_t i, Value *v);

/* The fp32 code of a tensor scale that somebody has chosen; false when it is not a positive number
 * that fp32 can hold. */
bool block_tensor_code(const Value *x, uint32_t *code);
/* NVFP4: the tensor scale that the recipe gives to the largest of the values, amax / (448 * 6) in
 * fp32 (a code); 1.0 when they are all zero or not finite. */
uint32_t block_tensor_scale(const Value *values, size_t count);

#endif
