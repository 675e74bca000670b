/* One meaning a key: what a view's table says of a key is what the key means in every other view.
 * The exception is cli.md's. That the tables tell the truth is test_keys.c's matter. */
#include "explorer.h"
#include "tui/view/formats/formats.h"
#include "tui/screen/theme.h"

/* cli.md: "In formats `f` flips the bit under the cursor". */
static bool is_exception(const View *v, const char *key)
{
    return v == &view_formats && strcmp(key, "f") == 0;
}

/* The n-th blank-separated name, or NULL. */
static const char *name_at(const char *names, int n, char out[KEY_NAME_MAX])
{
    const char *p = names;
    while (n-- > 0 && *p)
        p += strcspn(p, " "), p += strspn(p, " ");
    snprintf(out, KEY_NAME_MAX, "%.*s", (int)strcspn(p, " "), p);
    return *p ? out : NULL;
}

static int owners(const char *key)
{
    int n = 0;
    for (int i = 0; views[i]; i++) {
        for (const ViewKey *k = views[i]->keys; k && k->key; k++)
            n += key_matches(k->key, key);
    }
    return n;
}

static void check_name(const View *v, const ViewKey *k, const char *key)
{
    if (is_exception(v, key))
        return;
    for (int sense = 0; sense < SENSE_COUNT; sense++) {
        bool means = key_matches(key_meanings[sense].keys, key);
        if (means != (sense == (int)k->sense))
            fail_msg("%s: %s (%s) is not what the key means elsewhere: %s", v->name, key, k->help,
                     key_meanings[sense].meaning);
    }
    if (k->sense == SENSE_OWN && (owners(key) != 1 || key_find(key)))
        fail_msg("%s: %s (%s) is taken elsewhere", v->name, key, k->help);
}

static void every_key_of_a_view_means_what_it_means_elsewhere(void **state)
{
    (void)state;
    char key[KEY_NAME_MAX];
    for (int i = 0; views[i]; i++) {
        for (const ViewKey *k = views[i]->keys; k && k->key; k++) {
            for (int n = 0; name_at(k->key, n, key); n++)
                check_name(views[i], k, key);
        }
    }
}

/* What a row says is what it does: each has exactly one thing that it does, or moves the cursor. */
static void every_row_of_a_table_does_something(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++) {
        for (const ViewKey *k = views[i]->keys; k->key; k++) {
            int does = (k->act != NULL) + (k->command != NULL) + (k->flips != 0);
            if (does != 1 && (k->sense != SENSE_MOVE || does > 0 || !views[i]->move))
                fail_msg("%s: %s does %d things", views[i]->name, k->key, does);
            if (k->flips)
                assert_in_range(k->flips, sizeof(ViewState), views[i]->state_size - sizeof(int));
            assert_true(k->help || !k->word);
        }
    }
}

/* Where two keys of a pair are listed, they undo one another. */
static void the_brackets_go_there_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"vectors", "softmax", "kv",     "timeline", "systolic",
                                        "formats", "t2",      "cycles", "rtl"};
    Explorer x;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[40];
        explorer_open(&x, 24, 80);
        snprintf(line, sizeof line, "view %s", names[i]);
        tui_do(x.tui, "open " GOLDEN "t2/reserved-64x512.t2 64x512");
        tui_do(x.tui, "state +2");
        tui_do(x.tui, line);
        press(&x, "]");
        char *once = strdup(look(&x));
        press(&x, "]");
        if (strcmp(look(&x), once) == 0)
            fail_msg("] does nothing in %s", names[i]);
        press(&x, "[");
        assert_string_equal(look(&x), once);
        press(&x, ") (");
        assert_string_equal(look(&x), once);
        free(once);
        explorer_close(&x);
    }
}

static void f_goes_on_and_c_follows_in_every_view(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++) {
        Explorer x;
        if (views[i] == &view_formats)
            continue;
        explorer_open(&x, 24, 80);
        press(&x, views[i]->key);
        uint64_t before = engine_cycle(session_engine(x.session));
        press(&x, "f");
        tui_settle(x.tui);
        if (engine_cycle(session_engine(x.session)) <= before)
            fail_msg("f does not go on in %s", views[i]->name);
        x.tui->states[i]->pinned = true;
        press(&x, "c");
        bool follows = views[i] != &view_lesson && views[i] != &view_decoder &&
                       strcmp(views[i]->name, "t2") != 0; /* no file is open */
        assert_false(follows && x.tui->states[i]->pinned);
        assert_hides(&x, "does nothing here");
        explorer_close(&x);
    }
}

/* The lesson's pane has nothing that follows: those beside it do. */
static void c_in_the_lesson_is_for_the_views_beside_it(void **state)
{
    (void)state;
    Explorer x;
    explorer_open(&x, 60, 200);
    look(&x);
    press(&x, "2 [");
    Err err = {0};
    int vectors = view_find("vectors", &err);
    assert_true(x.tui->states[vectors]->pinned);
    press(&x, "1 Tab Tab L"); /* in place of another */
    assert_ptr_equal(tui_view(x.tui), &view_lesson);
    press(&x, "c");
    assert_false(x.tui->states[vectors]->pinned);
    explorer_close(&x);
}

/* The first three words of the table, as the pane's lower side has them. */
static void three_words(const View *v, char *out, size_t size)
{
    int n = 0, used = 0;
    for (const ViewKey *k = v->keys; k && k->key && n < 3; k++) {
        if (k->word)
            used += snprintf(out + used, size - (size_t)used, " %s %s ", k->key, k->word), n++;
    }
    if (n < 3)
        fail_msg("%s tells %d keys only", v->name, n);
}

static void every_view_tells_three_keys_and_has_the_same_frame(void **state)
{
    (void)state;
    static const int sizes[][2] = {{24, 80}, {16, 60}, {30, 100}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (int i = 0; views[i]; i++) {
            char words[128], where[160];
            Explorer x;
            explorer_open(&x, sizes[size][0], sizes[size][1]);
            tui_do(x.tui, "open " GOLDEN "t2/reserved-64x512.t2 64x512");
            tui_do(x.tui, "open model");
            press(&x, views[i]->key);
            three_words(views[i], words, sizeof words);
            snprintf(where, sizeof where, "\n╰%s", words);
            assert_shows(&x, where);
            assert_shows(&x, "\n╭►");
            const Canvas *c = tui_draw(x.tui);
            int right = c->cols - 1, bottom = c->rows - 3;
            const int corners[][2] = {{1, 0}, {1, right}, {bottom, 0}, {bottom, right}, {1, 1}};
            for (int k = 0; k < 5; k++)
                assert_int_equal(c->cells[corners[k][0] * c->cols + corners[k][1]].role,
                                 ROLE_ACTIVE);
            assert_int_equal(c->cells[c->cols + 2].role, ROLE_TITLE);
            explorer_close(&x);
        }
    }
    /* without colour the lines of the focus are bold and those of the others are not */
    assert_true(theme_style(THEME_MONO, ROLE_ACTIVE).attrs & ATTR_BOLD);
    assert_false(theme_style(THEME_MONO, ROLE_FRAME).attrs & ATTR_BOLD);
}

/* The frame follows the keys: into the console, and away from the panes while it has them. */
static void one_frame_has_the_focus(void **state)
{
    (void)state;
    static const char *const keys[] = {"2", "2 |", ":", "?", "2 | Tab :"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        Explorer x;
        int marks = 0;
        explorer_open(&x, 40, 80);
        press(&x, keys[i]);
        for (const char *p = look(&x); (p = strstr(p, "╭►")) != NULL; p++)
            marks++;
        if (marks != 1)
            fail_msg("%d frames have the focus after %s:\n%s", marks, keys[i], buf_str(&x.text));
        explorer_close(&x);
    }
}

/* Where there is nothing that the table's keys could move, other keys are told; in ASCII too. */
static void panes_tell_the_keys_that_work(void **state)
{
    (void)state;
    Explorer x;
    explorer_open(&x, 24, 80);
    tui_do(x.tui, "preset deck");
    press(&x, "8");
    assert_shows(&x, "╰ Enter opens a file ─");
    press(&x, "M");
    assert_shows(&x, "╰ Enter opens the built-in model ─");
    press(&x, "Enter");
    assert_shows(&x, "╰ e type a word  [ ] token ");
    assert_non_null(session_model(x.session));
    assert_ptr_equal(tui_view(x.tui), &view_model);
    tui_resize(x.tui, 24, 80, false);
    assert_shows(&x, "\n+ e type a word  [ ] token  c follow --");
    press(&x, ":"); /* its keys go elsewhere now */
    const Canvas *c = tui_draw(x.tui);
    assert_int_equal(c->cells[1 * 80].role, ROLE_FRAME);
    press(&x, "Esc");
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_a_view_means_what_it_means_elsewhere),
        cmocka_unit_test(every_row_of_a_table_does_something),
        cmocka_unit_test(the_brackets_go_there_and_back),
        cmocka_unit_test(f_goes_on_and_c_follows_in_every_view),
        cmocka_unit_test(c_in_the_lesson_is_for_the_views_beside_it),
        cmocka_unit_test(every_view_tells_three_keys_and_has_the_same_frame),
        cmocka_unit_test(one_frame_has_the_focus),
        cmocka_unit_test(panes_tell_the_keys_that_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
