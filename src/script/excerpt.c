#include "script/excerpt.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void excerpt_keep(lua_State *L, const char *name, const char *text, size_t len)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.sources");
    lua_pushlstring(L, text, len);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

/* Printable, on one line. */
void excerpt_clean(char *text)
{
    for (char *p = text; *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = ' ';
    }
}

/* Where an error is, and room for the lines around it. */
typedef struct Excerpt {
    const char *file;
    int line;
    char *out;
    size_t size;
} Excerpt;

/* One numbered line of text, marked when it is the one meant; returns the length added. */
static size_t excerpt_line(char *out, size_t size, const char *text, size_t len, int n, bool meant)
{
    int used =
        snprintf(out, size, "%s%4d  %.*s", meant ? ">" : " ", n, len > 120 ? 120 : (int)len, text);
    if (used < 0 || (size_t)used + 2 > size)
        return 0;
    excerpt_clean(out);
    out[used] = '\n';
    out[used + 1] = '\0';
    return (size_t)used + 1;
}

/* Protected: lines line-1 .. line+1 of the chunk's text. */
static int excerpt(lua_State *L)
{
    const Excerpt *x = lua_touserdata(L, 1);
    size_t used = 0;
    lua_getfield(L, LUA_REGISTRYINDEX, "tokstep.sources");
    lua_getfield(L, -1, x->file);
    const char *t = lua_tostring(L, -1);
    for (int n = 1; t && *t && n <= x->line + 1; n++) {
        size_t len = strcspn(t, "\n");
        if (n >= x->line - 1)
            used += excerpt_line(x->out + used, x->size - used, t, len, n, n == x->line);
        t += len + (t[len] == '\n');
    }
    return 0;
}

void excerpt_make(lua_State *L, const char *file, int line, char *out, size_t size)
{
    Excerpt x = {file, line, out, size};
    out[0] = '\0';
    lua_pushcfunction(L, excerpt);
    lua_pushlightuserdata(L, &x);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}
