/* The decoder view's upper part: the datapath with the unit at work lit, and a strip per FSM. */
#include <stdio.h>
#include <string.h>

#include "tui/decoder_view.h"

const SignalId decoder_fsms[DECODER_FSMS] = {SIG_TOP_STATE,  SIG_LN1_STATE, SIG_ATTN_STATE,
                                             SIG_SMAX_STATE, SIG_LN2_STATE, SIG_FFN_STATE};

typedef enum {
    UNIT_IN,
    UNIT_LN1,
    UNIT_ATTN,
    UNIT_ADD1,
    UNIT_LN2,
    UNIT_FFN,
    UNIT_ADD2,
    UNIT_OUT
} Unit;

static const char *state_of(const Engine *e, SignalId fsm)
{
    const Signal *s = signal_in(e, fsm);
    return s ? signal_state_name(s, signal_get(e, s, 0)) : "";
}

static Unit active_unit(const Engine *e)
{
    static const struct {
        const char *prefix;
        Unit unit;
    } units[] = {{"LN1", UNIT_LN1}, {"ATTN", UNIT_ATTN}, {"RESIDUAL1", UNIT_ADD1},
                 {"LN2", UNIT_LN2}, {"FFN", UNIT_FFN},   {"RESIDUAL2", UNIT_ADD2},
                 {"DONE", UNIT_OUT}};
    const char *state = state_of(e, SIG_TOP_STATE);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        if (strncmp(state, units[k].prefix, strlen(units[k].prefix)) == 0)
            return units[k].unit;
    }
    return UNIT_IN;
}

const char *decoder_unit_at_work(const Engine *e)
{
    static const char *const names[] = {
        [UNIT_LN1] = "ln1", [UNIT_ATTN] = "attn", [UNIT_LN2] = "ln2", [UNIT_FFN] = "ffn"};
    Unit unit = active_unit(e);
    return (size_t)unit < sizeof names / sizeof *names ? names[unit] : NULL;
}

/* The datapath in one line; a wire (`-` for what no unit owns) has text only. */
typedef struct Piece {
    int unit;         /* Unit, or -1: a wire */
    const char *flat; /* in the two-row diagram */
    int box;          /* width of its box in the five-row diagram, 0: none */
    SignalId fsm;     /* whose state the box shows */
} Piece;

static const Piece pieces[] = {
    {UNIT_IN, "token_emb", 0, 0},
    {-1, " ┬─►", 0, 0},
    {UNIT_LN1, "LN1", 13, SIG_LN1_STATE},
    {-1, "─►", 0, 0},
    {UNIT_ATTN, "Attention", 17, SIG_ATTN_STATE},
    {-1, "─►", 0, 0},
    {UNIT_ADD1, "(+)", 0, 0},
    {-1, "─┬─►", 0, 0},
    {UNIT_LN2, "LN2", 13, SIG_LN2_STATE},
    {-1, "─►", 0, 0},
    {UNIT_FFN, "FFN", 11, SIG_FFN_STATE},
    {-1, "─►", 0, 0},
    {UNIT_ADD2, "(+)", 0, 0},
    {-1, "─► ", 0, 0},
    {UNIT_OUT, "out_emb", 0, 0},
};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* Without the names at both ends it fits 58 columns. */
static int piece_width(const Piece *p, bool tall, bool names)
{
    if (!names && (p->unit == UNIT_IN || p->unit == UNIT_OUT))
        return 0;
    if (p->box)
        return tall ? p->box : text_width(p->flat) + 4;
    return text_width(p->flat);
}

static int diagram_width(bool tall, bool names)
{
    int w = 0;
    for (int k = 0; k < PIECES; k++)
        w += piece_width(&pieces[k], tall, names);
    return w;
}

int decoder_diagram_width(bool tall)
{
    return diagram_width(tall, tall);
}

static void draw_box(const DecoderScene *d, const Piece *p, Rect r, bool active, Canvas *c)
{
    Role role = active ? ROLE_ACTIVE : ROLE_FRAME;
    canvas_box(c, r, role, "");
    canvas_put(c, r.y + 1, r.x, role, 0x2502);
    if (active)
        canvas_text(c, r.y + 1, r.x + 1, ROLE_ACTIVE, MARK_ACTIVE);
    canvas_text(c, r.y + 1, r.x + 2, active ? ROLE_ACTIVE : ROLE_TITLE, p->flat);
    canvas_field(c, r.y + 2, r.x + 2, r.w - 3, active ? ROLE_TEXT : ROLE_DIM,
                 state_of(d->e, p->fsm));
}

static void draw_unit(const Piece *p, int y, int x, bool active, Canvas *c)
{
    Role role = active ? ROLE_ACTIVE : ROLE_TEXT;
    if (!p->box) {
        canvas_text(c, y, x, role, p->flat);
        return;
    }
    x = canvas_text(c, y, x, role, active ? "[" MARK_ACTIVE : "[ ");
    canvas_text(c, y, canvas_text(c, y, x, role, p->flat), role, " ]");
}

/* From the branch at x0 down, along the bottom, up into the adder at x1. */
static void draw_bypass(int top, int bottom, int x0, int x1, bool active, Canvas *c)
{
    Role role = active ? ROLE_ACTIVE : ROLE_FRAME;
    for (int y = top + 1; y < bottom; y++) {
        canvas_put(c, y, x0, role, 0x2502);
        canvas_put(c, y, x1, role, 0x2502);
    }
    for (int x = x0 + 1; x < x1; x++)
        canvas_put(c, bottom, x, role, 0x2500);
    canvas_put(c, bottom, x0, role, 0x2570); /* ╰ */
    canvas_put(c, bottom, x1, role, 0x256f); /* ╯ */
}

void decoder_diagram(const DecoderScene *d, Rect r, Canvas *c)
{
    bool tall = r.h >= 5 && r.w - 2 >= diagram_width(true, true);
    bool names = tall || r.w - 2 >= diagram_width(false, true);
    int y = tall ? r.y + 1 : r.y, x = r.x + (r.w - diagram_width(tall, names)) / 2, branch = 0;
    Unit active = active_unit(d->e);
    for (int k = 0; k < PIECES; k++) {
        const Piece *p = &pieces[k];
        int width = piece_width(p, tall, names);
        bool lit = p->unit == (int)active;
        if (width == 0)
            continue;
        if (p->unit < 0) {
            canvas_text(c, y, x, ROLE_FRAME, p->flat);
            const char *tee = strstr(p->flat, "┬");
            branch = tee ? x + 1 : branch; /* its second column */
        } else if (tall && p->box) {
            draw_box(d, p, (Rect){y - 1, x, 4, width}, lit, c);
        } else {
            draw_unit(p, y, x, lit, c);
        }
        if (p->unit == UNIT_ADD1 || p->unit == UNIT_ADD2)
            draw_bypass(y, tall ? y + 3 : y + 1, branch, x + 1, lit, c);
        x += width;
    }
}

/* ---- state strips ---- */

static int states_width(const Signal *s, int first, int last, int gap)
{
    int w = 0;
    for (int k = first; k <= last && s->names[k]; k++)
        w += gap + (int)strlen(s->names[k]);
    return w;
}

/* The states are laid out in pages of `width` columns, a gap that ends in the mark and a name each;
 * first/last of the page that holds `state`. The page changes only when the FSM leaves it. The last
 * one begins early enough to be full. */
static void find_page(const Signal *s, int state, int width, int gap, int *first, int *last)
{
    int end = 0;
    while (s->names[end + 1])
        end++;
    *first = 0;
    *last = end;
    if (states_width(s, 0, end, gap) <= width)
        return;
    width -= 2; /* for the sign that there are more */
    for (int k = 1; k <= state; k++) {
        if (states_width(s, *first, k, gap) > width)
            *first = k;
    }
    for (*last = *first; *last < end && states_width(s, *first, *last + 1, gap) <= width;)
        (*last)++;
    while (*last == end && *first > 0 && states_width(s, *first - 1, end, gap) <= width)
        (*first)--;
}

static void draw_strip(const DecoderScene *d, int fsm, Rect r, Canvas *c)
{
    static const char *const labels[DECODER_FSMS] = {"top", "ln1", "attn", "smax", "ln2", "ffn"};
    enum { LABEL = 5, SPENT = 18 };
    const Signal *s = signal_in(d->e, decoder_fsms[fsm]);
    int state = signal_get(d->e, s, 0), first = 0, last = 0;
    const char *name = signal_state_name(s, state);
    bool idle = strcmp(name, "IDLE") == 0, roomy = r.w >= 60;
    int gap = r.w >= 96 ? 2 : 1; /* two where there is room */
    int width = r.w - 2 - LABEL - (roomy ? SPENT + 1 : 0), x = r.x + 1;

    x = canvas_field(c, r.y, x, LABEL, idle ? ROLE_DIM : ROLE_TITLE, labels[fsm]);
    Rect old = canvas_clip(c, (Rect){r.y, x, 1, width});
    find_page(s, state, width, gap, &first, &last);
    if (first > 0)
        canvas_text(c, r.y, x, ROLE_DIM, "…");
    x += first > 0 && gap == 1;
    for (int k = first; k <= last; k++) {
        bool here = k == state, lit = here && !(idle && fsm > 0);
        if (lit)
            canvas_text(c, r.y, x + gap - 1, ROLE_ACTIVE, MARK_ACTIVE);
        Role role = lit ? ROLE_ACTIVE : here ? ROLE_TEXT : ROLE_DIM;
        if (here && signal_changed(d->e, s, 0) && !lit)
            role = ROLE_CHANGED;
        x = canvas_text(c, r.y, x + gap, role, s->names[k]);
    }
    if (s->names[last + 1])
        canvas_text(c, r.y, x, ROLE_DIM, " …");
    canvas_clip(c, old);
    if (!roomy || idle)
        return;
    char spent[48] = "";
    uint64_t all =
        state_cycles(d->c, decoder_fsms[fsm], name, signal_get(d->e, signal_at(SIG_SEQ_POS), 0));
    if (all && d->counted)
        snprintf(spent, sizeof spent, all > 9999 ? "cycle %*llu/%llu" : "cycle %*llu of %llu",
                 all > 9999 ? 5 : 4, (unsigned long long)d->in_state[fsm], (unsigned long long)all);
    canvas_text(c, r.y, r.x + r.w - 1 - text_width(spent), ROLE_TEXT, spent);
}

/* With three rows: the top, the unit that it waits for, the softmax. */
void decoder_strips(const DecoderScene *d, Rect r, Canvas *c)
{
    static const int unit_row[] = {[UNIT_IN] = 1,  [UNIT_LN1] = 1, [UNIT_ATTN] = 2, [UNIT_ADD1] = 2,
                                   [UNIT_LN2] = 4, [UNIT_FFN] = 5, [UNIT_ADD2] = 5, [UNIT_OUT] = 5};
    const int few[3] = {0, unit_row[active_unit(d->e)], 3};
    for (int k = 0; k < r.h && k < DECODER_FSMS; k++) {
        int fsm = r.h < DECODER_FSMS ? (k < 3 ? few[k] : -1) : k;
        if (fsm >= 0 && signal_in(d->e, decoder_fsms[fsm]))
            draw_strip(d, fsm, (Rect){r.y + k, r.x, 1, r.w}, c);
    }
}
