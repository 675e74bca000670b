#include "tui/canvas.h"

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

size_t text_glyph(const char *text, int *columns)
{
    uint32_t ch = 0;
    size_t n = (size_t)decode(text, &ch);
    *columns = glyph_width(ch);
    return n;
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
        c->cells[i] = (Cell){' ', ROLE_TEXT};
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
        cell[-1].ch = ' ';
    else if (x + 1 < c->cols && cell[1].ch == REST)
        cell[1].ch = ' ';
    *cell = (Cell){ch, (uint8_t)role};
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

int canvas_text(Canvas *c, int y, int x, Role role, const char *text)
{
    while (*text) {
        uint32_t ch = 0;
        text += decode(text, &ch);
        canvas_put(c, y, x, role, ch);
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
        uint32_t ch = 0;
        text += decode(text, &ch);
        if (x + glyph_width(ch) > end) /* half of it */
            break;
        canvas_put(c, y, x, role, ch);
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

static void line_title(Canvas *c, int y, int x, int room, const char *title)
{
    if (!*title || room < 4)
        return;
    canvas_put(c, y, x, ROLE_FRAME, ' ');
    int width = text_width(title) < room - 2 ? text_width(title) : room - 2;
    int end = canvas_field(c, y, x + 1, width, ROLE_TITLE, title);
    canvas_put(c, y, end, ROLE_FRAME, ' ');
}

Rect canvas_box(Canvas *c, Rect r, Role role, const char *title)
{
    int bottom = r.y + r.h - 1, right = r.x + r.w - 1;
    if (r.h < 2 || r.w < 2)
        return (Rect){r.y, r.x, 0, 0};
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
    return (Rect){r.y + 1, r.x + 1, r.h - 2, r.w - 2};
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
