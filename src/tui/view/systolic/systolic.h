#ifndef TUI_SYSTOLIC_H
#define TUI_SYSTOLIC_H
/* The systolic view: what the rest of the explorer may do with it, and what its files share. */
#include "tell/product.h"
#include "tui/view/view.h"

extern const View view_systolic;

/* What is looked at: which operands, and where in time it is, unless it follows the machine's array
 * (v.pinned: it does not). */
enum { SYSTOLIC_TYPED_MAX = 500 };
typedef struct SystolicState {
    ViewState v;                    /* row, col: of the PE */
    bool chosen;                    /* by the user; else the machine's products where it has them */
    int source;                     /* SystolicSource */
    char typed[SYSTOLIC_TYPED_MAX]; /* "A x B" as typed; "" for none */
    bool typed_values;              /* its numbers are values, not integers */
    int tile, edge;                 /* the edge that comes next; 0 is the first */
    int legacy_done;                /* done one edge late, as in the earlier design */
} SystolicState;

/* `:systolic A x B`, `:systolic machine`, `example`, `published` or `token`: the operands to look
 * at, from edge 0 on. Numbers with a point make all of them values. */
bool systolic_type(SystolicState *y, const char *text, Err *err);

/* ---- inside of the view ---- */

/* Where the operands come from, in the order of key `o`. */
typedef enum {
    SYSTOLIC_EXAMPLE,   /* a full product: the array's rows and columns, K 8 */
    SYSTOLIC_PUBLISHED, /* [[1,2],[3,4]] x [[5,6],[7,8]] */
    SYSTOLIC_TOKEN,     /* the example's first row alone: a GEMV */
    SYSTOLIC_MACHINE,   /* the product that the decoder's present stage makes */
    SYSTOLIC_TYPED,
    SYSTOLIC_SOURCES
} SystolicSource;

/* The source that is shown: variant array has products of its own to begin with. */
SystolicSource systolic_source(const Session *s, const SystolicState *v);
/* Fill in A, B, m, k, n; the array's size is set (the published example brings its own). about:
 * what they are; *q88: Q8.8 words. */
void systolic_operands(const Session *s, const SystolicState *v, Product *p, bool *q88, char *about,
                       size_t size);
/* How many edges of the tile that systolic_operands shows the machine's own array has made, from 0
 * on; -1 when it is not at work on one. */
int systolic_machine_edge(const Engine *e);

/* All that one frame shows, computed once. */
typedef struct SystolicScene {
    const ViewState *v;
    const Product *p;
    bool focused, q88, hex;
    char about[160];
    bool live;                 /* what the machine's own array holds */
    int tile, edge, edges;     /* edges: of the whole tile */
    int row, col;              /* the PE under the cursor */
    SystolicArray now, before; /* registers in this cycle and in the one before */
} SystolicScene;

/* A word or a sum as the pane writes it, right-aligned in `width` columns. */
void systolic_word(const SystolicScene *y, int16_t word, int width, char *out, size_t size);
void systolic_sum(const SystolicScene *y, int32_t sum, int width, char *out, size_t size);
/* The character and the shade of a wavefront: both stay with it on its way. */
char systolic_front_char(int k);
Role systolic_front_role(int k);

/* The grid with its staircases into r. */
void systolic_draw_grid(const SystolicScene *y, Rect r, Canvas *c);

#endif
