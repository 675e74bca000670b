/* All unit tests of a room in one program: linking dominates what building them costs. The name it
 * is called by chooses: build/tests/tui/test_keys is a link to build/tests/tui/suite, which is made
 * of this file, a suite.h that lists the room's tests, and the tests, whose main is main_test_keys.
 */
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_##name(void);
#include "suite.h"
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_##name},
#include "suite.h"
#undef TEST
};

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, name) == 0)
            return tests[i].run();
    }
    fprintf(stderr, "%s: no such test; call this program by the name of a test\n", name);
    return 2;
}
