#ifndef CLI_SYSTOLIC_JSON_H
#define CLI_SYSTOLIC_JSON_H
/* What `tokstep systolic` answers with --json. */
#include <jansson.h>

#include "tell/product.h"

enum { SYSTOLIC_JSON_MACS = 1 << 16 }; /* products that a trace in one document may have */

/* The whole but the trace: sizes, product (values with q88, and raw), wrapped, edges, tiles, macs,
 * slots, utilisation in percent, tokens_at_once. */
json_t *systolic_json(const Product *p, const int32_t *sums, bool q88, int wrapped);
/* Every edge of a tile from the cleared array s on, appended to edges: what goes in, who
 * multiplies, what the edge leaves behind. */
void systolic_json_trace(const Product *p, int tile, bool q88, SystolicArray *s, json_t *edges);

#endif
