#ifndef SESSION_EXPR_H
#define SESSION_EXPR_H
/* Conditions on the machine: `SIGNAL[i] OP VALUE`, `SIGNAL changes`, `SIGNAL saturates`,
 * `SIGNAL wraps`, joined by `and` / `or` (and binds tighter). OP is == != < <= > >=. VALUE is a
 * state name, 0x... a raw word, a number with a point or A/B a value, any other integer a raw
 * number. A vector without an index means: an element that the last clock edge stored (of an array
 * of registers: changed); `any saturates`, `any wraps`: any element at all. */
#include "base/err.h"
#include "base/suggest.h"
#include "engine/engine.h"

typedef struct Expr Expr;

/* NULL with err set (names the word and what is allowed). Bound to the machine's variant and sizes.
 */
Expr *expr_parse(const char *text, const Engine *e, Err *err);
void expr_free(Expr *x);
/* Is it true of this cycle? */
bool expr_true(const Expr *x, const Engine *e);
/* Does it speak of the edge itself (changes, saturates, wraps, stored elements)? Then every true
 * cycle is a hit; otherwise only the first of a run of true cycles. */
bool expr_is_pulse(const Expr *x);
/* Is this cycle a hit, when *was says whether it was true of the cycle before? *was follows. */
static inline bool expr_hits(const Expr *x, const Engine *e, bool *was)
{
    bool before = *was;
    *was = expr_true(x, e);
    return *was && (!before || expr_is_pulse(x));
}
const char *expr_text(const Expr *x);
/* The element whose event, else change, else new value, else value makes it true of this cycle: of
 * the first and-group that is true. False when the condition is not. *named: the text says which it
 * is. */
bool expr_element(const Expr *x, const Engine *e, const Signal **s, int *at, bool *named);

/* "did you mean softmax.max? " of the first n bytes, a signal that there is not; "" for none. */
const char *signal_hint(const Engine *e, const char *name, size_t n, char out[SUGGEST_TEXT]);
/* "NAME", "NAME[i]", "NAME[i][j]": the signal and the element (-1 for a whole vector). */
bool element_parse(const char *text, const Engine *e, const Signal **s, int *at, Err *err);
/* The same for an element, a row ("K[3]") or all: `count` elements from `first` on. */
bool span_parse(const char *text, const Engine *e, const Signal **s, int *first, int *count,
                Err *err);
/* A raw number for that signal from text, in the VALUE syntax above. */
bool raw_parse(const char *text, const Engine *e, const Signal *s, int32_t *raw, Err *err);

#endif
