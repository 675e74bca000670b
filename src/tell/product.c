#include "tell/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fixed_point.h"
#include "num/fixed_text.h"

/* ---- reading operands ---- */

static const char separators[] = " \t\n,";

/* An integer or a raw word; false when it is neither or does not fit. */
static bool parse_integer(const char *text, int16_t *word)
{
    char *end = NULL;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t digits = strspn(text + (*text == '-' || *text == '+'), "0123456789");
    if (!hex && (digits == 0 || digits > 9))
        return false;
    long v = strtol(text, &end, hex ? 16 : 10);
    if (*end || end == text || strlen(text) > 12 || v < (hex ? 0 : INT16_MIN) ||
        v > (hex ? UINT16_MAX : INT16_MAX))
        return false;
    *word = (int16_t)(uint16_t)v;
    return true;
}

static bool parse_value(const char *text, int16_t *word)
{
    int32_t raw = 0;
    bool ok = fixed_parse(text, 16, FRAC_BITS, &raw);
    *word = (int16_t)raw;
    return ok;
}

static bool parse_word(const char *text, bool q88, const char *name, int16_t *word, Err *err)
{
    bool raw = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (q88 && !raw)
        return parse_value(text, word) ||
               err_set(err, "%s: %s: must be a value -128..127.99609375 or 0x and hex digits", name,
                       text);
    return parse_integer(text, word) ||
           err_set(err, "%s: %s: must be an integer -32768..32767 or 0x0000..0xffff", name, text);
}

typedef struct Matrix {
    const char *name;
    int rows, cols;
    int16_t *words;
} Matrix;

static bool add_word(Matrix *m, int row, int col, int16_t word, Err *err)
{
    if (row >= PRODUCT_DIM || col >= PRODUCT_DIM)
        return err_set(err, "%s: at most %d rows and columns", m->name, PRODUCT_DIM);
    if (row > 0 && col >= m->cols)
        return err_set(err, "%s: row %d is longer than row 1, which has %d", m->name, row + 1,
                       m->cols);
    int at = row > 0 ? row * m->cols + col : col;
    if (at >= PRODUCT_WORDS)
        return err_set(err, "%s: at most %d numbers", m->name, PRODUCT_WORDS);
    m->words[at] = word;
    return true;
}

/* One row, up to ';' or the end; *text moves behind it. Returns its length, -1 when refused. */
static int parse_row(Matrix *m, int row, const char **text, bool q88, Err *err)
{
    for (int col = 0;; col++) {
        char word[64];
        int16_t value = 0;
        *text += strspn(*text, separators);
        size_t n = strcspn(*text, " \t\n,;");
        if (n == 0)
            return col;
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : (int)sizeof word - 1, *text);
        if (!parse_word(word, q88, m->name, &value, err) || !add_word(m, row, col, value, err))
            return -1;
        *text += n;
    }
}

static bool parse_matrix(Matrix *m, const char *text, bool q88, Err *err)
{
    for (m->rows = m->cols = 0;; m->rows++) {
        int n = parse_row(m, m->rows, &text, q88, err);
        if (n < 0)
            return false;
        bool last = *text != ';';
        if (n == 0 && last && m->rows > 0) /* a ';' at the end */
            return true;
        if (n == 0)
            return err_set(err, "%s: row %d has no numbers", m->name, m->rows + 1);
        if (m->rows > 0 && n < m->cols)
            return err_set(err, "%s: row %d has %d of %d numbers", m->name, m->rows + 1, n,
                           m->cols);
        if (m->rows == 0)
            m->cols = n;
        if (last) {
            m->rows++;
            return true;
        }
        text++;
    }
}

bool product_parse(Product *p, const char *a, const char *b, bool q88, const char *a_name,
                   const char *b_name, Err *err)
{
    Matrix ma = {.name = a_name, .words = p->a}, mb = {.name = b_name, .words = p->b};
    if (!parse_matrix(&ma, a, q88, err) || !parse_matrix(&mb, b, q88, err))
        return false;
    if (ma.cols != mb.rows)
        return err_set(err, "%s is %d x %d, %s is %d x %d: a column of %s for each row of %s",
                       a_name, ma.rows, ma.cols, b_name, mb.rows, mb.cols, a_name, b_name);
    p->m = ma.rows;
    p->k = ma.cols;
    p->n = mb.cols;
    return true;
}

/* ---- tiles and edges ---- */

static int tiles_across(const Product *p)
{
    return (p->n + p->cols - 1) / p->cols;
}

static int tiles_down(const Product *p, int m)
{
    return (m + p->rows - 1) / p->rows;
}

int product_tiles(const Product *p)
{
    return tiles_down(p, p->m) * tiles_across(p);
}

static int at_most(int x, int most)
{
    return x < most ? x : most;
}

ProductTile product_tile(const Product *p, int tile)
{
    ProductTile t = {.row = tile / tiles_across(p) * p->rows,
                     .col = tile % tiles_across(p) * p->cols};
    t.height = at_most(p->m - t.row, p->rows);
    t.width = at_most(p->n - t.col, p->cols);
    return t;
}

int product_edges(const Product *p)
{
    return p->k + p->rows + p->cols - 2;
}

ArrayPins product_pins(const Product *p, int tile, int edge)
{
    ProductTile t = product_tile(p, tile);
    ArrayPins in = {.enable = true};
    if (edge < 0 || edge >= p->k)
        return in;
    for (int r = 0; r < t.height; r++)
        in.a[r] = p->a[(t.row + r) * p->k + edge];
    for (int c = 0; c < t.width; c++)
        in.w[c] = p->b[edge * p->n + t.col + c];
    return in;
}

void product_run(const Product *p, int tile, int edges, SystolicArray *s)
{
    systolic_array_init(s, p->rows, p->cols, p->legacy_done, NULL);
    for (int edge = 0; edge < edges; edge++) {
        ArrayPins in = product_pins(p, tile, edge);
        systolic_array_step(s, &in);
    }
}

bool product_term(const Product *p, int tile, int edge, int r, int c, ProductTerm *term)
{
    ProductTile t = product_tile(p, tile);
    int k = edge - r - c;
    if (r >= t.height || c >= t.width || k < 0 || k >= p->k)
        return false;
    *term = (ProductTerm){k, p->a[(t.row + r) * p->k + k], p->b[k * p->n + t.col + c]};
    return true;
}

int product_busy(const Product *p, int tile, int edge)
{
    int busy = 0;
    ProductTerm term;
    for (int r = 0; r < p->rows; r++) {
        for (int c = 0; c < p->cols; c++)
            busy += product_term(p, tile, edge, r, c, &term);
    }
    return busy;
}

void product_fronts(const Product *p, int edge, int *first, int *last)
{
    int corner = p->rows + p->cols - 2;
    *first = edge > corner ? edge - corner : 0;
    *last = edge < p->k ? edge : p->k - 1;
}

ProductPhase product_phase(const Product *p, int edge)
{
    bool filling = edge < p->rows + p->cols - 2, draining = edge >= p->k;
    if (edge >= product_edges(p))
        return PHASE_FINAL;
    if (filling)
        return draining ? PHASE_FILL_DRAIN : PHASE_FILL;
    return draining ? PHASE_DRAIN : PHASE_STEADY;
}

const char *product_phase_name(ProductPhase phase)
{
    static const char *const names[] = {"fill", "steady", "fill and drain", "drain", "final"};
    return names[phase];
}

ProductCost product_cost_of(const Product *p, int m)
{
    ProductCost cost = {.tiles = tiles_down(p, m) * tiles_across(p)};
    cost.edges = (uint64_t)cost.tiles * (uint64_t)product_edges(p);
    cost.macs = (uint64_t)m * (uint64_t)p->k * (uint64_t)p->n;
    cost.slots = cost.edges * (uint64_t)p->rows * (uint64_t)p->cols;
    return cost;
}

ProductCost product_cost(const Product *p)
{
    return product_cost_of(p, p->m);
}
