/* The softmax of one head, number by number:
 *
 * ╭ softmax  head 0 of 4  token 0 ─────────────────────────────────────────────╮
 * │ FIND_MAX ►SUBTRACT_EXP  SUM  RECIP  NORMALIZE                     37 of 128│
 * ├  pos  score shifted  exp  prob ───────────┬ exp: ■ executed  • true ───────┤
 * │    0   0040    0000  0100  0002   0.8%    │ 1.0┤                       •▆  │
 * │►  37░  8000    7fc0! 0100! 0002   0.8%    │    │                      ▃██  │
 * │ max 0040  sum 00008000  recip 0002        │ 0.0└───┴─────┴──────┴──────┴─  │
 * ├ where the probability went ───────────────┴────────────────────────────────┤
 * │ valid 0.8 %    masked 99.2 %    lost to rounding 0.0 %                      │
 * │ ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │
 * │ what the present phase does                                                 │
 * │ ! what a newcomer should notice                                             │
 * ╰─────────────────────────────────────────────────────────────────────────────╯
 *
 * The softmax unit serves all heads in turn, so its registers belong to one head at a time. A head
 * that has had its turn in this token is shown as it stood in its SOFTMAX_STORE. */
#include <stdio.h>
#include <string.h>

#include "engine/fixed_point.h"
#include "tui/exp_plot.h"
#include "tui/look.h"
#include "tui/view.h"

enum { ONE = 256, FLOOR = 4, MARGIN = 7, PERCENT_W = 8, PLOT_MIN_W = 26 };
enum { COL_SCORE, COL_SHIFTED, COL_EXP, COL_PROB, COLUMNS };
enum { OPTION_OTHER_EXP = 1 };

static const char *const column_names[COLUMNS] = {"score", "shifted", "exp", "prob"};

/* What the registers hold of the shown head in this token, in the order in which it comes about. */
typedef struct Known {
    int scores, shifted, probs; /* entries */
    bool max, sum, recip;
} Known;

typedef struct Picture {
    const Session *s;
    const Engine *e; /* the machine now, or as it stood when the head's turn ended */
    bool past;       /* the latter */
    ViewState *v;
    Canvas *c;
    Rect r;
    bool focused;
    int head, heads, S, pos;
    int index; /* entry that the present phase works on, or -1 */
    Known known;
} Picture;

/* ---- whose numbers are they ---- */

/* The head whose numbers of this token are in the softmax registers, or -1. */
static int held_head(const Engine *e)
{
    int last = engine_config(e)->n_heads - 1;
    AttentionStage stage = look_attention(e);
    if (stage != ATTENTION_AT_WORK)
        return stage == ATTENTION_DONE ? last : -1;
    const char *attn = look_state(e, "attn.state");
    if (strncmp(attn, "SOFTMAX_", 8) == 0) {
        int h = look_value(e, "attn.h");
        return h < last ? h : last;
    }
    bool after = strcmp(attn, "WEIGHTED_SUM") == 0 || strcmp(attn, "OUTPUT_PROJ") == 0;
    return after || strcmp(attn, "DONE") == 0 ? last : -1;
}

static int shown_head(const Engine *e, const ViewState *v)
{
    int heads = engine_config(e)->n_heads, held = held_head(e);
    if (v->choice > 0)
        return (v->choice < heads ? v->choice : heads) - 1;
    if (held < 0 && look_in(e, "attn.state", "SCORE"))
        held = look_value(e, "attn.h");
    return held < 0 ? 0 : held < heads ? held : heads - 1;
}

static int known_scores(const Engine *e, int head)
{
    int all = look_value(e, "seq_pos") + 1, h = look_value(e, "attn.h"),
        t = look_value(e, "attn.t");
    if (held_head(e) >= 0)
        return all;
    if (!look_in(e, "attn.state", "SCORE"))
        return 0;
    return head < h ? all : head > h ? 0 : t < all ? t : all;
}

static Known known_of(const Engine *e, int head)
{
    int S = engine_config(e)->max_seq_len, i = look_value(e, "softmax.i"), held = held_head(e);
    Known k = {.scores = known_scores(e, head)};
    if (held != head || look_in(e, "attn.state", "SOFTMAX_PREP"))
        return k;
    const char *at = look_state(e, "smax.state");
    if (look_in(e, "attn.state", "SOFTMAX_RUN") && (!strcmp(at, "IDLE") || !strcmp(at, "FIND_MAX")))
        return k;
    bool subtracting = strcmp(at, "SUBTRACT_EXP") == 0, summing = strcmp(at, "SUM") == 0;
    k.max = true;
    k.shifted = subtracting && i < S ? i : S;
    k.sum = !subtracting && !summing;
    k.recip = k.sum && strcmp(at, "RECIP") != 0;
    k.probs = !k.recip ? 0 : strcmp(at, "NORMALIZE") == 0 && i < S ? i : S;
    return k;
}

/* The entry at work: of the scores, or of a phase that goes through all entries. */
static int present_index(const Engine *e, int head)
{
    if (look_in(e, "attn.state", "SCORE") && look_value(e, "attn.h") == head) {
        int t = look_value(e, "attn.t");
        return t <= look_value(e, "seq_pos") ? t : -1;
    }
    bool counted = look_in(e, "smax.state", "FIND_MAX") || look_in(e, "smax.state", "SUM") ||
                   look_in(e, "smax.state", "SUBTRACT_EXP") ||
                   look_in(e, "smax.state", "NORMALIZE");
    int i = look_value(e, "softmax.i");
    return counted && held_head(e) == head && i < engine_config(e)->max_seq_len ? i : -1;
}

static bool is_masked(const Picture *p, int t)
{
    return t > p->pos;
}

static int32_t entry(const Picture *p, int column, int t)
{
    switch (column) {
    case COL_SCORE:
        return is_masked(p, t) ? engine_config(p->e)->mask
                               : signal_get(p->e, signal_at(SIG_SCORES), p->head * p->S + t);
    case COL_SHIFTED:
        return signal_get(p->e, signal_at(SIG_SMAX_SHIFTED), t);
    case COL_EXP:
        return signal_get(p->e, signal_at(SIG_SMAX_EXP), t);
    default:
        return signal_get(p->e, signal_at(SIG_SMAX_PROB), t);
    }
}

static bool is_known(const Picture *p, int column, int t)
{
    const Known *k = &p->known;
    if (column == COL_SCORE)
        return is_masked(p, t) || t < k->scores;
    return t < (column == COL_PROB ? k->probs : k->shifted);
}

/* Did score - max lose its sign? */
static bool is_wrapped(const Picture *p, int t)
{
    int32_t max = signal_get(p->e, signal_at(SIG_SMAX_MAX), 0);
    return is_known(p, COL_SHIFTED, t) && entry(p, COL_SHIFTED, t) != entry(p, COL_SCORE, t) - max;
}

static bool is_leaking(const Picture *p, int t)
{
    return is_masked(p, t) && is_known(p, COL_EXP, t) && entry(p, COL_EXP, t) > FLOOR;
}

/* The signal and the element behind a cell of the table. */
static Target cell_target(const Engine *e, int head, int column, int t)
{
    static const SignalId unit[COLUMNS] = {SIG_SMAX_X, SIG_SMAX_SHIFTED, SIG_SMAX_EXP,
                                           SIG_SMAX_PROB};
    int S = engine_config(e)->max_seq_len;
    if (column == COL_SCORE && t <= look_value(e, "seq_pos"))
        return (Target){signal_at(SIG_SCORES), head * S + t};
    if (column == COL_PROB && held_head(e) > head)
        return (Target){signal_at(SIG_PROBS), head * S + t};
    return (Target){signal_at(unit[column]), t};
}

/* ---- the table ---- */

static int column_width(const ViewState *v, int column)
{
    int number = format_width(v->format), name = text_width(column_names[column]);
    return number > name ? number : name;
}

static int table_width(const ViewState *v)
{
    int w = MARGIN + PERCENT_W;
    for (int k = 0; k < COLUMNS; k++)
        w += column_width(v, k) + 2;
    return w;
}

static void draw_header(const Picture *p, int y, int x)
{
    canvas_field(p->c, y, x + 1, table_width(p->v) - PERCENT_W - 2, ROLE_TITLE, "  pos");
    x += MARGIN;
    for (int k = 0; k < COLUMNS; k++) {
        int w = column_width(p->v, k);
        canvas_text(p->c, y, x + w - text_width(column_names[k]), ROLE_TITLE, column_names[k]);
        x += w + 2;
    }
}

static Role cell_role(const Picture *p, int column, int t)
{
    Target at = cell_target(p->e, p->head, column, t);
    if (!is_known(p, column, t))
        return ROLE_DIM;
    if (!p->past && signal_changed(p->e, at.signal, at.at))
        return ROLE_CHANGED;
    bool warns =
        (column == COL_SHIFTED && is_wrapped(p, t)) || (column == COL_EXP && is_leaking(p, t));
    return warns ? ROLE_WARN : is_masked(p, t) ? ROLE_MASKED : ROLE_TEXT;
}

/* The unit's registers still hold numbers of somebody else: only a head whose turn it is shows
 * them. */
static bool is_absent(const Picture *p, int column, int t)
{
    return !is_known(p, column, t) && column != COL_SCORE && held_head(p->e) != p->head;
}

static void draw_entry(const Picture *p, int y, int x, int t)
{
    Canvas *c = p->c;
    bool at_work = t == p->index;
    Role role = at_work ? ROLE_ACTIVE : is_masked(p, t) ? ROLE_MASKED : ROLE_TEXT;
    canvas_text(c, y, x, ROLE_ACTIVE, at_work ? MARK_ACTIVE : " ");
    canvas_textf(c, y, x + 1, role, "%4d", t);
    canvas_text(c, y, x + 5, ROLE_MASKED, is_masked(p, t) ? MARK_MASKED : " ");
    x += MARGIN;
    for (int k = 0; k < COLUMNS; k++) {
        char text[64] = "-";
        int w = column_width(p->v, k);
        Role cell = cell_role(p, k, t);
        Target at = cell_target(p->e, p->head, k, t);
        if (!is_absent(p, k, t))
            format_number(p->e, at.signal, entry(p, k, t), p->v->format, text, sizeof text);
        if (p->focused && t == p->v->row && k == p->v->col)
            cell = ROLE_CURSOR;
        canvas_text(c, y, x + w - text_width(text), cell, text);
        bool warns = (k == COL_SHIFTED && is_wrapped(p, t)) || (k == COL_EXP && is_leaking(p, t));
        canvas_text(c, y, x + w, ROLE_WARN, warns ? MARK_WARN : " ");
        x += w + 2;
    }
    if (is_known(p, COL_PROB, t))
        canvas_textf(c, y, x, role, "%5.1f %%", entry(p, COL_PROB, t) * 100.0 / ONE);
}

/* First visible row: the page of the entry at work, or wherever the user's cursor is. */
static void place_rows(ViewState *v, int rows, int S, int follow)
{
    int last = S > rows ? S - rows : 0;
    if (!v->pinned) {
        v->row = follow;
        v->top = v->row / rows * rows;
    }
    v->row = v->row < 0 ? 0 : v->row >= S ? S - 1 : v->row;
    v->col = v->col < 0 ? 0 : v->col >= COLUMNS ? COLUMNS - 1 : v->col;
    if (v->row < v->top)
        v->top = v->row;
    if (v->row >= v->top + rows)
        v->top = v->row - rows + 1;
    v->top = v->top > last ? last : v->top < 0 ? 0 : v->top;
}

static int draw_register(const Picture *p, int y, int x, const char *name, SignalId id, bool known)
{
    char text[64];
    const Signal *s = signal_at(id);
    bool changed = !p->past && known && signal_changed(p->e, s, 0);
    bool absent = !known && held_head(p->e) != p->head;
    format_number(p->e, s, signal_get(p->e, s, 0), p->v->format, text, sizeof text);
    x = canvas_text(p->c, y, x, ROLE_DIM, name);
    Role role = changed ? ROLE_CHANGED : known ? ROLE_TEXT : ROLE_DIM;
    return canvas_text(p->c, y, x + 1, role, absent ? "-" : text + strspn(text, " ")) + 2;
}

static void draw_registers(const Picture *p, int y, int x, int w)
{
    Rect old = canvas_clip(p->c, (Rect){y, x, 1, w});
    bool finding = look_in(p->e, "smax.state", "FIND_MAX"),
         adding = look_in(p->e, "smax.state", "SUM");
    bool mine = held_head(p->e) == p->head;
    x = draw_register(p, y, x + 1, "max", SIG_SMAX_MAX, p->known.max || (mine && finding));
    x = draw_register(p, y, x, "sum", SIG_SMAX_SUM, p->known.sum || (mine && adding));
    draw_register(p, y, x, "recip", SIG_SMAX_RECIP, p->known.recip);
    canvas_clip(p->c, old);
}

/* ---- where the probability went ---- */

typedef struct Shares {
    bool final;                   /* of the probabilities; else of the exps made so far */
    int64_t valid, masked, whole; /* raw; whole: 1.0, or the sum of the exps */
} Shares;

static Shares shares_of(const Picture *p)
{
    Shares h = {.final = p->known.probs > 0};
    for (int t = 0; t < (h.final ? p->known.probs : p->known.shifted); t++)
        *(is_masked(p, t) ? &h.masked : &h.valid) += entry(p, h.final ? COL_PROB : COL_EXP, t);
    h.whole = h.final ? ONE : h.valid + h.masked;
    return h;
}

static double percent(const Shares *h, int64_t part)
{
    return h->whole > 0 ? (double)part * 100 / (double)h->whole : 0;
}

static void draw_share_numbers(const Picture *p, int y, int x, const Shares *h, bool leaks)
{
    int64_t lost = h->whole - h->valid - h->masked;
    if (h->whole == 0) {
        canvas_text(p->c, y, x, ROLE_DIM, "valid     - %    masked     - %");
        return;
    }
    x = canvas_textf(p->c, y, x, ROLE_TEXT, "valid %5.1f %%", percent(h, h->valid));
    x = canvas_textf(p->c, y, x + 4, leaks ? ROLE_WARN : ROLE_TEXT, "masked %5.1f %%",
                     percent(h, h->masked));
    if (h->final && p->known.probs == p->S && lost >= 0)
        canvas_textf(p->c, y, x + 4, ROLE_DIM, "lost to rounding %5.1f %%", percent(h, lost));
    else if (h->final && p->known.probs == p->S)
        canvas_textf(p->c, y, x + 4, ROLE_DIM, "above 1.0 %5.1f %%", percent(h, -lost));
}

/* One bar: valid, masked, and what is missing to 1.0 left blank. */
static void draw_share_bar(const Picture *p, int y, int x, int w, const Shares *h, bool leaks)
{
    int64_t sum = h->valid + h->masked, whole = h->whole > sum ? h->whole : sum;
    if (whole <= 0)
        return;
    int valid = (int)((h->valid * w + whole / 2) / whole),
        end = (int)((sum * w + whole / 2) / whole);
    valid = h->valid > 0 && valid == 0 ? 1 : valid;
    end = h->masked > 0 && end <= valid && valid < w ? valid + 1 : end;
    for (int k = 0; k < end; k++) {
        if (k < valid)
            canvas_text(p->c, y, x + k, ROLE_HEAT_POS_LAST, "█");
        else
            canvas_text(p->c, y, x + k, leaks ? ROLE_WARN : ROLE_MASKED, MARK_MASKED);
    }
}

/* ---- in words ---- */

static void phase_words(const Picture *p, char *out, size_t size)
{
    static const struct {
        const char *state, *words;
    } phases[] = {
        {"FIND_MAX", "Finding the largest score: it is taken off all, so that no exp exceeds 1.0."},
        {"SUBTRACT_EXP",
         "shifted = score - max in 16 bits; exp of it by straight pieces, no table."},
        {"SUM", "Adding up the exps of all entries, masked ones too."},
        {"RECIP", "One division serves all entries: recip is about 65536 / sum."},
        {"NORMALIZE", "prob = exp * recip >> 8: the low bits are cut off, so 1.0 can be missed."},
        {"DONE", "All probabilities of this head are made; attention copies them next."},
    };
    const char *at = look_state(p->e, "smax.state");
    snprintf(out, size, "This head has had its turn: probs[%d] holds these probabilities.",
             p->head);
    if (p->past)
        snprintf(out, size,
                 "Head %d as it stood at cycle %llu, when its probabilities were stored.", p->head,
                 (unsigned long long)engine_cycle(p->e));
    else if (p->known.scores == 0)
        snprintf(out, size,
                 "Not yet in this token: softmax follows the scores. Key f runs to its phases.");
    else if (held_head(p->e) != p->head)
        snprintf(out, size,
                 "Head %d waits for its turn: the scores come first, then one head at a time.",
                 p->head);
    else if (p->known.probs < p->S || look_in(p->e, "attn.state", "SOFTMAX_RUN"))
        snprintf(out, size, "The scores are ready; the mask fills the positions after %d.", p->pos);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (!p->past && held_head(p->e) == p->head && strcmp(at, phases[i].state) == 0)
            snprintf(out, size, "%s", phases[i].words);
    }
}

/* A valid entry with a smaller score and yet a larger exp than entry t, or -1. */
static int overtaken_by(const Picture *p, int t)
{
    for (int u = 0; !is_masked(p, t) && u <= p->pos && is_known(p, COL_EXP, t); u++) {
        if (is_known(p, COL_EXP, u) && entry(p, COL_SHIFTED, u) < entry(p, COL_SHIFTED, t) &&
            entry(p, COL_EXP, u) > entry(p, COL_EXP, t))
            return u;
    }
    return -1;
}

/* The most telling thing to notice; "" when all is as it should be. True: it deserves a warning. */
static bool remark_words(const Picture *p, const Shares *h, char *out, size_t size)
{
    const Config *config = engine_config(p->e);
    int first = p->pos + 1, over = overtaken_by(p, p->v->row);
    int32_t sum = signal_get(p->e, signal_at(SIG_SMAX_SUM), 0);
    bool masked_known = first < p->S && is_known(p, COL_EXP, first);
    out[0] = '\0';
    if (p->known.sum && (uint32_t)sum > 0xffff) {
        snprintf(out, size, "the sum left 16 bits: the reciprocal sees only %04x of %08x",
                 (unsigned)sum & 0xffff, (unsigned)sum);
        return true;
    }
    if (masked_known && is_leaking(p, first) && is_wrapped(p, first)) {
        char mask[24], max[24], wrapped[24];
        q88_text(config->mask, mask, sizeof mask);
        q88_text(signal_get(p->e, signal_at(SIG_SMAX_MAX), 0), max, sizeof max);
        q88_text(entry(p, COL_SHIFTED, first), wrapped, sizeof wrapped);
        snprintf(out, size, "%s - %s wraps to %s: masked exp is 1.0 (lesson 06)", mask, max,
                 wrapped);
        return true;
    }
    if (masked_known && is_leaking(p, first)) {
        snprintf(out, size,
                 "masked positions are not far below max: they keep a real share (lesson 06)");
        return true;
    }
    if (over >= 0) {
        snprintf(out, size,
                 "position %d has a smaller score than %d, yet a larger exp: the pieces fold back",
                 over, p->v->row);
        return true;
    }
    if (masked_known && entry(p, COL_EXP, first) > 0) {
        snprintf(out, size,
                 "exp never gets below 4/256: %d masked positions hold %.1f %% (lesson 06)",
                 p->S - first, percent(h, h->masked));
        return true;
    }
    if (masked_known)
        snprintf(out, size,
                 "mask_mode exclude: every masked position gets exp 0, the rest shares all.");
    else if (p->pos + 1 >= p->S)
        snprintf(out, size, "The last position: nothing is masked.");
    return false;
}

/* ---- the picture ---- */

static void draw_phases(const Picture *p, int y, int x, int w)
{
    static const char *const names[] = {"FIND_MAX", "SUBTRACT_EXP", "SUM", "RECIP", "NORMALIZE"};
    int end = x + w;
    const char *at = look_state(p->e, "smax.state");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool active = !p->past && held_head(p->e) == p->head && strcmp(names[i], at) == 0;
        Role role = active ? ROLE_ACTIVE : ROLE_DIM;
        x = canvas_text(p->c, y, x, role, active ? MARK_ACTIVE : " ");
        x = canvas_text(p->c, y, x, role, names[i]) + 1;
    }
    if (p->index >= 0 && end - x > 14)
        canvas_textf(p->c, y, end - 15, ROLE_ACTIVE, "%6d of %d", p->index, p->S);
}

static void draw_plot(const Picture *p, Rect r)
{
    const Config *config = engine_config(p->e);
    int t = p->v->row;
    bool marked = is_known(p, COL_EXP, t);
    ExpPlot plot = {
        .mode = config->exp, .other = p->v->option & OPTION_OTHER_EXP, .marked = marked};
    const char *names[] = {"executed", "intended"};
    if (marked) {
        plot.x = (int16_t)entry(p, COL_SHIFTED, t);
        plot.y = (int16_t)entry(p, COL_EXP, t);
    }
    exp_plot(p->c, r, &plot);
    if (r.w < 34 || r.h < 8)
        return;
    int y = r.y + 1, x = r.x + 6; /* the upper left of the plot is empty */
    canvas_textf(p->c, y, x, ROLE_HEAT_POS + 5, "█ %s", names[config->exp]);
    canvas_text(p->c, y + 1, x, ROLE_TEXT, "• true exp");
    if (marked)
        canvas_textf(p->c, y + 2, x, ROLE_ACTIVE, "◆ position %d", t);
    if (plot.other)
        canvas_textf(p->c, y + 3, x, ROLE_READ, "○ %s", names[!config->exp]);
}

/* Rows from the top: phases 1, header 1, entries, registers 1; from the bottom: words 2, shares 3.
 */
static void draw_inside(const Picture *p, Rect in)
{
    Shares h = shares_of(p);
    bool leaks = p->pos + 1 < p->S && is_known(p, COL_EXP, p->pos + 1) && h.masked > 0;
    int words = in.h >= 12 ? 2 : in.h >= 6 ? 1 : 0, shares = in.h >= 14 ? 3 : in.h >= 8 ? 2 : 0;
    int phases = in.h >= 4, header = in.h >= 3, registers = in.h >= 7;
    int rows = in.h - words - shares - phases - header - registers;
    int y = in.y, table = table_width(p->v), plot = in.w - table - 1;
    if (phases)
        draw_phases(p, y++, in.x, in.w);
    if (header)
        canvas_rule(p->c, p->r, y, ROLE_FRAME, "");
    if (header)
        draw_header(p, y++, in.x);
    place_rows(p->v, rows > 0 ? rows : 1, p->S, p->index >= 0 ? p->index : 0);
    for (int k = 0; k < rows && p->v->top + k < p->S; k++)
        draw_entry(p, y + k, in.x, p->v->top + k);
    if (registers)
        draw_registers(p, y + rows, in.x, plot >= PLOT_MIN_W ? table : in.w);
    int bottom = y + rows + registers;
    if (shares)
        canvas_rule(p->c, p->r, bottom, ROLE_FRAME,
                    h.final       ? "where the probability went"
                    : h.whole > 0 ? "where the exp went so far"
                                  : "where the probability will go");
    if (plot >= PLOT_MIN_W && header && shares) {
        canvas_divide(p->c, in.x + table, y - 1, bottom, ROLE_FRAME);
        canvas_text(p->c, y - 1, in.x + table + 1, ROLE_TITLE, " approx_exp against exp ");
        draw_plot(p, (Rect){y, in.x + table + 2, rows + registers, plot - 2});
    }
    if (shares)
        draw_share_numbers(p, bottom + 1, in.x + 1, &h, leaks);
    if (shares > 2)
        draw_share_bar(p, bottom + 2, in.x + 1, in.w - 2, &h, leaks);
    char text[160];
    bool warn = remark_words(p, &h, text, sizeof text);
    int last = in.y + in.h - 1;
    if (words && *text)
        canvas_textf(p->c, last, in.x + 1, warn ? ROLE_WARN : ROLE_DIM, "%s%s", warn ? "! " : "",
                     text);
    if (words == 2 || (words && !*text)) {
        phase_words(p, text, sizeof text);
        canvas_text(p->c, words == 2 ? last - 1 : last, in.x + 1, ROLE_TEXT, text);
    }
}

static bool draw_machine(void *context, const Engine *e, const Host *host)
{
    Picture *p = context;
    char title[96];
    p->e = e;
    p->S = engine_config(e)->max_seq_len;
    p->pos = look_value(e, "seq_pos");
    p->index = p->past ? -1 : present_index(e, p->head);
    p->known = known_of(e, p->head);
    snprintf(title, sizeof title, "softmax  head %d of 0..%d%s  token %d", p->head, p->heads - 1,
             p->v->choice ? "" : " (at work)", host->token);
    Rect in = canvas_box(p->c, p->r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(p->c, p->r.y, p->r.x, p->r.w, ROLE_DIM, title);
        return false;
    }
    canvas_clip(p->c, p->r);
    draw_inside(p, in);
    return false;
}

static void draw(const Session *s, ViewState *v, Rect r, bool focused, Canvas *c)
{
    const Engine *now = session_engine(s);
    Rect old = canvas_clip(c, r);
    Picture p = {
        .s = s, .v = v, .c = c, .r = r, .focused = focused, .heads = engine_config(now)->n_heads};
    p.head = shown_head(now, v);
    uint64_t stored = 0;
    if (p.head < held_head(now)) /* its turn is over, and another head has the unit */
        stored =
            session_last_write(s, signal_at(SIG_PROBS), p.head * engine_config(now)->max_seq_len);
    p.past = stored > session_host(s)->token_start;
    if (p.past)
        session_visit(s, stored - 1, stored - 1, draw_machine, &p);
    else
        draw_machine(&p, now, session_host(s));
    canvas_clip(c, old);
}

/* ---- keys ---- */

static void move_cursor(ViewState *v, int rows, int cols)
{
    v->pinned = v->pinned || rows != 0;
    v->row += rows;
    v->col += cols;
}

static bool press(const Session *s, ViewState *v, const char *key, char *command, size_t size)
{
    static const struct {
        const char *key;
        int rows, cols;
    } moves[] = {{"Up", -1, 0},      {"k", -1, 0},       {"Down", 1, 0}, {"j", 1, 0},
                 {"Left", 0, -1},    {"h", 0, -1},       {"l", 0, 1},    {"Right", 0, 1},
                 {"PageUp", -16, 0}, {"PageDown", 16, 0}};
    int heads = engine_config(session_engine(s))->n_heads;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (strcmp(key, moves[i].key) == 0) {
            move_cursor(v, moves[i].rows, moves[i].cols);
            return true;
        }
    }
    if (strcmp(key, "]") == 0)
        v->choice = v->choice < heads ? v->choice + 1 : 0;
    else if (strcmp(key, "[") == 0)
        v->choice = v->choice > 0 ? v->choice - 1 : heads;
    else if (strcmp(key, "i") == 0)
        v->option ^= OPTION_OTHER_EXP;
    else if (strcmp(key, "c") == 0)
        v->pinned = false;
    else if (strcmp(key, "f") == 0)
        snprintf(command, size, "run until smax.state changes");
    else
        return false;
    return true;
}

static Target target(const Session *s, const ViewState *v)
{
    const Engine *e = session_engine(s);
    return cell_target(e, shown_head(e, v), v->col, v->row);
}

static bool find(const Session *s, ViewState *v, Target t)
{
    static const SignalId unit[COLUMNS] = {SIG_SMAX_X, SIG_SMAX_SHIFTED, SIG_SMAX_EXP,
                                           SIG_SMAX_PROB};
    int S = engine_config(session_engine(s))->max_seq_len, at = t.at < 0 ? 0 : t.at;
    if (!t.signal)
        return false;
    SignalId id = signal_id(t.signal);
    for (int k = 0; k < COLUMNS; k++) {
        if (id == unit[k]) {
            v->choice = 0;
            v->col = k;
            v->row = at;
            return v->pinned = true;
        }
    }
    if (id != SIG_SCORES && id != SIG_PROBS)
        return false;
    v->choice = at / S + 1;
    v->col = id == SIG_SCORES ? COL_SCORE : COL_PROB;
    v->row = at % S;
    return v->pinned = true;
}

static const ViewKey keys[] = {
    {"[", "previous head"},
    {"]", "next head; after the last one again the head at work"},
    {"f", "run to the next phase of the softmax"},
    {"i", "the other reading of the exp as a curve"},
    {"c", "let the cursor follow the machine again"},
    {NULL, NULL},
};

const View view_softmax = {
    .name = "softmax",
    .title = "softmax",
    .key = "3",
    .about =
        "Softmax turns the scores of one head into probabilities: find the largest score, take it "
        "off every score, exp, sum, one reciprocal, one product each. Positions after the present "
        "one are masked (" MARK_MASKED "): they hold the mask instead of a score and should end up "
        "with nothing. Watch whether they do: the bar tells how much of the probability they took. "
        "The plot compares the exp by straight pieces with the true one; the diamond is the entry "
        "under the cursor. Dim numbers are left over from an earlier head. Try f to go from phase "
        "to phase, then `preset minus8` and `preset repaired`.",
    .keys = keys,
    .draw = draw,
    .press = press,
    .target = target,
    .find = find,
};
