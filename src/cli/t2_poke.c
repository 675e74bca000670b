/* `t2 poke`: a copy of a file with bytes changed, for making and mending broken tiles. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/t2_cmd.h"

enum { POKE_MAX = 64, POKE_WINDOW = 1 << 20 };

typedef struct Poke {
    uint64_t at; /* byte of the file */
    size_t n;
    uint8_t bytes[POKE_MAX];
} Poke;

static int hex_digit(char ch)
{
    if (isdigit((unsigned char)ch))
        return ch - '0';
    ch = (char)tolower((unsigned char)ch);
    return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* "BYTE=HEX": a decimal or 0x offset, then whole bytes. */
static bool parse_poke(const char *text, Poke *p, Err *err)
{
    const char *eq = strchr(text, '=');
    char number[32] = "";
    size_t length = (size_t)(eq - text);
    if (length < sizeof number)
        memcpy(number, text, length);
    if (!t2_number(number, &p->at))
        return err_set(err, "t2 poke: --at '%.*s': BYTE is no number", HEAD(text, 60));
    const char *hex = eq + 1;
    if (hex[0] == '0' && (hex[1] == 'x' || hex[1] == 'X'))
        hex += 2;
    size_t digits = strlen(hex);
    if (digits == 0 || digits % 2 || digits / 2 > POKE_MAX)
        return err_set(err, "t2 poke: --at '%.*s': HEX is not 1 to %d whole bytes", HEAD(text, 60),
                       POKE_MAX);
    p->n = digits / 2;
    for (size_t i = 0; i < p->n; i++) {
        int hi = hex_digit(hex[2 * i]);
        int lo = hex_digit(hex[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return err_set(err, "t2 poke: --at '%.*s': HEX is not hexadecimal", HEAD(text, 60));
        p->bytes[i] = (uint8_t)(hi << 4 | lo);
    }
    return true;
}

/* The part of the file that BYTE counts in: the whole, or one tensor. */
static bool poke_range(const T2Args *a, uint64_t *start, uint64_t *size, Err *err)
{
    Container c;
    if (!container_open(&c, a->file, err))
        return false;
    const Tensor *found = container_find(&c, a->tensor, err);
    Tensor t;
    bool ok = found && (!a->rows || tensor_shaped(&c, found, a->rows, a->cols, &t, err));
    if (ok) {
        *start = found->offset;
        *size = found->size;
    }
    container_close(&c);
    return ok;
}

static bool parse_all(const T2Args *a, const FileMap *in, Poke *pokes, Err *err)
{
    uint64_t start = 0;
    uint64_t size = in->size;
    if ((a->tensor || a->rows) && !poke_range(a, &start, &size, err))
        return false;
    for (int i = 0; i < a->n_at; i++) {
        Poke *p = &pokes[i];
        if (!parse_poke(a->at[i], p, err))
            return false;
        if (p->at >= size || p->n > size - p->at)
            return err_set(err, "%s: byte %" PRIu64 " + %zu passes the end at byte %" PRIu64,
                           a->file, p->at, p->n, size);
        p->at += start;
    }
    return true;
}

/* Change those bytes of the window at `start` that a poke covers. */
static void apply(const Poke *p, uint64_t start, uint8_t *window, size_t n)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->at + i >= start && p->at + i - start < n)
            window[p->at + i - start] = p->bytes[i];
    }
}

static bool copy(const FileMap *in, const T2Args *a, const Poke *pokes, FILE *out, Err *err)
{
    uint8_t *window = xmalloc(POKE_WINDOW);
    bool ok = true;
    for (uint64_t at = 0; ok && at < in->size && !ferror(out); at += POKE_WINDOW) {
        size_t n = in->size - at < POKE_WINDOW ? (size_t)(in->size - at) : POKE_WINDOW;
        Err why;
        ok = file_read_at(in, at, window, n, &why) || err_set(err, "%s: %s", a->file, why.text);
        for (int i = 0; ok && i < a->n_at; i++)
            apply(&pokes[i], at, window, n);
        fwrite(window, 1, n, out);
    }
    free(window);
    return ok;
}

static bool poke(const FileMap *in, const T2Args *a, Poke *pokes, Err *err)
{
    FileOut out;
    if (!parse_all(a, in, pokes, err) || !t2_not_in_place(in, a->file, a->out, err) ||
        !file_create(&out, a->out, err))
        return false;
    if (!copy(in, a, pokes, out.stream, err)) {
        file_abort(&out);
        return false;
    }
    if (!file_commit(&out, err))
        return false;
    for (int i = 0; i < a->n_at; i++) {
        for (size_t k = 0; k < pokes[i].n; k++)
            printf("byte %" PRIu64 " %02x -> %02x\n", pokes[i].at + k, in->data[pokes[i].at + k],
                   pokes[i].bytes[k]);
    }
    return true;
}

int t2_poke_main(int argc, char **argv)
{
    enum { TAKES = T2_OPT_TENSOR | T2_OPT_SHAPE | T2_OPT_AT | T2_OPT_OUT };
    T2Args a;
    FileMap in;
    Err err;
    if (!t2_args(&a, argc, argv, TAKES, T2_OPT_AT | T2_OPT_OUT, &err))
        return cli_fail(&err);
    bool ok = file_map(&in, a.file, &err);
    if (ok) {
        Poke *pokes = xcalloc((size_t)a.n_at, sizeof *pokes);
        ok = poke(&in, &a, pokes, &err);
        free(pokes);
        file_unmap(&in);
    }
    t2_args_free(&a);
    return ok ? cli_flush() : cli_fail(&err);
}
