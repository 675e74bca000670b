#include "tensor/pb16i.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "tensor/half.h"

static const uint8_t magic[7] = {'P', 'B', '1', '6', 'I', 0, 0};

/* Start of ms: e_ref is padded to a multiple of 4. */
static uint64_t ms_start(const Pb16iShape *s)
{
    return PB16I_HEADER + (s->rows + 3) / 4 * 4;
}

static uint64_t codes_start(const Pb16iShape *s)
{
    return ms_start(s) + s->rows * (s->cols / PB16I_GROUP) * 2;
}

static uint64_t own_code(void *context, const Pb16iShape *s, uint64_t n, uint64_t k,
                         unsigned *shift)
{
    (void)context;
    *shift = k % 2 ? 4 : 0;
    return codes_start(s) + n * (s->cols / 2) + k / 2;
}

static uint64_t own_ms(void *context, const Pb16iShape *s, uint64_t n, uint64_t group)
{
    (void)context;
    return ms_start(s) + (n * (s->cols / PB16I_GROUP) + group) * 2;
}

static uint64_t own_e_ref(void *context, const Pb16iShape *s, uint64_t n)
{
    (void)context;
    (void)s;
    return PB16I_HEADER + n;
}

const Pb16iLayout pb16i_own = {"tokstep", NULL, own_code, own_ms, own_e_ref};

bool pb16i_has_magic(const uint8_t *image, size_t size)
{
    return size >= sizeof magic && memcmp(image, magic, sizeof magic) == 0;
}

bool pb16i_open(const uint8_t *image, size_t size, Pb16iShape *shape, Err *err)
{
    if (!pb16i_has_magic(image, size))
        return err_set(err, "not a pb16i container: no magic 'PB16I'");
    if (size < PB16I_HEADER)
        return err_set(err, "pb16i header is cut off");
    if (image[7] != 1)
        return err_set(err,
                       "pb16i version %u is not 1: an additive-min image (pb16i-exact) is not "
                       "ternary",
                       image[7]);
    uint32_t n;
    uint32_t k;
    memcpy(&n, image + 8, sizeof n);
    memcpy(&k, image + 12, sizeof k);
    *shape = (Pb16iShape){n, k};
    if (n == 0 || k == 0 || k % PB16I_GROUP)
        return err_set(err, "pb16i shape %" PRIu32 "x%" PRIu32 ": K must be a multiple of 32", n,
                       k);
    /* n, k < 2^32: n*k/2 and n*k/16 cannot pass 2^64, their sum neither */
    uint64_t need = codes_start(shape) + shape->rows * (shape->cols / 2);
    uint64_t mins = shape->rows * (shape->cols / PB16I_GROUP) * 2;
    if (size == need + mins)
        return err_set(err,
                       "%" PRIu64 " bytes after the codes: an additive-min image (pb16i-exact) "
                       "is not ternary",
                       mins);
    if (size != need)
        return err_set(err,
                       "pb16i %" PRIu32 "x%" PRIu32 " needs %" PRIu64 " bytes, the file has %zu", n,
                       k, need, size);
    return true;
}

bool pb16i_get(const Pb16iLayout *layout, const uint8_t *image, size_t size,
               const Pb16iShape *shape, uint64_t n, uint64_t k, Pb16iCell *cell, Err *err)
{
    cell->code_at = layout->code(layout->context, shape, n, k, &cell->shift);
    cell->ms_at = layout->ms(layout->context, shape, n, k / PB16I_GROUP);
    cell->e_at = layout->e_ref(layout->context, shape, n);
    if (cell->code_at >= size || cell->e_at >= size || size < 2 || cell->ms_at > size - 2 ||
        (cell->shift != 0 && cell->shift != 4))
        return err_set(err,
                       "layout %s: row %" PRIu64 " column %" PRIu64 " lies outside the image "
                       "(code %" PRIu64 ", ms %" PRIu64 ", e_ref %" PRIu64 ")",
                       layout->name, n, k, cell->code_at, cell->ms_at, cell->e_at);
    unsigned nibble = image[cell->code_at] >> cell->shift & 15u;
    cell->code = (int)(nibble ^ 8u) - 8;
    cell->ms = (int16_t)load_le16(image + cell->ms_at);
    cell->e_ref = (int)(image[cell->e_at] ^ 0x80u) - 0x80;
    return true;
}

uint32_t pb16i_weight(const Pb16iCell *cell)
{
    return f32_from_scaled(cell->code * cell->ms, cell->e_ref);
}
