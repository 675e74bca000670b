#ifndef SCRIPT_PATTERN_H
#define SCRIPT_PATTERN_H
/* Lua's patterns (reference manual 6.4.1), matched step by step: every step is charged to the
 * script's budget, so that a pattern that would backtrack for years ends like any other loop. */
#include <stddef.h>

#include <lua.h>

enum { CAPTURES_MAX = 32 };

typedef struct Capture {
    const char *start;
    ptrdiff_t len; /* or one of the two below */
} Capture;
enum { CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

typedef struct Match {
    lua_State *L;
    const char *text, *text_end;
    const char *pattern_end;
    int depth; /* recursion left */
    int level; /* captures so far, finished or not */
    Capture capture[CAPTURES_MAX];
} Match;

/* Does the pattern match at `s`, a place in text? The end of the match, or NULL. Malformed
 * patterns raise. The pattern comes without its `^`. */
const char *pattern_match(Match *m, const char *s, const char *pattern) __attribute__((nonnull));
/* Push capture `i`; 0 of a pattern without captures is the whole match start..end. */
void pattern_push_capture(Match *m, int i, const char *start, const char *end);
/* Push all captures, or the whole match when there are none (unless start is NULL); how many. */
int pattern_push_captures(Match *m, const char *start, const char *end);

#endif
