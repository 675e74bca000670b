#ifndef MODEL_HOST_H
#define MODEL_HOST_H
/* The host's side of a model: from out_emb to the next letter. */
#include "model/model.h"

/* A letter that may come next. */
typedef struct Guess {
    int letter; /* index in the vocabulary */
    double p;   /* its probability */
} Guess;

/* The probabilities [V] of the next letter at a temperature (> 0; 1 is the model's own). */
void host_probabilities(const Model *m, const int16_t *out_emb, double temperature, double *p);
/* The n most probable letters, best first, at temperature 1; the start mark is none of them. n
 * is at most V - 1. */
void host_top(const Model *m, const int16_t *out_emb, Guess *best, int n);
/* The letter that it would read from any vector of d_model words, and how probable that is among
 * those it may draw: the start mark is none of them. */
Guess host_reads(const Model *m, const int16_t *words);

/* How the host chooses. */
typedef struct Choice {
    double temperature; /* 0: the most probable letter (greedy) */
    uint64_t seed;      /* of the draws, one per position */
} Choice;
/* The letter that follows position `position`; never the start mark. The same arguments give the
 * same letter, whenever and on whatever machine. */
int host_choose(const Model *m, const int16_t *out_emb, const Choice *choice, int position);

#endif
