#define _GNU_SOURCE /* O_TMPFILE */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
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
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang */
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
        *m = (FileMap){.data = p, .size = (size_t)st.st_size, .fd = fd};
        return true;
    }
    close(fd);
    return true;
}

void file_unmap(FileMap *m)
{
    if (m->data) {
        munmap((void *)m->data, m->size);
        close(m->fd);
    }
    free(m->changed);
    *m = (FileMap){0};
}

enum { FORGET_EVERY = 1 << 20 };

static uint64_t page_size(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool is_changed(const FileMap *m, uint64_t page)
{
    for (size_t i = 0; i < m->n_changed; i++) {
        if (m->changed[i] == page)
            return true;
    }
    return false;
}

bool file_poke(FileMap *m, uint64_t offset, uint8_t byte, Err *err)
{
    uint64_t size = page_size();
    uint64_t page = offset & ~(size - 1);
    if (offset >= m->size)
        return err_set(err, "no byte %" PRIu64 ", the file has %zu", offset, m->size);
    if (!is_changed(m, page)) {
        /* the mapping is private: a page that is written becomes a copy of the file's */
        if (mprotect((void *)(m->data + page), size, PROT_READ | PROT_WRITE) != 0)
            return err_set(err, "cannot change byte %" PRIu64 ": %s", offset, strerror(errno));
        m->changed = xrealloc(m->changed, (m->n_changed + 1) * sizeof *m->changed);
        m->changed[m->n_changed++] = page;
    }
    ((uint8_t *)m->data)[offset] = byte;
    return true;
}

/* Put the changed pages' bytes over what was read from the file. */
static void overlay(const FileMap *m, uint64_t offset, uint8_t *buf, size_t n)
{
    uint64_t size = page_size();
    for (size_t i = 0; i < m->n_changed; i++) {
        uint64_t from = m->changed[i] > offset ? m->changed[i] : offset;
        uint64_t end = m->changed[i] + size < offset + n ? m->changed[i] + size : offset + n;
        if (from < end)
            memcpy(buf + (from - offset), m->data + from, end - from);
    }
}

bool file_read_at(const FileMap *m, uint64_t offset, void *buf, size_t n, Err *err)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(m->fd, (char *)buf + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(err, "cannot read at byte %" PRIu64 ": %s", offset, strerror(errno));
        if (got == 0)
            return err_set(err, "became shorter while it was read, at byte %" PRIu64,
                           offset + done);
        done += (size_t)got;
    }
    overlay(m, offset, buf, n);
    return true;
}

void file_forget(const FileMap *m, uint64_t offset, uint64_t n)
{
    uint64_t page = page_size();
    uint64_t start = (offset + page - 1) & ~(page - 1); /* the mapping starts on a page */
    uint64_t end = (offset + n) & ~(page - 1);
    if (m->data && start < end && !m->n_changed)
        (void)madvise((void *)(m->data + start), end - start, MADV_DONTNEED); /* only advice */
}

void file_forget_used(const FileMap *m, uint64_t *used, uint64_t n)
{
    *used += n;
    if (*used < FORGET_EVERY)
        return;
    file_forget(m, 0, m->size);
    *used = 0;
}

bool file_is_same(const FileMap *m, const char *path)
{
    struct stat a;
    struct stat b;
    return m->data && fstat(m->fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static bool cannot_write(const char *path, int why, Err *err)
{
    return err_set(err, "%s: cannot write: %s", path, strerror(why ? why : EIO));
}

/* A file without a name in the directory of path, or -1: nothing is left behind by a kill. */
static int open_nameless(const char *path)
{
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) != 0)
        return -1; /* file_commit could not name it */
    char *copy = xstrdup(path);
    int fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(copy);
    return fd;
#else
    (void)path;
    return -1;
#endif
}

static int open_beside(const char *path, char **tmp_path)
{
    Buf tmp = {0};
    buf_printf(&tmp, "%s.XXXXXX", path);
    int fd = mkstemp(tmp.data);
    if (fd < 0) {
        buf_free(&tmp);
        return -1;
    }
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
    *tmp_path = tmp.data;
    return fd;
}

/* Where a chain of symbolic links ends, although nothing may be there: the link stays, its target
 * is written. NULL when the chain has no end. */
static char *follow_links(const char *path)
{
    enum { LINKS_MOST = 40 };
    char *at = xstrdup(path);
    for (int k = 0; k < LINKS_MOST; k++) {
        char target[PATH_MAX];
        ssize_t n = readlink(at, target, sizeof target - 1);
        if (n < 0)
            return at;
        target[n] = '\0';
        const char *slash = strrchr(at, '/');
        Buf next = {0};
        if (target[0] != '/' && slash)
            buf_add(&next, at, (size_t)(slash - at) + 1);
        buf_text(&next, target);
        free(at);
        at = next.data;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* By its mode too: root may write what is marked as not to be written. */
static bool is_read_only(const char *path, const struct stat *st)
{
    return (st->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path, W_OK) != 0;
}

/* As the file that will be replaced: its mode, and its owner where that is permitted. */
static void take_over(int fd, const struct stat *st)
{
    if (fchown(fd, st->st_uid, st->st_gid) != 0)
        (void)fchown(fd, (uid_t)-1, st->st_gid);
    (void)fchmod(fd, st->st_mode & 07777);
}

static int open_out(FileOut *out, const struct stat *old)
{
    if (out->direct)
        return open(out->path, O_WRONLY | O_CLOEXEC);
    int fd = open_nameless(out->path);
    if (fd < 0)
        fd = open_beside(out->path, &out->tmp_path);
    if (fd >= 0 && old)
        take_over(fd, old);
    return fd;
}

bool file_create(FileOut *out, const char *path, Err *err)
{
    *out = (FileOut){0};
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return cannot_write(path, EISDIR, err);
    out->direct = exists && !S_ISREG(st.st_mode);
    if (exists && !out->direct && is_read_only(path, &st))
        return err_set(err, "%s: cannot write: the file is read-only", path);
    out->path = out->direct ? xstrdup(path) : follow_links(path);
    int fd = out->path ? open_out(out, exists ? &st : NULL) : -1;
    int why = errno;
    out->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (out->stream)
        return true;
    if (fd >= 0)
        close(fd);
    file_abort(out);
    return cannot_write(path, why, err);
}

/* Give the nameless file a name beside the target, ready to be renamed over it. */
static bool name_it(FileOut *out)
{
    char fd_path[64];
    snprintf(fd_path, sizeof fd_path, "/proc/self/fd/%d", fileno(out->stream));
    for (unsigned i = 0; i < 100; i++) {
        Buf tmp = {0};
        buf_printf(&tmp, "%s.%ld.%u", out->path, (long)getpid(), i);
        if (linkat(AT_FDCWD, fd_path, AT_FDCWD, tmp.data, AT_SYMLINK_FOLLOW) == 0) {
            out->tmp_path = tmp.data;
            return true;
        }
        buf_free(&tmp);
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool file_commit(FileOut *out, Err *err)
{
    bool earlier = ferror(out->stream) != 0; /* its reason is gone: the next write tells it again */
    bool ok = fflush(out->stream) == 0 && !earlier;
    if (earlier && write(fileno(out->stream), "", 1) >= 0)
        errno = EIO;
    if (ok && !out->direct) {
        ok = fsync(fileno(out->stream)) == 0 && (out->tmp_path || name_it(out)) &&
             rename(out->tmp_path, out->path) == 0;
        if (ok)
            out->tmp_path[0] = '\0'; /* renamed: nothing to remove */
    }
    int why = errno;
    if (fclose(out->stream) != 0 && ok) {
        ok = false;
        why = errno;
    }
    out->stream = NULL;
    if (!ok)
        cannot_write(out->path, why, err);
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

const char *file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

char *file_read_text(const char *path, size_t max, Err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (!f) {
        err_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    path = file_name(path);
    Buf b = {0};
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0 && b.len <= max)
        buf_add(&b, chunk, n);
    int why = ferror(f) ? errno : 0;
    if (!is_stdin)
        fclose(f);
    const char *zero = b.len > 0 ? memchr(b.data, '\0', b.len) : NULL;
    bool ok = false;
    if (why)
        err_set(err, "%s: cannot read: %s", path, strerror(why));
    else if (b.len > max)
        err_set(err, "%s: too long for a text file", path);
    else if (zero)
        err_set(err, "%s: no text: a zero byte, at byte %td", path, zero - b.data);
    else
        ok = true;
    if (!ok) {
        buf_free(&b);
        return NULL;
    }
    if (b.len >= 3 && memcmp(b.data, "\xef\xbb\xbf", 3) == 0) /* what editors put first */
        memmove(b.data, b.data + 3, b.len - 2);
    return b.data ? b.data : xstrdup("");
}
