#ifndef CLI_BENCH_SCREEN_H
#define CLI_BENCH_SCREEN_H
/* Figures of the explorer, in milliseconds. */

/* A 200x60 frame with its panes, drawn into cells after each of 100 steps: CPU time, median. */
double bench_frame(void);
/* From the start of the program to its first screen as text, in a process of its own: wall time,
 * median; negative when it could not be started. */
double bench_startup(void);

#endif
