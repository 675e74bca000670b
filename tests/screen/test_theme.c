/* Contrast as WCAG 2 computes it, of every role on the background that its theme is made for. */
#include "test.h"

#include <math.h>

#include "tui/screen/theme.h"

static double linear(unsigned byte)
{
    double c = byte / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a), y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

/* Terminals draw dim text in two parts of its colour and one of what is behind. */
static uint32_t dimmed(uint32_t fore, uint32_t back)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8)
        out |= (2 * (fore >> shift & 255) + (back >> shift & 255)) / 3 << shift;
    return out;
}

static uint32_t real(int colour, ColourDepth depth, uint32_t own)
{
    if (colour < 0)
        return own;
    return depth == COLOURS_DIRECT && colour >= 8 ? (uint32_t)colour : theme_palette(colour);
}

static double role_contrast(Theme theme, Role role, ColourDepth depth, uint32_t screen)
{
    Paint p = theme_paint(theme, role, depth);
    unsigned attrs = theme_style(theme, role).attrs;
    uint32_t text = screen == 0 ? 0xffffff : 0x000000; /* the terminal's own */
    uint32_t back = real(p.back, depth, screen), fore = real(p.fore, depth, text);
    if (attrs & ATTR_DIM && depth == COLOURS_8)
        fore = dimmed(fore, back);
    return contrast(fore, back);
}

static void check(Theme theme, uint32_t screen)
{
    for (ColourDepth depth = COLOURS_8; depth <= COLOURS_DIRECT; depth++) {
        for (int role = 0; role < ROLE_COUNT; role++) {
            double least = role == ROLE_FRAME ? 3.0 : 4.5; /* lines are no text */
            double got = role_contrast(theme, (Role)role, depth, screen);
            if (got < least)
                fail_msg("%s, role %d, depth %d on %06x: %.2f", theme_name(theme), role, depth,
                         screen, got);
        }
    }
}

static void the_measure_is_right(void **state)
{
    (void)state;
    assert_true(fabs(contrast(0x000000, 0xffffff) - 21.0) < 1e-9);
    assert_true(fabs(contrast(0x767676, 0xffffff) - 4.54) < 0.005);
    assert_int_equal(theme_palette(214), 0xffaf00);
    assert_int_equal(theme_palette(243), 0x767676);
    assert_int_equal(theme_palette(231), 0xffffff);
}

static void each_theme_can_be_read_where_it_belongs(void **state)
{
    (void)state;
    check(THEME_NEUTRAL, 0x000000);
    check(THEME_NEUTRAL, 0xffffff);
    check(THEME_DARK, 0x000000);
    check(THEME_LIGHT, 0xffffff);
    check(THEME_HIGH_CONTRAST, 0x000000); /* brings its own background */
    check(THEME_HIGH_CONTRAST, 0xffffff);
    check(THEME_MONO, 0x000000);
    check(THEME_MONO, 0xffffff);
}

/* The least numbers of a terminal with direct colours mean its palette. */
static void direct_colours_keep_out_of_the_palette(void **state)
{
    (void)state;
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        for (int role = 0; role < ROLE_COUNT; role++) {
            int fore = theme_paint((Theme)theme, (Role)role, COLOURS_DIRECT).fore;
            assert_true(fore == -1 || fore > 255);
        }
    }
    assert_int_equal(theme_paint(THEME_DARK, ROLE_ACTIVE, COLOURS_DIRECT).fore, 0xffaf00);
    assert_int_equal(theme_paint(THEME_DARK, ROLE_ACTIVE, COLOURS_256).fore, 214);
    assert_int_equal(theme_paint(THEME_DARK, ROLE_ACTIVE, COLOURS_8).fore, 3);
    assert_int_equal(theme_paint(THEME_NEUTRAL, ROLE_WARN, COLOURS_8).back, 1);
}

static void the_terminal_tells_its_background(void **state)
{
    static const struct {
        const char *told;
        Theme theme;
    } cases[] = {
        {"15;0", THEME_DARK}, {"0;15", THEME_LIGHT},          {"0;default;7", THEME_LIGHT},
        {"7;8", THEME_DARK},  {"12;default;11", THEME_LIGHT}, {"15;default", THEME_NEUTRAL},
        {"", THEME_NEUTRAL},  {"0;99", THEME_NEUTRAL},        {"0;-1", THEME_NEUTRAL}};
    Theme theme;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("COLORFGBG", cases[i].told, 1);
        assert_true(theme_find("auto", &theme));
        if (theme != cases[i].theme)
            fail_msg("%s: %s", cases[i].told, theme_name(theme));
    }
    unsetenv("COLORFGBG");
    assert_true(theme_find("auto", &theme) && theme == THEME_NEUTRAL);
    assert_false(theme_find("bright", &theme));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_measure_is_right),
        cmocka_unit_test(each_theme_can_be_read_where_it_belongs),
        cmocka_unit_test(direct_colours_keep_out_of_the_palette),
        cmocka_unit_test(the_terminal_tells_its_background),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
