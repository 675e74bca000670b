/* fixed_point against functions.txt: every line, and digests over the whole domain. */
#include "test.h"

#include "engine/fixed_point.h"

static char *words[512];
static int n_words;

static void split(char *line)
{
    n_words = 0;
    for (char *w = strtok(line, " \n"); w && n_words < 512; w = strtok(NULL, " \n"))
        words[n_words++] = w;
}

static int16_t hex(int i)
{
    assert_true(i < n_words);
    return (int16_t)strtol(words[i], NULL, 16);
}

/* Call check on every golden line that begins with name; there must be `least` of them. */
static void each_line_of(const char *path, const char *name, int least, void (*check)(void))
{
    static char line[8192];
    FILE *f = fopen(path, "r");
    int seen = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        split(line);
        if (n_words == 0 || strcmp(words[0], name) != 0)
            continue;
        check();
        seen++;
    }
    fclose(f);
    assert_true(seen >= least);
}

static void each_line(const char *name, int least, void (*check)(void))
{
    each_line_of(GOLDEN "decoder/functions.txt", name, least, check);
}

static void check_inv_sqrt(void)
{
    assert_int_equal(fp_inv_sqrt(hex(1)), hex(2));
}
static void check_exp(void)
{
    assert_int_equal(approx_exp(hex(1), EXP_EXECUTED), hex(2));
}
static void check_exp_intended(void)
{
    assert_int_equal(approx_exp(hex(1), EXP_INTENDED), hex(2));
}
static void check_reciprocal(void)
{
    assert_int_equal(reciprocal((uint16_t)hex(1)), hex(2));
}
static void check_mul(void)
{
    assert_int_equal(fp_mul(hex(1), hex(2)), hex(3));
}
static void check_sat_add(void)
{
    assert_int_equal(fp_sat_add(hex(1), hex(2)), hex(3));
}

static void golden_lines_of_every_function(void **state)
{
    (void)state;
    each_line("fp_inv_sqrt", 30, check_inv_sqrt);
    each_line("approx_exp", 30, check_exp);
    each_line("approx_exp_intended", 30, check_exp_intended);
    each_line("reciprocal", 30, check_reciprocal);
    each_line("fp_mul", 60, check_mul);
    each_line("fp_sat_add", 60, check_sat_add);
}

/* sha256 of f over 0x0000..0xffff as little-endian words, by coreutils. */
static void digest(int16_t (*f)(uint16_t), char out[65])
{
    char path[] = "/tmp/tokstep-digest-XXXXXX", command[64];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    for (unsigned x = 0; x < 65536; x++) {
        uint16_t y = (uint16_t)f((uint16_t)x);
        fputc(y & 0xff, file);
        fputc(y >> 8, file);
    }
    fclose(file);
    snprintf(command, sizeof command, "sha256sum %s", path);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    assert_int_equal(fscanf(p, "%64s", out), 1);
    pclose(p);
    remove(path);
}

static int16_t inv_sqrt_of(uint16_t x)
{
    return fp_inv_sqrt((int16_t)x);
}
static int16_t exp_of(uint16_t x)
{
    return approx_exp((int16_t)x, EXP_EXECUTED);
}
static int16_t exp_intended_of(uint16_t x)
{
    return approx_exp((int16_t)x, EXP_INTENDED);
}

static int16_t sigmoid_of(uint16_t x)
{
    return sigmoid((int16_t)x);
}
static int16_t silu_of(uint16_t x)
{
    return silu((int16_t)x);
}

static void check_digest(void)
{
    static const struct {
        const char *name;
        int16_t (*f)(uint16_t);
    } functions[] = {{"fp_inv_sqrt", inv_sqrt_of},
                     {"approx_exp", exp_of},
                     {"approx_exp_intended", exp_intended_of},
                     {"reciprocal", (int16_t(*)(uint16_t))reciprocal},
                     {"sigmoid", sigmoid_of},
                     {"silu", silu_of}};
    char got[65];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, words[1]) != 0)
            continue;
        digest(functions[i].f, got);
        assert_string_equal(got, words[2]);
        return;
    }
    fail_msg("no function %s", words[1]);
}

static void whole_domain_digests(void **state)
{
    (void)state;
    each_line("digest", 4, check_digest);
}

static void check_sigmoid(void)
{
    assert_int_equal(sigmoid(hex(1)), hex(2));
}
static void check_silu(void)
{
    assert_int_equal(silu(hex(1)), hex(2));
}
static void check_swiglu(void)
{
    assert_int_equal(swiglu(hex(1), hex(2)), hex(3));
}

static void the_functions_of_swiglu(void **state)
{
    static const char path[] = GOLDEN "options-a/functions_next.txt";
    (void)state;
    each_line_of(path, "digest", 2, check_digest);
    each_line_of(path, "sigmoid", 38, check_sigmoid);
    each_line_of(path, "silu", 38, check_silu);
    each_line_of(path, "swiglu", 56, check_swiglu);
    for (int x = INT16_MIN + 1; x <= INT16_MAX; x++) {
        assert_true(sigmoid((int16_t)x) >= sigmoid((int16_t)(x - 1)));
        assert_int_equal(sigmoid((int16_t)-x), 256 - sigmoid((int16_t)x));
    }
}

static void the_facts_that_lessons_rest_on(void **state)
{
    (void)state;
    assert_int_equal(fp_mul(0x1000, 0x1000), 0); /* 16 * 16 wraps to 0 */
    assert_int_equal(fp_mul(-1, 1), -1);         /* floors */
    assert_int_equal(approx_exp(-255, EXP_EXECUTED), 1);
    assert_int_equal(approx_exp(-256, EXP_EXECUTED), 48); /* the step up at -1 */
    assert_int_equal(approx_exp(-512, EXP_EXECUTED), 8);
    assert_int_equal(reciprocal(0x2c00), 5);
    assert_int_equal(clz16(0), 16);
    assert_int_equal(rsqrt_table(0), 22992);
    assert_int_equal(rsqrt_table(31), 16448);
    assert_int_equal(recip_table(0), 32768);
    assert_int_equal(recip_table(31), 16644);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_lines_of_every_function),
        cmocka_unit_test(whole_domain_digests),
        cmocka_unit_test(the_functions_of_swiglu),
        cmocka_unit_test(the_facts_that_lessons_rest_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
