#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*exit_hook)(void); /* set once by tui: no context reaches an allocation failure */

void mem_on_exit(void (*hook)(void))
{
    exit_hook = hook;
}

static void *checked(void *p, size_t size)
{
    if (!p && size) {
        if (exit_hook)
            exit_hook();
        fprintf(stderr, "tokstep: out of memory: %zu bytes\n", size);
        exit(2);
    }
    return p;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1), size);
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1), size ? count * size : 1);
}

void *xrealloc(void *p, size_t size)
{
    return checked(realloc(p, size ? size : 1), size);
}

char *xstrdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(xmalloc(n), text, n);
}
