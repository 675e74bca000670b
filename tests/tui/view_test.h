#ifndef TESTS_TUI_VIEW_TEST_H
#define TESTS_TUI_VIEW_TEST_H
/* A view drawn onto a canvas of some size, and its rows as text and as roles. */
#include "test.h"

#include "session/command.h"
#include "tui/view.h"

typedef struct Shot {
    Session *s;
    const View *view;
    ViewState v;
    Canvas c;
    Buf text, roles;
} Shot;

static inline void shot_open(Shot *k, const View *view, const char *preset, const char *stimulus)
{
    Setup setup;
    Err err = {0};
    setup_init(&setup);
    assert_true(config_preset(&setup.config, preset, &err));
    assert_true(setup_stimulus(&setup, stimulus, &err));
    assert_true(setup_check(&setup, &err));
    *k = (Shot){.s = session_new(&setup), .view = view};
}

static inline void shot_close(Shot *k)
{
    session_free(k->s);
    canvas_free(&k->c);
    buf_free(&k->text);
    buf_free(&k->roles);
}

static inline void shot_draw(Shot *k, int rows, int cols, bool utf8)
{
    canvas_resize(&k->c, rows, cols, utf8);
    k->view->draw(k->s, &k->v, (Rect){0, 0, rows, cols}, false, &k->c);
    buf_clear(&k->text);
    buf_clear(&k->roles);
    canvas_dump(&k->c, &k->text);
    canvas_dump_roles(&k->c, &k->roles);
}

static inline void copy_row(const char *all, int row, char *out, size_t size)
{
    for (; row > 0; row--)
        all = strchr(all, '\n') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(all, "\n"), all);
}

/* Row `row` of the picture is exactly `want`; on failure the whole picture is printed. */
static inline void shot_row(const Shot *k, int row, const char *want)
{
    char got[2048];
    copy_row(buf_str(&k->text), row, got, sizeof got);
    if (strcmp(got, want) != 0)
        print_error("%srow %d\n got: %s\nwant: %s\n", buf_str(&k->text), row, got, want);
    assert_string_equal(got, want);
}

/* Some row holds `part`; none does. */
static inline void shot_has(const Shot *k, const char *part)
{
    if (!strstr(buf_str(&k->text), part))
        print_error("%sno '%s'\n", buf_str(&k->text), part);
    assert_non_null(strstr(buf_str(&k->text), part));
}
static inline void shot_lacks(const Shot *k, const char *part)
{
    if (strstr(buf_str(&k->text), part))
        print_error("%sthere is '%s'\n", buf_str(&k->text), part);
    assert_null(strstr(buf_str(&k->text), part));
}

/* The roles of the cells from column x of a row on, as letters (canvas_dump_roles). */
static inline void shot_roles(const Shot *k, int row, int x, const char *want)
{
    char got[2048];
    copy_row(buf_str(&k->roles), row, got, sizeof got);
    got[x + (int)strlen(want)] = '\0';
    if (strcmp(got + x, want) != 0)
        print_error("%s%srow %d\n", buf_str(&k->text), buf_str(&k->roles), row);
    assert_string_equal(got + x, want);
}

static inline void shot_command(Shot *k, const char *command)
{
    Buf out = {0};
    Err err = {0};
    if (!session_exec(k->s, command, &out, &err))
        print_error("%s: %s\n", command, err.text);
    assert_string_equal(err.text, "");
    while (session_running(k->s))
        session_advance(k->s, 100000);
    buf_free(&out);
}

/* A key as the loop handles it: the command that comes back is executed to its end. */
static inline void shot_key(Shot *k, const char *key)
{
    char command[128] = "";
    assert_true(k->view->press(k->s, &k->v, key, command, sizeof command));
    if (*command)
        shot_command(k, command);
}

/* Every size up to 30 x 100: the rectangle is drawn into, nothing outside it is. */
static inline void shot_all_sizes(Shot *k)
{
    enum { ROWS = 34, COLS = 104 };
    canvas_resize(&k->c, ROWS, COLS, true);
    for (int h = 1; h <= 30; h++) {
        for (int w = 1; w <= 100; w++) {
            canvas_fill(&k->c, (Rect){0, 0, ROWS, COLS}, ROLE_KEY, '?');
            k->view->draw(k->s, &k->v, (Rect){2, 2, h, w}, true, &k->c);
            for (int x = 0; x < COLS; x++) {
                assert_int_equal(k->c.cells[COLS + x].ch, '?');
                assert_int_equal(k->c.cells[(2 + h) * COLS + x].ch, '?');
            }
            for (int y = 0; y < ROWS; y++) {
                assert_int_equal(k->c.cells[y * COLS + 1].ch, '?');
                assert_int_equal(k->c.cells[y * COLS + 2 + w].ch, '?');
            }
            assert_int_not_equal(k->c.cells[2 * COLS + 2].ch, '?');
        }
    }
}

#endif
