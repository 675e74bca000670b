/* Which lines have the text, and which of them comes next. */
#include "tui/screen/search_feed.h"

#include <ctype.h>
#include <stddef.h>

#include "base/mem.h"

bool search_any_case(const char *text)
{
    for (; *text; text++) {
        if (isupper((unsigned char)*text))
            return false;
    }
    return true;
}

unsigned search_fold(unsigned ch, bool any)
{
    return any && ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch;
}

int search_find(const char *line, const char *text)
{
    bool any = search_any_case(text);
    for (int at = 0; line[at]; at++) {
        size_t n = 0;
        while (text[n] &&
               search_fold((unsigned char)line[at + (int)n], any) == (unsigned char)text[n])
            n++;
        if (!text[n])
            return at;
    }
    return -1;
}

void search_feed(SearchFeed *f, uint64_t at, const char *line)
{
    if (search_find(line, f->text) < 0)
        return;
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 64;
        f->at = xrealloc(f->at, (size_t)f->room * sizeof *f->at);
    }
    f->at[f->count++] = at;
}

int search_pick(const SearchFeed *f, int by, bool first, bool *wrapped)
{
    int next = 0;
    *wrapped = false;
    if (f->count == 0)
        return -1;
    if (by > 0) {
        while (next < f->count && (first ? f->at[next] < f->here : f->at[next] <= f->here))
            next++;
        *wrapped = next == f->count;
        return *wrapped ? 0 : next;
    }
    next = f->count - 1;
    while (next >= 0 && (first ? f->at[next] > f->here : f->at[next] >= f->here))
        next--;
    *wrapped = next < 0;
    return *wrapped ? f->count - 1 : next;
}
