#include "session/expr.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "base/mem.h"
#include "base/printable.h"
#include "num/fixed_text.h"

typedef enum { OP_EQ, OP_NE, OP_LE, OP_GE, OP_LT, OP_GT, OP_CHANGES, OP_SATURATES, OP_WRAPS } Op;

static const char *const op_words[] = {"==", "!=",      "<=",        ">=",   "<",
                                       ">",  "changes", "saturates", "wraps"};
enum { OP_COUNT = sizeof op_words / sizeof *op_words, MAX_ATOMS = 16 };

/* One comparison or event. */
typedef struct Atom {
    const Signal *signal; /* NULL: any */
    int at;               /* -1: any element that the last edge stored */
    Op op;
    int32_t value;
    int32_t low; /* a comparison as low <= v <= low + span, */
    uint32_t span;
    bool outside;    /* or not that: no branches on the operator in a run's loop */
    bool simple;     /* a comparison of one element inside the engine */
    SignalSlot slot; /* of a single element */
    bool or_next;    /* `or` follows, which ends an and-group */
} Atom;

struct Expr {
    char *text;
    int count;
    bool pulse;
    Atom atoms[MAX_ATOMS];
};

/* ---- elements and values ---- */

static size_t path_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.')
        n++;
    return n;
}

/* One number of an index; decimal, or 0x. */
static bool take_index(const char **text, long *v)
{
    char *end = NULL;
    bool hex = strncmp(*text, "0x", 2) == 0;
    errno = 0;
    *v = strtol(*text, &end, hex ? 16 : 10);
    bool ok = isdigit((unsigned char)**text);
    *v = errno ? LONG_MAX : *v;
    *text = end;
    return ok;
}

/* As it was typed: it may be a number that no variable holds. */
static bool refuse_index(const Signal *s, int given, const char *typed, long low, int high,
                         Err *err)
{
    const char *which = signal_rank(s) == 1 ? "" : given > 0 ? "second " : "first ";
    int n = (int)strspn(typed, "0123456789abcdefABCDEFx");
    return err_set(err, "%s: %sindex %.*s%s must be %ld..%d", s->path, which, n < 40 ? n : 40,
                   typed, n > 40 ? "..." : "", low, high);
}

/* "[i]", "[i][j]" or "[i..j]" (the last one) behind a name; *text moves past it. Indices left out
 * stand for all. */
static bool take_indices(const char **text, const Engine *e, const Signal *s, int *first,
                         int *count, Err *err)
{
    int rank = signal_rank(s), given = 0;
    *first = 0;
    *count = signal_count(e, s);
    for (bool slice = false; **text == '[' && !slice; given++) {
        long from, to;
        const char *t = *text + 1, *typed_from = t, *typed_to = t;
        bool ok = given < rank && take_index(&t, &from);
        slice = ok && t[0] == '.' && t[1] == '.';
        to = ok ? from : 0;
        if (slice)
            typed_to = t += 2;
        if (!ok || (slice && !take_index(&t, &to)) || *t != ']')
            return err_set(err, "%s: %s", s->path,
                           rank == 0   ? "is one value, without an index"
                           : rank == 1 ? "has 1 dimension: [i] or [i..j]"
                                       : "has 2 dimensions: [i], [i][j] or [i][j..k]");
        int size = signal_dim(e, s, given);
        if (to >= size || from > to)
            return refuse_index(s, given, from < size ? typed_to : typed_from,
                                from < size ? from : 0L, size - 1, err);
        *count /= size;
        *first += (int)from * *count;
        *count *= (int)(to - from + 1);
        *text = t + 1;
    }
    return true;
}

const char *signal_hint(const Engine *e, const char *name, size_t n, char out[SUGGEST_TEXT])
{
    Suggest s;
    suggest_begin(&s, name, n);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *g = signal_at((SignalId)id);
        if (signal_exists(e, g))
            suggest_offer(&s, g->path);
    }
    return suggest_text(&s, out);
}

static bool take_span(const char **text, const Engine *e, const Signal **s, int *first, int *count,
                      Err *err)
{
    size_t n = path_length(*text);
    *s = n ? signal_find(e, *text, n) : NULL;
    if (!*s) {
        char hint[SUGGEST_TEXT];
        if (n)
            err_set(err, "%.*s: no such signal; %s`signals` in the console lists them", (int)n,
                    *text, signal_hint(e, *text, n, hint));
        else
            err_set(err, "%s: here must stand the name of a signal", **text ? *text : "(end)");
        return false;
    }
    *text += n;
    return take_indices(text, e, *s, first, count, err);
}

/* One element, or -1 for a whole vector. */
static bool take_element(const char **text, const Engine *e, const Signal **s, int *at, Err *err)
{
    int count = 0;
    const char *name = *text;
    if (!take_span(text, e, s, at, &count, err))
        return false;
    bool indexed = memchr(name, '[', (size_t)(*text - name)) != NULL;
    if (indexed && count > 1)
        return err_set(err, "%s: must be one element, %s", (*s)->path,
                       signal_rank(*s) == 1 ? "[i]" : "[i][j]");
    if (!indexed && signal_rank(*s) > 0)
        *at = -1;
    return true;
}

static bool at_end(const char *text, Err *err)
{
    while (isspace((unsigned char)*text))
        text++;
    return !*text || err_set(err, "%s: cannot stand behind a signal", text);
}

bool element_parse(const char *text, const Engine *e, const Signal **s, int *at, Err *err)
{
    return take_element(&text, e, s, at, err) && at_end(text, err);
}

bool span_parse(const char *text, const Engine *e, const Signal **s, int *first, int *count,
                Err *err)
{
    return take_span(&text, e, s, first, count, err) && at_end(text, err);
}

/* The names of an FSM's states in this machine, in the order of work; ends with NULL. */
static void state_names(const Engine *e, const Signal *s, const char *names[SIGNAL_STATES + 1])
{
    int states[SIGNAL_STATES], n = signal_states(e, s, states);
    for (int k = 0; k < n; k++)
        names[k] = s->names[states[k]];
    names[n] = NULL;
}

static bool state_parse(const char *word, const Engine *e, const Signal *s, int32_t *raw)
{
    int states[SIGNAL_STATES], n = signal_states(e, s, states);
    for (int k = 0; k < n; k++) {
        if (strcmp(s->names[states[k]], word) == 0) {
            *raw = states[k];
            return true;
        }
    }
    return false;
}

static bool fits(int32_t raw, int width)
{
    int64_t low = -((int64_t)1 << (width - 1));
    return raw >= low && raw <= -low - 1;
}

static bool number_parse(const char *word, const Engine *e, const Signal *s, int32_t *raw)
{
    char *end = NULL;
    errno = 0;
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    int width = signal_width(e, s);
    if (s->type == TYPE_FIXED && strchr(word, '/'))
        return fraction_parse(word, s->frac, raw) && fits(*raw, width);
    if (s->type == TYPE_FIXED && !hex && strchr(word, '.'))
        return fixed_parse(word, width, s->frac, raw);
    long long v = strtoll(word, &end, hex ? 16 : 10);
    if (end == word || *end || errno || v < INT32_MIN || v > UINT32_MAX)
        return false;
    if (hex ? v >> width != 0 : v > INT32_MAX)
        return false; /* never another number that happens to have these low bits */
    *raw = (int32_t)(uint32_t)v;
    if (hex && s->type == TYPE_FIXED && signal_is_signed(s))
        *raw = (int32_t)((uint32_t)v << (32 - width)) >> (32 - width); /* a raw word */
    int64_t low = signal_is_signed(s) ? -((int64_t)1 << (width - 1)) : 0;
    int64_t high = signal_is_signed(s) ? -low - 1 : ((int64_t)1 << width) - 1;
    return *raw >= low && *raw <= high;
}

static bool no_state(const char *text, const Engine *e, const Signal *s, Err *err)
{
    const char *names[SIGNAL_STATES + 1];
    char hint[SUGGEST_TEXT], all[320] = "";
    size_t used = 0;
    state_names(e, s, names);
    for (int i = 0; names[i] && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, " %s", names[i]);
    return err_set(err, "%.*s: %s has no such state; %sthere are%s", HEAD(*text ? text : "''", 60),
                   s->path, suggest_from(text, names, hint), all);
}

bool raw_parse(const char *text, const Engine *e, const Signal *s, int32_t *raw, Err *err)
{
    if (s->type == TYPE_STATE && state_parse(text, e, s, raw))
        return true;
    if (*text && number_parse(text, e, s, raw))
        return true;
    if (s->type == TYPE_STATE)
        return no_state(text, e, s, err);
    return err_set(
        err,
        "%s: not a value for %s (%d bit%s: 0x.. raw, a number with a point or A/B, an integer)",
        *text ? text : "''", s->path, signal_width(e, s), signal_width(e, s) == 1 ? "" : "s");
}

/* ---- parsing ---- */

static const char *skip(const char *t)
{
    while (isspace((unsigned char)*t))
        t++;
    return t;
}

static bool take_word(const char **text, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*text, word, n) != 0)
        return false;
    if (isalpha((unsigned char)word[0]) &&
        (isalnum((unsigned char)(*text)[n]) || (*text)[n] == '_'))
        return false;
    *text = skip(*text + n);
    return true;
}

static void set_range(Atom *a)
{
    bool up = a->op == OP_GE || a->op == OP_LT;   /* v < x is not (x <= v) */
    bool down = a->op == OP_LE || a->op == OP_GT; /* v > x is not (v <= x) */
    int32_t high = up ? INT32_MAX : a->value;
    a->low = down ? INT32_MIN : a->value;
    a->span = (uint32_t)high - (uint32_t)a->low;
    a->outside = a->op == OP_LT || a->op == OP_GT || a->op == OP_NE;
    a->simple = a->at >= 0 && a->slot.offset >= 0;
}

/* `any saturates`, `any wraps`. */
static bool take_any(const char **text, Atom *a, Err *err)
{
    a->at = -1;
    a->slot.offset = a->slot.before = -1;
    for (int op = OP_SATURATES; op <= OP_WRAPS; op++) {
        a->op = (Op)op;
        if (take_word(text, op_words[op]))
            return true;
    }
    return err_set(err, "%.*s: after any must come saturates or wraps",
                   HEAD(**text ? *text : "(end)", 60));
}

static bool take_atom(const char **text, const Engine *e, Atom *a, Err *err)
{
    if (take_word(text, "any"))
        return take_any(text, a, err);
    if (!take_element(text, e, &a->signal, &a->at, err))
        return false;
    *text = skip(*text);
    a->slot = signal_slot(e, a->signal, a->at < 0 ? 0 : a->at);
    int op = 0;
    while (op < OP_COUNT && !take_word(text, op_words[op]))
        op++;
    if (op == OP_COUNT)
        return err_set(err, "%s: after %s must come == != < <= > >= changes saturates or wraps",
                       **text ? *text : "(end)", a->signal->path);
    a->op = (Op)op;
    if (op > OP_CHANGES && (a->signal->type == TYPE_STATE || a->signal->type == TYPE_FLAG))
        return err_set(err, "%s %s: a state or a flag never does", a->signal->path, op_words[op]);
    if (op >= OP_CHANGES)
        return true;
    char word[64];
    size_t n = 0;
    while ((*text)[n] && !isspace((unsigned char)(*text)[n]) && n < sizeof word - 1)
        n++;
    memcpy(word, *text, n);
    word[n] = '\0';
    *text = skip(*text + n);
    bool ok = raw_parse(word, e, a->signal, &a->value, err);
    set_range(a);
    return ok;
}

Expr *expr_parse(const char *text, const Engine *e, Err *err)
{
    Expr x = {0};
    const char *t = skip(text);
    for (;;) {
        if (x.count == MAX_ATOMS) {
            err_set(err, "condition: at most %d comparisons", MAX_ATOMS);
            return NULL;
        }
        Atom *a = &x.atoms[x.count++];
        if (!take_atom(&t, e, a, err))
            return NULL;
        x.pulse = x.pulse || a->op >= OP_CHANGES || a->at < 0;
        if (!*t)
            break;
        a->or_next = take_word(&t, "or");
        if (!a->or_next && !take_word(&t, "and")) {
            err_set(err, "%s: conditions are joined by and / or", t);
            return NULL;
        }
    }
    Expr *out = xmalloc(sizeof *out);
    *out = x;
    out->text = xstrdup(skip(text));
    for (char *p = out->text; *p; p++)
        *p = isspace((unsigned char)*p) ? ' ' : *p; /* it is shown: no tabs */
    return out;
}

void expr_free(Expr *x)
{
    if (x)
        free(x->text);
    free(x);
}

const char *expr_text(const Expr *x)
{
    return x->text;
}

bool expr_is_pulse(const Expr *x)
{
    return x->pulse;
}

/* ---- truth ---- */

static inline bool compare(const Atom *a, int32_t v)
{
    return ((uint32_t)v - (uint32_t)a->low <= a->span) != a->outside;
}

/* The last edge's event that the atom speaks of, or NULL. */
static const Event *find_event(const Atom *a, const Engine *e)
{
    int n = 0;
    unsigned kind = a->op == OP_WRAPS ? EVENT_WRAP : EVENT_SATURATE;
    const Event *events = engine_events(e, &n);
    for (int i = 0; i < n; i++) {
        if ((!a->signal || signal_at(events[i].signal) == a->signal) && (events[i].kinds & kind) &&
            (a->at < 0 || events[i].index == a->at))
            return &events[i];
    }
    return NULL;
}

/* Registers are loaded at every edge: of an array of them the changed ones count as stored. */
static int any_loaded(const Atom *a, const Engine *e)
{
    for (int i = 0, n = signal_count(e, a->signal); i < n; i++) {
        if (signal_changed(e, a->signal, i) &&
            (a->op == OP_CHANGES || compare(a, signal_get(e, a->signal, i))))
            return i;
    }
    return -1;
}

/* A whole vector: is there an element stored by the last edge of which the atom is true? -1: none.
 */
static int any_stored(const Atom *a, const Engine *e)
{
    int n = 0;
    if (signal_is_register_array(a->signal))
        return any_loaded(a, e);
    const Write *writes = engine_writes(e, &n);
    for (int k = 0; k < n; k++) {
        if (signal_at(writes[k].signal) != a->signal)
            continue;
        for (int i = writes[k].index; i < writes[k].index + writes[k].count; i++) {
            if (a->op == OP_CHANGES ? signal_changed(e, a->signal, i)
                                    : compare(a, signal_get(e, a->signal, i)))
                return i;
        }
    }
    return -1;
}

/* Did the last edge store the element? */
static bool stored(const Atom *a, const Engine *e)
{
    int n = 0;
    const Write *w = engine_writes(e, &n);
    for (int k = 0; k < n; k++) {
        if (signal_at(w[k].signal) == a->signal && a->at >= w[k].index &&
            a->at < w[k].index + w[k].count)
            return true;
    }
    return false;
}

static bool special_true(const Atom *a, const Engine *e)
{
    const SignalSlot *slot = &a->slot;
    if (a->op >= OP_SATURATES)
        return find_event(a, e) != NULL;
    if (a->at < 0)
        return any_stored(a, e) >= 0;
    if (a->op != OP_CHANGES)
        return compare(a, signal_get(e, a->signal, a->at));
    if (slot->before >= 0)
        return slot_get(e, slot) != slot_before(e, slot);
    return stored(a, e) && signal_changed(e, a->signal, a->at);
}

static inline bool atom_true(const Atom *a, const Engine *e)
{
    return a->simple ? compare(a, slot_get(e, &a->slot)) : special_true(a, e);
}

bool expr_true(const Expr *x, const Engine *e)
{
    const Atom *last = &x->atoms[x->count - 1];
    for (const Atom *a = x->atoms;; a++) {
        bool holds = atom_true(a, e);
        while (!holds && a != last && !a->or_next) /* this and-group is lost */
            a++;
        if (a == last || (holds && a->or_next))
            return holds;
    }
}

/* How much an atom tells of the edge: an event, a change, a new value, how things stand. */
static int newness(const Atom *a, const Engine *e)
{
    if (a->op >= OP_SATURATES)
        return 3;
    if (a->op == OP_CHANGES)
        return 2;
    return a->at < 0 || signal_changed(e, a->signal, a->at);
}

bool expr_element(const Expr *x, const Engine *e, const Signal **s, int *at, bool *named)
{
    const Atom *best = x->atoms; /* of the and-group up to here; one that is true ends the search */
    bool holds = false;
    for (const Atom *a = x->atoms; a < x->atoms + x->count; a++) {
        bool begins = a == x->atoms || a[-1].or_next;
        if (begins && holds)
            break;
        holds = (begins || holds) && atom_true(a, e);
        best = begins || newness(a, e) > newness(best, e) ? a : best;
    }
    if (!holds)
        return false;
    const Event *event = best->op >= OP_SATURATES ? find_event(best, e) : NULL;
    *s = event ? signal_at(event->signal) : best->signal;
    *at = event ? event->index : best->at < 0 ? any_stored(best, e) : best->at;
    *named = best->signal && best->at >= 0;
    return true;
}
