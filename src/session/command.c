#include "session/command.h"
#include "session/story.h"

#include <stdio.h>
#include <string.h>

#include "engine/option.h"
#include "session/vcd.h"

/* A step longer than this is a run that the caller's loop advances. */
static const uint64_t step_at_once = 1u << 18;

static bool go_to(Session *s, uint64_t cycle)
{
    if (cycle > engine_cycle(session_engine(s)) + step_at_once)
        session_run_to(s, cycle);
    else
        session_goto(s, cycle);
    return true;
}

static bool run_step(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    uint64_t n = a->value[0].count, now = engine_cycle(session_engine(s));
    (void)out;
    if (n > (uint64_t)INT64_MAX - now)
        return err_set(err, "step %s: too far", a->text);
    return go_to(s, now + n);
}

static bool run_back(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out, (void)err;
    session_back(s, a->value[0].count);
    return true;
}

/* A move that ends where it began says why. */
static void say_standing(const Session *s, uint64_t before, int64_t by, Buf *out)
{
    if (engine_cycle(session_engine(s)) == before && by != 0)
        buf_text(out, by > 0 ? "there are no more tokens: nothing happens from here on\n"
                             : "this is the beginning\n");
}

static bool run_state(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    uint64_t before = engine_cycle(session_engine(s));
    (void)err;
    session_move_state(s, a->value[0].move);
    say_standing(s, before, a->value[0].move, out);
    return true;
}

static bool run_token(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    uint64_t before = engine_cycle(session_engine(s));
    (void)err;
    session_move_token(s, a->value[0].move);
    say_standing(s, before, a->value[0].move, out);
    return true;
}

static bool run_goto(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out, (void)err;
    return go_to(s, a->value[0].count);
}

static bool run_run(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out;
    return session_run(s, a->value[0].text, err);
}

static bool run_rev(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out;
    return session_run_back(s, a->value[0].text, err);
}

static bool run_break(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    int id = 0, count = 0;
    if (*a->text) {
        if (!session_break(s, a->text, &id, err))
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

static bool run_delete(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    uint64_t id = a->value[0].count;
    int count = 0;
    (void)out;
    if (*a->text)
        return id > INT32_MAX ? err_set(err, "delete %s: no such breakpoint", a->text)
                              : session_unbreak(s, (int)id, err);
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

static bool run_watch(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    int count = 0;
    if (*a->text)
        return session_watch(s, a->text, err);
    const Watch *w = session_watches(s, &count);
    for (int i = 0; i < count; i++)
        print_signal(session_engine(s), w[i].signal, w[i].at, out);
    if (count == 0)
        buf_text(out, "no watches; watch NAME adds one\n");
    return true;
}

static bool run_unwatch(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out;
    return session_unwatch(s, a->text, err);
}

static bool run_get(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const ArgValue *v = &a->value[0];
    (void)err;
    print_span(session_engine(s), v->signal, v->at, v->span, out);
    return true;
}

static bool run_set(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const ArgValue *v = &a->value[0];
    if (!session_set(s, v->signal, v->at, a->value[1].raw, err))
        return false;
    print_signal(session_engine(s), v->signal, v->at, out);
    return true;
}

static bool run_undo(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)a;
    if (!session_undo(s, err))
        return false;
    buf_printf(out, "%s\n", session_note(s));
    return true;
}

static bool run_edits(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    char name[64], before[16], after[16];
    int count = 0;
    const Engine *e = session_engine(s);
    const Edit *edits = session_edits(s, &count);
    (void)a, (void)err;
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

static bool run_where(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const Setup *setup = session_setup(s);
    const Engine *e = session_engine(s);
    (void)a, (void)err;
    buf_printf(
        out, "%s %s  token %d  cycle %llu  %s\n", setup->config.preset,
        config_variant_name(setup->config.variant), session_host(s)->token,
        (unsigned long long)engine_cycle(e),
        signal_state_name(signal_at(SIG_TOP_STATE), signal_get(e, signal_at(SIG_TOP_STATE), 0)));
    return true;
}

/* Alone: what the coming edge will do; with an element: how it got its value. */
static bool run_why(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const Engine *e = session_engine(s);
    if (*a->text) {
        story_text(s, a->value[0].signal, a->value[0].at, out);
        buf_text(out, "\n");
        return true;
    }
    Operation ops[EXPLAIN_OPS];
    if (!session_may_move(s, err)) /* it would tell what a move shows */
        return false;
    int n = explain_clock(e, session_spare(s), ops);
    for (int i = 0; i < n; i++) {
        if (session_hushed(s))
            operation_hush(&ops[i]);
        explain_text(e, &ops[i], out);
        buf_text(out, "\n");
    }
    if (n == 0)
        buf_text(out, "the coming edge changes nothing\n");
    return true;
}

static bool run_hash(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)a, (void)err;
    buf_printf(out, "%016llx\n", (unsigned long long)engine_hash(session_engine(s)));
    return true;
}

static bool run_vcd(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const ArgValue *path = &a->value[0], *from = &a->value[1], *to = &a->value[2];
    VcdOptions o = {.to = engine_cycle(session_engine(s))};
    VcdWindow written = {0};
    if (*from->text && !*to->text)
        return err_set(err, "vcd: needs FROM and TO, or neither");
    if (*from->text)
        o.from = from->count, o.to = to->count;
    if (!vcd_write(s, &o, path->text, &written, err))
        return false;
    buf_printf(out, "%s: cycles %llu to %llu\n", path->text, (unsigned long long)written.from,
               (unsigned long long)written.to);
    return true;
}

static bool run_last_write(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    (void)out;
    uint64_t cycle = session_last_write(s, a->value[0].signal, a->value[0].at);
    if (cycle == 0)
        return err_set(err, "lastwrite %s: nothing has stored it yet", a->text);
    session_goto(s, cycle);
    return true;
}

static bool run_signals(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    const Engine *e = session_engine(s);
    (void)err;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *g = signal_at((SignalId)id);
        if (!signal_exists(e, g) || !strstr(g->path, a->text))
            continue;
        char shape[32] = "";
        if (signal_rank(g) == 1)
            snprintf(shape, sizeof shape, "[%d]", signal_dim(e, g, 0));
        else if (signal_rank(g) == 2)
            snprintf(shape, sizeof shape, "[%d][%d]", signal_dim(e, g, 0), signal_dim(e, g, 1));
        buf_printf(out, "%s%-*s %2d bits  %s\n", g->path, 24 - (int)strlen(g->path), shape,
                   signal_width(e, g), signal_help(e, g));
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

static bool run_preset(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    Setup setup = *session_setup(s);
    (void)out;
    return setup_preset_over(&setup, a->text, err) && restart_with(s, &setup, err);
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

static bool run_config(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    Setup setup;
    if (!*a->text) {
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
    bool ok = set_pairs(&setup, a->text, err) && restart_with(s, &setup, err);
    for (int m = 0; ok && m < WEIGHT_MATRICES && strstr(a->text, "=t2:"); m++)
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

static bool run_text(void *room, const Args *a, Buf *out, Err *err)
{
    Session *s = room;
    if (!session_model(s))
        return err_set(
            err,
            "text: there is no model; open FILE brings one (assets/words-repaired.safetensors)");
    if (*a->text) {
        Setup setup = *session_setup(s);
        if (!setup_text(&setup, a->text, err))
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

static bool run_help(void *room, const Args *a, Buf *out, Err *err)
{
    (void)room;
    return commands_help(a->known, a->text, out, err);
}

static void offer_presets(WordFn add, void *context)
{
    for (int i = 0; config_presets[i]; i++)
        add(context, config_presets[i]);
}

/* A command's name and arguments, then what it does. */
/* clang-format off */
const Command session_commands[] = {
    {"step", {{ARG_COUNT, "N", .optional = true}},
     "N clock cycles forward", MOVES, run_step},
    {"back", {{ARG_COUNT, "N", .optional = true}},
     "N clock cycles back, at most to reset", MOVES, run_back},
    {"state", {{ARG_MOVE, .name = "+N|-N"}},
     "to the N-th next or previous change of the top FSM", MOVES, run_state},
    {"token", {{ARG_MOVE, .name = "+N|-N"}},
     "to the start of the N-th next or previous token", MOVES, run_token},
    {"goto", {{ARG_CYCLE, "C", .needs = "a cycle"}},
     "to cycle C", MOVES, run_goto},
    {"run", {{ARG_EXPR, "EXPR", .lead = "until", .optional = true}},
     "forward to a breakpoint, or until EXPR", MOVES | RUNS_UNTIL, run_run},
    {"rev", {{ARG_EXPR, "EXPR", .lead = "until", .optional = true}},
     "backward to a breakpoint, or until EXPR", MOVES | RUNS_UNTIL, run_rev},
    {"lastwrite", {{ARG_ELEMENT, .name = "NAME[i]"}},
     "back to the edge that stored an element last", MOVES, run_last_write},
    {"break", {{ARG_EXPR, "EXPR", .optional = true}},
     "stop runs where EXPR becomes true; alone: list", 0, run_break},
    {"delete", {{ARG_COUNT, "N", .optional = true}},
     "delete breakpoint N, or all", 0, run_delete},
    {"watch", {{ARG_SIGNAL, "NAME", .optional = true}},
     "show a signal or an element all the time; alone: list", WATCHES, run_watch},
    {"unwatch", {{ARG_SIGNAL, .name = "NAME"}},
     "stop watching it", UNWATCHES, run_unwatch},
    {"get", {{ARG_SPAN, .name = "NAME"}},
     "print a signal: element, part (q[2..5], K[0]), vector or matrix", 0, run_get},
    {"set", {{ARG_ELEMENT, "NAME", .needs = "NAME and VALUE"},
             {ARG_VALUE, "VALUE", .needs = "NAME and VALUE"}},
     "poke an element; marked, journalled, undoable", 0, run_set},
    {"undo", {{0}}, "take the last edit back", 0, run_undo},
    {"edits", {{0}}, "the journal of edits", 0, run_edits},
    {"where", {{0}}, "preset, variant, token, cycle and state", 0, run_where},
    {"why", {{ARG_ELEMENT, "NAME[i]", .optional = true}},
     "what the coming edge does; or how an element got its value", 0, run_why},
    {"hash", {{0}}, "digest of the whole state, 16 hex digits", 0, run_hash},
    {"vcd", {{ARG_FILE, "FILE", .needs = "the name of a file"},
             {ARG_CYCLE, "FROM", .optional = true},
             {ARG_CYCLE, "TO", .optional = true}},
     "write cycles FROM to TO (or all up to now) as a VCD file", SAVES, run_vcd},
    {"signals", {{ARG_TEXT, "PART", .optional = true}},
     "list the signals (whose name contains PART)", 0, run_signals},
    {"preset", {{ARG_TEXT, "NAME", .offer = offer_presets}},
     "begin again as deck, minus8 or repaired", RESTARTS, run_preset},
    {"config", {{ARG_PARAMETER, "KEY=VALUE...", .optional = true}},
     "begin again with other parameters or ffn_w2=t2:FILE; alone: list", RESTARTS, run_config},
    {"text", {{ARG_TEXT, "WORD", .optional = true}},
     "begin again with a word for the model; alone: text and next letters", RESTARTS, run_text},
    {"help", {{ARG_COMMAND, "NAME", .optional = true}}, "the commands", 0, run_help},
    {0},
};
/* clang-format on */
