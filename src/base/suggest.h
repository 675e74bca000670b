#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H
/* "did you mean": the names that come nearest to one that is unknown. A slip of one or two letters,
 * letters exchanged, a beginning, a part and another case are near; dashes in front and what stands
 * behind a = do not count. */
#include <stddef.h>

/* Where more than SUGGEST_MOST are as near, none is said: that fits many says nothing. */
enum { SUGGEST_MOST = 5, SUGGEST_NAME = 48, SUGGEST_TEXT = 300 };

typedef struct Suggest {
    const char *typed; /* not NUL-terminated */
    size_t len;
    int near;  /* of the names kept: 0 is the name itself in another case */
    int count; /* of names kept; SUGGEST_MOST + 1: many */
    char names[SUGGEST_MOST + 1][SUGGEST_NAME];
} Suggest;

/* The unknown name is len bytes from typed on, which must stay. */
void suggest_begin(Suggest *s, const char *typed, size_t len);
/* A name that there is, as text or as its first n bytes. */
void suggest_offer(Suggest *s, const char *name);
void suggest_offer_n(Suggest *s, const char *name, size_t n);
/* Into out: "did you mean A? " or "did you mean A or B? ", "" when nothing comes near; for what is
 * said next. Returns out. */
const char *suggest_text(const Suggest *s, char out[SUGGEST_TEXT]);
/* The same over a list that ends with NULL, for a name that is a string. */
const char *suggest_from(const char *typed, const char *const *names, char out[SUGGEST_TEXT]);

#endif
