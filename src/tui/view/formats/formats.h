#ifndef TUI_FORMATS_H
#define TUI_FORMATS_H
/* The formats view: what the rest of the explorer may do with it, and what its files share. */
#include "num/block.h"
#include "num/format.h"
#include "tui/view/view.h"

extern const View view_formats;

/* What is looked at: numbers that were typed, a code whose bits were flipped, or, while there is
 * neither, the wire under the cursor of another pane. */
enum { FORMATS_TYPED_MAX = 500 };
typedef struct FormatsState {
    ViewState v;                   /* row: of the formats, col: of the bits */
    int panel;                     /* of those below: the one that is shown where there is room
                                    * for one only */
    char typed[FORMATS_TYPED_MAX]; /* one number or several, as typed; "" for none */
    int element;                   /* which of them */
    bool flipped;                  /* `code` of entry `flipped_in` of format_table stands for it */
    int flipped_in;
    uint32_t code;
    Target followed;
    int other;                /* the format to compare with: 1 + its index; 0: bf16, of bf16 fp16 */
    int block, scale_rule;    /* kind of block and rule of its scale, by index */
    int reciprocal;           /* nvfp4 multiplies as kernels do */
    int round_mode, overflow; /* RoundMode, Overflow */
} FormatsState;

/* Look at what was typed: `:fmt VALUE...`. Numbers as value_parse reads them, or FORMAT:0xHEX (a
 * stored code, when it stands alone); several numbers make a block. */
bool formats_type(FormatsState *s, const char *text, Err *err);
/* The cursor of another pane is on this: once it is on something else than before, that is what
 * the view looks at. */
void formats_follow(FormatsState *s, Target target);

/* ---- inside of the view ---- */

enum { FORMATS_FIVE = 5, PANEL_COUNT = 4 };

/* Bits coloured by field; the fields stand apart as well. */
#define ROLE_SIGN_FIELD     ROLE_TITLE
#define ROLE_EXPONENT_FIELD ((Role)(ROLE_HEAT_NEG + 7))
#define ROLE_MANTISSA_FIELD ((Role)(ROLE_HEAT_POS + 7))

/* Where the value comes from. */
typedef enum { FROM_EXAMPLE, FROM_TYPED, FROM_FLIPPED, FROM_WIRE } Source;

/* All that one frame shows, computed once. */
typedef struct Formats {
    const Engine *e;
    const FormatsState *state;
    bool focused;
    Source source;
    Value
        values[BLOCK_MAX]; /* what a block would hold: typed numbers, or the vector's neighbours */
    int count, at, first;  /* how many; the one looked at; index of values[0] in its vector */
    const Value *value;    /* values[at] */
    Rounding rounding;
    const Format *format;          /* the one under the cursor */
    Encoded encoded[FORMAT_COUNT]; /* the value in each format, by index of format_table */
} Formats;

void formats_open(Formats *f, const Session *s, const FormatsState *state, bool focused);
void formats_close(Formats *f);
/* The largest magnitude of all that is looked at: the whole vector, or all that was typed. */
void formats_largest(const Formats *f, Value *v);
/* Row of the table -> format, and back: the five of every screen first. */
const Format *formats_row(int row);
int formats_row_of(const Format *format);
/* How the format holds the value. */
static inline const Encoded *formats_encoded(const Formats *f, const Format *format)
{
    return &f->encoded[format - format_table];
}
/* The format to compare with. */
const Format *formats_other(const FormatsState *s);
/* Flip bit `bit` of the code under the cursor: the value follows. */
void formats_flip(const Session *s, FormatsState *state);

/* Text of values: at most `width` columns (>= 14), "~" where it is cut; with a sign; a share of 1
 * as "-4.17 %". */
enum { TEXT_SIZE = 160 };
void formats_text(const Value *v, int width, char out[TEXT_SIZE]);
void formats_signed_text(const Value *v, int digits, char out[TEXT_SIZE]);
void formats_percent(const Value *share, bool sign, char out[TEXT_SIZE]);
void formats_code_text(const Format *format, uint32_t code, int width, char out[TEXT_SIZE]);
/* "+(1 + 4/8) x 2^(14-7)": how the bits make the value. */
void formats_formula(const Format *format, uint32_t code, char out[TEXT_SIZE]);
/* What a newcomer should notice about the value in a format: "! saturated", "tie". Whether it is
 * a warning. */
bool formats_note(const Formats *f, const Format *format, char out[TEXT_SIZE]);

/* What an unsigned format lacks to hold v: "zero", "sign" or NULL. */
const char *formats_lacks(const Value *v, const Format *format);
/* Is the value a -0, and the format a signed one that has none? */
bool formats_loses_sign(const Formats *f, const Format *format);

/* The parts of the picture, each into its rectangle (no frame). */
void formats_draw_value(const Formats *f, Canvas *c, Rect r);
void formats_draw_table(const Formats *f, Canvas *c, Rect r, int top);
void formats_draw_heading(const Formats *f, Canvas *c, int y, int x, int w);
void formats_draw_line(const Formats *f, Canvas *c, Rect r);
void formats_draw_plot(const Formats *f, Canvas *c, Rect r);
void formats_draw_compare(const Formats *f, Canvas *c, Rect r);
void formats_draw_block(const Formats *f, Canvas *c, Rect r);
void formats_draw_who(const Formats *f, Canvas *c, Rect r);

/* Worst relative error over 2^log2 .. 2^(log2 + 1) as a number, and the binades worth drawing. */
double formats_worst(const Format *format, int log2);
void formats_binades(const Format *format, int *low, int *high);
/* A row of binades: columns a binade takes, or binades a column stands for. */
typedef struct BinadeAxis {
    int low, high; /* binades low <= b < high */
    int x, width;  /* columns */
} BinadeAxis;
BinadeAxis formats_axis(int low, int high, int x, int width);
int axis_column(const BinadeAxis *a, int log2); /* of a binade; out of range: the nearest end */
void axis_span(const BinadeAxis *a, int column, int *from,
               int *to); /* its binades from <= b < to */
/* 2^low ... 1 ... 2^high under the axis, and a mark under the value's binade. */
void axis_labels(const BinadeAxis *a, Canvas *c, int y, const Value *v);

#endif
