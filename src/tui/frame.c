/* One frame: the top line, the panes, the message line, the key line, and what lies over them.
 *
 *   tokstep  deck bridge  token 0  cycle 440  ATTN_WAIT
 *   +---------------------- panes ----------------------+
 *   +----------------------------------------------------+
 *    ! what happened at the last edge
 *    space step  b back  n state  ...             ? help
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "tui/input/keys.h"
#include "session/story.h"
#include "tui/state.h"
#include "tui/strip.h"
#include "tui/inspect_commands.h"
#include "tui/view/lesson_view.h"
#include "tui/view/pane_frame.h"
#include "tell/warning.h"
#include "tui/screen/widgets.h"

enum { CONSOLE_ROWS = 8, CONSOLE_ROWS_MOST = 20 };
#define FRAME_WORK 0.005 /* seconds of a frame for what views compute */

/* That a lesson is open whose pane has not the focus, and the way back; shorter where a window is
 * narrow. */
static void draw_lesson_open(const Tui *t, Canvas *c, int x)
{
    char text[64];
    const char *id = lesson_info(t->lesson)->id;
    bool numbered = strspn(id, "0123456789") == 2; /* 06-mask: by its number */
    snprintf(text, sizeof text, "  lesson %.*s is open: L", numbered ? 2 : 24, id);
    if (x + text_width(text) >= c->cols)
        snprintf(text, sizeof text, "  lesson: L");
    if (x + text_width(text) > c->cols)
        snprintf(text, sizeof text, "  L");
    canvas_text(c, 0, x, ROLE_KEY, text);
}

static void draw_top_line(const Tui *t, Canvas *c)
{
    const Engine *e = session_engine(t->session);
    const Config *config = engine_config(e);
    const Signal *top = signal_at(SIG_TOP_STATE);
    int edits = 0;
    session_edits(t->session, &edits);
    bool open = t->lesson && tui_view(t) != &view_lesson;
    int x = canvas_text(c, 0, 0, ROLE_TITLE, "tokstep") + 2;
    x = canvas_textf(c, 0, x, ROLE_TEXT, "%s %s  token %d  cycle %llu  ", config->preset,
                     config_variant_name(config->variant), session_host(t->session)->token,
                     (unsigned long long)engine_cycle(e));
    x = canvas_text(c, 0, x, ROLE_ACTIVE, signal_state_name(top, signal_get(e, top, 0)));
    if (edits)
        x = canvas_text(c, 0, x, ROLE_WARN, "  edited");
    if (open)
        draw_lesson_open(t, c, x);
}

/* ---- the key line ---- */

typedef struct KeyLine {
    Canvas *c;
    int y, x;
} KeyLine;

/* "KEY word", when the whole of it fits. */
static void key_word(KeyLine *line, const char *key, const char *word)
{
    int width = text_width(key) + 1 + text_width(word);
    int gap = line->x > 1 ? 2 : 0;
    if (line->x + gap + width > line->c->cols)
        return;
    int x = canvas_text(line->c, line->y, line->x + gap, ROLE_KEY, key);
    line->x = canvas_text(line->c, line->y, x + 1, ROLE_DIM, word);
}

/* "1-9 M L V views" from the keys of the table, without the letters where there is no room. */
static void views_word(KeyLine *line)
{
    char all[64] = "", digits[32] = "";
    size_t used = 0;
    for (int first = 0, i = 0; views[i] && used + 5 < sizeof digits; i++) {
        char key = views[i]->key[0];
        bool is_digit = key >= '1' && key <= '9';
        bool goes_on = is_digit && views[i + 1] && views[i + 1]->key[0] == key + 1;
        if (goes_on)
            continue;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%c", used ? " " : "",
                                 views[first]->key[0]);
        if (i > first)
            used += (size_t)snprintf(all + used, sizeof all - used, "-%c", key);
        if (is_digit)
            memcpy(digits, all, sizeof digits);
        first = i + 1;
    }
    int before = line->x;
    key_word(line, all, "views");
    if (line->x == before)
        key_word(line, digits, "views");
}

/* The hints of a group: a key or two, a blank, a word. */
static void hints(KeyLine *line, const Key *keys)
{
    for (; keys->names; keys++) {
        char name[KEY_NAME_MAX];
        if (!keys->hint)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(keys->hint, " "), keys->hint);
        key_word(line, name, strchr(keys->hint, ' ') + 1);
    }
}

/* Of a search that goes on. */
static void search_keys(KeyLine *line)
{
    key_word(line, "n N", "matches");
    key_word(line, "Esc", "ends");
}

/* How to get help and how to leave first: they fit always. */
static void pane_keys_line(const Tui *t, KeyLine *line)
{
    const KeyGroup *program = key_groups;
    while (program[1].title)
        program++;
    hints(line, program->keys);
    if (search_active(t))
        search_keys(line);
    if (jump_shown(t))
        key_word(line, "BS", "back");
    for (const KeyGroup *g = key_groups; g < program; g++)
        hints(line, g->keys);
    views_word(line);
    const View *v = tui_view(t);
    for (const ViewKey *k = v ? v->keys : NULL; k && k->key; k++)
        if (!k->word && k->help) /* the others stand in the pane's lower side */
            key_word(line, k->key, k->help);
}

/* Why the line of the prompt was refused: it still takes the message's place. */
static void draw_refusal(const Tui *t, const KeyLine *line)
{
    int x = canvas_text(line->c, line->y, line->x + 2, ROLE_WARN, MARK_WARN " ");
    canvas_sentence(line->c, line->y, x, ROLE_WARN, t->message);
}

static void answer_keys(const Tui *t, KeyLine *line)
{
    key_word(line, "Enter", "answer");
    key_word(line, "hint Enter", "a hint");
    if (tui_strip_rows(t) == 0)
        key_word(line, "PgUp PgDn", "scroll");
}

/* Is an answer to the lesson being typed? */
static bool is_answering(const Tui *t)
{
    return t->mode == MODE_PROMPT && t->answering;
}

/* How to leave comes first everywhere: it fits always. */
static void draw_key_line(const Tui *t, Canvas *c)
{
    KeyLine line = {c, c->rows - 1, 1};
    if (tui_running(t)) {
        key_word(&line, "any key", "pause");
        key_word(&line, "+", "faster");
        key_word(&line, "-", "slower");
        views_word(&line);
    } else if (t->mode == MODE_HELP) {
        bool search = search_active(t);
        key_word(&line, search ? "q" : "Esc", "leave help");
        if (search)
            search_keys(&line);
        else
            key_word(&line, "/", "search");
        key_word(&line, "Up Down", "scroll");
        key_word(&line, "space", "next page");
        key_word(&line, "b", "page back");
    } else if (t->mode == MODE_CONSOLE && search_active(t)) {
        key_word(&line, "n", "older");
        key_word(&line, "N", "newer match");
        key_word(&line, "Esc", "ends");
    } else if (t->mode == MODE_CONSOLE) {
        key_word(&line, "Esc", "leave");
        key_word(&line, "Enter", "run");
        key_word(&line, "Tab", "complete");
        key_word(&line, "/text", "finds");
        key_word(&line, "Up C-r", "earlier");
        key_word(&line, "PgUp", "scroll");
    } else if (t->mode == MODE_PROMPT) {
        key_word(&line, "Esc",
                 is_answering(t) && !t->message[0] ? "leave, for keys and :" : "leave");
        if (t->message[0])
            draw_refusal(t, &line);
        else if (is_answering(t))
            answer_keys(t, &line);
        else
            key_word(&line, "Enter", "run");
    } else {
        pane_keys_line(t, &line);
    }
}

/* ---- the message line ---- */

/* Before the first step there is nothing to tell but what there is to see. */
static void draw_welcome(const Tui *t, Canvas *c)
{
    KeyLine line = {c, c->rows - 2, 1};
    if (t->mode != MODE_PANES || engine_cycle(session_engine(t->session)) > 0)
        return;
    const char *text = session_setup(t->session)->text;
    char model[64];
    snprintf(model, sizeof model, "the model, reading %.*s", HEAD(text, 24));
    if (session_model(t->session) && *text)
        key_word(&line, "M", model);
    key_word(&line, "L", "lessons");
    key_word(&line, "1-9 V", "other views");
}

unsigned tui_hidden_remarks(const Tui *t)
{
    return t->lesson ? lesson_page(t->lesson)->hide : 0;
}

/* What an event says of a value is over once the value has been edited. */
static bool still_true(const void *session, const Event *event)
{
    return !story_edit(session, signal_at(event->signal), event->index);
}

int tui_message_columns(const Tui *t)
{
    return t->canvas.cols - 4;
}

static void draw_message(const Tui *t, Canvas *c)
{
    int y = c->rows - 2;
    char text[sizeof t->message];
    if (t->mode == MODE_PROMPT) {
        console_draw_line(t->console, c, y, 1, c->cols - 2);
        return;
    }
    int room = tui_message_columns(t);
    Role role = t->message_role;
    snprintf(text, sizeof text, "%s", t->message);
    if (!text[0] && tui_running(t)) {
        char speed[32];
        speed_text(t->paced ? t->speed : SPEEDS - 1, speed, sizeof speed);
        snprintf(text, sizeof text, "running, %s", speed);
        role = ROLE_ACTIVE;
    } else if (!text[0] && !(tui_hidden_remarks(t) & LESSON_HIDE_WRAP)) {
        warning_text(session_engine(t->session), still_true, t->session, text, sizeof text);
        role = ROLE_WARN;
    }
    if (!text[0]) {
        draw_welcome(t, c);
        return;
    }
    canvas_text(c, y, 1, role,
                role == ROLE_WARN     ? MARK_WARN
                : role == ROLE_ACTIVE ? MARK_ACTIVE
                                      : " ");
    canvas_field(c, y, 3, room, role, text);
    if (text_width(text) > room)
        canvas_text(c, y, 2 + room, role, "…");
}

/* ---- panes and what lies over them ---- */

/* Where the hardware cursor rests: on the cell that the view marks as its cursor. */
static void park_cursor(Canvas *c, Rect r)
{
    if (c->cursor_y >= 0) /* the view has placed it */
        return;
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++) {
            if (c->cells[y * c->cols + x].role == ROLE_CURSOR) {
                c->cursor_y = y;
                c->cursor_x = x;
                return;
            }
        }
    }
    c->cursor_y = r.h > 1 ? r.y + 1 : r.y; /* nothing to select: where the text begins */
    c->cursor_x = r.w > 2 ? r.x + 2 : r.x;
}

static void draw_panes(Tui *t, Canvas *c, double work_seconds)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    LessonState *lesson = view_own(t->states[view_index(&view_lesson)]);
    lesson->answering = is_answering(t);
    for (int i = 0; i < n; i++) {
        const View *view = views[panes[i].view];
        ViewState *state = t->states[panes[i].view];
        Rect r = panes[i].rect, old = canvas_clip(c, r);
        state->hidden = tui_hidden_remarks(t);
        view->place(t->session, state, r);
        if (view->prepare)
            view->prepare(t->session, state);
        if (view->work)
            t->working |= view->work(t->session, state, r, work_seconds);
        tui_draw_view(t, &panes[i], c);
        if (panes[i].focused)
            park_cursor(c, r);
        if (panes[i].focused && t->search.place == SEARCH_VIEW && search_active(t))
            search_paint(t, r, (Rect){c->cursor_y, r.x, 1, r.w});
        bool listens = panes[i].focused && t->mode == MODE_PANES && !tui_running(t);
        /* a lesson's page takes Enter in whatever pane */
        const char *taken = t->lesson && view != &view_lesson ? "Enter" : NULL;
        pane_keys_draw(c, r, view->keys, listens, taken);
        if (panes[i].focused && t->mode != MODE_CONSOLE)
            pane_focus_draw(c, r);
        canvas_clip(c, old);
    }
}

static void draw_console(Tui *t, Canvas *c)
{
    int h = c->rows / 3;
    h = h < CONSOLE_ROWS ? CONSOLE_ROWS : h > CONSOLE_ROWS_MOST ? CONSOLE_ROWS_MOST : h;
    Rect r = {c->rows - 2 - h, 0, h, c->cols};
    console_draw(t->console, c, r);
    if (t->search.place == SEARCH_CONSOLE) /* the match is the last line of output */
        search_paint(t, (Rect){r.y + 1, 1, h - 3, c->cols - 2}, (Rect){0});
    pane_focus_draw(c, r);
}

/* What is said and asked in help lies over its frame. */
static void draw_help(Tui *t, Canvas *c)
{
    Rect r = tui_area(t);
    help_draw(t, r);
    pane_focus_draw(c, r);
    park_cursor(c, r);
    if (t->search.place == SEARCH_HELP)
        search_paint(t, (Rect){r.y + 1, r.x + 1, r.h - 1, r.w - 2},
                     help_line(t, (int)t->search.at));
    if (!t->message[0] && t->mode != MODE_PROMPT)
        return;
    canvas_fill(c, (Rect){c->rows - 2, 0, 1, c->cols}, ROLE_TEXT, ' ');
    draw_message(t, c);
}

/* Size now, size needed, how to leave: as much of it as there is room for. */
static void draw_too_small(const Tui *t, Canvas *c)
{
    char text[sizeof t->message + 128], line[200];
    snprintf(text, sizeof text,
             "This window is %dx%d.\ntokstep needs %dx%d.\nEnlarge it, or press q to leave.\n%s",
             c->cols, c->rows, MIN_COLS, MIN_ROWS, t->message);
    int lines = 0;
    for (const char *p = text; text_wrap(&p, c->cols, line, sizeof line);)
        lines++;
    int y = lines < c->rows ? (c->rows - lines) / 2 : 0;
    for (const char *p = text; text_wrap(&p, c->cols, line, sizeof line); y++) {
        int pad = (c->cols - text_width(line)) / 2;
        canvas_text(c, y, pad > 0 ? pad : 0, ROLE_TEXT, line);
    }
}

static const Canvas *draw(Tui *t, double work_seconds)
{
    Canvas *c = &t->canvas;
    t->working = false;
    canvas_clear(c);
    t->wishes.cursor = t->mode == MODE_CONSOLE || t->mode == MODE_PROMPT;
    if (tui_too_small(t)) {
        draw_too_small(t, c);
        return c;
    }
    draw_top_line(t, c);
    if (t->mode == MODE_HELP || (t->mode == MODE_PROMPT && t->prompt_over == MODE_HELP)) {
        draw_help(t, c);
    } else {
        tui_follow_cursor(t);
        inspect_settle(t);
        lua_lesson_fit(t);
        draw_panes(t, c, work_seconds);
        int strip = tui_strip_rows(t);
        if (strip)
            strip_draw(t->lesson, is_answering(t), (Rect){c->rows - 2 - strip, 0, strip, c->cols},
                       c);
        draw_message(t, c);
        if (t->mode == MODE_CONSOLE)
            draw_console(t, c);
    }
    draw_key_line(t, c);
    return c;
}

const Canvas *tui_draw(Tui *t)
{
    return draw(t, t->go_on ? FRAME_WORK : INFINITY);
}

const Canvas *tui_draw_whole(Tui *t)
{
    return draw(t, INFINITY);
}

bool tui_working(const Tui *t)
{
    return t->working;
}

void tui_work(Tui *t, double seconds)
{
    Pane panes[PANES_MAX];
    int n = panes_place(&t->panes, tui_area(t), panes);
    bool more = false;
    for (int i = 0; i < n && t->working; i++) {
        const View *view = views[panes[i].view];
        if (view->work)
            more |= view->work(t->session, t->states[panes[i].view], panes[i].rect, seconds);
    }
    t->working = more;
}
