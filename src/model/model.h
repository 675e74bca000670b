#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H
/* A trained character model: the machine's weights and what the host needs beside them. The host
 * forms token_emb = letter_emb[letter] + pos_emb[position] (saturating) and takes the next letter
 * from out_emb . out_w. */
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "engine/config.h"
#include "engine/weights.h"

enum {
    MODEL_MAX_VOCAB = 94,  /* printable ASCII without the blank */
    MODEL_HOST_TENSORS = 3 /* letter_emb, pos_emb, out_w */
};

typedef struct Model {
    Config config;    /* preset and sizes as the file has them */
    char *vocab;      /* V distinct printable ASCII characters: start mark, letters, end mark */
    int vocab_size;   /* V */
    Weights *weights; /* finished */
    int16_t *letter_emb, *pos_emb, *out_w; /* [V][D], [S][D], [D][V], raw Q8.8 */
} Model;

/* Tensor t of the file (cli.md "model"), and how many there are: the machine's weights in the order
 * of WeightId, as far as its options have them, then letter_emb, pos_emb, out_w. */
typedef struct ModelTensor {
    const char *name;
    int rows, cols; /* a vector has one row */
    bool is_vector; /* one dimension in the file */
    int16_t *words; /* row-major, raw Q8.8 */
} ModelTensor;
int model_tensor_count(const Model *m);
ModelTensor model_tensor(const Model *m, int t);

/* All zero but the configuration (checked) and the vocabulary. */
Model *model_new(const Config *c, const char *vocab);
Model *model_copy(const Model *m);
void model_free(Model *m);
/* The same vocabulary, sizes and words? */
bool model_equal(const Model *a, const Model *b);
/* Bytes it takes, about. */
size_t model_size(const Model *m);

/* A safetensors file: I16 tensors, metadata format=tokstep-model, preset, n_heads, vocab. Refuses
 * everything that does not fit together, with names and shapes: FILE: why, at byte N. NULL then. */
Model *model_read(const char *path, Err *err);
/* Does the file call itself one? Whether it can be read, model_read tells. progress (or NULL) may
 * stop the look at its table. */
bool model_is_file(const char *path, const Progress *progress);
/* The same bytes for the same model, whatever the machine. */
bool model_write(const Model *m, const char *path, Err *err);
/* The path of the small model of English words trained for a preset; false when there is none. */
bool model_asset(const char *preset, Buf *path);
/* May this be a vocabulary? Refuses with the rule. */
bool model_check_vocab(const char *vocab, Err *err);

/* Index in the vocabulary, -1 for a character that is not in it. */
int model_letter(const Model *m, char letter);
/* token_emb [D] of a letter (an index) at a position. */
void model_embed(const Model *m, int letter, int position, int16_t *token_emb);
/* The host's output: logits [V] = out_emb . out_w, exact sums in units of 2^-16. */
void model_logits(const Model *m, const int16_t *out_emb, int64_t *logits);

#endif
