/* `tokstep` with no subcommand: the explorer, on a terminal or driven by a script. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/place.h"
#include "base/xdg.h"
#include "cli/cli.h"
#include "cli/explore.h"
#include "cli/options.h"
#include "tui/input/lineedit.h"
#include "tui/loop.h"
#include "tui/script.h"

const char explore_help[] =
    "  --theme T            auto (default: dark or light as COLORFGBG says, else\n"
    "                       neutral, which is readable on both), neutral, dark,\n"
    "                       light, high-contrast or mono; :theme T in the explorer\n"
    "                       is remembered, NO_COLOR means mono\n"
    "  --init FILE          console commands to run at the start, a line each,\n"
    "                       # comments (default $XDG_CONFIG_HOME/tokstep/init, on a\n"
    "                       terminal)\n"
    "  --ascii              draw with ASCII only\n"
    "  --script FILE        no terminal: keys and :commands from FILE (- for stdin)\n"
    "                       a line is names of keys (n space space Down), a :command\n"
    "                       of the console (:run until valid == 1) or a # comment.\n"
    "                       Exit 1 when what a :run waited for never came true\n"
    "  --size COLSxROWS     the script's screen (default 80x24)\n"
    "  --screen FILE        write the screen as text when the script ends (- for\n"
    "                       stdout)\n";

typedef struct Explore {
    Setup setup;
    const char *theme; /* NULL: not told */
    bool ascii;
    const char *script, *screen, *init;
    bool sized;
    int cols, rows;
} Explore;

static bool parse_size(Explore *x, const char *text, Err *err)
{
    char end = '\0';
    if (sscanf(text, "%4dx%4d%c", &x->cols, &x->rows, &end) != 2 || x->cols < 1 || x->rows < 1 ||
        x->cols > 1000 || x->rows > 1000)
        return err_set(err, "--size %s: must be COLSxROWS, 1x1 to 1000x1000", text);
    return x->sized = true;
}

/* An option of the explorer itself: 1 taken, 0 not one, -1 refused. */
static int take_own(Explore *x, int argc, char **argv, int *i, Err *err)
{
    static const char *const names[] = {"--theme", "--script", "--size", "--screen", "--init"};
    enum { COUNT = sizeof names / sizeof *names };
    const char **const texts[COUNT] = {&x->theme, &x->script, NULL, &x->screen, &x->init};
    Theme theme;
    size_t which = 0;
    if (strcmp(argv[*i], "--ascii") == 0) {
        x->ascii = true;
        return 1;
    }
    while (which < COUNT && !cli_is(argv[*i], names[which]))
        which++;
    if (which == COUNT)
        return 0;
    const char *value = cli_value(argc, argv, i, err);
    bool ok = value != NULL;
    if (ok && which == 0)
        ok = theme_find(value, &theme) || err_set(err, "--theme %s: must be %s", value, theme_list);
    if (ok && !texts[which])
        ok = parse_size(x, value, err);
    else if (ok)
        *texts[which] = value;
    return ok ? 1 : -1;
}

static bool parse_options(Explore *x, int argc, char **argv, const ExploreTarget *target, Err *err)
{
    *x = (Explore){.cols = 80, .rows = 24};
    if (!options_begin_explorer(&x->setup, argc, argv, err))
        return false;
    for (int i = 1; i < argc; i++) {
        int taken = options_take(&x->setup, argc, argv, &i, err);
        if (taken == 0)
            taken = take_own(x, argc, argv, &i, err);
        if (taken == 0 && target && target->take)
            taken = target->take(target->context, argc, argv, &i, err);
        if (taken == 0)
            return cli_no_option(target ? target->command : NULL, argv[i], err);
        if (taken < 0)
            return false;
    }
    if (!x->script && (x->sized || x->screen))
        return err_set(err, "%s: needs --script", x->sized ? "--size" : "--screen");
    return options_finish(&x->setup, err);
}

/* One line; of a lesson lines of it follow. One that fails or runs away is exit 1, as any script.
 */
static int begin_fail(Err *err)
{
    bool of_script = err->of_script;
    err->text[strcspn(err->text, "\n")] = '\0';
    int rc = cli_fail(err);
    return of_script ? 1 : rc;
}

static int run_script(const Explore *x, Tui *tui, Err *err)
{
    Buf missed = {0};
    bool ok = script_run(tui, x->script, stdout, &missed, err) &&
              (!x->screen || script_screen(tui, x->screen, stdout, err));
    int rc = cli_flush();
    for (const char *p = buf_str(&missed); *p; p += strcspn(p, "\n") + 1)
        cli_failf("%.*s", (int)strcspn(p, "\n"), p);
    rc = rc ? rc : missed.len > 0;
    buf_free(&missed);
    return ok ? rc : cli_fail(err);
}

static int run_on_terminal(const Explore *x, Tui *tui, const ExploreTarget *target, Err *err)
{
    Term *term = term_open(x->ascii, err);
    char *advice = term ? NULL : strchr(err->text, ';');
    if (advice && target && target->instead)
        snprintf(advice, sizeof err->text - (size_t)(advice - err->text), "; %s", target->instead);
    if (!term)
        return cli_fail(err);
    LoopBegin begin = {0};
    if (target)
        begin = (LoopBegin){target->begin, target->context};
    int sig = tui_loop(tui, term, target ? &begin : NULL, err);
    term_close(term);
    if (sig < 0)
        return begin_fail(err);
    if (sig) { /* end as the signal would have: 128+n for the shell */
        signal(sig, SIG_DFL);
        raise(sig);
    }
    return 0;
}

/* What init says goes over what was chosen in the explorer before, and over NO_COLOR; --theme over
 * all of them. */
static bool set_up_taste(const Explore *x, Tui *tui, const char *theme_file, Err *err)
{
    if (x->init && !tui_init(tui, x->init, err))
        return false;
    if (!x->init && !x->script)
        tui_init_default(tui);
    if (x->theme) {
        char line[64];
        snprintf(line, sizeof line, "theme %.40s", x->theme);
        tui_exec(tui, line, NULL, NULL);
    }
    if (theme_file)
        tui_remember_theme(tui, theme_file);
    return true;
}

static Theme first_theme(const char *theme_file)
{
    const char *no_colour = getenv("NO_COLOR");
    Theme theme;
    theme_find("auto", &theme);
    if (no_colour && *no_colour)
        return THEME_MONO;
    if (theme_file)
        tui_remembered_theme(theme_file, &theme);
    return theme;
}

/* The t2 view has a real tile to look at from the start: w2 of the built-in model, made ternary. */
static void offer_tensors(Tui *tui)
{
    Buf path = {0};
    if (place_file("assets", "words.w2.t2", &path))
        tui_offer_tensors(tui, buf_str(&path), 64, 256);
    buf_free(&path);
}

static int explore(const Explore *x, Tui *tui, const ExploreTarget *target, Err *err)
{
    bool later = target && target->runs && !x->script;
    if (target && !later && !target->begin(target->context, tui, err))
        return begin_fail(err);
    return x->script ? run_script(x, tui, err)
                     : run_on_terminal(x, tui, later ? target : NULL, err);
}

int explore_on(int argc, char **argv, const ExploreTarget *target)
{
    Explore x;
    Err err = {0};
    Buf history = {0}, theme_file = {0};
    bool ok = parse_options(&x, argc, argv, target, &err);
    Session *session = ok ? session_new(&x.setup) : NULL;
    setup_free(&x.setup);
    if (!session)
        return cli_fail(&err);
    if (!x.script) {
        lineedit_history_path(&history);
        xdg_path(XDG_STATE, "theme", &theme_file);
    }
    const char *kept = theme_file.len ? theme_file.data : NULL;
    Tui *tui = tui_new(session, first_theme(kept), history.len ? history.data : NULL);
    if (x.script)
        tui_resize(tui, x.rows, x.cols, !x.ascii);
    offer_tensors(tui);
    int rc = set_up_taste(&x, tui, kept, &err) ? explore(&x, tui, target, &err) : cli_fail(&err);
    tui_free(tui);
    session_free(session);
    buf_free(&history);
    buf_free(&theme_file);
    return rc;
}

int explore_main(int argc, char **argv)
{
    return explore_on(argc, argv, NULL);
}
