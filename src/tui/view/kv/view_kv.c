/* The KV cache as the memories they are, one cell a word:
 *
 * ╭ KV cache  K  token 1 ──────────────────────────────────────────────────────╮
 * │ 2 memories * 128 positions * 64 dimensions * 2 bytes = 32 KiB               │
 * │  pos  word ·head 0···········│head 1          │head 2          │head 3      │
 * │            0       8       │16      24      │32      40      │48      56    │
 * │   0   0000 ▂▃▁▅▂ ▁▃▄▂▁▅▃ ▁▂│▂▃▁▅▂▁▃▄▂▁▅▃▁▂▂│▃▁▅▂▁▃▄▂▁▅▃▁▂▂▃│▁▅▂▁▃▄▂▁▅▃▁▂▂▃ │
 * │   1·  0040 ▁▂▂▃▁▅▂▁▃▄▂▁▅▃▁▂│▂▃▁▅▂▁▃▄▂▁▅▃▁▂▂│▃▁▅▂▁▃▄▂▁▅▃▁▂▂▃│▁▅▂▁▃▄▂▁▅▃▁▂▂▃ │
 * │   2░  0080 never written: nothing reads beyond position 1                   │
 * ├ K[1][17]  head 1, dimension 1 ──────────────────────────────────────────────┤
 * │ where, what and since when; what the present cycle does with the cache      │
 * ╰─────────────────────────────────────────────────────────────────────────────╯
 *
 * Heat is on a scale of a power of two, so that it does not shake while the cache fills. */
#include <stdio.h>
#include <string.h>

#include "session/story.h"
#include "engine/cycle.h"
#include "tell/kv_use.h"
#include "tui/view/kv/kv_view.h"
#include "tell/look.h"
#include "tui/screen/pane.h"

enum { LABEL_W = 6, MIN_SCALE = 16, FOOT_ROWS = 5, HEAD_ROWS = 3 };

typedef struct Picture {
    const Session *s;
    const Engine *e;
    const ViewState *v;
    const KvState *own;
    Canvas *c;
    Rect r;
    bool focused;
    int D, S, H, dh, pos;
    KvUse use;
    int cell_w, label_w;
    bool gap;  /* a line between the heads */
    bool both; /* K and V side by side */
} Picture;

/* One of the two memories on screen. */
typedef struct Panel {
    SignalId id;
    Rect r;
    int left, cols;         /* visible dimensions */
    KvRegion read, written; /* by the coming edge */
    int32_t full;           /* raw value of a full block */
    bool cursor;            /* is the cursor in it? */
} Panel;

static bool inside(const KvRegion *g, int row, int col)
{
    return row >= g->row && row < g->row_end && col >= g->col && col < g->col_end;
}

static KvRegion reads_of(const Picture *p, SignalId id)
{
    return p->use.read[id == SIG_V_CACHE];
}

static int32_t word(const Picture *p, SignalId id, int row, int col)
{
    return signal_get(p->e, signal_at(id), row * p->D + col);
}

static bool is_blank(const Picture *p, SignalId id, int row)
{
    for (int col = 0; col < p->D; col++) {
        if (word(p, id, row, col) != 0)
            return false;
    }
    return true;
}

static bool is_live(const Picture *p, int row, int col)
{
    return row < p->pos || (row == p->pos && col < p->use.filled);
}

/* The power of two that holds every live value. */
static int32_t full_scale(const Picture *p, SignalId id)
{
    int32_t full = MIN_SCALE;
    for (int row = 0; row <= p->pos; row++) {
        for (int col = 0; col < p->D; col++) {
            int32_t raw = word(p, id, row, col);
            while ((raw < 0 ? -raw : raw) > full)
                full *= 2;
        }
    }
    return full;
}

/* ---- one memory ---- */

static int column_x(const Picture *p, const Panel *m, int col)
{
    int gaps = p->gap ? col / p->dh - m->left / p->dh : 0;
    return m->r.x + p->label_w + (col - m->left) * p->cell_w + gaps;
}

/* How many dimensions from `left` on fit. */
static int columns_that_fit(const Picture *p, const Panel *m)
{
    int n = 0;
    while (m->left + n < p->D && column_x(p, m, m->left + n) + p->cell_w <= m->r.x + m->r.w)
        n++;
    return n > 0 ? n : 1;
}

/* The names of the heads, and over every dimension that the coming edge touches a mark. */
static void draw_heads(const Picture *p, const Panel *m, int y)
{
    int end = m->left + m->cols;
    canvas_text(p->c, y, m->r.x + 1, ROLE_TITLE, "pos");
    if (p->label_w > LABEL_W)
        canvas_text(p->c, y, m->r.x + LABEL_W, ROLE_TITLE, "word");
    for (int col = m->left; col < end; col++) {
        int x = column_x(p, m, col);
        if (inside(&m->read, m->read.row, col))
            canvas_text(p->c, y, x, ROLE_READ, MARK_READ);
        else if (inside(&m->written, m->written.row, col))
            canvas_text(p->c, y, x, ROLE_WRITTEN, MARK_WRITTEN);
        if (p->gap && col % p->dh == 0 && col != m->left)
            canvas_text(p->c, y, x - 1, ROLE_FRAME, "│");
    }
    for (int col = m->left; col < end; col = (col / p->dh + 1) * p->dh) {
        char text[24];
        int last = (col / p->dh + 1) * p->dh < end ? (col / p->dh + 1) * p->dh : end;
        int width = column_x(p, m, last - 1) + p->cell_w - column_x(p, m, col);
        bool read = inside(&m->read, m->read.row, col);
        snprintf(text, sizeof text, width < 8 ? "%d" : "head %d", col / p->dh);
        if (text_width(text) < width)
            canvas_text(p->c, y, column_x(p, m, col), read ? ROLE_READ : ROLE_TITLE, text);
    }
}

static void draw_dimensions(const Picture *p, const Panel *m, int y)
{
    int every = p->cell_w > 3 ? 1 : 8, free_x = 0;
    for (int col = m->left; col < m->left + m->cols; col++) {
        int x = column_x(p, m, col);
        if (p->gap && col % p->dh == 0 && col != m->left)
            canvas_text(p->c, y, x - 1, ROLE_FRAME, "│");
        if ((col % every == 0 || (p->gap && col % p->dh == 0)) && x >= free_x)
            free_x = canvas_textf(p->c, y, x, ROLE_DIM, "%d", col) + 1;
    }
}

static Role cell_role(const Picture *p, const Panel *m, int row, int col, int32_t raw)
{
    if (m->cursor && p->focused && row == p->v->row && col == p->v->col)
        return ROLE_CURSOR;
    if (inside(&m->written, row, col))
        return ROLE_WRITTEN;
    if (inside(&m->read, row, col))
        return ROLE_READ;
    if (signal_changed(p->e, signal_at(m->id), row * p->D + col))
        return ROLE_CHANGED;
    if (!is_live(p, row, col))
        return ROLE_MASKED;
    return p->cell_w == 1 ? heat_role(raw, heat_level(raw, m->full)) : ROLE_TEXT;
}

static void aim_cell(const Picture *p, const Panel *m, int y, int row, int col)
{
    canvas_aim(p->c, (Rect){y, column_x(p, m, col), 1, p->cell_w},
               aim_at(row, col) | (m->id == SIG_V_CACHE ? AIM_OTHER : 0));
}

static void draw_cell(const Picture *p, const Panel *m, int y, int row, int col)
{
    int32_t raw = word(p, m->id, row, col);
    int x = column_x(p, m, col), level = heat_level(raw, m->full);
    Role role = cell_role(p, m, row, col, raw);
    char text[64];
    if (p->cell_w > 1) {
        format_number(p->e, signal_at(m->id), raw, p->v->format, text, sizeof text);
        canvas_field(p->c, y, x, p->cell_w - 1, role, text);
    } else if (level == 0 && role == ROLE_WRITTEN) {
        canvas_text(p->c, y, x, role, MARK_WRITTEN);
    } else if (level == 0 && role == ROLE_READ) {
        canvas_text(p->c, y, x, role, MARK_READ);
    } else {
        canvas_put(p->c, y, x, role, heat_glyph(level));
    }
    aim_cell(p, m, y, row, col);
}

static void draw_row_label(const Picture *p, const Panel *m, int y, int row)
{
    bool written = m->written.row_end && row == m->written.row;
    bool read = row >= m->read.row && row < m->read.row_end;
    Role role = written              ? ROLE_WRITTEN
                : read               ? ROLE_READ
                : is_live(p, row, 0) ? ROLE_TEXT
                                     : ROLE_MASKED;
    canvas_textf(p->c, y, m->r.x, role, "%4d", row);
    canvas_text(p->c, y, m->r.x + 4, role,
                written               ? MARK_WRITTEN
                : read                ? MARK_READ
                : !is_live(p, row, 0) ? MARK_MASKED
                                      : " ");
    if (p->label_w > LABEL_W)
        canvas_textf(p->c, y, m->r.x + LABEL_W, ROLE_DIM, "%04x", (unsigned)(row * p->D));
}

/* Why a row is empty; said once, in the first such row. */
static void blank_words(const Picture *p, int row, char *out, size_t size)
{
    if (row == p->pos)
        snprintf(out, size, "row of this token: WRITE_CACHE fills it\nWRITE_CACHE fills it");
    else if (row == p->pos + 1)
        snprintf(out, size, "never written: nothing reads beyond position %d\nnever written",
                 p->pos);
}

static void draw_panel(const Picture *p, const Panel *m, int rows)
{
    Rect old = canvas_clip(p->c, m->r);
    draw_heads(p, m, m->r.y);
    draw_dimensions(p, m, m->r.y + 1);
    for (int k = 0; k < rows && p->v->top + k < p->S; k++) {
        int row = p->v->top + k, y = m->r.y + 2 + k;
        char text[96] = "";
        if (p->cell_w == 1 && !is_live(p, row, 0) && is_blank(p, m->id, row) &&
            !(m->written.row_end && row == m->written.row))
            blank_words(p, row, text, sizeof text);
        bool said = *text != '\0';
        draw_row_label(p, m, y, row);
        for (int col = m->left; col < m->left + m->cols; col++) {
            draw_cell(p, m, y, row, col);
            if (p->gap && col % p->dh == 0 && col != m->left && !said)
                canvas_text(p->c, y, column_x(p, m, col) - 1, ROLE_FRAME, "│");
        }
        canvas_wording(p->c, y, m->r.x + p->label_w, ROLE_DIM, text);
        for (int col = m->left; said && col < m->left + m->cols; col++)
            aim_cell(p, m, y, row, col);
        if (m->cursor && p->focused && row == p->v->row) /* the words may lie over it */
            canvas_cursor(p->c, y, column_x(p, m, p->v->col));
    }
    canvas_clip(p->c, old);
}

/* ---- the cell under the cursor ---- */

typedef struct Origin {
    int token;
} Origin;

static bool note_token(void *context, const Engine *e, const Host *h)
{
    (void)e;
    ((Origin *)context)->token = h->token;
    return false;
}

/* Since when the cell holds its value. */
static Role origin_words(const Picture *p, SignalId id, char *out, size_t size)
{
    int row = p->v->row, at = row * p->D + p->v->col;
    uint64_t cycle = 0;
    const Edit *edit = story_edit(p->s, signal_at(id), at);
    if (edit) {
        snprintf(out, size, MARK_WARN " edited in cycle %llu, was %04x",
                 (unsigned long long)edit->cycle, (unsigned)(uint16_t)edit->before);
        return ROLE_WARN;
    }
    if (is_live(p, row, p->v->col) || word(p, id, row, p->v->col) != 0)
        cycle = session_last_write(p->s, signal_at(id), at);
    if (cycle > 0) {
        Origin o = {0};
        session_visit(p->s, cycle - 1, cycle - 1, note_token, &o);
        snprintf(out, size, "written by the edge that ended cycle %llu, in token %d",
                 (unsigned long long)cycle - 1, o.token);
    } else if (row == p->pos) {
        snprintf(out, size, "not yet written: WRITE_CACHE of this token does it");
    } else {
        snprintf(out, size, "never written: as it was at power-up");
    }
    return ROLE_TEXT;
}

static void size_words(int bytes, char *out, size_t size)
{
    if (bytes % (1 << 20) == 0)
        snprintf(out, size, "%d MiB", bytes >> 20);
    else if (bytes % 1024 == 0)
        snprintf(out, size, "%d KiB", bytes / 1024);
    else
        snprintf(out, size, "%d bytes", bytes);
}

/* Four lines below the rule at y. */
static void draw_foot(const Picture *p, const Panel *m, int y)
{
    const Signal *signal = signal_at(m->id);
    int row = p->v->row, col = p->v->col, at = row * p->D + col, x = p->r.x + 2;
    int32_t raw = signal_get(p->e, signal, at);
    char name[48], title[96], value[32], full[32], text[200];
    signal_element_name(p->e, signal, at, name, sizeof name);
    snprintf(title, sizeof title, "%s  head %d, dimension %d of it", name, col / p->dh,
             col % p->dh);
    pane_rule(p->c, p->r, y, title);
    q88_text(raw, value, sizeof value);
    q88_text(m->full, full, sizeof full);
    canvas_textf(p->c, y + 1, x, ROLE_TEXT, "holds %04x = %-14s full block: %s",
                 (unsigned)raw & 0xffff, value, full);
    canvas_textf(p->c, y + 2, x, ROLE_TEXT,
                 "word %d*%d + %d = 0x%04x   bytes 0x%04x %02x, 0x%04x %02x", row, p->D, col,
                 (unsigned)at, 2 * (unsigned)at, (unsigned)raw & 0xff, 2 * (unsigned)at + 1,
                 (unsigned)raw >> 8 & 0xff);
    Role role = origin_words(p, m->id, text, sizeof text);
    canvas_wording(p->c, y + 3, x, role, text);
    static const Role roles[] = {[KV_RESTS] = ROLE_TEXT, ROLE_READ, ROLE_WRITTEN};
    role = roles[kv_use_words(p->e, &p->use, text, sizeof text)];
    canvas_wording(p->c, y + 4, x, role, text);
}

static void draw_sizes(const Picture *p, int y)
{
    char all[32], one[32];
    size_words(2 * p->S * p->D * 2, all, sizeof all);
    size_words(p->S * p->D * 2, one, sizeof one);
    char text[128];
    snprintf(text, sizeof text,
             "K and V: 2 * %d positions * %d dimensions * 2 bytes = %s (%s each)", p->S, p->D, all,
             one);
    if (text_width(text) > p->r.w - 3)
        snprintf(text, sizeof text, "K and V: 2 * %d * %d words of 2 bytes = %s", p->S, p->D, all);
    canvas_sentence(p->c, y, p->r.x + 2, ROLE_TEXT, text);
}

/* ---- the picture ---- */

/* Without a user's cursor: the row of this token, or the words being read. */
static void place_cursor(const Picture *p, ViewState *v, int rows)
{
    if (!v->pinned) {
        KvRegion g = reads_of(p, SIG_K_CACHE);
        if (!g.row_end)
            g = reads_of(p, SIG_V_CACHE);
        v->row = g.row_end ? g.row_end - 1 : p->pos;
        v->col = g.col;
        v->top = v->row / rows * rows;
    }
    v->row = limit(v->row, 0, p->S - 1);
    v->col = limit(v->col, 0, p->D - 1);
    v->top = limit(v->top, v->row - rows + 1, v->row);
    v->top = limit(v->top, 0, p->S > rows ? p->S - rows : 0);
}

static Panel make_panel(const Picture *p, SignalId id, Rect r)
{
    Panel m = {
        .id = id, .r = r, .left = p->v->left, .read = reads_of(p, id), .written = p->use.written};
    m.full = full_scale(p, id);
    m.cols = columns_that_fit(p, &m);
    m.cursor = id == (p->own->of_v ? SIG_V_CACHE : SIG_K_CACHE);
    return m;
}

/* Scroll sideways until the cursor's dimension is visible. */
static void place_left(const Picture *p, ViewState *v, Rect r)
{
    Panel m = {.r = r};
    v->left = limit(v->left, 0, v->col);
    m.left = v->left;
    while (m.left < v->col && m.left + columns_that_fit(p, &m) <= v->col)
        m.left++;
    while (m.left > 0 &&
           m.left + columns_that_fit(p, &m) >= p->D) { /* no empty space at the right */
        m.left--;
        if (m.left + columns_that_fit(p, &m) < p->D) {
            m.left++;
            break;
        }
    }
    v->left = m.left;
}

/* Rows of positions, of the part above them and below, and where the first memory is. */
typedef struct Layout {
    int head, rows, foot;
    Rect area;
} Layout;

static Layout layout_of(const Picture *p, Rect in)
{
    Layout l = {.head = in.h >= 4, .foot = in.h >= HEAD_ROWS + FOOT_ROWS + 2 ? FOOT_ROWS : 0};
    l.rows = in.h - l.foot - l.head - 2;
    l.area =
        (Rect){in.y + l.head, in.x, l.rows > 0 ? l.rows + 2 : in.h, p->both ? in.w / 2 - 1 : in.w};
    return l;
}

static void draw_inside(const Picture *p, Rect in)
{
    Layout l = layout_of(p, in);
    Rect area = l.area, right = {area.y, in.x + in.w - area.w, area.h, area.w};
    if (l.head)
        draw_sizes(p, in.y);
    Panel k = make_panel(p, SIG_K_CACHE, area);
    Panel v = make_panel(p, SIG_V_CACHE, p->both ? right : area);
    if (p->both || k.cursor)
        draw_panel(p, &k, l.rows);
    if (p->both || v.cursor)
        draw_panel(p, &v, l.rows);
    if (p->both)
        canvas_fill(p->c, (Rect){area.y, in.x + area.w, area.h, 1}, ROLE_FRAME, 0x2502); /* │ */
    if (l.foot)
        draw_foot(p, k.cursor ? &k : &v, in.y + in.h - l.foot);
}

/* The machine's sizes, what its coming edge does, and what fits into a pane at r. */
static Picture picture_at(const Session *s, const ViewState *v, Rect r)
{
    const Engine *e = session_engine(s);
    const Config *config = engine_config(e);
    Picture p = {.s = s,
                 .e = e,
                 .v = v,
                 .own = view_own(v),
                 .r = r,
                 .D = config->d_model,
                 .S = config->max_seq_len,
                 .H = config->n_heads,
                 .dh = config_d_head(config),
                 .pos = look_value(e, "seq_pos")};
    kv_use(e, session_spare(p.s), &p.use);
    p.cell_w = p.own->as_words ? format_width(v->format) + 1 : 1;
    p.gap = p.dh >= 4;
    p.label_w = r.w >= 60 ? LABEL_W + 5 : LABEL_W;
    int whole = p.label_w + p.D * p.cell_w + (p.gap ? p.H - 1 : 0);
    p.both = r.w - 2 >= 2 * whole + 3 || r.w >= 172;
    return p;
}

static void place(const Session *s, ViewState *v, Rect r)
{
    Picture p = picture_at(s, v, r);
    Rect in = canvas_inside(r);
    Layout l = layout_of(&p, in);
    if (in.h < 1 || in.w < 1)
        return;
    place_cursor(&p, v, l.rows > 0 ? l.rows : 1);
    place_left(&p, v, l.area);
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    Picture p = picture_at(s, v, r);
    Rect old = canvas_clip(c, r);
    char title[96];
    p.c = c;
    p.focused = focused;
    snprintf(title, sizeof title, "KV cache  %s  position %d of 0..%d  token %d%s",
             p.both        ? "K and V"
             : p.own->of_v ? "V"
                           : "K",
             p.pos, p.S - 1, session_host(s)->token, v->pinned ? "  cursor stays: c follows" : "");
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_DIM, title);
    } else {
        pane_clip(c, r);
        draw_inside(&p, in);
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

/* A phase is a stage: in some machines its states take turns many times. */
static void phase(const Session *s, char *command, size_t size)
{
    const Engine *e = session_engine(s);
    static const char *const begins[STAGE_COUNT][2] = {
        [STAGE_QKV] = {"WRITE_CACHE"},
        [STAGE_CACHE] = {"SCORE", "SCORE_ADDR"},
        [STAGE_SCORE] = {"SOFTMAX_PREP"},
        [STAGE_SOFTMAX] = {"WEIGHTED_SUM", "WSUM_ADDR"},
        [STAGE_WEIGHTED_SUM] = {"OUTPUT_PROJ", "OPROJ_ADDR"},
        [STAGE_OUT_PROJ] = {"DONE"},
    };
    static const char *const first[2] = {"PROJ_QKV", "PROJ_ADDR"};
    const char *const *states = begins[stage_of(e)][0] ? begins[stage_of(e)] : first;
    bool stream = engine_config(e)->variant == VARIANT_STREAM;
    snprintf(command, size, "run until attn.state == %s",
             stream && states[1] ? states[1] : states[0]);
}

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    const Config *c = engine_config(session_engine(p->s));
    v->pinned = true;
    v->row = limit(v->row + rows, 0, c->max_seq_len - 1);
    v->col = limit(v->col + cols, 0, c->d_model - 1);
}

/* To the same column of the next or previous head. */
static void next_head(Press *p)
{
    ViewState *v = p->v;
    const Config *c = engine_config(session_engine(p->s));
    int to = limit(v->col, 0, c->d_model - 1) + press_by(p) * (c->d_model / c->n_heads);
    v->col = (to + c->d_model) % c->d_model;
    v->pinned = true;
}

/* A word of K, or of V beside it. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    KvState *own = view_own(v);
    int of_v = (aim & AIM_OTHER) != 0;
    (void)s;
    v->pinned |= of_v != own->of_v;
    own->of_v = of_v;
    v->pinned |= aim_move(v, aim & ~AIM_OTHER);
}

static Target target(const Session *s, const ViewState *v)
{
    const KvState *own = view_own(v);
    const Config *c = engine_config(session_engine(s));
    int row = limit(v->row, 0, c->max_seq_len - 1), col = limit(v->col, 0, c->d_model - 1);
    return (Target){signal_at(own->of_v ? SIG_V_CACHE : SIG_K_CACHE), row * c->d_model + col};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    KvState *own = view_own(v);
    int D = engine_config(session_engine(s))->d_model, at = t.at < 0 ? 0 : t.at;
    if (!t.signal || (signal_id(t.signal) != SIG_K_CACHE && signal_id(t.signal) != SIG_V_CACHE))
        return false;
    own->of_v = signal_id(t.signal) == SIG_V_CACHE;
    v->row = at / D;
    v->col = at % D;
    return v->pinned = true;
}

static const char *numbers_note(const ViewState *v)
{
    const KvState *own = view_own(v);
    return own->as_words ? NULL : "this is the heat map, H shows words";
}

static const ViewKey keys[] = {
    {"v", SENSE_PART, "K or V", "the other memory: K or V", .flips = offsetof(KvState, of_v)},
    {"H", SENSE_DRAWN, "heat or words", "words instead of heat, and back",
     .flips = offsetof(KvState, as_words)},
    {"f", SENSE_PHASE, "phase", "run to the next phase", .command = "phase"},
    {"[ ]", SENSE_ITEM, "head", "to the columns of the previous, next head", .act = next_head},
    {"c", SENSE_FOLLOW, "follow", "follow the machine again", .act = view_follow},
    {"PgUp PgDn", SENSE_MOVE, NULL, "16 positions on", KEY_MOVES},
    {0},
};

const View view_kv = {
    .name = "kv",
    .title = "KV cache",
    .key = "4",
    .about =
        "Two memories keep what earlier tokens left behind: a row of K and a row of V for every "
        "position, a word for every dimension. Every token writes its own row once (" MARK_WRITTEN
        ") and reads the rows of all tokens before it (" MARK_READ "): K for the scores, V for the "
        "weighted sum. The vertical lines part the heads; each head reads only its own columns. "
        "Rows after the present position (" MARK_MASKED
        ") are never read. Try f to go from phase to "
        "phase, v for the other memory, H to read the words.",
    .keys = keys,
    .state_size = sizeof(KvState),
    .place_end = sizeof(KvState),
    .place = place,
    .draw = draw,
    .point = point,
    .move = move,
    .page = 16,
    .phase = phase,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
};
