#include "tensor/convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "tensor/ternary.h"
#include "tensor/t2.h"

/* What stands against a lossless conversion. */
typedef enum Rule {
    RULE_SCALE,
    RULE_CODE_3,
    RULE_PAIR,
    RULE_PB16I_CODE,
    RULE_PB16I_MS,
    RULE_PB16I_FP16,
    RULES
} Rule;

static const struct {
    const char *why;
    const char *hint;
} rules[RULES] = {
    [RULE_SCALE] = {"scale is inf or NaN", ""},
    [RULE_CODE_3] = {"code 3 means +2, which t2 cannot hold", "; --clamp makes it +1"},
    [RULE_PAIR] = {"the two scales of a group of 128 differ", ""},
    [RULE_PB16I_CODE] = {"code is not -1, 0 or +1", ""},
    [RULE_PB16I_MS] = {"the magnitudes of a group of 128 differ", ""},
    [RULE_PB16I_FP16] = {"ms * 2^e_ref is not exact in fp16", ""},
};

typedef struct Place {
    uint64_t row, col, byte;
} Place;

typedef struct Converter {
    const ConvertSource *s;
    bool clamp;
    ConvertReport *report;
    uint64_t unexplained;   /* differences that clamping does not explain: our mistake */
    uint64_t broken[RULES]; /* how often */
    Place first[RULES];
} Converter;

/* 256 columns of one row on their way into a tile: codes in t2's terms, a scale per half. */
typedef struct HalfRow {
    uint8_t codes[T2_COLS];
    uint16_t scales[2];
} HalfRow;

static void broken(Converter *c, Rule rule, uint64_t row, uint64_t col, uint64_t byte)
{
    if (c->broken[rule]++ == 0)
        c->first[rule] = (Place){row, col, c->s->offset + byte};
}

bool ternary_bytes(TensorKind kind, uint64_t rows, uint64_t cols, uint64_t *bytes, Err *err)
{
    const TernaryFormat *f = ternary_format(kind);
    if (!f)
        return err_set(err, "%s is no block format", kind_name(kind));
    if (cols % f->weights)
        return err_set(err, "%s needs K %% %u == 0, K is %" PRIu64, kind_name(kind), f->weights,
                       cols);
    if (!checked_mul(cols / f->weights, f->bytes, bytes) || !checked_mul(*bytes, rows, bytes))
        return err_set(err, "shape %" PRIu64 "x%" PRIu64 " is too large", rows, cols);
    return true;
}

bool convert_check(const ConvertSource *s, Err *err)
{
    Err why;
    uint64_t bytes;
    if (!t2_bytes(s->rows, s->cols, &bytes, &why))
        return err_set(err, "%s: %s", s->label, why.text);
    if (s->kind == KIND_PB16I)
        return true; /* every access is checked */
    if (!ternary_bytes(s->kind, s->rows, s->cols, &bytes, &why))
        return err_set(err, "%s: %s", s->label, why.text);
    if (bytes != s->size)
        return err_set(
            err, "%s: %s of %" PRIu64 "x%" PRIu64 " takes %" PRIu64 " bytes, here are %" PRIu64,
            s->label, kind_name(s->kind), s->rows, s->cols, bytes, s->size);
    return true;
}

static const uint8_t *block_row(const ConvertSource *s, const TernaryFormat *f, uint64_t row)
{
    return s->bytes + row * (s->cols / f->weights) * f->bytes;
}

static bool pb16i_cell(const ConvertSource *s, uint64_t row, uint64_t col, Pb16iCell *cell,
                       Err *err)
{
    const Pb16iShape shape = {s->rows, s->cols};
    Err why;
    if (!pb16i_get(s->layout, s->bytes, s->size, &shape, row, col, cell, &why))
        return err_set(err, "%s: %s", s->label, why.text);
    return true;
}

bool convert_source_row(const ConvertSource *s, uint64_t row, uint32_t *weights, Err *err)
{
    const TernaryFormat *f = ternary_format(s->kind);
    if (f) {
        const uint8_t *block = block_row(s, f, row);
        for (uint64_t c = 0; c < s->cols; c += f->weights, block += f->bytes)
            ternary_weights(f, block, weights + c);
        return true;
    }
    for (uint64_t c = 0; c < s->cols; c++) {
        Pb16iCell cell;
        if (!pb16i_cell(s, row, c, &cell, err))
            return false;
        weights[c] = pb16i_weight(&cell);
    }
    return true;
}

/* ---- blocks ---- */

static bool all_zero(const uint8_t *codes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (codes[i] != 1)
            return false;
    }
    return true;
}

/* Two groups of 64 share the one scale of a t2 group: equal bits, or a half of zeros that keeps
 * the sign of its zeros. */
static bool pair_scale(const uint8_t *codes, const uint16_t scales[2], uint16_t *scale)
{
    bool same_sign = ((scales[0] ^ scales[1]) & 0x8000) == 0;
    bool equal = scales[0] == scales[1];
    if (equal || (same_sign && all_zero(codes + 64, 64)))
        *scale = scales[0];
    else if (same_sign && all_zero(codes, 64))
        *scale = scales[1];
    else
        return false;
    return true;
}

static void check_block(Converter *c, const TernaryFormat *f, const uint8_t *block, uint8_t *codes,
                        uint64_t row, uint64_t col)
{
    uint64_t at = (uint64_t)(block - c->s->bytes);
    HalfClass class = half_class(ternary_scale(f, block));
    if (class == HALF_INF || class == HALF_NAN)
        broken(c, RULE_SCALE, row, col, at + f->scale_at);
    for (unsigned i = 0; i < f->weights; i++) {
        if (codes[i] != T2_RESERVED)
            continue;
        codes[i] = 2;
        if (c->clamp)
            c->report->clamped++;
        else
            broken(c, RULE_CODE_3, row, col + i, at + f->place(i).byte);
    }
}

static void fetch_blocks(Converter *c, uint64_t row, uint64_t col, HalfRow *out)
{
    const TernaryFormat *f = ternary_format(c->s->kind);
    const uint8_t *block = block_row(c->s, f, row) + col / f->weights * f->bytes;
    uint16_t scales[4] = {0};
    unsigned n = T2_COLS / f->weights;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t *b = block + (size_t)i * f->bytes;
        uint8_t *codes = out->codes + (size_t)i * f->weights;
        f->codes(b, codes);
        scales[i] = ternary_scale(f, b);
        check_block(c, f, b, codes, row, col + i * f->weights);
    }
    for (unsigned g = 0; g < 2; g++) {
        if (n < 4)
            out->scales[g] = scales[n == 2 ? g : 0];
        else if (!pair_scale(out->codes + (size_t)g * T2_GROUP, scales + (size_t)g * 2,
                             &out->scales[g]))
            broken(c, RULE_PAIR, row, col + g * T2_GROUP,
                   (uint64_t)(block - c->s->bytes) + (uint64_t)g * 2 * f->bytes);
    }
}

/* ---- pb16i ---- */

/* One group of 128 columns: codes and scale, or the rule it breaks. */
static bool fetch_pb16i_group(Converter *c, uint64_t row, uint64_t col, uint8_t *codes,
                              uint16_t *scale, Err *err)
{
    uint32_t magnitude = 0; /* 0: no weight but zero so far */
    bool agree = true;
    Pb16iCell cell = {0};
    for (unsigned i = 0; i < T2_GROUP; i++) {
        if (!pb16i_cell(c->s, row, col + i, &cell, err))
            return false;
        if (cell.code < -1 || cell.code > 1)
            broken(c, RULE_PB16I_CODE, row, col + i, cell.code_at);
        int product = cell.code * cell.ms;
        codes[i] = (uint8_t)(1 + (product > 0) - (product < 0));
        if (product == 0)
            continue;
        uint32_t m = (uint32_t)abs(cell.ms);
        if (magnitude && m != magnitude && agree) {
            broken(c, RULE_PB16I_MS, row, col + i, cell.ms_at);
            agree = false;
        }
        magnitude = m;
    }
    if (agree && !half_from_scaled(magnitude, cell.e_ref, scale))
        broken(c, RULE_PB16I_FP16, row, col, cell.e_at);
    return true;
}

static bool fetch(Converter *c, uint64_t row, uint64_t col, HalfRow *out, Err *err)
{
    *out = (HalfRow){0};
    if (c->s->kind != KIND_PB16I) {
        fetch_blocks(c, row, col, out);
        return true;
    }
    for (unsigned g = 0; g < 2; g++) {
        if (!fetch_pb16i_group(c, row, col + g * T2_GROUP, out->codes + (size_t)g * T2_GROUP,
                               &out->scales[g], err))
            return false;
    }
    return true;
}

static void store(const HalfRow *in, unsigned r, uint8_t *tile)
{
    for (unsigned c = 0; c < T2_COLS; c += 4)
        tile[t2_code_at(r, c)] = (uint8_t)(in->codes[c] | in->codes[c + 1] << 2 |
                                           in->codes[c + 2] << 4 | in->codes[c + 3] << 6);
    store_le16(tile + t2_scale_at(r, 0), in->scales[0]);
    store_le16(tile + t2_scale_at(r, T2_GROUP), in->scales[1]);
}

/* ---- the whole tensor ---- */

static bool convert_tile_row(Converter *c, uint64_t row0, uint8_t *tiles, Err *err)
{
    for (uint64_t col = 0; col < c->s->cols; col += T2_COLS, tiles += T2_TILE) {
        for (unsigned r = 0; r < T2_ROWS; r++) {
            HalfRow half;
            if (!fetch(c, row0 + r, col, &half, err))
                return false;
            store(&half, r, tiles);
        }
    }
    return true;
}

static bool compare_tile_row(Converter *c, uint64_t row0, const uint8_t *tiles, uint32_t *source,
                             float *ours, Err *err)
{
    for (unsigned r = 0; r < T2_ROWS; r++) {
        if (!convert_source_row(c->s, row0 + r, source, err))
            return false;
        t2_unpack_row(tiles, c->s->cols, r, ours);
        if (memcmp(source, ours, c->s->cols * sizeof *ours) == 0)
            continue;
        for (uint64_t k = 0; k < c->s->cols; k++) {
            if (source[k] == f32_bits(ours[k]))
                continue;
            c->report->different++;
            c->unexplained += !c->clamp || source[k] != f32_bits(2 * ours[k]);
        }
    }
    return true;
}

static bool any_broken(const Converter *c)
{
    for (unsigned i = 0; i < RULES; i++) {
        if (c->broken[i])
            return true;
    }
    return false;
}

static bool refusal(const Converter *c, Err *err)
{
    for (unsigned i = 0; i < RULES; i++) {
        if (c->broken[i])
            return err_set(err,
                           "%s: %s: %" PRIu64 " times, first in row %" PRIu64 " column %" PRIu64
                           "%s, at byte %" PRIu64,
                           c->s->label, rules[i].why, c->broken[i], c->first[i].row,
                           c->first[i].col, rules[i].hint, c->first[i].byte);
    }
    return true;
}

bool convert_to_t2(const ConvertSource *s, bool clamp, FILE *out, ConvertReport *report, Err *err)
{
    *report = (ConvertReport){.weights = s->rows * s->cols, .source_bytes = s->size};
    if (!convert_check(s, err) || !t2_bytes(s->rows, s->cols, &report->t2_bytes, err))
        return false;
    Converter c = {.s = s, .clamp = clamp, .report = report};
    size_t row_bytes = s->cols / T2_COLS * T2_TILE;
    uint8_t *tiles = xmalloc(row_bytes);
    uint32_t *source = xmalloc(s->cols * sizeof *source);
    float *ours = xmalloc(s->cols * sizeof *ours);
    uint64_t used = 0;
    bool ok = true;
    for (uint64_t row = 0; ok && row < s->rows && !ferror(out); row += T2_ROWS) {
        if (s->map)
            file_forget_used(s->map, &used, s->size / s->rows * T2_ROWS);
        ok = convert_tile_row(&c, row, tiles, err);
        if (!ok || any_broken(&c))
            continue; /* only counting from here */
        ok = compare_tile_row(&c, row, tiles, source, ours, err);
        fwrite(tiles, 1, row_bytes, out);
    }
    free(tiles);
    free(source);
    free(ours);
    if (!ok || !refusal(&c, err))
        return false;
    if (c.unexplained)
        return err_set(err, "%s: %" PRIu64 " weights differ from the source after conversion",
                       s->label, c.unexplained);
    return true;
}

static void put_size(Buf *line, uint64_t bytes)
{
    if (bytes < 10000000)
        buf_printf(line, "%" PRIu64 " B", bytes);
    else
        buf_printf(line, "%.2f GB", (double)bytes / 1e9);
}

void convert_summary(const ConvertReport *r, Buf *line)
{
    buf_printf(line, "1 images, %" PRIu64 " weights: ", r->weights);
    put_size(line, r->source_bytes);
    buf_text(line, " -> ");
    put_size(line, r->t2_bytes);
    buf_printf(line, " (%.4f b/w), %d/1 bit-exact", (double)r->t2_bytes * 8 / (double)r->weights,
               r->different == 0);
}
