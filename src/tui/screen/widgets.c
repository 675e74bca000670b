#include "tui/screen/widgets.h"

#include <string.h>

#include "tui/screen/canvas.h"

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
