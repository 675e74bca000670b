/* The RTL beside the machine: every state has its branch, and in every cycle the lines that are
 * said to execute lead to the state that the machine then is in. */
#include "test.h"

#include "engine/cycle.h"
#include "engine/option.h"
#include "engine/units.h"
#include "tell/rtl_private.h"
#include "session/session.h"

enum { USES = 64 };

static Rtl *rtl;
static Session *session;

static void open_machine(const char *const *settings, const char *stimulus)
{
    Setup setup;
    Err err = {0};
    setup_init(&setup);
    for (; *settings; settings += 2)
        assert_true(config_set(&setup.config, settings[0], settings[1], &err));
    assert_true(setup_stimulus(&setup, stimulus, &err));
    setup.tokens = 3;
    if (!setup_check(&setup, &err))
        fail_msg("%s", err.text);
    session = session_new(&setup);
}

static int open_files(void **state)
{
    Err err;
    (void)state;
    rtl = rtl_open("rtl", &err);
    return rtl ? 0 : -1;
}

static int close_files(void **state)
{
    (void)state;
    rtl_close(rtl);
    return 0;
}

static void test_every_state_of_every_variant_has_a_branch(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        const char *const settings[] = {"variant", config_variant_name((Variant)variant), NULL};
        open_machine(settings, "integration");
        const Engine *e = session_engine(session);
        for (int k = 0; k < UNIT_COUNT; k++) {
            const Signal *s = signal_in(e, units[k].fsm);
            for (int n = 0; s->names[n]; n++) {
                RtlBranch b;
                char label[64];
                if (!rtl_branch(rtl, e, units[k].fsm, n, &b))
                    fail_msg("no tag for %s %s", s->path, s->names[n]);
                snprintf(label, sizeof label, "S_%s: begin", s->names[n]);
                assert_non_null(strstr(rtl_line(rtl, b.file, b.first), label));
                assert_in_range(b.last - b.first, 1, USES - 1);
                assert_string_equal(rtl_line(rtl, b.file, b.last), "      end");
            }
        }
        session_free(session);
    }
}

/* The state that a line assigns; NULL when none. */
static const char *assigned(const char *line)
{
    const char *at = strstr(line, "state_d");
    at = at ? strstr(at, "= S_") : NULL;
    return at ? at + 4 : NULL;
}

/* Where the executing lines lead to; "" when nowhere. */
static void next_state(const Engine *e, SignalId fsm, char out[32])
{
    RtlBranch b;
    RtlUse uses[USES];
    assert_true(rtl_cycle(rtl, e, fsm, &b, uses, USES));
    *out = '\0';
    for (int line = b.first; line <= b.last; line++) {
        RtlUse use = uses[line - b.first];
        const char *to = assigned(rtl_line(rtl, b.file, line));
        if (to && use == RTL_SOME)
            fail_msg("line %d: %s: depends on what is not known", line + 1,
                     rtl_line(rtl, b.file, line));
        if (to && (use == RTL_RUNS || use == RTL_TRUE)) {
            if (*out)
                fail_msg("line %d: a second state", line + 1);
            snprintf(out, 32, "%.*s", (int)strcspn(to, ";"), to);
        }
    }
}

static void follow(const char *const *settings, const char *stimulus)
{
    open_machine(settings, stimulus);
    const Engine *e = session_engine(session);
    uint64_t end = 3 * (config_cycles(engine_config(e), engine_config(e)->variant, 2) + 1);
    while (engine_cycle(e) < end) {
        char to[UNIT_COUNT][32];
        int32_t was[UNIT_COUNT];
        for (int k = 0; k < UNIT_COUNT; k++) {
            was[k] = signal_get(e, signal_in(e, units[k].fsm), 0);
            next_state(e, units[k].fsm, to[k]);
        }
        session_step(session, 1);
        for (int k = 0; k < UNIT_COUNT; k++) {
            const Signal *s = signal_in(e, units[k].fsm);
            int32_t now = signal_get(e, s, 0);
            const char *want = *to[k] ? to[k] : signal_state_name(s, was[k]);
            if (strcmp(signal_state_name(s, now), want) != 0)
                fail_msg("cycle %llu: %s is %s, the lines lead to %s",
                         (unsigned long long)engine_cycle(e), s->path, signal_state_name(s, now),
                         want);
        }
    }
    session_free(session);
}

static void test_executing_lines_lead_to_the_next_state(void **state)
{
    (void)state;
    static const char *const small[] = {"d_model", "16",          "n_heads", "4", "d_ff",
                                        "9",       "max_seq_len", "5",       NULL};
    static const char *const stream[] = {"variant", "stream", "d_model",     "8", "n_heads", "2",
                                         "d_ff",    "5",      "max_seq_len", "4", NULL};
    static const char *const array[] = {"variant",     "array", "d_model", "8",       "n_heads",
                                        "2",           "d_ff",  "5",       "pe_cols", "3",
                                        "max_seq_len", "4",     NULL};
    static const char *const column[] = {"variant",     "array", "d_model", "8",       "n_heads",
                                         "2",           "d_ff",  "5",       "pe_cols", "1",
                                         "max_seq_len", "4",     NULL};
    static const char *const rms[] = {"norm", "rms", "d_model",     "8", "n_heads", "2",
                                      "d_ff", "5",   "max_seq_len", "4", NULL};
    static const char *const gated[] = {"ffn",  "swiglu", "d_model",     "8", "n_heads", "2",
                                        "d_ff", "5",      "max_seq_len", "4", NULL};
    static const char *const gated_stream[] = {
        "ffn", "swiglu", "variant", "stream",      "d_model", "8", "n_heads",
        "2",   "d_ff",   "5",       "max_seq_len", "4",       NULL};
    static const char *const gated_array[] = {
        "ffn", "swiglu", "variant", "array",       "d_model", "8", "n_heads",
        "2",   "d_ff",   "5",       "max_seq_len", "4",       NULL};
    static const char *const defaults[] = {NULL};
    follow(small, "random:3:3000:9000");
    follow(array, "random:5:3000:9000");
    follow(column, "random:6:3000:9000");
    follow(stream, "random:4:3000:9000");
    follow(rms, "random:7:3000:9000");
    follow(gated, "random:8:3000:9000");
    follow(gated_stream, "random:8:3000:9000");
    follow(gated_array, "random:8:3000:9000");
    follow(defaults, "integration");
}

static RtlUse use_of(const Engine *e, SignalId fsm, const char *part)
{
    RtlBranch b;
    RtlUse uses[USES];
    assert_true(rtl_cycle(rtl, e, fsm, &b, uses, USES));
    for (int line = b.first; line <= b.last; line++) {
        if (strstr(rtl_line(rtl, b.file, line), part))
            return uses[line - b.first];
    }
    fail_msg("no %s in the branch", part);
    return RTL_PLAIN;
}

static void run_until(const char *condition)
{
    Err err;
    assert_true(session_run(session, condition, &err));
    while (session_running(session))
        session_advance(session, 10000);
}

static void test_the_lines_of_score(void **state)
{
    (void)state;
    static const char *const defaults[] = {NULL};
    open_machine(defaults, "random:1");
    const Engine *e = session_engine(session);
    run_until("attn.state == SCORE and attn.h == 2 and attn.t == 0");
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "S_SCORE: begin"), RTL_PLAIN);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "if (h_q == HeadW'(NHeads))"), RTL_FALSE);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "else if (t_q > seq_pos)"), RTL_FALSE);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "t_d = '0;"), RTL_SKIPPED);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "acc     = acc + mul32"), RTL_RUNS);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "scores_d[k] ="), RTL_TRUE);
    session_step(session, 1); /* t = 1 > 0 */
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "else if (t_q > seq_pos)"), RTL_TRUE);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "t_d = '0;"), RTL_RUNS);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "scores_d[k] ="), RTL_SKIPPED);
    assert_int_equal(unit_at_work(e), 2);
    run_until("smax.state == FIND_MAX");
    assert_int_equal(unit_at_work(e), 3);
    run_until("ffn.state == RELU"); /* the data decide, element by element */
    assert_int_equal(use_of(e, SIG_FFN_STATE, "if ($signed(hidden_q[j])"), RTL_SOME);
    run_until("attn.state == WEIGHTED_SUM");
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "value_row = v_mem_q[t];"), RTL_SOME);
    assert_int_equal(use_of(e, SIG_ATTN_STATE, "head_d[k] ="), RTL_SOME);
    session_free(session);
}

/* The line of the FSM's file that begins (after blanks) with text. */
static int line_of(const Engine *e, SignalId fsm, const char *text)
{
    RtlBranch b;
    assert_true(rtl_branch(rtl, e, fsm, 0, &b));
    for (int line = 0; line < rtl_lines(rtl, b.file); line++) {
        const char *s = rtl_line(rtl, b.file, line);
        if (strncmp(s + strspn(s, " "), text, strlen(text)) == 0)
            return line;
    }
    fail_msg("no line %s", text);
    return 0;
}

static void test_names_in_a_line(void **state)
{
    (void)state;
    static const char *const defaults[] = {NULL};
    SignalId id = SIG_COUNT;
    int at = -1;
    char text[80];
    open_machine(defaults, "random:1");
    const Engine *e = session_engine(session);
    run_until("attn.state == PROJ_QKV and attn.i == 17");
    assert_true(rtl_register(rtl, e, SIG_ATTN_STATE,
                             line_of(e, SIG_ATTN_STATE, "if (column == LogD'(k)) k_d[k]"), &id,
                             &at));
    assert_int_equal(id, SIG_K);
    assert_int_equal(at, 17);
    rtl_values(rtl, e, SIG_ATTN_STATE,
               line_of(e, SIG_ATTN_STATE, "end else if (i_q < CountW'(DModel)) begin"), text,
               sizeof text);
    assert_string_equal(text, "i_q 17");
    run_until("attn.state == SOFTMAX_RUN");
    rtl_values(rtl, e, SIG_ATTN_STATE, line_of(e, SIG_ATTN_STATE, "if (smax_valid)"), text,
               sizeof text);
    assert_string_equal(text, "smax_valid 0");
    run_until("smax.state == SUBTRACT_EXP and softmax.i == 3");
    rtl_values(rtl, e, SIG_SMAX_STATE, line_of(e, SIG_SMAX_STATE, "if (more)"), text, sizeof text);
    assert_string_equal(text, "i_q 3");
    assert_true(rtl_register(rtl, e, SIG_SMAX_STATE,
                             line_of(e, SIG_SMAX_STATE, "if (at == IndexW'(k)) shifted_d[k]"), &id,
                             &at));
    assert_int_equal(id, SIG_SMAX_SHIFTED);
    assert_int_equal(at, 3);
    assert_false(rtl_register(rtl, e, SIG_SMAX_STATE, 0, &id, &at)); /* a comment */
    session_free(session);
}

static int64_t value_of(const char *text)
{
    RtlBranch b;
    const Engine *e = session_engine(session);
    assert_true(rtl_branch(rtl, e, SIG_SMAX_STATE, 0, &b));
    RtlScope scope = rtl_scope(rtl, e, SIG_SMAX_STATE, b.file);
    RtlValue v = rtl_evaluate(&scope, &text);
    assert_true(v.known);
    return v.v;
}

/* Each mode alone sets its own bit of the vector, and the package has as many bits as modes. */
static void test_modes_are_bits_of_options(void **state)
{
    (void)state;
    static const char *const machines[][3] = {
        {NULL}, {"mask_mode", "exclude", NULL}, {"exp", "intended", NULL}};
    static const char *const tests[] = {"Options[OptMaskExclude] && 1", "Options[OptExpIntended]"};
    int64_t modes = 0;
    for (int k = 0; option_at(k); k++)
        modes += option_is_bit(option_at(k));
    for (int on = 0; on < 3; on++) {
        open_machine(machines[on], "integration");
        for (int n = 0; n < 2; n++)
            assert_int_equal(value_of(tests[n]), n == on - 1);
        assert_int_equal(value_of("OptBits"), modes);
        session_free(session);
    }
}

static void test_a_directory_without_sources_is_refused(void **state)
{
    (void)state;
    Err err;
    assert_null(rtl_open("tests/rtl/nowhere", &err));
    assert_string_equal(err.text, "tests/rtl/nowhere: No such file or directory");
    assert_null(rtl_open("tests/num", &err));
    assert_string_equal(err.text, "tests/num: holds no .sv file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_state_of_every_variant_has_a_branch),
        cmocka_unit_test(test_executing_lines_lead_to_the_next_state),
        cmocka_unit_test(test_the_lines_of_score),
        cmocka_unit_test(test_names_in_a_line),
        cmocka_unit_test(test_modes_are_bits_of_options),
        cmocka_unit_test(test_a_directory_without_sources_is_refused),
    };
    return cmocka_run_group_tests(tests, open_files, close_files);
}
