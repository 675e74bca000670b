/* The closed forms per stage and per state against a machine that is stepped. */
#include "test.h"

#include "engine/engine.h"
#include "session/session.h"
#include "engine/cycle.h"

static Session *open_session(const char *options)
{
    char text[128], *save = NULL;
    Err err = {0};
    Setup setup;
    setup_init(&setup);
    snprintf(text, sizeof text, "%s", options);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_true(config_set(&setup.config, word, value, &err));
    }
    assert_true(setup_check(&setup, &err));
    return session_new(&setup);
}

static void check_token(Session *s, int pos)
{
    static const SignalId fsms[] = {SIG_TOP_STATE,  SIG_LN1_STATE,  SIG_LN2_STATE,
                                    SIG_ATTN_STATE, SIG_SMAX_STATE, SIG_FFN_STATE};
    enum { FSMS = sizeof fsms / sizeof *fsms };
    const Engine *e = session_engine(s);
    const Config *c = engine_config(e);
    uint64_t measured[STAGE_COUNT] = {0}, run[FSMS] = {0};
    uint64_t cycles = config_cycles(c, c->variant, pos);
    for (uint64_t k = 0; k < cycles; k++) {
        measured[stage_of(e)]++;
        session_step(s, 1);
        for (int f = 0; f < FSMS; f++) {
            const Signal *g = signal_in(e, fsms[f]);
            run[f]++;
            if (!signal_changed(e, g, 0))
                continue;
            const char *left = signal_state_name(g, signal_before(e, g, 0));
            if (strcmp(left, "IDLE") != 0)
                assert_int_equal(run[f], state_cycles(c, fsms[f], left, pos));
            run[f] = 0;
        }
    }
    assert_int_equal(signal_get(e, signal_at(SIG_VALID), 0), 1);
    for (int k = 0; k < STAGE_COUNT; k++)
        assert_int_equal(measured[k], stage_cycles(c, c->variant, pos, (Stage)k));
    session_step(s, 1);
}

static void stages_and_states_last_as_long_as_their_formulas_say(void **state)
{
    static const char *const options[] = {
        "",
        "d_model=8 n_heads=8 d_ff=1 max_seq_len=1",
        "d_model=32 n_heads=2 d_ff=5 max_seq_len=7",
        "variant=stream",
        "variant=stream d_model=8 n_heads=8 d_ff=1 max_seq_len=1",
        "variant=stream d_model=16 n_heads=2 d_ff=5 max_seq_len=4",
        "variant=array",
        "variant=array d_model=8 n_heads=8 d_ff=1 max_seq_len=1 pe_rows=1 pe_cols=1",
        "variant=array d_model=16 n_heads=2 d_ff=5 max_seq_len=4 pe_rows=3 pe_cols=7",
        "variant=array d_model=8 n_heads=2 d_ff=3 max_seq_len=2 pe_cols=16",
        "ffn=swiglu norm=rms d_ff=170",
        "ffn=swiglu d_model=8 n_heads=8 d_ff=1 max_seq_len=1",
        "ffn=swiglu variant=stream d_model=16 n_heads=2 d_ff=5 max_seq_len=4",
        "ffn=swiglu variant=array d_model=8 n_heads=2 d_ff=9 max_seq_len=2 pe_cols=5",
        "ffn=swiglu variant=array d_model=8 n_heads=2 d_ff=3 max_seq_len=2 pe_cols=1",
        "norm=rms",
        "norm=rms d_model=8 n_heads=8 d_ff=1 max_seq_len=1",
        "norm=rms variant=stream d_model=16 n_heads=2 d_ff=5 max_seq_len=4",
        "norm=rms variant=array d_model=8 n_heads=2 d_ff=3 max_seq_len=2 pe_cols=3"};
    (void)state;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        Session *s = open_session(options[k]);
        int tokens = setup_token_count(session_setup(s));
        for (int pos = 0; pos < tokens && pos < 4; pos++)
            check_token(s, pos);
        session_free(s);
    }
}

static void the_stages_of_every_machine_add_up_to_their_token(void **state)
{
    (void)state;
    Session *s = open_session("d_model=32 n_heads=4 d_ff=100 max_seq_len=9");
    const Config *c = engine_config(session_engine(s));
    for (int v = VARIANT_BRIDGE; v < VARIANT_COUNT; v++) {
        for (int pos = 0; pos < 9; pos += 4) {
            uint64_t sum = 0;
            for (int k = 0; k < STAGE_COUNT; k++)
                sum += stage_cycles(c, (Variant)v, pos, (Stage)k);
            assert_int_equal(sum, config_cycles(c, (Variant)v, pos));
        }
    }
    session_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_and_states_last_as_long_as_their_formulas_say),
        cmocka_unit_test(the_stages_of_every_machine_add_up_to_their_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
