/* What several views share: numbers as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/view.h"

enum { HEX_WIDTH = 4, VALUE_WIDTH = 9 }; /* "ffb3", "-128.0000" */

int format_width(NumberFormat f)
{
    return f == SHOW_HEX ? HEX_WIDTH : f == SHOW_VALUE ? VALUE_WIDTH : HEX_WIDTH + 1 + VALUE_WIDTH;
}

/* Right-aligned in `width` columns when it is shorter. */
static void pad_left(const char *text, int width, char *out, size_t size)
{
    snprintf(out, size, "%*s", width, text);
}

static void number_as_value(const Signal *s, int32_t raw, char *out, size_t size)
{
    if (s->type == TYPE_STATE)
        snprintf(out, size, "%s", signal_state_name(s, raw));
    else if (s->type == TYPE_FIXED)
        snprintf(out, size, "%.4f", (double)raw / 256);
    else
        snprintf(out, size, "%d", (int)raw);
}

void format_number(const Engine *e, const Signal *s, int32_t raw, NumberFormat f, char *out,
                   size_t size)
{
    char hex[24], value[48];
    signal_hex(e, s, raw, hex, sizeof hex);
    number_as_value(s, raw, value, sizeof value);
    if (f == SHOW_HEX)
        pad_left(hex, HEX_WIDTH, out, size);
    else if (f == SHOW_VALUE)
        pad_left(value, VALUE_WIDTH, out, size);
    else
        snprintf(out, size, "%*s %*s", HEX_WIDTH, hex, VALUE_WIDTH, value);
}

void format_value(int32_t raw, char *out, size_t size)
{
    int64_t magnitude = raw < 0 ? -(int64_t)raw : raw;
    /* 1/256 = 0.00390625: eight decimals hold every fraction exactly */
    int64_t fraction = (magnitude & 0xff) * 390625;
    char digits[16];
    snprintf(digits, sizeof digits, "%08lld", (long long)fraction);
    size_t n = 8;
    while (n > 1 && digits[n - 1] == '0')
        digits[--n] = '\0';
    snprintf(out, size, "%s%lld.%s", raw < 0 ? "-" : "", (long long)(magnitude >> 8), digits);
}
