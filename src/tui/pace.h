#ifndef TUI_PACE_H
#define TUI_PACE_H
/* Time for a run at the speed of `play`: what passes while the program is stopped, suspended or
 * waits for a terminal that is not read does not count. */

/* Milliseconds of a clock that never goes back. */
typedef long (*PaceClock)(void *context);

typedef struct Pace {
    PaceClock clock;
    void *context;
    long last; /* when asked last */
} Pace;

/* The machine's clock (CLOCK_MONOTONIC). */
long pace_now(void *unused);
void pace_begin(Pace *p, PaceClock clock, void *context);
/* Milliseconds since the last call that a run has to make up for: no more than a few frames. */
long pace_elapsed(Pace *p);

#endif
