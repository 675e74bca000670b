/* The question that stays while a view is looked at.
 *
 *   ? What will out_emb[0] be?                              Enter answers  i hint
 *     Right.                                          01-token, page 6 of 8  L back
 *
 * It shows what lesson_page holds and asks nothing of the lesson. */
#include "tui/strip.h"

#include <stdio.h>
#include <string.h>

#include "tui/widgets.h"

/* The last lines of the page that ask, with their options: the question that is open. */
static void find_question(const char *text, Buf *out)
{
    const char *from = NULL;
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "a? ", 3) == 0 || strncmp(p, "a> ", 3) == 0)
            from = p;
    }
    for (const char *p = from ? from : ""; *p && (*p == 'a' || strncmp(p, "t  ", 3) == 0);
         p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        if (out->len)
            buf_text(out, " ");
        buf_add(out, p + 1, n - 1);
        p += n;
    }
}

/* What was last said of an answer: its line, with the role letter in front; NULL when nothing was.
 */
static const char *find_feedback(const char *text)
{
    const char *said = NULL;
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if ((*p == 'r' && p[1] != '=') || *p == 'w' || *p == 'h')
            said = p;
        else if (*p == 'a')
            said = NULL; /* a new question has come */
    }
    return said;
}

/* Right-aligned keys; returns the column where they begin. */
static int draw_keys(Canvas *c, int y, Rect r, const char *text)
{
    int x = r.x + r.w - 1 - text_width(text);
    if (x > r.x + r.w / 3)
        canvas_text(c, y, x, ROLE_KEY, text);
    return x > r.x + r.w / 3 ? x : r.x + r.w;
}

void strip_draw(const Lesson *lesson, Rect r, Canvas *c)
{
    static const char *const wants[] = {"L next page", "Enter answers", "Enter checks"};
    const LessonPage *page = lesson_page(lesson);
    Buf question = {0};
    char back[LESSON_ID + 64], line[512];
    if (r.h < 2)
        return;
    for (int y = r.y; y < r.y + 2; y++)
        canvas_fill(c, (Rect){y, r.x, 1, r.w}, ROLE_TEXT, ' ');
    const char *said = find_feedback(buf_str(&page->text));
    snprintf(back, sizeof back, "%s, page %d of %d  L back", lesson_info(lesson)->id, page->page,
             page->pages);
    int room = draw_keys(c, r.y, r, wants[page->wants]) - r.x - 2;
    int below = draw_keys(c, r.y + 1, r, said ? "L back" : back) - r.x - 4;
    if (page->wants == LESSON_NEXT)
        buf_text(&question, "All is done on this page.");
    else
        find_question(buf_str(&page->text), &question);
    const char *rest = buf_str(&question);
    if (text_wrap(&rest, room, line, sizeof line))
        canvas_field(c, r.y, r.x + 1, room, ROLE_TITLE, line);
    if (said) {
        Role role = *said == 'r' ? ROLE_ACTIVE : *said == 'w' ? ROLE_WARN : ROLE_READ;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(said + 1, "\n"), said + 1);
        canvas_field(c, r.y + 1, r.x + 3, below, role, line);
    } else if (*rest) {
        canvas_field(c, r.y + 1, r.x + 3, below, ROLE_TITLE, rest);
    }
    buf_free(&question);
}
