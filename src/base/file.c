#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

bool file_map(FileMap *m, const char *path, Err *err)
{
    *m = (FileMap){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, "%s: %s", path, strerror(errno));
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return err_set(err, "%s: not a regular file", path);
    }
    if (st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) {
            int why = errno;
            close(fd);
            return err_set(err, "%s: cannot map: %s", path, strerror(why));
        }
        m->data = p;
        m->size = (size_t)st.st_size;
    }
    close(fd);
    return true;
}

void file_unmap(FileMap *m)
{
    if (m->data)
        munmap((void *)(uintptr_t)m->data, m->size);
    *m = (FileMap){0};
}

bool file_create(FileOut *out, const char *path, Err *err)
{
    Buf tmp = {0};
    buf_printf(&tmp, "%s.XXXXXX", path);
    int fd = mkstemp(tmp.data);
    if (fd < 0) {
        int why = errno;
        buf_free(&tmp);
        return err_set(err, "%s: cannot write: %s", path, strerror(why));
    }
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
    *out = (FileOut){.stream = fdopen(fd, "wb"), .path = xstrdup(path), .tmp_path = tmp.data};
    if (!out->stream) {
        close(fd);
        file_abort(out);
        return err_set(err, "%s: cannot write: %s", path, strerror(errno));
    }
    return true;
}

bool file_commit(FileOut *out, Err *err)
{
    bool ok = fflush(out->stream) == 0 && !ferror(out->stream) && fsync(fileno(out->stream)) == 0;
    int why = errno;
    if (fclose(out->stream) != 0 && ok) {
        ok = false;
        why = errno;
    }
    out->stream = NULL;
    if (ok && rename(out->tmp_path, out->path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok)
        err_set(err, "%s: cannot write: %s", out->path, strerror(why ? why : EIO));
    else
        out->tmp_path[0] = '\0'; /* renamed: nothing to remove */
    file_abort(out);
    return ok;
}

void file_abort(FileOut *out)
{
    if (out->stream)
        fclose(out->stream);
    if (out->tmp_path && out->tmp_path[0])
        unlink(out->tmp_path);
    free(out->tmp_path);
    free(out->path);
    *out = (FileOut){0};
}

char *file_read_text(const char *path, size_t max, Err *err)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        err_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    Buf b = {0};
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0 && b.len <= max)
        buf_add(&b, chunk, n);
    bool bad = ferror(f) != 0;
    fclose(f);
    if (bad || b.len > max) {
        err_set(err, bad ? "%s: cannot read" : "%s: too long for a text file", path);
        buf_free(&b);
        return NULL;
    }
    return b.data ? b.data : xstrdup("");
}
