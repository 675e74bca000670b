#ifndef MODEL_SETUP_H
#define MODEL_SETUP_H
/* What an investigation starts from: the machine's parameters, its weights and the host's tokens.
 * The same for every command that takes "run's options" (cli.md). */
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/config.h"
#include "engine/weights.h"
#include "model/host.h"
#include "model/model.h"

typedef enum { STIMULUS_INTEGRATION, STIMULUS_RANDOM, STIMULUS_MODEL } StimulusKind;

/* A weight matrix that takes the place of the stimulus's own. */
typedef struct WeightPatch {
    int16_t *words; /* [rows][cols] raw; NULL: none */
    char *path;     /* the file they came from */
    int rows, cols;
    int rounded, saturated; /* words that Q8.8 could not hold exactly, or at all */
} WeightPatch;

/* Matrix m of a machine of this configuration from a t2 tensor that holds it transposed
 * ([cols][rows]): code * scale, rounded to the nearest Q8.8, ties to even, saturating. The file is
 * a raw .t2 or a container of one t2 tensor; reserved codes are refused, or zero when asked for. */
bool patch_load(WeightPatch *p, const Config *c, WeightId m, const char *path, bool reserved_zero,
                Err *err);
void patch_free(WeightPatch *p);
/* The shape that matrix m has to have; also of one that only another option brings: setup_check
 * refuses it when all options are read. */
void patch_shape(const Config *c, WeightId m, int *rows, int *cols);

enum { SETUP_TEXT = 1024 }; /* letters a sequence can have, and one more */

typedef struct Setup {
    Config config;
    StimulusKind stimulus; /* decoder.md section 7 */
    uint32_t seed;         /* random: start of the generator */
    int amp, tamp;         /* random: amplitude of weights and of tokens, raw, 0..32767 */
    int tokens; /* the host presents positions 0..tokens-1; 0: up to max_seq_len. With a model: the
                   letters that it adds to the text */
    Model *model;          /* STIMULUS_MODEL: owned, like the patches' words */
    char text[SETUP_TEXT]; /* its letters come after the start mark, then the model's own */
    Choice choice;         /* how the host takes the next letter */
    WeightPatch patch[WEIGHT_MATRICES];
} Setup;

/* The defaults of `tokstep run`: preset deck, stimulus integration, tokens 0. */
void setup_init(Setup *s);
/* A setup of its own, with copies of the model and the patches. */
void setup_copy(Setup *to, const Setup *from);
void setup_free(Setup *s);
/* The model whose letters are the tokens; NULL when a stimulus is. */
static inline const Model *setup_model_of(const Setup *s)
{
    return s->stimulus == STIMULUS_MODEL ? s->model : NULL;
}
/* Begin from a preset: all parameters, but for those that are the model's (Option.in_model); or
 * over the machine that is there only what a preset speaks of (Option.in_preset). */
bool setup_preset(Setup *s, const char *name, Err *err);
bool setup_preset_over(Setup *s, const char *name, Err *err);
/* "integration" or "random:SEED[:AMP[:TAMP]]". */
bool setup_stimulus(Setup *s, const char *text, Err *err);
/* From now on it is the setup of this model, which it owns: its sizes, its preset. */
void setup_model(Setup *s, Model *m);
/* The text that the model goes on from; refuses letters that are not in its vocabulary. */
bool setup_text(Setup *s, const char *text, Err *err);
/* A parameter (config_set), or a weight matrix from tiles: w2 or ffn_w2, value t2:FILE. Options
 * apply in their order: a matrix is checked against the sizes that were set before. */
bool setup_set(Setup *s, const char *key, const char *value, bool reserved_zero, Err *err);
/* What a tile file made of matrix m, in a line; nothing when it has none. */
void setup_report_patch(const Setup *s, WeightId m, Buf *out);
/* Check everything together (call after the last option); fills in what follows from the rest. */
bool setup_check(Setup *s, Err *err);
/* Tokens the host will present at most: s->tokens, or max_seq_len. A model stops where its end
 * mark is chosen. */
int setup_token_count(const Setup *s);

/* The stimulus itself: fresh finished weights, and token_emb of every position [tokens][d_model],
 * raw (the caller frees both: weights_free, free). With a model *tokens is NULL: its tokens depend
 * on what the machine answers. */
Weights *stimulus_make(const Setup *s, int16_t **tokens);

#endif
