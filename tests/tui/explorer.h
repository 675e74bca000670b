#ifndef TESTS_TUI_EXPLORER_H
#define TESTS_TUI_EXPLORER_H
/* For the tests of the explorer: a Tui on the built-in model, driven by key names, read as text. */
#include "test.h"

#include <locale.h>

#include "session/command.h"
#include "session/session.h"
#include "tui/input/keys.h"
#include "tui/state.h"
#include "tui/tui.h"

typedef struct Explorer {
    Session *session;
    Tui *tui;
    Buf text; /* the screen when looked at last */
} Explorer;

static inline void explorer_open(Explorer *x, int rows, int cols)
{
    Setup setup;
    Err err = {0};
    *x = (Explorer){0};
    setlocale(LC_CTYPE, "C.UTF-8");
    setup_init(&setup);
    assert_true(setup_check(&setup, &err));
    x->session = session_new(&setup);
    x->tui = tui_new(x->session, THEME_DARK, NULL);
    tui_resize(x->tui, rows, cols, true);
}

static inline void explorer_close(Explorer *x)
{
    tui_free(x->tui);
    session_free(x->session);
    buf_free(&x->text);
}

/* Keys by name, separated by blanks; runs are not waited for. */
static inline void press(Explorer *x, const char *keys)
{
    size_t len = 0;
    while (*keys) {
        const char *rest = command_word(&keys, &len);
        char key[KEY_NAME_MAX];
        snprintf(key, sizeof key, "%.*s", (int)len, keys);
        assert_true(key_is_name(key));
        tui_press(x->tui, key);
        keys = rest;
    }
}

/* Every character of the text as a key. */
static inline void type(Explorer *x, const char *text)
{
    for (; *text; text++)
        tui_press(x->tui, *text == ' ' ? "space" : (char[2]){*text, '\0'});
}

static inline const char *look(Explorer *x)
{
    buf_clear(&x->text);
    canvas_dump(tui_draw(x->tui), &x->text);
    return buf_str(&x->text);
}

/* Row y of the screen; valid until the next look. */
static inline const char *row(Explorer *x, int y)
{
    char *line = (char *)(uintptr_t)look(x);
    for (; y > 0; y--)
        line = strchr(line, '\n') + 1;
    *strchr(line, '\n') = '\0';
    return line;
}

static inline void assert_shows(Explorer *x, const char *text)
{
    if (!strstr(look(x), text))
        fail_msg("no '%s' on the screen:\n%s", text, buf_str(&x->text));
}

static inline void assert_hides(Explorer *x, const char *text)
{
    if (strstr(look(x), text))
        fail_msg("'%s' is on the screen:\n%s", text, buf_str(&x->text));
}

#endif
