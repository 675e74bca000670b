/* Foreign text made harmless (printable.h). One pass, linear in the text; knows nothing of where
 * the text comes from or goes to. */
#include "base/printable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/mem.h"

/* Length of the well-formed UTF-8 character at p (no C1 controls, no surrogates), 0 if none. */
static size_t utf8_length(const uint8_t *p, size_t n)
{
    static const struct {
        uint8_t lo, hi, second_lo, second_hi, length;
    } forms[] = {
        {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (p[0] < forms[i].lo || p[0] > forms[i].hi)
            continue;
        if (n < forms[i].length || p[1] < forms[i].second_lo || p[1] > forms[i].second_hi)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++) {
            if ((p[k] & 0xc0) != 0x80)
                return 0;
        }
        return forms[i].length;
    }
    return 0;
}

static uint32_t code_point(const uint8_t *p, size_t length)
{
    uint32_t ch = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        ch = ch << 6 | (p[i] & 0x3f);
    return ch;
}

/* Line separators, and what turns the text around it or only marks a direction. */
static bool acts(uint32_t ch)
{
    return ch == 0x061c || (ch >= 0x200e && ch <= 0x200f) || (ch >= 0x2028 && ch <= 0x202e) ||
           (ch >= 0x2066 && ch <= 0x2069) || ch == 0xfeff;
}

/* How many bytes at p stand as they are; 0: the first one is escaped. */
static size_t plain_length(const uint8_t *p, size_t n, Printable how)
{
    bool is_name = how == PRINTABLE_NAME || how == PRINTABLE_TYPED;
    if (*p == '\n' || *p == '\t')
        return how == PRINTABLE_TEXT;
    if (*p == '\\')
        return how != PRINTABLE_NAME;
    if (*p < 0x80)
        return *p >= 0x20 && *p < 0x7f;
    size_t length = utf8_length(p, n);
    uint32_t ch = length ? code_point(p, length) : 0;
    int width = length ? glyph_width(ch) : -1;
    return width < 0 || acts(ch) || (is_name && width == 0) ? 0 : length;
}

void printable_add(Buf *b, const void *bytes, size_t n, Printable how)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n;) {
        size_t plain = 0, more;
        while (i + plain < n && (more = plain_length(p + i + plain, n - i - plain, how)) > 0)
            plain += more;
        buf_add(b, p + i, plain);
        i += plain;
        if (i == n)
            break;
        size_t length = utf8_length(p + i, n - i); /* a character is escaped whole */
        for (size_t end = i + (length ? length : 1); i < end; i++)
            buf_printf(b, "\\x%02x", p[i]);
    }
}

char *printable(const void *bytes, size_t n, Printable how)
{
    Buf b = {0};
    buf_add(&b, "", 0);
    printable_add(&b, bytes, n, how);
    return b.data;
}

/* A character as JSON escapes it: beyond the first plane by two surrogates. */
static void add_escape(Buf *b, uint32_t ch)
{
    if (ch > 0xffff)
        buf_printf(b, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (ch >> 10)),
                   (unsigned)(0xdc00 + (ch & 0x3ff)));
    else
        buf_printf(b, "\\u%04x", (unsigned)ch);
}

void printable_json(Buf *b, const char *json)
{
    const uint8_t *p = (const uint8_t *)json;
    for (size_t n = strlen(json), i = 0; i < n;) {
        size_t plain = 0, more;
        while (i + plain < n && (more = plain_length(p + i + plain, n - i - plain, PRINTABLE_TEXT)))
            plain += more;
        buf_add(b, p + i, plain);
        i += plain;
        if (i == n)
            break;
        size_t length = p[i] == 0xc2 ? 2 : utf8_length(p + i, n - i); /* 0xc2: C1 */
        length = length && i + length <= n ? length : 1;
        add_escape(b, code_point(p + i, length));
        i += length;
    }
}

size_t printable_cut(const char *text, size_t n)
{
    size_t start = n;
    while (start > 0 && n - start < 3 && ((uint8_t)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start == 0 || (uint8_t)text[start - 1] < 0xc0)
        return n;
    uint8_t lead = (uint8_t)text[start - 1];
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    return n - (start - 1) < length ? start - 1 : n;
}

int printable_head(const char *text, int most)
{
    return (int)printable_cut(text, strnlen(text, (size_t)most));
}

void printable_in_place(char *text, size_t size)
{
    size_t n = strlen(text);
    const uint8_t *p = (const uint8_t *)text;
    size_t plain = 0, more;
    while (plain < n && (more = plain_length(p + plain, n - plain, PRINTABLE_LINE)) > 0)
        plain += more;
    if (plain == n)
        return;
    if (n + 1 == size) /* it may have been cut within a character */
        n = printable_cut(text, n);
    char *clean = printable(text, n, PRINTABLE_LINE);
    size_t length = strlen(clean);
    if (length >= size)
        length = printable_cut(clean, size - 1);
    memcpy(text, clean, length);
    text[length] = '\0';
    free(clean);
}
