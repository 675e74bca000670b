#ifndef TESTS_TUI_INSPECTOR_H
#define TESTS_TUI_INSPECTOR_H
/* For the tests of the t2 view: one explorer at 80x24 on a golden file, its commands and rows. */
#include "explorer.h"

#define T2_GOLDEN GOLDEN "t2/"

static Explorer x;

static inline void command(const char *line)
{
    Buf out = {0};
    Err err = {0};
    if (!tui_exec(x.tui, line, &out, &err))
        fail_msg("%s: %s", line, err.text);
    tui_settle(x.tui);
    buf_free(&out);
}

static inline void open_file(const char *name)
{
    char line[128];
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "open " T2_GOLDEN "%s", name);
    command(line);
}

static inline void line_at(int y, const char *want)
{
    const char *got = row(&x, y);
    if (strcmp(got, want) != 0)
        fail_msg("row %d is\n%s\nnot\n%s", y, got, want);
}

#endif
