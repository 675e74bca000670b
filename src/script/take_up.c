/* Whose lesson it is: the file of a hand-in is looked at before it is written, and what it holds is
 * gone on from; each seed has progress of its own. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/printable.h"
#include "script/lesson_private.h"
#include "script/progress.h"

enum { HAND_IN_MAX = 1 << 20 };

/* What must be there, where a hand-in is to be gone on from. */
typedef struct Owner {
    const char *id, *name;
    bool seeded;
    uint32_t seed;
} Owner;

/* The text behind WORD at the beginning of a line, of `*len` bytes; NULL when there is none. */
static const char *line_of(const char *text, const char *word, size_t *len)
{
    const char *at = strstr(text, word);
    at = at ? at + strlen(word) : NULL;
    *len = at ? strcspn(at, "\r\n") : 0;
    return at;
}

static bool owned_by(char *text, const Owner *owner, uint32_t *seed, Err *err)
{
    char id[LESSON_ID];
    bool changed = false;
    size_t n = 0, digits = 0;
    if (!lesson_hand_in_head(text, id, &changed, err))
        return false;
    if (strcmp(id, owner->id) != 0)
        return err_set(err, "is a hand-in of lesson %s, not of %s", id, owner->id);
    const char *name = line_of(text, "\nname ", &n);
    if (!name || n != strlen(owner->name) || strncmp(name, owner->name, n) != 0)
        return err_set(err, "is the hand-in of %.*s, not of %.*s",
                       name ? (int)(n < 60 ? n : 60) : 6, name ? name : "nobody",
                       HEAD(owner->name, 60));
    const char *number = line_of(text, "\nseed ", &digits);
    unsigned long long kept = number ? strtoull(number, NULL, 10) : 0;
    if (!number || !digits || strspn(number, "0123456789") != digits || kept > UINT32_MAX)
        return err_set(err, "has no seed that can be read");
    if (owner->seeded && kept != owner->seed)
        return err_set(err, "is a hand-in with seed %llu, not with %u", kept,
                       (unsigned)owner->seed);
    *seed = (uint32_t)kept;
    return !changed || err_set(err, "was changed after tokstep had written it");
}

/* What the file holds already: "" when it is not there, is empty, or is a device or a pipe. */
static bool read_handed(const char *file, const Owner *owner, Buf *text, uint32_t *seed, Err *err)
{
    struct stat st;
    Err why = {0};
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
        return true;
    char *handed = file_read_text(file, HAND_IN_MAX, &why);
    bool read = handed != NULL;
    bool ok = read && owned_by(handed, owner, seed, &why);
    if (ok)
        buf_text(text, handed);
    free(handed);
    return ok || (read ? err_set(err, "%.*s: %.*s; it is left as it is", HEAD(file, 200),
                                 HEAD(why.text, 200))
                       : err_set(err, "%.*s", HEAD(why.text, 400)));
}

bool lesson_may_replace(Lesson *l, const char *name, const char *file, const char *lines,
                        ScriptError *error)
{
    Buf handed = {0}, lost = {0};
    size_t n = 0;
    uint32_t kept = 0;
    const char *seed = line_of(lines, "\nseed ", &n);
    Owner owner = {l->info.id, name, seed != NULL, seed ? (uint32_t)strtoul(seed, NULL, 10) : 0};
    bool ok = read_handed(file, &owner, &handed, &kept, &error->err);
    if (ok && handed.len)
        ok = lesson_call(l, "lesson_loses", true, buf_str(&handed), lines, &lost, error);
    if (ok && lost.len)
        ok = err_set(&error->err,
                     "%.*s: holds an answer to %s, which would be lost; it is left as "
                     "it is",
                     HEAD(file, 200), buf_str(&lost));
    buf_free(&handed);
    buf_free(&lost);
    return ok;
}

/* Own progress and what was handed in, as one. */
static bool join(Lesson *l, const char *file, const char *own, const char *handed, Buf *text,
                 ScriptError *error)
{
    Err why = {0};
    const char *args[] = {own, handed, buf_str(&l->digests), NULL};
    return lesson_call_with(l, "lesson_adopt", true, args, text, error) &&
           (!lesson_refused(text, &why) || err_set(&error->err, "%.*s: %.*s; it is left as it is",
                                                   HEAD(file, 200), HEAD(why.text, 200)));
}

/* The progress that the lesson is to go on from; "" when the account's own does as it is. */
static bool next_progress(Lesson *l, const LessonPupil *pupil, Buf *text, ScriptError *error)
{
    Buf handed = {0}, own = {0};
    char key[LESSON_KEY];
    uint32_t seed = pupil->seed;
    char *name = lesson_clean_name(pupil->name ? pupil->name : "");
    Owner owner = {l->info.id, name, pupil->seeded, seed};
    lesson_key(&l->info, key);
    bool ok = !pupil->hand_in || read_handed(pupil->hand_in, &owner, &handed, &seed, &error->err);
    if (ok && (handed.len || pupil->seeded))
        progress_read_seed(key, seed, &own);
    if (ok && handed.len)
        ok = join(l, pupil->hand_in, buf_str(&own), buf_str(&handed), text, error);
    else if (own.len)
        buf_text(text, buf_str(&own));
    else if (ok && pupil->seeded)
        buf_printf(text, "seed %u\npage 1 of %d\n", (unsigned)seed, l->info.pages);
    free(name);
    buf_free(&handed);
    buf_free(&own);
    return ok;
}

bool lesson_prepare(const char *path, const LessonPupil *pupil, ScriptError *error)
{
    Buf text = {0};
    char key[LESSON_KEY];
    if (!pupil->seeded && !pupil->hand_in)
        return true;
    Lesson *l = lesson_open(path, NULL, &(ScriptLimits){0}, false, error);
    bool ok = l && next_progress(l, pupil, &text, error);
    if (ok && text.len) {
        lesson_key(&l->info, key);
        ok = progress_write(key, buf_str(&text), &error->err);
    }
    lesson_free(l);
    buf_free(&text);
    return ok;
}
