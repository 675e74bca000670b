/* The decoder view's middle: what the coming edge does, in words and numbers; what the last one
 * did; the watches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/story.h"
#include "tui/view/decoder/decoder_view.h"
#include "tell/look.h"

enum { HEX = 8 };

bool decoder_is_control(const Operation *op)
{
    return op->target->type != TYPE_FIXED;
}

static const char *arrow(const Canvas *c)
{
    return c->utf8 ? "←" : "<-";
}

/* The columns of a line of `w`: target, arrow, formula, result. Narrow panes show either the word
 * or the value. */
static int target_width(int w)
{
    return w < 70 ? 14 : 21;
}

static int result_width(int w)
{
    return w < 40 ? 5 : w < 70 ? 2 + HEX : 2 + HEX + 1 + 10;
}

static int formula_width(int w)
{
    int left = w - 2 - target_width(w) - 3 - result_width(w) - 1;
    return left > 11 ? left : 0; /* less would not say anything */
}

static bool fits_inline(const Operation *op, int w)
{
    return (int)(strlen(op->formula) + 3 + strlen(op->numbers)) <= formula_width(w);
}

/* Lines that an operation would like: itself; its numbers; its remark. */
static int lines_wanted(const Operation *op, int w)
{
    int numbers = fits_inline(op, w) ? 0 : (int)strlen(op->numbers);
    int remark = (int)strlen(op->remark);
    if (numbers && remark && 3 + numbers + 4 + remark > w - 1)
        return 3;
    return numbers || remark ? 2 : 1;
}

static void draw_result(const DecoderScene *d, const Operation *op, Rect r, Canvas *c)
{
    char hex[24], value[32];
    int right = r.x + r.w - 1, x = right - result_width(r.w);
    signal_hex(d->e, op->target, op->result, hex, sizeof hex);
    snprintf(value, sizeof value, "%.4f", signal_real(op->target, op->result));
    bool both = r.w >= 70;
    const char *last = both || d->format == SHOW_VALUE ? value : hex;
    /* beside 32 bits the formula names the first */
    bool room = strlen(both ? hex : last) <= HEX / 2;
    if (r.w >= 40 && (op->count == 1 || room))
        canvas_text(c, r.y, x, ROLE_DIM, op->count > 1 ? "first" : "=");
    if (both)
        canvas_text(c, r.y, x + 2 + HEX - (int)strlen(hex), ROLE_WRITTEN, hex);
    canvas_text(c, r.y, right - (int)strlen(last), last == hex ? ROLE_WRITTEN : ROLE_TEXT, last);
}

static void draw_remark(const Operation *op, int y, int x, Canvas *c)
{
    if (op->events)
        x = canvas_text(c, y, x, ROLE_WARN, MARK_WARN " ");
    canvas_sentence(c, y, x, op->events ? ROLE_WARN : ROLE_DIM, op->remark);
}

/* Without its unit, where the room is short. */
static const char *short_name(const char *name, int room)
{
    const char *dot = strchr(name, '.');
    return (int)strlen(name) <= room || !dot || dot[1] == '.' ? name : dot + 1;
}

static void draw_operation(const DecoderScene *d, const Operation *op, bool cursor, int lines,
                           Rect r, Canvas *c)
{
    char target[64];
    int y = r.y, x = r.x + 1;
    operation_target(d->e, op, target, sizeof target);
    if (op->events)
        canvas_text(c, y, r.x, ROLE_WARN, MARK_WARN);
    int width = target_width(r.w);
    canvas_field(c, y, x, width - 1, cursor ? ROLE_CURSOR : ROLE_TITLE,
                 short_name(target, width - 1));
    if (text_width(short_name(target, width - 1)) > width - 1)
        canvas_text(c, y, x + width - 2, cursor ? ROLE_CURSOR : ROLE_DIM, "…");
    x += width;
    Rect old = canvas_clip(c, (Rect){y, x, 1, formula_width(r.w) ? formula_width(r.w) + 3 : 0});
    canvas_text(c, y, x, ROLE_DIM, arrow(c));
    int end = canvas_text(c, y, x + 3, ROLE_TEXT, op->formula);
    bool in_line = *op->numbers && fits_inline(op, r.w);
    if (in_line)
        canvas_text(c, y, canvas_text(c, y, end, ROLE_DIM, " = "), ROLE_READ, op->numbers);
    canvas_clip(c, old);
    draw_result(d, op, r, c);
    if (lines < 2)
        return;
    int at = r.x + 3;
    if (!in_line && *op->numbers)
        at = canvas_text(c, y + 1, at, ROLE_READ, op->numbers) + 3;
    if (*op->remark)
        draw_remark(op, y + lines - 1, lines > 2 ? r.x + 3 : at, c);
}

static int draw_control(const DecoderScene *d, int k, int y, int x, bool remark, Canvas *c)
{
    const Operation *op = &d->ops[k];
    bool is_state = op->target->type == TYPE_STATE;
    x = canvas_text(c, y, x, d->focused && k == d->cursor ? ROLE_CURSOR : ROLE_TITLE,
                    op->target->path);
    x = canvas_textf(c, y, x, ROLE_DIM, " %s ", arrow(c));
    x = is_state ? canvas_text(c, y, x, ROLE_ACTIVE, op->formula)
                 : canvas_textf(c, y, x, ROLE_TEXT, "%d", op->result);
    if ((remark || is_state) && *op->remark) {
        char aside[sizeof op->remark + 4];
        snprintf(aside, sizeof aside, " (%s)", op->remark);
        x = canvas_sentence(c, y, x, ROLE_DIM, aside);
    }
    return x + 3;
}

/* Columns of the assignment itself. */
static int control_width(const Operation *op)
{
    char number[16];
    snprintf(number, sizeof number, "%d", op->result);
    return text_width(op->target->path) + text_width(" <- ") - 1 +
           text_width(op->target->type == TYPE_STATE ? op->formula : number);
}

/* Counters, states and flags: beside arithmetic they share the last line, alone they get one each.
 */
static void draw_controls(const DecoderScene *d, bool alone, Rect r, Canvas *c)
{
    int x = r.x + 1, y = alone ? r.y : r.y + r.h - 1;
    for (int k = 0; k < d->n_ops; k++) {
        if (!decoder_is_control(&d->ops[k]))
            continue;
        if (!alone && x + control_width(&d->ops[k]) > r.x + r.w) {
            canvas_text(c, y, x < r.x + r.w ? x : r.x + r.w - 1, ROLE_DIM, "…");
            return;
        }
        int end = draw_control(d, k, y, x, alone, c);
        canvas_aim(c, (Rect){y, x, 1, end - x}, aim_at(k, -1));
        x = alone ? x : end;
        y += alone;
    }
}

/* How many lines each arithmetic operation from `first` on gets of `room`; returns the last one
 * that gets any. */
static int share_lines(const DecoderScene *d, int first, int room, int w, int lines[EXPLAIN_OPS])
{
    int last = first;
    memset(lines, 0, EXPLAIN_OPS * sizeof *lines);
    for (int k = first; k < d->n_ops && room > 0 && !decoder_is_control(&d->ops[k]); k++, room--) {
        lines[k] = 1;
        last = k;
    }
    for (int i = first - 1; i <= last && room > 0; i++) { /* the one under the cursor first */
        int k = i < first ? d->cursor : i;
        if (k < first || k > last || lines[k] != 1)
            continue;
        int more = lines_wanted(&d->ops[k], w) - 1;
        more = more < room ? more : room;
        lines[k] += more;
        room -= more;
    }
    return last;
}

/* In the rule above: what has no room. */
static void draw_more(int before, int after, const char *keys[2], Rect r, Canvas *c)
{
    char text[40];
    if (r.h < 1 || before + after < 1)
        return;
    snprintf(text, sizeof text, " +%d more: %s ", after > 0 ? after : before,
             keys[after > 0 ? 1 : 0]);
    canvas_text(c, r.y - 1, r.x + r.w - 2 - text_width(text), ROLE_DIM, text);
}

static int arithmetic_count(const DecoderScene *d)
{
    int n = 0;
    while (n < d->n_ops && !decoder_is_control(&d->ops[n]))
        n++;
    return n;
}

/* Who waits for whom, when no FSM has anything to do. After an edit a unit may be IDLE although
 * somebody waits for it: nobody will start it then. */
static void draw_standstill(const DecoderScene *d, Rect r, Canvas *c)
{
    int waiter = UNIT_TOP, unit = decoder_unit_at_work(d->e);
    if (d->bet) {
        canvas_text(c, r.y, r.x + 1, ROLE_DIM,
                    "first your bet: then this tells what the clock does");
        return;
    }
    if (unit == UNIT_TOP) {
        canvas_text(c, r.y, r.x + 1, ROLE_DIM, "nothing: the top FSM waits for start");
        return;
    }
    if (strcmp(unit_state(d->e, unit), "SOFTMAX_RUN") == 0) {
        waiter = unit;
        unit = UNIT_SMAX;
    }
    canvas_textf(c, r.y, r.x + 1, ROLE_WARN, MARK_WARN " nothing, for ever: %s waits in %s for %s,",
                 units[waiter].name, unit_state(d->e, waiter), units[unit].name);
    canvas_textf(c, r.y + 1, r.x + 3, ROLE_WARN, "which is %s: nothing will start it",
                 unit_state(d->e, unit));
}

void decoder_this_clock(const DecoderScene *d, Rect r, Canvas *c)
{
    int lines[EXPLAIN_OPS], y = r.y, first = 0;
    Rect old = canvas_clip(c, r);
    if (d->n_ops == 0)
        draw_standstill(d, r, c);
    bool arithmetic = d->n_ops > 0 && !decoder_is_control(&d->ops[0]);
    int room = r.h > 1 || !arithmetic ? r.h - 1 : 1;
    static const char *keys[2] = {"Up", "Down"};
    int last = share_lines(d, first, room, r.w, lines);
    if (d->cursor > last && d->cursor < d->n_ops && !decoder_is_control(&d->ops[d->cursor]))
        first = d->cursor;
    last = share_lines(d, first, room, r.w, lines);
    for (int k = first; k < d->n_ops; k++) {
        Rect at = {y, r.x, lines[k], r.w};
        if (lines[k])
            draw_operation(d, &d->ops[k], d->focused && k == d->cursor, lines[k], at, c);
        canvas_aim(c, at, aim_at(k, -1));
        y += lines[k];
    }
    if (!arithmetic || r.h > room)
        draw_controls(d, !arithmetic, r, c);
    canvas_clip(c, old);
    if (arithmetic)
        draw_more(first, arithmetic_count(d) - 1 - last, keys, r, c);
}

/* ---- the operands, as pictures ---- */

enum { NAME = 21 };

static int32_t operand_value(const DecoderScene *d, const Operand *o, int k)
{
    return signal_get(d->e, o->signal, o->at + k / o->width * o->stride + k % o->width);
}

static void draw_picture(const DecoderScene *d, const Operand *o, const char *name, bool chosen,
                         int y, Rect r, Canvas *c)
{
    int n = o->count * o->width, room = r.w - 2 - NAME - 1;
    int32_t full = 0;
    canvas_field(c, y, r.x + 1, NAME, chosen ? ROLE_CURSOR : ROLE_TITLE, name);
    if (n == 1) {
        char text[64];
        format_number(d->e, o->signal, operand_value(d, o, 0), SHOW_BOTH, text, sizeof text);
        canvas_text(c, y, r.x + 2 + NAME, ROLE_TEXT, text);
        return;
    }
    for (int k = 0; k < n; k++) {
        int32_t v = abs(operand_value(d, o, k));
        full = v > full ? v : full;
    }
    for (int k = 0; k < n && k < room; k++)
        canvas_heat(c, y, r.x + 2 + NAME + k, operand_value(d, o, k), full);
    if (n > room)
        canvas_text(c, y, r.x + r.w - 2, ROLE_DIM, "…");
}

void decoder_operand_name(const DecoderScene *d, const Operand *o, char *out, size_t size)
{
    int cols = signal_dim(d->e, o->signal, 1);
    Operation range = {.target = o->signal, .at = o->at, .count = o->count * o->width};
    if (o->stride == cols && o->count > 1 && signal_rank(o->signal) == 2 && o->width == 1)
        snprintf(out, size, "%s[][%d]", o->signal->path, o->at % cols);
    else if (o->stride == cols && o->width > 1)
        snprintf(out, size, "%s[][%d..%d]", o->signal->path, o->at % cols,
                 o->at % cols + o->width - 1);
    else
        operation_target(d->e, &range, out, size);
}

/* The products of a dot product, under its two operands. */
static void draw_products(const DecoderScene *d, const Operation *op, int y, Rect r, Canvas *c)
{
    const Operand *a = &op->reads[0], *b = &op->reads[1];
    int room = r.w - 2 - NAME - 1;
    int64_t full = 0;
    for (int k = 0; k < a->count; k++) {
        int64_t p = llabs((int64_t)operand_value(d, a, k) * operand_value(d, b, k));
        full = p > full ? p : full;
    }
    canvas_field(c, y, r.x + 1, NAME, ROLE_TITLE, "their products");
    for (int k = 0; k < a->count && k < room; k++) {
        int64_t p = (int64_t)operand_value(d, a, k) * operand_value(d, b, k);
        /* on a scale of 30 bits, so that heat's arithmetic holds it */
        canvas_heat(c, y, r.x + 2 + NAME + k, (int32_t)(p / 2), (int32_t)((full + 1) / 2));
    }
}

void decoder_operands(const DecoderScene *d, Rect r, Canvas *c)
{
    const Operation *op = d->cursor < d->n_ops ? &d->ops[d->cursor] : NULL;
    Rect old = canvas_clip(c, r);
    int y = r.y;
    for (int k = 0; op && k < op->n_reads && y < r.y + r.h; k++) {
        char name[64];
        bool is_dot =
            op->n_reads > 1 && op->reads[0].count > 1 && op->reads[0].count == op->reads[1].count &&
            op->reads[0].width == op->reads[1].width && strstr(op->formula, " . ") != NULL;
        decoder_operand_name(d, &op->reads[k], name, sizeof name);
        draw_picture(d, &op->reads[k], name, d->focused && k + 1 == d->operand, y, r, c);
        canvas_aim(c, (Rect){y++, r.x, 1, r.w}, aim_at(d->cursor, k + 1));
        if (k == 1 && is_dot)
            draw_products(d, op, y++, r, c);
    }
    if (!op || op->n_reads == 0)
        canvas_text(c, r.y, r.x + 1, ROLE_DIM, "none: only control moves");
    canvas_clip(c, old);
}

/* ---- the last edge ---- */

typedef struct Change {
    const Signal *signal;
    int at, count;
} Change;

static int changes_of(const Engine *e, Change *out, int max)
{
    static const SignalType order[] = {TYPE_FIXED, TYPE_STATE, TYPE_INDEX, TYPE_FLAG};
    int n = 0, count = 0;
    const Write *writes = engine_writes(e, &count);
    for (int k = 0; k < count && n < max; k++)
        out[n++] = (Change){signal_at(writes[k].signal), writes[k].index, writes[k].count};
    for (size_t t = 0; t < sizeof order / sizeof *order; t++) {
        for (int id = 0; id < SIG_COUNT && n < max; id++) {
            const Signal *s = signal_at((SignalId)id);
            if (s->kind == KIND_REGISTER && s->type == order[t] && signal_exists(e, s) &&
                signal_changed(e, s, 0))
                out[n++] = (Change){s, 0, 1};
        }
    }
    return n;
}

static void change_text(const DecoderScene *d, const Change *ch, bool wide, const char *to,
                        char *out, size_t size)
{
    int32_t before = signal_before(d->e, ch->signal, ch->at),
            after = signal_get(d->e, ch->signal, ch->at);
    char was[64], is[64];
    if (ch->count > 1) {
        int changed = 0;
        for (int k = 0; k < ch->count; k++)
            changed += signal_changed(d->e, ch->signal, ch->at + k);
        snprintf(out, size, "%d of %d changed", changed, ch->count);
    } else if (ch->signal->type == TYPE_STATE) {
        snprintf(out, size, "%s %s %s", signal_state_name(ch->signal, before), to,
                 signal_state_name(ch->signal, after));
    } else if (ch->signal->type != TYPE_FIXED) {
        snprintf(out, size, "%d %s %d", before, to, after);
    } else {
        NumberFormat f = d->format == SHOW_BOTH ? SHOW_HEX : d->format;
        format_number(d->e, ch->signal, before, f, was, sizeof was);
        format_number(d->e, ch->signal, after, f, is, sizeof is);
        int n = snprintf(out, size, "%s %s %s", was + strspn(was, " "), to, is + strspn(is, " "));
        if (d->format == SHOW_BOTH || (wide && d->format == SHOW_HEX))
            snprintf(out + n, size - (size_t)n, " %10.4f", signal_real(ch->signal, after));
    }
}

static bool was_edited(const DecoderScene *d, const Change *ch)
{
    for (int k = 0; k < ch->count; k++) {
        if (story_edit(d->session, ch->signal, ch->at + k))
            return true;
    }
    return false;
}

static bool had_event(const Engine *e, const Change *ch)
{
    int n = 0;
    const Event *events = engine_events(e, &n);
    for (int k = 0; k < n; k++) {
        if (signal_at(events[k].signal) == ch->signal && events[k].index >= ch->at &&
            events[k].index < ch->at + ch->count)
            return true;
    }
    return false;
}

static const char *scroll_keys[2] = {"PgUp", "PgDn"};

enum { CHANGES_MOST = 64 };

int decoder_last_lines(const Engine *e)
{
    Change changes[CHANGES_MOST];
    return engine_cycle(e) ? changes_of(e, changes, CHANGES_MOST) : 0;
}

void decoder_last_clock(const DecoderScene *d, Rect r, Canvas *c)
{
    Change changes[CHANGES_MOST];
    int n = engine_cycle(d->e) ? changes_of(d->e, changes, CHANGES_MOST) : 0;
    int shown = n < r.h ? n : r.h, first = limit(d->scroll, 0, n - shown);
    Rect old = canvas_clip(c, r);
    for (int k = 0; k < shown; k++) {
        const Change *ch = &changes[first + k];
        Operation range = {.target = ch->signal, .at = ch->at, .count = ch->count};
        char name[64], text[160];
        int y = r.y + k;
        bool memory = ch->signal->kind == KIND_MEMORY;
        operation_target(d->e, &range, name, sizeof name);
        change_text(d, ch, r.w >= 48, c->utf8 ? "→" : "->", text, sizeof text);
        bool edited = was_edited(d, ch);
        if (edited) /* since that edge, by hand */
            snprintf(text + strlen(text), sizeof text - strlen(text), " edited");
        if (edited || (!d->discreet && had_event(d->e, ch)))
            canvas_text(c, y, r.x, ROLE_WARN, MARK_WARN);
        if (memory)
            canvas_text(c, y, r.x + 1, ROLE_WRITTEN, MARK_WRITTEN);
        int x = r.x + r.w - 1 - text_width(text);
        canvas_field(c, y, r.x + 3, x - r.x - 4, memory ? ROLE_WRITTEN : ROLE_TEXT,
                     short_name(name, x - r.x - 4));
        canvas_text(c, y, x, edited ? ROLE_WARN : ROLE_CHANGED, text);
    }
    if (n == 0)
        canvas_text(c, r.y, r.x + 1, ROLE_DIM,
                    engine_cycle(d->e) ? "nothing changed"
                                       : "none yet: the machine is fresh from reset");
    canvas_clip(c, old);
    draw_more(first, n - shown - first, scroll_keys, r, c);
}

void decoder_watches(const DecoderScene *d, Rect r, Canvas *c)
{
    int n = 0;
    const Watch *w = session_watches(d->session, &n);
    Rect old = canvas_clip(c, r);
    if (n == 0)
        canvas_text(c, r.y, r.x + 1, ROLE_DIM, "none (w adds one)");
    int shown = n < r.h ? n : r.h, first = limit(d->scroll, 0, n - shown);
    w += first;
    for (int k = 0; k < shown; k++) {
        char name[64], text[64];
        bool whole = w[k].at < 0 && signal_rank(w[k].signal) > 0;
        int at = w[k].at < 0 ? 0 : w[k].at;
        bool changed = !whole && engine_cycle(d->e) && signal_changed(d->e, w[k].signal, at);
        signal_element_name(d->e, w[k].signal, at, name, sizeof name);
        format_number(d->e, w[k].signal, signal_get(d->e, w[k].signal, at), d->format, text,
                      sizeof text);
        if (w[k].signal->type == TYPE_STATE)
            snprintf(text, sizeof text, "%s",
                     signal_state_name(w[k].signal, signal_get(d->e, w[k].signal, at)));
        if (whole)
            snprintf(text, sizeof text, "%d words", signal_count(d->e, w[k].signal));
        canvas_text(c, r.y + k, r.x + 1, ROLE_TEXT, whole ? w[k].signal->path : name);
        canvas_text(c, r.y + k, r.x + r.w - 1 - text_width(text),
                    changed ? ROLE_CHANGED : ROLE_TEXT, text);
    }
    canvas_clip(c, old);
    draw_more(first, n - shown - first, scroll_keys, r, c);
}
