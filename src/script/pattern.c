#include "script/pattern.h"

#include <ctype.h>
#include <string.h>

#include "script/sandbox.h"

enum { DEPTH_MAX = 200 };

static const char *match(Match *m, const char *s, const char *p) __attribute__((nonnull));

/* ---- one character ---- */

/* The end of the single-character item at p. */
static const char *item_end(Match *m, const char *p)
{
    if (p == m->pattern_end)
        luaL_error(m->L, "malformed pattern (ends with '%%')");
    if (*p++ == '%') {
        if (p == m->pattern_end)
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (p[-1] != '[')
        return p;
    if (p < m->pattern_end && *p == '^')
        p++;
    do { /* a `]` that comes first is a member */
        if (p == m->pattern_end)
            luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p++ == '%')
            p += p < m->pattern_end;
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

static bool in_class(int c, int class)
{
    bool in = false;
    switch (tolower(class)) {
    case 'a':
        in = isalpha(c);
        break;
    case 'c':
        in = iscntrl(c);
        break;
    case 'd':
        in = isdigit(c);
        break;
    case 'g':
        in = isgraph(c);
        break;
    case 'l':
        in = islower(c);
        break;
    case 'p':
        in = ispunct(c);
        break;
    case 's':
        in = isspace(c);
        break;
    case 'u':
        in = isupper(c);
        break;
    case 'w':
        in = isalnum(c);
        break;
    case 'x':
        in = isxdigit(c);
        break;
    default:
        return class == c;
    }
    return in != (isupper(class) != 0);
}

/* Is c in the set p .. end, p at its `[`, end at its `]`? */
static bool in_set(int c, const char *p, const char *end)
{
    bool member = true;
    if (p[1] == '^') {
        member = false;
        p++;
    }
    while (++p < end) {
        if (*p == '%' && p + 1 < end) {
            if (in_class(c, (unsigned char)*++p))
                return member;
        } else if (p + 2 < end && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
                return member;
            p += 2;
        } else if ((unsigned char)*p == c) {
            return member;
        }
    }
    return !member;
}

/* Does the character at s match the item p .. end? Each look costs a step. */
static bool matches_one(Match *m, const char *s, const char *p, const char *end)
{
    sandbox_charge(m->L, 1 + (uint64_t)(end - p) / 8);
    if (s >= m->text_end)
        return false;
    int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(c, (unsigned char)p[1]);
    case '[':
        return in_set(c, p, end - 1);
    default:
        return (unsigned char)*p == c;
    }
}

/* ---- items that stand for several characters ---- */

static const char *match_greedy(Match *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t n = 0;
    while (matches_one(m, s + n, p, end))
        n++;
    for (; n >= 0; n--) {
        const char *rest = match(m, s + n, end + 1);
        if (rest)
            return rest;
    }
    return NULL;
}

static const char *match_lazy(Match *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *rest = match(m, s, end + 1);
        if (rest)
            return rest;
        if (!matches_one(m, s, p, end))
            return NULL;
    }
}

/* %bxy */
static const char *match_balance(Match *m, const char *s, const char *p)
{
    int depth = 1;
    if (m->pattern_end - p < 2)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != p[0])
        return NULL;
    while (++s < m->text_end) {
        sandbox_charge(m->L, 1);
        if (*s == p[1]) {
            if (--depth == 0)
                return s + 1;
        } else if (*s == p[0]) {
            depth++;
        }
    }
    return NULL;
}

/* %f[set]; p at the set. */
static const char *match_frontier(Match *m, const char *s, const char *p)
{
    if (p == m->pattern_end || *p != '[')
        luaL_error(m->L, "missing '[' after '%%f' in pattern");
    const char *end = item_end(m, p);
    int before = s == m->text ? 0 : (unsigned char)s[-1];
    int here = s == m->text_end ? 0 : (unsigned char)*s;
    sandbox_charge(m->L, (uint64_t)(end - p));
    if (in_set(before, p, end - 1) || !in_set(here, p, end - 1))
        return NULL;
    return match(m, s, end);
}

/* %1 .. %9 */
static const char *match_back(Match *m, const char *s, int digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->level || m->capture[i].len == CAPTURE_OPEN)
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    ptrdiff_t len = m->capture[i].len < 0 ? 0 : m->capture[i].len;
    sandbox_charge(m->L, (uint64_t)len / 8 + 1);
    if (m->text_end - s < len || memcmp(m->capture[i].start, s, (size_t)len) != 0)
        return NULL;
    return s + len;
}

static const char *open_capture(Match *m, const char *s, const char *p, ptrdiff_t kind)
{
    if (m->level >= CAPTURES_MAX)
        luaL_error(m->L, "too many captures");
    m->capture[m->level++] = (Capture){s, kind};
    const char *rest = match(m, s, p);
    if (!rest)
        m->level--;
    return rest;
}

static const char *close_capture(Match *m, const char *s, const char *p)
{
    int i = m->level - 1;
    while (i >= 0 && m->capture[i].len != CAPTURE_OPEN)
        i--;
    if (i < 0)
        luaL_error(m->L, "invalid pattern capture");
    m->capture[i].len = s - m->capture[i].start;
    const char *rest = match(m, s, p);
    if (!rest)
        m->capture[i].len = CAPTURE_OPEN;
    return rest;
}

/* ---- sequences ---- */

/* An item that begins with `%` and is no class; *done tells whether it was one. */
static const char *match_escape(Match *m, const char *s, const char *p, bool *done)
{
    *done = true;
    int what = p + 1 < m->pattern_end ? (unsigned char)p[1] : 0;
    if (what == 'b') {
        s = match_balance(m, s, p + 2);
        return s ? match(m, s, p + 4) : NULL;
    }
    if (what == 'f')
        return match_frontier(m, s, p + 2);
    if (isdigit(what)) {
        s = match_back(m, s, what);
        return s ? match(m, s, p + 2) : NULL;
    }
    *done = false;
    return NULL;
}

static const char *match_from(Match *m, const char *s, const char *p)
{
    while (p < m->pattern_end) {
        bool done = false;
        const char *rest = NULL;
        if (*p == '(' && p + 1 < m->pattern_end && p[1] == ')')
            return open_capture(m, s, p + 2, CAPTURE_POSITION);
        if (*p == '(')
            return open_capture(m, s, p + 1, CAPTURE_OPEN);
        if (*p == ')')
            return close_capture(m, s, p + 1);
        if (*p == '$' && p + 1 == m->pattern_end)
            return s == m->text_end ? s : NULL;
        if (*p == '%')
            rest = match_escape(m, s, p, &done);
        if (done)
            return rest;
        const char *end = item_end(m, p);
        int quantifier = end < m->pattern_end ? *end : 0;
        if (quantifier == '*')
            return match_greedy(m, s, p, end);
        if (quantifier == '-')
            return match_lazy(m, s, p, end);
        if (quantifier == '+')
            return matches_one(m, s, p, end) ? match_greedy(m, s + 1, p, end) : NULL;
        bool one = matches_one(m, s, p, end);
        if (quantifier == '?') {
            rest = one ? match(m, s + 1, end + 1) : NULL;
            if (rest)
                return rest;
            p = end + 1;
        } else if (!one) {
            return NULL;
        } else {
            s++;
            p = end;
        }
    }
    return s;
}

static const char *match(Match *m, const char *s, const char *p)
{
    if (m->depth-- == 0)
        luaL_error(m->L, "pattern too complex");
    const char *end = match_from(m, s, p);
    m->depth++;
    return end;
}

const char *pattern_match(Match *m, const char *s, const char *pattern)
{
    m->depth = DEPTH_MAX;
    m->level = 0;
    return match(m, s, pattern);
}

/* ---- captures ---- */

void pattern_push_capture(Match *m, int i, const char *start, const char *end)
{
    if (i >= m->level) {
        if (i != 0)
            luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    const Capture *c = &m->capture[i];
    if (c->len == CAPTURE_OPEN)
        luaL_error(m->L, "unfinished capture");
    if (c->len == CAPTURE_POSITION)
        lua_pushinteger(m->L, c->start - m->text + 1);
    else
        lua_pushlstring(m->L, c->start, (size_t)c->len);
}

int pattern_push_captures(Match *m, const char *start, const char *end)
{
    int n = m->level == 0 && start ? 1 : m->level;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++)
        pattern_push_capture(m, i, start, end);
    return n;
}
