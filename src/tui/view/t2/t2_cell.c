/* One weight, from its byte to its value, and what decoders with a bug would make of it:
 *
 *   row 1 column 20             tile r1 c20
 *   byte 0x045 = 5b           file 0x0045
 *         01  01  10  11
 *          0   0   +   ?
 *        c23 c22 c21 c20
 *   code 3  reserved: 0.0, never 2 × scale
 *   scale 0x804 = 3c00  0 01111 0000000000
 *     +1 × 2^0 = 1          bf16 holds it
 *   weight 0               00000000
 *   wrong decoders would show
 *   ! code - 1            2 … */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/half.h"
#include "tensor/t2.h"
#include "tui/view/t2/t2_scene.h"

enum { PARTS_MAX = 8, TEXT = 96 };

/* ---- the parts of the byte: one for each weight in it ---- */

typedef struct Part {
    TileCell cell;
    unsigned order; /* from the most significant down */
} Part;

static int by_order(const void *a, const void *b)
{
    const Part *p = a, *q = b;
    return (p->order > q->order) - (p->order < q->order);
}

static unsigned parts_of_row(const T2Scene *k, unsigned row, Part *parts, unsigned n)
{
    for (unsigned col = 0; col < k->tile.cols && n < PARTS_MAX; col++) {
        TileCell cell = tile_cell(&k->tile, row, col);
        if (cell.cell.code_at == k->cell.cell.code_at)
            parts[n++] = (Part){cell, cell.cell.bits ? 8 - cell.cell.bit : cell.cell.trit};
    }
    return n;
}

static unsigned parts_of(const T2Scene *k, Part parts[PARTS_MAX])
{
    bool chunk = k->tile.form == TILE_CHUNK; /* two rows share a byte */
    unsigned first = chunk ? k->row & ~1u : k->row, n = 0;
    for (unsigned row = first; row <= (chunk ? first + 1 : first) && row < k->tile.rows; row++)
        n = parts_of_row(k, row, parts, n);
    qsort(parts, n, sizeof *parts, by_order);
    return n;
}

static bool is_cursor(const T2Scene *k, const Part *p)
{
    return p->cell.cell.row == k->cell.cell.row && p->cell.cell.col == k->cell.cell.col;
}

static int part_width(const T2Scene *k)
{
    unsigned bits = k->cell.cell.bits;
    return bits < 4 ? 5 : (int)bits + 2;
}

/* The part's bits; of a base-3 digit the digit. */
static void part_bits(const T2Scene *k, const Part *p, char *out)
{
    unsigned bits = p->cell.cell.bits;
    uint8_t byte = k->tile.c->map.data[p->cell.cell.code_at];
    if (!bits) {
        snprintf(out, 2, "%d", p->cell.cell.code);
        return;
    }
    for (unsigned i = 0; i < bits; i++)
        out[i] = byte >> (p->cell.cell.bit + bits - 1 - i) & 1 ? '1' : '0';
    out[bits] = '\0';
}

static void draw_parts(const T2Scene *k, Canvas *c, int y, int x, int what)
{
    Part parts[PARTS_MAX] = {0};
    unsigned n = parts_of(k, parts);
    int width = part_width(k);
    for (unsigned i = 0; i < n; i++) {
        char text[16];
        Role role;
        uint32_t glyph = t2_glyph(&k->tile, &parts[i].cell, &role);
        const TensorCell *cell = &parts[i].cell.cell;
        if (what == 0)
            part_bits(k, &parts[i], text);
        else if (what == 2 && k->tile.form == TILE_CHUNK)
            snprintf(text, sizeof text, "r%u", (unsigned)(cell->row % TILE_ROWS));
        else
            snprintf(text, sizeof text, "c%u", (unsigned)(cell->col % TILE_COLS));
        int end = x + (int)(i + 1) * width;
        bool here = is_cursor(k, &parts[i]);
        if (what == 1)
            canvas_put(c, y, end - 1, role, glyph);
        else
            canvas_text(c, y, end - text_width(text), here ? ROLE_ACTIVE : ROLE_DIM, text);
        if (here && what == 0)
            canvas_text(c, y, end - text_width(text) - 1, ROLE_ACTIVE, MARK_ACTIVE);
    }
}

/* ---- the lines ---- */

static void line_place(const T2Scene *k, Canvas *c, Rect r)
{
    const TensorCell *cell = &k->cell.cell;
    int x = canvas_textf(c, r.y, r.x, ROLE_TITLE, "row %" PRIu64 " column %" PRIu64, cell->row,
                         cell->col);
    if (k->machine.signal)
        canvas_textf(c, r.y, x + 2, k->is_read ? ROLE_READ : ROLE_DIM,
                     "%s[%" PRIu64 "][%" PRIu64 "]%s", k->machine.signal->path, cell->col,
                     cell->row, k->is_read ? " " MARK_READ " now" : "");
    else if (k->tile.down * k->tile.across > 1)
        canvas_textf(c, r.y, x + 2, ROLE_DIM, "(r%u c%u of the tile)", k->row, k->col);
}

static void line_byte(const T2Scene *k, Canvas *c, Rect r)
{
    uint64_t at = k->at;
    uint8_t byte = k->tile.c->map.data[at];
    static const char *const names[] = {
        [FIELD_CODE] = "byte",         [FIELD_SCALE] = "scale byte", [FIELD_ZERO] = "zero byte",
        [FIELD_EXPONENT] = "exponent", [FIELD_PLAIN] = "byte",
    };
    uint64_t in_tile = k->tile.bytes ? at - k->tile.at : at;
    int x = canvas_textf(c, r.y, r.x, ROLE_TEXT, "%s 0x%03" PRIx64 " = ", names[k->byte.field],
                         in_tile);
    x = canvas_textf(c, r.y, x, ROLE_ACTIVE, "%02x", byte);
    if (!k->tile.bytes)
        x = canvas_text(c, r.y, x, ROLE_DIM, "  (of the file)");
    else if (k->tile.at)
        x = canvas_textf(c, r.y, x, ROLE_DIM, "  (file 0x%" PRIx64 ")", at);
    if (inspector_edited(k->in, at))
        canvas_text(c, r.y, x, ROLE_CHANGED, " *edited");
}

static void line_bits(const T2Scene *k, Canvas *c, Rect r)
{
    canvas_textf(c, r.y, r.x, ROLE_TEXT, "%02x =", k->tile.c->map.data[k->cell.cell.code_at]);
    draw_parts(k, c, r.y, r.x + 5, 0);
}

static void line_signs(const T2Scene *k, Canvas *c, Rect r)
{
    draw_parts(k, c, r.y, r.x + 5, 1);
}

static void line_columns(const T2Scene *k, Canvas *c, Rect r)
{
    draw_parts(k, c, r.y, r.x + 5, 2);
}

static void line_code(const T2Scene *k, Canvas *c, Rect r)
{
    const TensorCell *cell = &k->cell.cell;
    bool pb16i = k->tile.form == TILE_PB16I, chunk = k->tile.form == TILE_CHUNK;
    int x = canvas_textf(c, r.y, r.x, ROLE_TEXT, "code %d", cell->code);
    if (k->tile.form == TILE_T2 && k->cell.odd)
        canvas_text(c, r.y, x, ROLE_WARN, "  " MARK_WARN " reserved: 0.0, never 2 × scale");
    else if (pb16i && k->cell.odd)
        canvas_text(c, r.y, x, ROLE_WARN, "  " MARK_WARN " not -1, 0 or +1: no ternary weight");
    else if (k->cell.odd)
        canvas_text(c, r.y, x, ROLE_WARN, "  " MARK_WARN " +2: t2 cannot hold it");
    else if (!chunk && !pb16i)
        canvas_textf(c, r.y, x, ROLE_TEXT, " is %s",
                     k->cell.level < 0   ? "−1"
                     : k->cell.level > 0 ? "+1"
                                         : "0");
    if (!cell->bits)
        canvas_textf(c, r.y, x + 8, ROLE_DIM, "digit %u, the largest first", cell->trit);
    if (chunk)
        canvas_textf(c, r.y, x + 2, ROLE_DIM, "under layout %s", chunk_name(k->tile.layout));
}

static void binary(unsigned value, unsigned bits, char *out)
{
    for (unsigned i = 0; i < bits; i++)
        out[i] = value >> (bits - 1 - i) & 1 ? '1' : '0';
    out[bits] = '\0';
}

/* Address and bits of a scale, the fields apart: sign, exponent, fraction. */
static void scale_line(const T2Scene *k, Canvas *c, Rect r, const char *name, uint64_t at,
                       uint16_t bits, unsigned exponent_bits)
{
    char exponent[16], fraction[16];
    unsigned fraction_bits = 15 - exponent_bits;
    binary((unsigned)bits >> fraction_bits & ((1u << exponent_bits) - 1), exponent_bits, exponent);
    binary(bits & ((1u << fraction_bits) - 1), fraction_bits, fraction);
    int x = canvas_textf(c, r.y, r.x, ROLE_TEXT, "%s 0x%03" PRIx64 " ", name,
                         k->tile.bytes ? at - k->tile.at : at);
    bool here = k->state->on_bytes && k->at - at < 2;
    x = canvas_textf(c, r.y, x, here ? ROLE_ACTIVE : ROLE_TITLE, "%04x", bits);
    x = canvas_textf(c, r.y, x, ROLE_TEXT, "  %d ", bits >> 15);
    x = canvas_textf(c, r.y, x, (Role)(ROLE_HEAT_NEG + 7), "%s ", exponent);
    canvas_text(c, r.y, x, (Role)(ROLE_HEAT_POS + 7), fraction);
}

static void line_scale(const T2Scene *k, Canvas *c, Rect r)
{
    const TensorCell *cell = &k->cell.cell;
    if (k->tile.form == TILE_PB16I)
        canvas_textf(c, r.y, r.x, ROLE_TEXT, "ms 0x%" PRIx64 " %04x = %d   e_ref %d",
                     cell->scale_at, cell->scale, (int16_t)cell->scale, cell->e_ref);
    else
        scale_line(k, c, r, "scale", cell->scale_at, cell->scale,
                   k->tile.form == TILE_CHUNK ? 8 : 5);
}

/* "= 1.5625 × 2^-4 = 0.09765625"; of a subnormal "= 17 × 2^-24 = 1.013279e-06". */
static void fp16_formula(uint16_t h, char *out, size_t size)
{
    HalfFields f = half_fields(h);
    char value[32], mantissa[32];
    t2_number_text(half_to_f32(h), value, sizeof value);
    t2_number_text(f32_bits(1 + (float)f.fraction / 1024), mantissa, sizeof mantissa);
    switch (half_class(h)) {
    case HALF_NORMAL:
        snprintf(out, size, "= %s%s × 2^%d = %s", f.sign ? "-" : "", mantissa, (int)f.exponent - 15,
                 value);
        break;
    case HALF_SUBNORMAL:
        snprintf(out, size, "= %s%u × 2^-24 = %s", f.sign ? "-" : "", f.fraction, value);
        break;
    default:
        snprintf(out, size, "= %s", value);
    }
}

static void line_value(const T2Scene *k, Canvas *c, Rect r)
{
    const TensorCell *cell = &k->cell.cell;
    char text[TEXT];
    if (k->tile.form == TILE_PB16I) {
        snprintf(text, sizeof text, "= %d × 2^%d = %.9g", (int16_t)cell->scale, cell->e_ref,
                 ldexp((int16_t)cell->scale, cell->e_ref));
    } else if (k->tile.form == TILE_CHUNK) {
        char value[32];
        t2_number_text(bf16_to_f32(cell->scale), value, sizeof value);
        snprintf(text, sizeof text, "= %s (bf16)", value);
    } else {
        fp16_formula(cell->scale, text, sizeof text);
    }
    canvas_text(c, r.y, r.x + 2, ROLE_TEXT, text);
}

/* What is to be known about the scale; q4 chunks: their additive part. */
static void line_class(const T2Scene *k, Canvas *c, Rect r)
{
    uint16_t h = k->cell.cell.scale;
    char text[TEXT], value[32];
    if (k->tile.form == TILE_PB16I)
        return;
    if (k->tile.form == TILE_CHUNK) {
        const ChunkCell *q = &k->cell.chunk;
        t2_number_text(bf16_to_f32(q->zero), value, sizeof value);
        if (q->has_zero && k->tile.layout == CHUNK_Q4_K)
            canvas_textf(c, r.y, r.x + 2, ROLE_DIM, "sc %u, mn %u, M %04x = %s", q->sc, q->mn,
                         q->zero, value);
        else if (q->has_zero)
            canvas_textf(c, r.y, r.x + 2, ROLE_DIM, "zero 0x%03x %04x = %s", q->zero_at, q->zero,
                         value);
        return;
    }
    HalfClass class = half_class(h);
    if (class != HALF_NORMAL)
        snprintf(text, sizeof text, MARK_WARN " %s", half_class_name(class));
    else
        snprintf(text, sizeof text, "normal");
    int x = canvas_text(c, r.y, r.x + 2, class == HALF_NORMAL ? ROLE_DIM : ROLE_WARN, text);
    if (half_is_bf16(h))
        canvas_text(c, r.y, x, ROLE_DIM, ", bf16 holds it");
    else if (class != HALF_NAN)
        canvas_textf(c, r.y, x, ROLE_DIM, ", bf16 would be %.1e off", half_bf16_error(h));
}

static void line_weight(const T2Scene *k, Canvas *c, Rect r)
{
    char text[48];
    t2_weight_text(k->state->v.format, k->cell.cell.weight, text, sizeof text);
    int x = canvas_text(c, r.y, r.x, ROLE_TITLE, "weight ");
    canvas_text(c, r.y, x, ROLE_ACTIVE, text);
}

/* What the machine made of it: rounded to Q8.8. */
static void line_machine(const T2Scene *k, Canvas *c, Rect r)
{
    int32_t raw = signal_get(k->engine, k->machine.signal, k->machine.at);
    char value[32];
    q88_text(raw, value, sizeof value);
    int x = canvas_text(c, r.y, r.x, ROLE_TEXT, "machine");
    x = canvas_textf(c, r.y, x + 1, k->is_read ? ROLE_READ : ROLE_TEXT, "%04x = %s",
                     (unsigned)raw & 0xffff, value);
    const TensorCell *cell = &k->cell.cell;
    if (inspector_edited(k->in, cell->code_at) || inspector_edited(k->in, cell->scale_at) ||
        inspector_edited(k->in, cell->scale_at + 1))
        canvas_text(c, r.y, x, ROLE_CHANGED, " *as loaded");
}

static const struct {
    void (*draw)(const T2Scene *k, Canvas *c, Rect r);
    int rank; /* those of a high rank go first when room is short */
} lines[] = {
    {line_place, 3},   {line_byte, 1},   {line_bits, 2},    {line_signs, 5},
    {line_columns, 7}, {line_code, 0},   {line_scale, 1},   {line_value, 2},
    {line_class, 6},   {line_weight, 0}, {line_machine, 4},
};
enum { LINES = sizeof lines / sizeof *lines, RANKS = 8, WRONG_LEAST = 3 };

static bool is_shown(const T2Scene *k, size_t i, int rank)
{
    return lines[i].rank <= rank && (lines[i].draw != line_machine || k->machine.signal);
}

/* The highest rank that is shown in h rows. */
static int ranks_for(const T2Scene *k, int h)
{
    for (int rank = RANKS - 1; rank > 0; rank--) {
        int n = 0;
        for (size_t i = 0; i < LINES; i++)
            n += is_shown(k, i, rank);
        if (n <= h)
            return rank;
    }
    return 0;
}

/* ---- wrong decoders ---- */

static const char wrong_title[] = "a wrong decoder would show";

static void draw_wrong(const T2Scene *k, Canvas *c, Rect r)
{
    enum { NAME = 23, NUMBER = 26 };
    WrongReading wrong[WRONG_READINGS];
    int y = r.y + 1, same = 0, lines_needed = 1 + WRONG_READINGS;
    wrong_readings(k->tile.c->map.data + k->tile.at, k->row, k->col, wrong);
    for (size_t i = 0; i < WRONG_READINGS; i++)
        lines_needed += wrong[i].differs;
    bool explain = lines_needed <= r.h;
    canvas_text(c, r.y, r.x, ROLE_DIM, wrong_title);
    for (int differs = 1; differs >= 0; differs--) {
        for (size_t i = 0; i < WRONG_READINGS; i++) {
            char text[48];
            if (wrong[i].differs != (differs == 1))
                continue;
            same += !differs;
            if (y >= r.y + r.h)
                continue;
            if (k->state->v.format == SHOW_HEX || r.w >= NAME + NUMBER)
                t2_weight_text(k->state->v.format, wrong[i].weight, text, sizeof text);
            else
                t2_number_text(wrong[i].weight, text, sizeof text);
            Role role = differs ? ROLE_WARN : ROLE_DIM;
            canvas_text(c, y, r.x, role, differs ? MARK_WARN : " ");
            canvas_text(c, y, r.x + 2, role, wrong[i].name);
            canvas_text(c, y++, r.x + NAME, role, differs ? text : "the same");
            if (differs && explain && y < r.y + r.h)
                canvas_text(c, y++, r.x + 4, ROLE_DIM, wrong[i].bug);
        }
    }
    if (same == WRONG_READINGS)
        canvas_text(c, r.y, r.x + text_width(wrong_title), ROLE_DIM, " the same here");
}

void t2_draw_cell(const T2Scene *k, Canvas *c, Rect r)
{
    if (!k->has_cell) {
        if (r.h > 0)
            line_byte(k, c, r);
        return;
    }
    bool t2 = k->tile.form == TILE_T2;
    int rank = ranks_for(k, t2 && r.h > WRONG_LEAST + 2 ? r.h - WRONG_LEAST : r.h), y = r.y;
    for (size_t i = 0; i < LINES && y < r.y + r.h; i++) {
        if (is_shown(k, i, rank))
            lines[i].draw(k, c, (Rect){y++, r.x, 1, r.w});
    }
    y += r.y + r.h - y > WRONG_READINGS + 1; /* a line of air */
    if (t2 && y + 1 < r.y + r.h)
        draw_wrong(k, c, (Rect){y, r.x, r.y + r.h - y, r.w});
}
