/* GGUF v2 and v3, little-endian: header, keys, tensor table, in that order of the file
 * (ternary.md 5.1), every limit of 5.3. What the offsets mean is settled in gguf_layout.c. */
#include "tensor/gguf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/printable.h"
#include "tensor/reader.h"

enum {
    GGUF_HEADER = 24,
    GGUF_MIN_KEY = 13,    /* key length, type, one value byte */
    GGUF_MIN_TENSOR = 24, /* name length, dimensions, type, offset */
    GGUF_MAX_KEY = 65535,
    GGUF_MAX_NAME = 64,
    GGUF_MAX_DIMS = 4,
    GGUF_MAX_ALIGNMENT = 1 << 20
};

typedef enum GgufType {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
    GGUF_TYPES
} GgufType;

/* Bytes of a scalar; 0 for strings and arrays. */
static const uint8_t type_bytes[GGUF_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/* A string inside the file. */
typedef struct Text {
    const uint8_t *bytes;
    uint64_t n;
    uint64_t at; /* where its length field is */
} Text;

typedef struct Gguf {
    Container *c;
    Err *err;
    uint64_t pos;   /* next unread byte */
    uint64_t asked; /* where it was last asked whether to go on */
    Text *keys;     /* all keys, to find duplicates */
    uint64_t n_keys;
    bool hadamard;        /* a prism.hadamard.* key was seen */
    uint64_t names_at[2]; /* first string of weight_names, inverse_weight_names */
    uint64_t names_count[2];
} Gguf;

/* The next n bytes, or NULL with "truncated" when the file is shorter. */
static const uint8_t *take(Gguf *g, uint64_t n, const char *what)
{
    uint64_t left = g->c->map.size - g->pos;
    if (n > left) {
        reader_fail(g->c, g->pos, g->err, "%s needs %" PRIu64 " bytes, %" PRIu64 " are left", what,
                    n, left);
        return NULL;
    }
    const uint8_t *p = g->c->map.data + g->pos;
    g->pos += n;
    if (g->pos - g->asked < READER_ASKS)
        return p;
    g->asked = g->pos;
    return reader_goes_on(g->c, g->pos, g->err) ? p : NULL;
}

static bool take_u32(Gguf *g, uint32_t *v, const char *what)
{
    const uint8_t *p = take(g, sizeof *v, what);
    if (p)
        memcpy(v, p, sizeof *v);
    return p != NULL;
}

static bool take_u64(Gguf *g, uint64_t *v, const char *what)
{
    const uint8_t *p = take(g, sizeof *v, what);
    if (p)
        memcpy(v, p, sizeof *v);
    return p != NULL;
}

static bool take_text(Gguf *g, Text *t, const char *what)
{
    t->at = g->pos;
    if (!take_u64(g, &t->n, what))
        return false;
    t->bytes = take(g, t->n, what);
    return t->bytes != NULL;
}

static bool text_is(const Text *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->bytes, word, t->n) == 0;
}

static bool text_starts(const Text *t, const char *word)
{
    return t->n >= strlen(word) && memcmp(t->bytes, word, strlen(word)) == 0;
}

bool gguf_has_magic(const FileMap *m)
{
    return m->size >= 4 && memcmp(m->data, "GGUF", 4) == 0;
}

static bool read_header(Gguf *g, uint64_t *tensors)
{
    Container *c = g->c;
    if (!gguf_has_magic(&c->map))
        return reader_fail(c, 0, g->err, "not a GGUF file: no magic 'GGUF'");
    if (c->map.size < GGUF_HEADER)
        return reader_fail(c, c->map.size, g->err, "GGUF header is cut off");
    g->pos = 4;
    take_u32(g, &c->version, "version");
    take_u64(g, tensors, "tensor count");
    take_u64(g, &c->keys, "key count");
    if ((c->version & 0xffffu) == 0 && c->version != 0)
        return reader_fail(c, 4, g->err, "big-endian GGUF is not supported");
    if (c->version != 2 && c->version != 3)
        return reader_fail(c, 4, g->err, "GGUF version %" PRIu32 " is not 2 or 3", c->version);
    uint64_t left = c->map.size - g->pos;
    if (*tensors > left / GGUF_MIN_TENSOR)
        return reader_fail(c, 8, g->err, "%" PRIu64 " tensors cannot fit in %" PRIu64 " bytes",
                           *tensors, left);
    if (c->keys > left / GGUF_MIN_KEY)
        return reader_fail(c, 16, g->err, "%" PRIu64 " keys cannot fit in %" PRIu64 " bytes",
                           c->keys, left);
    return true;
}

/* ---- keys ---- */

static bool read_strings(Gguf *g, uint64_t count)
{
    if (count > (g->c->map.size - g->pos) / 8)
        return reader_fail(g->c, g->pos, g->err, "array of %" PRIu64 " strings passes the end",
                           count);
    for (uint64_t i = 0; i < count; i++) {
        Text t;
        if (!take_text(g, &t, "string"))
            return false;
    }
    return true;
}

static bool read_bools(Gguf *g, uint64_t count, const Text *key)
{
    const uint8_t *p = take(g, count, "bool");
    for (uint64_t i = 0; p && i < count; i++) {
        if (p[i] > 1 && !reader_warns(g->c, WARN_BOOL)) { /* the key is made printable once */
            char *name = reader_name(key->bytes, key->n);
            reader_warn(g->c, WARN_BOOL, "key %.*s: bool is %u, not 0 or 1", HEAD(name, 100), p[i]);
            free(name);
        }
        if (i % READER_ASKS == READER_ASKS - 1 && !reader_goes_on(g->c, g->pos - count + i, g->err))
            return false;
    }
    return p != NULL;
}

static bool read_array(Gguf *g, const Text *key)
{
    uint64_t at = g->pos;
    uint32_t type;
    uint64_t count;
    if (!take_u32(g, &type, "array type") || !take_u64(g, &count, "array length"))
        return false;
    if (type == GGUF_ARRAY)
        return reader_fail(g->c, at, g->err, "array of arrays");
    if (type >= GGUF_TYPES)
        return reader_fail(g->c, at, g->err, "unknown value type %" PRIu32, type);
    int list = text_is(key, "prism.hadamard.weight_names")           ? 0
               : text_is(key, "prism.hadamard.inverse_weight_names") ? 1
                                                                     : -1;
    if (list >= 0 && type == GGUF_STRING) {
        g->names_at[list] = g->pos;
        g->names_count[list] = count;
    }
    if (type == GGUF_STRING)
        return read_strings(g, count);
    if (type == GGUF_BOOL)
        return read_bools(g, count, key);
    if (count > (g->c->map.size - g->pos) / type_bytes[type])
        return reader_fail(g->c, g->pos, g->err, "array of %" PRIu64 " elements passes the end",
                           count);
    return take(g, count * type_bytes[type], "array") != NULL;
}

static bool read_alignment(Gguf *g, uint32_t type, uint64_t type_at)
{
    uint32_t value;
    if (type != GGUF_U32)
        return reader_fail(g->c, type_at, g->err, "general.alignment has type %" PRIu32 ", not u32",
                           type);
    uint64_t at = g->pos;
    if (!take_u32(g, &value, "general.alignment"))
        return false;
    if (value == 0 || (value & (value - 1)) || value > GGUF_MAX_ALIGNMENT)
        return reader_fail(g->c, at, g->err,
                           "general.alignment %" PRIu32 " is no power of two up to 2^20", value);
    if (value % 8)
        reader_warn(g->c, WARN_ALIGNMENT, "general.alignment %" PRIu32 " is no multiple of 8",
                    value);
    g->c->alignment = value;
    return true;
}

static bool read_value(Gguf *g, const Text *key)
{
    uint64_t at = g->pos;
    uint32_t type;
    if (!take_u32(g, &type, "value type"))
        return false;
    if (type >= GGUF_TYPES)
        return reader_fail(g->c, at, g->err, "unknown value type %" PRIu32, type);
    if (text_is(key, "general.alignment"))
        return read_alignment(g, type, at);
    if (type == GGUF_ARRAY)
        return read_array(g, key);
    if (type == GGUF_BOOL)
        return read_bools(g, 1, key);
    if (type != GGUF_STRING)
        return take(g, type_bytes[type], "value") != NULL;
    Text t;
    if (!take_text(g, &t, "string"))
        return false;
    if (text_is(key, "general.architecture")) {
        char *name = reader_name(t.bytes, t.n < 60 ? t.n : 60);
        strncpy(g->c->architecture, name, sizeof g->c->architecture - 1);
        free(name);
    }
    return true;
}

static int key_order(const void *a, const void *b)
{
    const Text *x = a;
    const Text *y = b;
    int d = memcmp(x->bytes, y->bytes, x->n < y->n ? x->n : y->n);
    if (d == 0)
        d = (x->n > y->n) - (x->n < y->n);
    return d ? d : (x->at > y->at) - (x->at < y->at);
}

static bool check_keys(Gguf *g)
{
    if (g->n_keys)
        qsort(g->keys, g->n_keys, sizeof *g->keys, key_order);
    for (uint64_t i = 1; i < g->n_keys; i++) {
        const Text *a = &g->keys[i - 1];
        const Text *b = &g->keys[i];
        if (a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0) {
            char *name = reader_name(b->bytes, b->n < 100 ? b->n : 100);
            reader_fail(g->c, b->at, g->err, "key '%s' appears twice", name);
            free(name);
            return false;
        }
    }
    return true;
}

static bool read_keys(Gguf *g)
{
    for (uint64_t i = 0; i < g->c->keys; i++) {
        if ((i & (i - 1)) == 0) /* full at powers of two: grows with what was really there */
            g->keys = xrealloc(g->keys, (i ? i * 2 : 1) * sizeof *g->keys);
        Text *key = &g->keys[i];
        if (!take_text(g, key, "key"))
            return false;
        g->n_keys = i + 1;
        if (key->n == 0 || key->n > GGUF_MAX_KEY)
            return reader_fail(g->c, key->at, g->err, "key of %" PRIu64 " bytes", key->n);
        g->hadamard |= text_starts(key, "prism.hadamard.");
        if (!read_value(g, key))
            return false;
    }
    return check_keys(g);
}

/* ---- tensor table ---- */

static bool read_name(Gguf *g, Tensor *t)
{
    Text name;
    if (!take_text(g, &name, "tensor name"))
        return false;
    if (name.n > GGUF_MAX_NAME)
        return reader_fail(g->c, name.at, g->err, "tensor name of %" PRIu64 " bytes, 64 is most",
                           name.n);
    const uint8_t *nul = memchr(name.bytes, 0, name.n);
    t->name = reader_name(name.bytes, nul ? (size_t)(nul - name.bytes) : name.n);
    if (name.n == GGUF_MAX_NAME)
        reader_warn(g->c, WARN_NAME, "tensor %s: name of 64 bytes, ggml takes 63", t->name);
    if (nul)
        reader_warn(g->c, WARN_NAME, "tensor %s: name holds a NUL byte and ends there", t->name);
    return true;
}

static bool read_dims(Gguf *g, Tensor *t)
{
    uint32_t n;
    if (!take_u32(g, &n, "number of dimensions"))
        return false;
    if (n > GGUF_MAX_DIMS)
        return reader_fail(g->c, g->pos - 4, g->err, "tensor %s: %" PRIu32 " dimensions, 4 is most",
                           t->name, n);
    reader_dims(t, n);
    t->cols = 1;
    t->rows = 1;
    uint64_t weights = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (!take_u64(g, &t->dims[i], "dimension"))
            return false;
        if (t->dims[i] == 0 || t->dims[i] > INT64_MAX)
            return reader_fail(g->c, g->pos - 8, g->err, "tensor %s: dimension %" PRId64, t->name,
                               (int64_t)t->dims[i]);
        if (!checked_mul(weights, t->dims[i], &weights) || weights > INT64_MAX)
            return reader_fail(g->c, g->pos - 8, g->err, "tensor %s: number of weights passes 2^63",
                               t->name);
        if (i == 0)
            t->cols = t->dims[0];
        else
            t->rows *= t->dims[i];
    }
    return true;
}

static bool read_tensor(Gguf *g)
{
    Tensor *t = reader_add(g->c);
    uint64_t type_at;
    if (!read_name(g, t) || !read_dims(g, t))
        return false;
    type_at = g->pos;
    if (!take_u32(g, &t->type_id, "tensor type") || !take_u64(g, &t->offset, "tensor offset"))
        return false;
    if (t->offset % g->c->alignment)
        return reader_fail(g->c, g->pos - 8, g->err,
                           "tensor %s: offset %" PRIu64 " is no multiple of the alignment %" PRIu64,
                           t->name, t->offset, g->c->alignment);
    const GgmlType *type = ggml_type(t->type_id);
    t->type = type ? type->name : "?";
    t->kind = type ? type->kind : KIND_UNKNOWN;
    if (!type) {
        reader_warn(g->c, WARN_UNKNOWN_TYPE, "tensor %s: unknown type %" PRIu32, t->name,
                    t->type_id);
        t->size = 1; /* at least; gguf_layout widens it to the gap it lies in */
        return true;
    }
    if (t->cols % type->weights)
        return reader_fail(g->c, type_at, g->err, "tensor %s: K %" PRIu64 " %% %u != 0 for %s",
                           t->name, t->cols, type->weights, type->name);
    if (!checked_mul(t->cols / type->weights * t->rows, type->bytes, &t->size))
        return reader_fail(g->c, type_at, g->err, "tensor %s: size passes 2^64", t->name);
    return true;
}

/* Flag the tensors that the prism.hadamard.* keys say are stored rotated. */
static void mark_rotated(Gguf *g, Tensor **by_name)
{
    Container *c = g->c;
    if (g->hadamard && g->names_count[0] + g->names_count[1] == 0) {
        reader_warn(c, WARN_HADAMARD,
                    "prism.hadamard keys name no tensor: all ternary ones are "
                    "taken as rotated");
        for (size_t i = 0; i < c->count; i++) {
            if (kind_is_block(c->tensors[i].kind) || c->tensors[i].kind == KIND_Q2_0)
                c->tensors[i].flags |= TENSOR_ROTATED;
        }
    }
    for (int list = 0; list < 2; list++) {
        g->pos = g->names_at[list];
        for (uint64_t i = 0; i < g->names_count[list]; i++) {
            Text name;
            if (!take_text(g, &name, "string"))
                return; /* read before, so it is there */
            char *text = reader_name(name.bytes, name.n);
            size_t lo = 0;
            size_t hi = c->count;
            while (lo < hi) {
                size_t mid = (lo + hi) / 2;
                int d = strcmp(text, by_name[mid]->name);
                if (d == 0)
                    by_name[mid]->flags |= TENSOR_ROTATED;
                hi = d <= 0 ? mid : hi;
                lo = d > 0 ? mid + 1 : lo;
            }
            free(text);
        }
    }
}

static bool read_all(Gguf *g)
{
    Container *c = g->c;
    uint64_t tensors = 0;
    if (!read_header(g, &tensors) || !read_keys(g))
        return false;
    if (tensors > (c->map.size - g->pos) / GGUF_MIN_TENSOR)
        return reader_fail(c, 8, g->err, "%" PRIu64 " tensors cannot fit in %" PRIu64 " bytes",
                           tensors, c->map.size - g->pos);
    for (uint64_t i = 0; i < tensors; i++) {
        if (!read_tensor(g))
            return false;
    }
    c->data_offset = (g->pos + c->alignment - 1) & ~(c->alignment - 1);
    Tensor **by_name = reader_by_name(c, g->err);
    if (!by_name)
        return false;
    mark_rotated(g, by_name);
    free(by_name);
    return gguf_place(c, g->err);
}

bool gguf_read(Container *c, Err *err)
{
    Gguf g = {.c = c, .err = err};
    c->alignment = 32;
    bool ok = read_all(&g);
    free(g.keys);
    return ok;
}
