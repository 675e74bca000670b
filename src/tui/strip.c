/* The question that stays while a view is looked at.
 *
 *   ? What will out_emb[0] be?                              Enter answers
 *     Right.                                                       L back
 *
 * It shows what lesson_page holds and asks nothing of the lesson. */
#include "tui/strip.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/widgets.h"

enum { LINE = 512, ROWS = 2 };

/* A part of the question, without the blanks in front and within that set its options off. */
static void add_words(const char *p, size_t n, Buf *out)
{
    for (size_t i = 0; i < n; i++) {
        bool blank = p[i] == ' ' && (i == 0 || p[i - 1] == ' ');
        if (!blank)
            buf_add(out, p + i, 1);
    }
}

/* The last lines of the page that ask, with their options: the question that is open. */
static void find_question(const LessonPage *page, Buf *out)
{
    const char *from = NULL;
    if (page->wants == LESSON_NEXT) {
        buf_text(out, "All is done on this page.");
        return;
    }
    for (const char *p = buf_str(&page->text); *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "a? ", 3) == 0 || strncmp(p, "a> ", 3) == 0)
            from = p;
    }
    for (const char *p = from ? from : ""; *p && (*p == 'a' || strncmp(p, "t  ", 3) == 0);
         p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        if (out->len)
            buf_text(out, *p == 'a' ? " " : "  ");
        add_words(p + 1, n - 1, out);
        p += n;
    }
}

/* What was last said of an answer: its line, with the role letter in front; NULL when nothing was.
 */
static const char *find_feedback(const LessonPage *page)
{
    const char *said = NULL, *last = NULL;
    for (const char *p = buf_str(&page->text); *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if ((*p == 'r' && p[1] != '=') || *p == 'w' || *p == 'h')
            said = p;
        else if (*p == 'a')
            said = NULL; /* a new question has come */
        last = p;
    }
    return page->refused && last && *last == 't' && last[1] > '\n' ? last : said; /* unreadable */
}

typedef struct Keys {
    const char *first, *long_back, *back;
} Keys;

static Keys keys_of(const Lesson *lesson, bool typing, char *buffer, size_t size)
{
    static const char *const wants[] = {"Enter goes on", "Enter answers", "Enter checks"};
    const LessonPage *page = lesson_page(lesson);
    Keys k = {wants[page->wants], buffer, typing ? "Esc, L back" : "L back"};
    if (page->play && page->wants == LESSON_NEXT)
        k.first = ""; /* Enter is the view's */
    snprintf(buffer, size, "%.20s, page %d of %d  %s", lesson_info(lesson)->id, page->page,
             page->pages, k.back);
    return k;
}

/* The question in two lines: the first of them, and the rest. */
static const char *split(const char *question, int room, char *line)
{
    const char *rest = question;
    line[0] = '\0';
    (void)text_wrap(&rest, room, line, LINE);
    return rest;
}

int strip_rows(const Lesson *lesson, int columns)
{
    char line[LINE], buffer[LESSON_ID + 80];
    Buf question = {0};
    Keys k = keys_of(lesson, false, buffer, sizeof buffer);
    find_question(lesson_page(lesson), &question);
    bool both = *split(buf_str(&question), columns - text_width(k.first) - 4, line) != '\0';
    buf_free(&question);
    return both && find_feedback(lesson_page(lesson)) ? ROWS + 1 : ROWS;
}

/* A text on the left of a row, keys on its right. */
static void draw_row(Canvas *c, Rect r, int indent, Role role, const char *text, const char *keys)
{
    char line[LINE];
    int width = text_width(keys), x = r.x + r.w - 1 - width;
    canvas_text(c, r.y, x, ROLE_KEY, keys);
    int room = r.w - 3 - indent - width;
    if (room > 0)
        canvas_text(c, r.y, r.x + 1 + indent, role, text_fit(text, room, line, sizeof line));
}

void strip_draw(const Lesson *lesson, bool typing, Rect r, Canvas *c)
{
    char line[LINE], buffer[LESSON_ID + 80], text[LINE] = "";
    const char *said = find_feedback(lesson_page(lesson));
    Buf question = {0};
    Keys k = keys_of(lesson, typing, buffer, sizeof buffer);
    canvas_fill(c, r, ROLE_TEXT, ' ');
    find_question(lesson_page(lesson), &question);
    const char *rest = split(buf_str(&question), r.w - text_width(k.first) - 4, line);
    Rect row = {r.y, r.x, 1, r.w};
    draw_row(c, row, 0, ROLE_TITLE, line, k.first);
    row.y++;
    if (*rest || !said) {
        bool fits = text_width(rest) + text_width(k.long_back) + 5 <= r.w;
        draw_row(c, row, 2, ROLE_TITLE, rest, said ? "" : fits ? k.long_back : k.back);
        row.y++;
    }
    if (said) {
        Role role = *said == 'r'   ? ROLE_ACTIVE
                    : *said == 'h' ? ROLE_READ
                    : *said == 'w' ? ROLE_WARN
                                   : ROLE_TEXT;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(said + 1, "\n"), said + 1);
        draw_row(c, row, 2, role, text, k.back);
    }
    buf_free(&question);
}
