/* The heart of the explanations: asks the rules of every FSM of the machine, puts their operations
 * in order, and finds the edge that made a cell. The rules are in explain_UNIT.c. */
#include "session/explain.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/explain_unit.h"

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

Operation *op_range(Explain *x, SignalId target, int first, int count, int *k)
{
    const Signal *s = signal_at(target);
    bool focused = x->focus == s && x->focus_at >= first && x->focus_at < first + count;
    assert(x->n < EXPLAIN_OPS);
    Operation *op = &x->ops[x->n++];
    *k = focused ? x->focus_at - first : 0;
    *op = (Operation){.target = s, .at = first + *k, .count = focused ? 1 : count};
    return op;
}

Operation *op_store(Explain *x, SignalId target, int at, int32_t result)
{
    int k = 0;
    Operation *op = op_range(x, target, at, 1, &k);
    op->result = result;
    return op;
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

void op_fits(Operation *op, int64_t exact, unsigned event)
{
    char value[40];
    if (exact == (int16_t)exact)
        return;
    op->events |= event;
    explain_value(exact, value, sizeof value);
    op_remark(op,
              event == EVENT_WRAP ? "wraps: %s does not fit in 16 bits"
                                  : "saturates: %s does not fit",
              value);
}

void op_set_counter(Explain *x, SignalId counter, int32_t value, const char *why)
{
    if (value == now(x, counter, 0))
        return;
    Operation *op = op_store(x, counter, 0, value);
    op_formula(op, "%d", value);
    op_remark(op, "%s", why);
}

void op_count_up(Explain *x, SignalId counter)
{
    Operation *op = op_store(x, counter, 0, now(x, counter, 0) + 1);
    const char *dot = strrchr(op->target->path, '.');
    op_formula(op, "%s + 1", dot ? dot + 1 : op->target->path);
    op_numbers(op, "%d + 1", op->result - 1);
}

void op_flag(Explain *x, SignalId flag, const char *why)
{
    Operation *op = op_store(x, flag, 0, 1);
    op_formula(op, "1");
    op_remark(op, "%s", why);
}

void op_state(Explain *x, const char *state, const char *why)
{
    const char *const *names = signal_at(x->fsm)->names;
    int k = 0;
    while (strcmp(names[k], state) != 0)
        k++;
    Operation *op = op_store(x, x->fsm, 0, k);
    op_formula(op, "%s", state);
    op_remark(op, "%s", why);
}

void explain_done(Explain *x)
{
    op_state(x, "IDLE", "");
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
    snprintf(dot->text + len, size - (size_t)len, " = %08x >> 8", (unsigned)dot->acc);
}

Dot dot_of(const Explain *x, Span a, Span b, int n)
{
    Dot dot = {0};
    for (int k = 0; k < n; k++)
        dot.exact += (int64_t)now(x, a.id, a.at + k * a.stride) * now(x, b.id, b.at + k * b.stride);
    dot.acc = low32(dot.exact);
    dot.y = narrow(dot.acc);
    dot_text(x, a, b, n, &dot);
    return dot;
}

void op_dot(Operation *op, const Dot *dot, Span a, Span b, int n)
{
    op_read(op, a.id, a.at, n, a.stride);
    op_read(op, b.id, b.at, n, b.stride);
    if (dot->exact != dot->acc)
        op_remark(op, "the sum %lld wraps in 32 bits", (long long)dot->exact);
    op_fits(op, dot->exact >> FRAC_BITS, EVENT_WRAP);
}

/* Flags are pulses: whoever does not raise one lets it fall. */
static void tell_falling_flags(Explain *x)
{
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        bool high = s->kind == KIND_REGISTER && s->type == TYPE_FLAG && signal_exists(x->e, s) &&
                    signal_get(x->e, s, 0) != 0;
        for (int k = 0; k < x->n; k++)
            high = high && x->ops[k].target != s;
        if (!high)
            continue;
        Operation *op = op_store(x, (SignalId)id, 0, 0);
        op_formula(op, "0");
        op_remark(op, "a pulse of one cycle");
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

static int explain(const Engine *e, const Signal *focus, int at, Operation *ops)
{
    Explain x = {.e = e, .c = engine_config(e), .focus = focus, .focus_at = at, .ops = ops};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        const Signal *fsm = signal_at(units[u].fsm);
        if (!signal_exists(e, fsm))
            continue;
        const char *state = signal_state_name(fsm, signal_get(e, fsm, 0));
        const ExplainRule *rule = units[u].rules;
        while (rule->state && strcmp(rule->state, state) != 0)
            rule++;
        x.fsm = units[u].fsm;
        if (rule->state)
            rule->tell(&x);
    }
    if (x.c->variant == VARIANT_STREAM)
        explain_stream_memories(&x);
    if (x.c->variant == VARIANT_ARRAY)
        explain_array(&x);
    tell_falling_flags(&x);
    put_in_order(ops, x.n);
    return x.n;
}

int explain_clock(const Engine *e, Operation ops[EXPLAIN_OPS])
{
    return explain(e, NULL, 0, ops);
}

bool explain_element(const Engine *e, const Signal *signal, int at, Operation *op)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain(e, signal, at, ops);
    for (int k = 0; k < n; k++) {
        if (operation_writes(&ops[k], signal, at)) {
            *op = ops[k];
            return true;
        }
    }
    return false;
}

typedef struct Question {
    const Signal *signal;
    int at;
    Operation *op;
    bool answered;
} Question;

static bool answer(void *context, const Engine *e, const Host *h)
{
    Question *q = context;
    (void)h;
    q->answered = explain_element(e, q->signal, q->at, q->op);
    return false;
}

bool explain_cell(const Session *s, const Signal *signal, int at, Operation *op, uint64_t *cycle)
{
    uint64_t after = session_last_write(s, signal, at);
    if (after == 0)
        return false;
    Question q = {signal, at, op, false};
    session_visit(s, after - 1, after - 1, answer, &q);
    *cycle = after - 1;
    return q.answered;
}

const Edit *explain_edit(const Session *s, const Signal *signal, int at)
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
