#include "tui/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/jump.h"
#include "tui/state.h"

/* ---- who is searched ---- */

static void feed(Tui *t, const Search *s, SearchFeed *f)
{
    f->text = s->text;
    f->here = s->at;
    if (s->place == SEARCH_HELP)
        help_feed(t, f);
    else if (s->place == SEARCH_CONSOLE)
        console_feed(t->console, f);
    else
        views[s->view]->search_lines(t->session, t->states[s->view], f);
}

static void go(Tui *t, Search *s, uint64_t at)
{
    s->at = at;
    if (s->place == SEARCH_HELP)
        help_to(t, (int)at);
    else if (s->place == SEARCH_CONSOLE)
        console_to(t->console, (int)at);
    else
        views[s->view]->search_go(t->session, t->states[s->view], at, s->text);
}

/* To the next match, or the first one; false when there is none. */
static bool move(Tui *t, Search *s, int by, bool first, Buf *out)
{
    SearchFeed f = {0};
    bool wrapped = false;
    feed(t, s, &f);
    int k = search_pick(&f, by, first, &wrapped);
    if (k >= 0) {
        buf_printf(out, "%d of %d", k + 1, f.count);
        if (wrapped)
            buf_printf(out, ", on from the %s", by > 0 ? "start" : "end");
        if (f.range[0])
            buf_printf(out, ", %s", f.range);
        go(t, s, f.at[k]);
    }
    free(f.at);
    return k >= 0;
}

/* ---- keys and commands ---- */

static SearchPlace place_of_keys(const Tui *t)
{
    const View *v = tui_view(t);
    if (t->mode == MODE_HELP || (t->mode == MODE_PROMPT && t->prompt_over == MODE_HELP))
        return SEARCH_HELP;
    return v && v->search_lines ? SEARCH_VIEW : SEARCH_OFF;
}

bool search_active(const Tui *t)
{
    const Search *s = &t->search;
    switch (s->place) {
    case SEARCH_VIEW:
        return place_of_keys(t) == SEARCH_VIEW && t->mode != MODE_CONSOLE &&
               s->view == t->panes.order[t->panes.focus];
    case SEARCH_HELP:
        return place_of_keys(t) == SEARCH_HELP;
    case SEARCH_CONSOLE:
        return t->mode == MODE_CONSOLE;
    case SEARCH_OFF:
        break;
    }
    return false;
}

/* A new search; false with the error when the text is none. */
static bool set_up(Tui *t, SearchPlace place, const char *text, Search *s, Err *err)
{
    if (!*text)
        text = t->search.text;
    if (!*text)
        return err_set(err, "search: needs a text");
    if (strlen(text) >= sizeof s->text)
        return err_set(err, "search: takes at most %zu bytes", sizeof s->text - 1);
    *s = (Search){.place = place, .view = t->panes.order[t->panes.focus]};
    snprintf(s->text, sizeof s->text, "%s", text);
    return true;
}

/* No line of the view has it: an element's name means the element. */
static bool go_to_element(Tui *t, const Search *s, Buf *out, Err *err)
{
    char line[SEARCH_TEXT + 8];
    snprintf(line, sizeof line, "show %s", s->text);
    if (!tui_exec(t, line, out, NULL))
        return err_set(err, "search %s: not found", s->text);
    buf_printf(out, "%s: here it is", s->text);
    return true;
}

bool search_begin(Tui *t, const char *text, Buf *out, Err *err)
{
    Search s = {0};
    if (!set_up(t, place_of_keys(t), text, &s, err))
        return false;
    if (s.place == SEARCH_OFF)
        return go_to_element(t, &s, out, err);
    Jump from = jump_here(t);
    if (s.place == SEARCH_HELP)
        s.at = (uint64_t)t->help_top;
    if (!move(t, &s, 1, true, out))
        return s.place == SEARCH_VIEW ? go_to_element(t, &s, out, err)
                                      : err_set(err, "search %s: not found", s.text);
    t->search = s;
    if (s.place == SEARCH_VIEW)
        jump_note(t, &from);
    return true;
}

bool search_console(Tui *t, const char *text, Buf *out, Err *err)
{
    Search s = {0};
    if (!set_up(t, SEARCH_CONSOLE, text, &s, err))
        return false;
    s.at = UINT64_MAX;
    if (!move(t, &s, -1, true, out))
        return err_set(err, "/%s: not found in the scrollback", s.text);
    t->search = s;
    return true;
}

static void step(Tui *t, int by)
{
    Buf out = {0};
    bool up = t->search.place == SEARCH_CONSOLE; /* its newest line is the first */
    if (move(t, &t->search, up ? -by : by, false, &out))
        tui_say(t, ROLE_TEXT, "%s", buf_str(&out));
    else
        tui_say(t, ROLE_WARN, "search %s: not found", t->search.text);
    buf_free(&out);
}

bool search_key(Tui *t, const char *key)
{
    if (!search_active(t))
        return false;
    if (strcmp(key, "n") == 0 || strcmp(key, "N") == 0)
        step(t, *key == 'n' ? 1 : -1);
    else if (strcmp(key, "Esc") == 0)
        t->search.place = SEARCH_OFF;
    else
        return false;
    return true;
}

/* ---- matches on the screen ---- */

/* Does the text, as cells, stand in row y from column x on? */
static bool stands_at(const Canvas *c, int y, int x, int right, const Canvas *text, int n, bool any)
{
    for (int k = 0; k < n; k++) {
        if (x + k >= right || search_fold(c->cells[y * c->cols + x + k].ch, any) !=
                                  search_fold(text->cells[k].ch, any))
            return false;
    }
    return true;
}

static bool inside(Rect r, int y, int x)
{
    return y >= r.y && y < r.y + r.h && x >= r.x && x < r.x + r.w;
}

void search_paint(Tui *t, Rect r, Rect current)
{
    Canvas *c = &t->canvas;
    bool any = search_any_case(t->search.text);
    int n = text_width(t->search.text);
    canvas_resize(&t->scratch, 1, n > 0 ? n : 1, c->utf8);
    canvas_text(&t->scratch, 0, 0, ROLE_TEXT, t->search.text);
    for (int y = r.y + r.h - 1; y >= r.y && n > 0; y--) {
        for (int x = r.x; x < r.x + r.w; x++) {
            if (!stands_at(c, y, x, r.x + r.w, &t->scratch, n, any))
                continue;
            if (current.h == 0) /* the lowest is it, with all of its line */
                current = (Rect){y, r.x, 1, r.w};
            bool here = inside(current, y, x) || c->cells[y * c->cols + x].role == ROLE_CURSOR;
            canvas_role(c, (Rect){y, x, 1, n}, here ? ROLE_CURSOR : ROLE_CHANGED);
        }
    }
}
