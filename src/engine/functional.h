#ifndef ENGINE_FUNCTIONAL_H
#define ENGINE_FUNCTIONAL_H
/* The machine without its clock: decoder.md section 3 computed directly, with the same bits as the
 * stepped engine (tests/engine/test_functional.c compares them). For those who need many tokens and
 * no cycles: training, bits per character. */
#include <stdint.h>

#include "engine/config.h"
#include "engine/weights.h"

/* Every vector of a sequence, row p being position p; raw Q8.8. A row of `exp` and `prob` holds
 * n_heads x rows entries: head h, position t at [h * rows + t]; entries beyond p are 0 (what the
 * masked positions add is only in sum). */
typedef struct Pass {
    int rows;          /* positions that fit */
    int16_t *ln1_unit; /* [rows][D]: x - mean (RMSNorm: x) times inv_std */
    int16_t *ln1_out, *q, *k, *v, *concat, *attn_out, *residual1; /* [rows][D] */
    int16_t *ln2_unit, *ln2_out;                                  /* [rows][D] */
    int16_t *hidden, *up;                                         /* [rows][F]; up: swiglu */
    int16_t *ffn_out, *out_emb;                                   /* [rows][D] */
    int16_t *ln1_inv_std, *ln2_inv_std;                           /* [rows] */
    int16_t *score, *exp, *prob;                                  /* [rows][H][rows] */
    int32_t *sum;                                                 /* [rows][H] */
} Pass;

/* All zero, room for `rows` positions; the caller frees it with pass_free. */
Pass *pass_new(const Config *c, int rows);
void pass_free(Pass *p);

/* Position p of the sequence from its token_emb [D]; positions 0..p-1 have been computed before. */
void functional_token(const Config *c, const Weights *w, const int16_t *token_emb, int p,
                      Pass *out);

#endif
