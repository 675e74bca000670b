#ifndef TUI_SEARCH_FEED_H
#define TUI_SEARCH_FEED_H
/* Lines that are searched: whoever has them feeds them in their order, each with a number for its
 * place; those that have the text are kept, and the cursor is sent to places. */
#include <stdbool.h>
#include <stdint.h>

/* Lines that match, and where the cursor is among them. */
typedef struct SearchFeed {
    const char *text;
    uint64_t *at; /* places that match, rising */
    int count, room;
    uint64_t here;  /* set by whoever feeds */
    char range[48]; /* what was looked through, where it is not all; else "" */
} SearchFeed;

/* Does the text match both cases? And a character so folded that it can be compared. */
bool search_any_case(const char *text);
unsigned search_fold(unsigned ch, bool any);
/* At which byte the line has the text, -1 for nowhere. Letters match both cases, unless the text
 * has a capital. */
int search_find(const char *line, const char *text);
/* The next line. Places rise from call to call. */
void search_feed(SearchFeed *f, uint64_t at, const char *line);
/* Which of the places comes next: the first at or behind `here` (`first`), behind it (by = 1) or
 * before it (-1); *wrapped: from the other end. -1: there is none. */
int search_pick(const SearchFeed *f, int by, bool first, bool *wrapped);

#endif
