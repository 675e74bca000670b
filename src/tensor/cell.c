#include "tensor/cell.h"

#include <inttypes.h>

#include "tensor/ternary.h"
#include "tensor/pb16i.h"
#include "tensor/t2.h"

static void t2_cell(const Container *c, const Tensor *t, TensorCell *cell)
{
    uint64_t tile = cell->row / T2_ROWS * (t->cols / T2_COLS) + cell->col / T2_COLS;
    uint64_t start = t->offset + tile * T2_TILE;
    const uint8_t *bytes = c->map.data + start;
    unsigned row = (unsigned)(cell->row % T2_ROWS);
    unsigned col = (unsigned)(cell->col % T2_COLS);
    cell->code_at = start + t2_code_at(row, col);
    cell->bit = t2_code_bit(col);
    cell->bits = 2;
    cell->code = (int)t2_code(bytes, row, col);
    cell->reserved = cell->code == T2_RESERVED;
    cell->scale_at = start + t2_scale_at(row, col);
    cell->scale = t2_scale(bytes, row, col);
    cell->weight = t2_weight(bytes, row, col);
}

static void block_cell(const Container *c, const Tensor *t, const TernaryFormat *f,
                       TensorCell *cell)
{
    uint64_t block = cell->row * (t->cols / f->weights) + cell->col / f->weights;
    uint64_t start = t->offset + block * f->bytes;
    const uint8_t *bytes = c->map.data + start;
    unsigned i = (unsigned)(cell->col % f->weights);
    TernaryPlace p = f->place(i);
    cell->code_at = start + p.byte;
    cell->bit = p.bit;
    cell->bits = p.bits;
    cell->trit = p.trit;
    cell->code = (int)ternary_code(f, bytes, i);
    cell->scale_at = start + f->scale_at;
    cell->scale = ternary_scale(f, bytes);
    uint32_t levels[4];
    ternary_levels(cell->scale, levels);
    cell->weight = levels[cell->code];
}

static bool pb16i_cell(const Container *c, const Tensor *t, TensorCell *cell, Err *err)
{
    const Pb16iShape shape = {t->rows, t->cols};
    Pb16iCell p;
    if (!pb16i_get(&pb16i_own, tensor_bytes(c, t), t->size, &shape, cell->row, cell->col, &p, err))
        return false;
    cell->code_at = t->offset + p.code_at;
    cell->bit = p.shift;
    cell->bits = 4;
    cell->code = p.code;
    cell->scale_at = t->offset + p.ms_at;
    cell->scale = (uint16_t)p.ms;
    cell->e_ref = p.e_ref;
    cell->weight = pb16i_weight(&p);
    return true;
}

bool tensor_cell(const Container *c, const Tensor *t, uint64_t row, uint64_t col, TensorCell *cell,
                 Err *err)
{
    *cell = (TensorCell){.row = row, .col = col};
    if (row >= t->rows || col >= t->cols)
        return err_set(err,
                       "tensor %s is %" PRIu64 "x%" PRIu64 ": no row %" PRIu64 " column %" PRIu64,
                       t->name, t->rows, t->cols, row, col);
    const TernaryFormat *f = ternary_format(t->kind);
    if (t->kind == KIND_PB16I)
        return pb16i_cell(c, t, cell, err);
    if (t->kind == KIND_T2)
        t2_cell(c, t, cell);
    else if (f)
        block_cell(c, t, f, cell);
    else
        return err_set(err, "tensor %s is %s: its codes are not known", t->name,
                       kind_name(t->kind));
    return true;
}

/* code * scale with the code as a plain number, the way a decoder without rules does it. */
static uint32_t plain(int level, uint32_t scale_bits)
{
    return f32_bits((float)level * f32_value(scale_bits));
}

void wrong_readings(const uint8_t *tile, unsigned r, unsigned c, WrongReading out[WRONG_READINGS])
{
    uint32_t right = t2_weight(tile, r, c);
    uint16_t scale = t2_scale(tile, r, c);
    int level = (int)t2_code(tile, r, c) - 1;
    int ruled = level == 2 ? 0 : level; /* these decoders get the code right */
    bool subnormal = half_class(scale) == HALF_SUBNORMAL;
    uint16_t swapped = (uint16_t)(scale << 8 | scale >> 8);
    unsigned group = c / T2_GROUP;
    uint16_t other = load_le16(tile + T2_CODES + (size_t)2 * (group * T2_ROWS + r));
    unsigned near_code = (unsigned)tile[r * T2_ROW_BYTES + c % T2_GROUP / 4] >> t2_code_bit(c) & 3u;
    uint32_t levels[4];
    t2_levels(scale, levels);
    const WrongReading all[WRONG_READINGS] = {
        {"code - 1", "code 3 becomes +2 * scale", plain(level, half_to_f32(scale)), false},
        {"subnormal flushed", "a subnormal scale becomes 0",
         plain(ruled, subnormal ? half_to_f32(scale) & F32_SIGN : half_to_f32(scale)), false},
        {"scale as bf16", "the scale is rounded to 8 significant bits",
         plain(ruled, half_as_bf16(scale)), false},
        {"bytes swapped", "the scale is read big-endian", plain(ruled, half_to_f32(swapped)),
         false},
        {"scale index g*32 + r", "scales taken group by group instead of row by row",
         plain(ruled, half_to_f32(other)), false},
        {"group term forgotten", "columns 128.. read the codes of columns 0..127",
         levels[near_code], false},
    };
    for (unsigned i = 0; i < WRONG_READINGS; i++) {
        out[i] = all[i];
        if ((out[i].weight & ~F32_SIGN) > F32_INF)
            out[i].weight = F32_NAN;
        out[i].differs = out[i].weight != right;
    }
    if (level == 2) { /* reserved: +0.0 whatever the scale */
        for (unsigned i = 1; i < 5; i++) {
            out[i].weight = 0;
            out[i].differs = false;
        }
    }
}
