#include "cli/bench_tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "tensor/container.h"
#include "tensor/stats.h"
#include "tensor/t2.h"
#include "tensor/ternary.h"
#include "tensor/verify.h"

enum {
    RUNS = 15,
    SIDE = 8192,                                 /* N and K of the unpacked tensor */
    TILES = (SIDE / T2_ROWS) * (SIDE / T2_COLS), /* of it */
    FILE_TILES = 15 * TILES                      /* of the verified file: 267 MB */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double v[RUNS])
{
    qsort(v, RUNS, sizeof *v, by_value);
    return v[RUNS / 2];
}

static double time_of(void (*work)(void *), void *context)
{
    double begin = seconds();
    work(context);
    return seconds() - begin;
}

/* The two works in turn, after once to bring everything in: what disturbs the machine disturbs
 * both, and a ratio is that of neighbours. `units` is what one call of each works through. */
static void compare(void (*limit)(void *), void (*work)(void *), void *context, double units,
                    BenchPair *out)
{
    double limits[RUNS];
    double works[RUNS];
    double ratios[RUNS];
    limit(context);
    work(context);
    for (int i = 0; i < RUNS; i++) {
        limits[i] = time_of(limit, context);
        works[i] = time_of(work, context);
        ratios[i] = limits[i] / works[i];
    }
    *out = (BenchPair){units / median(limits), units / median(works), median(ratios)};
}

/* Tiles without reserved codes and with all kinds of scales. */
static uint8_t *make_tiles(size_t n)
{
    uint8_t *tiles = xmalloc(n * T2_TILE);
    uint32_t seed = 1;
    for (size_t i = 0; i < n * T2_TILE; i++) {
        seed = seed * 1664525 + 1013904223;
        tiles[i] = (uint8_t)(seed >> 24 & (seed & 1 << 20 ? 0xaa : 0x55));
    }
    for (size_t t = 0; t < n; t++) {
        for (unsigned k = T2_CODES + 1; k < T2_TILE; k += 2)
            tiles[t * T2_TILE + k] &= 0xbb; /* an exponent below 31 */
    }
    return tiles;
}

/* ---- memory ---- */

typedef struct Memory {
    uint8_t *tiles;
    float *out;
} Memory;

enum { OUT_BYTES = SIDE * SIDE * 4 };

static void do_memset(void *context)
{
    const Memory *m = context;
    memset(m->out, 0x55, OUT_BYTES);
    __asm__ volatile("" : : "r"(m->out) : "memory"); /* the bytes count as read */
}

static void do_unpack(void *context)
{
    const Memory *m = context;
    t2_unpack(m->tiles, SIDE, SIDE, m->out);
}

BenchPair bench_t2_unpack(void)
{
    BenchPair pair = {0};
    Memory m = {.tiles = make_tiles(TILES), .out = aligned_alloc(4096, OUT_BYTES)};
    if (m.out)
        compare(do_memset, do_unpack, &m, OUT_BYTES, &pair);
    free(m.out);
    free(m.tiles);
    return pair;
}

/* ---- a file ---- */

/* A raw .t2 that is gone from the directory as soon as it is open. */
static bool open_file(Container *c)
{
    const char *dir = getenv("TMPDIR");
    Buf path = {0};
    buf_printf(&path, "%s/tokstep-bench-XXXXXX.t2", dir && *dir ? dir : "/tmp");
    int fd = mkstemps(path.data, 3);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    uint8_t *tiles = make_tiles(TILES);
    for (int i = 0; f && i < FILE_TILES / TILES; i++)
        fwrite(tiles, T2_TILE, TILES, f);
    free(tiles);
    bool ok = f && !ferror(f);
    if (f && fclose(f) != 0)
        ok = false;
    Err err;
    ok = ok && container_open(c, path.data, &err);
    if (fd >= 0)
        unlink(path.data);
    buf_free(&path);
    return ok;
}

static void do_read(void *context)
{
    const Container *c = context;
    TensorStream s;
    Err err;
    stream_open(&s, c, c->tensors, T2_TILE);
    while (stream_next(&s, &err))
        continue;
    stream_close(&s);
}

static void do_verify(void *context)
{
    const Container *c = context;
    VerifyReport report;
    Err err;
    (void)verify_tensor(c, c->tensors, &report, &err);
}

BenchPair bench_t2_verify(void)
{
    BenchPair pair = {0};
    Container c;
    if (open_file(&c)) {
        compare(do_read, do_verify, &c, (double)c.map.size, &pair);
        container_close(&c);
    }
    return pair;
}

/* ---- block kinds beside t2 ---- */

enum { BLOCK_BYTES = 32 << 20 };

/* A tensor of that kind over a file of blocks (or tiles) with ordinary scales and no code 3. */
typedef struct Blocks {
    Container c;
    Tensor t;
    bool sum;
} Blocks;

static void fill_block(const TernaryFormat *f, uint8_t *block, uint32_t *seed)
{
    for (unsigned k = 0; k < f->bytes; k++) {
        *seed = *seed * 1664525 + 1013904223;
        block[k] = (uint8_t)(*seed >> 24 & (*seed & 1 << 20 ? 0xaa : 0x55));
    }
    block[f->scale_at + 1] &= 0xbb;
}

static uint8_t *make_blocks(const TernaryFormat *f, size_t n)
{
    uint8_t *blocks = xmalloc(n * f->bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++)
        fill_block(f, blocks + i * f->bytes, &seed);
    return blocks;
}

static bool open_blocks(Blocks *b, TensorKind kind, bool sum)
{
    const TernaryFormat *f = ternary_format(kind);
    size_t unit = f ? f->bytes : T2_TILE, n = BLOCK_BYTES / unit, weights = f ? f->weights : 8192;
    char path[] = "/tmp/tokstep-bench-XXXXXX";
    int fd = mkstemp(path);
    uint8_t *bytes = f ? make_blocks(f, n) : make_tiles(n);
    bool ok = fd >= 0 && write(fd, bytes, n * unit) == (ssize_t)(n * unit);
    *b = (Blocks){.sum = sum};
    ok = ok && file_map(&b->c.map, path, NULL);
    if (fd >= 0) {
        unlink(path);
        close(fd);
    }
    free(bytes);
    b->t = (Tensor){.name = (char *)"bench",
                    .kind = kind,
                    .size = n * unit,
                    .rows = n * weights / 256,
                    .cols = 256};
    return ok;
}

static void do_blocks(void *context)
{
    const Blocks *b = context;
    VerifyReport report;
    TensorStats stats;
    Err err;
    if (b->sum)
        (void)stats_tensor(&stats, &b->c, &b->t, NULL, &err);
    else
        (void)verify_tensor(&b->c, &b->t, &report, &err);
}

/* Seconds a weight of two tensors, in turn. */
BenchPair bench_blocks(TensorKind kind, bool sum)
{
    BenchPair pair = {0};
    Blocks t2, blocks;
    double limits[RUNS], rates[RUNS], ratios[RUNS];
    bool have_t2 = open_blocks(&t2, KIND_T2, sum), have_blocks = open_blocks(&blocks, kind, sum);
    for (int i = -1; have_t2 && have_blocks && i < RUNS; i++) { /* the first brings all in */
        int k = i < 0 ? 0 : i;
        limits[k] = (double)(t2.t.rows * 256) / time_of(do_blocks, &t2);
        rates[k] = (double)(blocks.t.rows * 256) / time_of(do_blocks, &blocks);
        ratios[k] = rates[k] / limits[k];
    }
    if (have_t2 && have_blocks)
        pair = (BenchPair){median(limits), median(rates), median(ratios)};
    file_unmap(&t2.c.map);
    file_unmap(&blocks.c.map);
    return pair;
}
