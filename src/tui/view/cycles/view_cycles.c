/* What a token costs, three times over, for a machine on sliders:
 *
 * ╭ cycles per token ──────────────────────────────────────────────────────────╮
 * │ variant     bridge  ►d_model         64   n_heads          4   ...         │
 * │ ◄├───────────────●────────────────────┤►  a power of two, 8..512           │
 * ├ stage ─── measured ─ formula ─ the deck ── off ─ share ────────────────────┤
 * │ softmax       2080     2080      2680             64.8 %  █████████░░░     │
 * │ out_proj        65       65      4096   ! 63x      2.0 %  ▎░░░░░░░░░░░░►   │
 * │ total         3209     3209     48448   ! 15x                              │
 * ├ at 29.2 MHz ───────────────────────────────────────────────────────────────┤
 * │ latency   0.110 ms 0.110 ms  1.659 ms                                      │
 * ╰────────────────────────────────────────────────────────────────────────────╯
 *
 * The sliders start where the user's machine is and follow it until one of them is moved; that
 * machine is never touched. Right of the table stand bars or, one at a time, sweeps over the slider
 * under the cursor; where there are rows to spare the sweeps have their own place below. */
#include <stdio.h>
#include <string.h>

#include "script/lesson.h"
#include "tui/view/cycles/cycles_view.h"
#include "tui/input/keys.h"

/* Larger tokens are measured when asked to (Enter): about 50 ms. */
enum { MEASURE_AT_ONCE = 1 << 19 };

enum { KNOB_W = 19, NAME_W = 14, NUMBER_W = 9, OFF_W = 9, SHARE_W = 8 };
enum { TABLE_W = NAME_W + 3 * NUMBER_W + OFF_W + SHARE_W, APART_W = 66 };
enum { FIGURES = 3, PLOT_ROWS = 8, PLOT_ROWS_MOST = 32, PLOT_W = 36, LEAST_PLOT_W = 16 };

/* ---- the machine on the sliders ---- */

static bool same_machine(const CycleReport *r, const Config *c, int pos)
{
    return config_equal(&r->config, c) && r->pos == pos;
}

/* Until a slider is moved they stand where the user's machine does. */
static void follow(const Session *s, ViewState *v)
{
    CyclesPane *pane = view_own(v);
    CyclesState *k = &pane->sliders;
    const Engine *e = session_engine(s);
    int pos = signal_get(e, signal_at(SIG_SEQ_POS), 0);
    if (!k->ready)
        k->mhz10 = 292;
    if (!k->ready || (!v->pinned && !same_machine(&k->report, engine_config(e), pos))) {
        k->report = cycle_report(engine_config(e), pos);
        k->measured = false;
    }
    k->ready = true;
    int last = knob_count(k) - 1;
    v->row = v->row < 0 ? 0 : v->row > last ? last : v->row;
}

static void measure(CyclesState *k)
{
    cycle_measure(&k->report);
    k->measured = true;
}

static void place(const Session *s, ViewState *v, Rect r)
{
    CyclesPane *pane = view_own(v);
    (void)r;
    follow(s, v);
    pane->sliders.secret = (v->hidden & LESSON_HIDE_DECK) != 0;
}

static void prepare(const Session *s, ViewState *v)
{
    CyclesPane *pane = view_own(v);
    CyclesState *k = &pane->sliders;
    (void)s;
    if (!k->measured && k->report.total.formula <= MEASURE_AT_ONCE)
        measure(k);
}

/* ---- the rows of the table ---- */

typedef struct TableRow {
    const char *name;
    CycleRow cycles;
} TableRow;

static void add_cycles(CycleRow *sum, const CycleRow *row)
{
    sum->measured += row->measured;
    sum->formula += row->formula;
    sum->deck += row->deck;
}

/* What keeps a row of its own when there are few, first come first served. */
static const Stage ranks[] = {STAGE_SOFTMAX, STAGE_FFN_LINEAR1, STAGE_FFN_LINEAR2,
                              STAGE_QKV,     STAGE_OUT_PROJ,    STAGE_LN1,
                              STAGE_LN2,     STAGE_SCORE,       STAGE_WEIGHTED_SUM};
enum { SMALL_ROWS = 1 + sizeof ranks / sizeof *ranks };

/* The stages in the order of the clock; if not all of them have room, the lesser ones as one. */
static int table_rows(const CycleReport *r, int room, TableRow rows[STAGE_COUNT])
{
    TableRow rest = {.name = "all the rest"};
    bool all = room >= STAGE_COUNT;
    unsigned kept = all ? ~0u : 0;
    int n = 0;
    for (int i = 0; i < SMALL_ROWS - 1 && i < room - 1; i++)
        kept |= 1u << ranks[i];
    for (int k = 0; k < STAGE_COUNT; k++) {
        if (kept >> k & 1)
            rows[n++] = (TableRow){stage_name(&r->config, (Stage)k), r->rows[k]};
        else
            add_cycles(&rest.cycles, &r->rows[k]);
    }
    if (!all && room > 0)
        rows[n++] = rest;
    return n;
}

/* The longest stage of the machine: the scale of the bars. */
static uint64_t bar_scale(const CycleReport *r)
{
    uint64_t most = 1;
    for (int k = 0; k < STAGE_COUNT; k++)
        most = r->rows[k].formula > most ? r->rows[k].formula : most;
    return most;
}

/* ---- drawing ---- */

static void draw_knobs(const CyclesState *k, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    int across = r.w / KNOB_W < 1 ? 1 : r.w / KNOB_W;
    for (int i = 0; i < knob_count(k); i++) {
        char text[24];
        int y = r.y + i / across, x = r.x + i % across * KNOB_W;
        bool here = i == v->row;
        if (y >= r.y + r.h)
            return;
        knob_text(k, (Knob)i, text, sizeof text);
        canvas_text(c, y, x, here ? ROLE_ACTIVE : ROLE_DIM, here ? MARK_ACTIVE : " ");
        canvas_text(c, y, x + 1, here ? ROLE_ACTIVE : ROLE_DIM, knob_name((Knob)i));
        canvas_textf(c, y, x + KNOB_W - 7, here && focused ? ROLE_CURSOR : ROLE_TEXT, "%6s", text);
        canvas_aim(c, (Rect){y, x, 1, KNOB_W}, aim_at(i, -1));
        if (here && focused) {
            c->cursor_y = y;
            c->cursor_x = x + KNOB_W - 2;
        }
    }
}

/* The slider under the cursor at full width, its rule, and where the sliders stand. */
static void draw_slider(const CyclesState *k, const ViewState *v, Rect r, Canvas *c)
{
    Knob knob = (Knob)v->row;
    int width = r.w / 2 - 4;
    const char *where = v->pinned ? "c: back to your machine" : "your machine's";
    if (width < 4)
        return;
    canvas_text(c, r.y, r.x, ROLE_KEY, "◄");
    canvas_put(c, r.y, r.x + 1, ROLE_FRAME, 0x251c); /* ├ */
    for (int i = 0; i < width; i++)
        canvas_put(c, r.y, r.x + 2 + i, ROLE_FRAME, 0x2500);
    canvas_put(c, r.y, r.x + 2 + width, ROLE_FRAME, 0x2524); /* ┤ */
    canvas_text(c, r.y, r.x + 3 + width, ROLE_KEY, "►");
    canvas_text(c, r.y, r.x + 2 + knob_column(k, knob, width), ROLE_ACTIVE, "●");
    int x = canvas_text(c, r.y, r.x + width + 6, ROLE_DIM, knob_rule(knob));
    int at = r.x + r.w - 1 - text_width(where);
    if (at > x)
        canvas_text(c, r.y, at, ROLE_DIM, where);
}

/* How far the deck is off: "63x" too many, "1/22" too few; false when it is less than twice. */
static bool off_text(double deck, double truth, char *out, size_t size)
{
    double times = deck > truth ? deck / truth : truth / deck;
    *out = '\0';
    if (deck <= 0 || truth <= 0 || times < 1.05)
        return false;
    int decimals = times < 9.95 && times - (int)times >= 0.05 ? 1 : 0;
    snprintf(out, size, deck > truth ? "%.*fx" : "1/%.*f", decimals, times);
    return times >= 2;
}

static void number(int y, int x, Role role, bool known, uint64_t value, Canvas *c)
{
    if (known)
        canvas_textf(c, y, x, role, "%*llu", NUMBER_W, (unsigned long long)value);
    else
        canvas_textf(c, y, x, ROLE_DIM, "%*s", NUMBER_W, "-");
}

static void draw_off(int y, int x, double deck, double truth, Canvas *c)
{
    char off[24];
    bool warn = off_text(deck, truth, off, sizeof off);
    canvas_text(c, y, x + 1, ROLE_WARN, warn ? MARK_WARN : " ");
    canvas_text(c, y, x + 3, warn ? ROLE_WARN : ROLE_DIM, off);
}

static void draw_numbers(const CyclesState *k, const TableRow *row, int y, int x, Role role,
                         bool share, Canvas *c)
{
    const CycleRow *n = &row->cycles, *total = &k->report.total;
    bool differs = k->measured && n->measured != n->formula;
    canvas_field(c, y, x, NAME_W, role, row->name);
    x += NAME_W;
    number(y, x, differs ? ROLE_WARN : role, k->measured, n->measured, c);
    number(y, x + NUMBER_W, role, true, n->formula, c);
    number(y, x + 2 * NUMBER_W, ROLE_DIM, n->deck != 0, n->deck, c);
    if (!k->secret)
        draw_off(y, x + 3 * NUMBER_W, (double)n->deck, (double)n->formula, c);
    uint64_t part = k->measured ? n->measured : n->formula;
    uint64_t whole = k->measured ? total->measured : total->formula;
    if (share)
        canvas_textf(c, y, x + 3 * NUMBER_W + OFF_W, role, "%5.1f %%",
                     100.0 * (double)part / (double)whole);
}

/* A bar on the common scale; what does not fit ends in an arrow. */
static void draw_bar(int y, int x, int width, Role role, uint32_t shade, uint64_t value,
                     uint64_t scale, Canvas *c)
{
    if (width < 1 || value == 0)
        return;
    if (shade) {
        uint64_t cells = (value * (uint64_t)width + scale - 1) / scale;
        int n = cells < (uint64_t)width ? (int)cells : width;
        canvas_fill(c, (Rect){y, x, 1, n}, role, shade);
    } else {
        double cells = (double)value * width / (double)scale;
        int begun = cells < width ? (int)(cells + 15.0 / 16) : width;
        begun = begun < 1 ? 1 : begun;
        canvas_bar(c, y, x, begun, role, cells, begun); /* leaves what is beyond it alone */
    }
    if (value > scale)
        canvas_text(c, y, x + width - 1, ROLE_WARN, "►");
}

/* Bars of one row: one over the other or, with room, side by side. */
static void draw_bars(const CyclesState *k, const CycleRow *n, Rect r, uint64_t scale, Canvas *c)
{
    uint64_t measured = k->measured ? n->measured : 0;
    bool apart = r.w >= APART_W;
    int width = apart ? r.w / 3 - 2 : r.w;
    int deck = apart ? r.x + 2 * (r.w / 3) : r.x;
    draw_bar(r.y, deck, width, ROLE_DIM, 0x2591, n->deck, scale, c); /* ░ */
    if (apart)
        draw_bar(r.y, r.x + r.w / 3, width, ROLE_READ, 0, n->formula, scale, c);
    draw_bar(r.y, r.x, width, ROLE_ACTIVE, 0, apart || measured ? measured : n->formula, scale, c);
}

static void draw_heads(Rect r, int y, bool bars, Canvas *c)
{
    static const char *const heads[] = {" measured", "  formula", " the deck"};
    int x = r.x + NAME_W, right = r.x + TABLE_W + 1, w = r.x + r.w - 1 - right;
    canvas_rule(c, (Rect){r.y, r.x - 1, r.h, r.w + 2}, y, ROLE_FRAME, "stage");
    for (int i = 0; i < 3; i++)
        canvas_text(c, y, x + 1 + i * NUMBER_W, ROLE_TITLE, heads[i]);
    canvas_text(c, y, x + 1 + 3 * NUMBER_W, ROLE_TITLE, "  off ");
    if (bars || r.w > TABLE_W + PLOT_W)
        canvas_text(c, y, x + 1 + 3 * NUMBER_W + OFF_W, ROLE_TITLE, " share ");
    if (!bars || w < 20)
        return;
    if (w >= APART_W) {
        canvas_text(c, y, right, ROLE_ACTIVE, " measured ");
        canvas_text(c, y, right + w / 3, ROLE_READ, " formula ");
        canvas_text(c, y, right + 2 * (w / 3), ROLE_DIM, " the deck ");
    } else {
        int at = canvas_text(c, y, right, ROLE_ACTIVE, " █ ");
        at = canvas_text(c, y, at, ROLE_TITLE, "machine ");
        at = canvas_text(c, y, at, ROLE_DIM, "░ ");
        canvas_text(c, y, at, ROLE_TITLE, "deck ");
    }
}

/* The stages and the total, with bars or a sweep on the right. */
static void draw_table(const CyclesPane *pane, Rect r, bool plot, Canvas *c)
{
    const CyclesState *k = &pane->sliders;
    TableRow rows[STAGE_COUNT];
    int shown = table_rows(&k->report, r.h - 1, rows);
    uint64_t scale = bar_scale(&k->report);
    bool share = !plot || r.w > TABLE_W + PLOT_W;
    int from = TABLE_W + 2 - (share ? 0 : SHARE_W);
    Rect right = {r.y, r.x + from, r.h, r.w - from - 1};
    for (int i = 0; i < shown; i++) {
        draw_numbers(k, &rows[i], r.y + i, r.x + 1, ROLE_TEXT, share, c);
        if (!plot && right.w > 3)
            draw_bars(k, &rows[i].cycles, (Rect){r.y + i, right.x, 1, right.w}, scale, c);
    }
    TableRow total = {"total", k->report.total};
    draw_numbers(k, &total, r.y + shown, r.x + 1, ROLE_TITLE, share, c);
    if (plot && right.w >= LEAST_PLOT_W)
        cycles_plot(k, (Knob)pane->v.row, (Metric)(pane->plot - 1), right, c);
}

static void figure(const CyclesState *k, int y, int x, const char *name, const char *unit,
                   double (*of)(uint64_t, double), int decimals, Canvas *c)
{
    const CycleRow *n = &k->report.total;
    const uint64_t cycles[] = {n->measured, n->formula, n->deck};
    canvas_field(c, y, x, NAME_W, ROLE_TEXT, name);
    for (int i = 0; i < 3; i++) {
        char text[40] = "-";
        if (i == 2 ? n->deck != 0 : i > 0 || k->measured)
            snprintf(text, sizeof text, "%.*f", decimals, of(cycles[i], cycles_mhz(k)));
        canvas_textf(c, y, x + NAME_W + i * NUMBER_W, i == 2 ? ROLE_DIM : ROLE_TEXT, "%*s",
                     NUMBER_W, text);
    }
    canvas_text(c, y, x + NAME_W + 3 * NUMBER_W + 3, ROLE_DIM, unit);
}

static void bytes_text(uint64_t bytes, char *out, size_t size)
{
    if (bytes >= 1 << 20)
        snprintf(out, size, "%.4g MiB", (double)bytes / (1 << 20));
    else if (bytes >= 1 << 10)
        snprintf(out, size, "%.4g KiB", (double)bytes / (1 << 10));
    else
        snprintf(out, size, "%llu B", (unsigned long long)bytes);
}

/* Variant array: what part of its products are useful, of those that it has room for. */
static void draw_utilisation(const CyclesState *k, int y, int x, Canvas *c)
{
    const CycleReport *r = &k->report;
    canvas_field(c, y, x, NAME_W, ROLE_TEXT, "array use");
    if (k->measured)
        canvas_textf(c, y, x + NAME_W, ROLE_TEXT, "%*.1f%%", NUMBER_W - 1,
                     100 * cycle_utilisation(r->useful.measured, r->slots.measured));
    canvas_textf(c, y, x + NAME_W + NUMBER_W, ROLE_TEXT, "%*.1f%%", NUMBER_W - 1,
                 100 * cycle_utilisation(r->useful.formula, r->slots.formula));
    canvas_textf(c, y, x + NAME_W + 3 * NUMBER_W + 3, ROLE_DIM, "a token fills one of %d row%s",
                 r->config.pe_rows, r->config.pe_rows > 1 ? "s" : "");
}

static void draw_figures(const CyclesState *k, Rect r, Canvas *c)
{
    const Config *config = &k->report.config;
    uint64_t truth = cycle_kv_bytes(config), deck = cycle_kv_bytes_deck(config);
    char here[24], there[24];
    int x = r.x + 1, y = r.y;
    if (r.h > 0)
        figure(k, y++, x, "latency", "milliseconds", cycle_latency_ms, 4, c);
    if (r.h > 1)
        figure(k, y++, x, "tokens/s", "one token at a time", cycle_tokens_per_s, 0, c);
    if (r.h <= 2)
        return;
    bytes_text(truth, here, sizeof here);
    bytes_text(deck, there, sizeof there);
    canvas_field(c, y, x, NAME_W, ROLE_TEXT, "KV cache");
    canvas_textf(c, y, x + NAME_W + NUMBER_W, ROLE_TEXT, "%*s", NUMBER_W, here);
    if (!k->secret)
        canvas_textf(c, y, x + NAME_W + 2 * NUMBER_W, ROLE_DIM, "%*s", NUMBER_W, there);
    if (!k->secret)
        draw_off(y, x + NAME_W + 3 * NUMBER_W, (double)deck, (double)truth, c);
    canvas_textf(c, y, x + NAME_W + 3 * NUMBER_W + OFF_W + 1, ROLE_DIM, "2 x %d x %d x 2 bytes",
                 config->max_seq_len, config->d_model);
    if (r.h > FIGURES)
        draw_utilisation(k, y + 1, x, c);
}

static const char title_text[] = "cycles per token";

/* What to take home, beside the title. */
static void draw_verdict(const CyclesState *k, Rect r, Canvas *c)
{
    char off[24], text[400] = "";
    const CycleRow *n = &k->report.total;
    unsigned long long truth = k->measured ? n->measured : n->formula;
    int x = r.x + 4 + text_width(title_text);
    Rect old = canvas_clip(c, (Rect){r.y, x, 1, r.x + r.w - 1 - x});
    if (!k->measured)
        canvas_textf(c, r.y, x, ROLE_ACTIVE, " Enter steps all %llu cycles ", truth);
    else if (!k->secret && off_text((double)n->deck, (double)truth, off, sizeof off))
        snprintf(text, sizeof text,
                 " ! the deck says %llu cycles, the machine needs %llu: %s (lesson 08) \n"
                 " ! the deck: %llu cycles; the machine: %llu, %s (lesson 08) \n"
                 " ! the deck: %llu; the machine: %llu, %s \n"
                 " ! the deck says %llu: %s ",
                 (unsigned long long)n->deck, truth, off, (unsigned long long)n->deck, truth, off,
                 (unsigned long long)n->deck, truth, off, (unsigned long long)n->deck, off);
    canvas_wording(c, r.y, x, ROLE_WARN, text);
    canvas_clip(c, old);
}

/* ---- layout ---- */

typedef struct Heights {
    int knobs, slider, table, figures, plots; /* rows, without the rules above them */
} Heights;

/* Give a section `rows` more, and its rule, if they are there. */
static void grant(int *section, int rows, int rule, int *left)
{
    if (rows <= 0 || rows + rule > *left)
        return;
    *section += rows;
    *left -= rows + rule;
}

static Heights share_rows(const CyclesState *k, Rect in)
{
    Heights h = {0};
    int left = in.h, across = in.w / KNOB_W < 1 ? 1 : in.w / KNOB_W;
    int knob_rows = (knob_count(k) + across - 1) / across;
    grant(&h.table, 1, 0, &left);
    grant(&h.knobs, knob_rows, 1, &left); /* the rule is the table's */
    if (h.knobs)
        grant(&h.table, left < SMALL_ROWS ? left : SMALL_ROWS, 0, &left);
    grant(&h.slider, 1, 0, &left);
    grant(&h.figures, FIGURES + (k->report.config.variant == VARIANT_ARRAY), 1, &left);
    if (h.table == SMALL_ROWS + 1)
        grant(&h.table, STAGE_COUNT - SMALL_ROWS, 0, &left);
    if (left > PLOT_ROWS)
        grant(&h.plots, left - 1 < PLOT_ROWS_MOST ? left - 1 : PLOT_ROWS_MOST, 1, &left);
    return h;
}

static Rect below_rule(Rect box, int *y, int rows, const char *title, Canvas *c)
{
    canvas_rule(c, box, *y, ROLE_FRAME, title);
    Rect r = {*y + 1, box.x + 1, rows, box.w - 2};
    *y += 1 + rows;
    return r;
}

/* As many sweeps side by side as there is room for; one: the chosen one. */
static void draw_plots(const CyclesPane *pane, Rect r, Canvas *c)
{
    int n = r.w / PLOT_W < METRIC_COUNT ? r.w / PLOT_W : METRIC_COUNT;
    n = n < 1 ? 1 : n;
    int first = pane->plot > 0 ? pane->plot - 1 : 0;
    for (int i = 0; i < n; i++) {
        int x = r.x + i * r.w / n, end = r.x + (i + 1) * r.w / n;
        cycles_plot(&pane->sliders, (Knob)pane->v.row, (Metric)((first + i) % METRIC_COUNT),
                    (Rect){r.y, x, r.h, end - x - 1}, c);
    }
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    const CyclesPane *pane = view_own(v);
    const CyclesState *k = &pane->sliders;
    Rect old = canvas_clip(c, r);
    (void)s;
    Rect in = canvas_box(c, r, ROLE_FRAME, title_text);
    if (in.h < 1) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)k->report.total.formula);
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, text);
        canvas_clip(c, old);
        return;
    }
    Heights h = share_rows(k, in);
    int y = in.y;
    canvas_clip(c, in);
    draw_knobs(k, v, (Rect){y, in.x, h.knobs, in.w}, focused, c);
    y += h.knobs;
    if (h.slider)
        draw_slider(k, v, (Rect){y, in.x + 1, 1, in.w - 1}, c);
    y += h.slider;
    bool plot = h.plots == 0 && pane->plot > 0;
    if (h.knobs) {
        canvas_clip(c, r);
        draw_heads(in, y++, !plot, c);
        canvas_clip(c, in);
    }
    draw_table(pane, (Rect){y, in.x, h.table, in.w}, plot, c);
    y += h.table;
    canvas_clip(c, r);
    if (h.figures) {
        char title[32];
        snprintf(title, sizeof title, "at %.1f MHz", cycles_mhz(k));
        Rect figures = below_rule(r, &y, h.figures, title, c);
        canvas_clip(c, in);
        draw_figures(k, figures, c);
        canvas_clip(c, r);
    }
    if (h.plots)
        draw_plots(pane, below_rule(r, &y, h.plots, "sweeps, by the closed forms", c), c);
    draw_verdict(k, r, c);
    canvas_clip(c, old);
}

/* ---- keys ---- */

static void move_slider(const Session *s, ViewState *v, int by, bool fine)
{
    CyclesPane *pane = view_own(v);
    follow(s, v);
    knob_step(&pane->sliders, (Knob)v->row, by, fine);
    v->pinned = true;
}

/* Up and Down: another slider; Left and Right: this one. */
static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    const CyclesPane *pane = view_own(v);
    follow(p->s, v);
    if (cols)
        move_slider(p->s, v, cols, false);
    else
        v->row = limit(v->row + rows, 0, knob_count(&pane->sliders) - 1);
}

static void next_slider(Press *p)
{
    move(p, press_by(p), 0);
}

static void by_one(Press *p)
{
    move_slider(p->s, p->v, press_by(p), true);
}

static void bars_or_sweeps(Press *p)
{
    CyclesPane *pane = view_own(p->v);
    pane->plot = (pane->plot + 1) % (METRIC_COUNT + 1);
}

static void measure_it(Press *p)
{
    CyclesPane *pane = view_own(p->v);
    follow(p->s, p->v);
    measure(&pane->sliders);
}

static Target target(const Session *s, const ViewState *v)
{
    (void)s, (void)v;
    return (Target){NULL, 0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    (void)s, (void)v, (void)t;
    return false;
}

static const char *numbers_note(const ViewState *v)
{
    (void)v;
    return "here are cycles only";
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "slider", "previous, next slider (Up and Down too)", .act = next_slider},
    {"Left Right", SENSE_MOVE, "move it", "move the slider", KEY_MOVES},
    {"Enter", SENSE_OPEN, "measure", "measure a long token", .act = measure_it},
    {"v", SENSE_PART, "sweeps", "bars, sweeps", .act = bars_or_sweeps},
    {"c", SENSE_FOLLOW, "follow", "your machine again", .act = view_follow},
    {"< >", SENSE_LESS, NULL, "by one", .act = by_one},
    {"Up Down", SENSE_MOVE, NULL, "choose a slider", KEY_MOVES},
    {0},
};

const View view_cycles = {
    .name = "cycles",
    .title = "cycles",
    .key = "9",
    .about =
        "What one token costs, stage by stage, three times over: measured by stepping every clock "
        "of a machine of its own, computed by the closed form, and as the deck's estimator has it; "
        "an exclamation mark says where that is off, and how far: 63x is too many, 1/22 too few. "
        "The sliders stand where your machine is until you move one, and never touch it. The "
        "sweeps show the whole range of the slider under the cursor. Try: what share of a token is "
        "the softmax, and which two sliders change that? Is it true that the position hardly "
        "matters? Make the deck's total right.",
    .keys = keys,
    .state_size = sizeof(CyclesPane),
    .place_end = offsetof(CyclesPane, sliders),
    .place = place,
    .prepare = prepare,
    .draw = draw,
    .move = move,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
};
