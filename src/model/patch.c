/* Ternary tiles as a weight matrix of the machine (t2.md, "Beyond the PR"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/setup.h"
#include "tensor/container.h"
#include "tensor/t2.h"
#include "tensor/verify.h"

static bool check_codes(const Container *c, const Tensor *t, bool reserved_zero, Err *err)
{
    VerifyReport report;
    if (t->kind != KIND_T2)
        return err_set(err,
                       "%s: tensor %s is %s, a weight matrix is loaded from t2 (tokstep t2 "
                       "convert makes it)",
                       c->path, t->name, kind_name(t->kind));
    if (!verify_tensor(c, t, &report, err))
        return false;
    if (report.code_3 && !reserved_zero)
        return verify_refuse(c, t, &report, err);
    if (report.nonfinite)
        return err_set(err, "%s: tensor %s: %llu scales are inf or nan, at byte %llu", c->path,
                       t->name, (unsigned long long)report.nonfinite,
                       (unsigned long long)report.scale_places[0].byte);
    return true;
}

static int16_t round_to_q88(float weight, WeightPatch *p)
{
    double scaled = (double)weight * 256.0, nearest = rint(scaled); /* exact, then ties to even */
    double held = nearest > INT16_MAX ? INT16_MAX : nearest < INT16_MIN ? INT16_MIN : nearest;
    p->rounded += nearest != scaled;
    p->saturated += held != nearest;
    return (int16_t)held;
}

static void fill(WeightPatch *p, const Container *c, const Tensor *t)
{
    size_t n = (size_t)p->rows * (size_t)p->cols;
    float *weights = xmalloc(n * sizeof *weights); /* [cols][rows] */
    t2_unpack(tensor_bytes(c, t), t->rows, t->cols, weights);
    p->words = xmalloc(n * sizeof *p->words);
    for (int r = 0; r < p->rows; r++) {
        for (int i = 0; i < p->cols; i++)
            p->words[r * p->cols + i] = round_to_q88(weights[i * p->rows + r], p);
    }
    free(weights);
}

void patch_free(WeightPatch *p)
{
    free(p->words);
    free(p->path);
    *p = (WeightPatch){0};
}

void patch_shape(const Config *c, WeightId m, int *rows, int *cols)
{
    Config all = *c;
    all.ffn = FFN_KIND_SWIGLU; /* which has every matrix */
    weights_shape(&all, m, rows, cols);
}

bool patch_load(WeightPatch *p, const Config *c, WeightId m, const char *path, bool reserved_zero,
                Err *err)
{
    Container file;
    Tensor shaped;
    int rows = 0, cols = 0;
    patch_shape(c, m, &rows, &cols);
    if (!container_open(&file, path, err))
        return false;
    if (file.count > 1)
        err_set(err, "%s: holds %zu tensors, a weight matrix is loaded from a file of one", path,
                file.count);
    const Tensor *t = file.count > 1 ? NULL : container_find(&file, NULL, err);
    bool ok = t && tensor_shaped(&file, t, (uint64_t)cols, (uint64_t)rows, &shaped, err) &&
              check_codes(&file, &shaped, reserved_zero, err);
    if (ok) {
        patch_free(p);
        *p = (WeightPatch){.path = xstrdup(path), .rows = rows, .cols = cols};
        fill(p, &file, &shaped);
    }
    container_close(&file);
    return ok;
}

/* "ffn_w2" and "w2": a matrix by either name; -1 for none. */
static int matrix_named(const char *key)
{
    if (strncmp(key, "ffn_w", 5) == 0)
        key += 4;
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        if (strcmp(key, weight_name((WeightId)m)) == 0)
            return m;
    }
    return -1;
}

bool setup_set(Setup *s, const char *key, const char *value, bool reserved_zero, Err *err)
{
    int m = matrix_named(key);
    if (m < 0)
        return config_set(&s->config, key, value, err);
    if (strncmp(value, "t2:", 3) != 0)
        return err_set(err, "%s=%s: must be t2:FILE", key, value);
    return patch_load(&s->patch[m], &s->config, (WeightId)m, value + 3, reserved_zero, err);
}

void setup_report_patch(const Setup *s, WeightId m, Buf *out)
{
    const WeightPatch *p = &s->patch[m];
    Setup bare = *s; /* shares the model, for a moment */
    int16_t *tokens = NULL;
    int n = p->rows * p->cols, changed = 0;
    if (!p->words)
        return;
    memset(bare.patch, 0, sizeof bare.patch);
    Weights *w = stimulus_make(&bare, &tokens);
    for (int i = 0; i < n; i++)
        changed += p->words[i] != w->data[m][i];
    buf_printf(out, "%s from tiles: %d of %d weights changed; %d rounded to Q8.8, %d saturated\n",
               weight_name(m), changed, n, p->rounded, p->saturated);
    weights_free(w);
    free(tokens);
}
