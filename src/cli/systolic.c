/* tokstep systolic: a matrix product on the systolic array, edge by edge if wanted. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/systolic_json.h"
#include "cli/t2_json.h"
#include "num/text.h"
#include "tell/product.h"

const char systolic_help[] =
    "tokstep systolic --a MATRIX --b MATRIX [OPTIONS]: A x B on the systolic array\n\n"
    "  --a \"1 2; 3 4\"       rows parted by ';', numbers by blanks or commas\n"
    "  --b \"5 6; 7 8\"       as many rows as A has columns\n"
    "  --rows R --cols C    size of the array, 1..16 (default 4 x 4)\n"
    "  --q88                numbers are values, rounded to Q8.8; prints values, then\n"
    "                       raw sums\n"
    "  --trace              every edge, from 0: wavefronts, operands, products,\n"
    "                       sums, done\n"
    "  --done legacy        done one edge late, as in the earlier design (default:\n"
    "                       exact)\n"
    "  --json               the same as one JSON document, --trace too (up to 65536\n"
    "                       products)\n\n"
    "Prints the product, a row a line, then edges, MACs and utilisation. Smaller\n"
    "matrices are padded with zeros; larger ones run tile by tile. 0x.. is a raw\n"
    "word. A row of A is one token: it keeps one row of the array busy, whatever the\n"
    "array's size.\n\n"
    "  tokstep systolic --a \"1 2; 3 4\" --b \"5 6; 7 8\" --rows 2 --cols 2 --trace\n";

typedef struct Options {
    const char *a, *b;
    int rows, cols;
    bool q88, trace, legacy, json;
} Options;

/* ---- numbers ---- */

/* A word of an operand, as it was meant. */
static void print_word(Buf *b, int16_t word, bool q88)
{
    Value v;
    if (!q88) {
        buf_printf(b, "%d", word);
        return;
    }
    value_init(&v);
    value_set_binary(&v, word < 0, (uint64_t)(word < 0 ? -word : word), -8);
    value_print(b, &v);
    value_free(&v);
}

/* A sum of products of Q8.8 words has 16 fraction bits. */
static void print_sum_value(Buf *b, int32_t sum)
{
    Value v;
    value_init(&v);
    value_set_binary(&v, sum < 0, (uint64_t)(sum < 0 ? -(int64_t)sum : sum), -16);
    value_print(b, &v);
    value_free(&v);
}

/* ---- the trace ---- */

static void print_inputs(Buf *b, const SystolicArray *s, const ArrayPins *in, bool q88)
{
    buf_text(b, "  a");
    for (int r = 0; r < s->rows; r++) {
        buf_text(b, " ");
        print_word(b, systolic_array_a_in(s, in, r, 0), q88);
    }
    buf_text(b, "\n  b");
    for (int c = 0; c < s->cols; c++) {
        buf_text(b, " ");
        print_word(b, systolic_array_w_in(s, in, 0, c), q88);
    }
    buf_text(b, "\n");
}

static void print_terms(Buf *b, const Product *p, const SystolicArray *after, int tile, int edge,
                        bool q88)
{
    for (int r = 0; r < p->rows; r++) {
        for (int c = 0; c < p->cols; c++) {
            ProductTerm t;
            if (!product_term(p, tile, edge, r, c, &t))
                continue;
            buf_printf(b, "  pe %d,%d  k %d  ", r, c, t.k);
            print_word(b, t.a, q88);
            buf_text(b, " * ");
            print_word(b, t.b, q88);
            buf_printf(b, " = %d  acc %d\n", t.a * t.b, after->pe[r][c].acc);
        }
    }
}

static void print_sums(Buf *b, const SystolicArray *s)
{
    buf_text(b, "  sums");
    for (int r = 0; r < s->rows; r++) {
        for (int c = 0; c < s->cols; c++)
            buf_printf(b, " %d", s->pe[r][c].acc);
        buf_text(b, r + 1 < s->rows ? ";" : "\n");
    }
}

/* One tile, edge by edge: what goes in, who multiplies, what the edge leaves behind. */
static void trace_tile(const Product *p, int tile, bool q88, SystolicArray *s)
{
    ProductTile t = product_tile(p, tile);
    Buf b = {0};
    if (product_tiles(p) > 1)
        printf("tile %d  rows %d..%d  columns %d..%d\n", tile, t.row, t.row + t.height - 1, t.col,
               t.col + t.width - 1);
    for (int edge = 0; edge < product_edges(p); edge++) {
        ArrayPins in = product_pins(p, tile, edge);
        int first = 0, last = 0;
        product_fronts(p, edge, &first, &last);
        buf_clear(&b);
        print_inputs(&b, s, &in, q88);
        systolic_array_step(s, &in);
        print_terms(&b, p, s, tile, edge, q88);
        print_sums(&b, s);
        printf("edge %d  %s  wavefronts k %d..%d  macs %d  done %d\n%s", edge,
               product_phase_name(product_phase(p, edge)), first, last, product_busy(p, tile, edge),
               systolic_array_done(s), buf_str(&b));
    }
    buf_free(&b);
}

/* ---- the product ---- */

/* edges takes the trace as JSON. */
static void run_tile(const Product *p, const Options *o, int tile, int32_t *sums, json_t *edges)
{
    SystolicArray s;
    ProductTile t = product_tile(p, tile);
    if (o->trace) {
        product_run(p, tile, 0, &s);
        if (o->json)
            systolic_json_trace(p, tile, o->q88, &s, edges);
        else
            trace_tile(p, tile, o->q88, &s);
    } else {
        product_run(p, tile, product_edges(p), &s);
    }
    for (int r = 0; r < t.height; r++) {
        for (int c = 0; c < t.width; c++)
            sums[(t.row + r) * p->n + t.col + c] = s.pe[r][c].acc;
    }
}

static void print_rows(const Product *p, const int32_t *sums, const char *head, bool values)
{
    Buf b = {0};
    for (int r = 0; r < p->m; r++) {
        buf_clear(&b);
        buf_text(&b, head);
        for (int c = 0; c < p->n; c++) {
            buf_text(&b, c ? " " : "");
            if (values)
                print_sum_value(&b, sums[r * p->n + c]);
            else
                buf_printf(&b, "%d", sums[r * p->n + c]);
        }
        puts(buf_str(&b));
    }
    buf_free(&b);
}

/* How many sums lost their high bits on the way; *at: the first. */
static int count_wraps(const Product *p, const int32_t *sums, int *at)
{
    int wrapped = 0;
    for (int i = p->m * p->n - 1; i >= 0; i--) {
        int64_t exact = 0;
        for (int k = 0; k < p->k; k++)
            exact += (int32_t)p->a[i / p->n * p->k + k] * p->b[k * p->n + i % p->n];
        if (exact != sums[i]) {
            wrapped++;
            *at = i;
        }
    }
    return wrapped;
}

/* In words: it would pass unnoticed. */
static void print_wraps(const Product *p, const int32_t *sums)
{
    int at = 0, wrapped = count_wraps(p, sums, &at);
    if (wrapped)
        printf("wrapped %d of %d sums: more than 32 bits, first row %d column %d\n", wrapped,
               p->m * p->n, at / p->n, at % p->n);
}

static double percent(const ProductCost *cost)
{
    return 100.0 * (double)cost->macs / (double)cost->slots;
}

static void print_cost(const Product *p)
{
    ProductCost cost = product_cost(p);
    if (cost.tiles == 1)
        printf("edges %" PRIu64 "\n", cost.edges);
    else
        printf("edges %" PRIu64 " (%d tiles of %d)\n", cost.edges, cost.tiles, product_edges(p));
    printf("macs %" PRIu64 " of %" PRIu64 "\n", cost.macs, cost.slots);
    printf("utilisation %.2f %%\n", percent(&cost));
    /* a row of A is a token: what one alone keeps busy, and what as many as the array has rows do
     */
    for (int m = 1; m <= p->rows; m += p->rows > 1 ? p->rows - 1 : 1) {
        cost = product_cost_of(p, m);
        printf("tokens at once %d: utilisation %.2f %%\n", m, percent(&cost));
    }
}

static void print_text(const Product *p, const Options *o, const int32_t *sums)
{
    print_rows(p, sums, "", o->q88);
    if (o->q88)
        print_rows(p, sums, "raw ", false);
    print_wraps(p, sums);
    print_cost(p);
}

static void run_product(const Product *p, const Options *o)
{
    int32_t *sums = xcalloc((size_t)p->m * (size_t)p->n, sizeof *sums);
    json_t *edges = json_array();
    int at = 0;
    for (int tile = 0; tile < product_tiles(p); tile++)
        run_tile(p, o, tile, sums, edges);
    if (o->json) {
        json_t *doc = systolic_json(p, sums, o->q88, count_wraps(p, sums, &at));
        if (o->trace)
            json_object_set(doc, "trace", edges);
        t2_json_print(doc);
    } else {
        print_text(p, o, sums);
    }
    json_decref(edges);
    free(sums);
}

/* A document is made whole in memory. */
static bool check_document(const Product *p, const Options *o, Err *err)
{
    ProductCost cost = product_cost(p);
    return !o->json || !o->trace || cost.macs <= SYSTOLIC_JSON_MACS ||
           err_set(err,
                   "--trace --json: %" PRIu64 " products, %d is most; --trace alone has no limit",
                   cost.macs, SYSTOLIC_JSON_MACS);
}

static int run(const Options *o, Err *err)
{
    Product *p = xcalloc(1, sizeof *p);
    SystolicArray probe;
    p->rows = o->rows;
    p->cols = o->cols;
    p->legacy_done = o->legacy;
    bool ok = systolic_array_init(&probe, o->rows, o->cols, o->legacy, err) &&
              product_parse(p, o->a, o->b, o->q88, "--a", "--b", err) && check_document(p, o, err);
    if (ok)
        run_product(p, o);
    free(p);
    return ok ? cli_flush() : cli_fail(err);
}

/* ---- options ---- */

static bool parse_size(const char *option, const char *text, int *size, Err *err)
{
    char *end = NULL;
    long n = isdigit((unsigned char)*text) && strlen(text) < 8 ? strtol(text, &end, 10) : 0;
    if (!end || *end || n < 1 || n > ARRAY_MAX)
        return err_set(err, "%s %s: must be 1..%d", option, text, ARRAY_MAX);
    *size = (int)n;
    return true;
}

static bool parse_done(const char *text, bool *legacy, Err *err)
{
    *legacy = strcmp(text, "legacy") == 0;
    return *legacy || strcmp(text, "exact") == 0 ||
           err_set(err, "--done %s: must be legacy or exact", text);
}

static bool take_option(Options *o, int argc, char **argv, int *i, Err *err)
{
    static const char *const names[] = {"--a", "--b", "--rows", "--cols", "--done"};
    size_t which = 0;
    if (strcmp(argv[*i], "--q88") == 0)
        return o->q88 = true;
    if (strcmp(argv[*i], "--trace") == 0)
        return o->trace = true;
    if (strcmp(argv[*i], "--json") == 0)
        return o->json = true;
    while (which < 5 && !cli_is(argv[*i], names[which]))
        which++;
    if (which == 5 && argv[*i][0] == '-')
        return cli_no_option("systolic", argv[*i], err);
    if (which == 5)
        return err_set(err, "systolic: %s: unexpected; tokstep systolic --help tells more",
                       argv[*i]);
    const char *value = cli_value(argc, argv, i, err);
    if (!value)
        return false;
    if (which < 2)
        *(which == 0 ? &o->a : &o->b) = value;
    if (which == 4)
        return parse_done(value, &o->legacy, err);
    return which < 2 || parse_size(names[which], value, which == 2 ? &o->rows : &o->cols, err);
}

int systolic_main(int argc, char **argv)
{
    Options o = {.rows = 4, .cols = 4};
    Err err;
    for (int i = 1; i < argc; i++) {
        if (!take_option(&o, argc, argv, &i, &err))
            return cli_fail(&err);
    }
    if (!o.a || !o.b)
        return cli_failf("systolic: %s is missing; tokstep systolic --help tells more",
                         o.a ? "--b" : "--a");
    return run(&o, &err);
}
