/* The table of the formats view: a row per format.
 *
 *   ─ format hex  sign exp mantissa ─ value ──────── error ──── relative ─ ─────────
 *   ►e4m3  74   0 1110 100          192            -8         -4 %       tie
 */
#include <stdio.h>
#include <string.h>

#include "num/measure.h"
#include "num/text.h"
#include "tui/view/formats/formats.h"

typedef struct Columns {
    int hex, bits, value, error, relative, note; /* first column of each; relative 0: left out, */
                                                 /* and a note stands in place of the error */
    int value_width, digits;                     /* room for the value; digits of the error */
} Columns;

static const Columns slim = {6, 11, 30, 45, 0, 45, 14, 4};
static const Columns tight = {6, 11, 30, 45, 56, 66, 14, 4};
static const Columns narrow = {6, 11, 30, 45, 56, 67, 14, 4};
static const Columns wide = {11, 20, 55, 80, 98, 110, 23, 8};

static const Columns *columns_for(int w)
{
    return w >= 124 ? &wide : w >= 78 ? &narrow : w >= 77 ? &tight : &slim;
}

void formats_draw_heading(const Formats *f, Canvas *c, int y, int x, int w)
{
    const Columns *k = columns_for(w);
    const struct {
        int x;
        Role role;
        const char *text;
    } words[] = {
        {1, ROLE_TITLE, "in"},
        {k->hex, ROLE_TITLE, "hex"},
        {k->bits, ROLE_SIGN_FIELD, "sign"},
        {k->bits + 5, ROLE_EXPONENT_FIELD, "exp"},
        {k->bits + 9, ROLE_MANTISSA_FIELD, "mantissa"},
        {k->value, ROLE_TITLE, "value"},
        {k->error, ROLE_TITLE, "error"},
        {k->relative, ROLE_TITLE, "relative"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words && words[i].x; i++) {
        canvas_text(c, y, x + words[i].x - 1, ROLE_FRAME, " ");
        int end = canvas_text(c, y, x + words[i].x, words[i].role, words[i].text);
        canvas_text(c, y, end, ROLE_FRAME, " ");
    }
    /* what R and o have changed */
    static const char *const modes[] = {"", "away", "zero", "up", "down"};
    const char *mode = modes[f->rounding.mode > ROUND_DOWN ? 0 : f->rounding.mode];
    bool saturates = f->rounding.overflow == OVERFLOW_SATURATE;
    char policy[48];
    snprintf(policy, sizeof policy, " %s%s%s ", mode, *mode && !saturates ? ", " : "",
             saturates ? "" : "ieee");
    if (*mode || !saturates)
        canvas_text(c, y, x + w - text_width(policy), ROLE_ACTIVE, policy);
}

/* The bits, coloured by field, a blank or a point between the fields. */
static int draw_bits(const Formats *f, Canvas *c, int y, int x, int row)
{
    const Format *format = formats_row(row);
    uint32_t code = formats_encoded(f, format)->code;
    Fields at = format_fields(format, code);
    int cursor = f->state->v.col < format->bits ? f->state->v.col : format->bits - 1;
    bool chosen = format == f->format;
    for (int i = 0; i < format->bits; i++) {
        Role role = i < at.sign_bits                 ? ROLE_SIGN_FIELD
                    : i < at.sign_bits + at.exp_bits ? ROLE_EXPONENT_FIELD
                                                     : ROLE_MANTISSA_FIELD;
        if (i > 0 && i == at.sign_bits)
            x++;
        if (i > 0 && i == at.sign_bits + at.exp_bits)
            canvas_put(c, y, x++, ROLE_DIM, format->kind == FORMAT_FLOAT ? ' ' : '.');
        if (chosen && i == cursor && f->focused) {
            role = ROLE_CURSOR;
            c->cursor_y = y;
            c->cursor_x = x;
        }
        canvas_put(c, y, x, role, code >> (format->bits - 1 - i) & 1 ? '1' : '0');
        canvas_aim(c, (Rect){y, x++, 1, 1}, aim_at(row, i));
    }
    return x;
}

/* At `column`, or a blank further on when the row is there already. */
static int at_column(int x, int column)
{
    return column > x ? column : x + 1;
}

static int draw_errors(const Formats *f, Canvas *c, int y, int x, int left, const Format *format,
                       const Columns *k)
{
    char text[TEXT_SIZE];
    Value error, relative;
    value_init(&error);
    value_init(&relative);
    const Encoded *e = formats_encoded(f, format);
    if (!format_error(format, e->code, f->value, &error, &relative)) {
        x = canvas_text(c, y, at_column(x, left + k->error), ROLE_DIM, "-");
    } else if (error.kind == VALUE_ZERO) {
        x = canvas_text(c, y, at_column(x, left + k->error), ROLE_DIM, "0");
    } else {
        formats_signed_text(&error, k->digits, text);
        x = canvas_text(c, y, at_column(x, left + k->error), ROLE_TEXT, text);
        formats_percent(&relative, true, text);
        if (relative.kind == VALUE_FINITE && k->relative)
            x = canvas_text(c, y, at_column(x, left + k->relative), ROLE_TEXT, text);
    }
    value_free(&error);
    value_free(&relative);
    return x;
}

/* On a wide screen: what the other policy would store, or the neighbours of a tie. */
static void draw_aside(const Formats *f, Canvas *c, int y, int x, const Format *format)
{
    const Encoded *e = formats_encoded(f, format);
    char text[TEXT_SIZE];
    Rounding other = f->rounding;
    other.overflow = other.overflow == OVERFLOW_SATURATE ? OVERFLOW_IEEE : OVERFLOW_SATURATE;
    uint32_t code = format_encode(format, f->value, &other);
    if (f->source == FROM_FLIPPED || code == e->code)
        return;
    formats_code_text(format, code, 14, text);
    canvas_textf(c, y, x, ROLE_DIM, "(%s: %0*x = %s)",
                 other.overflow == OVERFLOW_SATURATE ? "saturated"
                 : format->kind == FORMAT_FIXED      ? "wrapped"
                                                     : "ieee",
                 format_digits(format), (unsigned)code, text);
}

static void draw_row(const Formats *f, Canvas *c, int y, Rect r, int row)
{
    const Format *format = formats_row(row);
    const Columns *k = columns_for(r.w);
    const Encoded *e = formats_encoded(f, format);
    bool chosen = format == f->format;
    char text[TEXT_SIZE];
    int left = r.x;
    canvas_text(c, y, left, ROLE_ACTIVE, chosen ? MARK_ACTIVE : " ");
    canvas_aim(c, (Rect){y, left, 1, k->bits}, aim_at(row, -1));
    int x = canvas_text(c, y, left + 1, chosen ? ROLE_ACTIVE : ROLE_TEXT, format->name);
    x = canvas_textf(c, y, at_column(x, left + k->hex), ROLE_TEXT, "%0*x", format_digits(format),
                     (unsigned)e->code);
    x = draw_bits(f, c, y, at_column(x, left + k->bits), row);
    formats_code_text(format, e->code, k->value_width, text);
    x = canvas_text(c, y, at_column(x, left + k->value), ROLE_TEXT, text);
    bool warns = formats_note(f, format, text);
    Role role = warns ? ROLE_WARN : e->tie ? ROLE_ACTIVE : ROLE_DIM;
    if (k->relative || role == ROLE_DIM) {
        x = draw_errors(f, c, y, x, left, format, k);
        if (!k->relative)
            return;
    }
    x = canvas_text(c, y, at_column(x, left + k->note), role, text);
    if (k == &wide)
        draw_aside(f, c, y, x + 1, format);
}

/* The five keep their places; the other formats scroll below them. */
void formats_draw_table(const Formats *f, Canvas *c, Rect r, int top)
{
    for (int i = 0; i < r.h && i < FORMAT_COUNT; i++) {
        int row = r.h <= FORMATS_FIVE ? top + i : i < FORMATS_FIVE ? i : top + i;
        draw_row(f, c, r.y + i, r, row);
    }
}
