/* The views there are. */
#include "tui/views.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "tui/view/formats/formats.h"
#include "tui/layout.h"
#include "tui/view/systolic/systolic.h"
#include "tui/view/t2/t2_scene.h"

/* In the order of their keys: the first is the main view, which keeps the left side. */
const View *const views[] = {
    &view_decoder,  &view_vectors, &view_softmax, &view_kv,     &view_timeline,
    &view_systolic, &view_formats, &view_t2,      &view_cycles, &view_model,
    &view_lesson,   &view_rtl,     NULL,
};
_Static_assert(sizeof views / sizeof *views - 1 <= VIEWS_MAX, "VIEWS_MAX (layout.h) is too small");

int view_index(const View *v)
{
    int i = 0;
    while (views[i] != v)
        i++;
    return i;
}

int view_find(const char *name, Err *err)
{
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; views[i]; i++) {
        if (strcmp(name, views[i]->name) == 0 || strcmp(name, views[i]->key) == 0)
            return i;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 views[i]->name);
        if (used >= sizeof names)
            used = sizeof names - 1;
    }
    Suggest near;
    char hint[SUGGEST_TEXT];
    suggest_begin(&near, name, strlen(name));
    for (int i = 0; views[i]; i++)
        suggest_offer(&near, views[i]->name);
    err_set(err, "view %s: %smust be one of %s", name, suggest_text(&near, hint), names);
    return -1;
}

bool view_exists(const char *name, Err *err)
{
    return view_find(name, err) >= 0;
}
