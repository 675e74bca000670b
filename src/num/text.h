#ifndef NUM_TEXT_H
#define NUM_TEXT_H
/* Values as text, both ways exact. */
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "num/value.h"

enum { TEXT_MAX = 4096, TEXT_EXPONENT_DIGITS = 6 };

/* Read one number: a decimal (1.5, -.5e-3), a fraction of whole numbers (-192/256), a hex float
 * (0x1.8p3), inf, nan, or an fp32 pattern (bits32:0x3f800000), with blanks around it or none.
 * Refused with the position
 * (characters count from 1): anything else, more than TEXT_MAX characters between the blanks,
 * an exponent of more than TEXT_EXPONENT_DIGITS digits. cli.md, fmt. */
bool value_parse(Value *v, const char *text, size_t len, Err *err);

/* Append the full decimal expansion: 0.001953125, -0, inf, nan (nan has no sign). For a value with
 * none (1/3) appends nothing and returns false. */
bool value_print(Buf *b, const Value *v);

/* Append the value rounded (half to even) to `digits` significant digits, without trailing zeros;
 * fixed notation for exponents -5 .. 9, else d.ddde-07. */
void value_print_rounded(Buf *b, const Value *v, int digits);

/* Append at most width (>= 14) characters: the exact text when it fits, else "~" and the value
 * rounded to what does. */
void value_print_short(Buf *b, const Value *v, size_t width);

#endif
