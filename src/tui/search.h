#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H
/* The search of `/`, `n` and `N`: one for the views, help and the console's scrollback. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tui/screen/canvas.h"
#include "tui/screen/search_feed.h"

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
