#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H
/* What the fuzz targets share. A container is opened through a file in memory, so the fuzzer takes
 * the same door as a user. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tensor/cell.h"
#include "tensor/container.h"
#include "tensor/fingerprint.h"
#include "tensor/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stop with a crash that the fuzzer keeps when a promise is broken. */
static inline void promise(bool kept)
{
    if (!kept)
        abort();
}

/* Read everything a reader said may be read. */
static inline void fuzz_tensor(const Container *c, const Tensor *t)
{
    TensorStats stats;
    VerifyReport report;
    Err err;
    Fingerprint prints[FINGERPRINTS_MAX];
    promise(t->offset <= c->map.size && t->size <= c->map.size - t->offset);
    promise(stats_tensor(&stats, c, t, NULL, &err));
    (void)stats_fingerprints(&stats, t->kind, prints);
    if (verify_knows(t->kind))
        promise(verify_tensor(c, t, &report, &err));
    TensorCell cell;
    if (t->rows && t->cols && (verify_knows(t->kind) || t->kind == KIND_PB16I)) {
        promise(tensor_cell(c, t, 0, 0, &cell, &err));
        promise(tensor_cell(c, t, t->rows - 1, t->cols - 1, &cell, &err));
    }
    Tensor other;
    if (tensor_grouped(c, t, 64, &other, &err) || tensor_grouped(c, t, 128, &other, &err))
        promise(other.size <= t->size);
}

static inline void fuzz_container(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    promise(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    Container c;
    Err err;
    if (container_open(&c, path, &err)) {
        for (size_t i = 0; i < c.count; i++)
            fuzz_tensor(&c, &c.tensors[i]);
        container_close(&c);
    }
    close(fd);
}

#endif
