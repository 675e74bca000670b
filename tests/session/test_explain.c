/* The explanations against the machine: in every cycle every store and every register that changes
 * is announced by exactly one operation, with exactly the value and the events that the edge then
 * has, and the numbers that are told lead to that value. */
#include "test.h"

#include "engine/cycle.h"
#include "engine/engine.h"
#include "session/reckon.h"
#include "model/setup.h"
#include "session/story.h"

typedef struct Bench {
    Setup setup;
    Weights *weights;
    int16_t *tokens;
    Engine *engine;
    Engine *before; /* a copy from before the edge */
    Engine *spare;  /* for explain_clock */
    uint32_t random;
    bool seen[SIG_COUNT][32]; /* states told, by FSM */
} Bench;

static uint32_t draw(Bench *b)
{
    b->random = b->random * 1664525u + 1013904223u;
    return b->random >> 16;
}

/* options: "KEY=VALUE KEY=VALUE ... STIMULUS" */
static void bench_open(Bench *b, const char *preset, const char *options, const char *stimulus)
{
    char text[128], *save = NULL;
    Err err = {0};
    *b = (Bench){.random = 7};
    setup_init(&b->setup);
    assert_true(config_preset(&b->setup.config, preset, &err));
    snprintf(text, sizeof text, "%s", options);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_true(config_set(&b->setup.config, word, value, &err));
    }
    assert_true(setup_stimulus(&b->setup, stimulus, &err));
    assert_true(setup_check(&b->setup, &err));
    b->weights = stimulus_make(&b->setup, &b->tokens);
    b->engine = engine_new(&b->setup.config, b->weights);
    b->before = engine_new(&b->setup.config, b->weights);
    b->spare = engine_new(&b->setup.config, b->weights);
}

static void bench_close(Bench *b)
{
    engine_free(b->engine);
    engine_free(b->before);
    engine_free(b->spare);
    weights_free(b->weights);
    free(b->tokens);
}

static unsigned events_of(const Engine *e, const Signal *s, int at, int count)
{
    int n = 0;
    unsigned kinds = 0;
    const Event *events = engine_events(e, &n);
    for (int k = 0; k < n; k++) {
        if (events[k].signal == signal_id(s) && events[k].index >= at &&
            events[k].index < at + count)
            kinds |= events[k].kinds;
    }
    return kinds;
}

/* How many operations store that element? */
static int announced(const Operation *ops, int n, const Signal *s, int at)
{
    int found = 0;
    for (int k = 0; k < n; k++)
        found += operation_writes(&ops[k], s, at);
    return found;
}

static void fail_operation(const Engine *e, const Operation *op, const char *what)
{
    char target[64];
    operation_target(e, op, target, sizeof target);
    fail_msg("cycle %llu: %s <- %s = %s: announced %x events %u (%s): %s",
             (unsigned long long)engine_cycle(e), target, op->formula, op->numbers,
             (unsigned)op->result, op->events, op->remark, what);
}

/* Every element of a range, told alone. */
static void check_elements(const Bench *b, const Operation *op)
{
    for (int at = op->at; at < op->at + op->count; at++) {
        Operation one;
        if (!explain_element(b->before, b->spare, op->target, at, &one) || one.at != at ||
            one.count != 1)
            fail_operation(b->before, op, "no explanation of one of its elements");
        if (one.result != signal_get(b->engine, op->target, at))
            fail_operation(b->before, &one, "the engine stored something else");
        if (one.events != events_of(b->engine, op->target, at, 1))
            fail_operation(b->before, &one, "the engine noted other events");
        if (!reckon(b->before, &one))
            fail_operation(b->before, &one, "its numbers lead elsewhere");
    }
}

static void check_operation(const Bench *b, const Operation *op)
{
    const Engine *after = b->engine;
    int n = 0, matching = 0;
    if (op->result != signal_get(after, op->target, op->at))
        fail_operation(b->before, op, "the engine holds something else");
    if (op->events != events_of(after, op->target, op->at, op->count))
        fail_operation(b->before, op, "the engine noted other events");
    if (!reckon(b->before, op))
        fail_operation(b->before, op, "its numbers lead elsewhere");
    if ((op->events != 0) && !*op->remark)
        fail_operation(b->before, op, "an event without a remark");
    if (!*op->formula || strlen(op->formula) + 1 == sizeof op->formula ||
        strlen(op->numbers) + 1 == sizeof op->numbers ||
        strlen(op->remark) + 1 == sizeof op->remark)
        fail_operation(b->before, op, "empty or cut text");
    for (int k = 0; k < op->n_reads; k++) {
        const Operand *r = &op->reads[k];
        int last = r->at + (r->count - 1) * r->stride + r->width - 1;
        if (r->count < 1 || r->stride < r->width || r->at < 0 ||
            last >= signal_count(after, r->signal))
            fail_operation(b->before, op, "reads outside of a signal");
    }
    if (op->count > 1)
        check_elements(b, op);
    if (op->target->kind != KIND_MEMORY)
        return;
    const Write *writes = engine_writes(after, &n);
    for (int k = 0; k < n; k++)
        matching += writes[k].signal == signal_id(op->target) && writes[k].index == op->at &&
                    writes[k].count == op->count;
    if (matching != 1)
        fail_operation(b->before, op, "the engine has no such store");
}

static void check_complete(const Bench *b, const Operation *ops, int n)
{
    int count = 0;
    const Write *writes = engine_writes(b->engine, &count);
    for (int k = 0; k < count; k++) {
        const Signal *s = signal_at(writes[k].signal);
        for (int at = writes[k].index; at < writes[k].index + writes[k].count; at++)
            assert_int_equal(announced(ops, n, s, at), 1);
    }
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (s->kind != KIND_REGISTER || !signal_exists(b->engine, s))
            continue;
        for (int at = 0; at < signal_count(b->engine, s); at++) {
            int found = announced(ops, n, s, at);
            if (found > 1 || (found == 0 && signal_changed(b->engine, s, at)))
                fail_msg("cycle %llu: %s[%d] announced %d times",
                         (unsigned long long)engine_cycle(b->before), s->path, at, found);
        }
    }
    const Event *events = engine_events(b->engine, &count);
    for (int k = 0; k < count; k++)
        assert_int_equal(announced(ops, n, signal_at(events[k].signal), events[k].index), 1);
}

static void check_cycle(Bench *b)
{
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(b->engine, b->spare, ops);
    engine_copy(b->before, b->engine);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (s->type == TYPE_STATE && signal_exists(b->engine, s))
            b->seen[id][signal_get(b->engine, s, 0)] = true;
    }
    engine_step(b->engine);
    for (int k = 0; k < n; k++)
        check_operation(b, &ops[k]);
    check_complete(b, ops, n);
}

static void set(Bench *b, SignalId id, int at, int32_t raw)
{
    Err err = {0};
    if (!signal_set(b->engine, signal_at(id), at, raw, &err))
        fail_msg("%s", err.text);
}

static void present(Bench *b, int pos)
{
    int D = b->setup.config.d_model;
    for (int i = 0; i < D; i++)
        set(b, SIG_TOKEN_EMB, i, b->tokens[pos * D + i]);
    set(b, SIG_SEQ_POS, 0, pos);
    set(b, SIG_START, 0, 1);
}

static void run_token(Bench *b, int pos)
{
    uint64_t cycles = config_cycles(&b->setup.config, b->setup.config.variant, pos);
    present(b, pos);
    for (uint64_t k = 0; k < cycles + 1; k++) {
        check_cycle(b);
        if (k == 0)
            set(b, SIG_START, 0, 0);
    }
    assert_int_equal(signal_get(b->engine, signal_at(SIG_TOP_STATE), 0), 0);
}

static void tokens(const char *preset, const char *options, const char *stimulus, int count)
{
    Bench b;
    bench_open(&b, preset, options, stimulus);
    check_cycle(&b); /* IDLE without a start */
    for (int pos = 0; pos < count; pos++)
        run_token(&b, pos);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        int states[SIGNAL_STATES];
        bool is_fsm = s->type == TYPE_STATE && signal_exists(b.engine, s);
        int n = is_fsm ? signal_states(b.engine, s, states) : 0;
        for (int k = 0; k < n; k++)
            assert_true(b.seen[id][states[k]]);
    }
    bench_close(&b);
}

static void the_defaults_are_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "", "integration", 2);
    tokens("minus8", "", "random:3:64:256", 1);
    tokens("repaired", "exp=intended", "random:4:32767:32767", 1);
}

static void small_sizes_are_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "d_model=8 n_heads=1 d_ff=1 max_seq_len=1", "random:1:300:2000", 1);
    tokens("minus8", "d_model=8 n_heads=8 d_ff=1 max_seq_len=3", "random:2:300:2000", 3);
    tokens("deck", "d_model=16 n_heads=16 d_ff=5 max_seq_len=6", "random:5:300:2000", 6);
    tokens("repaired", "d_model=32 n_heads=2 d_ff=64 max_seq_len=16", "random:6:200:256", 4);
    tokens("deck", "d_model=16 n_heads=4 d_ff=32 max_seq_len=8 mask=0x1234 exp=intended",
           "random:8:200:9000", 8);
}

static void saturating_weights_are_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "d_model=32 n_heads=4 d_ff=128 max_seq_len=16", "random:9:32767:32767", 3);
    tokens("repaired", "d_model=8 n_heads=2 d_ff=9 max_seq_len=4 score_scale=0x7fff",
           "random:10:32767:32767", 4);
    tokens("minus8", "d_model=128 n_heads=1 d_ff=3 max_seq_len=2", "random:11:32767:100", 2);
}

static void a_sum_of_more_than_16_bits_is_explained(void **state)
{
    (void)state;
    tokens("deck", "d_model=8 n_heads=1 d_ff=4 max_seq_len=300", "random:12:64:256", 1);
}

static void variant_stream_is_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "variant=stream", "random:14:64:256", 1);
    tokens("deck", "variant=stream d_model=8 n_heads=8 d_ff=1 max_seq_len=1", "random:1:300:2000",
           1);
    tokens("minus8", "variant=stream d_model=16 n_heads=4 d_ff=5 max_seq_len=6",
           "random:15:32767:32767", 6);
    tokens("repaired", "variant=stream d_model=32 n_heads=1 d_ff=40 max_seq_len=3",
           "random:16:900:9000", 3);
}

static void variant_array_is_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "variant=array d_model=32 d_ff=16 max_seq_len=8", "random:14:64:256", 1);
    tokens("deck", "variant=array d_model=8 n_heads=8 d_ff=5 max_seq_len=1 pe_rows=1 pe_cols=2",
           "random:1:300:2000", 1);
    tokens("minus8", "variant=array d_model=16 n_heads=4 d_ff=5 max_seq_len=3 pe_rows=3 pe_cols=7",
           "random:15:32767:32767", 3);
    tokens("repaired", "variant=array d_model=8 n_heads=1 d_ff=17 max_seq_len=3 pe_cols=16",
           "random:16:900:9000", 3);
}

static void rmsnorm_is_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "norm=rms", "random:3:64:256", 1);
    tokens("repaired", "norm=rms d_model=8 n_heads=2 d_ff=9 max_seq_len=4", "random:10:32767:32767",
           4);
    tokens("minus8", "norm=rms variant=stream d_model=16 n_heads=4 d_ff=5 max_seq_len=3",
           "random:15:32767:32767", 3);
    tokens("repaired", "norm=rms variant=array d_model=8 n_heads=1 d_ff=17 max_seq_len=3 pe_cols=5",
           "random:16:900:9000", 3);
}

static void swiglu_is_explained_cycle_by_cycle(void **state)
{
    (void)state;
    tokens("deck", "ffn=swiglu d_ff=43", "random:3:64:256", 1);
    tokens("repaired", "ffn=swiglu norm=rms d_model=8 n_heads=2 d_ff=9 max_seq_len=4",
           "random:10:32767:32767", 4);
    tokens("minus8", "ffn=swiglu variant=stream d_model=16 n_heads=4 d_ff=5 max_seq_len=3",
           "random:15:32767:32767", 3);
    tokens("repaired",
           "ffn=swiglu variant=array d_model=8 n_heads=1 d_ff=7 max_seq_len=3 pe_cols=5",
           "random:16:900:9000", 3);
    tokens("repaired",
           "ffn=swiglu variant=array d_model=8 n_heads=1 d_ff=1 max_seq_len=1 pe_cols=16",
           "random:16:32767:32767", 1);
}

static const Operation *find(const Operation *ops, int n, SignalId id)
{
    for (int k = 0; k < n; k++) {
        if (ops[k].target == signal_at(id))
            return &ops[k];
    }
    fail_msg("no operation on %s", signal_at(id)->path);
    return NULL;
}

/* Column c of row 0 has operand j - c: edge 2 of the second tile of q, k and v, told in numbers. */
static void an_edge_of_the_array_is_told_in_numbers(void **state)
{
    (void)state;
    Bench b;
    Operation ops[EXPLAIN_OPS], op;
    bench_open(&b, "deck", "variant=array d_model=8 n_heads=2 d_ff=4 max_seq_len=2",
               "random:1:0:0");
    set(&b, SIG_LN1_OUT, 2, 0x0180);
    b.weights->data[WEIGHT_WQ][2 * 8 + 4] = 0x0040;
    weights_finish(b.weights);
    set(&b, SIG_ATTN_ARRAY_STATE, 0, 1);
    set(&b, SIG_ATTN_ARRAY_I, 0, 4);
    set(&b, SIG_ATTN_ARRAY_J, 0, 2);
    set(&b, SIG_ARRAY_ACC, 0, 5);
    set(&b, SIG_ARRAY_A, 0, 0x7fff);
    set(&b, SIG_ARRAY_NORTH, 1 * 4, 0x7fff);
    set(&b, SIG_ARRAY_ACC, 1, 0x70000000);
    char target[64];
    int n = explain_clock(b.engine, b.spare, ops);
    const Operation *acc = find(ops, n, SIG_ARRAY_ACC), *w = find(ops, n, SIG_ARRAY_W);
    operation_target(b.engine, acc, target, sizeof target);
    assert_string_equal(target, "array.acc[0..3][0..3]");
    assert_string_equal(acc->numbers, "00000005 + 0180*0040");
    assert_int_equal(acc->result, 0x6005);
    assert_int_equal(acc->events, EVENT_WRAP); /* element 1: 0x70000000 + 0x3fff0001 */
    assert_string_equal(acc->remark, "1 of 16 sums wrap in 32 bits");
    assert_string_equal(w->formula, "wq[2][4]");
    assert_true(explain_element(b.engine, b.spare, signal_at(SIG_ARRAY_ACC), 1, &op));
    assert_string_equal(op.numbers, "70000000 + 7fff*7fff");
    assert_true(explain_element(b.engine, b.spare, signal_at(SIG_ARRAY_NORTH), 3 * 4, &op));
    assert_string_equal(op.formula, "wq[2][7]");
    assert_int_equal(find(ops, n, SIG_ARRAY_USEFUL)->result, 4);
    assert_int_equal(find(ops, n, SIG_ARRAY_SLOTS)->result, 16);
    set(&b, SIG_ARRAY_ACC, 1, 0);
    n = explain_clock(b.engine, b.spare, ops);
    assert_string_equal(find(ops, n, SIG_ARRAY_ACC)->remark,
                        "3 of the 16 elements have both operands");
    bench_close(&b);
}

/* Any state of any unit beside any other, garbage in the memories. */
static void poke_everywhere(const char *options)
{
    Bench b;
    bench_open(&b, "deck", options, "random:13:9000:32767");
    for (int round = 0; round < 6000; round++) {
        const Signal *s = signal_at((SignalId)(draw(&b) % SIG_WEIGHTS));
        if (signal_exists(b.engine, s)) {
            int32_t raw =
                s->type == TYPE_FIXED ? (int32_t)(draw(&b) * 65537u) : (int32_t)(draw(&b) % 20);
            (void)signal_set(b.engine, s, (int)(draw(&b) % (uint32_t)signal_count(b.engine, s)),
                             raw, NULL);
        }
        check_cycle(&b);
    }
    bench_close(&b);
}

static void pokes_into_every_register_are_explained(void **state)
{
    (void)state;
    poke_everywhere("d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
    poke_everywhere("variant=stream d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
    poke_everywhere("variant=stream d_model=8 n_heads=8 d_ff=11 max_seq_len=1");
    poke_everywhere("variant=array d_model=8 n_heads=2 d_ff=6 max_seq_len=4 pe_rows=2 pe_cols=5");
    poke_everywhere("variant=array d_model=16 n_heads=8 d_ff=1 max_seq_len=1 pe_rows=1 pe_cols=16");
    poke_everywhere("ffn=swiglu d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
    poke_everywhere("ffn=swiglu variant=stream d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
    poke_everywhere("ffn=swiglu variant=array d_model=8 n_heads=2 d_ff=6 max_seq_len=4 pe_cols=5");
    poke_everywhere("norm=rms d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
    poke_everywhere("norm=rms variant=stream d_model=8 n_heads=2 d_ff=6 max_seq_len=4");
}

/* The deck's mask at position 0: the words of screens.md. */
static void the_wrapped_mask_is_told_in_numbers(void **state)
{
    (void)state;
    Setup setup;
    Operation ops[EXPLAIN_OPS];
    Err err = {0};
    setup_init(&setup);
    assert_true(setup_check(&setup, &err));
    Session *s = session_new(&setup);
    assert_true(session_run(s, "softmax.i == 37 and smax.state == SUBTRACT_EXP", &err));
    while (session_advance(s, 1000) == RUN_ON)
        continue;
    const Engine *e = session_engine(s);
    int n = explain_clock(e, session_spare(s), ops);
    assert_int_equal(n, 3);
    int32_t max = signal_get(e, signal_at(SIG_SMAX_MAX), 0);
    char expected[64];
    assert_true(max > 0);
    assert_ptr_equal(ops[0].target, signal_at(SIG_SMAX_SHIFTED));
    snprintf(expected, sizeof expected, "8000 - %04x", (unsigned)max);
    assert_string_equal(ops[0].formula, "x[37] - max");
    assert_string_equal(ops[0].numbers, expected);
    assert_int_equal(ops[0].result, 0x8000 - max);
    assert_int_equal(ops[0].events, EVENT_WRAP);
    assert_string_equal(ops[1].formula, "approx_exp(shifted[37])");
    assert_int_equal(ops[1].result, 0x100);
    assert_int_equal(ops[1].events, EVENT_MASK_LEAK);
    assert_string_equal(ops[1].remark, "masked position 37 keeps exp 1.0: the mask has wrapped");
    assert_ptr_equal(ops[2].target, signal_at(SIG_SMAX_I));
    assert_int_equal(ops[2].result, 38);
    session_free(s);
}

/* The gate, its sigmoid, silu of it, and that times up: options-a.md section 7. */
static void swiglu_is_told_in_numbers(void **state)
{
    (void)state;
    Bench b;
    Operation ops[EXPLAIN_OPS];
    bench_open(&b, "deck", "ffn=swiglu d_model=8 n_heads=2 d_ff=4 max_seq_len=2", "random:1:0:0");
    set(&b, SIG_HIDDEN, 2, 0x0100);
    set(&b, SIG_UP, 2, -0x0200);
    set(&b, SIG_FFN_STATE, 0, 5);
    set(&b, SIG_FFN_I, 0, 2);
    int n = explain_clock(b.engine, b.spare, ops);
    const Operation *hidden = find(ops, n, SIG_HIDDEN);
    assert_string_equal(hidden->formula, "silu(hidden[2])*up[2]");
    assert_string_equal(hidden->numbers, "0100*sigmoid 00c0 >> 8 = 00c0; 00c0*fe00 >> 8");
    assert_int_equal(hidden->result, -0x180);
    assert_true(operation_reads(hidden, signal_at(SIG_UP), 2));
    set(&b, SIG_HIDDEN, 2, 0x0b51); /* both 11.3164: the product leaves 16 bits */
    set(&b, SIG_UP, 2, 0x0b51);
    n = explain_clock(b.engine, b.spare, ops);
    hidden = find(ops, n, SIG_HIDDEN);
    assert_int_equal(hidden->events, EVENT_WRAP);
    assert_string_equal(hidden->remark, "wraps: 128.0586 does not fit in 16 bits");
    set(&b, SIG_FFN_I, 0, 4);
    n = explain_clock(b.engine, b.spare, ops);
    const Operation *state_op = find(ops, n, SIG_FFN_STATE);
    assert_string_equal(state_op->formula, "LINEAR2");
    assert_string_equal(state_op->remark, "i has reached d_ff");
    bench_close(&b);
}

/* VARIANCE squares x itself, NORMALIZE reads it again: options-a.md section 4. */
static void rmsnorm_is_told_in_numbers(void **state)
{
    (void)state;
    Bench b;
    Operation ops[EXPLAIN_OPS];
    bench_open(&b, "deck", "norm=rms d_model=8 n_heads=2 d_ff=4 max_seq_len=2", "random:1:0:0");
    set(&b, SIG_TOKEN_EMB, 2, 0x0180);
    b.weights->data[WEIGHT_LN1_GAMMA][2] = 0x0200;
    weights_finish(b.weights);
    set(&b, SIG_LN1_STATE, 0, 2);
    set(&b, SIG_LN1_I, 0, 2);
    set(&b, SIG_LN1_ACC, 0, 5);
    int n = explain_clock(b.engine, b.spare, ops);
    const Operation *acc = find(ops, n, SIG_LN1_ACC);
    assert_string_equal(acc->formula, "acc + square of token_emb[2]");
    assert_string_equal(acc->numbers, "00000005 + (0180*0180 >> 8 = 0240)");
    assert_true(operation_reads(acc, signal_at(SIG_TOKEN_EMB), 2));
    set(&b, SIG_LN1_STATE, 0, 3);
    set(&b, SIG_LN1_INV_STD, 0, 0x0080);
    n = explain_clock(b.engine, b.spare, ops);
    const Operation *out = find(ops, n, SIG_LN1_OUT);
    assert_string_equal(out->formula, "gamma*token_emb*inv_std");
    assert_string_equal(out->numbers, "0180*0080 >> 8 = 00c0; 0200*00c0 >> 8 = 0180");
    assert_int_equal(out->result, 0x180);
    assert_true(operation_reads(out, signal_at(SIG_TOKEN_EMB), 2));
    set(&b, SIG_LN1_STATE, 0, 0);
    set(&b, SIG_LN1_START, 0, 1);
    n = explain_clock(b.engine, b.spare, ops);
    const Operation *start = find(ops, n, SIG_LN1_STATE);
    assert_string_equal(start->formula, "VARIANCE");
    assert_string_equal(start->remark, "ln1_start is 1");
    set(&b, SIG_RESIDUAL1, 1, -0x0180);
    set(&b, SIG_LN2_STATE, 0, 2);
    set(&b, SIG_LN2_I, 0, 1);
    n = explain_clock(b.engine, b.spare, ops);
    assert_string_equal(find(ops, n, SIG_LN2_ACC)->formula, "acc + square of residual1[1]");
    bench_close(&b);
}

static void dot_products_show_terms_accumulator_and_shift(void **state)
{
    (void)state;
    Bench b;
    Operation ops[EXPLAIN_OPS];
    bench_open(&b, "deck", "d_model=8 n_heads=2 d_ff=4 max_seq_len=2", "random:1:0:0");
    for (int i = 0; i < 8; i++)
        set(&b, SIG_LN1_OUT, i, 0);
    set(&b, SIG_LN1_OUT, 2, 0x0180);
    set(&b, SIG_LN1_OUT, 5, -0x0010);
    b.weights->data[WEIGHT_WQ][2 * 8 + 3] = 0x0040;
    b.weights->data[WEIGHT_WQ][5 * 8 + 3] = 0x0033;
    b.weights->data[WEIGHT_WK][2 * 8 + 3] = 0x7fff;
    weights_finish(b.weights);
    set(&b, SIG_ATTN_STATE, 0, 1);
    set(&b, SIG_ATTN_I, 0, 3);
    int n = explain_clock(b.engine, b.spare, ops);
    const Operation *q = find(ops, n, SIG_Q), *k = find(ops, n, SIG_K), *v = find(ops, n, SIG_V);
    assert_string_equal(q->formula, "narrow(ln1_out . wq[][3])");
    /* 0x180*0x40 - 0x10*0x33 = 0x6000 - 0x330 = 0x5cd0 */
    assert_string_equal(q->numbers, "0180*0040 [2] + fff0*0033 [5] + 6 zero = 00005cd0 >> 8");
    assert_int_equal(q->result, 0x5c);
    assert_int_equal(q->events, 0);
    assert_string_equal(k->numbers, "0180*7fff [2] + 7 zero = 00bffe80 >> 8");
    assert_int_equal(k->result, (int16_t)0xbffe);
    assert_string_equal(k->remark, "wraps: 191.9922 does not fit in 16 bits");
    assert_string_equal(v->numbers, "8 zero = 00000000 >> 8");
    assert_true(operation_reads(q, signal_at(SIG_WEIGHTS + WEIGHT_WQ), 5 * 8 + 3));
    assert_false(operation_reads(q, signal_at(SIG_WEIGHTS + WEIGHT_WQ), 5 * 8 + 4));
    bench_close(&b);
}

static void the_pieces_of_exp_and_of_the_tables_are_told(void **state)
{
    static const struct {
        int x, result;
        const char *exp, *numbers;
    } rows[] = {
        {0, 0x100, "executed", "0000 >= 0: 1.0"},
        {-1, 0xff, "executed", "-1 < ffff < 0: 0100 + ffff"},
        {-0x100, 0x30, "executed", "-2 < ff00 <= -1: (ff00 + 0160) >> 1"},
        {-0x15f, 4, "executed", "-2 < fea1 <= -1: (fea1 + 0160) >> 1, not positive"},
        {-0x200, 8, "executed", "-4 < fe00 <= -2: (fe00 + 0220) >> 2"},
        {-0x300, 4, "executed", "-4 < fd00 <= -2: (fd00 + 0220) >> 2, not positive"},
        {-0x400, 4, "executed", "fc00 <= -4: the floor"},
        {-0x100, 0x60, "intended", "-2 < ff00 <= -1: 0060 + ((ff00 + 0100) >> 1)"},
        {-0x280, 4, "intended", "-4 < fd80 <= -2: 0020 + ((fd80 + 0200) >> 2), not positive"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Bench b;
        Operation ops[EXPLAIN_OPS];
        char option[64];
        snprintf(option, sizeof option, "d_model=8 n_heads=1 d_ff=4 max_seq_len=2 exp=%s",
                 rows[k].exp);
        bench_open(&b, "deck", option, "random:1:0:0");
        set(&b, SIG_SMAX_STATE, 0, 2);
        set(&b, SIG_SMAX_X, 0, rows[k].x);
        int n = explain_clock(b.engine, b.spare, ops);
        assert_string_equal(find(ops, n, SIG_SMAX_EXP)->numbers, rows[k].numbers);
        assert_int_equal(find(ops, n, SIG_SMAX_EXP)->result, rows[k].result);
        set(&b, SIG_SMAX_STATE, 0, 4);
        set(&b, SIG_SMAX_SUM, 0, 0x8000);
        n = explain_clock(b.engine, b.spare, ops);
        /* n = 8000, RECIP[0] = 8000, p = 4000, c = 4000, r1 = (8000*4000) >> 14 = 8000, >> 14 - 0 =
         * 2 */
        assert_string_equal(find(ops, n, SIG_SMAX_RECIP)->numbers,
                            "8000: clz 0, RECIP[0] 8000, Newton 8000, >> 14");
        assert_int_equal(find(ops, n, SIG_SMAX_RECIP)->result, 2);
        bench_close(&b);
    }
}

/* No rule speaks of cache.d, of softmax.i while it counts, or of what attention clears as it
 * starts: they are told because the edge changes them, the falling flag too. */
static void registers_without_a_rule_are_told(void **state)
{
    (void)state;
    Bench b;
    Operation ops[EXPLAIN_OPS];
    bench_open(&b, "deck", "variant=stream d_model=8 n_heads=2 d_ff=4 max_seq_len=2",
               "random:1:0:0");
    set(&b, SIG_CACHE_WRITING, 0, 1);
    set(&b, SIG_CACHE_D, 0, 3);
    set(&b, SIG_SMAX_STATE, 0, 3);
    set(&b, SIG_SMAX_I, 0, 1);
    set(&b, SIG_ATTN_START, 0, 1);
    set(&b, SIG_ATTN_H, 0, 2);
    set(&b, SIG_ATTN_ACC, 0, 0x12345);
    int n = explain_clock(b.engine, b.spare, ops);
    const Operation *d = find(ops, n, SIG_CACHE_D), *i = find(ops, n, SIG_SMAX_I);
    assert_string_equal(d->formula, "d + 1");
    assert_string_equal(d->numbers, "3 + 1");
    assert_string_equal(d->remark, "");
    assert_int_equal(d->result, 4);
    assert_string_equal(i->formula, "i + 1");
    assert_int_equal(i->result, 2);
    assert_string_equal(find(ops, n, SIG_ATTN_H)->formula, "0");
    assert_int_equal(find(ops, n, SIG_ATTN_H)->result, 0);
    assert_string_equal(find(ops, n, SIG_ATTN_ACC)->formula, "0");
    assert_string_equal(find(ops, n, SIG_ATTN_START)->formula, "0");
    assert_string_equal(find(ops, n, SIG_ATTN_START)->remark, "a pulse of one cycle");
    set(&b, SIG_CACHE_D, 0, 7);
    n = explain_clock(b.engine, b.spare, ops);
    assert_string_equal(find(ops, n, SIG_CACHE_D)->formula, "0");
    bench_close(&b);
}

static void a_cell_is_explained_by_the_edge_that_stored_it(void **state)
{
    (void)state;
    Setup setup;
    Operation op;
    uint64_t cycle = 0;
    Err err = {0};
    setup_init(&setup);
    assert_true(config_set(&setup.config, "d_model", "16", &err));
    assert_true(config_set(&setup.config, "d_ff", "32", &err));
    assert_true(config_set(&setup.config, "max_seq_len", "8", &err));
    assert_true(setup_stimulus(&setup, "random:11:64:256", &err));
    assert_true(setup_check(&setup, &err));
    Session *s = session_new(&setup);
    assert_false(story_edge(s, signal_at(SIG_HIDDEN), 3, &op, &cycle));
    session_move_token(s, 2);
    const Engine *e = session_engine(s);
    static const SignalId ids[] = {SIG_RESIDUAL1, SIG_LN1_OUT, SIG_Q,        SIG_K_CACHE,
                                   SIG_SCORES,    SIG_PROBS,   SIG_HEAD,     SIG_CONCAT,
                                   SIG_ATTN_OUT,  SIG_SMAX_X,  SIG_SMAX_EXP, SIG_SMAX_PROB,
                                   SIG_HIDDEN,    SIG_FFN_OUT, SIG_OUT_EMB};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        const Signal *g = signal_at(ids[k]);
        for (int at = 0; at < signal_count(e, g); at++) {
            if (!story_edge(s, g, at, &op, &cycle)) {
                assert_true(ids[k] == SIG_K_CACHE || ids[k] == SIG_SCORES);
                assert_int_equal(signal_get(e, g, at), 0);
                continue;
            }
            assert_ptr_equal(op.target, g);
            assert_int_equal(op.at, at);
            assert_int_equal(op.count, 1);
            assert_int_equal(op.result, signal_get(e, g, at));
            assert_true(cycle < engine_cycle(e));
        }
    }
    /* K[1] came from k in token 1's WRITE_CACHE: 1 + 53 + 1 + 1 + 17 cycles after its start */
    assert_true(story_edge(s, signal_at(SIG_K_CACHE), 16 + 5, &op, &cycle));
    assert_string_equal(op.formula, "k[5]");
    uint64_t start1 = config_cycles(&setup.config, VARIANT_BRIDGE, 0) + 1;
    assert_int_equal(cycle, start1 + 1 + 1 + 53 + 1 + 1 + 17);
    /* hidden's last store is the ReLU */
    assert_true(story_edge(s, signal_at(SIG_HIDDEN), 3, &op, &cycle));
    assert_string_equal(op.formula, "max(0, hidden[3])");
    session_free(s);
}

static void targets_and_values_are_spelled_out(void **state)
{
    (void)state;
    Bench b;
    char text[64];
    bench_open(&b, "deck", "", "integration");
    Operation op = {.target = signal_at(SIG_K_CACHE), .at = 3 * 64, .count = 64};
    operation_target(b.engine, &op, text, sizeof text);
    assert_string_equal(text, "K[3][0..63]");
    op = (Operation){.target = signal_at(SIG_HEAD), .at = 17, .count = 1};
    operation_target(b.engine, &op, text, sizeof text);
    assert_string_equal(text, "head[1][1]");
    op = (Operation){.target = signal_at(SIG_OUT_EMB), .at = 0, .count = 64};
    operation_target(b.engine, &op, text, sizeof text);
    assert_string_equal(text, "out_emb[0..63]");
    explain_value(-32832, text, sizeof text);
    assert_string_equal(text, "-128.25");
    explain_value(0x100, text, sizeof text);
    assert_string_equal(text, "1.0");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_explained_cycle_by_cycle),
        cmocka_unit_test(small_sizes_are_explained_cycle_by_cycle),
        cmocka_unit_test(saturating_weights_are_explained_cycle_by_cycle),
        cmocka_unit_test(a_sum_of_more_than_16_bits_is_explained),
        cmocka_unit_test(variant_stream_is_explained_cycle_by_cycle),
        cmocka_unit_test(variant_array_is_explained_cycle_by_cycle),
        cmocka_unit_test(rmsnorm_is_explained_cycle_by_cycle),
        cmocka_unit_test(rmsnorm_is_told_in_numbers),
        cmocka_unit_test(swiglu_is_explained_cycle_by_cycle),
        cmocka_unit_test(swiglu_is_told_in_numbers),
        cmocka_unit_test(an_edge_of_the_array_is_told_in_numbers),
        cmocka_unit_test(pokes_into_every_register_are_explained),
        cmocka_unit_test(the_wrapped_mask_is_told_in_numbers),
        cmocka_unit_test(dot_products_show_terms_accumulator_and_shift),
        cmocka_unit_test(the_pieces_of_exp_and_of_the_tables_are_told),
        cmocka_unit_test(registers_without_a_rule_are_told),
        cmocka_unit_test(a_cell_is_explained_by_the_edge_that_stored_it),
        cmocka_unit_test(targets_and_values_are_spelled_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
