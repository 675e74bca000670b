#ifndef SCRIPT_SANDBOX_H
#define SCRIPT_SANDBOX_H
/* A Lua state that cannot hurt its host: private to the script room. One state per script or
 * lesson, text chunks only, a whitelist of functions, an allocator with a cap, and a budget of CPU
 * time that no pcall, handler, coroutine or C loop escapes.
 *
 * How time is kept: work is counted in units of about a VM instruction. The count hook adds what
 * Lua code executes, sandbox_charge what C functions do on its behalf, the allocator what big
 * blocks cost. Every now and then (sandbox_check) the clock is read and the host is asked whether
 * to go on. A script over its budget is killed: an error is raised again and again, from every
 * pcall, resume and hook, until the state is left. */
#include <lauxlib.h>
#include <lua.h>

#include "base/buf.h"
#include "script/script.h"

typedef struct Sandbox Sandbox;

Sandbox *sandbox_new(const ScriptLimits *limits);
void sandbox_free(Sandbox *box);
lua_State *sandbox_lua(Sandbox *box);
Sandbox *sandbox_of(lua_State *L);

/* Compile text (never bytecode) as a function on the stack; name is "@FILE" or "=WORD". False with
 * the error when it does not compile. The text is kept for excerpts. */
bool sandbox_load(Sandbox *box, const char *text, size_t len, const char *name, ScriptError *error);
/* Call the function below n arguments, with a fresh budget (a call within a call goes on with the
 * outer one's). On failure the stack is as before the function and its arguments were pushed. */
bool sandbox_call(Sandbox *box, int args, int results, ScriptError *error);

/* The same for a C function, with a pointer as its argument: whatever may raise is done there. */
bool sandbox_do(Sandbox *box, lua_CFunction f, void *context, int results, ScriptError *error);

/* Lua's limited(F, ...): true; or false, why, and whether it ran away. The call may take a tenth of
 * the script's time, all of them together as much as the script, and it does not count against it;
 * a kill ends here. */
int sandbox_limited(lua_State *L);

/* What a message handler has made of the error on top of the stack becomes its text again. */
void sandbox_plain_message(lua_State *L);

/* Account for `work` units; raises when the budget is used up or the host says stop. */
void sandbox_charge(lua_State *L, uint64_t work);
/* The same, with a look at the clock when the last one is long ago: around what C calls and cannot
 * weigh, such as the function that compares two elements for table.sort. */
void sandbox_look(lua_State *L, uint64_t work);
/* Has the script been killed? Then whatever caught the error must raise it again: */
void sandbox_reraise(lua_State *L);
/* Account for memory outside of Lua's (machines); false when it does not fit under the cap. */
bool sandbox_reserve(Sandbox *box, size_t bytes);
void sandbox_release(Sandbox *box, size_t bytes);
/* Is it over its budget? */
bool sandbox_killed(const Sandbox *box);
/* Which coroutine runs: coroutine.resume says so. Returns the one that did. */
lua_State *sandbox_switch(Sandbox *box, lua_State *running);
/* "FILE:LINE" of the script's code that is being executed (not of the library's), "" for none. */
void sandbox_where(lua_State *L, char *out, size_t size);
/* An error's text on top of the stack, of which a script learns by pcall and the like: without the
 * line of the library that raised it. */
void sandbox_own_words(lua_State *L);
/* As luaL_tolstring, with a small number where that shows an address: "table: 1". */
const char *sandbox_tolstring(lua_State *L, int at, size_t *len);
/* Is the script trusted with files? */
bool sandbox_trusted(const Sandbox *box);
/* Is that chunk name one of the library's own? */
bool sandbox_is_library(const char *source);

/* The environment of scripts, as the state's globals: functions that are harmless as they are,
 * guarded ones in place of those that are not (guard_*.c). */
void sandbox_open(Sandbox *box, bool trusted);
void guard_base(lua_State *L); /* into the table on the stack: pcall, load, setmetatable, ... */
void guard_coroutine(lua_State *L); /* leaves the table `coroutine` */
void guard_table(lua_State *L);     /* `table`, from the library's table on the stack */
void guard_string(lua_State *L);    /* into the library's own table on the stack */
void guard_utf8(lua_State *L);
void guard_tostring(lua_State *L); /* into the table on the stack */
void guard_format(lua_State *L);   /* the same: string.format */
/* The functions of those names in the table on the stack pay for the length of their first text. */
void guard_charged(lua_State *L, const char *const *names);

enum {
    VALUES_MAX = 16000,     /* that one call may pass: see sandbox.c, the allocator */
    UNPACK_MAX = 8000,      /* values from one table.unpack or string.byte */
    ELEMENTS_MAX = 1 << 20, /* that one function of `table` may touch */
    SOURCE_MAX = 256 << 10  /* bytes of one chunk: the compiler is not interruptible */
};

#endif
