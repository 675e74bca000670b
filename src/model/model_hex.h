#ifndef MODEL_MODEL_HEX_H
#define MODEL_MODEL_HEX_H
/* The numbers of a model as files for other tools: DIR/NAME.hex for $readmemh, one 16-bit word a
 * line, row-major; and DIR/model.txt, a line "KEY VALUE" each for preset, d_model, n_heads, d_ff,
 * max_seq_len and vocab. */
#include "model/setup.h"

/* The weights of a setup, with its model's host tensors and model.txt when it has one. DIR is made
 * when it is missing. */
bool hex_export(const Setup *s, const char *dir, Err *err);
/* The model that such a directory holds; NULL with err (FILE: why, line N). Comments as $readmemh
 * knows them and any blanks between words are allowed. */
Model *hex_import(const char *dir, Err *err);

#endif
