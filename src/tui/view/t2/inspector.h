#ifndef TUI_INSPECTOR_H
#define TUI_INSPECTOR_H
/* The opened file of tensors: its bytes mapped, edits of them in memory, what was counted. Belongs
 * to the explorer; the t2 view reads it, the commands of inspect_commands.c change it. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/weights.h"
#include "tensor/find.h"
#include "tensor/stats.h"
#include "tensor/tile.h"

enum { POKE_MAX = 64 };

/* An edit: the bytes that were there before it. */
typedef struct Poke {
    uint64_t at; /* in the file */
    size_t n;
    uint8_t before[POKE_MAX];
} Poke;

typedef struct Inspector {
    Container c;     /* path NULL: nothing is open */
    Tensor *tensors; /* those of c with a shape: told by the file, by `shape`, or assumed */
    bool *assumed;   /* is it? */
    ChunkLayout q8;  /* how Q8 chunks are read: q8a or q8b, the file does not say */
    Poke *pokes;     /* in their order */
    size_t n_pokes;
    size_t written;      /* pokes there were when last written */
    uint64_t revision;   /* changes whenever a byte or a shape does */
    TensorStats counts;  /* of a whole tensor ... */
    size_t counted;      /* ... this one ... */
    uint64_t counted_at; /* ... at this revision; 0: none */
    bool of_machine;     /* a weight matrix of the machine came from this file: ... */
    WeightId matrix;     /* ... WEIGHT_W1 or WEIGHT_W2, transposed */
} Inspector;

/* Open a file in place of the one that is open. rows x cols: the shape of its first tensor when
 * the file does not tell it; 0: assumed, a column of tiles (N = 32 * tiles, K = 256). */
bool inspector_open(Inspector *in, const char *path, uint64_t rows, uint64_t cols,
                    const Progress *progress, Err *err);
void inspector_close(Inspector *in);
static inline bool inspector_is_open(const Inspector *in)
{
    return in->c.path != NULL;
}

/* Tell the shape of a tensor; of an id-42 tensor its group size. */
bool inspector_shape(Inspector *in, size_t tensor, uint64_t rows, uint64_t cols, Err *err);
bool inspector_group(Inspector *in, size_t tensor, unsigned group, Err *err);

/* One edit of 1..POKE_MAX bytes, or none on failure. */
bool inspector_poke(Inspector *in, uint64_t at, const uint8_t *bytes, size_t n, Err *err);
/* Take the last edit back; *at and *n say where it was. */
bool inspector_unpoke(Inspector *in, uint64_t *at, size_t *n, Err *err);
/* Was this byte edited? */
bool inspector_edited(const Inspector *in, uint64_t at);
/* Edits that no written file has. */
bool inspector_unsaved(const Inspector *in);
/* The file with its edits, under another name. */
bool inspector_write(Inspector *in, const char *path, const Progress *progress, Err *err);

/* Count the codes and scales of a whole tensor; counts then holds them. */
bool inspector_count(Inspector *in, size_t tensor, const Progress *progress, Err *err);
bool inspector_has_counts(const Inspector *in, size_t tensor);

/* "NxK" with two numbers. */
bool inspector_parse_shape(const char *text, uint64_t *rows, uint64_t *cols);
/* A decimal or 0x number that is all of text. */
bool inspector_parse_number(const char *text, uint64_t *value);
/* "AsB" with two such numbers and s the separator. */
bool inspector_two_numbers(const char *text, char separator, uint64_t *a, uint64_t *b);

#endif
