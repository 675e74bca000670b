#include "tui/view/t2/inspector.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/t2.h"

enum { WRITE_WINDOW = 1 << 20 };

bool inspector_parse_number(const char *text, uint64_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoull(text, &end, hex ? 16 : 10);
    return errno == 0 && *end == '\0' && !(hex && !isxdigit((unsigned char)text[2]));
}

bool inspector_two_numbers(const char *text, char separator, uint64_t *a, uint64_t *b)
{
    char first[32];
    const char *at = strchr(text + (text[0] == '0' && text[1] == 'x' ? 2 : 0), separator);
    if (!at || (size_t)(at - text) >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(at - text), text);
    return inspector_parse_number(first, a) && inspector_parse_number(at + 1, b);
}

bool inspector_parse_shape(const char *text, uint64_t *rows, uint64_t *cols)
{
    return inspector_two_numbers(text, 'x', rows, cols) && *rows && *cols;
}

/* ---- opening ---- */

bool inspector_open(Inspector *in, const char *path, uint64_t rows, uint64_t cols,
                    const Progress *progress, Err *err)
{
    Container c;
    Tensor shaped;
    if (!container_open_watched(&c, path, progress, err))
        return false;
    if (c.count == 0 || (rows && !tensor_shaped(&c, &c.tensors[0], rows, cols, &shaped, err))) {
        if (c.count == 0)
            err_set(err, "%s: holds no tensor", path);
        container_close(&c);
        return false;
    }
    inspector_close(in);
    *in = (Inspector){.c = c, .q8 = CHUNK_Q8A, .revision = 1};
    in->tensors = xcalloc(c.count, sizeof *in->tensors);
    in->assumed = xcalloc(c.count, sizeof *in->assumed);
    for (size_t i = 0; i < c.count; i++) {
        in->tensors[i] = tensor_column(&c.tensors[i]);
        in->assumed[i] = !c.tensors[i].rows && tensor_tiles(&c.tensors[i]) > 1;
    }
    if (rows) {
        in->tensors[0] = shaped;
        in->assumed[0] = false;
    }
    return true;
}

void inspector_close(Inspector *in)
{
    if (!inspector_is_open(in))
        return;
    container_close(&in->c);
    free(in->tensors);
    free(in->assumed);
    free(in->pokes);
    *in = (Inspector){0};
}

bool inspector_shape(Inspector *in, size_t tensor, uint64_t rows, uint64_t cols, Err *err)
{
    if (!tensor_shaped(&in->c, &in->c.tensors[tensor], rows, cols, &in->tensors[tensor], err))
        return false;
    in->assumed[tensor] = false;
    in->revision++;
    return true;
}

bool inspector_group(Inspector *in, size_t tensor, unsigned group, Err *err)
{
    Tensor t;
    if (!tensor_grouped(&in->c, &in->c.tensors[tensor], group, &t, err))
        return false;
    in->tensors[tensor] = t;
    in->revision++;
    return true;
}

/* ---- edits ---- */

/* All n bytes, or none. */
static bool put(Inspector *in, uint64_t at, const uint8_t *bytes, size_t n, Err *err)
{
    Err why;
    for (size_t i = 0; i < n; i++) {
        if (file_poke(&in->c.map, at + i, bytes[i], &why))
            continue;
        const Poke *p = &in->pokes[in->n_pokes];
        while (i-- > 0)
            (void)file_poke(&in->c.map, at + i, p->before[i], NULL); /* these could be written */
        return err_set(err, "%s: %s", in->c.path, why.text);
    }
    return true;
}

bool inspector_poke(Inspector *in, uint64_t at, const uint8_t *bytes, size_t n, Err *err)
{
    if (at >= in->c.map.size || n > in->c.map.size - at)
        return err_set(err, "the file has %zu bytes", in->c.map.size);
    in->pokes = xrealloc(in->pokes, (in->n_pokes + 1) * sizeof *in->pokes);
    Poke *p = &in->pokes[in->n_pokes];
    *p = (Poke){.at = at, .n = n};
    memcpy(p->before, in->c.map.data + at, n);
    if (!put(in, at, bytes, n, err))
        return false;
    if (in->written > in->n_pokes) /* what was written had edits that were taken back since */
        in->written = SIZE_MAX;
    in->n_pokes++;
    in->revision++;
    return true;
}

bool inspector_unpoke(Inspector *in, uint64_t *at, size_t *n, Err *err)
{
    if (in->n_pokes == 0)
        return err_set(err, "there is no edit to take back");
    const Poke *p = &in->pokes[--in->n_pokes];
    *at = p->at;
    *n = p->n;
    in->revision++;
    return put(in, p->at, p->before, p->n, err);
}

bool inspector_edited(const Inspector *in, uint64_t at)
{
    for (size_t i = 0; i < in->n_pokes; i++) {
        if (at >= in->pokes[i].at && at - in->pokes[i].at < in->pokes[i].n)
            return true;
    }
    return false;
}

bool inspector_unsaved(const Inspector *in)
{
    return in->n_pokes > 0 && in->written != in->n_pokes;
}

bool inspector_write(Inspector *in, const char *path, const Progress *progress, Err *err)
{
    FileOut out;
    if (file_is_same(&in->c.map, path))
        return err_set(err, "%s: is the file that is open; write to a new one", path);
    if (!file_create(&out, path, err))
        return false;
    uint8_t *window = xmalloc(WRITE_WINDOW);
    uint64_t size = in->c.map.size;
    bool ok = true;
    for (uint64_t at = 0; ok && at < size && !ferror(out.stream); at += WRITE_WINDOW) {
        size_t n = size - at < WRITE_WINDOW ? (size_t)(size - at) : WRITE_WINDOW;
        Err why;
        ok = file_read_at(&in->c.map, at, window, n, &why) ||
             err_set(err, "%s: %s", in->c.path, why.text);
        if (ok)
            fwrite(window, 1, n, out.stream);
        ok = ok && progress_go_on(progress, at + n, size, err);
    }
    free(window);
    if (!ok) {
        file_abort(&out);
        return false;
    }
    if (!file_commit(&out, err))
        return false;
    in->written = in->n_pokes;
    return true;
}

/* ---- counting ---- */

bool inspector_has_counts(const Inspector *in, size_t tensor)
{
    return in->counted_at == in->revision && in->counted == tensor;
}

bool inspector_count(Inspector *in, size_t tensor, const Progress *progress, Err *err)
{
    if (inspector_has_counts(in, tensor))
        return true;
    TensorStats counts; /* a frame may be drawn meanwhile */
    if (!stats_tensor(&counts, &in->c, &in->tensors[tensor], progress, err))
        return false;
    in->counts = counts;
    in->counted = tensor;
    in->counted_at = in->revision;
    return true;
}
