#ifndef ENGINE_PROCESSING_ELEMENT_H
#define ENGINE_PROCESSING_ELEMENT_H
/* One multiply-accumulate cell of the systolic array: mirrors rtl/processing_element.sv
 * (decoder.md section 6). */
#include <stdbool.h>
#include <stdint.h>

/* Its registers; its outputs are the registers themselves. */
typedef struct ProcessingElement {
    int16_t a, w; /* operands, on their way east and south */
    int32_t acc;  /* sum of products, raw; wraps */
} ProcessingElement;

/* The next registers d from the current ones q: on an enabled edge both operands are taken and
 * their product is added; clear wins over enable and zeroes all three; otherwise everything holds.
 */
void processing_element_next(const ProcessingElement *q, bool clear, bool enable, int16_t a_in,
                             int16_t w_in, ProcessingElement *d);

#endif
