#ifndef CLI_FMT_JSON_H
#define CLI_FMT_JSON_H
/* What `tokstep fmt` answers with --json. Codes are hex text, values the nearest doubles (every
 * value of a format is one), inf and nan text. */
#include <jansson.h>

#include "num/block.h"
#include "num/encode.h"

/* typed, value, formats: per format code, bits, value, class, flags, error, relative, below, above,
 * opinions of tools that differ, twice (through a wider format where that shows). */
json_t *fmt_json_value(const char *typed, const Value *v, const Rounding *rounding);
/* format, code, summary, bits, value, class, ulp, below, above, nearest, read_as. */
json_t *fmt_json_code(const Format *f, uint32_t code);
/* format, codes: code and value of all of them. */
json_t *fmt_json_codes(const Format *f);
/* typed, code. */
json_t *fmt_json_encoded(const char *typed, const Format *f, uint32_t code);
/* block, scale, elements; divided is the block without --reciprocal. */
json_t *fmt_json_block(const Block *block, const Block *divided, const Value *values);

#endif
