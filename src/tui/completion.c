/* Completion is made from the tables: the words before the cursor say which of them to offer. */
#include "tui/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/option.h"
#include "session/command.h"
#include "tui/state.h"

typedef struct Offer {
    const Session *session;
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
    const Engine *e = session_engine(o->session);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (signal_exists(e, s))
            offer(o, s->path);
    }
}

static void offer_commands(const Offer *o, bool screen)
{
    for (const ScreenCommand *c = screen_commands; screen && c->name; c++)
        offer(o, c->name);
    for (const SessionCommand *c = session_commands; c->name; c++) {
        if (!screen || strcmp(c->name, "help") != 0) /* help is in both tables */
            offer(o, c->name);
    }
}

/* What `args` of the command's table entry says of its arguments. */
static const char *command_args(const char *word, size_t len, bool screen)
{
    for (const ScreenCommand *c = screen_commands; screen && c->name; c++) {
        if (strlen(c->name) == len && strncmp(c->name, word, len) == 0)
            return c->args;
    }
    for (const SessionCommand *c = session_commands; c->name; c++) {
        if (strlen(c->name) == len && strncmp(c->name, word, len) == 0)
            return c->args;
    }
    return "";
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
    const Signal *s = signal_find(session_engine(o->session), word, len);
    if (s && s->type == TYPE_STATE)
        offer_list(o, s->names);
}

/* A condition: a signal, then an operator or an adjective, then a state of that signal. */
static void offer_condition(const Offer *o, const char *line, size_t start, bool until)
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
    else if (signal_find(session_engine(o->session), path, strlen(path)))
        offer_list(o, after_signal);
    else if (!strcmp(path, "changes") || !strcmp(path, "saturates") || !strcmp(path, "wraps"))
        offer_list(o, joins);
    else if (!strcmp(path, "any"))
        offer_list(o, after_any);
    else {
        offer_signals(o);
        offer(o, "any");
    }
    if (until && operator_at > 0 && len == strlen("run") && word == line)
        offer(o, "until");
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

/* `set NAME VALUE`: a state's name is a value. */
static void offer_set(const Offer *o, const char *line, size_t start)
{
    const char *word = NULL;
    size_t len = word_before(line, start, &word);
    if (word == line)
        offer_signals(o);
    else
        offer_states(o, word, len);
}

bool complete_words(const Session *s, bool screen, const char *line, size_t start, WordFn add,
                    void *context)
{
    Offer o = {s, add, context};
    size_t lead = strspn(line, " "), len = 0;
    if (start <= lead) {
        offer_commands(&o, screen);
        return true;
    }
    line += lead;
    start -= lead;
    while (line[len] && !isspace((unsigned char)line[len]))
        len++;
    const char *args = command_args(line, len, screen);
    bool lesson = len == 6 && strncmp(line, "lesson", 6) == 0 && screen;
    if (strstr(args, "FILE") || (lesson && strchr(line + start, '/')))
        return false;
    if (strstr(args, "VIEW")) {
        for (int i = 0; views[i]; i++)
            offer(&o, views[i]->name);
    } else if (strstr(args, "THEME")) {
        offer(&o, "auto");
        for (int i = 0; i < THEME_COUNT; i++)
            offer(&o, theme_name((Theme)i));
    } else if (strstr(args, "EXPR")) {
        offer_condition(&o, line, start, strstr(args, "until") != NULL);
    } else if (strstr(args, "KEY=VALUE")) {
        offer_config(&o, line, start);
    } else if (strstr(args, "NAME VALUE")) {
        offer_set(&o, line, start);
    } else if (len == 6 && strncmp(line, "preset", 6) == 0) {
        offer_list(&o, config_presets);
    } else if (lesson) {
        lesson_names(add, context);
        offer(&o, "off");
    } else if (len == 4 && strncmp(line, "help", 4) == 0) {
        offer_commands(&o, screen);
    } else if (strstr(args, "NAME")) {
        offer_signals(&o);
    } else if (strchr(args, '|')) { /* "[on|off]": the words themselves */
        char list[64];
        snprintf(list, sizeof list, "%s", args);
        for (char *w = strtok(list, "[]| "); w; w = strtok(NULL, "[]| ")) {
            if (!isupper((unsigned char)*w) && *w != '.') /* N, FORMAT, ... stand for others */
                offer(&o, w);
        }
    }
    return true;
}

bool complete_goes_on(const Session *s, const char *word)
{
    size_t n = strlen(word);
    const Signal *signal = n ? signal_find(session_engine(s), word, n) : NULL;
    return (n && word[n - 1] == '=') || (signal && signal_rank(signal) > 0);
}
