/* Numbers as people read them: each signal knows its fraction bits. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/signals.h"

static void values_are_exact_to_the_last_fraction_bit(void **state)
{
    (void)state;
    static const struct {
        SignalId id;
        int32_t raw;
        const char *text;
    } cases[] = {
        {SIG_OUT_EMB, 0x97, "0.58984375"},
        {SIG_OUT_EMB, -32768, "-128.0"},
        {SIG_SMAX_SUM, 0x7fffffff, "8388607.99609375"},
        {SIG_ATTN_ACC, 0x3f80, "0.248046875"},
        {SIG_ATTN_ACC_K, 1, "0.0000152587890625"},
        {SIG_ATTN_ACC_V, -1, "-0.0000152587890625"},
        {SIG_FFN_ACC, INT32_MIN, "-32768.0"},
        {SIG_ARRAY_ACC, 0x7fffffff, "32767.9999847412109375"},
        {SIG_ARRAY_USEFUL, 49152, "49152"},
        {SIG_TOP_STATE, 4, "ATTN_WAIT"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Signal *s = signal_at(cases[k].id);
        char text[40];
        assert_int_equal(signal_value(s, cases[k].raw, text, sizeof text), strlen(cases[k].text));
        assert_string_equal(text, cases[k].text);
        if (s->type == TYPE_FIXED)
            assert_true(signal_real(s, cases[k].raw) == strtod(text, NULL));
    }
}

/* A sum of products of Q8.8 words has twice their fraction bits; nothing else differs from 8. */
static void every_number_knows_its_fraction(void **state)
{
    (void)state;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        const char *dot = strrchr(s->path, '.');
        bool products = s->help && strstr(s->help, "1/65536") != NULL;
        int frac = s->type != TYPE_FIXED ? 0 : products ? 16 : 8;
        if (s->frac != frac)
            fail_msg("%s: %d fraction bits, not %d", s->path, s->frac, frac);
        if (products)
            assert_true(dot && strncmp(dot, ".acc", 4) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_exact_to_the_last_fraction_bit),
        cmocka_unit_test(every_number_knows_its_fraction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
