/* A tile of a tensor, byte for byte; cell, byte and value are one cursor:
 *
 * ╭ t2  model.gguf  blk.0.ffn_down  t2 64x512  tile (0,1) of 2x2 ────────────────╮
 * │    c0              16               │row 1 column 276  (r1 c20 of the tile)  │
 * │r0  +0−+0+−0+0−−+0+0+−0+…            │byte 0x045 = 5b  (file 0x8c5)           │
 * │r1 ►0−+0?+−0+0−−+0+0+−0+…            │bits    01  01  10 ►11                  │
 * │r2  …                                │code 3  ! reserved: 0.0, never 2 × scale│
 * ├ ►bytes  counts  tensors ────────────┴────────────────────────────────────────┤
 * │0040    55 6a 9a 91 5a►5b!59 …                              r1 c0..63         │
 * │tile   −1 33.1 %  0 33.4 %  +1 33.4 %  ! reserved 1  scales: 62 normal …      │
 * ╰──────────────────────────────────────────────────────────────────────────────╯
 *
 * The parts are t2_grid.c, t2_cell.c, t2_bytes.c and t2_counts.c; t2_scene.c is the cursor. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "tui/screen/pane.h"
#include "tui/view/pane_frame.h"
#include "tui/view/t2/t2_scene.h"
#include "tui/screen/widgets.h"

enum {
    SIDE = 40,         /* columns of the cell inspector ... */
    SIDE_WIDE = 64,    /* ... where there is plenty */
    BESIDE_LEAST = 62, /* less: the inspector stands below the grid */
    WIDE = 150,
    GRID_ROWS = TILE_ROWS + 1,
    ALL_PARTS = GRID_ROWS + 8 /* rows from which everything is on screen at once */
};

typedef enum { PART_BYTES, PART_COUNTS, PART_TENSORS, PART_COUNT } Part;
static const char *const part_names[PART_COUNT] = {"bytes", "counts", "tensors"};

/* ---- nothing open ---- */

static void draw_empty(Canvas *c, Rect r)
{
    static const char *const lines[] = {
        "No tensor file is open.",
        "",
        "Enter               asks for one: GGUF, safetensors, .q4nx, raw .t2, pb16i",
        ":open FILE          the same",
        "tokstep open FILE   the same from the shell",
        "",
        "A t2 tile holds 32 rows x 256 columns of weights -1, 0, +1:",
        "  bytes 0..2047     2 bits a weight: 0 = -1, 1 = 0, 2 = +1",
        "  bytes 2048..2175  an fp16 scale for each half row",
        "A weight is its code times its scale; code 3 is reserved.",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines) && i < r.h; i++)
        canvas_sentence(c, r.y + i, r.x + 1,
                        i == 0  ? ROLE_TITLE
                        : i > 5 ? ROLE_DIM
                                : ROLE_TEXT,
                        lines[i]);
}

/* ---- the layout ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void title_of(const T2Scene *k, int w, char *out, size_t size)
{
    const Tensor *t = k->t;
    const char *file = base_name(k->in->c.path), *edited = "";
    char tile[80] = "", name[160] = "", count[40] = "";
    if (k->tile.form == TILE_BYTES)
        snprintf(tile, sizeof tile, "page %" PRIu64 " of %" PRIu64, k->tile.i, k->tile.down);
    else
        snprintf(tile, sizeof tile, "tile (%" PRIu64 ",%" PRIu64 ") of %" PRIu64 "x%" PRIu64,
                 k->tile.i, k->tile.j, k->tile.down, k->tile.across);
    if (k->in->n_pokes) {
        snprintf(count, sizeof count, "  *%zu edit%s%s", k->in->n_pokes,
                 k->in->n_pokes == 1 ? "" : "s", inspector_unsaved(k->in) ? "" : ", written");
        edited = count;
    }
    if (strcmp(file, t->name) != 0)
        snprintf(name, sizeof name, "  %.*s", HEAD(t->name, 150));
    const char *rotated = t->flags & TENSOR_ROTATED ? " rotated" : "";
    const char *kind =
        t->kind == KIND_OTHER || t->kind == KIND_UNKNOWN ? t->type : kind_name(t->kind);
    snprintf(out, size, "t2  %.*s%s  %s%s %" PRIu64 "x%" PRIu64 "  %s%s", HEAD(file, 80), name,
             kind, rotated, t->rows, t->cols, tile, edited);
    if (text_width(out) <= w - 4)
        return;
    /* the file's name is the longest known; what remains is shown whole but for the tensor's */
    snprintf(out, size, "  %s%s %s%s", kind, rotated, tile, edited);
    char rest[240], cut[240];
    snprintf(rest, sizeof rest, "%.*s", HEAD(out, 239));
    snprintf(out, size, "t2%s%s", text_fit(name, w - 6 - text_width(rest), cut, sizeof cut), rest);
}

static void draw_tabs(Canvas *c, Rect box, int y, Part shown)
{
    int x = box.x + 1;
    canvas_rule(c, box, y, ROLE_FRAME, "");
    for (int i = 0; i < PART_COUNT; i++) {
        x = canvas_text(c, y, x, ROLE_ACTIVE, i == (int)shown ? " " MARK_ACTIVE : "  ");
        x = canvas_text(c, y, x, i == (int)shown ? ROLE_TITLE : ROLE_DIM, part_names[i]);
    }
    canvas_text(c, y, x, ROLE_FRAME, " ");
}

static void draw_part(const T2Scene *k, Canvas *c, Part part, Rect r)
{
    Rect old = canvas_clip(c, r);
    if (part == PART_BYTES)
        t2_draw_bytes(k, c, r);
    else if (part == PART_COUNTS)
        t2_draw_counts(k, c, r);
    else
        t2_draw_tensors(k, c, r);
    canvas_clip(c, old);
}

static void draw_cell(const T2Scene *k, Canvas *c, Rect r)
{
    Rect old = canvas_clip(c, r);
    t2_draw_cell(k, c, r);
    canvas_clip(c, old);
}

static void draw_grid(const T2Scene *k, Canvas *c, Rect r)
{
    Rect old = canvas_clip(c, r);
    t2_draw_grid(k, c, r);
    canvas_clip(c, old);
}

static void draw_summary(const T2Scene *k, Canvas *c, Rect r)
{
    Rect old = canvas_clip(c, r);
    t2_draw_summary(k, c, r);
    canvas_clip(c, old);
}

/* The part below the grid that was chosen; a cursor in the bytes needs them. */
static Part part_of(const T2Scene *k)
{
    return k->state->on_bytes && k->has_cell ? PART_BYTES : (Part)(k->state->part % PART_COUNT);
}

/* Everything at once: grid and bytes left, the cell, the counts and the tensors right. */
static void draw_large(const T2Scene *k, Canvas *c, Rect box, Rect in)
{
    enum { CELL = 24, COUNTS = 11 };
    int x = in.x + in.w - SIDE_WIDE - 1, left = in.w - SIDE_WIDE - 1, y = in.y + GRID_ROWS;
    int cell = in.h > CELL + COUNTS + 4 ? CELL : in.h / 2;
    Rect left_box = {box.y, box.x, box.h, x - box.x + 1};
    Rect right_box = {box.y, x, box.h, box.x + box.w - x};
    canvas_divide(c, x, box.y, box.y + box.h - 1, ROLE_FRAME);
    draw_grid(k, c, (Rect){in.y, in.x, GRID_ROWS, left});
    canvas_rule(c, left_box, y, ROLE_FRAME, part_names[PART_BYTES]);
    draw_part(k, c, PART_BYTES, (Rect){y + 1, in.x, in.y + in.h - y - 1, left});
    draw_cell(k, c, (Rect){in.y, x + 1, cell, SIDE_WIDE});
    canvas_rule(c, right_box, in.y + cell, ROLE_FRAME, part_names[PART_COUNTS]);
    draw_part(k, c, PART_COUNTS, (Rect){in.y + cell + 1, x + 1, COUNTS, SIDE_WIDE});
    y = in.y + cell + 1 + COUNTS;
    canvas_rule(c, right_box, y, ROLE_FRAME, part_names[PART_TENSORS]);
    draw_part(k, c, PART_TENSORS, (Rect){y + 1, x + 1, in.y + in.h - y - 1, SIDE_WIDE});
}

/* Rows of the parts, and the width of the grid: grid and cell above, one of the other parts below,
 * a summary at the bottom. */
typedef struct Stack {
    bool beside; /* is the cell beside the grid? */
    int side, grid_w;
    int grid, cell, part, summary;
} Stack;

static Stack stack_parts(const T2Scene *k, Rect in)
{
    Stack s = {.beside = in.w >= BESIDE_LEAST, .side = in.w >= WIDE ? SIDE_WIDE : SIDE};
    s.grid_w = s.beside ? in.w - s.side - 1 : in.w;
    /* a line more for what is told of the shape, which must not hide what was found */
    s.summary = in.h >= 16 ? 2 + k->in->assumed[k->state->tensor] : in.h >= 9 ? 1 : 0;
    int left = in.h - s.summary;
    s.cell = s.beside || left < 8 ? 0 : left < 12 ? left - 5 : 7;
    s.part = left - s.cell >= 11 ? (left - s.cell > 30 ? 12 : 4) + 1 : 0;
    if (k->tile.form == TILE_BYTES && left > 4)
        s.part = left - 2;
    s.grid = left - s.cell - s.part;
    if (part_of(k) == PART_COUNTS && s.part) { /* they hold the summary too */
        s.part += s.summary;
        s.summary = 0;
    }
    return s;
}

static void draw_stacked(const T2Scene *k, Canvas *c, Rect box, Rect in)
{
    Stack s = stack_parts(k, in);
    draw_grid(k, c, (Rect){in.y, in.x, s.grid, s.grid_w});
    if (s.beside)
        draw_cell(k, c, (Rect){in.y, in.x + s.grid_w + 1, s.grid, s.side});
    else
        draw_cell(k, c, (Rect){in.y + s.grid, in.x, s.cell, in.w});
    if (s.part > 0) {
        draw_tabs(c, box, in.y + s.grid + s.cell, part_of(k));
        draw_part(k, c, part_of(k), (Rect){in.y + s.grid + s.cell + 1, in.x, s.part - 1, in.w});
    }
    if (s.beside)
        canvas_divide(c, in.x + s.grid_w, box.y, s.part ? in.y + s.grid : in.y + in.h - s.summary,
                      ROLE_FRAME);
    draw_summary(k, c, (Rect){in.y + in.h - s.summary, in.x, s.summary, in.w});
}

static bool is_large(Rect in)
{
    return in.w >= WIDE && in.h >= ALL_PARTS;
}

static void place(const Session *s, ViewState *v, Rect r)
{
    T2Scene k;
    Rect in = canvas_inside(r);
    bool open = t2_settle(&k, s, view_own(v));
    if (!open || !k.tile.down || in.h < 1 || in.w < 1)
        return;
    if (is_large(in)) {
        t2_place_grid(&k, v, (Rect){in.y, in.x, GRID_ROWS, in.w - SIDE_WIDE - 1});
    } else {
        Stack parts = stack_parts(&k, in);
        t2_place_grid(&k, v, (Rect){in.y, in.x, parts.grid, parts.grid_w});
    }
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    T2Scene k;
    char title[400] = "t2";
    bool open = t2_scene(&k, s, view_own(v));
    if (open)
        title_of(&k, r.w, title, sizeof title);
    Rect old = canvas_clip(c, r);
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, title);
        canvas_clip(c, old);
        return;
    }
    if (!open)
        pane_key_word(c, r, r.x + 1, "Enter", "opens a file", focused);
    pane_clip(c, r);
    if (!open)
        draw_empty(c, in);
    else if (!k.tile.down)
        canvas_sentence(c, in.y, canvas_text(c, in.y, in.x, ROLE_TEXT, "empty: "), ROLE_TEXT,
                        k.t->name);
    else {
        canvas_clip(c, r);
        if (is_large(in))
            draw_large(&k, c, r, in);
        else
            draw_stacked(&k, c, r, in);
        char fitting[sizeof title]; /* over the divider */
        canvas_text(c, r.y, r.x + 2, ROLE_TITLE, text_fit(title, r.w - 4, fitting, sizeof fitting));
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

/* The byte `lines` below and `by` to the right: the lines follow each other. */
static void move_byte(const T2Scene *k, T2State *v, int lines, int by)
{
    unsigned line = 0;
    if (!tile_line_of(&k->tile, k->at, &line))
        return;
    int col = (int)(k->at - tile_line(&k->tile, line).at) + by;
    int to = (int)line + lines + (col < 0 ? -1 : col >= (int)tile_line(&k->tile, line).n ? 1 : 0);
    if (to < 0 || to >= (int)k->tile.lines) {
        if (lines == 0)
            return;
        to = to < 0 ? 0 : (int)k->tile.lines - 1;
    }
    TileRun run = tile_line(&k->tile, (unsigned)to);
    if (by)
        col = col < 0 ? (int)run.n - 1 : to != (int)line ? 0 : col;
    v->at = run.at + (uint64_t)(col < (int)run.n ? col : (int)run.n - 1);
}

/* While no file is open. */
static const ViewKey *keys_now(const Session *s, const ViewState *v)
{
    static const ViewKey none_open[] = {
        {"Enter /", SENSE_OPEN, NULL, NULL, .command = "open "},
        {0},
    };
    T2Scene k;
    return t2_scene(&k, s, view_own(v)) ? NULL : none_open;
}

/* The cursor so many cells or bytes on; an empty tensor has none. */
static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    T2Scene k;
    T2State *own = view_own(v);
    if (!t2_settle(&k, p->s, own) || !k.tile.down) {
        press_leave(p);
        return;
    }
    v->pinned = true;
    if (own->on_bytes) {
        move_byte(&k, own, rows, cols);
    } else {
        v->row += rows;
        v->col += cols;
    }
}

static void first_or_last_column(Press *p)
{
    const T2State *own = view_own(p->v);
    move(p, 0, own->on_bytes ? 0 : TILE_COLS * press_by(p));
}

/* To the next tile: the cursor keeps its place in it. */
static void next_tile(Press *p)
{
    T2Scene k;
    T2State *own = view_own(p->v);
    (void)t2_settle(&k, p->s, own);
    uint64_t count = tile_count(k.t), to = own->tile + (uint64_t)(int64_t)press_by(p);
    bool pages = k.tile.form == TILE_BYTES;
    if (count == 0)
        press_refuse(p, "the tensor is empty");
    else if (count == 1)
        press_refuse(p, pages ? "this page is the whole tensor" : "this tile is the whole tensor");
    else if (to >= count) /* below 0 it has wrapped */
        press_refuse(p, press_by(p) < 0 ? "this is the first of the tensor"
                                        : "this is the last of the tensor");
    if (p->what == PRESS_REFUSE)
        return;
    p->v->pinned = true;
    own->tile = to;
    own->at += tile_at(&k.in->c, k.t, k.in->q8, to).at - k.tile.at;
}

static void show_tensor(T2State *own, size_t tensor)
{
    own->v.pinned = true;
    own->tensor = tensor;
    own->tile = 0;
    own->on_bytes = false;
}

static void next_tensor(Press *p)
{
    T2Scene k;
    T2State *own = view_own(p->v);
    (void)t2_settle(&k, p->s, own);
    size_t n = k.in->c.count;
    if (n < 2)
        press_refuse(p, "this is the only tensor of the file");
    else
        show_tensor(own, (own->tensor + (press_by(p) > 0 ? 1 : n - 1)) % n);
}

/* Is there a cell to act on? Else says why not. */
static bool on_cell(const T2Scene *k, Press *p)
{
    if (!k->tile.down)
        press_refuse(p, "the tensor is empty");
    else if (!k->has_cell)
        press_refuse(p,
                     "the weights of this tensor's kind are not known: there are only its bytes");
    return k->has_cell;
}

/* Between grid and bytes. */
static void change_side(Press *p)
{
    T2Scene k;
    T2State *own = view_own(p->v);
    (void)t2_settle(&k, p->s, own);
    if (!on_cell(&k, p))
        return;
    p->v->pinned = true;
    own->on_bytes = !own->on_bytes;
    own->at = k.at;
}

static void leave_bytes(Press *p)
{
    T2Scene k;
    const T2State *own = view_own(p->v);
    if (t2_scene(&k, p->s, own) && k.has_cell && own->on_bytes)
        change_side(p);
    else
        press_leave(p);
}

/* To the scale of the cell, and back to its code. */
static void to_scale(Press *p)
{
    T2Scene k;
    T2State *own = view_own(p->v);
    (void)t2_settle(&k, p->s, own);
    if (!on_cell(&k, p))
        return;
    bool there = own->on_bytes && k.byte.field != FIELD_CODE;
    p->v->pinned = true;
    own->on_bytes = true;
    own->at = there ? k.cell.cell.code_at : k.cell.cell.scale_at;
}

static void next_part(Press *p)
{
    T2Scene k;
    T2State *own = view_own(p->v);
    (void)t2_settle(&k, p->s, own);
    if (!k.tile.down) {
        press_leave(p);
        return;
    }
    own->part = ((int)part_of(&k) + 1) % PART_COUNT;
    own->on_bytes &= !k.has_cell;
}

static void follow_again(Press *p)
{
    T2Scene k;
    (void)t2_settle(&k, p->s, view_own(p->v));
    if (!k.in->of_machine)
        press_refuse(p,
                     "the machine reads no matrix of this file: config ffn_w2=t2:FILE loads one");
    else if (!k.tile.down)
        press_leave(p);
    else
        view_follow(p);
}

static void edit_byte(Press *p)
{
    T2Scene k;
    (void)t2_settle(&k, p->s, view_own(p->v));
    press_ask(p, "poke 0x%" PRIx64 " ", k.at);
}

/* A cell of the grid, a byte, or a tensor of the list. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    T2Scene k;
    T2State *own = view_own(v);
    if (!t2_settle(&k, s, own))
        return;
    if ((aim & T2_AIM_TENSOR) == T2_AIM_TENSOR) {
        size_t tensor = (size_t)(aim & ~T2_AIM_TENSOR);
        if (tensor != own->tensor)
            show_tensor(own, tensor);
    } else if (aim & AIM_OTHER) {
        v->pinned |= !own->on_bytes || own->at != (aim & ~AIM_OTHER);
        own->on_bytes = true;
        own->at = aim & ~AIM_OTHER;
    } else {
        v->pinned |= own->on_bytes;
        own->on_bytes = false;
        v->pinned |= aim_move(v, aim);
    }
}

/* The weight with all that it hangs on, or the byte. */
static void copy(const Session *s, const ViewState *v, Buf *out)
{
    T2Scene k;
    char weight[32];
    if (!t2_scene(&k, s, view_own(v)) || !k.tile.down)
        return;
    buf_printf(out, "%s", k.t->name);
    if (!k.has_cell || k.state->on_bytes) {
        buf_printf(out, " byte 0x%" PRIx64 " = %02x", k.at, k.in->c.map.data[k.at]);
        return;
    }
    const TensorCell *cell = &k.cell.cell;
    t2_number_text(cell->weight, weight, sizeof weight);
    buf_printf(out,
               " row %" PRIu64 " column %" PRIu64 " byte 0x%" PRIx64
               " = %02x code %d scale 0x%" PRIx64 " = %04x weight %s %08" PRIx32,
               cell->row, cell->col, cell->code_at, k.in->c.map.data[cell->code_at], cell->code,
               cell->scale_at, cell->scale, weight, cell->weight);
}

/* ---- the machine's matrix ---- */

static Target target(const Session *s, const ViewState *v)
{
    T2Scene k;
    const Engine *e = session_engine(s);
    bool there = t2_scene(&k, s, view_own(v)) && k.has_cell && k.machine.signal &&
                 k.machine.at < signal_count(e, k.machine.signal);
    return there ? k.machine : (Target){NULL, 0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    T2State *own = view_own(v);
    const Inspector *in = own->in;
    (void)s;
    if (!in || !inspector_is_open(in) || !in->of_machine ||
        t.signal != signal_at((SignalId)(SIG_WEIGHTS + (int)in->matrix)))
        return false;
    uint64_t at = t.at < 0 ? 0 : (uint64_t)t.at, rows = in->tensors[0].rows;
    own->tensor = 0;
    return t2_seek_cell(own, at % rows, at / rows, NULL);
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "tile", "previous, next tile", .act = next_tile},
    {"R", SENSE_OWN, "reserved", "to the next reserved code", .command = "seek reserved"},
    {"Enter", SENSE_OPEN, "bytes", "between grid and bytes", .act = change_side},
    {"{ }", SENSE_GROUP, "tensor", "previous, next tensor", .act = next_tensor},
    {"S", SENSE_OWN, "special", "to the next scale that is zero, subnormal, inf or NaN",
     .command = "seek special"},
    {"e", SENSE_TYPE, "edit", "edit the byte under the cursor, in memory", .act = edit_byte},
    {"/", SENSE_SEARCH, "go to", "go to ROW,COLUMN of the tensor or a BYTE of the file",
     .command = "seek "},
    {"v", SENSE_PART, "counts", "below the grid: bytes, counts or tensors", .act = next_part},
    {"Home End", SENSE_MOVE, NULL, "first, last column of the row", .act = first_or_last_column},
    {"PgUp PgDn", SENSE_MOVE, NULL, "eight rows on", KEY_MOVES},
    {"d", SENSE_SCALE, NULL, "to the scale of the cell, and back to its code", .act = to_scale},
    {"u", SENSE_OWN, NULL, "take the last edit back", .command = "unpoke"},
    {"W", SENSE_OWN, NULL, "write the file with its edits under another name", .command = "write "},
    {"C", SENSE_OWN, NULL, "count the codes and scales of the whole tensor", .command = "count"},
    {"o", SENSE_OTHER, NULL, "q8 chunks: read them under the other layout", .command = "layout"},
    {"c", SENSE_FOLLOW, NULL, "follow the machine again (--set ffn_w2=t2:FILE)",
     .act = follow_again},
    {"Esc", SENSE_OWN, NULL, NULL, .act = leave_bytes},
    {0},
};

const View view_t2 = {
    .name = "t2",
    .title = "t2 tile",
    .key = "8",
    .about =
        "A tile of 32 rows x 256 columns of weights -1, 0, +1 and the bytes that hold them. The "
        "grid shows a character a weight (? is the reserved code 3); the bytes below are marked: "
        "a blank before a code, : before a scale, ! before what is reserved or a scale that is no "
        "normal number, * before an edit. Cell, byte and value are one cursor: move in the grid, "
        "or press Enter and move in the bytes. At the right, the byte is taken apart into its "
        "codes, the scale into sign, exponent and fraction, and what decoders with a known bug "
        "would show stands beside the right weight. e edits the byte under the cursor in memory, "
        "u takes it back, W writes a new file; the opened file is never changed, and a matrix that "
        "the machine took from it stays as loaded until :config ffn_w2=t2:FILE. Other kinds "
        "(TQ1_0, Q2_0, pb16i, Q4NX chunks ...) show as far as they are known, unknown ones as "
        "bytes. Commands: open FILE, shape NxK, seek ROW,COLUMN or seek BYTE, poke BYTE HEX. Try "
        "R, then e and 55 Enter, then u.",
    .keys = keys,
    .state_size = sizeof(T2State),
    .place_end = offsetof(T2State, on_bytes),
    .place = place,
    .draw = draw,
    .point = point,
    .keys_now = keys_now,
    .move = move,
    .page = 8,
    .copy = copy,
    .target = target,
    .find = find,
};
