#include "tensor/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

char json_text_peek(JsonText *j)
{
    while (j->at < j->n && is_blank(j->text[j->at]))
        j->at++;
    return j->at < j->n ? j->text[j->at] : '\0';
}

/* j->why := "WHAT expected near 'the text at hand'"; returns false. */
static bool expected(JsonText *j, const char *what)
{
    uint64_t left = j->n - j->at;
    int shown = left < 20 ? (int)left : 20;
    j->why_at = j->at;
    if (left)
        snprintf(j->why, sizeof j->why, "%s expected near '%.*s'", what, shown, j->text + j->at);
    else
        snprintf(j->why, sizeof j->why, "%s expected near end of file", what);
    return false;
}

static bool take(JsonText *j, char ch)
{
    bool is = json_text_peek(j) == ch && j->at < j->n;
    j->at += is;
    return is;
}

bool json_text_end(JsonText *j)
{
    json_text_peek(j);
    return j->at == j->n || expected(j, "end of file");
}

/* Behind the string whose first quote stands at `at`; the text's end when it has no last one. */
static uint64_t string_end(const JsonText *j, uint64_t at)
{
    for (at++; at < j->n && j->text[at] != '"'; at++)
        at += j->text[at] == '\\';
    return at < j->n ? at + 1 : j->n;
}

uint64_t json_text_length(JsonText *j, uint64_t most)
{
    uint64_t depth = 0;
    json_text_peek(j);
    uint64_t i = j->at;
    while (i < j->n && i - j->at <= most) {
        char ch = j->text[i];
        bool closes = ch == '}' || ch == ']';
        if (depth == 0 && (closes || ch == ',' || is_blank(ch)))
            break;
        depth += ch == '{' || ch == '[';
        depth -= closes;
        i = ch == '"' ? string_end(j, i) : i + 1;
    }
    return i - j->at;
}

/* What jansson says of the text up to `end`. */
static json_t *parsed(JsonText *j, uint64_t end)
{
    json_error_t why;
    json_t *v =
        json_loadb(j->text + j->at, end - j->at, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (v) {
        j->at = end;
        return v;
    }
    snprintf(j->why, sizeof j->why, "%s", why.text);
    j->why_at = j->at + (uint64_t)(why.position > 0 ? why.position : 0);
    return NULL;
}

json_t *json_text_value(JsonText *j)
{
    uint64_t n = json_text_length(j, j->n);
    if (n > 0)
        return parsed(j, j->at + n);
    expected(j, "value");
    return NULL;
}

/* Printable ASCII without an escape: what nearly every string is. */
static bool is_plain(const char *text, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '\\')
            return false;
    }
    return true;
}

char *json_text_string(JsonText *j)
{
    if (json_text_peek(j) != '"') {
        expected(j, "string");
        return NULL;
    }
    uint64_t end = string_end(j, j->at);
    const char *inside = j->text + j->at + 1;
    uint64_t n = end - j->at - 1;
    if (n && inside[n - 1] == '"' && is_plain(inside, n - 1)) {
        char *copy = xmalloc(n);
        memcpy(copy, inside, n - 1);
        copy[n - 1] = '\0';
        j->at = end;
        return copy;
    }
    json_t *v = parsed(j, end);
    char *text = v ? xstrdup(json_string_value(v)) : NULL;
    json_decref(v);
    return text;
}

bool json_text_members(JsonText *j, JsonMember *member, void *context)
{
    if (!take(j, '{'))
        return expected(j, "'{'");
    if (take(j, '}'))
        return true;
    do {
        json_text_peek(j);
        j->key_at = j->at;
        char *key = json_text_string(j);
        if (!key)
            return false;
        if (!take(j, ':')) {
            free(key);
            return expected(j, "':'");
        }
        if (!member(context, key))
            return false;
    } while (take(j, ','));
    return take(j, '}') || expected(j, "'}'");
}
