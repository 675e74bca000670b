/* Counts what the systolic array is used for in a token (variant array). Mirrors
 * rtl/array_usage.sv.
 *
 * Timing: both counters are cleared in the first cycle of LN1_WAIT and hold after the token. On an
 * enabled edge slots gains R * C, the products that there is room for, and useful gains one for
 * every output that the operand entering row 0 is for. */
#include "engine/unit.h"

void array_usage_next(const Engine *e, const Regs *all, const ArrayWork *work, ArrayRegs *d)
{
    if (all->top.ln1_start) {
        d->useful = d->slots = 0;
    } else if (work->pins.enable) {
        d->useful = all->array.useful + (uint32_t)work->columns;
        d->slots = all->array.slots + (uint32_t)(e->config.pe_rows * e->config.pe_cols);
    }
}
