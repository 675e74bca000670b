#ifndef TELL_PRODUCT_H
#define TELL_PRODUCT_H
/* A matrix product A x B on the systolic array (decoder.md section 6): how operands are written,
 * the tiles a larger product is cut into, and the state of the array after any number of edges,
 * which is a function of the operands alone. A tile begins with a cleared array. */
#include "engine/systolic_array.h"

enum { PRODUCT_DIM = 2048, PRODUCT_WORDS = 32768 }; /* most rows or columns; words of a matrix */

typedef struct Product {
    int m, k, n;                                /* A is m x k, B is k x n */
    int rows, cols;                             /* of the array */
    bool legacy_done;                           /* done one edge late */
    int16_t a[PRODUCT_WORDS], b[PRODUCT_WORDS]; /* row-major */
} Product;

/* A and B from text: numbers parted by blanks or commas, rows by ';'. Integers -32768..32767 or raw
 * words 0x0000..0xffff; with q88 values -128..127.99609375, rounded to the nearest Q8.8 word. The
 * messages call the operands by these names. Sets m, k, n, a and b. */
bool product_parse(Product *p, const char *a, const char *b, bool q88, const char *a_name,
                   const char *b_name, Err *err);

/* Tiles row by row; the part of the product that a tile makes. */
typedef struct ProductTile {
    int row, col;      /* first row of A and column of B */
    int height, width; /* how many of each: the array's size, less at the edges of the product */
} ProductTile;
int product_tiles(const Product *p);
ProductTile product_tile(const Product *p, int tile);

/* Enabled edges until all sums of a tile are final: K + R + C - 2. */
int product_edges(const Product *p);
/* The array after the first `edges` enabled edges of a tile. The array's size is legal. */
void product_run(const Product *p, int tile, int edges, SystolicArray *s);
/* The operands that the host presents on enabled edge `edge`, zeros beyond the last. */
ArrayPins product_pins(const Product *p, int tile, int edge);

/* The product that PE(r,c) adds on an edge. false: its operands are padding or streamed zeros. */
typedef struct ProductTerm {
    int k;
    int16_t a, b;
} ProductTerm;
bool product_term(const Product *p, int tile, int edge, int r, int c, ProductTerm *term);
/* How many PEs have such a product on that edge, and the wavefronts on their way: first..last are
 * the k that some PE multiplies (last < first: none). */
int product_busy(const Product *p, int tile, int edge);
void product_fronts(const Product *p, int edge, int *first, int *last);

/* Fill: the first wavefront has not reached the far corner. Steady: all PEs work. Drain: the last
 * wavefront has left the near corner. A product with fewer wavefronts than diagonals is never
 * steady: it drains while it fills. */
typedef enum { PHASE_FILL, PHASE_STEADY, PHASE_FILL_DRAIN, PHASE_DRAIN, PHASE_FINAL } ProductPhase;
ProductPhase product_phase(const Product *p, int edge);
const char *product_phase_name(ProductPhase phase); /* "fill", "fill and drain" ... */

/* What a whole product costs. */
typedef struct ProductCost {
    int tiles;
    uint64_t edges; /* enabled edges of all tiles */
    uint64_t macs;  /* products of A and B: m * k * n */
    uint64_t slots; /* edges * R * C: what the array could have done */
} ProductCost;
ProductCost product_cost(const Product *p);
/* The same with another number of rows in A: tokens at once. */
ProductCost product_cost_of(const Product *p, int m);

#endif
