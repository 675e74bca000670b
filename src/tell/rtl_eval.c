/* The expressions that stand in conditions of rtl/: names, numbers, casts, indices and the usual
 * operators, on 64-bit integers. Everything else is "not known", which is an answer too. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/option.h"
#include "tell/rtl_private.h"

enum { DEPTH = 12 }; /* of names that stand for other expressions */

typedef struct Parser {
    const RtlScope *scope;
    const char *at;
    int depth;
} Parser;

static const RtlValue unknown = {false, 0};

static RtlValue known(int64_t v)
{
    return (RtlValue){true, v};
}

static RtlValue ternary(Parser *p);

/* ---- names ---- */

static bool is_name(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_';
}

static bool same(const char *text, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(text, name, n) == 0;
}

static bool find_path(const RtlScope *s, const char *path, SignalId *id)
{
    for (int i = 0; i < SIG_WEIGHTS; i++) {
        const Signal *signal = signal_at((SignalId)i);
        if (signal_exists(s->e, signal) && strcmp(signal_rtl(s->e, signal), path) == 0) {
            *id = (SignalId)i;
            return true;
        }
    }
    return false;
}

/* The wire is a register of another module, or a pin: follow it there. */
static bool find_wire(const RtlScope *s, const char *name, size_t n, SignalId *id, int depth)
{
    RtlScope where;
    const char *text = NULL;
    char path[128];
    if (n > 2 && name[n - 2] == '_' && strchr("qd", name[n - 1])) {
        snprintf(path, sizeof path, "%s%.*sq", s->instance, (int)n - 1, name);
        return find_path(s, path, id);
    }
    if (depth < DEPTH && rtl_driver(s, name, n, &where, &text)) {
        text += strspn(text, " ");
        size_t length = 0;
        while (is_name(text[length]))
            length++;
        const char *end = text + length + strspn(text + length, " ,");
        bool alone = *end == ')' || *end == ';' || (*end == '(' && text[-1] == '.');
        return length > 0 && alone && find_wire(&where, text, length, id, depth + 1);
    }
    snprintf(path, sizeof path, "%.*s", (int)n, name);
    return !*s->instance && find_path(s, path, id);
}

bool rtl_find_signal(const RtlScope *s, const char *name, size_t n, SignalId *id)
{
    return find_wire(s, name, n, id, 0);
}

/* ---- parameters ---- */

/* The vector Options: every mode at the bit that the package gives it. */
static RtlValue option_bits(const RtlScope *s)
{
    int64_t bits = 0;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        const char *name = o->rtl;
        if (!option_is_bit(o))
            continue;
        RtlValue bit = rtl_evaluate(s, &name);
        if (!bit.known)
            return unknown;
        bits |= (int64_t)(option_get(o, engine_config(s->e)) != 0) << bit.v;
    }
    return known(bits);
}

static RtlValue parameter(const RtlScope *s, const char *name, size_t n)
{
    const Config *c = engine_config(s->e);
    int value = 0;
    if (option_rtl_value(c, name, n, &value))
        return known(value);
    if (same(name, n, "OnArray")) /* one module for two variants */
        return known(c->variant == VARIANT_ARRAY);
    return same(name, n, "Options") ? option_bits(s) : unknown;
}

/* S_NAME: its place among the FSM's states. */
static RtlValue state_constant(const RtlScope *s, const char *name, size_t n)
{
    const Signal *fsm = s->fsm == SIG_COUNT ? NULL : signal_in(s->e, s->fsm);
    for (int i = 0; fsm && n > 2 && memcmp(name, "S_", 2) == 0 && fsm->names[i]; i++) {
        if (same(name + 2, n - 2, fsm->names[i]))
            return known(i);
    }
    return unknown;
}

/* ---- the grammar ---- */

static bool eat(Parser *p, const char *token)
{
    p->at += strspn(p->at, " ");
    size_t n = strlen(token);
    if (strncmp(p->at, token, n) != 0)
        return false;
    p->at += n;
    return true;
}

/* NAME[index] or NAME[high:low] of a word; only element indices of vectors. */
static RtlValue indexed(Parser *p, RtlValue word, bool vector, const Signal *signal)
{
    RtlValue index = ternary(p), low = index;
    bool range = eat(p, ":");
    if (range)
        low = ternary(p);
    if (!eat(p, "]") || !index.known || !low.known || low.v < 0 || index.v < low.v)
        return unknown;
    if (vector) {
        bool inside = !range && index.v < signal_count(p->scope->e, signal);
        return inside ? known(signal_get(p->scope->e, signal, (int)index.v)) : unknown;
    }
    if (!word.known || index.v - low.v > 31)
        return unknown;
    return known(word.v >> low.v & (((int64_t)1 << (index.v - low.v + 1)) - 1));
}

static RtlValue named(Parser *p, const char *name, size_t n)
{
    const RtlScope *s = p->scope;
    SignalId id = SIG_COUNT;
    RtlValue v = parameter(s, name, n);
    const Signal *signal = NULL;
    if (!v.known)
        v = state_constant(s, name, n);
    bool next = n > 2 && memcmp(name + n - 2, "_d", 2) == 0; /* of a register: not yet there */
    if (!v.known && !next && rtl_find_signal(s, name, n, &id)) {
        signal = signal_at(id);
        if (signal_count(s->e, signal) == 1)
            v = known(signal_get(s->e, signal, 0));
    }
    if (!v.known && !signal && p->depth < DEPTH) {
        RtlScope where;
        const char *text = NULL;
        if (rtl_driver(s, name, n, &where, &text)) {
            Parser inner = {&where, text, p->depth + 1};
            v = ternary(&inner);
        }
    }
    bool vector = signal && signal_count(s->e, signal) > 1;
    return eat(p, "[") ? indexed(p, v, vector, signal) : v;
}

/* Digits behind 16'h, 5'd, 1'b, '... */
static RtlValue based(Parser *p)
{
    char *end = NULL;
    p->at += *p->at == 's';
    int base = *p->at == 'h' ? 16 : *p->at == 'd' ? 10 : *p->at == 'b' ? 2 : 0;
    if (base == 0)
        return unknown;
    long v = strtol(p->at + 1, &end, base);
    if (end == p->at + 1)
        return unknown;
    p->at = end;
    return known(v);
}

static RtlValue parenthesis(Parser *p)
{
    RtlValue v = ternary(p);
    return eat(p, ")") ? v : unknown;
}

static RtlValue clog2(RtlValue x, int64_t least)
{
    int64_t n = least;
    while (x.known && ((int64_t)1 << n) < x.v)
        n++;
    return (RtlValue){x.known, n};
}

/* A name, a number, a cast (its width is wide enough: the text was written so), a parenthesis. */
static RtlValue primary(Parser *p)
{
    p->at += strspn(p->at, " ");
    if (eat(p, "("))
        return parenthesis(p);
    if (eat(p, "$signed("))
        return parenthesis(p);
    if (eat(p, "$clog2("))
        return clog2(parenthesis(p), 0);
    if (eat(p, "index_width(")) /* of the package: at least one bit */
        return clog2(parenthesis(p), 1);
    if (eat(p, "'0"))
        return known(0);
    const char *name = p->at;
    size_t n = 0;
    while (is_name(name[n]))
        n++;
    p->at += n;
    if (n == 0)
        return unknown;
    if (eat(p, "'("))
        return parenthesis(p);
    if (*p->at == '\'') {
        p->at++;
        return based(p);
    }
    if (isdigit((unsigned char)*name))
        return known(strtol(name, NULL, 10));
    return named(p, name, n);
}

static RtlValue unary(Parser *p)
{
    p->at += strspn(p->at, " ");
    if (p->at[0] == '!' && p->at[1] != '=') {
        p->at++;
        RtlValue v = unary(p);
        return (RtlValue){v.known, !v.v};
    }
    if (eat(p, "-")) {
        RtlValue v = unary(p);
        return (RtlValue){v.known, -v.v};
    }
    return primary(p);
}

static int64_t apply(const char *op, int64_t a, int64_t b)
{
    switch (op[0]) {
    case '*':
        return a * b;
    case '/':
        return b ? a / b : 0;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '<':
        return op[1] ? a <= b : a < b;
    case '>':
        return op[1] ? a >= b : a > b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '&':
        return a && b;
    default:
        return a || b;
    }
}

/* Binary operators by level, the weakest first; longer spellings before their beginnings. */
static RtlValue binary(Parser *p, int level)
{
    static const char *const ops[][5] = {
        {"||", NULL},     {"&&", NULL},     {"==", "!=", NULL}, {"<=", ">=", "<", ">", NULL},
        {"+", "-", NULL}, {"*", "/", NULL},
    };
    enum { LEVELS = sizeof ops / sizeof *ops };
    if (level == LEVELS)
        return unary(p);
    RtlValue a = binary(p, level + 1);
    for (int i = 0; ops[level][i]; i++) {
        if (!eat(p, ops[level][i]))
            continue;
        RtlValue b = binary(p, level + 1);
        bool decided = (level == 0 && ((a.known && a.v) || (b.known && b.v))) ||
                       (level == 1 && ((a.known && !a.v) || (b.known && !b.v)));
        if (decided)
            a = known(level == 0);
        else
            a = a.known && b.known ? known(apply(ops[level][i], a.v, b.v)) : unknown;
        i = -1; /* the next one of this level */
    }
    return a;
}

static RtlValue ternary(Parser *p)
{
    RtlValue v = binary(p, 0);
    if (!eat(p, "?"))
        return v;
    RtlValue yes = ternary(p);
    if (!eat(p, ":"))
        return unknown;
    RtlValue no = ternary(p);
    return !v.known ? unknown : v.v ? yes : no;
}

RtlValue rtl_evaluate(const RtlScope *scope, const char **text)
{
    Parser p = {scope, *text, 0};
    RtlValue v = ternary(&p);
    *text = p.at;
    return v;
}
