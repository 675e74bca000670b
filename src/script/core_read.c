/* Reading machines: signals by path, counts, what the coming edge will do, what a token costs. */
#include <string.h>

#include "engine/option.h"
#include "script/core_machine.h"
#include "tell/cycle_report.h"
#include "tell/explain.h"

static int raise(lua_State *L, const Err *err)
{
    return luaL_error(L, "%s", err->text);
}

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
        lua_pushnumber(L, signal_real(s, raw));
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
    const Engine *e = core_check_engine(L);
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
    const Engine *e = core_check_engine(L);
    const Signal *s = NULL;
    int at = 0;
    check_element(L, e, &s, &at);
    luaL_argcheck(L, at >= 0, 2, "needs the index of one element");
    lua_pushboolean(L, signal_changed(e, s, at));
    return 1;
}

static int machine_cycle(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)engine_cycle(core_check_engine(L)));
    return 1;
}

static int machine_token(lua_State *L)
{
    lua_pushinteger(L, session_host(core_check_machine(L)->session)->token);
    return 1;
}

static int machine_hash(lua_State *L)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)engine_hash(core_check_engine(L)));
    lua_pushstring(L, text);
    return 1;
}

/* config(m): the parameters as text, and the preset */
static int machine_config(lua_State *L)
{
    const Config *c = engine_config(core_check_engine(L));
    char text[OPTION_CHARS];
    lua_settop(L, 1);
    lua_newtable(L);
    for (int k = 0; option_at(k); k++) {
        option_text(option_at(k), c, text);
        if (!lua_stringtonumber(L, text) || text[1] == 'x') {
            lua_settop(L, 2);
            lua_pushstring(L, text);
        }
        lua_setfield(L, 2, option_at(k)->key);
    }
    lua_pushstring(L, c->preset);
    lua_setfield(L, 2, "preset");
    lua_pushinteger(L, config_d_head(c));
    lua_setfield(L, 2, "d_head");
    return 1;
}

/* is_signal(m, NAME): does a signal begin with this path? "ln1" does, of "ln1.mean" */
static int machine_is_signal(lua_State *L)
{
    const Engine *e = core_check_engine(L);
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

static int no_signal(lua_State *L, const Engine *e, const char *path, size_t len)
{
    char hint[SUGGEST_TEXT];
    return luaL_error(L, "%s: no such signal; %s`signals` in the console lists them", path,
                      signal_hint(e, path, len, hint));
}

/* hint(m, PATH): "did you mean softmax.max? " of a signal that there is not, or "" */
static int machine_hint(lua_State *L)
{
    const Engine *e = core_check_engine(L);
    char hint[SUGGEST_TEXT];
    size_t len = 0;
    const char *path = luaL_checklstring(L, 2, &len);
    lua_pushstring(L, signal_hint(e, path, len, hint));
    return 1;
}

/* info(m, PATH): what is known of a signal */
static int machine_info(lua_State *L)
{
    static const char *const kinds[] = {"pin", "register", "memory", "weight"};
    static const char *const types[] = {"fixed", "index", "flag", "state"};
    const Engine *e = core_check_engine(L);
    size_t len = 0;
    const char *path = luaL_checklstring(L, 2, &len);
    const Signal *s = signal_find(e, path, len);
    if (!s)
        return no_signal(L, e, path, len);
    lua_createtable(L, 0, 7);
    lua_pushstring(L, s->path);
    lua_setfield(L, -2, "path");
    lua_pushstring(L, kinds[s->kind]);
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, types[s->type]);
    lua_setfield(L, -2, "type");
    lua_pushinteger(L, signal_width(e, s));
    lua_setfield(L, -2, "width");
    lua_pushstring(L, signal_help(e, s));
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
    const Engine *e = core_check_engine(L);
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
    const Host *h = session_host(core_check_machine(L)->session);
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
    const Session *session = core_check_machine(L)->session;
    const Engine *e = session_engine(session);
    Operation ops[EXPLAIN_OPS];
    Err err = {0};
    if (!session_may_move(session, &err))
        return core_raise(L, &err);
    int n = explain_clock(e, session_spare(session), ops);
    sandbox_charge(L, 2000);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        char line[600];
        Buf text = {0};
        if (session_hushed(session))
            operation_hush(&ops[i]);
        explain_text(e, &ops[i], &text);
        snprintf(line, sizeof line, "%s", buf_str(&text));
        buf_free(&text); /* before Lua may raise */
        lua_pushstring(L, line);
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
    const Config *c = engine_config(core_check_engine(L));
    lua_Integer pos = luaL_optinteger(L, 2, 0);
    luaL_argcheck(L, pos >= 0 && pos < c->max_seq_len, 2, "must be a position below max_seq_len");
    CycleReport r = cycle_report(c, (int)pos);
    cycle_measure(&r);
    sandbox_charge(L, r.total.measured * (uint64_t)(CYCLE_WORK + c->d_model / 64));
    lua_createtable(L, STAGE_COUNT, 0);
    for (int i = 0; i < STAGE_COUNT; i++) {
        push_row(L, &r.rows[cycle_stages[i]]);
        lua_pushstring(L, stage_name(c, cycle_stages[i]));
        lua_setfield(L, -2, "stage");
        lua_rawseti(L, -2, i + 1);
    }
    push_row(L, &r.total);
    return 2;
}

void core_read(lua_State *L)
{
    static const luaL_Reg functions[] = {{"get", machine_get},
                                         {"value", machine_value},
                                         {"hex", machine_hex},
                                         {"changed", machine_changed},
                                         {"cycle", machine_cycle},
                                         {"token", machine_token},
                                         {"hash", machine_hash},
                                         {"config", machine_config},
                                         {"is_signal", machine_is_signal},
                                         {"info", machine_info},
                                         {"hint", machine_hint},
                                         {"signals", machine_signals},
                                         {"counts", machine_counts},
                                         {"explain", machine_explain},
                                         {"cycle_report", machine_cycle_report},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
