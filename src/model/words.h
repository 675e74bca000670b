#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H
/* The corpus: the words of a list that are lower-case a-z and at most 24 letters long, split in
 * two. A word is held out when the first byte of its sha256 is below 26. */
#include "base/err.h"

enum { MAX_LETTERS = 24 };

typedef struct Words {
    char *text;         /* owns the letters */
    const char **train; /* NUL-terminated words, in the list's order */
    const char **held;
    int n_train, n_held;
} Words;

/* Lower-case a-z, 1..MAX_LETTERS of them? */
bool word_is_plain(const char *word);
bool word_is_held_out(const char *word);

bool words_read(Words *w, const char *path, Err *err);
void words_free(Words *w);

#endif
