/* `t2 verify`: reserved codes, and scales that are inf or NaN; as text or JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "cli/t2_json.h"
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

static json_t *json_place(const VerifyReport *v, const VerifyPlace *p)
{
    json_t *o = json_object();
    if (v->tiles)
        json_object_set_new(o, "tile", t2_json_pair(p->tile_row, p->tile_col));
    json_object_set_new(o, "row", t2_json_count(p->row));
    json_object_set_new(o, "col", t2_json_count(p->col));
    json_object_set_new(o, "byte", t2_json_count(p->byte));
    return o;
}

/* The counts, and of each the first places. */
static json_t *json_report(const Tensor *t, const VerifyReport *v)
{
    json_t *o = json_object(), *codes = json_array(), *scales = json_array();
    for (uint64_t i = 0; i < v->code_3 && i < VERIFY_PLACES; i++) {
        json_t *place = json_place(v, &v->code_places[i]);
        json_object_set_new(place, "bit", json_integer(v->code_places[i].bit));
        json_array_append_new(codes, place);
    }
    for (uint64_t i = 0; i < v->nonfinite && i < VERIFY_PLACES; i++) {
        json_t *place = json_place(v, &v->scale_places[i]);
        uint16_t scale = v->scale_places[i].scale;
        json_object_set_new(place, "bits", t2_json_hex(scale, 4));
        json_object_set_new(place, "value", t2_json_number(f32_value(half_to_f32(scale))));
        json_array_append_new(scales, place);
    }
    json_object_set_new(o, "name", t2_json_text(t->name));
    json_object_set_new(o, "kind", json_string(kind_name(t->kind)));
    json_object_set_new(o, v->tiles ? "reserved" : "code_3", t2_json_count(v->code_3));
    json_object_set_new(o, "code_places", codes);
    json_object_set_new(o, "nonfinite_scales", t2_json_count(v->nonfinite));
    json_object_set_new(o, "scale_places", scales);
    return o;
}

/* Verify one tensor; its reserved codes are added to *reserved, its report to the list where there
 * is one. */
static bool verify_one(const Container *c, const T2Args *a, const Tensor *found, bool named,
                       json_t *list, uint64_t *reserved, Err *err)
{
    Tensor t;
    if (!t2_tensor_to_show(c, a, found, &t, err))
        return false;
    VerifyReport v;
    if (!verify_tensor(c, &t, &v, err))
        return false;
    if (list) {
        json_array_append_new(list, json_report(&t, &v));
    } else {
        if (named)
            printf("tensor %s %s\n", t.name, kind_name(t.kind));
        print_report(&v);
    }
    if (v.tiles)
        *reserved += v.code_3;
    return true;
}

static bool verify_all(const Container *c, const T2Args *a, json_t *list, uint64_t *reserved,
                       Err *err)
{
    *reserved = 0;
    if (a->tensor || c->count == 1) {
        const Tensor *t = container_find(c, a->tensor, err);
        return t && verify_one(c, a, t, false, list, reserved, err);
    }
    if (a->rows)
        return err_set(err, "%s: --shape needs --tensor here, the file holds %zu tensors", c->path,
                       c->count);
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        if (!verify_knows(c->tensors[i].kind))
            continue;
        any = true;
        if (!verify_one(c, a, &c->tensors[i], true, list, reserved, err))
            return false;
    }
    return any || err_set(err, "%s: holds no ternary tensor", c->path);
}

static bool verify(const Container *c, const T2Args *a, uint64_t *reserved, Err *err)
{
    if (!(a->given & T2_OPT_JSON))
        return verify_all(c, a, NULL, reserved, err);
    json_t *doc = json_object(), *list = json_array();
    json_object_set_new(doc, "file", t2_json_text(c->path));
    json_object_set_new(doc, "tensors", list);
    bool ok = verify_all(c, a, list, reserved, err);
    if (ok)
        t2_json_print(doc);
    else
        json_decref(doc);
    return ok;
}

int t2_verify_main(int argc, char **argv)
{
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_RESERVED | T2_OPT_JSON, 0,
                 &err))
        return cli_fail(&err);
    uint64_t reserved = 0;
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        ok = verify(&c, &a, &reserved, &err);
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
