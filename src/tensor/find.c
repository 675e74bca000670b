#include "tensor/find.h"

#include "tensor/half.h"
#include "tensor/t2.h"
#include "tensor/ternary.h"

/* A place in the order of the file: t2 by tile, row, column; blocks by block, weight. */
typedef struct Spot {
    uint64_t unit; /* tile or block */
    unsigned in;   /* row * 256 + column, or weight */
} Spot;

typedef struct Search {
    const Container *c;
    const Tensor *t;
    const TernaryFormat *f; /* NULL: t2 */
    FindWhat what;
    unsigned unit; /* bytes */
    const Progress *progress;
    uint64_t done; /* bytes searched */
} Search;

static Spot spot_of(const Search *s, uint64_t row, uint64_t col)
{
    if (s->f)
        return (Spot){row * (s->t->cols / s->f->weights) + col / s->f->weights,
                      (unsigned)(col % s->f->weights)};
    return (Spot){row / T2_ROWS * (s->t->cols / T2_COLS) + col / T2_COLS,
                  (unsigned)(row % T2_ROWS * T2_COLS + col % T2_COLS)};
}

static void cell_of(const Search *s, Spot at, uint64_t *row, uint64_t *col)
{
    uint64_t across = s->t->cols / (s->f ? s->f->weights : T2_COLS);
    *row = at.unit / across * (s->f ? 1 : T2_ROWS) + (s->f ? 0 : at.in / T2_COLS);
    *col = at.unit % across * (s->f ? s->f->weights : T2_COLS) + (s->f ? at.in : at.in % T2_COLS);
}

/* The first hit in n units at or after *at (counted within them). */
static bool find_tiles(const Search *s, const uint8_t *bytes, uint64_t n, Spot *at)
{
    T2Place p = {at->unit, at->in / T2_COLS, at->in % T2_COLS};
    bool hit = s->what == FIND_RESERVED ? t2_find_reserved(bytes, n, &p)
                                        : t2_find_special_scale(bytes, n, &p);
    *at = (Spot){p.tile, p.row * T2_COLS + p.col};
    return hit;
}

static bool find_blocks(const Search *s, const uint8_t *bytes, uint64_t n, Spot *at)
{
    for (; at->unit < n; at->unit++, at->in = 0) {
        const uint8_t *block = bytes + at->unit * s->f->bytes;
        if (s->what == FIND_SPECIAL) {
            if (at->in == 0 && half_class(ternary_scale(s->f, block)) != HALF_NORMAL)
                return true;
            continue;
        }
        if (ternary_threes(s->f, block) == 0)
            continue;
        for (; at->in < s->f->weights; at->in++) {
            if (ternary_code(s->f, block, at->in) == 3)
                return true;
        }
    }
    return false;
}

/* The first hit from *at to before the unit `end`. */
static bool find_from(Search *s, Spot *at, uint64_t end, bool *failed, Err *err)
{
    Tensor rest = *s->t;
    rest.offset += at->unit * s->unit;
    rest.size = (end - at->unit) * s->unit;
    uint64_t first = at->unit;
    bool hit = false;
    TensorStream in;
    stream_open(&in, s->c, &rest, s->unit);
    while (!hit && !*failed && stream_next(&in, err)) {
        uint64_t n = in.n / s->unit;
        Spot local = {0, at->in};
        hit = s->f ? find_blocks(s, in.bytes, n, &local) : find_tiles(s, in.bytes, n, &local);
        *at = hit ? (Spot){first + local.unit, local.in} : (Spot){first + n, 0};
        first += n;
        s->done += in.n;
        *failed = !hit && !progress_go_on(s->progress, s->done, s->t->size, err);
    }
    *failed |= in.failed;
    stream_close(&in);
    return hit;
}

/* The spot after `at` where a search goes on; of scales the next one's first cell. */
static Spot next_spot(const Search *s, Spot at)
{
    unsigned step = s->what == FIND_RESERVED ? 1 : s->f ? s->f->weights : T2_GROUP;
    unsigned all = s->f ? s->f->weights : T2_ROWS * T2_COLS;
    unsigned in = at.in / step * step + step;
    return in < all ? (Spot){at.unit, in} : (Spot){at.unit + 1, 0};
}

bool tensor_find(const Container *c, const Tensor *t, FindWhat what, uint64_t *row, uint64_t *col,
                 bool *wrapped, const Progress *progress, Err *err)
{
    Search s = {.c = c, .t = t, .f = ternary_format(t->kind), .what = what, .progress = progress};
    s.unit = s.f ? s.f->bytes : T2_TILE;
    if (t->kind != KIND_T2 && !s.f)
        return err_set(err, "tensor %s is %s: only t2 and the block kinds are searched", t->name,
                       kind_name(t->kind));
    bool failed = false;
    const Spot from = spot_of(&s, *row, *col);
    const uint64_t units = t->size / s.unit;
    Spot at = next_spot(&s, from);
    bool hit = at.unit < units && find_from(&s, &at, units, &failed, err);
    *wrapped = !hit;
    if (!hit && !failed) {
        at = (Spot){0, 0};
        hit = find_from(&s, &at, from.unit + 1, &failed, err);
    }
    if (hit)
        cell_of(&s, at, row, col);
    else if (!failed)
        err_set(err, "tensor %s has no %s", t->name,
                what == FIND_SPECIAL ? "special scale: all are normal numbers"
                : t->kind == KIND_T2 ? "reserved code"
                                     : "code 3");
    return hit;
}
