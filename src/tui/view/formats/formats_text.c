/* Numbers of the formats view as text. */
#include <stdio.h>
#include <string.h>

#include "num/text.h"
#include "tui/view/formats/formats.h"

static void take(Buf *b, char out[TEXT_SIZE])
{
    snprintf(out, TEXT_SIZE, "%s", buf_str(b));
    buf_free(b);
}

void formats_text(const Value *v, int width, char out[TEXT_SIZE])
{
    Buf b = {0};
    value_print_short(&b, v,
                      (size_t)(width < 14           ? 14
                               : width >= TEXT_SIZE ? TEXT_SIZE - 1
                                                    : width));
    take(&b, out);
}

void formats_signed_text(const Value *v, int digits, char out[TEXT_SIZE])
{
    Buf b = {0};
    if (v->kind == VALUE_FINITE && !v->negative)
        buf_text(&b, "+");
    value_print_rounded(&b, v, digits);
    take(&b, out);
}

void formats_percent(const Value *share, bool sign, char out[TEXT_SIZE])
{
    Value hundred, percent;
    Buf b = {0};
    value_init(&hundred);
    value_init(&percent);
    value_set_binary(&hundred, false, 100, 0);
    if (share->kind == VALUE_FINITE)
        value_mul(&percent, share, &hundred);
    if (sign && percent.kind == VALUE_FINITE && !percent.negative)
        buf_text(&b, "+");
    value_print_rounded(&b, &percent, 3);
    buf_text(&b, " %");
    value_free(&hundred);
    value_free(&percent);
    take(&b, out);
}

void formats_code_text(const Format *format, uint32_t code, int width, char out[TEXT_SIZE])
{
    Value v;
    value_init(&v);
    format_value(format, code, &v);
    formats_text(&v, width, out);
    value_free(&v);
}

void formats_formula(const Format *format, uint32_t code, char out[TEXT_SIZE])
{
    Fields at = format_fields(format, code);
    CodeClass c = format_class(format, code);
    if (c == CLASS_NAN || c == CLASS_INF) {
        snprintf(out, TEXT_SIZE, "this code is reserved for %s", class_name(c));
        return;
    }
    if (format->kind != FORMAT_FLOAT) {
        int64_t rank = 0;
        format_rank(format, code, &rank);
        if (format->man_bits)
            snprintf(out, TEXT_SIZE, "%lld/%d", (long long)rank, 1 << format->man_bits);
        else
            snprintf(out, TEXT_SIZE, "the integer %lld", (long long)rank);
        return;
    }
    bool normal = at.exp != 0 || format->no_zero;
    const char *sign = !format->is_signed ? "" : at.sign ? "-" : "+";
    if (at.man_bits == 0)
        snprintf(out, TEXT_SIZE, "2^(%u-%d)", (unsigned)at.exp, format->bias);
    else
        snprintf(out, TEXT_SIZE, "%s(%d + %u/%u) × 2^(%u-%d)", sign, normal, (unsigned)at.man,
                 1u << at.man_bits, normal ? (unsigned)at.exp : 1u, format->bias);
}

/* Beyond the range: what became of it, in a word. */
static const char *overflow_word(const Formats *f, const Format *format, CodeClass c)
{
    if (c == CLASS_INF)
        return "! inf";
    if (c == CLASS_NAN)
        return "! nan";
    bool wraps = format->kind == FORMAT_FIXED && f->rounding.overflow != OVERFLOW_SATURATE &&
                 f->value->kind != VALUE_INF;
    return wraps ? "! wrapped" : "! saturated";
}

const char *formats_lacks(const Value *v, const Format *format)
{
    if (v->kind == VALUE_NAN || format->is_signed)
        return NULL;
    if (v->kind == VALUE_ZERO)
        return format->no_zero ? "zero" : NULL;
    return v->negative ? "sign" : NULL;
}

bool formats_loses_sign(const Formats *f, const Format *format)
{
    return f->value->kind == VALUE_ZERO && f->value->negative && format->is_signed &&
           formats_encoded(f, format)->code == 0;
}

bool formats_note(const Formats *f, const Format *format, char out[TEXT_SIZE])
{
    const Encoded *e = formats_encoded(f, format);
    CodeClass c = format_class(format, e->code);
    bool nan = f->value->kind == VALUE_NAN;
    const char *word = "";
    const char *lacks = formats_lacks(f->value, format);
    if (nan && c != CLASS_NAN)
        word = "! no nan";
    else if (lacks)
        word = *lacks == 'z' ? "! no zero" : "! no sign";
    else if (!nan && !e->exact && (e->overflow || f->value->kind == VALUE_INF || c == CLASS_NAN))
        word = overflow_word(f, format, c);
    else if (c == CLASS_ZERO && f->value->kind == VALUE_FINITE)
        word = e->tie ? "! 0, a tie" : "! becomes 0";
    else if (e->tie)
        word = c == CLASS_SUBNORMAL ? "tie, subn." : "tie";
    else if (c == CLASS_SUBNORMAL)
        word = "subnormal";
    else if (formats_loses_sign(f, format))
        word = "no -0";
    else if (e->exact)
        word = c == CLASS_MAX ? "exact, max" : "exact";
    snprintf(out, TEXT_SIZE, "%s", word);
    return word[0] == '!';
}
