/* The decoder view's upper part: the datapath with the unit at work lit, and a strip per FSM. */
#include <stdio.h>
#include <string.h>

#include "tui/view/decoder/decoder_view.h"

/* Where something may be lit. */
typedef enum {
    PLACE_IN,
    PLACE_LN1,
    PLACE_ATTN,
    PLACE_ADD1,
    PLACE_LN2,
    PLACE_FFN,
    PLACE_ADD2,
    PLACE_OUT
} Place;

/* The unit there, or the nearest one. */
static const int unit_there[] = {
    [PLACE_IN] = UNIT_LN1,    [PLACE_LN1] = UNIT_LN1, [PLACE_ATTN] = UNIT_ATTN,
    [PLACE_ADD1] = UNIT_ATTN, [PLACE_LN2] = UNIT_LN2, [PLACE_FFN] = UNIT_FFN,
    [PLACE_ADD2] = UNIT_FFN,  [PLACE_OUT] = UNIT_FFN};

static Place active_place(const Engine *e)
{
    static const struct {
        const char *prefix;
        Place place;
    } places[] = {{"LN1", PLACE_LN1}, {"ATTN", PLACE_ATTN}, {"RESIDUAL1", PLACE_ADD1},
                  {"LN2", PLACE_LN2}, {"FFN", PLACE_FFN},   {"RESIDUAL2", PLACE_ADD2},
                  {"DONE", PLACE_OUT}};
    const char *state = unit_state(e, UNIT_TOP);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        if (strncmp(state, places[k].prefix, strlen(places[k].prefix)) == 0)
            return places[k].place;
    }
    return PLACE_IN;
}

static bool is_unit(Place place)
{
    return place == PLACE_LN1 || place == PLACE_ATTN || place == PLACE_LN2 || place == PLACE_FFN;
}

int decoder_unit_at_work(const Engine *e)
{
    Place place = active_place(e);
    return is_unit(place) ? unit_there[place] : UNIT_TOP;
}

/* The datapath in one line; a wire (`-` for what no unit owns) has text only. */
typedef struct Piece {
    int place;        /* Place, or -1: a wire */
    const char *flat; /* in the two-row diagram; NULL: the unit's label, in a box */
    int box;          /* width of its box in the five-row diagram, 0: none */
} Piece;

static const Piece pieces[] = {
    {PLACE_IN, "token_emb", 0}, {-1, " ┬─►", 0}, {PLACE_LN1, NULL, 13},     {-1, "─►", 0},
    {PLACE_ATTN, NULL, 17},     {-1, "─►", 0},   {PLACE_ADD1, "(+)", 0},    {-1, "─┬─►", 0},
    {PLACE_LN2, NULL, 13},      {-1, "─►", 0},   {PLACE_FFN, NULL, 11},     {-1, "─►", 0},
    {PLACE_ADD2, "(+)", 0},     {-1, "─► ", 0},  {PLACE_OUT, "out_emb", 0},
};
enum { PIECES = sizeof pieces / sizeof *pieces };

static const char *piece_text(const Config *config, const Piece *p)
{
    return p->flat ? p->flat : unit_label(config, unit_there[p->place]);
}

/* Without the names at both ends it fits 58 columns. */
static int piece_width(const Config *config, const Piece *p, bool tall, bool names)
{
    if (!names && (p->place == PLACE_IN || p->place == PLACE_OUT))
        return 0;
    if (p->box)
        return tall ? p->box : text_width(piece_text(config, p)) + 4;
    return text_width(piece_text(config, p));
}

static int diagram_width(const Config *config, bool tall, bool names)
{
    int w = 0;
    for (int k = 0; k < PIECES; k++)
        w += piece_width(config, &pieces[k], tall, names);
    return w;
}

int decoder_diagram_width(const Config *config, bool tall)
{
    return diagram_width(config, tall, tall);
}

static void draw_box(const DecoderScene *d, const Piece *p, Rect r, bool active, Canvas *c)
{
    Role role = active ? ROLE_ACTIVE : ROLE_FRAME;
    canvas_box(c, r, role, "");
    canvas_put(c, r.y + 1, r.x, role, 0x2502);
    if (active)
        canvas_text(c, r.y + 1, r.x + 1, ROLE_ACTIVE, MARK_ACTIVE);
    canvas_text(c, r.y + 1, r.x + 2, active ? ROLE_ACTIVE : ROLE_TITLE, piece_text(d->c, p));
    canvas_field(c, r.y + 2, r.x + 2, r.w - 3, active ? ROLE_TEXT : ROLE_DIM,
                 unit_state(d->e, unit_there[p->place]));
}

static void draw_unit(const Config *config, const Piece *p, int y, int x, bool active, Canvas *c)
{
    Role role = active ? ROLE_ACTIVE : ROLE_TEXT;
    if (!p->box) {
        canvas_text(c, y, x, role, piece_text(config, p));
        return;
    }
    x = canvas_text(c, y, x, role, active ? "[" MARK_ACTIVE : "[ ");
    canvas_text(c, y, canvas_text(c, y, x, role, piece_text(config, p)), role, " ]");
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
    bool tall = r.h >= 5 && r.w - 2 >= diagram_width(d->c, true, true);
    bool names = tall || r.w - 2 >= diagram_width(d->c, false, true);
    int y = tall ? r.y + 1 : r.y, x = r.x + (r.w - diagram_width(d->c, tall, names)) / 2,
        branch = 0;
    Place active = active_place(d->e);
    for (int k = 0; k < PIECES; k++) {
        const Piece *p = &pieces[k];
        int width = piece_width(d->c, p, tall, names);
        bool lit = p->place == (int)active;
        if (width == 0)
            continue;
        if (p->place < 0) {
            canvas_text(c, y, x, ROLE_FRAME, p->flat);
            const char *tee = strstr(p->flat, "┬");
            branch = tee ? x + 1 : branch; /* its second column */
        } else if (tall && p->box) {
            draw_box(d, p, (Rect){y - 1, x, 4, width}, lit, c);
        } else {
            draw_unit(d->c, p, y, x, lit, c);
        }
        if (p->place == PLACE_ADD1 || p->place == PLACE_ADD2)
            draw_bypass(y, tall ? y + 3 : y + 1, branch, x + 1, lit, c);
        x += width;
    }
}

/* ---- state strips ---- */

/* An FSM's states in this machine. */
typedef struct Strip {
    const char *name[SIGNAL_STATES];
    int count, now; /* the place of the state it is in */
} Strip;

static Strip strip_of(const Engine *e, const Signal *s)
{
    Strip strip = {0};
    int states[SIGNAL_STATES];
    strip.count = signal_states(e, s, states);
    for (int k = 0; k < strip.count; k++) {
        strip.name[k] = s->names[states[k]];
        if (states[k] == signal_get(e, s, 0))
            strip.now = k;
    }
    return strip;
}

static int states_width(const Strip *s, int first, int last, int gap)
{
    int w = 0;
    for (int k = first; k <= last; k++)
        w += gap + (int)strlen(s->name[k]);
    return w;
}

/* The states are laid out in pages of `width` columns, a gap that ends in the mark and a name each;
 * first/last of the page that holds the present one. The page changes only when the FSM leaves it.
 * The last one begins early enough to be full. */
static void find_page(const Strip *s, int width, int gap, int *first, int *last)
{
    int end = s->count - 1;
    *first = 0;
    *last = end;
    if (states_width(s, 0, end, gap) <= width)
        return;
    width -= 2; /* for the sign that there are more */
    for (int k = 1; k <= s->now; k++) {
        if (states_width(s, *first, k, gap) > width)
            *first = k;
    }
    for (*last = *first; *last < end && states_width(s, *first, *last + 1, gap) <= width;)
        (*last)++;
    while (*last == end && *first > 0 && states_width(s, *first - 1, end, gap) <= width)
        (*first)--;
}

static void draw_strip(const DecoderScene *d, int unit, Rect r, Canvas *c)
{
    enum { LABEL = 5, SPENT = 18 };
    const Signal *s = signal_in(d->e, units[unit].fsm);
    const Strip strip = strip_of(d->e, s);
    int first = 0, last = 0;
    const char *name = strip.name[strip.now];
    bool idle = strcmp(name, "IDLE") == 0, roomy = r.w >= 60;
    int gap = r.w >= 96 ? 2 : 1; /* two where there is room */
    int width = r.w - 2 - LABEL - (roomy ? SPENT + 1 : 0), x = r.x + 1;

    x = canvas_field(c, r.y, x, LABEL, idle ? ROLE_DIM : ROLE_TITLE, units[unit].name);
    Rect old = canvas_clip(c, (Rect){r.y, x, 1, width});
    find_page(&strip, width, gap, &first, &last);
    if (first > 0)
        canvas_text(c, r.y, x, ROLE_DIM, "…");
    x += first > 0 && gap == 1;
    for (int k = first; k <= last; k++) {
        bool here = k == strip.now, lit = here && !(idle && unit != UNIT_TOP);
        if (lit)
            canvas_text(c, r.y, x + gap - 1, ROLE_ACTIVE, MARK_ACTIVE);
        Role role = lit ? ROLE_ACTIVE : here ? ROLE_TEXT : ROLE_DIM;
        if (here && signal_changed(d->e, s, 0) && !lit)
            role = ROLE_CHANGED;
        x = canvas_text(c, r.y, x + gap, role, strip.name[k]);
    }
    if (last + 1 < strip.count)
        canvas_text(c, r.y, x, ROLE_DIM, " …");
    canvas_clip(c, old);
    if (!roomy || idle)
        return;
    char spent[48] = "";
    uint64_t all =
        state_cycles(d->c, units[unit].fsm, name, signal_get(d->e, signal_at(SIG_SEQ_POS), 0));
    if (all && d->counted)
        snprintf(spent, sizeof spent, all > 9999 ? "cycle %*llu/%llu" : "cycle %*llu of %llu",
                 all > 9999 ? 5 : 4, (unsigned long long)d->in_state[unit],
                 (unsigned long long)all);
    canvas_text(c, r.y, r.x + r.w - 1 - text_width(spent), ROLE_TEXT, spent);
}

/* With three rows: the top, the unit that it waits for, the softmax. */
void decoder_strips(const DecoderScene *d, Rect r, Canvas *c)
{
    const int few[3] = {UNIT_TOP, unit_there[active_place(d->e)], UNIT_SMAX};
    for (int k = 0; k < r.h && k < UNIT_COUNT; k++) {
        int unit = r.h < UNIT_COUNT ? (k < 3 ? few[k] : -1) : k;
        if (unit >= 0 && signal_in(d->e, units[unit].fsm))
            draw_strip(d, unit, (Rect){r.y + k, r.x, 1, r.w}, c);
    }
}
