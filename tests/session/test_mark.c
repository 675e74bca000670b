/* Marks: a place in an investigation is found again whatever has been done since. */
#include "test.h"

#include "session/command.h"
#include "session/mark.h"

static void exec(Session *s, const char *line)
{
    Buf out = {0};
    Err err = {0};
    if (!session_exec(s, line, &out, &err))
        fail_msg("%s: %s", line, err.text);
    buf_free(&out);
}

static Session *open_default(void)
{
    Setup setup;
    setup_init(&setup);
    assert_true(setup_check(&setup, NULL));
    return session_new(&setup);
}

static uint64_t hash(const Session *s)
{
    return engine_hash(session_engine(s));
}

static void a_mark_restores_parameters_edits_and_cycle(void **state)
{
    static const char *const changes[][3] = {
        {"step 9"},
        {"undo", "undo"},
        {"undo", "set token_emb[2] 7", "goto 2000"},
        {"preset minus8", "step 4"},
        {"config d_model=32", "step 500"},
        {"config ffn_w2=t2:assets/words.w2.t2", "goto 3000"},
    };
    (void)state;
    Session *s = open_default();
    Mark mark;
    int count = 0;
    exec(s, "step 7");
    exec(s, "set token_emb[0] 5");
    exec(s, "goto 1500");
    exec(s, "set wq[0][3] 9");
    exec(s, "goto 1800");
    uint64_t then = hash(s);
    mark_take(&mark, s);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        for (int k = 0; k < 3 && changes[i][k]; k++)
            exec(s, changes[i][k]);
        mark_restore(&mark, s);
        assert_int_equal(engine_cycle(session_engine(s)), 1800);
        assert_true(hash(s) == then);
        const Edit *edits = session_edits(s, &count);
        assert_int_equal(count, 2);
        assert_int_equal(edits[0].after, 5);
        assert_int_equal(edits[1].cycle, 1500);
    }
    exec(s, "goto 2953"); /* the weights that were edited are used */
    uint64_t end = hash(s);
    exec(s, "config ffn_w2=t2:assets/words.w2.t2");
    mark_restore(&mark, s);
    exec(s, "goto 2953");
    assert_true(hash(s) == end);
    mark_free(&mark);
    session_free(s);
}

static void matrices_from_a_file_are_parameters(void **state)
{
    (void)state;
    Session *s = open_default();
    Mark mark;
    mark_take(&mark, s);
    exec(s, "step 3");
    assert_true(mark_same_setup(&mark, s));
    exec(s, "config ffn_w2=t2:assets/words.w2.t2");
    assert_false(mark_same_setup(&mark, s));
    mark_free(&mark);
    mark_take(&mark, s);
    assert_true(mark_same_setup(&mark, s));
    assert_int_equal(mark_size(s), 256 * 64 * 2);
    mark_free(&mark);
    session_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_restores_parameters_edits_and_cycle),
        cmocka_unit_test(matrices_from_a_file_are_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
