#include "cli/lesson_json.h"

#include <stdlib.h>
#include <string.h>

#include "cli/t2_json.h"

json_t *lesson_json_info(const LessonInfo *info)
{
    json_t *needs = json_array();
    for (const char *p = info->needs; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        json_array_append_new(needs, t2_json_text_n(p, n));
        p += n;
    }
    return json_pack("{s:o, s:o, s:o, s:i, s:i, s:o, s:i, s:b, s:o}", "id", t2_json_text(info->id),
                     "title", t2_json_text(info->title), "about", t2_json_text(info->about),
                     "minutes", info->minutes, "pages", info->pages, "needs", needs, "page",
                     info->page, "finished", info->finished, "score",
                     info->score < 0 ? json_null() : json_integer(info->score));
}

static json_t *lines_of(const Buf *text)
{
    json_t *lines = json_array();
    for (const char *p = buf_str(text); *p; p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        json_array_append_new(lines, t2_json_text_n(p, n));
        p += n;
    }
    return lines;
}

json_t *lesson_json_check(const char *id, const LessonCheck *result, const Buf *out)
{
    return json_pack("{s:o, s:b, s:i, s:i, s:i, s:o}", "lesson", t2_json_text(id), "ok",
                     result->failures == 0, "pages", result->pages, "questions", result->questions,
                     "predictions", result->predictions, "failures", lines_of(out));
}

json_t *lesson_json_failed(const char *path, const ScriptError *error)
{
    return json_pack("{s:o, s:b, s:[o]}", "lesson", t2_json_text(path), "ok", 0, "failures",
                     t2_json_text(error->err.text));
}

/* "PAGE ok|wrong REASON" */
static json_t *graded_page(const char *line, size_t n)
{
    char *rest = NULL;
    long page = strtol(line, &rest, 10);
    bool ok = strncmp(rest, " ok", 3) == 0;
    size_t skip = (size_t)(rest - line) + strlen(ok ? " ok" : " wrong ");
    return json_pack("{s:i, s:b, s:o}", "page", (int)page, "ok", ok, "reason",
                     t2_json_text_n(line + (skip < n ? skip : n), skip < n ? n - skip : 0));
}

json_t *lesson_json_grade(const char *id, const Buf *out, const Buf *told, const LessonScore *score,
                          int pass)
{
    json_t *pages = json_array();
    for (const char *p = buf_str(out); *p; p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        json_array_append_new(pages, graded_page(p, n));
        p += n;
    }
    return json_pack("{s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:b}", "lesson", t2_json_text(id),
                     "pages", pages, "unread", lines_of(told), "right", score->right, "questions",
                     score->questions, "score", score->percent, "pass", pass, "passed",
                     score->percent >= pass);
}
