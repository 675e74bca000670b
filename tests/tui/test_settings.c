/* What users set up: keys of their own, init, the remembered theme; leaving; the clock of runs. */
#include "inspector.h"

#include <unistd.h>

#include "base/file.h"
#include "tui/pace.h"

static void file_with(char *path, const char *text)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void refused(const char *line, const char *why)
{
    Buf out = {0};
    Err err = {0};
    assert_false(tui_exec(x.tui, line, &out, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: %s", line, err.text);
    buf_free(&out);
}

static void keys_of_ones_own(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    command("map F5 step 7");
    press(&x, "F5");
    assert_shows(&x, "cycle 7 ");
    command("map s :goto 3"); /* also in place of a key of the table */
    press(&x, "s");
    assert_shows(&x, "cycle 3 ");
    command("map b key b b"); /* its own key means the old one */
    press(&x, "b");
    assert_shows(&x, "cycle 1 ");
    press(&x, "?");
    for (int pages = 0; pages < 20 && !strstr(look(&x), "Keys of your own"); pages++)
        press(&x, "space");
    assert_shows(&x, "F5         step 7");
    press(&x, "Esc");
    command("unmap s");
    press(&x, "s");
    assert_shows(&x, "cycle 2 ");
    Buf list = {0};
    assert_true(tui_exec(x.tui, "map", &list, NULL));
    assert_non_null(strstr(buf_str(&list), "F5       step 7\n"));
    buf_free(&list);
    explorer_close(&x);
}

static void what_cannot_be_mapped(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    refused("map F99 step", "there is no such key");
    refused("map F5", "needs the command");
    refused("map : step", "stays the console");
    refused("map Dwn step", "map Dwn: there is no such key; did you mean Down? F1 lists them");
    refused("map AKeyWhoseNameIsLongerThanAnyKeyIs step",
            "map AKeyWhoseNameIsLongerThanAnyKeyIs: there is no such");
    command("goto 0");
    command("map M-x step 5"); /* not Esc and x */
    press(&x, "M-x");
    assert_int_equal(engine_cycle(session_engine(x.session)), 5);
    refused("unmap F5", "is not mapped");
    refused("unmap", "needs the key");
    explorer_close(&x);
}

/* `@` is what the cursor is on when the key is pressed, not when it is mapped. */
static void a_mapped_key_looks_at_the_cursor_of_its_time(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    command("view vectors");
    command("map F6 get @");
    command("map\tF7\tget @"); /* as a file has it whose columns are aligned */
    for (int k = 6; k <= 7; k++) {
        char key[4];
        snprintf(key, sizeof key, "F%d", k);
        command("find q[5]");
        press(&x, key);
        assert_shows(&x, "q[5]");
        assert_string_equal(x.tui->message, "q[5] 0000 0.0");
        command("find q[0]");
    }
    explorer_close(&x);
}

static void keys_without_altgr(void **state)
{
    static const char *const twins[][2] = {{"[", "("}, {"]", ")"}, {"{", "C-p"}, {"}", "C-n"}};
    (void)state;
    for (int i = 0; views[i]; i++) {
        for (size_t k = 0; k < 4; k++) {
            char shown[2][20000];
            for (int which = 0; which < 2; which++) {
                explorer_open(&x, 24, 80);
                command("step 300");
                press(&x, views[i]->key);
                press(&x, twins[k][1]); /* somewhere in the middle */
                press(&x, twins[k][which]);
                x.tui->message[0] = '\0'; /* names the key where it does nothing */
                snprintf(shown[which], sizeof shown[which], "%s", look(&x));
                explorer_close(&x);
            }
            assert_string_equal(shown[0], shown[1]);
        }
    }
    explorer_open(&x, 24, 80);
    press(&x, "_");
    assert_shows(&x, "2 panes");
    explorer_close(&x);
}

static void init_is_run_and_says_what_it_refuses(void **state)
{
    char path[] = "/tmp/tokstep-init-XXXXXX", want[100];
    Err err = {0};
    (void)state;
    file_with(
        path,
        "# mine\n\n:map F5 step 2\r\n  watch out_emb[0]\nnonsense here\ntheme light\nstep x\n");
    explorer_open(&x, 24, 80);
    assert_true(tui_init(x.tui, path, &err));
    assert_shows(&x, "init: 2 lines were refused, the first is 5; : shows why");
    assert_int_equal(tui_wishes(x.tui)->theme, THEME_LIGHT);
    press(&x, "F5");
    assert_shows(&x, "cycle 2 ");
    assert_shows(&x, "out_emb[0]");
    press(&x, ":");
    snprintf(want, sizeof want, "%s: line 5: ", path);
    assert_shows(&x, want);
    snprintf(want, sizeof want, "%s: line 7: step x", path);
    assert_shows(&x, want);
    explorer_close(&x);
    unlink(path);
    explorer_open(&x, 24, 80);
    assert_false(tui_init(x.tui, path, &err));
    explorer_close(&x);
}

static void a_chosen_theme_is_remembered(void **state)
{
    char dir[] = "/tmp/tokstep-state-XXXXXX", path[100];
    Theme theme = THEME_MONO;
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/tokstep/theme", dir);
    assert_false(tui_remembered_theme(path, &theme));
    explorer_open(&x, 24, 80);
    command("theme dark");
    assert_false(tui_remembered_theme(path, &theme)); /* nobody has asked for it */
    tui_remember_theme(x.tui, path);
    command("theme high-contrast");
    assert_true(tui_remembered_theme(path, &theme));
    assert_int_equal(theme, THEME_HIGH_CONTRAST);
    refused("theme pink", "must be auto, neutral");
    assert_true(tui_remembered_theme(path, &theme));
    explorer_close(&x);
    unlink(path);
    snprintf(path, sizeof path, "%s/tokstep", dir);
    rmdir(path);
    rmdir(dir);
}

static void q_twice_leaves_whatever_gets_lost(void **state)
{
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    command("poke 0 55");
    command("poke 1 55");
    press(&x, "q");
    assert_false(tui_wishes(x.tui)->quit);
    assert_shows(&x, "quit: loses 2 edits; q again leaves");
    press(&x, "Down q"); /* something was done in between */
    assert_false(tui_wishes(x.tui)->quit);
    press(&x, "q");
    assert_true(tui_wishes(x.tui)->quit);
    explorer_close(&x);
    open_file("mixed-64x512.t2 64x512");
    command("poke 0 55");
    press(&x, ":"); /* as a command too */
    type(&x, "quit");
    press(&x, "Enter");
    assert_false(tui_wishes(x.tui)->quit);
    command("unpoke");
    command("poke 1 66"); /* new edits: asked anew */
    type(&x, "quit");
    press(&x, "Enter");
    assert_false(tui_wishes(x.tui)->quit);
    type(&x, "quit");
    press(&x, "Enter");
    assert_true(tui_wishes(x.tui)->quit);
    explorer_close(&x);
}

static void the_screen_is_drawn_anew_from_everywhere(void **state)
{
    static const char *const before[] = {"1", "?", ":", "g", "/"};
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        explorer_open(&x, 24, 80);
        press(&x, before[i]);
        tui_granted(x.tui);
        press(&x, "C-l");
        assert_true(tui_wishes(x.tui)->redraw);
        explorer_close(&x);
    }
}

/* Braille displays and screen readers follow the hardware cursor. */
static void the_hardware_cursor_is_on_the_selection(void **state)
{
    static const char *const moves[] = {"", "Down", "Right", "End", "Up", "Home"};
    (void)state;
    for (int i = 0; views[i]; i++) {
        explorer_open(&x, 24, 80);
        press(&x, views[i]->key);
        for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
            press(&x, moves[k]);
            const Canvas *c = tui_draw(x.tui);
            if (c->cursor_y < 1 || c->cursor_y > 21 || c->cursor_x < 1 || c->cursor_x > 78)
                fail_msg("%s after '%s': %d,%d", views[i]->name, moves[k], c->cursor_y,
                         c->cursor_x);
        }
        explorer_close(&x);
    }
    explorer_open(&x, 24, 80);
    press(&x, "4 Down"); /* a row of which nothing but words is drawn */
    int y = tui_draw(x.tui)->cursor_y, col = x.tui->canvas.cursor_x;
    press(&x, "Down Right");
    assert_int_equal(tui_draw(x.tui)->cursor_y, y + 1);
    assert_true(x.tui->canvas.cursor_x > col);
    press(&x, "?");
    assert_int_equal(tui_draw(x.tui)->cursor_y, 2);
    explorer_close(&x);
}

static long fake_clock(void *context)
{
    return *(long *)context;
}

static void a_run_does_not_make_up_for_a_stop(void **state)
{
    long now = 1000;
    Pace p;
    (void)state;
    pace_begin(&p, fake_clock, &now);
    now += 33;
    assert_int_equal(pace_elapsed(&p), 33);
    assert_int_equal(pace_elapsed(&p), 0);
    now += 90; /* a slow frame */
    assert_int_equal(pace_elapsed(&p), 90);
    now += 3600000; /* an hour in the background */
    assert_int_equal(pace_elapsed(&p), 100);
    now += 20;
    assert_int_equal(pace_elapsed(&p), 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_ones_own),
        cmocka_unit_test(what_cannot_be_mapped),
        cmocka_unit_test(a_mapped_key_looks_at_the_cursor_of_its_time),
        cmocka_unit_test(keys_without_altgr),
        cmocka_unit_test(init_is_run_and_says_what_it_refuses),
        cmocka_unit_test(a_chosen_theme_is_remembered),
        cmocka_unit_test(q_twice_leaves_whatever_gets_lost),
        cmocka_unit_test(the_screen_is_drawn_anew_from_everywhere),
        cmocka_unit_test(the_hardware_cursor_is_on_the_selection),
        cmocka_unit_test(a_run_does_not_make_up_for_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
