/* Fractions of whole numbers (fraction.h). */
#include "base/fraction.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static bool whole(const char *text, char **end, long *v)
{
    errno = 0;
    if (!isdigit((unsigned char)text[text[0] == '-' || text[0] == '+']))
        return false;
    *v = strtol(text, end, 10);
    return !errno && *v >= INT32_MIN && *v <= INT32_MAX;
}

bool fraction_parse(const char *text, int frac, int32_t *raw)
{
    char *end = NULL;
    long a = 0, b = 0;
    if (!whole(text, &end, &a) || *end != '/' || !whole(end + 1, &end, &b) || *end || b <= 0)
        return false;
    int64_t scaled = (int64_t)a * ((int64_t)1 << frac), down = scaled / b;
    down -= scaled % b < 0; /* floor */
    int64_t rest = scaled - down * b;
    down += 2 * rest > b || (2 * rest == b && (down & 1));
    if (down < INT32_MIN || down > INT32_MAX)
        return false;
    *raw = (int32_t)down;
    return true;
}
