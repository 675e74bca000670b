/* safetensors, read as strictly as its reference reader (ternary.md 6.1), and Q4NX: the same
 * layout with gaps between tensors allowed, whose I8 tensors are chunks named by their last
 * dimension (4.1, 4.2). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/printable.h"
#include "tensor/json_text.h"
#include "tensor/reader.h"

enum {
    ST_LENGTH = 8,             /* the header's length field */
    ST_MAX_HEADER = 100000000, /* as the reference reader */
    ST_MAX_ENTRY = 1 << 20,    /* of one tensor: a few hundred bytes are enough */
    GEMMA_QUARTER_TILE = 1280  /* last dimension of some q4_1 tensors, four per tile */
};

typedef struct StKey {
    const char *name; /* as it was kept; equal where the keys are */
    uint64_t at;      /* in the header */
} StKey;

/* The keys of an object: jansson sees no two of them together. */
typedef struct StKeys {
    StKey *list;
    size_t count;
} StKeys;

typedef struct St {
    Container *c;
    Err *err;
    JsonText json; /* the header */
    StKeys keys, meta_keys;
    uint64_t asked; /* up to where in the header it was asked whether to go on */
} St;

/* The message with the place of the key at hand. */
static bool fail_of(const St *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail_of(const St *s, const char *fmt, ...)
{
    char why[320];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return reader_fail(s->c, ST_LENGTH + s->json.key_at, s->err, "%s", why);
}

static bool fail_json(const St *s, uint64_t at, const char *why)
{
    char *text = reader_name((const uint8_t *)why, strlen(why));
    reader_fail(s->c, ST_LENGTH + at, s->err, "header is no JSON: %s", text);
    free(text);
    return false;
}

static void add_key(const St *s, StKeys *keys, const char *name)
{
    keys->list = reader_room(keys->list, keys->count, sizeof *keys->list);
    keys->list[keys->count++] = (StKey){name, s->json.key_at};
}

static int key_order(const void *a, const void *b)
{
    const StKey *x = a;
    const StKey *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool twice(const St *s, const StKey *k)
{
    char *name = reader_typed_name(k->name);
    reader_fail(s->c, ST_LENGTH + k->at, s->err, "header is no JSON: duplicate object key '%.*s'",
                HEAD(name, 100));
    free(name);
    return false;
}

static bool check_once(const St *s, StKeys *keys)
{
    if (keys->count)
        qsort(keys->list, keys->count, sizeof *keys->list, key_order);
    for (size_t i = 1; i < keys->count; i++) {
        if (strcmp(keys->list[i].name, keys->list[i - 1].name) == 0)
            return twice(s, &keys->list[i]);
    }
    return true;
}

static bool read_length(St *s)
{
    Container *c = s->c;
    if (c->map.size < ST_LENGTH)
        return reader_fail(c, c->map.size, s->err,
                           "neither GGUF nor safetensors: shorter than the 8 bytes of a header "
                           "length");
    uint64_t n;
    memcpy(&n, c->map.data, ST_LENGTH);
    if (n > ST_MAX_HEADER)
        return reader_fail(
            c, 0, s->err,
            "no GGUF, safetensors or pb16i, and not named .t2: as a safetensors header length "
            "%" PRIu64 " is too large, 100000000 is most; bare block rows are read by t2 convert "
            "--from KIND --shape NxK",
            n);
    if (n > c->map.size - ST_LENGTH)
        return reader_fail(c, 0, s->err, "header of %" PRIu64 " bytes passes the end of the file",
                           n);
    s->json = (JsonText){.text = (const char *)c->map.data + ST_LENGTH, .n = n};
    c->data_offset = ST_LENGTH + n;
    return true;
}

/* Asked at the members of the header, every megabyte. */
static bool goes_on(St *s)
{
    if (s->json.at - s->asked < READER_ASKS)
        return true;
    s->asked = s->json.at;
    return reader_goes_on(s->c, s->asked, s->err);
}

static bool read_meta(void *context, char *key)
{
    St *s = context;
    bool is_text = json_text_peek(&s->json) == '"';
    char *value = is_text ? json_text_string(&s->json) : NULL;
    if (!value) {
        free(key);
        return !is_text && fail_of(s, "__metadata__ value is no string");
    }
    Container *c = s->c;
    size_t n = strlen(key) + 1;
    size_t m = strlen(value) + 1;
    c->meta = reader_room(c->meta, c->n_meta, sizeof *c->meta);
    ContainerMeta *meta = &c->meta[c->n_meta++];
    meta->key = xrealloc(key, n + m); /* one block: most are shorter than what a block costs */
    meta->value = memcpy(meta->key + n, value, m);
    free(value);
    c->keys++;
    add_key(s, &s->meta_keys, meta->key);
    return goes_on(s);
}

static bool read_metadata(St *s)
{
    add_key(s, &s->keys, "__metadata__");
    if (json_text_peek(&s->json) == '{')
        return json_text_members(&s->json, read_meta, s);
    if (json_text_peek(&s->json) != 'n')
        return fail_of(s, "__metadata__ is no object");
    json_t *v = json_text_value(&s->json);
    json_decref(v);
    return v != NULL; /* null: the same as none */
}

/* A non-negative integer of the JSON. */
static bool get_u64(const json_t *v, uint64_t *out)
{
    if (!json_is_integer(v) || json_integer_value(v) < 0)
        return false;
    *out = (uint64_t)json_integer_value(v);
    return true;
}

static bool read_shape(const St *s, Tensor *t, const json_t *shape, uint64_t *weights)
{
    if (!json_is_array(shape))
        return fail_of(s, "tensor %.*s: no shape", HEAD(t->name, 100));
    if (json_array_size(shape) > TENSOR_MAX_DIMS)
        return fail_of(s, "tensor %.*s: more than %d dimensions", HEAD(t->name, 100),
                       TENSOR_MAX_DIMS);
    reader_dims(t, (unsigned)json_array_size(shape));
    *weights = 1;
    for (unsigned i = 0; i < t->n_dims; i++) {
        if (!get_u64(json_array_get(shape, i), &t->dims[i]))
            return fail_of(s, "tensor %.*s: dimension %u is no size", HEAD(t->name, 100), i);
        if (!checked_mul(*weights, t->dims[i], weights))
            return fail_of(s, "tensor %.*s: number of weights passes 2^64", HEAD(t->name, 100));
    }
    return true;
}

static bool read_place(const St *s, Tensor *t, const json_t *offsets)
{
    uint64_t begin;
    uint64_t end;
    if (json_array_size(offsets) != 2 || !get_u64(json_array_get(offsets, 0), &begin) ||
        !get_u64(json_array_get(offsets, 1), &end))
        return fail_of(s, "tensor %.*s: data_offsets are not two sizes", HEAD(t->name, 100));
    if (end < begin)
        return fail_of(s, "tensor %.*s: data_offsets end %" PRIu64 " before they begin %" PRIu64,
                       HEAD(t->name, 100), end, begin);
    uint64_t data_size = s->c->map.size - s->c->data_offset;
    if (end > data_size)
        return fail_of(s, "tensor %.*s: ends at %" PRIu64 " of %" PRIu64 " bytes of data",
                       HEAD(t->name, 100), end, data_size);
    t->offset = begin;
    t->size = end - begin;
    return true;
}

static bool read_fields(const St *s, Tensor *t, const json_t *entry)
{
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    unsigned bits = dtype ? dtype_bits(dtype) : 0;
    if (bits == 0) {
        char *shown = reader_name((const uint8_t *)(dtype ? dtype : ""), dtype ? strlen(dtype) : 0);
        fail_of(s, "tensor %.*s: unknown dtype '%.*s'", HEAD(t->name, 100), HEAD(shown, 40));
        free(shown);
        return false;
    }
    t->type = dtype_name(dtype);
    uint64_t weights = 0;
    if (!read_shape(s, t, json_object_get(entry, "shape"), &weights) ||
        !read_place(s, t, json_object_get(entry, "data_offsets")))
        return false;
    uint64_t total_bits;
    if (!checked_mul(weights, bits, &total_bits))
        return fail_of(s, "tensor %.*s: size passes 2^64 bits", HEAD(t->name, 100));
    if (total_bits % 8)
        return fail_of(s, "tensor %.*s: ends inside a byte", HEAD(t->name, 100));
    if (total_bits / 8 != t->size)
        return fail_of(s, "tensor %.*s: shape needs %" PRIu64 " bytes, data_offsets span %" PRIu64,
                       HEAD(t->name, 100), total_bits / 8, t->size);
    return true;
}

static bool read_tensor(St *s, const char *name)
{
    Tensor *t = reader_add(s->c);
    t->name = reader_name((const uint8_t *)name, strlen(name));
    add_key(s, &s->keys, t->name);
    if (json_text_peek(&s->json) != '{')
        return fail_of(s, "entry is no object");
    if (json_text_length(&s->json, ST_MAX_ENTRY) > ST_MAX_ENTRY)
        return fail_of(s, "tensor %.*s: entry of more than %d bytes", HEAD(t->name, 100),
                       ST_MAX_ENTRY);
    json_t *entry = json_text_value(&s->json);
    bool ok = entry && read_fields(s, t, entry);
    json_decref(entry);
    return ok;
}

static bool read_entry(void *context, char *key)
{
    St *s = context;
    bool ok = strcmp(key, "__metadata__") == 0 ? read_metadata(s) : read_tensor(s, key);
    free(key);
    return ok && goes_on(s);
}

static bool read_header(St *s)
{
    JsonText *j = &s->json;
    if (json_text_peek(j) != '{')
        return reader_fail(s->c, ST_LENGTH, s->err, "header is no JSON object");
    if (j->at > 0)
        reader_warn(s->c, WARN_LEADING_SPACE, "header does not begin with '{', at byte 8");
    if (!json_text_members(j, read_entry, s) || !json_text_end(j))
        return j->why[0] && fail_json(s, j->why_at, j->why);
    return check_once(s, &s->keys) && check_once(s, &s->meta_keys);
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
    for (uint64_t i = 0; i < s->json.n; i++) {
        char ch = s->json.text[i];
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

static bool read_table(St *s, bool named_q4nx)
{
    Container *c = s->c;
    if (!read_length(s) || !check_density(s) || !read_header(s))
        return false;
    const char *format = container_meta(c, "format");
    bool q4nx = named_q4nx || (format && strcmp(format, "q4nx") == 0);
    c->kind = q4nx ? CONTAINER_Q4NX : CONTAINER_SAFETENSORS;
    for (size_t i = 0; i < c->count; i++) {
        plain_shape(&c->tensors[i]);
        if (q4nx)
            name_chunk(c, &c->tensors[i]);
    }
    return check_cover(s, q4nx);
}

bool safetensors_read(Container *c, bool named_q4nx, Err *err)
{
    St s = {.c = c, .err = err};
    c->alignment = 1;
    bool ok = read_table(&s, named_q4nx);
    free(s.keys.list);
    free(s.meta_keys.list);
    return ok;
}
