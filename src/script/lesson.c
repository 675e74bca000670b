#include "script/lesson.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/printable.h"
#include "script/lesson_files.h"
#include "script/lesson_private.h"
#include "script/progress.h"
#include "script/script_private.h"

enum { LESSON_FILE_MAX = 16 << 20 };

/* ---- what Lua knows of it ---- */

/* The chunk on the stack is called; its result is the lesson. */
static int keep_lesson(lua_State *L)
{
    lua_call(L, 0, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tokstep.lesson");
    return 0;
}

/* An error that does not say where it is gets the place of the page, or the file. */
static void add_place(Lesson *l, ScriptError *error)
{
    ScriptError ignored = {0};
    Buf at = {0};
    Err why = error->err;
    if (strstr(why.text, l->info.path))
        return;
    bool known = script_call(l->script, "lesson_at", false, NULL, &at, &ignored) && at.len;
    err_set(&error->err, "%.*s: %.*s", HEAD(known ? buf_str(&at) : l->info.path, 250),
            HEAD(why.text, 250));
    buf_free(&at);
}

/* What fails there is the pupil's, and has a place of its own. */
static bool of_pupil(const char *function)
{
    return strcmp(function, "lesson_grade") == 0 || strcmp(function, "lesson_mark") == 0;
}

bool lesson_call_with(Lesson *l, const char *function, bool with_lesson, const char *const *args,
                      Buf *out, ScriptError *error)
{
    session_deafen(l->script->session, true); /* the breakpoints are the pupil's */
    bool ok = script_call(l->script, function, with_lesson, args, out, error);
    session_deafen(l->script->session, false);
    if (!ok && !of_pupil(function))
        add_place(l, error);
    return ok;
}

bool lesson_call(Lesson *l, const char *function, bool with_lesson, const char *first,
                 const char *second, Buf *out, ScriptError *error)
{
    const char *args[] = {first, second, NULL};
    return lesson_call_with(l, function, with_lesson, args, out, error);
}

/* The next field of a line, parted by tabs. */
static void take_field(const char **text, char *out, size_t size)
{
    size_t n = strcspn(*text, "\t\n");
    snprintf(out, size, "%.*s", (int)n, *text);
    *text += n + ((*text)[n] == '\t');
}

static bool read_info(Lesson *l, ScriptError *error)
{
    Buf text = {0};
    char number[16];
    LessonInfo *info = &l->info;
    bool ok = lesson_call(l, "lesson_info", true, NULL, NULL, &text, error);
    const char *p = buf_str(&text);
    if (ok) {
        take_field(&p, info->id, sizeof info->id);
        take_field(&p, info->title, sizeof info->title);
        take_field(&p, number, sizeof number);
        info->minutes = atoi(number);
        take_field(&p, number, sizeof number);
        info->pages = atoi(number);
        take_field(&p, info->needs, sizeof info->needs);
        take_field(&p, info->about, sizeof info->about);
    }
    buf_free(&text);
    return ok;
}

void lesson_key(const LessonInfo *info, char key[LESSON_KEY])
{
    snprintf(key, LESSON_KEY, "%s%s", info->id,
             lesson_id_taken(info->id, info->path) ? ".own" : "");
}

/* FNV-1a over the lines first..end - 1 of a text, whatever their indents. */
static uint64_t digest_lines(const char *text, long first, long end)
{
    uint64_t sum = 0xcbf29ce484222325U;
    long line = 1;
    for (const char *p = text; *p && line < end; p++) {
        if (line >= first && !strchr(" \t\r\n", *p))
            sum = (sum ^ (uint8_t)*p) * 0x100000001b3U;
        line += *p == '\n';
    }
    return sum;
}

/* A page is the lines from where it begins to the next one's. */
static bool read_digests(Lesson *l, ScriptError *error)
{
    Buf lines = {0};
    bool ok = lesson_call(l, "lesson_lines", true, NULL, NULL, &lines, error);
    char *text = ok ? file_read_text(l->info.path, LESSON_FILE_MAX, &error->err) : NULL;
    for (const char *p = buf_str(&lines); text && *p;) {
        char *rest = NULL;
        long first = strtol(p, &rest, 10), next = *rest ? strtol(rest, NULL, 10) : LONG_MAX;
        buf_printf(&l->digests, "%s%016llx", l->digests.len ? " " : "",
                   (unsigned long long)digest_lines(text, first, next > first ? next : first + 1));
        p = rest + (*rest == ' ');
    }
    ok = ok && text;
    free(text);
    buf_free(&lines);
    return ok;
}

/* Of pages as they are now? Progress without their digests is taken as such. */
static bool is_of_now(const Lesson *l, const char *progress)
{
    const char *kept = strstr(progress, "\npages ");
    size_t n = kept ? strcspn(kept + 7, "\n") : 0;
    return !kept || (n == l->digests.len && strncmp(kept + 7, buf_str(&l->digests), n) == 0);
}

static void read_progress(Lesson *l, Buf *text)
{
    LessonInfo *info = &l->info;
    char key[LESSON_KEY];
    lesson_key(info, key);
    progress_read(key, text);
    const char *page = strstr(buf_str(text), "page ");
    long n = page ? strtol(page + 5, NULL, 10) : 0;
    info->page = n < 0 ? 0 : n > info->pages ? info->pages : (int)n;
    const char *score = strstr(buf_str(text), "\nscore ");
    info->finished = is_of_now(l, buf_str(text)) && strstr(buf_str(text), "\nfinished") != NULL;
    info->score = score && info->finished ? atoi(score + 7) : -1;
}

static bool load(Lesson *l, const char *path, ScriptError *error)
{
    snprintf(l->info.path, sizeof l->info.path, "%s", path);
    if (!script_load_file(l->script, path, error))
        return false;
    lua_pushcfunction(sandbox_lua(l->script->box), keep_lesson);
    lua_insert(sandbox_lua(l->script->box), -2);
    if (sandbox_call(l->script->box, 1, 0, error))
        return read_info(l, error) && read_digests(l, error);
    add_place(l, error);
    return false;
}

/* ---- the page ---- */

static unsigned hidden(const char *words)
{
    return (strstr(words, "wrap") ? LESSON_HIDE_WRAP : 0U) |
           (strstr(words, "done") ? LESSON_HIDE_DONE : 0U) |
           (strstr(words, "deck") ? LESSON_HIDE_DECK : 0U);
}

static void swap(Buf *a, Buf *b)
{
    Buf before = *a;
    *a = *b;
    *b = before;
}

static bool refresh(Lesson *l, ScriptError *error)
{
    Buf status = {0}, text = {0}, said = {0};
    char wants[16] = "", finished[16] = "", answer[16] = "", bet[16] = "", hide[32] = "";
    char columns[16], rows[16];
    snprintf(columns, sizeof columns, "%d", l->columns);
    snprintf(rows, sizeof rows, "%d", l->rows);
    bool ok = lesson_call(l, "lesson_screen", false, columns, rows, &text, error) &&
              lesson_call(l, "lesson_said", false, NULL, NULL, &said, error) &&
              lesson_call(l, "lesson_status", false, NULL, NULL, &status, error);
    if (ok) { /* until then the pane shows what it did */
        sscanf(buf_str(&status), "%d %d %15s %15s %15s %15s %31s", &l->page.page, &l->page.pages,
               wants, finished, answer, bet, hide);
        l->page.bet = strcmp(bet, "bet") == 0;
        l->page.play = strcmp(bet, "play") == 0;
        l->page.hide = hidden(hide) | (l->page.bet ? LESSON_HIDE_CLOCK : 0U);
        l->page.wants = *wants == 'a' ? LESSON_ANSWER : *wants == 'c' ? LESSON_CHECK : LESSON_NEXT;
        l->page.finished = strcmp(finished, "finished") == 0;
        l->page.refused = strcmp(answer, "refused") == 0;
        swap(&l->page.text, &text);
        swap(&l->page.said, &said);
    }
    buf_free(&text);
    buf_free(&said);
    buf_free(&status);
    return ok;
}

static bool save(Lesson *l, ScriptError *error)
{
    Buf text = {0};
    char key[LESSON_KEY];
    if (!l->pupil)
        return true;
    lesson_key(&l->info, key);
    bool ok = lesson_call(l, "lesson_progress", false, NULL, NULL, &text, error) &&
              progress_write(key, buf_str(&text), &error->err) && lesson_write_hand_in(l, error);
    buf_free(&text);
    return ok;
}

/* Pupils get numbers of their own: from the clock, and then kept in the progress. */
static bool begin(Lesson *l, ScriptError *error)
{
    Buf progress = {0};
    char seed[24];
    snprintf(seed, sizeof seed, "%ld", l->pupil ? (long)(time(NULL) % 9973) + 1 : 1L);
    if (l->pupil)
        read_progress(l, &progress);
    const char *args[] = {seed, buf_str(&progress), buf_str(&l->digests), NULL};
    bool ok = lesson_call_with(l, "lesson_open", true, args, NULL, error) && refresh(l, error);
    buf_free(&progress);
    return ok;
}

Lesson *lesson_open(const char *path, Session *s, const ScriptLimits *limits, bool pupil,
                    ScriptError *error)
{
    Lesson *l = xcalloc(1, sizeof *l);
    l->pupil = pupil;
    l->script = script_new(s, limits, error);
    if (l->script) {
        l->script->in_lesson = true;
        l->script->out = pupil ? &l->printed : NULL;
        if (load(l, path, error) && begin(l, error))
            return l;
    }
    lesson_free(l);
    return NULL;
}

void lesson_free(Lesson *l)
{
    if (!l)
        return;
    script_free(l->script);
    buf_free(&l->printed);
    buf_free(&l->page.text);
    buf_free(&l->page.said);
    buf_free(&l->digests);
    free(l->hand_in);
    free(l->name);
    free(l);
}

const LessonInfo *lesson_info(const Lesson *l)
{
    return &l->info;
}

void lesson_needs_first(const Lesson *l, Buf *out)
{
    Buf progress = {0};
    char needs[LESSON_NEEDS];
    snprintf(needs, sizeof needs, "%s", l->info.needs);
    for (char *id = strtok(needs, " "); id; id = strtok(NULL, " ")) {
        buf_clear(&progress);
        progress_read(id, &progress);
        if (!strstr(buf_str(&progress), "\nfinished"))
            buf_printf(out, "%s%s", out->len ? ", " : "", id);
    }
    buf_free(&progress);
}

Script *lesson_script(Lesson *l)
{
    return l->script;
}

const LessonPage *lesson_page(const Lesson *l)
{
    return &l->page;
}

bool lesson_fit(Lesson *l, int columns, int rows, ScriptError *error)
{
    if (l->columns == columns && l->rows == rows)
        return true;
    l->columns = columns;
    l->rows = rows;
    return refresh(l, error);
}

Buf *lesson_printed(Lesson *l)
{
    return &l->printed;
}

static void note_machine(Lesson *l)
{
    Session *s = l->script->session;
    (void)session_edits(s, &l->judged.edits);
    l->judged.cycle = engine_cycle(session_engine(s));
    l->judged.hash = engine_hash(session_engine(s));
}

static bool same_machine(const Lesson *l)
{
    const Session *s = l->script->session;
    int edits = 0;
    (void)session_edits(s, &edits);
    return edits == l->judged.edits && engine_cycle(session_engine(s)) == l->judged.cycle &&
           engine_hash(session_engine(s)) == l->judged.hash;
}

bool lesson_settle(Lesson *l, ScriptError *error)
{
    bool not_yet = l->page.wants == LESSON_CHECK && buf_str(&l->page.said)[0] == 'w';
    if (!not_yet || same_machine(l))
        return true;
    return lesson_call(l, "lesson_forget", false, NULL, NULL, NULL, error) && refresh(l, error);
}

bool lesson_do(Lesson *l, const char *verb, const char *text, ScriptError *error)
{
    bool ok = lesson_call(l, "lesson_do", false, verb, text, NULL, error) && refresh(l, error) &&
              save(l, error);
    note_machine(l);
    return ok;
}

/* ---- the list ---- */

bool lesson_file_info(const char *path, double cpu, LessonInfo *info, ScriptError *error)
{
    Lesson l = {.script = script_new(NULL, &(ScriptLimits){.cpu = cpu}, error)};
    Buf progress = {0};
    if (l.script)
        l.script->out = &l.printed; /* is not asked for here */
    bool ok = l.script && load(&l, path, error);
    if (ok)
        read_progress(&l, &progress);
    *info = l.info;
    buf_free(&l.digests);
    buf_free(&progress);
    buf_free(&l.printed);
    script_free(l.script);
    return ok;
}

bool lesson_list(LessonInfo **list, int *count, ScriptError *error)
{
    Buf dir = {0}, path = {0};
    *list = NULL;
    *count = 0;
    if (!place_dir("lessons", &dir, &error->err)) {
        buf_free(&dir);
        return false;
    }
    int n = 0;
    bool ok = true;
    char **names = lesson_files(buf_str(&dir), &n);
    *list = xcalloc((size_t)n + 1, sizeof **list);
    for (int i = 0; ok && i < n; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", buf_str(&dir), names[i]);
        ok = lesson_file_info(buf_str(&path), 0, &(*list)[(*count)++], error);
    }
    lesson_files_free(names, n);
    buf_free(&dir);
    buf_free(&path);
    return ok;
}

/* ---- check and grade ---- */

/* Is `id` that of one of the lessons in dir? By the name of its file; else each is asked. */
static bool is_in(const char *dir, const char *id)
{
    Buf path = {0};
    int n = 0;
    bool found = false;
    buf_printf(&path, "%s/%s.lua", dir, id);
    found = access(buf_str(&path), R_OK) == 0;
    char **names = found ? NULL : lesson_files(dir, &n);
    for (int i = 0; !found && i < n; i++) {
        LessonInfo info = {0};
        ScriptError error = {0};
        buf_clear(&path);
        buf_printf(&path, "%s/%s", dir, names[i]);
        found = lesson_file_info(buf_str(&path), 0.5, &info, &error) && strcmp(info.id, id) == 0;
    }
    lesson_files_free(names, n);
    buf_free(&path);
    return found;
}

/* What the lesson needs and is nowhere, blanks between. */
static void missing_needs(const Lesson *l, Buf *out)
{
    Buf built_in = {0}, beside = {0};
    char needs[LESSON_NEEDS];
    const char *slash = strrchr(l->info.path, '/');
    buf_printf(&beside, "%.*s", slash ? (int)(slash - l->info.path) : 1,
               slash ? l->info.path : ".");
    (void)place_dir("lessons", &built_in, NULL);
    snprintf(needs, sizeof needs, "%s", l->info.needs);
    for (char *id = strtok(needs, " "); id; id = strtok(NULL, " ")) {
        bool found = (built_in.len && is_in(buf_str(&built_in), id)) || is_in(buf_str(&beside), id);
        if (!found)
            buf_printf(out, "%s ", id);
    }
    buf_free(&built_in);
    buf_free(&beside);
}

bool lesson_check(Lesson *l, LessonCheck *result, Buf *out, ScriptError *error)
{
    Buf text = {0}, missing = {0};
    *result = (LessonCheck){0};
    missing_needs(l, &missing);
    bool ok = lesson_call(l, "lesson_check", true, buf_str(&missing),
                          lesson_id_taken(l->info.id, l->info.path) ? "taken" : NULL, &text, error);
    buf_free(&missing);
    if (ok)
        sscanf(buf_str(&text), "%d %d %d", &result->pages, &result->questions,
               &result->predictions);
    const char *p = strchr(buf_str(&text), '\n');
    for (p = p ? p + 1 : ""; *p; result->failures++) { /* WHERE<tab>why */
        size_t n = strcspn(p, "\n"), where = strcspn(p, "\t");
        buf_add(out, p, where < n ? where : n);
        buf_printf(out, ": %.*s\n", where < n ? (int)(n - where - 1) : 0, p + where + 1);
        p += n + (p[n] == '\n');
    }
    buf_free(&text);
    return ok;
}

bool lesson_refused(const Buf *text, Err *err)
{
    bool refused = strncmp(buf_str(text), "refused ", 8) == 0;
    if (refused)
        err_set(err, "%.*s", HEAD(buf_str(text) + 8, 500));
    return refused;
}

/* "bad LINE<tab>WHY" at p: to told as "line LINE: WHY". */
static void tell_bad(const char *p, Buf *told)
{
    const char *why = strchr(p, '\t') + 1;
    buf_printf(told, "line %ld: %.*s\n", strtol(p, NULL, 10), (int)strcspn(why, "\n"), why);
}

bool lesson_grade(Lesson *l, const char *name, const char *answers, LessonScore *score, Buf *out,
                  Buf *told, ScriptError *error)
{
    Buf text = {0};
    l->script->out = &l->printed; /* a pupil may print anything, a grade too */
    bool ok = lesson_call(l, "lesson_grade", true, name, answers, &text, error);
    buf_clear(&l->printed);
    ok = ok && !lesson_refused(&text, &error->err);
    *score = (LessonScore){0};
    if (ok)
        sscanf(buf_str(&text), "%d %d %d", &score->percent, &score->right, &score->questions);
    const char *p = ok ? strchr(buf_str(&text), '\n') : NULL;
    for (p = p ? p + 1 : ""; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "bad\t", 4) == 0)
            tell_bad(p + 4, told);
        else
            buf_printf(out, "%.*s\n", (int)strcspn(p, "\n"), p);
    }
    buf_free(&text);
    return ok;
}
