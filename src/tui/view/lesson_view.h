#ifndef TUI_LESSON_VIEW_H
#define TUI_LESSON_VIEW_H
/* The lesson's pane: what the rest of the explorer tells it, and where it is. */
#include "script/lesson.h"
#include "tui/view/view.h"

/* Scrolled so that the last line shows. */
enum { LESSON_END = 1 << 20 };
/* What of a lesson's pane is not text: frame and a blank on each side, two lines of frame. */
enum { LESSON_MARGIN = 4, LESSON_FRAME = 2 };
/* The lesson that is taken, or the list of those there are. */
typedef struct LessonState {
    ViewState v;          /* row: of the list */
    const Lesson *lesson; /* NULL: the list */
    LessonInfo *list;     /* read when the list is first shown; its own */
    int count;
    bool listed;
    char why[200];    /* why it could not be read */
    char error[1000]; /* of the lesson itself, with the lines of its source around it */
    char see[40]; /* the view that the page talks about and that is not on screen: "2 vectors" */
    const View *show; /* the view that the page wants looked at, or NULL ... */
    char cursor[64];  /* ... and the element that its cursor goes to, "" for none */
    bool answering;   /* the prompt is open: keys are letters of an answer */
} LessonState;

#endif
