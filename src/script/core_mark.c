/* Marks for Lua: places in an investigation to come back to (session/mark.h). */
#include <string.h>

#include "engine/option.h"
#include "script/core_machine.h"
#include "session/mark.h"

#define MARK "tokstep.mark"

typedef struct LuaMark {
    Mark mark;
    size_t reserved; /* of the sandbox's memory */
} LuaMark;

static int mark_gc(lua_State *L)
{
    LuaMark *m = luaL_checkudata(L, 1, MARK);
    mark_free(&m->mark);
    sandbox_release(sandbox_of(L), m->reserved);
    m->reserved = 0;
    return 0;
}

/* mark(m) */
static int machine_mark(lua_State *L)
{
    const Session *s = core_check_machine(L)->session;
    size_t size = mark_size(s);
    LuaMark *m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = (LuaMark){0};
    luaL_setmetatable(L, MARK);
    if (!sandbox_reserve(sandbox_of(L), size))
        return luaL_error(L, "mark: no memory left for its model and edits");
    m->reserved = size;
    sandbox_charge(L, size / 64);
    mark_take(&m->mark, s);
    return 1;
}

/* same_setup(m, MARK): are the parameters those of the mark? */
static int machine_same_setup(lua_State *L)
{
    const Session *s = core_session(L);
    const LuaMark *m = luaL_checkudata(L, 2, MARK);
    lua_pushboolean(L, mark_same_setup(&m->mark, s));
    return 1;
}

/* restore(m, MARK): its setup, its edits, its cycle */
static int machine_restore(lua_State *L)
{
    Session *s = core_check_machine(L)->session;
    const LuaMark *m = luaL_checkudata(L, 2, MARK);
    Err err = {0};
    if (!session_may_move(s, &err))
        return core_raise(L, &err);
    mark_restore(&m->mark, s);
    sandbox_charge(L, 1000);
    return 0;
}

/* The command that begins again with the parameters that the session has, and the mark had not. */
static void setup_commands(const Setup *before, const Setup *now, Buf *out)
{
    Config base = now->config;
    bool preset = strcmp(before->config.preset, now->config.preset) != 0;
    if (preset)
        buf_printf(out, "preset %s\n", now->config.preset);
    config_preset(&base, now->config.preset, NULL);
    size_t start = out->len;
    for (int k = 0; option_at(k); k++) {
        const Option *o = option_at(k);
        char text[OPTION_CHARS];
        int value = option_get(o, &now->config);
        option_text(o, &now->config, text);
        bool told = option_told(o, &now->config) || option_get(o, &base) != value;
        if ((preset && told) || option_get(o, &before->config) != value)
            buf_printf(out, "%s %s=%s", out->len == start ? "config" : "", o->key, text);
    }
    buf_text(out, out->len > start ? "\n" : "");
    if (strcmp(before->text, now->text) != 0)
        buf_printf(out, "text %s\n", now->text);
}

static void edit_command(const Engine *e, const Edit *edit, Buf *out)
{
    char name[80];
    signal_element_name(e, edit->signal, edit->at, name, sizeof name);
    if (edit->signal->type == TYPE_STATE)
        buf_printf(out, "set %s %s\n", name, signal_state_name(edit->signal, edit->after));
    else
        buf_printf(out, "set %s %d\n", name, (int)edit->after);
}

/* did(m, MARK): the console lines that lead from the mark to where the machine stands; "" when it
 * stands there. (Not the weights of a tile file.) */
static int machine_did(lua_State *L)
{
    Machine *m = core_check_machine(L);
    const LuaMark *from = luaL_checkudata(L, 2, MARK);
    const Engine *e = session_engine(m->session);
    int count = 0, same = 0, undone = 0;
    const Edit *edits = session_edits(m->session, &count);
    uint64_t at = from->mark.cycle;
    buf_clear(&m->out);
    if (!mark_same_setup(&from->mark, m->session))
        setup_commands(&from->mark.setup, session_setup(m->session), &m->out);
    else
        same = mark_same_edits(&from->mark, m->session);
    if (m->out.len)
        at = 0;
    else
        undone = from->mark.count - same;
    for (int i = 0; i < undone; i++)
        buf_text(&m->out, "undo\n");
    for (int i = same; i < count; i++) {
        if (edits[i].cycle != at)
            buf_printf(&m->out, "goto %llu\n", (unsigned long long)edits[i].cycle);
        at = edits[i].cycle;
        edit_command(e, &edits[i], &m->out);
    }
    if (engine_cycle(e) != at)
        buf_printf(&m->out, "goto %llu\n", (unsigned long long)engine_cycle(e));
    sandbox_charge(L, (uint64_t)count + 100);
    lua_pushlstring(L, buf_str(&m->out), m->out.len);
    return 1;
}

void core_mark(lua_State *L)
{
    static const luaL_Reg functions[] = {{"mark", machine_mark},
                                         {"restore", machine_restore},
                                         {"did", machine_did},
                                         {"same_setup", machine_same_setup},
                                         {NULL, NULL}};
    core_make_type(L, MARK, mark_gc);
    luaL_setfuncs(L, functions, 0);
}
