#ifndef SCRIPT_LESSON_PRIVATE_H
#define SCRIPT_LESSON_PRIVATE_H
/* What lesson.c and class.c share (private to the script room). */
#include "script/lesson.h"
#include "script/script_private.h"

enum { LESSON_KEY = LESSON_ID + 8 };

struct Lesson {
    Script *script;
    LessonInfo info;
    bool pupil;
    int columns, rows; /* of the pane's text; 0: nobody knows */
    Buf printed;
    LessonPage page;
    struct { /* the machine that the last verb was judged by */
        uint64_t cycle, hash;
        int edits;
    } judged;
    Buf digests; /* of the text of each page, blanks between: what has changed is not done */
    char *hand_in, *name; /* the file that takes what the pupil does, and whose it is; NULL: none */
};

/* core.FUNCTION([lesson, m,] first, second), deaf to the pupil's breakpoints; an error gets the
 * place where the lesson is. first and second may be NULL. */
bool lesson_call(Lesson *l, const char *function, bool with_lesson, const char *first,
                 const char *second, Buf *out, ScriptError *error);
/* The same with up to three arguments, the last NULL. */
bool lesson_call_with(Lesson *l, const char *function, bool with_lesson, const char *const *args,
                      Buf *out, ScriptError *error);
/* Id, title and the rest of a lesson file, with its progress; cpu: seconds, 0 for the usual. */
bool lesson_file_info(const char *path, double cpu, LessonInfo *info, ScriptError *error);
/* Is what a call returned "refused WHY"? Then WHY is told. */
bool lesson_refused(const Buf *text, Err *err);
/* Under which name its progress is kept: its id, or where that is a built-in lesson's one that is
 * not. */
void lesson_key(const LessonInfo *info, char key[LESSON_KEY]);
/* A name is one line without blanks at its end; the caller frees it. */
char *lesson_clean_name(const char *name);
/* Whether a hand-in with these lines may take the place of what the file holds: nothing, or what
 * the same pupil has handed in and these lines go on from. */
bool lesson_may_replace(Lesson *l, const char *name, const char *file, const char *lines,
                        ScriptError *error);
/* True also where none is asked for. */
bool lesson_write_hand_in(Lesson *l, ScriptError *error);

#endif
