/* `t2 info`: what a file holds. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "tensor/half.h"
#include "tensor/fingerprint.h"

static void print_container(const Container *c)
{
    printf("%s: %s", c->path, container_kind_name(c->kind));
    if (c->version)
        printf(" v%" PRIu32, c->version);
    printf(", %zu tensors, %" PRIu64 " keys, %zu bytes", c->count, c->keys, c->map.size);
    if (c->architecture[0])
        printf(", architecture %s", c->architecture);
    const char *format = container_meta(c, "format");
    if (format)
        printf(", format %.63s", format);
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

static void print_tensor(const Container *c, const Tensor *t)
{
    printf("tensor %s %s", t->name, t->kind == KIND_OTHER ? t->type : kind_name(t->kind));
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

static void print_codes(const TensorStats *s, TensorKind kind)
{
    static const char *const names[] = {"-1", "0", "+1"};
    printf("  codes");
    for (unsigned i = 0; i < 3; i++)
        printf(" %s %" PRIu64 " (%.1f %%)", names[i], s->codes[i],
               percent(s->codes[i], s->weights));
    printf(" %s %" PRIu64 "\n",
           kind == KIND_T2      ? "reserved"
           : kind == KIND_PB16I ? "other"
                                : "+2",
           s->codes[3]);
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

static bool print_all(const Container *c, const T2Args *a, Err *err)
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
    print_container(c);
    for (size_t i = 0; i < c->count; i++) {
        const Tensor *t = only == &c->tensors[i] ? &shaped : &c->tensors[i];
        if (only && t != &shaped)
            continue;
        print_tensor(c, t);
        if (!(a->given & T2_OPT_QUICK) && !print_contents(c, t, err))
            return false;
    }
    return true;
}

int t2_info_main(int argc, char **argv)
{
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_QUICK, 0, &err))
        return cli_fail(&err);
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        ok = print_all(&c, &a, &err);
        if (ok)
            t2_warn(&c);
        container_close(&c);
    }
    t2_args_free(&a);
    return ok ? cli_flush() : cli_fail(&err);
}
