/* The session's command table tells the truth: its arguments are what the parser takes and help
 * writes, its effects are what happens. Everything is driven from the table, so a new command is
 * tested by its row. */
#include "test.h"

#include <unistd.h>

#include "session/command.h"

#define WORDS_MODEL "assets/words-repaired.safetensors"
#define WRITTEN     "build/test_command.vcd"

enum { NOW = 400 };

static const char held[] = "held for a test";

/* What one may type for an argument, and what one may not (NULL: the command itself judges). */
static const struct {
    ArgKind kind;
    const char *good, *bad;
} samples[] = {
    {ARG_COUNT, "1", "x"},
    {ARG_COUNT, "1", "-1"},
    {ARG_CYCLE, "7", "7 8"},
    {ARG_CYCLE, "7", "1.5"},
    {ARG_MOVE, "+1", "up"},
    {ARG_MOVE, "-1", "+1000001"},
    {ARG_SIGNAL, "ln1_out", "nosuch"},
    {ARG_SIGNAL, "ln1_out[3]", "ln1_out[999]"},
    {ARG_ELEMENT, "ln1_out[0]", "ln1_out"},
    {ARG_ELEMENT, "ln1.mean", "nosuch[0]"},
    {ARG_SPAN, "ln1_out[1..2]", "ln1_out[2..1]"},
    {ARG_SPAN, "K[0]", "K[999]"},
    {ARG_VALUE, "0x0005", "zz"},
    {ARG_EXPR, "top.state changes", NULL},
    {ARG_FILE, WRITTEN, NULL},
    {ARG_PARAMETER, "mask_mode=exclude", NULL},
    {ARG_COMMAND, "step", NULL},
    {ARG_TEXT, "cat", NULL},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static Session *s;
static Commands all;
static int watched; /* before the last command that was driven */

static uint64_t cycle(void)
{
    return engine_cycle(session_engine(s));
}

static int edits(void)
{
    int n = 0;
    session_edits(s, &n);
    return n;
}

static int watches(void)
{
    int n = 0;
    session_watches(s, &n);
    return n;
}

/* A machine with letters, in the middle of a token; two edits, a watch, a breakpoint. */
static void begin(void)
{
    static const char *const lines[] = {"step 400", "set ln2.mean 3", "set ln2.var 4",
                                        "watch ln1_out", "break top.state == DONE"};
    Setup setup;
    Err err = {0};
    setup_init(&setup);
    assert_true(setup_check(&setup, &err));
    s = session_new(&setup);
    assert_true(session_open_model(s, WORDS_MODEL, &err));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Buf out = {0};
        if (!session_exec(s, lines[i], &out, &err))
            fail_msg("%s: %s", lines[i], err.text);
        buf_free(&out);
    }
    commands_begin(&all, s);
    assert_int_equal(cycle(), NOW);
    assert_int_equal(edits(), 2);
    unlink(WRITTEN);
}

static void end(void)
{
    session_free(s);
    unlink(WRITTEN);
}

static void keep_first(void *context, const char *word)
{
    char *first = context;
    if (!*first)
        snprintf(first, ARG_TEXT_MAX, "%s", word);
}

static void add_sample(const Arg *arg, const char *text, Buf *line)
{
    char first[ARG_TEXT_MAX] = "";
    if (arg->kind == ARG_WORD)
        assert_true(arg_word(arg, 0, first));
    else if (arg->offer)
        arg->offer(keep_first, first);
    buf_printf(line, " %s", *first ? first : text);
}

static const char *good_of(ArgKind kind)
{
    for (int i = 0; i < SAMPLES; i++) {
        if (samples[i].kind == kind)
            return samples[i].good;
    }
    return NULL;
}

/* Arguments that the command takes, all of them; `odd` (unless NULL) in the place of one. */
static void arguments(const Command *c, const Arg *instead, const char *odd, Buf *line)
{
    for (const Arg *arg = c->args; arg->kind; arg++) {
        const char *good = good_of(arg->kind);
        if (!good && arg->kind != ARG_WORD)
            fail_msg("%s: no sample of %s", c->name, arg->name);
        if (arg == instead)
            buf_printf(line, " %s", odd);
        else
            add_sample(arg, good, line);
    }
}

/* Run it so, to the end of what it begins. */
static bool drive(const Command *c, bool with_arguments, Err *err)
{
    Buf line = {0}, out = {0};
    if (with_arguments)
        arguments(c, NULL, NULL, &line);
    if (command_has(c, WATCHES)) /* it is watched already */
        assert_true(session_unwatch(s, good_of(ARG_SIGNAL), err));
    watched = watches();
    bool ok = command_run(&all, c, buf_str(&line), &out, err);
    while (session_advance(s, 1 << 16) == RUN_ON) {
    }
    buf_free(&line);
    buf_free(&out);
    return ok;
}

/* ---- arguments ---- */

static void synopses_are_made_from_the_arguments(void **state)
{
    static const char *const want[][2] = {{"step", "[N]"},
                                          {"state", "+N|-N"},
                                          {"goto", "C"},
                                          {"run", "[until EXPR]"},
                                          {"break", "[EXPR]"},
                                          {"lastwrite", "NAME[i]"},
                                          {"why", "[NAME[i]]"},
                                          {"set", "NAME VALUE"},
                                          {"vcd", "FILE [FROM TO]"},
                                          {"undo", ""},
                                          {"config", "[KEY=VALUE...]"}};
    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[ARG_TEXT_MAX];
        const Command *c = command_find(session_commands, want[i][0], strlen(want[i][0]));
        assert_non_null(c);
        assert_string_equal(command_synopsis(c, text), want[i][1]);
    }
}

/* The words before the name, those behind it; what ends in "..." has more. */
static void words_stand_in_the_synopsis_and_are_taken(void **state)
{
    static const Command odd = {
        "odd",
        {{ARG_SIGNAL, .name = "NAME[i]", .words = "up|down", .must_be = "up, down or an element"},
         {ARG_WORD, .words = "on|off|auto", .optional = true},
         {ARG_TEXT, .name = "AxB", .or_words = "token|...", .optional = true}},
        "",
        0,
        NULL};
    static const char *const bad[][2] = {{"left", "odd left: must be up, down or an element"},
                                         {"up maybe", "odd: (null) maybe: must be on, off or auto"},
                                         {"ln1_out[999]", "index"}};
    char text[ARG_TEXT_MAX], word[ARG_TEXT_MAX];
    Args a;
    Err err = {0};
    (void)state;
    begin();
    assert_string_equal(command_synopsis(&odd, text),
                        "up|down|NAME[i] [on|off|auto AxB|token|...]");
    assert_true(args_read(&a, &all, &odd, " down  auto 1 2 x 3 4 ", &err));
    assert_string_equal(a.text, "down  auto 1 2 x 3 4");
    assert_int_equal(a.value[0].word, 1);
    assert_int_equal(a.value[1].word, 2);
    assert_int_equal(a.value[2].word, -1);
    assert_string_equal(a.value[2].text, "1 2 x 3 4");
    args_free(&a);
    assert_true(args_read(&a, &all, &odd, "ln1_out[3]\toff\ttoken", &err));
    assert_int_equal(a.value[0].word, -1);
    assert_ptr_equal(a.value[0].signal, signal_at(SIG_LN1_OUT));
    assert_int_equal(a.value[0].at, 3);
    assert_int_equal(a.value[1].word, 1);
    assert_int_equal(a.value[2].word, 0);
    args_free(&a);
    assert_true(arg_word(&odd.args[2], 0, word));
    assert_false(arg_word(&odd.args[2], 1, word)); /* "..." is no word */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(args_read(&a, &all, &odd, bad[i][0], &err));
        args_free(&a);
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], err.text);
    }
    end();
}

static void assert_shape(const Command *c)
{
    bool optional = false;
    for (const Arg *arg = c->args; arg->kind; arg++) {
        if (arg->kind == ARG_WORD ? !arg->words || arg->name : !arg->name)
            fail_msg("%s: a name, or words", c->name);
        if (arg->optional && arg->needs)
            fail_msg("%s: needs what is optional", c->name);
        if (optional && !arg->optional)
            fail_msg("%s: something optional is not the last", c->name);
        if (arg->kind == ARG_VALUE && (arg == c->args || arg[-1].kind != ARG_ELEMENT))
            fail_msg("%s: a value of no element", c->name);
        optional = arg->optional;
    }
    assert_false(c->args[ARGS_MAX].kind);
}

/* What the synopsis has in brackets may be left out, the rest not (a move is then one step). */
static void assert_alone(const Command *c)
{
    Args a;
    char text[ARG_TEXT_MAX];
    const Arg *first = c->args;
    bool typed = first->kind < ARG_EXPR; /* other kinds are judged by the command */
    bool may = !first->kind || *command_synopsis(c, text) == '[' || first->kind == ARG_MOVE;
    bool ok = args_read(&a, &all, c, "", NULL);
    args_free(&a);
    if (may ? !ok : ok && (typed || first->needs))
        fail_msg("%s: alone it is %s", c->name, ok ? "taken" : "refused");
}

static void assert_takes(const Command *c)
{
    Args a;
    Buf line = {0};
    Err err = {0};
    arguments(c, NULL, NULL, &line);
    if (!args_read(&a, &all, c, buf_str(&line), &err))
        fail_msg("%s%s: %s", c->name, buf_str(&line), err.text);
    args_free(&a);
    buf_free(&line);
    for (const Arg *arg = c->args; arg->kind; arg++) {
        for (int i = 0; i < SAMPLES; i++) {
            if (samples[i].kind != arg->kind || !samples[i].bad)
                continue;
            arguments(c, arg, samples[i].bad, &line);
            if (args_read(&a, &all, c, buf_str(&line), &err))
                fail_msg("%s%s is taken", c->name, buf_str(&line));
            args_free(&a);
            buf_clear(&line);
        }
    }
    buf_free(&line);
}

static void every_command_takes_what_its_synopsis_says(void **state)
{
    (void)state;
    begin();
    for (const Command *c = session_commands; c->name; c++) {
        assert_shape(c);
        assert_alone(c);
        assert_takes(c);
    }
    end();
}

static void what_may_be_left_out_is_not_needed(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        Err err = {0};
        begin();
        if ((!c->args[0].kind || c->args[0].optional) && !drive(c, false, &err))
            fail_msg("%s: %s", c->name, err.text);
        end();
    }
}

static void a_refusal_says_what_is_missing(void **state)
{
    static const char *const bad[][2] = {{"goto", "goto: needs a cycle"},
                                         {"set ln1.mean", "set: needs NAME and VALUE"},
                                         {"set", "set: needs NAME and VALUE"},
                                         {"vcd", "vcd: needs the name of a file"},
                                         {"vcd x 1 b", "vcd: to b: must be a whole number"},
                                         {"vcd x 1", "vcd: needs FROM and TO, or neither"},
                                         {"hash 1", "hash 1: hash stands alone"},
                                         {"why ln1_out", "why ln1_out: needs the index"}};
    (void)state;
    begin();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err err = {0};
        assert_false(session_exec(s, bad[i][0], NULL, &err));
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], err.text);
    }
    end();
}

/* ---- effects ---- */

static bool takes_none(const Command *c)
{
    return !c->args[0].kind;
}

/* Edits are gone if and only if the machine began again, and then it stands at cycle 0. */
static void what_restarts_begins_again_and_nothing_else_does(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        Err err = {0};
        begin();
        if (!drive(c, true, &err))
            fail_msg("%s: %s", c->name, err.text);
        if ((edits() == 0) != command_has(c, RESTARTS))
            fail_msg("%s: %d edits", c->name, edits());
        if (command_has(c, RESTARTS)) {
            assert_int_equal(cycle(), 0);
            assert_false(takes_none(c));
            end();
            begin();
            if (c->args[0].optional) { /* alone it tells only */
                assert_true(drive(c, false, &err));
                assert_int_equal(cycle(), NOW);
            }
        }
        end();
    }
}

static void what_moves_is_refused_while_the_machine_is_held(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        Err err = {0};
        bool moves = command_has(c, MOVES);
        begin();
        if (!drive(c, true, &err))
            fail_msg("%s: %s", c->name, err.text);
        if (!command_has(c, RESTARTS) && (cycle() != NOW) != moves)
            fail_msg("%s: at cycle %d", c->name, (int)cycle());
        end();
        begin();
        session_hold(s, held);
        bool refused = moves || command_has(c, RESTARTS); /* to begin again is a move too */
        if (drive(c, true, &err) == refused)
            fail_msg("%s: is %s", c->name, refused ? "not refused" : err.text);
        if (refused) {
            assert_string_equal(err.text, held);
            assert_int_equal(cycle(), NOW);
        }
        end();
    }
}

static void what_runs_until_may_miss(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        Buf out = {0};
        bool runs = command_has(c, RUNS_UNTIL);
        bool condition = c->args[0].kind == ARG_EXPR;
        begin();
        if (condition) {
            assert_true(session_exec(s, "delete", &out, NULL));
            assert_true(command_run(&all, c, "valid == 1 and valid == 0", &out, NULL));
        } else {
            assert_true(drive(c, true, NULL));
        }
        while (session_advance(s, 1 << 16) == RUN_ON) {
        }
        assert_int_equal(session_misses(s), runs ? 1 : 0);
        buf_free(&out);
        end();
    }
}

static void what_saves_writes_a_file_and_nothing_else_does(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        begin();
        assert_true(drive(c, true, NULL));
        if ((access(WRITTEN, F_OK) == 0) != command_has(c, SAVES))
            fail_msg("%s: %s", c->name, command_has(c, SAVES) ? "no file" : "a file");
        end();
    }
}

static void watches_come_and_go(void **state)
{
    (void)state;
    for (const Command *c = session_commands; c->name; c++) {
        int by = command_has(c, WATCHES) - command_has(c, UNWATCHES);
        begin();
        assert_true(drive(c, true, NULL));
        if (watches() != watched + by)
            fail_msg("%s: %d watches, before %d", c->name, watches(), watched);
        end();
    }
}

/* ---- tables ---- */

static bool run_later(void *room, const Args *a, Buf *out, Err *err)
{
    (void)err;
    *(int *)room += 1;
    buf_printf(out, "later %s", a->text);
    return true;
}

static void a_later_table_goes_first(void **state)
{
    static const Command rows[] = {
        {"hash", {{ARG_TEXT, .name = "WHAT"}}, "another hash", ANY_LENGTH, run_later}, {0}};
    int room = 0;
    const char *args = NULL;
    Buf out = {0};
    Err err = {0};
    (void)state;
    begin();
    commands_add(&all, rows, &room);
    const Command *c = commands_find(&all, "  hash   of all ", &args);
    assert_ptr_equal(c, rows);
    assert_string_equal(args, "of all ");
    assert_true(command_run(&all, c, args, &out, &err));
    assert_string_equal(buf_str(&out), "later of all");
    assert_int_equal(room, 1);
    assert_null(commands_find(&all, "hashes", NULL));
    assert_null(commands_find(&all, "", NULL));
    buf_clear(&out);
    assert_true(commands_help(&all, "", &out, &err));
    assert_non_null(strstr(buf_str(&out), "another hash"));
    assert_null(strstr(buf_str(&out), "16 hex digits"));
    assert_false(commands_help(&all, "hsah", &out, &err));
    assert_non_null(strstr(err.text, "did you mean hash? "));
    buf_free(&out);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synopses_are_made_from_the_arguments),
        cmocka_unit_test(words_stand_in_the_synopsis_and_are_taken),
        cmocka_unit_test(every_command_takes_what_its_synopsis_says),
        cmocka_unit_test(what_may_be_left_out_is_not_needed),
        cmocka_unit_test(a_refusal_says_what_is_missing),
        cmocka_unit_test(what_restarts_begins_again_and_nothing_else_does),
        cmocka_unit_test(what_moves_is_refused_while_the_machine_is_held),
        cmocka_unit_test(what_runs_until_may_miss),
        cmocka_unit_test(what_saves_writes_a_file_and_nothing_else_does),
        cmocka_unit_test(watches_come_and_go),
        cmocka_unit_test(a_later_table_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
