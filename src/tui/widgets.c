#include "tui/widgets.h"

#include <stdio.h>
#include <string.h>

#include "tui/number.h"
#include "tui/view.h"

enum { HEX_WIDTH = 4, VALUE_WIDTH = 9 }; /* "ffb3", "-128.0000" */

int format_width(NumberFormat f)
{
    const Format *codes = number_format_codes(f);
    if (codes)
        return number_width(codes);
    return f == SHOW_HEX ? HEX_WIDTH : f == SHOW_VALUE ? VALUE_WIDTH : HEX_WIDTH + 1 + VALUE_WIDTH;
}

void format_number(const Engine *e, const Signal *s, int32_t raw, NumberFormat f, char *out,
                   size_t size)
{
    char hex[24], value[48];
    const Format *codes = s->type == TYPE_FIXED ? number_format_codes(f) : NULL;
    if (codes) {
        number_text(s, raw, codes, out, size);
        return;
    }
    signal_hex(e, s, raw, hex, sizeof hex);
    if (s->type == TYPE_FIXED)
        snprintf(value, sizeof value, "%.4f", signal_real(s, raw));
    else
        signal_value(s, raw, value, sizeof value);
    if (f == SHOW_HEX)
        snprintf(out, size, "%*s", HEX_WIDTH, hex);
    else if (f == SHOW_VALUE)
        snprintf(out, size, "%*s", VALUE_WIDTH, value);
    else
        snprintf(out, size, "%*s %*s", HEX_WIDTH, hex, VALUE_WIDTH, value);
}

void q88_text(int32_t raw, char *out, size_t size)
{
    signal_value(signal_at(SIG_TOKEN_EMB), raw, out, size);
}

void text_untab(const char *text, Buf *out)
{
    enum { STOP = 8 };
    int column = 0;
    while (*text) {
        int columns = 0;
        size_t n = text_glyph(text, &columns);
        if (*text == '\t') {
            columns = STOP - column % STOP;
            buf_printf(out, "%*s", columns, "");
        } else {
            buf_add(out, text, n);
        }
        column = *text == '\n' ? 0 : column + columns;
        text += n;
    }
}

const char *text_wrap(const char **text, int width, char *out, size_t size)
{
    const char *t = *text;
    size_t n = 0, blank = 0;
    int columns = 0;
    if (!*t)
        return NULL;
    while (t[n] && t[n] != '\n' && n + 4 < size) {
        int wide = 0;
        size_t length = text_glyph(t + n, &wide);
        if (t[n] == ' ')
            blank = n;
        columns += wide;
        if (columns > (width < 1 ? 1 : width) && n > 0) /* one at least: it goes on */
            break;
        n += length;
    }
    if (t[n] && t[n] != '\n' && blank > 0)
        n = blank;
    memcpy(out, t, n);
    out[n] = '\0';
    *text = t + n + (t[n] == '\n' || t[n] == ' ');
    return out;
}
