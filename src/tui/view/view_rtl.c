/* The SystemVerilog source of a unit, with the lines that execute in the present cycle:
 *
 * ╭ RTL  multi_head_attention.sv  attn SCORE ────────────────────────────────────╮
 * │ top ATTN_WAIT   ln1 IDLE  ►attn SCORE   smax IDLE   ln2 IDLE   ffn IDLE      │
 * │   147┃      S_SCORE: begin  // @attn.SCORE                                   │
 * │   148┃        if (h_q == HeadW'(NHeads)) begin                false  h_q 0   │
 * │ ► 156┃            element = head_at + LogD'(d);                              │
 * ╰──────────────────────────────────────────────────────────────────────────────╯
 *
 * ┃ marks the branch of the present state, ► what executes, a word behind a condition whether it
 * holds. The files are read when the explorer starts (RtlState.rtl); lines are found by tags. */
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "tui/screen/pane.h"
#include "tui/view/rtl_view.h"

enum { USES = 128, UNIT_W = 24, NUMBER_W = 7, VALUES_W = 34, SIDEWAYS = 8 };

typedef struct Scene {
    const Engine *e;
    const Rtl *rtl;
    int fsm; /* index into units; -1: a file without one */
    int file;
    bool has_branch;
    RtlBranch branch;
    RtlUse uses[USES];
    int dedent; /* columns that lines lose of their indentation */
    int left;   /* columns of the source left of the pane */
} Scene;

static void gather(const Session *s, const ViewState *v, Scene *y)
{
    const RtlState *own = view_own(v);
    y->dedent = y->left = 0;
    y->e = session_engine(s);
    y->rtl = own->rtl;
    y->has_branch = false;
    y->fsm = own->unit == 0 ? unit_at_work(y->e) : own->unit <= UNIT_COUNT ? own->unit - 1 : -1;
    y->file = y->fsm < 0 ? limit(own->unit - UNIT_COUNT - 1, 0, rtl_files(own->rtl) - 1) : 0;
    if (y->fsm < 0)
        return;
    y->has_branch = rtl_cycle(y->rtl, y->e, units[y->fsm].fsm, &y->branch, y->uses, USES);
    if (y->has_branch)
        y->file = y->branch.file;
}

static RtlUse use_of(const Scene *y, int line)
{
    bool inside = y->has_branch && line >= y->branch.first && line <= y->branch.last &&
                  line - y->branch.first < USES;
    return inside ? y->uses[line - y->branch.first] : RTL_PLAIN;
}

static bool in_branch(const Scene *y, int line)
{
    return y->has_branch && line >= y->branch.first && line <= y->branch.last;
}

/* The line that says most about this cycle: the first statement that executes. */
static int first_running(const Scene *y)
{
    for (int line = y->branch.first; line <= y->branch.last; line++) {
        if (use_of(y, line) == RTL_RUNS)
            return line;
    }
    return y->branch.first;
}

/* ---- the FSMs ---- */

static int units_per_row(int w)
{
    return limit(w / UNIT_W, 1, UNIT_COUNT);
}

/* All FSMs with their states in columns of a fixed width. */
static void draw_units(const Scene *y, Rect r, Canvas *c)
{
    int per_row = units_per_row(r.w);
    for (int k = 0; k < UNIT_COUNT; k++) {
        bool works = !unit_is_idle(y->e, k);
        int row = r.y + k / per_row, left = r.x + k % per_row * (r.w / per_row), x = left;
        if (works)
            canvas_text(c, row, x, ROLE_ACTIVE, MARK_ACTIVE);
        x = canvas_text(c, row, x + 1, k == y->fsm ? ROLE_CURSOR : ROLE_TITLE, units[k].name);
        x = canvas_text(c, row, x + 1, works ? ROLE_ACTIVE : ROLE_DIM, unit_state(y->e, k));
        canvas_aim(c, (Rect){row, left, 1, x - left}, AIM_OTHER | (unsigned)k);
    }
}

/* ---- the source ---- */

static Role line_role(const Scene *y, int line)
{
    switch (use_of(y, line)) {
    case RTL_RUNS:
        return ROLE_ACTIVE;
    case RTL_TRUE:
    case RTL_FALSE:
        return ROLE_READ;
    case RTL_SOME:
        return ROLE_CHANGED;
    default:
        return in_branch(y, line) ? ROLE_TEXT : ROLE_DIM;
    }
}

/* Does the condition carry its statement with it? */
static bool runs_here(const Scene *y, int line)
{
    const char *text = rtl_line(y->rtl, y->file, line);
    return use_of(y, line) == RTL_RUNS ||
           (use_of(y, line) == RTL_TRUE && strchr(text, ';') && !strstr(text, "begin"));
}

/* Whether the condition holds, and the values that decide it. */
static void draw_values(const Scene *y, int line, int row, int x, int right, Canvas *c)
{
    RtlUse use = use_of(y, line);
    char values[64] = "";
    const char *word = use == RTL_TRUE    ? "true"
                       : use == RTL_FALSE ? "false"
                       : use == RTL_SOME  ? "some"
                                          : NULL;
    if (y->fsm >= 0 && (word || use == RTL_RUNS))
        rtl_values(y->rtl, y->e, units[y->fsm].fsm, line, values, sizeof values);
    if (x < right - VALUES_W)
        x = right - VALUES_W;
    if (word && x + 6 <= right)
        canvas_text(c, row, x, use == RTL_FALSE ? ROLE_TEXT : ROLE_ACTIVE, word);
    if (x + 7 + text_width(values) <= right)
        canvas_text(c, row, x + 7, ROLE_DIM, values);
}

static int indentation(const char *text)
{
    return (int)strspn(text, " ");
}

/* The blanks that a branch has before all of its lines go where one of them is too long. */
static int dedent(const Scene *y, int room)
{
    bool fits = true;
    if (!y->has_branch)
        return 0;
    for (int line = y->branch.first; line <= y->branch.last; line++)
        fits = fits && text_width(rtl_line(y->rtl, y->file, line)) <= room;
    return fits ? 0 : indentation(rtl_line(y->rtl, y->file, y->branch.first));
}

/* A line of source; signs where it goes on. Returns the column behind it. */
static int draw_source_line(const Scene *y, const char *text, Role role, Rect r, Canvas *c)
{
    const char *comment = strstr(text, "//");
    int blanks = indentation(text), length = (int)strlen(text);
    int skip = (y->dedent < blanks ? y->dedent : blanks) + y->left;
    const char *rest = text + (skip < length ? skip : length);
    int x = canvas_field(c, r.y, r.x, limit(text_width(rest), 0, r.w), role, rest);
    if (comment && comment - rest < r.w) {
        int at = comment > rest ? (int)(comment - rest) : 0;
        canvas_role(c, (Rect){r.y, r.x + at, 1, x - r.x - at}, ROLE_DIM);
    }
    if (skip > blanks && length > 0)
        canvas_text(c, r.y, r.x, ROLE_DIM, "…");
    if (text_width(rest) > r.w)
        canvas_text(c, r.y, r.x + r.w - 1, ROLE_DIM, "…");
    return x;
}

static void draw_line(const Scene *y, const ViewState *v, int line, int row, Rect r, bool focused,
                      Canvas *c)
{
    const char *text = rtl_line(y->rtl, y->file, line);
    Role role = line_role(y, line);
    bool cursor = line == v->row;
    if (runs_here(y, line))
        canvas_text(c, row, r.x + 1, ROLE_ACTIVE, MARK_ACTIVE);
    canvas_textf(c, row, r.x + 2,
                 cursor && focused     ? ROLE_CURSOR
                 : role == ROLE_ACTIVE ? role
                                       : ROLE_DIM,
                 "%4d", line + 1);
    canvas_text(c, row, r.x + 2 + 4, in_branch(y, line) ? ROLE_ACTIVE : ROLE_DIM,
                in_branch(y, line) ? "┃" : " ");
    int left = r.x + NUMBER_W + 1;
    int x =
        draw_source_line(y, text, role, (Rect){row, left, 1, limit(r.x + r.w - left, 0, r.w)}, c);
    draw_values(y, line, row, x + 2, r.x + r.w - 1, c);
    if (cursor) {
        c->cursor_y = row;
        c->cursor_x = r.x + 2;
    }
}

/* Rows of a pane: of the units with the rule below them, and of source. */
typedef struct Rows {
    int head, source;
} Rows;

static Rows share_rows(Rect in)
{
    int per_row = units_per_row(in.w - 2),
        head = in.h >= 6 ? (UNIT_COUNT + per_row - 1) / per_row : 0;
    if (in.h - head < 4) /* the source matters more */
        head = 0;
    head += head > 0;
    return (Rows){head, in.h - head};
}

/* Without a user's cursor: on what executes, with the branch's label in sight when it fits. */
static void place(const Session *s, ViewState *v, Rect r)
{
    Scene y;
    RtlState *own = view_own(v);
    Rect in = canvas_inside(r);
    if (!own->rtl || in.h < 1 || in.w < 1)
        return;
    gather(s, v, &y);
    int count = rtl_lines(y.rtl, y.file), rows = share_rows(in).source;
    if (!v->pinned && y.has_branch) {
        v->row = first_running(&y);
        v->top = y.branch.first - (rows > 6 ? 2 : 0);
        if (y.branch.last - v->top >= rows && v->row - v->top >= rows - 1)
            v->top = v->row - rows / 2;
    }
    v->row = limit(v->row, 0, count - 1);
    v->top = limit(v->top, v->row - rows + 1, v->row);
    v->top = limit(v->top, 0, count > rows ? count - rows : 0);
    own->columns = in.w - NUMBER_W - 1;
}

/* ---- the picture ---- */

static void title_text(const Scene *y, char *out, size_t size)
{
    if (y->fsm < 0)
        snprintf(out, size, "RTL  %s  %d lines", rtl_file_name(y->rtl, y->file),
                 rtl_lines(y->rtl, y->file));
    else
        snprintf(out, size, "RTL  %s  %s %s", rtl_file_name(y->rtl, y->file), units[y->fsm].name,
                 unit_state(y->e, y->fsm));
}

static void draw_source(Scene *y, const ViewState *v, Rect r, Rect in, bool focused, Canvas *c)
{
    Rows rows = share_rows(in);
    if (rows.head) {
        draw_units(y, (Rect){in.y, in.x + 1, rows.head - 1, in.w - 2}, c);
        pane_rule(c, r, in.y + rows.head - 1, y->fsm < 0 ? "" : "this cycle");
    }
    y->dedent = dedent(y, in.w - NUMBER_W - 1);
    y->left = v->left;
    for (int k = 0; k < rows.source && v->top + k < rtl_lines(y->rtl, y->file); k++) {
        int line = v->top + k, row = in.y + rows.head + k;
        draw_line(y, v, line, row, in, focused, c);
        canvas_aim(c, (Rect){row, in.x, 1, in.w}, aim_at(line, -1));
    }
}

static void draw(const Session *s, const ViewState *v, Rect r, bool focused, Canvas *c)
{
    Scene y;
    const RtlState *own = view_own(v);
    char title[96] = "RTL";
    Rect old = canvas_clip(c, r);
    if (own->rtl) {
        gather(s, v, &y);
        title_text(&y, title, sizeof title);
    }
    Rect in = canvas_box(c, r, ROLE_FRAME, title);
    if (in.h < 1 || in.w < 1) {
        canvas_field(c, r.y, r.x, r.w, ROLE_TITLE, title);
    } else {
        pane_clip(c, r);
        if (own->rtl)
            draw_source(&y, v, r, in, focused, c);
        else
            canvas_text(c, in.y, in.x + 1, ROLE_WARN,
                        MARK_WARN " rtl/ is neither beside the sources nor installed");
    }
    canvas_clip(c, old);
}

/* ---- keys ---- */

/* Without files there is nothing to act on. */
static const ViewKey *keys_now(const Session *s, const ViewState *v)
{
    static const ViewKey no_files[] = {{"c", SENSE_FOLLOW, NULL, NULL, .act = view_follow}, {0}};
    const RtlState *own = view_own(v);
    (void)s;
    return own->rtl ? NULL : no_files;
}

static void move_lines(const Session *s, ViewState *v, int by)
{
    Scene y;
    gather(s, v, &y);
    v->row = limit(v->row + by, 0, rtl_lines(y.rtl, y.file) - 1);
    v->pinned = true;
}

/* The next or previous unit, then the other files. */
static void turn(const Session *s, ViewState *v, int by)
{
    RtlState *own = view_own(v);
    int count = UNIT_COUNT + rtl_files(own->rtl);
    int now = own->unit ? own->unit : unit_at_work(session_engine(s)) + 1;
    own->unit = (now - 1 + by + count) % count + 1;
    v->pinned = own->unit > UNIT_COUNT;
    v->row = v->top = v->left = 0;
}

static void move(Press *p, int rows, int cols)
{
    ViewState *v = p->v;
    const RtlState *own = view_own(v);
    if (!own->rtl)
        press_leave(p);
    else if (cols)
        turn(p->s, v, cols);
    else
        move_lines(p->s, v, rows);
}

static void next_unit(Press *p)
{
    turn(p->s, p->v, press_by(p));
}

static void page(Press *p)
{
    static const int lines[] = {-16, 16, -(1 << 20), 1 << 20};
    move_lines(p->s, p->v, lines[p->nth]);
}

static void follow_again(Press *p)
{
    RtlState *own = view_own(p->v);
    own->unit = 0;
    p->v->left = 0;
    view_follow(p);
}

/* A line of the source, or a unit above it. */
static void point(const Session *s, ViewState *v, uint64_t aim)
{
    Scene y;
    RtlState *own = view_own(v);
    int unit = (int)(aim & ~AIM_OTHER);
    gather(s, v, &y);
    if (!(aim & AIM_OTHER)) {
        v->pinned |= aim_move(v, aim);
    } else if (unit != y.fsm) {
        own->unit = unit + 1;
        v->pinned = false;
        v->row = v->top = v->left = 0;
    }
}

/* Columns of the longest line. */
static int longest_line(const Session *s, const ViewState *v)
{
    Scene y;
    int longest = 0;
    gather(s, v, &y);
    for (int line = 0; line < rtl_lines(y.rtl, y.file); line++) {
        int width = text_width(rtl_line(y.rtl, y.file, line));
        longest = width > longest ? width : longest;
    }
    return longest;
}

static void sideways(Press *p)
{
    ViewState *v = p->v;
    int most = press_by(p) < 0 ? v->left : longest_line(p->s, v);
    v->left = limit(v->left + SIDEWAYS * press_by(p), 0, most);
}

/* The register that the line under the cursor names. */
static Target target(const Session *s, const ViewState *v)
{
    const RtlState *own = view_own(v);
    Scene y;
    SignalId id = SIG_COUNT;
    int at = 0;
    if (!own->rtl)
        return (Target){NULL, 0};
    gather(s, v, &y);
    if (y.fsm < 0 || !rtl_register(y.rtl, y.e, units[y.fsm].fsm,
                                   limit(v->row, 0, rtl_lines(y.rtl, y.file) - 1), &id, &at))
        return (Target){NULL, 0};
    return (Target){signal_at(id), at};
}

/* An FSM's state is shown by its branch. */
static bool find(const Session *s, ViewState *v, Target t)
{
    RtlState *own = view_own(v);
    for (int k = 0; own->rtl && k < UNIT_COUNT; k++) {
        if (t.signal == signal_in(session_engine(s), units[k].fsm)) {
            own->unit = k + 1;
            v->pinned = false;
            return true;
        }
    }
    return false;
}

/* ---- search ---- */

enum { FILE_SHIFT = 20 }; /* a place: the file above, its line below */

static void search_lines(const Session *s, const ViewState *v, SearchFeed *f)
{
    const RtlState *own = view_own(v);
    Scene y;
    if (!own->rtl)
        return;
    gather(s, v, &y);
    f->here = (uint64_t)y.file << FILE_SHIFT | (unsigned)limit(v->row, 0, (1 << FILE_SHIFT) - 1);
    for (int file = 0; file < rtl_files(own->rtl); file++) {
        for (int line = 0; line < rtl_lines(own->rtl, file); line++)
            search_feed(f, (uint64_t)file << FILE_SHIFT | (unsigned)line,
                        rtl_line(own->rtl, file, line));
    }
}

static void search_go(const Session *s, ViewState *v, uint64_t at, const char *text)
{
    RtlState *own = view_own(v);
    Scene y;
    gather(s, v, &y);
    int file = (int)(at >> FILE_SHIFT);
    if (file != y.file)
        own->unit = UNIT_COUNT + 1 + file;
    else if (own->unit == 0 && y.fsm >= 0)
        own->unit = y.fsm + 1; /* not away with the next unit at work */
    v->row = (int)(at & ((1 << FILE_SHIFT) - 1));
    v->pinned = true;
    int end = search_find(rtl_line(own->rtl, file, v->row), text) + (int)strlen(text);
    int beyond =
        end + 1 - (own->columns > 0 ? own->columns : 50); /* 1: the sign that the line goes on */
    v->left = beyond > 0 ? (beyond + SIDEWAYS - 1) / SIDEWAYS * SIDEWAYS : 0;
}

static const char *numbers_note(const ViewState *v)
{
    (void)v;
    return "the source shows values as the RTL writes them";
}

static const ViewKey keys[] = {
    {"[ ]", SENSE_ITEM, "unit", "previous, next unit, then the other files (Left and Right too)",
     .act = next_unit},
    {"c", SENSE_FOLLOW, "follow", "follow the unit at work and the line that executes",
     .act = follow_again},
    {"< >", SENSE_LESS, "sideways", "sideways, where lines are longer than the pane",
     .act = sideways},
    {"Left Right", SENSE_MOVE, NULL, "another unit, then the other files", KEY_MOVES},
    {"PgUp PgDn Home End", SENSE_MOVE, NULL, "scroll", .act = page},
    {0},
};

const View view_rtl = {
    .name = "rtl",
    .title = "RTL source",
    .key = "V",
    .about =
        "The SystemVerilog that the engine mirrors, cycle for cycle. The bar ┃ marks the branch of "
        "the unit's present state, " MARK_ACTIVE " the lines that execute in this cycle; behind a "
        "condition stand whether it holds and the registers that decide it (some: in a loop, "
        "element by element). What executes becomes visible at the coming edge: x_d is what x_q "
        "will be. The view follows the innermost unit at work; Left and Right "
        "choose another, or a file. w watches the register that the line under the cursor names.",
    .keys = keys,
    .state_size = sizeof(RtlState),
    .place_end = offsetof(RtlState, columns),
    .place = place,
    .draw = draw,
    .point = point,
    .keys_now = keys_now,
    .move = move,
    .target = target,
    .numbers_note = numbers_note,
    .find = find,
    .search_lines = search_lines,
    .search_go = search_go,
};
