#ifndef CLI_FMT_TABLE_H
#define CLI_FMT_TABLE_H
/* The tables that `tokstep fmt` prints, as text of at most 80 columns. */
#include "num/encode.h"

/* Append: a row per format with bits, value and class; a row per format with the error and the
 * neighbours; who disagrees; where rounding twice shows. typed is the value as it was given. */
void fmt_table_value(Buf *b, const char *typed, const Value *v, const Rounding *rounding);

/* Append what is to be known about one code, a fact a line. */
void fmt_table_code(Buf *b, const Format *f, uint32_t code);

#endif
