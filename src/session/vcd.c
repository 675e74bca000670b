#include "session/vcd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "engine/option.h"
#include "session/session_private.h"

enum { CLOCK = 10, CODE_CHARS = 94, MAX_SCOPE = 96 };
/* The top module of each variant. */
static const char *const top_scopes[VARIANT_COUNT] = {
    "transformer_decoder", "transformer_decoder_stream", "transformer_decoder_array"};
/* Identifiers of the clock and of reset; signals have those from FIRST_CODE on. */
static const char clk[] = "!", rst_n[] = "\"";
enum { FIRST_CODE = 2 };

/* One signal, or one element of it: `vars` variables of `words` elements each. */
typedef struct Track {
    const Signal *signal;
    char rtl[MAX_SCOPE]; /* its name, below the top */
    int first;           /* its first element here */
    int vars;            /* rows of a memory; else 1 */
    int words;           /* elements per variable, the first one in the lowest bits */
    int bits;            /* of an element */
    bool is_string;      /* the state by name */
    int code, real;      /* identifiers: of the first variable, of the first real (0: none) */
    int32_t *last;       /* the values in the file so far, vars * words */
    bool *dirty;         /* per variable: it has to be written again */
} Track;

typedef struct Vcd {
    const Session *session;
    const VcdOptions *options;
    FILE *out;
    Track *tracks;
    int count, codes;
    int by_signal[SIG_COUNT]; /* first track of a signal, -1: none; those of one signal are together
                               */
    char *bits;               /* room for the longest variable */
    uint64_t present;         /* the session's own cycle */
    bool begun;
    VcdWindow window;
} Vcd;

/* ---- which variables ---- */

static bool is_skew(const Signal *s)
{
    return signal_id(s) == SIG_ARRAY_WEST || signal_id(s) == SIG_ARRAY_NORTH;
}

/* Elements per variable. Vectors are flat in the RTL; a memory is a variable per entry, which is a
 * row of the KV cache in bridge, and a word of the RTL's memory in the others. */
static int words_per_var(const Engine *e, const Signal *s)
{
    static const char memory[] = "mem_q";
    const char *rtl = signal_rtl(e, s);
    size_t len = strlen(rtl), n = sizeof memory - 1;
    if (len < n || strcmp(rtl + len - n, memory) != 0)
        return signal_count(e, s);
    return engine_config(e)->variant == VARIANT_BRIDGE ? signal_dim(e, s, 1) : 1;
}

/* `vars` variables of `words` elements from `first` on. */
static void add_track(Vcd *v, const Engine *e, const Signal *s, int first, int vars, int words)
{
    Track t = {
        .signal = s, .first = first, .vars = vars, .words = words, .bits = signal_width(e, s)};
    snprintf(t.rtl, sizeof t.rtl, "%s", signal_rtl(e, s));
    if (signal_is_register_array(s)) { /* a skew register is a part of its line */
        signal_element_rtl(e, s, first, t.rtl, sizeof t.rtl);
        t.rtl[is_skew(s) ? strrchr(t.rtl, '[') - t.rtl : (ptrdiff_t)strlen(t.rtl)] = '\0';
    }
    t.is_string = s->type == TYPE_STATE && v->options->strings;
    t.last = xcalloc((size_t)t.vars * (size_t)t.words, sizeof *t.last);
    t.dirty = xcalloc((size_t)t.vars, sizeof *t.dirty);
    v->tracks = xrealloc(v->tracks, ((size_t)v->count + 1) * sizeof *v->tracks);
    v->tracks[v->count++] = t;
}

/* Are all variables of b declared by a already? Only those of the same size have the same names. */
static bool declares(const Track *a, const Track *b)
{
    return a->signal == b->signal && a->words == b->words && a->first <= b->first &&
           b->first + b->vars * b->words <= a->first + a->vars * a->words;
}

/* What was named twice, as itself or as a part of a vector, is declared once. */
static void drop_doubles(Vcd *v)
{
    int kept = 0;
    for (int i = 0; i < v->count; i++) {
        bool declared = false;
        for (int k = 0; k < v->count && !declared; k++) {
            bool first = k < i || !declares(&v->tracks[i], &v->tracks[k]); /* of two equal ones */
            declared = k != i && first && declares(&v->tracks[k], &v->tracks[i]);
        }
        if (!declared) {
            Track t = v->tracks[i];
            v->tracks[i] = v->tracks[kept];
            v->tracks[kept++] = t;
        }
    }
    for (int i = kept; i < v->count; i++) {
        free(v->tracks[i].last);
        free(v->tracks[i].dirty);
    }
    v->count = kept;
}

/* Elements are registers of their own, but for the lines of skew registers: a vector each. */
static void add_register_array(Vcd *v, const Engine *e, const Signal *s)
{
    int rows = signal_dim(e, s, 0), cols = signal_dim(e, s, 1);
    for (int r = 0; r < rows; r++) {
        if (is_skew(s) && r > 0)
            add_track(v, e, s, r * cols, 1, r);
        for (int c = 0; c < cols && !is_skew(s); c++)
            add_track(v, e, s, r * cols + c, 1, 1);
    }
}

static void add_signal(Vcd *v, const Engine *e, const Signal *s)
{
    int words = words_per_var(e, s);
    if (signal_is_register_array(s))
        add_register_array(v, e, s);
    else
        add_track(v, e, s, 0, signal_count(e, s) / words, words);
}

static bool add_named(Vcd *v, const Engine *e, const char *list, Err *err)
{
    while (*list) {
        char name[64];
        const Signal *s = NULL;
        int at = 0;
        size_t n = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 63, list);
        if (!element_parse(name, e, &s, &at, err))
            return false;
        if (at < 0 && is_skew(s) && signal_dim(e, s, 0) == 1)
            return err_set(err, "signals: %s: the array has one line there, without skew", name);
        if (signal_rank(s) == 0 || at < 0)
            add_signal(v, e, s);
        else if (signal_has_element(e, s, at))
            add_track(v, e, s, at, 1, 1);
        else
            return err_set(err, "signals: %s: no such register; line n has n of them", name);
        list += n;
        if (*list == ',' && !*++list)
            return err_set(err, "signals: end with a comma");
    }
    return v->count > 0 || err_set(err, "signals: none are named");
}

static void add_all(Vcd *v, const Engine *e)
{
    for (int id = 0; id < SIG_WEIGHTS; id++) {
        if (signal_exists(e, signal_at((SignalId)id)) && id != SIG_K_CACHE && id != SIG_V_CACHE)
            add_signal(v, e, signal_at((SignalId)id));
    }
}

/* ---- scopes ---- */

/* The instance path of an RTL name, "" at the top, and the name itself. */
static const char *split_rtl(const char *rtl, char scope[MAX_SCOPE])
{
    const char *dot = strrchr(rtl, '.');
    snprintf(scope, MAX_SCOPE, "%.*s", dot ? (int)(dot - rtl) : 0, rtl);
    return dot ? dot + 1 : rtl;
}

static int by_scope(const void *a, const void *b)
{
    const Track *x = a, *y = b;
    char p[MAX_SCOPE], q[MAX_SCOPE];
    split_rtl(x->rtl, p);
    split_rtl(y->rtl, q);
    int order = strcmp(p, q);
    if (order == 0)
        order = (x->signal > y->signal) - (x->signal < y->signal);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* Length of the common instance path of two scopes. */
static size_t common_scope(const char *a, const char *b)
{
    size_t n = 0, whole = 0;
    for (; a[n] && a[n] == b[n]; n++) {
        if (a[n] == '.')
            whole = n;
    }
    bool ends = (a[n] == '\0' || a[n] == '.') && (b[n] == '\0' || b[n] == '.');
    return ends ? n : whole;
}

/* Names in a rest of an instance path: "" none, "a.b" or ".a.b" two. */
static int scope_depth(const char *rest)
{
    int n = *rest && *rest != '.';
    for (; *rest; rest++)
        n += *rest == '.';
    return n;
}

static void change_scope(Vcd *v, char open[MAX_SCOPE], const char *wanted)
{
    size_t keep = common_scope(open, wanted);
    for (int n = scope_depth(open + keep); n > 0; n--)
        fputs("$upscope $end\n", v->out);
    for (const char *p = wanted + keep; *p;) {
        p += *p == '.';
        int n = (int)strcspn(p, ".");
        fprintf(v->out, "$scope module %.*s $end\n", n, p);
        p += n;
    }
    snprintf(open, MAX_SCOPE, "%s", wanted);
}

/* ---- header ---- */

/* Identifier number `code`: of printable characters, shortest first. */
static const char *code_text(int code, char out[8])
{
    int n = 0;
    do {
        out[n++] = (char)('!' + code % CODE_CHARS);
        code = code / CODE_CHARS - 1;
    } while (code >= 0);
    out[n] = '\0';
    return out;
}

/* "k_mem_q[3]": an element of a memory or of a vector is an escaped identifier of its own. */
static void var_name(const Vcd *v, const Track *t, int var, char *out, size_t size)
{
    char scope[MAX_SCOPE], index[32] = "";
    const Engine *e = session_engine(v->session);
    const char *name = split_rtl(t->rtl, scope);
    int all = signal_count(e, t->signal), at = t->first + var * t->words;
    int cols = signal_dim(e, t->signal, 1);
    if (signal_is_register_array(t->signal)) { /* its place is in the scope */
        if (is_skew(t->signal) && t->words < at / cols)
            snprintf(index, sizeof index, "[%d]", at % cols);
    } else if (t->words == words_per_var(e, t->signal) && t->words < all)
        snprintf(index, sizeof index, "[%d]", at / t->words);
    else if (t->words < all && signal_rank(t->signal) > 1)
        snprintf(index, sizeof index, "[%d][%d]", at / cols, at % cols);
    else if (t->words < all)
        snprintf(index, sizeof index, "[%d]", at);
    snprintf(out, size, "%s%s%s", *index ? "\\" : "", name, index);
}

/* Beside each number with a fraction. */
static bool has_reals(const Vcd *v, const Track *t)
{
    return v->options->real && t->signal->type == TYPE_FIXED;
}

static void declare_reals(Vcd *v, const Track *t, int var)
{
    char code[8], name[128];
    var_name(v, t, var, name, sizeof name);
    for (int k = 0; k < t->words; k++) {
        code_text(t->real + var * t->words + k, code);
        if (t->words > 1)
            fprintf(v->out, "$var real 64 %s %s%s_real[%d] $end\n", code, *name == '\\' ? "" : "\\",
                    name, k);
        else
            fprintf(v->out, "$var real 64 %s %s_real $end\n", code, name);
    }
}

static void declare(Vcd *v, Track *t)
{
    char code[8], name[128];
    int width = t->words * t->bits;
    const char *kind =
        t->signal->kind == KIND_PIN || t->signal->kind == KIND_WEIGHT ? "wire" : "reg";
    t->code = v->codes;
    v->codes += t->vars;
    t->real = has_reals(v, t) ? v->codes : 0;
    v->codes += t->real ? t->vars * t->words : 0;
    for (int k = 0; k < t->vars; k++) {
        code_text(t->code + k, code);
        var_name(v, t, k, name, sizeof name);
        if (t->is_string)
            fprintf(v->out, "$var string 1 %s %s $end\n", code, name);
        else if (width == 1)
            fprintf(v->out, "$var %s 1 %s %s $end\n", kind, code, name);
        else
            fprintf(v->out, "$var %s %d %s %s [%d:0] $end\n", kind, width, code, name, width - 1);
        if (t->real)
            declare_reals(v, t, k);
    }
    if (t->signal->type == TYPE_STATE && !t->is_string) {
        fprintf(v->out, "$comment %s:", t->signal->path);
        int states[SIGNAL_STATES];
        int n = signal_states(session_engine(v->session), t->signal, states);
        for (int k = 0; k < n; k++)
            fprintf(v->out, " %d %s", states[k], t->signal->names[states[k]]);
        fputs(" $end\n", v->out);
    }
}

static void write_header(Vcd *v)
{
    const Config *c = engine_config(session_engine(v->session));
    char open[MAX_SCOPE] = "", scope[MAX_SCOPE];
    fprintf(v->out, "$version tokstep %s $end\n$timescale 1ns $end\n$comment", TOKSTEP_VERSION);
    for (int k = 0; option_at(k); k++) {
        char text[OPTION_CHARS];
        option_text(option_at(k), c, text);
        if (option_told(option_at(k), c))
            fprintf(v->out, " %s=%s", option_at(k)->key, text);
    }
    fprintf(v->out, " $end\n$scope module %s $end\n$var wire 1 %s clk $end\n",
            top_scopes[c->variant], clk);
    fprintf(v->out, "$var wire 1 %s rst_n $end\n", rst_n);
    v->codes = FIRST_CODE;
    for (int k = 0; k < v->count; k++) {
        split_rtl(v->tracks[k].rtl, scope);
        change_scope(v, open, scope);
        declare(v, &v->tracks[k]);
    }
    change_scope(v, open, "");
    fputs("$upscope $end\n$enddefinitions $end\n", v->out);
}

/* ---- values ---- */

/* The bits of one variable, the highest first, without leading zeros (readers extend by 0). */
static const char *var_bits(const Vcd *v, const Track *t, int var)
{
    char *p = v->bits;
    const int32_t *words = t->last + (size_t)var * (size_t)t->words;
    for (int k = t->words; k-- > 0;) {
        for (int b = t->bits; b-- > 0;) {
            bool one = ((uint32_t)words[k] >> b & 1) != 0;
            if (one || p > v->bits)
                *p++ = one ? '1' : '0';
        }
    }
    if (p == v->bits)
        *p++ = '0';
    *p = '\0';
    return v->bits;
}

static void write_var(const Vcd *v, const Track *t, int var)
{
    char code[8];
    code_text(t->code + var, code);
    if (t->is_string)
        fprintf(v->out, "s%s %s\n", signal_state_name(t->signal, t->last[var]), code);
    else if (t->words * t->bits == 1)
        fprintf(v->out, "%d%s\n", (int)t->last[var], code);
    else
        fprintf(v->out, "b%s %s\n", var_bits(v, t, var), code);
}

static void write_real(const Vcd *v, const Track *t, int k)
{
    char code[8];
    fprintf(v->out, "r%.16g %s\n", signal_real(t->signal, t->last[k]),
            code_text(t->real + k, code));
}

/* Take over elements first.. of the signal, counted within the track. */
static void look(const Vcd *v, const Engine *e, Track *t, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        int32_t now = signal_get(e, t->signal, t->first + k);
        if (now == t->last[k])
            continue;
        t->last[k] = now;
        t->dirty[k / t->words] = true;
        if (t->real && v->begun)
            write_real(v, t, k);
    }
}

static void look_at_all(const Vcd *v, const Engine *e, Track *t)
{
    look(v, e, t, 0, t->vars * t->words);
}

/* The tracks of one signal, where elements at.. may have changed. */
static void look_at_signal(const Vcd *v, const Engine *e, SignalId id, int at, int count)
{
    for (int k = v->by_signal[id]; k >= 0 && k < v->count; k++) {
        Track *t = &v->tracks[k];
        if (signal_id(t->signal) != id)
            break;
        int first = at > t->first ? at - t->first : 0;
        int end = at + count - t->first;
        end = end > t->vars * t->words ? t->vars * t->words : end;
        if (first < end)
            look(v, e, t, first, end - first);
    }
}

/* Registers and pins may change at any edge; memories only where the edge, or an edit, stored. */
static void find_changes(const Vcd *v, const Engine *e)
{
    int n = 0;
    for (int k = 0; k < v->count; k++) {
        SignalKind kind = v->tracks[k].signal->kind;
        if (kind == KIND_REGISTER || kind == KIND_PIN)
            look_at_all(v, e, &v->tracks[k]);
    }
    const Write *writes = engine_writes(e, &n);
    for (int k = 0; k < n; k++)
        look_at_signal(v, e, writes[k].signal, writes[k].index, writes[k].count);
    const Edit *edits = session_edits(v->session, &n);
    for (int k = 0; k < n; k++) {
        if (edits[k].cycle == engine_cycle(e))
            look_at_signal(v, e, signal_id(edits[k].signal), edits[k].at, 1);
    }
}

static void write_first(Vcd *v, const Engine *e)
{
    fprintf(v->out, "#%" PRIu64 "\n$dumpvars\n1%s\n1%s\n", engine_cycle(e) * CLOCK, clk, rst_n);
    for (int k = 0; k < v->count; k++) {
        Track *t = &v->tracks[k];
        look_at_all(v, e, t);
        for (int i = 0; i < t->vars; i++) {
            t->dirty[i] = false;
            write_var(v, t, i);
        }
        for (int i = 0; t->real && i < t->vars * t->words; i++)
            write_real(v, t, i);
    }
    fputs("$end\n", v->out);
    v->begun = true;
}

static void write_changes(const Vcd *v, const Engine *e)
{
    fprintf(v->out, "#%" PRIu64 "\n1%s\n", engine_cycle(e) * CLOCK, clk);
    find_changes(v, e);
    for (int k = 0; k < v->count; k++) {
        Track *t = &v->tracks[k];
        for (int i = 0; i < t->vars; i++) {
            if (!t->dirty[i])
                continue;
            t->dirty[i] = false;
            write_var(v, t, i);
        }
    }
}

/* ---- the run ---- */

static bool write_cycle(void *context, const Engine *e, const Host *h)
{
    Vcd *v = context;
    uint64_t cycle = engine_cycle(e);
    (void)h;
    v->window.to = cycle;
    if (cycle >= v->options->from) {
        if (!v->begun)
            write_first(v, e);
        else
            write_changes(v, e);
        fprintf(v->out, "#%" PRIu64 "\n0%s\n", cycle * CLOCK + CLOCK / 2, clk);
    }
    return !ferror(v->out) && (cycle < v->present || !session_at_end(v->session, e));
}

static void free_tracks(Vcd *v)
{
    for (int k = 0; k < v->count; k++) {
        free(v->tracks[k].last);
        free(v->tracks[k].dirty);
    }
    free(v->tracks);
    free(v->bits);
}

/* Sort by scope, find the first track of each signal, make room for the longest variable. */
static void prepare_tracks(Vcd *v)
{
    size_t longest = 0;
    if (v->count > 1)
        qsort(v->tracks, (size_t)v->count, sizeof *v->tracks, by_scope);
    for (int id = 0; id < SIG_COUNT; id++)
        v->by_signal[id] = -1;
    for (int k = v->count; k-- > 0;) {
        const Track *t = &v->tracks[k];
        size_t bits = (size_t)t->words * (size_t)t->bits;
        v->by_signal[signal_id(t->signal)] = k;
        longest = bits > longest ? bits : longest;
    }
    v->bits = xmalloc(longest + 1);
}

static bool write_window(Vcd *v, const char *path, Err *err)
{
    FileOut file;
    const VcdOptions *o = v->options;
    if (!file_create(&file, path, err))
        return false;
    v->out = file.stream;
    write_header(v);
    /* from the present on, so that the end of the run is not missed */
    session_visit(v->session, o->from < v->present ? o->from : v->present, o->to, write_cycle, v);
    if (!v->begun) {
        file_abort(&file);
        return err_set(err, "from %" PRIu64 ": the run ends at cycle %" PRIu64, o->from,
                       v->window.to);
    }
    fprintf(v->out, "#%" PRIu64 "\n", (v->window.to + 1) * CLOCK);
    return file_commit(&file, err);
}

bool vcd_write(const Session *s, const VcdOptions *o, const char *path, VcdWindow *written,
               Err *err)
{
    const Engine *e = session_engine(s);
    Vcd v = {.session = s, .options = o, .present = engine_cycle(e), .window = {o->from, o->to}};
    if (strcmp(path, "-") == 0)
        return err_set(err, "-: must be a file: it appears whole or not at all");
    if (o->from > o->to)
        return err_set(err, "from %" PRIu64 ": comes after to %" PRIu64, o->from, o->to);
    bool ok = true;
    if (o->signals)
        ok = add_named(&v, e, o->signals, err);
    else
        add_all(&v, e);
    if (ok) {
        drop_doubles(&v);
        prepare_tracks(&v);
        ok = write_window(&v, path, err);
    }
    free_tracks(&v);
    if (ok && written)
        *written = v.window;
    return ok;
}
