#ifndef CLI_CLI_H
#define CLI_CLI_H
/* The subcommands: one file each, one line each in the table of commands.c. A subcommand gets its
 * own argv (argv[0] is its name) and returns the exit code: 0 done, 1 a check failed, 2 bad usage,
 * bad input or a write error (cli.md). Errors go to stderr as one line through cli_fail. */
#include <jansson.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/printable.h"
#include "script/script.h"

typedef struct Subcommand {
    const char *name;
    const char *summary; /* one line for --help */
    const char *help;    /* the whole help text of `tokstep NAME --help` */
    int (*run)(int argc, char **argv);
} Subcommand;

extern const Subcommand cli_commands[]; /* ends with a NULL name */

/* One file each: run.c, ... */
int open_main(int argc, char **argv);
int run_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int fmt_main(int argc, char **argv);
int t2_main(int argc, char **argv);
int cycles_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int console_main(int argc, char **argv);
int lua_main(int argc, char **argv);
int lesson_main(int argc, char **argv);
int model_main(int argc, char **argv);
int systolic_main(int argc, char **argv);
int eval_main(int argc, char **argv);
extern const char open_help[], run_help[], bench_help[], fmt_help[], t2_help[], console_help[],
    model_help[], cycles_help[], trace_help[], systolic_help[], eval_help[], lua_help[],
    lesson_help[];
/* The explorer: no subcommand, or options only; its options, for --help. */
int explore_main(int argc, char **argv);
extern const char explore_help[];

int cli_main(int argc, char **argv);

/* Print a help text: what it says in braces comes from the machine's own lists (help.c). */
void cli_help(const char *help);

/* Print "tokstep: TEXT" on stderr and return 2. */
int cli_fail(const Err *err);
int cli_failf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print text with foreign parts (file names, names and values of files, what scripts say), made
 * printable. */
void cli_put(FILE *f, Printable how, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Print a JSON document and a line end on stdout; takes the document. flags: of json_dumps. */
void cli_json(json_t *doc, size_t flags);

/* The value that must follow option argv[*i] (also `--option=VALUE`), or NULL with err set.
 * Advances *i past a separate value. */
const char *cli_value(int argc, char **argv, int *i, Err *err);
/* Does argv[i] spell the option (alone or with =VALUE)? */
bool cli_is(const char *arg, const char *option);

/* Is that an option of the explorer? */
bool cli_is_explorers(const char *arg);
/* err := "CMD: ARG: no such option; did you mean --json? tokstep CMD --help lists them"; the
 * options are those that the help of the command names. NULL: the explorer. False. */
bool cli_no_option(const char *command, const char *arg, Err *err);

/* Append what an option that may be given several times names: "A,B" and "C" are "A,B,C". */
void cli_join(Buf *list, const char *more);

/* What became of a script: 1 for one that failed or ran away, 2 for what is none. */
int cli_script_fail(const ScriptError *error);
/* What no hook interrupts (a collection of cunningly linked weak tables) ends with the process, a
 * few seconds beyond twice the limit from now on. */
void cli_backstop(const ScriptLimits *limits);
/* --cpu or --mem. */
bool cli_limit(const char *arg, const char *value, ScriptLimits *limits, Err *err);

/* Flush stdout; 0, or 2 with a line when it could not be written (full disk). A closed pipe has
 * already ended the program quietly. */
int cli_flush(void);

#endif
