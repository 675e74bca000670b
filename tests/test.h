#ifndef TESTS_TEST_H
#define TESTS_TEST_H
/* What every unit test includes: cmocka with its prerequisites, and the golden files' place.
 * Tests run from the project's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOLDEN "tests/golden/"

#endif
