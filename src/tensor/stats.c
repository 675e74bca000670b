#include "tensor/stats.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tensor/ternary.h"
#include "tensor/kernel.h"
#include "tensor/t2.h"

static bool is_zero(uint16_t h)
{
    return (h & 0x7fff) == 0;
}

/* What n scales of the same bits would be with their bytes swapped, or as eight codes. */
static void add_readings(TensorStats *s, uint16_t h, uint64_t n)
{
    s->swapped_exponents[half_fields((uint16_t)(h << 8 | h >> 8)).exponent] += n;
    s->no_pair_11 += (h & h >> 1 & 0x5555) == 0 ? n : 0;
}

/* n scales of the same bits. */
static void add_scale(TensorStats *s, uint16_t h, uint64_t n)
{
    HalfClass class = half_class(h);
    s->varied |= s->scales && h != s->a_scale;
    s->a_scale = h;
    s->scales += n;
    s->classes[class] += n;
    s->negative += h >> 15 ? n : 0;
    s->exponents[half_fields(h).exponent] += n;
    s->low_bits_clear += class == HALF_NORMAL && (h & 7) == 0 ? n : 0;
    s->code_scales += h == 0x5555 || h == 0x5556 ? n : 0;
    s->swapped_scales += h == 0x003c ? n : 0;
    s->bf16_exact += half_is_bf16(h) ? n : 0;
    if (class != HALF_ZERO)
        add_readings(s, h, n);
    double error = half_bf16_error(h);
    if (error > s->worst_bf16)
        s->worst_bf16 = error;
}

static bool all_zero_codes(const uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (bytes[i] != 0x55)
            return false;
    }
    return true;
}

/* Reserved codes by their place in a period of 34 bytes: 2176 = 64 * 34, so the tile's own bytes
 * are enough. */
static void add_period(TensorStats *s, const uint8_t *tile)
{
    unsigned last = T2_TILE; /* no period */
    for (unsigned i = 0; i < T2_CODES; i++) {
        unsigned both = tile[i] & tile[i] >> 1 & 0x55u;
        if (!both)
            continue;
        s->period[i % STATS_PERIOD] += (uint64_t)__builtin_popcount(both);
        s->periods += i / STATS_PERIOD != last;
        last = i / STATS_PERIOD;
    }
}

/* All of a tile but its scales' values. */
static void add_tile(TensorStats *s, const uint8_t *tile)
{
    uint64_t counts[4] = {0};
    kernel_best()->count(tile, T2_CODES, counts);
    for (unsigned i = 0; i < 4; i++)
        s->codes[i] += counts[i];
    s->weights += T2_ROWS * T2_COLS;
    if (counts[3])
        add_period(s, tile);
    unsigned any_scale = 0;
    for (unsigned r = 0; r < T2_ROWS; r++) {
        uint16_t h[2] = {t2_scale(tile, r, 0), t2_scale(tile, r, T2_GROUP)};
        any_scale |= h[0] | h[1];
        s->twin_rows += h[0] == h[1];
        for (unsigned g = 0; g < 2; g++)
            s->stale_groups +=
                is_zero(h[g]) && !all_zero_codes(tile + t2_code_at(r, g * T2_GROUP), T2_GROUP / 4);
    }
    s->rows += T2_ROWS;
    s->tiles++;
    s->holes += any_scale == 0 && counts[0] == T2_ROWS * T2_COLS;
}

void stats_tile(TensorStats *s, const uint8_t *tile)
{
    add_tile(s, tile);
    for (unsigned i = T2_CODES; i < T2_TILE; i += 2)
        add_scale(s, load_le16(tile + i), 1);
}

/* All of a block but its scale's value. */
static void add_block(TensorStats *s, const TernaryCounter *t, const uint8_t *block)
{
    uint64_t counts[4] = {0};
    unsigned odd = ternary_count(t, block, counts);
    for (unsigned i = 0; i < 4; i++)
        s->codes[i] += counts[i];
    s->weights += t->f->weights;
    s->stale_groups += is_zero(ternary_scale(t->f, block)) && counts[1] < t->f->weights;
    if (t->f->short_at) {
        s->trit_bytes += t->f->codes_end - t->f->codes_at;
        s->odd_bytes += odd;
    }
}

/* The codes of tokstep's own pb16i container: two nibbles a byte. */
static void stats_pb16i(TensorStats *s, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (unsigned shift = 0; shift < 8; shift += 4) {
            int code = (int)((bytes[i] >> shift & 15u) ^ 8u) - 8;
            s->codes[code >= -1 && code <= 1 ? code + 1 : 3]++;
        }
    }
    s->weights += 2 * (uint64_t)n;
}

void stats_window(TensorStats *s, const Tile *tile)
{
    const TernaryFormat *f = tile->format;
    TernaryCounter t;
    if (tile->form == TILE_T2)
        stats_tile(s, tile->c->map.data + tile->at);
    if (f)
        ternary_counter_init(&t, f);
    for (unsigned r = 0; r < tile->rows && f; r++) {
        for (unsigned c = 0; c < tile->cols; c += f->weights) {
            TileCell cell = tile_cell(tile, r, c);
            add_block(s, &t, tile->c->map.data + (cell.cell.scale_at - f->scale_at));
            add_scale(s, cell.cell.scale, 1);
        }
    }
    for (unsigned r = 0; r < tile->rows && tile->form == TILE_PB16I; r++) {
        for (unsigned c = 0; c < tile->cols; c++) {
            TileCell cell = tile_cell(tile, r, c);
            s->codes[cell.odd ? 3 : cell.level + 1]++;
        }
        s->weights += tile->cols;
    }
}

/* One window; `seen` counts the scales by their bits, to be valued once each at the end. */
static void add_window(TensorStats *s, TensorKind kind, const TernaryCounter *blocks,
                       const TensorStream *in, uint64_t *seen)
{
    if (kind == KIND_PB16I)
        stats_pb16i(s, in->bytes, in->n);
    for (size_t i = 0; kind == KIND_T2 && i < in->n; i += T2_TILE) {
        add_tile(s, in->bytes + i);
        for (unsigned k = T2_CODES; k < T2_TILE; k += 2)
            seen[load_le16(in->bytes + i + k)]++;
    }
    for (size_t i = 0; blocks && i < in->n; i += blocks->f->bytes) {
        add_block(s, blocks, in->bytes + i);
        seen[ternary_scale(blocks->f, in->bytes + i)]++;
    }
}

bool stats_tensor(TensorStats *s, const Container *c, const Tensor *t, const Progress *progress,
                  Err *err)
{
    *s = (TensorStats){0};
    const TernaryFormat *f = ternary_format(t->kind);
    if (t->kind != KIND_T2 && t->kind != KIND_PB16I && !f)
        return true;
    Tensor part = *t;
    if (t->kind == KIND_PB16I) {
        part.size = t->rows * (t->cols / 2); /* the codes come last */
        part.offset = t->offset + t->size - part.size;
    }
    TernaryCounter blocks;
    if (f)
        ternary_counter_init(&blocks, f);
    uint64_t *seen = xcalloc(65536, sizeof *seen);
    bool stopped = false;
    TensorStream in;
    stream_open(&in, c, &part, f ? f->bytes : t->kind == KIND_T2 ? T2_TILE : 1);
    while (!stopped && stream_next(&in, err)) {
        add_window(s, t->kind, f ? &blocks : NULL, &in, seen);
        stopped = !progress_go_on(progress, in.at - part.offset, part.size, err);
    }
    stream_close(&in);
    for (unsigned h = 0; h < 65536; h++) {
        if (seen[h])
            add_scale(s, (uint16_t)h, seen[h]);
    }
    free(seen);
    return !in.failed && !stopped;
}
