/* `tokstep open FILE`: the explorer on a file; tensors open the t2 inspector. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/cli.h"
#include "cli/explore.h"
#include "tui/view/t2/inspector.h"

const char open_help[] =
    "tokstep open FILE [--tensor NAME] [--shape NxK] [options of the explorer]\n"
    "\n"
    "Looks into a file of tensors: GGUF, safetensors, .q4nx, a raw .t2, a pb16i\n"
    "image; a model file goes into the machine, a .lua file is taken as a lesson. Of\n"
    "tensors it shows every byte of a tile, what its bits mean, and what a wrong\n"
    "decoder would make of them. The file is mapped, not read, and never changed:\n"
    "edits stay in memory until they are written to another file.\n"
    "\n"
    "  --tensor NAME        the one to begin with; a part of its name will do\n"
    "  --shape NxK          rows x columns, where the file does not tell (raw .t2,\n"
    "                       2-D Q4NX); without it a column of tiles, N = 32 * tiles,\n"
    "                       K = 256\n"
    "  --script FILE, --size COLSxROWS, --screen FILE, --theme T, --ascii: as\n"
    "  tokstep --help says\n"
    "\n"
    "Keys: arrows, [ ] tile, { } tensor, R next reserved code, S next special scale,\n"
    "Enter between grid and bytes, / go to, e edit, u undo, W write, ? help, q quit.\n";

typedef struct Open {
    const char *file, *tensor;
    uint64_t rows, cols;
    bool only_words, is_model;
} Open;

static int take_shape(Open *o, int argc, char **argv, int *i, Err *err)
{
    const char *value = cli_value(argc, argv, i, err);
    if (!value)
        return -1;
    if (inspector_parse_shape(value, &o->rows, &o->cols))
        return 1;
    err_set(err, "open: --shape '%.*s' is not NxK", HEAD(value, 60));
    return -1;
}

static int take(void *context, int argc, char **argv, int *i, Err *err)
{
    Open *o = context;
    const char *word = argv[*i];
    if (!o->only_words && strcmp(word, "--") == 0)
        return o->only_words = true;
    if (!o->only_words && cli_is(word, "--shape"))
        return take_shape(o, argc, argv, i, err);
    if (!o->only_words && cli_is(word, "--tensor"))
        return (o->tensor = cli_value(argc, argv, i, err)) ? 1 : -1;
    if (!o->only_words && word[0] == '-' && word[1])
        return 0;
    if (o->file) {
        err_set(err, "open: '%.*s' is one file too many", HEAD(word, 60));
        return -1;
    }
    o->file = word;
    return 1;
}

/* The tensor to begin with, and then it is that one's shape. */
static bool choose_tensor(const Open *o, Tui *tui, Buf *out, Err *err)
{
    Buf line = {0};
    buf_printf(&line, "tensor %s", o->tensor);
    bool ok = tui_exec(tui, buf_str(&line), out, err);
    buf_clear(&line);
    buf_printf(&line, "shape %" PRIu64 "x%" PRIu64, o->rows, o->cols);
    ok = ok && (!o->rows || tui_exec(tui, buf_str(&line), out, err));
    buf_free(&line);
    return ok;
}

static bool begin_tensors(const Open *o, Tui *tui, Buf *out, Err *err)
{
    Opened what;
    uint64_t rows = o->tensor ? 0 : o->rows, cols = o->tensor ? 0 : o->cols;
    if (!tui_open(tui, o->file, rows, cols, &what, out, err))
        return false;
    if (what == OPENED_TENSORS) /* the machine waits behind it */
        return tui_exec(tui, "zoom on", out, err) &&
               (!o->tensor || choose_tensor(o, tui, out, err));
    return !o->tensor ||
           err_set(err, "open: %s: holds no tensors, --tensor %s", o->file, o->tensor);
}

static bool begin(void *context, Tui *tui, Err *err)
{
    const Open *o = context;
    Buf out = {0};
    bool ok = true;
    if (!o->file)
        return err_set(err, "open: needs a file");
    if (!o->is_model)
        ok = begin_tensors(o, tui, &out, err);
    else if (o->rows || o->tensor)
        ok = err_set(err, "open: %s: a model goes into the machine whole, without %s", o->file,
                     o->rows ? "--shape" : "--tensor");
    else
        buf_printf(&out, "%s: a model, the machine begins with its weights", o->file);
    if (ok && out.len)
        tui_say(tui, ROLE_TEXT, "%s", buf_str(&out));
    buf_free(&out);
    return ok;
}

/* Where argv names the file: what is neither an option nor the value of one; 0: nowhere. */
static int file_at(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0)
            return i + 1 < argc ? i + 1 : 0;
        if (word[0] != '-' || !word[1])
            return i;
        if (!strchr(word, '=') && strcmp(word, "--ascii") != 0)
            i++;
    }
    return 0;
}

/* A model comes before the options, which may be about it: FILE is --model=FILE. */
static int open_model(int argc, char **argv, int at)
{
    Buf option = {0};
    Open o = {.file = argv[at], .is_model = true};
    buf_printf(&option, "--model=%s", argv[at]);
    argv[at] = option.data;
    if (strcmp(argv[at - 1], "--") == 0)
        argv[at - 1] = argv[at];
    int rc = explore_on(argc, argv, &(ExploreTarget){take, begin, &o, "open", false, NULL});
    buf_free(&option);
    return rc;
}

int open_main(int argc, char **argv)
{
    Open o = {0};
    int at = file_at(argc, argv);
    if (at && model_is_file(argv[at], NULL))
        return open_model(argc, argv, at);
    return explore_on(
        argc, argv,
        &(ExploreTarget){take, begin, &o, "open", at && tui_opens_lesson(argv[at]), NULL});
}
