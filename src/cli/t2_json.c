#include "cli/t2_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/cli.h"

json_t *t2_json_text_n(const char *text, size_t n)
{
    json_t *string = json_stringn(text, n);
    if (string)
        return string;
    char *plain = printable(text, n, PRINTABLE_TEXT);
    string = json_string(plain);
    free(plain);
    return string;
}

json_t *t2_json_text(const char *text)
{
    return t2_json_text_n(text, strlen(text));
}

json_t *t2_json_count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

json_t *t2_json_hex(uint32_t bits, int digits)
{
    return json_sprintf("%0*" PRIx32, digits, bits);
}

json_t *t2_json_number(double v)
{
    return isfinite(v) ? json_real(v) : json_string(isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
}

json_t *t2_json_pair(uint64_t a, uint64_t b)
{
    return json_pack("[II]", (json_int_t)a, (json_int_t)b);
}

void t2_json_print(json_t *doc)
{
    cli_json(doc, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
}
