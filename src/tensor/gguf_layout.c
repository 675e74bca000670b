/* Where the tensors of a GGUF lie, and what that says about id 42: the number stands for blocks of
 * 64 weights in 18 bytes or of 128 in 34, and only the offsets of the file can tell (ternary.md
 * 2.6 a). */
#include "tensor/gguf.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "tensor/reader.h"

bool gguf_q2_bytes(const Tensor *t, unsigned group, uint64_t *bytes)
{
    if (t->cols % group)
        return false;
    return checked_mul(t->cols / group * t->rows, group == 64 ? 18 : 34, bytes);
}

/* v rounded up to the alignment; false when that passes 2^64. */
static bool padded(const Container *c, uint64_t v, uint64_t *out)
{
    return checked_add(v, c->alignment - 1, out) && (*out &= ~(c->alignment - 1), true);
}

static const Tensor *last_q2(const Container *c)
{
    for (size_t i = c->count; i-- > 0;) {
        if (c->tensors[i].kind == KIND_Q2_0)
            return &c->tensors[i];
    }
    return NULL;
}

/* How a group size agrees with the file. */
typedef enum Fit {
    FIT_NONE,  /* an offset is not met, or bytes would be left at the end */
    FIT_SHORT, /* every offset is met, but the file ends before the last tensor does */
    FIT_EXACT
} Fit;

/* Replay the padded sizes in file order: is every declared offset met with this group size, and
 * does a last id-42 tensor at the end of the table end where the file ends? */
static Fit group_fit(const Container *c, unsigned group)
{
    uint64_t data_size = c->map.size - c->data_offset;
    const Tensor *last = last_q2(c);
    uint64_t running = 0;
    for (size_t i = 0; i < c->count; i++) {
        const Tensor *t = &c->tensors[i];
        uint64_t size = t->size;
        uint64_t end;
        if (t->offset != running || (t->kind == KIND_Q2_0 && !gguf_q2_bytes(t, group, &size)) ||
            !checked_add(t->offset, size, &end) || !padded(c, end, &running))
            return FIT_NONE;
        if (t->kind == KIND_UNKNOWN && i + 1 < c->count)
            running = t[1].offset; /* nothing to replay */
        if (t == last && i + 1 == c->count && end != data_size && running != data_size)
            return end > data_size ? FIT_SHORT : FIT_NONE;
    }
    return FIT_EXACT;
}

static void settle_group(Container *c, Tensor *t, bool fits64, bool fits128)
{
    if (fits64 != fits128) {
        t->kind = fits64 ? KIND_Q2_0_G64 : KIND_Q2_0_G128;
        (void)gguf_q2_bytes(t, fits64 ? 64 : 128, &t->size);
        return;
    }
    t->flags |= (fits64 ? TENSOR_BOTH_GROUPS : TENSOR_NO_GROUP) | TENSOR_SIZE_IS_BOUND;
    uint64_t small;
    if (gguf_q2_bytes(t, 128, &small) && small < t->size)
        t->size = small; /* what it needs at least */
    reader_warn(c, WARN_GROUP, "tensor %s: type 42, %s", t->name,
                fits64 ? "groups of 64 and of 128 both fit the file"
                       : "neither groups of 64 nor of 128 fit every offset of the file");
}

/* Give the id-42 tensors the group that fits. A file that would fit but for its missing end is
 * truncated, not ambiguous. */
static bool settle_groups(Container *c, const Tensor *last, Err *err)
{
    Fit fit64 = group_fit(c, 64), fit128 = group_fit(c, 128);
    bool exact = fit64 == FIT_EXACT || fit128 == FIT_EXACT;
    if (!exact && (fit64 == FIT_SHORT) != (fit128 == FIT_SHORT)) {
        unsigned group = fit64 == FIT_SHORT ? 64 : 128;
        uint64_t size = 0;
        (void)gguf_q2_bytes(last, group, &size);
        return reader_fail(c, c->map.size, err,
                           "truncated: tensor %s in groups of %u (type 42) ends at byte %" PRIu64
                           ", past the end of the data",
                           last->name, group, c->data_offset + last->offset + size);
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->tensors[i].kind == KIND_Q2_0)
            settle_group(c, &c->tensors[i], fit64 == FIT_EXACT, fit128 == FIT_EXACT);
    }
    return true;
}

static bool check_places(Container *c, Tensor **list, Err *err)
{
    uint64_t data_size = c->map.size - c->data_offset;
    for (size_t i = 0; i < c->count; i++) {
        Tensor *t = list[i];
        uint64_t end;
        if (!checked_add(t->offset, t->size, &end) || end > data_size)
            return reader_fail(c, c->map.size, err,
                               "tensor %s: offset %" PRIu64 " + size %" PRIu64
                               " passes the end of the data",
                               t->name, t->offset, t->size);
        uint64_t limit = i + 1 < c->count ? list[i + 1]->offset : data_size;
        if (end > limit)
            return reader_fail(c, c->data_offset + limit, err, "tensors %s and %s overlap", t->name,
                               list[i + 1]->name);
        if (t->kind == KIND_UNKNOWN)
            t->flags |= TENSOR_SIZE_IS_BOUND;
        if (t->flags & TENSOR_SIZE_IS_BOUND)
            t->size = limit - t->offset;
    }
    for (size_t i = 0; i < c->count; i++)
        list[i]->offset += c->data_offset;
    return true;
}

bool gguf_place(Container *c, Err *err)
{
    if (c->count == 0)
        return true; /* such a file needs no padding */
    if (c->data_offset > c->map.size)
        return reader_fail(c, c->map.size, err, "the data section would start at byte %" PRIu64,
                           c->data_offset);
    const Tensor *last = last_q2(c);
    if (last && !settle_groups(c, last, err))
        return false;
    Tensor **list = reader_by_offset(c);
    bool ok = check_places(c, list, err);
    free(list);
    return ok;
}
