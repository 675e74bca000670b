/* safetensors, read as strictly as its reference reader (ternary.md 6.1), and Q4NX: the same
 * layout with gaps between tensors allowed, whose I8 tensors are chunks named by their last
 * dimension (4.1, 4.2). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/printable.h"
#include "tensor/reader.h"

enum {
    ST_LENGTH = 8,             /* the header's length field */
    ST_MAX_HEADER = 100000000, /* as the reference reader */
    GEMMA_QUARTER_TILE = 1280  /* last dimension of some q4_1 tensors, four per tile */
};

typedef struct St {
    Container *c;
    Err *err;
    const char *header;
    uint64_t n; /* bytes of the header */
} St;

/* Where the header speaks of a name, for messages; its start when that cannot be found. */
static uint64_t where(const St *s, const char *name)
{
    size_t n = strlen(name);
    for (uint64_t i = 0; n + 2 <= s->n && i <= s->n - n - 2; i++) {
        if (s->header[i] == '"' && s->header[i + n + 1] == '"' &&
            memcmp(s->header + i + 1, name, n) == 0)
            return ST_LENGTH + i;
    }
    return ST_LENGTH;
}

/* The message with the place where the header speaks of `name`: looked for only now, as that takes
 * a pass over the header. */
static bool fail_of(const St *s, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail_of(const St *s, const char *name, const char *fmt, ...)
{
    char why[320];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return reader_fail(s->c, where(s, name), s->err, "%s", why);
}

static bool read_length(St *s)
{
    Container *c = s->c;
    if (c->map.size < ST_LENGTH)
        return reader_fail(c, c->map.size, s->err,
                           "neither GGUF nor safetensors: shorter than the 8 bytes of a header "
                           "length");
    memcpy(&s->n, c->map.data, ST_LENGTH);
    if (s->n > ST_MAX_HEADER)
        return reader_fail(
            c, 0, s->err,
            "no GGUF, safetensors or pb16i, and not named .t2: as a safetensors header length "
            "%" PRIu64 " is too large, 100000000 is most; bare block rows are read by t2 convert "
            "--from KIND --shape NxK",
            s->n);
    if (s->n > c->map.size - ST_LENGTH)
        return reader_fail(c, 0, s->err, "header of %" PRIu64 " bytes passes the end of the file",
                           s->n);
    s->header = (const char *)c->map.data + ST_LENGTH;
    c->data_offset = ST_LENGTH + s->n;
    return true;
}

static bool read_metadata(St *s, json_t *meta)
{
    if (json_is_null(meta)) /* the same as none */
        return true;
    if (!json_is_object(meta))
        return fail_of(s, "__metadata__", "__metadata__ is no object");
    s->c->meta = xcalloc(json_object_size(meta), sizeof *s->c->meta);
    const char *key;
    json_t *value;
    json_object_foreach(meta, key, value)
    {
        s->c->keys++;
        if (!json_is_string(value))
            return fail_of(s, key, "__metadata__ value is no string");
        ContainerMeta *m = &s->c->meta[s->c->n_meta++];
        m->key = xstrdup(key);
        m->value = xstrdup(json_string_value(value));
    }
    return true;
}

/* A non-negative integer of the JSON. */
static bool get_u64(const json_t *v, uint64_t *out)
{
    if (!json_is_integer(v) || json_integer_value(v) < 0)
        return false;
    *out = (uint64_t)json_integer_value(v);
    return true;
}

static bool read_shape(const St *s, Tensor *t, const char *name, const json_t *shape,
                       uint64_t *weights)
{
    if (!json_is_array(shape))
        return fail_of(s, name, "tensor %.*s: no shape", HEAD(t->name, 100));
    if (json_array_size(shape) > TENSOR_MAX_DIMS)
        return fail_of(s, name, "tensor %.*s: more than %d dimensions", HEAD(t->name, 100),
                       TENSOR_MAX_DIMS);
    t->n_dims = (unsigned)json_array_size(shape);
    *weights = 1;
    for (unsigned i = 0; i < t->n_dims; i++) {
        if (!get_u64(json_array_get(shape, i), &t->dims[i]))
            return fail_of(s, name, "tensor %.*s: dimension %u is no size", HEAD(t->name, 100), i);
        if (!checked_mul(*weights, t->dims[i], weights))
            return fail_of(s, name, "tensor %.*s: number of weights passes 2^64",
                           HEAD(t->name, 100));
    }
    return true;
}

static bool read_place(const St *s, Tensor *t, const char *name, const json_t *offsets)
{
    uint64_t begin;
    uint64_t end;
    if (json_array_size(offsets) != 2 || !get_u64(json_array_get(offsets, 0), &begin) ||
        !get_u64(json_array_get(offsets, 1), &end))
        return fail_of(s, name, "tensor %.*s: data_offsets are not two sizes", HEAD(t->name, 100));
    if (end < begin)
        return fail_of(s, name,
                       "tensor %.*s: data_offsets end %" PRIu64 " before they begin %" PRIu64,
                       HEAD(t->name, 100), end, begin);
    uint64_t data_size = s->c->map.size - s->c->data_offset;
    if (end > data_size)
        return fail_of(s, name, "tensor %.*s: ends at %" PRIu64 " of %" PRIu64 " bytes of data",
                       HEAD(t->name, 100), end, data_size);
    t->offset = begin;
    t->size = end - begin;
    return true;
}

static bool read_tensor(St *s, const char *name, const json_t *entry)
{
    Tensor *t = reader_add(s->c);
    t->name = reader_name((const uint8_t *)name, strlen(name));
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    unsigned bits = dtype ? dtype_bits(dtype) : 0;
    if (bits == 0) {
        char *shown = reader_name((const uint8_t *)(dtype ? dtype : ""), dtype ? strlen(dtype) : 0);
        fail_of(s, name, "tensor %.*s: unknown dtype '%.*s'", HEAD(t->name, 100), HEAD(shown, 40));
        free(shown);
        return false;
    }
    t->type = dtype_name(dtype);
    uint64_t weights = 0;
    if (!read_shape(s, t, name, json_object_get(entry, "shape"), &weights) ||
        !read_place(s, t, name, json_object_get(entry, "data_offsets")))
        return false;
    uint64_t total_bits;
    if (!checked_mul(weights, bits, &total_bits))
        return fail_of(s, name, "tensor %.*s: size passes 2^64 bits", HEAD(t->name, 100));
    if (total_bits % 8)
        return fail_of(s, name, "tensor %.*s: ends inside a byte", HEAD(t->name, 100));
    if (total_bits / 8 != t->size)
        return fail_of(s, name,
                       "tensor %.*s: shape needs %" PRIu64 " bytes, data_offsets span %" PRIu64,
                       HEAD(t->name, 100), total_bits / 8, t->size);
    return true;
}

static bool read_entries(St *s, json_t *root)
{
    if (!json_is_object(root))
        return reader_fail(s->c, ST_LENGTH, s->err, "header is no JSON object");
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        bool meta = strcmp(key, "__metadata__") == 0;
        if (!meta && !json_is_object(value))
            return fail_of(s, key, "entry is no object");
        if (!(meta ? read_metadata(s, value) : read_tensor(s, key, value)))
            return false;
    }
    return true;
}

/* The kind and shape of an I8 or U8 tensor of a Q4NX file. */
static void name_chunk(Container *c, Tensor *t)
{
    if ((strcmp(t->type, "I8") != 0 && strcmp(t->type, "U8") != 0) || t->n_dims < 2)
        return;
    uint64_t last = t->dims[t->n_dims - 1];
    t->kind = last == GEMMA_QUARTER_TILE && t->size % (last * 4) == 0 ? KIND_CHUNK_Q4_1
                                                                      : chunk_kind(last);
    if (t->kind == KIND_OTHER) {
        reader_warn(c, WARN_CHUNK, "tensor %.*s: no chunk kind has %" PRIu64 " bytes",
                    HEAD(t->name, 100), last);
        return;
    }
    /* only [tile rows, tile columns, chunk] tells the shape */
    t->rows = 0;
    t->cols = 0;
    if (t->n_dims == 3 && last != GEMMA_QUARTER_TILE) {
        t->rows = t->dims[0] * 32;
        t->cols = t->dims[1] * 256;
    }
}

static void plain_shape(Tensor *t)
{
    t->rows = 1;
    t->cols = 1;
    for (unsigned i = 0; i < t->n_dims; i++) {
        if (i + 1 == t->n_dims)
            t->cols = t->dims[i];
        else
            t->rows *= t->dims[i]; /* part of a product that was checked, or zero */
    }
}

/* No overlap, and (strictly) no gap: the tensors cover the data once. */
static bool check_cover(St *s, bool gaps)
{
    Container *c = s->c;
    Tensor **list = reader_by_offset(c);
    uint64_t covered = 0;
    bool ok = true;
    for (size_t i = 0; i < c->count && ok; i++) {
        Tensor *t = list[i];
        if (t->offset < covered || (t->offset > covered && !gaps))
            ok = reader_fail(c, c->data_offset + t->offset, s->err,
                             "tensor %.*s: data_offsets begin at %" PRIu64
                             ", the tensor before ends at %" PRIu64,
                             HEAD(t->name, 100), t->offset, covered);
        covered = t->offset + t->size;
        t->offset += c->data_offset;
    }
    free(list);
    uint64_t data_size = c->map.size - c->data_offset;
    if (ok && covered != data_size && !gaps)
        return reader_fail(c, c->data_offset + covered, s->err,
                           "%" PRIu64 " bytes after the last tensor", data_size - covered);
    return ok;
}

/* A value takes jansson up to 300 bytes: two bytes of text, {}, must not make one each. A tensor's
 * entry has three objects and arrays in at least 50 bytes. */
static bool check_density(St *s)
{
    enum { SLACK = 1 << 14, BYTES_EACH = 16 };
    uint64_t containers = 0;
    bool quoted = false;
    for (uint64_t i = 0; i < s->n; i++) {
        char ch = s->header[i];
        if (quoted && ch == '\\')
            i++;
        else if (ch == '"')
            quoted = !quoted;
        else
            containers += !quoted && (ch == '{' || ch == '[');
        if (i % READER_ASKS == READER_ASKS - 1 && !reader_goes_on(s->c, i, s->err))
            return false;
        if (containers > SLACK + i / BYTES_EACH)
            return reader_fail(s->c, ST_LENGTH + i, s->err,
                               "more objects and arrays than a table of tensors has");
    }
    return true;
}

/* The header, handed to jansson in pieces so that it can be stopped. */
typedef struct Feed {
    const St *s;
    uint64_t at;
    bool stopped;
} Feed;

static size_t feed(void *buffer, size_t size, void *context)
{
    Feed *f = context;
    uint64_t left = f->s->n - f->at;
    size_t n = left < size ? (size_t)left : size;
    if (f->at / READER_ASKS != (f->at + n) / READER_ASKS)
        f->stopped = !reader_goes_on(f->s->c, f->at, f->s->err);
    memcpy(buffer, f->s->header + f->at, n);
    f->at += n;
    return f->stopped ? (size_t)-1 : n;
}

bool safetensors_read(Container *c, bool named_q4nx, Err *err)
{
    St s = {.c = c, .err = err, .header = ""};
    c->alignment = 1;
    if (!read_length(&s))
        return false;
    if (!check_density(&s))
        return false;
    json_error_t why;
    Feed header = {.s = &s};
    json_t *root = json_load_callback(feed, &header, JSON_REJECT_DUPLICATES, &why);
    if (header.stopped) {
        json_decref(root);
        return false;
    }
    if (!root) {
        char *text = reader_name((const uint8_t *)why.text, strlen(why.text));
        reader_fail(c, ST_LENGTH + (uint64_t)(why.position > 0 ? why.position : 0), err,
                    "header is no JSON: %s", text);
        free(text);
        return false;
    }
    if (s.header[0] != '{')
        reader_warn(c, WARN_LEADING_SPACE, "header does not begin with '{', at byte 8");
    bool ok = read_entries(&s, root);
    json_decref(root);
    if (!ok)
        return false;
    const char *format = container_meta(c, "format");
    bool q4nx = named_q4nx || (format && strcmp(format, "q4nx") == 0);
    c->kind = q4nx ? CONTAINER_Q4NX : CONTAINER_SAFETENSORS;
    for (size_t i = 0; i < c->count; i++) {
        plain_shape(&c->tensors[i]);
        if (q4nx)
            name_chunk(c, &c->tensors[i]);
    }
    return check_cover(&s, q4nx);
}
