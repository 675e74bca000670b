/* `tokstep console`: the commands without the screen, typed or from a pipe. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "session/command.h"
#include "tui/lineedit.h"

enum { SLICE = 1 << 18 };

const char console_help[] =
    "tokstep console [OPTIONS]: the commands of the explorer's : without its screen\n\n"
    "  Options are those of tokstep run --help that choose the machine and its tokens. A command "
    "a\n"
    "  line; help lists them. On a terminal Tab completes and the history is kept; from a pipe "
    "the\n"
    "  first line that fails ends the program (exit 2).\n\n"
    "  printf 'run until valid == 1\\nget out_emb\\n' | tokstep console --preset minus8\n";

typedef enum { LINE_OK, LINE_FAILED, LINE_QUIT } LineResult;

/* Let a run that the line began come to its end; Ctrl-C stops it. */
static void finish_run(Session *s)
{
    if (!session_running(s))
        return;
    while (session_advance(s, SLICE) == RUN_ON) {
        if (lineedit_interrupted())
            session_run_stop(s);
    }
    if (*session_note(s))
        puts(session_note(s));
}

/* The session, and Lua once a line needs it. */
typedef struct Plain {
    Session *session;
    Script *script;
} Plain;

static bool is_command(const char *word, size_t len)
{
    for (const SessionCommand *c = session_commands; c->name; c++) {
        if (strlen(c->name) == len && strncmp(c->name, word, len) == 0)
            return true;
    }
    return false;
}

static bool go_on(void *context)
{
    (void)context;
    return !lineedit_interrupted();
}

/* What is no command is Lua. */
static bool run_lua(Plain *p, const char *line, Buf *out, Err *err)
{
    ScriptError error = {0};
    const ScriptLimits limits = {.go_on = go_on};
    if (!p->script)
        p->script = script_new(p->session, &limits, &error);
    bool ok = p->script && script_line(p->script, line, out, &error);
    while (p->script && script_wish(p->script)) {
    } /* there is no screen to grant them */
    return ok || err_set(err, "%.500s", error.err.text);
}

static LineResult run_line(Plain *p, const char *line, Err *err)
{
    Session *s = p->session;
    size_t len = 0;
    Buf out = {0};
    line += strspn(line, " \t:");
    const char *rest = command_word(&line, &len);
    if (len == 0 || *line == '#')
        return LINE_OK;
    if (len == 4 && strncmp(line, "quit", 4) == 0 && !*rest)
        return LINE_QUIT;
    bool ok =
        is_command(line, len) ? session_exec(s, line, &out, err) : run_lua(p, line, &out, err);
    fputs(buf_str(&out), stdout);
    if (ok && len == 4 && strncmp(line, "help", 4) == 0 && !*rest)
        printf("%-29s %s\n", "quit", "leave");
    buf_free(&out);
    finish_run(s);
    return ok ? LINE_OK : LINE_FAILED;
}

static int from_pipe(Plain *p)
{
    char *line = NULL;
    size_t cap = 0;
    Err err = {0};
    LineResult result = LINE_OK;
    int number = 0;
    while (result == LINE_OK && getline(&line, &cap, stdin) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        result = run_line(p, line, &err);
    }
    bool unreadable = ferror(stdin) != 0;
    free(line);
    int rc = cli_flush();
    if (unreadable)
        return cli_failf("stdin: cannot read: %s", strerror(errno));
    return result == LINE_FAILED ? cli_failf("stdin: line %d: %s", number, err.text) : rc;
}

/* The prompt says where the machine is. */
static void make_prompt(const Session *s, char *out, size_t size)
{
    const Engine *e = session_engine(s);
    const Signal *top = signal_at(SIG_TOP_STATE);
    snprintf(out, size, "%llu %s: ", (unsigned long long)engine_cycle(e),
             signal_state_name(top, signal_get(e, top, 0)));
}

static int from_terminal(Plain *p)
{
    const Session *s = p->session;
    Buf history = {0};
    lineedit_history_path(&history);
    LineEdit edit = {.session = s, .history = history.len ? history.data : NULL};
    LineResult result = LINE_OK;
    while (result != LINE_QUIT) {
        char prompt[64];
        bool cleared = false;
        Err err = {0};
        make_prompt(s, prompt, sizeof prompt);
        char *line = lineedit_read(&edit, prompt, &cleared);
        if (!line)
            break;
        if (!cleared) {
            lineedit_remember(&edit, line);
            result = run_line(p, line, &err);
            if (result == LINE_FAILED)
                cli_fail(&err);
        }
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
            return err_set(err, "console: %s: no such option; tokstep console --help lists them",
                           argv[i]);
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
    Plain p = {s, NULL};
    int rc = isatty(STDIN_FILENO) ? from_terminal(&p) : from_pipe(&p);
    script_free(p.script);
    session_free(p.session);
    return rc;
}
