/* Completion is made from the tables: of the argument in which the cursor stands, its words and
 * what its kind allows. */
#include "tui/input/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/option.h"

typedef struct Offer {
    const Commands *commands;
    const Engine *engine;
    WordFn add;
    void *context;
} Offer;

static void offer(const Offer *o, const char *word)
{
    o->add(o->context, word);
}

static void offer_list(const Offer *o, const char *const *words)
{
    for (; *words; words++)
        offer(o, *words);
}

static void offer_signals(const Offer *o)
{
    const Engine *e = o->engine;
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (signal_exists(e, s))
            offer(o, s->path);
    }
}

static void offer_commands(const Offer *o)
{
    const Commands *all = o->commands;
    for (int i = 0; i < all->count; i++) {
        for (const Command *c = all->table[i].rows; c->name; c++) {
            if (commands_mean(all, c))
                offer(o, c->name);
        }
    }
}

/* The last word before the blank or operator in front of `start`. */
static size_t word_before(const char *line, size_t start, const char **word)
{
    size_t end = start;
    while (end > 0 && strchr(" =!<>", line[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && !strchr(" =!<>", line[begin - 1]))
        begin--;
    *word = line + begin;
    return end - begin;
}

static void offer_states(const Offer *o, const char *word, size_t len)
{
    const Signal *s = signal_find(o->engine, word, len);
    int states[SIGNAL_STATES];
    int n = s && s->type == TYPE_STATE ? signal_states(o->engine, s, states) : 0;
    for (int k = 0; k < n; k++)
        offer(o, s->names[states[k]]);
}

/* A condition: a signal, then an operator or an adjective, then a state of that signal. */
static void offer_condition(const Offer *o, const char *line, size_t start)
{
    static const char *const after_signal[] = {"==", "!=",      "<",         "<=",    ">",
                                               ">=", "changes", "saturates", "wraps", NULL};
    static const char *const after_any[] = {"saturates", "wraps", NULL};
    static const char *const joins[] = {"and", "or", NULL};
    const char *word = NULL;
    char path[64];
    size_t len = word_before(line, start, &word);
    if (start > 0 && strchr("=<>", line[start - 1])) { /* `top.state ==D` */
        offer_states(o, word, len);
        return;
    }
    size_t operator_at = start;
    while (operator_at > 0 && line[operator_at - 1] == ' ')
        operator_at--;
    bool after_operator = operator_at > 0 && strchr("=<>", line[operator_at - 1]);
    snprintf(path, sizeof path, "%.*s", len < sizeof path ? (int)len : 0, word);
    path[strcspn(path, "[")] = '\0';
    if (after_operator)
        offer_states(o, word, len);
    else if (signal_find(o->engine, path, strlen(path)))
        offer_list(o, after_signal);
    else if (!strcmp(path, "changes") || !strcmp(path, "saturates") || !strcmp(path, "wraps"))
        offer_list(o, joins);
    else if (!strcmp(path, "any"))
        offer_list(o, after_any);
    else {
        offer_signals(o);
        offer(o, "any");
    }
}

static void offer_config(const Offer *o, const char *line, size_t start)
{
    const char *word = NULL;
    char key[40];
    size_t len = word_before(line, start, &word);
    if (start == 0 || line[start - 1] != '=') {
        for (int k = 0; option_at(k); k++) {
            snprintf(key, sizeof key, "%s=", option_at(k)->key);
            offer(o, key);
        }
        return;
    }
    snprintf(key, sizeof key, "%.*s", (int)len, word);
    const Option *option = option_find(key);
    if (option && option->names)
        offer_list(o, option->names);
}

/* The argument that begins at byte `start`; behind the last one, that again. NULL: none is taken.
 */
static const Arg *arg_at(const Command *c, const char *args, const char *start)
{
    const Arg *arg = c->args;
    size_t len = 0;
    while (arg->kind && arg[1].kind) {
        const char *rest = command_word(&args, &len);
        if (args + len >= start)
            break;
        args = rest;
        arg++;
    }
    return arg->kind ? arg : NULL;
}

/* The words that the table has for it; the lead only where the arguments begin. */
static void offer_words(const Offer *o, const Arg *arg, bool first)
{
    char word[ARG_TEXT_MAX];
    for (int i = 0; arg_word(arg, i, word); i++)
        offer(o, word);
    if (arg->offer)
        arg->offer(o->add, o->context);
    if (arg->lead && first)
        offer(o, arg->lead);
}

/* What its kind allows. */
static void offer_kind(const Offer *o, const Arg *arg, const char *line, size_t start)
{
    const char *word = NULL;
    size_t len = word_before(line, start, &word);
    switch (arg->kind) {
    case ARG_SIGNAL:
    case ARG_ELEMENT:
    case ARG_SPAN:
    case ARG_SOUGHT:
        offer_signals(o);
        break;
    case ARG_VALUE: /* of a state: its name */
        offer_states(o, word, len);
        break;
    case ARG_MOVE:
        offer(o, "+N");
        offer(o, "-N");
        break;
    case ARG_EXPR:
        offer_condition(o, line, start);
        break;
    case ARG_PARAMETER:
        offer_config(o, line, start);
        break;
    case ARG_COMMAND:
        offer_commands(o);
        break;
    default:
        break;
    }
}

bool complete_words(const Commands *commands, const char *line, size_t start, WordFn add,
                    void *context)
{
    Offer o = {commands, session_engine(commands->session), add, context};
    size_t lead = strspn(line, " ");
    const char *args = NULL;
    if (start <= lead) {
        offer_commands(&o);
        return true;
    }
    line += lead;
    start -= lead;
    const Command *c = commands_find(commands, line, &args);
    const Arg *arg = c ? arg_at(c, args, line + start) : NULL;
    if (!arg)
        return true;
    if (arg->kind == ARG_FILE && (!arg->offer || strchr(line + start, '/')))
        return false;
    offer_words(&o, arg, args >= line + start);
    offer_kind(&o, arg, line, start);
    return true;
}

bool complete_goes_on(const Session *s, const char *word)
{
    size_t n = strlen(word);
    const Signal *signal = n ? signal_find(session_engine(s), word, n) : NULL;
    return (n && word[n - 1] == '=') || (signal && signal_rank(signal) > 0);
}
