#ifndef BASE_MEM_H
#define BASE_MEM_H
/* Allocation that cannot fail: out of memory ends the program with one line (exit 2), after
 * mem_on_exit's hook has put the terminal back. Sizes that come from a file are checked against
 * the file's size before they come here. */
#include <stddef.h>

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *text);

/* The hook that runs before the out-of-memory exit; NULL for none. */
void mem_on_exit(void (*hook)(void));

#endif
