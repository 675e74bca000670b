#include "explorer.h"

/* The names of an entry, one by one; -> how many. */
static int split_names(const char *names, char out[8][KEY_NAME_MAX])
{
    int n = 0;
    size_t len = 0;
    while (*names && n < 8) {
        const char *rest = command_word(&names, &len);
        snprintf(out[n++], KEY_NAME_MAX, "%.*s", (int)len, names);
        names = rest;
    }
    return n;
}

/* Does the table take the line? One that ends in a blank waits for an argument that there is. */
static void assert_command(const Explorer *x, const char *line)
{
    Args a;
    Buf whole = {0};
    const char *args = NULL;
    const Command *c = commands_find(&x->tui->commands, line, &args);
    if (!c || (line[strlen(line) - 1] == ' ' && !c->args[0].kind))
        fail_msg("%s", line);
    for (; *args; args++) /* @: an element */
        buf_text(&whole, *args == '@' ? "q[0]" : (char[2]){*args, '\0'});
    bool taken = args_read(&a, &x->tui->commands, c, buf_str(&whole), NULL);
    if (!taken && line[strlen(line) - 1] != ' ')
        fail_msg("%s is refused", line);
    args_free(&a);
    buf_free(&whole);
}

static void every_key_has_a_console_command(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    for (const KeyGroup *g = key_groups; g->title; g++) {
        for (const Key *k = g->keys; k->names; k++) {
            assert_command(&x, k->command);
            if (k->again)
                assert_command(&x, k->again);
            assert_true(strlen(k->help) > 0);
        }
    }
    explorer_close(&x);
}

static void every_name_in_the_table_is_a_key_and_stands_there_once(void **state)
{
    char names[8][KEY_NAME_MAX];
    (void)state;
    for (const KeyGroup *g = key_groups; g->title; g++) {
        for (const Key *k = g->keys; k->names; k++) {
            int n = split_names(k->names, names);
            for (int i = 0; i < n; i++) {
                assert_true(key_is_name(names[i]));
                assert_ptr_equal(key_find(names[i]), k);
            }
        }
    }
}

static void the_keys_of_the_contract_are_there(void **state)
{
    static const char *const keys[] = {
        "?", "F1", "q", ":", "space", "s",     "b", "n", "p",  "t",    "T",    "r",
        "+", "-",  "g", "0", "Tab",   "S-Tab", "z", "|", "Up", "Down", "Left", "Right",
        "h", "j",  "k", "l", "Enter", "w",     "B", "y", "x",  "m"};
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_non_null(key_find(keys[i]));
}

static void no_key_of_a_view_hides_behind_a_letter_of_views(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++) {
        assert_null(key_find(views[i]->key));
        for (const ViewKey *k = views[i]->keys; k && k->key; k++) {
            for (int v = 0; views[v]; v++)
                assert_string_not_equal(k->key, views[v]->key);
        }
    }
}

static void names_of_keys(void **state)
{
    static const char *const good[] = {
        "space", "Tab", "S-Tab",    "Enter",     "Esc",          "BS",
        "Del",   "Ins", "F1",       "F12",       "C-z",          "M-f",
        "a",     "?",   "\xc3\xa9", "Click@0,0", "WheelUp@12,3", "WheelDown@3,79"};
    static const char *const bad[] = {"",
                                      "F0",
                                      "F13",
                                      "F1x",
                                      "C-",
                                      "C-zz",
                                      "Esca",
                                      "ab",
                                      "Click",
                                      "Click@1",
                                      "Click@-1,2",
                                      "Click@1,2x",
                                      "averyveryveryverylongnameofakeyindeed"};
    int y = 0, x = 0;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(key_is_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(key_is_name(bad[i]));
    assert_true(key_mouse("WheelUp@12,3", "WheelUp", &y, &x));
    assert_int_equal(y, 12);
    assert_int_equal(x, 3);
    assert_false(key_mouse("WheelUp@12,3", "Click", &y, &x));
}

/* All of the help as one text, page by page. */
static void read_help(Explorer *x, Buf *all)
{
    press(x, "?");
    for (int page = 0; page < 40; page++) {
        buf_text(all, look(x));
        press(x, "space");
    }
    press(x, "Esc");
}

/* Each command with what it takes, and how its summary begins; of the two `help` the screen's. */
static void assert_commands(const Explorer *x, const char *all)
{
    const Commands *known = &x->tui->commands;
    for (int i = 0; i < known->count; i++) {
        for (const Command *c = known->table[i].rows; c->name; c++) {
            char line[160], takes[ARG_TEXT_MAX];
            snprintf(line, sizeof line, "  %s %s", c->name, command_synopsis(c, takes));
            if (!strstr(all, line))
                fail_msg("no '%s' in:\n%s", line, all);
            snprintf(line, sizeof line, "%.18s", c->summary);
            if (!strstr(all, line) != !commands_mean(known, c))
                fail_msg("'%s' of %s in:\n%s", line, c->name, all);
        }
    }
}

static void help_mentions_every_key_and_every_command(void **state)
{
    static const int sizes[][2] = {{24, 80}, {16, 60}, {60, 200}};
    (void)state;
    for (int size = 0; size < 3; size++) {
        Explorer x;
        Buf all = {0};
        explorer_open(&x, sizes[size][0], sizes[size][1]);
        read_help(&x, &all);
        for (const KeyGroup *g = key_groups; g->title; g++) {
            for (const Key *k = g->keys; k->names; k++) {
                assert_non_null(strstr(buf_str(&all), k->names));
                assert_non_null(strstr(buf_str(&all), k->command));
            }
        }
        assert_commands(&x, buf_str(&all));
        for (int i = 0; views[i]; i++)
            assert_non_null(strstr(buf_str(&all), views[i]->name));
        buf_free(&all);
        explorer_close(&x);
    }
}

static void help_speaks_of_the_view_in_focus(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++) {
        Explorer x;
        Buf all = {0};
        explorer_open(&x, 24, 80);
        press(&x, views[i]->key);
        read_help(&x, &all);
        for (const ViewKey *k = views[i]->keys; k && k->key; k++)
            assert_non_null(strstr(buf_str(&all), k->key));
        char words[24];
        snprintf(words, sizeof words, "%.20s", views[i]->about);
        assert_non_null(strstr(buf_str(&all), words));
        buf_free(&all);
        explorer_close(&x);
    }
}

/* Is it one of the keys that help lists for this view? */
static bool is_listed(const View *v, const char *key)
{
    for (const ViewKey *k = v->keys; k && k->key; k++) {
        if (key_matches(k->key, key))
            return true;
    }
    return false;
}

static bool opens_a_view(const char *key)
{
    for (int i = 0; views[i]; i++) {
        if (strcmp(views[i]->key, key) == 0)
            return true;
    }
    return false;
}

/* Does this key do anything in the view? */
static bool works(Explorer *x, const View *v, const char *key)
{
    press(x, "Esc Esc");
    press(x, v->key);
    press(x, key);
    bool nothing = strstr(x->tui->message, "does nothing here") != NULL;
    press(x, "Esc Esc");
    return !nothing;
}

/* Help and the views agree, both ways: a key that works is listed, a listed key works. */
static void help_lists_the_keys_that_work(void **state)
{
    static const char *const named[] = {"Home", "End", "PgUp", "PgDn", "BS", "Del", "F2"};
    enum { PRINTED = '~' - '!' + 1, NAMED = sizeof named / sizeof *named };
    (void)state;
    for (int i = 0; views[i]; i++) {
        Explorer x;
        explorer_open(&x, 24, 80);
        tui_do(x.tui, "open assets/words.w2.t2"); /* the t2 view needs a file */
        tui_do(x.tui, "open model");              /* and the model view a model */
        for (int n = 0; n < PRINTED + NAMED; n++) {
            char key[KEY_NAME_MAX] = {(char)('!' + n)};
            if (n >= PRINTED)
                snprintf(key, sizeof key, "%s", named[n - PRINTED]);
            if (key_find(key) || opens_a_view(key))
                continue;
            bool listed = is_listed(views[i], key);
            if (views[i] == &view_lesson && listed) /* most need a lesson */
                continue;
            if (works(&x, views[i], key) != listed)
                fail_msg("%s: key %s is %s (%s)", views[i]->name, key,
                         listed ? "listed, but does nothing" : "not listed, but does something",
                         x.tui->message);
        }
        explorer_close(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_a_console_command),
        cmocka_unit_test(every_name_in_the_table_is_a_key_and_stands_there_once),
        cmocka_unit_test(the_keys_of_the_contract_are_there),
        cmocka_unit_test(no_key_of_a_view_hides_behind_a_letter_of_views),
        cmocka_unit_test(names_of_keys),
        cmocka_unit_test(help_mentions_every_key_and_every_command),
        cmocka_unit_test(help_speaks_of_the_view_in_focus),
        cmocka_unit_test(help_lists_the_keys_that_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
