/* Machines: sessions as userdata. Lua changes one through the command grammar only, and sees paths
 * of signals, never where they are stored. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "script/core.h"
#include "session/command.h"
#include "session/cycle_report.h"
#include "session/explain.h"

#define MACHINE "tokstep.machine"
#define MARK    "tokstep.mark"

enum {
    SLICE = 1 << 14,          /* cycles between two looks at the budget */
    CYCLE_WORK = 2,           /* units of a cycle at the default sizes */
    SESSION_COPIES = 4,       /* engines a session holds, keyframes aside */
    KEYFRAMES_SIZE = 1 << 20, /* what the first of them may take */
    OUTPUT_MAX = 1 << 20
};

typedef struct Machine {
    Session *session;
    bool owned;
    size_t reserved;
    Buf out; /* what the last command printed */
    Err err;
} Machine;

static Machine *check_machine(lua_State *L)
{
    Machine *m = luaL_checkudata(L, 1, MACHINE);
    luaL_argcheck(L, m->session, 1, "the machine is gone");
    return m;
}

const Session *core_session(lua_State *L)
{
    return check_machine(L)->session;
}

static const Engine *check_engine(lua_State *L)
{
    return session_engine(check_machine(L)->session);
}

static int raise(lua_State *L, const Err *err)
{
    return luaL_error(L, "%s", err->text);
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

/* A preset is the base of all parameters; over a model it speaks of mask and exp only. */
static bool preset_over(Setup *setup, const char *name, Err *err)
{
    Config preset;
    if (!config_preset(&preset, name, err))
        return false;
    if (setup_model_of(setup)) {
        preset.d_model = setup->config.d_model;
        preset.n_heads = setup->config.n_heads;
        preset.d_ff = setup->config.d_ff;
        preset.max_seq_len = setup->config.max_seq_len;
    }
    setup->config = preset;
    return true;
}

/* The table at `at` ({ preset = "minus8", d_model = 32, mask = "0xf800" }) over *setup. Raises. */
static void take_setup(lua_State *L, int at, Setup *setup)
{
    Err err = {0};
    core_take_model(L, at, setup);
    lua_getfield(L, at, "preset");
    if (!lua_isnil(L, -1) && !preset_over(setup, luaL_checkstring(L, -1), &err))
        raise(L, &err);
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "machine: parameters are given as NAME = VALUE");
        const char *key = lua_tostring(L, -2);
        const char *value = luaL_tolstring(L, -1, NULL);
        bool taken = strcmp(key, "preset") == 0 || strcmp(key, "model") == 0;
        if (!taken && !setup_key(setup, key, value, &err))
            raise(L, &err);
        lua_pop(L, 1);
    }
    if (!setup_check(setup, &err))
        raise(L, &err);
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

/* ---- commands ---- */

/* What scripts may say: nothing that reads or writes files. */
static bool is_allowed(const char *word, size_t len)
{
    static const char *const words[] = {
        "step",  "back",    "state",  "token",   "goto", "run",  "rev",  "lastwrite",
        "break", "delete",  "watch",  "unwatch", "get",  "set",  "undo", "edits",
        "hash",  "signals", "preset", "config",  "text", "help", NULL};
    for (const char *const *w = words; *w; w++) {
        if (strlen(*w) == len && strncmp(*w, word, len) == 0)
            return true;
    }
    return false;
}

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
        raise(L, &m->err);
    while (session_advance(m->session, SLICE) == RUN_ON)
        sandbox_charge(L, work_of(m->session, SLICE));
}

/* `state N` and `token N` may be long: one at a time. */
static bool exec_moves(lua_State *L, Machine *m, const char *line)
{
    bool state = strncmp(line, "state ", 6) == 0;
    if (!state && strncmp(line, "token ", 6) != 0)
        return false;
    char *end = NULL;
    long n = strtol(line + 6, &end, 10);
    if (*end || end == line + 6 || n < -1000000 || n > 1000000)
        return false; /* the command says what is wrong */
    const char *one = state ? (n < 0 ? "state -1" : "state +1") : (n < 0 ? "token -1" : "token +1");
    for (long left = labs(n); left > 0; left--) {
        uint64_t before = engine_cycle(session_engine(m->session));
        exec(L, m, one);
        uint64_t after = engine_cycle(session_engine(m->session));
        if (after == before)
            break;
        sandbox_charge(L, work_of(m->session, after > before ? after - before : before - after));
    }
    return true;
}

/* exec(m, LINE): what it printed, and why a run ended */
static int machine_exec(lua_State *L)
{
    Machine *m = check_machine(L);
    const char *line = luaL_checkstring(L, 2);
    size_t len = 0;
    if (strchr(line, '\n'))
        return luaL_error(L, "a command is one line");
    command_word(&line, &len);
    if (!is_allowed(line, len)) {
        lua_pushlstring(L, line, len < 40 ? len : 40);
        return luaL_error(L, "%s: no such command for scripts", lua_tostring(L, -1));
    }
    if (!exec_moves(L, m, line))
        exec(L, m, line);
    sandbox_charge(L, 100);
    lua_pushlstring(L, buf_str(&m->out), m->out.len);
    lua_pushstring(L, session_note(m->session));
    return 2;
}

/* ---- reading ---- */

static void check_element(lua_State *L, const Engine *e, const Signal **s, int *at)
{
    Err err = {0};
    if (!element_parse(luaL_checkstring(L, 2), e, s, at, &err))
        raise(L, &err);
}

/* How an element is handed over. */
typedef void (*Push)(lua_State *L, const Engine *e, const Signal *s, int32_t raw);

static void push_raw(lua_State *L, const Engine *e, const Signal *s, int32_t raw)
{
    (void)e;
    if (s->type == TYPE_STATE)
        lua_pushstring(L, signal_state_name(s, raw));
    else
        lua_pushinteger(L, raw);
}

static void push_value(lua_State *L, const Engine *e, const Signal *s, int32_t raw)
{
    if (s->type == TYPE_FIXED)
        lua_pushnumber(L, raw / 256.0);
    else
        push_raw(L, e, s, raw);
}

static void push_hex(lua_State *L, const Engine *e, const Signal *s, int32_t raw)
{
    char hex[16];
    signal_hex(e, s, raw, hex, sizeof hex);
    lua_pushstring(L, hex);
}

/* An element, a vector as a list, a matrix as a list of lists. */
static int read_signal(lua_State *L, Push push)
{
    const Engine *e = check_engine(L);
    const Signal *s = NULL;
    int at = 0;
    check_element(L, e, &s, &at);
    if (at >= 0) {
        push(L, e, s, signal_get(e, s, at));
        return 1;
    }
    int rank = signal_rank(s), cols = signal_dim(e, s, rank - 1), n = signal_count(e, s);
    sandbox_charge(L, (uint64_t)n);
    lua_createtable(L, rank > 1 ? n / cols : n, 0);
    for (int i = 0; i < n; i++) {
        if (rank > 1 && i % cols == 0)
            lua_createtable(L, cols, 0);
        push(L, e, s, signal_get(e, s, i));
        lua_rawseti(L, -2, i % cols + 1);
        if (rank > 1 && i % cols == cols - 1)
            lua_rawseti(L, -2, i / cols + 1);
    }
    return 1;
}

static int machine_get(lua_State *L)
{
    return read_signal(L, push_raw);
}

static int machine_value(lua_State *L)
{
    return read_signal(L, push_value);
}

static int machine_hex(lua_State *L)
{
    return read_signal(L, push_hex);
}

/* changed(m, NAME): did the last clock edge change that element? */
static int machine_changed(lua_State *L)
{
    const Engine *e = check_engine(L);
    const Signal *s = NULL;
    int at = 0;
    check_element(L, e, &s, &at);
    luaL_argcheck(L, at >= 0, 2, "needs the index of one element");
    lua_pushboolean(L, signal_changed(e, s, at));
    return 1;
}

static int machine_cycle(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)engine_cycle(check_engine(L)));
    return 1;
}

static int machine_token(lua_State *L)
{
    lua_pushinteger(L, session_host(check_machine(L)->session)->token);
    return 1;
}

static int machine_hash(lua_State *L)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)engine_hash(check_engine(L)));
    lua_pushstring(L, text);
    return 1;
}

/* config(m): the parameters as text, and the preset */
static int machine_config(lua_State *L)
{
    const Config *c = engine_config(check_engine(L));
    char text[32];
    lua_settop(L, 1);
    lua_newtable(L);
    for (int i = 0; config_keys[i]; i++) {
        config_text(c, config_keys[i], text, sizeof text);
        if (!lua_stringtonumber(L, text) || text[1] == 'x') {
            lua_settop(L, 2);
            lua_pushstring(L, text);
        }
        lua_setfield(L, 2, config_keys[i]);
    }
    lua_pushstring(L, c->preset);
    lua_setfield(L, 2, "preset");
    lua_pushinteger(L, config_d_head(c));
    lua_setfield(L, 2, "d_head");
    return 1;
}

/* configure(m, TABLE): begin again with other parameters over the present ones */
static int machine_configure(lua_State *L)
{
    Machine *m = check_machine(L);
    Setup setup = *session_setup(m->session);
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

/* is_signal(m, NAME): does a signal begin with this path? "ln1" does, of "ln1.mean" */
static int machine_is_signal(lua_State *L)
{
    const Engine *e = check_engine(L);
    size_t len = 0;
    const char *name = luaL_checklstring(L, 2, &len);
    bool smax = strcmp(name, "softmax") == 0; /* another spelling of smax */
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (!signal_exists(e, s) || strncmp(s->path, smax ? "smax" : name, smax ? 4 : len) != 0)
            continue;
        char next = s->path[smax ? 4 : len];
        if (next == '\0' || next == '.') {
            lua_pushstring(L, next ? "prefix" : "signal");
            return 1;
        }
    }
    return 0;
}

/* info(m, PATH): what is known of a signal */
static int machine_info(lua_State *L)
{
    static const char *const kinds[] = {"pin", "register", "memory", "weight"};
    static const char *const types[] = {"fixed", "index", "flag", "state"};
    const Engine *e = check_engine(L);
    size_t len = 0;
    const char *path = luaL_checklstring(L, 2, &len);
    const Signal *s = signal_find(e, path, len);
    if (!s)
        return luaL_error(L, "%s: no such signal", path);
    lua_createtable(L, 0, 7);
    lua_pushstring(L, s->path);
    lua_setfield(L, -2, "path");
    lua_pushstring(L, kinds[s->kind]);
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, types[s->type]);
    lua_setfield(L, -2, "type");
    lua_pushinteger(L, signal_width(e, s));
    lua_setfield(L, -2, "width");
    lua_pushstring(L, s->help);
    lua_setfield(L, -2, "help");
    lua_newtable(L);
    for (int k = 0; k < signal_rank(s); k++) {
        lua_pushinteger(L, signal_dim(e, s, k));
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "dims");
    return 1;
}

static int machine_signals(lua_State *L)
{
    const Engine *e = check_engine(L);
    lua_newtable(L);
    for (int id = 0; id < SIG_COUNT; id++) {
        const Signal *s = signal_at((SignalId)id);
        if (!signal_exists(e, s))
            continue;
        lua_pushstring(L, s->path);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

/* counts(m): saturations, wraps, mask leaks, sum overflows of this token */
static int machine_counts(lua_State *L)
{
    const Host *h = session_host(check_machine(L)->session);
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, h->saturations);
    lua_setfield(L, -2, "saturations");
    lua_pushinteger(L, h->wraps);
    lua_setfield(L, -2, "wraps");
    lua_pushinteger(L, h->mask_leaks);
    lua_setfield(L, -2, "mask_leaks");
    lua_pushinteger(L, h->sum_overflows);
    lua_setfield(L, -2, "sum_overflows");
    return 1;
}

/* explain(m): what the coming edge will do, a line per operation */
static int machine_explain(lua_State *L)
{
    const Engine *e = check_engine(L);
    Operation ops[EXPLAIN_OPS];
    char target[96];
    int n = explain_clock(e, ops);
    sandbox_charge(L, 2000);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        operation_target(e, &ops[i], target, sizeof target);
        lua_pushfstring(L, "%s <- %s%s%s%s%s", target, ops[i].formula,
                        ops[i].numbers[0] ? " = " : "", ops[i].numbers,
                        ops[i].remark[0] ? "  ! " : "", ops[i].remark);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ---- the cycle counter ---- */

static void push_row(lua_State *L, const CycleRow *row)
{
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, (lua_Integer)row->measured);
    lua_setfield(L, -2, "measured");
    lua_pushinteger(L, (lua_Integer)row->formula);
    lua_setfield(L, -2, "formula");
    if (row->deck) {
        lua_pushinteger(L, (lua_Integer)row->deck);
        lua_setfield(L, -2, "deck");
    }
}

/* cycle_report(m, POS): rows { stage, measured, formula, deck } of one token of m's setup, and the
 * total */
static int machine_cycle_report(lua_State *L)
{
    const Config *c = engine_config(check_engine(L));
    lua_Integer pos = luaL_optinteger(L, 2, 0);
    luaL_argcheck(L, pos >= 0 && pos < c->max_seq_len, 2, "must be a position below max_seq_len");
    CycleReport r = cycle_report(c, (int)pos);
    cycle_measure(&r);
    sandbox_charge(L, r.total.measured * (uint64_t)(CYCLE_WORK + c->d_model / 64));
    lua_createtable(L, STAGE_COUNT, 0);
    for (int i = 0; i < STAGE_COUNT; i++) {
        push_row(L, &r.rows[cycle_stages[i]]);
        lua_pushstring(L, stage_name(cycle_stages[i]));
        lua_setfield(L, -2, "stage");
        lua_rawseti(L, -2, i + 1);
    }
    push_row(L, &r.total);
    return 2;
}

/* ---- marks: places in the investigation to come back to ---- */

typedef struct Mark {
    Setup setup;
    uint64_t cycle;
    Edit *edits;
    int count;
    size_t reserved; /* of the sandbox's memory */
} Mark;

static int mark_gc(lua_State *L)
{
    Mark *mark = luaL_checkudata(L, 1, MARK);
    free(mark->edits);
    mark->edits = NULL;
    setup_free(&mark->setup);
    sandbox_release(sandbox_of(L), mark->reserved);
    mark->reserved = 0;
    return 0;
}

/* mark(m) */
static int machine_mark(lua_State *L)
{
    const Session *s = check_machine(L)->session;
    int count = 0;
    const Edit *edits = session_edits(s, &count);
    const Model *m = session_model(s);
    size_t size = m ? model_size(m) : 0;
    Mark *mark = lua_newuserdatauv(L, sizeof *mark, 0);
    *mark = (Mark){.cycle = engine_cycle(session_engine(s)), .count = count};
    luaL_setmetatable(L, MARK);
    if (!sandbox_reserve(sandbox_of(L), size))
        return luaL_error(L, "mark: no memory left for a model");
    mark->reserved = size;
    setup_copy(&mark->setup, session_setup(s));
    if (count) {
        mark->edits = xmalloc((size_t)count * sizeof *edits);
        memcpy(mark->edits, edits, (size_t)count * sizeof *edits);
    }
    return 1;
}

static bool same_setup(const Setup *a, const Setup *b)
{
    char left[32], right[32];
    for (int i = 0; config_keys[i]; i++) {
        config_text(&a->config, config_keys[i], left, sizeof left);
        config_text(&b->config, config_keys[i], right, sizeof right);
        if (strcmp(left, right) != 0)
            return false;
    }
    const Model *m = setup_model_of(a), *n = setup_model_of(b);
    return strcmp(a->config.preset, b->config.preset) == 0 && a->stimulus == b->stimulus &&
           (!m || model_equal(m, n)) && strcmp(a->text, b->text) == 0 && a->seed == b->seed &&
           a->amp == b->amp && a->tamp == b->tamp && a->tokens == b->tokens;
}

static bool same_edit(const Edit *a, const Edit *b)
{
    return a->cycle == b->cycle && a->signal == b->signal && a->at == b->at && a->after == b->after;
}

/* restore(m, MARK): its setup, its edits, its cycle */
static int machine_restore(lua_State *L)
{
    Session *s = check_machine(L)->session;
    const Mark *mark = luaL_checkudata(L, 2, MARK);
    int count = 0, same = 0;
    session_run_stop(s);
    if (!same_setup(session_setup(s), &mark->setup))
        session_restart(s, &mark->setup);
    const Edit *edits = session_edits(s, &count);
    while (same < count && same < mark->count && same_edit(&edits[same], &mark->edits[same]))
        same++;
    for (; count > same; count--)
        session_undo(s, NULL);
    for (int i = same; i < mark->count; i++) {
        session_goto(s, mark->edits[i].cycle);
        session_set(s, mark->edits[i].signal, mark->edits[i].at, mark->edits[i].after, NULL);
    }
    session_goto(s, mark->cycle);
    sandbox_charge(L, 1000);
    return 0;
}

/* ---- the table ---- */

/* machine_index(F), machine_newindex(F), machine_tostring(F): how m.NAME reads and is set */
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
                                         {"get", machine_get},
                                         {"value", machine_value},
                                         {"hex", machine_hex},
                                         {"changed", machine_changed},
                                         {"cycle", machine_cycle},
                                         {"token", machine_token},
                                         {"hash", machine_hash},
                                         {"config", machine_config},
                                         {"configure", machine_configure},
                                         {"is_signal", machine_is_signal},
                                         {"info", machine_info},
                                         {"signals", machine_signals},
                                         {"counts", machine_counts},
                                         {"explain", machine_explain},
                                         {"cycle_report", machine_cycle_report},
                                         {"mark", machine_mark},
                                         {"restore", machine_restore},
                                         {"machine_index", machine_index},
                                         {"machine_newindex", machine_newindex},
                                         {NULL, NULL}};
    core_make_type(L, MACHINE, machine_gc);
    core_make_type(L, MARK, mark_gc);
    luaL_setfuncs(L, functions, 0);
}
