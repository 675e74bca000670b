#ifndef SCRIPT_EXCERPT_H
#define SCRIPT_EXCERPT_H
/* The lines of source around an error: private to the script room. The texts of chunks are kept in
 * the registry's table "tokstep.sources", by their names. */
#include <stddef.h>

#include <lua.h>

/* Keep a chunk's text; may raise. */
void excerpt_keep(lua_State *L, const char *name, const char *text, size_t len);
/* The line, the one before and the one after, numbered, the one meant marked; "" when the text is
 * not known. Does not raise. */
void excerpt_make(lua_State *L, const char *file, int line, char *out, size_t size);
/* Make a text printable, on one line. */
void excerpt_clean(char *text);

#endif
