#ifndef TUI_TIMELINE_SCENE_H
#define TUI_TIMELINE_SCENE_H
/* Private to view_timeline.c and timeline_around.c: what one frame of the timeline shows. */
#include "tui/view/timeline/time_window.h"
#include "tui/view/timeline/timeline_view.h"
#include "tui/view/timeline/wave.h"

enum { TIMELINE_ROWS = 96 };

typedef struct TimelineScene {
    const Session *s;
    const ViewState *v;
    const TimelineState *own;
    Canvas *c;
    Rect r;
    int name_w, value_w, wave_x, wave_w;
    uint64_t now, cursor;
    TimeWindow win;
    int zoom; /* as far as it goes */
    Wave token;
    Wave rows[TIMELINE_ROWS];
    int n_rows;
} TimelineScene;

/* What the film knows of the k-th column on screen: its index there, -1 while it is nothing. */
int timeline_column(const TimelineScene *p, int k);

/* timeline_around.c: the labels of the cycles, where the present is, the bar of the time cursor
 * over h rows, and below a rule what went wrong at it. */
void timeline_draw_axis(const TimelineScene *p, int y);
void timeline_draw_present(const TimelineScene *p, int y);
void timeline_draw_cursor(const TimelineScene *p, int y, int h);
void timeline_draw_foot(const TimelineScene *p, int y, int lines);

#endif
