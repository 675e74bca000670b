/* Variant stream against its state lists, and against bridge: the same bits for any weights. */
#include "variant.h"

#include "base/file.h"

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
    Config c = sized(VARIANT_STREAM, (Size){16, 4, 32, 8, 0, 0});
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

static void results_are_those_of_bridge_bit_for_bit(void **state)
{
    (void)state;
    same_bits(VARIANT_STREAM, (Size){8, 8, 1, 1, 0, 0}, 3000, 1, NULL);
    same_bits(VARIANT_STREAM, (Size){8, 1, 3, 2, 0, 0}, 32767, 2, NULL);
    same_bits(VARIANT_STREAM, (Size){16, 4, 32, 8, 0, 0}, 200, 3, NULL);
    same_bits(VARIANT_STREAM, (Size){32, 2, 9, 5, 0, 0}, 32767, 4, NULL);
    same_bits(VARIANT_STREAM, (Size){64, 4, 256, 128, 0, 0}, 32767, 5, NULL);
    same_bits(VARIANT_STREAM, (Size){128, 16, 40, 3, 0, 0}, 5000, 6, NULL);
}

static void the_defaults_take_the_published_cycles(void **state)
{
    (void)state;
    Config c = sized(VARIANT_STREAM, (Size){64, 4, 256, 128, 0, 0});
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 0), 44864);
    assert_int_equal(config_cycles(&c, VARIANT_STREAM, 64), 44864 + 64 * 136);
}

/* Element d of K and V lands on the edge that ends the (d + 1)-th cycle after WRITE_CACHE. */
static void the_cache_is_written_element_by_element(void **state)
{
    (void)state;
    Config c = sized(VARIANT_STREAM, (Size){8, 2, 3, 4, 0, 0});
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

static void pokes_do_no_harm(void **state)
{
    (void)state;
    poke_and_step(VARIANT_STREAM, (Size){8, 2, 3, 2, 0, 0}, NULL);
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
