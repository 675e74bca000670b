#ifndef MODEL_HEX_WORDS_H
#define MODEL_HEX_WORDS_H
/* A file of $readmemh: words of one to four hex digits, `_` between digits, comments of both kinds,
 * `@ADDRESS` in hex where the next word goes. */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Reads exactly n words; each must be told once. Errors name path (for messages) and line. */
bool hex_words_read(const char *text, const char *path, int16_t *words, size_t n, Err *err);

#endif
