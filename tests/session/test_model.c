/* Models: their file, the host's side, and a session that generates. */
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable_math.h"
#include "base/sha256.h"
#include "session/command.h"
#include "model/score.h"
#include "model/words.h"
#include "test.h"

#define WORDS_MODEL "assets/words-repaired.safetensors"

static Model *words_model(void)
{
    Err err = {0};
    Model *m = model_read(WORDS_MODEL, &err);
    if (!m)
        fail_msg("%s", err.text);
    return m;
}

/* ---- numbers that must be the same everywhere ---- */

static void test_portable_exp_and_log(void **state)
{
    (void)state;
    for (double x = -600.0; x < 600.0; x += 0.37)
        assert_true(fabs(portable_exp(x) / exp(x) - 1.0) < 1e-14);
    for (double x = 1e-300; x < 1e300; x *= 1.7)
        assert_true(fabs(portable_log(x) - log(x)) <= 1e-14 * fmax(1.0, fabs(log(x))));
    assert_true(portable_exp(0.0) == 1.0);
    assert_true(portable_exp(-1e30) == 0.0);
    assert_true(portable_log(1.0) == 0.0);
}

static void test_sha256(void **state)
{
    uint8_t digest[32];
    (void)state; /* FIPS 180-4's own examples, and the longest message of one block */
    sha256_short("abc", 3, digest);
    assert_memory_equal(digest, "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23",
                        16);
    sha256_short("", 0, digest);
    assert_memory_equal(digest, "\xe3\xb0\xc4\x42\x98\xfc\x1c\x14\x9a\xfb\xf4\xc8\x99\x6f\xb9\x24",
                        16);
    sha256_short("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 55, digest);
    assert_memory_equal(digest, "\x9f\x43\x90\xf8\xd3\x0c\x2d\xd9\x2e\xc9\xf0\x95\xb6\x5e\x2b\x9a",
                        16);
    assert_true(word_is_held_out("abbots"));
    assert_false(word_is_held_out("abandon"));
    assert_true(word_is_plain("z") && !word_is_plain("") && !word_is_plain("it's"));
    assert_false(word_is_plain("aaaaaaaaaaaaaaaaaaaaaaaaa")); /* 25 letters */
}

/* ---- the file ---- */

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void test_written_again_it_has_the_same_bytes(void **state)
{
    const char *path = "build/test_model.safetensors";
    FileMap a, b;
    (void)state;
    Model *m = words_model();
    assert_true(model_write(m, path, NULL));
    assert_true(file_map(&a, WORDS_MODEL, NULL) && file_map(&b, path, NULL));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    file_unmap(&a);
    file_unmap(&b);
    unlink(path);
    model_free(m);
}

static char *find_bytes(char *in, size_t n, const char *what)
{
    size_t len = strlen(what);
    for (size_t i = 0; i + len <= n; i++) {
        if (memcmp(in + i, what, len) == 0)
            return in + i;
    }
    return NULL;
}

/* The words' model with one piece of its header replaced by another of the same length. */
static void refuses(const char *from, const char *to, const char *why)
{
    const char *path = "build/test_refused.safetensors";
    FileMap map;
    Err err = {0};
    assert_int_equal(strlen(from), strlen(to));
    assert_true(file_map(&map, WORDS_MODEL, NULL));
    char *bytes = malloc(map.size);
    memcpy(bytes, map.data, map.size);
    char *at = find_bytes(bytes, map.size, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    write_bytes(path, bytes, map.size);
    Model *m = model_read(path, &err);
    model_free(m);
    free(bytes);
    file_unmap(&map);
    unlink(path);
    if (m || !strstr(err.text, why) || !strstr(err.text, ", at byte "))
        fail_msg("%s -> %s: %s, not %s", from, to, m ? "taken" : err.text, why);
}

static void test_malformed_files_are_refused(void **state)
{
    (void)state;
    refuses("\"tokstep-model\"", "\"tokstep-modem\"", "metadata format is tokstep-modem");
    refuses("\"repaired\"", "\"repaidre\"", "repaidre");
    refuses("\"n_heads\":\"4\"", "\"n_heads\":\"5\"", "n_heads 5");
    refuses("\"n_heads\":\"4\"", "\"n_haeds\":\"4\"", "metadata n_heads is missing");
    refuses("^abcde", "^abcda", "'a' stands in it twice");
    refuses("^abcde", "^ab de", "is not printable ASCII");
    refuses("\"wk\"", "\"wl\"", "tensor wk is missing");
    refuses("\"wk\":{\"dtype\":\"I16\"", "\"wk\":{\"dtype\":\"U16\"", "tensor wk: dtype U16");
    refuses("\"w1\":{\"dtype\":\"I16\",\"shape\":[64,256]",
            "\"w1\":{\"dtype\":\"I16\",\"shape\":[256,64]", "shape");
    refuses("\"out_w\":{\"dtype\":\"I16\",\"shape\":[64,28]",
            "\"out_w\":{\"dtype\":\"I16\",\"shape\":[28,64]",
            "tensor out_w: shape [28, 64], must be [64, 28]");
    refuses("\"wq\":{\"dtype\":\"I16\",\"shape\":[64,64]",
            "\"wq\":{\"dtype\":\"I16\",\"shape\":[4096] ", "tensor wq: 1 dimensions");
}

/* Sizes that agree with one another, but that no machine has. */
static void test_sizes_beyond_the_machine_are_refused(void **state)
{
    const char *path = "build/test_sizes.safetensors";
    static const struct {
        int d_ff, max_seq_len;
        const char *why;
    } bad[] = {{8, 1025, "max_seq_len 1025: must be 1..1024"}, {2049, 8, "d_ff 2049"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Config c;
        Err err = {0};
        assert_true(config_preset(&c, "repaired", NULL));
        c.d_model = 8;
        c.n_heads = 1;
        c.d_ff = bad[i].d_ff;
        c.max_seq_len = bad[i].max_seq_len;
        Model *m = model_new(&c, "^abc$");
        assert_true(model_write(m, path, NULL));
        assert_null(model_read(path, &err));
        assert_non_null(strstr(err.text, bad[i].why));
        model_free(m);
    }
    unlink(path);
}

static void test_cut_short_anywhere(void **state)
{
    const char *path = "build/test_cut.safetensors";
    FileMap map;
    (void)state;
    assert_true(file_map(&map, WORDS_MODEL, NULL));
    for (size_t n = 0; n < map.size; n += n < 1600 ? 37 : 9973) {
        write_bytes(path, (const char *)map.data, n);
        Model *m = model_read(path, NULL);
        assert_null(m);
    }
    file_unmap(&map);
    unlink(path);
}

/* ---- the host ---- */

static void test_logits_by_hand(void **state)
{
    Config c;
    int16_t x[8] = {256, -128, 0, 0, 0, 0, 0, 32767};
    int64_t logits[4];
    Guess best[3];
    double p[4];
    (void)state;
    assert_true(config_preset(&c, "repaired", NULL) && config_set(&c, "d_model", "8", NULL) &&
                config_check(&c, NULL));
    Model *m = model_new(&c, "^ab$");
    const int16_t rows[3][4] = {{1, 2, 3, 4}, {100, 0, -100, 256}, {0, 0, 2, 0}};
    memcpy(m->out_w, rows[0], 8);
    memcpy(m->out_w + 4, rows[1], 8);
    memcpy(m->out_w + 28, rows[2], 8);
    model_logits(m, x, logits);
    assert_int_equal(logits[0], 256 - 12800);
    assert_int_equal(logits[1], 512);
    assert_int_equal(logits[2], 768 + 12800 + 65534);
    assert_int_equal(logits[3], 1024 - 32768);
    host_probabilities(m, x, 1.0, p);
    assert_true(fabs(p[0] + p[1] + p[2] + p[3] - 1.0) < 1e-12);
    assert_true(fabs(log(p[2] / p[1]) - (768 + 12800 + 65534 - 512) / 65536.0) < 1e-12);
    host_top(m, x, best, 3);
    assert_int_equal(best[0].letter, 2);
    assert_int_equal(best[1].letter, 1);
    assert_int_equal(best[2].letter, 3);
    Choice greedy = {0.0, 5}, hot = {100.0, 5};
    assert_int_equal(host_choose(m, x, &greedy, 3), 2);
    int seen[4] = {0};
    for (int i = 0; i < 3000; i++)
        seen[host_choose(m, x, &hot, i)]++;
    assert_int_equal(seen[0], 0); /* never the start mark */
    for (int v = 1; v < 4; v++)
        assert_in_range(seen[v], 900, 1100);
    model_free(m);
}

/* ---- a session ---- */

static Session *open_session(const char *text, int tokens, double temperature)
{
    Setup setup;
    Err err = {0};
    setup_init(&setup);
    setup_model(&setup, words_model());
    setup.tokens = tokens;
    setup.choice = (Choice){temperature, 11};
    if (!setup_text(&setup, text, &err) || !setup_check(&setup, &err))
        fail_msg("%s", err.text);
    Session *s = session_new(&setup);
    setup_free(&setup);
    return s;
}

static void run_to_end(Session *s)
{
    session_run(s, NULL, NULL);
    while (session_advance(s, 100000) == RUN_ON)
        continue;
}

static void letters_of(const Session *s, char *out)
{
    int n = session_host(s)->token + 1;
    for (int t = 0; t < n; t++)
        out[t] = session_letter(s, t);
    out[n] = '\0';
}

/* The stepped machine, token by token, against what `eval` adds up. */
static void test_score_is_the_stepped_machine(void **state)
{
    static const char word[] = "stepping";
    Guess all[27];
    double bits = 0.0;
    (void)state;
    Session *s = open_session(word, 1, 0.0);
    for (int t = 0; t < (int)sizeof word; t++) {
        session_run(s, "valid == 1", NULL);
        while (session_advance(s, 10000) == RUN_ON)
            continue;
        assert_int_equal(session_output(s), t);
        assert_true(session_top(s, all, 27));
        char next = word[t] ? word[t] : '$';
        int k = 0;
        while (session_model(s)->vocab[all[k].letter] != next)
            k++;
        bits -= log2(all[k].p);
    }
    Score *score = score_new(session_setup(s));
    assert_true(score_word(score, word));
    assert_int_equal(score_chars(score), sizeof word);
    assert_true(fabs(score_bits(score) - bits) < 1e-9);
    assert_false(score_word(score, "step!"));
    assert_int_equal(score_chars(score), sizeof word);
    score_free(score);
    session_free(s);
}

/* Generated letters come back after going back, and do not depend on how one got there. */
static void test_the_same_letters_back_and_forth(void **state)
{
    char first[SETUP_TEXT], again[SETUP_TEXT];
    (void)state;
    Session *s = open_session("", 0, 1.0);
    assert_false(session_top(s, NULL, 0)); /* nothing has come out yet */
    run_to_end(s);
    letters_of(s, first);
    uint64_t end = engine_cycle(session_engine(s)), digest = engine_hash(session_engine(s));
    assert_true(strlen(first) > 3);
    session_goto(s, end / 2);
    session_goto(s, end);
    letters_of(s, again);
    assert_string_equal(first, again);
    session_goto(s, 0);
    run_to_end(s);
    letters_of(s, again);
    assert_string_equal(first, again);
    assert_true(digest == engine_hash(session_engine(s)));
    session_free(s);
}

static void test_text_command(void **state)
{
    Buf out = {0};
    Err err = {0};
    (void)state;
    Session *s = open_session("cat", 1, 0.0);
    assert_true(session_exec(s, "text inter", &out, &err));
    assert_int_equal(engine_cycle(session_engine(s)), 0);
    run_to_end(s);
    assert_true(session_exec(s, "text", &out, &err));
    assert_memory_equal(buf_str(&out), "text ^inter\nafter token 5:  r ", 30);
    assert_false(session_exec(s, "text Cat", &out, &err));
    assert_non_null(strstr(err.text, "text Cat: 'C' is no letter of the model (a-z)"));
    assert_false(session_exec(s, "text abcdefghijklmnopqrstuvwxyz Zürich", &out, &err));
    assert_string_equal(err.text, /* what matters is not cut off with the text */
                        "text abcdefghijklmnopqrstuvwx: ' ' is no letter of the model (a-z)");
    assert_false(session_exec(s, "config d_ff=8", &out, &err));
    assert_false(session_exec(s, "config max_seq_len=5", &out, &err)); /* ^inter needs 6 */
    assert_non_null(strstr(err.text, "5 letters; with the start mark at most max_seq_len 5"));
    assert_true(session_exec(s, "preset minus8", &out, &err));
    assert_non_null(session_model(s));
    buf_free(&out);
    session_free(s);
}

static void test_patches(void **state)
{
    Setup setup;
    Err err = {0};
    int16_t *tokens = NULL;
    (void)state;
    setup_init(&setup);
    WeightPatch *p = &setup.patch[WEIGHT_W2];
    assert_true(patch_load(p, &setup.config, WEIGHT_W2, "assets/words.w2.t2", false, &err));
    assert_int_equal(p->rows, 256);
    assert_int_equal(p->cols, 64);
    Weights *w = stimulus_make(&setup, &tokens);
    for (int i = 0; i < 256 * 64; i++)
        assert_int_equal(w->data[WEIGHT_W2][i], p->words[i]);
    /* every column has at most two magnitudes beside 0: one scale for 128 inputs */
    for (int n = 0; n < 64; n++) {
        int16_t *column = w->columns[WEIGHT_W2] + n * 256;
        for (int half = 0; half < 2; half++) {
            int magnitude = 0;
            for (int k = half * 128; k < half * 128 + 128; k++) {
                if (column[k] && !magnitude)
                    magnitude = abs(column[k]);
                assert_true(column[k] == 0 || abs(column[k]) == magnitude);
            }
        }
    }
    weights_free(w);
    free(tokens);
    config_set(&setup.config, "d_ff", "128", NULL);
    assert_false(setup_check(&setup, &err));
    assert_string_equal(err.text, "w2: loaded as [256, 64], the machine has [128, 64]");
    setup_free(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_portable_exp_and_log),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_written_again_it_has_the_same_bytes),
        cmocka_unit_test(test_malformed_files_are_refused),
        cmocka_unit_test(test_sizes_beyond_the_machine_are_refused),
        cmocka_unit_test(test_cut_short_anywhere),
        cmocka_unit_test(test_logits_by_hand),
        cmocka_unit_test(test_score_is_the_stepped_machine),
        cmocka_unit_test(test_the_same_letters_back_and_forth),
        cmocka_unit_test(test_text_command),
        cmocka_unit_test(test_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
