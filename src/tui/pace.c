#include "tui/pace.h"

#include <time.h>

enum { MOST_MS = 100 /* three frames: a slow one is made up for, a stop is not */ };

long pace_now(void *unused)
{
    struct timespec now;
    (void)unused;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void pace_begin(Pace *p, PaceClock clock, void *context)
{
    *p = (Pace){clock, context, clock(context)};
}

long pace_elapsed(Pace *p)
{
    long now = p->clock(p->context), elapsed = now - p->last;
    p->last = now;
    return elapsed < MOST_MS ? elapsed : MOST_MS;
}
