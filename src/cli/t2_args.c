#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/t2_cmd.h"

bool t2_number(const char *text, uint64_t *v)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    *v = strtoull(text, &end, hex ? 16 : 10);
    return errno == 0 && *end == '\0' && !(hex && end == text + 2);
}

/* "AsB" with two decimal numbers around the separator. */
static bool two_numbers(const char *text, char separator, uint64_t *a, uint64_t *b)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *a = strtoull(text, &end, 10);
    if (errno || *end != separator || !isdigit((unsigned char)end[1]))
        return false;
    *b = strtoull(end + 1, &end, 10);
    return errno == 0 && *end == '\0';
}

static bool set_tensor(T2Args *a, const char *v)
{
    a->tensor = v;
    return true;
}

static bool set_shape(T2Args *a, const char *v)
{
    return two_numbers(v, 'x', &a->rows, &a->cols) && a->rows && a->cols;
}

static bool set_tile(T2Args *a, const char *v)
{
    return two_numbers(v, ',', &a->tile_row, &a->tile_col);
}

static bool set_row(T2Args *a, const char *v)
{
    return t2_number(v, &a->row) && a->row < 32;
}

static bool set_as(T2Args *a, const char *v)
{
    a->as = v;
    return true;
}

static bool set_reserved(T2Args *a, const char *v)
{
    a->reserved_zero = strcmp(v, "zero") == 0;
    return a->reserved_zero || strcmp(v, "refuse") == 0;
}

static bool set_out(T2Args *a, const char *v)
{
    a->out = v;
    return v[0] != '\0' && strcmp(v, "-") != 0; /* it appears whole or not at all */
}

static bool set_from(T2Args *a, const char *v)
{
    a->from = v;
    return true;
}

static bool set_group(T2Args *a, const char *v)
{
    a->group = strcmp(v, "64") == 0 ? 64 : strcmp(v, "128") == 0 ? 128 : 0;
    return a->group != 0;
}

static bool set_at(T2Args *a, const char *v)
{
    a->at[a->n_at++] = v;
    return strchr(v, '=') != NULL;
}

static const struct Option {
    const char *name;
    unsigned bit;
    bool (*set)(T2Args *a, const char *value); /* NULL: takes no value */
    const char *form;                          /* of the value */
} options[] = {
    {"--tensor", T2_OPT_TENSOR, set_tensor, "NAME"},
    {"--shape", T2_OPT_SHAPE, set_shape, "NxK"},
    {"--quick", T2_OPT_QUICK, NULL, NULL},
    {"--tile", T2_OPT_TILE, set_tile, "I,J"},
    {"--row", T2_OPT_ROW, set_row, "a row 0..31"},
    {"--as", T2_OPT_AS, set_as, "q4_1, q4_k, q8a or q8b"},
    {"--json", T2_OPT_JSON, NULL, NULL},
    {"--reserved", T2_OPT_RESERVED, set_reserved, "refuse or zero"},
    {"-o", T2_OPT_OUT, set_out, "a file"},
    {"--from", T2_OPT_FROM, set_from, "KIND"},
    {"--group", T2_OPT_GROUP, set_group, "64 or 128"},
    {"--clamp", T2_OPT_CLAMP, NULL, NULL},
    {"--at", T2_OPT_AT, set_at, "BYTE=HEX"},
};

static const struct Option *find_option(const char *arg, unsigned takes)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if ((options[i].bit & takes) && cli_is(arg, options[i].name))
            return &options[i];
    }
    return NULL;
}

static bool no_option(const char *part, const char *arg, unsigned takes, Err *err)
{
    Suggest s;
    char hint[SUGGEST_TEXT];
    suggest_begin(&s, arg, strlen(arg));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (options[i].bit & takes)
            suggest_offer(&s, options[i].name);
    }
    return err_set(err, "t2 %s: no option %.*s; %stokstep t2 --help lists them", part,
                   HEAD(arg, 60), suggest_text(&s, hint));
}

static bool take_option(T2Args *a, const struct Option *o, int argc, char **argv, int *i, Err *err)
{
    a->given |= o->bit;
    if (!o->set) {
        if (strcmp(argv[*i], o->name) != 0)
            return err_set(err, "t2 %s: %s takes no value", argv[0], o->name);
        return true;
    }
    const char *value = cli_value(argc, argv, i, err);
    if (!value)
        return false;
    if (!o->set(a, value))
        return err_set(err, "t2 %s: %s '%.*s' is not %s", argv[0], o->name, HEAD(value, 60),
                       o->form);
    return true;
}

static bool take_word(T2Args *a, char **argv, const char *word, Err *err)
{
    /* --at takes several: whatever holds a '=' after it is one more */
    if ((a->given & T2_OPT_AT) && strchr(word, '='))
        return set_at(a, word);
    if (a->file)
        return err_set(err, "t2 %s: '%.*s' is one file too many", argv[0], HEAD(word, 60));
    a->file = word;
    return true;
}

bool t2_args(T2Args *a, int argc, char **argv, unsigned takes, unsigned needs, Err *err)
{
    *a = (T2Args){.at = xcalloc((size_t)argc, sizeof *a->at)};
    bool ok = true;
    bool only_words = false;
    for (int i = 1; ok && i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
            continue;
        }
        if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
            ok = take_word(a, argv, argv[i], err);
            continue;
        }
        const struct Option *o = find_option(argv[i], takes);
        ok = o ? take_option(a, o, argc, argv, &i, err) : no_option(argv[0], argv[i], takes, err);
    }
    if (ok && !a->file)
        ok = err_set(err, "t2 %s: needs a file", argv[0]);
    for (size_t i = 0; ok && i < sizeof options / sizeof *options; i++) {
        if (options[i].bit & needs & ~a->given)
            ok = err_set(err, "t2 %s: needs %s %s", argv[0], options[i].name, options[i].form);
    }
    if (!ok)
        t2_args_free(a);
    return ok;
}

void t2_args_free(T2Args *a)
{
    free(a->at);
    a->at = NULL;
}

void t2_warn(const Container *c)
{
    for (int i = 0; i < WARN_KINDS; i++) {
        const ContainerWarning *w = &c->warnings[i];
        if (w->count == 1)
            cli_put(stderr, PRINTABLE_TEXT, "warning: %s: %s\n", c->path, w->text);
        else if (w->count > 1)
            cli_put(stderr, PRINTABLE_TEXT, "warning: %s: %s (and %llu more like it)\n", c->path,
                    w->text, (unsigned long long)w->count - 1);
    }
}

bool t2_tensor(const Container *c, const T2Args *a, Tensor *t, Err *err)
{
    const Tensor *found = container_find(c, a->tensor, err);
    return found && tensor_shaped(c, found, a->rows, a->cols, t, err);
}

bool t2_tensor_to_show(const Container *c, const T2Args *a, const Tensor *found, Tensor *t,
                       Err *err)
{
    *t = tensor_column(found);
    return !a->rows || tensor_shaped(c, found, a->rows, a->cols, t, err);
}

bool t2_not_in_place(const FileMap *in, const char *in_path, const char *out_path, Err *err)
{
    if (file_is_same(in, out_path))
        return err_set(err, "%s: is the input; write to a new file", in_path);
    return true;
}
