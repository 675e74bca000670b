/* The heart of the explanations: makes the coming edge on a spare machine, asks the rules of every
 * FSM of the machine for the words, tells what else has changed without any, and puts the
 * operations in order. The rules are in explain_UNIT.c. */
#include "tell/explain.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tell/explain_unit.h"

static const struct {
    SignalId fsm;
    const ExplainRule *rules;
} units[] = {
    {SIG_TOP_STATE, explain_top_rules},
    {SIG_LN1_STATE, explain_layer_norm_rules},
    {SIG_LN2_STATE, explain_layer_norm_rules},
    {SIG_ATTN_STATE, explain_attention_rules},
    {SIG_SMAX_STATE, explain_softmax_rules},
    {SIG_FFN_STATE, explain_feed_forward_rules},
    {SIG_ATTN_STREAM_STATE, explain_attention_stream_rules},
    {SIG_FFN_STREAM_STATE, explain_feed_forward_stream_rules},
    {SIG_ATTN_ARRAY_STATE, explain_attention_array_rules},
    {SIG_FFN_ARRAY_STATE, explain_feed_forward_array_rules},
};

static bool event_in(const Event *event, const Operation *op)
{
    return signal_at(event->signal) == op->target && event->index >= op->at &&
           event->index < op->at + op->count;
}

Operation *op_range(Explain *x, SignalId target, int first, int count, int *k)
{
    const Signal *s = signal_at(target);
    bool focused = x->focus == s && x->focus_at >= first && x->focus_at < first + count;
    assert(x->n < EXPLAIN_OPS);
    x->told[x->n] = (Told){s, first, count};
    Operation *op = &x->ops[x->n++];
    *k = focused ? x->focus_at - first : 0;
    *op = (Operation){.target = s, .at = first + *k, .count = focused ? 1 : count};
    op->result = after(x, target, op->at);
    int n = 0;
    const Event *events = engine_events(x->next, &n);
    for (int i = 0; i < n; i++)
        op->events |= event_in(&events[i], op) ? events[i].kinds : 0;
    return op;
}

Operation *op_store(Explain *x, SignalId target, int at)
{
    int k = 0;
    return op_range(x, target, at, 1, &k);
}

int op_count_events(const Explain *x, const Operation *op, EventKind kind)
{
    int n = 0, found = 0;
    const Event *events = engine_events(x->next, &n);
    for (int i = 0; i < n; i++)
        found += event_in(&events[i], op) && (events[i].kinds & kind) != 0;
    return found;
}

void op_formula(Operation *op, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(op->formula, sizeof op->formula, fmt, ap);
    va_end(ap);
}

void op_numbers(Operation *op, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(op->numbers, sizeof op->numbers, fmt, ap);
    va_end(ap);
}

void op_remark(Operation *op, const char *fmt, ...)
{
    if (*op->remark)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(op->remark, sizeof op->remark, fmt, ap);
    va_end(ap);
}

void op_read_block(Operation *op, SignalId id, int at, int count, int stride, int width)
{
    assert(op->n_reads < EXPLAIN_READS);
    op->reads[op->n_reads++] = (Operand){signal_at(id), at, count, stride, width};
}

void op_read(Operation *op, SignalId id, int at, int count, int stride)
{
    op_read_block(op, id, at, count, stride, 1);
}

int explain_value(int64_t raw, char *out, size_t size)
{
    char text[40];
    int n = snprintf(text, sizeof text, "%.4f", (double)raw / 256.0);
    while (n > 2 && text[n - 1] == '0' && text[n - 2] != '.')
        text[--n] = '\0';
    return snprintf(out, size, "%s", text);
}

void op_step(Operation *op, int64_t exact)
{
    char value[40];
    if (exact == (int16_t)exact || !(op->events & (EVENT_WRAP | EVENT_SATURATE)))
        return;
    explain_value(exact, value, sizeof value);
    op_remark(op,
              op->events & EVENT_WRAP ? "wraps: %s does not fit in 16 bits"
                                      : "saturates: %s does not fit",
              value);
}

/* The right side of an assignment of which nothing is known but its result. */
static void formula_of_result(const Explain *x, Operation *op)
{
    const Signal *s = op->target;
    if (s->type == TYPE_STATE)
        op_formula(op, "%s", signal_state_name(s, op->result));
    else if (s->type == TYPE_FIXED && op->result != 0)
        signal_hex(x->next, s, op->result, op->formula, sizeof op->formula);
    else
        op_formula(op, "%u", (unsigned)op->result);
}

/* Of a register. */
static bool changes(const Explain *x, SignalId id, int at)
{
    SignalSlot slot = signal_slot(x->e, signal_at(id), at);
    return slot_get(x->e, &slot) != slot_get(x->next, &slot);
}

static Operation *with_reason(Explain *x, SignalId id, const char *why)
{
    Operation *op = op_store(x, id, 0);
    formula_of_result(x, op);
    op_remark(op, "%s", why);
    return op;
}

Operation *op_counter(Explain *x, SignalId counter, const char *why)
{
    return changes(x, counter, 0) ? with_reason(x, counter, why) : NULL;
}

void op_flag(Explain *x, SignalId flag, const char *why)
{
    if (after(x, flag, 0))
        with_reason(x, flag, why);
}

/* Where a range of elements that are told ends, if `at` is in one; else `at`. */
static int told_to(const Explain *x, SignalId id, int at)
{
    const Signal *s = signal_at(id);
    for (int k = 0; k < x->n; k++) {
        const Told *t = &x->told[k];
        if (t->signal == s && at >= t->at && at < t->at + t->count)
            return t->at + t->count;
    }
    return at;
}

static bool told(const Explain *x, SignalId id, int at)
{
    return told_to(x, id, at) > at;
}

void op_state(Explain *x, const char *why)
{
    if (!told(x, x->fsm, 0))
        op_counter(x, x->fsm, why);
}

bool goes_to(const Explain *x, const char *state)
{
    return strcmp(signal_state_name(signal_at(x->fsm), after(x, x->fsm, 0)), state) == 0;
}

/* The nonzero products with the largest and second largest magnitude, in the order of their index.
 */
static int largest_terms(const Explain *x, Span a, Span b, int n, int best[2], int *nonzero)
{
    int64_t size[2] = {0, 0};
    int found = 0;
    *nonzero = 0;
    for (int k = 0; k < n; k++) {
        int64_t p =
            llabs((int64_t)now(x, a.id, a.at + k * a.stride) * now(x, b.id, b.at + k * b.stride));
        *nonzero += p != 0;
        int rank = p > size[0] ? 0 : p > size[1] ? 1 : 2;
        if (rank == 2)
            continue;
        size[1] = rank == 0 ? size[0] : p;
        best[1] = rank == 0 ? best[0] : k;
        if (rank == 0) {
            size[0] = p;
            best[0] = k;
        }
        found = found < 2 ? found + 1 : 2;
    }
    if (found == 2 && best[1] < best[0]) {
        int swap = best[0];
        best[0] = best[1];
        best[1] = swap;
    }
    return found;
}

static void dot_text(const Explain *x, Span a, Span b, int n, Dot *dot)
{
    int best[2] = {0, 0}, nonzero = 0, len = 0;
    int shown = largest_terms(x, a, b, n, best, &nonzero);
    size_t size = sizeof dot->text;
    for (int k = 0; k < shown; k++) {
        len += snprintf(dot->text + len, size - (size_t)len, "%s%04x*%04x [%d]", k ? " + " : "",
                        hex16(now(x, a.id, a.at + best[k] * a.stride)),
                        hex16(now(x, b.id, b.at + best[k] * b.stride)), best[k]);
    }
    if (n > shown)
        len += snprintf(dot->text + len, size - (size_t)len, "%s%d %s", shown ? " + " : "",
                        n - shown, nonzero > shown ? "more" : "zero");
    snprintf(dot->text + len, size - (size_t)len, " = %08x >> 8", (unsigned)low32(dot->exact));
}

Dot dot_of(const Explain *x, Span a, Span b, int n)
{
    Dot dot = {0};
    for (int k = 0; k < n; k++)
        dot.exact += (int64_t)now(x, a.id, a.at + k * a.stride) * now(x, b.id, b.at + k * b.stride);
    dot_text(x, a, b, n, &dot);
    return dot;
}

void op_dot(Operation *op, const Dot *dot, Span a, Span b, int n)
{
    op_read(op, a.id, a.at, n, a.stride);
    op_read(op, b.id, b.at, n, b.stride);
    if (dot->exact != low32(dot->exact))
        op_remark(op, "the sum %lld wraps in 32 bits", (long long)dot->exact);
    op_step(op, dot->exact >> FRAC_BITS);
}

/* ---- what no rule has told ---- */

/* Elements of a register from `first` on that change: the last one before one that is told. */
static int last_change(const Explain *x, SignalId id, int first, int count)
{
    int last = first;
    for (int at = first + 1; at < count && !told(x, id, at); at++)
        last = changes(x, id, at) ? at : last;
    return last;
}

/* A counter counts up; a flag is a pulse: whoever does not raise it lets it fall. */
static void tell_change(Explain *x, SignalId id, int first, int last)
{
    int k = 0;
    Operation *op = op_range(x, id, first, last + 1 - first, &k);
    const char *dot = strrchr(op->target->path, '.');
    int32_t before = now(x, id, op->at);
    formula_of_result(x, op);
    if (op->target->type == TYPE_INDEX && (uint32_t)op->result == (uint32_t)before + 1) {
        op_formula(op, "%s + 1", dot ? dot + 1 : op->target->path);
        op_numbers(op, "%u + 1", (unsigned)before);
    } else if (op->target->type == TYPE_FLAG && !op->result) {
        op_remark(op, "a pulse of one cycle");
    }
}

void op_change(Explain *x, SignalId counter)
{
    if (changes(x, counter, 0))
        tell_change(x, counter, 0, 0);
}

static void tell_array(Explain *x, SignalId id)
{
    int count = signal_count(x->e, signal_at(id)), end = 0;
    for (int at = 0; at<count; at = end> at ? end : at + 1) {
        end = told_to(x, id, at);
        if (end > at || !changes(x, id, at))
            continue;
        end = last_change(x, id, at, count) + 1;
        tell_change(x, id, at, end - 1);
    }
}

static void tell_registers(Explain *x)
{
    for (SignalId id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at(id);
        if (s->kind != KIND_REGISTER || !signal_exists(x->e, s))
            continue;
        if (signal_is_register_array(s))
            tell_array(x, id);
        else if (changes(x, id, 0) && !told(x, id, 0))
            tell_change(x, id, 0, 0);
    }
}

static void tell_stores(Explain *x)
{
    int n = 0, k = 0;
    const Write *writes = engine_writes(x->next, &n);
    for (int i = 0; i < n; i++) {
        if (!told(x, writes[i].signal, writes[i].index))
            formula_of_result(x,
                              op_range(x, writes[i].signal, writes[i].index, writes[i].count, &k));
    }
}

/* An event has a remark, also where no rule has one. */
static void tell_events(Operation *op)
{
    static const struct {
        EventKind kind;
        const char *words;
    } events[] = {{EVENT_WRAP, "wraps"},
                  {EVENT_SATURATE, "saturates"},
                  {EVENT_MASK_LEAK, "a masked position is not 0"},
                  {EVENT_SUM_OVERFLOW, "the sum leaves 16 bits"}};
    for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
        if (op->events & events[k].kind)
            op_remark(op, "%s", events[k].words);
    }
}

static int importance(const Operation *op)
{
    static const int of_type[] = {
        [TYPE_FIXED] = 1, [TYPE_INDEX] = 2, [TYPE_STATE] = 3, [TYPE_FLAG] = 4};
    return op->target->kind == KIND_MEMORY ? 0 : of_type[op->target->type];
}

/* Stable, and the list is short. */
static void put_in_order(Operation *ops, int n)
{
    for (int i = 1; i < n; i++) {
        Operation op = ops[i];
        int k = i;
        for (; k > 0 && importance(&ops[k - 1]) > importance(&op); k--)
            ops[k] = ops[k - 1];
        ops[k] = op;
    }
}

static void tell_unit(Explain *x, SignalId fsm, const ExplainRule *rules)
{
    const char *state = signal_state_name(signal_at(fsm), now(x, fsm, 0));
    const ExplainRule *rule = rules;
    while (rule->state && strcmp(rule->state, state) != 0)
        rule++;
    x->fsm = fsm;
    if (rule->tell)
        rule->tell(x);
    op_state(x, rule->leaves ? rule->leaves : "");
}

static int explain(Explain *x, Engine *next)
{
    engine_copy(next, x->e);
    engine_step(next);
    x->next = next;
    x->c = engine_config(x->e);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (signal_exists(x->e, signal_at(units[u].fsm)))
            tell_unit(x, units[u].fsm, units[u].rules);
    }
    if (x->c->variant == VARIANT_STREAM)
        explain_stream_memories(x);
    if (x->c->variant == VARIANT_ARRAY)
        explain_array(x);
    tell_stores(x);
    tell_registers(x);
    for (int k = 0; k < x->n; k++)
        tell_events(&x->ops[k]);
    put_in_order(x->ops, x->n);
    return x->n;
}

int explain_clock(const Engine *e, Engine *next, Operation ops[EXPLAIN_OPS])
{
    return explain(&(Explain){.e = e, .ops = ops}, next);
}

bool explain_element(const Engine *e, Engine *next, const Signal *signal, int at, Operation *op)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain(&(Explain){.e = e, .focus = signal, .focus_at = at, .ops = ops}, next);
    for (int k = 0; k < n; k++) {
        if (operation_writes(&ops[k], signal, at)) {
            *op = ops[k];
            return true;
        }
    }
    return false;
}

bool operation_writes(const Operation *op, const Signal *signal, int at)
{
    return op->target == signal && at >= op->at && at < op->at + op->count;
}

static bool operand_has(const Operand *r, int at)
{
    int k = at - r->at;
    return k >= 0 && k / r->stride < r->count && k % r->stride < r->width;
}

bool operation_reads(const Operation *op, const Signal *signal, int at)
{
    for (int k = 0; k < op->n_reads; k++) {
        if (op->reads[k].signal == signal && operand_has(&op->reads[k], at))
            return true;
    }
    return false;
}

void operation_hush(Operation *op)
{
    if (op->events || strstr(op->remark, "masked"))
        op->remark[0] = '\0';
    op->events = 0;
}

int operation_target(const Engine *e, const Operation *op, char *out, size_t size)
{
    if (op->count == 1)
        return signal_element_name(e, op->target, op->at, out, size);
    if (signal_rank(op->target) == 1)
        return snprintf(out, size, "%s[%d..%d]", op->target->path, op->at, op->at + op->count - 1);
    int cols = signal_dim(e, op->target, 1), col = op->at % cols;
    if (col + op->count > cols) /* whole rows */
        return snprintf(out, size, "%s[%d..%d][0..%d]", op->target->path, op->at / cols,
                        (op->at + op->count - 1) / cols, cols - 1);
    return snprintf(out, size, "%s[%d][%d..%d]", op->target->path, op->at / cols, col,
                    col + op->count - 1);
}

void explain_formula(const Operation *op, Buf *out)
{
    buf_printf(out, " <- %s%s%s", op->formula, op->numbers[0] ? " = " : "", op->numbers);
    if (op->remark[0]) /* the mark is for what is suspicious */
        buf_printf(out, op->events ? "  ! %s" : "  (%s)", op->remark);
}

void explain_text(const Engine *e, const Operation *op, Buf *out)
{
    char target[96];
    operation_target(e, op, target, sizeof target);
    buf_text(out, target);
    explain_formula(op, out);
}
