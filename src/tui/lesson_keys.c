/* What keys and lines mean to a lesson, wherever the focus is. */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "tui/input/keys.h"
#include "tui/state.h"

static ViewState *state_of_lesson(Tui *t)
{
    return t->states[view_index(&view_lesson)];
}

void lesson_hold(Tui *t)
{
    bool bet = t->lesson && lesson_page(t->lesson)->bet;
    session_hold(t->session,
                 bet ? "first your bet: answer the question (L, Enter); then look" : NULL);
    session_hush(t->session, (tui_hidden_remarks(t) & LESSON_HIDE_WRAP) != 0);
}

bool lesson_enter(Tui *t)
{
    Press p;
    if (!t->lesson || t->lesson_works || tui_view(t) == &view_lesson)
        return false;
    const LessonPage *page = lesson_page(t->lesson);
    if (page->wants == LESSON_NEXT && page->play)
        return false; /* the views are what it invites to */
    if (page->wants == LESSON_NEXT && tui_strip_rows(t)) {
        tui_show_view(t, view_index(&view_lesson)); /* what is to be learnt from it stands there */
        return true;
    }
    if (!view_press(&view_lesson, t->session, state_of_lesson(t), "Enter", &p))
        return false;
    if (p.what == PRESS_ASK)
        tui_prompt(t, p.text);
    else
        tui_do(t, p.text);
    return true;
}

/* What the lesson has just said: the last line of its page. */
static const char *last_said(const LessonPage *page)
{
    const char *last = "";
    for (const char *p = buf_str(&page->text); *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (*p != '\n' && p[1] != '\n' && p[1])
            last = p + 1;
    }
    return last;
}

bool lesson_hint(Tui *t)
{
    if (!t->lesson || t->lesson_works || tui_view(t) == &view_lesson)
        return false;
    if (tui_do_line(t, "hint"))
        tui_say(t, ROLE_TEXT, "%s", last_said(lesson_page(t->lesson)));
    return true;
}

void lesson_reply(const Tui *t, bool hint, Buf *out)
{
    if (t->mode != MODE_CONSOLE || !t->lesson)
        return;
    const LessonPage *page = lesson_page(t->lesson);
    const char *shown = NULL;
    for (const char *p = buf_str(&page->text); *p; p += strcspn(p, "\n"), p += *p == '\n')
        shown = *p == 'h' ? p + 1 : *p == 'a' ? NULL : shown;
    if (hint && shown)
        buf_printf(out, "%.*s\n", (int)strcspn(shown, "\n"), shown);
    buf_printf(out, "%s\n", last_said(page));
}

void lesson_take_answer(Tui *t, const char *answer)
{
    char line[300];
    answer += strspn(answer, " ");
    int page = t->lesson ? lesson_page(t->lesson)->page : 0;
    snprintf(line, sizeof line, "answer %.*s", HEAD(answer, 290));
    if (!tui_do_line(t, line)) { /* refused as a line: to be mended */
        tui_prompt(t, line);
        return;
    }
    const LessonPage *now = t->lesson ? lesson_page(t->lesson) : NULL;
    if (now && now->page == page && now->wants == LESSON_ANSWER)
        tui_prompt(t, "answer "); /* for another try, or for the next question */
    else
        t->wishes.forget_keys = true; /* what was typed ahead was meant for the prompt */
}

bool lesson_scroll(Tui *t, const char *key)
{
    Press p;
    return t->lesson && key_matches("PgUp PgDn", key) &&
           view_press(&view_lesson, t->session, state_of_lesson(t), key, &p);
}
