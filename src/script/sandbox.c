#include "script/sandbox.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/printable.h"
#include "script/excerpt.h"

enum {
    HOOK_COUNT = 100,      /* VM instructions between two hooks */
    HOOK_NEAR = 4,         /* the same, once one instruction may take long */
    LONG_TEXT = 1 << 20,   /* bytes of a text that is compared or converted in one instruction */
    CHECK_WORK = 10000,    /* units between two looks at the clock: about 0.1 ms */
    MAY_BE_LONG = 8 << 20, /* bytes in use when a state is entered: some may be such a text */
    LOOK_MS = 5,           /* ... and no longer than this between them */
    BYTES_PER_UNIT = 32,   /* of allocation */
    POLL_MS = 20,          /* between two questions to the host */
    WHY_SIZE = 96,
    LIMITED_SHARE = 10, /* of the budget, for one limited call */
    LIBRARY_DEPTH = 200 /* levels looked through for the script's own code */
};

struct Sandbox {
    lua_State *L, *running;
    ScriptLimits limits;
    size_t used;    /* bytes, Lua's and reserved */
    uint64_t work;  /* since the clock was read */
    int depth;      /* of sandbox_call */
    double spent;   /* seconds used before `since` */
    double since;   /* CPU time at which the clock was started last */
    double looked;  /* wall time of the last look at the clock */
    double polled;  /* wall time of the last question */
    int hook_count; /* HOOK_COUNT, or HOOK_NEAR while there may be long texts */
    double lent;    /* seconds used by sandbox_limited's calls */
    bool killed;    /* over budget, until the outermost call returns */
    bool stopped;   /* ... by the host */
    char why[WHY_SIZE];
    char where[300]; /* "FILE:LINE" at which it was killed */
    bool too_many;   /* the last refusal of memory was for VALUES_MAX */
    char tight[300]; /* "FILE:LINE" of that refusal */
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- memory ---- */

static void refuse(Sandbox *box, bool too_many)
{
    char place[sizeof box->tight] = "";
    box->too_many = too_many;
    if (box->running)
        sandbox_where(box->running, place, sizeof place);
    if (place[0]) /* what unwinds may be refused more, and has no line of its own */
        memcpy(box->tight, place, sizeof place);
}

static void hook(lua_State *L, lua_Debug *ar);

/* Hooks as close as they must be now, in the coroutine that runs. */
static void set_hook(Sandbox *box)
{
    if (box->running && !box->killed && lua_gethookcount(box->running) != box->hook_count)
        lua_sethook(box->running, hook, LUA_MASKCOUNT, box->hook_count);
}

/* Growing is refused beyond the cap, and while one call holds more than VALUES_MAX values: a table
 * that is its own __call moves all its arguments up once for each it adds, in one instruction. */
static void *allocate(void *ud, void *block, size_t old, size_t size)
{
    Sandbox *box = ud;
    size_t had = block ? old : 0; /* without a block, old is the type of a new object, or 0 */
    if (size == 0) {
        box->used -= had;
        free(block);
        return NULL;
    }
    if (size > had) {
        bool is_array = block || old == 0;
        bool too_many = is_array && box->running && lua_gettop(box->running) > VALUES_MAX;
        box->work += (size - had) / BYTES_PER_UNIT;
        if (too_many || size - had > box->limits.memory - box->used) {
            refuse(box, too_many);
            return NULL;
        }
    }
    void *p = realloc(block, size);
    if (!p)
        return size <= had ? block : NULL; /* shrinking must not fail */
    box->used += size - had;
    if (!block && old == LUA_TSTRING && size > LONG_TEXT) {
        box->hook_count = HOOK_NEAR;
        set_hook(box);
    }
    return p;
}

bool sandbox_reserve(Sandbox *box, size_t bytes)
{
    if (bytes > box->limits.memory - box->used)
        lua_gc(box->L, LUA_GCCOLLECT, 0);
    if (bytes > box->limits.memory - box->used)
        return false;
    box->used += bytes;
    return true;
}

void sandbox_release(Sandbox *box, size_t bytes)
{
    box->used -= bytes;
}

/* ---- time ---- */

bool sandbox_is_library(const char *source)
{
    return strncmp(source, "=(lua/", 6) == 0 || strncmp(source, "=lua/", 5) == 0;
}

void sandbox_own_words(lua_State *L)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    const char *line = strncmp(text, "(lua/", 5) == 0 ? strstr(text, "):") : NULL;
    const char *why = line ? line + 2 + strspn(line + 2, "0123456789") : "";
    if (strncmp(why, ": ", 2) != 0)
        return;
    lua_pushstring(L, why + 2);
    lua_remove(L, -2);
}

/* The innermost running line of the script's own. */
static bool own_level(lua_State *L, lua_Debug *ar)
{
    for (int level = 0; level < LIBRARY_DEPTH && lua_getstack(L, level, ar); level++) {
        lua_getinfo(L, "Sl", ar);
        if (ar->currentline > 0 && !sandbox_is_library(ar->source))
            return true;
    }
    return false;
}

void sandbox_where(lua_State *L, char *out, size_t size)
{
    lua_Debug ar;
    out[0] = '\0';
    if (own_level(L, &ar))
        snprintf(out, size, "%.*s:%d", HEAD(ar.source + 1, 250), ar.currentline);
}

bool sandbox_killed(const Sandbox *box)
{
    return box->killed;
}

bool sandbox_trusted(const Sandbox *box)
{
    return box->limits.trusted;
}

void sandbox_reraise(lua_State *L)
{
    const Sandbox *box = sandbox_of(L);
    if (!box->killed)
        return;
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    lua_pushstring(L, box->why);
    lua_error(L);
}

static void kill_script(lua_State *L, const char *why)
{
    Sandbox *box = sandbox_of(L);
    box->killed = true;
    snprintf(box->why, sizeof box->why, "%s", why);
    sandbox_where(L, box->where, sizeof box->where);
    if (!box->where[0] && L != box->L) /* in a coroutine that has no code of its own */
        sandbox_where(box->L, box->where, sizeof box->where);
    sandbox_reraise(L);
}

/* Read the clock; ask the host. */
static void check(lua_State *L)
{
    Sandbox *box = sandbox_of(L);
    char why[WHY_SIZE];
    box->work = 0;
    sandbox_reraise(L);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (box->spent + cpu - box->since > box->limits.cpu) {
        snprintf(why, sizeof why, "stopped: it ran for more than %g s", box->limits.cpu);
        kill_script(L, why);
    }
    double now = box->looked = seconds(CLOCK_MONOTONIC);
    if (!box->limits.go_on || now - box->polled < 0.001 * POLL_MS)
        return;
    box->spent += cpu - box->since; /* what the host does is not the script's time */
    bool on = box->limits.go_on(box->limits.context);
    box->since = seconds(CLOCK_PROCESS_CPUTIME_ID);
    box->looked = box->polled = seconds(CLOCK_MONOTONIC);
    box->stopped = !on;
    if (!on)
        kill_script(L, "stopped by the user");
}

void sandbox_charge(lua_State *L, uint64_t work)
{
    Sandbox *box = sandbox_of(L);
    box->work += work;
    if (box->work >= CHECK_WORK || box->killed)
        check(L);
}

void sandbox_look(lua_State *L, uint64_t work)
{
    Sandbox *box = sandbox_of(L);
    box->work += work;
    if (box->work >= CHECK_WORK || box->killed ||
        seconds(CLOCK_MONOTONIC) - box->looked > 0.001 * LOOK_MS)
        check(L);
}

static void hook(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    sandbox_look(L, (uint64_t)lua_gethookcount(L));
}

lua_State *sandbox_switch(Sandbox *box, lua_State *running)
{
    lua_State *before = box->running;
    box->running = running;
    set_hook(box);
    return before;
}

/* ---- life ---- */

Sandbox *sandbox_of(lua_State *L)
{
    return *(Sandbox **)lua_getextraspace(L);
}

lua_State *sandbox_lua(Sandbox *box)
{
    return box->L;
}

static int open_protected(lua_State *L)
{
    sandbox_open(sandbox_of(L), lua_toboolean(L, 1));
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "tokstep.sources");
    return 0;
}

Sandbox *sandbox_new(const ScriptLimits *limits)
{
    Sandbox *box = xcalloc(1, sizeof *box);
    box->limits = *limits;
    box->limits.cpu = limits->cpu > 0 ? limits->cpu : 10;
    box->limits.memory = limits->memory ? limits->memory : (size_t)64 << 20;
    lua_State *L = lua_newstate(allocate, box);
    if (L) {
        *(Sandbox **)lua_getextraspace(L) = box;
        box->L = box->running = L;
        lua_pushcfunction(L, open_protected);
        lua_pushboolean(L, limits->trusted);
        if (lua_pcall(L, 1, 0, 0) == LUA_OK) {
            box->hook_count = HOOK_COUNT;
            set_hook(box);
            return box;
        }
        box->running = NULL;
        lua_close(L);
    }
    free(box);
    return NULL;
}

void sandbox_free(Sandbox *box)
{
    if (!box)
        return;
    box->running = NULL;
    lua_close(box->L);
    free(box);
}

/* ---- errors ---- */

/* Split "FILE:LINE" of at most `size` bytes; 0 when it is none. */
static int split_place(const char *place, char *file, size_t size)
{
    const char *colon = strrchr(place, ':');
    if (!colon)
        return 0;
    snprintf(file, size, "%.*s", (int)(colon - place), place);
    return atoi(colon + 1);
}

/* A described error is { text, place, DESCRIBED }. The compiler's own errors may meet the handler
 * twice: once inside load, once when what load returns is raised. */
static const char described;

static bool is_described(lua_State *L, int at)
{
    bool is = false;
    if (lua_istable(L, at)) {
        is = lua_rawgeti(L, at, 3) == LUA_TLIGHTUSERDATA && lua_touserdata(L, -1) == &described;
        lua_pop(L, 1);
    }
    return is;
}

void sandbox_plain_message(lua_State *L)
{
    if (is_described(L, -1)) {
        lua_rawgeti(L, -1, 1);
        lua_remove(L, -2);
    }
}

/* Take "SHORT:LINE: " off the front of text when a running function put it there; its place, if it
 * is the script's own, goes to place. */
static const char *without_prefix(lua_State *L, const char *text, char *place, size_t size)
{
    lua_Debug ar;
    char prefix[LUA_IDSIZE + 16];
    for (int level = 1; level < LIBRARY_DEPTH && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        snprintf(prefix, sizeof prefix, "%s:%d: ", ar.short_src, ar.currentline);
        size_t n = strlen(prefix);
        if (strncmp(text, prefix, n) != 0)
            continue;
        if (!sandbox_is_library(ar.source))
            snprintf(place, size, "%.*s:%d", HEAD(ar.source + 1, 250), ar.currentline);
        return text + n;
    }
    return text;
}

/* Message handler. Runs inside the failing call, with hooks off when that was the hook: no Lua code
 * for a killed script. */
static int describe(lua_State *L)
{
    const Sandbox *box = sandbox_of(L);
    char place[300];
    if (is_described(L, 1))
        return 1;
    if (box->killed) {
        lua_pushstring(L, box->why);
        snprintf(place, sizeof place, "%s", box->where);
    } else {
        sandbox_tolstring(L, 1, NULL);
        sandbox_where(L, place, sizeof place);
    }
    const char *text = without_prefix(L, lua_tostring(L, -1), place, sizeof place);
    lua_createtable(L, 3, 0);
    lua_pushstring(L, text);
    lua_rawseti(L, -2, 1);
    lua_pushstring(L, place);
    lua_rawseti(L, -2, 2);
    lua_pushlightuserdata(L, (void *)(uintptr_t)&described);
    lua_rawseti(L, -2, 3);
    return 1;
}

static void fill_error(Sandbox *box, const char *text, const char *place, ScriptError *error)
{
    char file[300];
    int line = split_place(place, file, sizeof file);
    if (line > 0)
        err_set(&error->err, "%.*s:%d: %.*s", HEAD(file, 250), line, HEAD(text, 240));
    else
        err_set(&error->err, "%.*s", HEAD(text, 480));
    excerpt_clean(error->err.text);
    excerpt_make(box->L, file, line, error->source, sizeof error->source);
}

/* What the failed call left on the stack becomes the error; taken off. */
static void take_error(Sandbox *box, int status, ScriptError *error)
{
    lua_State *L = box->L;
    char text[400] = "", place[300] = "";
    error->runaway = box->killed;
    error->own = true;
    if (status == LUA_ERRMEM && box->killed) { /* for another reason; there was no room to say it */
        snprintf(text, sizeof text, "%s", box->why);
    } else if (status == LUA_ERRMEM) {
        if (box->too_many)
            snprintf(text, sizeof text, "stopped: one call with more than %d values", VALUES_MAX);
        else
            snprintf(text, sizeof text, "stopped: it needs more than %zu MiB of memory",
                     box->limits.memory >> 20);
        snprintf(place, sizeof place, "%s", box->tight);
        error->runaway = true;
    } else if (lua_istable(L, -1)) {
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        const char *why = lua_tostring(L, -2), *at = lua_tostring(L, -1);
        snprintf(text, sizeof text, "%s", why ? why : "");
        snprintf(place, sizeof place, "%s", at ? at : "");
        lua_pop(L, 2);
    } else {
        snprintf(text, sizeof text, "an error in handling an error");
    }
    if (!place[0] && box->where[0])
        snprintf(place, sizeof place, "%s", box->where);
    lua_pop(L, 1);
    fill_error(box, text, place, error);
}

bool sandbox_call(Sandbox *box, int args, int results, ScriptError *error)
{
    lua_State *L = box->L;
    int base = lua_gettop(L) - args; /* where the function is */
    if (!lua_checkstack(L, 10))
        return err_set(&error->err, "out of Lua's stack");
    bool outermost = box->depth++ == 0;
    lua_pushcfunction(L, describe);
    lua_insert(L, base);
    if (outermost) {
        box->killed = box->stopped = false;
        box->where[0] = box->tight[0] = '\0';
        box->spent = box->lent = 0;
        box->work = 0;
        box->since = seconds(CLOCK_PROCESS_CPUTIME_ID);
        box->looked = box->polled = seconds(CLOCK_MONOTONIC);
        box->hook_count = box->used > MAY_BE_LONG ? HOOK_NEAR : HOOK_COUNT;
        lua_sethook(L, hook, LUA_MASKCOUNT, box->hook_count);
    }
    lua_State *before = sandbox_switch(box, L);
    int status = lua_pcall(L, args, results, base);
    sandbox_switch(box, before);
    if (status != LUA_OK)
        take_error(box, status, error);
    lua_remove(L, base);
    box->depth--;
    return status == LUA_OK;
}

/* What a limited call left on the stack, as text: no code of the script's may run for it. */
static void push_reason(lua_State *L, int status)
{
    const Sandbox *box = sandbox_of(L);
    if (box->killed)
        lua_pushstring(L, box->why);
    else if (status == LUA_ERRMEM)
        lua_pushfstring(L, "it needs more than %d MiB of memory", (int)(box->limits.memory >> 20));
    else if (lua_type(L, -1) == LUA_TSTRING)
        lua_pushvalue(L, -1);
    else
        lua_pushfstring(L, "an error that is a %s", luaL_typename(L, -1));
}

int sandbox_limited(lua_State *L)
{
    Sandbox *box = sandbox_of(L);
    double whole = box->limits.cpu, left = whole - box->lent,
           now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double own = box->spent + now - box->since;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    if (left <= 0) {
        lua_pushboolean(L, 0);
        lua_pushliteral(L, "not run: those before it have used up all the time there is");
        lua_pushboolean(L, 1);
        return 3;
    }
    box->limits.cpu = whole / LIMITED_SHARE < left ? whole / LIMITED_SHARE : left;
    box->spent = 0;
    box->since = now;
    int status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
    bool ran_away = box->killed || status == LUA_ERRMEM;
    now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    box->lent += box->spent + now - box->since;
    box->limits.cpu = whole;
    box->spent = own;
    box->since = now;
    if (box->stopped)
        sandbox_reraise(L);
    lua_pushboolean(L, status == LUA_OK);
    if (status != LUA_OK) {
        lua_insert(L, -2); /* under the error */
        push_reason(L, status);
        sandbox_own_words(L);
    } else {
        lua_pushnil(L);
    }
    lua_pushboolean(L, ran_away);
    box->killed = false;
    box->where[0] = box->tight[0] = '\0';
    lua_sethook(L, hook, LUA_MASKCOUNT, box->hook_count);
    if (status != LUA_OK)
        lua_remove(L, -3); /* the error */
    return 3;
}

/* ---- chunks ---- */

typedef struct Chunk {
    const char *text, *name;
    size_t len;
} Chunk;

static int load_protected(lua_State *L)
{
    const Chunk *chunk = lua_touserdata(L, 1);
    if (chunk->len > SOURCE_MAX)
        return luaL_error(L, "more than %d KiB of source text", SOURCE_MAX >> 10);
    excerpt_keep(L, chunk->name + 1, chunk->text, chunk->len);
    if (luaL_loadbufferx(L, chunk->text, chunk->len, chunk->name, "t") != LUA_OK)
        return lua_error(L);
    return 1;
}

/* "SHORT:LINE: why" of the compiler -> the whole name; a refused binary chunk has no line. */
static void place_of_syntax(const char *name, ScriptError *error, Sandbox *box)
{
    char text[sizeof error->err.text], place[300] = "";
    const char *why = error->err.text;
    const char *mark = strstr(why, ": "), *digits = mark;
    while (digits && digits > why && isdigit((unsigned char)digits[-1]))
        digits--;
    int line = digits ? atoi(digits) : 0;
    snprintf(text, sizeof text, "%s", line ? mark + 2 : why);
    error->own = line > 0;
    if (line == 0) {
        err_set(&error->err, "%.*s: %.*s", HEAD(name + 1, 250), HEAD(text, 240));
        return;
    }
    snprintf(place, sizeof place, "%.*s:%d", HEAD(name + 1, 250), line);
    fill_error(box, text, place, error);
}

bool sandbox_do(Sandbox *box, lua_CFunction f, void *context, int results, ScriptError *error)
{
    lua_pushcfunction(box->L, f);
    lua_pushlightuserdata(box->L, context);
    return sandbox_call(box, 1, results, error);
}

bool sandbox_load(Sandbox *box, const char *text, size_t len, const char *name, ScriptError *error)
{
    Chunk chunk = {text, name, len};
    if (sandbox_do(box, load_protected, &chunk, 1, error))
        return true;
    if (!error->runaway)
        place_of_syntax(name, error, box);
    return false;
}
