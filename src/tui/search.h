#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H
/* The search of `/`, `n` and `N`: one for the views, help and the console's scrollback. Whoever is
 * searched feeds its lines in their order, each with a number for its place; those that have the
 * text are kept, and the cursor is sent to places. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/canvas.h"

typedef struct Tui Tui;

enum { SEARCH_TEXT = 64 };
typedef enum { SEARCH_OFF, SEARCH_VIEW, SEARCH_HELP, SEARCH_CONSOLE } SearchPlace;

/* What is searched for at present. */
typedef struct Search {
    SearchPlace place;
    int view; /* of SEARCH_VIEW: its index */
    char text[SEARCH_TEXT];
    uint64_t at; /* of help and console, which have no cursor: the last match */
} Search;

/* Lines that match, and where the cursor is among them. */
typedef struct SearchFeed {
    const char *text;
    uint64_t *at; /* places that match, rising */
    int count, room;
    uint64_t here;  /* set by whoever feeds */
    char range[48]; /* what was looked through, where it is not all; else "" */
} SearchFeed;

/* At which byte the line has the text, -1 for nowhere. Letters match both cases, unless the text
 * has a capital. */
int search_find(const char *line, const char *text);
/* The next line. Places rise from call to call. */
void search_feed(SearchFeed *f, uint64_t at, const char *line);
/* Which of the places comes next: the first at or behind `here` (`first`), behind it (by = 1) or
 * before it (-1); *wrapped: from the other end. -1: there is none. */
int search_pick(const SearchFeed *f, int by, bool first, bool *wrapped);

/* Begin to search for the text where the keys go (view, help); in a view, what no line has may be
 * an element to go to. out: "3 of 12". "": the text of last time. */
bool search_begin(Tui *t, const char *text, Buf *out, Err *err);
/* In the console's scrollback, from the newest line up. */
bool search_console(Tui *t, const char *text, Buf *out, Err *err);
/* The keys of a search that goes on: n, N, Esc. False: the key is none of them. */
bool search_key(Tui *t, const char *key);
/* Does a search go on where the keys go now? */
bool search_active(const Tui *t);
/* Matches in r get a role: that of the cursor in `current`, underlined elsewhere. With an empty
 * `current`: the lowest match. */
void search_paint(Tui *t, Rect r, Rect current);

#endif
