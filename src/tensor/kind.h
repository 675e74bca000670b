#ifndef TENSOR_KIND_H
#define TENSOR_KIND_H
/* What a tensor's bytes are: the kinds this room decodes, and the sizes of all ggml types and
 * safetensors dtypes (ternary.md sections 0, 4.2, 5.1, 6.1). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TensorKind {
    KIND_OTHER,   /* known size, not decoded here: F32, Q4_K of ggml, ... */
    KIND_UNKNOWN, /* a type number nobody gave a size */
    KIND_T2,      /* tiles of 2176 bytes */
    KIND_TQ1_0,   /* block kinds from here ... */
    KIND_TQ2_0,
    KIND_PTQ1_0,
    KIND_PQ2_0,
    KIND_Q2_0_G64,
    KIND_Q2_0_G128,
    KIND_Q1_0, /* ... to here */
    KIND_Q2_0, /* id 42 whose group size the file leaves open */
    KIND_PB16I,
    KIND_CHUNK_Q4_1, /* Q4NX chunks, tiles of 32 x 256, from here ... */
    KIND_CHUNK_Q4_K,
    KIND_CHUNK_Q8 /* ... to here; two layouts, the file does not say which */
} TensorKind;

/* Short lower-case name, "t2", "tq1_0", "q2_0 g64" ... */
const char *kind_name(TensorKind kind);
bool kind_is_block(TensorKind kind);
bool kind_is_chunk(TensorKind kind);

/* A ggml type: `bytes` hold `weights` weights along dims[0]. */
typedef struct GgmlType {
    uint32_t id;
    const char *name;
    uint16_t weights;
    uint16_t bytes;
    TensorKind kind;
} GgmlType;

enum { GGML_Q2_0 = 42 };

/* NULL for an id without a known size, removed ones included. */
const GgmlType *ggml_type(uint32_t id);

/* Bits of one element of a safetensors dtype, 0 for an unknown name. */
unsigned dtype_bits(const char *name);
/* The same name with unlimited life; NULL for an unknown one. */
const char *dtype_name(const char *name);

/* The Q4NX chunk whose tile has this many bytes; KIND_OTHER for none. */
TensorKind chunk_kind(uint64_t tile_bytes);

#endif
