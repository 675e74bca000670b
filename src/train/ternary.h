#ifndef TRAIN_TERNARY_H
#define TRAIN_TERNARY_H
/* The ternary twin of a model's w2: absmean codes, an fp16 scale for every 128 weights, written as
 * raw t2 tiles of w2 transposed (t2.md, "Beyond the PR"). */
#include "model/model.h"

bool ternary_write(const Model *m, const char *path, Err *err);

#endif
