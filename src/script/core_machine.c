/* Machines: sessions as userdata. Lua changes one through the command grammar only, and sees paths
 * of signals, never where they are stored. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "script/core_machine.h"
#include "session/command.h"

#define MACHINE "tokstep.machine"

enum {
    SLICE = 1 << 14,          /* cycles between two looks at the budget */
    SESSION_COPIES = 4,       /* engines a session holds, keyframes aside */
    KEYFRAMES_SIZE = 1 << 20, /* what the first of them may take */
    OUTPUT_MAX = 1 << 20
};

Machine *core_check_machine(lua_State *L)
{
    Machine *m = luaL_checkudata(L, 1, MACHINE);
    luaL_argcheck(L, m->session, 1, "the machine is gone");
    return m;
}

const Session *core_session(lua_State *L)
{
    return core_check_machine(L)->session;
}

const Engine *core_check_engine(lua_State *L)
{
    return session_engine(core_check_machine(L)->session);
}

static uint64_t work_of(const Session *s, uint64_t cycles)
{
    return cycles * (CYCLE_WORK + (uint64_t)session_setup(s)->config.d_model / 64);
}

/* ---- life ---- */

static Machine *push_machine(lua_State *L)
{
    Machine *m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = (Machine){0};
    luaL_setmetatable(L, MACHINE);
    return m;
}

void core_push_machine(lua_State *L, Session *s)
{
    push_machine(L)->session = s;
}

static int machine_gc(lua_State *L)
{
    Machine *m = luaL_checkudata(L, 1, MACHINE);
    buf_free(&m->out);
    if (m->owned) {
        session_free(m->session);
        sandbox_release(sandbox_of(L), m->reserved);
    }
    m->session = NULL;
    return 0;
}

/* One KEY = VALUE of a table of parameters. */
static bool setup_key(Setup *setup, const char *key, const char *value, Err *err)
{
    char *end = NULL;
    if (strcmp(key, "stimulus") == 0)
        return setup_stimulus(setup, value, err);
    if (strcmp(key, "text") == 0)
        return setup_text(setup, value, err);
    if (strcmp(key, "tokens") == 0) {
        long n = strtol(value, &end, 10);
        if (*end || end == value || n < 0 || n > 1024)
            return err_set(err, "tokens %s: must be 0..1024", value);
        setup->tokens = (int)n;
        return true;
    }
    return config_set(&setup->config, key, value, err);
}

/* The table at `at` ({ preset = "minus8", d_model = 32, mask = "0xf800" }) over *setup. Raises. */
static void take_setup(lua_State *L, int at, Setup *setup)
{
    Err err = {0};
    core_take_model(L, at, setup);
    lua_getfield(L, at, "preset");
    if (!lua_isnil(L, -1) && !setup_preset(setup, luaL_checkstring(L, -1), &err))
        core_raise(L, &err);
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "machine: parameters are given as NAME = VALUE");
        const char *key = lua_tostring(L, -2);
        bool taken = strcmp(key, "preset") == 0 || strcmp(key, "model") == 0 ||
                     (lua_istable(L, -1) && core_is_weights(key));
        if (taken)
            continue;
        if (!setup_key(setup, key, sandbox_tolstring(L, -1, NULL), &err))
            core_raise(L, &err);
        lua_pop(L, 1);
    }
    core_take_weights(L, at, setup);
    if (!setup_check(setup, &err))
        core_raise(L, &err);
}

/* Bytes a session of this setup holds, about: asked for before it is made. */
static size_t session_size(const Setup *setup)
{
    const Config *c = &setup->config;
    size_t D = (size_t)c->d_model, F = (size_t)c->d_ff, S = (size_t)c->max_seq_len;
    size_t H = (size_t)c->n_heads;
    size_t engine = 2 * (2 * S * D + 2 * S * H + 12 * D + 2 * F + 4 * S) + 65536;
    size_t weights = 12 * (4 * D * D + 2 * D * F) / 2 + 2 * (9 * D + F);
    return SESSION_COPIES * engine + weights + 2 * S * D + KEYFRAMES_SIZE;
}

/* machine(TABLE) */
static int machine_new(lua_State *L)
{
    Setup setup;
    setup_init(&setup);
    if (!lua_isnoneornil(L, 1))
        take_setup(L, 1, &setup);
    else
        setup_check(&setup, NULL);
    Machine *m = push_machine(L);
    size_t size = session_size(&setup);
    if (!sandbox_reserve(sandbox_of(L), size))
        return luaL_error(L, "machine: no memory left for one of this size");
    m->owned = true;
    m->reserved = size;
    m->session = session_new(&setup);
    sandbox_charge(L, size / 64);
    return 1;
}

/* configure(m, TABLE): begin again with other parameters over the present ones */
static int machine_configure(lua_State *L)
{
    Machine *m = core_check_machine(L);
    Setup setup = *session_setup(m->session);
    if (!session_may_move(m->session, &m->err))
        return core_raise(L, &m->err);
    size_t before = session_size(&setup);
    take_setup(L, 2, &setup);
    size_t size = session_size(&setup);
    if (m->owned && size > before && !sandbox_reserve(sandbox_of(L), size - before))
        return luaL_error(L, "machine: no memory left for one of this size");
    if (m->owned && size > before)
        m->reserved += size - before;
    session_restart(m->session, &setup);
    sandbox_charge(L, size / 64);
    return 0;
}

/* ---- commands ---- */

/* One command; a run it begins goes to its end. */
static void exec(lua_State *L, Machine *m, const char *line)
{
    buf_clear(&m->out);
    bool ok = session_exec(m->session, line, &m->out, &m->err);
    if (m->out.len > OUTPUT_MAX) {
        buf_free(&m->out);
        luaL_error(L, "%s: prints more than a MiB", line);
    }
    if (!ok)
        core_raise(L, &m->err);
    while (session_advance(m->session, SLICE) == RUN_ON)
        sandbox_charge(L, work_of(m->session, SLICE));
}

/* A move of N states or tokens may be long: one at a time. */
static bool exec_moves(lua_State *L, Machine *m, const Command *c, const char *text)
{
    Args args = {0};
    Commands all;
    char one[32];
    commands_begin(&all, m->session);
    bool ok = c->args[0].kind == ARG_MOVE && args_read(&args, &all, c, text, NULL);
    int64_t n = ok ? args.value[0].move : 0;
    args_free(&args);
    snprintf(one, sizeof one, "%s %+d", c->name, n < 0 ? -1 : 1);
    for (int64_t left = n < 0 ? -n : n; left > 0; left--) {
        uint64_t before = engine_cycle(session_engine(m->session));
        exec(L, m, one);
        uint64_t after = engine_cycle(session_engine(m->session));
        if (after == before)
            break;
        sandbox_charge(L, work_of(m->session, after > before ? after - before : before - after));
    }
    return ok; /* otherwise the command says what is wrong */
}

/* exec(m, LINE): what it printed, and why a run ended */
static int machine_exec(lua_State *L)
{
    Machine *m = core_check_machine(L);
    const char *line = luaL_checkstring(L, 2);
    size_t len = 0;
    if (strchr(line, '\n'))
        return luaL_error(L, "a command is one line");
    const char *args = command_word(&line, &len);
    const Command *c = command_find(session_commands, line, len);
    if (!c || command_has(c, SAVES)) {
        lua_pushlstring(L, line, len < 40 ? len : 40);
        return luaL_error(L, "%s: no such command for scripts", lua_tostring(L, -1));
    }
    if (!exec_moves(L, m, c, args))
        exec(L, m, line);
    sandbox_charge(L, 100);
    lua_pushlstring(L, buf_str(&m->out), m->out.len);
    lua_pushstring(L, session_note(m->session));
    return 2;
}

/* ---- the table ---- */

/* machine_index(F), machine_newindex(F): how m.NAME reads and is set */
static int set_meta(lua_State *L, const char *event)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_getmetatable(L, MACHINE);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, event);
    return 0;
}

static int machine_index(lua_State *L)
{
    return set_meta(L, "__index");
}

static int machine_newindex(lua_State *L)
{
    return set_meta(L, "__newindex");
}

void core_machine(lua_State *L)
{
    static const luaL_Reg functions[] = {{"machine", machine_new},
                                         {"exec", machine_exec},
                                         {"configure", machine_configure},
                                         {"machine_index", machine_index},
                                         {"machine_newindex", machine_newindex},
                                         {NULL, NULL}};
    core_make_type(L, MACHINE, machine_gc);
    luaL_setfuncs(L, functions, 0);
}
