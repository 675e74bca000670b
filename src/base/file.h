#ifndef BASE_FILE_H
#define BASE_FILE_H
/* Files: mapped for reading, written beside and renamed. Messages are "PATH: why"; the one who
 * prints puts "tokstep: " in front. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* A file mapped read-only; size 0 has data NULL. */
typedef struct FileMap {
    const uint8_t *data;
    size_t size;       /* bytes */
    int fd;            /* of the same file, while data is not NULL */
    uint64_t *changed; /* pages that file_poke made private, by their offsets */
    size_t n_changed;
} FileMap;

bool file_map(FileMap *m, const char *path, Err *err);
void file_unmap(FileMap *m);
/* Copy bytes [offset, offset + n) of the file without mapping them in: a pass over a huge file
 * in constant memory. False when the file cannot be read or has become shorter. */
bool file_read_at(const FileMap *m, uint64_t offset, void *buf, size_t n, Err *err);
/* Change a byte in memory only: data and file_read_at show it from now on, the file stays. Costs
 * a page of memory per page that is changed. */
bool file_poke(FileMap *m, uint64_t offset, uint8_t byte, Err *err);
/* Let go of the resident pages that lie whole inside [offset, offset + n); reading them again
 * brings them back. Does nothing once a byte was changed. */
void file_forget(const FileMap *m, uint64_t offset, uint64_t n);
/* For a pass over a mapped file in constant memory: n more bytes were used; once in a megabyte all
 * resident pages are let go. *used starts at 0. */
void file_forget_used(const FileMap *m, uint64_t *used, uint64_t n);

/* Is `path` the mapped file (under whatever name)? */
bool file_is_same(const FileMap *m, const char *path);

/* Output that appears under its name whole or not at all: bytes go to a file without a name (or,
 * where the file system has none, to one beside the target), file_commit syncs it and puts it in
 * place, file_abort or a kill leaves the old file. What is replaced hands on its mode; a link stays
 * and its target is written; a file marked read-only is refused. A device or pipe is written
 * straight. Who writes much stops at the first ferror of the stream. */
typedef struct FileOut {
    FILE *stream;   /* write here with stdio; errors are found by file_commit */
    char *path;     /* the final name */
    char *tmp_path; /* the name until commit; NULL while it has none */
    bool direct;    /* a device or pipe: no commit by renaming */
} FileOut;

bool file_create(FileOut *out, const char *path, Err *err);
bool file_commit(FileOut *out, Err *err);
void file_abort(FileOut *out);

/* How messages call it: `-` is "stdin" wherever file_read_text reads. */
const char *file_name(const char *path);
/* The whole of a (small) text file, or of stdin for the path `-`, in a fresh NUL-terminated buffer
 * that the caller frees, without a UTF-8 mark at its start; refuses more than max bytes, and zero
 * bytes. NULL with err set on failure. */
char *file_read_text(const char *path, size_t max, Err *err);

#endif
