#include "tui/input/lineedit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>
#include <wchar.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/glyph.h"
#include "base/mem.h"
#include "base/xdg.h"
#include "tui/input/completion.h"

enum { HISTORY_LINES = 1000, ABORT = 7 /* Ctrl-G */ };

/* Readline's callbacks carry no context: this is theirs (design.md 3.8). */
static LineEdit *bridge;
static volatile sig_atomic_t interrupted;

/* ---- completion ---- */

typedef struct Words {
    const char *prefix;
    char **list;
    int count, next;
} Words;

static void add_word(void *context, const char *word)
{
    Words *w = context;
    if (strncmp(word, w->prefix, strlen(w->prefix)) != 0)
        return;
    w->list = xrealloc(w->list, (size_t)(w->count + 2) * sizeof *w->list);
    w->list[w->count++] = xstrdup(word);
    w->list[w->count] = NULL;
}

/* The matches as readline wants them: first what they have in common, then each. */
static char **with_common_start(Words *w)
{
    char **all = xmalloc((size_t)(w->count + 2) * sizeof *all);
    size_t same = strlen(w->list[0]);
    for (int i = 1; i < w->count; i++) {
        size_t n = 0;
        while (n < same && w->list[i][n] == w->list[0][n])
            n++;
        same = n;
    }
    all[0] = xstrdup(w->list[0]);
    all[0][same] = '\0';
    memcpy(all + 1, w->list, (size_t)(w->count + 1) * sizeof *all);
    if (w->count == 1) {
        free(all[1]);
        all[1] = NULL;
    }
    return all;
}

static char **attempt(const char *text, int start, int end)
{
    Words w = {.prefix = text};
    (void)end;
    bool file = !complete_words(bridge->commands, rl_line_buffer, (size_t)start, add_word, &w);
    rl_attempted_completion_over = !file;
    if (w.count == 0)
        return NULL;
    char **matches = with_common_start(&w);
    rl_completion_suppress_append =
        !matches[1] && complete_goes_on(bridge->commands->session, matches[0]);
    free(w.list);
    return matches;
}

static void display_matches(char **matches, int count, int longest)
{
    Buf b = {0};
    (void)longest;
    for (int i = 1; i <= count; i++)
        buf_printf(&b, "%s%s", i > 1 ? "  " : "", matches[i]);
    bridge->show(bridge->context, buf_str(&b));
    buf_free(&b);
}

/* ---- common set-up ---- */

static void set_up(void)
{
    rl_readline_name = "tokstep";
    rl_attempted_completion_function = attempt;
    rl_completer_word_break_characters = " \t\n=!<>";
    rl_completion_query_items = -1; /* never ask */
    rl_change_environment = 0;
    stifle_history(HISTORY_LINES);
    clear_history();
    if (bridge->history && read_history(bridge->history) == 0 && history_length == HISTORY_LINES)
        history_truncate_file(bridge->history, HISTORY_LINES);
    using_history();
    rl_initialize();
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("page-completions", "off");
    rl_variable_bind("show-all-if-ambiguous", "on");
}

/* ---- for a screen ---- */

static int next_byte(FILE *stream)
{
    (void)stream;
    if (bridge->queue_at >= bridge->queue.len)
        return ABORT; /* a command that insists on another key: none is there */
    return (unsigned char)bridge->queue.data[bridge->queue_at++];
}

static int byte_waits(void)
{
    return bridge->queue_at < bridge->queue.len;
}

static void no_redisplay(void) /* lineedit_text shows the line */
{
}

static void entered(char *line)
{
    free(bridge->line);
    bridge->line = line;
    bridge->eof = line == NULL;
}

void lineedit_begin(LineEdit *e, const char *prompt)
{
    bridge = e;
    if (!rl_outstream || rl_outstream == stdout) {
        rl_outstream = fopen("/dev/null", "w");
        rl_instream = fopen("/dev/null", "r");
    }
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_persistent_signal_handlers = 0;
    rl_prep_term_function = NULL;
    rl_deprep_term_function = NULL;
    rl_getc_function = next_byte;
    rl_input_available_hook = byte_waits;
    rl_redisplay_function = no_redisplay;
    rl_completion_display_matches_hook = display_matches;
    set_up();
    rl_variable_bind("enable-bracketed-paste", "off");
    rl_variable_bind("enable-keypad", "off");
    rl_variable_bind("show-mode-in-prompt", "off");
    rl_callback_handler_install(prompt, entered);
}

void lineedit_label(const char *prompt)
{
    rl_set_prompt(prompt);
}

/* Out of a search that is not incremental (M-p) or a numeric argument (M-5), back to the line.
 * Both put the prompt aside, and readline does not put it back when they are broken off; of such a
 * search it also loses the context and the edits of what was looked for. */
static void break_off(void)
{
    bool searches = RL_ISSTATE(RL_STATE_NSEARCH) != 0;
    bool prompt_is_aside = searches || RL_ISSTATE(RL_STATE_NUMERICARG);
    if (searches)
        rl_free_undo_list();
    rl_callback_sigcleanup();
    if (searches)
        rl_maybe_unsave_line();
    if (prompt_is_aside) {
        rl_restore_prompt();
        rl_clear_message();
    }
}

static void forget_line(void)
{
    break_off();
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_point = 0;
}

void lineedit_end(LineEdit *e)
{
    if (bridge == e) {
        forget_line(); /* a search may be going on */
        rl_replace_line("", 1);
        lineedit_key(e, "Enter"); /* so readline lets go of what it kept for the line */
        rl_callback_handler_remove();
        bridge = NULL;
    }
    free(e->line);
    e->line = NULL;
    buf_free(&e->queue);
}

/* The bytes that a terminal sends for a key. */
static void key_bytes(const char *key, Buf *out)
{
    static const struct {
        const char *key, *bytes;
    } table[] = {
        {"space", " "},      {"Tab", "\t"},      {"Enter", "\r"},    {"BS", "\177"},
        {"Del", "\033[3~"},  {"Ins", "\033[2~"}, {"Up", "\033[A"},   {"Down", "\033[B"},
        {"Right", "\033[C"}, {"Left", "\033[D"}, {"Home", "\033[H"}, {"End", "\033[F"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(key, table[i].key) == 0) {
            buf_text(out, table[i].bytes);
            return;
        }
    }
    size_t n = strlen(key);
    if (n == 3 && key[1] == '-' && key[0] == 'C')
        buf_add(out, &(char){(char)(key[2] & 0x1f)}, 1);
    else if (n == 3 && key[1] == '-' && key[0] == 'M')
        buf_printf(out, "\033%c", key[2]);
    else if (n == 1 || (key[0] & 0x80)) /* a plain character */
        buf_text(out, key);
}

/* A search that is not incremental forgets the list of a line's edits without freeing it. */
static void forget_undo(void)
{
    HIST_ENTRY *entry = current_history();
    rl_free_undo_list();
    if (entry)
        entry->data = NULL;
}

/* Does the key end a search that is not incremental without a line? */
static bool leaves_search(const LineEdit *e, const char *key)
{
    bool erases = strcmp(key, "BS") == 0 || strcmp(key, "C-h") == 0;
    bool enters = strcmp(key, "Enter") == 0 && !e->sought;
    return RL_ISSTATE(RL_STATE_NSEARCH) &&
           (strcmp(key, "C-g") == 0 || (erases && rl_point == 0) || (enters && rl_end == 0));
}

void lineedit_key(LineEdit *e, const char *key)
{
    if (strcmp(key, "C-c") == 0) {
        forget_line();
        return;
    }
    if (leaves_search(e, key)) {
        break_off();
        rl_point = e->point < rl_end ? e->point : rl_end;
        return;
    }
    if (strcmp(key, "M-p") == 0 || strcmp(key, "M-n") == 0) {
        forget_undo();
        e->point = rl_point;
    }
    e->sought |= RL_ISSTATE(RL_STATE_NSEARCH) && strcmp(key, "Enter") == 0;
    if (RL_ISSTATE(RL_STATE_NUMERICARG) && strcmp(key, "M--") == 0) {
        break_off(); /* a sign begins another argument, whose prompt is put aside anew */
        rl_explicit_arg = 0;
        rl_numeric_arg = 1;
    }
    buf_clear(&e->queue);
    e->queue_at = 0;
    key_bytes(key, &e->queue);
    while (byte_waits())
        rl_callback_read_char();
}

bool lineedit_searching(void)
{
    return RL_ISSTATE(RL_STATE_ISEARCH) != 0;
}

void lineedit_insert(LineEdit *e, const char *text)
{
    Buf b = {0};
    if (lineedit_searching()) /* the search keeps the line for itself */
        lineedit_key(e, "C-g");
    for (const char *t = text; *t; t++) {
        bool control = ((unsigned char)*t < 0x20 && *t != '\t') || *t == 0x7f;
        buf_add(&b, control ? " " : t, 1);
    }
    rl_insert_text(buf_str(&b));
    buf_free(&b);
}

char *lineedit_take(LineEdit *e)
{
    char *line = e->line;
    e->line = NULL;
    return line;
}

/* One character of s as columns of text: as it is, blanks for a tab, `^X` for a control character,
 * `?` when it has no column of its own. Returns its length in s. */
static size_t put_column(const char *s, size_t left, Buf *out, int *columns)
{
    wchar_t wc = 0;
    mbstate_t state = {0};
    size_t n = mbrtowc(&wc, s, left, &state);
    if (n == 0 || n == (size_t)-1 || n == (size_t)-2) {
        n = 1;
        wc = 0;
    }
    if (*s == '\t') { /* as far as a terminal goes */
        int stop = 8 - *columns % 8;
        buf_printf(out, "%*s", stop, "");
        *columns += stop;
        return 1;
    }
    if ((unsigned char)*s < 0x20) {
        char text[2] = {'^', (char)(*s + '@')};
        buf_add(out, text, 2);
        *columns += 2;
        return n;
    }
    int width = glyph_width((uint32_t)wc);
    if (width > 0)
        buf_add(out, s, n);
    else
        buf_text(out, "?");
    *columns += width > 0 ? width : 1;
    return n;
}

void lineedit_text(Buf *out, int *cursor)
{
    int columns = 0;
    const char *prompt = rl_display_prompt ? rl_display_prompt : "";
    for (size_t i = 0, n = strlen(prompt); i < n;) {
        bool invisible = prompt[i] == RL_PROMPT_START_IGNORE || prompt[i] == RL_PROMPT_END_IGNORE;
        i += invisible ? 1 : put_column(prompt + i, n - i, out, &columns);
    }
    *cursor = columns;
    for (size_t i = 0, n = (size_t)rl_end; i < n;) {
        if (i == (size_t)rl_point)
            *cursor = columns;
        i += put_column(rl_line_buffer + i, n - i, out, &columns);
    }
    if (rl_point >= rl_end)
        *cursor = columns;
}

/* ---- for a terminal of its own ---- */

static void on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
}

bool lineedit_interrupted(void)
{
    bool was = interrupted;
    interrupted = 0;
    return was;
}

static void begin_terminal(LineEdit *e)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    bridge = e;
    sigaction(SIGINT, &action, NULL);
    rl_persistent_signal_handlers = 1; /* readline cleans up, then passes the signal on to us */
    set_up();
}

/* Wait for a key; a signal is handled as soon as it comes. */
static void wait_for_key(void)
{
    struct timeval second = {1, 0}; /* a signal that came before select did */
    fd_set in;
    FD_ZERO(&in);
    FD_SET(STDIN_FILENO, &in);
    int n = select(STDIN_FILENO + 1, &in, NULL, NULL, &second);
    rl_check_signals();
    if (n > 0 && !interrupted)
        rl_callback_read_char();
}

char *lineedit_read(LineEdit *e, const char *prompt, bool *cleared)
{
    if (bridge != e)
        begin_terminal(e);
    interrupted = 0;
    e->eof = false;
    rl_callback_handler_install(prompt, entered);
    while (!e->line && !e->eof && !interrupted)
        wait_for_key();
    *cleared = lineedit_interrupted();
    if (*cleared) {
        forget_line();
        fputs("^C\n", rl_outstream);
        entered(xstrdup(""));
    }
    rl_callback_handler_remove();
    return lineedit_take(e);
}

/* ---- history ---- */

void lineedit_remember(const LineEdit *e, const char *line)
{
    line += strspn(line, " :"); /* as texts write commands: typed behind the prompt's own */
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!*line || (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    using_history(); /* the next line starts behind it */
    if (!e->history || append_history(1, e->history) == 0)
        return;
    xdg_make_parents(e->history, NULL);
    write_history(e->history);
}

void lineedit_history_path(Buf *out)
{
    xdg_path(XDG_DATA, "history", out);
}
