/* The commands of the explorer: their rows and the session's make one table, which the parser,
 * help and the effects are true to. */
#include "inspector.h"

#include <unistd.h>

static char state_dir[] = "/tmp/tokstep-test-XXXXXX";

static int own_progress(void **state)
{
    (void)state;
    return mkdtemp(state_dir) ? setenv("XDG_STATE_HOME", state_dir, 1) : -1;
}

static int remove_progress(void **state)
{
    char line[100];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", state_dir);
    return system(line);
}

static const Command *next_command(const Command *c)
{
    const Commands *all = &x.tui->commands;
    if (c && (c + 1)->name)
        return c + 1;
    for (int i = 0; i < all->count; i++) {
        if (!c)
            return all->table[i].rows;
        if (commands_room(all, c) == all->table[i].room)
            return i + 1 < all->count ? all->table[i + 1].rows : NULL;
    }
    return NULL;
}

/* How many commands have the effect. */
static int flagged(unsigned effect)
{
    int n = 0;
    for (const Command *c = next_command(NULL); c; c = next_command(c))
        n += command_has(c, effect);
    return n;
}

static const char *view_name(void)
{
    return tui_view(x.tui)->name;
}

static bool refused_with(const char *line, const char *why)
{
    Buf out = {0};
    Err err = {0};
    bool ok = tui_exec(x.tui, line, &out, &err);
    tui_settle(x.tui);
    buf_free(&out);
    return !ok && strstr(err.text, why);
}

/* ---- arguments ---- */

static void every_row_is_well_formed(void **state)
{
    int count = 0;
    (void)state;
    explorer_open(&x, 24, 80);
    for (const Command *c = next_command(NULL); c; c = next_command(c), count++) {
        bool optional = false;
        for (const Arg *arg = c->args; arg->kind; arg++) {
            if (arg->kind == ARG_WORD ? !arg->words || arg->name : !arg->name)
                fail_msg("%s: a name, or words", c->name);
            if ((optional && !arg->optional) || (arg->optional && arg->needs))
                fail_msg("%s: what may be left out", c->name);
            optional = arg->optional;
        }
        assert_non_null(c->run);
        assert_true(strlen(c->summary) > 0);
    }
    assert_true(count > 60);
    explorer_close(&x);
}

/* Of an argument that is one of a few words each is taken, and the refusal of others names them. */
static void words_are_taken_and_named(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char word[ARG_TEXT_MAX], text[ARG_TEXT_MAX];
        Args a;
        Err err = {0};
        if (c->args[0].kind != ARG_WORD)
            continue;
        assert_false(args_read(&a, &x.tui->commands, c, "nosuch", &err));
        args_free(&a);
        snprintf(text, sizeof text, "%s nosuch: must be ", c->name);
        assert_non_null(strstr(err.text, text));
        for (int i = 0; arg_word(&c->args[0], i, word); i++) {
            assert_true(args_read(&a, &x.tui->commands, c, word, NULL));
            assert_int_equal(a.value[0].word, i);
            args_free(&a);
            if (!strstr(command_synopsis(c, text), word) ||
                (!c->args[0].must_be && !strstr(err.text, word)))
                fail_msg("%s %s: %s", c->name, word, err.text);
        }
    }
    explorer_close(&x);
}

/* What takes a signal refuses all else, and what takes an element a whole vector too. */
static void signals_are_known_before_a_command_runs(void **state)
{
    int count = 0;
    (void)state;
    explorer_open(&x, 24, 80);
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char line[80];
        bool takes_value = c->args[1].kind == ARG_VALUE;
        if (c->args[0].kind < ARG_SIGNAL || c->args[0].kind > ARG_SPAN)
            continue;
        snprintf(line, sizeof line, "%s nosuch.at[1]%s", c->name, takes_value ? " 1" : "");
        if (!refused_with(line, "nosuch"))
            fail_msg("%s", line);
        snprintf(line, sizeof line, "%s ln1_out%s", c->name, takes_value ? " 1" : "");
        if (refused_with(line, "needs the index") != (c->args[0].kind == ARG_ELEMENT))
            fail_msg("%s", line);
        count++;
    }
    assert_true(count >= 12);
    explorer_close(&x);
}

static void help_is_one_over_both_tables(void **state)
{
    Buf out = {0};
    Err err = {0};
    (void)state;
    explorer_open(&x, 24, 80);
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char line[80], text[ARG_TEXT_MAX];
        if (!commands_mean(&x.tui->commands, c))
            continue;
        snprintf(line, sizeof line, "help %s", c->name);
        buf_clear(&out);
        assert_true(tui_exec(x.tui, line, &out, &err));
        snprintf(line, sizeof line, "%s %-*s %.30s", c->name, 24 - (int)strlen(c->name),
                 command_synopsis(c, text), c->summary);
        if (strncmp(buf_str(&out), line, strlen(line)) != 0)
            fail_msg("'%s', not '%s'", buf_str(&out), line);
    }
    buf_free(&out);
    assert_true(refused_with("help zom", "did you mean zoom? "));
    command("help");
    assert_int_equal(x.tui->mode, MODE_HELP);
    explorer_close(&x);
}

/* ---- effects ---- */

static const struct {
    const char *name, *line, *view; /* NULL: the focus stays */
} shows[] = {
    {"view", "view kv", "kv"},
    {"show", "show softmax.exp[3]", "vectors"},
    {"fmt", "fmt 0.5898", "formats"},
    {"systolic", "systolic 1 2 x 3; 4", "systolic"},
    {"open", "open " T2_GOLDEN "mixed-64x512.t2 64x512", "t2"},
    {"tensor", "tensor mixed", "t2"},
    {"tile", "tile 0,1", "t2"},
    {"seek", "seek 1,2", "t2"},
    {NULL, "find softmax.exp[3]", NULL},
    {NULL, "highlight softmax.exp[3]", NULL},
    {NULL, "watch q[0]", NULL},
    {NULL, "copy q[0]", NULL},
    {NULL, "numbers value", NULL},
    {NULL, "step 3", NULL},
    {NULL, "preset minus8", NULL},
};

static void what_shows_a_view_brings_it_into_focus(void **state)
{
    int driven = 0;
    (void)state;
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
        open_file("mixed-64x512.t2 64x512");
        command("view timeline");
        const Command *c = commands_find(&x.tui->commands, shows[i].line, NULL);
        assert_true(command_has(c, SHOWS_VIEW) == (shows[i].name != NULL));
        driven += command_has(c, SHOWS_VIEW);
        command(shows[i].line);
        assert_string_equal(view_name(), shows[i].view ? shows[i].view : "timeline");
        explorer_close(&x);
    }
    explorer_open(&x, 24, 80);
    assert_int_equal(driven, flagged(SHOWS_VIEW)); /* one more has its line above */
    explorer_close(&x);
}

static void what_names_a_view_takes_each_of_them(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    assert_int_equal(flagged(NAMES_VIEW), 1);
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        for (int i = 0; command_has(c, NAMES_VIEW) && views[i]; i++) {
            char line[80];
            snprintf(line, sizeof line, "%s %s", c->name, views[i]->name);
            command(line);
            assert_string_equal(view_name(), views[i]->name);
            assert_true(command_has(c, SHOWS_VIEW));
        }
    }
    explorer_close(&x);
}

static void what_aims_moves_a_cursor_and_not_the_focus(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    assert_int_equal(flagged(AIMS), 1);
    command("view timeline");
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char line[80];
        if (!command_has(c, AIMS))
            continue;
        snprintf(line, sizeof line, "%s softmax.exp[3]", c->name);
        command(line);
        assert_string_equal(view_name(), "timeline");
        command("view vectors"); /* the first that shows it */
        Target t = tui_target(x.tui);
        assert_ptr_equal(t.signal, signal_at(SIG_SMAX_EXP));
        assert_int_equal(t.at, 3);
    }
    explorer_close(&x);
}

/* A page whose bet is open holds the machine, whoever wants to move it; the rest goes on. */
static void a_lesson_holds_what_moves(void **state)
{
    static const char *const lines[] = {"step", "back", "state +1",       "token +1", "goto 7",
                                        "run",  "rev",  "lastwrite q[0]", "phase",    "play"};
    char line[140], path[100];
    int moves = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/bet.lua", state_dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("return lesson { id = 'bet', title = 'B', minutes = 1, page { commit = true,\n"
          "  ask { number = 'How many?', answer = 4 } } }\n",
          f);
    fclose(f);
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "lesson %s", path);
    command(line);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!refused_with(lines[i], "first your bet"))
            fail_msg("%s", lines[i]);
        moves += command_has(commands_find(&x.tui->commands, lines[i], NULL), MOVES);
    }
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    assert_int_equal(moves, flagged(MOVES));
    command("get q[0]");
    command("watch q[0]");
    explorer_close(&x);
}

/* The machine began again: whoever typed it is told, with the number of edits that went. */
static void what_restarts_says_so(void **state)
{
    static const char *const lines[] = {"preset minus8", "config mask_mode=exclude", "text cat"};
    int n = (int)(sizeof lines / sizeof *lines);
    (void)state;
    explorer_open(&x, 24, 80);
    command("open assets/words-repaired.safetensors");
    for (int i = 0; i < n; i++) {
        Buf out = {0};
        command("step 9");
        command("set ln1.mean 3");
        assert_true(tui_exec(x.tui, lines[i], &out, NULL));
        assert_non_null(
            strstr(buf_str(&out), "the machine began again at cycle 0; 1 edit is gone"));
        assert_int_equal(engine_cycle(session_engine(x.session)), 0);
        buf_clear(&out);
        assert_true(tui_exec(x.tui, i == 1 ? "config" : "text", &out, NULL)); /* they only tell */
        assert_null(strstr(buf_str(&out), "began again"));
        buf_free(&out);
    }
    assert_int_equal(n, flagged(RESTARTS));
    explorer_close(&x);
}

static void what_saves_writes_the_file_that_is_named(void **state)
{
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char line[140], path[100];
        snprintf(path, sizeof path, "%s/%s", state_dir, c->name);
        snprintf(line, sizeof line, "%s %s", c->name, path);
        if (command_has(c, SAVES)) {
            command(line);
            if (access(path, F_OK) != 0)
                fail_msg("%s: no file", line);
        }
    }
    assert_int_equal(flagged(SAVES), 4);
    explorer_close(&x);
}

static void an_answer_is_not_remembered(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    assert_int_equal(flagged(ANSWERS), 1);
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        char line[80];
        if (!command_has(c, ANSWERS))
            continue;
        press(&x, ":");
        type(&x, "get start");
        press(&x, "Enter");
        snprintf(line, sizeof line, "%s 4", c->name);
        type(&x, line);
        press(&x, "Enter Up");
        assert_string_equal(row(&x, 20), "│ : get start"
                                         "                                        "
                                         "                          │");
        press(&x, "Esc");
    }
    explorer_close(&x);
}

/* Refused once for the sake of edits; the second time running it leaves, a command between them
 * forgets the first. */
static void only_what_quits_quits(void **state)
{
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    assert_int_equal(flagged(QUITS), 1);
    command("poke 0 55");
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        if (!command_has(c, QUITS))
            continue;
        assert_true(refused_with(c->name, "loses 1 edit"));
        command("get start");
        assert_true(refused_with(c->name, "loses 1 edit"));
        assert_false(tui_wishes(x.tui)->quit);
        command(c->name);
        assert_true(tui_wishes(x.tui)->quit);
    }
    explorer_close(&x);
}

/* `@` in a line that is for later is not what the cursor is on now. */
static void a_line_for_later_keeps_its_at(void **state)
{
    Buf out = {0};
    (void)state;
    explorer_open(&x, 24, 80);
    assert_int_equal(flagged(FOR_LATER), 1);
    command("view softmax");
    for (const Command *c = next_command(NULL); c; c = next_command(c)) {
        if (command_has(c, FOR_LATER)) {
            char line[80];
            snprintf(line, sizeof line, "%s W watch @", c->name);
            command(line);
        }
    }
    assert_true(tui_exec(x.tui, "map", &out, NULL));
    assert_non_null(strstr(buf_str(&out), "watch @"));
    buf_free(&out);
    explorer_close(&x);
}

static void what_watches_is_said_to_who_pressed_a_key(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    command("view softmax");
    command("cursor softmax.exp[2]");
    press(&x, "w");
    assert_shows(&x, "watching softmax.exp[2] (console: watch lists)");
    press(&x, "w");
    assert_shows(&x, "no longer watching softmax.exp[2]");
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_well_formed),
        cmocka_unit_test(words_are_taken_and_named),
        cmocka_unit_test(signals_are_known_before_a_command_runs),
        cmocka_unit_test(help_is_one_over_both_tables),
        cmocka_unit_test(what_shows_a_view_brings_it_into_focus),
        cmocka_unit_test(what_names_a_view_takes_each_of_them),
        cmocka_unit_test(what_aims_moves_a_cursor_and_not_the_focus),
        cmocka_unit_test(a_lesson_holds_what_moves),
        cmocka_unit_test(what_restarts_says_so),
        cmocka_unit_test(what_saves_writes_the_file_that_is_named),
        cmocka_unit_test(an_answer_is_not_remembered),
        cmocka_unit_test(only_what_quits_quits),
        cmocka_unit_test(a_line_for_later_keeps_its_at),
        cmocka_unit_test(what_watches_is_said_to_who_pressed_a_key),
    };
    return cmocka_run_group_tests(tests, own_progress, remove_progress);
}
