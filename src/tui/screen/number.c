/* Numbers in hex, as values, or as the codes of any format. */
#include "tui/screen/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/encode.h"

enum { HEX_WIDTH = 4, VALUE_WIDTH = 9 }; /* "ffb3", "-128.0000" */

const Format *number_format_codes(NumberFormat f)
{
    int i = (int)f - SHOW_COUNT;
    return i >= 0 && i < FORMAT_COUNT ? &format_table[i] : NULL;
}

bool number_format_find(const char *word, NumberFormat *f)
{
    static const char *const words[SHOW_COUNT] = {"hex", "value", "both"};
    for (int i = 0; i < SHOW_COUNT; i++) {
        if (strcmp(word, words[i]) == 0) {
            *f = (NumberFormat)i;
            return true;
        }
    }
    const Format *format = format_find(word);
    if (format)
        *f = (NumberFormat)(SHOW_COUNT + (format - format_table));
    return format != NULL;
}

void number_format_text(NumberFormat f, char *out, size_t size)
{
    const Format *format = number_format_codes(f);
    if (format)
        snprintf(out, size, "%s: code and value", format->name);
    else
        snprintf(out, size, "%s",
                 f == SHOW_HEX     ? "hex"
                 : f == SHOW_VALUE ? "values"
                                   : "hex and value");
}

static int codes_width(const Format *format)
{
    return format_digits(format) + 1 + VALUE_WIDTH;
}

/* Four places where they say something, else as many digits as there is room for. */
static void value_text(double x, char *out, size_t size)
{
    double magnitude = fabs(x);
    if (!isfinite(x))
        snprintf(out, size, "%s", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    else if (magnitude == 0 || (magnitude >= 0.001 && magnitude < 10000))
        snprintf(out, size, "%.4f", x);
    else
        snprintf(out, size, "%.2e", x);
}

static void codes_text(const Signal *s, int32_t raw, const Format *format, char *out, size_t size)
{
    Value v;
    char text[48];
    int64_t magnitude = raw < 0 ? -(int64_t)raw : raw;
    value_init(&v);
    value_set_binary(&v, raw < 0, (uint64_t)magnitude, -s->frac);
    uint32_t code = format_encode(format, &v, &(const Rounding){0});
    value_free(&v);
    value_text(format_to_double(format, code), text, sizeof text);
    snprintf(out, size, "%0*x %*s", format_digits(format), (unsigned)code, VALUE_WIDTH, text);
}

int format_width(NumberFormat f)
{
    const Format *codes = number_format_codes(f);
    if (codes)
        return codes_width(codes);
    return f == SHOW_HEX ? HEX_WIDTH : f == SHOW_VALUE ? VALUE_WIDTH : HEX_WIDTH + 1 + VALUE_WIDTH;
}

void format_number(const Engine *e, const Signal *s, int32_t raw, NumberFormat f, char *out,
                   size_t size)
{
    char hex[24], value[48];
    const Format *codes = s->type == TYPE_FIXED ? number_format_codes(f) : NULL;
    if (codes) {
        codes_text(s, raw, codes, out, size);
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
