#ifndef TUI_VIEWS_H
#define TUI_VIEWS_H
/* The views there are. */
#include "tui/view/view.h"

extern const View view_decoder, view_vectors, view_softmax, view_kv, view_timeline, view_cycles,
    view_model, view_lesson, view_rtl;
extern const View *const views[]; /* ends with NULL; in the order of the keys */

/* The index of a view. */
int view_index(const View *v);
/* The index of a view by its name or key; -1 with the error that says which there are. */
int view_find(const char *name, Err *err);
/* Is there a view of this name? (ScriptLimits.has_view) */
bool view_exists(const char *name, Err *err);

#endif
