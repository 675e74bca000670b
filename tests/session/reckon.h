#ifndef TESTS_SESSION_RECKON_H
#define TESTS_SESSION_RECKON_H
/* Reckons what an explanation says, from its text alone: the value that its numbers lead to. The
 * result of an operation is read from the edge; this tells whether the words explain it. */
#include <ctype.h>

#include "engine/fixed_point.h"
#include "tell/explain.h"

typedef struct Reckoner {
    const char *p;
    bool decimal; /* counters; else words of 4 or 8 hex digits, signed */
    bool failed;
} Reckoner;

static int64_t reckon_expr(Reckoner *r);

static bool reckon_takes(Reckoner *r, const char *token)
{
    while (*r->p == ' ')
        r->p++;
    bool found = strncmp(r->p, token, strlen(token)) == 0;
    r->p += found ? strlen(token) : 0;
    return found;
}

static int64_t reckon_number(Reckoner *r)
{
    char *end = NULL;
    uint64_t bits = strtoull(r->p, &end, r->decimal ? 10 : 16);
    long digits = end - r->p;
    r->p = end;
    if (digits == 0 || (!r->decimal && digits != 4 && digits != 8))
        r->failed = true;
    return r->decimal ? (int64_t)bits : digits == 4 ? low16((int64_t)bits) : low32((int64_t)bits);
}

/* "( expr )"; "( expr = value )", which then counts; "max(0, expr)"; a number */
static int64_t reckon_factor(Reckoner *r)
{
    bool max = reckon_takes(r, "max(0, ");
    if (!max && !reckon_takes(r, "("))
        return reckon_number(r);
    int64_t v = reckon_expr(r);
    v = reckon_takes(r, "= ") ? reckon_expr(r) : v;
    r->failed = r->failed || !reckon_takes(r, ")");
    return max && v < 0 ? 0 : v;
}

static int64_t reckon_product(Reckoner *r)
{
    int64_t v = reckon_factor(r);
    while (reckon_takes(r, "*"))
        v *= reckon_factor(r);
    return v;
}

static int64_t reckon_expr(Reckoner *r)
{
    int64_t v = reckon_product(r);
    for (;;) {
        if (reckon_takes(r, "+ "))
            v += reckon_product(r);
        else if (reckon_takes(r, "- "))
            v -= reckon_product(r);
        else if (reckon_takes(r, ">> "))
            v >>= strtol(r->p, (char **)&r->p, 10);
        else
            return v;
    }
}

/* Behind the last "; ", which the value before it is carried over, or the last " = ". */
static const char *reckon_tail(const char *numbers, char *out, size_t size)
{
    const char *semicolon = strrchr(numbers, ';'), *tail = semicolon ? semicolon + 2 : numbers;
    if (semicolon && (*tail == '*' || *tail == '+')) {
        snprintf(out, size, "%.4s %s", semicolon - 4, tail);
        return out;
    }
    const char *last = strstr(tail, "(") ? NULL : strrchr(tail, '=');
    return last ? last + 2 : tail;
}

/* "n: clz .., Newton REFINED, >> SHIFT"; *sqrt2 is a constant of the machine in Q2.14 */
static bool reckon_newton(const char *numbers, int64_t *v)
{
    const char *refined = strstr(numbers, "Newton "), *shift = strstr(numbers, ">> ");
    if (!refined || !shift)
        return false;
    *v = strtol(refined + 7, NULL, 16);
    if (strstr(numbers, "*sqrt2"))
        *v = *v * 0x5a82 >> 14;
    *v >>= strtol(shift + 3, NULL, 10);
    return true;
}

/* False: there is no such arithmetic. */
static bool reckon_numbers(const Operation *op, int64_t *v)
{
    char text[sizeof op->numbers + 8];
    const char *n = op->numbers, *piece = strstr(n, ": ");
    if (reckon_newton(n, v))
        return true;
    if (strncmp(op->formula, "the larger of", 13) == 0) {
        Reckoner a = {.p = n}, b = {.p = n + 6 + strspn(n + 5, "<=>")};
        int64_t left = reckon_number(&a), right = reckon_number(&b);
        *v = left > right ? left : right;
        return (left > right) == (n[5] == '>') && !a.failed && !b.failed;
    }
    if (strstr(n, "a constant"))
        return *v = op->result, op->result == 0x100 || op->result == 0x7fff ||
                                    (op->result == 0x1000 && strncmp(n, "0001", 4) == 0);
    if (strstr(n, "the floor") || strstr(n, "not positive"))
        return *v = 4, true;
    if (strstr(n, ": 1.0"))
        return *v = 0x100, true;
    Reckoner r = {.p = piece ? piece + 2 : reckon_tail(n, text, sizeof text),
                  .decimal = op->target->type == TYPE_INDEX};
    *v = reckon_expr(&r);
    return !r.failed && *r.p == '\0';
}

/* Without numbers it is a constant, a state, the mask, or a copy of what it reads. */
static bool reckon_plain(const Engine *before, const Operation *op, int64_t *v)
{
    char *end = NULL;
    if (op->target->type == TYPE_STATE)
        return *v = op->result, strcmp(op->formula, signal_state_name(op->target, op->result)) == 0;
    *v = strtoll(op->formula, &end, 10);
    if (*end == '\0')
        return true;
    if (strcmp(op->formula, "mask") == 0)
        return *v = engine_config(before)->mask, true;
    if (op->n_reads != 1)
        return false;
    return *v = signal_get(before, op->reads[0].signal, op->reads[0].at), true;
}

/* Do the words lead to op's result? `before`: the machine before the edge. */
static bool reckon(const Engine *before, const Operation *op)
{
    int64_t v = 0;
    if (!(*op->numbers ? reckon_numbers(op, &v) : reckon_plain(before, op, &v)))
        return false;
    if (signal_width(before, op->target) > 16 || op->target->type == TYPE_INDEX)
        return low32(v) == op->result;
    if (op->events & EVENT_SATURATE) /* this element or another */
        v = v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v;
    return op->result == low16(v);
}

#endif
