#include "script/script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/printable.h"
#include "script/core.h"
#include "script/script_private.h"
#include "session/command.h"

enum { OUTPUT_MAX = 1 << 20, WISHES_MAX = 256, FILE_MAX = SOURCE_MAX };

/* ---- what Lua may ask of its host ---- */

static Script *script_of(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.script");
    Script *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

/* In pieces: a string may have the size of all memory that a script gets. */
static void print_out(const char *text, size_t len)
{
    enum { PIECE = 1 << 12 };
    Buf b = {0};
    while (len > 0) {
        size_t n = len > PIECE ? printable_cut(text, PIECE) : len;
        buf_clear(&b);
        printable_add(&b, text, n, PRINTABLE_TEXT);
        fputs(buf_str(&b), stdout);
        text += n;
        len -= n;
    }
    buf_free(&b);
}

/* print(...): to the console, or stdout */
static int print(lua_State *L)
{
    Script *s = script_of(L);
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        size_t len = 0;
        const char *text = sandbox_tolstring(L, i, &len);
        sandbox_charge(L, len / 16 + 10);
        if (!s->out) {
            print_out(text, len);
            fputs(i < n ? "\t" : "\n", stdout);
        } else if (s->out->len + len > OUTPUT_MAX) {
            return luaL_error(L, "print: more than a MiB of output");
        } else {
            printable_add(s->out, text, len, PRINTABLE_TEXT);
            buf_text(s->out, i < n ? "\t" : "\n");
        }
        lua_pop(L, 1);
    }
    if (n == 0 && s->out)
        buf_text(s->out, "\n");
    else if (n == 0)
        putchar('\n');
    return 0;
}

/* wish(COMMAND): for the screen. Too many at once are dropped. */
static int wish(lua_State *L)
{
    Script *s = script_of(L);
    const char *command = luaL_checkstring(L, 1);
    if (s->n_wishes < WISHES_MAX) {
        s->wishes = xrealloc(s->wishes, (size_t)(s->n_wishes + 1) * sizeof *s->wishes);
        s->wishes[s->n_wishes++] = xstrdup(command);
    }
    return 0;
}

void core_path(const char *name, Buf *path)
{
    if (*name && !strchr(name, '/') && access(name, R_OK) != 0 && place_file("assets", name, path))
        return;
    buf_clear(path);
    buf_text(path, name);
}

int core_raise(lua_State *L, const Err *err)
{
    if (err->of_content && !sandbox_trusted(sandbox_of(L))) {
        lua_pushlstring(L, err->text, strcspn(err->text, ":")); /* the path */
        return luaL_error(L, "%s: no tensor file, or a damaged one; `tokstep t2 info` says more",
                          lua_tostring(L, -1));
    }
    return luaL_error(L, "%s", err->text);
}

/* path(NAME): of a file, or of one in assets/ */
static int path(lua_State *L)
{
    Buf found = {0};
    core_path(luaL_checkstring(L, 1), &found);
    char text[4096];
    snprintf(text, sizeof text, "%s", buf_str(&found));
    buf_free(&found);
    lua_pushstring(L, text);
    return 1;
}

/* limited(F, ...): as sandbox_limited; a pupil's own runs stop at the pupil's breakpoints. */
static int limited(lua_State *L)
{
    Script *s = script_of(L);
    session_deafen(s->session, false);
    int n = sandbox_limited(L);
    session_run_stop(s->session);
    session_deafen(s->session, s->in_lesson);
    return n;
}

/* where(LEVEL): "FILE:LINE" of the script's line that called the library */
static int where(lua_State *L)
{
    char place[300];
    sandbox_where(L, place, sizeof place);
    lua_pushstring(L, place);
    return 1;
}

/* has_view(NAME): true, or false and which there are */
static int has_view(lua_State *L)
{
    Script *s = script_of(L);
    Err err = {0};
    const char *name = luaL_checkstring(L, 1);
    bool ok = !s->has_view || s->has_view(name, &err);
    lua_pushboolean(L, ok);
    lua_pushstring(L, err.text);
    return 2;
}

static int call_lua(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* in_c(F): F called from C. `return F(x)` is then no tail call, and its line is known. */
static int in_c(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, call_lua, 1);
    return 1;
}

static int is_command(lua_State *L)
{
    size_t len = 0;
    const char *word = luaL_checklstring(L, 1, &len);
    lua_pushboolean(L, command_find(session_commands, word, len) != NULL);
    return 1;
}

/* command_hint(WORD): "did you mean step? " of a command that there is not, or "" */
static int command_hint(lua_State *L)
{
    Script *s = script_of(L);
    Suggest near;
    char hint[SUGGEST_TEXT];
    size_t len = 0;
    const char *word = luaL_checklstring(L, 1, &len);
    suggest_begin(&near, word, len);
    command_offer(session_commands, &near);
    if (s->commands)
        command_offer(s->commands, &near);
    lua_pushstring(L, suggest_text(&near, hint));
    return 1;
}

/* ---- types of values ---- */

void core_make_type(lua_State *L, const char *name, lua_CFunction gc)
{
    luaL_newmetatable(L, name);
    if (gc) {
        lua_pushcfunction(L, gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_pushstring(L, strchr(name, '.') + 1);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

/* methods(NAME, TABLE): what t.KEY means for a type of core_make_type */
static int set_methods(lua_State *L)
{
    char name[32];
    luaL_checktype(L, 2, LUA_TTABLE);
    snprintf(name, sizeof name, "tokstep.%.*s", HEAD(luaL_checkstring(L, 1), 20));
    luaL_getmetatable(L, name);
    luaL_checktype(L, -1, LUA_TTABLE);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "__index");
    return 0;
}

void core_script(lua_State *L)
{
    static const luaL_Reg functions[] = {{"wish", wish},
                                         {"path", path},
                                         {"where", where},
                                         {"is_command", is_command},
                                         {"command_hint", command_hint},
                                         {"has_view", has_view},
                                         {"in_c", in_c},
                                         {"methods", set_methods},
                                         {"limited", limited},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_pushcfunction(L, print);
    lua_setglobal(L, "print");
}

/* ---- life ---- */

static int make_core(lua_State *L)
{
    Script *s = lua_touserdata(L, 1);
    lua_pushlightuserdata(L, s);
    lua_setfield(L, LUA_REGISTRYINDEX, "tokstep.script");
    lua_newtable(L);
    core_machine(L);
    core_model(L);
    core_read(L);
    core_mark(L);
    core_format(L);
    core_systolic(L);
    core_t2(L);
    core_script(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tokstep.core");
    core_push_machine(L, s->session);
    lua_setglobal(L, "m");
    return 0;
}

/* Call the chunk that is the argument with the primitives. */
static int run_library(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.core");
    lua_call(L, 1, 0);
    return 0;
}

static bool load_library(Script *s, const char *dir, const char *name, ScriptError *error)
{
    Buf path = {0};
    char chunk[64];
    buf_printf(&path, "%s/%s.lua", dir, name);
    snprintf(chunk, sizeof chunk, "=(lua/%s.lua)", name);
    char *text = file_read_text(buf_str(&path), FILE_MAX, &error->err);
    bool ok = text && sandbox_load(s->box, text, strlen(text), chunk, error);
    if (ok) {
        lua_State *L = sandbox_lua(s->box);
        lua_pushcfunction(L, run_library);
        lua_insert(L, -2);
        ok = sandbox_call(s->box, 1, 0, error);
    }
    free(text);
    buf_free(&path);
    return ok;
}

static bool load_libraries(Script *s, ScriptError *error)
{
    static const char *const names[] = {"accel", "format", "cycles", "t2",     "systolic", "screen",
                                        "plot",  "lesson", "answer", "runner", "pane",     "check",
                                        "grade", "class",  "adopt",  "print",  "doc",      NULL};
    Buf dir = {0};
    bool ok = place_dir("lua", &dir, &error->err);
    for (int i = 0; ok && names[i]; i++)
        ok = load_library(s, buf_str(&dir), names[i], error);
    buf_free(&dir);
    return ok;
}

Script *script_new(Session *session, const ScriptLimits *limits, ScriptError *error)
{
    Script *s = xcalloc(1, sizeof *s);
    *error = (ScriptError){0};
    s->session = session;
    s->has_view = limits->has_view;
    s->commands = limits->commands;
    if (!session) {
        Setup setup;
        setup_init(&setup);
        setup_check(&setup, NULL);
        s->session = s->own = session_new(&setup);
    }
    s->box = sandbox_new(limits);
    if (!s->box)
        err_set(&error->err, "lua: %zu MiB are not enough to begin", limits->memory >> 20);
    if (s->box && sandbox_do(s->box, make_core, s, 0, error) && load_libraries(s, error))
        return s;
    error->own = false;
    script_free(s);
    return NULL;
}

static void clear_wishes(Script *s)
{
    for (int i = 0; i < s->n_wishes; i++)
        free(s->wishes[i]);
    s->n_wishes = s->next_wish = 0;
}

void script_free(Script *s)
{
    if (!s)
        return;
    sandbox_free(s->box);
    session_free(s->own);
    clear_wishes(s);
    free(s->wishes);
    free(s);
}

const char *script_wish(Script *s)
{
    if (s->next_wish == s->n_wishes) {
        clear_wishes(s);
        return NULL;
    }
    return s->wishes[s->next_wish++];
}

/* ---- running ---- */

/* A run that the script was in the middle of ends with it. */
static bool ended(Script *s, bool ok)
{
    if (!ok && s->session)
        session_run_stop(s->session);
    return ok;
}

bool script_load_file(Script *s, const char *path, ScriptError *error)
{
    Buf name = {0};
    char *text = file_read_text(path, FILE_MAX, &error->err);
    buf_printf(&name, "@%s", file_name(path));
    const char *source = text && *text == '#' ? text + strcspn(text, "\n") : text; /* #!, as lua */
    bool ok = text && sandbox_load(s->box, source, strlen(source), buf_str(&name), error);
    free(text);
    buf_free(&name);
    return ok;
}

typedef struct FileArgs {
    const char *path;
    int count;
    char **list;
} FileArgs;

/* args -> "arg" and the arguments on the stack */
static int push_args(lua_State *L)
{
    const FileArgs *args = lua_touserdata(L, 1);
    luaL_checkstack(L, args->count + 4, "too many arguments");
    lua_createtable(L, args->count, 1);
    lua_pushstring(L, args->path);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < args->count; i++) {
        lua_pushstring(L, args->list[i]);
        lua_rawseti(L, 2, i + 1);
    }
    lua_pushvalue(L, 2);
    lua_setglobal(L, "arg");
    for (int i = 0; i < args->count; i++)
        lua_rawgeti(L, 2, i + 1);
    return args->count;
}

/* Call the chunk with its arguments; true when it returns a lesson. */
static int run_file(lua_State *L)
{
    lua_call(L, lua_gettop(L) - 1, 1);
    bool lesson = lua_istable(L, -1);
    if (lesson) {
        lua_pushliteral(L, "is_lesson");
        lua_rawget(L, -2);
        lesson = lua_toboolean(L, -1);
    }
    lua_pushboolean(L, lesson);
    return 1;
}

bool script_file(Script *s, const char *path, int argc, char **argv, ScriptError *error)
{
    FileArgs args = {path, argc, argv};
    if (argc > VALUES_MAX || !lua_checkstack(sandbox_lua(s->box), argc + 10))
        return err_set(&error->err, "%s: too many arguments", path);
    if (!script_load_file(s, path, error))
        return false;
    lua_State *L = sandbox_lua(s->box);
    lua_pushcfunction(L, run_file);
    lua_insert(L, -2);
    if (!sandbox_do(s->box, push_args, &args, argc, error) ||
        !ended(s, sandbox_call(s->box, argc + 1, 1, error)))
        return false;
    bool lesson = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return !lesson || err_set(&error->err,
                              "%.*s: a lesson, not a script: `tokstep lesson FILE` takes it, "
                              "`tokstep lesson --check FILE` checks it",
                              HEAD(path, 200));
}

/* A call of a function of `core` with text arguments; the result as text. */
typedef struct Request {
    const char *function;
    const char *args[3]; /* NULL: none */
    bool with_lesson;    /* the lesson table comes first, then the machine */
    Buf *out;
} Request;

static int request(lua_State *L)
{
    const Request *r = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.core");
    lua_getfield(L, -1, r->function);
    int n = 0;
    if (r->with_lesson) {
        lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.lesson");
        lua_getglobal(L, "m");
        n = 2;
    }
    for (int i = 0; i < 3 && r->args[i]; i++, n++)
        lua_pushstring(L, r->args[i]);
    lua_call(L, n, 1);
    size_t len = 0;
    const char *text = lua_tolstring(L, -1, &len);
    if (r->out && text)
        buf_add(r->out, text, len);
    return 0;
}

bool script_call(Script *s, const char *function, bool with_lesson, const char *const *args,
                 Buf *out, ScriptError *error)
{
    Request r = {.function = function, .with_lesson = with_lesson, .out = out};
    for (int i = 0; i < 3 && args && args[i]; i++)
        r.args[i] = args[i];
    *error = (ScriptError){0};
    return ended(s, sandbox_do(s->box, request, &r, 0, error));
}

bool script_line(Script *s, const char *line, Buf *out, ScriptError *error)
{
    const char *args[] = {line, NULL};
    Buf *before = s->out;
    size_t start = out->len;
    s->out = out;
    bool ok = script_call(s, "line", false, args, out, error);
    s->out = before;
    if (out->len > start && out->data[out->len - 1] != '\n')
        buf_text(out, "\n");
    return ok;
}

bool script_reference(Script *s, Buf *out, ScriptError *error)
{
    return script_call(s, "reference", false, NULL, out, error);
}
