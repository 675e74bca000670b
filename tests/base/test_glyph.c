#include "test.h"

#include "base/glyph.h"

static void widths_of_characters(void **state)
{
    static const struct {
        uint32_t ch;
        int width;
    } cases[] = {{'a', 1},     {' ', 1},     {'~', 1},      {0x7f, -1},     {0x1b, -1},
                 {0x9f, -1},   {0xa0, 1},    {0xad, 0},     {0xfc, 1},      {0x2ff, 1},
                 {0x300, 0},   {0x36f, 0},   {0x370, 1},    {0x10ff, 1},    {0x1100, 2},
                 {0x115f, 2},  {0x1160, 0},  {0x200b, 0},   {0x202e, 0},    {0x2066, 0},
                 {0x2500, 1},  {0x2588, 1},  {0x2026, 1},   {0x91cd, 2},    {0xac00, 2},
                 {0xd7a3, 2},  {0xd800, -1}, {0xdfff, -1},  {0xe000, 1},    {0xfeff, 0},
                 {0xff21, 2},  {0xfffd, 1},  {0xfffe, -1},  {0x1f680, 2},   {0x20000, 2},
                 {0xe0001, 0}, {0xe0100, 0}, {0x10fffd, 1}, {0x10ffff, -1}, {0x110000, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (glyph_width(cases[i].ch) != cases[i].width)
            fail_msg("U+%04X: %d, not %d", cases[i].ch, glyph_width(cases[i].ch), cases[i].width);
    }
}

/* A table out of order would lose ranges: each of these sums was counted by the package it is from.
 */
static void the_table_is_whole(void **state)
{
    unsigned none = 0, wide = 0;
    (void)state;
    for (uint32_t ch = 0; ch < 0x110000; ch++) {
        none += glyph_width(ch) == 0;
        wide += glyph_width(ch) == 2;
    }
    assert_int_equal(none, 6713);
    assert_int_equal(wide, 182890);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_of_characters),
        cmocka_unit_test(the_table_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
