/* `t2 verify`: reserved codes, and scales that are inf or NaN. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "tensor/half.h"
#include "tensor/verify.h"

static void print_place(const VerifyReport *v, const VerifyPlace *p)
{
    if (v->tiles)
        printf(" tile %" PRIu64 ",%" PRIu64, p->tile_row, p->tile_col);
    printf(" row %" PRIu64 " col %" PRIu64 " byte %" PRIu64, p->row, p->col, p->byte);
}

static void print_report(const VerifyReport *v)
{
    for (uint64_t i = 0; i < v->nonfinite && i < VERIFY_PLACES; i++) {
        const VerifyPlace *p = &v->scale_places[i];
        printf("scale");
        print_place(v, p);
        printf(" %04x %s%s\n", p->scale, p->scale == 0xfc00 ? "-" : "",
               half_class_name(half_class(p->scale)));
    }
    if (v->nonfinite)
        printf("scales inf or nan %" PRIu64 "\n", v->nonfinite);
    const char *what = v->tiles ? "reserved" : "code 3";
    for (uint64_t i = 0; i < v->code_3 && i < VERIFY_PLACES; i++) {
        printf("%s", what);
        print_place(v, &v->code_places[i]);
        printf(" bit %u\n", v->code_places[i].bit);
    }
    printf("%s %" PRIu64 "\n", what, v->code_3);
}

/* Verify one tensor; its reserved codes are added to *reserved. */
static bool verify_one(const Container *c, const T2Args *a, const Tensor *found, bool named,
                       uint64_t *reserved, Err *err)
{
    Tensor t;
    if (!t2_tensor_to_show(c, a, found, &t, err))
        return false;
    VerifyReport v;
    if (!verify_tensor(c, &t, &v, err))
        return false;
    if (named)
        printf("tensor %s %s\n", t.name, kind_name(t.kind));
    print_report(&v);
    if (v.tiles)
        *reserved += v.code_3;
    return true;
}

static bool verify_all(const Container *c, const T2Args *a, uint64_t *reserved, Err *err)
{
    *reserved = 0;
    if (a->tensor || c->count == 1) {
        const Tensor *t = container_find(c, a->tensor, err);
        return t && verify_one(c, a, t, false, reserved, err);
    }
    if (a->rows)
        return err_set(err, "%s: --shape needs --tensor here, the file holds %zu tensors", c->path,
                       c->count);
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        if (!verify_knows(c->tensors[i].kind))
            continue;
        any = true;
        if (!verify_one(c, a, &c->tensors[i], true, reserved, err))
            return false;
    }
    return any || err_set(err, "%s: holds no ternary tensor", c->path);
}

int t2_verify_main(int argc, char **argv)
{
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_RESERVED, 0, &err))
        return cli_fail(&err);
    uint64_t reserved = 0;
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        ok = verify_all(&c, &a, &reserved, &err);
        if (ok)
            t2_warn(&c);
        container_close(&c);
    }
    t2_args_free(&a);
    if (!ok)
        return cli_fail(&err);
    int rc = cli_flush();
    return rc ? rc : reserved && !a.reserved_zero;
}
