/* `/`, n and N in every place that can be searched, and Backspace's way back. */
#include "explorer.h"

#include "engine/cycle.h"
#include "tui/view/softmax/softmax_view.h"
#include "tui/view/vectors/vectors_scene.h"

static bool has(const char *line, const char *text)
{
    return search_find(line, text) >= 0;
}

static void a_capital_makes_case_count(void **state)
{
    (void)state;
    assert_true(has("attn SCORE", "score"));
    assert_true(has("attn SCORE", "SCORE"));
    assert_false(has("attn score", "Score"));
    assert_int_equal(search_find("aab", "ab"), 1);
    assert_false(has("ab", "abc"));
}

static void the_pick_goes_round(void **state)
{
    SearchFeed f = {.text = "x"};
    bool wrapped = true;
    (void)state;
    for (uint64_t at = 0; at < 90; at += 10)
        search_feed(&f, at, at % 20 ? "x" : "y"); /* 10 30 50 70 */
    assert_int_equal(f.count, 4);
    f.here = 30;
    assert_int_equal(search_pick(&f, 1, true, &wrapped), 1);
    assert_false(wrapped);
    assert_int_equal(search_pick(&f, 1, false, &wrapped), 2);
    assert_int_equal(search_pick(&f, -1, false, &wrapped), 0);
    f.here = 70;
    assert_int_equal(search_pick(&f, 1, false, &wrapped), 0);
    assert_true(wrapped);
    f.here = 5;
    assert_int_equal(search_pick(&f, -1, false, &wrapped), 3);
    assert_true(wrapped);
    free(f.at);
}

static void *state_of(Explorer *x, const char *view)
{
    return x->tui->states[view_find(view, NULL)];
}

static int vector_of(Explorer *x)
{
    const VectorsState *v = state_of(x, "vectors");
    return v->vector;
}

static void search(Explorer *x, const char *text)
{
    press(x, "/");
    type(x, text);
    press(x, "Enter");
}

/* Roles of the screen's row, a letter a cell. */
static void roles_of(Explorer *x, int y, char out[256])
{
    Buf b = {0};
    canvas_dump_roles(tui_draw(x->tui), &b);
    const char *line = buf_str(&b);
    for (; y > 0; y--)
        line = strchr(line, '\n') + 1;
    snprintf(out, 256, "%.*s", (int)strcspn(line, "\n"), line);
    buf_free(&b);
}

static void names_of_vectors_are_searched_and_n_is_a_state_again_after_esc(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 16, 60);
    press(&x, "2");
    int before = vector_of(&x);
    search(&x, "ln1");
    int first = vector_of(&x);
    assert_non_null(strstr(row(&x, 14), "1 of "));
    assert_non_null(strstr(row(&x, 15), "n N matches  Esc ends  BS back"));
    press(&x, "n");
    assert_true(vector_of(&x) > first);
    press(&x, "N");
    assert_int_equal(vector_of(&x), first);
    press(&x, "N");
    assert_non_null(strstr(row(&x, 14), ", on from the end"));
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    press(&x, "Esc n");
    assert_true(engine_cycle(session_engine(x.session)) > 0);
    press(&x, "0 BS");
    assert_int_equal(vector_of(&x), before);
    explorer_close(&x);
}

static void source_is_searched_over_all_files_and_the_match_is_in_sight(void **state)
{
    Explorer x;
    char roles[256];
    (void)state;
    explorer_open(&x, 16, 60);
    press(&x, "V");
    search(&x, "has.. save"); /* no such line: still where it was, and the keys are its again */
    assert_int_equal(x.tui->mode, MODE_PANES);
    assert_non_null(strstr(row(&x, 14), "search has.. save: not found"));
    search(&x, "that only one variant"); /* its end is beyond 60 columns */
    assert_shows(&x, "that only one variant");
    assert_non_null(strstr(row(&x, 14), "1 of 1"));
    int y = x.tui->canvas.cursor_y;
    roles_of(&x, y, roles);
    assert_non_null(strstr(roles, "XXXXXXXXXXXXXXXXXXXXX")); /* of the match, 21 letters */
    press(&x, "Esc");
    roles_of(&x, y, roles);
    assert_null(strstr(roles, "XXXXXXXXXX")); /* the number of the line is shorter */
    explorer_close(&x);
}

/* The cycle in which the attention unit is in a state for the first time. */
static bool scoring(void *context, const Engine *e, const Host *h)
{
    const Signal *s = signal_find(e, "attn.state", 10);
    (void)h;
    *(uint64_t *)context = engine_cycle(e);
    return strcmp(signal_state_name(s, signal_get(e, s, 0)), "SCORE") != 0;
}

static void states_are_searched_over_time(void **state)
{
    Explorer x;
    uint64_t expected = 0;
    (void)state;
    explorer_open(&x, 24, 80);
    session_visit(x.session, 0, 10000, scoring, &expected);
    press(&x, "5");
    search(&x, "attn score");
    const ViewState *v = state_of(&x, "timeline");
    assert_true(v->pinned && v->cycle == expected && v->row == 2);
    press(&x, "n");
    assert_true(v->cycle > expected);
    press(&x, "N Enter"); /* the machine goes there */
    tui_settle(x.tui);
    assert_int_equal(engine_cycle(session_engine(x.session)), expected);
    press(&x, "BS"); /* ... and back in time */
    tui_settle(x.tui);
    assert_int_equal(engine_cycle(session_engine(x.session)), 0);
    press(&x, "BS"); /* to before the search */
    assert_false(v->pinned);
    press(&x, "BS");
    assert_non_null(strstr(row(&x, 22), "no jump to go back from"));
    explorer_close(&x);
}

static void help_is_searched_on_its_own_page(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 16, 60);
    press(&x, "?");
    search(&x, "PATH|");
    assert_int_equal(x.tui->mode, MODE_HELP);
    assert_shows(&x, "search PATH|: not found");
    search(&x, "Commands: what");
    assert_int_equal(x.tui->mode, MODE_HELP);
    assert_true(x.tui->help_top > 50);
    assert_shows(&x, "Commands: what : takes");
    assert_non_null(strstr(row(&x, 14), "1 of 1"));
    int top = x.tui->help_top;
    press(&x, "Home n");
    assert_non_null(strstr(row(&x, 14), "1 of 1, on from the start"));
    assert_int_equal(x.tui->help_top, top);
    press(&x, "Esc");
    assert_int_equal(x.tui->mode, MODE_HELP);
    press(&x, "Esc");
    assert_int_equal(x.tui->mode, MODE_PANES);
    explorer_close(&x);
}

static void the_scrollback_is_searched_from_its_end(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 16, 60);
    press(&x, ":");
    type(&x, "get seq_pos");
    press(&x, "Enter");
    for (int i = 0; i < 12; i++) {
        type(&x, "get valid");
        press(&x, "Enter");
    }
    assert_hides(&x, "seq_pos");
    type(&x, "/seq");
    press(&x, "Enter");
    assert_shows(&x, "get seq_pos");
    assert_non_null(strstr(row(&x, 14), "2 of 2"));
    press(&x, "n");
    assert_non_null(strstr(row(&x, 14), "1 of 2"));
    assert_true(console_line_empty(x.tui->console));
    press(&x, "N");
    assert_non_null(strstr(row(&x, 14), "2 of 2"));
    type(&x, "get n"); /* whatever is typed ends it: n is a letter */
    assert_shows(&x, ": get n");
    press(&x, "C-u");
    type(&x, "/zebra");
    press(&x, "Enter");
    assert_non_null(strstr(row(&x, 14), "/zebra: not found"));
    explorer_close(&x);
}

static void an_elements_name_goes_to_the_element_in_any_view(void **state)
{
    Explorer x;
    char name[64];
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "1");
    search(&x, "residual1[5]");
    assert_true(tui_target_name(x.tui, name, sizeof name, NULL));
    assert_string_equal(name, "residual1[5]");
    explorer_close(&x);
}

/* What a view shows is its own: which head, which memory. */
static void a_jump_back_brings_the_views_own_choice_back(void **state)
{
    Explorer x;
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "3 ] ] ] x v"); /* head 2, the other exp too */
    const SoftmaxState *v = state_of(&x, "softmax");
    tui_do(x.tui, "show softmax.exp[5]"); /* of the head at work */
    assert_true(v->head == 0 && v->v.row == 5);
    press(&x, "x"); /* how numbers are written is no place */
    NumberFormat format = v->v.format;
    press(&x, "BS");
    assert_true(v->head == 3 && v->other_exp && v->v.row == 0);
    assert_int_equal(v->v.format, format);
    explorer_close(&x);
}

static void sixteen_jumps_are_kept(void **state)
{
    Explorer x;
    char line[40];
    Buf out = {0};
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "2 c");
    for (int i = 0; i < 20; i++) {
        snprintf(line, sizeof line, "show out_emb[%d]", i + 1);
        assert_true(tui_exec(x.tui, line, &out, NULL));
    }
    assert_int_equal(x.tui->jumps.count, JUMPS_MAX);
    for (int i = 0; i < JUMPS_MAX; i++)
        press(&x, "BS");
    assert_int_equal(x.tui->jumps.count, 0);
    assert_int_equal(((const ViewState *)state_of(&x, "vectors"))->row,
                     4); /* the four oldest are forgotten */
    buf_free(&out);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capital_makes_case_count),
        cmocka_unit_test(the_pick_goes_round),
        cmocka_unit_test(names_of_vectors_are_searched_and_n_is_a_state_again_after_esc),
        cmocka_unit_test(source_is_searched_over_all_files_and_the_match_is_in_sight),
        cmocka_unit_test(states_are_searched_over_time),
        cmocka_unit_test(help_is_searched_on_its_own_page),
        cmocka_unit_test(the_scrollback_is_searched_from_its_end),
        cmocka_unit_test(an_elements_name_goes_to_the_element_in_any_view),
        cmocka_unit_test(a_jump_back_brings_the_views_own_choice_back),
        cmocka_unit_test(sixteen_jumps_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
