#ifndef TENSOR_CONVERT_H
#define TENSOR_CONVERT_H
/* Ternary sources -> t2, without loss or not at all (t2.md rule 4, "pb16i"). Every result is
 * decoded again and compared with the source's own decode, float for float. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "tensor/kind.h"
#include "tensor/pb16i.h"

typedef struct ConvertSource {
    const char *label;         /* "FILE: tensor NAME", starts every message */
    TensorKind kind;           /* a block kind or KIND_PB16I */
    uint64_t rows, cols;       /* N x K */
    const uint8_t *bytes;      /* block rows, or the pb16i image */
    uint64_t size;             /* bytes; what the kind needs for N x K (convert_check) */
    uint64_t offset;           /* of bytes in the file, for messages */
    const Pb16iLayout *layout; /* pb16i only */
    const FileMap *map;        /* the file that bytes are mapped from: kept small; NULL: none */
} ConvertSource;

typedef struct ConvertReport {
    uint64_t weights;
    uint64_t source_bytes;
    uint64_t t2_bytes;
    uint64_t clamped;   /* codes 3 that became +1 (--clamp) */
    uint64_t different; /* weights whose 32 bits differ from the source's decode */
} ConvertReport;

/* Bytes of N x K weights of a block kind; refuses a K that is no whole number of blocks. */
bool ternary_bytes(TensorKind kind, uint64_t rows, uint64_t cols, uint64_t *bytes, Err *err);
/* Can this source's shape be held by t2, and are its bytes all there? */
bool convert_check(const ConvertSource *s, Err *err);
/* The source's own decode of one row, cols f32 bits. */
bool convert_source_row(const ConvertSource *s, uint64_t row, uint32_t *weights, Err *err);
/* Write the tiles to out. False when refused (err: the rule, the count, the first place); what was
 * written to out is then worthless. Different weights are only counted: with clamp those are the
 * clamped ones, else there are none. Write errors stay in out's error flag. */
bool convert_to_t2(const ConvertSource *s, bool clamp, FILE *out, ConvertReport *report, Err *err);
/* "1 images, W weights: A -> B (2.1250 b/w), 1/1 bit-exact" */
void convert_summary(const ConvertReport *r, Buf *line);

#endif
