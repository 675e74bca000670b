/* The tile as a picture: a character a weight. */
#include <stdio.h>

#include "tui/view/t2/t2_scene.h"

enum { LABEL = 4, RULER = 16 };

/* Columns that are shown of a tile: the whole, a group that shares a scale, or whole bytes. */
static unsigned columns_for(const Tile *tile, int w)
{
    enum { GROUP = 128, STEP = 8 };
    unsigned n = w < 1 ? 0 : (unsigned)w;
    if (n >= tile->cols)
        return tile->cols;
    return n >= GROUP ? GROUP : n >= STEP ? n / STEP * STEP : n;
}

/* The first row of `shown` so that the cursor is among them. */
static int scroll(int first, int cursor, int shown, int count)
{
    if (shown < 1 || shown >= count)
        return 0;
    if (cursor < first)
        first = cursor;
    if (cursor >= first + shown)
        first = cursor - shown + 1;
    return first + shown > count ? count - shown : first;
}

/* Columns turn like pages: the cursor moves, not the picture, and bytes stay whole. */
static int page(int cursor, int shown, int count)
{
    if (shown < 1 || shown >= count)
        return 0;
    int first = cursor / shown * shown;
    return first + shown > count ? count - shown : first;
}

static void draw_ruler(Canvas *c, int y, int x, int left, int cols)
{
    for (int col = left; col < left + cols; col++) {
        char text[16];
        snprintf(text, sizeof text, col ? "%d" : "c%d", col);
        if (col % RULER == 0 && col - left + text_width(text) <= cols)
            canvas_text(c, y, x + col - left, ROLE_DIM, text);
    }
}

static void draw_label(const T2Scene *k, Canvas *c, int y, int x, unsigned row)
{
    const T2Reading *at = &k->reading;
    uint64_t col = at->col < 0 ? 0 : (uint64_t)at->col;
    bool here = row == k->row, read = t2_is_read(at, k->tile.row0 + row, col);
    int end = canvas_textf(c, y, x, here ? ROLE_TEXT : ROLE_DIM, "r%u", row);
    if (read)
        canvas_text(c, y, x + LABEL - 1, ROLE_READ, MARK_READ);
    else if (here && end < x + LABEL)
        canvas_text(c, y, x + LABEL - 1, ROLE_ACTIVE, MARK_ACTIVE);
}

static void draw_row(const T2Scene *k, Canvas *c, int y, int x, unsigned row, unsigned left,
                     unsigned cols)
{
    for (unsigned col = left; col < left + cols; col++) {
        TileCell cell = tile_cell(&k->tile, row, col);
        Role role;
        uint32_t glyph = t2_glyph(&k->tile, &cell, &role);
        if (row == k->row && col == k->col)
            role = ROLE_CURSOR;
        else if (t2_is_read(&k->reading, k->tile.row0 + row, k->tile.col0 + col) &&
                 role != ROLE_WARN)
            role = ROLE_READ;
        else if (t2_is_tied(k, &cell) && role != ROLE_WARN)
            role = ROLE_ACTIVE;
        else if (inspector_edited(k->in, cell.cell.code_at))
            role = ROLE_CHANGED;
        canvas_put(c, y, x + (int)(col - left), role, glyph);
        canvas_aim(c, (Rect){y, x + (int)(col - left), 1, 1}, aim_at((int)row, (int)col));
    }
}

static int rows_for(const Tile *tile, int h)
{
    return h - 1 < (int)tile->rows ? h - 1 : (int)tile->rows;
}

void t2_place_grid(const T2Scene *k, ViewState *v, Rect r)
{
    const Tile *tile = &k->tile;
    if (!k->has_cell)
        return;
    v->top = scroll(v->top, (int)k->row, rows_for(tile, r.h), (int)tile->rows);
    v->left = page((int)k->col, (int)columns_for(tile, r.w - LABEL), (int)tile->cols);
}

void t2_draw_grid(const T2Scene *k, Canvas *c, Rect r)
{
    const Tile *tile = &k->tile;
    const ViewState *v = &k->state->v;
    if (!k->has_cell) {
        canvas_textf(c, r.y, r.x, ROLE_DIM, "%s: its bytes only",
                     k->t->kind == KIND_OTHER || k->t->kind == KIND_UNKNOWN
                         ? k->t->type
                         : kind_name(k->t->kind));
        return;
    }
    int rows = rows_for(tile, r.h), cols = (int)columns_for(tile, r.w - LABEL);
    draw_ruler(c, r.y, r.x + LABEL, v->left, cols);
    for (int i = 0; i < rows; i++) {
        draw_label(k, c, r.y + 1 + i, r.x, (unsigned)(v->top + i));
        draw_row(k, c, r.y + 1 + i, r.x + LABEL, (unsigned)(v->top + i), (unsigned)v->left,
                 (unsigned)(cols < 0 ? 0 : cols));
    }
}
