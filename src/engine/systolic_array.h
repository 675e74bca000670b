#ifndef ENGINE_SYSTOLIC_ARRAY_H
#define ENGINE_SYSTOLIC_ARRAY_H
/* Output-stationary array of rows x cols processing elements with its skew registers: mirrors
 * rtl/systolic_array.sv, register for register (decoder.md section 6). A plain value: copying it
 * is a snapshot. The host presents the k-th operand of every row and column together; PE(r,c) makes
 * its k-th product on enabled edge r + c + k. */
#include "base/err.h"
#include "engine/processing_element.h"

enum { ARRAY_MAX = 16 }; /* rows and columns at most */

typedef struct SystolicArray {
    int rows, cols;   /* parameters: 1..ARRAY_MAX */
    bool legacy_done; /* done comes one edge late, as in the earlier design */
    /* registers from here on */
    int edge;                            /* enabled edges so far; stops where done is high */
    int16_t west[ARRAY_MAX][ARRAY_MAX];  /* row r: r skew registers, the newest word first */
    int16_t north[ARRAY_MAX][ARRAY_MAX]; /* column c: c of them */
    ProcessingElement pe[ARRAY_MAX][ARRAY_MAX];
} SystolicArray;

/* What the host presents before an edge. */
typedef struct ArrayPins {
    bool clear, enable;
    int16_t a[ARRAY_MAX]; /* per row */
    int16_t w[ARRAY_MAX]; /* per column */
} ArrayPins;

/* Out of reset: every register 0. Refuses sizes outside 1..16 by name. */
bool systolic_array_init(SystolicArray *s, int rows, int cols, bool legacy_done, Err *err);
/* One rising edge. clear wins over enable and zeroes elements, skew registers and edge counter. */
void systolic_array_step(SystolicArray *s, const ArrayPins *in);
/* Raised on enabled edge rows + cols - 2 (legacy: one later), high until clear. Knows nothing of
 * the operands' length K: the sums are final K - 1 enabled edges later. */
bool systolic_array_done(const SystolicArray *s);
/* The words on the wires into PE(r,c) before the coming edge, from the west and from the north. */
int16_t systolic_array_a_in(const SystolicArray *s, const ArrayPins *in, int r, int c);
int16_t systolic_array_w_in(const SystolicArray *s, const ArrayPins *in, int r, int c);

#endif
