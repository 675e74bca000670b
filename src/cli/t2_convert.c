/* `t2 convert`: a ternary source to tiles, exact or refused. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "tensor/convert.h"

/* The kind of a --from name; Q2_0 is decided later. */
static bool from_kind(const char *name, TensorKind *kind, Err *err)
{
    static const TensorKind kinds[] = {KIND_TQ1_0, KIND_TQ2_0, KIND_PTQ1_0, KIND_PQ2_0,
                                       KIND_Q2_0,  KIND_Q1_0,  KIND_PB16I};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind_name(kinds[i]), name) == 0) {
            *kind = kinds[i];
            return true;
        }
    }
    if (strcmp(name, "pb16i-exact") == 0)
        return err_set(err, "t2 convert: pb16i-exact has an additive min per group: it is not "
                            "ternary and t2 cannot hold it");
    return err_set(err,
                   "t2 convert: --from '%.*s' is not tq1_0, tq2_0, ptq1_0, pq2_0, q2_0, q1_0 "
                   "or pb16i",
                   HEAD(name, 60));
}

static bool is_q2(TensorKind kind)
{
    return kind == KIND_Q2_0 || kind == KIND_Q2_0_G64 || kind == KIND_Q2_0_G128;
}

/* A tensor of a GGUF or pb16i container, with kind and group settled. */
static bool from_container(const Container *c, const T2Args *a, TensorKind kind, Tensor *t,
                           Err *err)
{
    Tensor shaped;
    if (!t2_tensor(c, a, &shaped, err))
        return false;
    if (kind != shaped.kind && !(kind == KIND_Q2_0 && is_q2(shaped.kind)))
        return err_set(err, "%s: tensor %s is %s, not %s, at byte %" PRIu64, c->path, shaped.name,
                       shaped.kind == KIND_OTHER ? shaped.type : kind_name(shaped.kind), a->from,
                       shaped.offset);
    return tensor_grouped(c, &shaped, a->group, t, err);
}

/* Bare rows: the shape comes from the user, the group of Q2_0 from him or from the size. */
static bool from_rows(const FileMap *in, const T2Args *a, TensorKind kind, Tensor *t, Err *err)
{
    if (!a->rows)
        return err_set(err, "%s: bare rows need --shape NxK", a->file);
    if (a->group && kind != KIND_Q2_0)
        return err_set(err, "%s: --group is for q2_0, not %s", a->file, a->from);
    uint64_t bytes;
    if (kind == KIND_Q2_0) {
        bool is64 =
            ternary_bytes(KIND_Q2_0_G64, a->rows, a->cols, &bytes, NULL) && bytes == in->size;
        kind = (a->group ? a->group == 64 : is64) ? KIND_Q2_0_G64 : KIND_Q2_0_G128;
    }
    *t = (Tensor){.name = NULL, .kind = kind, .rows = a->rows, .cols = a->cols, .size = in->size};
    return true;
}

static bool write_out(const ConvertSource *source, const FileMap *in, const T2Args *a, Err *err)
{
    FileOut out;
    ConvertReport report;
    if (!convert_check(source, err) || !t2_not_in_place(in, a->file, a->out, err) ||
        !file_create(&out, a->out, err))
        return false;
    if (!convert_to_t2(source, a->given & T2_OPT_CLAMP, out.stream, &report, err)) {
        file_abort(&out);
        return false;
    }
    if (!file_commit(&out, err))
        return false;
    if (a->given & T2_OPT_CLAMP)
        printf("clamped %" PRIu64 " codes 3 (+2) to +1\n", report.clamped);
    if (report.clamped * 10 > report.weights)
        cli_put(stderr, PRINTABLE_TEXT,
                "warning: %s: %.1f %% of the weights were clamped: a wrong kind or group size?\n",
                source->label, 100.0 * (double)report.clamped / (double)report.weights);
    Buf line = {0};
    convert_summary(&report, &line);
    puts(buf_str(&line));
    buf_free(&line);
    return true;
}

static bool convert(const FileMap *in, const Tensor *t, const T2Args *a, Err *err)
{
    Buf label = {0};
    buf_text(&label, a->file);
    if (t->name)
        buf_printf(&label, ": tensor %s", t->name);
    if (t->flags & TENSOR_ROTATED)
        cli_put(stderr, PRINTABLE_TEXT, "warning: %s is stored in a rotated basis and stays so\n",
                buf_str(&label));
    const ConvertSource source = {.label = buf_str(&label),
                                  .kind = t->kind,
                                  .rows = t->rows,
                                  .cols = t->cols,
                                  .bytes = in->data + t->offset,
                                  .size = t->size,
                                  .offset = t->offset,
                                  .layout = &pb16i_own,
                                  .map = in};
    bool ok = write_out(&source, in, a, err);
    buf_free(&label);
    return ok;
}

static bool convert_container(const T2Args *a, TensorKind kind, Err *err)
{
    Container c;
    Tensor t = {0};
    if (!container_open(&c, a->file, err))
        return false;
    bool ok = from_container(&c, a, kind, &t, err) && convert(&c.map, &t, a, err);
    container_close(&c);
    return ok;
}

static bool convert_file(const T2Args *a, Err *err)
{
    TensorKind kind = KIND_OTHER;
    FileMap in;
    Tensor t = {0};
    if (!from_kind(a->from, &kind, err) || !file_map(&in, a->file, err))
        return false;
    bool gguf = in.size >= 4 && memcmp(in.data, "GGUF", 4) == 0;
    bool ok = true;
    if (!gguf && kind != KIND_PB16I)
        ok = from_rows(&in, a, kind, &t, err) && convert(&in, &t, a, err);
    else if (kind == KIND_PB16I && (gguf || !pb16i_has_magic(in.data, in.size)))
        ok = err_set(err, "%s: not a pb16i container: no magic 'PB16I', at byte 0", a->file);
    file_unmap(&in);
    if (ok && (gguf || kind == KIND_PB16I))
        ok = convert_container(a, kind, err);
    return ok;
}

int t2_convert_main(int argc, char **argv)
{
    enum {
        TAKES =
            T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_FROM | T2_OPT_GROUP | T2_OPT_CLAMP | T2_OPT_OUT
    };
    T2Args a;
    Err err;
    if (!t2_args(&a, argc, argv, TAKES, T2_OPT_FROM | T2_OPT_OUT, &err))
        return cli_fail(&err);
    bool ok = convert_file(&a, &err);
    t2_args_free(&a);
    return ok ? cli_flush() : cli_fail(&err);
}
