/* A product on the array: phases, wavefronts, tiles, costs; every sum against the plain product. */
#include "test.h"

#include "tell/product.h"

static Product p, random_p;

static void parse(const char *a, const char *b, int rows, int cols)
{
    Err err = {0};
    p.rows = rows;
    p.cols = cols;
    if (!product_parse(&p, a, b, false, "A", "B", &err))
        fail_msg("%s", err.text);
}

static void test_text_becomes_words(void **state)
{
    (void)state;
    Err err;
    parse(" 1,-2  0x8000 ;\t32767 0xffff -32768;", "7;8;9", 4, 4);
    static const int16_t a[] = {1, -2, -32768, 32767, -1, -32768};
    assert_int_equal(p.m, 2);
    assert_int_equal(p.k, 3);
    assert_int_equal(p.n, 1);
    assert_memory_equal(p.a, a, sizeof a);
    assert_true(product_parse(&p, "-128 127.998 0x0097", "0.001953125;-.5;.005859375", true, "A",
                              "B", &err));
    assert_int_equal(p.a[0], -32768);
    assert_int_equal(p.a[1], 32767); /* 127.998 * 256 = 32767.49 */
    assert_int_equal(p.a[2], 0x97);
    assert_int_equal(p.b[0], 0); /* ties to even */
    assert_int_equal(p.b[1], -128);
    assert_int_equal(p.b[2], 2);
    assert_false(product_parse(&p, "127.9985", "1", true, "A", "B", &err));
    assert_string_equal(err.text,
                        "A: 127.9985: must be a value -128..127.99609375 or 0x and hex digits");
}

static void test_phases_of_a_long_and_of_a_short_product(void **state)
{
    (void)state;
    static const ProductPhase long_phases[] = {
        PHASE_FILL,   PHASE_FILL,  PHASE_FILL,  PHASE_STEADY, PHASE_STEADY,
        PHASE_STEADY, PHASE_DRAIN, PHASE_DRAIN, PHASE_DRAIN,  PHASE_FINAL};
    parse("1 2 3 4 5 6", "1 2;3 4;5 6;7 8;9 10;11 12", 3, 2); /* K 6, corner at edge 3 */
    assert_int_equal(product_edges(&p), 9);
    for (int t = 0; t < 10; t++)
        assert_int_equal(product_phase(&p, t), long_phases[t]);
    static const ProductPhase short_phases[] = {PHASE_FILL, PHASE_FILL_DRAIN, PHASE_FILL_DRAIN,
                                                PHASE_DRAIN, PHASE_FINAL};
    parse("5", "7", 3, 2); /* K 1: it is final when done is raised, on edge 3 */
    for (int t = 0; t < 5; t++)
        assert_int_equal(product_phase(&p, t), short_phases[t]);
    SystolicArray s;
    product_run(&p, 0, 3, &s);
    assert_false(systolic_array_done(&s));
    product_run(&p, 0, 4, &s);
    assert_true(systolic_array_done(&s));
}

static void test_wavefronts_are_antidiagonals(void **state)
{
    (void)state;
    parse("1 2 3; 4 5 6; 7 8 9", "1 2 3; 4 5 6; 7 8 9", 3, 3);
    int busy = 0;
    for (int t = 0; t < 8; t++) {
        int first = 0, last = 0;
        product_fronts(&p, t, &first, &last);
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                ProductTerm term;
                bool has = product_term(&p, 0, t, r, c, &term);
                assert_int_equal(has, t - r - c >= first && t - r - c <= last);
                if (has) {
                    assert_int_equal(term.k, t - r - c);
                    assert_int_equal(term.a, 3 * r + term.k + 1);
                    assert_int_equal(term.b, 3 * term.k + c + 1);
                }
            }
        }
        busy += product_busy(&p, 0, t);
    }
    assert_int_equal(busy, 27);
    assert_int_equal(product_busy(&p, 0, 2), 6);
    assert_int_equal(product_busy(&p, 0, 3), 7);
}

static void test_tiles_cover_the_product(void **state)
{
    (void)state;
    uint32_t x = 3;
    random_p = (Product){.m = 9, .k = 13, .n = 11, .rows = 4, .cols = 5};
    for (int i = 0; i < 13 * 11; i++) {
        x = x * 1664525u + 1013904223u;
        random_p.a[i] = (int16_t)(uint16_t)(x >> 16);
        x = x * 1664525u + 1013904223u;
        random_p.b[i] = (int16_t)(uint16_t)(x >> 16);
    }
    int cells = 0, busy = 0;
    assert_int_equal(product_tiles(&random_p), 9);
    for (int tile = 0; tile < 9; tile++) {
        SystolicArray s;
        ProductTile t = product_tile(&random_p, tile);
        product_run(&random_p, tile, product_edges(&random_p), &s);
        for (int edge = 0; edge < product_edges(&random_p); edge++)
            busy += product_busy(&random_p, tile, edge);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 5; c++) {
                uint32_t sum = 0;
                for (int k = 0; r < t.height && c < t.width && k < 13; k++)
                    sum += (uint32_t)(random_p.a[(t.row + r) * 13 + k] *
                                      random_p.b[k * 11 + t.col + c]);
                assert_int_equal(s.pe[r][c].acc, (int32_t)sum);
            }
        }
        cells += t.height * t.width;
    }
    ProductCost cost = product_cost(&random_p);
    assert_int_equal(cells, 99);
    assert_int_equal(cost.macs, 9 * 13 * 11);
    assert_int_equal(busy, 9 * 13 * 11);
    assert_int_equal(cost.edges, 9 * (13 + 4 + 5 - 2));
    assert_int_equal(cost.slots, 9 * 20 * 20);
    assert_int_equal(product_cost_of(&random_p, 1).slots, 3 * 20 * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_becomes_words),
        cmocka_unit_test(test_phases_of_a_long_and_of_a_short_product),
        cmocka_unit_test(test_wavefronts_are_antidiagonals),
        cmocka_unit_test(test_tiles_cover_the_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
