/* The cycle counter's pane: its numbers, that it follows the user's machine until a slider is moved
 * and never touches it, its sizes. */
#include "drawn.h"

#include "engine/cycle.h"
#include "engine/engine.h"
#include "tui/view/cycles/cycles_view.h"

static void the_deck_at_80_columns(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    drawn_draw(&d, 21, 80, true);
    static const char *const rows[21] = {
        "╭ cycles per token ─ ! the deck: 40384; the machine: 2953, 14x ────────────────╮",
        "│►variant    bridge  d_model        64  n_heads         4  d_ff          256   │",
        "│ max_seq_len   128  pos             0  MHz          29.2                      │",
        "│ ◄├●─────────────────────────────────┤►  which machine         your machine's │",
        "├ stage ──────── measured  formula the deck  off ─── share ────────────────────┤",
        "│ ln1                 197      197      242   1.2x    6.7 %  █▋                │",
        "│ qkv                  65       65      192 ! 3.0x    2.2 %  ▌░                │",
        "│ score                 9        9       64 ! 7.1x    0.3 %  ▏                 │",
        "│ softmax            2080     2080     2680   1.3x   70.4 %  █████████████████ │",
        "│ weighted_sum          5        5       64 ! 13x     0.2 %  ▏                 │",
        "│ out_proj             65       65     4096 ! 63x     2.2 %  ▌░░░░░░░░░░░░░░░► │",
        "│ ln2                 197      197      242   1.2x    6.7 %  █▋                │",
        "│ ffn_linear1         257      257    16384 ! 64x     8.7 %  ██▏░░░░░░░░░░░░░► │",
        "│ ffn_linear2          65       65    16384 ! 252x    2.2 %  ▌░░░░░░░░░░░░░░░► │",
        "│ all the rest         13       13       36 ! 2.8x    0.4 %  ▏                 │",
        "│ total              2953     2953    40384 ! 14x   100.0 %                    │",
        "├ at 29.2 MHz ─────────────────────────────────────────────────────────────────┤",
        "│ latency          0.1011   0.1011   1.3830   milliseconds                     │",
        "│ tokens/s           9888     9888      723   one token at a time              │",
        "│ KV cache                  32 KiB    4 KiB ! 1/8    2 x 128 x 64 x 2 bytes    │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
    };
    for (int y = 0; y < 21; y++)
        drawn_expect(&d, y, rows[y]);
    drawn_expect_roles(&d, 1, 1, "AAAAAAAA");
    drawn_expect_roles(&d, 10, 44, "!.!!!");
    drawn_expect_roles(&d, 10, 61, "Ad");
    drawn_close(&d);
}

/* Move the cursor to a slider and press keys there. */
static void at_knob(Drawn *d, Knob knob, const char *keys)
{
    d->state->row = (int)knob;
    drawn_press(d, keys);
}

static void sliders_change_the_pane_and_never_the_machine(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    drawn_do(&d, "step 443");
    uint64_t hash = engine_hash(session_engine(d.session));
    at_knob(&d, KNOB_D_MODEL, "Left Left");         /* 16 */
    at_knob(&d, KNOB_N_HEADS, "Right Right Right"); /* at most 16 */
    at_knob(&d, KNOB_D_MODEL, "h");                 /* 8: n_heads follows */
    at_knob(&d, KNOB_D_FF, "Left >");               /* 192, 193 */
    at_knob(&d, KNOB_SEQ, "Left < ");               /* 96, 95 */
    at_knob(&d, KNOB_POS, "l l l l l <");           /* 1 2 3 4 6, 5 */
    at_knob(&d, KNOB_MHZ, "Right < <");             /* 30.0 */
    drawn_draw(&d, 21, 80, true);
    drawn_expect(
        &d, 1, "│ variant    bridge  d_model         8  n_heads         8  d_ff          193   │");
    drawn_expect(
        &d, 2, "│ max_seq_len    95  pos             5 ►MHz          30.0                      │");
    drawn_contains(&d, "c: back to your machine │");
    const CyclesState *k = &OWN(d, CyclesPane)->sliders;
    assert_int_equal(k->report.total.measured, config_cycles(&k->report.config, VARIANT_BRIDGE, 5));
    assert_int_equal(k->report.total.measured, k->report.total.formula);
    assert_int_equal(engine_hash(session_engine(d.session)), hash);
    assert_int_equal(engine_config(session_engine(d.session))->d_model, 64);
    drawn_press(&d, "c");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "│ total              2953     2953    40384 ! 14x   100.0 % ");
    drawn_close(&d);
}

static void the_sliders_follow_the_machine_until_one_is_moved(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    drawn_do(&d, "token +1");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "│ total              2957     2957 ");
    drawn_do(&d, "config d_model=32 max_seq_len=16");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, " d_model        32 ");
    at_knob(&d, KNOB_D_FF, "Right");
    drawn_do(&d, "config d_model=128");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, " d_model        32 ");
    drawn_close(&d);
}

static void sliders_stop_at_their_ends(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    for (int i = 0; i < 60; i++) {
        for (Knob knob = KNOB_D_MODEL; knob < KNOB_MHZ; knob++)
            at_knob(&d, knob, "Right");
    }
    const CyclesState *k = &OWN(d, CyclesPane)->sliders;
    assert_int_equal(k->report.config.d_model, 512);
    assert_int_equal(k->report.config.n_heads, 512);
    assert_int_equal(k->report.config.d_ff, 2048);
    assert_int_equal(k->report.config.max_seq_len, 1024);
    assert_int_equal(k->report.pos, 1023);
    /* too long to be measured unasked */
    drawn_draw(&d, 21, 80, true);
    assert_int_equal(k->report.total.measured, 0);
    drawn_contains(&d, "─ Enter steps all 2633245 cycles ─");
    for (int i = 0; i < 60; i++) {
        for (Knob knob = KNOB_D_MODEL; knob < KNOB_MHZ; knob++)
            at_knob(&d, knob, "Left");
    }
    assert_int_equal(k->report.config.d_model, 8);
    assert_int_equal(k->report.config.n_heads, 1);
    assert_int_equal(k->report.config.d_ff, 1);
    assert_int_equal(k->report.config.max_seq_len, 1);
    assert_int_equal(k->report.pos, 0);
    drawn_press(&d, "Enter");
    assert_int_equal(k->report.total.measured, k->report.total.formula);
    drawn_close(&d);
}

static void stream_has_its_formula_and_the_deck_is_too_low(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    drawn_draw(&d, 21, 80, true);
    at_knob(&d, KNOB_VARIANT, "Right");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "►variant    stream");
    drawn_contains(&d, "     4224      192 ! 1/22 ");
    drawn_contains(&d, "    44864    40384   1/1.1");
    const CyclesState *k = &OWN(d, CyclesPane)->sliders;
    assert_int_equal(k->report.total.measured, 44864);
    drawn_close(&d);
}

static void sweeps_over_the_slider_under_the_cursor(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    at_knob(&d, KNOB_POS, "v");
    drawn_draw(&d, 21, 80, true);
    drawn_contains(&d, "cycles over pos ");
    drawn_contains(&d, " 3461┤"); /* 2953 + 4 * 127 */
    at_knob(&d, KNOB_D_MODEL, "v v");
    drawn_draw(&d, 21, 80, true);
    drawn_expect(
        &d, 5, "│ ln1                 197      197      242   1.2x    FFN share over d_model   │");
    drawn_expect(
        &d, 15, "│ total              2953     2953    40384 ! 14x           8              512 │");
    drawn_draw(&d, 40, 140, true); /* all three below the table */
    drawn_contains(&d, "cycles over d_model");
    drawn_contains(&d, "tokens/s over d_model");
    drawn_contains(&d, "FFN share over d_model");
    drawn_contains(&d, "├ sweeps, by the closed forms ─");
    drawn_contains(&d, "│ residual1             1        1        -           0.0 % ");
    drawn_close(&d);
}

static void every_size_keeps_to_its_rectangle(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    drawn_every_size(&d, 40, 90);
    for (Knob knob = KNOB_VARIANT; knob < KNOB_PE_ROWS; knob++) {
        d.state->row = (int)knob;
        OWN(d, CyclesPane)->plot = 1 + (int)knob % METRIC_COUNT;
        drawn_every_size(&d, 24, 82);
    }
    drawn_draw(&d, 60, 200, true);
    drawn_contains(&d, "─ measured ───");
    drawn_draw(&d, 1, 8, true);
    drawn_expect(&d, 0, "2953");
    drawn_close(&d);
}

static void nothing_under_the_cursor(void **state)
{
    (void)state;
    Drawn d;
    drawn_open(&d, &view_cycles, "deck", "integration");
    assert_null(view_cycles.target(d.session, d.state).signal);
    assert_false(view_cycles.find(d.session, d.state, (Target){signal_at(SIG_Q), 0}));
    drawn_press(&d, "Down j Up k Up");
    assert_int_equal(d.state->row, 0);
    Press p;
    assert_false(view_press(&view_cycles, d.session, d.state, "X", &p));
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_deck_at_80_columns),
        cmocka_unit_test(sliders_change_the_pane_and_never_the_machine),
        cmocka_unit_test(the_sliders_follow_the_machine_until_one_is_moved),
        cmocka_unit_test(sliders_stop_at_their_ends),
        cmocka_unit_test(stream_has_its_formula_and_the_deck_is_too_low),
        cmocka_unit_test(sweeps_over_the_slider_under_the_cursor),
        cmocka_unit_test(every_size_keeps_to_its_rectangle),
        cmocka_unit_test(nothing_under_the_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
