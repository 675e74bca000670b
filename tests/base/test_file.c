/* Files: texts that are none are refused, output appears whole or not at all, a mapping is poked
 * without its file. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static const char path[] = "build/test_file.tmp";

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void no_text(const char *name, size_t max, const char *why)
{
    Err err = {0};
    assert_null(file_read_text(name, max, &err));
    if (!strstr(err.text, why))
        fail_msg("%s, not %s", err.text, why);
}

static void texts_are_read_whole_or_refused(void **state)
{
    (void)state;
    write_file("abc\n", 4);
    char *text = file_read_text(path, 4, NULL);
    assert_string_equal(text, "abc\n");
    free(text);
    no_text(path, 3, "test_file.tmp: too long for a text file");
    write_file("ab\0c", 4);
    no_text(path, 100, "test_file.tmp: no text: a zero byte, at byte 2");
    no_text("build", 100, "build: cannot read: Is a directory");
    no_text("build/no such file", 100, "no such file: No such file or directory");
    write_file("", 0);
    text = file_read_text(path, 0, NULL);
    assert_string_equal(text, "");
    free(text);
    unlink(path);
}

static void output_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    FileOut out;
    write_file("old", 3);
    assert_true(file_create(&out, path, NULL));
    fputs("new text", out.stream);
    file_abort(&out);
    char *text = file_read_text(path, 100, NULL);
    assert_string_equal(text, "old");
    free(text);
    assert_true(file_create(&out, path, NULL));
    fputs("new text", out.stream);
    text = file_read_text(path, 100, NULL); /* not yet */
    assert_string_equal(text, "old");
    free(text);
    assert_true(file_commit(&out, NULL));
    text = file_read_text(path, 100, NULL);
    assert_string_equal(text, "new text");
    free(text);
    unlink(path);
    Err err = {0};
    assert_false(file_create(&out, "build/no such directory/x", &err));
    assert_non_null(strstr(err.text, "x: cannot write: No such file or directory"));
    assert_false(file_create(&out, "build", &err));
    assert_non_null(strstr(err.text, "build: cannot write: Is a directory"));
}

static void a_poke_stays_in_memory(void **state)
{
    (void)state;
    enum { SIZE = 10000 };
    static uint8_t bytes[SIZE];
    uint8_t read[3] = {0};
    FileMap m;
    Err err = {0};
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)i;
    write_file(bytes, SIZE);
    assert_true(file_map(&m, path, NULL));
    assert_int_equal(m.size, SIZE);
    assert_true(file_poke(&m, 4097, 0xee, NULL));
    assert_int_equal(m.data[4097], 0xee);
    assert_true(file_read_at(&m, 4096, read, 3, NULL));
    assert_int_equal(read[0], (uint8_t)4096);
    assert_int_equal(read[1], 0xee);
    assert_int_equal(read[2], (uint8_t)4098);
    file_forget(&m, 0, SIZE); /* no page that was changed is let go */
    assert_int_equal(m.data[4097], 0xee);
    assert_false(file_poke(&m, SIZE, 0, &err));
    assert_string_equal(err.text, "no byte 10000, the file has 10000");
    assert_false(file_read_at(&m, SIZE - 1, read, 2, &err));
    assert_string_equal(err.text, "became shorter while it was read, at byte 10000");
    assert_true(file_is_same(&m, "build/../build/test_file.tmp"));
    assert_false(file_is_same(&m, "README.md"));
    file_unmap(&m);
    assert_true(file_map(&m, path, NULL));
    assert_int_equal(m.data[4097], (uint8_t)4097);
    file_unmap(&m);
    unlink(path);
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    assert_int_equal(stat(name, &st), 0);
    return st.st_mode & 07777;
}

static void write_out(const char *name, const char *text)
{
    FileOut out;
    Err err = {0};
    if (!file_create(&out, name, &err))
        fail_msg("%s", err.text);
    fputs(text, out.stream);
    assert_true(file_commit(&out, &err));
}

static void holds(const char *name, const char *want)
{
    char *text = file_read_text(name, 100, NULL);
    assert_non_null(text);
    assert_string_equal(text, want);
    free(text);
}

static void what_is_replaced_hands_on_its_mode(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0644, 0755, 0660, 0222 | 0400};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        write_file("old", 3);
        assert_int_equal(chmod(path, modes[k]), 0);
        write_out(path, "new");
        assert_int_equal(mode_of(path), modes[k]);
        holds(path, "new");
    }
    unlink(path);
    mode_t mask = umask(027);
    write_out(path, "new");
    assert_int_equal(mode_of(path), 0640);
    umask(mask);
    unlink(path);
}

static void links_are_followed(void **state)
{
    (void)state;
    static const char first[] = "build/test_file.link", second[] = "build/test_file.link2";
    struct stat st;
    unlink(first);
    unlink(second);
    assert_int_equal(symlink("test_file.link2", first), 0);
    assert_int_equal(symlink("test_file.tmp", second), 0);
    write_out(first, "dangling"); /* its target is made */
    holds(path, "dangling");
    write_out(first, "again");
    holds(path, "again");
    assert_int_equal(lstat(first, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(second, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    unlink(second);
    assert_int_equal(symlink("test_file.link", second), 0);
    FileOut out;
    Err err;
    assert_false(file_create(&out, first, &err));
    assert_string_equal(err.text,
                        "build/test_file.link: cannot write: Too many levels of symbolic links");
    unlink(first);
    unlink(second);
    unlink(path);
}

static void read_only_and_full_targets(void **state)
{
    (void)state;
    FileOut out;
    Err err;
    write_file("old", 3);
    assert_int_equal(chmod(path, 0444), 0);
    assert_false(file_create(&out, path, &err));
    assert_string_equal(err.text, "build/test_file.tmp: cannot write: the file is read-only");
    holds(path, "old");
    chmod(path, 0644);
    unlink(path);
    if (access("/dev/full", W_OK) != 0)
        return;
    assert_true(file_create(&out, "/dev/full", &err));
    for (int k = 0; k < 100000 && !ferror(out.stream); k++)
        fputs("0123456789", out.stream);
    assert_true(ferror(out.stream));
    assert_false(file_commit(&out, &err)); /* the reason is told although an earlier write met it */
    assert_string_equal(err.text, "/dev/full: cannot write: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_replaced_hands_on_its_mode),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(read_only_and_full_targets),
        cmocka_unit_test(texts_are_read_whole_or_refused),
        cmocka_unit_test(output_appears_whole_or_not_at_all),
        cmocka_unit_test(a_poke_stays_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
