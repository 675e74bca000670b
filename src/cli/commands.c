#include "base/printable.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

/* Every subcommand, in the order of --help. */
const Subcommand cli_commands[] = {
    {"open", "the explorer on a file: tensors open the t2 inspector", open_help, open_main},
    {"run", "step tokens with no screen and print them", run_help, run_main},
    {"cycles", "what a token costs: measured, formula, the deck's estimate", cycles_help,
     cycles_main},
    {"systolic", "a matrix product on the systolic array", systolic_help, systolic_main},
    {"fmt", "a number in every format: bits, errors, blocks", fmt_help, fmt_main},
    {"t2", "tile files: info, dump, verify, unpack, pack, convert, poke", t2_help, t2_main},
    {"trace", "a VCD file of any run, for GTKWave or Surfer", trace_help, trace_main},
    {"lesson", "lists, runs, checks and grades lessons", lesson_help, lesson_main},
    {"lua", "a Lua script with the whole API", lua_help, lua_main},
    {"console", "the console without the screen", console_help, console_main},
    {"model", "model files: info, export-hex, import", model_help, model_main},
    {"eval", "bits per character of a model on words", eval_help, eval_main},
    {"bench", "measured figures", bench_help, bench_main},
    {0},
};

static int usage(void)
{
    puts("tokstep: a transformer decoder, stepped clock by clock\n\n"
         "  tokstep [OPTIONS]  the explorer\n");
    for (const Subcommand *c = cli_commands; c->name; c++)
        printf("  tokstep %-10s %s\n", c->name, c->summary);
    puts("\nOptions of the explorer:");
    cli_help(options_help);
    cli_help(explore_help);
    puts("\ntokstep CMD --help tells more; tokstep --version the version.");
    return cli_flush();
}

/* Anywhere; but what stands behind the file of `lua` is the script's. */
static bool wants_help(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "lua") == 0)
        return false; /* lua_main looks itself */
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

static const Subcommand *find_command(const char *name)
{
    for (const Subcommand *c = cli_commands; c->name; c++) {
        if (strcmp(name, c->name) == 0)
            return c;
    }
    return NULL;
}

/* Offer the words of a help text that begin with a dash. */
static void offer_options(Suggest *s, const char *help)
{
    for (const char *p = strchr(help, '-'); p; p = strchr(p, '-')) {
        size_t n = strspn(p, "-abcdefghijklmnopqrstuvwxyz0123456789");
        if (n > 1 && (p == help || strchr(" \n[(`|", p[-1])))
            suggest_offer_n(s, p, n);
        p += n;
    }
}

/* Is it one of those words, or one with its value behind `=`? */
static bool has_option(const char *help, const char *arg)
{
    size_t wanted = strcspn(arg, "=");
    for (const char *p = strchr(help, '-'); p; p = strchr(p, '-')) {
        size_t n = strspn(p, "-abcdefghijklmnopqrstuvwxyz0123456789");
        bool begins = p == help || strchr(" \n[(`|", p[-1]);
        if (begins && n > 2 && n == wanted && strncmp(p, arg, n) == 0)
            return true;
        p += n;
    }
    return false;
}

bool cli_is_explorers(const char *arg)
{
    return has_option(options_help, arg) || has_option(explore_help, arg);
}

bool cli_no_option(const char *command, const char *arg, Err *err)
{
    char hint[SUGGEST_TEXT];
    const Subcommand *c = command ? find_command(command) : NULL;
    bool explorer = !c || c->run == open_main || c->run == lesson_main;
    Suggest s;
    suggest_begin(&s, arg, strlen(arg));
    if (c)
        offer_options(&s, c->help);
    if (explorer || c->run == console_main)
        offer_options(&s, options_help);
    if (explorer)
        offer_options(&s, explore_help);
    return err_set(err, "%s%s%.*s: no such option; %stokstep %s%s--help lists them",
                   command ? command : "", command ? ": " : "", HEAD(arg, 60),
                   suggest_text(&s, hint), command ? command : "", command ? " " : "");
}

static int no_command(const char *name)
{
    char hint[SUGGEST_TEXT];
    Suggest s;
    if (access(name, F_OK) == 0)
        return cli_failf("%.*s: no such command, but a file; tokstep open %.*s shows it",
                         HEAD(name, 200), HEAD(name, 200));
    suggest_begin(&s, name, strlen(name));
    for (const Subcommand *c = cli_commands; c->name; c++)
        suggest_offer(&s, c->name);
    return cli_failf("%.*s: no such command; %stokstep --help lists them",
                     HEAD(*name ? name : "''", 200), suggest_text(&s, hint));
}

/* `tokstep help CMD` is `tokstep CMD --help`. */
static int help_on(const char *name)
{
    const Subcommand *c = find_command(name);
    if (!c)
        return no_command(name);
    cli_help(c->help);
    return cli_flush();
}

/* A standard stream that the caller has closed fails when it is used; without this the next file
 * that is opened would get its number, be read as stdin or written by messages. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(2);
    }
}

/* Tensors are mapped, not read: where another program has cut the file off, touching it ends here
 * (on a terminal after the screen has been left, see tui/term.c). */
static void on_missing_page(int sig)
{
    static const char text[] =
        "tokstep: a mapped file became shorter, or cannot be read any more\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    (void)sig;
    _exit(2);
}

int cli_main(int argc, char **argv)
{
    hold_standard_streams();
    setlocale(LC_CTYPE, "");
    signal(SIGBUS, on_missing_page);
    signal(SIGXFSZ, SIG_IGN); /* a file too large is a write error, not an end */
    bool explorer = argc < 2 || argv[1][0] == '-', help = wants_help(argc, argv);
    if (explorer && help)
        return usage();
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("tokstep " TOKSTEP_VERSION);
        return cli_flush();
    }
    if (explorer)
        return explore_main(argc, argv);
    if (strcmp(argv[1], "help") == 0)
        return argc > 2 ? help_on(argv[2]) : usage();
    const Subcommand *c = find_command(argv[1]);
    return help || !c ? help_on(argv[1]) : c->run(argc - 1, argv + 1);
}
