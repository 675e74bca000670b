#include "cli/t2_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/cli.h"

json_t *t2_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    Buf plain = {0};
    for (const char *p = text; *p; p++) {
        if ((unsigned char)*p < 0x80)
            buf_printf(&plain, "%c", *p);
        else
            buf_printf(&plain, "\\x%02x", (unsigned)(unsigned char)*p);
    }
    string = json_string(buf_str(&plain));
    buf_free(&plain);
    return string;
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
