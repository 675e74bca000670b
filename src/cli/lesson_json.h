#ifndef CLI_LESSON_JSON_H
#define CLI_LESSON_JSON_H
/* What `tokstep lesson` answers with --json. */
#include <jansson.h>

#include "script/lesson.h"

/* id, title, about, minutes, pages, needs, and how far the pupil is: page (0: not begun), finished,
 * score (percent, or null). */
json_t *lesson_json_info(const LessonInfo *info);
/* lesson, ok, pages, questions, predictions, failures; failures are the lines of `out`. */
json_t *lesson_json_check(const char *id, const LessonCheck *result, const Buf *out);
/* The same of a lesson, known by its file, that failed on an error. */
json_t *lesson_json_failed(const char *path, const ScriptError *error);
/* lesson, pages (page, ok, reason), unread (lines that were no answer), right, questions, score,
 * pass, passed; out and told as lesson_grade leaves them. */
json_t *lesson_json_grade(const char *id, const Buf *out, const Buf *told, const LessonScore *score,
                          int pass);

#endif
