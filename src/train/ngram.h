#ifndef TRAIN_NGRAM_H
#define TRAIN_NGRAM_H
/* What counting alone can do: n-grams of letters, interpolated (Witten-Bell) down to the uniform
 * distribution. The yardstick beside the model, from the same words. */
#include "model/words.h"

/* Bits per character of the held-out words under n-grams of the training words; n is 1..4. The end
 * mark counts as a character. */
double ngram_bits(const Words *w, int n);

#endif
