/* fp16 and bf16 scales. The reference is arithmetic in double, which holds every fp16 exactly. */
#include "test.h"

#include <math.h>

#include "tensor/half.h"

static double reference(unsigned h)
{
    unsigned exponent = h >> 10 & 31;
    double fraction = h & 1023;
    double v = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
    return h & 0x8000 ? -v : v;
}

static void every_finite_fp16_decodes_exactly_and_back(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        if ((h & 0x7c00) == 0x7c00)
            continue;
        uint32_t bits = half_to_f32((uint16_t)h);
        assert_true((double)f32_value(bits) == reference(h));
        assert_int_equal(bits >> 31, h >> 15);
        uint16_t back = 0;
        assert_true(half_from_f32(bits, &back));
        assert_int_equal(back, h);
    }
}

static void inf_keeps_its_sign_and_every_nan_is_7fc00000(void **state)
{
    (void)state;
    uint16_t h;
    assert_int_equal(half_to_f32(0x7c00), 0x7f800000);
    assert_int_equal(half_to_f32(0xfc00), 0xff800000);
    for (unsigned f = 1; f < 1024; f++) {
        assert_int_equal(half_to_f32((uint16_t)(0x7c00 | f)), 0x7fc00000);
        assert_int_equal(half_to_f32((uint16_t)(0xfc00 | f)), 0x7fc00000);
    }
    assert_false(half_from_f32(0x7f800000, &h));
    assert_false(half_from_f32(0x7fc00000, &h));
}

static void subnormals_are_not_flushed(void **state)
{
    (void)state;
    assert_true(f32_value(half_to_f32(0x0001)) == 5.960464477539063e-08f);
    assert_true((double)f32_value(half_to_f32(0x0011)) == 1.0132789611816406e-06);
    assert_true((double)f32_value(half_to_f32(0x03ff)) == 6.097555160522461e-05);
    assert_true((double)f32_value(half_to_f32(0x0400)) == 6.103515625e-05);
    assert_int_equal(half_class(0x0011), HALF_SUBNORMAL);
    assert_int_equal(half_class(0x8000), HALF_ZERO);
    assert_int_equal(half_class(0x0400), HALF_NORMAL);
    assert_int_equal(half_class(0xfc00), HALF_INF);
    assert_int_equal(half_class(0xfc01), HALF_NAN);
}

static void floats_between_two_fp16_are_refused(void **state)
{
    (void)state;
    uint16_t h;
    for (unsigned i = 0; i < 0x7c00; i += 7) {
        uint32_t bits = half_to_f32((uint16_t)i);
        assert_false(half_from_f32(bits + 1, &h));
    }
    assert_false(half_from_f32(f32_bits(65505.0f), &h));
    assert_false(half_from_f32(f32_bits(65536.0f), &h));
    assert_false(half_from_f32(f32_bits(0x1p-25f), &h));
    assert_false(half_from_f32(0x00000001, &h)); /* the smallest float */
}

static void an_integer_times_a_power_of_two(void **state)
{
    (void)state;
    uint16_t h;
    assert_true(half_from_scaled(2048, 0, &h) && h == 0x6800);
    assert_false(half_from_scaled(2049, 0, &h)); /* 12 significant bits */
    assert_false(half_from_scaled(4098, 0, &h)); /* 2049 again, one place up */
    assert_true(half_from_scaled(1, -24, &h) && h == 0x0001);
    assert_false(half_from_scaled(1, -25, &h));
    assert_true(half_from_scaled(32768, 0, &h) && h == 0x7800);
    assert_true(half_from_scaled(2047, 5, &h) && h == 0x7bff);
    assert_false(half_from_scaled(1, 16, &h));
    assert_true(half_from_scaled(17, -24, &h) && h == 0x0011);
    assert_true(half_from_scaled(0, 100, &h) && h == 0);
}

static void bf16_facts(void **state)
{
    (void)state;
    unsigned exact = 0;
    unsigned normals = 0;
    for (unsigned h = 0x0400; h < 0x7c00; h++) {
        normals++;
        exact += half_is_bf16((uint16_t)h);
        assert_int_equal(half_is_bf16((uint16_t)h), (h & 7) == 0);
    }
    assert_int_equal(exact * 8, normals); /* 12.5 % */
    assert_true(f32_value(half_as_bf16(0x3c04)) == 1.0f);
    assert_true(f32_value(half_as_bf16(0x2e66)) == 0.10009765625f);
    assert_true(fabs(half_bf16_error(0x3c04) - 3.891e-3) < 1e-6);
    assert_true(fabs(half_bf16_error(0x2e66) - 1.221e-3) < 1e-6);
    assert_true(half_bf16_error(0x7c00) == 0 && half_bf16_error(0) == 0);
    assert_false(half_is_bf16(0x7c01));
}

static void the_fields_of_a_scale(void **state)
{
    (void)state;
    HalfFields f = half_fields(0xae66);
    assert_int_equal(f.sign, 1);
    assert_int_equal(f.exponent, 11);
    assert_int_equal(f.fraction, 0x266);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finite_fp16_decodes_exactly_and_back),
        cmocka_unit_test(inf_keeps_its_sign_and_every_nan_is_7fc00000),
        cmocka_unit_test(subnormals_are_not_flushed),
        cmocka_unit_test(floats_between_two_fp16_are_refused),
        cmocka_unit_test(an_integer_times_a_power_of_two),
        cmocka_unit_test(bf16_facts),
        cmocka_unit_test(the_fields_of_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
