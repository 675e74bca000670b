#include "tensor/verify.h"

#include <inttypes.h>

#include "base/buf.h"
#include "tensor/ternary.h"
#include "tensor/kernel.h"
#include "tensor/t2.h"

bool verify_knows(TensorKind kind)
{
    return kind == KIND_T2 || kind_is_block(kind);
}

static void add_code(VerifyReport *v, VerifyPlace p)
{
    if (v->code_3 < VERIFY_PLACES)
        v->code_places[v->code_3] = p;
    v->code_3++;
}

static void add_scale(VerifyReport *v, VerifyPlace p)
{
    if (v->nonfinite < VERIFY_PLACES)
        v->scale_places[v->nonfinite] = p;
    v->nonfinite++;
}

static bool is_nonfinite(uint16_t h)
{
    return (h & 0x7c00) == 0x7c00;
}

/* Only tiles with a finding come here. */
static void verify_tile(VerifyReport *v, const uint8_t *tile, VerifyPlace at)
{
    uint64_t start = at.byte;
    for (unsigned r = 0; r < T2_ROWS; r++) {
        for (unsigned c = 0; c < T2_COLS; c++) {
            at.row = r;
            at.col = c;
            at.scale = t2_scale(tile, r, c);
            if (c % T2_GROUP == 0 && is_nonfinite(at.scale)) {
                at.byte = start + t2_scale_at(r, c);
                at.bit = 0;
                add_scale(v, at);
            }
            if (t2_code(tile, r, c) == T2_RESERVED) {
                at.byte = start + t2_code_at(r, c);
                at.bit = t2_code_bit(c);
                add_code(v, at);
            }
        }
    }
}

static void verify_tiles(VerifyReport *v, const Tensor *t, const TensorStream *in)
{
    const Kernel *kernel = kernel_best();
    uint64_t per_row = t->cols ? t->cols / T2_COLS : 1; /* no shape: a column, as tensor_column */
    uint64_t index = (in->offset - t->offset) / T2_TILE;
    for (size_t i = 0; i < in->n; i += T2_TILE, index++) {
        const uint8_t *tile = in->bytes + i;
        if (kernel->clean(tile))
            continue;
        verify_tile(v, tile,
                    (VerifyPlace){.tile_row = index / per_row,
                                  .tile_col = index % per_row,
                                  .byte = in->offset + i});
    }
}

static void verify_block(VerifyReport *v, const TernaryFormat *f, const uint8_t *block,
                         VerifyPlace at)
{
    uint64_t start = at.byte;
    uint64_t col = at.col;
    at.scale = ternary_scale(f, block);
    if (is_nonfinite(at.scale)) {
        at.byte = start + f->scale_at;
        add_scale(v, at);
    }
    unsigned threes = ternary_threes(f, block);
    if (threes == 0 || v->code_3 >= VERIFY_PLACES) { /* enough places are known */
        v->code_3 += threes;
        return;
    }
    for (unsigned i = 0; i < f->weights; i++) {
        if (ternary_code(f, block, i) != 3)
            continue;
        TernaryPlace p = f->place(i);
        at.col = col + i;
        at.byte = start + p.byte;
        at.bit = p.bit;
        add_code(v, at);
    }
}

static void verify_blocks(VerifyReport *v, const Tensor *t, const TernaryFormat *f,
                          const TensorStream *in)
{
    uint64_t per_row = t->cols / f->weights;
    uint64_t index = (in->offset - t->offset) / f->bytes;
    for (size_t i = 0; i < in->n; i += f->bytes, index++)
        verify_block(v, f, in->bytes + i,
                     (VerifyPlace){.row = index / per_row,
                                   .col = index % per_row * f->weights,
                                   .byte = in->offset + i});
}

bool verify_tensor(const Container *c, const Tensor *t, VerifyReport *report, Err *err)
{
    const TernaryFormat *f = ternary_format(t->kind);
    *report = (VerifyReport){.tiles = t->kind == KIND_T2};
    if (!verify_knows(t->kind))
        return err_set(err, "%s: tensor %s is %s, verify knows t2 and the ternary blocks", c->path,
                       t->name, kind_name(t->kind));
    TensorStream in;
    stream_open(&in, c, t, f ? f->bytes : T2_TILE);
    while (stream_next(&in, err)) {
        if (f)
            verify_blocks(report, t, f, &in);
        else
            verify_tiles(report, t, &in);
    }
    stream_close(&in);
    return !in.failed;
}

bool verify_refuse(const Container *c, const Tensor *t, const VerifyReport *report, Err *err)
{
    Buf places = {0};
    for (unsigned i = 0; i < 3 && i < report->code_3; i++) {
        const VerifyPlace *p = &report->code_places[i];
        buf_printf(&places,
                   "%stile %" PRIu64 ",%" PRIu64 " row %" PRIu64 " col %" PRIu64 " bit %u"
                   ", at byte %" PRIu64,
                   i ? "; " : "", p->tile_row, p->tile_col, p->row, p->col, p->bit, p->byte);
    }
    err_set(err, "%s: tensor %s: %" PRIu64 " reserved codes: %s%s", c->path, t->name,
            report->code_3, buf_str(&places), report->code_3 > 3 ? "; ..." : "");
    buf_free(&places);
    return false;
}
