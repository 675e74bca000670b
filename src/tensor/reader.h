#ifndef TENSOR_READER_H
#define TENSOR_READER_H
/* What the container readers share; private to the room. Each reader fills a Container whose map
 * is set, and leaves cleaning up after a failure to container_open. */
#include "tensor/container.h"

bool gguf_read(Container *c, Err *err);
bool gguf_has_magic(const FileMap *m);
/* .safetensors and .q4nx (named: the file's name ends in .q4nx). */
bool safetensors_read(Container *c, bool named_q4nx, Err *err);

/* err := "PATH: WHY, at byte AT"; returns false. */
bool reader_fail(const Container *c, uint64_t at, Err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
enum { READER_ASKS = 1 << 20 }; /* bytes between two questions whether to go on */
/* `at` bytes of the file are read: false with err set when the one who waits wants it stopped. */
bool reader_goes_on(const Container *c, uint64_t at, Err *err);
/* Has such a warning been given? Then this one is counted, and needs no text. */
bool reader_warns(Container *c, WarnKind kind);
/* Count a warning; the first of its kind keeps its text. */
void reader_warn(Container *c, WarnKind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The list of `count` members of `size` bytes with room for one more; it grows at powers of two. */
void *reader_room(void *list, size_t count, size_t size);
/* A zeroed tensor at the end of c->tensors; pointers to earlier ones become invalid. */
Tensor *reader_add(Container *c);
/* Room for the tensor's n dimensions, all 0; they are the container's. */
void reader_dims(Tensor *t, unsigned n);
/* n bytes of a name as printable text on one line, in fresh memory: controls, bad UTF-8 and
 * characters without a column of their own (bidi controls, combining marks) become \xNN. */
char *reader_name(const uint8_t *bytes, size_t n);
/* The same of a name that someone typed, where what is escaped already stays so. */
char *reader_typed_name(const char *name);

/* All tensors ordered by name, in fresh memory; NULL with err set when two share one. */
Tensor **reader_by_name(const Container *c, Err *err);
/* All tensors ordered by (offset, end), in fresh memory. */
Tensor **reader_by_offset(const Container *c);

#endif
