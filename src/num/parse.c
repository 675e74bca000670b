#include "num/text.h"

#include <string.h>
#include <strings.h>

#include "num/format.h"

typedef struct Scan {
    const char *start, *at, *end;
    Err *err;
} Scan;

static bool fail(const Scan *s, const char *wanted)
{
    long position = (long)(s->at - s->start) + 1;
    if (s->at == s->end)
        return err_set(s->err, "ends at character %ld, where %s should be", position, wanted);
    unsigned char c = (unsigned char)*s->at;
    if (c > ' ' && c < 0x7f)
        return err_set(s->err, "'%c' at character %ld, where %s should be", c, position, wanted);
    return err_set(s->err, "byte 0x%02x at character %ld, where %s should be", c, position, wanted);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool at_end(const Scan *s)
{
    return s->at == s->end || fail(s, "the end");
}

static bool accept_word(Scan *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || strncasecmp(s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* The digits of a number as they are read: few go into a word, many wait for GMP. */
typedef struct Digits {
    uint64_t word;
    int significant; /* digits from the first nonzero one on */
    int behind_point;
    const char *first, *last; /* the first nonzero digit, and behind the last one */
} Digits;

static bool scan_digits(Scan *s, Digits *d, int base)
{
    const int room = base == 10 ? 19 : 16;
    bool any = false, point = false;
    *d = (Digits){0};
    for (; s->at < s->end; s->at++) {
        int digit = digit_of(*s->at);
        if (digit < base) {
            any = true;
            d->behind_point += point;
            if (d->significant == 0 && digit == 0)
                continue;
            if (d->significant == 0)
                d->first = s->at;
            if (d->significant < room)
                d->word = d->word * (uint64_t)base + (uint64_t)digit;
            d->significant++;
        } else if (*s->at == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    d->last = s->at;
    return any || fail(s, "a digit");
}

static bool scan_exponent(Scan *s, char letter, int32_t *out)
{
    *out = 0;
    if (s->at == s->end || (*s->at | 0x20) != letter)
        return true;
    s->at++;
    bool negative = s->at < s->end && *s->at == '-';
    if (s->at < s->end && (*s->at == '-' || *s->at == '+'))
        s->at++;
    const char *first = s->at;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        if (s->at - first == TEXT_EXPONENT_DIGITS)
            return err_set(s->err, "an exponent of more than %d digits at character %ld",
                           TEXT_EXPONENT_DIGITS, (long)(first - s->start) + 1);
        *out = *out * 10 + (*s->at - '0');
    }
    if (negative)
        *out = -*out;
    return s->at != first || fail(s, "a digit of the exponent");
}

static void import_digits(mpz_t z, const Digits *d, int base)
{
    if (d->significant <= (base == 10 ? 19 : 16)) {
        mpz_import(z, 1, -1, sizeof d->word, 0, 0, &d->word);
        return;
    }
    char text[TEXT_MAX + 1];
    char *to = text;
    for (const char *from = d->first; from < d->last; from++) {
        if (*from != '.')
            *to++ = *from;
    }
    *to = '\0';
    mpz_set_str(z, text, base);
}

static void set_digits(Value *v, const Digits *d, int base, int32_t exp10, int32_t exp2)
{
    v->kind = d->significant ? VALUE_FINITE : VALUE_ZERO;
    v->exp10 = exp10;
    v->exp2 = exp2;
    mpz_set_ui(v->den, 1);
    import_digits(v->num, d, base);
}

/* Behind A of A/B; both are whole numbers. */
static bool parse_fraction(Value *v, Scan *s, const Digits *above)
{
    Digits below;
    const char *first = ++s->at;
    if (!scan_digits(s, &below, 10))
        return false;
    const char *point = memchr(first, '.', (size_t)(s->at - first));
    if (point) {
        s->at = point;
        return fail(s, point == first ? "a digit" : "the end");
    }
    if (!at_end(s))
        return false;
    if (below.significant == 0)
        return err_set(s->err, "a division by zero at character %ld", (long)(first - s->start) + 1);
    set_digits(v, above, 10, 0, 0);
    import_digits(v->den, &below, 10);
    return true;
}

static bool parse_decimal(Value *v, Scan *s)
{
    Digits d;
    int32_t exponent;
    const char *first = s->at;
    if (!scan_digits(s, &d, 10))
        return false;
    if (s->at < s->end && *s->at == '/' && !memchr(first, '.', (size_t)(s->at - first)))
        return parse_fraction(v, s, &d);
    if (!scan_exponent(s, 'e', &exponent) || !at_end(s))
        return false;
    set_digits(v, &d, 10, exponent - d.behind_point, 0);
    return true;
}

static bool parse_hex(Value *v, Scan *s)
{
    Digits d;
    int32_t exponent;
    if (!scan_digits(s, &d, 16) || !scan_exponent(s, 'p', &exponent) || !at_end(s))
        return false;
    set_digits(v, &d, 16, 0, exponent - 4 * d.behind_point);
    return true;
}

static bool parse_bits32(Value *v, Scan *s)
{
    if (!accept_word(s, "0x"))
        return fail(s, "0x");
    const char *first = s->at;
    uint32_t bits = 0;
    for (; s->at < s->end && digit_of(*s->at) < 16; s->at++) {
        if (s->at - first == 8)
            return fail(s, "the end of eight hex digits");
        bits = bits << 4 | (uint32_t)digit_of(*s->at);
    }
    if (s->at == first)
        return fail(s, "a hex digit");
    if (!at_end(s))
        return false;
    format_value(format_find("fp32"), bits, v);
    return true;
}

static bool parse_special(Value *v, Scan *s, ValueKind kind)
{
    if (!at_end(s))
        return false;
    value_set_special(v, kind, v->negative);
    return true;
}

bool value_parse(Value *v, const char *text, size_t len, Err *err)
{
    Scan s = {.start = text, .at = text, .end = text + len, .err = err};
    while (s.at < s.end && is_blank(*s.at))
        s.at++;
    while (s.end > s.at && is_blank(s.end[-1]))
        s.end--;
    if (s.end - s.at > TEXT_MAX)
        return err_set(err, "more than %d characters", TEXT_MAX);
    if (accept_word(&s, "bits32:"))
        return parse_bits32(v, &s);
    v->negative = s.at < s.end && *s.at == '-';
    if (s.at < s.end && (*s.at == '-' || *s.at == '+'))
        s.at++;
    if (accept_word(&s, "0x"))
        return parse_hex(v, &s);
    if (accept_word(&s, "infinity") || accept_word(&s, "inf"))
        return parse_special(v, &s, VALUE_INF);
    if (accept_word(&s, "nan"))
        return parse_special(v, &s, VALUE_NAN);
    if (s.at == s.end || (*s.at != '.' && digit_of(*s.at) > 9))
        return fail(&s, "a number");
    return parse_decimal(v, &s);
}
