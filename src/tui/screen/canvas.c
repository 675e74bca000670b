#include "tui/screen/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/mem.h"

enum {
    REST = 0,            /* the second cell of a wide character */
    REPLACEMENT = 0xfffd /* stands for what has no cell of its own: dropped, two names that differ
                            would look alike, and the cursor would stand still */
};

/* The ASCII twin of each character that views use, one for one. */
static const struct {
    const char *utf8;
    char ascii;
} twins[] = {
    {"╭", '+'}, {"╮", '+'}, {"╰", '+'}, {"╯", '+'},  {"─", '-'}, {"│", '|'}, {"├", '+'}, {"┤", '+'},
    {"┬", '+'}, {"┴", '+'}, {"┼", '+'}, {"━", '='},  {"┊", ':'}, {"┃", '|'}, {"►", '>'}, {"◄", '<'},
    {"▲", '^'}, {"▼", 'v'}, {"·", '.'}, {"░", ':'},  {"▒", '%'}, {"▓", '#'}, {"█", '@'}, {"▇", '*'},
    {"▆", '#'}, {"▅", '+'}, {"▄", '='}, {"▃", '-'},  {"▂", ':'}, {"▁", '.'}, {"▏", '|'}, {"▎", '|'},
    {"▍", '|'}, {"▌", '|'}, {"▋", '|'}, {"▊", '|'},  {"▉", '|'}, {"←", '<'}, {"→", '>'}, {"↑", '^'},
    {"↓", 'v'}, {"−", '-'}, {"×", 'x'}, {"≥", '>'},  {"≤", '<'}, {"≈", '~'}, {"…", '~'}, {"•", '*'},
    {"▕", '|'}, {"▔", '-'}, {"Σ", 'S'}, {"√", 'V'},  {"²", '2'}, {"γ", 'g'}, {"β", 'b'}, {"●", 'o'},
    {"○", '.'}, {"◆", '*'}, {"╱", '/'}, {"╲", '\\'}, {"⊕", '+'}, {"└", '+'}, {"┘", '+'}, {"┌", '+'},
    {"┐", '+'}, {"╴", '-'}, {"╵", '|'}, {"╶", '-'},  {"╷", '|'}, {"█", '@'}, {"“", '"'}, {"”", '"'},
};

/* Decode one UTF-8 character; bad bytes come out as '?'. Returns its length. */
static int decode(const char *s, uint32_t *ch)
{
    const unsigned char *u = (const unsigned char *)s;
    int n = u[0] < 0x80             ? 1
            : (u[0] & 0xe0) == 0xc0 ? 2
            : (u[0] & 0xf0) == 0xe0 ? 3
            : (u[0] & 0xf8) == 0xf0 ? 4
                                    : 0;
    *ch = '?';
    if (n == 0)
        return 1;
    uint32_t v = n == 1 ? u[0] : u[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return i;
        v = v << 6 | (u[i] & 0x3f);
    }
    if (v == '\t') /* where nobody has aligned it (text_untab) */
        v = ' ';
    *ch = v < 0x20 || v == 0x7f ? '?' : glyph_width(v) < 1 ? REPLACEMENT : v;
    return n;
}

/* Marks that every terminal draws over the letter before. */
static bool is_mark(uint32_t ch)
{
    static const uint32_t ranges[][2] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                         {0x64b, 0x65f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                         {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ch >= ranges[i][0] && ch <= ranges[i][1])
            return glyph_width(ch) == 0;
    }
    return false;
}

/* The code point that a character of several bytes begins with, whatever its width. */
static uint32_t raw_point(const char *s, int *length)
{
    const unsigned char *u = (const unsigned char *)s;
    if ((u[0] & 0xe0) == 0xc0 && (u[1] & 0xc0) == 0x80) {
        *length = 2;
        return (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu);
    }
    if ((u[0] & 0xf0) != 0xe0 || (u[1] & 0xc0) != 0x80 || (u[2] & 0xc0) != 0x80)
        return 0;
    *length = 3;
    return (u[0] & 0x0fu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
}

/* As decode, with the mark that follows a letter; 0: none. */
static int decode_marked(const char *s, uint32_t *ch, uint32_t *mark)
{
    int n = decode(s, ch), more = 0;
    uint32_t next = *ch == REPLACEMENT || *ch == ' ' ? 0 : raw_point(s + n, &more);
    *mark = is_mark(next) ? next : 0;
    return *mark ? n + more : n;
}

size_t text_glyph(const char *text, int *columns)
{
    uint32_t ch = 0, mark = 0;
    size_t n = (size_t)decode_marked(text, &ch, &mark);
    *columns = glyph_width(ch);
    return n;
}

const char *text_fit(const char *text, int columns, char *out, size_t size)
{
    int used = 0, wide = 0;
    const char *p = text;
    if (text_width(text) <= columns && strlen(text) < size) {
        snprintf(out, size, "%s", text);
        return out;
    }
    for (size_t n = 0; *p; p += n, used += wide) {
        n = text_glyph(p, &wide);
        if (used + wide > columns - 1 || (size_t)(p - text) + n + sizeof "…" > size)
            break;
    }
    snprintf(out, size, "%.*s%s", (int)(p - text), text, columns > 0 ? "…" : "");
    return out;
}

static size_t encode(uint32_t ch, char out[5])
{
    size_t n = 0;
    if (ch < 0x80) {
        out[n++] = (char)ch;
    } else if (ch < 0x800) {
        out[n++] = (char)(0xc0 | ch >> 6);
        out[n++] = (char)(0x80 | (ch & 0x3f));
    } else if (ch < 0x10000) {
        out[n++] = (char)(0xe0 | ch >> 12);
        out[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
        out[n++] = (char)(0x80 | (ch & 0x3f));
    } else {
        out[n++] = (char)(0xf0 | ch >> 18);
        out[n++] = (char)(0x80 | (ch >> 12 & 0x3f));
        out[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
        out[n++] = (char)(0x80 | (ch & 0x3f));
    }
    out[n] = '\0';
    return n;
}

static uint32_t ascii_twin(uint32_t ch)
{
    if (ch < 0x80)
        return ch;
    char text[5];
    encode(ch, text);
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        if (strcmp(twins[i].utf8, text) == 0)
            return (uint32_t)twins[i].ascii;
    }
    return '?';
}

void canvas_resize(Canvas *c, int rows, int cols, bool utf8)
{
    c->rows = rows < 1 ? 1 : rows;
    c->cols = cols < 1 ? 1 : cols;
    c->utf8 = utf8;
    c->cells = xrealloc(c->cells, (size_t)c->rows * (size_t)c->cols * sizeof *c->cells);
    canvas_clear(c);
}

void canvas_clear(Canvas *c)
{
    c->clip = (Rect){0, 0, c->rows, c->cols};
    c->cursor_y = c->cursor_x = -1;
    for (int i = 0; i < c->rows * c->cols; i++)
        c->cells[i] = (Cell){' ', 0, ROLE_TEXT, 0};
}

void canvas_free(Canvas *c)
{
    free(c->cells);
    *c = (Canvas){0};
}

static Rect intersect(Rect a, Rect b)
{
    int y0 = a.y > b.y ? a.y : b.y, x0 = a.x > b.x ? a.x : b.x;
    int y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    int x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    return (Rect){y0, x0, y1 > y0 ? y1 - y0 : 0, x1 > x0 ? x1 - x0 : 0};
}

Rect canvas_clip(Canvas *c, Rect r)
{
    Rect old = c->clip;
    c->clip = intersect(r, (Rect){0, 0, c->rows, c->cols});
    return old;
}

static Cell *cell_at(Canvas *c, int y, int x)
{
    const Rect *k = &c->clip;
    bool inside = y >= k->y && y < k->y + k->h && x >= k->x && x < k->x + k->w;
    return inside ? &c->cells[y * c->cols + x] : NULL;
}

/* A cell of its own; of the wide character that was there the other half becomes a blank. */
static void put_cell(Canvas *c, int y, int x, Role role, uint32_t ch)
{
    Cell *cell = cell_at(c, y, x);
    if (!cell)
        return;
    if (cell->ch == REST)
        cell[-1].ch = ' ', cell[-1].mark = 0;
    else if (x + 1 < c->cols && cell[1].ch == REST)
        cell[1].ch = ' ';
    *cell = (Cell){ch, 0, (uint8_t)role, 0};
}

void canvas_put(Canvas *c, int y, int x, Role role, uint32_t ch)
{
    int width = glyph_width(ch);
    if (width < 1) {
        ch = REPLACEMENT;
        width = 1;
    }
    if (!c->utf8)
        ch = ascii_twin(ch);
    if (width == 1) {
        put_cell(c, y, x, role, ch);
        return;
    }
    Cell *first = cell_at(c, y, x), *second = cell_at(c, y, x + 1);
    uint32_t half = first && second && !c->utf8 ? ch : ' ';
    put_cell(c, y, x, role, half);
    put_cell(c, y, x + 1, role, half);
    if (first && second && c->utf8) {
        first->ch = ch;
        second->ch = REST;
    }
}

/* Without UTF-8 a letter with a mark is another one than without. */
static void put_marked(Canvas *c, int y, int x, Role role, uint32_t ch, uint32_t mark)
{
    Cell *cell = cell_at(c, y, x);
    canvas_put(c, y, x, role, mark && !c->utf8 ? REPLACEMENT : ch);
    if (cell && c->utf8 && cell->ch == ch)
        cell->mark = (uint16_t)mark;
}

int canvas_text(Canvas *c, int y, int x, Role role, const char *text)
{
    while (*text) {
        uint32_t ch = 0, mark = 0;
        text += decode_marked(text, &ch, &mark);
        put_marked(c, y, x, role, ch, mark);
        x += glyph_width(ch);
    }
    return x;
}

int canvas_textf(Canvas *c, int y, int x, Role role, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return canvas_text(c, y, x, role, text);
}

int canvas_sentence(Canvas *c, int y, int x, Role role, const char *text)
{
    int room = c->clip.x + c->clip.w - x, column = 0,
        end = 0; /* the last word that fits ends there */
    if (text_width(text) <= room)
        return canvas_text(c, y, x, role, text);
    for (const char *p = text; *p && column <= room - 2;) {
        int columns = 0;
        if (*p == ' ')
            end = column;
        p += text_glyph(p, &columns);
        column += columns;
    }
    x = end > 0 ? canvas_field(c, y, x, end, role, text) : x;
    return canvas_text(c, y, x, role, end > 0 ? " …" : "…");
}

int canvas_wording(Canvas *c, int y, int x, Role role, const char *texts)
{
    char text[256];
    for (;;) {
        size_t n = strcspn(texts, "\n");
        snprintf(text, sizeof text, "%.*s", (int)n, texts);
        if (texts[n] == '\0' || text_width(text) <= c->clip.x + c->clip.w - x)
            return canvas_sentence(c, y, x, role, text);
        texts += n + 1;
    }
}

int canvas_field(Canvas *c, int y, int x, int width, Role role, const char *text)
{
    int end = x + width;
    while (*text && x < end) {
        uint32_t ch = 0, mark = 0;
        text += decode_marked(text, &ch, &mark);
        if (x + glyph_width(ch) > end) /* half of it */
            break;
        put_marked(c, y, x, role, ch, mark);
        x += glyph_width(ch);
    }
    while (x < end)
        canvas_put(c, y, x++, role, ' ');
    return x;
}

void canvas_fill(Canvas *c, Rect r, Role role, uint32_t ch)
{
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++)
            canvas_put(c, y, x, role, ch);
    }
}

void canvas_cursor(Canvas *c, int y, int x)
{
    if (!cell_at(c, y, x))
        return;
    c->cursor_y = y;
    c->cursor_x = x;
}

void canvas_role(Canvas *c, Rect r, Role role)
{
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++) {
            Cell *cell = cell_at(c, y, x);
            if (cell)
                cell->role = (uint8_t)role;
        }
    }
}

void canvas_aim(Canvas *c, Rect r, uint64_t aim)
{
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++) {
            Cell *cell = cell_at(c, y, x);
            if (cell)
                cell->aim = aim;
        }
    }
}

static void line_title(Canvas *c, int y, int x, int room, const char *title)
{
    if (!*title || room < 4)
        return;
    canvas_put(c, y, x, ROLE_FRAME, ' ');
    char fitting[400];
    int end =
        canvas_text(c, y, x + 1, ROLE_TITLE, text_fit(title, room - 2, fitting, sizeof fitting));
    canvas_put(c, y, end, ROLE_FRAME, ' ');
}

Rect canvas_inside(Rect r)
{
    if (r.h < 2 || r.w < 2)
        return (Rect){r.y, r.x, 0, 0};
    return (Rect){r.y + 1, r.x + 1, r.h - 2, r.w - 2};
}

Rect canvas_box(Canvas *c, Rect r, Role role, const char *title)
{
    int bottom = r.y + r.h - 1, right = r.x + r.w - 1;
    if (r.h < 2 || r.w < 2)
        return canvas_inside(r);
    for (int x = r.x + 1; x < right; x++) {
        canvas_put(c, r.y, x, role, 0x2500); /* ─ */
        canvas_put(c, bottom, x, role, 0x2500);
    }
    for (int y = r.y + 1; y < bottom; y++) {
        canvas_put(c, y, r.x, role, 0x2502); /* │ */
        canvas_put(c, y, right, role, 0x2502);
    }
    canvas_put(c, r.y, r.x, role, 0x256d);      /* ╭ */
    canvas_put(c, r.y, right, role, 0x256e);    /* ╮ */
    canvas_put(c, bottom, r.x, role, 0x2570);   /* ╰ */
    canvas_put(c, bottom, right, role, 0x256f); /* ╯ */
    line_title(c, r.y, r.x + 1, r.w - 2, title);
    return canvas_inside(r);
}

void canvas_rule(Canvas *c, Rect r, int y, Role role, const char *title)
{
    int right = r.x + r.w - 1;
    for (int x = r.x + 1; x < right; x++)
        canvas_put(c, y, x, role, 0x2500);
    canvas_put(c, y, r.x, role, 0x251c);   /* ├ */
    canvas_put(c, y, right, role, 0x2524); /* ┤ */
    line_title(c, y, r.x + 1, r.w - 2, title);
}

void canvas_divide(Canvas *c, int x, int y0, int y1, Role role)
{
    for (int y = y0 + 1; y < y1; y++)
        canvas_put(c, y, x, role, 0x2502);
    canvas_put(c, y0, x, role, 0x252c); /* ┬ */
    canvas_put(c, y1, x, role, 0x2534); /* ┴ */
}

int heat_level(int32_t raw, int32_t full)
{
    int64_t size = raw < 0 ? -(int64_t)raw : raw;
    if (size == 0 || full <= 0)
        return 0;
    int64_t level = (size * 8 + full - 1) / full;
    return (int)(level > 8 ? 8 : level);
}

uint32_t heat_glyph(int level)
{
    return level <= 0 ? ' ' : 0x2580u + (uint32_t)(level > 8 ? 8 : level); /* ▁ .. █ */
}

Role heat_role(int32_t raw, int level)
{
    return (Role)((raw < 0 ? ROLE_HEAT_NEG : ROLE_HEAT_POS) + level);
}

void canvas_heat(Canvas *c, int y, int x, int32_t raw, int32_t full)
{
    int level = heat_level(raw, full);
    canvas_put(c, y, x, heat_role(raw, level), heat_glyph(level));
}

int canvas_bar(Canvas *c, int y, int x, int width, Role role, double part, double whole)
{
    double share = whole > 0 ? part / whole : 0;
    int eighths = (int)((share > 1 ? 1 : share < 0 ? 0 : share) * width * 8 + 0.5);
    if (part > 0 && eighths == 0)
        eighths = 1;
    for (int k = 0; k < width; k++, eighths -= 8) {
        if (eighths >= 8)
            canvas_put(c, y, x + k, role, 0x2588);
        else if (eighths > 0)
            canvas_put(c, y, x + k, role, 0x2590u - (uint32_t)eighths); /* ▏ .. ▉ */
        else
            canvas_put(c, y, x + k, role, ' ');
    }
    return x + width;
}

int text_width(const char *text)
{
    int n = 0;
    while (*text) {
        int columns = 0;
        text += text_glyph(text, &columns);
        n += columns;
    }
    return n;
}

void canvas_dump(const Canvas *c, Buf *out)
{
    for (int y = 0; y < c->rows; y++) {
        const Cell *row = &c->cells[y * c->cols];
        int end = c->cols;
        while (end > 0 && row[end - 1].ch == ' ')
            end--;
        for (int x = 0; x < end; x++) {
            char text[5];
            if (row[x].ch != REST)
                buf_add(out, text, encode(row[x].ch, text));
            if (row[x].mark)
                buf_add(out, text, encode(row[x].mark, text));
        }
        buf_text(out, "\n");
    }
}

void canvas_dump_roles(const Canvas *c, Buf *out)
{
    /* text, dim, frame, title, active, changed, written, read, warn, masked, cursor, key */
    static const char letters[ROLE_COUNT + 1] = ".dftACWR!mXkabcdefghiABCDEFGHI";
    for (int y = 0; y < c->rows; y++) {
        for (int x = 0; x < c->cols; x++)
            buf_add(out, &letters[c->cells[y * c->cols + x].role], 1);
        buf_text(out, "\n");
    }
}
