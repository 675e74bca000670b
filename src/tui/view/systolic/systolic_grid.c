/* The array as it lies on the chip: operands wait in the skew registers west and north of it (the
 * two staircases), flow east and south, and every element keeps its sum.
 *
 *                  b0   0120        ff80          0033       host's pins, then c registers
 *                                  |fe10|        |0200|      down to the array
 *                        ↓            ↓             ↓
 *   a0         00fe → ►2 000123a4→►1 ffff8812→►0 00004410    ► multiplies on this edge; the
 *   a1    ff02|0011|→ ►1 000091c0→►0 00001f00→   00000000    character is its wavefront's
 *
 * Four sizes of elements, from three lines to two characters; the largest that fits is taken. */
#include <stdio.h>
#include <string.h>

#include "tui/view/systolic/systolic.h"

typedef enum { CELL_RICH, CELL_NORMAL, CELL_SMALL, CELL_TINY } CellStyle;

enum { LABEL_W = 4 };

typedef struct Grid {
    const SystolicScene *y;
    Canvas *c;
    CellStyle style;
    int rows, cols;
    int word_w;         /* digits of an operand */
    int sum_w;          /* of a sum */
    int slot_w;         /* columns of one waiting word in the west */
    int cell_w, cell_h; /* of an element */
    int x, top;         /* the first element */
    int slots, stories; /* waiting words shown west and north */
    int first, shown;   /* rows of the array on screen */
    int arrow;          /* columns (rows) between staircase and array */
} Grid;

/* ---- numbers ---- */

void systolic_word(const SystolicScene *y, int16_t word, int width, char *out, size_t size)
{
    char text[16];
    snprintf(text, sizeof text, y->hex ? "%04x" : "%d", y->hex ? (int)(uint16_t)word : word);
    snprintf(out, size, "%*s", width, text);
}

void systolic_sum(const SystolicScene *y, int32_t sum, int width, char *out, size_t size)
{
    char text[16];
    snprintf(text, sizeof text, "%d", sum);
    if (y->hex)
        snprintf(text, sizeof text, "%08x", (unsigned)sum);
    else if ((int)strlen(text) > width) /* too long for the column: as hex, and said so */
        snprintf(text, sizeof text, "x%08x", (unsigned)sum);
    snprintf(out, size, "%*s", width, text);
}

char systolic_front_char(int k)
{
    return "0123456789abcdefghijklmnopqrstuvwxyz"[k % 36];
}

Role systolic_front_role(int k)
{
    return (Role)(ROLE_HEAT_POS + 4 + k * 2 % 5);
}

/* Columns that the longest operand takes. */
static int word_width(const SystolicScene *y)
{
    const Product *p = y->p;
    int width = 1;
    if (y->hex)
        return 4;
    for (int i = 0; i < p->m * p->k + p->k * p->n; i++) {
        char text[16];
        int16_t word = i < p->m * p->k ? p->a[i] : p->b[i - p->m * p->k];
        int n = snprintf(text, sizeof text, "%d", word);
        width = n > width ? n : width;
    }
    return width;
}

/* ---- layout ---- */

static int max(int a, int b)
{
    return a > b ? a : b;
}
static int min(int a, int b)
{
    return a < b ? a : b;
}

static void set_style(Grid *g, CellStyle style)
{
    int product = 2 * g->word_w + 3; /* a × w */
    g->style = style;
    g->slot_w = style == CELL_TINY ? 2 : g->word_w + 1;
    g->arrow = style == CELL_RICH || style == CELL_NORMAL ? 1 : 0;
    switch (style) {
    case CELL_RICH:
        g->cell_w = max(product, g->sum_w) + 6;
        g->cell_h = 3;
        break;
    case CELL_NORMAL:
        g->cell_w = g->sum_w + 4;
        g->cell_h = 2;
        break;
    case CELL_SMALL:
        g->cell_w = max(g->sum_w, g->word_w) + 3;
        g->cell_h = 1;
        break;
    case CELL_TINY:
        g->cell_w = 2;
        g->cell_h = 1;
        break;
    }
}

static int grid_height(const Grid *g)
{
    return g->rows * g->cell_h - g->arrow;
}

/* Columns of "a15", and of a blank where the words have none of their own. */
static int label_width(const Grid *g)
{
    return LABEL_W + (g->style == CELL_TINY);
}

/* Room that is left for waiting words. */
static int free_cols(const Grid *g, int w)
{
    return w - label_width(g) - 2 * g->arrow - 1 - g->cols * g->cell_w;
}
static int free_rows(const Grid *g, int h)
{
    return h - g->arrow - grid_height(g);
}

static bool fits(const Grid *g, int h, int w)
{
    return free_cols(g, w) >= g->rows * g->slot_w && free_rows(g, h) >= g->cols;
}

/* The largest style in which all skew registers are seen, else one in which all sums are. Words
 * that the host still holds are shown where there is room for them. */
static Grid lay_out(const SystolicScene *y, Rect r, Canvas *c)
{
    Grid g = {.y = y,
              .c = c,
              .rows = y->p->rows,
              .cols = y->p->cols,
              .word_w = word_width(y),
              .sum_w = y->hex ? 8 : 9};
    set_style(&g, CELL_RICH);
    for (int s = CELL_NORMAL; s <= CELL_SMALL && !fits(&g, r.h, r.w); s++)
        set_style(&g, (CellStyle)s);
    if (free_cols(&g, r.w) < g.slot_w || free_rows(&g, r.h) < 0)
        set_style(&g, CELL_TINY);
    g.slots = max(0, min(free_cols(&g, r.w) / g.slot_w, g.rows + y->p->k - 1));
    g.stories = max(0, min(free_rows(&g, r.h) - 1, g.cols + 2));
    if (g.stories < g.cols) /* no row for the labels */
        g.stories = max(0, min(free_rows(&g, r.h), g.cols));
    g.x = r.x + label_width(&g) + g.slots * g.slot_w + 2 * g.arrow + 1;
    g.shown = max(1, min(g.rows, r.h / g.cell_h));
    g.first = max(0, min(y->row - g.shown / 2, g.rows - g.shown));
    g.top =
        r.y + g.stories + (free_rows(&g, r.h) > g.stories && g.stories >= g.cols ? 1 : 0) + g.arrow;
    return g;
}

static int row_y(const Grid *g, int r)
{
    return g->top + (r - g->first) * g->cell_h;
}

/* ---- staircases ---- */

/* What waits `distance` steps before a row's (column's) first element: registers nearest to it,
 * then the pins, then what the host presents on later edges. */
typedef struct Waiting {
    bool any; /* false: nothing, or a zero that belongs to no operand */
    int k;
    int16_t word;
    Role role;
} Waiting;

static Waiting waiting(const Grid *g, bool west, int line, int distance)
{
    const SystolicScene *y = g->y;
    const Product *p = y->p;
    ProductTile t = product_tile(p, y->tile);
    Waiting w = {.k = y->edge - line + distance};
    w.any = w.k >= 0 && w.k < p->k && line < (west ? t.height : t.width);
    if (distance < line)
        w.word =
            west ? y->now.west[line][line - 1 - distance] : y->now.north[line][line - 1 - distance];
    else if (w.any)
        w.word = west ? p->a[(t.row + line) * p->k + w.k] : p->b[w.k * p->n + t.col + line];
    w.role = !w.any             ? ROLE_DIM
             : distance > line  ? ROLE_DIM
             : distance == line ? ROLE_READ
                                : systolic_front_role(w.k);
    return w;
}

static void waiting_text(const Grid *g, const Waiting *w, bool is_register, char out[16])
{
    if (g->style == CELL_TINY)
        snprintf(out, 16, "%s", w->any ? (char[]){systolic_front_char(w->k), '\0'} : "·");
    else if (w->any || is_register)
        systolic_word(g->y, w->word, g->word_w, out, 16);
    else
        snprintf(out, 16, "%*s", g->word_w, "");
}

static void draw_west(const Grid *g, int r)
{
    int y = row_y(g, r), right = g->x - 2 * g->arrow - 1;
    char text[16];
    for (int d = 0; d < g->slots; d++) {
        Waiting w = waiting(g, true, r, d);
        int x = right - (d + 1) * g->slot_w + (g->style == CELL_TINY ? 0 : 1);
        if (d > r && !w.any)
            continue;
        waiting_text(g, &w, d < r, text);
        canvas_text(g->c, y, x, w.role, text);
        if (d < r && g->style != CELL_TINY) { /* a register's two sides */
            canvas_text(g->c, y, x - 1, ROLE_FRAME, "│");
            canvas_text(g->c, y, x + g->word_w, ROLE_FRAME, "│");
        }
    }
    Waiting first = waiting(g, true, r, 0);
    if (g->arrow)
        canvas_text(g->c, y, g->x - 2, first.any ? ROLE_READ : ROLE_DIM, "→");
    snprintf(text, sizeof text, "a%d", r);
    canvas_text(g->c, y, right - g->slots * g->slot_w - label_width(g) + 2, ROLE_TITLE, text);
    if (g->style == CELL_TINY)
        canvas_text(g->c, y, g->x - 1, ROLE_FRAME, "│");
}

/* Where the words of a column stand: over its sums' last digits. */
static int column_x(const Grid *g, int c)
{
    int right = g->style == CELL_TINY ? 0 : g->style == CELL_SMALL ? g->sum_w : g->sum_w + 2;
    return g->x + c * g->cell_w + (g->style == CELL_TINY ? 0 : right - g->word_w + 1);
}

static void draw_north(const Grid *g, int c, int label_y)
{
    char text[16];
    int x = column_x(g, c), bottom = g->top - g->arrow - 1;
    for (int d = 0; d < g->stories; d++) {
        Waiting w = waiting(g, false, c, d);
        if (d > c && !w.any)
            continue;
        waiting_text(g, &w, d < c, text);
        canvas_text(g->c, bottom - d, x, w.role, text);
        if (d < c && g->style != CELL_TINY) {
            canvas_text(g->c, bottom - d, x - 1, ROLE_FRAME, "│");
            canvas_text(g->c, bottom - d, x + g->word_w, ROLE_FRAME, "│");
        }
    }
    if (g->arrow)
        canvas_text(g->c, g->top - 1, x + g->word_w - 1,
                    waiting(g, false, c, 0).any ? ROLE_READ : ROLE_DIM, "↓");
    if (label_y < bottom - g->stories + 1 && g->style != CELL_TINY) {
        snprintf(text, sizeof text, "b%d", c);
        canvas_text(g->c, label_y, x, ROLE_TITLE, text);
    }
}

/* ---- elements ---- */

typedef struct Element {
    int r, c;
    bool used;             /* inside the product, not padding */
    bool works;            /* multiplies on the coming edge */
    bool sends_a, sends_w; /* do its output registers hold operands? */
    ProductTerm term, done_term;
    Role sum_role;
} Element;

static Element element_at(const Grid *g, int r, int c)
{
    const SystolicScene *y = g->y;
    ProductTile t = product_tile(y->p, y->tile);
    Element e = {.r = r, .c = c, .used = r < t.height && c < t.width};
    int passed = y->edge - 1 - r - c;
    e.works = product_term(y->p, y->tile, y->edge, r, c, &e.term);
    e.sends_a = r < t.height && passed >= 0 && passed < y->p->k;
    e.sends_w = c < t.width && passed >= 0 && passed < y->p->k;
    e.sum_role = !e.used                                         ? ROLE_MASKED
                 : y->now.pe[r][c].acc != y->before.pe[r][c].acc ? ROLE_CHANGED
                 : e.works                                       ? ROLE_TEXT
                 : y->edge > r + c + y->p->k - 1                 ? ROLE_TITLE
                                                                 : ROLE_DIM;
    return e;
}

static void draw_mark(const Grid *g, const Element *e, int y, int x)
{
    if (e->works) {
        canvas_text(g->c, y, x, ROLE_ACTIVE, MARK_ACTIVE);
        canvas_put(g->c, y, x + 1, systolic_front_role(e->term.k),
                   (uint32_t)systolic_front_char(e->term.k));
    } else if (!e->used) {
        canvas_text(g->c, y, x + 1, ROLE_MASKED, MARK_MASKED);
    }
}

static void draw_sum(const Grid *g, const Element *e, int y, int x)
{
    char text[24];
    systolic_sum(g->y, g->y->now.pe[e->r][e->c].acc, g->sum_w, text, sizeof text);
    const char *digits = text + strspn(text, " ");
    canvas_text(g->c, y, x + (int)(digits - text), e->sum_role, digits);
}

/* Arrows behind the element's output registers. */
static void draw_flow(const Grid *g, const Element *e, int y, int x)
{
    if (e->c + 1 < g->cols)
        canvas_text(g->c, y, x + g->cell_w - 1, e->sends_a ? ROLE_READ : ROLE_DIM, "→");
    if (e->r + 1 < g->rows)
        canvas_text(g->c, y + g->cell_h - 1, column_x(g, e->c) + g->word_w - 1,
                    e->sends_w ? ROLE_READ : ROLE_DIM, "↓");
}

static void draw_product(const Grid *g, const Element *e, int y, int x)
{
    char a[16], b[16];
    if (!e->works)
        return;
    systolic_word(g->y, e->term.a, g->word_w, a, sizeof a);
    systolic_word(g->y, e->term.b, g->word_w, b, sizeof b);
    canvas_textf(g->c, y, x, ROLE_DIM, "%s × %s", a, b);
}

static void draw_tiny(const Grid *g, const Element *e, int y, int x)
{
    bool begun = g->y->edge > e->r + e->c, last = g->y->edge > e->r + e->c + g->y->p->k - 1;
    if (e->works)
        canvas_put(g->c, y, x, systolic_front_role(e->term.k),
                   (uint32_t)systolic_front_char(e->term.k));
    else
        canvas_text(g->c, y, x, e->used ? e->sum_role : ROLE_MASKED,
                    !e->used ? MARK_MASKED
                    : last   ? "●"
                    : begun  ? "•"
                             : "·");
}

static void draw_element(const Grid *g, int r, int c)
{
    int y = row_y(g, r), x = g->x + c * g->cell_w, wide = g->cell_w - 1;
    Element e = element_at(g, r, c);
    if (g->style == CELL_TINY) {
        draw_tiny(g, &e, y, x);
        wide = 1;
    } else {
        draw_mark(g, &e, y, x);
        draw_sum(g, &e, y, x + (g->style == CELL_SMALL ? 2 : 3));
    }
    if (g->arrow)
        draw_flow(g, &e, y, x);
    if (g->style == CELL_RICH)
        draw_product(g, &e, y + 1, x + 3);
    canvas_aim(g->c, (Rect){y, x, g->cell_h, g->cell_w}, aim_at(r, c));
    if (r == g->y->row && c == g->y->col) {
        int from = g->style == CELL_TINY ? 0 : g->style == CELL_SMALL ? 2 : 3;
        g->c->cursor_y = y;
        g->c->cursor_x = x + from;
        if (g->y->focused)
            canvas_role(g->c,
                        (Rect){y, x + from, 1, min(wide, g->style == CELL_TINY ? 1 : g->sum_w)},
                        ROLE_CURSOR);
    }
}

void systolic_draw_grid(const SystolicScene *y, Rect r, Canvas *c)
{
    Grid g = lay_out(y, r, c);
    Rect old = canvas_clip(c, r);
    for (int row = g.first; row < g.first + g.shown; row++)
        draw_west(&g, row);
    for (int col = 0; col < g.cols; col++)
        draw_north(&g, col, r.y);
    for (int row = g.first; row < g.first + g.shown; row++) {
        for (int col = 0; col < g.cols; col++)
            draw_element(&g, row, col);
    }
    canvas_clip(c, old);
}
