#ifndef SCRIPT_CORE_H
#define SCRIPT_CORE_H
/* The primitives in C that lua/ makes the language of (private to the script room). They are in
 * the table `core`, which only the library's chunks get. Rule: check every argument first, then
 * act; no C resource is held across a call that may raise, but in userdata with __gc. */
#include <lauxlib.h>
#include <lua.h>

#include "num/value.h"
#include "script/sandbox.h"
#include "model/setup.h"

/* Each adds its functions to the table on top of the stack. */
void core_machine(lua_State *L);
void core_model(lua_State *L);
void core_read(lua_State *L);
void core_mark(lua_State *L);
void core_format(lua_State *L);
void core_systolic(lua_State *L);
void core_t2(lua_State *L);
void core_script(lua_State *L);

/* Raise the error. What it tells of a file's content a script may know only when it is trusted with
 * files: any path may be tried. */
int core_raise(lua_State *L, const Err *err);

/* Push a machine around a borrowed session. */
void core_push_machine(lua_State *L, Session *s);

/* The session of the machine that is argument 1. */
const Session *core_session(lua_State *L);

/* model = "repaired" in the table at `at`: the small model of English words trained for that
 * preset, no other file, into *setup. It is left on the stack (nil without one), which keeps it
 * alive; the setup does not own it. Raises. */
void core_take_model(lua_State *L, int at, Setup *setup);

/* ffn_w2 = ROWS (and wq, wk, wv, wo, ffn_w1) in the table at `at`: raw words as [in][out], into
 * *setup, whose sizes are settled. They are left on the stack, which keeps them alive; the setup
 * does not own them. Raises. */
void core_take_weights(lua_State *L, int at, Setup *setup);
/* Is that the name of one of these? */
bool core_is_weights(const char *key);

/* The path of a file that a script names: as it is, or of assets/ when that is a name alone and no
 * such file is here. */
void core_path(const char *name, Buf *path);

/* A type of userdata, "tokstep.NAME": values in Lua, which sees the name alone. gc may be NULL; the
 * library gives it methods with core.methods. */
void core_make_type(lua_State *L, const char *name, lua_CFunction gc);

#endif
