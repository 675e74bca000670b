/* The block formats against bytes worked out by hand or published, never against our own encoder
 * (there is none). Bugs that people shipped, and the test that would catch each here:
 *
 *  ternary.md 7   bug                                       caught by
 *   1  reserved code decoded as +2d                         test_t2 golden_tiles..., byte_5b
 *   2  TQ2_0 read as four consecutive codes                 tq2_0_is_in_bit_planes
 *   3  TQ1_0 low digit first, consecutive                   tq1_0_digits_run_down_and_32_apart
 *   4  qh read as 2-bit codes; the fifth x3 left out        qh_holds_trits, fill_bytes
 *   6  groups of 64 and 128 of id 42 confused               nine_blocks_of_128..., test_container
 *   7  scale first and scale last confused                  a_moved_scale_is_noticed
 *   8  two group-128 scales forced into one                 test_convert golden g128 (scales
 * differ) 9  subnormal scale flushed                              tq2_0_is_in_bit_planes, test_half
 *  10  scale through bf16                                   test_half bf16_facts, golden floats
 *  11  NaN and inf scales                                   test_t2 golden special, test_convert
 *  12  scale read big-endian                                every worked example
 *  14  divided by the scale                                 every worked example
 *  15  layout depends on the writing CPU; zero is 0x55      test_t2 every_vector_form..., convert
 *  16  group term left out of the index                     test_t2 golden (8 column groups differ)
 *  18  partial last block dropped                           test_t2 shapes..., t2_malformed.sh
 *  19  read past the codes into the scales                  golden.h: buffers of exact size, ASan
 *  20  compared with itself                                 golden files come from another encoder
 *  22  wrong row in the type table                          sizes_of_the_type_table
 * (21, a model that was never ternary, leaves no trace in the bytes.) */
#include "golden.h"

#include "tensor/ternary.h"
#include "tensor/half.h"
#include "tensor/stats.h"
#include "tensor/t2.h"

/* Decode a block given in hex and compare all its weights: `plus` and `minus` list the elements
 * that are +d and -d (each ended by -1), the rest are zero. */
static void check(TensorKind kind, const char *hex, float d, const int *plus, const int *minus)
{
    const TernaryFormat *f = ternary_format(kind);
    uint8_t bytes[256];
    assert_int_equal(unhex(hex, bytes), f->bytes);
    uint8_t *block = malloc(f->bytes);
    memcpy(block, bytes, f->bytes);
    int8_t want[TERNARY_MAX_WEIGHTS] = {0};
    for (; *plus >= 0; plus++)
        want[*plus] = 1;
    for (; *minus >= 0; minus++)
        want[*minus] = -1;
    uint32_t weights[TERNARY_MAX_WEIGHTS];
    uint8_t codes[TERNARY_MAX_WEIGHTS];
    ternary_weights(f, block, weights);
    f->codes(block, codes);
    for (unsigned i = 0; i < f->weights; i++) {
        assert_int_equal(codes[i], want[i] + 1);
        assert_int_equal(weights[i], f32_bits((float)want[i] * d));
    }
    free(block);
}

static unsigned odd_bytes(const TernaryFormat *f, const uint8_t *block)
{
    TernaryCounter t;
    uint64_t counts[4];
    ternary_counter_init(&t, f);
    return ternary_count(&t, block, counts);
}

#define LIST(...) ((const int[]){__VA_ARGS__, -1})

static void tq1_0_digits_run_down_and_32_apart(void **state)
{
    (void)state;
    check(KIND_TQ1_0, "ba 80x30 7f b9 80x14 81 467f7f82 0038", 0.5f,
          LIST(0, 128, 160, 239, 244, 255), LIST(32, 159, 176, 240));
    static const uint8_t want[5] = {0, 1, 2, 1, 0};
    for (unsigned n = 0; n < 5; n++)
        assert_int_equal(ternary_trit(0x33, n), want[n]);
}

static void qh_holds_trits(void **state)
{
    (void)state;
    static const uint8_t want[4] = {0, 2, 1, 1};
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(ternary_trit(0x46, n), want[n]);
    const TernaryFormat *f = ternary_format(KIND_TQ1_0);
    for (unsigned i = 240; i < 256; i++) {
        assert_int_equal(f->place(i).byte, 48 + i % 4);
        assert_int_equal(f->place(i).trit, (i - 240) / 4);
    }
}

static void tq2_0_is_in_bit_planes(void **state)
{
    (void)state;
    check(KIND_TQ2_0, "8a 54 55x29 15 56 55x30 15 1100", 1.0132789611816406e-06f,
          LIST(0, 32, 96, 128), LIST(1, 64, 127, 255));
}

static void tq2_0_code_3_is_plus_two(void **state)
{
    (void)state;
    uint8_t block[66];
    assert_int_equal(unhex("ff 55x63 003c", block), 66);
    const TernaryFormat *f = ternary_format(KIND_TQ2_0);
    uint32_t w[256];
    ternary_weights(f, block, w);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(w[i], i == 0 || i == 32 || i == 64 || i == 96 ? f32_bits(2.0f) : 0);
    block[0] = 0x1b;
    ternary_weights(f, block, w);
    assert_int_equal(w[0], f32_bits(2));
    assert_int_equal(w[32], f32_bits(1));
    assert_int_equal(w[64], 0);
    assert_int_equal(w[96], f32_bits(-1));
}

static void ptq1_0_known_answer(void **state)
{
    (void)state;
    uint8_t block[28];
    assert_int_equal(unhex("96c143c857061032 96c247d581828796 20212fa2b451d260 5fe4 003e", block),
                     28);
    const TernaryFormat *f = ternary_format(KIND_PTQ1_0);
    uint32_t w[128];
    ternary_weights(f, block, w);
    for (int j = 0; j < 128; j++) {
        int trit = (j * j + 3 * j + 7) / 5 % 3 - 1;
        assert_int_equal(w[j], f32_bits((float)trit * 1.5f));
    }
    assert_int_equal(odd_bytes(f, block), 0);
}

static void one_row_in_three_formats(void **state)
{
    (void)state;
    const int *plus = LIST(0, 79, 88, 120, 127);
    const int *minus = LIST(16, 80, 119, 121);
    float d = 0.0999755859375f;
    check(KIND_PTQ1_0, "b9 80x14 81 47 80x6 7f d4 2d 66 2e", d, plus, minus);
    check(KIND_PQ2_0, "662e5655555554555555555555555555555555555595545556555555555555155295", d,
          plus, minus);
    check(KIND_Q2_0_G128, "662e5655555554555555555555555555555555555595545556555555555555155295", d,
          plus, minus);
    /* the same as two groups of 64 */
    check(KIND_Q2_0_G64, "662e56555555545555555555555555555555", d, LIST(0), LIST(16));
    check(KIND_Q2_0_G64, "662e55555595545556555555555555155295", d, LIST(15, 24, 56, 63),
          LIST(16, 55, 57));
}

static void q1_0_bits_are_signs(void **state)
{
    (void)state;
    uint8_t block[18];
    assert_int_equal(unhex("0038 05 00x15", block), 18);
    uint32_t w[128];
    ternary_weights(ternary_format(KIND_Q1_0), block, w);
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(w[i], f32_bits(i == 0 || i == 2 ? 0.5f : -0.5f));
}

static void fill_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        uint8_t code;
    } rows[] = {{"00x48 00x4 003c", 0}, {"80x48 7fx4 003c", 1}, {"ffx48 fdx4 003c", 2}};
    const TernaryFormat *f = ternary_format(KIND_TQ1_0);
    for (size_t k = 0; k < 3; k++) {
        uint8_t block[54];
        uint8_t codes[256];
        assert_int_equal(unhex(rows[k].hex, block), 54);
        f->codes(block, codes);
        for (unsigned i = 0; i < 256; i++)
            assert_int_equal(codes[i], rows[k].code);
        assert_int_equal(odd_bytes(f, block), 0);
    }
    /* a writer that forgets the extra times 3 stores 2b for four zeros */
    static const uint8_t want[4] = {0, 1, 1, 1};
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(ternary_trit(0x2b, n), want[n]);
}

static void bytes_no_encoder_writes(void **state)
{
    (void)state;
    static const uint8_t odd[13] = {0x01, 0x14, 0x28, 0x3c, 0x4f, 0x63, 0x77,
                                    0x8a, 0x9e, 0xb2, 0xc5, 0xd9, 0xed};
    TernaryCounter t;
    ternary_counter_init(&t, ternary_format(KIND_TQ1_0));
    uint64_t counts[4];
    unsigned odd_qh = 0;
    for (unsigned b = 0; b < 256; b++) {
        uint8_t block[54] = {0}; /* 00 is canonical in both places */
        block[0] = (uint8_t)b;
        assert_int_equal(ternary_count(&t, block, counts), memchr(odd, (int)b, 13) != NULL);
        block[0] = 0;
        block[48] = (uint8_t)b;
        odd_qh += ternary_count(&t, block, counts);
        for (unsigned n = 0; n < 5 && memchr(odd, (int)b, 13); n++)
            assert_int_equal(ternary_trit((uint8_t)b, n), ternary_trit((uint8_t)(b - 1), n));
    }
    assert_int_equal(odd_qh, 175);
}

static void every_place_holds_its_code(void **state)
{
    (void)state;
    for (int kind = KIND_TQ1_0; kind <= KIND_Q1_0; kind++) {
        const TernaryFormat *f = ternary_format((TensorKind)kind);
        uint32_t seed = (uint32_t)kind;
        uint8_t *block = malloc(f->bytes);
        for (unsigned round = 0; round < 50; round++) {
            for (unsigned i = 0; i < f->bytes; i++)
                block[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
            uint8_t codes[TERNARY_MAX_WEIGHTS];
            f->codes(block, codes);
            for (unsigned i = 0; i < f->weights; i++) {
                TernaryPlace p = f->place(i);
                assert_true(p.byte >= f->codes_at && p.byte < f->codes_end);
                assert_int_equal(ternary_code(f, block, i), codes[i]);
            }
        }
        free(block);
    }
    assert_null(ternary_format(KIND_T2));
}

/* The fast sums against decoding weight by weight: random blocks, and every byte in every place. */
static void sums_are_those_of_the_codes(void **state)
{
    (void)state;
    for (int kind = KIND_TQ1_0; kind <= KIND_Q1_0; kind++) {
        const TernaryFormat *f = ternary_format((TensorKind)kind);
        uint32_t seed = (uint32_t)kind * 77;
        uint8_t *block = malloc(f->bytes);
        TernaryCounter t;
        ternary_counter_init(&t, f);
        for (unsigned round = 0; round < 600; round++) {
            for (unsigned i = 0; i < f->bytes; i++)
                block[i] = round < 256 ? (uint8_t)round
                                       : (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
            uint64_t want[4] = {1, 2, 3, 4}, counts[4] = {1, 2, 3, 4}; /* they are added */
            for (unsigned i = 0; i < f->weights; i++)
                want[ternary_code(f, block, i)]++;
            (void)ternary_count(&t, block, counts);
            assert_memory_equal(counts, want, sizeof want);
            assert_int_equal(ternary_threes(f, block), want[3] - 4);
        }
        free(block);
    }
}

static void byte_5b(void **state)
{
    (void)state;
    uint8_t *tile = malloc(T2_TILE);
    memset(tile, 0x55, T2_CODES);
    for (unsigned i = T2_CODES; i < T2_TILE; i += 2)
        store_le16(tile + i, 0x3c00);
    tile[0] = 0x5b;
    float row[256];
    t2_unpack_row(tile, 256, 0, row);
    assert_true(row[0] == 0 && row[1] == 1 && row[2] == 0 && row[3] == 0);
    free(tile);
}

static void nine_blocks_of_128_are_seventeen_of_64(void **state)
{
    (void)state;
    const TernaryFormat *g128 = ternary_format(KIND_PQ2_0);
    const TernaryFormat *g64 = ternary_format(KIND_Q2_0_G64);
    assert_int_equal(9 * g128->bytes, 17 * g64->bytes);
    uint8_t blocks[306];
    memset(blocks, 0x55, sizeof blocks);
    for (unsigned i = 0; i < 9; i++)
        store_le16(blocks + (size_t)i * 34, 0x3c00);
    assert_true(f32_value(half_to_f32(ternary_scale(g64, blocks + 18))) == 85.3125f);
    assert_int_equal(9 * g128->weights, 1152);
    assert_int_equal(17 * g64->weights, 1088);
}

static void a_moved_scale_is_noticed(void **state)
{
    (void)state;
    uint8_t block[34];
    assert_int_equal(
        unhex("5655555554555555555555555555555555555595545556555555555555155295662e", block), 34);
    const TernaryFormat *f = ternary_format(KIND_PQ2_0);
    assert_true(f32_value(half_to_f32(ternary_scale(f, block))) == 85.375f);
    uint8_t codes[128];
    f->codes(block, codes);
    unsigned threes = 0;
    for (unsigned i = 0; i < 128; i++)
        threes += codes[i] == 3;
    assert_int_equal(threes, 1); /* 0x2e holds the codes 2 3 2 0 */
}

static void sizes_of_the_type_table(void **state)
{
    (void)state;
    static const struct {
        uint32_t id;
        unsigned weights, bytes;
    } rows[] = {{34, 256, 54},  {35, 256, 66}, {41, 128, 18}, {142, 128, 34},
                {143, 128, 28}, {0, 1, 4},     {1, 1, 2},     {30, 1, 2},
                {2, 32, 18},    {10, 256, 84}, {12, 256, 144}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const GgmlType *t = ggml_type(rows[i].id);
        assert_int_equal(t->weights, rows[i].weights);
        assert_int_equal(t->bytes, rows[i].bytes);
        const TernaryFormat *f = ternary_format(t->kind);
        assert_true(!f || (f->weights == t->weights && f->bytes == t->bytes));
    }
    static const uint32_t unknown[] = {4, 5, 31, 32, 33, 36, 37, 38, 43, 141, 144, UINT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(ggml_type(unknown[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tq1_0_digits_run_down_and_32_apart),
        cmocka_unit_test(qh_holds_trits),
        cmocka_unit_test(tq2_0_is_in_bit_planes),
        cmocka_unit_test(tq2_0_code_3_is_plus_two),
        cmocka_unit_test(ptq1_0_known_answer),
        cmocka_unit_test(one_row_in_three_formats),
        cmocka_unit_test(q1_0_bits_are_signs),
        cmocka_unit_test(fill_bytes),
        cmocka_unit_test(bytes_no_encoder_writes),
        cmocka_unit_test(every_place_holds_its_code),
        cmocka_unit_test(sums_are_those_of_the_codes),
        cmocka_unit_test(byte_5b),
        cmocka_unit_test(nine_blocks_of_128_are_seventeen_of_64),
        cmocka_unit_test(a_moved_scale_is_noticed),
        cmocka_unit_test(sizes_of_the_type_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
