#ifndef TUI_TIMELINE_VIEW_H
#define TUI_TIMELINE_VIEW_H
/* The state of the timeline's pane. */
#include "tui/view/timeline/film.h"
#include "tui/view/view.h"

typedef struct TimelineState {
    ViewState v;  /* row: of the signals; cycle: the time cursor */
    int zoom;     /* time_window.h */
    int analogue; /* numbers as heights */
    int step;     /* cycles of a column, that Left and Right move by */
    bool whole;   /* the whole run is in view: there is nothing further out */
    Film *film;   /* made when first needed */
} TimelineState;

#endif
