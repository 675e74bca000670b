/* Variant stream against its state lists, and against bridge: the same bits for any weights. */
#include "test.h"

#include "base/buf.h"
#include "base/file.h"
#include "engine/engine.h"

static uint32_t draw(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static int between(uint32_t *x, int low, int high)
{
    return low + (int)(draw(x) % (uint32_t)(high - low + 1));
}

static Config config(Variant v, int d_model, int n_heads, int d_ff, int max_seq_len)
{
    Config c;
    Err err;
    assert_true(config_preset(&c, "deck", &err));
    c.d_model = d_model;
    c.n_heads = n_heads;
    c.d_ff = d_ff;
    c.max_seq_len = max_seq_len;
    c.variant = v;
    assert_true(config_check(&c, &err));
    return c;
}

static Weights *random_weights(const Config *c, uint32_t *x, int amp)
{
    Weights *w = weights_new(c);
    for (int m = 0; m < WEIGHT_COUNT; m++) {
        for (int i = 0; i < w->rows[m] * w->cols[m]; i++)
            w->data[m][i] = (int16_t)between(x, -amp, amp);
    }
    weights_finish(w);
    return w;
}

static int get(const Engine *e, SignalId id)
{
    return signal_get(e, signal_in(e, id), 0);
}

static void present(Engine *e, const int16_t *token, int position)
{
    for (int i = 0; i < engine_config(e)->d_model; i++)
        assert_true(signal_set(e, signal_at(SIG_TOKEN_EMB), i, token[i], NULL));
    assert_true(signal_set(e, signal_at(SIG_SEQ_POS), 0, position, NULL));
    assert_true(signal_set(e, signal_at(SIG_START), 0, 1, NULL));
}

/* One unit's states as runs, from the cycle that samples its start to its DONE. */
typedef struct Runs {
    SignalId fsm, start, valid;
    bool in;
    int state, length;
    Buf text;
} Runs;

static void runs_close(Runs *r, const Engine *e)
{
    if (r->length > 0)
        buf_printf(&r->text, "%s%s*%d", r->text.len ? " " : "",
                   signal_state_name(signal_in(e, r->fsm), r->state), r->length);
    r->length = 0;
}

static void runs_see(Runs *r, const Engine *e)
{
    r->in = r->in || get(e, r->start);
    if (!r->in)
        return;
    int state = get(e, r->fsm);
    if (state != r->state)
        runs_close(r, e);
    r->state = state;
    r->length++;
    if (!get(e, r->valid))
        return;
    runs_close(r, e);
    r->in = false;
}

static uint64_t run_token(Engine *e, Runs *attention, Runs *feed_forward)
{
    uint64_t begin = engine_cycle(e);
    while (!get(e, SIG_VALID)) {
        if (attention) {
            runs_see(attention, e);
            runs_see(feed_forward, e);
        }
        engine_step(e);
        assert_true(signal_set(e, signal_at(SIG_START), 0, 0, NULL));
    }
    uint64_t cycles = engine_cycle(e) - begin;
    engine_step(e);
    return cycles;
}

/* The rest of the next line that begins with `name`. */
static char *next_list(char **text, const char *name)
{
    char *line = strstr(*text, name);
    assert_non_null(line);
    line += strlen(name);
    char *end = strchr(line, '\n');
    *end = '\0';
    *text = end + 1;
    return line;
}

static void states_are_those_of_the_golden_lists(void **state)
{
    (void)state;
    Err err;
    Config c = config(VARIANT_STREAM, 16, 4, 32, 8);
    uint32_t x = 1;
    Weights *w = random_weights(&c, &x, 100);
    Engine *e = engine_new(&c, w);
    char *text = file_read_text(GOLDEN "decoder/stream-states-16x4x32x8.txt", 1 << 20, &err);
    char *at = text;
    int16_t token[16] = {1, 2, 3};
    assert_non_null(text);
    for (int p = 0; p < 3; p++) {
        Runs attention = {.fsm = SIG_ATTN_STATE, .start = SIG_ATTN_START, .valid = SIG_ATTN_VALID};
        Runs feed_forward = {.fsm = SIG_FFN_STATE, .start = SIG_FFN_START, .valid = SIG_FFN_VALID};
        char *header = next_list(&at, "token ");
        int position = -1, cycles = -1;
        assert_int_equal(sscanf(header, "%d cycles_stream %d", &position, &cycles), 2);
        assert_int_equal(position, p);
        present(e, token, p);
        assert_int_equal(run_token(e, &attention, &feed_forward), cycles);
        assert_string_equal(buf_str(&attention.text), next_list(&at, "states_attention_stream "));
        assert_string_equal(buf_str(&feed_forward.text), next_list(&at, "states_ffn_stream "));
        buf_free(&attention.text);
        buf_free(&feed_forward.text);
    }
    free(text);
    engine_free(e);
    weights_free(w);
}

/* Every vector that both have, after every token; K and V too. */
static void compare(const Engine *bridge, const Engine *stream)
{
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (s->kind != KIND_MEMORY)
            continue;
        for (int i = 0; i < signal_count(bridge, s); i++) {
            if (signal_get(bridge, s, i) != signal_get(stream, s, i))
                fail_msg("%s[%d]", s->path, i);
        }
    }
}

static void same_bits(int d_model, int n_heads, int d_ff, int max_seq_len, int amp, uint32_t seed)
{
    Config bridge = config(VARIANT_BRIDGE, d_model, n_heads, d_ff, max_seq_len);
    Config stream = config(VARIANT_STREAM, d_model, n_heads, d_ff, max_seq_len);
    Weights *w = random_weights(&bridge, &seed, amp);
    Engine *a = engine_new(&bridge, w), *b = engine_new(&stream, w);
    int16_t token[512];
    for (int p = 0; p < max_seq_len && p < 4; p++) {
        for (int i = 0; i < d_model; i++)
            token[i] = (int16_t)between(&seed, -amp, amp);
        present(a, token, p);
        present(b, token, p);
        assert_int_equal(run_token(a, NULL, NULL), config_cycles(&bridge, VARIANT_BRIDGE, p));
        assert_int_equal(run_token(b, NULL, NULL), config_cycles(&stream, VARIANT_STREAM, p));
        compare(a, b);
    }
    engine_free(a);
    engine_free(b);
    weights_free(w);
}

static void results_are_those_of_bridge_bit_for_bit(void **state)
{
    (void)state;
    same_bits(8, 8, 1, 1, 3000, 1);
    same_bits(8, 1, 3, 2, 32767, 2);
    same_bits(16, 4, 32, 8, 200, 3);
    same_bits(32, 2, 9, 5, 32767, 4);
    same_bits(64, 4, 256, 128, 32767, 5);
    same_bits(128, 16, 40, 3, 5000, 6);
}

static void the_defaults_take_the_published_cycles(void **state)
{
    (void)state;
    Config c = config(VARIANT_STREAM, 64, 4, 256, 128);
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 0), 44864);
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 64), 44864 + 64 * 136);
}

/* Element d of K and V lands on the edge that ends the (d + 1)-th cycle after WRITE_CACHE. */
static void the_cache_is_written_element_by_element(void **state)
{
    (void)state;
    Config c = config(VARIANT_STREAM, 8, 2, 3, 4);
    uint32_t x = 9;
    Weights *w = random_weights(&c, &x, 900);
    Engine *e = engine_new(&c, w);
    int16_t token[8] = {300, -200, 100, -50, 25, -12, 6, -3};
    present(e, token, 2);
    const Signal *fsm = signal_in(e, SIG_ATTN_STATE);
    while (strcmp(signal_state_name(fsm, signal_get(e, fsm, 0)), "WRITE_CACHE") != 0)
        engine_step(e);
    engine_step(e);
    for (int d = 0; d < 8; d++) {
        int n = 0;
        engine_step(e);
        const Write *writes = engine_writes(e, &n);
        assert_true(n >= 2); /* a score may be stored beside them */
        assert_int_equal(writes[0].signal, SIG_K_CACHE);
        assert_int_equal(writes[1].signal, SIG_V_CACHE);
        assert_int_equal(writes[0].index, 2 * 8 + d);
        assert_int_equal(signal_get(e, signal_at(SIG_K_CACHE), 16 + d),
                         signal_get(e, signal_at(SIG_K), d));
        assert_int_equal(get(e, SIG_CACHE_WRITING), d < 7);
    }
    engine_free(e);
    weights_free(w);
}

/* Whatever a poke leaves in the registers, the machine goes on within its memories. */
static void pokes_do_no_harm(void **state)
{
    (void)state;
    Config c = config(VARIANT_STREAM, 8, 2, 3, 2);
    uint32_t x = 11;
    Weights *w = random_weights(&c, &x, 32767);
    Engine *e = engine_new(&c, w);
    for (int round = 0; round < 100000; round++) {
        const Signal *s = signal_at((SignalId)(draw(&x) % SIG_WEIGHTS));
        if (signal_exists(e, s) && signal_rank(s) == 0)
            (void)signal_set(e, s, 0, (int32_t)(draw(&x) % 20), NULL);
        engine_step(e);
    }
    engine_reset(e);
    int16_t token[8] = {1};
    present(e, token, 1);
    assert_int_equal(run_token(e, NULL, NULL), config_cycles(&c, VARIANT_STREAM, 1));
    engine_free(e);
    weights_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_the_golden_lists),
        cmocka_unit_test(results_are_those_of_bridge_bit_for_bit),
        cmocka_unit_test(the_defaults_take_the_published_cycles),
        cmocka_unit_test(the_cache_is_written_element_by_element),
        cmocka_unit_test(pokes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
