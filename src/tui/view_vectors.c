/* Every vector and matrix of the machine, weights too:
 *
 *   (list of vectors)  name, shape, what it is
 *                      min, max, mean, zeros, extremes, the scale of the heat map
 *                      the elements: heat map, or words in hex / as values / both
 *                      the cell under the cursor: how it got its value, in words and numbers
 *
 * ViewState: choice = which vector (in the order of vector_at), row = the element under the cursor,
 * col = elements per line as last drawn (what Up and Down move by), top / left = first line and
 * column shown, option = 1 for words instead of heat, pinned = does not follow what the machine
 * writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/explain.h"
#include "tui/view.h"

/* ---- which vectors there are ---- */

/* In the order in which data flows; what is not named here comes after it. */
static const SignalId flow[] = {
    SIG_TOKEN_EMB,
    SIG_LN1_CENTERED,
    SIG_LN1_OUT,
    SIG_Q,
    SIG_K,
    SIG_V,
    SIG_K_CACHE,
    SIG_V_CACHE,
    SIG_SCORES,
    SIG_SMAX_X,
    SIG_SMAX_SHIFTED,
    SIG_SMAX_EXP,
    SIG_SMAX_PROB,
    SIG_PROBS,
    SIG_HEAD,
    SIG_CONCAT,
    SIG_ATTN_OUT,
    SIG_RESIDUAL1,
    SIG_LN2_CENTERED,
    SIG_LN2_OUT,
    SIG_HIDDEN,
    SIG_FFN_OUT,
    SIG_OUT_EMB,
};
enum { FLOW = sizeof flow / sizeof *flow };

static bool is_vector(const Engine *e, const Signal *s)
{
    return signal_rank(s) > 0 && signal_exists(e, s);
}

static bool in_flow(SignalId id)
{
    for (int k = 0; k < FLOW; k++) {
        if (flow[k] == id)
            return true;
    }
    return false;
}

/* The n-th vector, or NULL. */
static const Signal *vector_at(const Engine *e, int n)
{
    for (int k = 0; k < FLOW + SIG_COUNT; k++) {
        SignalId id = k < FLOW ? flow[k] : (SignalId)(k - FLOW);
        if ((k < FLOW || !in_flow(id)) && is_vector(e, signal_at(id)) && n-- == 0)
            return signal_at(id);
    }
    return NULL;
}

static int vector_index(const Engine *e, const Signal *s)
{
    const Signal *v = NULL;
    for (int n = 0; (v = vector_at(e, n)) != NULL; n++) {
        if (v == s)
            return n;
    }
    return -1;
}

static int vector_count(const Engine *e)
{
    int n = 0;
    while (vector_at(e, n))
        n++;
    return n;
}

/* ---- one frame ---- */

typedef struct Scene {
    const Session *session;
    const Engine *e;
    const Signal *s;       /* the vector shown */
    int count, rank, cols; /* elements; of its last dimension */
    int at;                /* under the cursor */
    bool focused;
    NumberFormat format;
    Operation ops[EXPLAIN_OPS]; /* of the coming edge */
    int n_ops;
} Scene;

static bool moves(const ViewState *v, const Engine *e, const Signal *s, int at, ViewState *out)
{
    *out = *v;
    out->choice = vector_index(e, s);
    out->row = at;
    return out->choice >= 0;
}

/* To what the coming edge stores, or else reads; stays where it is when that is no vector. */
static void follow(const Scene *d, ViewState *v)
{
    for (int k = 0; k < d->n_ops; k++) {
        if (moves(v, d->e, d->ops[k].target, d->ops[k].at, v))
            return;
        for (int r = 0; r < d->ops[k].n_reads; r++) {
            const Operand *o = &d->ops[k].reads[r];
            if (moves(v, d->e, o->signal, o->at, v))
                return;
        }
    }
}

static void gather(const Session *s, ViewState *v, bool focused, Scene *d)
{
    memset(d, 0, sizeof *d);
    d->session = s;
    d->e = session_engine(s);
    d->focused = focused;
    d->format = v->format;
    d->n_ops = explain_clock(d->e, d->ops);
    if (!v->pinned) {
        ViewState moved = *v;
        follow(d, &moved);
        *v = moved.choice < 0 ? *v : moved;
    }
    int vectors = vector_count(d->e);
    v->choice = v->choice < 0 ? 0 : v->choice >= vectors ? vectors - 1 : v->choice;
    d->s = vector_at(d->e, v->choice);
    d->count = signal_count(d->e, d->s);
    d->rank = signal_rank(d->s);
    d->cols = signal_dim(d->e, d->s, d->rank - 1);
    v->row = v->row < 0 ? 0 : v->row >= d->count ? d->count - 1 : v->row;
    d->at = v->row;
}

static int32_t value_at(const Scene *d, int at)
{
    return signal_get(d->e, d->s, at);
}

static bool is_extreme(int32_t raw)
{
    return raw == INT16_MAX || raw == INT16_MIN;
}

static bool is_masked(const Scene *d, int at)
{
    bool positions = d->s->dim[d->rank - 1] == EXT_S;
    return positions && at % d->cols > signal_get(d->e, signal_at(SIG_SEQ_POS), 0);
}

static bool is_written(const Scene *d, int at)
{
    bool found = false;
    for (int k = 0; k < d->n_ops && !found; k++)
        found = operation_writes(&d->ops[k], d->s, at);
    return found;
}

static bool is_read(const Scene *d, int at)
{
    bool found = false;
    for (int k = 0; k < d->n_ops && !found; k++)
        found = operation_reads(&d->ops[k], d->s, at);
    return found;
}

/* What an element's cell says beside its value, the most telling first. */
typedef struct Look {
    Role role;
    const char *mark;
} Look;

static Look look_at(const Scene *d, int at)
{
    if (is_written(d, at))
        return (Look){ROLE_WRITTEN, MARK_WRITTEN};
    if (is_extreme(value_at(d, at)))
        return (Look){ROLE_WARN, MARK_WARN};
    if (engine_cycle(d->e) && signal_changed(d->e, d->s, at))
        return (Look){ROLE_CHANGED, " "};
    if (is_read(d, at))
        return (Look){ROLE_READ, MARK_READ};
    if (is_masked(d, at))
        return (Look){ROLE_MASKED, MARK_MASKED};
    return (Look){ROLE_TEXT, " "};
}

/* ---- statistics ---- */

typedef struct Stats {
    int32_t min, max, full; /* full: the largest magnitude */
    int min_at, max_at, zeros, extremes;
    double mean;
} Stats;

static Stats stats_of(const Scene *d)
{
    Stats s = {.min = value_at(d, 0), .max = value_at(d, 0)};
    int64_t sum = 0;
    for (int at = 0; at < d->count; at++) {
        int32_t v = value_at(d, at);
        sum += v;
        s.zeros += v == 0;
        s.extremes += is_extreme(v);
        if (v < s.min) {
            s.min = v;
            s.min_at = at;
        }
        if (v > s.max) {
            s.max = v;
            s.max_at = at;
        }
    }
    s.mean = (double)sum / d->count / 256.0;
    s.full = abs(s.min) > abs(s.max) ? abs(s.min) : abs(s.max);
    return s;
}

static void index_text(const Scene *d, int at, char *out, size_t size)
{
    if (d->rank == 2)
        snprintf(out, size, "[%d][%d]", at / d->cols, at % d->cols);
    else
        snprintf(out, size, "[%d]", at);
}

static void draw_stats(const Scene *d, const Stats *s, Rect r, Canvas *c)
{
    char min_at[32], max_at[32];
    index_text(d, s->min_at, min_at, sizeof min_at);
    index_text(d, s->max_at, max_at, sizeof max_at);
    int x = canvas_textf(c, r.y, r.x + 1, ROLE_TEXT, "min %.4f %s  max %.4f %s  zeros %d",
                         s->min / 256.0, min_at, s->max / 256.0, max_at, s->zeros);
    if (s->extremes)
        x = canvas_textf(c, r.y, x, ROLE_WARN, "  ! %d at the limit", s->extremes);
    canvas_textf(c, r.y, x, ROLE_TEXT, "  mean %.4f", s->mean);
}

/* ---- the elements ---- */

enum { LABEL = 6 };

/* A column for the mark or the sign before each element, but in matrices that would not fit. */
static int cell_width(const Scene *d, bool heat, int w)
{
    if (!heat)
        return 1 + format_width(d->format) + 1;
    return d->rank == 2 && d->cols * 2 > w - 2 - LABEL ? 1 : 2;
}

/* Elements per line: a row of a matrix, as far as it fits; of a vector the largest power of two. */
static int per_line(const Scene *d, bool heat, int w)
{
    int fit = (w - 2 - LABEL) / cell_width(d, heat, w), n = 1;
    if (d->rank == 2)
        return d->cols;
    while (n * 2 <= fit)
        n *= 2;
    return n < d->cols ? n : d->cols;
}

static void draw_heat(const Scene *d, const Stats *s, int at, int y, int x, int width, Canvas *c)
{
    int32_t raw = value_at(d, at);
    Look look = look_at(d, at);
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

static void draw_words(const Scene *d, int at, int y, int x, Canvas *c)
{
    char text[48];
    Look look = look_at(d, at);
    format_number(d->e, d->s, value_at(d, at), d->format, text, sizeof text);
    canvas_text(c, y, canvas_text(c, y, x, look.role, look.mark), look.role, text);
}

/* The mark of a line: is anything in it being written or read? */
static Look line_look(const Scene *d, int first, int n)
{
    Look best = {ROLE_DIM, " "};
    for (int at = first; at < first + n && at < d->count; at++) {
        if (is_written(d, at))
            return (Look){ROLE_WRITTEN, MARK_WRITTEN};
        if (*best.mark == ' ' && is_read(d, at))
            best = (Look){ROLE_READ, MARK_READ};
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

static void draw_ruler(const ViewState *v, int y, int x, int shown, int width, Canvas *c)
{
    int step = width <= 2 ? 8 : width < 7 ? 2 : 1, indent = width > 1;
    for (int k = 0; k < shown; k++) {
        char text[16];
        int n = snprintf(text, sizeof text, "%d", v->left + k);
        if ((v->left + k) % step == 0 && k * width + n <= shown * width)
            canvas_text(c, y, x + k * width + indent, ROLE_DIM, text);
    }
}

static void draw_elements(const Scene *d, ViewState *v, const Stats *s, bool heat, Rect r,
                          Canvas *c)
{
    int width = cell_width(d, heat, r.w), line = per_line(d, heat, r.w);
    int fit = (r.w - 2 - LABEL) / width, lines = (d->count + line - 1) / line, rows = r.h - 1;
    int shown = fit < line ? fit : line;
    Rect old = canvas_clip(c, r);
    v->col = line;
    scroll_to(d->at / line, rows, lines, &v->top);
    scroll_to(d->at % line, shown, line, &v->left);
    draw_ruler(v, r.y, r.x + 1 + LABEL, shown, width, c);
    for (int k = 0; k < rows && v->top + k < lines; k++) {
        int y = r.y + 1 + k, first = (v->top + k) * line;
        Look look = line_look(d, first, line);
        canvas_textf(c, y, r.x + 1, first <= d->at && d->at < first + line ? ROLE_TEXT : ROLE_DIM,
                     "%4d", d->rank == 2 ? v->top + k : first);
        canvas_text(c, y, r.x + LABEL - 1, look.role, look.mark);
        for (int i = 0; i < shown && first + v->left + i < d->count; i++) {
            int at = first + v->left + i, x = r.x + 1 + LABEL + i * width;
            if (heat)
                draw_heat(d, s, at, y, x, width, c);
            else
                draw_words(d, at, y, x, c);
            if (at == d->at && d->focused)
                canvas_role(c, (Rect){y, heat ? x + width - 1 : x + 1, 1, heat ? 1 : width - 2},
                            ROLE_CURSOR);
        }
    }
    canvas_clip(c, old);
}

/* ---- the cell under the cursor ---- */

static const Edit *edit_of(const Scene *d)
{
    int n = 0;
    const Edit *edits = session_edits(d->session, &n), *last = NULL;
    for (int k = 0; k < n; k++) {
        if (edits[k].signal == d->s && edits[k].at == d->at && edits[k].cycle <= engine_cycle(d->e))
            last = &edits[k];
    }
    return last;
}

static void draw_origin(const Operation *op, Rect r, Canvas *c)
{
    int x = canvas_text(c, r.y, r.x + 1, ROLE_TEXT, op->formula);
    if (!*op->numbers) {
        canvas_text(c, r.y + 1, r.x + 1, op->events ? ROLE_WARN : ROLE_DIM, op->remark);
        return;
    }
    int remark = r.y + 1, at = r.x + 1;
    if (x + 3 + (int)strlen(op->numbers) < r.x + r.w) {
        canvas_text(c, r.y, canvas_text(c, r.y, x, ROLE_DIM, " = "), ROLE_READ, op->numbers);
    } else {
        canvas_text(c, r.y + 1, canvas_text(c, r.y + 1, r.x + 1, ROLE_DIM, "= "), ROLE_READ,
                    op->numbers);
        remark++;
    }
    if (op->events)
        at = canvas_text(c, remark, at, ROLE_WARN, MARK_WARN " ");
    canvas_text(c, remark, at, op->events ? ROLE_WARN : ROLE_DIM, op->remark);
}

/* The last line of a story: an edit since, or what the coming edge does. */
static void draw_coming(const Scene *d, const Edit *edit, Rect r, Canvas *c)
{
    Operation op;
    bool stored = explain_element(d->e, d->s, d->at, &op);
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
static void draw_cell_story(const Scene *d, Rect r, Canvas *c)
{
    Operation op;
    uint64_t cycle = 0;
    char text[48];
    Rect old = canvas_clip(c, r);
    format_number(d->e, d->s, value_at(d, d->at), SHOW_BOTH, text, sizeof text);
    int x = canvas_text(c, r.y, r.x + 1, ROLE_TITLE, text + strspn(text, " ")) + 2;
    const Edit *edit = edit_of(d);
    bool stored = d->s->kind == KIND_MEMORY && explain_cell(d->session, d->s, d->at, &op, &cycle);
    if (d->s->kind == KIND_PIN)
        canvas_text(c, r.y, x, ROLE_DIM, "set by the host while the machine is IDLE");
    else if (d->s->kind == KIND_WEIGHT)
        canvas_text(c, r.y, x, ROLE_DIM, "a weight: constant while the machine runs");
    else if (!stored)
        canvas_text(c, r.y, x, ROLE_DIM, "nothing has stored it yet: still as at power-up");
    else
        canvas_textf(c, r.y, x, ROLE_DIM, "stored by the edge that ended cycle %llu",
                     (unsigned long long)cycle);
    if (stored)
        draw_origin(&op, (Rect){r.y + 1, r.x, r.h - 1, r.w}, c);
    draw_coming(d, edit && (!stored || edit->cycle > cycle) ? edit : NULL,
                (Rect){r.y + r.h - 1, r.x, 1, r.w}, c);
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
static Look vector_look(const Scene *d, const Signal *s)
{
    Look look = {ROLE_TEXT, " "};
    for (int k = 0; k < d->n_ops; k++) {
        if (d->ops[k].target == s)
            return (Look){ROLE_WRITTEN, MARK_WRITTEN};
        for (int r = 0; r < d->ops[k].n_reads; r++) {
            if (d->ops[k].reads[r].signal == s)
                look = (Look){ROLE_READ, MARK_READ};
        }
    }
    return look;
}

static void draw_list(const Scene *d, const ViewState *v, Rect r, Canvas *c)
{
    int vectors = vector_count(d->e), first = 0;
    Rect old = canvas_clip(c, r);
    scroll_to(v->choice, r.h, vectors, &first);
    for (int k = 0; k < r.h && first + k < vectors; k++) {
        const Signal *vector = vector_at(d->e, first + k);
        Look look = vector_look(d, vector);
        char shape[32];
        bool here = first + k == v->choice;
        int y = r.y + k;
        shape_text(d->e, vector, shape, sizeof shape);
        canvas_text(c, y, r.x + 1, look.role, look.mark);
        canvas_field(c, y, r.x + 3, r.w - 12, here ? ROLE_CURSOR : look.role, vector->path);
        canvas_text(c, y, r.x + r.w - 1 - text_width(shape), ROLE_DIM, shape);
    }
    canvas_clip(c, old);
}

static void draw_heading(const Scene *d, const ViewState *v, Rect r, Canvas *c)
{
    char shape[32];
    shape_text(d->e, d->s, shape, sizeof shape);
    int x = canvas_textf(c, r.y, r.x + 1, ROLE_TITLE, "%s ", d->s->path);
    x = canvas_textf(c, r.y, x, ROLE_DIM, "[%s]  %s", shape, d->s->help);
    const char *mode = v->pinned ? "f follows the machine" : "following";
    if (x + 2 + text_width(mode) < r.x + r.w)
        canvas_text(c, r.y, r.x + r.w - 1 - text_width(mode), v->pinned ? ROLE_DIM : ROLE_ACTIVE,
                    mode);
}

static const char *words_title(const Scene *d)
{
    static const char *const titles[SHOW_COUNT] = {"words in hex", "values",
                                                   "words in hex, values"};
    return titles[d->format];
}

/* Heat map or words; a small vector's heat map leaves room for both. */
static void draw_body(const Scene *d, ViewState *v, const Stats *s, Rect box, Rect r, Canvas *c)
{
    bool heat = v->option == 0;
    int line = per_line(d, true, r.w), map = 1 + (d->count + line - 1) / line;
    char title[64], full[32];
    bool ruled = r.h >= 5;
    explain_value(s->full, full, sizeof full);
    snprintf(title, sizeof title, "heat map, full height %s", full);
    if (ruled) {
        canvas_rule(c, box, r.y, ROLE_FRAME, heat ? title : words_title(d));
        r = (Rect){r.y + 1, r.x, r.h - 1, r.w};
    }
    if (ruled && heat && r.h >= map + 5) {
        ViewState whole = *v; /* it shows all lines; the words below scroll */
        draw_elements(d, &whole, s, true, (Rect){r.y, r.x, map, r.w}, c);
        canvas_rule(c, box, r.y + map, ROLE_FRAME, words_title(d));
        r = (Rect){r.y + map + 1, r.x, r.h - map - 1, r.w};
        heat = false;
    }
    draw_elements(d, v, s, heat, r, c);
}

/* The panel right of the list (or all of it): heading, statistics, elements, cell. */
static void draw_panel(const Scene *d, ViewState *v, Rect box, Rect in, Canvas *c)
{
    Stats s = stats_of(d);
    char name[64];
    int story = in.h >= 9 ? 4 : in.h >= 6 ? 2 : 0, head = in.h >= 4 ? 2 : 0;
    int body = in.h - head - (story ? story + 1 : 0);
    Rect old = canvas_clip(c, (Rect){in.y, in.x, head, in.w});
    draw_heading(d, v, (Rect){in.y, in.x, 1, in.w}, c);
    draw_stats(d, &s, (Rect){in.y + 1, in.x, 1, in.w}, c);
    canvas_clip(c, old);
    draw_body(d, v, &s, box, (Rect){in.y + head, in.x, body, in.w}, c);
    if (!story)
        return;
    signal_element_name(d->e, d->s, d->at, name, sizeof name);
    canvas_rule(c, box, in.y + head + body, ROLE_FRAME, name);
    draw_cell_story(d, (Rect){in.y + head + body + 1, in.x, story, in.w}, c);
}

static void draw(const Session *s, ViewState *v, Rect r, bool focused, Canvas *c)
{
    enum { LIST = 30 };
    Scene d;
    Rect old = canvas_clip(c, r);
    gather(s, v, focused, &d);
    Rect in = canvas_box(c, r, focused ? ROLE_ACTIVE : ROLE_FRAME, "vectors");
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, d.s->path);
    } else if (r.w >= 110) {
        Rect box = {r.y, r.x + LIST + 1, r.h, r.w - LIST - 1};
        draw_list(&d, v, (Rect){in.y, in.x, in.h, LIST}, c);
        canvas_divide(c, box.x, r.y, r.y + r.h - 1, ROLE_FRAME);
        draw_panel(&d, v, box, (Rect){in.y, box.x + 1, in.h, box.w - 2}, c);
    } else {
        draw_panel(&d, v, r, in, c);
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

static bool is_one_of(const char *key, const char *a, const char *b)
{
    return strcmp(key, a) == 0 || (b && strcmp(key, b) == 0);
}

static void choose(const Engine *e, ViewState *v, int by)
{
    int n = vector_count(e);
    v->choice = (v->choice + by + n) % n;
    v->row = v->top = v->left = 0;
    v->pinned = true;
}

static void move_cursor(const Engine *e, ViewState *v, int by)
{
    int at = v->row + by, count = signal_count(e, vector_at(e, v->choice));
    if (at >= 0 && at < count)
        v->row = at;
    v->pinned = true;
}

static bool press(const Session *s, ViewState *v, const char *key, char *command, size_t size)
{
    const Engine *e = session_engine(s);
    int line = v->col > 0 ? v->col : 1;
    if (size > 0)
        *command = '\0';
    if (is_one_of(key, "]", NULL) || is_one_of(key, "[", NULL))
        choose(e, v, *key == ']' ? 1 : -1);
    else if (is_one_of(key, "Left", "h") || is_one_of(key, "Right", "l"))
        move_cursor(e, v, is_one_of(key, "Left", "h") ? -1 : 1);
    else if (is_one_of(key, "Up", "k") || is_one_of(key, "Down", "j"))
        move_cursor(e, v, is_one_of(key, "Up", "k") ? -line : line);
    else if (is_one_of(key, "PgUp", NULL) || is_one_of(key, "PgDn", NULL))
        move_cursor(e, v, (key[2] == 'U' ? -8 : 8) * line);
    else if (is_one_of(key, "f", NULL))
        v->pinned = false;
    else if (is_one_of(key, "H", NULL))
        v->option = !v->option;
    else
        return false;
    return true;
}

static Target target(const Session *s, const ViewState *v)
{
    const Signal *signal = vector_at(session_engine(s), v->choice);
    return (Target){signal,
                    signal && v->row < signal_count(session_engine(s), signal) ? v->row : 0};
}

static bool find(const Session *s, ViewState *v, Target t)
{
    int n = t.signal ? vector_index(session_engine(s), t.signal) : -1;
    if (n < 0)
        return false;
    v->choice = n;
    v->row = t.at < 0 ? 0 : t.at;
    v->pinned = true;
    return true;
}

static const ViewKey keys[] = {
    {"[ ]", "previous, next vector"},
    {"arrows PgUp PgDn", "move over its elements"},
    {"H", "heat map or words"},
    {"f", "follow what the machine stores"},
    {NULL, NULL},
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
             "and in which cycle. The view follows what the machine stores until you move; f lets "
             "it follow again.",
    .keys = keys,
    .draw = draw,
    .press = press,
    .target = target,
    .find = find,
};
