#include "tui/inspect_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

#include "base/mem.h"
#include "session/command.h"
#include "tui/view/t2/t2_scene.h"

enum { COUNT_AT_ONCE = 4 << 20 /* bytes of a tensor that take no time to count */ };
#define WAIT_FRAME 0.033 /* seconds between two frames of work that takes its time */

/* ---- the view's state ---- */

static T2State *state_of(Tui *t)
{
    return view_own(t->states[view_index(&view_t2)]);
}

static void show(Tui *t)
{
    panes_show(&t->panes, tui_area(t), view_index(&view_t2));
}

/* The matrix of the machine that was loaded from this file (NULL: from any); NULL: none. */
static const WeightPatch *patch_from(const Session *s, const FileMap *file, WeightId *matrix)
{
    static const WeightId followed[] = {WEIGHT_W2, WEIGHT_W1, WEIGHT_W3};
    for (size_t i = 0; i < sizeof followed / sizeof *followed; i++) {
        const WeightPatch *p = &session_setup(s)->patch[followed[i]];
        *matrix = followed[i];
        if (p->words && (!file || file_is_same(file, p->path)))
            return p;
    }
    return NULL;
}

/* The open file and the machine's matrix that came from it, if one did: it tells the shape. The
 * machine may have begun again since with other weights. */
static void tie(Tui *t)
{
    Inspector *in = &t->inspector;
    WeightId matrix;
    if (!inspector_is_open(in))
        return;
    const WeightPatch *p = patch_from(t->session, &in->c.map, &matrix);
    if (p && in->assumed[0])
        (void)inspector_shape(in, 0, (uint64_t)p->cols, (uint64_t)p->rows, NULL);
    in->of_machine =
        p && in->tensors[0].rows == (uint64_t)p->cols && in->tensors[0].cols == (uint64_t)p->rows;
    in->matrix = matrix;
}

bool inspect_may_leave(const Tui *t, const char *what, Err *err)
{
    if (!inspector_unsaved(&t->inspector))
        return true;
    int n = (int)t->inspector.n_pokes;
    if (strcmp(what, "quit") == 0) /* 56 columns: all of it is seen on the narrowest window */
        return err_set(err, "quit: loses %d edit%s; q again leaves, write FILE keeps", n,
                       n == 1 ? "" : "s");
    return err_set(err, "%s: unsaved edits; write FILE keeps, revert drops them", what);
}

/* ---- what takes its time ---- */

/* Work on the whole file, and who waits for it. Without a terminal nobody does. */
typedef struct Wait {
    Tui *t;
    const char *doing;
    double asked;
    bool shown, stopped;
    Progress progress;
} Wait;

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A frame, and the loop looks at the keys: Esc and C-c stop. */
static bool go_on(void *context, uint64_t done, uint64_t all)
{
    Wait *w = context;
    char size[32];
    if (!w->t->go_on || now_seconds() - w->asked < WAIT_FRAME)
        return true;
    t2_size_text(all, size, sizeof size);
    tui_say(w->t, ROLE_ACTIVE, "%s: %.0f %% of %s; Esc or C-c stops", w->doing,
            100.0 * (double)done / (double)all, size);
    w->shown = true;
    w->stopped = !w->t->go_on(w->t->context);
    w->asked = now_seconds();
    return !w->stopped;
}

static const Progress *wait_begin(Wait *w, Tui *t, const char *doing)
{
    *w = (Wait){t, doing, now_seconds(), false, false, {go_on, w}};
    return &w->progress;
}

/* The message goes; of work that was stopped it says which. */
static bool wait_end(Wait *w, bool ok, Err *err)
{
    if (w->shown)
        w->t->message[0] = '\0';
    if (w->stopped && err) {
        Err why = *err;
        err_set(err, "%s %s", w->doing, why.text);
    }
    return ok;
}

/* ---- opening ---- */

/* Open a file of tensors in the view. */
static bool load(Tui *t, const char *path, uint64_t rows, uint64_t cols, Err *err)
{
    Inspector *in = &t->inspector;
    T2State *v = state_of(t);
    Wait wait;
    const Progress *progress = wait_begin(&wait, t, "opening");
    if (!wait_end(&wait, inspector_open(in, path, rows, cols, progress, err), err))
        return false;
    tie(t);
    *v = (T2State){.v.format = v->v.format, .in = in};
    return true;
}

/* A matrix that the machine was given since the last time is opened, unless there are edits to
 * lose. */
static void follow_matrix(Tui *t)
{
    WeightId matrix;
    Err err = {0};
    const WeightPatch *p = patch_from(t->session, NULL, &matrix);
    if (p && t->matrix_file && strcmp(t->matrix_file, p->path) == 0)
        return;
    free(t->matrix_file);
    t->matrix_file = p ? xstrdup(p->path) : NULL;
    if (p && !inspector_unsaved(&t->inspector) && !load(t, p->path, 0, 0, &err))
        tui_say(t, ROLE_WARN, "%s", err.text);
}

/* A file is open, and the cursor is in it. Frames that are drawn during the command open no other.
 */
static bool opened(Tui *t, Err *err)
{
    T2Scene k;
    follow_matrix(t);
    tie(t);
    return t2_settle(&k, t->session, state_of(t)) ||
           err_set(err, "no tensor file is open: open FILE");
}

static const Tensor *tensor_of(Tui *t)
{
    return &t->inspector.tensors[state_of(t)->tensor];
}

void inspect_begin(Tui *t)
{
    T2State *v = state_of(t);
    v->v.format = SHOW_BOTH;
    v->in = &t->inspector;
    follow_matrix(t);
}

void inspect_settle(Tui *t)
{
    T2Scene k;
    follow_matrix(t);
    tie(t);
    if (t2_scene(&k, t->session, state_of(t)) && k.t->size <= COUNT_AT_ONCE)
        (void)inspector_count(&t->inspector, (size_t)(k.t - t->inspector.tensors), NULL, NULL);
}

void tui_offer_tensors(Tui *t, const char *path, uint64_t rows, uint64_t cols)
{
    if (!inspector_is_open(&t->inspector))
        (void)load(t, path, rows, cols, NULL);
}

static void describe(const Inspector *in, Buf *out)
{
    const Container *c = &in->c;
    buf_printf(out, "%s: %s, %zu tensor%s", c->path, container_kind_name(c->kind), c->count,
               c->count == 1 ? "" : "s");
    if (in->assumed[0])
        buf_printf(out,
                   ", no shape in the file: shown as %" PRIu64 "x%" PRIu64 ", shape NxK tells it",
                   in->tensors[0].rows, in->tensors[0].cols);
    for (int i = 0; i < WARN_KINDS; i++) {
        if (c->warnings[i].count)
            buf_printf(out, "; warning: %s", c->warnings[i].text);
    }
}

/* The weights of a model file become the machine's. */
static bool open_model(Tui *t, const char *path, Buf *out, Err *err)
{
    if (!session_open_model(t->session, path, err))
        return false;
    if (tui_view(t) != &view_model) /* which shows what was opened too */
        panes_show(&t->panes, tui_area(t), 0);
    buf_printf(out, "%s: a model, the machine begins with its weights", path);
    return true;
}

bool tui_opens_lesson(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".lua") == 0;
}

bool tui_open(Tui *t, const char *path, uint64_t rows, uint64_t cols, Opened *what, Buf *out,
              Err *err)
{
    Wait wait;
    const Progress *progress = wait_begin(&wait, t, "opening");
    bool is_model = !tui_opens_lesson(path) && model_is_file(path, progress);
    wait_end(&wait, is_model, NULL);
    if (wait.stopped)
        return err_set(err, "%s: opening was stopped", path);
    *what = tui_opens_lesson(path) ? OPENED_LESSON : is_model ? OPENED_MODEL : OPENED_TENSORS;
    if (*what == OPENED_LESSON)
        return tui_take_lesson(t, path, err);
    if (*what == OPENED_MODEL)
        return open_model(t, path, out, err);
    if (!inspect_may_leave(t, "open", err) || !load(t, path, rows, cols, err))
        return false;
    show(t);
    describe(&t->inspector, out);
    return true;
}

/* `open model`, where no file is called so: the built-in one, for this machine or the repaired. */
static bool open_built_in(Tui *t, Buf *out, Err *err)
{
    Buf path = {0}, unsaid = {0};
    const char *preset = engine_config(session_engine(t->session))->preset;
    bool ok = model_asset(preset, &path) || model_asset("repaired", &path) ||
              err_set(err, "open model: the built-in model is neither beside the sources nor "
                           "installed; open FILE opens another");
    ok = ok && open_model(t, buf_str(&path), &unsaid, err);
    if (ok)
        buf_text(out, "the built-in model of English words: the machine begins with its weights");
    buf_free(&path);
    buf_free(&unsaid);
    return ok;
}

/* "FILE" or "FILE NxK". */
bool inspect_open(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    char path[512];
    Opened what;
    uint64_t rows = 0, cols = 0;
    const char *blank = strrchr(a->text, ' ');
    size_t n = strlen(a->text);
    if (blank && inspector_parse_shape(blank + 1, &rows, &cols))
        n = (size_t)(blank - a->text);
    snprintf(path, sizeof path, "%.*s", (int)n, a->text);
    if (strcmp(path, "model") == 0 && access(path, F_OK) != 0)
        return open_built_in(t, out, err);
    return tui_open(t, path, rows, cols, &what, out, err);
}

bool inspect_shape(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    uint64_t rows, cols;
    (void)out;
    if (!opened(t, err))
        return false;
    if (!inspector_parse_shape(a->text, &rows, &cols))
        return err_set(err, "shape %s: must be NxK, rows x columns", a->text);
    return inspector_shape(&t->inspector, state_of(t)->tensor, rows, cols, err);
}

bool inspect_group(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    (void)out;
    return opened(t, err) && inspector_group(&t->inspector, state_of(t)->tensor,
                                             a->value[0].word == 0 ? 64 : 128, err);
}

static bool has_q8_chunks(const Inspector *in)
{
    for (size_t i = 0; i < in->c.count; i++) {
        if (in->tensors[i].kind == KIND_CHUNK_Q8)
            return true;
    }
    return false;
}

bool inspect_layout(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Inspector *in = &t->inspector;
    bool q8a = *a->text ? a->value[0].word == 0 : in->q8 != CHUNK_Q8A;
    ChunkLayout layout = q8a ? CHUNK_Q8A : CHUNK_Q8B;
    if (!opened(t, err))
        return false;
    if (!has_q8_chunks(in)) {
        const Tensor *here = tensor_of(t);
        return err_set(err, "layout: there are no q8 chunks in this file; this tensor is %s",
                       here->kind == KIND_OTHER ? here->type : kind_name(here->kind));
    }
    in->q8 = layout;
    buf_printf(out, "q8 chunks under layout %s: %s", chunk_name(layout), chunk_help(layout));
    return true;
}

/* ---- moving ---- */

/* By its name, or +1 and -1. */
/* The tensor of that name, or the next one behind *at with that in its name. */
static bool find_tensor(const Container *c, const char *name, size_t *at, Err *err)
{
    const Tensor *found = container_find(c, name, err);
    if (found) {
        *at = (size_t)(found - c->tensors);
        return true;
    }
    for (size_t i = 1; *name && i <= c->count; i++) {
        size_t k = (*at + i) % c->count;
        if (strstr(c->tensors[k].name, name)) {
            *at = k;
            return true;
        }
    }
    return false;
}

bool inspect_tensor(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    T2State *v = state_of(t);
    Press unsaid;
    (void)out;
    if (!opened(t, err))
        return false;
    show(t);
    if (a->value[0].word >= 0)
        return view_press(&view_t2, t->session, &v->v, a->value[0].word == 0 ? "}" : "{", &unsaid);
    if (!find_tensor(&t->inspector.c, a->text, &v->tensor, err))
        return false;
    v->tile = 0;
    v->on_bytes = false;
    return v->v.pinned = true;
}

bool inspect_tile(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    unsigned long long i, j;
    char end;
    (void)out;
    if (!opened(t, err))
        return false;
    if (sscanf(a->text, "%18llu,%18llu%c", &i, &j, &end) != 2)
        return err_set(err, "tile %s: must be I,J", a->text);
    const Tensor *shape = tensor_of(t);
    if (i >= (shape->rows + TILE_ROWS - 1) / TILE_ROWS ||
        j >= (shape->cols + TILE_COLS - 1) / TILE_COLS)
        return err_set(err, "tile %s: tensor %s is %" PRIu64 "x%" PRIu64, a->text, shape->name,
                       shape->rows, shape->cols);
    show(t);
    return t2_seek_cell(state_of(t), i * TILE_ROWS, j * TILE_COLS, err);
}

static bool find(Tui *t, FindWhat what, Buf *out, Err *err)
{
    Wait wait;
    bool wrapped = false;
    const Progress *progress = wait_begin(
        &wait, t, what == FIND_RESERVED ? "seeking a code 3" : "seeking a special scale");
    bool found = t2_find(state_of(t), what, &wrapped, progress, err);
    if (!wait_end(&wait, found, err))
        return false;
    if (wrapped)
        buf_text(out, "from the start of the tensor again");
    return true;
}

bool inspect_seek(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    if (!opened(t, err))
        return false;
    show(t);
    if (a->value[0].word >= 0)
        return find(t, a->value[0].word == 0 ? FIND_RESERVED : FIND_SPECIAL, out, err);
    return t2_seek(state_of(t), a->text, err);
}

bool inspect_count(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Wait wait;
    (void)a;
    if (!opened(t, err))
        return false;
    const Progress *progress = wait_begin(&wait, t, "counting");
    bool ok = inspector_count(&t->inspector, state_of(t)->tensor, progress, err);
    if (!wait_end(&wait, ok, err))
        return false;
    const TensorStats *s = &t->inspector.counts;
    if (!s->weights) {
        buf_text(out, "nothing to count: the tensor's codes are not known");
        return true;
    }
    buf_printf(out,
               "-1 %" PRIu64 "  0 %" PRIu64 "  +1 %" PRIu64 "  code 3 %" PRIu64 "  of %" PRIu64
               " weights",
               s->codes[0], s->codes[1], s->codes[2], s->codes[3], s->weights);
    return true;
}

/* ---- edits ---- */

static int hex_digit(char ch)
{
    const char *digits = "0123456789abcdef", *at;
    if (ch >= 'A' && ch <= 'F')
        ch = (char)(ch - 'A' + 'a');
    at = ch ? strchr(digits, ch) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* "BYTE HEX..." or "BYTE=HEX...": whole bytes from BYTE of the file on. */
static bool parse_poke(const char *args, uint64_t *at, uint8_t *bytes, size_t *n, size_t most,
                       Err *err)
{
    char number[32] = "";
    size_t length = strcspn(args, " =");
    const char *hex = args + length + strspn(args + length, " =");
    if (length < sizeof number)
        memcpy(number, args, length);
    if (!inspector_parse_number(number, at))
        return err_set(err, "poke %s: must be BYTE HEX, as poke 0x45 5b", args);
    for (*n = 0; *hex && *n < most; hex += 2) {
        hex += strspn(hex, " ");
        int hi = hex_digit(hex[0]), lo = hi < 0 ? -1 : hex_digit(hex[1]);
        if (lo < 0)
            return err_set(err, "poke %s: HEX is whole bytes of two digits", args);
        bytes[(*n)++] = (uint8_t)(hi << 4 | lo);
    }
    return (*n > 0 && !*hex) || err_set(err, "poke %s: HEX is 1 to %zu bytes", args, most);
}

bool inspect_poke(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    uint8_t bytes[POKE_MAX];
    uint64_t at;
    size_t n = 0;
    Inspector *in = &t->inspector;
    if (!opened(t, err) || !parse_poke(a->text, &at, bytes, &n, sizeof bytes, err))
        return false;
    if (at >= in->c.map.size || n > in->c.map.size - at)
        return err_set(err, "poke %s: the file has %zu bytes", a->text, in->c.map.size);
    if (at < in->c.data_offset)
        return err_set(err, "poke %s: the header ends at byte %" PRIu64 "; only tensors are edited",
                       a->text, in->c.data_offset);
    if (!inspector_poke(in, at, bytes, n, err))
        return false;
    const uint8_t *before = in->pokes[in->n_pokes - 1].before;
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%sbyte 0x%" PRIx64 ": %02x -> %02x", i ? ", " : "", at + i, before[i],
                   bytes[i]);
    if (in->of_machine)
        buf_printf(out, "; u takes it back; %s of the machine stays as loaded",
                   weight_name(in->matrix));
    else
        buf_text(out, "; u takes it back, W writes a new file");
    return true;
}

bool inspect_unpoke(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    uint64_t at;
    size_t n = 0;
    T2State *v = state_of(t);
    (void)a;
    if (!opened(t, err) || !inspector_unpoke(&t->inspector, &at, &n, err))
        return false;
    if (n == 1)
        buf_printf(out, "byte 0x%" PRIx64 " is %02x again", at, t->inspector.c.map.data[at]);
    else
        buf_printf(out, "%zu bytes from 0x%" PRIx64 " are as they were", n, at);
    bool on_bytes = v->on_bytes;
    (void)t2_seek_byte(v, at, NULL);
    T2Scene k;
    (void)t2_settle(&k, t->session, v); /* the cell follows the byte */
    v->on_bytes = on_bytes || !k.has_cell;
    return true;
}

bool inspect_revert(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    uint64_t at;
    size_t bytes, n = t->inspector.n_pokes;
    (void)a;
    if (!opened(t, err))
        return false;
    while (t->inspector.n_pokes > 0) {
        if (!inspector_unpoke(&t->inspector, &at, &bytes, err))
            return false;
    }
    buf_printf(out, "%zu edit%s taken back", n, n == 1 ? "" : "s");
    return true;
}

bool inspect_write(void *room, const Args *a, Buf *out, Err *err)
{
    Tui *t = room;
    Inspector *in = &t->inspector;
    if (!opened(t, err))
        return false;
    if (!*a->text)
        return err_set(err, "write: needs a file");
    Wait wait;
    const Progress *progress = wait_begin(&wait, t, "writing");
    if (!wait_end(&wait, inspector_write(in, a->text, progress, err), err))
        return false;
    buf_printf(out, "%s: %zu bytes, %zu edit%s", a->text, in->c.map.size, in->n_pokes,
               in->n_pokes == 1 ? "" : "s");
    if (in->of_machine)
        buf_printf(out, "; config %s=t2:%s gives it to the machine", weight_name(in->matrix),
                   a->text);
    return true;
}
