/* The film of a timeline: slices, edits, windows that move and zoom, and what they cost. */
#include "drawn.h"
#include "tui/view/timeline/film.h"

static Drawn k;

static const FilmRow rows[] = {
    {FILM_TOKEN, NULL, 0},   {FILM_MARKS, NULL, 0},
    {FILM_SIGNAL, NULL, 0}, /* filled in by look: top.state, ... */
    {FILM_SIGNAL, NULL, 0},  {FILM_SIGNAL, NULL, 0},
    {FILM_SIGNAL, NULL, -1},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void make_rows(FilmRow out[ROWS])
{
    static const SignalId ids[] = {SIG_TOP_STATE, SIG_SMAX_SUM, SIG_SMAX_STATE, SIG_K_CACHE};
    memcpy(out, rows, sizeof rows);
    for (int r = 2; r < ROWS; r++)
        out[r].signal = signal_at(ids[r - 2]);
}

static TimeWindow window(uint64_t start, uint64_t per_column, int columns)
{
    return (TimeWindow){.start = start,
                        .end = start + per_column * (uint64_t)columns,
                        .per_column = per_column,
                        .span = 1,
                        .columns = columns};
}

static void look(Film *f, TimeWindow w, uint64_t cursor)
{
    FilmRow r[ROWS];
    make_rows(r);
    film_show(f, r, ROWS, &w, w.end - 1, cursor);
}

static void look_whole(Film *f, TimeWindow w, uint64_t cursor)
{
    look(f, w, cursor);
    assert_false(film_work(f, INFINITY));
}

/* Everything that two films know of a window is there and is the same. */
static void assert_same(const Film *a, const Film *b, TimeWindow w)
{
    for (int column = 0; column < w.columns; column++) {
        uint64_t start = w.start + (uint64_t)column * w.per_column;
        Event first_a, first_b;
        int ka = film_column(a, start, w.per_column), kb = film_column(b, start, w.per_column);
        assert_true(ka >= 0 && kb >= 0);
        uint32_t events = film_events(a, ka, &first_a);
        assert_int_equal(events, film_events(b, kb, &first_b));
        if (events) {
            assert_int_equal(first_a.signal, first_b.signal);
            assert_int_equal(first_a.index, first_b.index);
        }
        for (int r = 0; r < ROWS; r++) {
            const WaveColumn *x = film_seen(a, ka, r), *y = film_seen(b, kb, r);
            if (memcmp(x, y, sizeof *x) != 0)
                fail_msg("column %d row %d: %d %d %d..%d %u, not %d %d %d..%d %u", column, r,
                         x->first, x->last, x->low, x->high, x->changes, y->first, y->last, y->low,
                         y->high, y->changes);
            const uint32_t *m = film_states(a, ka, r), *n = film_states(b, kb, r);
            assert_true(!m == !n);
            if (m)
                assert_memory_equal(m, n, WAVE_STATES * sizeof *m);
        }
    }
}

static void open_film(Film **f)
{
    drawn_open(&k, &view_timeline, "deck", "integration");
    drawn_do(&k, "break smax.state == RECIP");
    *f = film_new(k.session);
}

static void assert_is_fresh(const Film *f, TimeWindow w)
{
    Film *fresh = film_new(k.session);
    look_whole(fresh, w, UINT64_MAX);
    assert_same(f, fresh, w);
    film_free(fresh);
}

/* What a column says is what session_visit sees. */
typedef struct Truth {
    uint32_t in_state[WAVE_STATES], events;
    int32_t low, high;
} Truth;

static bool see_cycle(void *context, const Engine *e, const Host *h)
{
    Truth *t = context;
    int n = 0;
    int32_t sum = signal_get(e, signal_at(SIG_SMAX_SUM), 0);
    (void)h;
    engine_events(e, &n);
    t->events += (uint32_t)n;
    t->in_state[signal_get(e, signal_at(SIG_TOP_STATE), 0)]++;
    t->low = sum < t->low ? sum : t->low;
    t->high = sum > t->high ? sum : t->high;
    return true;
}

static void test_columns_tell_what_happens_in_their_cycles(void **state)
{
    (void)state;
    Film *f;
    Event first;
    open_film(&f);
    TimeWindow w = window(300, 100, 60);
    look_whole(f, w, UINT64_MAX);
    for (int c = 0; c < w.columns; c++) {
        Truth t = {.low = INT32_MAX, .high = INT32_MIN};
        uint64_t start = 300 + 100 * (uint64_t)c;
        session_visit(k.session, start, start + 99, see_cycle, &t);
        assert_int_equal(film_events(f, c, &first), t.events);
        assert_memory_equal(film_states(f, c, 2), t.in_state, sizeof t.in_state);
        assert_int_equal(film_seen(f, c, 3)->low, t.low);
        assert_int_equal(film_seen(f, c, 3)->high, t.high);
    }
    film_free(f);
    drawn_close(&k);
}

static void test_in_slices_as_at_once_and_then_for_nothing(void **state)
{
    (void)state;
    Film *f;
    open_film(&f);
    TimeWindow w = window(1000, 777, 60);
    int slices = 1, value = 0;
    look(f, w, 40000);
    while (film_work(f, 0)) {
        look(f, w, 40000); /* a frame between two slices */
        slices++;
    }
    assert_true(slices > 10);
    assert_is_fresh(f, w);
    assert_true(film_value(f, 40000, 3, &value));
    uint64_t ticks = film_ticks(f);
    assert_in_range(ticks, w.end - 1, w.end + 4096);
    session_step(k.session, 3); /* another present, the same window */
    look_whole(f, w, 40000);
    assert_int_equal(film_ticks(f), ticks);
    session_goto(k.session, 40000);
    assert_int_equal(value, signal_get(session_engine(k.session), signal_at(SIG_SMAX_SUM), 0));
    film_free(f);
    drawn_close(&k);
}

static void test_an_edit_drops_what_comes_after_it_only(void **state)
{
    (void)state;
    Film *f;
    open_film(&f);
    TimeWindow w = window(0, 500, 40);
    look_whole(f, w, UINT64_MAX);
    session_goto(k.session, 10250);
    drawn_do(&k, "set attn.h 1");
    look(f, w, UINT64_MAX);
    assert_int_equal(film_column(f, 9500, 500), 19);
    assert_int_equal(film_column(f, 10000, 500), -1); /* the edit is in it */
    assert_int_equal(film_column(f, 19500, 500), -1);
    uint64_t ticks = film_ticks(f);
    look_whole(f, w, UINT64_MAX);
    assert_in_range(film_ticks(f) - ticks, 10000, 10000 + 4096);
    assert_is_fresh(f, w);
    session_goto(k.session, 3100); /* weights: the machine's own are freed and made anew */
    drawn_do(&k, "set wq[0][0] 7");
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    drawn_do(&k, "undo");
    drawn_do(&k, "undo");
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    for (int i = 0; i < 40; i++) { /* more than the session tells one by one */
        session_goto(k.session, (uint64_t)(4000 - 50 * i));
        drawn_do(&k, i % 2 ? "set softmax.sum 77" : "set attn.h 2");
    }
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    film_free(f);
    drawn_close(&k);
}

static void test_other_machines_breakpoints_and_rows(void **state)
{
    (void)state;
    Film *f;
    open_film(&f);
    TimeWindow w = window(0, 100, 50);
    look_whole(f, w, UINT64_MAX);
    drawn_do(&k, "break top.state == LN2_START");
    look(f, w, UINT64_MAX);
    assert_int_equal(film_column(f, 0, 100), -1);
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    drawn_do(&k, "config variant=stream d_model=32 n_heads=2");
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    drawn_do(&k, "preset repaired");
    look_whole(f, w, UINT64_MAX);
    assert_is_fresh(f, w);
    FilmRow more[ROWS + 1];
    make_rows(more);
    more[ROWS] = (FilmRow){FILM_SIGNAL, signal_at(SIG_SMAX_I), 0};
    film_show(f, more, ROWS + 1, &w, w.end - 1, UINT64_MAX);
    assert_int_equal(film_column(f, 0, 100), -1);
    assert_false(film_work(f, INFINITY));
    uint64_t ticks = film_ticks(f);
    look_whole(f, w, UINT64_MAX); /* a row less costs nothing */
    assert_int_equal(film_ticks(f), ticks);
    film_free(f);
    drawn_close(&k);
}

static void test_back_and_forth_and_zoom(void **state)
{
    (void)state;
    Film *f;
    open_film(&f);
    TimeWindow a = window(0, 64, 50), b = window(64 * 25, 64, 50), wide = window(0, 256, 30);
    look_whole(f, a, UINT64_MAX);
    uint64_t ticks = film_ticks(f);
    look_whole(f, b, UINT64_MAX); /* the half that is new, from where the probe is */
    assert_int_equal(film_ticks(f) - ticks, 64 * 25);
    assert_is_fresh(f, b);
    look_whole(f, a, UINT64_MAX);
    assert_is_fresh(f, a);
    ticks = film_ticks(f);
    look(f, wide, UINT64_MAX);
    assert_int_equal(film_column(f, 11 * 256, 256), 11); /* put together of four each */
    assert_int_equal(film_column(f, 12 * 256, 256), -1); /* of two and what is to come */
    look_whole(f, wide, UINT64_MAX);
    assert_in_range(film_ticks(f) - ticks, 256 * 30 - 64 * 50, 256 * 30 - 64 * 50 + 4096);
    assert_is_fresh(f, wide);
    look_whole(f, window(256 * 3, 32, 70), UINT64_MAX);
    assert_is_fresh(f, window(256 * 3, 32, 70));
    look_whole(f, window(11, 13, 70), UINT64_MAX); /* nothing fits */
    assert_is_fresh(f, window(11, 13, 70));
    film_free(f);
    drawn_close(&k);
}

static void test_far_in_the_future_a_second_look_is_near(void **state)
{
    (void)state;
    Film *f;
    int32_t value = 0;
    open_film(&f);
    TimeWindow w = window(0, 4096, 60);
    look_whole(f, w, UINT64_MAX);
    uint64_t ticks = film_ticks(f), interval = 32768; /* 245760 cycles, at most 16 keyframes */
    look_whole(f, w, 200000);
    assert_in_range(film_ticks(f) - ticks, 1, interval);
    assert_true(film_value(f, 200000, 3, &value));
    ticks = film_ticks(f);
    look_whole(f, window(150000, 10, 60), UINT64_MAX);
    assert_in_range(film_ticks(f) - ticks, 600, 600 + interval);
    assert_is_fresh(f, window(150000, 10, 60));
    film_free(f);
    drawn_close(&k);
}

/* Where a window begins that looks at the future: as when the machine is there. */
static void test_tokens_to_come_begin_where_they_will(void **state)
{
    (void)state;
    static const char *const variants[] = {"config variant=bridge", "config variant=stream",
                                           "config variant=array"};
    drawn_open(&k, &view_timeline, "deck", "integration");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        drawn_do(&k, variants[i]);
        session_goto(k.session, 500);
        int zoom = 0;
        session_move_token(k.session, 9); /* further ahead than it simulates */
        uint64_t start = session_host(k.session)->token_start;
        session_goto(k.session, 500);
        for (uint64_t focus = start - 1; focus <= start + 1; focus++) {
            TimeWindow before = time_window(k.session, &zoom, focus, 50);
            session_goto(k.session, focus);
            TimeWindow then = time_window(k.session, &zoom, focus, 50);
            assert_int_equal(before.start, then.start);
            assert_int_equal(before.per_column, then.per_column);
            assert_true((then.start == start) == (focus >= start));
            session_goto(k.session, 500);
        }
    }
    drawn_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_tell_what_happens_in_their_cycles),
        cmocka_unit_test(test_in_slices_as_at_once_and_then_for_nothing),
        cmocka_unit_test(test_an_edit_drops_what_comes_after_it_only),
        cmocka_unit_test(test_other_machines_breakpoints_and_rows),
        cmocka_unit_test(test_back_and_forth_and_zoom),
        cmocka_unit_test(test_far_in_the_future_a_second_look_is_near),
        cmocka_unit_test(test_tokens_to_come_begin_where_they_will),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
