#include "cli/systolic_json.h"

/* A word of an operand, as it was meant. */
static json_t *word_of(int16_t word, bool q88)
{
    return q88 ? json_real(word / 256.0) : json_integer(word);
}

/* A sum of products of Q8.8 words has 16 fraction bits. */
static json_t *sum_of(int32_t sum, bool value)
{
    return value ? json_real(sum / 65536.0) : json_integer(sum);
}

static json_t *rows_of(const Product *p, const int32_t *sums, bool values)
{
    json_t *rows = json_array();
    for (int r = 0; r < p->m; r++) {
        json_t *row = json_array();
        for (int c = 0; c < p->n; c++)
            json_array_append_new(row, sum_of(sums[r * p->n + c], values));
        json_array_append_new(rows, row);
    }
    return rows;
}

static double percent(const ProductCost *cost)
{
    return 100.0 * (double)cost->macs / (double)cost->slots;
}

/* A row of A is a token: what one alone keeps busy, and what as many as the array has rows do. */
static json_t *tokens_at_once(const Product *p)
{
    json_t *all = json_array();
    for (int m = 1; m <= p->rows; m += p->rows > 1 ? p->rows - 1 : 1) {
        ProductCost cost = product_cost_of(p, m);
        json_array_append_new(all,
                              json_pack("{s:i, s:f}", "tokens", m, "utilisation", percent(&cost)));
    }
    return all;
}

json_t *systolic_json(const Product *p, const int32_t *sums, bool q88, int wrapped)
{
    ProductCost cost = product_cost(p);
    json_t *doc = json_pack("{s:{s:i, s:i}, s:i, s:i, s:i, s:b, s:o, s:i}", "array", "rows",
                            p->rows, "cols", p->cols, "m", p->m, "k", p->k, "n", p->n, "q88", q88,
                            "product", rows_of(p, sums, q88), "wrapped", wrapped);
    if (q88)
        json_object_set_new(doc, "raw", rows_of(p, sums, false));
    json_t *costs = json_pack(
        "{s:I, s:i, s:i, s:I, s:I, s:f, s:o}", "edges", (json_int_t)cost.edges, "tiles", cost.tiles,
        "edges_of_a_tile", product_edges(p), "macs", (json_int_t)cost.macs, "slots",
        (json_int_t)cost.slots, "utilisation", percent(&cost), "tokens_at_once", tokens_at_once(p));
    json_object_update(doc, costs);
    json_decref(costs);
    return doc;
}

static json_t *terms_of(const Product *p, const SystolicArray *after, int tile, int edge, bool q88)
{
    json_t *all = json_array();
    for (int r = 0; r < p->rows; r++) {
        for (int c = 0; c < p->cols; c++) {
            ProductTerm t;
            if (product_term(p, tile, edge, r, c, &t))
                json_array_append_new(all, json_pack("{s:[ii], s:i, s:o, s:o, s:i, s:i}", "pe", r,
                                                     c, "k", t.k, "a", word_of(t.a, q88), "b",
                                                     word_of(t.b, q88), "product", t.a * t.b, "acc",
                                                     after->pe[r][c].acc));
        }
    }
    return all;
}

static json_t *accs_of(const SystolicArray *s)
{
    json_t *rows = json_array();
    for (int r = 0; r < s->rows; r++) {
        json_t *row = json_array();
        for (int c = 0; c < s->cols; c++)
            json_array_append_new(row, json_integer(s->pe[r][c].acc));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* a: what enters each row from the west; b: each column from the north. */
static void set_inputs(json_t *doc, const SystolicArray *s, const ArrayPins *in, bool q88)
{
    json_t *a = json_array(), *b = json_array();
    for (int r = 0; r < s->rows; r++)
        json_array_append_new(a, word_of(systolic_array_a_in(s, in, r, 0), q88));
    for (int c = 0; c < s->cols; c++)
        json_array_append_new(b, word_of(systolic_array_w_in(s, in, 0, c), q88));
    json_object_set_new(doc, "a", a);
    json_object_set_new(doc, "b", b);
}

void systolic_json_trace(const Product *p, int tile, bool q88, SystolicArray *s, json_t *edges)
{
    for (int edge = 0; edge < product_edges(p); edge++) {
        ArrayPins in = product_pins(p, tile, edge);
        int first = 0, last = 0;
        product_fronts(p, edge, &first, &last);
        json_t *doc = json_pack("{s:i, s:i, s:s, s:[ii], s:i}", "tile", tile, "edge", edge, "phase",
                                product_phase_name(product_phase(p, edge)), "wavefronts", first,
                                last, "macs", product_busy(p, tile, edge));
        set_inputs(doc, s, &in, q88);
        systolic_array_step(s, &in);
        json_object_set_new(doc, "terms", terms_of(p, s, tile, edge, q88));
        json_object_set_new(doc, "sums", accs_of(s));
        json_object_set_new(doc, "done", json_boolean(systolic_array_done(s)));
        json_array_append_new(edges, doc);
    }
}
