#ifndef TESTS_TUI_DRAWN_H
#define TESTS_TUI_DRAWN_H
/* For the tests of views: a session, a view drawn into a canvas, rows and roles of it as text. */
#include "test.h"

#include <math.h>

#include "session/command.h"
#include "session/session.h"
#include "tui/views.h"

typedef struct Drawn {
    Session *session;
    const View *view;
    ViewState *state; /* the view's own struct behind what all have: OWN(d, KvState)->as_words */
    bool unfocused;   /* drawn as a pane beside the one in focus */
    Canvas canvas;
    Buf text, roles;
} Drawn;
#define OWN(d, type) ((type *)view_own((d).state))

/* A view of a session of preset `preset` with a stimulus. */
static inline void drawn_open(Drawn *d, const View *view, const char *preset, const char *stimulus)
{
    Setup setup;
    Err err = {0};
    *d = (Drawn){.view = view, .state = view_state_new(view)};
    setup_init(&setup);
    assert_true(config_preset(&setup.config, preset, &err));
    assert_true(setup_stimulus(&setup, stimulus, &err));
    assert_true(setup_check(&setup, &err));
    d->session = session_new(&setup);
}

static inline void drawn_close(Drawn *d)
{
    view_state_free(d->view, d->state);
    session_free(d->session);
    canvas_free(&d->canvas);
    buf_free(&d->text);
    buf_free(&d->roles);
}

/* A state as at first. */
static inline void drawn_as_at_first(Drawn *d)
{
    view_state_free(d->view, d->state);
    d->state = view_state_new(d->view);
}

/* A console command, a run to its end. */
static inline void drawn_do(Drawn *d, const char *command)
{
    Err err = {0};
    Buf out = {0};
    if (!session_exec(d->session, command, &out, &err))
        fail_msg("%s: %s", command, err.text);
    while (session_running(d->session))
        session_advance(d->session, 100000);
    buf_free(&out);
}

static inline void drawn_draw(Drawn *d, int rows, int cols, bool utf8)
{
    canvas_resize(&d->canvas, rows, cols, utf8);
    d->view->place(d->session, d->state, (Rect){0, 0, rows, cols});
    if (d->view->prepare)
        d->view->prepare(d->session, d->state);
    if (d->view->work)
        d->view->work(d->session, d->state, (Rect){0, 0, rows, cols}, INFINITY);
    d->view->draw(d->session, d->state, (Rect){0, 0, rows, cols}, !d->unfocused, &d->canvas);
    buf_clear(&d->text);
    buf_clear(&d->roles);
    canvas_dump(&d->canvas, &d->text);
    canvas_dump_roles(&d->canvas, &d->roles);
}

/* Row y of the text (or of the roles). */
static inline void drawn_row(const Buf *b, int y, char *out, size_t size)
{
    const char *line = buf_str(b);
    while (y-- > 0 && line)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    snprintf(out, size, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
}

static inline void drawn_expect(const Drawn *d, int y, const char *expected)
{
    char row[2048];
    drawn_row(&d->text, y, row, sizeof row);
    if (strcmp(row, expected) != 0)
        fail_msg("row %d is\n%s\nnot\n%s\nin\n%s", y, row, expected, buf_str(&d->text));
}

/* The roles of row y from column x on start with these letters (canvas_dump_roles). */
static inline void drawn_expect_roles(const Drawn *d, int y, int x, const char *expected)
{
    char row[2048];
    drawn_row(&d->roles, y, row, sizeof row);
    if (strncmp(row + x, expected, strlen(expected)) != 0)
        fail_msg("roles of row %d from %d are\n%s\nnot\n%s\nin\n%s", y, x, row + x, expected,
                 buf_str(&d->text));
}

static inline void drawn_contains(const Drawn *d, const char *text)
{
    if (!strstr(buf_str(&d->text), text))
        fail_msg("no \"%s\" in\n%s", text, buf_str(&d->text));
}

static inline void drawn_lacks(const Drawn *d, const char *text)
{
    if (strstr(buf_str(&d->text), text))
        fail_msg("there is \"%s\" in\n%s", text, buf_str(&d->text));
}

/* Keys, separated by blanks, as the explorer takes them: the commands that come back are executed
 * to their ends, but for those that wait for an argument; a refusal is not looked at. */
static inline void drawn_press(Drawn *d, const char *keys)
{
    char list[128], *save = NULL;
    snprintf(list, sizeof list, "%s", keys);
    for (char *key = strtok_r(list, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
        Press p = {0};
        if (strcmp(key, "f") == 0 && d->view->phase) {
            d->view->phase(d->session, p.text, sizeof p.text);
            p.what = p.text[0] ? PRESS_RUN : PRESS_DONE;
        } else {
            assert_true(view_press(d->view, d->session, d->state, key, &p));
        }
        if (p.what == PRESS_RUN)
            drawn_do(d, p.text);
    }
}

/* In a rectangle of every size up to rows x cols: does it keep to it? In ASCII, are all cells? */
static inline void drawn_every_size(Drawn *d, int rows, int cols)
{
    for (int h = 1; h <= rows; h++) {
        for (int w = 1; w <= cols; w++) {
            bool utf8 = (h + w) % 2 != 0;
            Rect r = {1, 2, h, w};
            canvas_resize(&d->canvas, h + 3, w + 5, utf8);
            canvas_fill(&d->canvas, (Rect){0, 0, h + 3, w + 5}, ROLE_KEY, '@');
            canvas_fill(&d->canvas, r, ROLE_TEXT, ' ');
            d->view->place(d->session, d->state, r);
            d->view->draw(d->session, d->state, r, h % 2 != 0, &d->canvas);
            for (int y = 0; y < h + 3; y++) {
                for (int x = 0; x < w + 5; x++) {
                    const Cell *cell = &d->canvas.cells[y * (w + 5) + x];
                    bool outside = y < 1 || y > h || x < 2 || x >= w + 2;
                    if (outside && (cell->ch != '@' || cell->role != ROLE_KEY))
                        fail_msg("%s at %dx%d draws outside, at %d,%d", d->view->name, h, w, y - 1,
                                 x - 2);
                    if (!utf8 && cell->ch > 0x7e)
                        fail_msg("%s at %dx%d is not ASCII", d->view->name, h, w);
                    if (cell->ch == '?')
                        fail_msg("%s at %dx%d draws a character without an ASCII twin",
                                 d->view->name, h, w);
                }
            }
        }
    }
}

#endif
