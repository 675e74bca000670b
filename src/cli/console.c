/* `tokstep console`: the commands without the screen, typed or from a pipe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/line.h"
#include "base/mem.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/fmt.h"
#include "cli/options.h"
#include "session/command.h"
#include "session/story.h"
#include "tui/input/lineedit.h"
#include "tui/tui.h"
#include "tui/views.h"

enum { SLICE = 1 << 18, WORDS_MAX = 64 };

const char console_help[] =
    "tokstep console [OPTIONS]: the commands of the explorer's : without its screen\n\n"
    "  Options are those of tokstep run --help that choose the machine and its\n"
    "  tokens. A command a line; help lists them. On a terminal Tab completes and the\n"
    "  history is kept. From a pipe the first line that fails ends the program (exit\n"
    "  2); a `run until` that never comes true, up to the end of all tokens, says so\n"
    "  and the next line goes on, with exit 1 at the end.\n\n" STIMULUS_HELP "\n"
    "  printf 'run until valid == 1\\nget out_emb\\n' | tokstep console --preset minus8\n";

typedef enum { LINE_OK, LINE_FAILED, LINE_QUIT } LineResult;

/* The session, and Lua once a line needs it. */
typedef struct Plain {
    Session *session;
    Commands commands; /* the session's, and those of the console alone */
    Script *script;
    bool piped;  /* lines come from a pipe or file */
    int number;  /* of the line, from a pipe */
    bool missed; /* a run's condition never came true */
    bool quit;
} Plain;

/* The element that stopped the run: from what to what, and how. */
static void tell_hit(const Session *s)
{
    Buf story = {0};
    if (story_stop(s, &(StopStyle){0}, &story))
        cli_put(stdout, PRINTABLE_TEXT, "%s\n", buf_str(&story));
    buf_free(&story);
}

/* Let a run that the line began come to its end; Ctrl-C stops it. */
static void finish_run(Plain *p, const char *line)
{
    Session *s = p->session;
    int misses = session_misses(s);
    if (!session_running(s))
        return;
    while (session_advance(s, SLICE) == RUN_ON) {
        if (lineedit_interrupted())
            session_run_stop(s);
    }
    bool missed = session_misses(s) > misses && p->piped;
    p->missed |= missed;
    fflush(stdout); /* the streams in their order */
    if (missed)
        cli_failf("stdin: line %d: %.*s: %s", p->number, HEAD(line, 200), session_note(s));
    else if (*session_note(s))
        cli_put(stdout, PRINTABLE_TEXT, "%s\n", session_note(s));
    tell_hit(s);
}

/* ---- what is neither the session's nor Lua's ---- */

static bool run_fmt(void *room, const Args *a, Buf *out, Err *err)
{
    const char *words[WORDS_MAX];
    int count = 0;
    char *text = xstrdup(a->text), *rest = NULL;
    bool ok = true;
    (void)room, (void)out;
    for (char *w = strtok_r(text, " ", &rest); w && ok; w = strtok_r(NULL, " ", &rest)) {
        if (count == WORDS_MAX)
            ok = err_set(err, "fmt: more than %d values", WORDS_MAX);
        else
            words[count++] = w;
    }
    ok = ok && fmt_words(words, count, err);
    free(text);
    return ok;
}

static bool run_open(void *room, const Args *a, Buf *out, Err *err)
{
    Plain *p = room;
    (void)out;
    return session_open_model(p->session, a->text, err);
}

static bool run_quit(void *room, const Args *a, Buf *out, Err *err)
{
    Plain *p = room;
    (void)a, (void)out, (void)err;
    return p->quit = true;
}

/* A command's name and arguments, then what it does. */
/* clang-format off */
static const Command own_commands[] = {
    {"fmt", {{ARG_TEXT, .name = "VALUE..."}},
     "a value in every format: 0.5898, nan, bits32:0x3f800000, e4m3:0x7e", ANY_LENGTH, run_fmt},
    {"open", {{ARG_FILE, "FILE", .needs = "a model file"}},
     "a model file into the machine", 0, run_open},
    {"quit", {{0}}, "leave", QUITS, run_quit},
    {0},
};
/* clang-format on */

/* ---- lines ---- */

static bool go_on(void *context)
{
    (void)context;
    return !lineedit_interrupted();
}

/* What is no command is Lua. */
static bool run_lua(Plain *p, const char *line, Buf *out, Err *err)
{
    ScriptError error = {0};
    const ScriptLimits limits = {.has_view = view_exists, .commands = own_commands, .go_on = go_on};
    if (!p->script)
        p->script = script_new(p->session, &limits, &error);
    bool ok = p->script && script_line(p->script, line, out, &error);
    while (p->script && script_wish(p->script)) {
    } /* there is no screen to grant them */
    if (!ok)
        *err = error.err;
    return ok;
}

/* A command that is known, or Lua; `fmt = 3` is Lua's. */
static bool run_known(Plain *p, const char *line, Buf *out, Err *err)
{
    size_t len = 0;
    const char *args = command_word(&line, &len);
    const Command *c = commands_find(&p->commands, line, NULL);
    bool assigns = *args == '=' && !command_find(session_commands, line, len);
    if (c && !assigns)
        return command_run(&p->commands, c, args, out, err);
    if (command_find(screen_commands, line, len) && !assigns)
        return err_set(err, "%.*s: needs the screen of the explorer", (int)len, line);
    return run_lua(p, line, out, err);
}

static LineResult run_line(Plain *p, const char *line, Err *err)
{
    Buf out = {0};
    line += strspn(line, " \t:");
    if (!line[strspn(line, " \t\r\n\v\f")] || *line == '#')
        return LINE_OK;
    bool ok = run_known(p, line, &out, err);
    cli_put(stdout, PRINTABLE_TEXT, "%s", buf_str(&out));
    buf_free(&out);
    finish_run(p, line);
    return !ok ? LINE_FAILED : p->quit ? LINE_QUIT : LINE_OK;
}

static int from_pipe(Plain *p)
{
    Lines lines = {.f = stdin, .name = "stdin"};
    Err err = {0};
    LineResult result = LINE_OK;
    LinesResult more = LINES_END;
    while (result == LINE_OK && (more = lines_next(&lines, &err)) == LINES_LINE) {
        p->number = lines.number;
        result = run_line(p, buf_str(&lines.line), &err);
    }
    lines_free(&lines);
    int rc = cli_flush();
    if (more == LINES_FAILED)
        return cli_fail(&err);
    if (result == LINE_FAILED)
        return cli_failf("stdin: line %d: %s", p->number, err.text);
    return rc ? rc : p->missed;
}

/* The prompt says where the machine is. */
static void make_prompt(const Session *s, char *out, size_t size)
{
    const Engine *e = session_engine(s);
    const Signal *top = signal_at(SIG_TOP_STATE);
    snprintf(out, size, "%llu %s: ", (unsigned long long)engine_cycle(e),
             signal_state_name(top, signal_get(e, top, 0)));
}

/* What was entered: several lines when they were pasted at once. The first that fails is the last.
 */
static LineResult run_entered(Plain *p, const LineEdit *edit, char *text)
{
    LineResult result = LINE_OK;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\r\n", &rest); line && result == LINE_OK;
         line = strtok_r(NULL, "\r\n", &rest)) {
        Err err = {0};
        lineedit_remember(edit, line);
        result = run_line(p, line, &err);
        fflush(stdout);
        if (result == LINE_FAILED)
            cli_fail(&err);
    }
    return result;
}

static int from_terminal(Plain *p)
{
    Buf history = {0};
    lineedit_history_path(&history);
    LineEdit edit = {.commands = &p->commands, .history = history.len ? history.data : NULL};
    LineResult result = LINE_OK;
    while (result != LINE_QUIT) {
        char prompt[64];
        bool cleared = false;
        make_prompt(p->session, prompt, sizeof prompt);
        char *line = lineedit_read(&edit, prompt, &cleared);
        if (!line)
            break;
        if (!cleared)
            result = run_entered(p, &edit, line);
        free(line);
    }
    if (result != LINE_QUIT)
        putchar('\n');
    buf_free(&history);
    return cli_flush();
}

static bool parse_options(Setup *setup, int argc, char **argv, Err *err)
{
    if (!options_begin(setup, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(setup, argc, argv, &i, err);
        if (taken < 0)
            return false;
        if (taken == 0)
            return cli_no_option("console", argv[i], err);
    }
    return options_finish(setup, err);
}

int console_main(int argc, char **argv)
{
    Setup setup;
    Err err = {0};
    bool ok = parse_options(&setup, argc, argv, &err);
    Session *s = ok ? session_new(&setup) : NULL;
    setup_free(&setup);
    if (!s)
        return cli_fail(&err);
    Plain p = {.session = s, .piped = !isatty(STDIN_FILENO)};
    commands_begin(&p.commands, s);
    commands_add(&p.commands, own_commands, &p);
    int rc = p.piped ? from_pipe(&p) : from_terminal(&p);
    script_free(p.script);
    session_free(p.session);
    return rc;
}
