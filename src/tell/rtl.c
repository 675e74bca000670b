#include "tell/rtl.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "tell/rtl_private.h"

enum { FILE_MOST = 1 << 20, NESTING = 16 };

/* ---- files ---- */

static void split_lines(RtlFile *f)
{
    int cap = 0;
    for (char *line = f->text; *line;) {
        char *end = strchr(line, '\n');
        if (f->count == cap) {
            cap = cap ? 2 * cap : 128;
            f->lines = xrealloc(f->lines, (size_t)cap * sizeof *f->lines);
        }
        f->lines[f->count++] = line;
        if (!end)
            return;
        *end = '\0';
        line = end + 1;
    }
}

static bool is_tag(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_' || ch == '.';
}

/* Tags stand behind the label of their state: `S_SCORE: begin  // @attn.SCORE`. */
static void take_tags(Rtl *r, int file, int line)
{
    const char *text = r->files[file].lines[line], *comment = strstr(text, "//");
    const char *label = text + strspn(text, " ");
    if (!comment || strncmp(label, "S_", 2) != 0 || !memchr(label, ':', (size_t)(comment - label)))
        return;
    for (const char *at = comment; (at = strchr(at, '@')) != NULL;) {
        RtlTag tag = {.text = ++at, .file = file, .line = line};
        while (is_tag(at[tag.length]))
            tag.length++;
        r->tags = xrealloc(r->tags, (size_t)(r->n_tags + 1) * sizeof *r->tags);
        r->tags[r->n_tags++] = tag;
    }
}

static bool read_file(Rtl *r, const char *dir, const char *name, Err *err)
{
    Buf path = {0};
    RtlFile f = {.name = xstrdup(name)};
    buf_printf(&path, "%s/%s", dir, name);
    f.text = file_read_text(buf_str(&path), FILE_MOST, err);
    buf_free(&path);
    if (f.text)
        split_lines(&f);
    r->files = xrealloc(r->files, (size_t)(r->n_files + 1) * sizeof *r->files);
    r->files[r->n_files++] = f;
    return f.text != NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const RtlFile *)a)->name, ((const RtlFile *)b)->name);
}

static bool read_dir(Rtl *r, const char *dir, Err *err)
{
    DIR *d = opendir(dir);
    if (!d)
        return err_set(err, "%s: %s", dir, strerror(errno));
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(d)) != NULL;) {
        size_t n = strlen(entry->d_name);
        if (n > 3 && strcmp(entry->d_name + n - 3, ".sv") == 0)
            ok = read_file(r, dir, entry->d_name, err);
    }
    closedir(d);
    if (ok && r->n_files == 0)
        return err_set(err, "%s: holds no .sv file", dir);
    return ok;
}

Rtl *rtl_open(const char *dir, Err *err)
{
    Rtl *r = xcalloc(1, sizeof *r);
    if (!read_dir(r, dir, err)) {
        rtl_close(r);
        return NULL;
    }
    qsort(r->files, (size_t)r->n_files, sizeof *r->files, by_name);
    for (int file = 0; file < r->n_files; file++) {
        for (int line = 0; line < r->files[file].count; line++)
            take_tags(r, file, line);
    }
    return r;
}

void rtl_close(Rtl *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->n_files; i++) {
        free(r->files[i].name);
        free(r->files[i].text);
        free(r->files[i].lines);
    }
    free(r->files);
    free(r->tags);
    free(r);
}

int rtl_files(const Rtl *r)
{
    return r->n_files;
}

const char *rtl_file_name(const Rtl *r, int file)
{
    return r->files[file].name;
}

int rtl_lines(const Rtl *r, int file)
{
    return r->files[file].count;
}

const char *rtl_line(const Rtl *r, int file, int line)
{
    return r->files[file].lines[line];
}

/* ---- states ---- */

static const RtlTag *find_tag(const Rtl *r, const char *text)
{
    for (int i = 0; i < r->n_tags; i++) {
        if ((size_t)r->tags[i].length == strlen(text) &&
            memcmp(r->tags[i].text, text, strlen(text)) == 0)
            return &r->tags[i];
    }
    return NULL;
}

static bool ends_branch(const Rtl *r, int file, int line)
{
    const char *text = r->files[file].lines[line];
    if (strncmp(text + strspn(text, " "), "default", 7) == 0)
        return true;
    for (int i = 0; i < r->n_tags; i++) {
        if (r->tags[i].file == file && r->tags[i].line == line)
            return true;
    }
    return false;
}

bool rtl_branch(const Rtl *r, const Engine *e, SignalId fsm, int state, RtlBranch *b)
{
    const Signal *s = signal_in(e, fsm);
    char tag[96];
    int unit = (int)strcspn(s->path, ".");
    const char *name = signal_state_name(s, state);
    snprintf(tag, sizeof tag, "%s.%.*s.%s", config_variant_name(engine_config(e)->variant), unit,
             s->path, name);
    const RtlTag *t = find_tag(r, tag);
    if (!t) { /* one that the variants share */
        snprintf(tag, sizeof tag, "%.*s.%s", unit, s->path, name);
        t = find_tag(r, tag);
    }
    if (!t)
        return false;
    *b = (RtlBranch){t->file, t->line, t->line};
    while (b->last + 1 < r->files[t->file].count && !ends_branch(r, t->file, b->last + 1))
        b->last++;
    return true;
}

RtlScope rtl_scope(const Rtl *r, const Engine *e, SignalId fsm, int file)
{
    RtlScope s = {.rtl = r, .e = e, .file = &r->files[file], .fsm = fsm};
    const char *path = signal_rtl(e, signal_in(e, fsm)), *dot = strrchr(path, '.');
    snprintf(s.instance, sizeof s.instance, "%.*s", dot ? (int)(dot - path) + 1 : 0, path);
    return s;
}

/* ---- the way through a branch ---- */

/* A block between begin and end. */
typedef struct Block {
    RtlUse body; /* RTL_RUNS, RTL_SOME or RTL_SKIPPED */
    RtlUse rest; /* the same for an else that may follow */
} Block;

typedef struct Walk {
    RtlScope scope;
    Block blocks[NESTING];
    int depth;
    RtlUse rest; /* for the else of an if without a block */
} Walk;

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Does the statement go on to a block? */
static bool has_begin(const char *text)
{
    const char *comment = strstr(text, "//"), *begin = strstr(text, "begin");
    return begin && (!comment || begin < comment);
}

static void enter(Walk *w, RtlUse body, RtlUse rest)
{
    if (w->depth + 1 < NESTING)
        w->blocks[++w->depth] = (Block){body, rest};
}

/* `if (column == LogD'(k)) q_d[k] = ..` in a loop over k: the turn that is taken, the value of what
 * k is compared with. */
static RtlValue loop_index(const RtlScope *scope, const char *line, char variable)
{
    char compared[96];
    const char *test = strstr(line, "if ("), *equals = test ? strstr(test, " == ") : NULL;
    const char *with = equals ? strstr(equals, "'(") : NULL;
    RtlValue unknown = {0};
    if (!with || with[2] != variable || with[3] != ')')
        return unknown;
    const char *text = compared;
    snprintf(compared, sizeof compared, "%.*s", (int)(equals - test - 4), test + 4);
    return rtl_evaluate(scope, &text);
}

/* `if (...)`: enters its block if it has one; around: what would execute without it. */
static RtlUse walk_if(Walk *w, const char *text, RtlUse around)
{
    const char *condition = strchr(text, '(') + 1;
    RtlValue v = rtl_evaluate(&w->scope, &condition);
    if (!v.known && loop_index(&w->scope, text, 'k').known)
        v = (RtlValue){true, 1}; /* one turn of the loop takes it */
    RtlUse body = around, rest = around, use = RTL_SOME;
    if (around == RTL_SKIPPED) {
        use = RTL_SKIPPED;
    } else if (!v.known) {
        body = rest = RTL_SOME;
    } else {
        use = v.v ? RTL_TRUE : RTL_FALSE;
        *(v.v ? &rest : &body) = RTL_SKIPPED;
    }
    if (has_begin(text))
        enter(w, body, rest);
    else
        w->rest = rest;
    return use;
}

/* `else ...` of an if whose remainder is `rest`. */
static RtlUse walk_else(Walk *w, const char *text, RtlUse rest)
{
    text += 4 + strspn(text + 4, " ");
    if (starts(text, "if (") || starts(text, "if("))
        return walk_if(w, text, rest);
    if (has_begin(text))
        enter(w, rest, RTL_SKIPPED);
    return rest;
}

static RtlUse walk_line(Walk *w, const char *text)
{
    text += strspn(text, " ");
    RtlUse around = w->blocks[w->depth].body;
    if (!*text || starts(text, "//"))
        return RTL_PLAIN;
    if (starts(text, "end")) {
        Block left = w->blocks[w->depth];
        w->depth -= w->depth > 0;
        text += 3 + strspn(text + 3, " ");
        return starts(text, "else") ? walk_else(w, text, left.rest) : RTL_PLAIN;
    }
    if (starts(text, "else"))
        return walk_else(w, text, w->rest);
    if (starts(text, "if (") || starts(text, "if("))
        return walk_if(w, text, around);
    if (starts(text, "for") && has_begin(text))
        enter(w, around, RTL_SKIPPED);
    return around;
}

bool rtl_cycle(const Rtl *r, const Engine *e, SignalId fsm, RtlBranch *b, RtlUse *uses, int max)
{
    if (!rtl_branch(r, e, fsm, signal_get(e, signal_in(e, fsm), 0), b))
        return false;
    Walk w = {.scope = rtl_scope(r, e, fsm, b->file), .blocks = {{RTL_RUNS, RTL_SKIPPED}}};
    for (int line = b->first; line <= b->last && line - b->first < max; line++)
        uses[line - b->first] =
            line == b->first ? RTL_PLAIN : walk_line(&w, r->files[b->file].lines[line]);
    return true;
}

/* ---- names in a line ---- */

/* The next name at or after *text; its length, 0 at the end or at a comment. */
static size_t next_name(const char **text)
{
    const char *s = *text;
    while (*s && !isalpha((unsigned char)*s) && !starts(s, "//")) {
        if (isdigit((unsigned char)*s) || *s == '\'') /* 16'h7FFF is no name */
            while (isalnum((unsigned char)s[1]))
                s++;
        s++;
    }
    *text = s;
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return starts(s, "//") ? 0 : n;
}

bool rtl_register(const Rtl *r, const Engine *e, SignalId fsm, int line, SignalId *signal, int *at)
{
    RtlBranch b;
    if (!rtl_branch(r, e, fsm, 0, &b) || line >= r->files[b.file].count)
        return false;
    RtlScope scope = rtl_scope(r, e, fsm, b.file);
    const char *text = r->files[b.file].lines[line];
    for (size_t n; (n = next_name(&text)) > 0; text += n) {
        if (!rtl_find_signal(&scope, text, n, signal))
            continue;
        const char *index = text + n + 1;
        RtlValue v = {0};
        if (text[n] == '[')
            v = rtl_evaluate(&scope, &index);
        if (text[n] == '[' && !v.known)
            v = loop_index(&scope, r->files[b.file].lines[line], text[n + 1]);
        bool inside = v.known && v.v >= 0 && v.v < signal_count(e, signal_at(*signal));
        *at = inside ? (int)v.v : 0;
        return true;
    }
    return false;
}

/* What rtl_values has told so far. */
typedef struct Told {
    SignalId seen[8];
    int count;
    char *out;
    size_t used, size;
} Told;

static void tell(Told *t, const Engine *e, const char *name, size_t n, SignalId id)
{
    char value[64];
    if (signal_count(e, signal_at(id)) != 1 || t->count == 8 || t->used >= t->size)
        return;
    for (int k = 0; k < t->count; k++) {
        if (t->seen[k] == id)
            return;
    }
    t->seen[t->count++] = id;
    signal_value(signal_at(id), signal_get(e, signal_at(id), 0), value, sizeof value);
    t->used += (size_t)snprintf(t->out + t->used, t->size - t->used, "%s%.*s %s",
                                t->used ? "  " : "", (int)n, name, value);
}

/* The names in text, up to a ';'; a wire stands for what it is made of. */
static void tell_names(Told *t, const RtlScope *scope, const char *text, int depth)
{
    const char *end = strchr(text, ';');
    bool whole = depth == 0; /* a line of statements: all of it */
    for (size_t n; (n = next_name(&text)) > 0 && (whole || !end || text < end); text += n) {
        SignalId id = SIG_COUNT;
        bool next = n > 2 && memcmp(text + n - 2, "_d", 2) == 0; /* not yet there */
        RtlScope where;
        const char *wire = NULL;
        if (next)
            continue;
        if (rtl_find_signal(scope, text, n, &id))
            tell(t, scope->e, text, n, id);
        else if (depth < 3 && rtl_driver(scope, text, n, &where, &wire))
            tell_names(t, &where, wire, depth + 1);
    }
}

void rtl_values(const Rtl *r, const Engine *e, SignalId fsm, int line, char *out, size_t size)
{
    RtlBranch b;
    out[0] = '\0';
    if (!rtl_branch(r, e, fsm, 0, &b) || line >= r->files[b.file].count)
        return;
    RtlScope scope = rtl_scope(r, e, fsm, b.file);
    Told t = {.out = out, .size = size};
    tell_names(&t, &scope, r->files[b.file].lines[line], 0);
}
