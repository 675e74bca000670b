#ifndef NUM_MEASURE_H
#define NUM_MEASURE_H
/* How far off a format is: errors, rounding intervals, the worst case, rounding twice. All of it
 * is exact; the Values and Intervals are the caller's, initialised. */
#include "num/encode.h"

/* error = stored - v, both finite and stored a value of some format. For v beyond 2^+-VALUE_FAR
 * the smaller of the two is left out: 1 - 1e999999 has a million digits. */
void value_error(Value *error, const Value *stored, const Value *v);

/* value_error of what the code stands for, and relative = error / v (a nan when v is 0 and the
 * error is not). False when v or the code is not finite. */
bool format_error(const Format *f, uint32_t code, const Value *v, Value *error, Value *relative);

/* The values that ROUND_NE takes to a finite code; an end that is inf is open. */
typedef struct Interval {
    Value low, high;
    bool low_closed, high_closed; /* the tie at that end comes here */
} Interval;
void interval_init(Interval *i);
void interval_free(Interval *i);
/* Under saturation the interval of the largest codes is unbounded. False for inf and nan. */
bool format_interval(const Format *f, uint32_t code, Overflow overflow, Interval *out);

/* Half-way between two finite values. */
void value_midpoint(Value *out, const Value *a, const Value *b);

/* The least upper bound of the relative error over 2^log2 <= v < 2^(log2 + 1), nearest and
 * saturating: 1 where everything becomes 0, (v - max) / v at the far end where it clamps. */
void format_worst_error(const Format *f, int log2, Value *relative);

/* Is every finite value of f one of via's? */
bool format_holds(const Format *via, const Format *f);

/* v to `via` and then to f, as a tool that first reads an fp32 does: true when that differs from
 * rounding once. Both steps are the same rounding, which is not stochastic. */
bool format_rounds_twice(const Format *f, const Format *via, const Value *v,
                         const Rounding *rounding, uint32_t *once, uint32_t *twice);

#endif
