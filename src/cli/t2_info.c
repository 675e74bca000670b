/* `t2 info`: what a file holds, as text or JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "cli/t2_json.h"
#include "tensor/half.h"
#include "tensor/fingerprint.h"

static void print_container(const Container *c)
{
    cli_put(stdout, PRINTABLE_LINE, "%s: %s", c->path, container_kind_name(c->kind));
    if (c->version)
        printf(" v%" PRIu32, c->version);
    printf(", %zu tensors, %" PRIu64 " keys, %zu bytes", c->count, c->keys, c->map.size);
    if (c->architecture[0])
        printf(", architecture %s", c->architecture);
    const char *format = container_meta(c, "format");
    if (format)
        cli_put(stdout, PRINTABLE_LINE, ", format %.*s", HEAD(format, 63));
    putchar('\n');
}

static void print_shape(const Tensor *t)
{
    if (kind_is_chunk(t->kind) || t->kind == KIND_T2)
        printf(" %" PRIu64 " tiles", tensor_tiles(t));
    if (t->rows) {
        printf(" %" PRIu64 "x%" PRIu64, t->rows, t->cols);
    } else if (t->kind == KIND_OTHER) {
        printf(" [");
        for (unsigned i = 0; i < t->n_dims; i++)
            printf("%s%" PRIu64, i ? "," : "", t->dims[i]);
        putchar(']');
    }
}

static const char *kind_of(const Tensor *t)
{
    return t->kind == KIND_OTHER ? t->type : kind_name(t->kind);
}

static void print_tensor(const Container *c, const Tensor *t)
{
    printf("tensor %s %s", t->name, kind_of(t));
    if (c->kind == CONTAINER_GGUF)
        printf(" (type %" PRIu32 ")", t->type_id);
    print_shape(t);
    printf(" at %" PRIu64 " size %s%" PRIu64, t->offset,
           t->flags & TENSOR_SIZE_IS_BOUND ? "at most " : "", t->size);
    uint64_t weights = tensor_weights(t);
    if (weights && !(t->flags & TENSOR_SIZE_IS_BOUND))
        printf(" %.4f b/w", (double)t->size * 8 / (double)weights);
    if (t->flags & TENSOR_ROTATED)
        fputs(" rotated basis", stdout);
    if (t->flags & TENSOR_BOTH_GROUPS)
        fputs(" groups of 64 and of 128 both fit", stdout);
    if (t->flags & TENSOR_NO_GROUP)
        fputs(" neither groups of 64 nor of 128 match the offsets", stdout);
    if (t->kind == KIND_CHUNK_Q8)
        fputs(" layout not told by the file: q8a or q8b", stdout);
    putchar('\n');
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* What code i counts as; what is no ternary code is called after the kind. */
static const char *code_name(TensorKind kind, unsigned i)
{
    static const char *const names[] = {"-1", "0", "+1"};
    return i < 3 ? names[i] : kind == KIND_T2 ? "reserved" : kind == KIND_PB16I ? "other" : "+2";
}

static void print_codes(const TensorStats *s, TensorKind kind)
{
    printf("  codes");
    for (unsigned i = 0; i < 3; i++)
        printf(" %s %" PRIu64 " (%.1f %%)", code_name(kind, i), s->codes[i],
               percent(s->codes[i], s->weights));
    printf(" %s %" PRIu64 "\n", code_name(kind, 3), s->codes[3]);
}

static void print_scales(const TensorStats *s)
{
    if (s->scales == 0)
        return;
    printf("  scales %" PRIu64 ":", s->scales);
    for (int i = HALF_NAN; i >= HALF_ZERO; i--) {
        if (s->classes[i] || i == HALF_NORMAL || i == HALF_SUBNORMAL)
            printf(" %s %" PRIu64, half_class_name((HalfClass)i), s->classes[i]);
    }
    printf(" negative %" PRIu64 "\n", s->negative);
    printf("  exponents");
    for (int e = 0; e < 32; e++) {
        if (s->exponents[e])
            printf(" %d:%" PRIu64, e, s->exponents[e]);
    }
    printf("\n  bf16-exact %" PRIu64 " of %" PRIu64 " (%.2f %%), worst relative error %.3e\n",
           s->bf16_exact, s->scales, percent(s->bf16_exact, s->scales), s->worst_bf16);
}

static bool print_contents(const Container *c, const Tensor *t, Err *err)
{
    TensorStats s;
    if (!stats_tensor(&s, c, t, NULL, err))
        return false;
    if (s.weights == 0)
        return true;
    print_codes(&s, t->kind);
    print_scales(&s);
    Fingerprint prints[FINGERPRINTS_MAX];
    unsigned n = stats_fingerprints(&s, t->kind, prints);
    for (unsigned i = 0; i < n; i++)
        printf("  seen: %s: %s\n", prints[i].seen, prints[i].cause);
    return true;
}

/* ---- JSON ---- */

/* The fields of the text's first line. */
static json_t *json_container(const Container *c)
{
    json_t *o = json_object();
    const char *format = container_meta(c, "format");
    json_object_set_new(o, "file", t2_json_text(c->path));
    json_object_set_new(o, "container", json_string(container_kind_name(c->kind)));
    if (c->version)
        json_object_set_new(o, "version", json_integer(c->version));
    json_object_set_new(o, "keys", t2_json_count(c->keys));
    json_object_set_new(o, "bytes", t2_json_count(c->map.size));
    if (c->architecture[0])
        json_object_set_new(o, "architecture", t2_json_text(c->architecture));
    if (format)
        json_object_set_new(o, "format", t2_json_text(format));
    return o;
}

/* [N, K]; of a type that is not decoded its dims; null when the file does not tell. */
static json_t *json_shape(const Tensor *t)
{
    if (t->rows)
        return t2_json_pair(t->rows, t->cols);
    if (t->kind != KIND_OTHER)
        return json_null();
    json_t *list = json_array();
    for (unsigned i = 0; i < t->n_dims; i++)
        json_array_append_new(list, t2_json_count(t->dims[i]));
    return list;
}

static json_t *json_tensor(const Container *c, const Tensor *t)
{
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{TENSOR_SIZE_IS_BOUND, "size_is_at_most"},
                 {TENSOR_ROTATED, "rotated"},
                 {TENSOR_BOTH_GROUPS, "both_groups_fit"},
                 {TENSOR_NO_GROUP, "no_group_fits"}};
    json_t *o = json_object();
    uint64_t weights = tensor_weights(t);
    json_object_set_new(o, "name", t2_json_text(t->name));
    json_object_set_new(o, "kind", json_string(kind_of(t)));
    if (c->kind == CONTAINER_GGUF)
        json_object_set_new(o, "type_id", json_integer(t->type_id));
    if (kind_is_chunk(t->kind) || t->kind == KIND_T2)
        json_object_set_new(o, "tiles", t2_json_count(tensor_tiles(t)));
    json_object_set_new(o, "shape", json_shape(t));
    json_object_set_new(o, "offset", t2_json_count(t->offset));
    json_object_set_new(o, "size", t2_json_count(t->size));
    if (weights && !(t->flags & TENSOR_SIZE_IS_BOUND))
        json_object_set_new(o, "bits_per_weight", json_real((double)t->size * 8 / (double)weights));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (t->flags & flags[i].flag)
            json_object_set_new(o, flags[i].name, json_true());
    }
    return o;
}

static json_t *json_scales(const TensorStats *s)
{
    json_t *o = json_object(), *exponents = json_array();
    json_object_set_new(o, "count", t2_json_count(s->scales));
    for (int i = HALF_NAN; i >= HALF_ZERO; i--)
        json_object_set_new(o, half_class_name((HalfClass)i), t2_json_count(s->classes[i]));
    json_object_set_new(o, "negative", t2_json_count(s->negative));
    for (int e = 0; e < 32; e++)
        json_array_append_new(exponents, t2_json_count(s->exponents[e]));
    json_object_set_new(o, "exponents", exponents);
    json_object_set_new(o, "bf16_exact", t2_json_count(s->bf16_exact));
    json_object_set_new(o, "bf16_worst_error", t2_json_number(s->worst_bf16));
    return o;
}

/* Adds codes, scales and findings to the tensor's object, as far as its kind has them. */
static bool json_contents(const Container *c, const Tensor *t, json_t *o, Err *err)
{
    TensorStats s;
    if (!stats_tensor(&s, c, t, NULL, err))
        return false;
    if (s.weights == 0)
        return true;
    json_t *codes = json_object(), *findings = json_array();
    for (unsigned i = 0; i < 4; i++)
        json_object_set_new(codes, code_name(t->kind, i), t2_json_count(s.codes[i]));
    json_object_set_new(o, "codes", codes);
    if (s.scales)
        json_object_set_new(o, "scales", json_scales(&s));
    Fingerprint prints[FINGERPRINTS_MAX];
    unsigned n = stats_fingerprints(&s, t->kind, prints);
    for (unsigned i = 0; i < n; i++)
        json_array_append_new(
            findings, json_pack("{ssss}", "seen", prints[i].seen, "cause", prints[i].cause));
    json_object_set_new(o, "findings", findings);
    return true;
}

/* ---- one or all ---- */

/* Prints the tensor, or appends it to the list where there is one. */
static bool show_tensor(const Container *c, const Tensor *t, bool quick, json_t *list, Err *err)
{
    if (!list) {
        print_tensor(c, t);
        return quick || print_contents(c, t, err);
    }
    json_t *o = json_tensor(c, t);
    json_array_append_new(list, o);
    return quick || json_contents(c, t, o, err);
}

static bool show_all(const Container *c, const T2Args *a, json_t *list, Err *err)
{
    const Tensor *only = NULL;
    Tensor shaped = {0};
    if (a->tensor || a->rows) {
        only = container_find(c, a->tensor, err);
        if (!only)
            return false;
        /* a shape is not needed here, but one that is given must be right */
        shaped = *only;
        if (a->rows && !tensor_shaped(c, only, a->rows, a->cols, &shaped, err))
            return false;
    }
    if (!list)
        print_container(c);
    for (size_t i = 0; i < c->count; i++) {
        const Tensor *t = only == &c->tensors[i] ? &shaped : &c->tensors[i];
        if (only && t != &shaped)
            continue;
        if (!show_tensor(c, t, a->given & T2_OPT_QUICK, list, err))
            return false;
    }
    return true;
}

static bool show(const Container *c, const T2Args *a, Err *err)
{
    if (!(a->given & T2_OPT_JSON))
        return show_all(c, a, NULL, err);
    json_t *doc = json_container(c), *list = json_array();
    json_object_set_new(doc, "tensors", list);
    bool ok = show_all(c, a, list, err);
    if (ok)
        t2_json_print(doc);
    else
        json_decref(doc);
    return ok;
}

int t2_info_main(int argc, char **argv)
{
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_QUICK | T2_OPT_JSON, 0,
                 &err))
        return cli_fail(&err);
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        ok = show(&c, &a, &err);
        if (ok)
            t2_warn(&c);
        container_close(&c);
    }
    t2_args_free(&a);
    return ok ? cli_flush() : cli_fail(&err);
}
