/* What a tile and its tensor are made of, and the tensors of the file. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tensor/fingerprint.h"
#include "tensor/half.h"
#include "tui/view/t2/t2_scene.h"
#include "tui/screen/widgets.h"

enum { TEXT = 200 };

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static const char *fourth_name(const T2Scene *k)
{
    return k->tile.form == TILE_T2 ? "reserved" : k->tile.form == TILE_PB16I ? "other" : "+2";
}

/* ---- one line ---- */

static void append(char *text, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *fmt, ...)
{
    size_t used = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + used, size - used, fmt, ap);
    va_end(ap);
}

static void classes_text(const TensorStats *s, char *text, size_t size)
{
    static const HalfClass special[] = {HALF_SUBNORMAL, HALF_ZERO, HALF_INF, HALF_NAN};
    if (s->classes[HALF_NORMAL] == s->scales)
        append(text, size, " all normal");
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (s->classes[special[i]])
            append(text, size, " %" PRIu64 " %s", s->classes[special[i]],
                   half_class_name(special[i]));
    }
}

/* "tile    −1 33.1 %  0 33.4 %  +1 33.4 %  reserved 1  scales 62 normal 2 subnormal" */
static void draw_codes(const T2Scene *k, Canvas *c, int y, int x, const char *name,
                       const TensorStats *s)
{
    char text[TEXT] = "";
    x = canvas_textf(c, y, x, ROLE_DIM, "%-7s", name);
    x = canvas_textf(c, y, x, ROLE_TEXT, "−1 %.1f%%  0 %.1f%%  +1 %.1f%%",
                     percent(s->codes[0], s->weights), percent(s->codes[1], s->weights),
                     percent(s->codes[2], s->weights));
    if (s->codes[3])
        x = canvas_textf(c, y, x, ROLE_WARN, "  " MARK_WARN " %s %" PRIu64, fourth_name(k),
                         s->codes[3]);
    if (!s->scales)
        return;
    classes_text(s, text, sizeof text);
    canvas_textf(c, y, x, s->classes[HALF_NORMAL] == s->scales ? ROLE_DIM : ROLE_WARN, "  scales%s",
                 text);
}

static bool is_counted(const T2Scene *k)
{
    return inspector_has_counts(k->in, k->state->tensor);
}

static void draw_tensor_line(const T2Scene *k, Canvas *c, int y, int x)
{
    char size[32];
    if (is_counted(k)) {
        draw_codes(k, c, y, x, "tensor", &k->in->counts);
        return;
    }
    t2_size_text(k->t->size, size, sizeof size);
    canvas_textf(c, y, x, ROLE_DIM, "tensor %s: H counts its codes and scales", size);
}

/* ---- fingerprints ---- */

static unsigned prints_of(const T2Scene *k, const TensorStats *tile,
                          Fingerprint prints[FINGERPRINTS_MAX])
{
    const TensorStats *s = is_counted(k) ? &k->in->counts : tile;
    return stats_fingerprints(s, k->t->kind, prints);
}

/* "SEEN: CAUSE" over as many lines as it takes, before row `end`; returns the row after. */
static int draw_whole(Canvas *c, int y, Rect r, const char *seen, const char *cause)
{
    char text[TEXT], line[TEXT];
    const char *rest = text;
    snprintf(text, sizeof text, "%s: %s", seen, cause);
    for (bool first = true; y < r.y + r.h && text_wrap(&rest, r.w - 2, line, sizeof line);
         y++, first = false) {
        canvas_text(c, y, r.x, ROLE_WARN, first ? MARK_WARN : " ");
        canvas_text(c, y, r.x + 2, ROLE_TEXT, line);
    }
    return y;
}

static int whole_lines(int w, const Fingerprint *p)
{
    char text[TEXT], line[TEXT];
    const char *rest = text;
    int n = 0;
    snprintf(text, sizeof text, "%s: %s", p->seen, p->cause);
    while (text_wrap(&rest, w - 2, line, sizeof line))
        n++;
    return n;
}

/* In one line, without the cause where that would be cut, and how many there are besides. */
static void draw_short(Canvas *c, int y, Rect r, const Fingerprint *p, unsigned more)
{
    char count[24] = "";
    if (more)
        snprintf(count, sizeof count, "  +%u more", more);
    int w = 2 + text_width(p->seen) + 2 + text_width(p->cause) + text_width(count);
    int x = canvas_textf(c, y, r.x, ROLE_WARN, MARK_WARN " %s", p->seen);
    if (w <= r.w)
        x = canvas_textf(c, y, x, ROLE_TEXT, ": %s", p->cause);
    canvas_text(c, y, x, ROLE_WARN, count);
}

/* All of them, each with its cause as long as every other still has a line; returns the row
 * after. */
static int draw_prints(Canvas *c, int y, Rect r, const Fingerprint *prints, unsigned n)
{
    int end = r.y + r.h;
    for (unsigned i = 0; i < n && y < end; i++) {
        unsigned more = n - i - 1;
        int lines = whole_lines(r.w, &prints[i]);
        if (lines > 1 && lines + (int)more <= end - y) {
            y = draw_whole(c, y, r, prints[i].seen, prints[i].cause);
            continue;
        }
        draw_short(c, y, r, &prints[i], y + 1 < end ? 0 : more);
        y++;
    }
    return y;
}

/* What kind of tensor this is, where nothing is counted. */
static void draw_kind(const T2Scene *k, Canvas *c, Rect r)
{
    char text[TEXT];
    const char *what = k->t->type, *help = "not a ternary kind, shown as bytes";
    snprintf(text, sizeof text, "read under layout %s, which the file does not tell",
             chunk_name(k->tile.layout));
    if (k->tile.form == TILE_CHUNK) {
        what = text;
        help = chunk_help(k->tile.layout);
    } else if (k->t->kind == KIND_Q2_0) {
        what = "groups of 64 or of 128? The file does not say";
        help = "group 64, group 128";
    } else if (k->t->kind == KIND_UNKNOWN) {
        what = "a type nobody gave a size";
        help = "unknown, not corrupt; shown as bytes";
    }
    draw_whole(c, r.y, r, what, help);
}

/* That nobody told the shape; returns the rows it took. */
static int draw_assumed(const T2Scene *k, Canvas *c, int y, int x)
{
    if (!k->in->assumed[k->state->tensor])
        return 0;
    canvas_textf(c, y, x, ROLE_WARN,
                 MARK_WARN " shape not in the file, shown as %" PRIu64 "x%" PRIu64
                           "; `:shape NxK` tells it",
                 k->t->rows, k->t->cols);
    return 1;
}

void t2_draw_summary(const T2Scene *k, Canvas *c, Rect r)
{
    TensorStats s = {0};
    Fingerprint prints[FINGERPRINTS_MAX];
    if (r.h < 1)
        return;
    stats_window(&s, &k->tile);
    if (!s.weights) {
        int used = r.h > 1 ? draw_assumed(k, c, r.y, r.x) : 0;
        draw_kind(k, c, (Rect){r.y + used, r.x, r.h - used, r.w});
        return;
    }
    draw_codes(k, c, r.y, r.x, "tile", &s);
    if (r.h < 2)
        return;
    unsigned n = prints_of(k, &s, prints);
    int y = r.y + 1 + draw_assumed(k, c, r.y + 1, r.x);
    y = draw_prints(c, y, (Rect){y, r.x, r.y + r.h - y, r.w}, prints, n);
    if (y < r.y + r.h)
        draw_tensor_line(k, c, y, r.x);
}

/* ---- the histograms ---- */

typedef struct Column {
    const char *name;
    const TensorStats *s;
    int x, w;
} Column;

static void draw_code_bars(const T2Scene *k, Canvas *c, int y, const Column *col)
{
    enum { FIGURES = 22 };
    const char *const names[] = {"−1", "0", "+1", fourth_name(k)};
    static const Role roles[] = {ROLE_HEAT_NEG_LAST, ROLE_DIM, ROLE_HEAT_POS_LAST, ROLE_WARN};
    canvas_textf(c, y, col->x, ROLE_TITLE, "%s", col->name);
    for (int i = 0; i < 4; i++) {
        const TensorStats *s = col->s;
        canvas_text(c, y + 1 + i, col->x, ROLE_TEXT, names[i]);
        canvas_textf(c, y + 1 + i, col->x + 9, s->codes[i] || i < 3 ? ROLE_TEXT : ROLE_DIM,
                     "%6.2f %%", percent(s->codes[i], s->weights));
        canvas_bar(c, y + 1 + i, col->x + FIGURES - 3, col->w - FIGURES, roles[i],
                   (double)s->codes[i], (double)s->weights);
    }
}

static void draw_exponents(Canvas *c, int y, int x, const TensorStats *s)
{
    uint64_t most = 0;
    for (int e = 0; e < 32; e++)
        most = s->exponents[e] > most ? s->exponents[e] : most;
    for (int e = 0; e < 32; e++) {
        int level = heat_level((int32_t)(s->exponents[e] * 1000 / (most ? most : 1)), 1000);
        level += level == 0 && s->exponents[e] > 0;
        canvas_put(c, y, x + e, level ? (Role)(ROLE_HEAT_POS + level) : ROLE_DIM,
                   level ? heat_glyph(level) : '.');
    }
}

/* Exponents of the scales, 0 (zero and subnormal) .. 31 (inf and NaN), and how bf16 would do. */
static int draw_scales(Canvas *c, Rect r, const Column *cols, int n)
{
    int y = r.y;
    canvas_text(c, y, r.x, ROLE_TITLE, "scales by exponent");
    canvas_text(c, y++, r.x + 20, ROLE_DIM, "0         10        20        30");
    for (int i = 0; i < n && y < r.y + r.h; i++, y++) {
        const TensorStats *s = cols[i].s;
        char text[TEXT] = "";
        canvas_text(c, y, r.x, ROLE_TEXT, cols[i].name);
        draw_exponents(c, y, r.x + 20, s);
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " bf16-exact", s->bf16_exact,
                 s->scales);
        if (r.w >= 54 + text_width(text))
            canvas_text(c, y, r.x + 54, ROLE_DIM, text);
    }
    return y;
}

void t2_draw_counts(const T2Scene *k, Canvas *c, Rect r)
{
    enum { BARS = 5, SCALES_LEAST = 2 };
    TensorStats tile = {0};
    Fingerprint prints[FINGERPRINTS_MAX];
    stats_window(&tile, &k->tile);
    if (!tile.weights) {
        draw_kind(k, c, r);
        return;
    }
    bool counted = is_counted(k);
    int w = r.w / 2, y = r.y;
    Column cols[] = {{"this tile", &tile, r.x, w}, {"tensor", &k->in->counts, r.x + w, w}};
    if (r.h >= BARS + 4) {
        draw_code_bars(k, c, y, &cols[0]);
        if (counted)
            draw_code_bars(k, c, y, &cols[1]);
        else
            draw_tensor_line(k, c, y, cols[1].x);
        y += BARS;
    } else {
        draw_codes(k, c, y++, r.x, "tile", &tile);
        if (y < r.y + r.h)
            draw_tensor_line(k, c, y++, r.x);
    }
    unsigned n = prints_of(k, &tile, prints);
    int room = r.y + r.h - y - (int)n; /* a line for each finding comes first */
    if (tile.scales && room >= SCALES_LEAST)
        y = draw_scales(c, (Rect){y, r.x, room, r.w}, cols, counted ? 2 : 1);
    draw_prints(c, y, r, prints, n);
}

/* ---- the tensors ---- */

static void draw_tensor(const T2Scene *k, Canvas *c, int y, Rect r, size_t i)
{
    const Tensor *t = &k->in->tensors[i];
    bool here = i == k->state->tensor, decoded = t->kind != KIND_OTHER && t->kind != KIND_UNKNOWN;
    char size[32], shape[64] = "";
    Role role = here ? ROLE_ACTIVE : decoded ? ROLE_TEXT : ROLE_DIM;
    int name_w = r.w - 2 - 10 - 16 - 12;
    t2_size_text(t->size, size, sizeof size);
    if (t->rows)
        snprintf(shape, sizeof shape, "%" PRIu64 "x%" PRIu64, t->rows, t->cols);
    canvas_text(c, y, r.x, role, here ? MARK_ACTIVE : " ");
    int x = r.x + 2;
    char name[400];
    canvas_text(c, y, x, role, text_fit(t->name, name_w, name, sizeof name));
    int after = canvas_textf(c, y, x + name_w + 1, role, "%-10s%-16s",
                             decoded ? kind_name(t->kind) : t->type, shape);
    if (after + text_width(size) <= r.x + r.w) /* half a number is another one */
        canvas_text(c, y, after, role, size);
    if (t->flags & TENSOR_ROTATED)
        canvas_text(c, y, r.x + 1, ROLE_WARN, MARK_WARN);
}

void t2_draw_tensors(const T2Scene *k, Canvas *c, Rect r)
{
    size_t count = k->in->c.count, h = r.h < 0 ? 0 : (size_t)r.h;
    if (h == 0)
        return;
    size_t first = k->state->tensor / h * h;
    for (size_t i = 0; i < h && first + i < count; i++) {
        draw_tensor(k, c, r.y + (int)i, r, first + i);
        canvas_aim(c, (Rect){r.y + (int)i, r.x, 1, r.w}, T2_AIM_TENSOR | (first + i));
    }
}
