/* What stands around the waves of the timeline. */
#include <stdio.h>

#include "script/lesson.h"
#include "tui/screen/pane.h"
#include "tui/view/timeline/timeline_scene.h"

void timeline_draw_axis(const TimelineScene *p, int y)
{
    const TimeWindow *w = &p->win;
    uint64_t step = 1, grow[] = {2, 5, 10};
    char label[24];
    int widest = snprintf(label, sizeof label, "%llu", (unsigned long long)w->end);
    uint64_t apart = widest + 2 > 10 ? (uint64_t)widest + 2 : 10;
    for (uint64_t ten = 1; step * (uint64_t)w->span / w->per_column < apart; ten *= 10) {
        for (int k = 0; k < 3 && step * (uint64_t)w->span / w->per_column < apart; k++)
            step = ten * grow[k];
    }
    if (p->name_w)
        canvas_text(p->c, y, p->r.x + 2, ROLE_TITLE, "cycle");
    for (uint64_t at = (w->start + step - 1) / step * step; at < w->end; at += step) {
        int x = p->wave_x + time_column(w, at) * w->span;
        if (x + snprintf(label, sizeof label, "%llu", (unsigned long long)at) <=
            p->wave_x + p->wave_w)
            canvas_text(p->c, y, x, ROLE_DIM, label);
    }
    if (p->value_w)
        canvas_textf(p->c, y, p->wave_x - p->value_w, ROLE_TEXT, "%llu",
                     (unsigned long long)p->cursor);
}

void timeline_draw_present(const TimelineScene *p, int y)
{
    const TimeWindow *w = &p->win;
    char text[32];
    canvas_text(p->c, y, p->r.x + 2, ROLE_ACTIVE, p->name_w > 7 ? "present" : "");
    snprintf(text, sizeof text, "%llu", (unsigned long long)p->now);
    if (!time_inside(w, p->now)) {
        bool before = p->now < w->start;
        int x = before ? p->wave_x : p->wave_x + p->wave_w - text_width(text) - 2;
        x = canvas_text(p->c, y, x, ROLE_ACTIVE, before ? "◄ " : text);
        canvas_text(p->c, y, x, ROLE_ACTIVE, before ? text : " ►");
        return;
    }
    int x = p->wave_x + time_column(w, p->now) * w->span;
    canvas_text(p->c, y, x, ROLE_ACTIVE, "▼");
    bool left = x + 2 + text_width(text) > p->wave_x + p->wave_w;
    canvas_text(p->c, y, left ? x - 1 - text_width(text) : x + 2, ROLE_ACTIVE, text);
}

void timeline_draw_cursor(const TimelineScene *p, int y, int h)
{
    if (time_inside(&p->win, p->cursor))
        canvas_role(p->c,
                    (Rect){y, p->wave_x + time_column(&p->win, p->cursor) * p->win.span, h, 1},
                    ROLE_CURSOR);
}

static void event_words(const Engine *e, const Event *event, char *out, size_t size)
{
    char name[48];
    unsigned k = event->kinds;
    signal_element_name(e, signal_at(event->signal), event->index, name, sizeof name);
    snprintf(out, size, "%s %s", name,
             k & EVENT_MASK_LEAK      ? "leaks through the mask (lesson 06)"
             : k & EVENT_SUM_OVERFLOW ? "left 16 bits"
             : k & EVENT_SATURATE     ? "saturated"
                                      : "wrapped");
}

/* What went wrong in the column of the cursor. */
static void draw_events(const TimelineScene *p, int y)
{
    char text[192], words[128];
    Event first;
    bool inside = time_inside(&p->win, p->cursor);
    if (p->v->hidden & LESSON_HIDE_WRAP)
        return;
    int k = inside ? timeline_column(p, time_column(&p->win, p->cursor)) : -1;
    uint32_t n = k < 0 ? 0 : film_events(p->own->film, k, &first);
    if (!inside) {
        snprintf(text, sizeof text, "The cursor is in none of these columns.");
    } else if (k < 0) {
        snprintf(text, sizeof text, "This column has not been simulated yet.");
    } else if (n > 0) {
        event_words(session_engine(p->s), &first, words, sizeof words);
        snprintf(text, sizeof text, "! %u event%s here; first %s", (unsigned)n, n == 1 ? "" : "s",
                 words);
    } else {
        snprintf(text, sizeof text, "Nothing saturated or wrapped in this column.");
    }
    canvas_text(p->c, y, p->r.x + 2, n ? ROLE_WARN : ROLE_DIM, text);
}

void timeline_draw_foot(const TimelineScene *p, int y, int lines)
{
    char title[96];
    const char *side = p->cursor > p->now ? "ahead of" : "before";
    uint64_t distance = p->cursor > p->now ? p->cursor - p->now : p->now - p->cursor;
    if (distance)
        snprintf(title, sizeof title, "cursor at cycle %llu, %llu %s the present",
                 (unsigned long long)p->cursor, (unsigned long long)distance, side);
    else
        snprintf(title, sizeof title, "cursor at cycle %llu, the present",
                 (unsigned long long)p->cursor);
    pane_rule(p->c, p->r, y, title);
    draw_events(p, y + 1);
    if (lines > 2)
        canvas_text(
            p->c, y + 2, p->r.x + 2, ROLE_DIM,
            distance ? "Enter goes to the cursor's cycle; c brings the cursor back."
                     : "Left, Right move the cursor through time; < > zoom; dim is yet to come.");
}
