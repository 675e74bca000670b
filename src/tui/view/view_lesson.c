/* The lesson: a page of text beside the views it talks about, or the list of lessons.
 *
 *   +- lesson - Q8.8 ----------------- page 2 of 8 -+
 *   | Let the machine compute it ...                |
 *   |                                               |
 *   | ? Predict the word in out_emb[0]:             |
 *   |   hint: the deck printed 0.5898 for it        |
 *   | = 0x0097                                      |
 *   +- Enter answers   i hint   2 shows vectors ----+
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "tui/input/keys.h"
#include "tui/view/lesson_view.h"
#include "tui/view/pane_frame.h"
#include "tui/screen/widgets.h"

enum { PAGE_LINE = 1024 };

static const char *numbers_note(const ViewState *v)
{
    (void)v;
    return "here is text only";
}

static void prepare(const Session *s, ViewState *v)
{
    LessonState *l = view_own(v);
    ScriptError error = {0};
    (void)s;
    if (l->lesson || l->listed)
        return;
    l->listed = true;
    if (!lesson_list(&l->list, &l->count, &error))
        snprintf(l->why, sizeof l->why, "%.*s", HEAD(error.err.text, 190));
}

static void free_list(ViewState *v)
{
    LessonState *l = view_own(v);
    free(l->list);
    l->list = NULL;
}

/* ---- the list ---- */

static void draw_list(const ViewState *v, Rect in, bool focused, Canvas *c)
{
    const LessonState *l = view_own(v);
    int y = in.y;
    canvas_text(c, y, in.x + 1, ROLE_TEXT, "Enter takes the lesson under the cursor.");
    for (int i = 0; i < l->count && i < in.h - 2; i++) {
        const LessonInfo *info = &l->list[i];
        char progress[40];
        Role role = focused && i == v->row ? ROLE_CURSOR : ROLE_TEXT;
        y = in.y + 2 + i;
        if (info->finished && info->score >= 0)
            snprintf(progress, sizeof progress, "done, %d %%", info->score);
        else if (info->finished)
            snprintf(progress, sizeof progress, "done");
        else if (info->page)
            snprintf(progress, sizeof progress, "page %d of %d", info->page, info->pages);
        else
            snprintf(progress, sizeof progress, "%d minutes", info->minutes);
        char title[LESSON_ID + LESSON_TITLE + 8];
        snprintf(title, sizeof title, "%s %.*s  %s", i == v->row ? MARK_ACTIVE : " ",
                 (int)strspn(info->id, "0123456789"), info->id, info->title);
        int width = in.w - 2 > 17 ? in.w - 2 - 17 : 0;
        canvas_field(c, y, in.x + 1, width, role, title);
        canvas_text(c, y, in.x + 1 + width, i == v->row ? role : ROLE_DIM, progress);
        canvas_aim(c, (Rect){y, in.x, 1, in.w}, aim_at(i, -1));
        if (focused && i == v->row) {
            c->cursor_y = y;
            c->cursor_x = in.x + 1;
        }
    }
    if (v->row < l->count && l->count + 4 <= in.h)
        canvas_field(c, in.y + l->count + 3, in.x + 1, in.w - 2, ROLE_TEXT, l->list[v->row].about);
    if (l->why[0])
        canvas_textf(c, in.y + 1, in.x + 1, ROLE_WARN, MARK_WARN " %s", l->why);
}

/* ---- the page ---- */

static Role role_of(char letter)
{
    switch (letter) {
    case 'a':
        return ROLE_TITLE;
    case 'r':
        return ROLE_ACTIVE;
    case 'w':
        return ROLE_WARN;
    case 'h':
        return ROLE_READ;
    default:
        return ROLE_TEXT;
    }
}

/* A text being drawn line by line, of which the lines from `top` on are seen. */
typedef struct Scroll {
    Canvas *c;
    Rect in;
    int top, n; /* lines so far */
} Scroll;

static void draw_line(Scroll *s, Role role, const char *text)
{
    char line[PAGE_LINE];
    Buf plain = {0};
    int before = s->n;
    text_untab(text, &plain);
    text = buf_str(&plain);
    while (text_wrap(&text, s->in.w - 2, line, sizeof line)) {
        if (s->n >= s->top && s->n - s->top < s->in.h)
            canvas_text(s->c, s->in.y + s->n - s->top, s->in.x + 1, role, line);
        s->n++;
    }
    s->n += s->n == before; /* an empty line */
    buf_free(&plain);
}

/* Draw the page from its line `top` on; returns how many lines it has. */
static int draw_text(const LessonState *l, Rect in, int top, Canvas *c)
{
    Buf line = {0}; /* a paragraph: of any length */
    Scroll s = {c, in, top, 0};
    for (const char *p = buf_str(&lesson_page(l->lesson)->text); *p;) {
        size_t len = strcspn(p, "\n");
        buf_clear(&line);
        buf_add(&line, p + (len > 0), len - (len > 0));
        draw_line(&s, role_of(len ? p[0] : '\0'), buf_str(&line));
        p += len + (p[len] == '\n');
    }
    buf_free(&line);
    if (l->error[0])
        draw_line(&s, ROLE_WARN, l->error);
    return s.n;
}

/* What Enter does now, and the other keys of the page, in the frame's last line. */
static void draw_footer(const LessonPage *page, const LessonState *l, Rect r, int more,
                        bool focused, Canvas *c)
{
    static const char *const wants[] = {"next page", "answers", "checks"};
    char text[80], key[8], next[LESSON_ID];
    bool ends = page->wants == LESSON_NEXT && page->page == page->pages;
    bool listens = focused && !l->answering;
    int x = r.x + 1;
    if (page->bet)
        x = pane_key_word(c, r, x, "Enter", "answers: first your bet", focused);
    else if (!page->finished)
        x = pane_key_word(c, r, x, "Enter", ends ? "to the end" : wants[page->wants], focused);
    else if (lesson_next(lesson_info(l->lesson)->id, next)) {
        snprintf(text, sizeof text, "next lesson: %.30s", next);
        x = pane_key_word(c, r, x, "Enter", text, listens);
    } else
        x = canvas_text(c, r.y + r.h - 1, x, ROLE_DIM, " the end ");
    if (page->finished)
        x = pane_key_word(c, r, x, "o", "all lessons", listens);
    if (!l->answering && page->wants != LESSON_NEXT)
        x = pane_key_word(c, r, x, "i", "hint", listens);
    if (!l->answering)
        x = pane_key_word(c, r, x, "[", "back", listens);
    snprintf(text, sizeof text, "%d more line%s", more, more == 1 ? "" : "s");
    if (more > 0)
        x = pane_key_word(c, r, x, l->answering ? "PgDn" : "Down", text, focused);
    if (l->answering || !l->see[0]) /* answering: the keys of the views are letters now */
        return;
    int n = (int)strcspn(l->see, " "), before = x;
    snprintf(key, sizeof key, "%.*s", n < 7 ? n : 7, l->see);
    snprintf(text, sizeof text, "shows%.*s, L returns", HEAD(l->see + n, 40));
    x = pane_key_word(c, r, x, key, text, true);
    if (x == before)
        pane_key_word(c, r, x, key, l->see + n + (l->see[n] == ' '), true);
}

/* No further down than to where the last line shows. */
static void place(const Session *s, ViewState *v, Rect r)
{
    const LessonState *l = view_own(v);
    Rect in = canvas_inside(r);
    (void)s;
    if (!l->lesson || in.h < 1 || in.w < 3)
        return;
    int lines = draw_text(l, (Rect){in.y, in.x, 0, in.w}, 0, NULL);
    v->top = limit(v->top, 0, lines > in.h ? lines - in.h : 0);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    char title[LESSON_TITLE + 40];
    const LessonState *l = view_own(v);
    (void)s;
    if (!l->lesson) {
        Rect in = canvas_box(c, r, ROLE_FRAME, "lessons");
        draw_list(v, in, focused, c);
        return;
    }
    const LessonPage *page = lesson_page(l->lesson);
    snprintf(title, sizeof title, "lesson: %s, page %d of %d", lesson_info(l->lesson)->title,
             page->page, page->pages);
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 3)
        return;
    int lines = draw_text(l, in, v->top, c);
    if (v->top > 0) { /* as the footer tells of those below */
        snprintf(title, sizeof title, " %s: %d line%s above ", l->answering ? "PgUp" : "Up", v->top,
                 v->top == 1 ? "" : "s");
        int x = r.x + r.w - 2 - text_width(title);
        if (x > r.x + r.w / 2)
            canvas_text(c, r.y, x, ROLE_KEY, title);
    }
    draw_footer(page, l, r, lines - v->top - in.h, focused, c);
    if (focused) {
        c->cursor_y = in.y;
        c->cursor_x = in.x + 1;
    }
}

/* ---- keys ---- */

/* A line of the page, or another lesson of the list. */
static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    const LessonState *l = view_own(v);
    if (cols) {
        press_leave(p);
    } else if (l->lesson) {
        v->top = limit(v->top + rows, 0, LESSON_END);
    } else {
        prepare(p->s, v); /* a key may come before the list has been drawn */
        v->row = limit(v->row + rows, 0, l->count > 0 ? l->count - 1 : 0);
    }
}

static void page(Press *p)
{
    move(p, 10 * press_by(p), 0);
}

static void turn_page(Press *p)
{
    press_run(p, "page %+d", press_by(p));
}

static void do_next(Press *p)
{
    const Lesson *lesson = ((const LessonState *)view_own(p->v))->lesson;
    char next[LESSON_ID];
    if (lesson_page(lesson)->finished && lesson_next(lesson_info(lesson)->id, next))
        press_run(p, "lesson %s", next);
    else if (lesson_page(lesson)->wants == LESSON_ANSWER)
        press_ask(p, "answer ");
    else
        press_run(p, "%s", lesson_page(lesson)->wants == LESSON_NEXT ? "page +1" : "check");
}

static void next_lesson(Press *p)
{
    move(p, press_by(p), 0);
}

static void take_lesson(Press *p)
{
    ViewState *v = p->v;
    const LessonState *l = view_own(v);
    prepare(p->s, v);
    if (v->row < l->count)
        press_run(p, "lesson %s", l->list[v->row].id);
    else
        press_leave(p);
}

static const ViewKey keys[] = {
    {"Enter", SENSE_OPEN, "take it", "answer, check, next page; in the list: take the lesson",
     .act = do_next},
    {"[ ]", SENSE_ITEM, "next", "previous, next page; in the list: lesson", .act = turn_page},
    {"Up Down", SENSE_MOVE, "choose", "scroll the page; in the list: choose", KEY_MOVES},
    {"PgUp PgDn", SENSE_MOVE, NULL, "scroll further", .act = page},
    {"i", SENSE_OWN, NULL, "hint", .command = "hint"},
    {"a", SENSE_OWN, NULL, "answer", .command = "answer "},
    {"G", SENSE_OWN, NULL, "give up: show the answer", .command = "solve"},
    {"A", SENSE_OWN, NULL, "page again", .command = "page again"},
    {"o", SENSE_OTHER, NULL, "other lessons", .command = "lesson off"},
    {"BS", SENSE_BACK, NULL, "previous page", .command = "page -1"},
    {0},
};

/* In the list. */
static const ViewKey *keys_now(const Session *s, const ViewState *v)
{
    static const ViewKey list[] = {
        {"Enter", SENSE_OPEN, NULL, NULL, .act = take_lesson},
        {"[ ]", SENSE_ITEM, NULL, NULL, .act = next_lesson},
        {0},
    };
    const LessonState *l = view_own(v);
    (void)s;
    return l->lesson ? NULL : list;
}

static Target target(const Session *s, const ViewState *v)
{
    (void)s, (void)v;
    return (Target){0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    (void)s, (void)v, (void)t;
    return false;
}

const View view_lesson = {
    .name = "lesson",
    .title = "lesson",
    .key = "L",
    .about = "A lesson: text on the views beside it, questions, and things to do with the machine. "
             "Enter always does the next thing: it takes an answer, checks what you have done, or "
             "turns the page. Every page can be turned back; the machine then stands where the "
             "page began. Answers and pages are kept for the next time. With no lesson open, the "
             "list of them.",
    .keys = keys,
    .state_size = sizeof(LessonState),
    .free = free_list,
    .place = place,
    .prepare = prepare,
    .draw = draw,
    .keys_now = keys_now,
    .move = move,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
};
