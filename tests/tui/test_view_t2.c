/* The t2 inspector: exact pictures of golden files, the tie of grid, bytes and cell, edits, the tie
 * with the machine. */
#include <unistd.h>

#include "view/drawn.h"
#include "inspector.h"

#include "base/file.h"
#include "tui/view/t2/t2_scene.h"

static void refused(const char *line, const char *why)
{
    Buf out = {0};
    Err err = {0};
    assert_false(tui_exec(x.tui, line, &out, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: '%s', not '%s'", line, err.text, why);
    buf_free(&out);
}

static void roles_of(int y, int from, const char *want)
{
    Buf roles = {0};
    canvas_dump_roles(tui_draw(x.tui), &roles);
    char got[2048];
    drawn_row(&roles, y, got, sizeof got);
    if (strncmp(got + from, want, strlen(want)) != 0)
        fail_msg("roles of row %d: %s\n%s", y, got, look(&x));
    buf_free(&roles);
}

/* ---- pictures ---- */

static void the_reserved_code_of_5_130_is_taken_apart(void **state)
{
    (void)state;
    open_file("reserved-64x512.t2 64x512");
    press(&x, "R");
    line_at(1, "╭►t2  reserved-64x512.t2  t2 64x512  tile (0,0) of 2x2 ────────────────────────╮");
    line_at(2, "│    128             144              │row 5 column 130  (r5 c130 of the tile) │");
    line_at(3, "│r0  +00−−−+−00−+++−0−0+−++−+00+++0−0 │byte 0x160 = 79                         │");
    line_at(4, "│r1  0−−0−−−0−−+0000+−−+0−+−0−−++++−+ │79 =    01  ►11   10   01               │");
    line_at(5, "│r2  −−++0+++000++00−00++0+0−+0−+000− │         0    ?    +    0               │");
    line_at(6, "│r3  0−−++−++−0+++−00−00+−+−−+−−−00++ │code 3  ! reserved: 0.0, never 2 × scale│");
    line_at(7, "│r4  0−−−−+−++0−++−−−+0−−++0−+00−0+0+ │scale 0x816 2e66  0 01011 1001100110    │");
    line_at(8, "│r5 ►0+?00−−00−−−+−−−00+−−−0+−++−++++ │  = 1.5996094 × 2^-4 = 0.099975586      │");
    line_at(9, "│r6  +0+0−+00−00+−+0+0++0−−0000000−0+ │  normal, bf16 would be 1.2e-03 off     │");
    line_at(10, "│r7  0++++00+−++0−+++0−+−+−−00++−−++− │weight 0               00000000         │");
    line_at(11, "│r8  −0−+−00−+0+0+−+00−−00−0−0+−−0−00 │a wrong decoder would show              │");
    line_at(12, "│r9  +−−−+−00+0+−−−+000−+−+++00+−−+++ │! code - 1             0.19995117       │");
    line_at(16, "│0150  82 65 08 2a 02 0a a5 46 98 54 68 51 95 28 48 08  r5 c64..127            │");
    line_at(17, "│0160 ►79 41 01 02 25 90 28 aa 00 1a 61 94 08 04 11 55  r5 c128..191           │");
    line_at(19, "│tile   −1 33.7%  0 33.6%  +1 32.7%  ! reserved 2  scales 5 subnormal 2 zero   │");
    /* the other three codes of the byte are tied to the cursor, the rest is not */
    roles_of(8, 1, "...AAAXA");
    roles_of(17, 6, "AAAd.."); /* its byte; the cursor itself is in the grid */
    explorer_close(&x);
}

static void r_visits_the_four_reserved_codes(void **state)
{
    static const char *const places[] = {"row 5 column 130", "row 33 column 257",
                                         "row 63 column 511", "row 0 column 0"};
    (void)state;
    open_file("reserved-64x512.t2 64x512");
    for (int i = 0; i < 4; i++) {
        press(&x, "R");
        assert_shows(&x, places[i]);
        assert_shows(&x, "code 3  ! reserved: 0.0");
    }
    assert_shows(&x, "from the start of the tensor again");
    assert_shows(&x, "tile (0,0)");
    explorer_close(&x);
}

static void special_scales_show_their_fields(void **state)
{
    (void)state;
    open_file("special-32x256.t2");
    line_at(7, "│r4  +0+−++00++−−0++−+0−+0−0−0+0−00−0 │scale 0x800 7c00  0 11111 0000000000    │");
    assert_shows(&x, "! inf, bf16 holds it");
    press(&x, "S");
    assert_shows(&x, "scale 0x804 fc00  1 11111 0000000000");
    assert_shows(&x, "= -inf");
    press(&x, "S");
    assert_shows(&x, "! nan");
    press(&x, "S S");
    assert_shows(&x, "! zero, bf16 holds it");
    assert_shows(&x, "scale 0x810 8000  1 00000 0000000000");
    press(&x, "S S");
    assert_shows(&x, "= -1 × 2^-24 = -5.9604645e-08");
    assert_shows(&x, "! subnormal flushed");
    explorer_close(&x);
}

static void other_kinds_show_as_far_as_they_are_known(void **state)
{
    (void)state;
    open_file("five-types.gguf");
    press(&x, "l l l");
    /* ternary.md 1.1: byte 0x95 holds the digits 1 2 0 2 0 of elements 3, 35, 67, 99, 131 */
    assert_shows(&x, "95 =    ►1    2    0    2    0");
    assert_shows(&x, "c3  c35  c67  c99 c131");
    assert_shows(&x, "code 1 is 0   digit 0, the largest first");
    press(&x, "} l");
    assert_shows(&x, "blk.0.ffn_down.weight  tq2_0 32x256");
    press(&x, "v v");
    assert_shows(&x, "► blk.0.ffn_down.weight                  tq2_0     32x256");
    press(&x, "{ {");
    assert_shows(&x, "output.weight  q2_0 g64 32x256");
    press(&x, "R");
    assert_shows(&x, "has no code 3");
    command("open " T2_GOLDEN "pb16i-32x256.bin");
    assert_shows(&x, "ms 0x30 0235 = 565   e_ref -7");
    assert_shows(&x, "= 565 × 2^-7 = 4.4140625");
    explorer_close(&x);
}

static void a_shape_that_the_file_lacks_is_assumed_and_can_be_told(void **state)
{
    (void)state;
    open_file("two-tensors.q4nx");
    press(&x, "}");
    assert_shows(&x, "tile (0,0) of 4x1");
    assert_shows(&x, "! shape not in the file, shown as 128x256; `:shape NxK` tells it");
    refused("shape 64x256", "needs 2 tiles, it has 4");
    refused("shape 64", "must be NxK");
    command("shape 64x512");
    assert_shows(&x, "tile (0,0) of 2x2");
    assert_hides(&x, "shape not in the file");
    command("seek 40,300");
    assert_shows(&x, "tile (1,1) of 2x2");
    assert_shows(&x, "(r8 c44 of the tile)");
    refused("seek 64,0", "no row 64 column 0");
    refused("tile 2,0", "is 64x512");
    explorer_close(&x);
}

static void chunks_say_what_is_assumed_about_them(void **state)
{
    static const char json[] =
        "{\"w\":{\"dtype\":\"I8\",\"shape\":[2,8704],\"data_offsets\":[0,17408]}}";
    char path[] = "/tmp/tokstep-XXXXXX.q4nx", line[64];
    const uint64_t n = sizeof json - 1;
    int fd = mkstemps(path, 5);
    (void)state;
    assert_true(fd >= 0 && write(fd, &n, 8) == 8 && write(fd, json, n) == (ssize_t)n &&
                ftruncate(fd, (off_t)(8 + n + 17408)) == 0);
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "open %s", path);
    command(line);
    assert_shows(&x, "! shape not in the file, shown as 64x256");
    assert_shows(&x, "! read under layout q8a");
    press(&x, "o");
    assert_shows(&x, "! read under layout q8b");
    command("shape 32x512");
    assert_shows(&x, "tile (0,0) of 1x2");
    assert_hides(&x, "shape not in the file");
    explorer_close(&x);
    close(fd);
    remove(path);
}

/* ---- the tie ---- */

static void grid_and_bytes_move_together(void **state)
{
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    press(&x, "Enter Right");
    assert_shows(&x, "row 0 column 4");
    assert_shows(&x, "byte 0x001 = 61");
    roles_of(15, 9, "AXX");
    press(&x, "Down Down Down Down"); /* 64 bytes on: the next row */
    assert_shows(&x, "row 1 column 4");
    press(&x, "d"); /* its scale */
    assert_shows(&x, "scale byte 0x804");
    roles_of(4, 5, "AAAAXAAAAAAAAAAAAAAAAAAAAAAAAAAA"); /* 128 weights hang on it */
    press(&x, "Right Right");
    assert_shows(&x, "scale byte 0x806");
    assert_shows(&x, "row 1 column 128");
    press(&x, "d");
    assert_shows(&x, "byte 0x060");
    press(&x, "Esc Up");
    assert_shows(&x, "row 0 column 128");
    press(&x, "/");
    type(&x, "0x880");
    press(&x, "Enter");
    assert_shows(&x, "tile (0,1) of 2x2");
    assert_shows(&x, "byte 0x000");
    press(&x, "] [ ] ]");
    assert_shows(&x, "tile (1,1)");
    press(&x, "]");
    assert_shows(&x, "tile (1,1)");
    explorer_close(&x);
}

/* ---- edits ---- */

static void an_edit_can_be_taken_back_and_written(void **state)
{
    char path[] = "/tmp/tokstep-t2-XXXXXX", line[64];
    FileMap m, old;
    Err err = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)state;
    open_file("mixed-64x512.t2 64x512");
    press(&x, "l l e");
    type(&x, "5b");
    press(&x, "Enter");
    assert_shows(&x, "byte 0x0: 82 -> 5b");
    assert_shows(&x, "*1 edit");
    assert_shows(&x, "byte 0x000 = 5b *edited");
    assert_shows(&x, "5b =    01  ►01   10   11");
    assert_shows(&x, "! reserved 1");
    roles_of(15, 6,
             "AA"); /* the byte serves the cell; "*" stands where it is not under the cursor */
    refused("quit", "quit: loses 1 edit; q again leaves, write FILE keeps");
    refused("open " T2_GOLDEN "special-32x256.t2",
            "open: unsaved edits; write FILE keeps, revert drops them");
    const uint8_t before[] = {x.tui->inspector.c.map.data[4095], x.tui->inspector.c.map.data[4096]};
    command("poke 4095=00ff"); /* across a page of the mapping */
    assert_int_equal(x.tui->inspector.c.map.data[4095], 0x00);
    assert_int_equal(x.tui->inspector.c.map.data[4096], 0xff);
    assert_shows(&x, "*2 edits"); /* of three bytes */
    press(&x, "u");
    assert_shows(&x, "2 bytes from 0xfff are as they were");
    assert_int_equal(x.tui->inspector.c.map.data[4095], before[0]);
    assert_int_equal(x.tui->inspector.c.map.data[4096], before[1]);
    assert_shows(&x, "*1 edit");
    press(&x, "u");
    assert_hides(&x, " edits");
    assert_hides(&x, "*1 edit");
    assert_hides(&x, "*edited");
    assert_shows(&x, "byte 0x000 = 82");
    refused("unpoke", "no edit to take back");
    command("poke 0 5b");
    refused("write " T2_GOLDEN "mixed-64x512.t2", "is the file that is open");
    snprintf(line, sizeof line, "write %s", path);
    command(line);
    assert_shows(&x, "*1 edit, written");
    command("quit");
    explorer_close(&x);
    assert_true(file_map(&m, path, &err) && file_map(&old, T2_GOLDEN "mixed-64x512.t2", &err));
    assert_int_equal(m.size, 8704);
    assert_int_equal(m.data[0], 0x5b);
    assert_int_equal(old.data[0], 0x82);
    assert_memory_equal(m.data + 1, old.data + 1, 8703);
    file_unmap(&m);
    file_unmap(&old);
    close(fd);
    remove(path);
}

static void bad_edits_are_refused(void **state)
{
    (void)state;
    explorer_open(&x, 24, 80);
    press(&x, "8");
    line_at(2, "│ No tensor file is open.                                                      │");
    refused("poke 0 5b", "no tensor file is open");
    press(&x, "Enter");
    assert_shows(&x, ": open"); /* the prompt asks for a file */
    press(&x, "Esc");
    assert_int_equal(x.tui->inspector.n_pokes, 0);
    command("open " T2_GOLDEN "five-types.gguf");
    refused("poke 0 5b", "only tensors are edited");
    refused("poke x 5b", "must be BYTE HEX");
    refused("poke 2000 5", "two digits");
    refused("poke 2000", "1 to 64 bytes");
    refused("poke 99999 00", "the file has 10496 bytes");
    refused("open " T2_GOLDEN "README.md", "README.md");
    assert_shows(&x, "five-types.gguf"); /* what was open stays open */
    explorer_close(&x);
}

/* ---- fingerprints and counts ---- */

static void fingerprints_are_named(void **state)
{
    (void)state;
    open_file("tq-32x256.t2");
    assert_shows(&x, "! both scales of every row are equal: the source had groups of 256: TQ1_0");
    press(&x, "v");
    assert_shows(&x, "scales by exponent  0         10        20        30");
    command("count");
    assert_shows(&x, "tensor ");
    explorer_close(&x);
}

/* At 80x24 a fingerprint is whole, and those without room are counted. */
static void fingerprints_are_whole_or_counted(void **state)
{
    static const char zero[] =
        "│! scale zero, codes not: stale codes, amax below 2^-25, or flushed subnormal  │";
    (void)state;
    open_file("special-32x256.t2");
    line_at(20, "│! scale zero, codes not  +1 more                                              │");
    press(&x, "v");
    line_at(19, zero);
    line_at(20, "│! scale inf or NaN: amax above 65504 when encoded, or 0/0 of an all-zero group│");
    explorer_close(&x);
    /* what is assumed of the shape leaves the fingerprint its line */
    open_file("mixed-64x512.t2");
    line_at(19, "│! shape not in the file, shown as 128x256; `:shape NxK` tells it              │");
    line_at(20, zero);
    explorer_close(&x);
}

/* ---- the machine ---- */

static void the_cursor_follows_linear2(const char *variant, const char *until, const char *place)
{
    Setup setup;
    Err err = {0};
    setup_init(&setup);
    assert_true(config_set(&setup.config, "d_ff", "512", &err));
    assert_true(config_set(&setup.config, "variant", variant, &err));
    assert_true(patch_load(&setup.patch[WEIGHT_W2], &setup.config, WEIGHT_W2,
                           T2_GOLDEN "mixed-64x512.t2", false, &err));
    assert_true(setup_check(&setup, &err));
    x = (Explorer){.session = session_new(&setup)};
    x.tui = tui_new(x.session, THEME_DARK, NULL);
    tui_resize(x.tui, 24, 80, true);
    press(&x, "8");
    assert_shows(&x, "mixed-64x512.t2  t2 64x512  tile (0,0) of 2x2");
    command(until);
    assert_shows(&x, place);
    /* what the machine holds is the weight in the file, rounded: -0.0910034 -> -0.08984375 */
    press(&x, "Down c");
    assert_shows(&x, place);
    setup_free(&setup);
}

static void the_cursor_follows_the_machine(void **state)
{
    (void)state;
    the_cursor_follows_linear2("bridge", "run until ffn.state == LINEAR2 and ffn.i == 37",
                               "row 37 column 0  w2[0][37] · now");
    assert_shows(&x, "weight -0.09100342     bdba6000");
    assert_shows(&x, "machine ffe9 = -0.08984375");
    assert_shows(&x, "r5 ·");
    Target t = {signal_at((SignalId)(SIG_WEIGHTS + WEIGHT_W2)), 300 * 64 + 41};
    assert_true(view_t2.find(x.session, tui_view_state(x.tui), t));
    assert_shows(&x, "row 41 column 300");
    Target back = view_t2.target(x.session, tui_view_state(x.tui));
    assert_ptr_equal(back.signal, t.signal);
    assert_int_equal(back.at, t.at);
    explorer_close(&x);
    the_cursor_follows_linear2("stream",
                               "run until ffn.state == LINEAR2 and ffn.i == 37 and ffn.j == 300",
                               "row 37 column 300  w2[300][37] · now");
    explorer_close(&x);
    /* word 300 of four columns at once: the tile below and right, four rows marked */
    the_cursor_follows_linear2("array",
                               "run until ffn.state == LINEAR2 and ffn.i == 36 and ffn.j == 300",
                               "row 36 column 300  w2[300][36] · now");
    assert_shows(&x, "tile (1,1) of 2x2");
    assert_shows(&x, "r4 ·");
    assert_shows(&x, "r7 ·");
    assert_hides(&x, "r3 ·");
    assert_hides(&x, "r8 ·");
    press(&x, "Down Down Down");
    assert_shows(&x, "row 39 column 300  w2[300][39] · now");
    press(&x, "Down");
    assert_hides(&x, "now");
    explorer_close(&x);
}

static void edits_reach_the_machine_by_a_file(void **state)
{
    char path[] = "/tmp/tokstep-XXXXXX.t2", line[80];
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    (void)state;
    the_cursor_follows_linear2("bridge", "run until ffn.state == LINEAR2 and ffn.i == 37",
                               "machine ffe9 = -0.08984375");
    press(&x, "c d Right e"); /* the high byte of the scale */
    type(&x, "38");
    press(&x, "Enter");
    assert_shows(&x, "u takes it back; w2 of the machine stays as loaded");
    assert_shows(&x, "weight -0.");
    assert_shows(&x, "machine ffe9 = -0.08984375 *as loaded");
    snprintf(line, sizeof line, "write %s", path);
    tui_do(x.tui, line);
    assert_shows(&x, "1 edit; config w2=t2:/tmp");
    snprintf(line, sizeof line, "config ffn_w2=t2:%s", path);
    tui_do(x.tui, line);
    assert_shows(&x, strrchr(path, '/') + 1); /* the view follows to the new file */
    assert_hides(&x, "edit, written");
    command("run until ffn.state == LINEAR2 and ffn.i == 37");
    assert_shows(&x, "row 37 column 0  w2[0][37] · now");
    assert_hides(&x, "as loaded");
    assert_hides(&x, "machine ffe9");
    assert_shows(&x, "machine ");
    refused("config ffn_w2=x", "must be t2:FILE");
    /* told apart even when no frame is drawn in between */
    command("config ffn_w2=t2:" T2_GOLDEN "mixed-64x512.t2");
    command("seek special");
    assert_shows(&x, "mixed-64x512.t2");
    assert_shows(&x, "zero");
    /* another machine, with weights of its own, is not tied to the file */
    command("open assets/words-repaired.safetensors");
    press(&x, "8");
    assert_hides(&x, "machine ");
    explorer_close(&x);
    close(fd);
    remove(path);
}

/* ---- work that takes its time ---- */

typedef struct Asked {
    int times, stop_at;
    char message[512];
} Asked;

static bool count_frames(void *context)
{
    Asked *a = context;
    snprintf(a->message, sizeof a->message, "%s", x.tui->message);
    look(&x); /* the loop draws meanwhile */
    return ++a->times < a->stop_at;
}

static void a_long_search_draws_and_can_be_stopped(void **state)
{
    enum { GIB = 1 << 30 };
    char path[] = "/tmp/tokstep-XXXXXX.t2", line[64];
    static const struct {
        const char *command, *doing, *stopped;
    } works[] = {
        {"seek reserved", "seeking a code 3: ", "seeking a code 3 stopped after "},
        {"count", "counting: ", "counting stopped after "},
        {"write /tmp/tokstep-none.t2", "writing: ", "writing stopped after "},
    };
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0 && ftruncate(fd, GIB / 2176 * (off_t)2176) == 0);
    (void)state;
    explorer_open(&x, 24, 80);
    snprintf(line, sizeof line, "open %s", path);
    command(line);
    remove("/tmp/tokstep-none.t2");
    for (size_t i = 0; i < 3; i++) {
        Asked asked = {.stop_at = 2};
        Err err = {0};
        Buf out = {0};
        tui_on_busy(x.tui, count_frames, &asked);
        assert_false(tui_exec(x.tui, works[i].command, &out, &err));
        assert_int_equal(asked.times, 2); /* a frame, and no more once it was stopped */
        assert_memory_equal(asked.message, works[i].doing, strlen(works[i].doing));
        assert_non_null(strstr(asked.message, " % of 1.07 GB; Esc or C-c stops"));
        assert_memory_equal(err.text, works[i].stopped, strlen(works[i].stopped));
        assert_string_equal(x.tui->message, "");
        assert_int_equal(out.len, 0);
        buf_free(&out);
    }
    assert_int_equal(access("/tmp/tokstep-none.t2", F_OK), -1);
    assert_false(inspector_has_counts(&x.tui->inspector, 0)); /* nothing half counted */
    assert_shows(&x, "row 0 column 0");
    explorer_close(&x);
    close(fd);
    remove(path);
}

static void y_copies_the_weight_or_the_byte(void **state)
{
    (void)state;
    open_file("reserved-64x512.t2 64x512");
    press(&x, "R y");
    assert_string_equal(tui_wishes(x.tui)->copy,
                        "reserved-64x512.t2 row 5 column 130 byte 0x160 = 79 code 3 scale 0x816 = "
                        "2e66 weight 0 00000000");
    press(&x, "Enter y");
    assert_string_equal(tui_wishes(x.tui)->copy, "reserved-64x512.t2 byte 0x160 = 79");
    explorer_close(&x);
}

/* ---- sizes ---- */

static void every_size_keeps_to_its_rectangle(void **state)
{
    static const char *const files[] = {T2_GOLDEN "reserved-64x512.t2", T2_GOLDEN "five-types.gguf",
                                        T2_GOLDEN "pb16i-32x256.bin", NULL};
    (void)state;
    for (int i = 0; i < 4; i++) {
        Inspector in = {0};
        Drawn d;
        Err err = {0};
        drawn_open(&d, &view_t2, "deck", "integration");
        OWN(d, T2State)->in = &in;
        OWN(d, T2State)->part = i;
        if (files[i])
            assert_true(inspector_open(&in, files[i], 0, 0, NULL, &err));
        for (int h = 1; h <= 30; h++) {
            for (int w = 1; w <= 100; w++) {
                bool utf8 = (h + w) % 2 != 0;
                Rect r = {1, 2, h, w};
                canvas_resize(&d.canvas, h + 3, w + 5, utf8);
                canvas_fill(&d.canvas, (Rect){0, 0, h + 3, w + 5}, ROLE_KEY, '@');
                canvas_fill(&d.canvas, r, ROLE_TEXT, ' ');
                OWN(d, T2State)->on_bytes = w % 3 == 0;
                d.state->row = w % 32;
                view_t2.place(d.session, d.state, r);
                view_t2.draw(d.session, d.state, r, h % 2 != 0, &d.canvas);
                for (int k = 0; k < (h + 3) * (w + 5); k++) {
                    int y = k / (w + 5), col = k % (w + 5);
                    const Cell *cell = &d.canvas.cells[k];
                    if (y < 1 || y > h || col < 2 || col >= w + 2)
                        assert_int_equal(cell->ch, '@');
                    else if (!utf8)
                        assert_in_range(cell->ch, ' ', '~');
                }
            }
        }
        inspector_close(&in);
        drawn_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reserved_code_of_5_130_is_taken_apart),
        cmocka_unit_test(r_visits_the_four_reserved_codes),
        cmocka_unit_test(special_scales_show_their_fields),
        cmocka_unit_test(other_kinds_show_as_far_as_they_are_known),
        cmocka_unit_test(a_shape_that_the_file_lacks_is_assumed_and_can_be_told),
        cmocka_unit_test(chunks_say_what_is_assumed_about_them),
        cmocka_unit_test(grid_and_bytes_move_together),
        cmocka_unit_test(an_edit_can_be_taken_back_and_written),
        cmocka_unit_test(bad_edits_are_refused),
        cmocka_unit_test(fingerprints_are_named),
        cmocka_unit_test(fingerprints_are_whole_or_counted),
        cmocka_unit_test(the_cursor_follows_the_machine),
        cmocka_unit_test(edits_reach_the_machine_by_a_file),
        cmocka_unit_test(a_long_search_draws_and_can_be_stopped),
        cmocka_unit_test(y_copies_the_weight_or_the_byte),
        cmocka_unit_test(every_size_keeps_to_its_rectangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
