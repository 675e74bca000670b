/* Where a value comes from: what the session remembers of edits and of the last store, told; and
 * what stopped a run. */
#include "session/story.h"

#include <stdio.h>

typedef struct Question {
    const Session *session;
    const Signal *signal;
    int at;
    Operation *op;
    bool answered;
} Question;

static bool answer(void *context, const Engine *e, const Host *h)
{
    Question *q = context;
    (void)h;
    q->answered = explain_element(e, session_spare(q->session), q->signal, q->at, q->op);
    return false;
}

bool story_edge(const Session *s, const Signal *signal, int at, Operation *op, uint64_t *cycle)
{
    uint64_t after = session_last_write(s, signal, at);
    if (after == 0)
        return false;
    Question q = {s, signal, at, op, false};
    session_visit(s, after - 1, after - 1, answer, &q);
    *cycle = after - 1;
    return q.answered;
}

const Edit *story_edit(const Session *s, const Signal *signal, int at)
{
    int n = 0;
    uint64_t present = engine_cycle(session_engine(s));
    const Edit *edits = session_edits(s, &n), *last = NULL;
    for (int k = 0; k < n; k++) {
        const Edit *edit = &edits[k];
        if (edit->signal == signal && edit->at == at && edit->cycle <= present &&
            (!last || edit->cycle >= last->cycle))
            last = edit;
    }
    bool stored_since = last && (signal->kind == KIND_MEMORY || signal->kind == KIND_REGISTER) &&
                        session_last_write(s, signal, at) > last->cycle;
    return stored_since ? NULL : last;
}

/* Where an element has its value from: an operation of an edge, if `told` is NULL. */
typedef struct Origin {
    const char *told;
    Operation op;
    uint64_t cycle;
} Origin;

static Origin origin_of(const Session *s, const Signal *signal, int at)
{
    Origin o = {0};
    if (story_edit(s, signal, at))
        o.told = "edited by hand";
    else if (signal->kind == KIND_WEIGHT)
        o.told = "a weight, it was there before the first clock";
    else if (signal->kind == KIND_PIN)
        o.told = "set by the host";
    else if (!story_edge(s, signal, at, &o.op, &o.cycle))
        o.told = "nothing has stored it yet";
    return o;
}

void story_text(const Session *s, const Signal *signal, int at, Buf *out)
{
    const Engine *e = session_engine(s);
    char name[64], hex[24], value[64];
    int32_t raw = signal_get(e, signal, at);
    Origin o = origin_of(s, signal, at);
    signal_element_name(e, signal, at, name, sizeof name);
    signal_hex(e, signal, raw, hex, sizeof hex);
    signal_value(signal, raw, value, sizeof value);
    buf_printf(out, "%s %s %s", name, hex, value);
    if (o.told) {
        buf_printf(out, ": %s", o.told);
        return;
    }
    if (session_hushed(s))
        operation_hush(&o.op);
    explain_formula(&o.op, out);
    buf_printf(out, "  (the edge of cycle %llu)", (unsigned long long)o.cycle);
}

/* " ff80" of a fixed-point word, else what it means: " 3", " ATTN_WAIT". */
static void add_word(const Engine *e, const Signal *s, int32_t raw, Buf *out)
{
    char text[64];
    if (s->type == TYPE_FIXED)
        signal_hex(e, s, raw, text, sizeof text);
    else
        signal_value(s, raw, text, sizeof text);
    buf_printf(out, " %s", text);
}

/* An element that stopped a run. */
typedef struct Stop {
    const Signal *signal;
    int at;
    int32_t before, raw;
    Origin origin;
    bool is_new; /* the last edge stored it, or something has changed it since */
} Stop;

static bool stop_of(const Session *s, Stop *stop)
{
    const Engine *e = session_engine(s);
    *stop = (Stop){0};
    if (!session_hit(s, &stop->signal, &stop->at))
        return false;
    stop->before = session_before(s, stop->signal, stop->at);
    stop->raw = signal_get(e, stop->signal, stop->at);
    stop->origin = origin_of(s, stop->signal, stop->at);
    bool stored = !stop->origin.told && stop->origin.cycle + 1 == engine_cycle(e);
    stop->is_new = stored || stop->before != stop->raw;
    return true;
}

/* "q[5] 0012 -> ff80 -0.5"; rounded: the value to four places. */
static void add_change(const Engine *e, const Stop *stop, bool rounded, Buf *out)
{
    const Signal *s = stop->signal;
    char text[64];
    signal_element_name(e, s, stop->at, text, sizeof text);
    buf_text(out, text);
    if (stop->is_new) {
        add_word(e, s, stop->before, out);
        buf_text(out, " ->");
    }
    add_word(e, s, stop->raw, out);
    if (s->type != TYPE_FIXED)
        return;
    if (rounded)
        snprintf(text, sizeof text, "%.4f", signal_real(s, stop->raw));
    else
        signal_value(s, stop->raw, text, sizeof text);
    buf_printf(out, " %s", text);
}

/* " <- formula = operands"; short: the operands alone. Nothing for a constant that is the new value
 * over again. */
static void add_operands(const Operation *op, bool is_short, Buf *out)
{
    if (*op->numbers && is_short)
        buf_printf(out, " <- %s", op->numbers);
    else if (*op->numbers)
        buf_printf(out, " <- %s = %s", op->formula, op->numbers);
    else if (op->target->type == TYPE_FIXED)
        buf_printf(out, " <- %s", op->formula);
}

/* The longest way of telling them that fits, else the shortest. */
static void add_change_and_operands(const Engine *e, const Stop *stop, int columns, Buf *out)
{
    enum { WHOLE, SHORT, ROUNDED };
    for (int way = WHOLE; way <= ROUNDED; way++) {
        buf_clear(out);
        add_change(e, stop, way == ROUNDED, out);
        if (!stop->origin.told)
            add_operands(&stop->origin.op, way != WHOLE, out);
        if (columns == 0 || out->len <= (size_t)columns)
            return;
    }
}

static void add_remark(const Operation *op, Buf *out)
{
    if (*op->remark)
        buf_printf(out, "%s%s", op->target->type == TYPE_FIXED ? "  ! " : ": ", op->remark);
}

bool story_stop(const Session *s, const StopStyle *style, Buf *out)
{
    Stop stop;
    if (!stop_of(s, &stop))
        return false;
    Origin *o = &stop.origin;
    if (style->discreet)
        operation_hush(&o->op);
    add_change_and_operands(session_engine(s), &stop, style->columns, out);
    if (o->told)
        buf_printf(out, ": %s", o->told);
    else
        add_remark(&o->op, out);
    if (style->reason)
        buf_printf(out, "  (%s)", style->reason);
    if (!o->told)
        buf_printf(out, "  (the edge of cycle %llu)", (unsigned long long)o->cycle);
    return true;
}
