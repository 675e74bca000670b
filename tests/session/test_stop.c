/* What stopped a run: the element, what it held before and holds now, and how it came to that. */
#include "test.h"

#include "session/command.h"
#include "session/story.h"
#include "session/session.h"

static const char small[] = "d_model=16 n_heads=4 d_ff=24 max_seq_len=6";

static Session *open_machine(const char *variant, const char *config, const char *stimulus)
{
    Setup setup;
    char text[200], *save = NULL;
    setup_init(&setup);
    snprintf(text, sizeof text, "variant=%s %s", variant, config);
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *value = strchr(w, '=');
        *value++ = '\0';
        assert_true(config_set(&setup.config, w, value, NULL));
    }
    assert_true(setup_stimulus(&setup, stimulus, NULL));
    assert_true(setup_check(&setup, NULL));
    Session *s = session_new(&setup);
    setup_free(&setup);
    return s;
}

static RunState finish_run(Session *s)
{
    RunState r;
    while ((r = session_advance(s, 500)) == RUN_ON)
        continue;
    return r;
}

static uint64_t cycle(const Session *s)
{
    return engine_cycle(session_engine(s));
}

static void exec(Session *s, const char *line)
{
    Buf out = {0};
    assert_true(session_exec(s, line, &out, NULL));
    buf_free(&out);
}

/* Until the condition, forward or, with a '<' before it, backward; the story must be `want`. */
static void stops(Session *s, const char *condition, const StopStyle *style, const char *want)
{
    Buf story = {0};
    bool back = *condition == '<';
    if (back)
        assert_true(session_run_back(s, condition + 1, NULL));
    else
        assert_true(session_run(s, condition, NULL));
    assert_int_equal(finish_run(s), RUN_BREAK);
    assert_true(story_stop(s, style, &story));
    assert_string_equal(buf_str(&story), want);
    buf_free(&story);
}

static void tells(Session *s, const char *condition, const char *want)
{
    stops(s, condition, &(StopStyle){0}, want);
}

static void numbers_states_counters_and_flags_are_told_from_old_to_new(void **state)
{
    (void)state;
    Session *s = open_machine("bridge", "", "integration");
    tells(s, "ln1.i == 3", "ln1.i 2 -> 3 <- i + 1 = 2 + 1  (the edge of cycle 5)");
    tells(s, "start == 0", "start 1 -> 0: set by the host");
    session_goto(s, 5);
    tells(s, "top.state == ATTN_WAIT",
          "top.state ATTN_START -> ATTN_WAIT  (the edge of cycle 199)");
    tells(s, "any wraps",
          "softmax.shifted[1] 0000 -> 7fc1 127.75390625 <- x[1] - max = 8000 - 003f"
          "  ! wraps: -128.2461 does not fit in 16 bits  (the edge of cycle 407)");
    tells(s, "softmax.state == SUM",
          "smax.state SUBTRACT_EXP -> SUM: i has reached max_seq_len  (the edge of cycle 534)");
    tells(s, "valid == 1", "valid 0 -> 1: out_emb will be complete  (the edge of cycle 2952)");
    tells(s, "valid == 0", "valid 1 -> 0: a pulse of one cycle  (the edge of cycle 2953)");
    tells(s, "seq_pos == 2", "seq_pos 1 -> 2: set by the host");
    tells(s, "<softmax.exp[2] changes",
          "softmax.exp[2] 0000 -> 0100 1.0 <- approx_exp(shifted[2]) = 7fc1 >= 0: 1.0"
          "  ! masked position 2 keeps exp 1.0: the mask has wrapped  (the edge of cycle 408)");
    session_free(s);
}

/* Sums of products have 16 fraction bits. */
static void accumulators_are_told_with_their_fraction_bits(void **state)
{
    (void)state;
    static const char stream[] =
        "attn.acc 00003f02 -> 00004e83 0.3066864013671875 <- acc + q[4] * k, the register"
        " = 00003f02 + 003f*003f  (the edge of cycle 4431)";
    static const char array[] =
        "array.acc[0][0] 00000000 -> fffffcbe -0.012725830078125 <- acc[0][0] + a_in * w_in"
        " = 00000000 + feea*0003  (the edge of cycle 201)";
    Session *s = open_machine("stream", "", "integration");
    tells(s, "attn.acc >= 0.25", stream);
    session_step(s, 1);
    tells(s, "<attn.acc >= 0.25", stream);
    session_free(s);
    s = open_machine("array", "", "random:3");
    tells(s, "array.acc < -0.01", array);
    session_step(s, 1);
    tells(s, "<array.acc changes", array);
    session_free(s);
}

/* Of two that stand so, the one that has come last. */
static void of_comparisons_the_new_one_is_told(void **state)
{
    (void)state;
    Session *s = open_machine("bridge", "", "integration");
    tells(s, "attn.h == 1 and attn.t == 3",
          "attn.t 2 -> 3 <- t + 1 = 2 + 1  (the edge of cycle 6185)");
    tells(s, "token_emb[0] != 0x7fff and attn.h == 3",
          "attn.h 2 -> 3 <- h + 1 = 2 + 1  (the edge of cycle 6190)");
    session_free(s);
}

static void edits_are_told_as_such(void **state)
{
    (void)state;
    Session *s = open_machine("bridge", small, "integration");
    session_goto(s, 300);
    exec(s, "set q[1] -0.5");
    exec(s, "set wq[1][2] 7");
    session_step(s, 5);
    tells(s, "<q[1] == -0.5", "q[1] ffc0 -> ff80 -0.5: edited by hand");
    session_back(s, 4);
    tells(s, "wq[1][2] == 7", "wq[1][2] 0000 -> 0007 0.02734375: edited by hand");
    session_free(s);
}

/* A condition may name what has stood so for long. */
static void what_is_old_is_told_without_a_change(void **state)
{
    (void)state;
    Session *s = open_machine("bridge", "", "integration");
    session_goto(s, 400);
    tells(s, "k[1] > -1.0 and start == 1",
          "k[1] ffc0 -0.25 <- narrow(ln1_out . wk[][1]) = ff02*0040 [1] + 63 zero = ffffc080 >> 8"
          "  (the edge of cycle 202)");
    session_free(s);
}

static void operands_come_first_where_there_is_little_room(void **state)
{
    (void)state;
    Session *s = open_machine("array", "", "random:3");
    stops(s, "array.acc[0][0] changes", &(StopStyle){"breakpoint 1: x", 110, false},
          "array.acc[0][0] 00000000 -> fffffcbe -0.012725830078125 <- acc[0][0] + a_in * w_in"
          " = 00000000 + feea*0003  (breakpoint 1: x)  (the edge of cycle 201)");
    session_back(s, 1);
    stops(s, "array.acc[0][0] changes", &(StopStyle){NULL, 80, false},
          "array.acc[0][0] 00000000 -> fffffcbe -0.012725830078125 <- 00000000 + feea*0003"
          "  (the edge of cycle 201)");
    session_back(s, 1);
    stops(s, "array.acc[0][0] changes", &(StopStyle){NULL, 76, false},
          "array.acc[0][0] 00000000 -> fffffcbe -0.0127 <- 00000000 + feea*0003"
          "  (the edge of cycle 201)");
    session_free(s);
}

static void a_discreet_story_keeps_back_that_it_wraps(void **state)
{
    (void)state;
    Session *s = open_machine("bridge", "", "integration");
    const StopStyle discreet = {.discreet = true};
    stops(s, "softmax.shifted[1] changes", &discreet,
          "softmax.shifted[1] 0000 -> 7fc1 127.75390625 <- x[1] - max = 8000 - 003f"
          "  (the edge of cycle 407)");
    stops(s, "valid == 1", &discreet,
          "valid 0 -> 1: out_emb will be complete  (the edge of cycle 2952)");
    session_free(s);
}

static void nothing_is_told_of_a_run_that_no_element_stopped(void **state)
{
    (void)state;
    Buf story = {0};
    Session *s = open_machine("bridge", small, "integration");
    assert_true(session_run(s, "valid == 1", NULL));
    assert_int_equal(finish_run(s), RUN_BREAK);
    assert_true(session_run(s, "q[0] == 0x7fff", NULL));
    assert_int_equal(finish_run(s), RUN_END);
    assert_false(story_stop(s, &(StopStyle){0}, &story));
    session_free(s);
}

/* " 0012" or " 3" or " IDLE", of the machine as it is. */
static void add_present(const Session *s, const Signal *signal, int at, Buf *out)
{
    char word[64];
    int32_t raw = signal_get(session_engine(s), signal, at);
    if (signal->type == TYPE_FIXED)
        signal_hex(session_engine(s), signal, raw, word, sizeof word);
    else
        signal_value(signal, raw, word, sizeof word);
    buf_printf(out, " %s", word);
}

/* What another session finds in the cycle before and in this one; and no story of a change that
 * was not. */
static void check_story(const Session *s, Session *other)
{
    const Signal *signal;
    int at;
    char name[80];
    Buf want = {0}, story = {0};
    assert_true(session_hit(s, &signal, &at));
    signal_element_name(session_engine(s), signal, at, name, sizeof name);
    buf_text(&want, name);
    session_goto(other, cycle(s) - 1);
    add_present(other, signal, at, &want);
    buf_text(&want, " ->");
    session_goto(other, cycle(s));
    add_present(other, signal, at, &want);
    assert_true(story_stop(s, &(StopStyle){0}, &story));
    if (strncmp(buf_str(&story), buf_str(&want), want.len) != 0)
        fail_msg("cycle %d: %s, not %s", (int)cycle(s), buf_str(&story), buf_str(&want));
    buf_free(&want);
    buf_free(&story);
}

/* Its first hits forward, and the same ones backward. */
static void check_condition(const char *variant, const char *condition, Session *other)
{
    enum { MANY = 60 };
    Session *s = open_machine(variant, small, "random:9:900:20000");
    int hits = 0, back = 0;
    while (hits < MANY && session_run(s, condition, NULL) && finish_run(s) == RUN_BREAK) {
        check_story(s, other);
        hits++;
    }
    session_step(s, 1);
    while (session_run_back(s, condition, NULL) && finish_run(s) == RUN_BREAK) {
        check_story(s, other);
        back++;
    }
    assert_true(hits > 0);
    assert_true(back == hits || (back == hits + 1 && hits == MANY)); /* the step was one */
    session_free(s);
}

static void stories_agree_with_the_machine_both_ways(void **state)
{
    (void)state;
    static const char *const variants[][2] = {{"bridge", "ln1.acc changes"},
                                              {"stream", "attn.acc changes"},
                                              {"array", "array.acc changes"}};
    static const char *const conditions[] = {
        "q changes",  "out_emb saturates", "any wraps",       "attn.state changes", "ffn.i changes",
        "start == 1", "valid changes",     "ln2.acc changes", "K changes"};
    for (size_t v = 0; v < 3; v++) {
        Session *other = open_machine(variants[v][0], small, "random:9:900:20000");
        check_condition(variants[v][0], variants[v][1], other);
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++)
            check_condition(variants[v][0], conditions[c], other);
        session_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_states_counters_and_flags_are_told_from_old_to_new),
        cmocka_unit_test(accumulators_are_told_with_their_fraction_bits),
        cmocka_unit_test(of_comparisons_the_new_one_is_told),
        cmocka_unit_test(edits_are_told_as_such),
        cmocka_unit_test(what_is_old_is_told_without_a_change),
        cmocka_unit_test(operands_come_first_where_there_is_little_room),
        cmocka_unit_test(a_discreet_story_keeps_back_that_it_wraps),
        cmocka_unit_test(nothing_is_told_of_a_run_that_no_element_stopped),
        cmocka_unit_test(stories_agree_with_the_machine_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
