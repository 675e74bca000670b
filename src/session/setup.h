#ifndef SESSION_SETUP_H
#define SESSION_SETUP_H
/* What an investigation starts from: the machine's parameters, its weights and the host's tokens.
 * The same for every command that takes "run's options" (cli.md). */
#include <stdint.h>

#include "base/err.h"
#include "engine/config.h"
#include "engine/weights.h"

typedef enum { STIMULUS_INTEGRATION, STIMULUS_RANDOM } StimulusKind;

typedef struct Setup {
    Config config;
    StimulusKind stimulus; /* decoder.md section 7 */
    uint32_t seed;         /* random: start of the generator */
    int amp, tamp;         /* random: amplitude of weights and of tokens, raw, 0..32767 */
    int tokens;            /* the host presents positions 0..tokens-1; 0: up to max_seq_len */
} Setup;

/* The defaults of `tokstep run`: preset deck, stimulus integration, tokens 0. */
void setup_init(Setup *s);
/* "integration" or "random:SEED[:AMP[:TAMP]]". */
bool setup_stimulus(Setup *s, const char *text, Err *err);
/* Check everything together (call after the last option); fills in what follows from the rest. */
bool setup_check(Setup *s, Err *err);
/* Tokens the host will present: s->tokens, or max_seq_len. */
int setup_token_count(const Setup *s);

/* The stimulus itself: fresh finished weights, and token_emb of every position [tokens][d_model],
 * raw (the caller frees both: weights_free, free). */
Weights *stimulus_make(const Setup *s, int16_t **tokens);

#endif
