#ifndef CLI_LESSON_CLASS_H
#define CLI_LESSON_CLASS_H
/* `tokstep lesson` for a teacher: hand-ins graded, lessons printed. */
#include <stdint.h>

#include "script/lesson.h"

typedef enum { TABLE_TEXT, TABLE_CSV, TABLE_JSON } TableForm;

/* One table of the hand-ins, a row each; lesson: its name or file, NULL: as each hand-in says,
 * built in. What is wrong with a file is told on stderr. 0; 1 when something was told of a file
 * that has its row, or a score is below `pass`; 2 when a file has none. */
int lesson_grade_files(const ScriptLimits *limits, const char *lesson, const char *const *files,
                       int count, TableForm form, int pass);
/* The lesson as Markdown on stdout. */
int lesson_print_paper(const ScriptLimits *limits, const char *lesson, uint32_t seed,
                       bool solutions);

#endif
