#ifndef BASE_ERR_H
#define BASE_ERR_H
/* One failure, as text: lower case, no full stop, names the thing. The caller owns the buffer;
 * only main, tui and script print it. */
#include <stdbool.h>

typedef struct Err {
    char text[512];  /* NUL-terminated, "" when nothing failed */
    bool of_content; /* it tells what stands in a file: not for who may not read files */
    bool of_script;  /* a script's own: it failed or ran away */
} Err;

/* Store the message, printable (names, words and values in it are foreign), and return false, so
 * that a failure path is `return err_set(err, ...)`. err may be NULL when the caller does not want
 * the reason. */
bool err_set(Err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
