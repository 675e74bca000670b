#ifndef TENSOR_GGUF_H
#define TENSOR_GGUF_H
/* Between the two halves of the GGUF reader; private to the room. */
#include "tensor/container.h"

/* Turn offsets relative to the data section into checked places in the file, and settle the group
 * size of id-42 tensors (t2.md rule 6). */
bool gguf_place(Container *c, Err *err);
/* Bytes of an id-42 tensor under a group size of 64 or 128; false when its rows do not divide. */
bool gguf_q2_bytes(const Tensor *t, unsigned group, uint64_t *bytes);

#endif
