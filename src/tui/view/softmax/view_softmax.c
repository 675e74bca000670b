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

#include "engine/option.h"
#include "script/lesson.h"
#include "session/story.h"
#include "tui/view/softmax/exp_plot.h"
#include "tell/look.h"
#include "tui/screen/pane.h"
#include "tell/softmax_head.h"
#include "tui/view/softmax/softmax_view.h"

enum { ONE = 256, MARGIN = 7, PERCENT_W = 8, PLOT_MIN_W = 26 };

static const char *const column_names[SOFTMAX_COLUMNS] = {"score", "shifted", "exp", "prob"};

typedef struct Picture {
    const Session *s;
    SoftmaxHead head; /* now, or as it stood when its turn ended */
    bool past;        /* the latter */
    const ViewState *v;
    const SoftmaxState *own;
    Canvas *c;
    Rect r;
    bool focused;
} Picture;

static int shown_head(const Engine *e, const ViewState *v)
{
    const SoftmaxState *own = view_own(v);
    int heads = engine_config(e)->n_heads;
    return own->head == 0 ? softmax_at_work(e) : (own->head < heads ? own->head : heads) - 1;
}

/* The signal and the element behind a cell of the table. */
static Target cell_target(const Engine *e, int head, int column, int t)
{
    static const SignalId unit[SOFTMAX_COLUMNS] = {SIG_SMAX_X, SIG_SMAX_SHIFTED, SIG_SMAX_EXP,
                                                   SIG_SMAX_PROB};
    int S = engine_config(e)->max_seq_len;
    if (column == SOFTMAX_SCORE && t <= look_value(e, "seq_pos"))
        return (Target){signal_at(SIG_SCORES), head * S + t};
    if (column == SOFTMAX_PROB && softmax_held(e) > head)
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
    for (int k = 0; k < SOFTMAX_COLUMNS; k++)
        w += column_width(v, k) + 2;
    return w;
}

static void draw_header(const Picture *p, int y, int x)
{
    canvas_field(p->c, y, x + 1, table_width(p->v) - PERCENT_W - 2, ROLE_TITLE, "  pos");
    x += MARGIN;
    for (int k = 0; k < SOFTMAX_COLUMNS; k++) {
        int w = column_width(p->v, k);
        canvas_text(p->c, y, x + w - text_width(column_names[k]), ROLE_TITLE, column_names[k]);
        x += w + 2;
    }
}

/* Does a lesson want the remarks on wraps and leaks kept back? */
static bool is_secret(const Picture *p)
{
    return (p->v->hidden & LESSON_HIDE_WRAP) != 0;
}

static bool warns_of(const Picture *p, int column, int t)
{
    return !is_secret(p) && ((column == SOFTMAX_SHIFTED && softmax_wraps(&p->head, t)) ||
                             (column == SOFTMAX_EXP && softmax_leaks(&p->head, t)));
}

static Role cell_role(const Picture *p, int column, int t)
{
    Target at = cell_target(p->head.e, p->head.head, column, t);
    if (!softmax_known(&p->head, column, t))
        return ROLE_DIM;
    if (!p->past && signal_changed(p->head.e, at.signal, at.at))
        return ROLE_CHANGED;
    return warns_of(p, column, t)        ? ROLE_WARN
           : softmax_masked(&p->head, t) ? ROLE_MASKED
                                         : ROLE_TEXT;
}

/* The unit's registers still hold numbers of somebody else: only a head whose turn it is shows
 * them. */
static bool is_absent(const Picture *p, int column, int t)
{
    return !softmax_known(&p->head, column, t) && column != SOFTMAX_SCORE &&
           p->head.held != p->head.head;
}

static void draw_entry(const Picture *p, int y, int x, int t)
{
    Canvas *c = p->c;
    bool at_work = t == p->head.index;
    Role role = at_work ? ROLE_ACTIVE : softmax_masked(&p->head, t) ? ROLE_MASKED : ROLE_TEXT;
    canvas_text(c, y, x, ROLE_ACTIVE, at_work ? MARK_ACTIVE : " ");
    canvas_textf(c, y, x + 1, role, "%4d", t);
    canvas_text(c, y, x + 5, ROLE_MASKED, softmax_masked(&p->head, t) ? MARK_MASKED : " ");
    x += MARGIN;
    for (int k = 0; k < SOFTMAX_COLUMNS; k++) {
        char text[64] = "-";
        int w = column_width(p->v, k);
        Role cell = cell_role(p, k, t);
        Target at = cell_target(p->head.e, p->head.head, k, t);
        if (!is_absent(p, k, t))
            format_number(p->head.e, at.signal, softmax_entry(&p->head, k, t), p->v->format, text,
                          sizeof text);
        if (p->focused && t == p->v->row && k == p->v->col)
            cell = ROLE_CURSOR;
        canvas_text(c, y, x + w - text_width(text), cell, text);
        bool warns = warns_of(p, k, t);
        canvas_text(c, y, x + w, warns ? ROLE_WARN : ROLE_TEXT, warns ? MARK_WARN : " ");
        canvas_aim(c, (Rect){y, x, 1, w + 1}, aim_at(t, k));
        x += w + 2;
    }
    if (softmax_known(&p->head, SOFTMAX_PROB, t))
        canvas_textf(c, y, x, role, "%5.1f %%",
                     softmax_entry(&p->head, SOFTMAX_PROB, t) * 100.0 / ONE);
}

static int draw_register(const Picture *p, int y, int x, const char *name, SignalId id, bool known)
{
    char text[64];
    const Signal *s = signal_at(id);
    bool changed = !p->past && known && signal_changed(p->head.e, s, 0);
    bool absent = !known && p->head.held != p->head.head;
    format_number(p->head.e, s, signal_get(p->head.e, s, 0), p->v->format, text, sizeof text);
    x = canvas_text(p->c, y, x, ROLE_DIM, name);
    Role role = changed ? ROLE_CHANGED : known ? ROLE_TEXT : ROLE_DIM;
    return canvas_text(p->c, y, x + 1, role, absent ? "-" : text + strspn(text, " ")) + 2;
}

static void draw_registers(const Picture *p, int y, int x, int w)
{
    Rect old = canvas_clip(p->c, (Rect){y, x, 1, w});
    bool finding = look_in(p->head.e, "smax.state", "FIND_MAX"),
         adding = look_in(p->head.e, "smax.state", "SUM");
    bool mine = p->head.held == p->head.head;
    x = draw_register(p, y, x + 1, "max", SIG_SMAX_MAX, p->head.max || (mine && finding));
    x = draw_register(p, y, x, "sum", SIG_SMAX_SUM, p->head.sum || (mine && adding));
    draw_register(p, y, x, "recip", SIG_SMAX_RECIP, p->head.recip);
    canvas_clip(p->c, old);
}

/* ---- where the probability went ---- */

static void draw_share_numbers(const Picture *p, int y, int x, const SoftmaxShares *h, bool leaks)
{
    int64_t lost = h->whole - h->valid - h->masked;
    if (h->whole == 0) {
        canvas_text(p->c, y, x, ROLE_DIM, "valid     - %    masked     - %");
        return;
    }
    x = canvas_textf(p->c, y, x, ROLE_TEXT, "valid %5.1f %%", softmax_percent(h, h->valid));
    x = canvas_textf(p->c, y, x + 4, leaks ? ROLE_WARN : ROLE_TEXT, "masked %5.1f %%",
                     softmax_percent(h, h->masked));
    if (!h->final || p->head.probs != p->head.S)
        return;
    char texts[64];
    double percent = softmax_percent(h, lost < 0 ? -lost : lost);
    if (lost >= 0)
        snprintf(texts, sizeof texts, "lost to rounding %5.1f %%\nlost %5.1f %%", percent, percent);
    else
        snprintf(texts, sizeof texts, "above 1.0 %5.1f %%", percent);
    canvas_wording(p->c, y, x + 4, ROLE_DIM, texts);
}

/* One bar: valid, masked, and what is missing to 1.0 left blank. */
static void draw_share_bar(const Picture *p, int y, int x, int w, const SoftmaxShares *h,
                           bool leaks)
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

/* ---- the picture ---- */

static void draw_phases(const Picture *p, int y, int x, int w)
{
    static const char *const names[] = {"FIND_MAX", "SUBTRACT_EXP", "SUM", "RECIP", "NORMALIZE"};
    int end = x + w;
    const char *at = look_state(p->head.e, "smax.state");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool active = !p->past && p->head.held == p->head.head && strcmp(names[i], at) == 0;
        Role role = active ? ROLE_ACTIVE : ROLE_DIM;
        x = canvas_text(p->c, y, x, role, active ? MARK_ACTIVE : " ");
        x = canvas_text(p->c, y, x, role, names[i]) + 1;
    }
    if (p->head.index >= 0 && end - x > 14)
        canvas_textf(p->c, y, end - 15, ROLE_ACTIVE, "%6d of %d", p->head.index, p->head.S);
}

static void draw_plot(const Picture *p, Rect r)
{
    const Config *config = engine_config(p->head.e);
    int t = p->v->row;
    bool marked = softmax_known(&p->head, SOFTMAX_EXP, t);
    ExpPlot plot = {.mode = config->exp, .other = p->own->other_exp != 0, .marked = marked};
    const char *const *names = OPTION(exp)->names;
    if (marked) {
        plot.x = (int16_t)softmax_entry(&p->head, SOFTMAX_SHIFTED, t);
        plot.y = (int16_t)softmax_entry(&p->head, SOFTMAX_EXP, t);
    }
    exp_plot(p->c, r, &plot);
    if (r.w < 28 || r.h < 8)
        return;
    int y = r.y + 1, x = r.x + 6; /* the upper left of the plot is empty */
    canvas_textf(p->c, y, x, ROLE_HEAT_POS + 5, "█ %s", names[config->exp]);
    canvas_text(p->c, y + 1, x, ROLE_TEXT, "• true exp");
    if (marked)
        canvas_textf(p->c, y + 2, x, ROLE_ACTIVE, "◆ position %d", t);
    if (plot.other)
        canvas_textf(p->c, y + 3, x, ROLE_READ, "○ %s", names[!config->exp]);
}

/* The edit behind a number of row t, or NULL. */
static const Edit *edit_in_row(const Picture *p, int t)
{
    const Edit *edit = NULL;
    for (int k = 0; k < SOFTMAX_COLUMNS && !edit && t < p->head.S; k++) {
        Target at = cell_target(p->head.e, p->head.head, k, t);
        edit = story_edit(p->s, at.signal, at.at);
    }
    return edit;
}

/* What to notice. Where a number was edited, it is that: the rest speaks of what the unit made. */
static bool remark_words(const Picture *p, const SoftmaxShares *h, char *out, size_t size)
{
    char name[48];
    const Edit *edit = edit_in_row(p, p->v->row);
    if (!edit)
        edit = edit_in_row(p, p->head.pos + 1);
    if (!edit)
        edit = story_edit(p->s, signal_at(SIG_SMAX_MAX), 0);
    if (!edit)
        return softmax_remark(&p->head, h, p->v->row, out, size);
    signal_element_name(p->head.e, edit->signal, edit->at, name, sizeof name);
    snprintf(out, size, "%s was edited in cycle %llu, was %04x", name,
             (unsigned long long)edit->cycle, (unsigned)(uint16_t)edit->before);
    return true;
}

/* Rows from the top: phases 1, header 1, entries, registers 1; from the bottom: words 2, shares 3.
 */
typedef struct Rows {
    int phases, header, entries, registers, shares, words;
} Rows;

static Rows share_rows(int h)
{
    Rows r = {.phases = h >= 4, .header = h >= 3, .registers = h >= 7};
    r.words = h >= 12 ? 2 : h >= 6 ? 1 : 0;
    r.shares = h >= 14 ? 3 : h >= 8 ? 2 : 0;
    r.entries = h - r.words - r.shares - r.phases - r.header - r.registers;
    return r;
}

static void draw_inside(const Picture *p, Rect in)
{
    SoftmaxShares h = softmax_shares(&p->head);
    bool leaks = !is_secret(p) && p->head.pos + 1 < p->head.S &&
                 softmax_known(&p->head, SOFTMAX_EXP, p->head.pos + 1) && h.masked > 0;
    Rows share = share_rows(in.h);
    int words = share.words, shares = share.shares, rows = share.entries;
    bool header = share.header, registers = share.registers;
    int y = in.y, table = table_width(p->v), plot = in.w - table - 1;
    if (share.phases)
        draw_phases(p, y++, in.x, in.w);
    if (header)
        pane_rule(p->c, p->r, y, "");
    if (header)
        draw_header(p, y++, in.x);
    for (int k = 0; k < rows && p->v->top + k < p->head.S; k++)
        draw_entry(p, y + k, in.x, p->v->top + k);
    if (registers)
        draw_registers(p, y + rows, in.x, plot >= PLOT_MIN_W ? table : in.w);
    int bottom = y + rows + registers;
    if (shares)
        pane_rule(p->c, p->r, bottom,
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
    char text[200];
    bool warn = remark_words(p, &h, text, sizeof text);
    int last = in.y + in.h - 1;
    if (is_secret(p))
        *text = '\0';
    if (words && *text)
        canvas_wording(p->c, last, canvas_text(p->c, last, in.x + 1, ROLE_WARN, warn ? "! " : ""),
                       warn ? ROLE_WARN : ROLE_DIM, text);
    if (words == 2 || (words && !*text)) {
        softmax_phase(&p->head, p->past, text, sizeof text);
        if (is_secret(p)) /* that it is taken off all, and why, is what the page asks */
            text[strcspn(text, ":\n")] = '\0';
        canvas_wording(p->c, words == 2 ? last - 1 : last, in.x + 1, ROLE_TEXT, text);
    }
}

static bool draw_machine(void *context, const Engine *e, const Host *host)
{
    Picture *p = context;
    char title[96];
    softmax_look(&p->head, e, p->head.head);
    if (p->past)
        p->head.index = -1;
    snprintf(title, sizeof title, "softmax  head %d of 0..%d%s  token %d%s", p->head.head,
             engine_config(e)->n_heads - 1, p->own->head ? "" : " (following)", host->token,
             p->v->pinned ? "  cursor stays: c follows" : "");
    Rect in = canvas_box(p->c, p->r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(p->c, p->r.y, p->r.x, p->r.w, ROLE_DIM, title);
        return false;
    }
    pane_clip(p->c, p->r);
    draw_inside(p, in);
    return false;
}

/* When the turn of a head ended that another has followed; 0: it is now. */
static uint64_t turn_end(const Session *s, int head)
{
    const Engine *now = session_engine(s);
    uint64_t stored = 0;
    if (head < softmax_held(now))
        stored =
            session_last_write(s, signal_at(SIG_PROBS), head * engine_config(now)->max_seq_len);
    return stored > session_host(s)->token_start ? stored : 0;
}

/* First visible row: the page of the entry at work, or wherever the user's cursor is. */
static void place(const Session *s, ViewState *v, Rect r)
{
    SoftmaxHead h;
    const Engine *e = session_engine(s);
    int rows = share_rows(canvas_inside(r).h).entries, head = shown_head(e, v);
    softmax_look(&h, e, head);
    if (canvas_inside(r).h < 1)
        return;
    rows = rows > 0 ? rows : 1;
    if (!v->pinned) {
        v->row = h.index >= 0 && !turn_end(s, head) ? h.index : 0;
        v->top = v->row / rows * rows;
    }
    v->row = limit(v->row, 0, h.S - 1);
    v->col = limit(v->col, 0, SOFTMAX_COLUMNS - 1);
    v->top = limit(v->top, v->row - rows + 1, v->row);
    v->top = limit(v->top, 0, h.S > rows ? h.S - rows : 0);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    const Engine *now = session_engine(s);
    Rect old = canvas_clip(c, r);
    Picture p = {.s = s, .v = v, .own = view_own(v), .c = c, .r = r, .focused = focused};
    p.head.head = shown_head(now, v);
    uint64_t end = turn_end(s, p.head.head);
    p.past = end > 0;
    if (p.past)
        session_visit(s, end - 1, end - 1, draw_machine, &p);
    else
        draw_machine(&p, now, session_host(s));
    canvas_clip(c, old);
}

/* ---- keys ---- */

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    v->pinned = v->pinned || rows != 0;
    v->row = limit(v->row + rows, 0, engine_config(session_engine(p->s))->max_seq_len - 1);
    v->col = limit(v->col + cols, 0, SOFTMAX_COLUMNS - 1);
}

/* Past the last head and before the first: the one at work. */
static void next_head(Press *p)
{
    SoftmaxState *own = view_own(p->v);
    int choices = engine_config(session_engine(p->s))->n_heads + 1;
    own->head = (limit(own->head, 0, choices - 1) + press_by(p) + choices) % choices;
}

static void point(const Session *s, ViewState *v, uint64_t aim)
{
    (void)s;
    v->pinned |= aim_row(aim) != v->row;
    aim_move(v, aim);
}

static void phase(const Session *s, char *command, size_t size)
{
    (void)s;
    snprintf(command, size, "run until smax.state changes");
}

static Target target(const Session *s, const ViewState *v)
{
    const Engine *e = session_engine(s);
    return cell_target(e, shown_head(e, v), limit(v->col, 0, SOFTMAX_COLUMNS - 1),
                       limit(v->row, 0, engine_config(e)->max_seq_len - 1));
}

static bool find(const Session *s, ViewState *v, Target t)
{
    SoftmaxState *own = view_own(v);
    static const SignalId unit[SOFTMAX_COLUMNS] = {SIG_SMAX_X, SIG_SMAX_SHIFTED, SIG_SMAX_EXP,
                                                   SIG_SMAX_PROB};
    int S = engine_config(session_engine(s))->max_seq_len, at = t.at < 0 ? 0 : t.at;
    if (!t.signal)
        return false;
    SignalId id = signal_id(t.signal);
    for (int k = 0; k < SOFTMAX_COLUMNS; k++) {
        if (id == unit[k]) {
            own->head = 0;
            v->col = k;
            v->row = at;
            return v->pinned = true;
        }
    }
    if (id != SIG_SCORES && id != SIG_PROBS)
        return false;
    own->head = at / S + 1;
    v->col = id == SIG_SCORES ? SOFTMAX_SCORE : SOFTMAX_PROB;
    v->row = at % S;
    return v->pinned = true;
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "head", "previous, next head; past the last: the one at work",
     .act = next_head},
    {"f", SENSE_PHASE, "phase", "run to the next phase", .command = "phase"},
    {"v", SENSE_PART, "other exp", "the other reading of exp",
     .flips = offsetof(SoftmaxState, other_exp)},
    {"c", SENSE_FOLLOW, "follow", "follow the machine again", .act = view_follow},
    {"PgUp PgDn", SENSE_MOVE, NULL, "16 positions on", KEY_MOVES},
    {0},
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
    .state_size = sizeof(SoftmaxState),
    .place_end = sizeof(SoftmaxState),
    .place = place,
    .draw = draw,
    .point = point,
    .move = move,
    .page = 16,
    .phase = phase,
    .target = target,
    .find = find,
};
