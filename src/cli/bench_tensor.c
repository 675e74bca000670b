#include "cli/bench_tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tensor/container.h"
#include "tensor/t2.h"
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

/* The median time of work(context); once more before, to bring everything in. */
static double median_time(void (*work)(void *), void *context)
{
    double times[RUNS];
    work(context);
    for (int i = 0; i < RUNS; i++) {
        double begin = seconds();
        work(context);
        times[i] = seconds() - begin;
    }
    qsort(times, RUNS, sizeof *times, by_value);
    return times[RUNS / 2];
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

static double memory_time(void (*work)(void *))
{
    Memory m = {.tiles = make_tiles(TILES), .out = aligned_alloc(4096, OUT_BYTES)};
    double t = m.out ? median_time(work, &m) : 0;
    free(m.out);
    free(m.tiles);
    return t;
}

double bench_memset(void)
{
    double t = memory_time(do_memset);
    return t > 0 ? OUT_BYTES / t / 1e9 : 0;
}

double bench_t2_unpack(void)
{
    double t = memory_time(do_unpack);
    return t > 0 ? (double)SIDE * SIDE / t / 1e9 : 0;
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

static double file_rate(void (*work)(void *))
{
    Container c;
    if (!open_file(&c))
        return 0;
    double t = median_time(work, &c);
    double rate = t > 0 ? (double)c.map.size / t / 1e9 : 0;
    container_close(&c);
    return rate;
}

double bench_read(void)
{
    return file_rate(do_read);
}

double bench_t2_verify(void)
{
    return file_rate(do_verify);
}
