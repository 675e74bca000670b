/* The bytes of the tile, 16 a row, marked by what they are:
 *
 *   0040  55 6a 9a 91 5a►5b!59 …   r1 codes
 *   0800 :66:2e:00:3c …            r0 scales */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "tui/view/t2/t2_scene.h"

enum { HEX = 3 * TILE_LINE, GAP = 2 };

static const char *const field_names[] = {
    [FIELD_CODE] = "codes",     [FIELD_SCALE] = "scales", [FIELD_ZERO] = "zeros",
    [FIELD_EXPONENT] = "e_ref", [FIELD_PLAIN] = "",
};

/* Is the byte part of what the cell under the cursor needs: its code, its scale, its zero? */
static bool serves_cell(const T2Scene *k, uint64_t at)
{
    const TileCell *cell = &k->cell;
    if (!k->has_cell)
        return false;
    if (at == cell->cell.code_at || at - cell->cell.scale_at < 2)
        return true;
    return cell->chunk.has_zero && at - (k->tile.at + cell->chunk.zero_at) < 2;
}

static void draw_byte(const T2Scene *k, Canvas *c, int y, int x, uint64_t at)
{
    TileByte b = tile_byte(&k->tile, at);
    Role role = b.field == FIELD_CODE || b.field == FIELD_PLAIN ? ROLE_TEXT : ROLE_TITLE;
    const char *mark = role == ROLE_TITLE ? ":" : " ";
    bool here = at == k->at, edited = inspector_edited(k->in, at);
    if (b.odd) {
        role = ROLE_WARN;
        mark = MARK_WARN;
    }
    if (edited) {
        role = ROLE_CHANGED;
        mark = "*";
    }
    if (serves_cell(k, at)) {
        role = ROLE_ACTIVE;
        mark = here ? MARK_ACTIVE : mark;
    }
    if (here && k->state->on_bytes) {
        role = ROLE_CURSOR;
        mark = MARK_ACTIVE;
    }
    canvas_text(c, y, x,
                here     ? ROLE_ACTIVE
                : b.odd  ? ROLE_WARN
                : edited ? ROLE_CHANGED
                         : ROLE_DIM,
                mark);
    canvas_textf(c, y, x + 1, role, "%02x", k->tile.c->map.data[at]);
    canvas_aim(c, (Rect){y, x, 1, 3}, AIM_OTHER | at);
}

/* What stands in the line: where its first byte belongs. */
static void draw_label(const T2Scene *k, Canvas *c, int y, int x, TileRun run)
{
    TileByte b = tile_byte(&k->tile, run.at);
    if (b.field == FIELD_PLAIN)
        return;
    if (b.field == FIELD_CODE && k->tile.form == TILE_T2)
        canvas_textf(c, y, x, ROLE_DIM, "r%u c%u..%u", b.row, b.col, b.col + 4 * run.n - 1);
    else if (k->tile.form == TILE_T2)
        canvas_textf(c, y, x, ROLE_DIM, "scales r%u..%u", b.row, b.row + run.n / 4 - 1);
    else
        canvas_textf(c, y, x, ROLE_DIM, "r%u c%u %s", b.row, b.col, field_names[b.field]);
}

/* The line again as characters: the weights of t2's code bytes, text of plain bytes. */
static void draw_meaning(const T2Scene *k, Canvas *c, int y, int x, TileRun run)
{
    for (unsigned i = 0; i < run.n; i++) {
        TileByte b = tile_byte(&k->tile, run.at + i);
        uint8_t byte = k->tile.c->map.data[run.at + i];
        if (b.field == FIELD_PLAIN)
            canvas_put(c, y, x + (int)i, ROLE_DIM, isprint(byte) ? byte : '.');
        if (b.field != FIELD_CODE || k->tile.form != TILE_T2)
            continue;
        for (unsigned n = 0; n < 4; n++) {
            TileCell cell = tile_cell(&k->tile, b.row, b.col + n);
            Role role;
            uint32_t glyph = t2_glyph(&k->tile, &cell, &role);
            if (b.row == k->row && b.col + n == k->col)
                role = ROLE_CURSOR;
            else if (t2_is_tied(k, &cell))
                role = ROLE_ACTIVE;
            canvas_put(c, y, x + (int)(4 * i + n), role, glyph);
            canvas_aim(c, (Rect){y, x + (int)(4 * i + n), 1, 1},
                       aim_at((int)b.row, (int)(b.col + n)));
        }
    }
}

static void draw_line(const T2Scene *k, Canvas *c, int y, Rect r, unsigned line)
{
    enum { LABEL = 14, MEANING = 4 * TILE_LINE };
    int digits = k->tile.bytes ? 4 : 7, hex = r.x + digits + 1;
    TileRun run = tile_line(&k->tile, line);
    uint64_t address = k->tile.bytes ? run.at - k->tile.at : run.at;
    bool t2 = k->tile.form == TILE_T2;
    int x = hex + HEX + GAP;
    bool room = x + LABEL + (t2 ? MEANING : TILE_LINE) <= r.x + r.w;
    canvas_textf(c, y, r.x, ROLE_DIM, "%0*" PRIx64, digits, address);
    for (unsigned i = 0; i < run.n; i++)
        draw_byte(k, c, y, hex + 3 * (int)i, run.at + i);
    draw_label(k, c, y, x, run);
    if (room && (t2 || k->tile.form == TILE_BYTES))
        draw_meaning(k, c, y, k->tile.form == TILE_BYTES ? x : x + LABEL, run);
}

/* The lines turn like pages, of whole rows where that fits, so that nothing shifts while the
 * cursor moves within one. */
static unsigned first_line(const T2Scene *k, unsigned h)
{
    unsigned line = 0;
    if (!tile_line_of(&k->tile, k->at, &line) || k->tile.lines <= h)
        return 0;
    unsigned page = h >= 4 ? h / 4 * 4 : h;
    unsigned first = line / page * page;
    return first + h > k->tile.lines ? k->tile.lines - h : first;
}

void t2_draw_bytes(const T2Scene *k, Canvas *c, Rect r)
{
    if (r.h < 1)
        return;
    unsigned first = first_line(k, (unsigned)r.h);
    for (int i = 0; i < r.h && first + (unsigned)i < k->tile.lines; i++)
        draw_line(k, c, r.y + i, r, first + (unsigned)i);
}
