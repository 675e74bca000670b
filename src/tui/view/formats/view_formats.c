/* One value in every format:
 *
 * ╭ formats ───────────────────────────────────────────────────────────────────╮
 * │ value 200                                                            typed │
 * ├ in   hex  sign exp mantissa  value          error      relative ───────────┤
 * │ q8.8 7fff 01111111.11111111  127.99609375   -72        -36 %     ! saturated│
 * │ …                                                                          │
 * │►e4m3 74   0 1110 100         192            -8         -4 %      tie       │
 * ├ e4m3  +(1 + 4/8) × 2^(14-7) = 192  ulp 16 ─────────────────────────────────┤
 * │   ─────┼──────────────┼──────[━━━━━━●━━━━━━◆──────┼──────────────┼─────    │
 * ├ ►worst error  compare  block  who disagrees ───────────────────────────────┤
 * │ …                                                                          │
 * │ who disagrees e4m3 75 = 208 round half away · …                            │
 * ╰────────────────────────────────────────────────────────────────────────────╯
 *
 * Each part has a file formats_PART.c; the value comes from formats_source.c. */
#include <stdio.h>
#include <string.h>

#include "num/text.h"
#include "tui/input/keys.h"
#include "tui/view/formats/formats.h"

enum { LINE_ROWS = 4, PANEL_LEAST = 4, PANEL_WANTED = 8, TABLE_LEAST = 6, SIDE_BY_SIDE = 150 };

static const struct {
    const char *name, *title; /* among the tabs, and alone */
    void (*draw)(const Formats *f, Canvas *c, Rect r);
} panels[PANEL_COUNT] = {
    {"worst error", "worst relative error, by powers of two", formats_draw_plot},
    {"compare", "two formats compared", formats_draw_compare},
    {"block", "block with a common scale", formats_draw_block},
    {"who disagrees", "who disagrees", formats_draw_who},
};

/* ---- the value line ---- */

static void source_text(const Formats *f, char *out, size_t size)
{
    char name[96], hex[24];
    const FormatsState *s = f->state;
    Target t = s->followed;
    switch (f->source) {
    case FROM_EXAMPLE:
        snprintf(out, size, "an example; e types another");
        break;
    case FROM_TYPED:
        snprintf(out, size, f->count > 1 ? "typed, number %d of %d" : "typed", f->at + 1, f->count);
        break;
    case FROM_FLIPPED:
        snprintf(out, size, "code %0*x of %s", format_digits(&format_table[s->flipped_in]),
                 (unsigned)s->code, format_table[s->flipped_in].name);
        break;
    case FROM_WIRE:
        signal_element_name(f->e, t.signal, f->first + f->at, name, sizeof name);
        signal_hex(f->e, t.signal, signal_get(f->e, t.signal, f->first + f->at), hex, sizeof hex);
        snprintf(out, size, "%s holds %s", name, hex);
        break;
    }
}

void formats_draw_value(const Formats *f, Canvas *c, Rect r)
{
    char source[160], text[TEXT_SIZE];
    source_text(f, source, sizeof source);
    int w = text_width(source);
    int x = canvas_text(c, r.y, r.x + 1, ROLE_DIM, "value ");
    formats_text(f->value, r.x + r.w - x - w - 3, text);
    x = canvas_text(c, r.y, x, ROLE_ACTIVE, text);
    int right = r.x + r.w - 1;
    if (right - w > x)
        canvas_text(c, r.y, right - w, ROLE_DIM, source);
}

/* ---- layout ---- */

/* Panels that fit beside one another, and below. */
static void panel_grid(int h, int w, int *across, int *down)
{
    *across = w >= SIDE_BY_SIDE ? 2 : 1;
    *down = h / (1 + PANEL_WANTED);
    *down = *down < 1 ? 1 : *down > PANEL_COUNT / *across ? PANEL_COUNT / *across : *down;
}

static int chosen_panel(const FormatsState *s)
{
    return (s->panel % PANEL_COUNT + PANEL_COUNT) % PANEL_COUNT;
}

/* Rows of each part, from the top; 0: left out. Rules count as rows of the part below them. */
typedef struct Layout {
    int value, heading, table, line, panels, who;
} Layout;

/* The line of those who disagree makes room for their panel. */
static Layout layout_of(int h, int w, const FormatsState *s)
{
    int across = 0, down = 0;
    Layout l = {.value = h >= 2, .heading = h >= 4};
    l.line = h >= 11 ? 1 + LINE_ROWS : 0;
    l.who = h >= 13;
    l.panels = h >= 18 ? 1 + PANEL_LEAST : 0;
    int left = h - l.value - l.heading - l.line - l.who - l.panels;
    l.table = left < FORMAT_COUNT ? left : FORMAT_COUNT;
    left -= l.table;
    if (!l.panels)
        return l;
    l.panels += left;
    panel_grid(l.panels, w, &across, &down);
    int first = across * down == PANEL_COUNT ? 0 : chosen_panel(s);
    if (first + across * down >= PANEL_COUNT) {
        l.panels += l.who;
        l.who = 0;
    }
    return l;
}

/* First row of those that scroll, so that the cursor is among them. */
static void place_rows(ViewState *v, int rows)
{
    int fixed = rows > FORMATS_FIVE ? FORMATS_FIVE : 0, last = FORMAT_COUNT - rows;
    v->row = v->row < 0 ? 0 : v->row >= FORMAT_COUNT ? FORMAT_COUNT - 1 : v->row;
    if (rows < 1)
        return;
    if (v->row >= fixed && v->row - v->top < fixed)
        v->top = v->row - fixed;
    if (v->row - v->top >= rows)
        v->top = v->row - rows + 1;
    v->top = v->top > last ? last : v->top;
    v->top = v->top < 0 ? 0 : v->top;
}

/* `below`: formats that the table has no room for. */
static void draw_line_part(const Formats *f, Canvas *c, Rect box, Rect r, int below)
{
    char formula[TEXT_SIZE], value[TEXT_SIZE], ulp[TEXT_SIZE], title[4 * TEXT_SIZE];
    uint32_t code = formats_encoded(f, f->format)->code;
    Value v;
    value_init(&v);
    formats_formula(f->format, code, formula);
    formats_code_text(f->format, code, 24, value);
    int n = snprintf(title, sizeof title, "%s  %s", f->format->name, formula);
    if (format_ulp(f->format, code, &v)) {
        formats_text(&v, 14, ulp);
        snprintf(title + n, sizeof title - (size_t)n, " = %s  ulp %s  %s", value, ulp,
                 class_name(format_class(f->format, code)));
    }
    canvas_rule(c, box, r.y, ROLE_FRAME, title);
    if (below > 0 && text_width(title) + 18 < r.w)
        canvas_textf(c, r.y, r.x + r.w - 12, ROLE_DIM, " ▼ %d more ", below);
    formats_draw_line(f, c, (Rect){r.y + 1, r.x, r.h - 1, r.w});
    value_free(&v);
}

static void draw_tabs(Canvas *c, int y, int x, int chosen)
{
    for (int i = 0; i < PANEL_COUNT; i++) {
        x = canvas_text(c, y, x, ROLE_ACTIVE, i == chosen ? " " MARK_ACTIVE : "  ");
        x = canvas_text(c, y, x, i == chosen ? ROLE_TITLE : ROLE_DIM, panels[i].name);
    }
    canvas_text(c, y, x, ROLE_FRAME, " ");
}

/* As many panels as there is room for: the chosen one and those after it, or all in their order. */
static void draw_panels(const Formats *f, Canvas *c, Rect box, Rect r)
{
    int across = 0, down = 0;
    panel_grid(r.h, r.w, &across, &down);
    int shown = across * down, chosen = chosen_panel(f->state);
    int first = shown == PANEL_COUNT ? 0 : chosen, h = r.h / down, w = (r.w - across + 1) / across;
    for (int k = 0; k < shown; k++) {
        int i = (first + k) % PANEL_COUNT, row = k / across, col = k % across;
        Rect at = {r.y + row * h, r.x + col * (w + 1), row == down - 1 ? r.h - row * h : h, w};
        if (col == 0)
            canvas_rule(c, box, at.y, ROLE_FRAME, shown > 1 ? panels[i].title : "");
        if (shown == 1)
            draw_tabs(c, at.y, at.x, i);
        if (col > 0) {
            canvas_textf(c, at.y, at.x + 1, ROLE_TITLE, " %s ", panels[i].title);
            canvas_divide(c, at.x - 1, at.y, at.y + at.h, ROLE_FRAME);
            canvas_put(c, at.y, at.x - 1, ROLE_FRAME, row == 0 ? 0x252c : 0x253c); /* ┬ ┼ */
        }
        panels[i].draw(f, c, (Rect){at.y + 1, at.x, at.h - 1, at.w});
    }
}

static void draw_inside(const Formats *f, Canvas *c, Rect box, Rect in, const Layout *l)
{
    int y = in.y;
    if (l->value)
        formats_draw_value(f, c, (Rect){y++, in.x, 1, in.w});
    if (l->heading) {
        canvas_rule(c, box, y, ROLE_FRAME, "");
        formats_draw_heading(f, c, y++, in.x, in.w);
    }
    formats_draw_table(f, c, (Rect){y, in.x, l->table, in.w}, f->state->v.top);
    y += l->table;
    if (l->line)
        draw_line_part(f, c, box, (Rect){y, in.x, l->line, in.w},
                       FORMAT_COUNT - l->table - f->state->v.top);
    y += l->line;
    if (l->panels)
        draw_panels(f, c, box, (Rect){y, in.x, l->panels, in.w});
    y += l->panels;
    if (l->who)
        formats_draw_who(f, c, (Rect){y, in.x, 1, in.w});
}

static void place(const Session *s, ViewState *v, Rect r)
{
    Rect in = canvas_inside(r);
    (void)s;
    if (in.h >= 1 && in.w >= 1)
        place_rows(v, layout_of(in.h, in.w, view_own(v)).table);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    Formats f;
    Rect old = canvas_clip(c, r);
    Rect in = canvas_box(c, r, ROLE_FRAME, "formats");
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, "formats");
        c->clip = old;
        return;
    }
    Layout l = layout_of(in.h, in.w, view_own(v));
    formats_open(&f, s, view_own(v), focused);
    draw_inside(&f, c, r, in, &l);
    formats_close(&f);
    c->clip = old;
}

/* ---- keys ---- */

static int wrap(int value, int by, int count)
{
    return ((value + by) % count + count) % count;
}

/* To the next number: of those typed, or along the wire's vector. */
static void next_element(Press *p)
{
    int by = press_by(p);
    Formats f;
    FormatsState *state = view_own(p->v);
    formats_open(&f, p->s, state, false);
    int count = f.count, at = f.at, first = f.first;
    Source source = f.source;
    formats_close(&f);
    if (source == FROM_WIRE) {
        int all = signal_count(session_engine(p->s), state->followed.signal), to = first + at + by;
        state->followed.at = to < 0 ? 0 : to >= all ? all - 1 : to;
    } else {
        int to = at + by;
        state->element = to < 0 ? 0 : to >= count ? count - 1 : to;
    }
}

static int last_block_kind(void)
{
    int last = 0;
    while (block_table[last + 1].name)
        last++;
    return last;
}

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    int row = v->row + rows;
    v->row = row < 0 ? 0 : row >= FORMAT_COUNT ? FORMAT_COUNT - 1 : row;
    int bits = formats_row(v->row)->bits, col = v->col;
    if (cols)
        col = (col < bits ? col : bits - 1) + cols;
    v->col = col < 0 ? 0 : cols && col >= bits ? bits - 1 : col;
}

static void next_format(Press *p)
{
    move(p, press_by(p), 0);
}

static void first_or_last_bit(Press *p)
{
    p->v->col = press_by(p) < 0 ? 0 : formats_row(p->v->row)->bits - 1;
}

static void flip(Press *p)
{
    formats_flip(p->s, view_own(p->v));
}

static void follow_again(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->typed[0] = '\0';
    f->flipped = false;
}

static void next_panel(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->panel = wrap(f->panel, 1, PANEL_COUNT);
}

static void next_block(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->block = wrap(f->block, press_by(p), last_block_kind() + 1);
}

static void next_rule(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->scale_rule = wrap(f->scale_rule, 1, SCALE_RCEIL + 1);
}

static void saturate_or_not(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->overflow = f->overflow == OVERFLOW_SATURATE ? OVERFLOW_IEEE : OVERFLOW_SATURATE;
}

static void next_rounding(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->round_mode = wrap(f->round_mode, 1, ROUND_DOWN + 1);
}

static void compare_with(Press *p)
{
    FormatsState *f = view_own(p->v);
    f->other = 1 + (int)(formats_row(p->v->row) - format_table);
}

/* The wire that is looked at. */
static Target target(const Session *s, const ViewState *v)
{
    const FormatsState *f = view_own(v);
    bool wire = !f->flipped && !f->typed[0] && f->followed.signal &&
                signal_exists(session_engine(s), f->followed.signal);
    if (!wire)
        return (Target){NULL, 0};
    bool inside = f->followed.at < signal_count(session_engine(s), f->followed.signal);
    return (Target){f->followed.signal, inside ? f->followed.at : 0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    if (!t.signal || !signal_exists(session_engine(s), t.signal))
        return false;
    FormatsState *f = view_own(v);
    f->followed = (Target){NULL, 0};
    formats_follow(f, t);
    return true;
}

static const char *numbers_note(const ViewState *v)
{
    (void)v;
    return "this pane shows every format";
}

static const ViewKey keys[] = {
    {"e", SENSE_TYPE, "type", "type a value (Enter too)", .command = "fmt "},
    {"f", SENSE_OWN, "flip", "flip the bit", .act = flip},
    {"v", SENSE_PART, "panel", "the next panel", .act = next_panel},
    {"[ ]", SENSE_ITEM, "format", "previous, next format (Up and Down too)", .act = next_format},
    {"=", SENSE_OWN, "compare", "compare with this format", .act = compare_with},
    {"c", SENSE_FOLLOW, "follow", "follow the other panes' cursor again", .act = follow_again},
    {"Home End", SENSE_MOVE, NULL, "first, last bit", .act = first_or_last_bit},
    {"PgUp PgDn", SENSE_MOVE, NULL, "five formats on", KEY_MOVES},
    {"o", SENSE_OTHER, NULL, "saturate, or inf/nan/wrap", .act = saturate_or_not},
    {"U", SENSE_OWN, NULL, "round to nearest, up, down, to zero ...", .act = next_rounding},
    {"< >", SENSE_LESS, NULL, "previous, next number of the block", .act = next_element},
    {"{ }", SENSE_GROUP, NULL, "kind of block", .act = next_block},
    {"d", SENSE_SCALE, NULL, "scale rule of the block", .act = next_rule},
    {"I", SENSE_OWN, NULL, "nvfp4: divide, or multiply by the inverse",
     .flips = offsetof(FormatsState, reciprocal)},
    {"Enter", SENSE_OPEN, NULL, NULL, .command = "fmt "},
    {0},
};

const View view_formats = {
    .name = "formats",
    .title = "formats",
    .key = "7",
    .about =
        "One value, and what becomes of it in every number format. It is the wire under the cursor "
        "of the pane you come from, or what you type (e): a decimal, a fraction -192/256, a hex "
        "float 0x1.8p3, inf, "
        "nan, bits32:0x3f800000, a code e4m3:0x7e, or several numbers for the block. Every digit "
        "is exact, and a value is rounded once. In a row stand the stored code, its bits by field, "
        "what they stand for, and how far that is off; Up and Down choose a format, Left and Right "
        "a bit, f flips it and the value follows. The line shows the neighbours of the stored "
        "value: ● is what is stored, ◆ what you gave, and all between the brackets becomes ●. "
        "Below, one at a time where room is short: the worst error of the format over its whole "
        "range, a second format beside it, a block with a common scale, and tools that store "
        "something else. Try 200, 1e-4, 464 and then 465, nan, -0.",
    .keys = keys,
    .state_size = sizeof(FormatsState),
    .place_end = offsetof(FormatsState, typed),
    .place = place,
    .draw = draw,
    .move = move,
    .page = FORMATS_FIVE,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
};
