/* The help of `?`, made from the tables: the focused view, the keys, the marks, the commands. It is
 * written as a column of lines that flows through the pages (two columns a page when wide). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "session/command.h"
#include "tui/input/keys.h"
#include "tui/state.h"
#include "tui/screen/theme.h"
#include "tui/screen/widgets.h"

enum { COLUMN = 78, KEY_AT = 2, COMMAND_AT = 13, TEXT_AT = 31 };

typedef struct Page {
    Canvas *c;
    Rect r; /* inside of the frame */
    int columns;
    int top;  /* number of the first line shown */
    int line; /* number of the next line */
} Page;

/* Where the next line goes; false when it is not on this page. */
static bool place(const Page *p, int *y, int *x)
{
    int at = p->line - p->top;
    if (at < 0 || at >= p->r.h * p->columns)
        return false;
    *y = p->r.y + at % p->r.h;
    *x = p->r.x + 1 + at / p->r.h * (COLUMN + 2);
    return true;
}

static int column_width(const Page *p)
{
    int w = p->columns > 1 ? COLUMN : p->r.w - 2;
    return w > COLUMN ? COLUMN : w;
}

static void put(const Page *p, int at, Role role, const char *text)
{
    int y = 0, x = 0;
    if (place(p, &y, &x))
        canvas_text(p->c, y, x + at, role, text);
}

static void heading(Page *p, const char *text)
{
    if (p->line > 0)
        p->line++;
    put(p, 0, ROLE_TITLE, text);
    p->line++;
}

/* Text from column `at` on, wrapped; at least one line. */
static void paragraph(Page *p, int at, Role role, const char *text)
{
    char line[200];
    int before = p->line;
    while (text_wrap(&text, column_width(p) - at, line, sizeof line)) {
        put(p, at, role, line);
        p->line++;
    }
    p->line += p->line == before;
}

static void key_line(Page *p, const char *key, const char *command, const char *help)
{
    put(p, KEY_AT, ROLE_KEY, key);
    put(p, COMMAND_AT, ROLE_DIM, command);
    paragraph(p, TEXT_AT, ROLE_TEXT, help);
}

static void view_help(Page *p, const View *v)
{
    heading(p, v->title);
    paragraph(p, KEY_AT, ROLE_TEXT, v->about);
    for (const ViewKey *k = v->keys; k && k->key; k++) {
        char command[48];
        snprintf(command, sizeof command, "key %s", k->key);
        if (k == v->keys)
            p->line++;
        if (!k->help)
            continue;
        key_line(p, k->key, key_is_name(k->key) ? command : "", k->help);
    }
}

static void mapped_keys(Page *p, const KeyMap *m)
{
    if (!m->count)
        return;
    heading(p, "Keys of your own (map, unmap)");
    for (int i = 0; i < m->count; i++) {
        put(p, KEY_AT, ROLE_KEY, m->all[i].key);
        paragraph(p, COMMAND_AT, ROLE_TEXT, m->all[i].command);
    }
}

/* What keys of views mean wherever a view has them. */
static void meanings(Page *p)
{
    heading(p, "Keys of views: the same in every view that has them");
    for (int i = 0; i < SENSE_COUNT; i++) {
        if (i != SENSE_MOVE && i != SENSE_OPEN && i != SENSE_PHASE && i != SENSE_FOLLOW)
            key_line(p, key_meanings[i].keys, "", key_meanings[i].meaning);
    }
    paragraph(p, KEY_AT, ROLE_TEXT, "In formats f flips the bit under the cursor.");
}

static void view_list(Page *p)
{
    heading(p, "Views");
    for (int i = 0; views[i]; i++) {
        char command[48];
        snprintf(command, sizeof command, "view %s", views[i]->name);
        key_line(p, views[i]->key, command, views[i]->title);
    }
}

static void legend(Page *p)
{
    static const struct {
        Role role;
        const char *mark, *meaning;
    } entries[] = {
        {ROLE_ACTIVE, MARK_ACTIVE " active", "the unit or state at work"},
        {ROLE_CHANGED, "changed", "changed at the last edge"},
        {ROLE_WRITTEN, MARK_WRITTEN " written", "being written"},
        {ROLE_READ, MARK_READ " read", "being read"},
        {ROLE_WARN, MARK_WARN " warning", "suspicious: saturated, wrapped, leaked"},
        {ROLE_MASKED, MARK_MASKED " masked", "beyond seq_pos, or never written"},
        {ROLE_CURSOR, "cursor", "what w, B, y and Enter speak of"},
    };
    heading(p, "Marks");
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char how[40], text[120];
        put(p, KEY_AT, entries[i].role, entries[i].mark);
        attrs_text(theme_style(THEME_MONO, entries[i].role).attrs, how, sizeof how);
        snprintf(text, sizeof text, "%s (mono: %s)", entries[i].meaning, how);
        paragraph(p, COMMAND_AT, ROLE_TEXT, text);
    }
    int y = 0, x = 0;
    for (int level = 0; level <= 8 && place(p, &y, &x); level++) {
        canvas_put(p->c, y, x + KEY_AT + level, heat_role(-1, level), heat_glyph(level));
        canvas_put(p->c, y, x + COMMAND_AT + level, heat_role(1, level), heat_glyph(level));
    }
    paragraph(p, COMMAND_AT + 11, ROLE_TEXT, "magnitude: negative (mono: dim), positive");
}

static void command_line(Page *p, const Command *c)
{
    char text[80], synopsis[ARG_TEXT_MAX];
    snprintf(text, sizeof text, "%s %s", c->name, command_synopsis(c, synopsis));
    put(p, KEY_AT, ROLE_DIM, text);
    put(p, KEY_AT, ROLE_KEY, c->name);
    p->line += text_width(text) >= TEXT_AT - KEY_AT; /* too long to stand beside the summary */
    paragraph(p, TEXT_AT, ROLE_TEXT, c->summary);
}

static void commands(Page *p, const Commands *all)
{
    heading(p, "Commands: what : takes, and what the keys stand for");
    for (int i = 0; i < all->count; i++) {
        for (const Command *c = all->table[i].rows; c->name; c++) {
            if (commands_mean(all, c))
                command_line(p, c);
        }
        p->line++;
    }
    paragraph(p, KEY_AT, ROLE_TEXT,
              "EXPR is SIGNAL OP VALUE, SIGNAL changes, SIGNAL saturates or SIGNAL wraps, joined "
              "by and / or: "
              "run until top.state == DONE, break softmax.exp wraps. NAME is a signal or an "
              "element, exp[37] or "
              "K[0][5]; @ is the element under the cursor.");
}

static void write_all(Page *p, const Tui *t)
{
    const View *v = tui_view(t);
    if (v)
        view_help(p, v);
    for (const KeyGroup *g = key_groups; g->title; g++) {
        heading(p, g->title);
        for (const Key *k = g->keys; k->names; k++)
            key_line(p, k->names, k->command, k->help);
    }
    mapped_keys(p, &t->keymap);
    meanings(p);
    view_list(p);
    legend(p);
    commands(p, &t->commands);
}

/* Inside of the frame, and columns side by side. */
static Page page_of(const Tui *t, Rect r)
{
    Rect in = {r.y + 1, r.x + 1, r.h - 1, r.w - 2};
    return (Page){.r = in, .columns = in.w >= 2 * (COLUMN + 2) ? 2 : 1, .top = t->help_top};
}

/* Lines that a page of help takes, and that there are: written where there is room for none. */
static void measure(Tui *t)
{
    Page p = page_of(t, tui_area(t));
    t->help_page = p.r.h * p.columns;
    p.r.h = 0;
    write_all(&p, t);
    t->help_lines = p.line;
}

void help_draw(Tui *t, Rect r)
{
    char title[80];
    Page p = page_of(t, r);
    p.c = &t->canvas;
    write_all(&p, t);
    t->help_page = p.r.h * p.columns;
    t->help_lines = p.line;
    snprintf(title, sizeof title, "help  lines %d-%d of %d", t->help_top + 1,
             t->help_top + t->help_page < p.line ? t->help_top + t->help_page : p.line, p.line);
    canvas_box(&t->canvas, (Rect){r.y, r.x, r.h + 1, r.w}, ROLE_FRAME, title);
}

/* The whole of help in one column that is as wide as on screen, on a canvas that nobody sees. */
void help_feed(Tui *t, SearchFeed *f)
{
    Buf text = {0};
    Rect r = tui_area(t);
    int width = r.w - 2 >= 2 * (COLUMN + 2) ? COLUMN + 2 : r.w - 2, line = 0;
    Page p = {.c = &t->scratch, .r = {0, 0, 0, width}, .columns = 1};
    write_all(&p, t);
    int lines = p.line;
    canvas_resize(&t->scratch, lines, width, true);
    p = (Page){.c = &t->scratch, .r = {0, 0, lines, width}, .columns = 1};
    write_all(&p, t);
    canvas_dump(&t->scratch, &text);
    for (char *s = text.data; s && *s; line++) {
        size_t n = strcspn(s, "\n");
        bool more = s[n] == '\n';
        s[n] = '\0';
        search_feed(f, (uint64_t)line, s);
        s += n + more;
    }
    buf_free(&text);
}

void help_to(Tui *t, int line)
{
    measure(t);
    int last = t->help_lines - t->help_page, top = t->help_top;
    if (line < top + 1 || line >= top + t->help_page - 1)
        top = line - t->help_page / 3;
    t->help_top = top > last ? last : top;
    t->help_top = t->help_top < 0 ? 0 : t->help_top;
}

Rect help_line(const Tui *t, int line)
{
    Rect r = tui_area(t);
    Rect in = {r.y + 1, r.x + 1, r.h - 1, r.w - 2};
    int columns = in.w >= 2 * (COLUMN + 2) ? 2 : 1, at = line - t->help_top;
    if (at < 0 || at >= in.h * columns)
        return (Rect){-1, 0, 1, 1};
    return (Rect){in.y + at % in.h, in.x + 1 + at / in.h * (COLUMN + 2), 1,
                  columns > 1 ? COLUMN : in.w};
}

void help_scroll(Tui *t, const char *key)
{
    measure(t);
    int last = t->help_lines - t->help_page, y = 0, x = 0;
    if (key_matches("Down j", key))
        t->help_top++;
    else if (key_matches("Up k", key))
        t->help_top--;
    else if (key_mouse(key, "WheelDown", &y, &x))
        t->help_top += 3;
    else if (key_mouse(key, "WheelUp", &y, &x))
        t->help_top -= 3;
    else if (key_matches("space PgDn", key))
        t->help_top += t->help_page - 1;
    else if (key_matches("b PgUp", key))
        t->help_top -= t->help_page - 1;
    else if (key_matches("Home g", key))
        t->help_top = 0;
    else if (key_matches("End G", key))
        t->help_top = last;
    t->help_top = t->help_top > last ? last : t->help_top;
    t->help_top = t->help_top < 0 ? 0 : t->help_top;
}
