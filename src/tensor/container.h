#ifndef TENSOR_CONTAINER_H
#define TENSOR_CONTAINER_H
/* Any file of tensors, opened: GGUF, safetensors, Q4NX, a raw .t2, a pb16i image (t2.md rule 9).
 * The file is mapped; only its table of tensors is kept. Every offset and size below was checked
 * against the file (ternary.md 5.3, 6.1), so [offset, offset + size) can be read. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "tensor/kind.h"

typedef enum ContainerKind {
    CONTAINER_GGUF,
    CONTAINER_SAFETENSORS,
    CONTAINER_Q4NX,
    CONTAINER_RAW_T2,
    CONTAINER_PB16I
} ContainerKind;

enum {
    TENSOR_ROTATED = 1,       /* stored in a Hadamard-rotated basis (ternary.md 2.7) */
    TENSOR_BOTH_GROUPS = 2,   /* id 42: group 64 and group 128 both fit the file */
    TENSOR_NO_GROUP = 4,      /* id 42: neither fits */
    TENSOR_SIZE_IS_BOUND = 8, /* size reaches to the next tensor; the true one is unknown */
    TENSOR_MAX_DIMS = 32
};

typedef struct Tensor {
    char *name; /* printable: control bytes, bad UTF-8 and backslash as \xNN */
    TensorKind kind;
    const char *type; /* as the file calls it: "TQ2_0", "I8"; "?" when unknown */
    uint32_t type_id; /* ggml type number (GGUF only) */
    unsigned n_dims;
    uint64_t *dims; /* in file order: GGUF fastest first, safetensors slowest; the container's */
    uint64_t rows, cols; /* N x K; 0 when the file does not tell (raw .t2, 2-D Q4NX) */
    uint64_t offset;     /* from the start of the file */
    uint64_t size;       /* bytes */
    unsigned flags;      /* TENSOR_* */
} Tensor;

/* Things worth telling that do not make a file unusable; each kind at most once. */
typedef enum WarnKind {
    WARN_UNKNOWN_TYPE,
    WARN_GROUP,
    WARN_BOOL,
    WARN_NAME,
    WARN_ALIGNMENT,
    WARN_HADAMARD,
    WARN_LEADING_SPACE,
    WARN_CHUNK,
    WARN_KINDS
} WarnKind;

typedef struct ContainerWarning {
    uint64_t count; /* how often it was seen */
    char text[200]; /* the first one, without the file's name */
} ContainerWarning;

/* An entry of safetensors' __metadata__; the value lies behind its key in one block. */
typedef struct ContainerMeta {
    char *key, *value;
} ContainerMeta;

typedef struct Container {
    char *path; /* as given */
    FileMap map;
    ContainerKind kind;
    uint32_t version;      /* GGUF 2 or 3, pb16i 1, else 0 */
    uint64_t keys;         /* key/value pairs or metadata entries */
    uint64_t data_offset;  /* where tensor data starts */
    uint64_t alignment;    /* GGUF, else 1 */
    char architecture[64]; /* general.architecture, "" when absent */
    ContainerMeta *meta;   /* safetensors metadata, in the file's order ... */
    size_t n_meta;         /* ... and how many */
    Tensor *tensors;       /* in the order of the file's table */
    size_t count;
    ContainerWarning warnings[WARN_KINDS];
    const Progress *progress; /* of who waits while the table is read, or NULL */
} Container;

/* Open and check the whole table. On failure err says FILE: why, at byte N. */
bool container_open(Container *c, const char *path, Err *err);
/* The same; progress is asked every megabyte and may stop it ("stopped after 3 %"). */
bool container_open_watched(Container *c, const char *path, const Progress *progress, Err *err);
void container_close(Container *c);

/* The value of a safetensors metadata key; NULL when there is none. */
const char *container_meta(const Container *c, const char *key);
/* The tensor of this name, typed as it is or as it is shown (its control and zero-width characters
 * as \xNN; a backslash only so); NULL name: the only one. Refuses by name, listing what there is.
 */
const Tensor *container_find(const Container *c, const char *name, Err *err);

/* *out = *t with its shape set to rows x cols (raw .t2, 2-D Q4NX), or with the shape checked
 * against the file's when the file has one. rows = 0: the file's own shape is needed. */
bool tensor_shaped(const Container *c, const Tensor *t, uint64_t rows, uint64_t cols, Tensor *out,
                   Err *err);
/* The tensor as it is shown while nobody told its shape: a column of tiles, N = 32 * tiles,
 * K = 256. One that has a shape, or no tiles, is as it was. */
Tensor tensor_column(const Tensor *t);
/* *out = *t with the group size of an id-42 tensor decided: 64, 128, or 0 for what the file says.
 * Other kinds accept only 0 or their own group. */
bool tensor_grouped(const Container *c, const Tensor *t, unsigned group, Tensor *out, Err *err);

const char *container_kind_name(ContainerKind kind);
static inline const uint8_t *tensor_bytes(const Container *c, const Tensor *t)
{
    return c->map.data + t->offset;
}
/* Tiles of a t2 or chunk tensor. */
uint64_t tensor_tiles(const Tensor *t);
/* Weights of a tensor: product of its shape; tiles * 8192 where only their number is known. */
uint64_t tensor_weights(const Tensor *t);

/* A pass over a tensor's bytes in windows of about 1 MiB, without mapping them in. */
typedef struct TensorStream {
    const Container *c;
    uint64_t at, end; /* the next window starts at `at` (file offsets) */
    size_t window;
    uint8_t *buf;
    const uint8_t *bytes; /* the current window ... */
    size_t n;             /* ... its bytes ... */
    uint64_t offset;      /* ... and where it lies in the file */
    bool failed;          /* the file could not be read to the end */
} TensorStream;

/* unit: bytes that must stay together (a tile, a block row); at most 1 MiB. */
void stream_open(TensorStream *s, const Container *c, const Tensor *t, size_t unit);
/* The next window into s->bytes, s->n; false at the end, or on failure (s->failed, err set). */
bool stream_next(TensorStream *s, Err *err);
void stream_close(TensorStream *s);

#endif
