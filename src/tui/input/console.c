#include "tui/input/console.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/input/lineedit.h"
#include "tui/screen/widgets.h"

enum { LINES_KEPT = 1000, SCROLL = 4, COLUMN_MAX = 512 };

typedef struct Line {
    char *text;
    Role role;
} Line;

struct Console {
    LineEdit edit;
    bool begun; /* readline is set up */
    bool asked; /* the line is no command: console_ask */
    Line lines[LINES_KEPT];
    int first, count; /* a ring */
    int scroll;       /* lines scrolled back from the end */
    Buf pending;      /* pasted lines waiting for Enter */
};

static void show_words(void *context, const char *text)
{
    console_print(context, ROLE_DIM, text);
}

Console *console_new(const Commands *commands, const char *history)
{
    Console *c = xcalloc(1, sizeof *c);
    c->edit =
        (LineEdit){.commands = commands, .history = history, .show = show_words, .context = c};
    return c;
}

void console_free(Console *c)
{
    if (c->begun)
        lineedit_end(&c->edit);
    for (int i = 0; i < c->count; i++)
        free(c->lines[(c->first + i) % LINES_KEPT].text);
    buf_free(&c->pending);
    free(c);
}

static void begin(Console *c, const char *label, const char *text)
{
    if (!c->begun) /* not at start: readline reads files */
        lineedit_begin(&c->edit, label);
    c->begun = true;
    c->edit.eof = false;
    buf_clear(&c->pending);        /* pasted for a line that is closed */
    lineedit_key(&c->edit, "C-c"); /* before the label: a search has put that one aside */
    lineedit_label(label);
    lineedit_insert(&c->edit, text);
}

void console_begin(Console *c, const char *text)
{
    c->asked = false;
    begin(c, ": ", text);
}

void console_ask(Console *c, const char *asks, const char *text)
{
    c->asked = true;
    begin(c, asks, text);
}

bool console_press(Console *c, const char *key)
{
    if (strcmp(key, "Esc") == 0 && lineedit_searching()) {
        lineedit_key(&c->edit, "C-g");
        return true;
    }
    if (strcmp(key, "Esc") == 0) {
        buf_clear(&c->pending);
        return false;
    }
    if (strcmp(key, "PgUp") == 0) {
        c->scroll += c->scroll + SCROLL < c->count ? SCROLL : 0;
    } else if (strcmp(key, "PgDn") == 0) {
        c->scroll -= c->scroll < SCROLL ? c->scroll : SCROLL;
    } else {
        lineedit_key(&c->edit, key);
    }
    return !c->edit.eof;
}

/* The first line of what was pasted into the edited line; the rest stays for later. */
static void insert_pending(Console *c)
{
    char *end = c->pending.len ? strchr(c->pending.data, '\n') : NULL;
    if (c->pending.len == 0)
        return;
    if (end)
        *end = '\0';
    lineedit_insert(&c->edit, c->pending.data);
    Buf rest = {0};
    if (end)
        buf_text(&rest, end + 1);
    buf_free(&c->pending);
    c->pending = rest;
}

void console_paste(Console *c, const char *text)
{
    buf_clear(&c->pending);
    for (const char *t = text; *t; t++) {
        if (*t == '\r' && t[1] == '\n')
            continue;
        buf_add(&c->pending, *t == '\r' ? "\n" : t, 1);
    }
    insert_pending(c);
}

/* Answers of a lesson are not for the next pupil to find. */
static bool is_answer(const Console *c, const char *line)
{
    const Command *command = commands_find(c->edit.commands, line + strspn(line, " \t:"), NULL);
    return command_has(command, ANSWERS);
}

char *console_take(Console *c)
{
    char *line = lineedit_take(&c->edit);
    if (!line)
        return NULL;
    if (!c->asked && !is_answer(c, line))
        lineedit_remember(&c->edit, line);
    c->scroll = 0;
    insert_pending(c);
    return line;
}

static void add_line(Console *c, Role role, const char *text, size_t len)
{
    int at = (c->first + c->count) % LINES_KEPT;
    if (c->count == LINES_KEPT) {
        free(c->lines[at].text);
        c->first = (c->first + 1) % LINES_KEPT;
        c->count--;
    }
    char *copy = xmalloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    c->lines[at] = (Line){copy, role};
    c->count++;
}

void console_print(Console *c, Role role, const char *text)
{
    Buf b = {0};
    text_untab(text, &b);
    for (const char *p = buf_str(&b); *p;) {
        size_t len = strcspn(p, "\n");
        add_line(c, role, p, len);
        p += len + (p[len] == '\n');
    }
    buf_free(&b);
}

bool console_line_empty(const Console *c)
{
    Buf b = {0};
    int cursor = 0;
    if (!c->begun)
        return true;
    lineedit_text(&b, &cursor);
    bool empty = strcmp(buf_str(&b), ": ") == 0;
    buf_free(&b);
    return empty;
}

void console_feed(const Console *c, SearchFeed *f)
{
    for (int i = 0; i < c->count; i++)
        search_feed(f, (uint64_t)i, c->lines[(c->first + i) % LINES_KEPT].text);
}

void console_to(Console *c, int line)
{
    c->scroll = c->count - 1 - line;
}

/* The newest lines that fit, wrapped, from the bottom row upwards. */
static void draw_output(const Console *c, Canvas *canvas, Rect r)
{
    char text[COLUMN_MAX];
    int y = r.y + r.h;
    for (int i = c->count - 1 - c->scroll; i >= 0 && y > r.y; i--) {
        const Line *line = &c->lines[(c->first + i) % LINES_KEPT];
        int rows = 0;
        for (const char *t = line->text; text_wrap(&t, r.w, text, sizeof text);)
            rows++;
        y -= rows;
        int row = y;
        for (const char *t = line->text; text_wrap(&t, r.w, text, sizeof text); row++) {
            if (row >= r.y)
                canvas_text(canvas, row, r.x, line->role, text);
        }
    }
}

void console_draw_line(const Console *c, Canvas *canvas, int y, int x, int width)
{
    Buf b = {0};
    int cursor = 0;
    if (!c->begun || width < 1)
        return;
    lineedit_text(&b, &cursor);
    const char *text = buf_str(&b);
    while (cursor >= width) { /* scroll so that the cursor shows */
        int columns = 0;
        text += text_glyph(text, &columns);
        cursor -= columns;
    }
    canvas_field(canvas, y, x, width, ROLE_TEXT, text);
    canvas->cursor_y = y;
    canvas->cursor_x = x + cursor;
    buf_free(&b);
}

void console_draw(const Console *c, Canvas *canvas, Rect r)
{
    canvas_fill(canvas, r, ROLE_TEXT, ' ');
    Rect in = canvas_box(canvas, r, ROLE_FRAME, c->scroll ? "console (scrolled back)" : "console");
    Rect old = canvas_clip(canvas, in);
    draw_output(c, canvas, (Rect){in.y, in.x + 1, in.h - 1, in.w - 2});
    console_draw_line(c, canvas, in.y + in.h - 1, in.x + 1, in.w - 2);
    canvas_clip(canvas, old);
}
