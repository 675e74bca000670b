/* Models in scripts: the small models of English words, what the host reads of one, and how well
 * it knows words. */
#include <string.h>

#include "base/buf.h"
#include "script/core.h"
#include "model/score.h"
#include "session/session.h"
#include "model/words.h"

#define MODEL "tokstep.model"
#define SCORE "tokstep.score"

static int model_gc(lua_State *L)
{
    Model **m = luaL_checkudata(L, 1, MODEL);
    model_free(*m);
    *m = NULL;
    return 0;
}

void core_take_model(lua_State *L, int at, Setup *setup)
{
    Err err = {0};
    luaL_checktype(L, at, LUA_TTABLE);
    lua_getfield(L, at, "model");
    if (lua_isnil(L, -1))
        return;
    const char *preset = luaL_checkstring(L, -1);
    Model **m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = NULL;
    luaL_setmetatable(L, MODEL);
    Buf path = {0};
    bool found = model_asset(preset, &path);
    if (found)
        *m = model_read(buf_str(&path), &err);
    buf_free(&path);
    if (!found)
        luaL_error(L, "model %s: there is repaired and minus8", preset);
    if (!*m)
        core_raise(L, &err);
    sandbox_charge(L, 100000);
    setup->model = NULL; /* what was there belongs to a session */
    setup_model(setup, *m);
    setup->text[0] = '\0';
}

static const char *const weight_keys[WEIGHT_MATRICES] = {"wq",     "wk",     "wv",    "wo",
                                                         "ffn_w1", "ffn_w2", "ffn_w3"};

bool core_is_weights(const char *key)
{
    int m = 0;
    while (m < WEIGHT_MATRICES && strcmp(key, weight_keys[m]) != 0)
        m++;
    return m < WEIGHT_MATRICES;
}

/* The rows that the table on top holds, into words. Raises. */
static void read_rows(lua_State *L, const char *name, int rows, int cols, int16_t *words)
{
    for (int r = 0; r < rows; r++) {
        if (lua_rawgeti(L, -1, r + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (size_t)cols)
            luaL_error(L, "%s: needs %d rows of %d words", name, rows, cols);
        for (int i = 0; i < cols; i++) {
            lua_rawgeti(L, -1, i + 1);
            lua_Integer word = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : INT32_MAX;
            if (word < INT16_MIN || word > INT16_MAX)
                luaL_error(L, "%s[%d][%d]: must be a raw word, -32768..32767", name, r, i);
            words[r * cols + i] = (int16_t)word;
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        sandbox_charge(L, (uint64_t)cols);
    }
}

void core_take_weights(lua_State *L, int at, Setup *setup)
{
    static char nowhere[] = ""; /* they come from no file */
    for (int m = 0; m < WEIGHT_MATRICES; m++) {
        int rows = 0, cols = 0;
        patch_shape(&setup->config, (WeightId)m, &rows, &cols);
        size_t size = (size_t)rows * (size_t)cols * sizeof(int16_t);
        if (lua_getfield(L, at, weight_keys[m]) != LUA_TTABLE) {
            lua_pop(L, 1);
            continue;
        }
        int16_t *words = lua_newuserdatauv(L, size, 0);
        lua_insert(L, -2);
        read_rows(L, weight_keys[m], rows, cols, words);
        lua_pop(L, 1);
        setup->patch[m] =
            (WeightPatch){.words = words, .path = nowhere, .rows = rows, .cols = cols};
    }
}

/* letters(m): with a model the letters so far, "^int"; nil without */
static int machine_letters(lua_State *L)
{
    const Session *s = core_session(L);
    char text[SETUP_TEXT];
    int n = session_host(s)->token + 1;
    if (!session_model(s))
        return 0;
    for (int t = 0; t < n; t++)
        text[t] = session_letter(s, t);
    lua_pushlstring(L, text, (size_t)n);
    return 1;
}

/* guesses(m): the five most probable next letters, best first: { letter =, p = }; nil when there
 * are none yet */
static int machine_guesses(lua_State *L)
{
    enum { GUESSES = 5 };
    Guess best[GUESSES];
    const Session *s = core_session(L);
    const Model *m = session_model(s);
    int n = !m ? 0 : m->vocab_size - 1 < GUESSES ? m->vocab_size - 1 : GUESSES;
    if (n == 0 || !session_top(s, best, n))
        return 0;
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 0, 2);
        lua_pushlstring(L, &m->vocab[best[i].letter], 1);
        lua_setfield(L, -2, "letter");
        lua_pushnumber(L, best[i].p);
        lua_setfield(L, -2, "p");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int score_gc(lua_State *L)
{
    Score **score = luaL_checkudata(L, 1, SCORE);
    score_free(*score);
    *score = NULL;
    return 0;
}

/* About what the machine multiplies for one letter, as work of the sandbox. */
static uint64_t letter_work(const Config *c)
{
    uint64_t D = (uint64_t)c->d_model, F = (uint64_t)c->d_ff;
    return D * (4 * D + 2 * F) / 16;
}

/* score(m, { WORD, ... }): bits per character, and how many characters */
static int machine_score(lua_State *L)
{
    const Session *s = core_session(L);
    const Setup *setup = session_setup(s);
    luaL_checktype(L, 2, LUA_TTABLE);
    if (!session_model(s))
        return luaL_error(L, "score: there is no model");
    Score **score = lua_newuserdatauv(L, sizeof *score, 0);
    *score = NULL;
    luaL_setmetatable(L, SCORE);
    *score = score_new(setup);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
        size_t len = 0;
        const char *word = lua_tolstring(L, -1, &len);
        if (!word)
            return luaL_error(L, "score: a word is text, not a %s", luaL_typename(L, -1));
        sandbox_charge(L, (len + 1) * letter_work(&setup->config));
        if (!score_word(*score, word))
            return luaL_error(L, "score: %s: a letter that the model has not, or too many",
                              len <= 40 ? word : "a word");
        lua_pop(L, 1);
    }
    uint64_t chars = score_chars(*score);
    if (chars == 0)
        return luaL_error(L, "score: no words");
    lua_pushnumber(L, score_bits(*score) / (double)chars);
    lua_pushinteger(L, (lua_Integer)chars);
    return 2;
}

/* held_out(WORD): was it kept from the training of the models? */
static int held_out(lua_State *L)
{
    const char *word = luaL_checkstring(L, 1);
    lua_pushboolean(L, word_is_plain(word) && word_is_held_out(word));
    return 1;
}

void core_model(lua_State *L)
{
    static const luaL_Reg functions[] = {{"letters", machine_letters},
                                         {"guesses", machine_guesses},
                                         {"score", machine_score},
                                         {"held_out", held_out},
                                         {NULL, NULL}};
    core_make_type(L, MODEL, model_gc);
    core_make_type(L, SCORE, score_gc);
    luaL_setfuncs(L, functions, 0);
}
