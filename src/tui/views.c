#include "tui/formats.h"
#include "tui/systolic.h"
#include "tui/view.h"

/* In the order of their keys: the first is the main view, which keeps the left side. */
const View *const views[] = {
    &view_decoder,  &view_vectors, &view_softmax, &view_kv,  &view_timeline,
    &view_systolic, &view_formats, &view_cycles,  &view_rtl, NULL,
};
