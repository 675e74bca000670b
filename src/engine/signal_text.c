/* Signals as people write and read them: names of states and elements, hex digits, values. */
#include "engine/signals.h"

#include <inttypes.h>
#include <stdio.h>

const char *signal_state_name(const Signal *s, int32_t state)
{
    for (int32_t i = 0; s->names && s->names[i]; i++) {
        if (i == state)
            return s->names[i];
    }
    return "?";
}

int signal_element_name(const Engine *e, const Signal *s, int at, char *out, size_t size)
{
    switch (signal_rank(s)) {
    case 0:
        return snprintf(out, size, "%s", s->path);
    case 1:
        return snprintf(out, size, "%s[%d]", s->path, at);
    default: {
        int cols = signal_dim(e, s, 1);
        return snprintf(out, size, "%s[%d][%d]", s->path, at / cols, at % cols);
    }
    }
}

int signal_hex(const Engine *e, const Signal *s, int32_t raw, char *out, size_t size)
{
    int width = signal_width(e, s);
    uint32_t bits = width >= 32 ? (uint32_t)raw : (uint32_t)raw & ((1u << width) - 1);
    return snprintf(out, size, "%0*x", (width + 3) / 4, (unsigned)bits);
}

double signal_real(const Signal *s, int32_t raw)
{
    return raw / (double)(1u << s->frac);
}

int signal_value(const Signal *s, int32_t raw, char *out, size_t size)
{
    if (s->type == TYPE_STATE)
        return snprintf(out, size, "%s", signal_state_name(s, raw));
    if (s->type != TYPE_FIXED)
        return snprintf(out, size, "%d", raw);
    uint32_t magnitude = raw < 0 ? 0u - (uint32_t)raw : (uint32_t)raw;
    char digits[24]; /* fraction: k/2^n is k * 5^n / 10^n */
    uint64_t fraction = magnitude & ((1u << s->frac) - 1);
    for (int k = 0; k < s->frac; k++)
        fraction *= 5;
    int n = snprintf(digits, sizeof digits, "%0*" PRIu64, s->frac, fraction);
    while (n > 1 && digits[n - 1] == '0')
        n--;
    return snprintf(out, size, "%s%u.%.*s", raw < 0 ? "-" : "", (unsigned)(magnitude >> s->frac), n,
                    digits);
}
