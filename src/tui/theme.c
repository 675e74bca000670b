#include "tui/theme.h"

#include <stdio.h>
#include <string.h>

/* Orange, yellow, blue, cyan and magenta are told apart by every common kind of colour blindness;
 * attributes and marks say the same again (screens.md). */
static const Style dark[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {-1, -1, 0},
    [ROLE_DIM] = {245, -1, ATTR_DIM},
    [ROLE_FRAME] = {240, -1, ATTR_DIM},
    [ROLE_TITLE] = {253, -1, ATTR_BOLD},
    [ROLE_ACTIVE] = {214, 3, ATTR_BOLD},
    [ROLE_CHANGED] = {227, 3, ATTR_UNDERLINE},
    [ROLE_WRITTEN] = {75, 4, ATTR_BOLD},
    [ROLE_READ] = {80, 6, 0},
    [ROLE_WARN] = {213, 5, ATTR_BOLD},
    [ROLE_MASKED] = {242, -1, ATTR_DIM},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE},
    [ROLE_KEY] = {253, -1, ATTR_BOLD},
};

static const Style light[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {-1, -1, 0},
    [ROLE_DIM] = {242, -1, ATTR_DIM},
    [ROLE_FRAME] = {248, -1, ATTR_DIM},
    [ROLE_TITLE] = {236, -1, ATTR_BOLD},
    [ROLE_ACTIVE] = {166, 1, ATTR_BOLD},
    [ROLE_CHANGED] = {94, 3, ATTR_UNDERLINE},
    [ROLE_WRITTEN] = {26, 4, ATTR_BOLD},
    [ROLE_READ] = {30, 6, 0},
    [ROLE_WARN] = {127, 5, ATTR_BOLD},
    [ROLE_MASKED] = {247, -1, ATTR_DIM},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE},
    [ROLE_KEY] = {236, -1, ATTR_BOLD},
};

static const Style high_contrast[ROLE_HEAT_NEG] = {
    [ROLE_TEXT] = {231, 7, 0},
    [ROLE_DIM] = {252, 7, 0},
    [ROLE_FRAME] = {250, 7, 0},
    [ROLE_TITLE] = {231, 7, ATTR_BOLD},
    [ROLE_ACTIVE] = {214, 3, ATTR_BOLD},
    [ROLE_CHANGED] = {226, 3, ATTR_BOLD | ATTR_UNDERLINE},
    [ROLE_WRITTEN] = {117, 4, ATTR_BOLD},
    [ROLE_READ] = {123, 6, ATTR_BOLD},
    [ROLE_WARN] = {219, 5, ATTR_BOLD},
    [ROLE_MASKED] = {250, 7, 0},
    [ROLE_CURSOR] = {231, 7, ATTR_REVERSE | ATTR_BOLD},
    [ROLE_KEY] = {231, 7, ATTR_BOLD | ATTR_UNDERLINE},
};

static const Style mono[ROLE_HEAT_NEG] = {
    [ROLE_DIM] = {-1, -1, ATTR_DIM},
    [ROLE_FRAME] = {-1, -1, ATTR_DIM},
    [ROLE_TEXT] = {-1, -1, 0},
    [ROLE_TITLE] = {-1, -1, ATTR_BOLD},
    [ROLE_ACTIVE] = {-1, -1, ATTR_BOLD},
    [ROLE_CHANGED] = {-1, -1, ATTR_UNDERLINE},
    [ROLE_WRITTEN] = {-1, -1, ATTR_BOLD},
    [ROLE_READ] = {-1, -1, 0},
    [ROLE_WARN] = {-1, -1, ATTR_BOLD},
    [ROLE_MASKED] = {-1, -1, ATTR_DIM},
    [ROLE_CURSOR] = {-1, -1, ATTR_REVERSE},
    [ROLE_KEY] = {-1, -1, ATTR_BOLD},
};

/* Heat by theme: negative blue to white-blue, positive brown to sand; dark backgrounds get brighter
 * with magnitude, light ones darker. */
static const int16_t heat_dark[2][9] = {{237, 24, 25, 31, 32, 38, 74, 117, 153},
                                        {237, 94, 130, 136, 172, 178, 179, 222, 230}};
static const int16_t heat_light[2][9] = {{252, 153, 117, 74, 68, 32, 26, 25, 18},
                                         {252, 223, 222, 179, 172, 136, 130, 94, 52}};
static const int8_t heat_colour8[2] = {4, 3};

static const struct {
    const char *name;
    const Style *styles;
    const int16_t (*heat)[9];
    int16_t background256;
    int8_t background8;
} themes[THEME_COUNT] = {
    [THEME_DARK] = {"dark", dark, heat_dark, -1, -1},
    [THEME_LIGHT] = {"light", light, heat_light, -1, -1},
    [THEME_HIGH_CONTRAST] = {"high-contrast", high_contrast, heat_dark, 16, 0},
    [THEME_MONO] = {"mono", mono, NULL, -1, -1},
};

const char theme_list[] = "dark, light, high-contrast or mono";

Style theme_style(Theme theme, Role role)
{
    if (role < ROLE_HEAT_NEG)
        return themes[theme].styles[role];
    int sign = role >= ROLE_HEAT_POS;
    int level = (int)role - (sign ? ROLE_HEAT_POS : ROLE_HEAT_NEG);
    if (!themes[theme].heat) /* no hue: the sign is an attribute */
        return (Style){-1, -1, sign ? (level >= 5 ? ATTR_BOLD : 0) : ATTR_DIM};
    return (Style){themes[theme].heat[sign][level], heat_colour8[sign], level >= 5 ? ATTR_BOLD : 0};
}

int theme_background(Theme theme, int colours)
{
    return colours >= 256 ? themes[theme].background256 : themes[theme].background8;
}

const char *theme_name(Theme theme)
{
    return themes[theme].name;
}

bool theme_find(const char *name, Theme *theme)
{
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
