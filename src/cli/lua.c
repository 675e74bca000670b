/* `tokstep lua`: a script with the whole API. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "script/script.h"
#include "tui/views.h"

const char lua_help[] =
    "tokstep lua FILE [ARG...]: a Lua 5.4 script with the whole API, sandboxed like\n"
    "a lesson\n\n"
    "  --trusted   io and os as well\n"
    "  --cpu S     stop it after S seconds of its own time (default 10)\n"
    "  --mem MIB   refuse it more memory than this (default 64)\n"
    "  --api       print the reference of the API as Markdown\n\n"
    "Options come before FILE (- is stdin). The global m is a machine with the\n"
    "defaults. Exit 1 when the script fails, does not compile or runs away; 2 when\n"
    "there is no such file, or it is a lesson (tokstep lesson FILE).\n";

typedef struct LuaArgs {
    ScriptLimits limits;
    bool help, api;
    const char *file;
    int argc;
    char **argv;
} LuaArgs;

bool cli_limit(const char *arg, const char *value, ScriptLimits *limits, Err *err)
{
    char *end = NULL;
    bool cpu = cli_is(arg, "--cpu");
    double most = cpu ? 86400 : 65536;
    errno = 0;
    double v = strtod(value, &end);
    if (end == value || *end || errno || !(v > 0) || v > most || (!cpu && v < 1))
        return err_set(err, "%s %s: must be a number of %s, %s%g", cpu ? "--cpu" : "--mem", value,
                       cpu ? "seconds" : "MiB", cpu ? "at most " : "1 to ", most);
    if (cpu)
        limits->cpu = v;
    else
        limits->memory = (size_t)(v * 1048576);
    return true;
}

/* Only async-signal-safe calls. */
static void out_of_time(int sig)
{
    static const char text[] =
        "tokstep: lua: stopped: one operation of Lua itself ran far beyond the limit\n";
    (void)sig;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(written < 0 ? 2 : 1);
}

void cli_backstop(const ScriptLimits *limits)
{
    struct rusage used;
    struct rlimit cpu;
    double most = limits->cpu > 0 ? limits->cpu : 10;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &cpu) != 0)
        return;
    cpu.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (rlim_t)(2 * most) + 3;
    if (cpu.rlim_max != RLIM_INFINITY && cpu.rlim_cur > cpu.rlim_max)
        cpu.rlim_cur = cpu.rlim_max;
    signal(SIGXCPU, out_of_time);
    setrlimit(RLIMIT_CPU, &cpu);
}

static bool parse(LuaArgs *a, int argc, char **argv, Err *err)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        if (strcmp(argv[i], "--trusted") == 0) {
            a->limits.trusted = true;
        } else if (strcmp(argv[i], "--api") == 0) {
            a->api = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return a->help = true;
        } else if (cli_is(argv[i], "--cpu") || cli_is(argv[i], "--mem")) {
            const char *option = argv[i], *value = cli_value(argc, argv, &i, err);
            if (!value || !cli_limit(option, value, &a->limits, err))
                return false;
        } else {
            return cli_no_option("lua", argv[i], err);
        }
    }
    if (a->api ? i < argc : i >= argc)
        return err_set(err, a->api ? "lua --api: takes no file" : "lua: needs a file");
    a->file = argv[i];
    a->argc = a->api ? 0 : argc - i - 1;
    a->argv = argv + i + 1;
    return true;
}

int cli_script_fail(const ScriptError *error)
{
    fflush(stdout);
    cli_fail(&error->err);
    return error->runaway || error->own ? 1 : 2;
}

static bool print_reference(Script *s, ScriptError *error)
{
    Buf text = {0};
    bool ok = script_reference(s, &text, error);
    fputs(buf_str(&text), stdout);
    buf_free(&text);
    return ok;
}

int lua_main(int argc, char **argv)
{
    LuaArgs a = {.limits.has_view = view_exists};
    ScriptError error = {0};
    if (!parse(&a, argc, argv, &error.err))
        return cli_fail(&error.err);
    if (a.help) {
        cli_help(lua_help);
        return cli_flush();
    }
    cli_backstop(&a.limits);
    Script *s = script_new(NULL, &a.limits, &error);
    bool ok =
        s && (a.api ? print_reference(s, &error) : script_file(s, a.file, a.argc, a.argv, &error));
    script_free(s);
    int rc = cli_flush();
    return ok ? rc : cli_script_fail(&error);
}
