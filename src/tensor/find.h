#ifndef TENSOR_FIND_H
#define TENSOR_FIND_H
/* Searching a ternary tensor for what deserves a look. Streams: a 6.8 GB tensor takes a megabyte.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "tensor/container.h"

typedef enum FindWhat {
    FIND_RESERVED, /* code 3: reserved in t2, +2 in block kinds */
    FIND_SPECIAL   /* a scale that is zero, subnormal, inf or NaN */
} FindWhat;

/* The next one after cell (*row, *col), in the order of the file and from its start again after
 * the end (*wrapped); of a scale its first cell. The tensor has its shape and is t2 or a block
 * kind. False: there is none, the file cannot be read, or `progress` stopped it. */
bool tensor_find(const Container *c, const Tensor *t, FindWhat what, uint64_t *row, uint64_t *col,
                 bool *wrapped, const Progress *progress, Err *err);

#endif
