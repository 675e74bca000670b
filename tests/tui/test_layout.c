#include "test.h"

#include "tui/layout.h"

static Rect area(int rows, int cols)
{
    return (Rect){1, 0, rows - 3, cols};
}

static int count_at(int rows, int cols)
{
    Panes p;
    Pane out[PANES_MAX];
    panes_init(&p, 5);
    return panes_place(&p, area(rows, cols), out);
}

static void the_size_decides_how_many_panes_there_are(void **state)
{
    (void)state;
    assert_int_equal(count_at(24, 80), 1);
    assert_int_equal(count_at(23, 79), 1);
    assert_int_equal(count_at(16, 60), 1);
    assert_int_equal(count_at(43, 132), 2); /* stacked */
    assert_int_equal(count_at(24, 160), 2); /* side by side */
    assert_int_equal(count_at(60, 200), 4);
}

/* Every cell of the area belongs to exactly one pane. */
static void panes_cover_the_area_without_overlap(void **state)
{
    (void)state;
    for (int rows = 16; rows <= 70; rows += 3) {
        for (int cols = 60; cols <= 260; cols += 7) {
            for (int split = 0; split <= 4; split++) {
                Panes p;
                Pane out[PANES_MAX];
                Rect a = area(rows, cols);
                panes_init(&p, 5);
                p.split = split;
                int n = panes_place(&p, a, out), cells = 0;
                assert_in_range(n, 1, panes_most(a));
                for (int i = 0; i < n; i++) {
                    cells += out[i].rect.h * out[i].rect.w;
                    assert_true(out[i].rect.y >= a.y && out[i].rect.y + out[i].rect.h <= a.y + a.h);
                    assert_true(out[i].rect.x >= a.x && out[i].rect.x + out[i].rect.w <= a.x + a.w);
                    assert_true(out[i].rect.h >= 6 && out[i].rect.w >= 60);
                }
                assert_int_equal(cells, a.h * a.w);
            }
        }
    }
}

static void the_main_view_keeps_the_left_side(void **state)
{
    Panes p;
    Pane out[PANES_MAX];
    Rect a = area(60, 200);
    (void)state;
    panes_init(&p, 7);
    for (int view = 6; view >= 1; view--)
        panes_show(&p, a, view);
    panes_place(&p, a, out);
    assert_int_equal(out[0].view, 0);
    assert_int_equal(out[0].rect.x, 0);
    assert_int_equal(out[0].rect.y, 1);
}

static void a_view_that_is_asked_for_is_in_focus_at_every_size(void **state)
{
    static const int sizes[][2] = {{24, 80}, {43, 132}, {24, 160}, {60, 200}};
    Panes p;
    Pane out[PANES_MAX];
    (void)state;
    panes_init(&p, 6);
    for (int i = 0; i < 400; i++) {
        Rect a = area(sizes[i % 4][0], sizes[i % 4][1]);
        int view = i * 7 % 6, focused = 0;
        panes_show(&p, a, view);
        int n = panes_place(&p, a, out);
        for (int k = 0; k < n; k++) {
            focused += out[k].focused;
            assert_true(!out[k].focused || out[k].view == view);
        }
        assert_int_equal(focused, 1);
    }
}

static void a_bigger_screen_keeps_the_view_in_focus(void **state)
{
    Panes p;
    Pane out[PANES_MAX];
    (void)state;
    panes_init(&p, 6);
    panes_show(&p, area(24, 80), 5);
    int n = panes_place(&p, area(60, 200), out), at = 0;
    while (at < n && !out[at].focused)
        at++;
    assert_int_equal(out[at].view, 5);
    assert_int_equal(out[0].view, 0);
}

static void tab_goes_round(void **state)
{
    Panes p;
    Pane out[PANES_MAX];
    Rect small = area(24, 80), big = area(60, 200);
    (void)state;
    panes_init(&p, 5);
    panes_prefer(&p, 3, 4);
    for (int i = 1; i <= 5; i++) { /* one pane: the views in the order of their numbers */
        panes_next(&p, small, 1);
        panes_place(&p, small, out);
        assert_int_equal(out[0].view, i % 5);
    }
    panes_next(&p, small, -1);
    panes_place(&p, small, out);
    assert_int_equal(out[0].view, 4);
    panes_show(&p, big, 0);
    for (int i = 1; i <= 4; i++) { /* several: the panes */
        panes_next(&p, big, 1);
        assert_int_equal(p.focus, i % 4);
    }
}

static void zoom_gives_the_focus_all_and_split_counts_up_and_round(void **state)
{
    Panes p;
    Pane out[PANES_MAX];
    Rect big = area(60, 200), small = area(24, 80);
    (void)state;
    panes_init(&p, 5);
    panes_show(&p, big, 2);
    p.zoom = true;
    assert_int_equal(panes_place(&p, big, out), 1);
    assert_int_equal(out[0].view, 2);
    assert_int_equal(out[0].rect.w, 200);
    assert_int_equal(panes_split(&p, big), 1); /* from the four of the size */
    assert_int_equal(panes_split(&p, big), 2);
    assert_int_equal(panes_split(&p, big), 3);
    assert_int_equal(panes_split(&p, big), 4);
    assert_int_equal(panes_split(&p, big), 1);
    assert_int_equal(panes_split(&p, small), 2); /* 80x24: stacked */
    assert_int_equal(panes_split(&p, small), 1);
}

static void there_may_be_few_views_or_none(void **state)
{
    Panes p;
    Pane out[PANES_MAX];
    (void)state;
    panes_init(&p, 0);
    assert_int_equal(panes_place(&p, area(60, 200), out), 0);
    panes_next(&p, area(24, 80), 1);
    panes_init(&p, 1);
    assert_int_equal(panes_place(&p, area(60, 200), out), 1);
    panes_next(&p, area(60, 200), -1);
    assert_int_equal(p.focus, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_decides_how_many_panes_there_are),
        cmocka_unit_test(panes_cover_the_area_without_overlap),
        cmocka_unit_test(the_main_view_keeps_the_left_side),
        cmocka_unit_test(a_view_that_is_asked_for_is_in_focus_at_every_size),
        cmocka_unit_test(a_bigger_screen_keeps_the_view_in_focus),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(zoom_gives_the_focus_all_and_split_counts_up_and_round),
        cmocka_unit_test(there_may_be_few_views_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
