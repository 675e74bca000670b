/* The systolic array, edge by edge, on operands of its own (key `o`, `:systolic A x B`) or those of
 * the decoder's present stage:
 *
 * ╭ systolic 4 x 4  K 8  edge 5 of 14  fill ─────────────────────────────────────╮
 * │ the array between its two staircases (systolic_grid.c)                       │
 * ├ what the operands are ───────────────────────────────────────────────────────┤
 * │ ▁▂▃▄▅▆▇█████▇▆▅▄▃▂▁   work per edge, the present one marked                  │
 * │ fill   steady  drain  MACs, utilisation                                      │
 * │ done, and when the sums are final                                            │
 * │ PE 1,2  what the element under the cursor adds                               │
 * ╰──────────────────────────────────────────────────────────────────────────────╯
 *
 * It shows the cycle in which edge `edge` comes next: sums as the last edge left them, ► where the
 * coming one multiplies. The picture is a function of operands and edge alone: going back is
 * computing anew from edge 0. In variant array the decoder has such an array: there edge and
 * registers are the machine's, until `.` or `,` hold the picture (`c` follows again). */
#include <stdio.h>
#include <string.h>

#include "script/lesson.h"
#include "tui/input/keys.h"
#include "tui/screen/pane.h"
#include "tui/view/systolic/systolic.h"

enum { FOOT_ROWS = 7, CHART_MOST = 64 };

/* ---- gathering ---- */

static void size_product(const Session *s, const ViewState *v, Product *p)
{
    const Config *c = engine_config(session_engine(s));
    p->rows = c->pe_rows;
    p->cols = c->pe_cols;
    const SystolicState *own = view_own(v);
    p->legacy_done = own->legacy_done;
}

/* Is the picture that of an array which the machine has? */
static bool has_array(const Session *s, const ViewState *v)
{
    return systolic_source(s, view_own(v)) == SYSTOLIC_MACHINE &&
           engine_config(session_engine(s))->variant == VARIANT_ARRAY;
}

static void run(SystolicScene *y)
{
    product_run(y->p, y->tile, y->edge > 0 ? y->edge - 1 : 0, &y->before);
    y->now = y->before;
    if (y->edge == 0)
        return;
    ArrayPins last = product_pins(y->p, y->tile, y->edge - 1);
    systolic_array_step(&y->now, &last);
}

static int32_t register_at(const Engine *e, SignalId id, int at)
{
    return signal_get(e, signal_at(id), at);
}

/* The machine's registers themselves: an edit shows too. */
static void read_array(const Engine *e, SystolicScene *y)
{
    int R = y->p->rows, C = y->p->cols;
    for (int at = 0; at < R * C; at++) {
        ProcessingElement *pe = &y->now.pe[at / C][at % C];
        pe->acc = register_at(e, SIG_ARRAY_ACC, at);
        pe->a = (int16_t)register_at(e, SIG_ARRAY_A, at);
        pe->w = (int16_t)register_at(e, SIG_ARRAY_W, at);
    }
    for (int at = 0; at < R * R; at++)
        y->now.west[at / R][at % R] = (int16_t)register_at(e, SIG_ARRAY_WEST, at);
    for (int at = 0; at < C * C; at++)
        y->now.north[at / C][at % C] = (int16_t)register_at(e, SIG_ARRAY_NORTH, at);
    y->now.edge = register_at(e, SIG_ARRAY_EDGE, 0);
}

/* The operands, and how many edges a tile of them takes. */
static int operands(const Session *s, const ViewState *v, Product *p, bool *q88, char *about,
                    size_t size)
{
    size_product(s, v, p);
    systolic_operands(s, view_own(v), p, q88, about, size);
    /* one token fills one row: the machine does not wait for the others */
    return has_array(s, v) ? p->k + p->cols - 1 : product_edges(p);
}

/* The state may speak of other operands than the present ones. */
static void place(const Session *s, ViewState *v, Rect r)
{
    Product p;
    SystolicState *y = view_own(v);
    SystolicScene unused;
    int edges = operands(s, v, &p, &unused.q88, unused.about, sizeof unused.about);
    (void)r;
    if (has_array(s, v) && !v->pinned)
        y->edge = systolic_machine_edge(session_engine(s));
    y->tile = limit(y->tile, 0, product_tiles(&p) - 1);
    y->edge = limit(y->edge, 0, edges);
    v->row = limit(v->row, 0, p.rows - 1);
    v->col = limit(v->col, 0, p.cols - 1);
}

static void gather(const Session *s, const ViewState *v, bool focused, Product *p, SystolicScene *y)
{
    const Engine *e = session_engine(s);
    const SystolicState *own = view_own(v);
    *y = (SystolicScene){.v = v, .p = p, .focused = focused};
    y->edges = operands(s, v, p, &y->q88, y->about, sizeof y->about);
    y->live = has_array(s, v) && !v->pinned && systolic_machine_edge(e) >= 0;
    y->hex = v->format != SHOW_VALUE && v->format != SHOW_BOTH;
    y->tile = own->tile;
    y->edge = own->edge;
    y->row = v->row;
    y->col = v->col;
    run(y);
    if (y->live)
        read_array(e, y);
}

/* ---- work per edge ---- */

/* A column of the chart stands for edges from..to-1. */
typedef struct Chart {
    int x, width, edges;
} Chart;

static int chart_edge(const Chart *h, int column)
{
    return (int)((int64_t)column * h->edges / h->width);
}

/* The first column of an edge. */
static int chart_column(const Chart *h, int edge)
{
    int column = (int)(((int64_t)edge * h->width + h->edges - 1) / h->edges);
    return limit(column, 0, h->width - 1);
}

static void draw_chart(const SystolicScene *y, const Chart *h, int row, Canvas *c)
{
    int all = y->p->rows * y->p->cols;
    for (int i = 0; i < h->width; i++) {
        int from = chart_edge(h, i), to = chart_edge(h, i + 1), busy = 0;
        to = to > from ? to : from + 1;
        for (int edge = from; edge < to; edge++)
            busy += product_busy(y->p, y->tile, edge);
        bool here = y->edge >= from && y->edge < to;
        canvas_put(c, row, h->x + i,
                   here            ? ROLE_ACTIVE
                   : to <= y->edge ? ROLE_TEXT
                                   : ROLE_DIM,
                   heat_glyph(heat_level(busy, all * (to - from))));
    }
}

/* The phases under the chart, each where it begins, the present one marked. */
static void draw_phases(const SystolicScene *y, const Chart *h, int row, Canvas *c)
{
    ProductPhase now = product_phase(y->p, y->edge);
    int free_x = h->x;
    for (int edge = 0; edge < y->edges; edge++) {
        ProductPhase phase = product_phase(y->p, edge);
        if (edge > 0 && phase == product_phase(y->p, edge - 1))
            continue;
        int x = h->x + chart_column(h, edge);
        const char *name = phase == PHASE_FILL_DRAIN ? "fill/drain" : product_phase_name(phase);
        x = x > free_x ? x : free_x;
        if (x + text_width(name) > h->x + h->width + 1)
            return;
        free_x = canvas_text(c, row, x, phase == now ? ROLE_ACTIVE : ROLE_DIM, name) + 1;
    }
}

static void draw_work(const SystolicScene *y, int row, int x, int w, Canvas *c)
{
    int all = y->p->rows * y->p->cols, busy = product_busy(y->p, y->tile, y->edge);
    int room = limit(w - 40, 4, CHART_MOST), times = limit(room / y->edges, 1, 3);
    Chart h = {x, y->edges * times < room ? y->edges * times : room, y->edges};
    int64_t done = 0, whole = 0;
    for (int edge = 0; edge < y->edges; edge++) {
        int n = product_busy(y->p, y->tile, edge);
        whole += n;
        done += edge < y->edge ? n : 0;
    }
    draw_chart(y, &h, row, c);
    draw_phases(y, &h, row + 1, c);
    x += h.width + 2;
    if (y->edge < y->edges)
        canvas_textf(c, row, x, ROLE_TEXT, "%d of %d PEs multiply: %d %%", busy, all,
                     (200 * busy + all) / (2 * all));
    else
        canvas_text(c, row, x, ROLE_TEXT, "finished: all sums are final");
    x = canvas_textf(c, row + 1, x, ROLE_TEXT, "MACs %lld of %lld", (long long)done,
                     (long long)whole);
    if (!(y->v->hidden & LESSON_HIDE_DONE))
        canvas_textf(c, row + 1, x, ROLE_TEXT, "   utilisation %.1f %%",
                     100.0 * (double)whole / (all * y->edges));
}

/* ---- done ---- */

static void draw_done(const SystolicScene *y, int row, int x, Canvas *c)
{
    const Product *p = y->p;
    int at = p->rows + p->cols - 2 + (p->legacy_done ? 1 : 0), last = y->edges - 1;
    bool done = systolic_array_done(&y->now);
    const char *kind = p->legacy_done ? "legacy done" : "done";
    if (y->v->hidden & LESSON_HIDE_DONE)
        canvas_textf(c, row, x, ROLE_TEXT, "%s %d", kind, done);
    else if (!done)
        canvas_textf(c, row, x, ROLE_TEXT,
                     "%s 0: rises on edge %d; the last sum is final on edge %d", kind, at, last);
    else if (y->edge < y->edges)
        canvas_textf(c, row, x, ROLE_WARN,
                     MARK_WARN " %s 1 since edge %d, but sums change up to edge %d: it knows no K",
                     kind, at, last);
    else
        canvas_textf(c, row, x, ROLE_TEXT,
                     "%s 1 since edge %d; the last sum became final on edge %d", kind, at, last);
}

/* ---- the element under the cursor ---- */

static void operand_text(const SystolicScene *y, int16_t word, char *out, size_t size)
{
    if (y->q88)
        q88_text(word, out, size);
    else
        snprintf(out, size, "%d", word);
}

/* acc += a * w with this edge's operands. */
static void draw_term(const SystolicScene *y, const ProductTerm *t, int row, int x, Canvas *c)
{
    int32_t acc = y->now.pe[y->row][y->col].acc, product = t->a * t->b;
    int64_t exact = (int64_t)acc + product;
    char a[32], b[32];
    operand_text(y, t->a, a, sizeof a);
    operand_text(y, t->b, b, sizeof b);
    int x2 = canvas_textf(c, row, x, ROLE_TEXT, "PE %d,%d  ", y->row, y->col);
    x2 = canvas_textf(c, row, x2, systolic_front_role(t->k), "wavefront %d", t->k);
    canvas_textf(c, row, x2, ROLE_TEXT, "  acc += a * w   %04x * %04x = %s * %s",
                 (unsigned)(uint16_t)t->a, (unsigned)(uint16_t)t->b, a, b);
    canvas_textf(c, row + 1, x, exact == (int32_t)exact ? ROLE_TEXT : ROLE_WARN,
                 "        acc %08x + %08x = %08x%s", (unsigned)acc, (unsigned)product,
                 (unsigned)(uint32_t)(uint64_t)exact,
                 exact == (int32_t)exact ? "" : "  " MARK_WARN " wraps: more than 32 bits");
}

/* No product on this edge: why, and what it holds. */
static void draw_idle(const SystolicScene *y, int row, int x, Canvas *c)
{
    ProductTile t = product_tile(y->p, y->tile);
    int32_t acc = y->now.pe[y->row][y->col].acc;
    int first = y->row + y->col, last = first + y->p->k - 1;
    int x2 = canvas_textf(c, row, x, ROLE_TEXT, "PE %d,%d  ", y->row, y->col);
    if (y->row >= t.height || y->col >= t.width) {
        canvas_text(c, row, x2, ROLE_MASKED, MARK_MASKED " padding: outside of this product");
    } else if (y->edge < first) {
        canvas_textf(c, row, x2, ROLE_TEXT, "waits: wavefront 0 comes on edge %d + %d = %d", y->row,
                     y->col, first);
    } else {
        canvas_textf(c, row, x2, ROLE_TEXT, "final since edge %d + %d + %d - 1 = %d", y->row,
                     y->col, y->p->k, last);
        char value[32] = "";
        int16_t word = (int16_t)(uint16_t)((uint32_t)acc >> 8);
        q88_text(word, value, sizeof value);
        if (y->q88)
            canvas_textf(c, row + 1, x, ROLE_TEXT, "        acc %08x   narrowed to Q8.8: %04x = %s",
                         (unsigned)acc, (unsigned)(uint16_t)word, value);
        else
            canvas_textf(c, row + 1, x, ROLE_TEXT, "        acc %08x = %d", (unsigned)acc, acc);
    }
}

/* ---- the picture ---- */

static void draw_tokens(const SystolicScene *y, int row, int x, Canvas *c)
{
    if (y->v->hidden & LESSON_HIDE_DONE)
        return;
    ProductCost one = product_cost_of(y->p, 1), full = product_cost_of(y->p, y->p->rows);
    if (y->edges < product_edges(y->p)) /* one tile, and the machine does not wait for more rows */
        one.slots = (uint64_t)y->p->rows * (uint64_t)y->p->cols * (uint64_t)y->edges;
    double share = 100.0 * (double)one.macs / (double)one.slots;
    if (y->p->rows == 1)
        canvas_textf(c, row, x, ROLE_TEXT,
                     "a row of A is a token, one at a time: %.1f %% of the array's work is of use",
                     share);
    else
        canvas_textf(
            c, row, x, ROLE_TEXT,
            "a row of A is a token: 1 at once uses %.1f %% of the array, %d at once %.1f %%", share,
            y->p->rows, 100.0 * (double)full.macs / (double)full.slots);
}

/* Below the rule at `row`, `rows` with it; when there are few, the element comes last. */
static void draw_foot(const SystolicScene *y, Rect r, int row, int rows, Canvas *c)
{
    int x = r.x + 2;
    ProductTerm term;
    Rect old = canvas_clip(c, (Rect){row, r.x, rows, r.w - 1});
    char about[sizeof y->about];
    snprintf(about, sizeof about, "%s", y->about);
    char *aside = strstr(about, "  ("); /* which stage, and is it at work: where there is room */
    if (aside && text_width(about) > r.w - 4)
        *aside = '\0';
    pane_rule(c, r, row, about);
    draw_work(y, row + 1, x, r.w - 4, c);
    draw_done(y, row + 3, x, c);
    if (product_term(y->p, y->tile, y->edge, y->row, y->col, &term))
        draw_term(y, &term, row + 4, x, c);
    else
        draw_idle(y, row + 4, x, c);
    draw_tokens(y, row + 6, x, c);
    canvas_clip(c, old);
}

/* Rows that the foot may take of `h`: the array itself comes first. */
static int foot_rows(const Product *p, int h)
{
    int whole = 2 * p->rows + p->cols + 1; /* elements of two lines, all skew registers */
    int rows = limit(h - (p->rows + p->cols <= 9 ? whole : p->rows), 0, FOOT_ROWS);
    return rows >= 3 ? rows : h >= 8 ? 3 : 0;
}

static void title_text(const SystolicScene *y, char *out, size_t size)
{
    int n = snprintf(out, size, "systolic %d x %d  K %d  ", y->p->rows, y->p->cols, y->p->k);
    if (y->live)
        n += snprintf(out + n, size - (size_t)n, "live  ");
    if (product_tiles(y->p) > 1)
        n += snprintf(out + n, size - (size_t)n, "tile %d of %d  ", y->tile + 1,
                      product_tiles(y->p));
    if (y->edge < y->edges)
        snprintf(out + n, size - (size_t)n,
                 y->v->hidden & LESSON_HIDE_DONE ? "edge %d" : "edge %d of 0..%d  %s", y->edge,
                 y->edges - 1, product_phase_name(product_phase(y->p, y->edge)));
    else
        snprintf(out + n, size - (size_t)n, "after edge %d  final", y->edges - 1);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    Product p;
    SystolicScene y;
    char title[96];
    Rect old = canvas_clip(c, r);
    gather(s, v, focused, &p, &y);
    title_text(&y, title, sizeof title);
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, title);
    } else {
        pane_clip(c, r);
        int foot = foot_rows(&p, in.h);
        Rect area = {in.y, in.x + 1, in.h - foot, in.w - 2};
        systolic_draw_grid(&y, area, c);
        if (foot)
            draw_foot(&y, r, in.y + in.h - foot, foot, c);
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

static void next_source(Press *p)
{
    ViewState *v = p->v;
    SystolicState *y = view_own(v);
    int source = ((int)systolic_source(p->s, y) + 1) % SYSTOLIC_SOURCES;
    if (source == SYSTOLIC_TYPED && !y->typed[0])
        source = 0;
    y->chosen = true;
    y->source = source;
    y->edge = y->tile = 0;
    v->pinned = false;
    v->format = source == SYSTOLIC_PUBLISHED || (source == SYSTOLIC_TYPED && !y->typed_values)
                    ? SHOW_VALUE
                    : SHOW_HEX;
}

/* In the array's time: held there. */
static void hold(const Session *s, ViewState *v, int tile, int edge)
{
    SystolicState *y = view_own(v);
    y->tile = tile;
    y->edge = edge;
    v->pinned = true;
    place(s, v, (Rect){0});
}

static void next_edge(Press *p)
{
    const SystolicState *y = view_own(p->v);
    hold(p->s, p->v, y->tile, y->edge + press_by(p));
}

static void first_or_final_edge(Press *p)
{
    const SystolicState *y = view_own(p->v);
    hold(p->s, p->v, y->tile,
         press_by(p) < 0 ? 0 : PRODUCT_DIM + 2 * ARRAY_MAX); /* place clamps it */
}

static void next_tile(Press *p)
{
    const SystolicState *y = view_own(p->v);
    hold(p->s, p->v, y->tile + press_by(p), 0);
}

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    v->row += rows;
    v->col += cols;
    place(p->s, v, (Rect){0});
}

/* The sum under the cursor, where the machine has it. */
static Target target(const Session *s, const ViewState *v)
{
    const Config *c = engine_config(session_engine(s));
    if (!has_array(s, v))
        return (Target){NULL, 0};
    int row = limit(v->row, 0, c->pe_rows - 1), col = limit(v->col, 0, c->pe_cols - 1);
    return (Target){signal_at(SIG_ARRAY_ACC), row * c->pe_cols + col};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    SystolicState *y = view_own(v);
    const Config *c = engine_config(session_engine(s));
    if (!t.signal || signal_id(t.signal) != SIG_ARRAY_ACC || c->variant != VARIANT_ARRAY)
        return false;
    y->chosen = true;
    y->source = SYSTOLIC_MACHINE;
    v->pinned = false;
    v->row = t.at < 0 ? 0 : t.at / c->pe_cols;
    v->col = t.at < 0 ? 0 : t.at % c->pe_cols;
    return true;
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "edge", "previous, next edge of the array's own clock", .act = next_edge},
    {"o", SENSE_OTHER, "operands",
     "other operands: example, published, one token, the machine's, typed", .act = next_source},
    {"e", SENSE_TYPE, "type them", "type operands: 1 2; 3 4 x 5 6; 7 8", .command = "systolic "},
    {"c", SENSE_FOLLOW, "follow", "follow the machine's own array again (variant array)",
     .act = view_follow},
    {"D", SENSE_OWN, "old done", "done one edge late, as in the earlier design, and back",
     .flips = offsetof(SystolicState, legacy_done)},
    {"Home End", SENSE_MOVE, NULL, "first edge; all sums final", .act = first_or_final_edge},
    {"< >", SENSE_LESS, NULL, "previous, next tile of a larger product", .act = next_tile},
    {", .", SENSE_ITEM, NULL, "the same as [ ]", .act = next_edge},
    {0},
};

const View view_systolic = {
    .name = "systolic",
    .title = "systolic",
    .key = "6",
    .about =
        "A matrix product on the array of multiply-accumulate elements. A flows in from the west, "
        "B "
        "from the north; row r and column c enter r and c edges late through skew registers (the "
        "two staircases), so that the k-th operands of a row and a column meet in PE r,c on edge "
        "r + c + k. All elements that hold the same k form a wavefront (the character "
        "behind " MARK_ACTIVE
        "), which crosses the array like a diagonal. Sums stay where they are. Step with "
        "[ and ] and watch fill, steady and drain; o shows what one token leaves idle; D shows the "
        "old off-by-one in done. The size is pe_rows x pe_cols (:config pe_rows=2). These edges "
        "are "
        "the array's own time: the decoder does not move. Only with :config variant=array has the "
        "decoder such an array: then the picture is live, step with space, and [ or ] hold it.",
    .keys = keys,
    .state_size = sizeof(SystolicState),
    .place = place,
    .draw = draw,
    .move = move,
    .target = target,
    .find = find,
};
