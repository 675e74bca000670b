#include "engine/processing_element.h"

#include "engine/fixed_point.h"

void processing_element_next(const ProcessingElement *q, bool clear, bool enable, int16_t a_in,
                             int16_t w_in, ProcessingElement *d)
{
    *d = *q;
    if (clear) {
        *d = (ProcessingElement){0};
    } else if (enable) {
        d->a = a_in;
        d->w = w_in;
        d->acc = low32((int64_t)q->acc + (int32_t)a_in * w_in);
    }
}
