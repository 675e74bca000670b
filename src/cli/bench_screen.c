#include "cli/bench_screen.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/setup.h"
#include "tui/tui.h"

extern char **environ;

enum { FRAMES = 100, STARTS = 15 };

static double milliseconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_frame(void)
{
    double spent[FRAMES];
    Setup setup;
    setup_init(&setup);
    setup_check(&setup, NULL);
    Session *s = session_new(&setup);
    Tui *t = tui_new(s, THEME_MONO, NULL);
    tui_resize(t, 60, 200, true);
    session_goto(s, 400);
    for (int i = 0; i < FRAMES; i++) {
        session_step(s, 1);
        double begin = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        tui_draw(t);
        spent[i] = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    }
    tui_free(t);
    session_free(s);
    setup_free(&setup);
    qsort(spent, FRAMES, sizeof *spent, by_value);
    return spent[FRAMES / 2];
}

/* The program again, with a script of nothing and its last screen thrown away. */
static bool start_once(void)
{
    char *argv[] = {"tokstep", "--script", "/dev/null", "--size", "200x60", "--screen", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    bool ok = posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ) == 0 &&
              waitpid(pid, &status, 0) == pid && status == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

double bench_startup(void)
{
    double spent[STARTS];
    for (int i = 0; i < STARTS; i++) {
        double begin = milliseconds(CLOCK_MONOTONIC);
        if (!start_once())
            return -1;
        spent[i] = milliseconds(CLOCK_MONOTONIC) - begin;
    }
    qsort(spent, STARTS, sizeof *spent, by_value);
    return spent[STARTS / 2];
}
