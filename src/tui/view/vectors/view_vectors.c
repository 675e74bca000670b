/* Every vector and matrix of the machine, weights too:
 *
 *   (list of vectors)  name, shape, what it is
 *                      min, max, mean, zeros, extremes, the scale of the heat map
 *                      the elements: heat map, or words in hex / as values / both
 *                      the cell under the cursor: how it got its value, in words and numbers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/lesson.h"
#include "session/story.h"
#include "tui/screen/number.h"
#include "tui/view/vectors/vectors_scene.h"

static void index_text(const VectorScene *d, int at, char *out, size_t size)
{
    if (d->rank == 2)
        snprintf(out, size, "[%d][%d]", at / d->cols, at % d->cols);
    else
        snprintf(out, size, "[%d]", at);
}

static void draw_stats(const VectorScene *d, const VectorStats *s, Rect r, Canvas *c)
{
    char min_at[32], max_at[32];
    index_text(d, s->min_at, min_at, sizeof min_at);
    index_text(d, s->max_at, max_at, sizeof max_at);
    struct {
        Role role;
        char text[96];
    } parts[] = {{ROLE_TEXT, ""}, {ROLE_WARN, ""}, {ROLE_TEXT, ""}, {ROLE_TEXT, ""}};
    snprintf(parts[0].text, sizeof parts->text, "min %.4f %s  max %.4f %s", s->min / 256.0, min_at,
             s->max / 256.0, max_at);
    if (s->extremes)
        snprintf(parts[1].text, sizeof parts->text, "  ! %d at the limit", s->extremes);
    snprintf(parts[2].text, sizeof parts->text, "  zeros %d", s->zeros);
    snprintf(parts[3].text, sizeof parts->text, "  mean %.4f", s->mean);
    int x = r.x + 1;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (k == 0 || x + text_width(parts[k].text) < r.x + r.w) /* as many as fit */
            x = canvas_text(c, r.y, x, parts[k].role, parts[k].text);
    }
}

/* ---- the elements ---- */

enum { LABEL = 6 };

/* A column for the mark or the sign before each element, but in matrices that would not fit. */
static int cell_width(const VectorScene *d, bool heat, int w)
{
    if (!heat)
        return 1 + format_width(d->format) + 1;
    return d->rank == 2 && d->cols * 2 > w - 2 - LABEL ? 1 : 2;
}

/* Elements per line: a row of a matrix, as far as it fits; of a vector the largest power of two. */
static int per_line(const VectorScene *d, bool heat, int w)
{
    int fit = (w - 2 - LABEL) / cell_width(d, heat, w), n = 1;
    if (d->rank == 2)
        return d->cols;
    while (n * 2 <= fit)
        n *= 2;
    return n < d->cols ? n : d->cols;
}

static void draw_heat(const VectorScene *d, const VectorStats *s, int at, int y, int x, int width,
                      Canvas *c)
{
    int32_t raw = vectors_value(d, at);
    VectorLook look = vectors_look(d, at);
    bool telling = look.role == ROLE_WRITTEN || look.role == ROLE_WARN;
    canvas_heat(c, y, x + width - 1, raw, s->full);
    if (width == 1 && (telling || (raw == 0 && *look.mark != ' ')))
        canvas_text(c, y, x, look.role, look.mark);
    else if (width == 2 && *look.mark != ' ' && (telling || raw >= 0))
        canvas_text(c, y, x, look.role, look.mark);
    else if (width == 2 && raw < 0)
        canvas_text(c, y, x, heat_role(raw, heat_level(raw, s->full)), "-");
    if (look.role == ROLE_CHANGED)
        canvas_role(c, (Rect){y, x, 1, width}, look.role);
}

static void draw_words(const VectorScene *d, int at, int y, int x, Canvas *c)
{
    char text[48];
    VectorLook look = vectors_look(d, at);
    format_number(d->e, d->s, vectors_value(d, at), d->format, text, sizeof text);
    canvas_text(c, y, canvas_text(c, y, x, look.role, look.mark), look.role, text);
}

/* The mark of a line: is anything in it being written or read? */
static VectorLook line_look(const VectorScene *d, int first, int n)
{
    VectorLook best = {ROLE_DIM, " "};
    for (int at = first; at < first + n && at < d->count; at++) {
        if (vectors_written(d, at))
            return (VectorLook){ROLE_WRITTEN, MARK_WRITTEN};
        if (*best.mark == ' ' && vectors_read(d, at))
            best = (VectorLook){ROLE_READ, MARK_READ};
    }
    return best;
}

/* Keep `at` among n of all from *first on. */
static void scroll_to(int at, int n, int all, int *first)
{
    if (at < *first)
        *first = at;
    if (at >= *first + n)
        *first = at - n + 1;
    if (*first > all - n)
        *first = all - n;
    if (*first < 0)
        *first = 0;
}

static void draw_ruler(int left, int y, int x, int shown, int width, Canvas *c)
{
    int step = width <= 2 ? 8 : width < 7 ? 2 : 1, indent = width > 1;
    for (int k = 0; k < shown; k++) {
        char text[16];
        int n = snprintf(text, sizeof text, "%d", left + k);
        if ((left + k) % step == 0 && k * width + n <= shown * width)
            canvas_text(c, y, x + k * width + indent, ROLE_DIM, text);
    }
}

/* A table of elements: the lines and columns that are shown. */
typedef struct Table {
    Rect r;
    bool heat;
    int width, line, lines; /* of an element; elements of a line; lines in all */
    int rows, shown;        /* lines and elements of a line that there is room for */
    int top, left;
} Table;

/* From the element on that is first in sight now, as far as the cursor stays in sight. */
static Table table_at(const VectorScene *d, bool heat, Rect r, const ViewState *v)
{
    Table t = {.r = r, .heat = heat, .top = v->top, .left = v->left};
    t.width = cell_width(d, heat, r.w);
    t.line = per_line(d, heat, r.w);
    t.lines = (d->count + t.line - 1) / t.line;
    t.rows = r.h - 1;
    int fit = (r.w - 2 - LABEL) / t.width;
    t.shown = fit < t.line ? fit : t.line;
    scroll_to(d->at / t.line, t.rows, t.lines, &t.top);
    scroll_to(d->at % t.line, t.shown, t.line, &t.left);
    return t;
}

static void draw_element(const VectorScene *d, const Table *t, const VectorStats *s, int at, int y,
                         int x, Canvas *c)
{
    if (t->heat)
        draw_heat(d, s, at, y, x, t->width, c);
    else
        draw_words(d, at, y, x, c);
    if (at == d->at && d->focused)
        canvas_role(c, (Rect){y, t->heat ? x + t->width - 1 : x + 1, 1, t->heat ? 1 : t->width - 2},
                    ROLE_CURSOR);
    canvas_aim(c, (Rect){y, x, 1, t->width}, aim_at(at, -1));
}

static void draw_table(const VectorScene *d, const Table *t, const VectorStats *s, Canvas *c)
{
    Rect r = t->r, old = canvas_clip(c, r);
    draw_ruler(t->left, r.y, r.x + 1 + LABEL, t->shown, t->width, c);
    for (int k = 0; k < t->rows && t->top + k < t->lines; k++) {
        int y = r.y + 1 + k, first = (t->top + k) * t->line;
        VectorLook look = line_look(d, first, t->line);
        canvas_textf(c, y, r.x + 1,
                     first <= d->at && d->at < first + t->line ? ROLE_TEXT : ROLE_DIM, "%4d",
                     d->rank == 2 ? t->top + k : first);
        canvas_text(c, y, r.x + LABEL - 1, look.role, look.mark);
        for (int i = 0; i < t->shown && first + t->left + i < d->count; i++)
            draw_element(d, t, s, first + t->left + i, y, r.x + 1 + LABEL + i * t->width, c);
    }
    canvas_clip(c, old);
}

/* ---- the cell under the cursor ---- */

/* With the remark, which speaks of the value that was stored: nothing for one edited since. */
static void draw_origin(const Operation *op, bool remarks, Rect r, Canvas *c)
{
    int x = canvas_text(c, r.y, r.x + 1, ROLE_TEXT, op->formula);
    int remark = r.y + 1, at = r.x + 1;
    if (!*op->numbers) {
        /* constants: the formula says it all */
    } else if (x + 3 + (int)strlen(op->numbers) < r.x + r.w) {
        canvas_text(c, r.y, canvas_text(c, r.y, x, ROLE_DIM, " = "), ROLE_READ, op->numbers);
    } else {
        canvas_text(c, r.y + 1, canvas_text(c, r.y + 1, r.x + 1, ROLE_DIM, "= "), ROLE_READ,
                    op->numbers);
        remark++;
    }
    if (!remarks)
        return;
    if (op->events)
        at = canvas_text(c, remark, at, ROLE_WARN, MARK_WARN " ");
    canvas_sentence(c, remark, at, op->events ? ROLE_WARN : ROLE_DIM, op->remark);
}

/* The last line of a story: an edit since, or what the coming edge does. */
static void draw_coming(const VectorScene *d, const Edit *edit, Rect r, Canvas *c)
{
    Operation op;
    bool stored = !(d->hidden & LESSON_HIDE_CLOCK) &&
                  explain_element(d->e, session_spare(d->session), d->s, d->at, &op);
    if (!edit && !stored)
        return;
    canvas_fill(c, r, ROLE_TEXT, ' ');
    if (edit) {
        canvas_textf(c, r.y, r.x + 1, ROLE_WARN, MARK_WARN " edited in cycle %llu, was %04x",
                     (unsigned long long)edit->cycle, (unsigned)(uint16_t)edit->before);
        return;
    }
    int x = canvas_text(c, r.y, r.x + 1, ROLE_WRITTEN, MARK_WRITTEN " the coming edge stores ");
    canvas_textf(c, r.y, x, ROLE_WRITTEN, "%04x = %s", (unsigned)(uint16_t)op.result, op.formula);
}

/* One line on where the value comes from; the two below it hold the formula. */
static void draw_cell_story(const VectorScene *d, Rect r, Canvas *c)
{
    Operation op;
    uint64_t cycle = 0;
    char text[48];
    Rect old = canvas_clip(c, r);
    format_number(d->e, d->s, vectors_value(d, d->at), SHOW_BOTH, text, sizeof text);
    int x = canvas_text(c, r.y, r.x + 1, ROLE_TITLE, text + strspn(text, " ")) + 2;
    const Edit *edit = story_edit(d->session, d->s, d->at);
    bool stored = d->s->kind == KIND_MEMORY && story_edge(d->session, d->s, d->at, &op, &cycle);
    if (d->s->kind == KIND_PIN)
        canvas_wording(c, r.y, x, ROLE_DIM,
                       "set by the host while the machine is IDLE\nset by the host");
    else if (d->s->kind == KIND_WEIGHT)
        canvas_wording(c, r.y, x, ROLE_DIM, "a weight: constant while the machine runs\na weight");
    else if (!stored)
        canvas_wording(c, r.y, x, ROLE_DIM,
                       "nothing has stored it yet: still as at power-up\nstill as at power-up");
    else
        canvas_textf(c, r.y, x, ROLE_DIM, "stored by the edge that ended cycle %llu",
                     (unsigned long long)cycle);
    if (stored && d->hidden & LESSON_HIDE_WRAP)
        operation_hush(&op);
    if (stored)
        draw_origin(&op, !edit, (Rect){r.y + 1, r.x, r.h - 1, r.w}, c);
    draw_coming(d, edit, (Rect){r.y + r.h - 1, r.x, 1, r.w}, c);
    canvas_clip(c, old);
}

/* ---- layout ---- */

static void shape_text(const Engine *e, const Signal *s, char *out, size_t size)
{
    if (signal_rank(s) == 2)
        snprintf(out, size, "%dx%d", signal_dim(e, s, 0), signal_dim(e, s, 1));
    else
        snprintf(out, size, "%d", signal_count(e, s));
}

/* Is the coming edge to store to it or to read it? */
static VectorLook vector_look(const VectorScene *d, const Signal *s)
{
    VectorLook look = {ROLE_TEXT, " "};
    for (int k = 0; k < d->n_ops; k++) {
        if (d->ops[k].target == s)
            return (VectorLook){ROLE_WRITTEN, MARK_WRITTEN};
        for (int r = 0; r < d->ops[k].n_reads; r++) {
            if (d->ops[k].reads[r].signal == s)
                look = (VectorLook){ROLE_READ, MARK_READ};
        }
    }
    return look;
}

static void draw_list(const VectorScene *d, const VectorsState *own, Rect r, Canvas *c)
{
    int vectors = vector_count(d->e), first = 0;
    Rect old = canvas_clip(c, r);
    scroll_to(own->vector, r.h, vectors, &first);
    for (int k = 0; k < r.h && first + k < vectors; k++) {
        const Signal *vector = vector_at(d->e, first + k);
        VectorLook look = vector_look(d, vector);
        char shape[32];
        bool here = first + k == own->vector;
        int y = r.y + k;
        shape_text(d->e, vector, shape, sizeof shape);
        canvas_text(c, y, r.x + 1, look.role, look.mark);
        canvas_field(c, y, r.x + 3, r.w - 12, here ? ROLE_CURSOR : look.role, vector->path);
        canvas_text(c, y, r.x + r.w - 1 - text_width(shape), ROLE_DIM, shape);
        canvas_aim(c, (Rect){y, r.x, 1, r.w}, AIM_OTHER | (unsigned)(first + k));
    }
    canvas_clip(c, old);
}

static void draw_heading(const VectorScene *d, const ViewState *v, Rect r, Canvas *c)
{
    char shape[32];
    shape_text(d->e, d->s, shape, sizeof shape);
    char text[256];
    int x = canvas_textf(c, r.y, r.x + 1, ROLE_TITLE, "%s ", d->s->path);
    snprintf(text, sizeof text, "[%s]  %s", shape, signal_help(d->e, d->s));
    x = canvas_sentence(c, r.y, x, ROLE_DIM, text);
    const char *mode = v->pinned ? "c follows the machine" : "following";
    if (x + 2 + text_width(mode) < r.x + r.w)
        canvas_text(c, r.y, r.x + r.w - 1 - text_width(mode), v->pinned ? ROLE_DIM : ROLE_ACTIVE,
                    mode);
}

static const char *words_title(const VectorScene *d)
{
    static const char *const titles[SHOW_COUNT] = {"words in hex", "values",
                                                   "words in hex, values"};
    const Format *codes = number_format_codes(d->format);
    return codes ? codes->summary : titles[d->format];
}

/* Where the parts are in a pane; a list of no width and a story of no rows are left out. */
typedef struct Layout {
    Rect box, in, list, body;
    int head, story;
    bool ruled; /* a rule with a title above the elements ... */
    int map;    /* ... and, of a small vector, a heat map in so many rows above the words */
    Table table;
} Layout;

static Layout layout_of(const VectorScene *d, const VectorsState *own, Rect r)
{
    enum { LIST = 30 };
    Rect in = canvas_inside(r);
    Layout l = {.box = r, .in = in};
    if (r.w >= 110) {
        l.list = (Rect){in.y, in.x, in.h, LIST};
        l.box = (Rect){r.y, r.x + LIST + 1, r.h, r.w - LIST - 1};
        l.in = (Rect){in.y, l.box.x + 1, in.h, l.box.w - 2};
    }
    l.story = in.h >= 9 ? 4 : in.h >= 6 ? 2 : 0;
    l.head = in.h >= 4 ? 2 : 0;
    int body = in.h - l.head - (l.story ? l.story + 1 : 0);
    l.body = (Rect){l.in.y + l.head, l.in.x, body, l.in.w};
    l.ruled = body >= 5;
    Rect table = {l.body.y + l.ruled, l.body.x, body - l.ruled, l.body.w};
    bool heat = !own->as_words;
    int line = per_line(d, true, table.w), map = 1 + (d->count + line - 1) / line;
    if (l.ruled && heat && table.h >= map + 5) {
        l.map = map;
        table = (Rect){table.y + map + 1, table.x, table.h - map - 1, table.w};
        heat = false;
    }
    l.table = table_at(d, heat, table, &own->v);
    return l;
}

/* Heat map or words; a small vector's heat map leaves room for both. */
static void draw_body(const VectorScene *d, const VectorsState *own, const VectorStats *s,
                      const Layout *l, Canvas *c)
{
    char title[64], full[32];
    Rect map = {l->body.y + l->ruled, l->body.x, l->map, l->body.w};
    explain_value(s->full, full, sizeof full);
    snprintf(title, sizeof title, "heat map, full height %s", full);
    if (l->ruled)
        canvas_rule(c, l->box, l->body.y, ROLE_FRAME,
                    l->map || l->table.heat ? title : words_title(d));
    if (l->map) { /* it shows all lines; the words below scroll */
        Table whole = table_at(d, true, map, &own->v);
        draw_table(d, &whole, s, c);
        canvas_rule(c, l->box, map.y + map.h, ROLE_FRAME, words_title(d));
    }
    draw_table(d, &l->table, s, c);
}

/* The panel right of the list (or all of it): heading, statistics, elements, cell. */
static void draw_panel(const VectorScene *d, const VectorsState *own, const Layout *l, Canvas *c)
{
    VectorStats s = vectors_stats(d);
    char name[64];
    Rect in = l->in;
    int story = l->body.y + l->body.h;
    Rect old = canvas_clip(c, (Rect){in.y, in.x, l->head, in.w});
    draw_heading(d, &own->v, (Rect){in.y, in.x, 1, in.w}, c);
    draw_stats(d, &s, (Rect){in.y + 1, in.x, 1, in.w}, c);
    canvas_clip(c, old);
    draw_body(d, own, &s, l, c);
    if (!l->story)
        return;
    signal_element_name(d->e, d->s, d->at, name, sizeof name);
    canvas_rule(c, l->box, story, ROLE_FRAME, name);
    draw_cell_story(d, (Rect){story + 1, in.x, l->story, in.w}, c);
}

static void place(const Session *s, ViewState *v, Rect r)
{
    VectorScene d;
    VectorsState *own = view_own(v);
    Rect in = canvas_inside(r);
    vectors_settle(s, own);
    if (in.h < 1 || in.w < 1)
        return;
    vectors_gather(s, own, false, &d);
    Table t = layout_of(&d, own, r).table;
    v->top = t.top;
    v->left = t.left;
    own->line = t.line;
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    VectorScene d;
    const VectorsState *own = view_own(v);
    Rect old = canvas_clip(c, r);
    vectors_gather(s, own, focused, &d);
    Rect in = canvas_box(c, r, ROLE_FRAME, "vectors");
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, d.s->path);
    } else {
        Layout l = layout_of(&d, own, r);
        if (l.list.w) {
            draw_list(&d, own, l.list, c);
            canvas_divide(c, l.box.x, r.y, r.y + r.h - 1, ROLE_FRAME);
        }
        draw_panel(&d, own, &l, c);
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

static void choose(const Engine *e, ViewState *v, int by)
{
    VectorsState *own = view_own(v);
    int n = vector_count(e);
    own->vector = (limit(own->vector, 0, n - 1) + by + n) % n;
    v->row = v->top = v->left = 0;
    v->pinned = true;
}

static void move_cursor(const Engine *e, ViewState *v, int by)
{
    VectorsState *own = view_own(v);
    own->vector = limit(own->vector, 0, vector_count(e) - 1);
    int at = v->row + by, count = signal_count(e, vector_at(e, own->vector));
    if (at >= 0 && at < count)
        v->row = at;
    v->pinned = true;
}

/* An element, or a vector of the list. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    const VectorsState *own = view_own(v);
    int vector = (int)(aim & ~AIM_OTHER);
    if (!(aim & AIM_OTHER))
        v->pinned |= aim_move(v, aim);
    else if (vector != own->vector)
        choose(session_engine(s), v, vector - own->vector);
}

static void move(Press *p, int rows, int cols)
{
    const VectorsState *own = view_own(p->v);
    move_cursor(session_engine(p->s), p->v, rows * (own->line > 0 ? own->line : 1) + cols);
}

static void next_vector(Press *p)
{
    choose(session_engine(p->s), p->v, press_by(p));
}

static Target target(const Session *s, const ViewState *v)
{
    const VectorsState *own = view_own(v);
    const Signal *signal = vector_at(session_engine(s), own->vector);
    return (Target){signal,
                    signal && v->row < signal_count(session_engine(s), signal) ? v->row : 0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    VectorsState *own = view_own(v);
    int n = t.signal ? vector_index(session_engine(s), t.signal) : -1;
    if (n < 0)
        return false;
    own->vector = n;
    v->row = t.at < 0 ? 0 : t.at;
    v->pinned = true;
    return true;
}

static void search_lines(const Session *s, const ViewState *v, SearchFeed *f)
{
    const VectorsState *own = view_own(v);
    const Engine *e = session_engine(s);
    f->here = (uint64_t)limit(own->vector, 0, vector_count(e) - 1);
    for (int i = 0; i < vector_count(e); i++)
        search_feed(f, (uint64_t)i, vector_at(e, i)->path);
}

static void search_go(const Session *s, ViewState *v, uint64_t at, const char *text)
{
    const VectorsState *own = view_own(v);
    (void)text;
    choose(session_engine(s), v, (int)at - own->vector);
}

static const char *numbers_note(const ViewState *v)
{
    const VectorsState *own = view_own(v);
    return own->as_words ? NULL : "H switches between heat map and words";
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "vector", "previous, next vector", .act = next_vector},
    {"H", SENSE_DRAWN, "heat or words", "heat map or words",
     .flips = offsetof(VectorsState, as_words)},
    {"c", SENSE_FOLLOW, "follow", "follow what the machine stores", .act = view_follow},
    {"arrows PgUp PgDn", SENSE_MOVE, NULL, "move over its elements", KEY_MOVES},
    {0},
};

const View view_vectors = {
    .name = "vectors",
    .title = "vectors",
    .key = "2",
    .about = "Every vector and matrix of the machine and its weights, as a heat map (height is "
             "magnitude, hue is "
             "sign) or as words in hex and as values. Elements that the coming edge stores bear "
             "the mark of "
             "writing, those it reads that of reading; what the last edge changed is underlined; "
             "words at the "
             "limits of 16 bits are marked with !. Below stands how the element under the cursor "
             "got its value, "
             "and in which cycle. The view follows what the machine stores until you move; c lets "
             "it follow again.",
    .keys = keys,
    .state_size = sizeof(VectorsState),
    .place_end = offsetof(VectorsState, line),
    .place = place,
    .draw = draw,
    .point = point,
    .move = move,
    .page = 8,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
    .search_lines = search_lines,
    .search_go = search_go,
};
