#ifndef TUI_KEYS_H
#define TUI_KEYS_H
/* The key table: what a key does is a console command. The bottom line and `?` are made from it. */
#include <stdbool.h>

#include <stddef.h>

#include "base/err.h"

/* Names of keys, as scripts write them: "space" "Tab" "S-Tab" "Enter" "Esc" "BS" "Del" "Ins" "Up"
 * "Down" "Left" "Right" "Home" "End" "PgUp" "PgDn" "F1".."F12", "C-x" control, "M-x" alt, a plain
 * character for itself; the mouse is "Click@ROW,COL" "WheelUp@ROW,COL" "WheelDown@ROW,COL" (from
 * 0). */
enum { KEY_NAME_MAX = 32 };
bool key_is_name(const char *name);
/* The error for n bytes that are no key's name, after `before` ("key "): always false. */
bool key_unknown(const char *before, const char *name, size_t n, Err *err);
/* Where the mouse event was; false for keys that are none. `what`: "Click". */
bool key_mouse(const char *name, const char *what, int *y, int *x);

typedef struct Key {
    const char *names;   /* one or more, separated by blanks: "space s" */
    const char *command; /* what it runs. `@` stands for what the cursor is on; a blank at the end:
                          * the prompt opens with it, to be completed */
    const char *again;   /* runs instead when the first is refused (toggles), or NULL */
    const char *hint;    /* for the bottom line: a key or two, a blank, a word; or NULL */
    const char *help;    /* what it does, for `?` */
} Key;

/* Groups for `?`: a title and its keys. */
typedef struct KeyGroup {
    const char *title;
    const Key *keys; /* ends with NULL names */
} KeyGroup;
extern const KeyGroup key_groups[]; /* ends with a NULL title */

/* What a key of a view means: the same in every view that has it. */
typedef enum KeySense {
    SENSE_FOLLOW, /* c */
    SENSE_PHASE,  /* f */
    SENSE_ITEM,   /* [ ] */
    SENSE_GROUP,  /* { } */
    SENSE_LESS,   /* < > */
    SENSE_PART,   /* v */
    SENSE_DRAWN,  /* H */
    SENSE_OTHER,  /* o */
    SENSE_TYPE,   /* e */
    SENSE_SCALE,  /* d */
    SENSE_SEARCH, /* / */
    SENSE_OPEN,   /* Enter */
    SENSE_BACK,   /* BS */
    SENSE_MOVE,   /* arrows and their like */
    SENSE_OWN,    /* of one view only */
    SENSE_COUNT = SENSE_OWN
} KeySense;
/* The keys of a sense and its meaning, by its number. */
typedef struct KeyMeaning {
    const char *keys, *meaning;
} KeyMeaning;
extern const KeyMeaning key_meanings[SENSE_COUNT];

/* The entry for a key, or NULL. */
const Key *key_find(const char *name);
/* Is `name` one of the blank-separated names? */
bool key_matches(const char *names, const char *name);

#endif
