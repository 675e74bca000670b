/* Time travel: going back is equal to never having gone, proven by the state hash. */
#include "test.h"

#include "engine/cycle.h"
#include "session/command.h"
#include "session/session.h"

static Session *open_small(const char *config, const char *stimulus)
{
    Setup setup;
    char text[200], *save = NULL;
    setup_init(&setup);
    snprintf(text, sizeof text, "%s", config);
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *eq = strchr(w, '=');
        *eq = '\0';
        assert_true(config_set(&setup.config, w, eq + 1, NULL));
    }
    assert_true(setup_stimulus(&setup, stimulus, NULL));
    assert_true(setup_check(&setup, NULL));
    return session_new(&setup);
}

static const char small[] = "d_model=16 n_heads=4 d_ff=24 max_seq_len=6";

static uint64_t hash(const Session *s)
{
    return engine_hash(session_engine(s));
}
static uint64_t cycle(const Session *s)
{
    return engine_cycle(session_engine(s));
}
static int32_t get(const Session *s, const char *path)
{
    const Signal *g = signal_find(session_engine(s), path, strlen(path));
    assert_non_null(g);
    return signal_get(session_engine(s), g, 0);
}
static bool exec(Session *s, const char *line)
{
    Buf out = {0};
    bool ok = session_exec(s, line, &out, NULL);
    buf_free(&out);
    return ok;
}
static RunState finish_run(Session *s)
{
    RunState r;
    while ((r = session_advance(s, 500)) == RUN_ON)
        continue;
    return r;
}

static void back_to_any_hash(const char *settings)
{
    Session *s = open_small(settings, "random:5:120:300");
    static uint64_t hashes[4096];
    uint64_t last = 0;
    for (; last < 2500; last++) {
        hashes[last] = hash(s);
        session_step(s, 1);
    }
    uint32_t x = 12345;
    for (int i = 0; i < 300; i++) {
        x = x * 1664525u + 1013904223u;
        uint64_t to = (x >> 8) % last;
        if (to < cycle(s) && i % 2)
            session_back(s, cycle(s) - to);
        else
            session_goto(s, to);
        assert_int_equal(cycle(s), to);
        assert_true(hash(s) == hashes[to]);
    }
    session_back(s, 1u << 30);
    assert_int_equal(cycle(s), 0);
    assert_true(hash(s) == hashes[0]);
    session_free(s);
}

static void step_then_back_gives_the_same_hash(void **state)
{
    (void)state;
    back_to_any_hash(small);
    back_to_any_hash("ffn=swiglu d_model=8 n_heads=2 d_ff=5 max_seq_len=9");
    back_to_any_hash("ffn=swiglu variant=stream d_model=8 n_heads=2 d_ff=3 max_seq_len=9");
    back_to_any_hash("ffn=swiglu variant=array d_model=8 n_heads=2 d_ff=5 max_seq_len=9 pe_cols=3");
    back_to_any_hash("norm=rms d_model=8 n_heads=2 d_ff=5 max_seq_len=9");
    back_to_any_hash("norm=rms variant=stream d_model=8 n_heads=2 d_ff=3 max_seq_len=9");
    back_to_any_hash("norm=rms variant=array d_model=8 n_heads=2 d_ff=5 max_seq_len=9 pe_cols=3");
}

/* At every change of the top FSM and every token boundary: one step over it, one back. */
static void back_over_every_edge(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:6:32767:32767");
    for (int i = 0; i < 12 * 6; i++) {
        session_move_state(s, 1);
        uint64_t at = cycle(s), h = hash(s);
        int events = 0, writes = 0, n = 0;
        engine_events(session_engine(s), &events);
        engine_writes(session_engine(s), &writes);
        session_step(s, 1);
        session_back(s, 1);
        assert_int_equal(cycle(s), at);
        assert_true(hash(s) == h);
        engine_events(session_engine(s), &n);
        assert_int_equal(n, events);
        engine_writes(session_engine(s), &n);
        assert_int_equal(n, writes);
    }
    session_free(s);
}

static void tokens_start_where_the_closed_form_says(void **state)
{
    (void)state;
    Session *s = open_small("d_model=64", "integration");
    uint64_t start = 0;
    for (int p = 0; p < 4; p++) {
        assert_int_equal(cycle(s), start);
        assert_int_equal(session_host(s)->token, p);
        session_goto(s, start + 2953 + 4 * (uint64_t)p);
        assert_int_equal(get(s, "valid"), 1);
        session_step(s, 1);
        assert_int_equal(get(s, "valid"), 0);
        start = cycle(s);
    }
    session_move_token(s, -1);
    assert_int_equal(cycle(s), 2954 + 2958 + 2962);
    session_step(s, 5);
    session_move_token(s, -1);
    assert_int_equal(cycle(s), 2954 + 2958 + 2962);
    session_move_token(s, -2);
    assert_int_equal(cycle(s), 2954);
    session_move_token(s, 2);
    assert_int_equal(cycle(s), 2954 + 2958 + 2962);
    session_free(s);
}

static void forward_and_backward_hits_agree(void **state)
{
    (void)state;
    static const char *const conditions[] = {"attn.state == SCORE",
                                             "softmax.i == 3",
                                             "top.state changes",
                                             "q wraps",
                                             "ffn.state changes and ffn.i == 0",
                                             "scores[2][1] changes",
                                             "softmax.sum > 0x100",
                                             "out_emb saturates or residual1 saturates",
                                             "any saturates",
                                             "top.state == ATTN_WAIT and any wraps",
                                             "ln2.mean < -0.5 and top.state == FFN_WAIT",
                                             "K == 0x0010"};
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
        Session *s = open_small(small, "random:9:900:20000");
        uint64_t hits[2000];
        int n = 0;
        assert_true(session_break(s, conditions[c], NULL, NULL));
        for (;;) {
            assert_true(session_run(s, NULL, NULL));
            if (finish_run(s) != RUN_BREAK)
                break;
            assert_true(n < 2000);
            hits[n++] = cycle(s);
        }
        session_step(s, 1); /* the last hit may be the very end */
        for (int k = n; k-- > 0;) {
            assert_true(session_run_back(s, NULL, NULL));
            assert_int_equal(finish_run(s), RUN_BREAK);
            if (cycle(s) != hits[k])
                fail_msg("%s: hit %d at %d, backward at %d", conditions[c], k, (int)hits[k],
                         (int)cycle(s));
        }
        assert_true(session_run_back(s, NULL, NULL));
        assert_int_equal(finish_run(s), RUN_START);
        assert_int_equal(cycle(s), 0);
        session_free(s);
    }
}

/* Of the and-group that is true: an event before a change before a value, wherever it stands. */
static void a_hit_tells_the_element_that_is_new(void **state)
{
    (void)state;
    static const struct {
        const char *until, *element, *note;
    } cases[] = {
        {"any wraps", "softmax.shifted[1]", "until any wraps: softmax.shifted[1]"},
        {"top.state == ATTN_WAIT and any wraps", "softmax.shifted[1]",
         "until top.state == ATTN_WAIT and any wraps: softmax.shifted[1]"},
        {"any wraps and top.state == ATTN_WAIT", "softmax.shifted[1]",
         "until any wraps and top.state == ATTN_WAIT: softmax.shifted[1]"},
        {"K[0][0] changes and top.state == IDLE or K[0][3] changes", "K[0][3]",
         "until K[0][0] changes and top.state == IDLE or K[0][3] changes"},
        {"top.state == ATTN_WAIT and K[0][3] changes and K[0][5] changes", "K[0][3]",
         "until top.state == ATTN_WAIT and K[0][3] changes and K[0][5] changes"},
        {"attn.state == WRITE_CACHE or attn.state == SCORE", "attn.state",
         "until attn.state == WRITE_CACHE or attn.state == SCORE"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Setup setup;
        setup_init(&setup);
        Session *s = session_new(&setup);
        const Signal *signal;
        char name[80] = "";
        int at;
        assert_true(session_run(s, cases[k].until, NULL));
        assert_int_equal(finish_run(s), RUN_BREAK);
        assert_true(session_hit(s, &signal, &at));
        signal_element_name(session_engine(s), signal, at, name, sizeof name);
        assert_string_equal(name, cases[k].element);
        assert_string_equal(session_note(s), cases[k].note);
        session_free(s);
    }
}

static void running_equals_stepping(void **state)
{
    (void)state;
    Session *a = open_small(small, "random:3"), *b = open_small(small, "random:3");
    assert_true(session_run(a, "token_emb[0] == 0x7fff", NULL));
    assert_int_equal(finish_run(a), RUN_END);
    while (cycle(b) < cycle(a))
        session_step(b, 1);
    assert_true(hash(a) == hash(b));
    session_free(a);
    session_free(b);
}

static void edits_are_replayed_and_undone(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:4");
    session_goto(s, 400);
    uint64_t clean = hash(s);
    session_goto(s, 100);
    assert_true(exec(s, "set K[0][3] 0x1234"));
    assert_true(exec(s, "set token_emb[1] -1.5"));
    session_goto(s, 400);
    uint64_t edited = hash(s);
    assert_true(edited != clean);
    session_goto(s, 50);
    session_goto(s, 400);
    assert_true(hash(s) == edited);
    assert_true(exec(s, "undo"));
    assert_int_equal(cycle(s), 400);
    assert_true(exec(s, "undo"));
    assert_true(hash(s) == clean);
    assert_false(exec(s, "undo"));
    session_free(s);
}

static void weight_edits_hold_from_their_cycle_on(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:4");
    session_goto(s, 900);
    uint64_t clean = hash(s);
    session_goto(s, 300);
    assert_true(exec(s, "set wo[2][5] 0x0400"));
    session_goto(s, 10);
    assert_true(exec(s, "set wq[0][0] 0x0300")); /* earlier than the first: both must hold later */
    assert_int_equal(get(s, "wq"), 0x300);
    session_goto(s, 301);
    const Signal *wo = signal_find(session_engine(s), "wo", 2);
    assert_int_equal(signal_get(session_engine(s), wo, 2 * 16 + 5), 0x400);
    assert_int_equal(get(s, "wq"), 0x300);
    session_goto(s, 5);
    assert_true(get(s, "wq") != 0x300);
    assert_true(exec(s, "undo"));
    assert_true(exec(s, "undo"));
    session_goto(s, 900);
    assert_true(hash(s) == clean);
    session_free(s);
}

/* decoder.md section 4: start is ignored outside IDLE; garbage in the cache beyond seq_pos is never
 * read; positions may come in any order. */
static void toggled_start_and_garbage_cache_change_nothing(void **state)
{
    (void)state;
    Session *a = open_small(small, "random:8"), *b = open_small(small, "random:8");
    char line[64];
    for (int t = 1; t < 6; t++) {
        for (int d = 0; d < 16; d++) {
            snprintf(line, sizeof line, "set K[%d][%d] 0x%04x", t, d,
                     (unsigned)(t * 7919 + d * 104729) & 0xffff);
            assert_true(exec(b, line));
            line[4] = 'V';
            assert_true(exec(b, line));
        }
    }
    session_step(a, 1);
    session_step(b, 1);
    while (!get(a, "valid")) {
        assert_true(exec(b, cycle(b) % 3 ? "set start 1" : "set start 0"));
        session_step(a, 1);
        session_step(b, 1);
        for (int id = 0; id < SIG_WEIGHTS; id++) {
            const Signal *g = signal_at((SignalId)id);
            if (id == SIG_K_CACHE || id == SIG_V_CACHE || id == SIG_START)
                continue;
            for (int i = 0; i < signal_count(session_engine(a), g); i++)
                assert_int_equal(signal_get(session_engine(a), g, i),
                                 signal_get(session_engine(b), g, i));
        }
    }
    session_free(a);
    session_free(b);
}

static void start_is_sampled_in_idle_only_and_held_start_repeats(void **state)
{
    (void)state;
    Setup setup;
    setup_init(&setup);
    assert_true(config_set(&setup.config, "d_model", "8", NULL));
    setup.tokens = 1;
    assert_true(setup_check(&setup, NULL));
    Session *s = session_new(&setup);
    uint64_t n = config_cycles(&setup.config, VARIANT_BRIDGE, 0);
    session_goto(s, n);
    assert_int_equal(get(s, "valid"), 1);
    assert_true(exec(s, "set start 1")); /* in DONE: ignored there, but held into IDLE */
    session_step(s, 1);
    assert_string_equal(signal_state_name(signal_at(SIG_TOP_STATE), get(s, "top.state")), "IDLE");
    session_step(s, 1);
    assert_string_equal(signal_state_name(signal_at(SIG_TOP_STATE), get(s, "top.state")),
                        "LN1_START");
    session_goto(s, n + 1 + n);
    assert_int_equal(get(s, "valid"), 1);
    session_goto(s, n + 1 + n + 1 + n);
    assert_int_equal(get(s, "valid"), 1);
    session_free(s);
}

static void last_write_finds_the_edge(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:2");
    const Signal *q = signal_at(SIG_Q), *out = signal_at(SIG_OUT_EMB);
    session_move_token(s, 1);
    uint64_t second = cycle(s);
    assert_int_equal(session_last_write(s, out, 3), second - 1);
    uint64_t at = session_last_write(s, q, 7);
    session_step(s, 1000);
    assert_true(session_last_write(s, q, 7) > second);
    session_goto(s, at - 1);
    assert_int_equal(session_last_write(s, q, 7), 0);
    session_goto(s, at);
    assert_int_equal(session_last_write(s, q, 7), at);
    session_free(s);
}

static void every_value_fits_its_width_in_every_cycle(void **state)
{
    (void)state;
    Session *s = open_small("d_model=8 n_heads=2 d_ff=3 max_seq_len=3", "random:11:32767:32767");
    const Engine *e = session_engine(s);
    for (int c = 0; c < 900; c++) {
        for (int id = 0; id < SIG_COUNT; id++) {
            const Signal *g = signal_in(e, (SignalId)id);
            if (!g)
                continue; /* another machine's */
            int width = signal_width(e, g);
            for (int i = 0; i < signal_count(e, g); i++) {
                int64_t v = signal_get(e, g, i);
                int64_t low = signal_is_signed(g) ? -((int64_t)1 << (width - 1)) : 0;
                int64_t high = signal_is_signed(g) ? -low - 1 : ((int64_t)1 << width) - 1;
                assert_true(v >= low && v <= high);
                if (g->type == TYPE_STATE)
                    assert_string_not_equal(signal_state_name(g, (int32_t)v), "?");
            }
        }
        session_step(s, 1);
    }
    session_free(s);
}

/* A poke can leave the top FSM waiting for ever: a move says so instead of searching on. */
static void moves_on_a_wedged_machine_end(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:1");
    session_goto(s, 120);
    assert_true(exec(s, "set attn.state IDLE"));
    uint64_t h = hash(s);
    assert_true(exec(s, "state +1"));
    assert_int_equal(cycle(s), 120);
    assert_non_null(strstr(session_note(s), "wedged"));
    assert_true(exec(s, "token +1"));
    assert_int_equal(cycle(s), 120);
    assert_true(hash(s) == h);
    session_free(s);
}

/* Twice the longest token and a cycle after its start, in slices of any size. */
static void a_run_on_a_wedged_machine_ends_in_one_cycle(void **state)
{
    (void)state;
    for (uint64_t slice = 1; slice <= 1 << 18; slice *= 64) {
        RunState r;
        Session *s = open_small(small, "random:1");
        const Config *c = &session_setup(s)->config;
        session_goto(s, 120);
        assert_true(exec(s, "set attn.state IDLE"));
        assert_true(session_run(s, "valid == 1", NULL));
        while ((r = session_advance(s, slice)) == RUN_ON)
            continue;
        assert_int_equal(r, RUN_END);
        assert_non_null(strstr(session_note(s), "wedged"));
        assert_int_equal(cycle(s), 120 + 2 * config_cycles(c, c->variant, 5) + 1);
        session_free(s);
    }
}

static void a_stopped_run_has_no_hit(void **state)
{
    (void)state;
    const Signal *signal;
    int at;
    Session *s = open_small(small, "random:1");
    assert_true(session_run(s, "q changes", NULL));
    assert_int_equal(finish_run(s), RUN_BREAK);
    assert_true(session_hit(s, &signal, &at));
    assert_string_equal(signal->path, "q");
    assert_true(session_run(s, NULL, NULL));
    assert_int_equal(session_advance(s, 10), RUN_ON);
    session_run_stop(s);
    assert_false(session_hit(s, &signal, &at));
    session_free(s);
}

static void a_long_step_ends_with_the_tokens(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:1");
    assert_true(exec(s, "step 999999999999"));
    assert_int_equal(finish_run(s), RUN_END);
    assert_true(cycle(s) < 1000000);
    session_free(s);
}

static void rows_are_printed(void **state)
{
    (void)state;
    Session *s = open_small("d_model=8 n_heads=2 d_ff=3 max_seq_len=3", "random:1");
    Buf out = {0};
    assert_true(exec(s, "set K[2][1] 0x1234"));
    assert_true(session_exec(s, "get K[2]", &out, NULL));
    assert_string_equal(buf_str(&out), "K[2] 0000 1234 0000 0000 0000 0000 0000 0000\n");
    buf_free(&out);
    session_free(s);
}

static void values_with_a_point_are_rounded_once_to_even(void **state)
{
    (void)state;
    static const struct {
        const char *line, *path;
        int32_t raw;
    } set[] = {{"set softmax.max 0.001953125", "softmax.max", 0},
               {"set softmax.max 0.005859375", "softmax.max", 2},
               {"set softmax.max -0.005859375", "softmax.max", -2},
               {"set softmax.max 0.00195312500000000000000000000000000000000001", "softmax.max", 1},
               {"set softmax.max -128.001953125", "softmax.max", -32768},
               {"set softmax.sum 8388607.99609375", "softmax.sum", INT32_MAX},
               {"set softmax.sum -8388608.0", "softmax.sum", INT32_MIN}};
    Session *s = open_small(small, "random:1");
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        assert_true(exec(s, set[i].line));
        assert_int_equal(get(s, set[i].path), set[i].raw);
    }
    assert_false(exec(s, "set softmax.max 127.998046875"));
    assert_false(exec(s, "set softmax.sum 8388607.999"));
    session_free(s);
}

static void indices_are_decimal_or_hex(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:1");
    assert_true(exec(s, "set q[010] 7"));
    assert_true(exec(s, "set q[0xb] 8"));
    const Signal *q = signal_find(session_engine(s), "q", 1);
    assert_int_equal(signal_get(session_engine(s), q, 10), 7);
    assert_int_equal(signal_get(session_engine(s), q, 11), 8);
    session_free(s);
}

/* What the others knew of the cycle before stays theirs. */
static void a_breakpoint_goes_while_a_run_goes_on(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:1");
    assert_true(exec(s, "break valid == 1"));
    assert_true(exec(s, "break seq_pos == 0")); /* true from the start: no hit in this token */
    assert_true(session_run(s, NULL, NULL));
    assert_int_equal(session_advance(s, 5), RUN_ON);
    assert_true(exec(s, "delete 1"));
    assert_int_equal(session_advance(s, 5), RUN_ON);
    session_free(s);
}

/* As when the cycle asked for is passed by hand between two slices. */
static void a_run_to_a_cycle_behind_ends(void **state)
{
    (void)state;
    Session *s = open_small(small, "random:1");
    session_run_to(s, 100);
    assert_int_equal(session_advance(s, 50), RUN_ON);
    session_step(s, 70);
    assert_int_equal(session_advance(s, 50), RUN_ARRIVED);
    assert_int_equal(cycle(s), 120);
    session_free(s);
}

static void a_command_too_long_is_refused_whole(void **state)
{
    (void)state;
    char line[700] = "break valid == 1";
    int n = 0;
    Session *s = open_small(small, "random:1");
    while (strlen(line) < 600)
        strcat(line, " or valid == 1");
    assert_false(exec(s, line));
    session_breaks(s, &n);
    assert_int_equal(n, 0);
    session_free(s);
}

static void bad_commands_name_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *line, *part;
    } bad[] = {{"stp", "stp"},
               {"step x", "step x"},
               {"step -3", "whole number"},
               {"goto", "cycle"},
               {"break foo == 1", "foo"},
               {"break q[64] == 1", "0..15"},
               {"break q[1][2] == 1", "dimension"},
               {"break q == ", "not a value"},
               {"break top.state == BUSY", "BUSY"},
               {"break q[0] = 1", "=="},
               {"break q[0] == 1 xor q[1] == 1", "and / or"},
               {"set q 1", "index"},
               {"set q[0] 70000", "70000"},
               {"set q[0] 4294967295", "4294967295: not a value"},
               {"set q[0] 0xffffffff", "0xffffffff: not a value"},
               {"break ln1.acc == 4294967295", "4294967295: not a value"},
               {"get q[99999999999999999999]", "index 99999999999999999999 must be 0..15"},
               {"get q[3..99999999999999999999]", "index 99999999999999999999 must be 3..15"},
               {"delete 4294967297", "delete 4294967297"},
               {"set top.state 12", "0..11"},
               {"set seq_pos 6", "0..5"},
               {"set q[0]", "VALUE"},
               {"get K[0][16]", "second index 16"},
               {"step 99999999999999999999", "at most"},
               {"state +99999999", "at once"},
               {"help foo", "no command of that name"},
               {"get", "name of a signal"},
               {"preset none", "deck"},
               {"config d_model=9", "power of two"},
               {"config d_model", "KEY=VALUE"},
               {"delete 7", "7"},
               {"unwatch q", "not watched"},
               {"undo", "nothing"}};
    Session *s = open_small(small, "random:1");
    session_step(s, 33);
    uint64_t h = hash(s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err err = {0};
        Buf out = {0};
        assert_false(session_exec(s, bad[i].line, &out, &err));
        if (!strstr(err.text, bad[i].part))
            fail_msg("%s: %s", bad[i].line, err.text);
        buf_free(&out);
    }
    assert_true(hash(s) == h);
    assert_int_equal(cycle(s), 33);
    session_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_then_back_gives_the_same_hash),
        cmocka_unit_test(back_over_every_edge),
        cmocka_unit_test(tokens_start_where_the_closed_form_says),
        cmocka_unit_test(forward_and_backward_hits_agree),
        cmocka_unit_test(a_hit_tells_the_element_that_is_new),
        cmocka_unit_test(running_equals_stepping),
        cmocka_unit_test(edits_are_replayed_and_undone),
        cmocka_unit_test(weight_edits_hold_from_their_cycle_on),
        cmocka_unit_test(toggled_start_and_garbage_cache_change_nothing),
        cmocka_unit_test(start_is_sampled_in_idle_only_and_held_start_repeats),
        cmocka_unit_test(last_write_finds_the_edge),
        cmocka_unit_test(every_value_fits_its_width_in_every_cycle),
        cmocka_unit_test(moves_on_a_wedged_machine_end),
        cmocka_unit_test(a_run_on_a_wedged_machine_ends_in_one_cycle),
        cmocka_unit_test(a_stopped_run_has_no_hit),
        cmocka_unit_test(a_long_step_ends_with_the_tokens),
        cmocka_unit_test(rows_are_printed),
        cmocka_unit_test(values_with_a_point_are_rounded_once_to_even),
        cmocka_unit_test(indices_are_decimal_or_hex),
        cmocka_unit_test(a_breakpoint_goes_while_a_run_goes_on),
        cmocka_unit_test(a_run_to_a_cycle_behind_ends),
        cmocka_unit_test(a_command_too_long_is_refused_whole),
        cmocka_unit_test(bad_commands_name_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
