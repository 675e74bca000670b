#include "tui/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "num/encode.h"

enum { VALUE_WIDTH = 9 };

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

const Format *number_format_codes(NumberFormat f)
{
    int i = (int)f - SHOW_COUNT;
    return i >= 0 && i < FORMAT_COUNT ? &format_table[i] : NULL;
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

int number_width(const Format *format)
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

void number_text(const Signal *s, int32_t raw, const Format *format, char *out, size_t size)
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
