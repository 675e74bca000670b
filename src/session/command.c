#include "session/command.h"
#include "session/story.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/option.h"
#include "session/vcd.h"

/* A step longer than this is a run that the caller's loop advances. */
static const uint64_t step_at_once = 1u << 18;

static const char *skip_blanks(const char *t)
{
    while (isspace((unsigned char)*t))
        t++;
    return t;
}

const char *command_word(const char **line, size_t *len)
{
    *line = skip_blanks(*line);
    *len = 0;
    while ((*line)[*len] && !isspace((unsigned char)(*line)[*len]))
        (*len)++;
    return skip_blanks(*line + *len);
}

bool command_is_run(const char *line)
{
    size_t len = 0;
    command_word(&line, &len);
    return len == 3 && (strncmp(line, "run", 3) == 0 || strncmp(line, "rev", 3) == 0);
}

/* A count: decimal digits, `otherwise` when absent. */
static bool parse_count(const char *args, const char *what, uint64_t otherwise, uint64_t *n,
                        Err *err)
{
    char *end = NULL;
    *n = otherwise;
    if (!*args)
        return true;
    errno = 0;
    *n = isdigit((unsigned char)*args) ? strtoull(args, &end, 10) : 0;
    if (!end || *end)
        return err_set(err, "%s %s: must be a whole number%s", what, args,
                       *args == '-' ? ", not below 0" : "");
    if (errno || *n > INT64_MAX)
        return err_set(err, "%s %s: at most %lld", what, args, (long long)INT64_MAX);
    return true;
}

/* "+N", "-N" or "N". */
static bool parse_move(const char *args, const char *what, int64_t *n, Err *err)
{
    enum { MOST = 1000000 };
    char *end = NULL;
    *n = 1;
    if (!*args)
        return true;
    errno = 0;
    *n = strtoll(args, &end, 10);
    if (end == args || *end)
        return err_set(err, "%s %s: must be +N or -N", what, args);
    if (errno || *n < -MOST || *n > MOST)
        return err_set(err, "%s %s: at most %d at once", what, args, MOST);
    return true;
}

static bool go_to(Session *s, uint64_t cycle)
{
    if (cycle > engine_cycle(session_engine(s)) + step_at_once)
        session_run_to(s, cycle);
    else
        session_goto(s, cycle);
    return true;
}

static bool run_step(Session *s, const char *args, Buf *out, Err *err)
{
    uint64_t n = 0, now = engine_cycle(session_engine(s));
    (void)out;
    if (!parse_count(args, "step", 1, &n, err))
        return false;
    if (n > (uint64_t)INT64_MAX - now)
        return err_set(err, "step %s: too far", args);
    return go_to(s, now + n);
}

static bool run_back(Session *s, const char *args, Buf *out, Err *err)
{
    uint64_t n = 0;
    (void)out;
    if (!parse_count(args, "back", 1, &n, err))
        return false;
    session_back(s, n);
    return true;
}

static bool run_state(Session *s, const char *args, Buf *out, Err *err)
{
    int64_t n = 0;
    (void)out;
    if (!parse_move(args, "state", &n, err))
        return false;
    session_move_state(s, n);
    return true;
}

static bool run_token(Session *s, const char *args, Buf *out, Err *err)
{
    int64_t n = 0;
    (void)out;
    if (!parse_move(args, "token", &n, err))
        return false;
    session_move_token(s, n);
    return true;
}

static bool run_goto(Session *s, const char *args, Buf *out, Err *err)
{
    uint64_t cycle = 0;
    (void)out;
    if (!*args)
        return err_set(err, "goto: needs a cycle");
    return parse_count(args, "goto", 0, &cycle, err) && go_to(s, cycle);
}

/* The condition behind an optional `until`. */
static const char *until_of(const char *args)
{
    size_t len = 0;
    const char *rest = command_word(&args, &len);
    return len == 5 && strncmp(args, "until", 5) == 0 ? rest : args;
}

static bool run_run(Session *s, const char *args, Buf *out, Err *err)
{
    (void)out;
    return session_run(s, until_of(args), err);
}

static bool run_rev(Session *s, const char *args, Buf *out, Err *err)
{
    (void)out;
    return session_run_back(s, until_of(args), err);
}

static bool run_break(Session *s, const char *args, Buf *out, Err *err)
{
    int id = 0, count = 0;
    if (*args) {
        if (!session_break(s, args, &id, err))
            return false;
        const Break *set = session_breaks(s, &count);
        while (set->id != id)
            set++;
        buf_printf(out, "breakpoint %d: %s\n", id, expr_text(set->expr));
        return true;
    }
    const Break *b = session_breaks(s, &count);
    for (int i = 0; i < count; i++)
        buf_printf(out, "%d  %s  (%llu hits)\n", b[i].id, expr_text(b[i].expr),
                   (unsigned long long)b[i].hits);
    if (count == 0)
        buf_text(out, "no breakpoints; break EXPR sets one\n");
    return true;
}

static bool run_delete(Session *s, const char *args, Buf *out, Err *err)
{
    uint64_t id = 0;
    int count = 0;
    (void)out;
    if (*args)
        return parse_count(args, "delete", 0, &id, err) &&
               (id > INT32_MAX ? err_set(err, "delete %s: no such breakpoint", args)
                               : session_unbreak(s, (int)id, err));
    for (const Break *b = session_breaks(s, &count); count > 0; b = session_breaks(s, &count))
        session_unbreak(s, b[0].id, NULL);
    return true;
}

/* "NAME HEX VALUE" of one element; of more "NAME HEX HEX ...", a row of a matrix a line, a part of
 * one as NAME[2..3]. */
static void print_span(const Engine *e, const Signal *s, int first, int count, Buf *out)
{
    char name[64], hex[16], value[32];
    if (count == 1) {
        signal_element_name(e, s, first, name, sizeof name);
        signal_hex(e, s, signal_get(e, s, first), hex, sizeof hex);
        signal_value(s, signal_get(e, s, first), value, sizeof value);
        buf_printf(out, "%s %s %s\n", name, hex, value);
        return;
    }
    int cols = signal_dim(e, s, signal_rank(s) - 1), end = first + count;
    for (int i = first; i < end;) {
        int from = i % cols, to = end - i < cols - from ? from + end - i - 1 : cols - 1;
        buf_text(out, s->path);
        if (signal_rank(s) > 1)
            buf_printf(out, "[%d]", i / cols);
        if (to - from + 1 < cols)
            buf_printf(out, "[%d..%d]", from, to);
        for (int k = from; k <= to; k++, i++) {
            signal_hex(e, s, signal_get(e, s, i), hex, sizeof hex);
            buf_printf(out, " %s", hex);
        }
        buf_text(out, "\n");
    }
}

/* An element, or all of the signal when at is -1. */
static void print_signal(const Engine *e, const Signal *s, int at, Buf *out)
{
    print_span(e, s, at < 0 ? 0 : at, at < 0 ? signal_count(e, s) : 1, out);
}

static bool run_watch(Session *s, const char *args, Buf *out, Err *err)
{
    int count = 0;
    if (*args)
        return session_watch(s, args, err);
    const Watch *w = session_watches(s, &count);
    for (int i = 0; i < count; i++)
        print_signal(session_engine(s), w[i].signal, w[i].at, out);
    if (count == 0)
        buf_text(out, "no watches; watch NAME adds one\n");
    return true;
}

static bool run_unwatch(Session *s, const char *args, Buf *out, Err *err)
{
    (void)out;
    return session_unwatch(s, args, err);
}

static bool run_get(Session *s, const char *args, Buf *out, Err *err)
{
    const Signal *signal = NULL;
    int first = 0, count = 0;
    if (!span_parse(args, session_engine(s), &signal, &first, &count, err))
        return false;
    print_span(session_engine(s), signal, first, count, out);
    return true;
}

static bool run_set(Session *s, const char *args, Buf *out, Err *err)
{
    const Signal *signal = NULL;
    int at = 0;
    int32_t raw = 0;
    size_t len = 0;
    char name[64];
    const Engine *e = session_engine(s);
    (void)out;
    const char *value = command_word(&args, &len);
    snprintf(name, sizeof name, "%.*s", len < sizeof name ? (int)len : 63, args);
    if (!*value)
        return err_set(err, "set: needs NAME and VALUE");
    if (!element_parse(name, e, &signal, &at, err) || !raw_parse(value, e, signal, &raw, err))
        return false;
    if (at < 0)
        return err_set(err, "set %s: needs the index of one element", name);
    if (!session_set(s, signal, at, raw, err))
        return false;
    print_signal(e, signal, at, out);
    return true;
}

static bool run_undo(Session *s, const char *args, Buf *out, Err *err)
{
    (void)args;
    if (!session_undo(s, err))
        return false;
    buf_printf(out, "%s\n", session_note(s));
    return true;
}

static bool run_edits(Session *s, const char *args, Buf *out, Err *err)
{
    char name[64], before[16], after[16];
    int count = 0;
    const Engine *e = session_engine(s);
    const Edit *edits = session_edits(s, &count);
    (void)args, (void)err;
    for (int i = 0; i < count; i++) {
        signal_element_name(e, edits[i].signal, edits[i].at, name, sizeof name);
        signal_hex(e, edits[i].signal, edits[i].before, before, sizeof before);
        signal_hex(e, edits[i].signal, edits[i].after, after, sizeof after);
        buf_printf(out, "cycle %llu  %s  %s -> %s\n", (unsigned long long)edits[i].cycle, name,
                   before, after);
    }
    if (count == 0)
        buf_text(out, "nothing has been edited\n");
    return true;
}

static bool run_where(Session *s, const char *args, Buf *out, Err *err)
{
    const Setup *setup = session_setup(s);
    const Engine *e = session_engine(s);
    (void)args, (void)err;
    buf_printf(
        out, "%s %s  token %d  cycle %llu  %s\n", setup->config.preset,
        config_variant_name(setup->config.variant), session_host(s)->token,
        (unsigned long long)engine_cycle(e),
        signal_state_name(signal_at(SIG_TOP_STATE), signal_get(e, signal_at(SIG_TOP_STATE), 0)));
    return true;
}

/* Alone: what the coming edge will do; with an element: how it got its value. */
static bool run_why(Session *s, const char *args, Buf *out, Err *err)
{
    const Engine *e = session_engine(s);
    const Signal *signal = NULL;
    int at = 0;
    if (*args) {
        if (!element_parse(args, e, &signal, &at, err))
            return false;
        if (at < 0)
            return err_set(err, "why %s: needs the index of one element", args);
        story_text(s, signal, at, out);
        buf_text(out, "\n");
        return true;
    }
    Operation ops[EXPLAIN_OPS];
    int n = explain_clock(e, session_spare(s), ops);
    for (int i = 0; i < n; i++) {
        explain_text(e, &ops[i], out);
        buf_text(out, "\n");
    }
    if (n == 0)
        buf_text(out, "the coming edge changes nothing\n");
    return true;
}

static bool run_hash(Session *s, const char *args, Buf *out, Err *err)
{
    (void)args, (void)err;
    buf_printf(out, "%016llx\n", (unsigned long long)engine_hash(session_engine(s)));
    return true;
}

static bool run_vcd(Session *s, const char *args, Buf *out, Err *err)
{
    char path[256], from[24];
    size_t len = 0, from_len = 0;
    VcdOptions o = {.to = engine_cycle(session_engine(s))};
    VcdWindow written = {0};
    const char *rest = command_word(&args, &len);
    if (len == 0)
        return err_set(err, "vcd: needs the name of a file");
    if (len >= sizeof path)
        return err_set(err, "vcd: a name of more than %zu characters", sizeof path - 1);
    snprintf(path, sizeof path, "%.*s", (int)len, args);
    if (*rest) {
        const char *to = command_word(&rest, &from_len);
        snprintf(from, sizeof from, "%.*s", (int)from_len, rest);
        if (!*to)
            return err_set(err, "vcd: needs FROM and TO, or neither");
        if (!parse_count(from, "vcd: from", 0, &o.from, err) ||
            !parse_count(to, "vcd: to", 0, &o.to, err))
            return false;
    }
    if (!vcd_write(s, &o, path, &written, err))
        return false;
    buf_printf(out, "%s: cycles %llu to %llu\n", path, (unsigned long long)written.from,
               (unsigned long long)written.to);
    return true;
}

static bool run_last_write(Session *s, const char *args, Buf *out, Err *err)
{
    const Signal *signal = NULL;
    int at = 0;
    (void)out;
    if (!element_parse(args, session_engine(s), &signal, &at, err))
        return false;
    if (at < 0)
        return err_set(err, "lastwrite %s: needs the index of one element", args);
    uint64_t cycle = session_last_write(s, signal, at);
    if (cycle == 0)
        return err_set(err, "lastwrite %s: nothing has stored it yet", args);
    session_goto(s, cycle);
    return true;
}

static bool run_signals(Session *s, const char *args, Buf *out, Err *err)
{
    const Engine *e = session_engine(s);
    (void)err;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *g = signal_at((SignalId)id);
        if (!signal_exists(e, g) || (*args && !strstr(g->path, args)))
            continue;
        char shape[32] = "";
        if (signal_rank(g) == 1)
            snprintf(shape, sizeof shape, "[%d]", signal_dim(e, g, 0));
        else if (signal_rank(g) == 2)
            snprintf(shape, sizeof shape, "[%d][%d]", signal_dim(e, g, 0), signal_dim(e, g, 1));
        buf_printf(out, "%s%-*s %2d bits  %s\n", g->path, 24 - (int)strlen(g->path), shape,
                   signal_width(e, g), g->help);
    }
    return true;
}

static bool restart_with(Session *s, Setup *setup, Err *err)
{
    if (!setup_check(setup, err))
        return false;
    session_restart(s, setup);
    return true;
}

static bool run_preset(Session *s, const char *args, Buf *out, Err *err)
{
    Setup setup = *session_setup(s);
    (void)out;
    return setup_preset_over(&setup, args, err) && restart_with(s, &setup, err);
}

/* "KEY=VALUE KEY=VALUE ..." */
static bool set_pairs(Setup *setup, const char *args, Err *err)
{
    while (*args) {
        size_t len = 0;
        const char *rest = command_word(&args, &len);
        char pair[512];
        snprintf(pair, sizeof pair, "%.*s", len < sizeof pair ? (int)len : 511, args);
        char *eq = strchr(pair, '=');
        if (!eq)
            return err_set(err, "config %s: must be KEY=VALUE", pair);
        *eq = '\0';
        if (!setup_set(setup, pair, eq + 1, false, err))
            return false;
        args = rest;
    }
    return true;
}

static bool run_config(Session *s, const char *args, Buf *out, Err *err)
{
    Setup setup;
    if (!*args) {
        const Config *c = &session_setup(s)->config;
        for (int k = 0; option_at(k); k++) {
            char text[OPTION_CHARS];
            option_text(option_at(k), c, text);
            if (option_told(option_at(k), c))
                buf_printf(out, "%s=%s\n", option_at(k)->key, text);
        }
        return true;
    }
    setup_copy(&setup, session_setup(s));
    bool ok = set_pairs(&setup, args, err) && restart_with(s, &setup, err);
    for (int m = 0; ok && m < WEIGHT_MATRICES && strstr(args, "=t2:"); m++)
        setup_report_patch(&setup, (WeightId)m, out);
    setup_free(&setup);
    return ok;
}

/* The last output as the host reads it: "e 0.412  i 0.173 ...". */
static void print_top(const Session *s, Buf *out)
{
    Guess best[5];
    int n = session_model(s)->vocab_size - 1 < 5 ? session_model(s)->vocab_size - 1 : 5;
    if (!session_top(s, best, n))
        return;
    buf_printf(out, "after token %d:", session_output(s));
    for (int i = 0; i < n; i++)
        buf_printf(out, "  %c %.4f", session_model(s)->vocab[best[i].letter], best[i].p);
    buf_text(out, "\n");
}

static bool run_text(Session *s, const char *args, Buf *out, Err *err)
{
    if (!session_model(s))
        return err_set(
            err,
            "text: there is no model; open FILE brings one (assets/words-repaired.safetensors)");
    if (*args) {
        Setup setup = *session_setup(s);
        if (!setup_text(&setup, args, err))
            return false;
        return restart_with(s, &setup, err);
    }
    buf_text(out, "text ");
    for (int t = 0; t <= session_host(s)->token; t++)
        buf_printf(out, "%c", session_letter(s, t));
    buf_text(out, "\n");
    print_top(s, out);
    return true;
}

static bool run_help(Session *s, const char *args, Buf *out, Err *err)
{
    bool found = false;
    (void)s;
    for (const SessionCommand *c = session_commands; c->name; c++) {
        if (*args && strcmp(args, c->name) != 0)
            continue;
        buf_printf(out, "%s %-*s %s\n", c->name, 24 - (int)strlen(c->name), c->args, c->summary);
        found = true;
    }
    Suggest near;
    char hint[SUGGEST_TEXT];
    suggest_begin(&near, args, strlen(args));
    command_offer(&near);
    return found || err_set(err, "help %s: there is no command of that name; %shelp lists them",
                            args, suggest_text(&near, hint));
}

const SessionCommand session_commands[] = {
    {"step", "[N]", "N clock cycles forward", run_step, true},
    {"back", "[N]", "N clock cycles back, at most to reset", run_back, true},
    {"state", "+N|-N", "to the N-th next or previous change of the top FSM", run_state, true},
    {"token", "+N|-N", "to the start of the N-th next or previous token", run_token, true},
    {"goto", "C", "to cycle C", run_goto, true},
    {"run", "[until EXPR]", "forward to a breakpoint, or until EXPR", run_run, true},
    {"rev", "[until EXPR]", "backward to a breakpoint, or until EXPR", run_rev, true},
    {"lastwrite", "NAME[i]", "back to the edge that stored an element last", run_last_write, true},
    {"break", "[EXPR]", "stop runs where EXPR becomes true; alone: list", run_break, false},
    {"delete", "[N]", "delete breakpoint N, or all", run_delete, false},
    {"watch", "[NAME]", "show a signal or an element all the time; alone: list", run_watch, false},
    {"unwatch", "NAME", "stop watching it", run_unwatch, false},
    {"get", "NAME", "print a signal: element, part (q[2..5], K[0]), vector or matrix", run_get,
     false},
    {"set", "NAME VALUE", "poke an element; marked, journalled, undoable", run_set, false},
    {"undo", "", "take the last edit back", run_undo, false},
    {"edits", "", "the journal of edits", run_edits, false},
    {"where", "", "preset, variant, token, cycle and state", run_where, false},
    {"why", "[NAME[i]]", "what the coming edge does; or how an element got its value", run_why,
     false},
    {"hash", "", "digest of the whole state, 16 hex digits", run_hash, false},
    {"vcd", "FILE [FROM TO]", "write cycles FROM to TO (or all up to now) as a VCD file", run_vcd,
     false},
    {"signals", "[PART]", "list the signals (whose name contains PART)", run_signals, false},
    {"preset", "NAME", "begin again as deck, minus8 or repaired", run_preset, false},
    {"config", "[KEY=VALUE...]", "begin again with other parameters or ffn_w2=t2:FILE; alone: list",
     run_config, false},
    {"text", "[WORD]", "begin again with a word for the model; alone: text and next letters",
     run_text, false},
    {"help", "[NAME]", "the commands", run_help, false},
    {0},
};

void command_offer(Suggest *s)
{
    for (const SessionCommand *c = session_commands; c->name; c++)
        suggest_offer(s, c->name);
}

bool session_exec(Session *s, const char *line, Buf *out, Err *err)
{
    size_t len = 0;
    char args[512];
    const char *rest = command_word(&line, &len);
    if (strlen(rest) >= sizeof args)
        return err_set(err, "%.*s: more than %zu characters behind it", (int)len, line,
                       sizeof args - 1);
    snprintf(args, sizeof args, "%s", rest);
    for (size_t n = strlen(args); n > 0 && isspace((unsigned char)args[n - 1]); n--)
        args[n - 1] = '\0';
    for (const SessionCommand *c = session_commands; len && c->name; c++) {
        if (strlen(c->name) != len || strncmp(c->name, line, len) != 0)
            continue;
        if (*args && !*c->args)
            return err_set(err, "%s %s: %s stands alone", c->name, args, c->name);
        if (c->moves && !session_may_move(s, err))
            return false;
        return c->run(s, args, out, err);
    }
    Suggest near;
    char hint[SUGGEST_TEXT];
    suggest_begin(&near, line, len);
    command_offer(&near);
    return err_set(err, "%.*s: no such command; %shelp lists them", (int)len, line,
                   suggest_text(&near, hint));
}
