/* The question that stays while a view is looked at, with what was said of it below, or of the one
 * before above.
 *
 *   = 0  Right.                                             Enter answers
 *   ? What will out_emb[0] be?                                     L back
 *
 * It shows what lesson_page holds and asks nothing of the lesson. */
#include "tui/strip.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/widgets.h"

enum { LINE = 512, ROWS_LEAST = 2, ROWS_MOST = 10 };

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

/* A line of the strip. */
typedef struct Row {
    Role role;
    int indent;
    char text[LINE];
} Row;

typedef struct Rows {
    Row at[ROWS_MOST];
    int n, width, first_keys, other_keys; /* of the screen, and what keys take of it */
} Rows;

/* A text in at most so many rows; what has no room is cut off at the end. */
static void add_text(Rows *rows, Role role, int indent, const char *text, int most)
{
    for (int i = 0; *text && i < most; i++) {
        Row *row = &rows->at[rows->n];
        *row = (Row){.role = role, .indent = i > 0 ? 2 : indent};
        int keys = rows->n == 0 ? rows->first_keys : rows->other_keys;
        int room = rows->width - 4 - row->indent - keys;
        if (room < 1)
            return;
        if (i == most - 1)
            (void)text_fit(text, room, row->text, LINE);
        else
            (void)text_wrap(&text, room, row->text, LINE);
        rows->n++;
    }
}

static int count_rows(const Rows *like, const char *text)
{
    Rows alone = *like;
    alone.n = 1; /* as if there were others above */
    add_text(&alone, ROLE_TEXT, 2, text, ROWS_MOST - 1);
    return alone.n - 1;
}

static Role role_of(char letter)
{
    return letter == 'r'   ? ROLE_ACTIVE
           : letter == 'h' ? ROLE_READ
           : letter == 'w' ? ROLE_WARN
                           : ROLE_TEXT;
}

/* What was said of an earlier question comes first, else the question. */
static void lay_out(const Lesson *lesson, int columns, int most, Rows *rows)
{
    char buffer[LESSON_ID + 80];
    const char *said = buf_str(&lesson_page(lesson)->said);
    Buf question = {0};
    Keys k = keys_of(lesson, true, buffer, sizeof buffer);
    *rows = (Rows){
        .width = columns, .first_keys = text_width(k.first), .other_keys = text_width(k.back)};
    find_question(lesson_page(lesson), &question);
    int said_rows = 0;
    if (*said) {
        said_rows = count_rows(rows, said + 2);
        said_rows = said_rows > most / 2 ? most / 2 : said_rows;
    }
    bool first = said_rows && said[1] == '<';
    if (first)
        add_text(rows, role_of(*said), 0, said + 2, said_rows);
    add_text(rows, ROLE_TITLE, 0, buf_str(&question), most - said_rows);
    if (said_rows && !first)
        add_text(rows, role_of(*said), 2, said + 2, said_rows);
    buf_free(&question);
}

static int rows_most(int screen_rows)
{
    int most = (screen_rows - 3) * 2 / 7; /* the views need more */
    return most < ROWS_LEAST ? ROWS_LEAST : most > ROWS_MOST ? ROWS_MOST : most;
}

int strip_rows(const Lesson *lesson, int columns, int screen_rows)
{
    Rows rows;
    lay_out(lesson, columns, rows_most(screen_rows), &rows);
    return rows.n < ROWS_LEAST ? ROWS_LEAST : rows.n;
}

void strip_draw(const Lesson *lesson, bool typing, Rect r, Canvas *c)
{
    char buffer[LESSON_ID + 80];
    Rows rows;
    Keys k = keys_of(lesson, typing, buffer, sizeof buffer);
    lay_out(lesson, r.w, rows_most(c->rows), &rows);
    canvas_fill(c, r, ROLE_TEXT, ' ');
    for (int i = 0; i < rows.n && i < r.h; i++) {
        const Row *row = &rows.at[i];
        canvas_text(c, r.y + i, r.x + 1 + row->indent, row->role, row->text);
    }
    const char *last = rows.n == r.h ? rows.at[r.h - 1].text : "";
    bool fits = text_width(last) + text_width(k.long_back) + 6 <= r.w;
    const char *back = fits ? k.long_back : k.back;
    canvas_text(c, r.y, r.x + r.w - 1 - text_width(k.first), ROLE_KEY, k.first);
    canvas_text(c, r.y + r.h - 1, r.x + r.w - 1 - text_width(back), ROLE_KEY, back);
}
