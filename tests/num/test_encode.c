/* Properties of encoding that hold for every format: round trips, every tie, both paths to the
 * leading bits, stochastic rounding. */
#include "num_test.h"

#include <math.h>

#include "num/measure.h"

/* Formats small enough to go through code by code. */
static bool is_small(const Format *f)
{
    return f->bits <= 19;
}

static void every_finite_code_encodes_to_itself(void **state)
{
    (void)state;
    Value v;
    value_init(&v);
    for (const Format *f = format_table; f->name; f++) {
        for (uint32_t code = 0; is_small(f) && code >> f->bits == 0; code++) {
            if (format_class(f, code) >= CLASS_INF)
                continue;
            format_value(f, code, &v);
            for (RoundMode mode = ROUND_NE; mode <= ROUND_DOWN; mode++) {
                Encoded e = format_round(f, &v, &(const Rounding){.mode = mode});
                if (e.code != code || !e.exact || e.tie || e.overflow)
                    fail_msg("%s %x comes back as %x", f->name, (unsigned)code, (unsigned)e.code);
            }
        }
    }
    value_free(&v);
}

static void doubles_and_values_of_codes_agree(void **state)
{
    (void)state;
    Value v, same;
    value_init(&v);
    value_init(&same);
    for (const Format *f = format_table; f->name; f++) {
        for (uint32_t code = 0; is_small(f) && code >> f->bits == 0; code++) {
            format_value(f, code, &v);
            double x = format_to_double(f, code);
            if (v.kind == VALUE_NAN) {
                assert_true(isnan(x));
                continue;
            }
            value_set_double(&same, x);
            assert_int_equal(value_cmp(&v, &same), 0);
            assert_int_equal(v.negative, same.negative);
        }
    }
    value_free(&v);
    value_free(&same);
}

/* Between every two neighbours: the tie goes to the even code (e8m0: up), and a distance from it
 * of 2^-120 ulp, far below a double's, decides. */
static void every_tie_and_what_lies_beside_it(void **state)
{
    (void)state;
    Value low, high, tie, tiny;
    value_init(&low);
    value_init(&high);
    value_init(&tie);
    value_init(&tiny);
    for (const Format *f = format_table; f->name; f++) {
        for (uint32_t code = 0; f->bits <= 16 && code >> f->bits == 0; code++) {
            uint32_t next;
            CodeClass c = format_class(f, code);
            bool minus_zero = code != 0 && c == CLASS_ZERO;
            if (minus_zero || c == CLASS_INF || !format_step(f, code, 1, &next) ||
                format_class(f, next) == CLASS_INF)
                continue;
            format_value(f, code, &low);
            format_value(f, next, &high);
            value_sub(&tiny, &high, &low);
            tiny.exp2 -= 120;
            value_midpoint(&tie, &low, &high);
            if (low.negative && next == 0) /* zero from below keeps the sign where there is one */
                next = format_encode(f, &(const Value){.negative = true}, &(const Rounding){0});
            Encoded e = format_round(f, &tie, &(const Rounding){0});
            int64_t rank = 0;
            format_rank(f, code, &rank);
            assert_int_equal(e.code, f->no_zero || rank % 2 ? next : code);
            assert_true(e.tie && !e.exact);
            value_add(&low, &tie, &tiny);
            assert_int_equal(format_encode(f, &low, &(const Rounding){0}), next);
            value_sub(&low, &tie, &tiny);
            assert_int_equal(format_encode(f, &low, &(const Rounding){0}), code);
        }
    }
    value_free(&low);
    value_free(&high);
    value_free(&tie);
    value_free(&tiny);
}

/* The fast path of value_leading takes 64-bit integers times powers of ten; 3 * v / 3 goes through
 * GMP. They must agree on every bit. */
static void the_fast_path_equals_the_exact_one(void **state)
{
    (void)state;
    Random random = {42};
    Value v;
    value_init(&v);
    for (int i = 0; i < 200000; i++) {
        uint64_t n = random_next(&random) >> (random_next(&random) % 64);
        value_set_binary(&v, false, n ? n : 1, (int32_t)(random_next(&random) % 200) - 100);
        v.exp10 = (int32_t)(random_next(&random) % 55) - 27;
        Leading fast = value_leading(&v);
        mpz_mul_ui(v.num, v.num, 3);
        mpz_set_ui(v.den, 3);
        Leading exact = value_leading(&v);
        assert_true(fast.sig == exact.sig && fast.exp == exact.exp && fast.more == exact.more);
        assert_true(fast.sig >> 63 == 1);
    }
    value_free(&v);
}

/* Parsed short decimals against the same digits with zeros that push them through GMP. */
static void short_and_long_decimals_agree(void **state)
{
    (void)state;
    Random random = {7};
    char text[80];
    for (int i = 0; i < 20000; i++) {
        unsigned long long n = random_next(&random) >> (random_next(&random) % 64);
        int e = (int)(random_next(&random) % 60) - 50;
        for (const Format *f = format_table; f->name; f++) {
            snprintf(text, sizeof text, "%llue%d", n, e);
            uint32_t got = encode_text(f->name, text, ROUND_NE, OVERFLOW_WRAP);
            snprintf(text, sizeof text, "%llu.0000000000000000000000e%d", n, e);
            assert_int_equal(encode_text(f->name, text, ROUND_NE, OVERFLOW_WRAP), got);
        }
    }
}

static void ranks_order_the_codes(void **state)
{
    (void)state;
    Value v, next_value;
    value_init(&v);
    value_init(&next_value);
    for (const Format *f = format_table; f->name; f++) {
        uint32_t code, next;
        int64_t rank = -70000; /* from the lowest code up */
        while (is_small(f) && !format_at_rank(f, rank, &code) && rank < 0)
            rank++;
        for (; f->bits <= 16 && format_step(f, code, 1, &next); code = next) {
            uint32_t back;
            format_value(f, code, &v);
            format_value(f, next, &next_value);
            assert_int_equal(value_cmp(&v, &next_value), -1);
            assert_true(format_step(f, next, -1, &back));
            assert_int_equal(back, code);
        }
    }
    value_free(&v);
    value_free(&next_value);
}

/* How often of n draws text rounds to code. */
static int count_up(const char *format, const char *text, Overflow overflow, uint32_t code, int n)
{
    Random random = {2024};
    const Rounding rounding = {ROUND_STOCHASTIC, overflow, &random};
    Value v;
    value_init(&v);
    set_text(&v, text);
    int count = 0;
    for (int i = 0; i < n; i++)
        count += format_encode(format_find(format), &v, &rounding) == code;
    value_free(&v);
    return count;
}

static void assert_near(int count, double expected)
{
    double sigma = sqrt(expected) + 1.0;
    if (fabs(count - expected) > 5.0 * sigma)
        fail_msg("%d times, expected about %.0f", count, expected);
}

static void stochastic_rounding_has_the_fractions_probability(void **state)
{
    (void)state;
    enum { N = 100000 };
    assert_near(count_up("e5m2", "bits32:0x38900000", OVERFLOW_SATURATE, 5, N), N * 0.5);
    assert_near(count_up("e4m3", "1.01", OVERFLOW_SATURATE, 0x39, N), N * 0.08);
    assert_near(count_up("e4m3", "-1.12", OVERFLOW_SATURATE, 0xb9, N), N * 0.96);
    assert_near(count_up("q8.8", "0.001", OVERFLOW_SATURATE, 1, N), N * 0.256);
    assert_near(count_up("e2m1", "0.01", OVERFLOW_SATURATE, 1, N), N * 0.02);
    assert_near(count_up("e8m0", "5", OVERFLOW_SATURATE, 0x82, N), N * 0.25);
    assert_near(count_up("fp16", "0.3333333333333333333333333333", OVERFLOW_SATURATE, 0x3556, N),
                N * (1.0 / 3.0));
    /* 449 is between 448 and what would be 480 */
    assert_near(count_up("e4m3", "449", OVERFLOW_IEEE, 0x7f, N), N / 32.0);
    assert_int_equal(count_up("e4m3", "449", OVERFLOW_SATURATE, 0x7e, N), N);
    /* exact values and signs never move */
    assert_int_equal(count_up("e4m3", "-0.001953125", OVERFLOW_SATURATE, 0x81, N), N);
    assert_int_equal(count_up("bf16", "-0", OVERFLOW_SATURATE, 0x8000, N), N);
}

/* With a generator whose words are known, a fraction one bit above the word goes up, the word
 * itself is decided by the next words. */
static void stochastic_rounding_looks_past_sixty_four_bits(void **state)
{
    (void)state;
    Random random = {99};
    uint64_t first = random_next(&random), second = random_next(&random);
    Value v, tail;
    value_init(&v);
    value_init(&tail);
    for (int above = 0; above < 2; above++) { /* 1 + first / 2^64 + (second + above) / 2^128 */
        value_set_binary(&v, false, first, -64);
        value_set_binary(&tail, false, second + (uint64_t)above, -128);
        value_add(&v, &v, &tail);
        value_set_binary(&tail, false, 1, 0);
        value_add(&v, &v, &tail);
        random.state = 99;
        const Rounding rounding = {.mode = ROUND_STOCHASTIC, .random = &random};
        assert_int_equal(format_encode(format_find("int8"), &v, &rounding), 1 + above);
    }
    value_free(&v);
    value_free(&tail);
}

static void seeds_repeat(void **state)
{
    (void)state;
    /* splitmix64's published first words for seed 1234567 */
    Random random = {1234567};
    assert_true(random_next(&random) == UINT64_C(6457827717110365317));
    assert_true(random_next(&random) == UINT64_C(3203168211198807973));
}

static void flags_tell_what_happened(void **state)
{
    (void)state;
    const struct {
        const char *format, *text;
        bool exact, tie, overflow;
    } rows[] = {
        {"e4m3", "448", true, false, false},  {"e4m3", "464", false, true, false},
        {"e4m3", "465", false, false, true},  {"e4m3", "200", false, true, false},
        {"fp16", "65520", false, true, true}, {"fp16", "inf", false, false, true},
        {"e2m1", "7", false, true, true},     {"e2m1", "9", false, false, true},
        {"q8.8", "200", false, false, true},  {"q8.8", "127.998046875", false, true, true},
        {"e4m3", "nan", true, false, false},  {"e2m1", "nan", false, false, false},
        {"e8m0", "0", false, false, true},    {"e8m0", "3", false, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value v;
        value_init(&v);
        set_text(&v, rows[i].text);
        Encoded e = format_round(format_find(rows[i].format), &v, &(const Rounding){0});
        if (e.exact != rows[i].exact || e.tie != rows[i].tie || e.overflow != rows[i].overflow)
            fail_msg("%s of %s: exact %d tie %d overflow %d", rows[i].format, rows[i].text, e.exact,
                     e.tie, e.overflow);
        value_free(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finite_code_encodes_to_itself),
        cmocka_unit_test(doubles_and_values_of_codes_agree),
        cmocka_unit_test(every_tie_and_what_lies_beside_it),
        cmocka_unit_test(the_fast_path_equals_the_exact_one),
        cmocka_unit_test(short_and_long_decimals_agree),
        cmocka_unit_test(ranks_order_the_codes),
        cmocka_unit_test(stochastic_rounding_has_the_fractions_probability),
        cmocka_unit_test(stochastic_rounding_looks_past_sixty_four_bits),
        cmocka_unit_test(seeds_repeat),
        cmocka_unit_test(flags_tell_what_happened),
    };
    return cmocka_run_group_tests_name("num encode", tests, NULL, NULL);
}
