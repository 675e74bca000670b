/* string.*: find, match, gmatch and gsub on the matcher that can be stopped (pattern.c), rep that
 * knows its size before it begins, the others with their length charged. The changes are made in
 * the library's own table, which ("x"):rep reaches as well. */
#include <string.h>

#include "script/pattern.h"
#include "script/sandbox.h"

/* ---- find, match ---- */

/* A start position, 1-based or from the end, as an offset; beyond the end is len + 1. */
static size_t start_offset(lua_Integer at, size_t len)
{
    if (at > 0)
        return (lua_Unsigned)at - 1 > len ? len + 1 : (size_t)at - 1;
    if (at == 0 || at < -(lua_Integer)len)
        return 0;
    return len - (size_t)-at;
}

static bool has_specials(const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr("^$*+?.([%-", p[i]) && p[i])
            return true;
    }
    return false;
}

/* The first place at or after s where the plain text p stands, or NULL. */
static const char *find_plain(lua_State *L, const char *s, const char *end, const char *p,
                              size_t len)
{
    while (len <= (size_t)(end - s)) {
        const char *at = len ? memchr(s, p[0], (size_t)(end - s) - len + 1) : s;
        if (!at)
            return NULL;
        sandbox_charge(L, (uint64_t)(at - s) / 64 + len / 16 + 1);
        if (memcmp(at, p, len) == 0)
            return at;
        s = at + 1;
    }
    return NULL;
}

/* From s on, the first match; *end is its end, the return value its start or NULL. */
static const char *search(Match *m, const char *s, const char *pattern, const char **end)
{
    bool anchored = pattern < m->pattern_end && *pattern == '^';
    for (; s <= m->text_end; s++) {
        *end = pattern_match(m, s, pattern + anchored);
        if (*end)
            return s;
        if (anchored)
            break;
        sandbox_charge(m->L, 1);
    }
    return NULL;
}

static int find_or_match(lua_State *L, bool find)
{
    size_t len = 0, pattern_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *p = luaL_checklstring(L, 2, &pattern_len), *end = NULL;
    size_t start = start_offset(luaL_optinteger(L, 3, 1), len);
    if (start > len) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || !has_specials(p, pattern_len))) {
        const char *at = find_plain(L, text + start, text + len, p, pattern_len);
        if (at) {
            lua_pushinteger(L, at - text + 1);
            lua_pushinteger(L, at - text + (lua_Integer)pattern_len);
            return 2;
        }
    } else {
        Match m = {.L = L, .text = text, .text_end = text + len, .pattern_end = p + pattern_len};
        const char *at = search(&m, text + start, p, &end);
        if (at && !find)
            return pattern_push_captures(&m, at, end);
        if (at) {
            lua_pushinteger(L, at - text + 1);
            lua_pushinteger(L, end - text);
            return pattern_push_captures(&m, NULL, NULL) + 2;
        }
    }
    lua_pushnil(L);
    return 1;
}

static int string_find(lua_State *L)
{
    return find_or_match(L, true);
}

static int string_match(lua_State *L)
{
    return find_or_match(L, false);
}

/* ---- gmatch ---- */

/* upvalues: text, pattern, offset to go on from, end of the last match (-1: none) */
static int gmatch_next(lua_State *L)
{
    size_t len = 0, pattern_len = 0;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &len);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_len);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    Match m = {.L = L, .text = text, .text_end = text + len, .pattern_end = p + pattern_len};
    for (const char *s = text + lua_tointeger(L, lua_upvalueindex(3)); s <= m.text_end; s++) {
        const char *end = pattern_match(&m, s, p);
        sandbox_charge(L, 1);
        if (!end || end - text == last)
            continue;
        lua_pushinteger(L, end - text);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return pattern_push_captures(&m, s, end);
    }
    return 0;
}

static int string_gmatch(lua_State *L)
{
    size_t len = 0;
    luaL_checklstring(L, 1, &len);
    luaL_checkstring(L, 2);
    size_t start = start_offset(luaL_optinteger(L, 3, 1), len);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_next, 4);
    return 1;
}

/* ---- gsub ---- */

/* The replacement text with %0 .. %9 and %% put in. */
static void add_template(Match *m, luaL_Buffer *b, const char *start, const char *end)
{
    size_t len = 0;
    const char *t = lua_tolstring(m->L, 3, &len);
    for (size_t i = 0; i < len; i++) {
        if (t[i] != '%') {
            luaL_addchar(b, t[i]);
            continue;
        }
        i++;
        if (i < len && t[i] == '%') {
            luaL_addchar(b, '%');
        } else if (i < len && t[i] == '0') {
            luaL_addlstring(b, start, (size_t)(end - start));
        } else if (i < len && t[i] >= '1' && t[i] <= '9') {
            pattern_push_capture(m, t[i] - '1', start, end);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

/* What stands in for the match, by argument 3: text, table or function. */
static void add_replacement(Match *m, luaL_Buffer *b, const char *start, const char *end)
{
    lua_State *L = m->L;
    int type = lua_type(L, 3);
    sandbox_look(L, 1);
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, pattern_push_captures(m, start, end), 1);
    } else if (type == LUA_TTABLE) {
        pattern_push_capture(m, 0, start, end);
        lua_gettable(L, 3);
    } else {
        add_template(m, b, start, end);
        return;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, start, (size_t)(end - start));
    } else if (lua_isstring(L, -1)) {
        luaL_addvalue(b);
    } else {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
}

static int string_gsub(lua_State *L)
{
    size_t len = 0, pattern_len = 0;
    const char *s = luaL_checklstring(L, 1, &len), *last = NULL;
    const char *p = luaL_checklstring(L, 2, &pattern_len);
    int type = lua_type(L, 3);
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION ||
                         type == LUA_TTABLE,
                     3, "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)len + 1), n = 0;
    Match m = {.L = L, .text = s, .text_end = s + len, .pattern_end = p + pattern_len};
    bool anchored = pattern_len && *p == '^';
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (n < most) {
        const char *end = pattern_match(&m, s, p + anchored);
        sandbox_charge(L, 1);
        if (end && end != last) {
            n++;
            add_replacement(&m, &b, s, end);
            s = last = end;
        } else if (s < m.text_end) {
            luaL_addchar(&b, *s++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    luaL_addlstring(&b, s, (size_t)(m.text_end - s));
    luaL_pushresult(&b);
    lua_pushinteger(L, n);
    return 2;
}

/* ---- the others ---- */

/* string.rep: the library's loop runs n times even when there is nothing to repeat. */
static int string_rep(lua_State *L)
{
    size_t len = 0, sep_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    lua_Integer n = luaL_checkinteger(L, 2);
    const char *sep = luaL_optlstring(L, 3, "", &sep_len);
    const size_t most = (size_t)1 << 30;
    luaL_Buffer b;
    if (n <= 0 || len + sep_len == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (len + sep_len > most || (lua_Unsigned)n > most / (len + sep_len))
        return luaL_error(L, "string.rep: resulting string too large");
    sandbox_charge(L, (uint64_t)n);
    size_t total = (size_t)n * len + (size_t)(n - 1) * sep_len;
    char *out = luaL_buffinitsize(L, &b, total);
    while (n-- > 0) {
        memcpy(out, text, len);
        out += len;
        if (n > 0)
            memcpy(out, sep, sep_len);
        out += n > 0 ? sep_len : 0;
    }
    luaL_pushresultsize(&b, total);
    return 1;
}

/* upvalue: the library's function, whose loops are as long as its text */
static int charged(lua_State *L)
{
    sandbox_charge(L, 1 + (lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) / 16 : 0));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int string_byte(lua_State *L)
{
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    lua_Integer from = luaL_optinteger(L, 2, 1), to = luaL_optinteger(L, 3, from);
    size_t first = start_offset(from, len), end = to < 0 ? start_offset(to, len) + 1 : (size_t)to;
    if (to < -(lua_Integer)len)
        end = 0;
    end = (lua_Unsigned)end > len ? len : end;
    if (first >= end)
        return 0;
    if (end - first > UNPACK_MAX)
        return luaL_error(L, "string.byte: more than %d values", UNPACK_MAX);
    luaL_checkstack(L, (int)(end - first), "string slice too long");
    for (size_t i = first; i < end; i++)
        lua_pushinteger(L, (unsigned char)text[i]);
    return (int)(end - first);
}

void guard_charged(lua_State *L, const char *const *names)
{
    for (; *names; names++) {
        lua_getfield(L, -1, *names);
        lua_pushcclosure(L, charged, 1);
        lua_setfield(L, -2, *names);
    }
}

void guard_string(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch},
        {"gsub", string_gsub}, {"rep", string_rep},     {"byte", string_byte},
        {NULL, NULL}};
    static const char *const others[] = {"char",    "format", "lower", "pack",   "packsize",
                                         "reverse", "sub",    "upper", "unpack", NULL};
    luaL_setfuncs(L, functions, 0);
    guard_format(L);
    guard_charged(L, others);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushliteral(L, "string");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

void guard_utf8(lua_State *L)
{
    static const char *const names[] = {"codepoint", "len", "offset", "codes", NULL};
    guard_charged(L, names);
}
