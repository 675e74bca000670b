#include "tensor/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "tensor/gguf.h"
#include "tensor/pb16i.h"
#include "tensor/reader.h"
#include "tensor/t2.h"

enum { STREAM_WINDOW = 128 * T2_TILE }; /* 68 pages: reads stay aligned to pages, and in L2 */

static bool ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path);
    size_t m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

static bool raw_t2_read(Container *c, Err *err)
{
    if (c->map.size == 0 || c->map.size % T2_TILE)
        return reader_fail(c, c->map.size, err,
                           "a raw .t2 is whole tiles of 2176 bytes, this has %zu bytes",
                           c->map.size);
    c->kind = CONTAINER_RAW_T2;
    Tensor *t = reader_add(c);
    const char *slash = strrchr(c->path, '/');
    const char *name = slash ? slash + 1 : c->path;
    t->name = reader_name((const uint8_t *)name, strlen(name));
    t->kind = KIND_T2;
    t->type = "t2";
    t->size = c->map.size;
    return true;
}

static bool pb16i_container(Container *c, Err *err)
{
    Pb16iShape shape;
    Err why;
    c->kind = CONTAINER_PB16I;
    if (!pb16i_open(c->map.data, c->map.size, &shape, &why))
        return reader_fail(c, 0, err, "%s", why.text);
    c->version = 1;
    Tensor *t = reader_add(c);
    t->name = xstrdup("pb16i");
    t->kind = KIND_PB16I;
    t->type = "pb16i";
    reader_dims(t, 2);
    t->dims[0] = t->rows = shape.rows;
    t->dims[1] = t->cols = shape.cols;
    t->size = c->map.size;
    return true;
}

static bool read_table(Container *c, Err *err)
{
    if (gguf_has_magic(&c->map) || ends_with(c->path, ".gguf")) {
        c->kind = CONTAINER_GGUF;
        return gguf_read(c, err);
    }
    if (ends_with(c->path, ".t2"))
        return raw_t2_read(c, err);
    if (pb16i_has_magic(c->map.data, c->map.size))
        return pb16i_container(c, err);
    return safetensors_read(c, ends_with(c->path, ".q4nx"), err);
}

bool container_open_watched(Container *c, const char *path, const Progress *progress, Err *err)
{
    *c = (Container){.path = xstrdup(path), .alignment = 1, .progress = progress};
    bool ok = file_map(&c->map, path, err) && read_table(c, err);
    c->progress = NULL;
    if (!ok)
        container_close(c);
    return ok;
}

bool container_open(Container *c, const char *path, Err *err)
{
    return container_open_watched(c, path, NULL, err);
}

void container_close(Container *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->tensors[i].name);
        free(c->tensors[i].dims);
    }
    free(c->tensors);
    for (size_t i = 0; i < c->n_meta; i++)
        free(c->meta[i].key);
    free(c->meta);
    free(c->path);
    file_unmap(&c->map);
    *c = (Container){0};
}

const char *container_kind_name(ContainerKind kind)
{
    static const char *const names[] = {
        [CONTAINER_GGUF] = "GGUF",   [CONTAINER_SAFETENSORS] = "safetensors",
        [CONTAINER_Q4NX] = "Q4NX",   [CONTAINER_RAW_T2] = "raw t2",
        [CONTAINER_PB16I] = "pb16i",
    };
    return names[kind];
}

const char *container_meta(const Container *c, const char *key)
{
    for (size_t i = 0; i < c->n_meta; i++) {
        if (strcmp(c->meta[i].key, key) == 0)
            return c->meta[i].value;
    }
    return NULL;
}

/* "a, b, c, ..." within one line. */
static void list_names(const Container *c, Buf *b)
{
    for (size_t i = 0; i < c->count && b->len < 200; i++)
        buf_printf(b, "%s%s", i ? ", " : "", c->tensors[i].name);
    if (b->len >= 200)
        buf_text(b, ", ...");
}

static const char *near_name(const Container *c, const char *name, char out[SUGGEST_TEXT])
{
    Suggest s;
    suggest_begin(&s, name, strlen(name));
    for (size_t i = 0; i < c->count; i++)
        suggest_offer(&s, c->tensors[i].name);
    return suggest_text(&s, out);
}

static const Tensor *not_found(const Container *c, const char *name, Err *err)
{
    Buf names = {0};
    char hint[SUGGEST_TEXT];
    list_names(c, &names);
    if (c->count == 0)
        err_set(err, "%s: holds no tensor", c->path);
    else if (name)
        err_set(err, "%s: no tensor '%s'; %sit holds %s", c->path, name, near_name(c, name, hint),
                buf_str(&names));
    else
        err_set(err, "%s: holds %zu tensors, choose one with --tensor: %s", c->path, c->count,
                buf_str(&names));
    buf_free(&names);
    return NULL;
}

const Tensor *container_find(const Container *c, const char *name, Err *err)
{
    if (!name)
        return c->count == 1 ? c->tensors : not_found(c, NULL, err);
    char *typed = reader_typed_name(name);
    const Tensor *found = NULL;
    for (size_t i = 0; !found && i < c->count; i++)
        found = strcmp(c->tensors[i].name, typed) == 0 ? &c->tensors[i] : NULL;
    if (!found)
        (void)not_found(c, typed, err);
    free(typed);
    return found;
}

bool tensor_shaped(const Container *c, const Tensor *t, uint64_t rows, uint64_t cols, Tensor *out,
                   Err *err)
{
    *out = *t;
    if (t->rows) {
        if (rows && (rows != t->rows || cols != t->cols))
            return err_set(err,
                           "%s: tensor %s is %" PRIu64 "x%" PRIu64 ", not %" PRIu64 "x%" PRIu64,
                           c->path, t->name, t->rows, t->cols, rows, cols);
        return true;
    }
    if (!rows)
        return err_set(err, "%s: tensor %s has %" PRIu64 " tiles and no shape, give --shape NxK",
                       c->path, t->name, tensor_tiles(t));
    Err why;
    uint64_t bytes;
    if (!t2_bytes(rows, cols, &bytes, &why))
        return err_set(err, "%s: tensor %s: %s", c->path, t->name, why.text);
    if (bytes / T2_TILE != tensor_tiles(t))
        return err_set(
            err, "%s: tensor %s: %" PRIu64 "x%" PRIu64 " needs %" PRIu64 " tiles, it has %" PRIu64,
            c->path, t->name, rows, cols, bytes / T2_TILE, tensor_tiles(t));
    out->rows = rows;
    out->cols = cols;
    return true;
}

Tensor tensor_column(const Tensor *t)
{
    Tensor out = *t;
    if (!t->rows && tensor_tiles(t)) {
        out.rows = tensor_tiles(t) * T2_ROWS;
        out.cols = T2_COLS;
    }
    return out;
}

bool tensor_grouped(const Container *c, const Tensor *t, unsigned group, Tensor *out, Err *err)
{
    *out = *t;
    unsigned own = t->kind == KIND_Q2_0_G64 ? 64 : t->kind == KIND_Q2_0_G128 ? 128 : 0;
    if (t->kind != KIND_Q2_0) {
        if (group && group != own)
            return own ? err_set(err, "%s: tensor %s: the offsets say groups of %u, not %u",
                                 c->path, t->name, own, group)
                       : err_set(err, "%s: tensor %s is %s, which has no choice of group", c->path,
                                 t->name, kind_name(t->kind));
        return true;
    }
    if (!group)
        return err_set(err, "%s: tensor %s: %s, choose with --group", c->path, t->name,
                       t->flags & TENSOR_BOTH_GROUPS
                           ? "groups of 64 and of 128 both fit the file"
                           : "neither groups of 64 nor of 128 fit every offset of the file");
    uint64_t size;
    if (!gguf_q2_bytes(t, group, &size) || size > t->size)
        return err_set(err, "%s: tensor %s: groups of %u do not fit, at byte %" PRIu64, c->path,
                       t->name, group, t->offset);
    out->kind = group == 64 ? KIND_Q2_0_G64 : KIND_Q2_0_G128;
    out->size = size;
    return true;
}

uint64_t tensor_tiles(const Tensor *t)
{
    switch (t->kind) {
    case KIND_T2:
        return t->size / T2_TILE;
    case KIND_CHUNK_Q4_1:
        return t->size / 5120;
    case KIND_CHUNK_Q4_K:
        return t->size / 4736;
    case KIND_CHUNK_Q8:
        return t->size / 8704;
    default:
        return 0;
    }
}

uint64_t tensor_weights(const Tensor *t)
{
    uint64_t tiles = tensor_tiles(t);
    return tiles ? tiles * T2_ROWS * T2_COLS : t->rows * t->cols;
}

void stream_open(TensorStream *s, const Container *c, const Tensor *t, size_t unit)
{
    size_t window = STREAM_WINDOW / unit * unit;
    *s = (TensorStream){.c = c, .at = t->offset, .end = t->offset + t->size, .window = window};
    s->buf = xmalloc(window);
}

bool stream_next(TensorStream *s, Err *err)
{
    if (s->at == s->end)
        return false;
    s->n = s->end - s->at < s->window ? (size_t)(s->end - s->at) : s->window;
    Err why;
    if (!file_read_at(&s->c->map, s->at, s->buf, s->n, &why)) {
        s->failed = true;
        return err_set(err, "%s: %s", s->c->path, why.text);
    }
    s->bytes = s->buf;
    s->offset = s->at;
    s->at += s->n;
    return true;
}

void stream_close(TensorStream *s)
{
    free(s->buf);
    s->buf = NULL;
}
