/* Who disagrees about the value: tools by name, and conversions that round twice. */
#include <stdio.h>
#include <string.h>

#include "num/measure.h"
#include "num/opinion.h"
#include "tui/view/formats/formats.h"

/* Opinions on one format that come to the same code, or a code that rounding twice gives. */
typedef struct Saying {
    const Format *format;
    bool refuses;
    uint32_t code;
    char who[TEXT_SIZE];
} Saying;

enum { SAYINGS_MAX = 64 };
typedef struct Sayings {
    int count;
    Saying list[SAYINGS_MAX];
} Sayings;

/* One more, or one more name to the last that says the same. */
static void say(Sayings *s, const Format *format, bool refuses, uint32_t code, const char *who)
{
    Saying *last = s->count ? &s->list[s->count - 1] : NULL;
    if (last && last->format == format && last->refuses == refuses &&
        (refuses || last->code == code)) {
        size_t n = strlen(last->who);
        snprintf(last->who + n, sizeof last->who - n, ", %s", who);
        return;
    }
    if (s->count == SAYINGS_MAX)
        return;
    last = &s->list[s->count++];
    *last = (Saying){.format = format, .refuses = refuses, .code = code};
    snprintf(last->who, sizeof last->who, "%s", who);
}

static void ask(Sayings *s, const Formats *f, const Format *format)
{
    static const char *const vias[] = {"fp32", "fp16"};
    uint32_t ours = formats_encoded(f, format)->code;
    Opinion o;
    for (size_t cursor = 0;
         opinion_next(format, f->value, ours, f->rounding.overflow, &cursor, &o);)
        say(s, format, o.refuses, o.code, o.tool);
    for (size_t i = 0; i < sizeof vias / sizeof *vias; i++) {
        const Format *via = format_find(vias[i]);
        uint32_t once = 0, twice = 0;
        char who[40];
        if (format == via || !format_holds(via, format) ||
            !format_rounds_twice(format, via, f->value, &f->rounding, &once, &twice))
            continue;
        snprintf(who, sizeof who, "rounded twice, through %s", via->name);
        say(s, format, false, twice, who);
    }
}

static void gather(Sayings *s, const Formats *f)
{
    s->count = 0;
    ask(s, f, f->format);
    for (int row = 0; row < FORMAT_COUNT; row++) {
        if (formats_row(row) != f->format)
            ask(s, f, formats_row(row));
    }
}

static int draw_code(Canvas *c, int y, int x, const Saying *s)
{
    char text[TEXT_SIZE];
    if (s->refuses)
        return canvas_text(c, y, x, ROLE_WARN, "refuses");
    formats_code_text(s->format, s->code, 14, text);
    return canvas_textf(c, y, x, ROLE_WARN, "%0*x = %s", format_digits(s->format),
                        (unsigned)s->code, text);
}

/* All in one line, the format under the cursor first. */
static void draw_one_line(const Sayings *s, Canvas *c, Rect r)
{
    int x = canvas_text(c, r.y, r.x + 1, ROLE_TITLE, "who disagrees "), end = r.x + r.w;
    for (int i = 0; i < s->count; i++) {
        const Saying *k = &s->list[i];
        if (i == 0 || k->format != s->list[i - 1].format)
            x = canvas_textf(c, r.y, x, ROLE_ACTIVE, "%s ", k->format->name);
        x = draw_code(c, r.y, x, k);
        x = canvas_textf(c, r.y, x, ROLE_TEXT, " %s", k->who);
        x = canvas_text(c, r.y, x, ROLE_DIM, i + 1 < s->count ? " · " : "");
    }
    if (x > end)
        canvas_text(c, r.y, end - 1, ROLE_DIM, "…");
}

static void draw_list(const Sayings *s, Canvas *c, Rect r)
{
    int fit = s->count <= r.h ? s->count : r.h - 1;
    for (int i = 0; i < fit; i++) {
        const Saying *k = &s->list[i];
        bool named = i == 0 || k->format != s->list[i - 1].format;
        int x = canvas_field(c, r.y + i, r.x + 1, 9, ROLE_ACTIVE, named ? k->format->name : "");
        x = draw_code(c, r.y + i, x, k);
        canvas_text(c, r.y + i, x + 1 > r.x + 33 ? x + 1 : r.x + 33, ROLE_TEXT, k->who);
    }
    if (fit < s->count)
        canvas_textf(c, r.y + r.h - 1, r.x + 1, ROLE_DIM, "and %d more: z gives the pane more room",
                     s->count - fit);
}

void formats_draw_who(const Formats *f, Canvas *c, Rect r)
{
    Sayings s;
    if (r.h < 1 || r.w < 1)
        return;
    Rect old = canvas_clip(c, r);
    gather(&s, f);
    if (s.count == 0)
        canvas_text(c, r.y, r.x + 1, ROLE_DIM,
                    "nobody disagrees: all the tools we know store these codes");
    else if (r.h == 1)
        draw_one_line(&s, c, r);
    else
        draw_list(&s, c, r);
    c->clip = old;
}
