/* The formats view as text: values that are easy to get wrong, bits that are flipped, wires that
 * are followed, and every size. */
#include "view/drawn.h"

#include "tui/view/formats/formats.h"
#include "tui/screen/number.h"

enum { ROWS = 21, COLS = 80, ROW_Q88 = 3, ROW_FP16, ROW_BF16, ROW_E4M3, ROW_E2M1, LINE = 9 };

static void show(Drawn *d, const char *typed)
{
    Err err = {0};
    if (typed && !formats_type(view_own(d->state), typed, &err))
        fail_msg("%s: %s", typed, err.text);
    drawn_draw(d, ROWS, COLS, true);
}

/* With the cursor on e4m3. */
static void open_e4m3(Drawn *d, const char *typed)
{
    drawn_open(d, &view_formats, "deck", "integration");
    d->state->row = 3;
    show(d, typed);
}

static void two_hundred_saturates_ties_and_is_exact(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "200");
    const char *const rows[] = {
        "│ value 200                                                              typed │",
        "├ in ─ hex  sign exp mantissa  value ──────── error ──── relative ─────────────┤",
        "│ q8.8 7fff 01111111.11111111  127.99609375   -72        -36 %      ! saturated│",
        "│ fp16 5a40 0 10110 1001000000 200            0                     exact      │",
        "│ bf16 4348 0 10000110 1001000 200            0                     exact      │",
        "│►e4m3 74   0 1110 100         192            -8         -4 %       tie        │",
        "│ e2m1 7    0 11 1             6              -194       -97 %      ! saturated│",
        "│ int8 7f   01111111           127            -73        -36.5 %    ! saturated│",
        "├ e4m3  +(1 + 4/8) × 2^(14-7) = 192  ulp 16  normal ─────────────── ▼ 11 more ─┤",
        "│     160              176             192             208              224    │",
        "│ ─────┼────────────────┼───────[━━━━━━━●━━━━━━━◆───────┼────────────────┼──── │",
        "│                                               ▲ 200                          │",
        "│ a tie, half-way between 192 and 208: the even code wins                      │",
        "├ ►worst error  compare  block  who disagrees ─────────────────────────────────┤",
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
        drawn_expect(&d, 1 + i, rows[i]);
    drawn_contains(&d, "│ who disagrees e4m3 75 = 208 round half away · ");
    drawn_close(&d);
}

static void rows_of_values(void **state)
{
    (void)state;
    static const struct {
        const char *typed;
        int row;
        const char *expected;
    } cases[] = {
        {"0.5898", ROW_Q88,
         "│ q8.8 0097 00000000.10010111  0.58984375     +0.00004375 +0.00742 %           │"},
        {"1e-4", ROW_Q88,
         "│ q8.8 0000 00000000.00000000  0              -0.0001    -100 %     ! becomes 0│"},
        {"1e-4", ROW_FP16,
         "│ fp16 068e 0 00001 1010001110 ~0.00010001659 +1.659e-08 +0.0166 %             │"},
        {"1e-4", ROW_E4M3,
         "│►e4m3 00   0 0000 000         0              -0.0001    -100 %     ! becomes 0│"},
        {"464", ROW_E4M3,
         "│►e4m3 7e   0 1111 110         448            -16        -3.45 %    tie        │"},
        {"465", ROW_E4M3,
         "│►e4m3 7e   0 1111 110         448            -17        -3.66 %    ! saturated│"},
        {"nan", ROW_Q88,
         "│ q8.8 0000 00000000.00000000  0              -                     ! no nan   │"},
        {"nan", ROW_E4M3,
         "│►e4m3 7f   0 1111 111         nan            -                     exact      │"},
        {"nan", ROW_E2M1,
         "│ e2m1 7    0 11 1             6              -                     ! no nan   │"},
        {"-0", ROW_Q88,
         "│ q8.8 0000 00000000.00000000  0              0                     no -0      │"},
        {"-0", ROW_E4M3,
         "│►e4m3 80   1 0000 000         -0             0                     exact      │"},
        {"-1e-7", ROW_FP16,
         "│ fp16 8002 1 00000 0000000010 ~-1.192093e-07 -1.921e-08 +19.2 %    subnormal  │"},
        {"-1e-7", ROW_E4M3,
         "│►e4m3 80   1 0000 000         -0             +1e-07     -100 %     ! becomes 0│"},
        /* off a tie by less than a double can see */
        {"4.25000000000000000000000001", ROW_E4M3,
         "│►e4m3 49   0 1001 001         4.5            +0.25      +5.88 %               │"},
        {"0x1.1p2", ROW_E4M3,
         "│►e4m3 48   0 1001 000         4              -0.25      -5.88 %    tie        │"},
        {"bits32:0x3f800000", ROW_BF16,
         "│ bf16 3f80 0 01111111 0000000 1              0                     exact      │"},
        {"-inf", ROW_E4M3,
         "│►e4m3 fe   1 1111 110         -448           -                     ! saturated│"},
    };
    Drawn d;
    open_e4m3(&d, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show(&d, cases[i].typed);
        drawn_expect(&d, cases[i].row, cases[i].expected);
    }
    drawn_close(&d);
}

static void words_under_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *expected;
    } cases[] = {
        {"464", "a tie between 448 and a next value that is none: the even code wins"},
        {"465", "beyond the range, which ends at 448; by ieee rules it would be 7f = nan"},
        {"0.5898", "what lies between 0.53125 and 0.59375 becomes 31"},
        {"448", "exact: e4m3 holds this very value"},
        {"nan", "not a number: it has no place on the line"},
        {"1e999999", "~1e+999999 ►"},
        {"-1e999999", "◄ ~-1e+999999"},
    };
    Drawn d;
    open_e4m3(&d, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show(&d, cases[i].typed);
        drawn_contains(&d, cases[i].expected);
    }
    d.state->row = 0;
    show(&d, "200");
    drawn_contains(&d, "which ends at 127.99609375; wrapped it would be c800 = -56");
    drawn_close(&d);
}

static void the_line_ends_where_the_interval_does(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "0.5625"); /* odd: both ties go to the neighbours */
    drawn_expect(
        &d, LINE + 2,
        "│ ─────────────┼────────┼───────(━━━━━━━◆━━━━━━━)───────┼────────────────┼──── │");
    drawn_press(&d, "U U"); /* toward zero: all up to the next value */
    show(&d, NULL);
    drawn_expect(
        &d, LINE + 2,
        "│ ─────────────┼────────┼───────────────◆━━━━━━━━━━━━━━━)────────────────┼──── │");
    drawn_close(&d);
}

static void policies_and_modes(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "465");
    drawn_press(&d, "o");
    show(&d, NULL);
    drawn_expect(
        &d, ROW_Q88,
        "│ q8.8 d100 11010001.00000000  -47            -512       -110 %     ! wrapped  │");
    drawn_expect(
        &d, ROW_E4M3,
        "│►e4m3 7f   0 1111 111         nan            -                     ! nan      │");
    drawn_contains(&d, "relative ─────── ieee ┤");
    drawn_press(&d, "o U");
    show(&d, "200");
    drawn_expect(
        &d, ROW_E4M3,
        "│►e4m3 75   0 1110 101         208            +8         +4 %       tie        │");
    drawn_contains(&d, "the one away from zero wins");
    drawn_close(&d);
}

static void a_flipped_bit_takes_the_value_along(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "200");
    drawn_press(&d, "Right Right Right Right Right f"); /* the first mantissa bit */
    show(&d, NULL);
    drawn_contains(&d, "│ value 128 ");
    drawn_contains(&d, "code 70 of e4m3");
    drawn_expect(
        &d, ROW_E4M3,
        "│►e4m3 70   0 1110 000         128            0                     exact      │");
    drawn_expect(
        &d, ROW_FP16,
        "│ fp16 5800 0 10110 0000000000 128            0                     exact      │");
    drawn_press(&d, "f"); /* and back: 192 now, the code, not 200 */
    show(&d, NULL);
    drawn_contains(&d, "│ value 192 ");
    drawn_close(&d);
}

/* Every bit of a nan stays what it was made: one flip leads back. */
static void nans_keep_their_bits(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "e5m2:0x7d");
    assert_string_equal(formats_row(d.state->row)->name, "e5m2");
    drawn_contains(&d, "e5m2 7d   0 11111 01         nan");
    drawn_press(&d, "End f");
    show(&d, NULL);
    drawn_contains(&d, "│ value inf ");
    drawn_press(&d, "f");
    show(&d, NULL);
    drawn_contains(&d, "e5m2 7d   0 11111 01         nan");
    drawn_close(&d);
}

static void bits_have_the_roles_of_their_fields(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "200");
    /* sign: title, exponent: heat of negatives, mantissa: heat of positives; the cursor's bit */
    drawn_expect_roles(&d, ROW_FP16, 12, "t.hhhhhdHHHHHHHHHH");
    drawn_expect_roles(&d, ROW_E4M3, 12, "X.hhhhdHHH");
    drawn_expect_roles(&d, ROW_Q88, 12, "hhhhhhhhdHHHHHHHH");
    drawn_expect_roles(&d, ROW_Q88, 68, "!!!!!!!!!!!");
    drawn_expect_roles(&d, ROW_E4M3, 68, "AAA");
    assert_int_equal(d.canvas.cursor_y, ROW_E4M3);
    assert_int_equal(d.canvas.cursor_x, 12);
    drawn_close(&d);
}

static void a_wire_is_followed(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "200");
    Target t = {signal_at(SIG_TOKEN_EMB), 2};
    formats_follow(view_own(d.state), t);
    show(&d, NULL);
    drawn_contains(&d, "token_emb[2] holds 0080");
    drawn_expect(
        &d, ROW_Q88,
        "│ q8.8 0080 00000000.10000000  0.5            0                     exact      │");
    Target seen = view_formats.target(d.session, d.state);
    assert_ptr_equal(seen.signal, t.signal);
    assert_int_equal(seen.at, 2);
    drawn_press(&d, ">"); /* along the vector */
    assert_int_equal(view_formats.target(d.session, d.state).at, 3);

    show(&d, "7"); /* what is typed stays until the cursor moves on */
    assert_null(view_formats.target(d.session, d.state).signal);
    formats_follow(view_own(d.state), (Target){t.signal, 3});
    show(&d, NULL);
    drawn_contains(&d, "│ value 7 ");
    drawn_press(&d, "c");
    show(&d, NULL);
    drawn_contains(&d, "token_emb[3] holds");
    show(&d, "7");
    formats_follow(view_own(d.state), (Target){t.signal, 4});
    show(&d, NULL);
    drawn_contains(&d, "token_emb[4] holds");
    formats_follow(view_own(d.state),
                   (Target){signal_at(SIG_TOP_STATE), 0}); /* a name: no number */
    assert_int_equal(view_formats.target(d.session, d.state).at, 4);
    drawn_close(&d);
}

static void blocks(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "7 1 0.25 -3 0");
    drawn_press(&d, "v v } } } }"); /* the block panel, mxfp4 */
    show(&d, NULL);
    drawn_contains(&d, "►block");
    drawn_contains(&d, "│ mxfp4  5 values, scale 7f = 1 (floor)  ! clamped 1/5 = 20 %");
    drawn_contains(&d, "│ [0]     7!2 0 d 0 ");
    drawn_contains(&d, "│ [0] 7 → 7 × scale = 6  error -1 (-14.3 %)  ! clamped");
    drawn_press(&d, "d d d >");
    show(&d, NULL);
    drawn_contains(&d, "│ mxfp4  5 values, scale 80 = 2 (rceil)  clamped 0/5 = 0 %");
    drawn_contains(&d, "│ value 1      ");
    drawn_contains(&d, "typed, number 2 of 5");
    drawn_press(&d, "} } }"); /* past mxint8 and nvfp4: t2 */
    show(&d, NULL);
    drawn_contains(&d, "│ t2  5 values, scale 4700 = 7");
    drawn_contains(&d, "│ [0]     + 0 0 0 0");
    drawn_close(&d);
}

static void two_formats(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_formats, "deck", "integration");
    d.state->row = formats_row_of(format_find("e4m3fnuz"));
    drawn_press(&d, "v =");
    d.state->row = 3;
    show(&d, "e4m3:0x7e");
    drawn_contains(&d, "│ e4m3     max 448           least 2^-9        here 448");
    drawn_contains(&d, "│ e4m3fnuz max 240           least 2^-10       here 240 (-46.4 %)");
    drawn_contains(&d, "code 7e is 448 in e4m3, 224 in e4m3fnuz");
    drawn_contains(&d, "(255 of 256 codes differ)");
    drawn_close(&d);
}

static void those_who_disagree(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "1.0625001");
    drawn_press(&d, "v v v");
    show(&d, NULL);
    drawn_contains(&d, "│ e4m3     38 = 1                 rounded twice, through fp16");
    show(&d, "1");
    drawn_contains(&d, "nobody disagrees");
    show(&d, "465");
    drawn_press(&d, "o"); /* now it is those who saturate that store something else */
    show(&d, NULL);
    drawn_contains(&d, "│ e4m3     7e = 448               CUDA constructors; ONNX saturate=1");
    drawn_close(&d);
}

static void a_lost_sign_is_told(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "-0");
    show(&d, NULL);
    drawn_contains(&d, "│ exact: e4m3 holds this very value");
    d.state->row = formats_row_of(format_find("q8.8"));
    show(&d, NULL);
    drawn_contains(&d, "│ q8.8 has no -0: the sign is lost");
    drawn_close(&d);
}

static void noise_beyond_a_double(void **state)
{
    (void)state;
    Drawn d;
    open_e4m3(&d, "1e999999 3e999999");
    drawn_press(&d, "v v");
    drawn_draw(&d, ROWS, 120, true);
    drawn_contains(&d, "clamped 2/2 = 100 %  rms 100 %");
    show(&d, "1e-300 0");
    drawn_draw(&d, ROWS, 120, true);
    drawn_contains(&d, "clamped 0/2 = 0 %  rms 100 %");
    show(&d, "inf 1");
    drawn_draw(&d, ROWS, 120, true);
    drawn_contains(&d, "clamped 0/2 = 0 %   ");
    drawn_close(&d);
}

static void garbage_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *why;
    } cases[] = {
        {"", "a number is missing"},
        {"1.2.3", "1.2.3"},
        {"0x", "0x"},
        {"e4m3:0x1ff", "does not fit 8 bits"},
        {"e4m3:zz", "hex digits"},
        {"e4m9:0x1", "no such format"},
        {"e4m3:0x7e 1", "stands alone"},
        {"1 2 x", "x"},
    };
    FormatsState state_of_view = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = {0};
        assert_false(formats_type(&state_of_view, cases[i].typed, &err));
        if (!strstr(err.text, cases[i].why))
            fail_msg("%s: %s", cases[i].typed, err.text);
    }
    char much[2 * FORMATS_TYPED_MAX];
    memset(much, '1', sizeof much);
    much[sizeof much - 1] = '\0';
    assert_false(formats_type(&state_of_view, much, NULL));
    for (size_t i = 1; i < sizeof much; i += 2) /* more numbers than a block holds */
        much[i] = ' ';
    much[FORMATS_TYPED_MAX - 1] = '\0';
    assert_false(formats_type(&state_of_view, much, NULL));
    assert_string_equal(state_of_view.typed, ""); /* nothing of it was kept */
}

static void every_size(void **state)
{
    (void)state;
    static const char *const typed[] = {"200", "nan", "-1e999999 2 3", "1e-999999", "e8m0:0xff"};
    Drawn d;
    drawn_open(&d, &view_formats, "deck", "integration");
    for (int i = 0; i < 5; i++) {
        assert_true(formats_type(view_own(d.state), typed[i], NULL));
        d.state->row = 4 * i;
        d.state->col = 40 * i;
        OWN(d, FormatsState)->panel = i;
        OWN(d, FormatsState)->block = 2 * i < 8 ? 2 * i : 7;
        drawn_every_size(&d, 30, 100);
    }
    drawn_draw(&d, 57, 200, true); /* all panels at once */
    drawn_contains(&d, "worst relative error");
    drawn_contains(&d, "two formats compared");
    drawn_contains(&d, "block with a common scale");
    drawn_close(&d);
}

static void numbers_in_any_format(void **state)
{
    (void)state;
    Drawn d;
    char text[64];
    NumberFormat f;
    drawn_open(&d, &view_formats, "deck", "integration");
    const Engine *e = session_engine(d.session);
    const Signal *s = signal_at(SIG_TOKEN_EMB);
    assert_true(number_format_find("e4m3", &f));
    format_number(e, s, 200 * 256 >> 1, f, text, sizeof text); /* 100: 96 and 104 are near */
    assert_string_equal(text, "6c   96.0000");
    assert_int_equal(format_width(f), (int)strlen(text));
    format_number(e, s, -1, f, text, sizeof text);
    assert_string_equal(text, "82   -0.0039");
    assert_true(number_format_find("fp16", &f));
    format_number(e, s, 0x97, f, text, sizeof text);
    assert_string_equal(text, "38b8    0.5898");
    number_format_text(f, text, sizeof text);
    assert_string_equal(text, "fp16: code and value");
    format_number(e, signal_at(SIG_SEQ_POS), 3, f, text, sizeof text); /* a counter stays one */
    assert_non_null(strstr(text, "3"));
    assert_false(number_format_find("fp17", &f));
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hundred_saturates_ties_and_is_exact),
        cmocka_unit_test(rows_of_values),
        cmocka_unit_test(words_under_the_line),
        cmocka_unit_test(the_line_ends_where_the_interval_does),
        cmocka_unit_test(policies_and_modes),
        cmocka_unit_test(a_flipped_bit_takes_the_value_along),
        cmocka_unit_test(nans_keep_their_bits),
        cmocka_unit_test(bits_have_the_roles_of_their_fields),
        cmocka_unit_test(a_wire_is_followed),
        cmocka_unit_test(blocks),
        cmocka_unit_test(two_formats),
        cmocka_unit_test(those_who_disagree),
        cmocka_unit_test(a_lost_sign_is_told),
        cmocka_unit_test(noise_beyond_a_double),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(every_size),
        cmocka_unit_test(numbers_in_any_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
