#include "tui/input/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/suggest.h"
#include "tui/screen/canvas.h"

static const Key time_keys[] = {
    {"space s", "step", NULL, "space/b step", "one cycle forward"},
    {"b", "back", NULL, NULL, "one cycle back"},
    {"n", "state +1", NULL, "n/p state", "to the next state of the top FSM"},
    {"p", "state -1", NULL, NULL, "to the previous state of the top FSM"},
    {"t", "token +1", NULL, "t/T token", "to the next token"},
    {"T", "token -1", NULL, NULL, "to the previous token"},
    {"r", "play", NULL, "r run", "run at the speed of + and -; any key pauses"},
    {"+", "speed +", NULL, NULL, "run faster"},
    {"-", "speed -", NULL, NULL, "run slower"},
    {"f", "phase", NULL, NULL, "run to the next phase of what the pane shows"},
    {"c", "follow", NULL, NULL, "follow the machine again"},
    {"g", "goto ", NULL, NULL, "go to a cycle"},
    {"0", "goto 0", NULL, NULL, "back to the start"},
    {0},
};

static const Key pane_keys[] = {
    {"Tab", "pane +1", NULL, NULL, "next pane"},
    {"S-Tab", "pane -1", NULL, NULL, "previous pane"},
    {"z", "zoom", NULL, NULL, "enlarge the pane, and back (Esc too)"},
    {"| _", "split", NULL, NULL, "more panes, then one again"},
    {"(", "key [", NULL, NULL, "the same as [, where [ ] { } | need AltGr"},
    {")", "key ]", NULL, NULL, "the same as ]"},
    {"C-p", "key {", NULL, NULL, "the same as {"},
    {"C-n", "key }", NULL, NULL, "the same as }"},
    {0},
};

static const Key cursor_keys[] = {
    {"Up k", "cursor up", NULL, NULL, "move the cursor in the pane"},
    {"Down j", "cursor down", NULL, NULL, "the same, down"},
    {"Left h", "cursor left", NULL, NULL, "the same, left"},
    {"Right l", "cursor right", NULL, NULL, "the same, right"},
    {"Enter", "enter", NULL, NULL, "open what the cursor is on"},
    {"BS", "unjump", NULL, NULL, "back to where Enter, show or / came from"},
    {"/", "search ", NULL, NULL,
     "search: states, names, source, this help; n N next, previous; Esc ends"},
    {"O", "origin @", NULL, NULL, "its origin: to the clock that wrote what the cursor is on"},
    {"w", "watch @", "unwatch @", NULL, "watch what the cursor is on; again: stop"},
    {"B", "break @ changes", NULL, NULL, "stop runs when it changes"},
    {"y", "copy @", "copy", NULL, "copy it as text"},
    {"x", "numbers", NULL, NULL,
     "numbers as hex, as values, as both (numbers e4m3: in that format)"},
    {0},
};

static const Key program_keys[] = {
    {"? F1", "help", NULL, "? help", "this help, for the pane in focus"},
    {"q", "quit", NULL, "q quit", "leave"},
    {":", "console", NULL, ": console", "type a command (below); Esc leaves"},
    {"m", "mouse", NULL, NULL,
     "mouse on or off: click selects, wheel scrolls (Shift-drag still marks text)"},
    {"C-l", "redraw", NULL, NULL, "draw the screen anew"},
    {"C-z", "suspend", NULL, NULL, "back to the shell; fg returns"},
    {0},
};

const KeyGroup key_groups[] = {
    {"Time", time_keys},
    {"Cursor", cursor_keys},
    {"Panes", pane_keys},
    {"Program", program_keys},
    {0},
};

const KeyMeaning key_meanings[SENSE_COUNT] = {
    [SENSE_FOLLOW] = {"c", "follow the machine again"},
    [SENSE_PHASE] = {"f", "run to the next phase"},
    [SENSE_ITEM] = {"[ ] , .", "previous, next of what the view lists"},
    [SENSE_GROUP] = {"{ }", "previous, next of what is around that"},
    [SENSE_LESS] = {"< >", "less, more: sideways, by one, closer and farther"},
    [SENSE_PART] = {"v", "another part of the view, or another reading"},
    [SENSE_DRAWN] = {"H", "another way to draw numbers: heat, heights, words"},
    [SENSE_OTHER] = {"o", "another choice of what is looked at"},
    [SENSE_TYPE] = {"e", "type or edit it"},
    [SENSE_SCALE] = {"d", "the scale of a block"},
    [SENSE_SEARCH] = {"/", "search, or go to a place"},
    [SENSE_OPEN] = {"Enter", "open, or do, what the cursor is on"},
    [SENSE_BACK] = {"BS", "back to where one came from"},
    [SENSE_MOVE] = {"Up Down Left Right arrows PgUp PgDn Home End", "move the cursor, scroll"},
};

static const char *const named_keys[] = {"space", "Tab", "S-Tab", "Enter", "Esc",  "BS",
                                         "Del",   "Ins", "Up",    "Down",  "Left", "Right",
                                         "Home",  "End", "PgUp",  "PgDn",  NULL};

static bool is_function_key(const char *name)
{
    int n = name[0] == 'F' && isdigit((unsigned char)name[1]) ? atoi(name + 1) : 0;
    return n >= 1 && n <= 12 && strlen(name) == (n < 10 ? 2u : 3u);
}

static bool is_mouse(const char *name)
{
    int y = 0, x = 0;
    return key_mouse(name, "Click", &y, &x) || key_mouse(name, "WheelUp", &y, &x) ||
           key_mouse(name, "WheelDown", &y, &x);
}

bool key_is_name(const char *name)
{
    for (int i = 0; named_keys[i]; i++) {
        if (strcmp(name, named_keys[i]) == 0)
            return true;
    }
    size_t len = strlen(name);
    if (len == 0 || len >= KEY_NAME_MAX)
        return false;
    int columns = 0;
    if (text_glyph(name, &columns) == len) /* one character */
        return true;
    if (len == 3 && (name[0] == 'C' || name[0] == 'M') && name[1] == '-')
        return isgraph((unsigned char)name[2]);
    return is_function_key(name) || is_mouse(name);
}

bool key_unknown(const char *before, const char *name, size_t n, Err *err)
{
    char shown[64], hint[SUGGEST_TEXT];
    snprintf(shown, sizeof shown, "%.*s", (int)printable_cut(name, n < 60 ? n : 60), name);
    return err_set(err, "%s%s: there is no such key; %sF1 lists them", before, shown,
                   suggest_from(shown, named_keys, hint));
}

bool key_mouse(const char *name, const char *what, int *y, int *x)
{
    size_t n = strlen(what);
    char end = '\0';
    return strncmp(name, what, n) == 0 && sscanf(name + n, "@%4d,%4d%c", y, x, &end) == 2 &&
           *y >= 0 && *x >= 0;
}

bool key_matches(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = names; n && (p = strstr(p, name)) != NULL; p += n) {
        bool starts = p == names || p[-1] == ' ';
        if (starts && (p[n] == ' ' || p[n] == '\0'))
            return true;
    }
    return false;
}

const Key *key_find(const char *name)
{
    for (const KeyGroup *g = key_groups; g->title; g++) {
        for (const Key *k = g->keys; k->names; k++) {
            if (key_matches(k->names, name))
                return k;
        }
    }
    return NULL;
}
