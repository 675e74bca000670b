/* `t2 dump`: one tile, as text or JSON. A tile is 32 rows x 256 columns of any ternary tensor
 * (at the edge of a block tensor fewer), or one Q4NX chunk under a named layout. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/printable.h"
#include "cli/cli.h"
#include "cli/t2_cmd.h"
#include "cli/t2_json.h"
#include "tensor/cell.h"
#include "tensor/chunk.h"
#include "tensor/t2.h"

typedef struct Dump {
    const Container *c;
    Tensor t;
    const T2Args *a;
    uint64_t row0, col0; /* first cell of the tile */
    unsigned rows, cols; /* of it */
    uint64_t tiles[2];   /* grid of tiles */
    bool chunk;          /* a Q4NX chunk ... */
    ChunkLayout layout;  /* ... read so */
    uint64_t start;      /* byte of the file where the tile (t2, chunk) starts */
} Dump;

static unsigned clip(uint64_t have, uint64_t from, unsigned most)
{
    return have - from < most ? (unsigned)(have - from) : most;
}

static bool choose_layout(Dump *d, Err *err)
{
    const T2Args *a = d->a;
    d->chunk = kind_is_chunk(d->t.kind);
    if (a->as) {
        if (!chunk_by_name(a->as, &d->layout))
            return err_set(err, "t2 dump: --as '%.*s' is not q4_1, q4_k, q8a or q8b",
                           HEAD(a->as, 60));
        Err why;
        if (!chunk_as(d->t.kind, d->layout, d->t.name, &why))
            return err_set(err, "%s: %s, at byte %" PRIu64, d->c->path, why.text, d->t.offset);
        return true;
    }
    if (d->t.kind == KIND_CHUNK_Q8)
        return err_set(err,
                       "%s: tensor %s is q8, the file does not say in which layout: choose "
                       "--as q8a or --as q8b",
                       d->c->path, d->t.name);
    d->layout = d->t.kind == KIND_CHUNK_Q4_K ? CHUNK_Q4_K : CHUNK_Q4_1;
    return true;
}

static bool place_tile(Dump *d, Err *err)
{
    const T2Args *a = d->a;
    const Tensor *t = &d->t;
    d->tiles[0] = (t->rows + T2_ROWS - 1) / T2_ROWS;
    d->tiles[1] = (t->cols + T2_COLS - 1) / T2_COLS;
    if (a->tile_row >= d->tiles[0] || a->tile_col >= d->tiles[1])
        return err_set(
            err, "%s: tensor %s has %" PRIu64 "x%" PRIu64 " tiles, no tile %" PRIu64 ",%" PRIu64,
            d->c->path, t->name, d->tiles[0], d->tiles[1], a->tile_row, a->tile_col);
    d->row0 = a->tile_row * T2_ROWS;
    d->col0 = a->tile_col * T2_COLS;
    d->rows = clip(t->rows, d->row0, T2_ROWS);
    d->cols = clip(t->cols, d->col0, T2_COLS);
    unsigned bytes = d->chunk ? chunk_bytes(d->layout) : T2_TILE;
    d->start = t->offset + (a->tile_row * d->tiles[1] + a->tile_col) * bytes;
    if ((a->given & T2_OPT_ROW) && a->row >= d->rows)
        return err_set(err, "%s: tile %" PRIu64 ",%" PRIu64 " has %u rows, no row %" PRIu64,
                       d->c->path, a->tile_row, a->tile_col, d->rows, a->row);
    if (!d->chunk && !kind_is_block(t->kind) && t->kind != KIND_T2 && t->kind != KIND_PB16I)
        return err_set(err, "%s: tensor %s is %s: it has no tiles to show", d->c->path, t->name,
                       t->kind == KIND_OTHER ? t->type : kind_name(t->kind));
    return true;
}

static TensorCell get_cell(const Dump *d, unsigned r, unsigned c)
{
    TensorCell cell;
    Err err;
    (void)tensor_cell(d->c, &d->t, d->row0 + r, d->col0 + c, &cell, &err); /* inside: checked */
    return cell;
}

static ChunkCell get_chunk_cell(const Dump *d, unsigned r, unsigned c)
{
    return chunk_cell(d->layout, d->c->map.data + d->start, r, c);
}

static char code_mark(const Dump *d, const TensorCell *cell)
{
    int level = d->t.kind == KIND_PB16I ? cell->code : cell->code - 1;
    if (level >= -1 && level <= 1)
        return "-0+"[level + 1];
    return kind_is_block(d->t.kind) ? '2' : '?';
}

/* Columns that share a scale. */
static unsigned scale_span(const Dump *d)
{
    switch (d->t.kind) {
    case KIND_TQ1_0:
    case KIND_TQ2_0:
        return 256;
    case KIND_Q2_0_G64:
        return 64;
    case KIND_PB16I:
        return 32;
    default:
        return 128;
    }
}

static double scale_value(const Dump *d, const TensorCell *cell)
{
    if (d->t.kind == KIND_PB16I)
        return ldexp((int16_t)cell->scale, cell->e_ref);
    return f32_value(half_to_f32(cell->scale));
}

static double weight_value(uint32_t bits)
{
    return f32_value(bits);
}

/* ---- text ---- */

static void text_header(const Dump *d)
{
    printf("tensor %s %s %" PRIu64 "x%" PRIu64 " tile %" PRIu64 ",%" PRIu64 " of %" PRIu64
           "x%" PRIu64,
           d->t.name, kind_name(d->t.kind), d->t.rows, d->t.cols, d->a->tile_row, d->a->tile_col,
           d->tiles[0], d->tiles[1]);
    if (d->chunk || d->t.kind == KIND_T2)
        printf(" at %" PRIu64, d->start);
    if (d->t.flags & TENSOR_ROTATED)
        fputs(" rotated basis", stdout);
    putchar('\n');
    if (d->chunk)
        printf("under layout %s: %s\n", chunk_name(d->layout), chunk_help(d->layout));
}

static void text_row(const Dump *d, unsigned r)
{
    printf("row %u ", r);
    if (d->chunk) {
        for (unsigned c = 0; c < d->cols; c++)
            printf("%s%.9g", c ? " " : "", weight_value(get_chunk_cell(d, r, c).weight));
        putchar('\n');
        return;
    }
    for (unsigned c = 0; c < d->cols; c++) {
        TensorCell cell = get_cell(d, r, c);
        putchar(code_mark(d, &cell));
    }
    for (unsigned c = 0; c < d->cols; c += scale_span(d)) {
        TensorCell cell = get_cell(d, r, c);
        printf(" @%" PRIu64 " %04x %.17g", cell.scale_at, cell.scale, scale_value(d, &cell));
    }
    putchar('\n');
}

static void text_chunk_cell(const Dump *d, unsigned r, unsigned c)
{
    ChunkCell cell = get_chunk_cell(d, r, c);
    printf("col %u byte %" PRIu64 " bit %u code %d scale @%" PRIu64 " %04x", c,
           d->start + cell.code_at, cell.bit, cell.code, d->start + cell.scale_at, cell.scale);
    if (cell.has_zero)
        printf(" zero @%" PRIu64 " %04x", d->start + cell.zero_at, cell.zero);
    if (d->layout == CHUNK_Q4_K)
        printf(" sc %u mn %u", cell.sc, cell.mn);
    printf(" weight %.9g\n", weight_value(cell.weight));
}

static void text_wrong(const Dump *d, unsigned r, unsigned c)
{
    WrongReading wrong[WRONG_READINGS];
    wrong_readings(d->c->map.data + d->start, r, c, wrong);
    const char *before = " wrong:";
    for (unsigned i = 0; i < WRONG_READINGS; i++) {
        if (!wrong[i].differs)
            continue;
        printf("%s %s = %.9g", before, wrong[i].name, weight_value(wrong[i].weight));
        before = ";";
    }
}

static void text_cell(const Dump *d, unsigned r, unsigned c)
{
    TensorCell cell = get_cell(d, r, c);
    printf("col %u byte %" PRIu64, c, cell.code_at);
    if (cell.bits)
        printf(" bit %u", cell.bit);
    else
        printf(" trit %u", cell.trit);
    printf(" code %d %s scale @%" PRIu64 " %04x weight %.9g", cell.code,
           cell.reserved                ? "reserved"
           : code_mark(d, &cell) == '-' ? "-1"
           : code_mark(d, &cell) == '0' ? "0"
           : code_mark(d, &cell) == '+' ? "+1"
           : kind_is_block(d->t.kind)   ? "+2"
                                        : "not ternary",
           cell.scale_at, cell.scale, weight_value(cell.weight));
    if (d->t.kind == KIND_T2)
        text_wrong(d, r, c);
    putchar('\n');
}

static void text_scale(const Dump *d, unsigned r, unsigned c)
{
    TensorCell cell = get_cell(d, r, c);
    if (d->t.kind == KIND_PB16I) {
        printf("ms @%" PRIu64 " %d e_ref %d\n", cell.scale_at, (int16_t)cell.scale, cell.e_ref);
        return;
    }
    HalfFields f = half_fields(cell.scale);
    printf("scale @%" PRIu64 " %04x sign %u exponent %u fraction %03x %s value %.17g%s\n",
           cell.scale_at, cell.scale, f.sign, f.exponent, f.fraction,
           half_class_name(half_class(cell.scale)), scale_value(d, &cell),
           half_is_bf16(cell.scale) ? " bf16 exact" : "");
}

static void dump_text(const Dump *d)
{
    text_header(d);
    if (!(d->a->given & T2_OPT_ROW)) {
        for (unsigned r = 0; r < d->rows; r++)
            text_row(d, r);
        return;
    }
    unsigned r = (unsigned)d->a->row;
    for (unsigned c = 0; !d->chunk && c < d->cols; c += scale_span(d))
        text_scale(d, r, c);
    for (unsigned c = 0; c < d->cols; c++) {
        if (d->chunk)
            text_chunk_cell(d, r, c);
        else
            text_cell(d, r, c);
    }
}

/* ---- JSON ---- */

static json_t *json_scale(const Dump *d, unsigned r, unsigned c)
{
    TensorCell cell = get_cell(d, r, c);
    json_t *o = json_object();
    json_object_set_new(o, "at", json_integer((json_int_t)cell.scale_at));
    if (d->t.kind == KIND_PB16I) {
        json_object_set_new(o, "ms", json_integer((int16_t)cell.scale));
        json_object_set_new(o, "e_ref", json_integer(cell.e_ref));
    } else {
        HalfFields f = half_fields(cell.scale);
        json_object_set_new(o, "bits", t2_json_hex(cell.scale, 4));
        json_object_set_new(o, "sign", json_integer(f.sign));
        json_object_set_new(o, "exponent", json_integer(f.exponent));
        json_object_set_new(o, "fraction", json_integer(f.fraction));
        json_object_set_new(o, "class", json_string(half_class_name(half_class(cell.scale))));
        json_object_set_new(o, "bf16_exact", json_boolean(half_is_bf16(cell.scale)));
    }
    json_object_set_new(o, "value", t2_json_number(scale_value(d, &cell)));
    return o;
}

static json_t *json_wrong(const Dump *d, unsigned r, unsigned c)
{
    WrongReading wrong[WRONG_READINGS];
    wrong_readings(d->c->map.data + d->start, r, c, wrong);
    json_t *o = json_object();
    for (unsigned i = 0; i < WRONG_READINGS; i++)
        json_object_set_new(o, wrong[i].name, t2_json_number(weight_value(wrong[i].weight)));
    return o;
}

static json_t *json_cell(const Dump *d, unsigned r, unsigned c)
{
    json_t *o = json_object();
    uint64_t code_at;
    uint32_t weight;
    json_object_set_new(o, "col", json_integer(c));
    if (d->chunk) {
        ChunkCell cell = get_chunk_cell(d, r, c);
        uint64_t scale_at = d->start + cell.scale_at;
        code_at = d->start + cell.code_at;
        weight = cell.weight;
        json_object_set_new(o, "bit", json_integer(cell.bit));
        json_object_set_new(o, "code", json_integer(cell.code));
        json_object_set_new(o, "scale_at", json_integer((json_int_t)scale_at));
        json_object_set_new(o, "scale", t2_json_hex(cell.scale, 4));
        if (cell.has_zero)
            json_object_set_new(o, "zero", t2_json_hex(cell.zero, 4));
    } else {
        TensorCell cell = get_cell(d, r, c);
        code_at = cell.code_at;
        weight = cell.weight;
        json_object_set_new(o, cell.bits ? "bit" : "trit",
                            json_integer(cell.bits ? cell.bit : cell.trit));
        json_object_set_new(o, "code", json_integer(cell.code));
        json_object_set_new(o, "reserved", json_boolean(cell.reserved));
        json_object_set_new(o, "scale_at", json_integer((json_int_t)cell.scale_at));
        if (d->t.kind == KIND_T2)
            json_object_set_new(o, "wrong", json_wrong(d, r, c));
    }
    json_object_set_new(o, "byte", json_integer((json_int_t)code_at));
    json_object_set_new(o, "weight", t2_json_number(weight_value(weight)));
    json_object_set_new(o, "weight_bits", t2_json_hex(weight, 8));
    return o;
}

static json_t *json_row(const Dump *d, unsigned r, bool cells)
{
    json_t *o = json_object();
    json_object_set_new(o, "row", json_integer(r));
    if (!d->chunk) {
        char codes[T2_COLS + 1] = "";
        json_t *scales = json_array();
        for (unsigned c = 0; c < d->cols; c++) {
            TensorCell cell = get_cell(d, r, c);
            codes[c] = code_mark(d, &cell);
            if (c % scale_span(d) == 0)
                json_array_append_new(scales, json_scale(d, r, c));
        }
        json_object_set_new(o, "codes", json_string(codes));
        json_object_set_new(o, "scales", scales);
    } else if (!cells) {
        json_t *weights = json_array();
        for (unsigned c = 0; c < d->cols; c++)
            json_array_append_new(weights,
                                  t2_json_number(weight_value(get_chunk_cell(d, r, c).weight)));
        json_object_set_new(o, "weights", weights);
    }
    if (cells) {
        json_t *list = json_array();
        for (unsigned c = 0; c < d->cols; c++)
            json_array_append_new(list, json_cell(d, r, c));
        json_object_set_new(o, "cells", list);
    }
    return o;
}

static void dump_json(const Dump *d)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", t2_json_text(d->c->path));
    json_object_set_new(o, "tensor", t2_json_text(d->t.name));
    json_object_set_new(o, "kind", json_string(kind_name(d->t.kind)));
    json_object_set_new(o, "shape", t2_json_pair(d->t.rows, d->t.cols));
    json_object_set_new(o, "tile", t2_json_pair(d->a->tile_row, d->a->tile_col));
    json_object_set_new(o, "tiles", t2_json_pair(d->tiles[0], d->tiles[1]));
    json_object_set_new(o, "rotated", json_boolean(d->t.flags & TENSOR_ROTATED));
    if (d->chunk || d->t.kind == KIND_T2)
        json_object_set_new(o, "at", json_integer((json_int_t)d->start));
    if (d->chunk)
        json_object_set_new(o, "layout", json_string(chunk_name(d->layout)));
    bool one = d->a->given & T2_OPT_ROW;
    unsigned first = one ? (unsigned)d->a->row : 0;
    json_t *rows = json_array();
    for (unsigned r = first; r < (one ? first + 1 : d->rows); r++)
        json_array_append_new(rows, json_row(d, r, one));
    json_object_set_new(o, "rows", rows);
    t2_json_print(o);
}

int t2_dump_main(int argc, char **argv)
{
    enum {
        TAKES = T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_TILE | T2_OPT_ROW | T2_OPT_AS | T2_OPT_JSON
    };
    T2Args a;
    Container c;
    Err err;
    if (!t2_args(&a, argc, argv, TAKES, T2_OPT_TILE, &err))
        return cli_fail(&err);
    bool ok = container_open(&c, a.file, &err);
    if (ok) {
        Dump d = {.c = &c, .a = &a};
        const Tensor *found = container_find(&c, a.tensor, &err);
        ok = found != NULL;
        if (ok) {
            d.t = *found; /* what it is comes before how large it is: t2 has no q4_1 reading */
            ok = choose_layout(&d, &err) && t2_tensor_to_show(&c, &a, found, &d.t, &err) &&
                 place_tile(&d, &err);
        }
        if (ok && (a.given & T2_OPT_JSON))
            dump_json(&d);
        else if (ok)
            dump_text(&d);
        container_close(&c);
    }
    t2_args_free(&a);
    return ok ? cli_flush() : cli_fail(&err);
}
