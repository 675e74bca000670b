#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FAR = 1000 };

static char low(char c)
{
    return (char)tolower((unsigned char)c);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, exchanges of a letter and swaps of neighbours from a to b. */
static int distance(const char *a, size_t n, const char *b, size_t m)
{
    int before[SUGGEST_NAME + 1] = {0}, last[SUGGEST_NAME + 1] = {0}, row[SUGGEST_NAME + 1];
    for (size_t j = 0; j <= m; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = last[j - 1] + (low(a[i - 1]) != low(b[j - 1]));
            row[j] = least(change, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && low(a[i - 1]) == low(b[j - 2]) && low(a[i - 2]) == low(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[m];
}

static bool contains(const char *whole, size_t m, const char *part, size_t n)
{
    for (size_t at = 0; at + n <= m; at++) {
        if (strncasecmp(whole + at, part, n) == 0)
            return true;
    }
    return false;
}

/* How far the name is from what was typed: 0 and up, FAR when that is no slip. */
static int measure(const char *typed, size_t n, const char *name, size_t m)
{
    int slips = least((int)(n + 1) / 3, 3), d;
    if (n == 0 || m == 0 || n > SUGGEST_NAME || m > SUGGEST_NAME)
        return FAR;
    d = distance(typed, n, name, m);
    if (d > slips || d >= (int)n)
        d = FAR;
    if (n >= 2 && n < m && strncasecmp(typed, name, n) == 0)
        d = least(d, 1); /* a beginning */
    if (n >= 3 && contains(name, m, typed, n))
        d = least(d, 2);
    if (m >= 3 && n > m && strncasecmp(typed, name, m) == 0)
        d = least(d, 2); /* more than the name */
    return d;
}

static const char *undashed(const char *text, size_t *len)
{
    for (; *len && *text == '-'; text++)
        (*len)--;
    return text;
}

void suggest_begin(Suggest *s, const char *typed, size_t len)
{
    const char *equals = memchr(typed, '=', len);
    *s = (Suggest){.len = equals ? (size_t)(equals - typed) : len, .near = FAR};
    s->typed = undashed(typed, &s->len);
}

void suggest_offer_n(Suggest *s, const char *name, size_t n)
{
    size_t len = n;
    const char *bare = undashed(name, &len);
    int d = measure(s->typed, s->len, bare, len);
    if (d >= FAR || d > s->near || n >= SUGGEST_NAME)
        return;
    if (d < s->near)
        s->count = 0;
    s->near = d;
    for (int i = 0; i < s->count; i++) {
        if (strlen(s->names[i]) == n && strncmp(s->names[i], name, n) == 0)
            return; /* offered twice */
    }
    if (s->count <= SUGGEST_MOST)
        snprintf(s->names[s->count++], SUGGEST_NAME, "%.*s", (int)n, name);
}

void suggest_offer(Suggest *s, const char *name)
{
    suggest_offer_n(s, name, strlen(name));
}

const char *suggest_text(const Suggest *s, char out[SUGGEST_TEXT])
{
    int shown = s->count > SUGGEST_MOST ? 0 : s->count, len = 0;
    *out = '\0';
    for (int i = 0; i < shown; i++)
        len += snprintf(out + len, SUGGEST_TEXT - (size_t)len, "%s%s",
                        i == 0           ? "did you mean "
                        : i + 1 == shown ? " or "
                                         : ", ",
                        s->names[i]);
    if (shown)
        snprintf(out + len, SUGGEST_TEXT - (size_t)len, "? ");
    return out;
}

const char *suggest_from(const char *typed, const char *const *names, char out[SUGGEST_TEXT])
{
    Suggest s;
    suggest_begin(&s, typed, strlen(typed));
    for (; *names; names++)
        suggest_offer(&s, *names);
    return suggest_text(&s, out);
}
