#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H
/* The explorer with something of a subcommand's own in it. */
#include "base/err.h"
#include "tui/tui.h"

typedef struct ExploreTarget {
    /* Take argv[*i], which is no option of the explorer: 1 taken, 0 unknown, -1 refused. May be
     * NULL. */
    int (*take)(void *context, int argc, char **argv, int *i, Err *err);
    /* Before the first key and the first line of a script; what it refuses is told without a
     * terminal, unless it runs on one. */
    bool (*begin)(void *context, Tui *tui, Err *err);
    void *context;
    const char *command; /* the subcommand's name */
    bool runs; /* begin runs a lesson: to be watched, and stopped, on a terminal that is alive */
    const char *instead; /* what works without a terminal; NULL: as the explorer says */
} ExploreTarget;

/* The exit code; target may be NULL. */
int explore_on(int argc, char **argv, const ExploreTarget *target);

#endif
