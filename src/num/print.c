#include "num/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* z = |v| * 10^places when that is an integer, with the least such places >= 0. */
static bool to_decimal(mpz_t z, int64_t *places, const Value *v)
{
    mpz_t two, five, den;
    mpz_init_set_ui(two, 2);
    mpz_init_set_ui(five, 5);
    mpz_init(den);
    int64_t twos = v->exp2 + (int64_t)v->exp10, fives = v->exp10;
    twos += (int64_t)mpz_remove(z, v->num, two);
    fives += (int64_t)mpz_remove(z, z, five);
    twos -= (int64_t)mpz_remove(den, v->den, two);
    fives -= (int64_t)mpz_remove(den, den, five);
    bool terminates = mpz_divisible_p(z, den) != 0;
    if (terminates) {
        mpz_divexact(z, z, den);
        int64_t lowest = twos < fives ? twos : fives;
        *places = lowest < 0 ? -lowest : 0;
        mpz_mul_2exp(z, z, (mp_bitcnt_t)(twos + *places));
        mpz_ui_pow_ui(five, 5, (unsigned long)(fives + *places));
        mpz_mul(z, z, five);
    }
    mpz_clears(two, five, den, NULL);
    return terminates;
}

/* digits / 10^places, the point put in. */
static void print_fixed(Buf *b, const char *digits, int64_t places)
{
    int64_t len = (int64_t)strlen(digits);
    if (places <= 0) {
        buf_text(b, digits);
        for (; places < 0; places++)
            buf_text(b, "0");
        return;
    }
    if (len <= places) {
        buf_text(b, "0.");
        for (int64_t i = len; i < places; i++)
            buf_text(b, "0");
        buf_text(b, digits);
        return;
    }
    buf_add(b, digits, (size_t)(len - places));
    buf_text(b, ".");
    buf_text(b, digits + len - places);
}

static bool print_special(Buf *b, const Value *v)
{
    static const char *const names[] = {
        [VALUE_ZERO] = "0", [VALUE_INF] = "inf", [VALUE_NAN] = "nan"};
    if (v->kind == VALUE_FINITE)
        return false;
    if (v->negative && v->kind != VALUE_NAN)
        buf_text(b, "-");
    buf_text(b, names[v->kind]);
    return true;
}

bool value_print(Buf *b, const Value *v)
{
    if (print_special(b, v))
        return true;
    mpz_t z;
    mpz_init(z);
    int64_t places;
    bool terminates = to_decimal(z, &places, v);
    if (terminates) {
        char *digits = xmalloc(mpz_sizeinbase(z, 10) + 2);
        mpz_get_str(digits, 10, z);
        if (v->negative)
            buf_text(b, "-");
        print_fixed(b, digits, places);
        free(digits);
    }
    mpz_clear(z);
    return terminates;
}

/* floor(log10 |v|), two off at most. */
static int64_t log10_estimate(const Value *v)
{
    int64_t digits = (int64_t)mpz_sizeinbase(v->num, 10) - (int64_t)mpz_sizeinbase(v->den, 10);
    return digits + v->exp10 + (int64_t)v->exp2 * 30103 / 100000;
}

/* z = |v| * 10^shift, rounded half to even. */
static void round_scaled(mpz_t z, const Value *v, int64_t shift)
{
    mpz_t den;
    mpz_init_set(den, v->den);
    mpz_set(z, v->num);
    int64_t tens = shift + v->exp10;
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)(tens < 0 ? -tens : tens));
    if (tens >= 0)
        mpz_mul(z, z, power);
    else
        mpz_mul(den, den, power);
    if (v->exp2 >= 0)
        mpz_mul_2exp(z, z, (mp_bitcnt_t)v->exp2);
    else
        mpz_mul_2exp(den, den, (mp_bitcnt_t)-v->exp2);
    mpz_tdiv_qr(z, power, z, den);
    mpz_mul_2exp(power, power, 1);
    int order = mpz_cmp(power, den);
    if (order > 0 || (order == 0 && mpz_odd_p(z)))
        mpz_add_ui(z, z, 1);
    mpz_clears(den, power, NULL);
}

static char *scaled_text(const Value *v, int64_t shift)
{
    mpz_t z;
    mpz_init(z);
    round_scaled(z, v, shift);
    char *text = xmalloc(mpz_sizeinbase(z, 10) + 2);
    mpz_get_str(text, 10, z);
    mpz_clear(z);
    return text;
}

/* The value's first digits, without trailing zeros, and its decimal exponent. */
static char *round_digits(const Value *v, int digits, int64_t *exponent)
{
    /* A first rounding, to a few digits more, has the exponent of the second. */
    int64_t low = log10_estimate(v) - 2;
    char *text = scaled_text(v, digits - low);
    *exponent = low + (int64_t)strlen(text) - 1 - digits;
    free(text);
    text = scaled_text(v, digits - 1 - *exponent);
    size_t n = strlen(text);
    if (n > (size_t)digits) /* 9.99 has become 10.0 */
        ++*exponent;
    for (; n > 1 && text[n - 1] == '0'; n--)
        text[n - 1] = '\0';
    return text;
}

void value_print_rounded(Buf *b, const Value *v, int digits)
{
    if (print_special(b, v))
        return;
    int64_t exponent;
    char *text = round_digits(v, digits, &exponent);
    if (v->negative)
        buf_text(b, "-");
    if (exponent >= -5 && exponent <= 9) {
        print_fixed(b, text, (int64_t)strlen(text) - 1 - exponent);
    } else {
        buf_printf(b, "%c%s%se%+03lld", text[0], text[1] ? "." : "", text + 1, (long long)exponent);
    }
    free(text);
}

/* The exact text of v, unless it is plain from the exponents that it is longer than max. */
static bool print_if_short(Buf *b, const Value *v, size_t max)
{
    int64_t limit = 4 * (int64_t)max;
    bool near = v->exp2 > -limit && v->exp2 < limit && v->exp10 > -limit && v->exp10 < limit &&
                mpz_sizeinbase(v->num, 2) < 4096 && mpz_sizeinbase(v->den, 2) < 4096;
    return (v->kind != VALUE_FINITE || near) && value_print(b, v) && b->len <= max;
}

void value_print_short(Buf *b, const Value *v, size_t width)
{
    Buf text = {0};
    if (!print_if_short(&text, v, width)) {
        for (int digits = (int)width; digits > 0; digits--) {
            buf_clear(&text);
            buf_text(&text, "~");
            value_print_rounded(&text, v, digits);
            if (text.len <= width)
                break;
        }
    }
    buf_text(b, buf_str(&text));
    buf_free(&text);
}
