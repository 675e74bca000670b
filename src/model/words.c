#include "model/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"

enum { MAX_LIST = 64 << 20, HELD_BELOW = 26 };

bool word_is_plain(const char *word)
{
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz");
    return n > 0 && n <= MAX_LETTERS && word[n] == '\0';
}

bool word_is_held_out(const char *word)
{
    uint8_t digest[32];
    sha256_short(word, strlen(word), digest);
    return digest[0] < HELD_BELOW;
}

bool words_read(Words *w, const char *path, Err *err)
{
    *w = (Words){.text = file_read_text(path, MAX_LIST, err)};
    if (!w->text)
        return false;
    size_t lines = 1;
    for (const char *p = w->text; *p; p++)
        lines += *p == '\n';
    w->train = xcalloc(lines, sizeof *w->train);
    w->held = xcalloc(lines, sizeof *w->held);
    char *rest = NULL;
    for (char *p = strtok_r(w->text, "\n", &rest); p; p = strtok_r(NULL, "\n", &rest)) {
        if (!word_is_plain(p))
            continue;
        if (word_is_held_out(p))
            w->held[w->n_held++] = p;
        else
            w->train[w->n_train++] = p;
    }
    if (w->n_train && w->n_held)
        return true;
    words_free(w);
    return err_set(err, "%s: too few words of a-z", path);
}

void words_free(Words *w)
{
    free(w->text);
    free(w->train);
    free(w->held);
    *w = (Words){0};
}
