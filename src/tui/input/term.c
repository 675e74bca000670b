#include "tui/input/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "base/mem.h"
#include "tui/input/term_keys.h"

enum {
    EMPTY_READS = 20, /* readable but no key, so often in a row: the terminal is gone */
    COPY_MAX = 74994  /* xterm takes no longer OSC 52 */
};

struct Term {
    SCREEN *screen;
    WINDOW *keys; /* a pad: reading from it never refreshes the screen */
    FILE *tty;    /* /dev/tty when stdin is no terminal, or NULL */
    int in;       /* descriptor that keys come from */
    bool utf8, mouse;
    bool coloured; /* start_color has been called */
    ColourDepth depth;
    int theme;      /* whose colour pairs are set; -1: none */
    int rows, cols; /* as curses knows them */
    cchar_t *row;   /* one row of the canvas */
    int empty_reads;
    sigset_t unblocked; /* signals while waiting */
};

/* Set by handlers, read by term_wait (signals carry no context). */
static volatile sig_atomic_t caught_end, caught_interrupt, caught_stop, caught_continue;

static void on_signal(int sig)
{
    switch (sig) {
    case SIGINT:
        caught_interrupt = 1;
        break;
    case SIGTSTP:
        caught_stop = 1;
        break;
    case SIGCONT:
        caught_continue = 1;
        break;
    default:
        caught_end = sig;
        break;
    }
}

/* ---- a crash ---- */

/* What a crashed program must give back, made while it is well: in the handler curses may not be
 * called, only write and tcsetattr. */
static struct Rescue {
    bool armed;
    int in;
    struct termios modes;
    char text[512]; /* leaves mouse, bracketed paste, attributes and the alternate screen */
    size_t len;
    char stack[1 << 14]; /* the program's own may have overflowed */
    struct sigaction before[7];
} rescue;

static const int crashes[7] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* What would have happened without us follows: a core or a report, and the shell sees the signal.
 */
static void on_crash(int sig)
{
    if (rescue.armed) {
        ssize_t written = write(STDOUT_FILENO, rescue.text, rescue.len);
        (void)written; /* there is nothing else to try */
        tcsetattr(rescue.in, TCSANOW, &rescue.modes);
    }
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &rescue.before[i], NULL);
    raise(sig);
}

static void catch_crashes(void)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    stack_t stack = {.ss_sp = rescue.stack, .ss_size = sizeof rescue.stack};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, &rescue.before[i]);
}

/* The signals act only inside pselect: none gets lost between looking at a flag and waiting. */
static void catch_signals(Term *t)
{
    static const int signals[] = {SIGINT,  SIGTSTP, SIGCONT, /* and those that end a program: */
                                  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,  SIGUSR2,
                                  SIGALRM, SIGPROF, SIGXCPU, SIGVTALRM};
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaddset(&blocked, signals[i]);
        sigaction(signals[i], &action, NULL);
    }
    sigaddset(&blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &blocked, &t->unblocked);
    signal(SIGPIPE, SIG_IGN); /* the failed write is what counts */
    signal(SIGXFSZ, SIG_IGN);
}

int term_signal(void)
{
    return caught_end;
}

bool term_interrupted(void)
{
    bool was = caught_interrupt;
    caught_interrupt = 0;
    return was;
}

/* ---- modes ---- */

static const char *capability(const char *name)
{
    const char *s = tigetstr(name);
    return s == (char *)-1 ? NULL : s;
}

static void send(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

/* Only terminals whose description has it, or a mouse like xterm's, are asked for bracketed paste.
 */
static void bracket_paste(bool on)
{
    const char *sequence = capability(on ? "BE" : "BD");
    if (!sequence && capability("kmous"))
        sequence = on ? "\033[?2004h" : "\033[?2004l";
    if (sequence)
        send(sequence);
}

static void rescue_add(const char *text)
{
    size_t n = text ? strlen(text) : 0;
    if (n > sizeof rescue.text - rescue.len)
        return;
    memcpy(rescue.text + rescue.len, text ? text : "", n);
    rescue.len += n;
}

/* Before curses takes the terminal: how it was, and what brings it back. */
static void prepare_rescue(int in)
{
    rescue.in = in;
    rescue.len = 0;
    if (capability("kmous"))
        rescue_add("\033[?1000l\033[?1006l\033[?2004l");
    rescue_add(capability("sgr0"));
    rescue_add(capability("cnorm"));
    rescue_add(capability("rmkx"));
    rescue_add(capability("rmcup"));
}

static void leave_screen(void)
{
    rescue.armed = false;
    if (isendwin())
        return;
    mousemask(0, NULL);
    bracket_paste(false);
    endwin();
}

static void enter_screen(Term *t)
{
    raw();
    noecho();
    nonl();
    curs_set(0);
    bracket_paste(true);
    term_mouse(t, t->mouse);
    rescue.armed = true;
}

static int open_keys(Term *t, Err *err)
{
    if (isatty(STDIN_FILENO))
        return STDIN_FILENO;
    t->tty = fopen("/dev/tty", "r");
    if (!t->tty)
        err_set(err, "stdin: is no terminal; run and --script work without one (tokstep --help)");
    return t->tty ? fileno(t->tty) : -1;
}

static bool refuse_terminal(const char *why, Err *err)
{
    const char *name = getenv("TERM");
    return err_set(err, "TERM=%s: %s; try TERM=xterm-256color tokstep, or tokstep console",
                   name ? name : "", why);
}

static bool open_screen(Term *t, Err *err)
{
    set_escdelay(25);
    if (access("/dev/gpmctl", F_OK) != 0) /* asked in vain, the console's mouse loses memory */
        setenv("NCURSES_GPM_TERMS", "", 0);
    t->screen = newterm(NULL, stdout, t->tty ? t->tty : stdin);
    if (!t->screen)
        return refuse_terminal("no such terminal is known here", err);
    if (!capability("cup")) {
        endwin();
        delscreen(t->screen);
        return refuse_terminal("cannot place the cursor", err);
    }
    return true;
}

Term *term_open(bool ascii, Err *err)
{
    Term *t = xcalloc(1, sizeof *t);
    t->theme = -1;
    if (!isatty(STDOUT_FILENO)) {
        err_set(err, "stdout: is no terminal; run and --script work without one (tokstep --help)");
        free(t);
        return NULL;
    }
    t->in = open_keys(t, err);
    tcgetattr(t->in, &rescue.modes);
    if (t->in < 0 || !open_screen(t, err)) {
        if (t->tty)
            fclose(t->tty);
        free(t);
        return NULL;
    }
    t->utf8 = !ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    t->keys = newpad(1, 1);
    keypad(t->keys, TRUE);
    nodelay(t->keys, TRUE);
    define_key("\033[Z", KEY_BTAB); /* linux's description has it under another name */
    define_key("\033[200~", KEY_PASTE_ON);
    define_key("\033[201~", KEY_PASTE_OFF);
    mouseinterval(0);
    prepare_rescue(t->in);
    catch_crashes();
    catch_signals(t);
    enter_screen(t);
    getmaxyx(stdscr, t->rows, t->cols);
    mem_on_exit(leave_screen);
    return t;
}

void term_close(Term *t)
{
    mem_on_exit(NULL);
    leave_screen();
    delwin(t->keys);
    delscreen(t->screen);
    if (t->tty)
        fclose(t->tty);
    sigprocmask(SIG_SETMASK, &t->unblocked, NULL);
    free(t->row);
    free(t);
}

void term_size(const Term *t, int *rows, int *cols)
{
    *rows = t->rows;
    *cols = t->cols;
}

bool term_utf8(const Term *t)
{
    return t->utf8;
}

void term_mouse(Term *t, bool on)
{
    t->mouse = on;
    mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
}

bool term_copy(Term *t, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(text);
    Buf b = {0};
    (void)t;
    if (n > COPY_MAX || !(capability("Ms") || capability("kmous")))
        return false;
    for (size_t i = 0; i < n; i += 3) {
        unsigned long v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < n ? (unsigned char)text[i + k] : 0);
        char out[4];
        for (size_t k = 0; k < 4; k++)
            out[k] = i + k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
        buf_add(&b, out, 4);
    }
    printf("\033]52;c;%s\a", buf_str(&b));
    fflush(stdout);
    buf_free(&b);
    return true;
}

/* ---- drawing ---- */

/* With 2^24 a colour is its red, green and blue; other large numbers have a palette that is not
 * known here, but begin with the ANSI colours. */
static ColourDepth colour_depth(void)
{
#if defined NCURSES_EXT_COLORS && NCURSES_EXT_COLORS
    if (COLORS == 0x1000000)
        return COLOURS_DIRECT;
#endif
    return COLORS == 256 ? COLOURS_256 : COLOURS_8;
}

static void init_colours(int pair, int fore, int back)
{
#if defined NCURSES_EXT_COLORS && NCURSES_EXT_COLORS
    init_extended_pair(pair, fore, back);
#else
    init_pair((short)pair, (short)fore, (short)back);
#endif
}

static void set_colours(Term *t, Theme theme)
{
    if (t->theme == (int)theme)
        return;
    t->theme = (int)theme;
    if (theme == THEME_MONO || !has_colors()) {
        bkgd(A_NORMAL);
        return;
    }
    if (!t->coloured) {
        start_color();
        use_default_colors();
        t->coloured = true;
        t->depth = colour_depth();
    }
    for (int role = 0; role < ROLE_COUNT; role++) {
        Paint p = theme_paint(theme, (Role)role, t->depth);
        init_colours(role + 1, p.fore, p.back);
    }
    bkgd(COLOR_PAIR(ROLE_TEXT + 1));
    clearok(curscr, TRUE);
}

static attr_t attributes(const Term *t, Theme theme, Role role)
{
    unsigned a = theme_style(theme, role).attrs;
    /* dim is a colour there */
    bool grey = t->coloured && theme != THEME_MONO && t->depth != COLOURS_8;
    return (a & ATTR_BOLD ? A_BOLD : 0) | (a & ATTR_UNDERLINE ? A_UNDERLINE : 0) |
           (a & ATTR_REVERSE ? A_REVERSE : 0) | (a & ATTR_DIM && !grey ? A_DIM : 0);
}

/* What curses is given for a cell, L'\0' for nothing: it places characters by the widths of libc;
 * where these are not the canvas's (an older Unicode), U+FFFD stands for the character. */
static wchar_t drawable(const Canvas *c, int y, int x)
{
    const Cell *cell = &c->cells[y * c->cols + x];
    if (cell->ch < 0x80)
        return cell->ch                                      ? (wchar_t)cell->ch
               : x > 0 && wcwidth((wchar_t)cell[-1].ch) != 2 ? L' '
                                                             : L'\0';
    int width = x + 1 < c->cols && cell[1].ch == 0 ? 2 : 1;
    return wcwidth((wchar_t)cell->ch) == width ? (wchar_t)cell->ch : L'\xfffd';
}

void term_draw(Term *t, const Canvas *c, Theme theme, bool cursor)
{
    attr_t attrs[ROLE_COUNT];
    bool colours = theme != THEME_MONO && has_colors();
    set_colours(t, theme);
    for (int role = 0; role < ROLE_COUNT; role++)
        attrs[role] = attributes(t, theme, (Role)role);
    t->row = xrealloc(t->row, (size_t)c->cols * sizeof *t->row);
    for (int y = 0; y < c->rows; y++) {
        int n = 0;
        for (int x = 0; x < c->cols; x++) {
            const Cell *cell = &c->cells[y * c->cols + x];
            wchar_t text[3] = {drawable(c, y, x), (wchar_t)cell->mark, L'\0'};
            short pair = (short)(colours ? cell->role + 1 : 0);
            if (text[0])
                setcchar(&t->row[n++], text, attrs[cell->role], pair, NULL);
        }
        mvadd_wchnstr(y, 0, t->row, n);
    }
    curs_set(cursor && c->cursor_y >= 0);
    if (c->cursor_y >= 0)
        move(c->cursor_y, c->cursor_x);
    wnoutrefresh(stdscr);
    doupdate();
}

void term_redraw(Term *t)
{
    (void)t;
    clearok(curscr, TRUE);
}

/* ---- events ---- */

/* Curses resizes by itself on SIGWINCH; where that got lost, the size is asked for. */
static bool size_changed(Term *t)
{
    struct winsize w;
    if (ioctl(t->in, TIOCGWINSZ, &w) == 0 && w.ws_row > 0 && w.ws_col > 0 &&
        (w.ws_row != LINES || w.ws_col != COLS))
        resizeterm(w.ws_row, w.ws_col);
    int rows = 0, cols = 0;
    getmaxyx(stdscr, rows, cols);
    bool changed = rows != t->rows || cols != t->cols;
    t->rows = rows;
    t->cols = cols;
    return changed;
}

void term_suspend(Term *t)
{
    leave_screen();
    signal(SIGTSTP, SIG_DFL);
    sigprocmask(SIG_SETMASK, &t->unblocked, NULL);
    kill(0, SIGTSTP); /* the whole job, as the terminal's Ctrl-Z would */
    catch_signals(t);
    caught_stop = caught_continue = 0;
    refresh();
    enter_screen(t);
    term_redraw(t);
    size_changed(t);
}

void term_forget_keys(Term *t)
{
    (void)t;
    flushinp();
}

static bool hung_up(const Term *t)
{
    struct pollfd p = {.fd = t->in, .events = POLLIN};
    return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* One key if there is one now. */
static TermEvent read_key(Term *t, char key[KEY_NAME_MAX], Buf *paste)
{
    bool any = false;
    TermEvent event = term_key(t->keys, key, paste, &any);
    if (any)
        t->empty_reads = 0;
    if (event == TERM_RESIZE)
        size_changed(t);
    return event;
}

/* Flags of signals as events. */
static TermEvent pending_signal(Term *t)
{
    if (caught_end)
        return TERM_END;
    if (caught_stop) {
        caught_stop = 0;
        return TERM_SUSPEND;
    }
    if (caught_continue) { /* stopped by SIGSTOP: the modes may be another's */
        caught_continue = 0;
        reset_prog_mode();
        enter_screen(t);
        term_redraw(t);
        size_changed(t);
        return TERM_RESIZE;
    }
    return TERM_IDLE;
}

TermEvent term_wait(Term *t, int milliseconds, char key[KEY_NAME_MAX], Buf *paste)
{
    fd_set in;
    struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    TermEvent event = read_key(t, key, paste); /* what curses has read ahead */
    if (event != TERM_IDLE)
        return event;
    FD_ZERO(&in);
    FD_SET(t->in, &in);
    int n = pselect(t->in + 1, &in, NULL, NULL, &timeout, &t->unblocked);
    event = pending_signal(t);
    if (event != TERM_IDLE)
        return event;
    if (caught_interrupt)
        return TERM_IDLE;
    event = read_key(t, key, paste);
    if (event != TERM_IDLE)
        return event;
    if (n > 0 && (hung_up(t) || ++t->empty_reads >= EMPTY_READS))
        return TERM_END;
    return size_changed(t) ? TERM_RESIZE : TERM_IDLE;
}
