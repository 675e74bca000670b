/* What drives a name in rtl/: an assign, the connection of an input where the module stands, or an
 * output of an inner instance. Reads the text as it is laid out here: one port a line, an
 * instance's name alone on its line (`  ) u_frame (`). Knows nothing of values: rtl_eval.c
 * evaluates what is found. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "tell/rtl_private.h"

static const char *text_of(const RtlFile *f, int line)
{
    return f->lines[line] + strspn(f->lines[line], " ");
}

static int indent_of(const RtlFile *f, int line)
{
    return (int)strspn(f->lines[line], " ");
}

static bool is_word(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_';
}

/* Does `text` begin with the name, whole? */
static bool begins(const char *text, const char *name, size_t n)
{
    return strncmp(text, name, n) == 0 && !is_word(text[n]);
}

/* ---- generate blocks ---- */

/* The line that opens the named block around `line`; -1 when none does. */
static int block_around(const RtlFile *f, int line)
{
    for (int k = line - 1, inside = indent_of(f, line); k >= 0; k--) {
        if (!*f->lines[k] || indent_of(f, k) >= inside)
            continue;
        if (strstr(f->lines[k], "begin : "))
            return k;
        inside = indent_of(f, k);
    }
    return -1;
}

/* Is the line elaborated in this machine? The branch of an `if` that is not taken does not exist.
 */
static bool is_elaborated(const RtlScope *s, int line)
{
    int block = block_around(s->file, line);
    if (block < 0)
        return true;
    bool is_else = strncmp(text_of(s->file, block), "end else", 8) == 0;
    for (int k = block; k >= 0; k--) {
        const char *text = text_of(s->file, k);
        if (indent_of(s->file, k) != indent_of(s->file, block) || strncmp(text, "if (", 4) != 0)
            continue;
        text += 4;
        RtlValue v = rtl_evaluate(s, &text);
        return !v.known || (v.v != 0) != is_else;
    }
    return true;
}

/* ---- instances ---- */

/* The line `) NAME (` of an instance; -1 when there is none. */
static int instance_line(const RtlFile *f, const char *name, size_t n)
{
    for (int k = 0; k < f->count; k++) {
        const char *text = text_of(f, k);
        if (strncmp(text, ") ", 2) == 0 && begins(text + 2, name, n))
            return k;
    }
    return -1;
}

static const RtlFile *module_file(const Rtl *r, const char *module, size_t n)
{
    for (int k = 0; k < r->n_files; k++) {
        if (strncmp(r->files[k].name, module, n) == 0 && strcmp(r->files[k].name + n, ".sv") == 0)
            return &r->files[k];
    }
    return NULL;
}

/* The FSM of an instance; SIG_COUNT when it has none. */
static SignalId fsm_of(const Engine *e, const char *instance)
{
    size_t n = strlen(instance);
    for (int k = 0; k < UNIT_COUNT; k++) {
        const char *path = signal_rtl(e, signal_in(e, units[k].fsm));
        if (strncmp(path, instance, n) == 0 && strcmp(path + n, "state_q") == 0)
            return units[k].fsm;
    }
    return SIG_COUNT;
}

/* The instance named on that line, as a scope of its own. */
static bool inner_scope(const RtlScope *s, int line, RtlScope *inner)
{
    const char *name = text_of(s->file, line) + 2;
    int block = block_around(s->file, line), head = line;
    while (head > 0 && !strstr(s->file->lines[head], " #("))
        head--;
    const char *module = text_of(s->file, head);
    const char *label = block < 0 ? "" : strstr(s->file->lines[block], "begin : ") + 8;
    *inner = (RtlScope){.rtl = s->rtl, .e = s->e};
    inner->file = module_file(s->rtl, module, strcspn(module, " "));
    int n =
        snprintf(inner->instance, sizeof inner->instance, "%s%.*s%s%.*s.", s->instance,
                 (int)strcspn(label, " "), label, *label ? "." : "", (int)strcspn(name, " "), name);
    inner->fsm = fsm_of(s->e, inner->instance);
    return inner->file && n < (int)sizeof inner->instance;
}

static bool top_scope(const RtlScope *s, RtlScope *top)
{
    static const char *const tops[VARIANT_COUNT] = {
        "transformer_decoder", "transformer_decoder_stream", "transformer_decoder_array"};
    const char *name = tops[engine_config(s->e)->variant];
    *top = (RtlScope){.rtl = s->rtl, .e = s->e, .fsm = SIG_COUNT};
    top->file = module_file(s->rtl, name, strlen(name));
    return top->file != NULL;
}

/* The scope that holds the instance, and the line of its name there. */
static bool outer_scope(const RtlScope *s, RtlScope *outer, int *line)
{
    if (!*s->instance || !top_scope(s, outer))
        return false;
    for (const char *at = s->instance;;) {
        size_t n = strcspn(at, ".");
        if (strncmp(at, "gen_", 4) == 0) {
            at += n + 1;
            continue;
        }
        RtlScope inner;
        *line = instance_line(outer->file, at, n);
        if (*line < 0)
            return false;
        at += n + 1;
        if (!*at)
            return true;
        if (!inner_scope(outer, *line, &inner))
            return false;
        *outer = inner;
    }
}

/* ---- drivers ---- */

const char *rtl_definition(const RtlScope *s, const char *name, size_t n)
{
    static const char *const words[] = {"assign ", "localparam int "};
    for (int k = 0; k < s->file->count; k++) {
        const char *line = text_of(s->file, k);
        for (size_t w = 0; w < 2; w++) {
            size_t skip = strlen(words[w]);
            if (strncmp(line, words[w], skip) != 0)
                continue;
            const char *rest = line + skip + strspn(line + skip, " ");
            if (!begins(rest, name, n) || !is_elaborated(s, k))
                continue;
            rest += n + strspn(rest + n, " ");
            if (*rest == '=')
                return rest + 1;
        }
    }
    return NULL;
}

/* Is the name declared as a port of that direction? */
static bool is_port(const RtlFile *f, const char *direction, const char *name, size_t n)
{
    size_t skip = strlen(direction);
    for (int k = 0; k < f->count; k++) {
        const char *text = text_of(f, k), *end = text + strcspn(text, ",/");
        if (strncmp(text, direction, skip) != 0)
            continue;
        while (end > text && !is_word(end[-1]))
            end--;
        if ((size_t)(end - text) > n && !is_word(end[-1 - (ptrdiff_t)n]) &&
            memcmp(end - n, name, n) == 0)
            return true;
    }
    return false;
}

/* `.NAME (EXPRESSION` among the connections below the instance's line: the expression. */
static const char *connection(const RtlFile *f, int line, const char *name, size_t n)
{
    for (int k = line + 1; k < f->count && text_of(f, k)[0] == '.'; k++) {
        const char *text = text_of(f, k) + 1;
        if (begins(text, name, n) && strchr(text, '('))
            return strchr(text, '(') + 1;
    }
    return NULL;
}

/* The inner instance one of whose outputs is connected to the wire. */
static bool inner_driver(const RtlScope *s, const char *name, size_t n, RtlScope *where,
                         const char **text)
{
    for (int k = 0, instance = -1; k < s->file->count; k++) {
        const char *line = text_of(s->file, k), *inside = strchr(line, '(');
        if (strncmp(line, ") u_", 4) == 0)
            instance = k;
        if (*line != '.' || instance < 0 || !inside || !begins(inside + 1, name, n) ||
            inside[1 + n] != ')' || !is_elaborated(s, k))
            continue;
        size_t port = strcspn(line + 1, " (");
        if (inner_scope(s, instance, where) && is_port(where->file, "output", line + 1, port)) {
            *text = line + 1;
            return true;
        }
    }
    return false;
}

/* A constant of the package, which every module imports. */
static bool package_constant(const RtlScope *s, const char *name, size_t n, RtlScope *where,
                             const char **text)
{
    static const char package[] = "transformer_pkg";
    *where = (RtlScope){.rtl = s->rtl, .e = s->e, .fsm = SIG_COUNT};
    where->file = module_file(s->rtl, package, sizeof package - 1);
    *text = where->file ? rtl_definition(where, name, n) : NULL;
    return *text != NULL;
}

bool rtl_driver(const RtlScope *s, const char *name, size_t n, RtlScope *where, const char **text)
{
    int line = 0;
    *where = *s;
    *text = rtl_definition(s, name, n);
    if (*text)
        return true;
    if (is_port(s->file, "input", name, n)) {
        *text = outer_scope(s, where, &line) ? connection(where->file, line, name, n) : NULL;
        return *text != NULL;
    }
    return inner_driver(s, name, n, where, text) || package_constant(s, name, n, where, text);
}
