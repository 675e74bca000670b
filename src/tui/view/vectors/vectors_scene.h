#ifndef TUI_VECTORS_SCENE_H
#define TUI_VECTORS_SCENE_H
/* Private to view_vectors.c: which vectors there are, and what one frame shows of the one in view.
 */
#include "tell/explain.h"
#include "tui/view/view.h"

/* The n-th array of the machine (in the order in which data flows, then the weights), or NULL;
 * which one it is (-1: none); how many there are. */
const Signal *vector_at(const Engine *e, int n);
int vector_index(const Engine *e, const Signal *s);
int vector_count(const Engine *e);

typedef struct VectorsState {
    ViewState v;  /* row: the element; top, left: the first line and column shown */
    int vector;   /* which one, in the order of vector_at */
    int as_words; /* words instead of heat */
    int line;     /* elements of a line as last drawn: what Up and Down move by */
} VectorsState;

typedef struct VectorScene {
    const Session *session;
    const Engine *e;
    const Signal *s;       /* the vector shown */
    int count, rank, cols; /* elements; of its last dimension */
    int at;                /* under the cursor */
    bool focused;
    unsigned hidden; /* ViewState's */
    NumberFormat format;
    Operation ops[EXPLAIN_OPS]; /* of the coming edge */
    int n_ops;
} VectorScene;

/* What an element's cell says beside its value, the most telling first. */
typedef struct VectorLook {
    Role role;
    const char *mark;
} VectorLook;

typedef struct VectorStats {
    int32_t min, max, full; /* full: the largest magnitude */
    int min_at, max_at, zeros, extremes;
    double mean;
} VectorStats;

/* Clamps the cursor; unless pinned, first moves it to what the coming edge stores. */
void vectors_settle(const Session *s, VectorsState *v);
/* What is in view, of a state that was so settled. */
void vectors_gather(const Session *s, const VectorsState *v, bool focused, VectorScene *d);
int32_t vectors_value(const VectorScene *d, int at);
/* Will the coming edge store to that element, or read it? */
bool vectors_written(const VectorScene *d, int at);
bool vectors_read(const VectorScene *d, int at);
VectorLook vectors_look(const VectorScene *d, int at);
VectorStats vectors_stats(const VectorScene *d);

#endif
