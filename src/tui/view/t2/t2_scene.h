#ifndef TUI_T2_SCENE_H
#define TUI_T2_SCENE_H
/* What one frame of the t2 view shows, computed once, and the parts of its picture. */
#include "tui/view/t2/inspector.h"
#include "tui/view/view.h"

extern const View view_t2;

/* What a click may mean beside a cell of the tile: a byte of the file, a tensor of it. */
#define T2_AIM_TENSOR (AIM_OTHER | UINT64_C(1) << 62)
/* Where the view is in the opened file. */
typedef struct T2State {
    ViewState v;         /* row, col: the cell of the tile */
    int part;            /* of those below the grid: the one that is shown */
    bool on_bytes;       /* the cursor is in the bytes: on `at` */
    const Inspector *in; /* the opened file, borrowed from the explorer; NULL: none */
    size_t tensor;       /* index */
    uint64_t tile;       /* of the tensor, counted row by row */
    uint64_t at;         /* a byte of the file; row, col follow it */
} T2State;

/* Move the cursor: to the cell "ROW,COLUMN" of the tensor, or to a byte of the file. */
bool t2_seek(T2State *k, const char *text, Err *err);
bool t2_seek_cell(T2State *k, uint64_t row, uint64_t col, Err *err);
bool t2_seek_byte(T2State *k, uint64_t at, Err *err);
/* To the next reserved code or special scale; *wrapped: from the start of the tensor again. */
bool t2_find(T2State *k, FindWhat what, bool *wrapped, const Progress *progress, Err *err);

/* The machine at work on the tensor, in the coordinates of the tensor. */
typedef struct T2Reading {
    bool now;      /* does LINEAR2 (of w1: LINEAR1) read it in this cycle? */
    uint64_t row;  /* the first row of the tensor that is read: a column of the matrix ... */
    uint64_t rows; /* ... and how many */
    int64_t col;   /* the column; -1: the whole row at once */
} T2Reading;

typedef struct T2Scene {
    const Inspector *in;
    const T2State *state;
    const Tensor *t;
    Tile tile; /* down 0: the tensor is empty */
    bool has_cell;
    unsigned row, col; /* the cell */
    TileCell cell;
    uint64_t at;   /* the byte */
    TileByte byte; /* what it is */
    T2Reading reading;
    bool is_read;         /* is the cell part of that? */
    const Engine *engine; /* the machine, ... */
    Target machine;       /* ... and the weight of it that the cell became, if any */
} T2Scene;

/* Does the machine read this weight of the tensor in this cycle? */
bool t2_is_read(const T2Reading *at, uint64_t row, uint64_t col);

/* Brings the cursor into range, and onto what the machine reads while it follows; false when no
 * file is open. */
bool t2_settle(T2Scene *k, const Session *s, T2State *v);
/* What is in view, of a state that was so settled (of another one, as if it were). */
bool t2_scene(T2Scene *k, const Session *s, const T2State *v);
/* The weight of the machine that the cell under the cursor became; no signal: none. */
Target t2_machine_weight(const T2State *v);
/* The cell or the byte is tied to the byte under the cursor: it lies in it, or has its scale
 * there. */
bool t2_is_tied(const T2Scene *k, const TileCell *cell);

/* One cell as a character: - 0 + ?, a digit, or heat. */
uint32_t t2_glyph(const Tile *tile, const TileCell *cell, Role *role);

/* An f32 as the shortest decimal that means the same bits; "nan", "inf", "-0". */
void t2_number_text(uint32_t f32, char *out, size_t size);
/* The same in the pane's format: decimal, hex of its bits, or both. */
void t2_weight_text(NumberFormat format, uint32_t f32, char *out, size_t size);
/* "3.4 MB", "8704 B" */
void t2_size_text(uint64_t bytes, char *out, size_t size);

/* The grid's first row and column into v, so that the cell shows. */
void t2_place_grid(const T2Scene *k, ViewState *v, Rect r);
/* The parts, each into its rectangle. */
void t2_draw_grid(const T2Scene *k, Canvas *c, Rect r);
void t2_draw_bytes(const T2Scene *k, Canvas *c, Rect r);
void t2_draw_cell(const T2Scene *k, Canvas *c, Rect r);
void t2_draw_counts(const T2Scene *k, Canvas *c, Rect r);
void t2_draw_tensors(const T2Scene *k, Canvas *c, Rect r);
/* One or two lines that sum the tile up: codes, scales, what is known by its fingerprint. */
void t2_draw_summary(const T2Scene *k, Canvas *c, Rect r);

#endif
