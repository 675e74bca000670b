/* The decoder, cause and effect on one screen:
 *
 *   block diagram      which unit works
 *   state strips       which state each FSM is in, and for how long
 *   this clock         what the coming edge stores, in words and numbers
 *   operands           (tall) the vectors that go into the operation under the cursor
 *   last clock         what the edge before this cycle stored; beside it the watches
 *   cycles             where in the token we are, and where its cycles go
 *
 * The sections' heights depend on the size of the pane only, never on the machine. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/cycle.h"
#include "engine/option.h"
#include "script/lesson.h"
#include "tui/view/decoder/decoder_view.h"
#include "tui/input/keys.h"
#include "tell/look.h"
#include "tell/warning.h"

/* Longer tokens are not counted again for every frame. */
enum { COUNT_LIMIT = 1 << 18 };
/* Columns from which the watches stand beside the last clock. */
enum { BOTH_FROM = 60 };

/* ---- gathering ---- */

static bool count_cycle(void *context, const Engine *e, const Host *h)
{
    DecoderScene *d = context;
    (void)h;
    for (int k = 0; k < UNIT_COUNT; k++) {
        const Signal *s = signal_in(e, units[k].fsm);
        bool entered = d->elapsed > 0 && s && signal_changed(e, s, 0);
        d->in_state[k] = entered ? 1 : d->in_state[k] + 1;
    }
    d->elapsed++;
    d->stages[stage_of(e)]++;
    return true;
}

/* The cycles of this token, the present one last; it is not yet over, so it does not count as
 * spent. */
static void count_cycles(DecoderScene *d)
{
    const Host *h = session_host(d->session);
    uint64_t now = engine_cycle(d->e), start = h->token_start < now ? h->token_start : now;
    d->counted = now - start < COUNT_LIMIT;
    if (d->counted) {
        session_visit(d->session, start, now, count_cycle, d);
        d->stages[stage_of(d->e)]--;
    }
    /* behind the last token the machine is IDLE: that is no part of it */
    uint64_t *control = &d->stages[STAGE_CONTROL],
             all = stage_cycles(d->c, d->c->variant, 0, STAGE_CONTROL);
    if (look_in(d->e, "top.state", "IDLE") && !look_value(d->e, "start") && *control > all)
        *control = all;
    d->elapsed = now - start;
}

/* What was chosen lasts a cycle: an element of what the operation under the cursor stores (left),
 * and one of the operands of that element (col), from 1; 0: none. */
static int chosen_element(const Engine *e, const ViewState *v, const Operation *op)
{
    return op->at + (v->cycle == engine_cycle(e) ? limit(v->left, 0, op->count - 1) : 0);
}

/* *op becomes the operation as told for the chosen element, once an operand of it is chosen. */
static int chosen_operand(const Session *s, const ViewState *v, Operation *op)
{
    const Engine *e = session_engine(s);
    int operand = v->cycle == engine_cycle(e) ? limit(v->col, 0, op->n_reads) : 0;
    if (operand && op->count > 1)
        explain_element(e, session_spare(s), op->target, chosen_element(e, v, op), op);
    return operand;
}

static void gather(const Session *s, const ViewState *v, bool focused, DecoderScene *d)
{
    memset(d, 0, sizeof *d);
    d->session = s;
    d->e = session_engine(s);
    d->c = engine_config(d->e);
    d->format = v->format;
    d->focused = focused;
    d->bet = (v->hidden & LESSON_HIDE_CLOCK) != 0;
    d->n_ops = d->bet ? 0 : explain_clock(d->e, session_spare(s), d->ops);
    d->discreet = (v->hidden & LESSON_HIDE_WRAP) != 0;
    for (int k = 0; d->discreet && k < d->n_ops; k++)
        operation_hush(&d->ops[k]);
    d->cursor = limit(v->row, 0, d->n_ops > 0 ? d->n_ops - 1 : 0);
    d->operand = d->n_ops > 0 ? chosen_operand(s, v, &d->ops[d->cursor]) : 0;
    d->scroll = v->top;
    count_cycles(d);
}

/* ---- cycles in this token ---- */

static uint64_t token_cycles(const DecoderScene *d)
{
    return config_cycles(d->c, d->c->variant, signal_get(d->e, signal_at(SIG_SEQ_POS), 0));
}

static uint64_t stage_formula(const DecoderScene *d, Stage k)
{
    return stage_cycles(d->c, d->c->variant, signal_get(d->e, signal_at(SIG_SEQ_POS), 0), k);
}

static void draw_progress(const DecoderScene *d, Rect r, Canvas *c)
{
    uint64_t all = token_cycles(d), spent = d->elapsed < all ? d->elapsed : all;
    bool finished = look_in(d->e, "top.state", "IDLE") || look_in(d->e, "top.state", "DONE");
    bool late = d->elapsed >= all && !finished;
    assert(all > 0);
    char text[64];
    snprintf(text, sizeof text, "%llu of %llu", (unsigned long long)(late ? d->elapsed : spent),
             (unsigned long long)all);
    int x = canvas_text(c, r.y, r.x + 1, late ? ROLE_WARN : ROLE_TEXT, text) + 1;
    x = r.x + 16 > x ? r.x + 16 : x;
    int width = r.x + r.w - 6 - x;
    if (width < 4)
        return;
    canvas_fill(c, (Rect){r.y, x, 1, width}, ROLE_DIM, 0x2591); /* ░ */
    double cells = (double)spent * width / (double)all;
    int begun = ((int)(cells * 8 + 0.5) + 7) / 8; /* leaves the shade beyond alone */
    begun = limit(begun, 1, width);
    canvas_bar(c, r.y, x, begun, ROLE_ACTIVE, cells, begun);
    if (late) /* an edit has held it up */
        canvas_text(c, r.y, r.x + r.w - 5, ROLE_WARN, "late");
    else
        canvas_textf(c, r.y, r.x + r.w - 5, ROLE_TEXT, "%3d%%", (int)(spent * 100 / all));
}

/* One line: the stage at work, then the finished ones, the latest first. */
static void draw_stage_line(const DecoderScene *d, Rect r, Canvas *c)
{
    Stage here = stage_of(d->e);
    int x = canvas_field(c, r.y, r.x + 1, 12, ROLE_ACTIVE, stage_name(d->c, here));
    if (!d->counted)
        return;
    canvas_textf(c, r.y, x + 1, ROLE_TEXT, "%4llu of %llu", (unsigned long long)d->stages[here],
                 (unsigned long long)stage_formula(d, here));
    x += 15;
    if (d->elapsed > d->stages[STAGE_CONTROL] + (here == STAGE_CONTROL ? 0 : d->stages[here]))
        x = canvas_text(c, r.y, x, ROLE_DIM, "before:");
    for (int k = STAGE_COUNT - 1; k >= 0; k--) {
        char text[64];
        if ((Stage)k == here || k == STAGE_CONTROL || d->stages[k] == 0)
            continue;
        int n = snprintf(text, sizeof text, " %s %llu", stage_name(d->c, (Stage)k),
                         (unsigned long long)d->stages[k]);
        if (x + n > r.x + r.w - 2) {
            canvas_text(c, r.y, x, ROLE_DIM, " …");
            return;
        }
        x = canvas_text(c, r.y, x, ROLE_DIM, text);
    }
}

/* A line per stage: cycles so far, its formula's, a bar on the scale of the longest. */
static void draw_stage_table(const DecoderScene *d, Rect r, Canvas *c)
{
    uint64_t longest = 1;
    Stage here = stage_of(d->e);
    for (int k = 0; k < STAGE_COUNT; k++)
        longest = stage_formula(d, (Stage)k) > longest ? stage_formula(d, (Stage)k) : longest;
    for (int k = 0; k < STAGE_COUNT && k < r.h; k++) {
        uint64_t all = stage_formula(d, (Stage)k), spent = d->stages[k];
        bool active = (Stage)k == here;
        Role role = active ? ROLE_ACTIVE : spent ? ROLE_TEXT : ROLE_DIM;
        int y = r.y + k, x = r.x + 1;
        if (active)
            canvas_text(c, y, x, ROLE_ACTIVE, MARK_ACTIVE);
        x = canvas_field(c, y, x + 1, 13, role, stage_name(d->c, (Stage)k));
        if (d->counted)
            canvas_textf(c, y, x, role, "%7llu", (unsigned long long)spent);
        canvas_textf(c, y, x + 7, ROLE_DIM, " of %-7llu", (unsigned long long)all);
        x += 19;
        int width = r.x + r.w - 1 - x,
            scale = (int)((uint64_t)(width < 0 ? 0 : width) * all / longest);
        scale = scale < 1 ? 1 : scale;
        canvas_fill(c, (Rect){y, x, 1, scale}, ROLE_DIM, 0x2591); /* ░ */
        int done = (int)((uint64_t)scale * spent / all);
        if (d->counted && spent)
            canvas_bar(c, y, x, done > 0 ? done : 1, role, 1, 1);
    }
}

/* ---- the title of "this clock", and beside it what to notice about the coming edge ---- */

static void clock_title(const DecoderScene *d, char *out, size_t size)
{
    char name[64];
    const Operation *op = &d->ops[d->cursor];
    snprintf(out, size, "this clock");
    if (d->operand == 0)
        return;
    decoder_operand_name(d, &op->reads[d->operand - 1], name, sizeof name);
    snprintf(out, size, "this clock: operand %d of %d, %s: O goes to its origin", d->operand,
             op->n_reads, name);
}

static void draw_warning(const DecoderScene *d, Rect r, int y, Canvas *c)
{
    int x = r.x + 15, room = r.w - 16;
    const Operation *worst = NULL;
    for (int k = 0; k < d->n_ops; k++) {
        if (d->ops[k].events && (!worst || d->ops[k].events > worst->events))
            worst = &d->ops[k];
    }
    if (!worst)
        return;
    Rect old = canvas_clip(c, (Rect){y, x, 1, room});
    char text[160];
    snprintf(text, sizeof text, " ! %s (lesson %s) ", worst->remark,
             warning_lesson(d->e, signal_id(worst->target), worst->at));
    if (text_width(text) > room)
        snprintf(text, sizeof text, " ! %s ", worst->remark);
    canvas_sentence(c, y, x, ROLE_WARN, text);
    canvas_clip(c, old);
}

/* ---- layout ---- */

typedef struct Heights {
    int diagram, strips, clock, operands, last, cycles; /* rows, without the rules above them */
} Heights;

/* Give `want` rows in all to *section (one more for the rule if it is new and has one) if they are
 * there. */
static void grow(int *section, int want, int rule, int *rows)
{
    int cost = want - *section + (*section == 0 ? rule : 0);
    if (want <= *section || cost > *rows)
        return;
    *rows -= cost;
    *section = want;
}

static Heights share_rows(const Config *config, int rows, int width)
{
    Heights h = {0};
    int table = STAGE_COUNT + 1;
    grow(&h.strips, 1, 0, &rows);
    grow(&h.clock, 1, 1, &rows);
    grow(&h.clock, 3, 1, &rows);
    grow(&h.strips, 2, 0, &rows);
    grow(&h.cycles, 1, 1, &rows);
    if (width - 2 >= decoder_diagram_width(config, false))
        grow(&h.diagram, 2, 0, &rows);
    grow(&h.strips, 3, 0, &rows);
    grow(&h.clock, 5, 1, &rows);
    grow(&h.last, 2, 1, &rows);
    grow(&h.cycles, 2, 1, &rows);
    grow(&h.last, 4, 1, &rows); /* PROJ_QKV stores to q, k, v and its counter */
    grow(&h.clock, 6, 1, &rows);
    grow(&h.clock, 7, 1, &rows);
    grow(&h.strips, 6, 0, &rows);
    grow(&h.last, 5, 1, &rows);
    if (width - 2 >= decoder_diagram_width(config, true))
        grow(&h.diagram, 5, 0, &rows);
    grow(&h.operands, 5, 1, &rows);
    grow(&h.cycles, table, 1, &rows);
    grow(&h.clock, 9, 1, &rows);
    grow(&h.last, 10, 1, &rows);
    h.clock += rows;
    return h;
}

/* The next section below a rule with a title. */
static Rect below_rule(Rect box, int *y, int rows, const char *title, Canvas *c)
{
    canvas_rule(c, box, *y, ROLE_FRAME, title);
    Rect r = {*y + 1, box.x + 1, rows, box.w - 2};
    *y += 1 + rows;
    return r;
}

static void draw_edges(const DecoderScene *d, Rect box, int *y, int rows, Canvas *c)
{
    bool both = box.w >= BOTH_FROM;
    int middle = both ? box.x + box.w * 11 / 20 : box.x + box.w - 1;
    int rule = *y;
    Rect r = below_rule(box, y, rows, "last clock", c);
    r.w = middle - r.x;
    decoder_last_clock(d, r, c);
    if (both) {
        canvas_divide(c, middle, rule, *y, ROLE_FRAME);
        canvas_text(c, rule, middle + 1, ROLE_TITLE, " watches ");
        decoder_watches(d, (Rect){r.y, middle + 1, rows, box.x + box.w - 2 - middle}, c);
    }
}

static void draw_cycles(const DecoderScene *d, Rect box, int y, int rows, bool joined, Canvas *c)
{
    int middle = box.x + box.w * 11 / 20;
    canvas_rule(c, box, y, ROLE_FRAME, "cycles in this token");
    if (joined)
        canvas_put(c, y, middle, ROLE_FRAME, 0x2534); /* ┴ */
    Rect r = {y + 1, box.x + 1, rows, box.w - 2};
    Rect old = canvas_clip(c, r);
    if (rows > 2)
        draw_stage_table(d, (Rect){r.y, r.x, rows - 1, r.w}, c);
    else if (rows == 2)
        draw_stage_line(d, r, c);
    draw_progress(d, (Rect){r.y + rows - 1, r.x, 1, r.w}, c);
    canvas_clip(c, old);
}

/* What makes this machine another one than its preset. */
static void make_title(const Config *c, char *out, size_t size)
{
    Config preset = *c;
    int n = snprintf(out, size, "decoder");
    if (!config_preset(&preset, c->preset, NULL))
        return;
    for (int k = 0; option_at(k) && n < (int)size; k++) {
        const Option *o = option_at(k);
        const char *name = o->title ? o->title : o->key;
        char text[OPTION_CHARS];
        option_text(o, c, text);
        /* what follows others says nothing of its own */
        if (*name && option_is_set(o, c) && option_get(o, c) != option_get(o, &preset))
            n += snprintf(out + n, size - (size_t)n, "  %s %s", name, text);
    }
}

static void place(const Session *s, ViewState *v, Rect r)
{
    const Engine *e = session_engine(s);
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(e, session_spare(s), ops), lines = decoder_last_lines(e), watches = 0;
    Rect in = canvas_inside(r);
    int rows = share_rows(engine_config(e), in.h, in.w).last;
    v->row = limit(v->row, 0, n > 0 ? n - 1 : 0);
    if (v->cycle != engine_cycle(e)) /* scrolled, or chosen, in another cycle */
        v->top = v->left = v->col = 0;
    v->cycle = engine_cycle(e);
    session_watches(s, &watches);
    if (r.w >= BOTH_FROM && watches > lines)
        lines = watches;
    if (rows > 0)
        v->top = limit(v->top, 0, lines > rows ? lines - rows : 0);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    DecoderScene d;
    Rect old = canvas_clip(c, r);
    gather(s, v, focused, &d);
    char title[256];
    make_title(d.c, title, sizeof title);
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE,
                     signal_state_name(signal_at(SIG_TOP_STATE),
                                       signal_get(d.e, signal_at(SIG_TOP_STATE), 0)));
        canvas_clip(c, old);
        return;
    }
    Heights h = share_rows(d.c, in.h, in.w);
    int y = in.y;
    if (h.diagram)
        decoder_diagram(&d, (Rect){y, in.x, h.diagram, in.w}, c);
    y += h.diagram;
    decoder_strips(&d, (Rect){y, in.x, h.strips, in.w}, c);
    y += h.strips;
    int rule = y;
    clock_title(&d, title, sizeof title);
    if (h.clock)
        decoder_this_clock(&d, below_rule(r, &y, h.clock, title, c), c);
    if (h.clock && d.operand == 0 && !(v->hidden & LESSON_HIDE_WRAP))
        draw_warning(&d, r, rule, c);
    if (h.operands) {
        char target[64] = "it";
        if (d.n_ops)
            operation_target(d.e, &d.ops[d.cursor], target, sizeof target);
        snprintf(title, sizeof title, "what goes into %s", target);
        decoder_operands(&d, below_rule(r, &y, h.operands, title, c), c);
    }
    if (h.last)
        draw_edges(&d, r, &y, h.last, c);
    if (h.cycles)
        draw_cycles(&d, r, y, h.cycles, h.last > 0 && r.w >= BOTH_FROM, c);
    canvas_clip(c, old);
}

/* ---- cursor ---- */

/* To the next or previous state of the top FSM or of what works for it. A machine that stands still
 * has no next one. */
static void inner_state(const Session *s, bool next, char *command, size_t size)
{
    const Engine *e = session_engine(s);
    int unit = decoder_unit_at_work(e);
    Operation ops[EXPLAIN_OPS];
    if (next && explain_clock(e, session_spare(s), ops) == 0)
        return;
    int n = snprintf(command, size, "%s until top.state changes", next ? "run" : "rev");
    /* another unit may have worked before */
    bool any = !next && signal_changed(e, signal_at(SIG_TOP_STATE), 0);
    for (int k = UNIT_TOP + 1; k < UNIT_COUNT && n < (int)size; k++) {
        bool works = unit != UNIT_TOP && (k == unit || units[k].boss == unit);
        if (any || works)
            n += snprintf(command + n, size - (size_t)n, " or %s.state changes", units[k].name);
    }
}

/* The operation under the cursor, and which of its operands is chosen, from 1; 0: none. */
static int operand_at(const Session *s, ViewState *v, Operation ops[EXPLAIN_OPS], Operation **op)
{
    const Engine *e = session_engine(s);
    int n = explain_clock(e, session_spare(s), ops);
    *op = n > 0 ? &ops[limit(v->row, 0, n - 1)] : NULL;
    return *op ? chosen_operand(s, v, *op) : 0;
}

static void choose_operand(const Session *s, ViewState *v, int by, Press *p)
{
    Operation ops[EXPLAIN_OPS], *op;
    int operand = operand_at(s, v, ops, &op);
    if (v->cycle != engine_cycle(session_engine(s)))
        v->left = 0;
    if (!op || op->n_reads == 0)
        press_refuse(p, "this operation has no operands to choose from");
    else
        v->col = limit(operand + by, 0, op->n_reads);
    v->cycle = engine_cycle(session_engine(s));
}

/* Up and Down: an operation; Left and Right: one of its operands. */
static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    Operation ops[EXPLAIN_OPS];
    if (cols) {
        choose_operand(p->s, v, cols, p);
        return;
    }
    v->left = v->col = 0;
    int last = explain_clock(session_engine(p->s), session_spare(p->s), ops) - 1;
    v->row = limit(v->row + rows, 0, last > 0 ? last : 0);
}

static void next_operation(Press *p)
{
    move(p, press_by(p), 0);
}

/* To where the chosen operand came from. */
static void go_to_origin(Press *p)
{
    const Session *s = p->s;
    Operation ops[EXPLAIN_OPS], *op;
    char name[64];
    int operand = operand_at(s, p->v, ops, &op);
    if (operand == 0) {
        press_leave(p);
        return;
    }
    const Operand *o = &op->reads[operand - 1];
    signal_element_name(session_engine(s), o->signal, o->at, name, sizeof name);
    press_run(p, "origin %s", name);
    p->v->cycle = engine_cycle(session_engine(s));
}

static void next_state(Press *p)
{
    inner_state(p->s, p->nth == 0, p->text, sizeof p->text);
    p->what = p->text[0] ? PRESS_RUN : PRESS_DONE;
}

static void scroll(Press *p)
{
    p->v->top = limit(p->v->top + press_by(p), 0, EXPLAIN_OPS);
}

static void to_the_first(Press *p)
{
    ViewState *v = p->v;
    v->row = v->left = v->col = v->top = 0;
}

/* An operation, or one of its operands. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    if (aim_row(aim) != v->row)
        v->left = v->col = 0;
    aim_move(v, aim);
    v->cycle = engine_cycle(session_engine(s));
}

static void phase(const Session *s, char *command, size_t size)
{
    inner_state(s, true, command, size);
}

static Target target(const Session *s, const ViewState *v)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(session_engine(s), session_spare(s), ops);
    if (n == 0)
        return (Target){NULL, 0};
    Operation *op = &ops[limit(v->row, 0, n - 1)];
    int at = chosen_element(session_engine(s), v, op);
    int operand = chosen_operand(s, v, op);
    return operand ? (Target){op->reads[operand - 1].signal, op->reads[operand - 1].at}
                   : (Target){op->target, at};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(session_engine(s), session_spare(s), ops);
    for (int k = 0; k < n; k++) {
        if (operation_writes(&ops[k], t.signal, t.at)) {
            v->row = k;
            v->left = t.at - ops[k].at;
            v->col = 0;
            v->cycle = engine_cycle(session_engine(s));
            return true;
        }
    }
    return false;
}

static const ViewKey keys[] = {
    {"f", SENSE_PHASE, "phase", "run to the next state of the unit at work", .command = "phase"},
    {"[ ]", SENSE_ITEM, "operation", "previous, next of this clock's operations",
     .act = next_operation},
    {"Enter", SENSE_OPEN, "show it", "to what it stores; on an operand: its origin",
     .act = go_to_origin},
    {"Left Right", SENSE_MOVE, "operand", "choose an operand of the operation", KEY_MOVES},
    {"N P", SENSE_OWN, NULL, "next, previous state of any FSM", .act = next_state},
    {"PgUp PgDn", SENSE_MOVE, NULL, "scroll last clock and watches", .act = scroll},
    {"c", SENSE_FOLLOW, NULL, NULL, .act = to_the_first},
    {0},
};

const View view_decoder = {
    .name = "decoder",
    .title = "decoder",
    .key = "1",
    .about = "The whole machine, one clock cycle at a time. The diagram shows which unit works, "
             "the strips "
             "which state every FSM is in. \"This clock\" says what the coming edge will store: "
             "the target, the "
             "formula, the numbers that go in, the word that comes out; \"last clock\" says what "
             "the edge before "
             "did. Step with space and watch a line of this clock become one of last clock. n goes "
             "to the next state of "
             "the top FSM, f to the next one of the unit at work. Try "
             ":run until attn.state == SOFTMAX_RUN, then f and space, and read what happens to a "
             "masked position.",
    .keys = keys,
    .place = place,
    .draw = draw,
    .point = point,
    .move = move,
    .phase = phase,
    .target = target,
    .find = find,
};
