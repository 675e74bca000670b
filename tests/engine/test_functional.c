/* The functional machine against the stepped one: every vector of every token, bit for bit. */
#include "engine/engine.h"
#include "engine/functional.h"
#include "test.h"

static int draw(uint32_t *x, int low, int high)
{
    *x = *x * 1664525u + 1013904223u;
    return low + (int)((*x >> 16) % (uint32_t)(high - low + 1));
}

static Weights *random_weights(const Config *c, int amp, uint32_t *x)
{
    Weights *w = weights_new(c);
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        for (int i = 0; i < w->rows[m] * w->cols[m]; i++)
            w->data[m][i] = (int16_t)draw(x, -amp, amp);
    }
    weights_finish(w);
    return w;
}

static void compare(const Engine *e, SignalId id, int first, const int16_t *want, int n)
{
    for (int i = 0; i < n; i++) {
        if (signal_get(e, signal_at(id), first + i) != want[i])
            fail_msg("%s[%d] is %d, functional %d", signal_at(id)->path, first + i,
                     (int)signal_get(e, signal_at(id), first + i), want[i]);
    }
}

static void step_token(Engine *e, const int16_t *x, int D, int p)
{
    for (int i = 0; i < D; i++)
        signal_set(e, signal_at(SIG_TOKEN_EMB), i, x[i], NULL);
    signal_set(e, signal_at(SIG_SEQ_POS), 0, p, NULL);
    signal_set(e, signal_at(SIG_START), 0, 1, NULL);
    engine_step(e);
    signal_set(e, signal_at(SIG_START), 0, 0, NULL);
    while (!signal_get(e, signal_at(SIG_VALID), 0))
        engine_step(e);
}

static void compare_token(const Engine *e, const Pass *f, const Config *c, int p)
{
    int D = c->d_model, F = c->d_ff, H = c->n_heads, S = c->max_seq_len, at = p * D;
    compare(e, SIG_LN1_OUT, 0, f->ln1_out + at, D);
    compare(e, SIG_Q, 0, f->q + at, D);
    compare(e, SIG_K, 0, f->k + at, D);
    compare(e, SIG_V, 0, f->v + at, D);
    for (int h = 0; h < H; h++) {
        compare(e, SIG_SCORES, h * S, f->score + (p * H + h) * f->rows, p + 1);
        compare(e, SIG_PROBS, h * S, f->prob + (p * H + h) * f->rows, p + 1);
    }
    assert_int_equal(signal_get(e, signal_at(SIG_SMAX_SUM), 0), f->sum[p * H + H - 1]);
    assert_int_equal(signal_get(e, signal_at(SIG_LN1_INV_STD), 0), f->ln1_inv_std[p]);
    assert_int_equal(signal_get(e, signal_at(SIG_LN2_INV_STD), 0), f->ln2_inv_std[p]);
    compare(e, SIG_CONCAT, 0, f->concat + at, D);
    compare(e, SIG_ATTN_OUT, 0, f->attn_out + at, D);
    compare(e, SIG_RESIDUAL1, 0, f->residual1 + at, D);
    compare(e, SIG_LN2_OUT, 0, f->ln2_out + at, D);
    if (c->ffn == FFN_KIND_SWIGLU)
        compare(e, SIG_UP, 0, f->up + p * F, F);
    compare(e, SIG_HIDDEN, 0, f->hidden + p * F, F);
    compare(e, SIG_FFN_OUT, 0, f->ffn_out + at, D);
    compare(e, SIG_OUT_EMB, 0, f->out_emb + at, D);
}

static void check(const char *preset, const char *const settings[][2], int amp, int tamp)
{
    Config c;
    uint32_t x = (uint32_t)(amp * 7 + tamp);
    int16_t token_emb[512];
    assert_true(config_preset(&c, preset, NULL));
    for (int i = 0; settings[i][0]; i++)
        assert_true(config_set(&c, settings[i][0], settings[i][1], NULL));
    assert_true(config_check(&c, NULL));
    Weights *w = random_weights(&c, amp, &x);
    Engine *e = engine_new(&c, w);
    int tokens = c.max_seq_len < 9 ? c.max_seq_len : 9;
    Pass *f = pass_new(&c, tokens);
    for (int p = 0; p < tokens; p++) {
        for (int i = 0; i < c.d_model; i++)
            token_emb[i] = (int16_t)draw(&x, -tamp, tamp);
        step_token(e, token_emb, c.d_model, p);
        engine_step(e); /* DONE to IDLE */
        functional_token(&c, w, token_emb, p, f);
        compare_token(e, f, &c, p);
    }
    pass_free(f);
    engine_free(e);
    weights_free(w);
}

static void test_presets_at_the_defaults(void **state)
{
    static const char *const none[][2] = {{NULL, NULL}};
    (void)state;
    check("deck", none, 64, 256);
    check("minus8", none, 64, 256);
    check("repaired", none, 64, 256);
    check("repaired", none, 200, 900);
}

/* Sums that wrap, and scores far apart. */
static void test_where_everything_wraps(void **state)
{
    static const char *const none[][2] = {{NULL, NULL}};
    (void)state;
    check("deck", none, 2000, 20000);
    check("minus8", none, 3000, 32767);
    check("repaired", none, 32767, 32767);
}

static void test_other_sizes(void **state)
{
    static const char *const small[][2] = {
        {"d_model", "8"}, {"n_heads", "2"}, {"d_ff", "3"}, {"max_seq_len", "5"}, {NULL, NULL}};
    static const char *const intended[][2] = {
        {"d_model", "32"}, {"n_heads", "8"}, {"d_ff", "40"}, {"exp", "intended"}, {NULL, NULL}};
    static const char *const overflowing[][2] = {{"max_seq_len", "300"}, {NULL, NULL}};
    static const char *const one[][2] = {{"max_seq_len", "1"}, {NULL, NULL}};
    (void)state;
    check("minus8", small, 300, 700);
    check("deck", small, 300, 700);
    check("repaired", intended, 100, 400);
    check("deck", overflowing, 64, 256);
    check("deck", one, 64, 256);
}

static void test_rmsnorm(void **state)
{
    static const char *const rms[][2] = {{"norm", "rms"}, {NULL, NULL}};
    static const char *const small[][2] = {{"norm", "rms"}, {"d_model", "8"},     {"n_heads", "2"},
                                           {"d_ff", "3"},   {"max_seq_len", "5"}, {NULL, NULL}};
    (void)state;
    check("deck", rms, 64, 256);
    check("repaired", rms, 32767, 32767);
    check("minus8", small, 300, 700);
}

static void test_swiglu(void **state)
{
    static const char *const gated[][2] = {{"ffn", "swiglu"}, {"d_ff", "43"}, {NULL, NULL}};
    static const char *const both[][2] = {{"ffn", "swiglu"}, {"norm", "rms"}, {"d_model", "8"},
                                          {"n_heads", "2"},  {"d_ff", "3"},   {NULL, NULL}};
    (void)state;
    check("deck", gated, 64, 256);
    check("repaired", gated, 32767, 32767);
    check("minus8", both, 300, 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets_at_the_defaults),
        cmocka_unit_test(test_where_everything_wraps),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_rmsnorm),
        cmocka_unit_test(test_swiglu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
