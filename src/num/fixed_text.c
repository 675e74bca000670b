#include "num/fixed_text.h"

#include <string.h>

#include "num/encode.h"
#include "num/text.h"

bool fixed_parse(const char *text, int bits, int frac, int32_t *raw)
{
    const Format word = {.name = "word",
                         .kind = FORMAT_FIXED,
                         .bits = (uint8_t)bits,
                         .man_bits = (uint8_t)frac,
                         .is_signed = true};
    Value v;
    value_init(&v);
    bool ok = value_parse(&v, text, strlen(text), NULL) && value_is_finite(&v);
    if (ok) {
        Encoded e = format_round(&word, &v, &(const Rounding){0});
        *raw = (int32_t)(e.code << (32 - bits)) >> (32 - bits);
        ok = !e.overflow;
    }
    value_free(&v);
    return ok;
}
