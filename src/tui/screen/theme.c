#include "tui/screen/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Orange, yellow, blue, cyan and magenta are told apart by every common kind of colour blindness;
 * attributes and marks say the same again (screens.md). */
static const Style dark[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {-1, -1, 0, 0},
    [ROLE_DIM] = {245, -1, ATTR_DIM, 0},
    [ROLE_FRAME] = {241, -1, ATTR_DIM, 0},
    [ROLE_TITLE] = {253, -1, ATTR_BOLD, 0},
    [ROLE_ACTIVE] = {214, 3, ATTR_BOLD, 0},
    [ROLE_CHANGED] = {227, 3, ATTR_UNDERLINE, 0},
    [ROLE_WRITTEN] = {75, 6, ATTR_BOLD, 0}, /* the blue of 8 cannot be read on black */
    [ROLE_READ] = {80, 6, 0, 0},
    [ROLE_WARN] = {213, 0, 0, 1 + 3},
    [ROLE_MASKED] = {244, -1, ATTR_DIM, 0},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE, 0},
    [ROLE_KEY] = {253, -1, ATTR_BOLD, 0},
};

static const Style light[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {-1, -1, 0, 0},
    [ROLE_DIM] = {242, -1, ATTR_DIM, 0},
    [ROLE_FRAME] = {245, -1, ATTR_DIM, 0},
    [ROLE_TITLE] = {236, -1, ATTR_BOLD, 0},
    [ROLE_ACTIVE] = {130, 1, ATTR_BOLD, 0},
    [ROLE_CHANGED] = {94, -1, ATTR_UNDERLINE, 0},
    [ROLE_WRITTEN] = {26, 4, ATTR_BOLD, 0},
    [ROLE_READ] = {23, 4, 0, 0}, /* nor the cyan on white */
    [ROLE_WARN] = {127, 5, ATTR_BOLD, 0},
    [ROLE_MASKED] = {243, -1, ATTR_DIM, 0},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE, 0},
    [ROLE_KEY] = {236, -1, ATTR_BOLD, 0},
};

/* Few colours have a contrast of 4.5 with black and with white, and none of the 8: those stand on
 * one another. */
static const Style neutral[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {-1, -1, 0, 0},
    [ROLE_DIM] = {243, -1, ATTR_DIM, 0},
    [ROLE_FRAME] = {243, -1, ATTR_DIM, 0},
    [ROLE_TITLE] = {-1, -1, ATTR_BOLD, 0},
    [ROLE_ACTIVE] = {131, -1, ATTR_BOLD, 0}, /* frames are drawn in it: on no ground of its own */
    [ROLE_CHANGED] = {98, -1, ATTR_UNDERLINE, 0},
    [ROLE_WRITTEN] = {63, 7, ATTR_BOLD, 1 + 4},
    [ROLE_READ] = {29, 0, 0, 1 + 6},
    [ROLE_WARN] = {163, 7, ATTR_BOLD, 1 + 1},
    [ROLE_MASKED] = {243, -1, ATTR_DIM, 0},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE, 0},
    [ROLE_KEY] = {-1, -1, ATTR_BOLD, 0},
};

static const Style high_contrast[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {231, 7, 0, 0},
    [ROLE_DIM] = {252, 7, 0, 0},
    [ROLE_FRAME] = {250, 7, 0, 0},
    [ROLE_TITLE] = {231, 7, ATTR_BOLD, 0},
    [ROLE_ACTIVE] = {214, 3, ATTR_BOLD, 0},
    [ROLE_CHANGED] = {226, 3, ATTR_BOLD | ATTR_UNDERLINE, 0},
    [ROLE_WRITTEN] = {117, 6, ATTR_BOLD, 0},
    [ROLE_READ] = {123, 6, ATTR_BOLD, 0},
    [ROLE_WARN] = {219, 0, 0, 1 + 3},
    [ROLE_MASKED] = {250, 7, 0, 0},
    [ROLE_CURSOR] = {231, 7, ATTR_REVERSE | ATTR_BOLD, 0},
    [ROLE_KEY] = {231, 7, ATTR_BOLD | ATTR_UNDERLINE, 0},
};

static const Style mono[ROLE_HEAT_NEG] = {
    [ROLE_DIM] = {-1, -1, ATTR_DIM, 0},
    [ROLE_FRAME] = {-1, -1, ATTR_DIM, 0},
    [ROLE_TEXT] = {-1, -1, 0, 0},
    [ROLE_TITLE] = {-1, -1, ATTR_BOLD, 0},
    [ROLE_ACTIVE] = {-1, -1, ATTR_BOLD, 0},
    [ROLE_CHANGED] = {-1, -1, ATTR_UNDERLINE, 0},
    [ROLE_WRITTEN] = {-1, -1, ATTR_BOLD, 0},
    [ROLE_READ] = {-1, -1, 0, 0},
    [ROLE_WARN] = {-1, -1, ATTR_BOLD, 0},
    [ROLE_MASKED] = {-1, -1, ATTR_DIM, 0},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE, 0},
    [ROLE_KEY] = {-1, -1, ATTR_BOLD, 0},
};

/* Heat by theme: negative blue to white-blue, positive brown to sand; dark backgrounds get brighter
 * with magnitude, light ones darker. Text is drawn in heat too. */
static const int16_t heat_dark[2][9] = {{243, 31, 32, 38, 74, 75, 117, 153, 195},
                                        {243, 131, 136, 172, 178, 179, 222, 229, 230}};
static const int16_t heat_light[2][9] = {{243, 62, 27, 26, 25, 24, 20, 19, 18},
                                         {243, 131, 130, 95, 94, 58, 124, 88, 52}};
static const int16_t heat_neutral[2][9] = {{243, 63, 63, 63, 63, 63, 63, 63, 63},
                                           {243, 131, 131, 131, 131, 131, 131, 131, 131}};

static const struct {
    const char *name;
    const Style *styles;
    const int16_t (*heat)[9];
    int8_t heat8[2]; /* one colour a sign where there are 8 */
    int16_t background256;
    int8_t background8;
} themes[THEME_COUNT] = {
    [THEME_NEUTRAL] = {"neutral", neutral, heat_neutral, {-1, -1}, -1, -1},
    [THEME_DARK] = {"dark", dark, heat_dark, {6, 3}, -1, -1},
    [THEME_LIGHT] = {"light", light, heat_light, {4, 1}, -1, -1},
    [THEME_HIGH_CONTRAST] = {"high-contrast", high_contrast, heat_dark, {6, 3}, 16, 0},
    [THEME_MONO] = {"mono", mono, NULL, {-1, -1}, -1, -1},
};

const char theme_list[] = "auto, neutral, dark, light, high-contrast or mono";

Style theme_style(Theme theme, Role role)
{
    if (role < ROLE_HEAT_NEG)
        return themes[theme].styles[role];
    int sign = role >= ROLE_HEAT_POS;
    int level = (int)role - (sign ? ROLE_HEAT_POS : ROLE_HEAT_NEG);
    if (!themes[theme].heat) /* no hue: the sign is an attribute */
        return (Style){-1, -1, sign ? (level >= 5 ? ATTR_BOLD : 0) : ATTR_DIM, 0};
    int8_t colour8 = themes[theme].heat8[sign];
    unsigned attrs = level >= 5 ? ATTR_BOLD : 0;
    if (colour8 < 0 && !sign) /* no hue there either */
        attrs |= ATTR_DIM;
    return (Style){themes[theme].heat[sign][level], colour8, (uint8_t)attrs, 0};
}

uint32_t theme_palette(int colour256)
{
    static const uint32_t ansi[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                      0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                      0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint32_t levels[6] = {0, 95, 135, 175, 215, 255};
    if (colour256 < 16)
        return ansi[colour256];
    if (colour256 >= 232)
        return (uint32_t)(8 + 10 * (colour256 - 232)) * 0x010101;
    int at = colour256 - 16;
    return levels[at / 36] << 16 | levels[at / 6 % 6] << 8 | levels[at % 6];
}

/* Terminals with direct colours take the least numbers (the first 8, 16 or 256) for their palette:
 * dark blues keep out of it by a trace of red that nobody sees. */
static int direct(int colour256)
{
    uint32_t rgb = colour256 < 0 ? 0 : theme_palette(colour256);
    return colour256 < 0 ? -1 : (int)(rgb < 0x100 ? rgb | 0x010000 : rgb);
}

Paint theme_paint(Theme theme, Role role, ColourDepth depth)
{
    Style s = theme_style(theme, role);
    int back = themes[theme].background256;
    if (depth == COLOURS_8)
        return (Paint){s.colour8, s.behind8 ? s.behind8 - 1 : themes[theme].background8};
    if (depth == COLOURS_256)
        return (Paint){s.colour256, back};
    return (Paint){direct(s.colour256), direct(back)};
}

const char *theme_name(Theme theme)
{
    return themes[theme].name;
}

/* "15;0", "0;default;15": the last number is the background's of 16 colours. */
static Theme fitting_theme(void)
{
    const char *told = getenv("COLORFGBG");
    const char *last = told ? strrchr(told, ';') : NULL;
    char end = '\0';
    int colour = 0;
    if (!last || sscanf(last + 1, "%2d%c", &colour, &end) != 1 || colour < 0 || colour > 15)
        return THEME_NEUTRAL;
    return colour == 7 || colour > 8 ? THEME_LIGHT : THEME_DARK;
}

bool theme_find(const char *name, Theme *theme)
{
    if (strcmp(name, "auto") == 0) {
        *theme = fitting_theme();
        return true;
    }
    for (int i = 0; i < THEME_COUNT; i++) {
        if (strcmp(name, themes[i].name) == 0) {
            *theme = (Theme)i;
            return true;
        }
    }
    return false;
}

void attrs_text(unsigned attrs, char *out, size_t size)
{
    static const char *const words[] = {"bold", "underlined", "reversed", "dim"};
    size_t used = 0;
    snprintf(out, size, "%s", attrs ? "" : "plain");
    for (unsigned i = 0; i < 4 && used < size; i++) {
        if (attrs & 1u << i)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", words[i]);
    }
}
