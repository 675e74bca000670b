/* What cannot be done is said, whole and in its place; names of any characters leave the frame
 * whole. In the t2 view, which has most of both. */
#include <unistd.h>

#include "inspector.h"

static void a_refused_prompt_stays_open(void **state)
{
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    press(&x, "e");
    type(&x, "zz");
    press(&x, "Enter");
    line_at(22, " : poke 0x0 zz");
    line_at(23, " Esc leave  ! poke 0x0 zz: HEX is whole bytes of two digits");
    press(&x, "BS BS");
    type(&x, "55");
    line_at(22, " : poke 0x0 55");
    press(&x, "Enter");
    assert_shows(&x, "byte 0x0: 82 -> 55");
    press(&x, "/");
    type(&x, "99,0");
    press(&x, "Enter");
    line_at(22, " : seek 99,0");
    assert_shows(&x, "no row 99 column 0");
    press(&x, "Esc ]");
    assert_shows(&x, "tile (0,1) of 2x2");
    assert_hides(&x, "seek 99,0");
    explorer_close(&x);
}

static void the_whole_refusal_to_quit_is_seen(void **state)
{
    (void)state;
    for (int cols = 60; cols <= 80; cols += 20) {
        explorer_open(&x, 24, cols);
        command("open " T2_GOLDEN "mixed-64x512.t2 64x512");
        command("poke 0 55");
        press(&x, "q");
        line_at(22, " ! quit: loses 1 edit; q again leaves, write FILE keeps");
        explorer_close(&x);
    }
}

static void keys_that_have_nothing_to_do_say_why(void **state)
{
    static const struct {
        const char *key, *why;
    } cases[] = {{"}", "this is the only tensor of the file"},
                 {"{", "this is the only tensor of the file"},
                 {"[", "this is the first of the tensor"},
                 {"c", "the machine reads no matrix of this file"},
                 {"o", "layout: there are no q8 chunks in this file; this tensor is t2"}};
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        press(&x, cases[i].key);
        if (!strstr(row(&x, 22), cases[i].why))
            fail_msg("%s: %s", cases[i].key, look(&x));
    }
    press(&x, "] ] ]");
    assert_hides(&x, "this is the last");
    press(&x, "]");
    assert_shows(&x, "this is the last of the tensor");
    command("open " T2_GOLDEN "tq-32x256.t2");
    press(&x, "]");
    assert_shows(&x, "this tile is the whole tensor");
    explorer_close(&x);
}

/* Where the machine stands still, and where there is no model. */
static void moves_that_go_nowhere_say_why(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "p");
    assert_shows(&x, "this is the beginning");
    press(&x, "T");
    assert_shows(&x, "this is the beginning");
    command("preset deck");
    command("state +2000"); /* behind the last of 128 tokens */
    press(&x, "n");
    assert_shows(&x, "there are no more tokens: nothing happens from here on");
    press(&x, "t");
    assert_shows(&x, "there are no more tokens: nothing happens from here on");
    command("goto 7");
    press(&x, "M e");
    assert_shows(&x, "there is no model that could read a word: Enter opens the built-in one");
    assert_int_equal(engine_cycle(session_engine(x.session)), 7);
    assert_null(session_model(x.session));
    explorer_close(&x);
}

/* blk.0.ün\u200bï-重み-🚀\u202e.weight: wide, hidden and bidi characters, the frame stays whole. */
static void wide_names_leave_the_frame_whole(void **state)
{
    static const char json[] =
        "{\"blk.0.\xc3\xbcn\xe2\x80\x8b\xc3\xaf-\xe9\x87\x8d\xe3\x81\xbf-"
        "\xf0\x9f\x9a\x80\xe2\x80\xae"
        ".weight\":{\"dtype\":\"I8\",\"shape\":[1,1,2176],\"data_offsets\":[0,2176]}}";
    char path[] = "/tmp/tokstep-XXXXXX.q4nx", line[64];
    const uint64_t n = sizeof json - 1;
    int fd = mkstemps(path, 5);
    (void)state;
    assert_true(fd >= 0 && write(fd, &n, 8) == 8 && write(fd, json, n) == (ssize_t)n &&
                ftruncate(fd, (off_t)(8 + n + 2176)) == 0);
    for (int cols = 60; cols <= 100; cols++) {
        explorer_open(&x, 24, cols);
        snprintf(line, sizeof line, "open %s", path);
        command(line);
        press(&x, "v v"); /* the list of tensors */
        for (int y = 1; y < 22; y++)
            assert_int_equal(text_width(row(&x, y)), cols);
        if (cols == 80)
            assert_shows(&x, "blk.0.\xc3\xbcn\\xe2\\x80\\x8b\xc3\xaf-\xe9\x87\x8d\xe3\x81\xbf-"
                             "\xf0\x9f\x9a\x80\\xe2\\x80\\xae.weight");
        assert_hides(&x, "\xe2\x80\xae");
        assert_hides(&x, "\xe2\x80\x8b");
        explorer_close(&x);
    }
    close(fd);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_prompt_stays_open),
        cmocka_unit_test(the_whole_refusal_to_quit_is_seen),
        cmocka_unit_test(keys_that_have_nothing_to_do_say_why),
        cmocka_unit_test(moves_that_go_nowhere_say_why),
        cmocka_unit_test(wide_names_leave_the_frame_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
