/* The file of a model: safetensors, written and read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/place.h"
#include "base/printable.h"
#include "engine/option.h"
#include "model/model.h"
#include "tensor/container.h"

static const char format_name[] = "tokstep-model";

bool model_check_vocab(const char *vocab, Err *err)
{
    size_t n = strlen(vocab);
    if (n < 3 || n > MODEL_MAX_VOCAB)
        return err_set(err, "vocab: %zu characters, must be 3..%d: start mark, letters, end mark",
                       n, MODEL_MAX_VOCAB);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)vocab[i];
        if (c <= ' ' || c > '~')
            return err_set(err, "vocab: character %zu (0x%02x) is not printable ASCII", i, c);
        if (strchr(vocab, vocab[i]) != vocab + i)
            return err_set(err, "vocab: '%c' stands in it twice", c);
    }
    return true;
}

bool model_asset(const char *preset, Buf *path)
{
    char name[64];
    snprintf(name, sizeof name, "words-%.*s.safetensors", HEAD(preset, 40));
    return !strchr(preset, '/') && place_file("assets", name, path);
}

/* ---- reading ---- */

/* err := "FILE: WHY, at byte AT" from the reason alone. */
static bool fail_at(const Container *c, uint64_t at, const Err *why, Err *err)
{
    return err_set(err, "%.*s: %.*s, at byte %" PRIu64, HEAD(c->path, 200), HEAD(why->text, 250),
                   at);
}

static const Tensor *find(const Container *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->tensors[i].name, name) == 0)
            return &c->tensors[i];
    }
    return NULL;
}

/* A dimension that the sizes of the machine are taken from; limits are checked with the rest. */
static bool take_size(const Container *c, const char *name, unsigned dim, int *size, Err *err)
{
    const Tensor *t = find(c, name);
    if (!t)
        return err_set(err, "tensor %s is missing", name);
    if (t->n_dims != 2 || t->dims[dim] > 4096)
        return err_set(err,
                       "tensor %s: %u dimensions, dimension %u is %" PRIu64
                       ": must be 2 dimensions of at most 4096",
                       name, t->n_dims, dim, dim < t->n_dims ? t->dims[dim] : 0);
    *size = (int)t->dims[dim];
    return true;
}

bool model_is_file(const char *path, const Progress *progress)
{
    Container c;
    if (!container_open_watched(&c, path, progress, NULL))
        return false;
    const char *format = container_meta(&c, "format");
    bool is = format && strcmp(format, format_name) == 0;
    container_close(&c);
    return is;
}

static bool needs_meta(const Container *c, const char *key, Err *err)
{
    return container_meta(c, key) || err_set(err, "metadata %s is missing", key);
}

/* Is it told in the metadata, and not by a tensor's shape? */
static bool in_metadata(const Option *o)
{
    return o->in_model && !o->has_dimension;
}

static bool needs_options(const Container *c, Err *err)
{
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        if (in_metadata(o) && !o->quiet && !needs_meta(c, o->key, err))
            return false;
    }
    return true;
}

/* A quiet one is left out where it is at its default, whatever the preset says of it. */
static bool read_options(const Container *c, Config *config, Err *err)
{
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        const char *value = in_metadata(o) ? container_meta(c, o->key) : NULL;
        if (value && !config_set(config, o->key, value, err))
            return false;
        if (in_metadata(o) && !value)
            option_put(o, config, option_default(o, config));
    }
    return true;
}

static bool read_config(const Container *c, Config *config, Err *err)
{
    const char *format = container_meta(c, "format");
    if (!format || strcmp(format, format_name) != 0)
        return err_set(err, "metadata format is %.*s, must be %s",
                       HEAD(format ? format : "missing", 40), format_name);
    return needs_meta(c, "preset", err) && needs_options(c, err) && needs_meta(c, "vocab", err) &&
           config_preset(config, container_meta(c, "preset"), err) &&
           read_options(c, config, err) && model_check_vocab(container_meta(c, "vocab"), err) &&
           take_size(c, "wq", 0, &config->d_model, err) &&
           take_size(c, "w1", 1, &config->d_ff, err) &&
           take_size(c, "pos_emb", 0, &config->max_seq_len, err) && config_check(config, err);
}

static void shape_text(const Tensor *t, Buf *b)
{
    buf_text(b, "[");
    for (unsigned i = 0; i < t->n_dims; i++)
        buf_printf(b, "%s%" PRIu64, i ? ", " : "", t->dims[i]);
    buf_text(b, "]");
}

static bool check_shape(const Tensor *t, const ModelTensor *want, Err *err)
{
    bool fits = want->is_vector ? t->n_dims == 1 && t->dims[0] == (uint64_t)want->cols
                                : t->n_dims == 2 && t->dims[0] == (uint64_t)want->rows &&
                                      t->dims[1] == (uint64_t)want->cols;
    if (strcmp(t->type, "I16") != 0)
        return err_set(err, "tensor %s: dtype %s, must be I16 (raw Q8.8)", t->name, t->type);
    if (fits)
        return true;
    Buf is = {0}, must = {0};
    shape_text(t, &is);
    if (want->is_vector)
        buf_printf(&must, "[%d]", want->cols);
    else
        buf_printf(&must, "[%d, %d]", want->rows, want->cols);
    err_set(err, "tensor %s: shape %s, must be %s", t->name, buf_str(&is), buf_str(&must));
    buf_free(&is);
    buf_free(&must);
    return false;
}

static bool read_tensor(const Container *c, const Tensor *t, const ModelTensor *to, Err *err)
{
    Err why;
    if (!check_shape(t, to, &why))
        return fail_at(c, t->offset, &why, err);
    const uint8_t *bytes = tensor_bytes(c, t);
    size_t n = (size_t)to->rows * (size_t)to->cols;
    for (size_t i = 0; i < n; i++)
        to->words[i] = (int16_t)(uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    return true;
}

static bool read_tensors(const Container *c, Model *m, Err *err)
{
    Err why;
    for (int i = 0; i < model_tensor_count(m); i++) {
        ModelTensor to = model_tensor(m, i);
        const Tensor *t = find(c, to.name);
        if (!t) {
            err_set(&why, "tensor %s is missing", to.name);
            return fail_at(c, c->data_offset, &why, err);
        }
        if (!read_tensor(c, t, &to, err))
            return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        int known = 0;
        while (known < model_tensor_count(m) &&
               strcmp(model_tensor(m, known).name, c->tensors[i].name) != 0)
            known++;
        if (known == model_tensor_count(m)) {
            err_set(&why, "tensor %.*s is no part of a model", HEAD(c->tensors[i].name, 60));
            return fail_at(c, c->tensors[i].offset, &why, err);
        }
    }
    weights_finish(m->weights);
    return true;
}

Model *model_read(const char *path, Err *err)
{
    Container c;
    Config config;
    Err why;
    Model *m = NULL;
    if (!container_open(&c, path, err))
        return NULL;
    if (c.kind != CONTAINER_SAFETENSORS) {
        err_set(err, "%s: a %s file; a model is a safetensors file, at byte 0", path,
                container_kind_name(c.kind));
    } else if (!read_config(&c, &config, &why)) {
        fail_at(&c, 8, &why, err); /* where the header starts */
    } else {
        m = model_new(&config, container_meta(&c, "vocab"));
        if (!read_tensors(&c, m, err)) {
            model_free(m);
            m = NULL;
        }
    }
    container_close(&c);
    return m;
}

/* ---- writing ---- */

static void header_text(const Model *m, Buf *b)
{
    buf_printf(b, "{\"__metadata__\":{\"format\":\"%s\",\"preset\":\"%s\",", format_name,
               m->config.preset);
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        char text[OPTION_CHARS];
        option_text(o, &m->config, text);
        if (in_metadata(o) && option_told(o, &m->config))
            buf_printf(b, "\"%s\":\"%s\",", o->key, text);
    }
    buf_text(b, "\"vocab\":\"");
    for (const char *c = m->vocab; *c; c++)
        buf_printf(b, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    buf_text(b, "\"}");
    size_t at = 0;
    for (int i = 0; i < model_tensor_count(m); i++) {
        ModelTensor t = model_tensor(m, i);
        size_t bytes = (size_t)t.rows * (size_t)t.cols * sizeof *t.words;
        buf_printf(b, ",\"%s\":{\"dtype\":\"I16\",\"shape\":[", t.name);
        if (!t.is_vector)
            buf_printf(b, "%d,", t.rows);
        buf_printf(b, "%d],\"data_offsets\":[%zu,%zu]}", t.cols, at, at + bytes);
        at += bytes;
    }
    buf_text(b, "}");
    while (b->len % 8)
        buf_text(b, " "); /* data is aligned to 8, as the reference writer does */
}

static void write_le(FILE *f, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(v >> (8 * i) & 0xff), f);
}

bool model_write(const Model *m, const char *path, Err *err)
{
    FileOut out;
    Buf header = {0};
    if (!file_create(&out, path, err))
        return false;
    header_text(m, &header);
    write_le(out.stream, header.len, 8);
    fwrite(header.data, 1, header.len, out.stream);
    for (int i = 0; i < model_tensor_count(m); i++) {
        ModelTensor t = model_tensor(m, i);
        for (size_t k = 0; k < (size_t)t.rows * (size_t)t.cols; k++)
            write_le(out.stream, (uint16_t)t.words[k], 2);
    }
    buf_free(&header);
    return file_commit(&out, err);
}
