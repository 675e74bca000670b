#ifndef SCRIPT_LESSON_H
#define SCRIPT_LESSON_H
/* Lessons: Lua files that return lesson { page { ask { } } }. A Lesson owns the Lua state of one;
 * what the pupil does goes in as verbs, what is to be shown comes out as lines. The same lesson
 * plays itself for `--check` and takes a pupil's answers for `--answers`. */
#include "script/script.h"

enum { LESSON_ID = 64, LESSON_TITLE = 128, LESSON_NEEDS = 256, LESSON_ABOUT = 160 };

typedef struct LessonInfo {
    char path[4096];
    char id[LESSON_ID], title[LESSON_TITLE], needs[LESSON_NEEDS]; /* needs: ids, blanks between */
    int minutes, pages;
    int page; /* that the pupil is on, 0: not begun */
    bool finished;
    int score;                /* of a finished one, in percent; -1: not known */
    char about[LESSON_ABOUT]; /* a line on what it is about; may be empty */
} LessonInfo;

/* NAME is an id, its number (6, 06), the beginning of it or of one of its words (mask), or a file
 * (has a `/` or ends in .lua). What fits several lessons is refused with their ids. */
bool lesson_find(const char *name, Buf *path, Err *err);
/* The names of the program's lessons, as lesson_find takes them. */
void lesson_names(void (*add)(void *context, const char *name), void *context);
/* The lessons of the program in the order of their ids, with the pupil's progress; the caller frees
 * *list. */
bool lesson_list(LessonInfo **list, int *count, ScriptError *error);

/* The id of the program's lesson that comes after this one; false when it is the last, or none of
 * the program's. */
bool lesson_next(const char *id, char next[LESSON_ID]);

typedef struct Lesson Lesson;

/* The machine is the session, which begins again as the lesson wants it. With a pupil, the lesson
 * goes on where it was left, and progress is written after each step. Else it is not taken up. */
Lesson *lesson_open(const char *path, Session *s, const ScriptLimits *limits, bool pupil,
                    ScriptError *error);
void lesson_free(Lesson *l);
const LessonInfo *lesson_info(const Lesson *l);
Script *lesson_script(Lesson *l);
/* The ids that it needs and that this account has not finished, commas between; appended. */
void lesson_needs_first(const Lesson *l, Buf *out);

/* "answer" TEXT, "check", "hint", "next", "back", "skip", "again". False on an error in the
 * lesson, or when progress cannot be written. */
bool lesson_do(Lesson *l, const char *verb, const char *text, ScriptError *error);

typedef enum { LESSON_NEXT, LESSON_ANSWER, LESSON_CHECK } LessonWants;
/* What a page wants the views to keep back until it is left: remarks that would give it away. */
enum {
    LESSON_HIDE_WRAP = 1, /* that something wraps, saturates or leaks through the mask */
    LESSON_HIDE_DONE = 2, /* when an array is done, and how well it is used */
    LESSON_HIDE_DECK = 4, /* how far the deck's estimates are off */
    LESSON_HIDE_CLOCK = 8 /* what the coming clock does: while a bet is wanted */
};
typedef struct LessonPage {
    int page, pages;
    LessonWants wants;
    bool finished;
    bool bet;      /* an answer is wanted before the machine moves */
    bool play;     /* the page invites to try things out */
    unsigned hide; /* LESSON_HIDE_... */
    bool refused;  /* the last verb was an answer, and it was wrong or none */
    /* Lines, each with a letter in front for what it is: t text, a question or task, r right, w
     * wrong, h hint; to be wrapped by who shows them. */
    Buf text;
    /* What was said last, for who does not show the text; empty: nothing. Its letter as above, then
     * '<' when it is said of a question before the one that is open (else a blank), then a line. */
    Buf said;
} LessonPage;
/* What is to be shown now; valid until the next verb. */
const LessonPage *lesson_page(const Lesson *l);
/* "Not yet", said of a task, is taken back when the machine is no longer the one it was said of.
 * To be called before the page is shown. */
bool lesson_settle(Lesson *l, ScriptError *error);
/* The pane has so much room for text: what is drawn in characters is drawn anew. */
bool lesson_fit(Lesson *l, int columns, int rows, ScriptError *error);
/* What a pupil's lesson has printed; the caller clears it. */
Buf *lesson_printed(Lesson *l);

/* Play it with its own solutions: out gets a line "FILE:LINE: page N: why" per expectation that
 * does not hold, "FILE:LINE: why" for the lesson as a whole. */
typedef struct LessonCheck {
    int pages, questions, predictions;
    int failures;
} LessonCheck;
bool lesson_check(Lesson *l, LessonCheck *result, Buf *out, ScriptError *error);
/* How many of its questions and tasks are right; percent: to the nearest, 100 only if all are. */
typedef struct LessonScore {
    int percent, right, questions;
} LessonScore;
/* Grade: answers are the lines of the file `name`, "PAGE ANSWER" or "PAGE.QUESTION ANSWER" each
 * (lessons/README.md); out gets "PAGE ok|wrong REASON" of each page, told "line N: why" of each
 * line that cannot be read, which costs its question. One that runs away is a wrong answer. Refused
 * when no line can be read. */
bool lesson_grade(Lesson *l, const char *name, const char *answers, LessonScore *score, Buf *out,
                  Buf *told, ScriptError *error);

/* ---- a class ---- */

/* From now on what the pupil does is also kept in the file, beside and renamed after each step; it
 * is written at once. The format: lessons/README.md. */
bool lesson_hand_in(Lesson *l, const char *path, const char *name, ScriptError *error);
/* Whose lesson it is. */
typedef struct LessonPupil {
    const char *hand_in, *name; /* the file that takes what is done, and the pupil; NULL: none */
    bool seeded;                /* with the numbers of `seed`; else of what is gone on from */
    uint32_t seed;
} LessonPupil;
/* Before the lesson of that file is taken: when it is next taken up by a pupil it goes on with the
 * numbers of that seed from what this account or the hand-in holds, whichever is further, else it
 * begins. Refused when the file that is to take the hand-in holds anything else than this pupil's
 * (name, lesson, seed) own, unchanged. */
bool lesson_prepare(const char *path, const LessonPupil *pupil, ScriptError *error);
/* A hand-in with the answers of a file as lesson_grade takes it; refused when the file holds what
 * is not this pupil's, or an answer that would be lost. */
bool lesson_answers_hand_in(Lesson *l, const char *name, const char *file, const char *answers,
                            const char *path, ScriptError *error);
/* Is that text a hand-in, and of which lesson? *changed: it is not as it was written, but for
 * blanks at the ends of lines, which it loses. */
bool lesson_hand_in_head(char *text, char id[LESSON_ID], bool *changed, Err *err);
/* Judge a hand-in again with the pupil's numbers; file: as messages call it. Lines to out, parted
 * by tabs: "head NAME SEED DATE PERCENT HINTS SECONDS RIGHT ALL", "bad LINE WHY" for each line that
 * is none, "ask PAGE QUESTION right|wrong|shown|none TRIES HINTS SECONDS ANSWER REASON". */
bool lesson_mark(Lesson *l, const char *file, const char *text, Buf *out, ScriptError *error);
/* The lesson as Markdown with the numbers of that seed. */
bool lesson_print(Lesson *l, uint32_t seed, bool solutions, Buf *out, ScriptError *error);

#endif
