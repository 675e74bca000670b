#include "model/model_hex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/printable.h"
#include "engine/option.h"
#include "model/hex_words.h"

enum { MAX_TEXT = 64 << 20 };

/* ---- export ---- */

static bool write_hex(const int16_t *words, size_t n, const char *dir, const char *name, Err *err)
{
    FileOut out;
    Buf path = {0};
    buf_printf(&path, "%s/%s.hex", dir, name);
    bool ok = file_create(&out, buf_str(&path), err);
    buf_free(&path);
    if (!ok)
        return false;
    for (size_t i = 0; i < n; i++)
        fprintf(out.stream, "%04x\n", (unsigned)(uint16_t)words[i]);
    return file_commit(&out, err);
}

static bool write_description(const Setup *s, const char *dir, Err *err)
{
    FileOut out;
    Buf path = {0};
    const Config *c = &s->model->config;
    buf_printf(&path, "%s/model.txt", dir);
    bool ok = file_create(&out, buf_str(&path), err);
    buf_free(&path);
    if (!ok)
        return false;
    fprintf(out.stream, "preset %s\n", s->config.preset);
    for (int k = 0; option_at(k); k++) {
        char text[OPTION_CHARS];
        option_text(option_at(k), c, text);
        if (option_at(k)->in_model && option_told(option_at(k), c))
            fprintf(out.stream, "%s %s\n", option_at(k)->key, text);
    }
    fprintf(out.stream, "vocab %s\n", s->model->vocab);
    return file_commit(&out, err);
}

/* Those behind the machine's weights. */
static bool write_host_tensors(const Model *m, const char *dir, Err *err)
{
    int count = model_tensor_count(m);
    bool ok = true;
    for (int t = count - MODEL_HOST_TENSORS; ok && t < count; t++) {
        ModelTensor tensor = model_tensor(m, t);
        ok = write_hex(tensor.words, (size_t)tensor.rows * (size_t)tensor.cols, dir, tensor.name,
                       err);
    }
    return ok;
}

bool hex_export(const Setup *s, const char *dir, Err *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_set(err, "%s: %s", dir, strerror(errno));
    int16_t *tokens = NULL;
    Weights *w = stimulus_make(s, &tokens);
    bool ok = true;
    for (int m = 0; ok && m < WEIGHT_COUNT; m++) {
        size_t n = (size_t)w->rows[m] * (size_t)w->cols[m];
        if (weights_have(w, m))
            ok = write_hex(w->data[m], n, dir, weight_name((WeightId)m), err);
    }
    if (ok && s->model)
        ok = write_host_tensors(s->model, dir, err);
    if (ok && s->model)
        ok = write_description(s, dir, err);
    weights_free(w);
    free(tokens);
    return ok;
}

/* ---- import ---- */

static bool read_hex(const char *dir, const ModelTensor *t, Err *err)
{
    Buf path = {0};
    buf_printf(&path, "%s/%s.hex", dir, t->name);
    char *text = file_read_text(buf_str(&path), MAX_TEXT, err);
    bool ok = text && hex_words_read(text, buf_str(&path), t->words,
                                     (size_t)t->rows * (size_t)t->cols, err);
    free(text);
    buf_free(&path);
    return ok;
}

/* One line of model.txt. */
static bool take_line(char *line, Config *c, char *vocab, size_t size, Err *err)
{
    char *value = strchr(line, ' ');
    if (!value)
        return err_set(err, "'%.*s' is no KEY VALUE", HEAD(line, 40));
    *value++ = '\0';
    if (strcmp(line, "preset") == 0)
        return config_preset(c, value, err);
    if (strcmp(line, "vocab") == 0) {
        snprintf(vocab, size, "%s", value);
        return model_check_vocab(value, err);
    }
    const Option *o = option_find(line);
    if (o && o->in_model)
        return config_set(c, line, value, err);
    return err_set(err, "%.*s: no such key", HEAD(line, 40));
}

static bool read_description(const char *dir, Config *c, char *vocab, size_t size, Err *err)
{
    Buf path = {0};
    Err why;
    bool ok = true;
    buf_printf(&path, "%s/model.txt", dir);
    char *text = file_read_text(buf_str(&path), MAX_TEXT, err), *rest = text, *line;
    if (!text) {
        buf_free(&path);
        return false;
    }
    int number = 0;
    vocab[0] = '\0';
    config_preset(c, "repaired", NULL);
    while (ok && (line = strsep(&rest, "\n"))) { /* empty lines count, but tell nothing */
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (*line && !take_line(line, c, vocab, size, &why))
            ok = err_set(err, "%s: %s, line %d", buf_str(&path), why.text, number);
    }
    if (ok && !*vocab)
        ok = err_set(err, "%s: names no vocab", buf_str(&path));
    if (ok && !config_check(c, &why))
        ok = err_set(err, "%s: %s", buf_str(&path), why.text);
    free(text);
    buf_free(&path);
    return ok;
}

Model *hex_import(const char *dir, Err *err)
{
    Config c;
    char vocab[MODEL_MAX_VOCAB + 2];
    if (!read_description(dir, &c, vocab, sizeof vocab, err))
        return NULL;
    Model *m = model_new(&c, vocab);
    for (int t = 0; t < model_tensor_count(m); t++) {
        ModelTensor tensor = model_tensor(m, t);
        if (!read_hex(dir, &tensor, err)) {
            model_free(m);
            return NULL;
        }
    }
    weights_finish(m->weights);
    return m;
}
