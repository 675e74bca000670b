/* Lines of commands: which row of which table a line means, its arguments, and help. All of it is
 * read from the rows; command.c has the session's own. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/command.h"

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

/* ---- tables ---- */

void commands_begin(Commands *all, Session *s)
{
    *all = (Commands){.session = s};
    commands_add(all, session_commands, s);
}

void commands_add(Commands *all, const Command *rows, void *room)
{
    assert(all->count < COMMAND_TABLES);
    all->table[all->count].rows = rows;
    all->table[all->count++].room = room;
}

const Command *command_find(const Command *rows, const char *word, size_t len)
{
    for (const Command *c = rows; len && c->name; c++) {
        if (strlen(c->name) == len && strncmp(c->name, word, len) == 0)
            return c;
    }
    return NULL;
}

const Command *commands_find(const Commands *all, const char *line, const char **args)
{
    size_t len = 0;
    const Command *c = NULL;
    const char *rest = command_word(&line, &len);
    if (args)
        *args = rest;
    for (int i = all->count; !c && i-- > 0;)
        c = command_find(all->table[i].rows, line, len);
    return c;
}

bool commands_mean(const Commands *all, const Command *c)
{
    return commands_find(all, c->name, NULL) == c;
}

void *commands_room(const Commands *all, const Command *c)
{
    for (int i = 0; i < all->count; i++) {
        if (command_find(all->table[i].rows, c->name, strlen(c->name)) == c)
            return all->table[i].room;
    }
    return NULL;
}

void command_offer(const Command *rows, Suggest *s)
{
    for (const Command *c = rows; c->name; c++)
        suggest_offer(s, c->name);
}

bool command_has(const Command *c, unsigned effect)
{
    return c && (c->effects & effect);
}

/* ---- what help writes ---- */

bool arg_word(const Arg *arg, int i, char out[ARG_TEXT_MAX])
{
    const char *const lists[] = {arg->words, arg->or_words};
    for (size_t k = 0; k < 2; k++) {
        for (const char *w = lists[k]; w && *w; i--) {
            size_t n = strcspn(w, "|");
            if (i == 0 && strcmp(w, "...") != 0) {
                snprintf(out, ARG_TEXT_MAX, "%.*s", (int)n, w);
                return true;
            }
            w += n + (w[n] == '|');
        }
    }
    return false;
}

/* "until EXPR", "on|off", "up|down|NAME[i]" */
static void add_arg(const Arg *arg, Buf *text)
{
    const char *const parts[] = {arg->words, arg->name, arg->or_words};
    const char *between = "";
    if (arg->lead)
        buf_printf(text, "%s ", arg->lead);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i])
            buf_printf(text, "%s%s", between, parts[i]);
        between = parts[i] ? "|" : between;
    }
}

const char *command_synopsis(const Command *c, char out[ARG_TEXT_MAX])
{
    Buf text = {0};
    bool open = false;
    for (const Arg *arg = c->args; arg->kind; arg++) {
        buf_text(&text, arg == c->args ? "" : " ");
        buf_text(&text, arg->optional && !open ? "[" : "");
        open |= arg->optional;
        add_arg(arg, &text);
    }
    snprintf(out, ARG_TEXT_MAX, "%s%s", buf_str(&text), open ? "]" : "");
    buf_free(&text);
    return out;
}

bool commands_help(const Commands *all, const char *name, Buf *out, Err *err)
{
    bool found = false;
    char synopsis[ARG_TEXT_MAX], hint[SUGGEST_TEXT];
    Suggest near;
    suggest_begin(&near, name, strlen(name));
    for (int i = 0; i < all->count; i++) {
        for (const Command *c = all->table[i].rows; c->name; c++) {
            if (!commands_mean(all, c) || (*name && strcmp(name, c->name) != 0))
                continue;
            buf_printf(out, "%s %-*s %s\n", c->name, 24 - (int)strlen(c->name),
                       command_synopsis(c, synopsis), c->summary);
            found = true;
        }
        command_offer(all->table[i].rows, &near);
    }
    return found || err_set(err, "help %s: there is no command of that name; %shelp lists them",
                            name, suggest_text(&near, hint));
}

/* ---- arguments ---- */

/* "vcd: from" of its second argument; of the first one the command alone. */
static void label_of(const Command *c, const Arg *arg, char *out, size_t size)
{
    int n = snprintf(out, size, "%s", c->name);
    if (arg == c->args)
        return;
    snprintf(out + n, size - (size_t)n, ": %s", arg->name);
    for (char *p = out + n; *p; p++)
        *p = (char)tolower((unsigned char)*p);
}

static bool refuse(const Command *c, const Arg *arg, const char *text, Err *err)
{
    Buf list = {0};
    char label[ARG_TEXT_MAX], word[ARG_TEXT_MAX], after[ARG_TEXT_MAX];
    label_of(c, arg, label, sizeof label);
    for (int i = 0; arg_word(arg, i, word); i++) {
        bool last = !arg_word(arg, i + 1, after);
        buf_printf(&list, "%s%s", i == 0 ? "" : last ? " or " : ", ", word);
    }
    err_set(err, "%s %s: must be %s", label, text, arg->must_be ? arg->must_be : buf_str(&list));
    buf_free(&list);
    return false;
}

/* Decimal digits. */
static bool read_count(const char *label, const char *text, uint64_t *n, Err *err)
{
    char *end = NULL;
    errno = 0;
    *n = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!end || *end)
        return err_set(err, "%s %s: must be a whole number%s", label, text,
                       *text == '-' ? ", not below 0" : "");
    if (errno || *n > INT64_MAX)
        return err_set(err, "%s %s: at most %lld", label, text, (long long)INT64_MAX);
    return true;
}

/* "+N", "-N" or "N". */
static bool read_move(const char *label, const char *text, int64_t *n, Err *err)
{
    enum { MOST = 1000000 };
    char *end = NULL;
    errno = 0;
    *n = strtoll(text, &end, 10);
    if (end == text || *end)
        return err_set(err, "%s %s: must be +N or -N", label, text);
    if (errno || *n < -MOST || *n > MOST)
        return err_set(err, "%s %s: at most %d at once", label, text, MOST);
    return true;
}

/* A signal, and of ARG_ELEMENT the index with it. */
static bool read_element(const Commands *all, const Command *c, const Arg *arg, ArgValue *v,
                         Err *err)
{
    if (!element_parse(v->text, session_engine(all->session), &v->signal, &v->at, err))
        return arg->must_be && !strpbrk(v->text, ".[") ? refuse(c, arg, v->text, err)
                                                       : false; /* meant as one: its own reason */
    return arg->kind == ARG_SIGNAL || v->at >= 0 ||
           err_set(err, "%s %s: needs the index of one element", c->name, v->text);
}

static int word_index(const Arg *arg, const char *text)
{
    char word[ARG_TEXT_MAX];
    for (int i = 0; arg_word(arg, i, word); i++) {
        if (strcmp(word, text) == 0)
            return i;
    }
    return -1;
}

static bool read_arg(const Commands *all, const Command *c, Args *a, int i, Err *err)
{
    const Arg *arg = &c->args[i];
    const Engine *e = session_engine(all->session);
    ArgValue *v = &a->value[i];
    char label[ARG_TEXT_MAX];
    v->word = word_index(arg, v->text);
    if (v->word >= 0 || (!*v->text && (arg->optional || arg->kind == ARG_MOVE)))
        return true;
    label_of(c, arg, label, sizeof label);
    switch (arg->kind) {
    case ARG_WORD:
        return refuse(c, arg, v->text, err);
    case ARG_COUNT:
    case ARG_CYCLE:
        return read_count(label, v->text, &v->count, err);
    case ARG_MOVE:
        return read_move(label, v->text, &v->move, err);
    case ARG_SIGNAL:
    case ARG_ELEMENT:
        return read_element(all, c, arg, v, err);
    case ARG_SPAN:
        return span_parse(v->text, e, &v->signal, &v->at, &v->span, err);
    case ARG_VALUE:
        return raw_parse(v->text, e, a->value[i - 1].signal, &v->raw, err);
    default:
        return true;
    }
}

/* Without its lead. */
static const char *behind_lead(const Arg *arg, const char *text)
{
    size_t len = 0;
    const char *rest = command_word(&text, &len);
    bool there = arg->lead && strlen(arg->lead) == len && strncmp(arg->lead, text, len) == 0;
    return there ? rest : text;
}

/* Each argument but the last is a word. The whole text is kept, and a copy in which every word ends
 * with a NUL; tabs are of pasted lines or of files. */
static void split(Args *a, const Command *c, const char *text)
{
    text = skip_blanks(text);
    size_t n = strlen(text), len = 0;
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    buf_add(&a->kept, text, n);
    buf_add(&a->kept, "", 1);
    buf_add(&a->kept, text, n);
    buf_add(&a->kept, "", 1);
    for (size_t i = 0; i < a->kept.len; i++)
        a->kept.data[i] = a->kept.data[i] == '\t' ? ' ' : a->kept.data[i];
    a->text = a->kept.data;
    const char *at = a->text + n + 1;
    for (int i = 0; i < ARGS_MAX && c->args[i].kind; i++) {
        const char *rest = c->args[i + 1].kind ? command_word(&at, &len) : at + strlen(at);
        if (c->args[i + 1].kind)
            a->kept.data[(at - a->kept.data) + (ptrdiff_t)len] = '\0';
        a->value[i] = (ArgValue){.text = behind_lead(&c->args[i], at), .word = -1, .count = 1};
        a->value[i].move = 1;
        at = rest;
    }
}

bool args_read(Args *a, const Commands *all, const Command *c, const char *text, Err *err)
{
    enum { MOST = 511 };
    *a = (Args){.known = all};
    if (strlen(text) > MOST && !command_has(c, ANY_LENGTH))
        return err_set(err, "%s: more than %d characters behind it", c->name, MOST);
    split(a, c, text);
    if (*a->text && !c->args[0].kind)
        return err_set(err, "%s %s: %s stands alone", c->name, a->text, c->name);
    for (int i = 0; c->args[i].kind; i++) {
        if (!*a->value[i].text && c->args[i].needs)
            return err_set(err, "%s: needs %s", c->name, c->args[i].needs);
    }
    for (int i = 0; c->args[i].kind; i++) {
        if (!read_arg(all, c, a, i, err))
            return false;
    }
    return true;
}

void args_free(Args *a)
{
    buf_free(&a->kept);
}

bool command_run(const Commands *all, const Command *c, const char *args, Buf *out, Err *err)
{
    Args a;
    bool moves = command_has(c, MOVES) || (command_has(c, RESTARTS) && *args);
    if (moves && !session_may_move(all->session, err))
        return false;
    bool ok = args_read(&a, all, c, args, err) && c->run(commands_room(all, c), &a, out, err);
    args_free(&a);
    return ok;
}

bool session_exec(Session *s, const char *line, Buf *out, Err *err)
{
    Commands all;
    Suggest near;
    size_t len = 0;
    const char *args = NULL;
    char hint[SUGGEST_TEXT];
    commands_begin(&all, s);
    const Command *c = commands_find(&all, line, &args);
    if (c)
        return command_run(&all, c, args, out, err);
    (void)command_word(&line, &len);
    suggest_begin(&near, line, len);
    command_offer(session_commands, &near);
    return err_set(err, "%.*s: no such command; %shelp lists them", (int)len, line,
                   suggest_text(&near, hint));
}
