/* Random keys, pastes and sizes: whatever comes, the explorer lives and stays inside its grid. */
#include "explorer.h"

/* Readline leaves the undo lists of changed history lines to whoever clears the history, and shares
 * them with its own state: nobody can free them safely. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:rl_add_undo";
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void random_key(uint32_t *seed, char key[KEY_NAME_MAX])
{
    static const char *const named[] = {
        "Tab",   "S-Tab", "Enter", "Esc",  "BS",   "Del", "Up",    "Down",    "Left",
        "Right", "Home",  "End",   "PgUp", "PgDn", "F1",  "C-c",   "C-r",     "C-l",
        "C-z",   "C-w",   "C-u",   "C-k",  "M-f",  "M-b", "space", ":",       "g",
        "1",     "2",     "3",     "4",    "5",    "z",   "|",     "\xc3\xa9"};
    static const char *const mouse[] = {"Click", "WheelUp", "WheelDown"};
    uint32_t kind = next(seed) % 10;
    if (kind < 6)
        snprintf(key, KEY_NAME_MAX, "%s", named[next(seed) % (sizeof named / sizeof *named)]);
    else if (kind < 9)
        snprintf(key, KEY_NAME_MAX, "%c", (char)('!' + next(seed) % 94));
    else
        snprintf(key, KEY_NAME_MAX, "%s@%u,%u", mouse[next(seed) % 3], next(seed) % 70,
                 next(seed) % 220);
}

/* Of every view, shown or not, whatever the last key did to the machine: nothing, a whole signal
 * (-1), or an element that is there. */
static void check_targets(const Explorer *x)
{
    const Engine *e = session_engine(x->session);
    for (int i = 0; views[i]; i++) {
        Target t = views[i]->target(x->session, x->tui->states[i]);
        if (t.signal &&
            (!signal_exists(e, t.signal) || t.at < -1 || t.at >= signal_count(e, t.signal)))
            fail_msg("%s: the cursor is on %s at %d", views[i]->name, t.signal->path, t.at);
    }
}

static void fuzz(uint32_t seed, int keys)
{
    Explorer x;
    char key[KEY_NAME_MAX];
    explorer_open(&x, 24, 80);
    for (int i = 0; i < keys; i++) {
        if (next(&seed) % 50 == 0)
            tui_resize(x.tui, 1 + (int)(next(&seed) % 70), 1 + (int)(next(&seed) % 220),
                       next(&seed) % 4 > 0);
        if (next(&seed) % 80 == 0)
            tui_paste(x.tui, "get q[3]\nset q[3] 0x7fff\n\x1b\xff run until valid == 1");
        random_key(&seed, key);
        tui_press(x.tui, key);
        check_targets(&x);
        tui_advance(x.tui, 0.01);
        tui_granted(x.tui);
        const Canvas *c = tui_draw(x.tui);
        assert_true(c->cursor_y < c->rows && c->cursor_x < c->cols);
        if (engine_cycle(session_engine(x.session)) > 40000) /* keeps one key cheap */
            tui_do(x.tui, "goto 0");
    }
    explorer_close(&x);
}

static void random_keys_and_sizes_are_survived(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 6; seed++)
        fuzz(seed, 400);
}

/* In one view, most keys those of cursors, several between two frames, and a machine that becomes
 * another one under it. */
static void fuzz_view(const View *view, uint32_t seed, int keys)
{
    static const char *const moves[] = {"Up",   "Down", "Left", "Right", "PgUp", "PgDn",
                                        "Home", "End",  "h",    "j",     "k",    "l"};
    static const char *const machines[] = {"config d_model=32 n_heads=2 d_ff=64 max_seq_len=8",
                                           "preset deck",
                                           "config variant=stream",
                                           "config d_model=128 n_heads=8",
                                           "run until smax.state == SUM",
                                           "token +1"};
    Explorer x;
    char line[64], key[KEY_NAME_MAX];
    Press p;
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "view %s", view->name);
    tui_do(x.tui, line);
    for (int i = 0; i < keys; i++) {
        bool moving = next(&seed) % 3 > 0;
        int times = moving ? 1 + (int)(next(&seed) % 9) : 1;
        if (next(&seed) % 40 == 0)
            tui_do(x.tui, machines[next(&seed) % (sizeof machines / sizeof *machines)]);
        tui_settle(x.tui);
        random_key(&seed, key);
        if (moving)
            snprintf(key, sizeof key, "%s", moves[next(&seed) % (sizeof moves / sizeof *moves)]);
        for (int k = 0; k < times; k++) {
            (void)view_press(view, x.session, x.tui->states[x.tui->panes.order[x.tui->panes.focus]],
                             key, &p);
            check_targets(&x);
        }
        if (next(&seed) % 4 == 0)
            tui_draw(x.tui);
    }
    explorer_close(&x);
}

static void every_view_keeps_its_cursor_on_the_machine(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++)
        fuzz_view(views[i], 100 + (uint32_t)i, 400);
}

int main(void)
{
    setenv("INPUTRC", "/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys_and_sizes_are_survived),
        cmocka_unit_test(every_view_keeps_its_cursor_on_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
