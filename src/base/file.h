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
    size_t size; /* bytes */
} FileMap;

bool file_map(FileMap *m, const char *path, Err *err);
void file_unmap(FileMap *m);

/* Output that appears under its name whole or not at all: bytes go to a new file in the same
 * directory, file_commit syncs and renames it, file_abort (or a signal) leaves the old file. */
typedef struct FileOut {
    FILE *stream;   /* write here with stdio; errors are found by file_commit */
    char *path;     /* the final name */
    char *tmp_path; /* the name until commit */
} FileOut;

bool file_create(FileOut *out, const char *path, Err *err);
bool file_commit(FileOut *out, Err *err);
void file_abort(FileOut *out);

/* The whole of a (small) text file in a fresh NUL-terminated buffer that the caller frees;
 * refuses more than max bytes. NULL with err set on failure. */
char *file_read_text(const char *path, size_t max, Err *err);

#endif
