/* A click selects what was drawn under it, in every view, and looks at that view once. */
#include "explorer.h"
#include "tui/view/t2/t2_scene.h"

/* Every view, on a machine at work, with something to show. */
static void open_on(Explorer *x, int view, int rows, int cols)
{
    explorer_open(x, rows, cols);
    tui_do(x->tui, "open " GOLDEN "t2/reserved-64x512.t2 64x512");
    tui_do(x->tui, views[view] == &view_model ? "open model" : "preset deck");
    tui_do(x->tui, "run until seq_pos == 2 and attn.state == SCORE");
    tui_settle(x->tui);
    press(x, views[view]->key);
}

static void click(Explorer *x, int y, int col)
{
    char key[KEY_NAME_MAX];
    snprintf(key, sizeof key, "Click@%d,%d", y, col);
    tui_press(x->tui, key);
}

static void one_click_draws_once_and_a_key_does_not(void **state)
{
    (void)state;
    for (int i = 0; views[i]; i++) {
        Explorer x;
        open_on(&x, i, 24, 80);
        unsigned long before = x.tui->draws;
        click(&x, 12, 40);
        assert_int_equal(x.tui->draws - before, 1);
        press(&x, "Down + Tab ? Down Esc");
        assert_int_equal(x.tui->draws - before, 1);
        look(&x);
        assert_int_equal(x.tui->draws - before, 2);
        explorer_close(&x);
    }
}

/* Is there a cell with this aim that is marked as the cursor's? */
static bool is_selected(const Canvas *c, uint64_t aim)
{
    for (int i = 0; i < c->rows * c->cols; i++) {
        bool parked = i == c->cursor_y * c->cols + c->cursor_x;
        if (c->cells[i].aim == aim && (c->cells[i].role == ROLE_CURSOR || parked))
            return true;
    }
    return false;
}

/* What has no mark of the cursor's: a row of which the column does not matter, the tensor shown. */
static bool is_shown(const Tui *t, int view, uint64_t aim)
{
    if ((aim & T2_AIM_TENSOR) == T2_AIM_TENSOR && views[view] == &view_t2)
        return ((const T2State *)view_own(t->states[view]))->tensor == (aim & ~T2_AIM_TENSOR);
    return !(aim & AIM_OTHER) && aim_col(aim) < 0 && t->states[view]->row == aim_row(aim);
}

static void a_click_selects_the_cell_under_it(void **state)
{
    (void)state;
    static const int sizes[][2] = {{24, 80}, {60, 200}, {16, 60}};
    for (int i = 0; views[i]; i++) {
        int aimed = 0;
        for (int size = 0; size < 3; size++) {
            Explorer x;
            open_on(&x, i, sizes[size][0], sizes[size][1]);
            press(&x, "z");
            int cells = sizes[size][0] * sizes[size][1], n = 0;
            const Canvas *c = tui_draw(x.tui);
            for (int at = 0; at < cells; at++) {
                uint64_t aim = c->cells[at].aim;
                if (!aim || n++ % (cells / 150 | 1)) /* not all of them */
                    continue;
                click(&x, at / c->cols, at % c->cols);
                c = tui_draw(x.tui);
                if (!is_selected(c, aim) && !is_shown(x.tui, i, aim))
                    fail_msg("%s: %d,%d of %dx%d is not selected:\n%s", views[i]->name,
                             at / c->cols, at % c->cols, c->rows, c->cols, look(&x));
                aimed++;
            }
            explorer_close(&x);
        }
        if (aimed == 0)
            fail_msg("%s: nothing can be clicked on", views[i]->name);
    }
}

/* A cell that stands for something of another row, or of another cycle. */
static void click_elsewhere(Explorer *x, uint64_t here)
{
    const Canvas *c = tui_draw(x->tui);
    for (int k = 0; k < c->rows * c->cols; k++) {
        uint64_t aim = c->cells[k].aim;
        bool time = tui_view(x->tui) == &view_timeline, other = (aim & AIM_OTHER) != 0;
        if (!aim || aim == here || time != other || (!time && aim_row(aim) == aim_row(here)))
            continue;
        click(x, k / c->cols, k % c->cols);
        return;
    }
    fail_msg("there is nowhere else to click");
}

/* As the arrow keys would: a click on the cursor changes nothing, one beside it holds it there. */
static void a_click_holds_a_cursor_that_follows(void **state)
{
    (void)state;
    static const char *const names[] = {"vectors", "kv", "softmax", "timeline", "t2", "rtl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Explorer x;
        int view = view_find(names[i], NULL);
        open_on(&x, view, 24, 80);
        const Canvas *c = tui_draw(x.tui);
        uint64_t here = c->cells[c->cursor_y * c->cols + c->cursor_x].aim;
        assert_true(here != 0);
        click(&x, c->cursor_y, c->cursor_x);
        assert_false(x.tui->states[view]->pinned);
        click_elsewhere(&x, here);
        if (!x.tui->states[view]->pinned)
            fail_msg("%s follows on", names[i]);
        explorer_close(&x);
    }
}

/* Between the cells the nearest one is meant, a row counting as eight columns. */
static void a_click_beside_the_cells_takes_the_nearest(void **state)
{
    (void)state;
    Explorer x;
    char name[64];
    explorer_open(&x, 24, 80);
    press(&x, "t t t 4");
    look(&x);
    click(&x, 7, 1); /* the frame and the label of row 2 */
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "K[2][0]");
    click(&x, 20, 15); /* below the last row */
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_int_equal(strncmp(name, "K[10][", 6), 0);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_click_draws_once_and_a_key_does_not),
        cmocka_unit_test(a_click_selects_the_cell_under_it),
        cmocka_unit_test(a_click_holds_a_cursor_that_follows),
        cmocka_unit_test(a_click_beside_the_cells_takes_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
