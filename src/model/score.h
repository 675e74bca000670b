#ifndef MODEL_SCORE_H
#define MODEL_SCORE_H
/* How well a model knows words: bits per character, by the machine's own arithmetic (the functional
 * machine, which has the stepped engine's bits). */
#include "model/setup.h"

typedef struct Score Score;

/* The setup has a model and has passed setup_check; it outlives the score. */
Score *score_new(const Setup *s);
void score_free(Score *s);
/* Adds a word, its end mark included; false when it has a letter that the model has not, or does
 * not fit max_seq_len. */
bool score_word(Score *s, const char *word);
/* The sum of -log2 p(character) over the words so far, and how many characters they were. */
double score_bits(const Score *s);
uint64_t score_chars(const Score *s);

#endif
