/* The systolic array: known products, every partial sum of every size, done, hold and clear.
 * Expected sums come from the matrices, never from the array. */
#include "test.h"

#include "engine/systolic_array.h"

enum { K_MAX = 24 };

/* One product: A is rows x k, B is k x cols. */
typedef struct Case {
    int rows, cols, k;
    int16_t a[ARRAY_MAX][K_MAX], b[K_MAX][ARRAY_MAX];
} Case;

static uint32_t random_state = 1;

static int16_t random_word(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int16_t)(uint16_t)(random_state >> 16);
}

static Case random_case(int rows, int cols, int k)
{
    Case x = {.rows = rows, .cols = cols, .k = k};
    for (int i = 0; i < k; i++) {
        for (int r = 0; r < rows; r++)
            x.a[r][i] = random_word();
        for (int c = 0; c < cols; c++)
            x.b[i][c] = random_word();
    }
    return x;
}

/* The k-th operands, zeros after the last. */
static ArrayPins pins(const Case *x, int k)
{
    ArrayPins in = {.enable = true};
    for (int r = 0; r < x->rows && k < x->k; r++)
        in.a[r] = x->a[r][k];
    for (int c = 0; c < x->cols && k < x->k; c++)
        in.w[c] = x->b[k][c];
    return in;
}

/* The sum of the products that PE(r,c) has made after `edges` enabled edges. */
static int32_t partial(const Case *x, int r, int c, int edges)
{
    uint32_t sum = 0; /* wraps */
    for (int k = 0; k < x->k && r + c + k < edges; k++)
        sum += (uint32_t)(x->a[r][k] * x->b[k][c]);
    return (int32_t)sum;
}

static void expect_sums(const SystolicArray *s, const Case *x, int edges)
{
    for (int r = 0; r < x->rows; r++) {
        for (int c = 0; c < x->cols; c++)
            assert_int_equal(s->pe[r][c].acc, partial(x, r, c, edges));
    }
}

static void open_array(SystolicArray *s, const Case *x, bool legacy)
{
    Err err;
    assert_true(systolic_array_init(s, x->rows, x->cols, legacy, &err));
}

static void test_the_known_result(void **state)
{
    (void)state;
    static const int32_t sums[5][4] = {
        {0, 0, 0, 0}, {5, 0, 0, 0}, {19, 6, 15, 0}, {19, 22, 43, 18}, {19, 22, 43, 50}};
    Case x = {2, 2, 2, {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    SystolicArray s, legacy;
    open_array(&s, &x, false);
    open_array(&legacy, &x, true);
    for (int edges = 0; edges <= 4; edges++) {
        for (int i = 0; i < 4; i++)
            assert_int_equal(s.pe[i / 2][i % 2].acc, sums[edges][i]);
        assert_int_equal(systolic_array_done(&s), edges > 2);      /* raised on edge 2 */
        assert_int_equal(systolic_array_done(&legacy), edges > 3); /* on edge 3 */
        ArrayPins in = pins(&x, edges);
        systolic_array_step(&s, &in);
        systolic_array_step(&legacy, &in);
    }
    assert_int_equal(legacy.pe[1][1].acc, 50);
}

static void test_every_partial_sum_of_every_size(void **state)
{
    (void)state;
    static const int sizes[][3] = {{1, 1, 1},  {1, 1, 7},   {1, 16, 3},   {16, 1, 5},  {2, 3, 4},
                                   {4, 4, 8},  {5, 2, 24},  {3, 7, 1},    {8, 8, 8},   {7, 5, 11},
                                   {4, 4, 16}, {16, 16, 2}, {16, 16, 24}, {13, 16, 9}, {16, 3, 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Case x = random_case(sizes[i][0], sizes[i][1], sizes[i][2]);
        SystolicArray s, legacy;
        open_array(&s, &x, false);
        open_array(&legacy, &x, true);
        int corner = x.rows + x.cols - 2;
        for (int t = 0; t < x.k + corner + 3; t++) {
            ArrayPins in = pins(&x, t);
            systolic_array_step(&s, &in);
            systolic_array_step(&legacy, &in);
            expect_sums(&s, &x, t + 1);
            assert_int_equal(systolic_array_done(&s), t >= corner);
            assert_int_equal(systolic_array_done(&legacy), t > corner);
        }
        expect_sums(&s, &x, 1000); /* all of A x B, after K + R + C - 2 edges and later */
    }
}

static void test_operands_travel_one_element_an_edge(void **state)
{
    (void)state;
    Case x = random_case(4, 5, 6);
    SystolicArray s;
    open_array(&s, &x, false);
    for (int t = 0; t < 16; t++) {
        ArrayPins in = pins(&x, t);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 5; c++) {
                int k = t - r - c;
                bool has = k >= 0 && k < x.k;
                assert_int_equal(systolic_array_a_in(&s, &in, r, c), has ? x.a[r][k] : 0);
                assert_int_equal(systolic_array_w_in(&s, &in, r, c), has ? x.b[k][c] : 0);
            }
        }
        systolic_array_step(&s, &in);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 5; c++) {
                int k = t - r - c;
                bool has = k >= 0 && k < x.k;
                assert_int_equal(s.pe[r][c].a, has ? x.a[r][k] : 0);
                assert_int_equal(s.pe[r][c].w, has ? x.b[k][c] : 0);
            }
        }
        for (int i = 0; i < 3; i++) /* row 3's skew registers, the newest word first */
            assert_int_equal(s.west[3][i], t - i >= 0 && t - i < x.k ? x.a[3][t - i] : 0);
    }
}

static void test_sums_wrap_at_32_bits(void **state)
{
    (void)state;
    Case x = {1, 1, 3, {{-32768, -32768, -32768}}, {{-32768}, {-32768}, {-32768}}};
    static const int32_t sums[] = {0x40000000, INT32_MIN, -0x40000000};
    SystolicArray s;
    open_array(&s, &x, false);
    for (int t = 0; t < 3; t++) {
        ArrayPins in = pins(&x, t);
        systolic_array_step(&s, &in);
        assert_int_equal(s.pe[0][0].acc, sums[t]);
    }
}

static bool registers_equal(const SystolicArray *a, const SystolicArray *b)
{
    bool equal = a->edge == b->edge;
    for (int r = 0; r < a->rows; r++) {
        for (int c = 0; c < a->cols; c++) {
            equal &= a->pe[r][c].a == b->pe[r][c].a && a->pe[r][c].w == b->pe[r][c].w &&
                     a->pe[r][c].acc == b->pe[r][c].acc;
        }
    }
    return equal && memcmp(a->west, b->west, sizeof a->west) == 0 &&
           memcmp(a->north, b->north, sizeof a->north) == 0;
}

static void test_disabled_edges_hold_everything(void **state)
{
    (void)state;
    Case x = random_case(3, 4, 5);
    SystolicArray s, before;
    open_array(&s, &x, false);
    for (int t = 0; t < 12; t++) {
        ArrayPins noise = {.enable = false};
        memset(noise.a, 0x5a, sizeof noise.a);
        memset(noise.w, 0x3c, sizeof noise.w);
        before = s;
        for (int i = 0; i < t % 3; i++)
            systolic_array_step(&s, &noise);
        assert_true(registers_equal(&s, &before));
        ArrayPins in = pins(&x, t);
        systolic_array_step(&s, &in);
        expect_sums(&s, &x, t + 1);
        assert_int_equal(systolic_array_done(&s), t >= 5);
    }
}

static void test_clear_wins_over_enable(void **state)
{
    (void)state;
    Case x = random_case(4, 3, 6), y = random_case(4, 3, 6);
    SystolicArray s, fresh;
    open_array(&s, &x, true);
    fresh = s;
    for (int stop = 1; stop < 12; stop++) {
        for (int t = 0; t < stop; t++) {
            ArrayPins in = pins(&x, t);
            systolic_array_step(&s, &in);
        }
        ArrayPins clear = pins(&x, 0);
        clear.clear = true;
        assert_true(clear.enable);
        systolic_array_step(&s, &clear);
        assert_true(registers_equal(&s, &fresh));
        for (int t = 0; t < 11; t++) { /* and what follows is as after reset */
            ArrayPins in = pins(&y, t);
            systolic_array_step(&s, &in);
            expect_sums(&s, &y, t + 1);
        }
        clear.enable = false;
        systolic_array_step(&s, &clear);
        assert_true(registers_equal(&s, &fresh));
    }
}

static void test_sizes_are_refused_by_name(void **state)
{
    (void)state;
    SystolicArray s;
    Err err;
    assert_false(systolic_array_init(&s, 0, 4, false, &err));
    assert_string_equal(err.text, "pe_rows 0: must be 1..16");
    assert_false(systolic_array_init(&s, 4, 17, false, &err));
    assert_string_equal(err.text, "pe_cols 17: must be 1..16");
    assert_true(systolic_array_init(&s, 16, 16, false, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_known_result),
        cmocka_unit_test(test_every_partial_sum_of_every_size),
        cmocka_unit_test(test_operands_travel_one_element_an_edge),
        cmocka_unit_test(test_sums_wrap_at_32_bits),
        cmocka_unit_test(test_disabled_edges_hold_everything),
        cmocka_unit_test(test_clear_wins_over_enable),
        cmocka_unit_test(test_sizes_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
