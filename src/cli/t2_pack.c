/* `t2 unpack` and `t2 pack`: tiles to floats and back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "tensor/convert.h"
#include "tensor/t2.h"
#include "tensor/verify.h"

/* Refuse reserved codes unless --reserved zero. */
static bool allow_reserved(const Container *c, const Tensor *t, const T2Args *a, Err *err)
{
    VerifyReport report;
    if (t->kind != KIND_T2 || a->reserved_zero)
        return true;
    if (!verify_tensor(c, t, &report, err))
        return false;
    return report.code_3 == 0 || verify_refuse(c, t, &report, err);
}

static bool write_rows(const Container *c, const Tensor *t, FILE *out, Err *err)
{
    const ConvertSource source = {.label = c->path,
                                  .kind = t->kind,
                                  .rows = t->rows,
                                  .cols = t->cols,
                                  .bytes = tensor_bytes(c, t),
                                  .size = t->size,
                                  .offset = t->offset,
                                  .layout = &pb16i_own};
    float *row = xmalloc(t->cols * sizeof *row);
    uint64_t used = 0;
    bool ok = true;
    for (uint64_t r = 0; ok && r < t->rows && !ferror(out); r++) {
        uint64_t tile_row = r / T2_ROWS * (t->cols / T2_COLS) * T2_TILE;
        if (t->kind == KIND_T2)
            t2_unpack_row(source.bytes + tile_row, t->cols, r % T2_ROWS, row);
        else
            ok = convert_source_row(&source, r, (uint32_t *)(void *)row, err);
        fwrite(row, sizeof *row, t->cols, out);
        file_forget_used(&c->map, &used, t->size / t->rows);
    }
    free(row);
    return ok;
}

static bool unpack(const Container *c, const T2Args *a, Err *err)
{
    Tensor t;
    FileOut out;
    if (!t2_tensor(c, a, &t, err) || !t2_not_in_place(&c->map, a->file, a->out, err))
        return false;
    if (t.kind != KIND_T2 && t.kind != KIND_PB16I && !kind_is_block(t.kind))
        return err_set(err, "%s: tensor %s is %s, not ternary: it cannot be unpacked", c->path,
                       t.name, t.kind == KIND_OTHER ? t.type : kind_name(t.kind));
    if (!allow_reserved(c, &t, a, err) || !file_create(&out, a->out, err))
        return false;
    if (!write_rows(c, &t, out.stream, err)) {
        file_abort(&out);
        return false;
    }
    return file_commit(&out, err);
}

int t2_unpack_main(int argc, char **argv)
{
    enum { TAKES = T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_RESERVED | T2_OPT_OUT };
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, TAKES, T2_OPT_OUT, &err))
        return cli_fail(&err);
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        ok = unpack(&c, &a, &err);
        container_close(&c);
    }
    t2_args_free(&a);
    return ok ? 0 : cli_fail(&err);
}

static bool write_tiles(const FileMap *in, const T2Args *a, FILE *out, Err *err)
{
    const float *floats = (const float *)(const void *)in->data; /* a mapping starts on a page */
    uint64_t used = 0;
    for (uint64_t row = 0; row < a->rows && !ferror(out); row += T2_ROWS) {
        for (uint64_t col = 0; col < a->cols; col += T2_COLS) {
            uint8_t tile[T2_TILE];
            unsigned r;
            T2PackFault fault;
            if (!t2_pack_tile(floats + row * a->cols + col, a->cols, tile, &r, &fault)) {
                uint64_t at = (row + r) * a->cols + col + fault.column;
                return err_set(err, "%s: row %" PRIu64 " column %" PRIu64 ": %s, at byte %" PRIu64,
                               a->file, row + r, col + fault.column, fault.why, at * 4);
            }
            fwrite(tile, 1, sizeof tile, out);
        }
        file_forget_used(in, &used, T2_ROWS * a->cols * 4);
    }
    return true;
}

static bool pack(const FileMap *in, const T2Args *a, Err *err)
{
    Err why;
    uint64_t bytes;
    FileOut out;
    if (!t2_bytes(a->rows, a->cols, &bytes, &why))
        return err_set(err, "%s: %s", a->file, why.text);
    if (in->size != a->rows * a->cols * 4) /* t2_bytes checked that this cannot overflow */
        return err_set(err,
                       "%s: %" PRIu64 "x%" PRIu64 " floats are %" PRIu64 " bytes, the file has %zu",
                       a->file, a->rows, a->cols, a->rows * a->cols * 4, in->size);
    if (!t2_not_in_place(in, a->file, a->out, err) || !file_create(&out, a->out, err))
        return false;
    if (!write_tiles(in, a, out.stream, err)) {
        file_abort(&out);
        return false;
    }
    return file_commit(&out, err);
}

int t2_pack_main(int argc, char **argv)
{
    T2Args a;
    FileMap in;
    Err err;
    if (!t2_args(&a, argc, argv, T2_OPT_SHAPE | T2_OPT_OUT, T2_OPT_SHAPE | T2_OPT_OUT, &err))
        return cli_fail(&err);
    bool ok = file_map(&in, a.file, &err);
    if (ok) {
        ok = pack(&in, &a, &err);
        file_unmap(&in);
    }
    t2_args_free(&a);
    return ok ? 0 : cli_fail(&err);
}
