/* The list of FSMs against the signal table. */
#include "test.h"

#include "engine/units.h"

/* Every FSM of every variant's machine is in it, and goes by its name. */
static void every_fsm_is_in_the_list(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Config c;
        assert_true(config_preset(&c, "deck", NULL));
        c.variant = (Variant)v;
        Weights *w = weights_new(&c);
        weights_finish(w);
        Engine *e = engine_new(&c, w);
        int fsms = 0;
        for (int id = 0; id < SIG_COUNT; id++) {
            const Signal *s = signal_at((SignalId)id);
            fsms += s->type == TYPE_STATE && signal_exists(e, s);
        }
        assert_int_equal(fsms, UNIT_COUNT);
        for (int k = 0; k < UNIT_COUNT; k++) {
            char path[24];
            snprintf(path, sizeof path, "%s.state", units[k].name);
            assert_ptr_equal(signal_find(e, path, strlen(path)), signal_in(e, units[k].fsm));
            assert_string_equal(unit_state(e, k), "IDLE");
        }
        engine_free(e);
        weights_free(w);
    }
}

/* The innermost one works; the one that waits for it is its boss. */
static void the_innermost_works(void **state)
{
    (void)state;
    Config c;
    assert_true(config_preset(&c, "deck", NULL));
    Weights *w = weights_new(&c);
    weights_finish(w);
    Engine *e = engine_new(&c, w);
    bool seen[UNIT_COUNT] = {false};
    assert_int_equal(unit_at_work(e), UNIT_TOP);
    signal_set(e, signal_at(SIG_START), 0, 1, NULL);
    while (!signal_get(e, signal_at(SIG_VALID), 0)) {
        engine_step(e);
        int unit = unit_at_work(e);
        seen[unit] = true;
        for (int k = 0; k < UNIT_COUNT; k++) {
            bool waits = k == unit || k == units[unit].boss || k == units[units[unit].boss].boss;
            assert_int_equal(!unit_is_idle(e, k), waits);
        }
    }
    for (int k = 0; k < UNIT_COUNT; k++)
        assert_true(seen[k]);
    engine_free(e);
    weights_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fsm_is_in_the_list),
                                       cmocka_unit_test(the_innermost_works)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
