/* Norm layer and norm rms: the vectors of functions_next.txt, where the two agree, and what a
 * machine with RMSNorm has no more. */
#include "test.h"

#include "engine/engine.h"

typedef struct Bench {
    Config config;
    Weights *weights;
    Engine *engine;
} Bench;

static void bench_open(Bench *b, const char *norm, int d_model)
{
    Err err = {0};
    *b = (Bench){0};
    assert_true(config_preset(&b->config, "deck", &err));
    assert_true(config_set(&b->config, "norm", norm, &err));
    b->config.d_model = d_model;
    b->config.d_ff = 1;
    assert_true(config_check(&b->config, &err));
    b->weights = weights_new(&b->config);
    for (int i = 0; i < d_model; i++)
        b->weights->data[WEIGHT_LN1_GAMMA][i] = 0x100;
    weights_finish(b->weights);
    b->engine = engine_new(&b->config, b->weights);
}

static void bench_close(Bench *b)
{
    engine_free(b->engine);
    weights_free(b->weights);
}

static int32_t get(const Bench *b, SignalId id, int at)
{
    return signal_get(b->engine, signal_at(id), at);
}

/* Layer norm 1 on x, from ln1_start to ln1.valid; the cycles between. */
static int run_ln1(Bench *b, const int16_t *x)
{
    int cycles = 0;
    engine_reset(b->engine);
    for (int i = 0; i < b->config.d_model; i++)
        assert_true(signal_set(b->engine, signal_at(SIG_TOKEN_EMB), i, x[i], NULL));
    assert_true(signal_set(b->engine, signal_at(SIG_LN1_START), 0, 1, NULL));
    for (; !get(b, SIG_LN1_VALID, 0); cycles++)
        engine_step(b->engine);
    return cycles;
}

/* The words behind `name` on the line, up to the next name; how many. */
static int words_of(const char *line, const char *name, int16_t *words)
{
    const char *at = strstr(line, name);
    int n = 0, used = 0;
    unsigned word = 0;
    assert_non_null(at);
    for (at += strlen(name); sscanf(at, " %4x%n", &word, &used) == 1; at += used)
        words[n++] = (int16_t)word;
    return n;
}

static void the_vectors_of_the_golden_file(void **state)
{
    static char line[8192];
    int16_t x[64], want[64], var, inv_std;
    int lines = 0, D = 0;
    FILE *f = fopen(GOLDEN "options-a/functions_next.txt", "r");
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        Bench b;
        if (sscanf(line, "rms_norm %d", &D) != 1)
            continue;
        bench_open(&b, "rms", D);
        assert_int_equal(words_of(line, " in ", x), D);
        assert_int_equal(words_of(line, " var ", &var), 1);
        assert_int_equal(words_of(line, " inv_std ", &inv_std), 1);
        assert_int_equal(words_of(line, " out ", want), D);
        assert_int_equal(run_ln1(&b, x), 2 * D + 3);
        assert_int_equal(get(&b, SIG_LN1_VAR, 0), var);
        assert_int_equal(get(&b, SIG_LN1_INV_STD, 0), inv_std);
        for (int i = 0; i < D; i++)
            assert_int_equal(get(&b, SIG_LN1_OUT, i), want[i]);
        bench_close(&b);
        lines++;
    }
    fclose(f);
    assert_int_equal(lines, 12);
}

/* Where the mean is 0 and beta too, layer norm says the same, at every size of numbers. */
static void on_vectors_without_a_mean_the_two_agree(void **state)
{
    enum { D = 16 };
    Bench rms, layer;
    int16_t x[D];
    uint32_t r = 9;
    (void)state;
    bench_open(&rms, "rms", D);
    bench_open(&layer, "layer", D);
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < D; i += 2) {
            r = r * 1664525u + 1013904223u;
            x[i] = (int16_t)(r >> 16) >> round % 12;
            x[i + 1] = (int16_t)(x[i] == INT16_MIN ? INT16_MAX : -x[i]);
        }
        assert_int_equal(run_ln1(&layer, x), 3 * D + 4);
        assert_int_equal(run_ln1(&rms, x), 2 * D + 3);
        if (get(&layer, SIG_LN1_MEAN, 0) != 0)
            continue;
        assert_int_equal(get(&rms, SIG_LN1_VAR, 0), get(&layer, SIG_LN1_VAR, 0));
        for (int i = 0; i < D; i++)
            assert_int_equal(get(&rms, SIG_LN1_OUT, i), get(&layer, SIG_LN1_OUT, i));
    }
    for (int i = 0; i < D; i++)
        x[i] = 0x80; /* with one they do not */
    run_ln1(&layer, x);
    run_ln1(&rms, x);
    assert_int_equal(get(&layer, SIG_LN1_OUT, 0), 0);
    assert_true(get(&rms, SIG_LN1_OUT, 0) > 0xf0);
    bench_close(&rms);
    bench_close(&layer);
}

static void no_mean_no_centered_no_beta(void **state)
{
    static const char *const gone[] = {"ln1.mean",     "ln2.mean", "ln1.centered",
                                       "ln2.centered", "ln1_beta", "ln2_beta"};
    Bench rms, layer;
    Err err = {0};
    int states[SIGNAL_STATES];
    (void)state;
    bench_open(&rms, "rms", 16);
    bench_open(&layer, "layer", 16);
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
        assert_null(signal_find(rms.engine, gone[k], strlen(gone[k])));
        assert_non_null(signal_find(layer.engine, gone[k], strlen(gone[k])));
    }
    assert_non_null(signal_find(rms.engine, "ln1.var", 7));
    const Signal *fsm = signal_at(SIG_LN1_STATE);
    assert_int_equal(signal_states(layer.engine, fsm, states), 5);
    assert_int_equal(signal_states(rms.engine, fsm, states), 4);
    assert_string_equal(signal_state_name(fsm, states[1]), "VARIANCE");
    assert_int_equal(states[1], 2); /* its code is as ever */
    assert_true(signal_set(layer.engine, fsm, 0, 1, &err));
    assert_false(signal_set(rms.engine, fsm, 0, 1, &err));
    assert_string_equal(err.text, "ln1.state: this machine has no MEAN");
    assert_false(weights_have(rms.weights, WEIGHT_LN1_BETA));
    assert_true(weights_have(rms.weights, WEIGHT_LN1_GAMMA));
    bench_close(&rms);
    bench_close(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_of_the_golden_file),
        cmocka_unit_test(on_vectors_without_a_mean_the_two_agree),
        cmocka_unit_test(no_mean_no_centered_no_beta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
